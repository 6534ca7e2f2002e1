import Cameras
import PTP

extension BodyMaker {
    /// Canon's EOS bodies with PTP/IP.
    package static let canon = BodyMaker(
        name: "canon",
        models: CanonModel.all.map(\.row),
        drawFault: { CanonModel.drawFault(&$0) }
    )
}

extension CanonModel {
    package var row: BodyModel { bodyModel { CanonBody(model: $0, options: $1) } }

    /// A random fault that only Canon's bodies have.
    fileprivate static func drawFault(_ chance: inout SeededGenerator) -> Fault {
        let frame = chance.next(in: 1...4)
        let delay = Duration.milliseconds(chance.next(in: 100...2_000))
        return chance.pick(from: [
            .notWaiting(delay * 4), .paired(stranger), .remoteModeLost(frame: frame),
            .autoOff(.seconds(12) + delay * 4), .busyUnreadEvents, .lateFocus(frame: frame, delay), .lateCounter(delay),
            .lateObject(frame: frame, delay), .doubleObject(frame: frame),
            .omits(chance.pick(from: Fault.PictureSign.allCases)),
        ])
    }

    /// The GUID of another initiator.
    private static let stranger: GUID = {
        guard let guid = GUID(bytes: [UInt8](repeating: 0x5A, count: 16)) else {
            preconditionFailure("a GUID has 16 bytes")
        }
        return guid
    }()
}
