import Exposure

/// The present command of a connected body.
enum SonyActivity: Sendable {
    case idle
    case settingSpeed(SonySetting)
    case settingProperty(SonyPropertySetting)
    case readingSpeed(Ticket, since: Duration)
    case capturing(SonyCapture)
    case awaitingIdle(Ticket, since: Duration)
    case resolving(SonyResolving)
}

/// A running `.setSpeed`, or a running `.setProperty` of a speed that is moved by notches.
struct SonySetting: Sendable {
    let ticket: Ticket
    /// For `.setProperty`, whose answers are other events.
    var isProperty = false
    let speed: ShutterSpeed
    let since: Duration
    /// The time limit for a body that stays busy.
    var gateUntil: Duration
    /// On version 2 bodies, after the first step was decided.
    var stepping: SonyStepping?
    /// When the body accepted a property's value; no reading shows it yet.
    var takenAt: Duration?
}

/// A running `.capture`.
struct SonyCapture: Sendable {
    enum Step: Sendable {
        /// Checks that the buffer is empty and the speed is right.
        case checking
        case focusing(since: Duration)
        /// The focus step is over, and the full press is next. The button is half pressed since then.
        case pressing(focusFailed: Bool, since: Duration)
        case holding(until: Duration)
        /// The button is released, and the picture is awaited.
        case exposing
        /// The picture exists; the body still works on it.
        case finishing
    }

    let ticket: Ticket
    let speed: ShutterSpeed
    let since: Duration
    /// The number of readings before the command: the reading that confirmed the speed is one of them.
    let readingsBefore: Int
    var step = Step.checking
    var gateUntil: Duration
    /// The event to report when the buttons are released.
    var outcome: CameraEvent?
}

/// A running `.resolveCapture`.
struct SonyResolving: Sendable {
    let ticket: Ticket
    let since: Duration
    let shotsLeftBefore: Int?
}
