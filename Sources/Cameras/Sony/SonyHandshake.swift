import PTP

/// The steps from open connections to the first reading (PTP 3 p.44–45; rocc, alpha-fairy, libgphoto2 and pysonycam
/// agree).
struct SonyHandshake: Sendable {
    enum Step: Hashable, Sendable {
        case openSession(id: UInt32)
        case getDeviceInfo
        case connect(phase: UInt32)
        case getExtDeviceInfo
        case firstReading
        /// Give the remote the priority over the dials, where the speed cannot be set without.
        case takePriority
        /// Until the speed can be set, or the attempts are over.
        case readingAfterPriority
    }

    let ticket: Ticket
    var step = Step.openSession(id: 1)
    var attempts = 0
    var notBefore: Duration = .zero

    /// On to the next step.
    mutating func go(to step: Step) {
        self.step = step
        attempts = 0
    }
}
