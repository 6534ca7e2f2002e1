import PTP

/// The steps from the open session to the first reading (PTP 3 p.44–45, rocc, alpha-fairy, libgphoto2, pysonycam).
struct SonyHandshake: Sendable {
    enum Step: Hashable, Sendable {
        case connect(phase: UInt32)
        case getExtDeviceInfo
        case firstReading
        /// Gives the remote control priority over the dials, if the speed cannot be set otherwise.
        case takePriority
        /// Repeats the reading until the speed can be set or no attempt is left.
        case readingAfterPriority
    }

    var step = Step.connect(phase: 1)
    var attempts = 0
    var notBefore: Duration = .zero

    mutating func go(to step: Step) {
        self.step = step
        attempts = 0
    }
}
