import PTP

/// The progress of the set-up of a session.
struct NikonSetUp: Sendable {
    /// The steps in their order.
    enum Step: Hashable, Sendable {
        case pairing(NikonPairing)
        case vendorList
        case applicationMode
        case cameraMode
        case properties
        /// Pictures go to the card.
        case recordingMedia
        /// The files on the cards before the next frame.
        case files
        case done
    }

    var step = Step.vendorList
    /// The properties in the body's own list; nil: the body has no such list.
    var vendorCodes: [PropertyCode]?
    /// How often the body did not perform the step.
    var attempts = 0
    /// How often the step wrote a value.
    var writes = 0
    var notBefore: Duration = .zero
    /// The time until which a written value can still show.
    var confirmUntil: Duration = .zero
    /// Whether the driver has locked the body's controls to write the save target.
    var isModeTried = false

    mutating func go(to step: Step) {
        self.step = step
        attempts = 0
        writes = 0
        notBefore = .zero
    }
}

/// The pairing with a body (OpenZCine, a ZR).
///
/// The application mode is refused to an unpaired computer. But a request for it disturbs the dialog of a first
/// pairing. So an unknown body is first asked for the number of that dialog.
enum NikonPairing: Hashable, Sendable {
    /// Ask whether the body shows the dialog.
    case first
    /// Ask whether the body is paired.
    case mode
    /// Ask for the number until the user opens the dialog. `count` requests were made. `isRefused`: the body has
    /// refused the mode, so that it is not paired.
    case polling(count: Int, isRefused: Bool)
    case confirming(NikonPairingPIN)
}
