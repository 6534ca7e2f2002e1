import Exposure

/// The command that the driver performs on a connected body.
enum CanonActivity: Sendable {
    case idle
    case setting(CanonSetting)
    case readingSpeed(Ticket, since: Duration)
    case capturing(CanonCapture)
    case awaitingIdle(Ticket, since: Duration)
    case resolving(ResolvingCapture)
    case takingLiveView(TakingLiveView)
}

/// A running `.setSpeed` or `.setProperty`.
struct CanonSetting: Sendable {
    enum Step: Sendable {
        /// The driver waits until the body is ready, and finds the value in the body's list.
        case choosing
        /// The value was written, and the body must report it. `at` is the time of the last answer.
        case awaiting([UInt32], at: Duration)
    }

    let ticket: Ticket
    let target: SettingTarget
    let since: Duration
    let gateUntil: Duration
    var step = Step.choosing
    /// How often the body accepted the value.
    var writes = 0
    /// The earliest time of the next write.
    var notBefore: Duration = .zero
    /// Whether the driver has renewed the remote mode for this command.
    var isRemoteRenewed = false

    var property: CameraProperty { target.property }
    var text: String { target.text }

    var row: CanonPropertyRow { CanonPropertyRow.row(of: property) }
}

/// A running `.capture`.
struct CanonCapture: Sendable {
    enum Step: Sendable {
        /// The driver reads all reports of the body and checks the speed.
        case checking
        /// The half press was answered, and its result may follow.
        case focusing(since: Duration)
        /// The full press is next.
        case pressing
        /// The body of the EOS M family reports the result of the press.
        case awaitingButton(since: Duration)
        case holding(until: Duration)
        /// The button is released, and the driver waits for the picture.
        case exposing
        /// The picture exists, but the body still works on it.
        case finishing
    }

    let ticket: Ticket
    let speed: ShutterSpeed
    /// A list that was requested before this time does not show the state before the press.
    var since: Duration
    var gateUntil: Duration
    var step = Step.checking
    var isRemoteRenewed = false
    /// The event that the driver reports when the button is released.
    var outcome: CameraEvent?

    /// Whether the capture reserves the command connection, from the first press to the end of the hold.
    var isPressing: Bool {
        guard outcome == nil else { return false }
        switch step {
        case .focusing, .pressing, .awaitingButton, .holding: return true
        case .checking, .exposing, .finishing: return false
        }
    }
}
