/// The progress of the set-up of a session.
struct CanonSetUp: Sendable {
    /// The steps in their order (libgphoto2 config.c, confirmed by its packets).
    ///
    /// libgphoto2 also requests the texts of the owner and 0x9108. The driver needs neither.
    enum Step: Int, Sendable {
        case remoteMode, storageIDs, eventMode, displayInfo
        /// Event lists until one is empty. The first one contains all properties.
        case lists
        /// Bodies may report the mode and the speed a little later.
        case values
        /// Bodies of the EOS M family move out their lens.
        case lens
        /// Pictures go to a card alone. In remote control, a 70D saves to its memory by default and can lose pictures.
        case saveTarget
        /// Files that the body added while the link was down.
        case files
        case done

        var next: Self { Self(rawValue: rawValue + 1) ?? .done }
    }

    var step = Step.remoteMode
    /// How often the body did not perform the step.
    var attempts = 0
    /// How often the step wrote a value.
    var writes = 0
    var notBefore: Duration = .zero
    /// The number of lists that were requested.
    var listCount = 0
    /// The time at which the step began; nil: the step has not begun.
    var began: Duration?
    /// The time of the last answer to a write of the step; nil: nothing was written.
    var writtenAt: Duration?

    mutating func go(to step: Step) {
        self.step = step
        attempts = 0
        writes = 0
        notBefore = .zero
        began = nil
        writtenAt = nil
    }
}
