import PTP

/// The steps from the open session to the first reading (PTP 3 p.44–45; rocc, alpha-fairy, libgphoto2 and pysonycam
/// agree).
struct SonyHandshake: Sendable {
    enum Step: Hashable, Sendable {
        case connect(phase: UInt32)
        case getExtDeviceInfo
        case firstReading
        /// Give the remote the priority over the dials, if the speed cannot be set otherwise.
        case takePriority
        /// Until the speed can be set, or the attempts are used up.
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
