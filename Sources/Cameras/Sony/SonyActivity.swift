import Exposure

/// What the controller wants of a connected body.
enum SonyActivity: Sendable {
    case idle
    case settingSpeed(SonySetting)
    case settingProperty(SonyPropertySetting)
    case readingSpeed(Ticket, since: Duration)
    case capturing(SonyCapture)
    case awaitingIdle(SonyIdleWait)
    case resolving(SonyResolving)
}

/// `.setSpeed` under way, or `.setProperty` of a speed that is moved by notches.
struct SonySetting: Sendable {
    let ticket: Ticket
    /// For `.setProperty`, which answers in other words.
    var isProperty = false
    let speed: ShutterSpeed
    let since: Duration
    /// When a body that stays busy is given up.
    var gateUntil: Duration
    /// On version 2 bodies, once the first step was decided.
    var stepping: SonyStepping?
    /// When a property's value was taken: a reading has yet to show it.
    var takenAt: Duration?
}

/// `.capture` under way.
struct SonyCapture: Sendable {
    enum Step: Sendable {
        /// Buffer empty? Speed right?
        case checking
        case focusing(since: Duration)
        /// Focus is done with; the full press comes next. The button is half down since then.
        case pressing(focusFailed: Bool, since: Duration)
        case holding(until: Duration)
        /// The button is let go; the picture is waited for.
        case exposing
        /// The picture exists; the body has work to do.
        case finishing
    }

    let ticket: Ticket
    let speed: ShutterSpeed
    let since: Duration
    /// How many readings there were before the command: the one that confirmed the speed is among them.
    let readingsBefore: Int
    var step = Step.checking
    var gateUntil: Duration
    /// What is reported once the buttons are up.
    var outcome: CameraEvent?
}

/// `.awaitIdle` under way.
struct SonyIdleWait: Sendable {
    let ticket: Ticket
    let since: Duration
}

/// `.resolveCapture` under way.
struct SonyResolving: Sendable {
    let ticket: Ticket
    let since: Duration
    let shotsLeftBefore: Int?
}
