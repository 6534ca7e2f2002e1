import Exposure
import NIOCore

/// The driver for Sony bodies with the Camera Remote API: calls of methods as JSON over HTTP.
///
/// The driver has three kinds of requests at the same time: one call for the command, one long poll for events, and one
/// transfer of a picture. As in the drivers for PTP/IP, it stores no list of next steps. Whenever no call runs,
/// `decide` reads the command (`activity`), the reports of the body (`state`) and the clock, and starts one call.
///
/// The body's list of available methods is the only truth about what may be called. It changes with the body's state.
package struct SonyHTTP: Camera {
    let timing: SonyHTTPTiming
    var stage = SonyHTTPStage.disconnected
    var address = CameraAddress(host: "")
    /// The path of the camera service; other services have the same path with another last part.
    var path = ""
    /// The paths that are tried if the camera service is not at `path`.
    var otherPaths: [String] = []
    var requests = SonyHTTPRequests()
    /// The time at which the session began.
    var connectedAt: Duration = .zero
    /// The connected body; nil: not known yet.
    var identity: CameraIdentity?
    /// The name and version of the body's app; can be empty.
    var application = ""
    /// The version of `getEvent`, and the versions that are tried if the body does not have it.
    var eventVersion = SonyHTTPEventSlot.oldestVersion
    var state = SonyHTTPState()
    /// The state at the last time the body was ready to shoot. A busy body withdraws its setters and lists.
    var settled: SonyHTTPState?
    var activity = SonyHTTPActivity.idle
    var statusQuestions = StatusQuestions()
    /// The last status that was reported.
    var reported: CameraStatus?
    /// The last report of each property.
    var reportedStates: [CameraProperty: PropertyState] = [:]
    /// The number of remarks on events that were noted.
    var notedRemarks = 0
    /// The time of the last `.saving` report for the present activity; nil: not reported yet.
    var savingReportedAt: Duration?
    /// The end of the half press.
    var release = SonyHTTPRelease()
    /// The change of the post-view size in this session.
    var postview = SonyHTTPPostview.due(tries: 0, notBefore: .zero)
    /// The methods that the body lists and rejects, so that they are not called again.
    var refusedReaders: Set<SonyHTTPMethod> = []
    /// Whether the driver noted in this session that another program polls.
    var hasNotedOtherClient = false
    /// The times of the last request of the whole state and of the last request of a property; nil: none yet.
    var stateAskedAt: Duration?
    var readAskedAt: Duration?
    /// The time of the last request for the shooting function outside of a command; nil: none yet.
    var functionAskedAt: Duration?
    /// How often the body could not report its state, in a row.
    var failedStates = 0
    /// The last write of each property in this session. Before the first write, the body may still apply a value of an
    /// earlier session.
    var writes: [CameraProperty: SonyHTTPWrite] = [:]
    /// The properties whose supported values were requested in this session.
    var supportedAsked: Set<CameraProperty> = []
    /// The live view that this session started or reads.
    var liveView = SonyHTTPLiveView()
    var wakeAt: Duration?

    // The following data outlive a session, for a body that reconnects.
    var known = SonyHTTPBodies()
    /// The controller's last frame, on any body. A later `.resolveCapture` asks about this frame.
    var lastFrame = LastFrame<SonyHTTPFrame>.unknown
    var pictures = SonyHTTPPictures()

    package init(timing: SonyHTTPTiming = SonyHTTPTiming()) { self.timing = timing }

    // MARK: Inputs

    package mutating func perform(
        _ command: CameraCommand,
        ticket: Ticket,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        handle(at: now, into: &actions) { driver, turn in
            switch command {
            case .connect(let address, _, let path, _): driver.connect(address, path: path, ticket, in: &turn)
            case .disconnect: driver.disconnect(ticket, in: &turn)
            case .abandon: driver.abandon(ticket, in: &turn)
            case .keepPictures(let request): driver.pictures.request = request
            default: driver.begin(command, ticket, in: &turn)
            }
        }
    }

    package mutating func receive(_ event: LinkEvent, at now: Duration, into actions: inout [CameraAction]) {}

    package mutating func receive(
        _ event: HTTPEvent,
        of id: HTTPRequestID,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        handle(at: now, into: &actions) { driver, turn in driver.receive(event, of: id, in: &turn) }
    }

    package mutating func takeRecordableParts() -> [Range<Int>] { [] }

    package mutating func advance(to now: Duration, into actions: inout [CameraAction]) {
        handle(at: now, into: &actions) { driver, turn in
            if case .leaving(let leaving) = driver.stage, now >= leaving.deadline { driver.finishLeaving(in: &turn) }
        }
    }

    package var nextDeadline: Duration? {
        guard case .leaving(let leaving) = stage else { return wakeAt }
        return wakeAt.earlier(leaving.deadline)
    }

    package var overflow: (list: String, count: Int, limit: Int)? {
        let lists: [(list: String, count: Int, limit: Int)] = [
            ("questions", statusQuestions.count, StatusQuestions.countMax),
            ("pictures", pictures.count, SonyHTTPLimits.picturesMax),
            ("remarks", state.remarks.count, SonyHTTPLimits.remarksMax),
            ("bodies that are remembered", known.count, SonyHTTPLimits.bodiesMax),
        ]
        return lists.first { $0.count > $0.limit }
    }

    var isConnected: Bool { if case .connected = stage { true } else { false } }

    // MARK: Decisions

    /// Handles one input, and then starts the requests that are due.
    private mutating func handle(
        at now: Duration,
        into actions: inout [CameraAction],
        _ input: (inout SonyHTTP, inout DriverTurn) -> Void
    ) {
        var turn = DriverTurn(at: now, &actions)
        input(&self, &turn)
        settle(in: &turn)
        turn.give(to: &actions)
    }

    private mutating func settle(in turn: inout DriverTurn) {
        wakeAt = nil
        // Each pass of the loop makes one decision. Few decisions follow each other, so this limit is never reached.
        for _ in 0..<Self.decisionsMax {
            let beside = decideBeside(in: &turn)
            guard requests.command == nil else { return wait(until: beside, at: turn.now) }
            switch decide(in: &turn) {
            case .again: continue
            case .wait(let until): return wait(until: until.earlier(beside), at: turn.now)
            case .perform(let task): start(task, in: &turn)
            case .close: finishLeaving(in: &turn)
            }
        }
        preconditionFailure("a decision leads to another without end")
    }

    private static let decisionsMax = 64

    /// Waits until this time, but at least for `waitMin`. Without that minimum the caller could run a busy loop.
    private mutating func wait(until time: Duration?, at now: Duration) {
        wakeAt = time.map { max($0, now + Self.waitMin) }
    }

    private static let waitMin: Duration = .milliseconds(1)

    private mutating func decide(in turn: inout DriverTurn) -> SonyHTTPNextAction {
        switch stage {
        case .disconnected: return .wait(until: nil)
        case .settingUp(let setUp): return decide(setUp, in: &turn)
        case .connected: return decideConnected(in: &turn)
        case .leaving(var leaving):
            guard !leaving.calls.isEmpty else { return .close }
            let task = leaving.calls.removeFirst()
            stage = .leaving(leaving)
            return .perform(task)
        }
    }
}

/// The next step when no call runs.
enum SonyHTTPNextAction: Sendable {
    case perform(SonyHTTPTask)
    /// Wait until this time or until the next input; nil: until the next input.
    case wait(until: Duration?)
    /// The decision needed no call. Call `decide` again.
    case again
    /// End the session.
    case close
}

/// The last write of a property.
enum SonyHTTPWrite: Sendable {
    /// The body did not show the value yet.
    case sent
    case shown
}

/// The running requests of a session.
struct SonyHTTPRequests: Sendable {
    struct Running: Sendable {
        let id: HTTPRequestID
        let task: SonyHTTPTask
        /// The time of the request.
        let since: Duration
    }

    private var last: UInt32 = 0
    var command: Running?
    var poll: Running?
    /// The earliest time of the next poll.
    var pollNotBefore: Duration = .zero
    /// How often polls failed in a row.
    var failedPolls = 0
    /// Whether the driver must read the whole state, because a poll failed.
    var isStateNeeded = false

    mutating func next() -> HTTPRequestID {
        last &+= 1
        return HTTPRequestID(rawValue: last)
    }

    /// The number of a call, 1 to 2147483647 (API Reference v2.40).
    static func number(of id: HTTPRequestID) -> Int { max(1, Int(id.rawValue & 0x7FFF_FFFF)) }
}

/// What the driver learned about each body. The number of bodies is limited.
struct SonyHTTPBodies: Sendable {
    /// The bodies in the order of their last change, the latest at the end.
    private var bodies: [SonyHTTPBodyData] = []

    var count: Int { bodies.count }

    subscript(id: String) -> SonyHTTPBodyData { bodies.first { $0.id == id } ?? SonyHTTPBodyData(id: id) }

    mutating func update(_ id: String, _ change: (inout SonyHTTPBodyData) -> Void) {
        var body = self[id]
        change(&body)
        bodies.removeAll { $0.id == id }
        if bodies.count >= SonyHTTPLimits.bodiesMax { bodies.removeFirst() }
        bodies.append(body)
    }
}
