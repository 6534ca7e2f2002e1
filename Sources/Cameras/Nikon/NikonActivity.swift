import Exposure

/// The command that the driver performs on a connected body.
enum NikonActivity: Sendable {
    case idle
    case setting(NikonSetting)
    case readingSpeed(Ticket, since: Duration)
    case capturing(NikonCapture)
    case awaitingIdle(Ticket, since: Duration)
    case resolving(ResolvingCapture)
    case takingLiveView(TakingLiveView)
}

/// A running `.setSpeed` or `.setProperty`.
struct NikonSetting: Sendable {
    enum Step: Hashable, Sendable {
        /// The driver waits until the body is ready, and finds the value in the body's list.
        case choosing
        /// The value is being written.
        case writing(NikonPropertyWrite)
        /// The body accepted the value at this time, and must show it.
        case confirming(NikonPropertyWrite, since: Duration)
    }

    let ticket: Ticket
    let target: SettingTarget
    let since: Duration
    let gateUntil: Duration
    var step = Step.choosing
    /// How often the body accepted a value.
    var writes = 0
    /// The earliest time of the next transaction.
    var notBefore: Duration = .zero
    /// Whether the driver has locked the body's controls for this command.
    var isModeRenewed = false
    /// Whether the lists of the body were read again for this command.
    var isListRenewed = false

    var row: NikonPropertyRow { NikonPropertyRow.row(of: target.property) }

    func step(in store: NikonPropertyStore) -> NikonPropertyStep {
        switch target {
        case .speed(let speed): store.step(toward: speed)
        case .property(_, let text): row.step(toward: text, in: store)
        }
    }
}

/// A running `.capture`.
struct NikonCapture: Sendable {
    enum Step: Hashable, Sendable {
        /// The driver reads events, speed and mode, and then presses.
        case checking
        /// The body was not ready, and the driver presses again at this time.
        case pressing(at: Duration)
        /// The body accepted the press, and the driver waits for the picture.
        case exposing
        /// The picture exists, but the body still works on it.
        case finishing(since: Duration)
    }

    let ticket: Ticket
    let speed: ShutterSpeed
    /// A report that was requested before this time may not show the state before the press.
    var since: Duration
    let gateUntil: Duration
    var step = Step.checking
    /// The time of the first press; nil: not pressed yet.
    var firstPressAt: Duration?
    var focusing = NikonFocusing.none
    /// Whether the driver has locked the body's controls for this command.
    var isModeRenewed = false
    /// Whether the driver has tried to start live view for this command.
    var isLiveViewTried = false
}
