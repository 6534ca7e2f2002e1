import Cameras
import PTP

extension BodyMaker {
    /// Nikon's bodies with PTP/IP. They announce themselves by no known protocol.
    package static let nikon = BodyMaker(
        name: "nikon",
        models: NikonModel.all.map(\.row),
        drawFault: { NikonModel.drawFault(&$0) }
    )
}

extension NikonModel {
    package var row: BodyModel { bodyModel { NikonBody(model: $0, options: $1) } }

    /// A random fault that only some makers' bodies have.
    fileprivate static func drawFault(_ chance: inout SeededGenerator) -> Fault {
        let frame = chance.next(in: 1...4)
        let delay = Duration.milliseconds(chance.next(in: 100...2_000))
        return chance.pick(from: [
            .unpaired(delay), .needsRemoteMode, .pcMode, .earlyClose, .earlyReturn(delay), .connectionZero,
            .probed(chance.pick(from: Fault.ProbeFault.allCases)), .withoutShutterProperty, .oneParameter,
            .placeholderStorages, .pushedEvents(chance.pick(from: Fault.PushedEvents.allCases)),
            .falseCount(times: frame), .busyAfterReady(frame: frame, times: chance.next(in: 1...8)),
            .silentReleaseBusy, .transferStalls(frame: frame, after: 2_000), .lateCounter(delay),
            .lateObject(frame: frame, delay), .doubleObject(frame: frame),
            .omits(chance.pick(from: Fault.PictureSign.allCases)),
        ])
    }
}
