import Exposure

/// The command that the driver performs on a connected body.
enum SonyActivity: Sendable {
    case idle
    case settingSpeed(SonySetting)
    case settingProperty(SonyPropertySetting)
    case readingSpeed(Ticket, since: Duration)
    case capturing(SonyCapture)
    case awaitingIdle(Ticket, since: Duration)
    case resolving(ResolvingCapture)
    case takingLiveView(TakingLiveView, isDescribed: Bool)
}

/// A running `.setSpeed`, or a running `.setProperty` of the shutter speed on a body that moves it by notches.
struct SonySetting: Sendable {
    let ticket: Ticket
    /// Whether the command is `.setProperty`, which has other events as answers.
    var isProperty = false
    let speed: ShutterSpeed
    let since: Duration
    /// The time at which the driver stops waiting for a busy body.
    var gateUntil: Duration
    /// The state of a stepping on a version 2 body; nil: no step was decided yet.
    var stepping: SonyStepping?
    /// The time at which the body accepted the new speed; nil: not accepted yet.
    var takenAt: Duration?
}

/// A running `.capture`.
struct SonyCapture: Sendable {
    enum Step: Sendable {
        /// The driver checks that the buffer is empty and the speed is right.
        case checking
        case focusing(since: Duration)
        /// Focusing is over, and the full press is next. The button has been half pressed since this time.
        case pressing(focusFailed: Bool, since: Duration)
        case holding(until: Duration)
        /// The button is released, and the driver waits for the picture.
        case exposing
        /// The picture exists, but the body still works on it.
        case finishing
    }

    let ticket: Ticket
    let speed: ShutterSpeed
    let since: Duration
    /// The number of readings before the command. One of these readings confirmed the speed.
    let readingsBefore: Int
    var step = Step.checking
    var gateUntil: Duration
    /// The event that the driver reports when the buttons are released.
    var outcome: CameraEvent?
}
