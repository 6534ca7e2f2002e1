import JSON

/// The purpose of a call.
enum SonyHTTPTask: Sendable, Equatable {
    case application
    /// A GET of the description, by the number of its URL.
    case description(Int)
    case methods
    case versions
    case recMode
    /// The whole state.
    case state
    /// The next change of the state.
    case poll
    case function(String)
    case shootMode
    case read(CameraProperty, SonyHTTPMethod)
    case write(CameraProperty, JSONValue, [JSONValue])
    case halfPress
    case cancelHalfPress
    case take
    case awaitPicture
    case stopRecMode
    case startLiveView(LiveViewSize?)
    case stopLiveView
    case contents(SonyHTTPCall)

    /// The call; nil: the task is no call of a method.
    ///
    /// - Parameter eventVersion: the version of `getEvent`.
    func call(eventVersion: String) -> SonyHTTPCall? {
        switch self {
        case .description: nil
        case .application: SonyHTTPCall(.getApplicationInfo)
        case .methods: SonyHTTPCall(.getAvailableApiList)
        case .versions: SonyHTTPCall(.getVersions)
        case .recMode: SonyHTTPCall(.startRecMode)
        case .state: SonyHTTPCall(.getEvent, [false], version: eventVersion)
        case .poll: SonyHTTPCall(.getEvent, [true], version: eventVersion)
        case .function(let function): SonyHTTPCall(.setCameraFunction, [.string(function)])
        case .shootMode: SonyHTTPCall(.setShootMode, ["still"])
        case .read(_, let method): SonyHTTPCall(method)
        case .write(let property, _, let parameters):
            SonyHTTPPropertyRow.row(of: property).map { SonyHTTPCall($0.setter, parameters) }
        case .halfPress: SonyHTTPCall(.actHalfPressShutter)
        case .cancelHalfPress: SonyHTTPCall(.cancelHalfPressShutter)
        case .take: SonyHTTPCall(.actTakePicture)
        case .awaitPicture: SonyHTTPCall(.awaitTakePicture)
        case .stopRecMode: SonyHTTPCall(.stopRecMode)
        case .startLiveView(nil): SonyHTTPCall(.startLiveview)
        // Only upper-case letters are valid (API Reference v2.40).
        case .startLiveView(.small?): SonyHTTPCall(.startLiveviewWithSize, ["M"])
        case .startLiveView(.large?): SonyHTTPCall(.startLiveviewWithSize, ["L"])
        case .stopLiveView: SonyHTTPCall(.stopLiveview)
        case .contents(let call): call
        }
    }

    /// The name for messages.
    var name: String { call(eventVersion: "")?.method.rawValue ?? "the description" }

    /// Whether the session continues if the call gets no valid answer.
    var isOptional: Bool {
        switch self {
        case .description, .versions, .recMode, .cancelHalfPress, .stopRecMode, .startLiveView, .stopLiveView,
            .contents:
            true
        case .application, .methods, .state, .poll, .function, .shootMode, .read, .write, .halfPress, .take,
            .awaitPicture:
            false
        }
    }

    func timeout(_ timing: SonyHTTPTiming) -> Duration {
        switch self {
        case .application: timing.firstCall
        case .description: timing.description
        case .recMode: timing.recMode
        case .poll: timing.poll
        case .contents: timing.list
        case .startLiveView, .stopLiveView: timing.liveView
        default: timing.call
        }
    }
}
