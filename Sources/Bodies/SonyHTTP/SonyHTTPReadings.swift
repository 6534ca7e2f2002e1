import Cameras

/// The speeds that the body sent, and those of them that the initiator has received.
///
/// An initiator polls and calls at the same time. A later poll proves that the answer to the previous poll arrived, and
/// a later call proves the same of a call. The numbers of the requests show the order in which they were sent.
struct SonyHTTPReadings: Sendable {
    private struct Reading: Sendable {
        let speed: SonyHTTPShutterSpeed
        let isPolled: Bool
        /// The number of the request that proves the arrival; nil: none yet.
        var provenBy: Int?
    }

    private var readings: [Reading] = []
    /// The maximum number of readings. Only the latest ones matter.
    private static let countMax = 16

    /// Notes a speed that the body sends.
    mutating func note(_ speed: SonyHTTPShutterSpeed, isPolled: Bool) {
        readings.append(Reading(speed: speed, isPolled: isPolled))
        if readings.count > Self.countMax { readings.removeFirst() }
    }

    /// Notes the arrival of a request with this number.
    mutating func requestArrived(_ number: Int, isPoll: Bool) {
        for index in readings.indices where readings[index].isPolled == isPoll && readings[index].provenBy == nil {
            readings[index].provenBy = number
        }
    }

    /// The latest speed that the initiator had received when it sent the request with this number; nil: none.
    func latest(before number: Int) -> SonyHTTPShutterSpeed? {
        readings.last { $0.provenBy.map { $0 <= number } ?? false }?.speed
    }
}
