import Exposure
import JSON

/// The state of the session.
enum SonyHTTPStage: Sendable {
    case disconnected
    case settingUp(SonyHTTPSetUp)
    case connected
    case leaving(SonyHTTPLeaving)
}

/// The set-up of a session.
struct SonyHTTPSetUp: Sendable {
    enum Step: Sendable {
        case application
        /// The description of the body, by the number of its URL.
        case description(Int)
        case methods
        case versions
        case recMode
        /// The driver waits until the body can shoot still pictures.
        case shooting
        /// The driver reads the properties that events do not report, by the number of their row.
        case properties(Int)
    }

    let ticket: Ticket
    var step = Step.application
    /// The earliest time of the next call.
    var notBefore: Duration = .zero
    /// The end of the wait for the present step; nil: the wait has not begun.
    var until: Duration?
    /// The ports of descriptions that refused a connection, and those that answered.
    var refusedPorts: Set<UInt16> = []
    var answeredPorts: Set<UInt16> = []
    /// How often no place had the description.
    var failedDescriptions = 0
    /// Whether the driver asked the body to change its function or its shoot mode.
    var hasSetFunction = false
    var hasSetShootMode = false
}

/// The end of a session.
struct SonyHTTPLeaving: Sendable {
    var event: CameraEvent
    var ticket: Ticket?
    let deadline: Duration
    /// The remaining calls.
    var calls: [SonyHTTPTask]
}

/// The command that the driver performs on a connected body.
enum SonyHTTPActivity: Sendable {
    case idle
    case setting(SonyHTTPSetting)
    case readingSpeed(Ticket, since: Duration)
    case capturing(SonyHTTPCapture)
    case awaitingIdle(Ticket, since: Duration)
    case resolving(SonyHTTPResolving)
    case contents(SonyHTTPContentsWork)
    case takingLiveView(TakingLiveView)
}

/// A running `.setSpeed` or `.setProperty`.
struct SonyHTTPSetting: Sendable {
    /// The value that is set, and the events that answer.
    enum Target: Sendable {
        case speed(ShutterSpeed)
        case property(CameraProperty, String)
    }

    enum Step: Sendable {
        /// The driver waits until the body is ready, and finds the value in the body's list.
        case choosing
        /// The value was written, and the body must show it. The times are those of the request and of its answer.
        case awaiting(JSONValue, sent: Duration, at: Duration)
    }

    let ticket: Ticket
    let target: Target
    let since: Duration
    let gateUntil: Duration
    var step = Step.choosing
    /// The property of the last write; nil: nothing was written yet. The drive mode may need a write of the self-timer
    /// first.
    var written: CameraProperty?
    /// How often the body accepted the value.
    var writes = 0
    /// The earliest time of the next write.
    var notBefore: Duration = .zero

    var property: CameraProperty {
        switch target {
        case .speed: .shutterSpeed
        case .property(let property, _): property
        }
    }

    var text: String {
        switch target {
        case .speed(let speed): speed.label
        case .property(_, let text): text
        }
    }
}

/// A running `.capture`.
struct SonyHTTPCapture: Sendable {
    enum Step: Sendable {
        /// The driver waits until the body is idle, and checks the speed.
        case checking
        /// The half press was accepted, and the body focuses.
        ///
        /// - Parameter asked: the time of the request. Older reports of the focus belong to another frame.
        case focusing(asked: Duration, since: Duration)
        /// The shutter call runs.
        case pressing
        /// The exposure was longer than the shutter call, and the picture is awaited.
        case exposing
        /// The answer of the body does not show whether the shutter fired. The driver reads the state.
        case judging(SonyHTTPError, since: Duration)
    }

    let ticket: Ticket
    let speed: ShutterSpeed
    let since: Duration
    let gateUntil: Duration
    var step = Step.checking
    /// How often the shutter was called.
    var presses = 0
    /// Whether the body rejected the shutter call without a half press.
    var wantsHalfPress = false
    /// The earliest time of the next call.
    var notBefore: Duration = .zero
    /// The event that the driver reports when the half press has ended.
    var outcome: CameraEvent?
}

/// The change of the body's post-view size to the full size.
enum SonyHTTPPostview: Sendable {
    /// The size was written so often, and the next write is not before this time.
    case due(tries: Int, notBefore: Duration)
    /// The body showed the full size, the user chose a size, or the driver gave up.
    case settled
}

/// The attempts to end a half press.
struct SonyHTTPRelease: Sendable {
    var tries = 0
    var notBefore: Duration = .zero
    /// The time at which the driver gives up; nil: it has not begun.
    var until: Duration?
}

/// A running `.resolveCapture`.
struct SonyHTTPResolving: Sendable {
    let ticket: Ticket
    let since: Duration
    let shotsLeftBefore: Int?
    /// The earliest time of the question for the URL of the last picture; nil: the driver has asked.
    var urlNotBefore: Duration? = .zero
}
