import Bodies
import Cameras
import Exposure

extension Scenario {
    /// Draws the faults of one kind for the body of a scenario.
    static func faults(_ kind: FaultKind, frames: Int, _ chance: inout SeededGenerator) -> [Fault] {
        (0..<chance.next(in: 1...2)).map { _ in fault(kind, frames: frames, &chance) }.compactMap(\.self)
    }

    private static func fault(_ kind: FaultKind, frames: Int, _ chance: inout SeededGenerator) -> Fault? {
        let draw = FaultDraw(frames: frames, &chance)
        return switch kind {
        case .busy, .session, .events, .idling: sessionFault(kind, draw, &chance)
        case .buffer, .transfers: pictureFault(kind, draw, &chance)
        default: frameFault(kind, draw, &chance)
        }
    }

    private static func frameFault(_ kind: FaultKind, _ draw: FaultDraw, _ chance: inout SeededGenerator) -> Fault? {
        let (frame, times, back, phase) = (draw.frame, draw.times, draw.back, draw.phase)
        return switch kind {
        case .speeds:
            chance.pick(from: [
                .ignoreSets(frame: nil, times: times), .ignoreSets(frame: frame, times: 1),
                .wrongSpeed(frame: frame, speed: chance.pick(from: ShutterSpeed.all), times: times),
                .jump(frame: frame, times: 1, after: back / 10),
                .jumpAtShutter(frame: frame, chance.pick(from: ShutterSpeed.all)),
            ])
        case .shutter:
            chance.pick(from: [
                .fail(frame: frame, times: times), .noPicture(frame: frame, times: 1), .noFocus(frame: frame, times: 1),
            ])
        case .saving:
            chance.pick(from: [.neverIdle(frame: frame, heals: nil), .neverIdle(frame: frame, heals: back * 4)])
        case .link:
            chance.pick(from: [
                .drop(frame: frame, phase: phase, back: back), .mute(frame: frame, phase: phase, back: nil),
                .mute(frame: frame, phase: phase, back: back * 3), .close(frame: frame, phase: phase, back: back),
                .close(frame: frame, phase: phase, back: nil), .refuseConnect(times: times),
            ])
        case .leaving:
            .leave(frame: frame, phase: phase, Departure(back: back, isOrderly: chance.chance(oneIn: 2)))
        case .mode:
            chance.pick(from: [
                .rejectMode(chance.pick(from: DialMode.allCases)),
                .modeAfter(back * 2, chance.pick(from: DialMode.allCases)),
                .modeAtFrame(frame: frame, chance.pick(from: DialMode.allCases)),
            ])
        default: nil
        }
    }

    private static func sessionFault(_ kind: FaultKind, _ draw: FaultDraw, _ chance: inout SeededGenerator) -> Fault? {
        let (frame, times, back) = (draw.frame, draw.times, draw.back)
        return switch kind {
        case .busy:
            chance.chance(oneIn: 3)
                ? .busyStorm(times: times * 3)
                : .busy(chance.pick(from: busyCommands), frame: chance.chance(oneIn: 2) ? frame : nil, times: times)
        case .session:
            chance.pick(from: [
                .initFail(reason: UInt32(chance.next(in: 1...3)), times: times), .pairing(back), .authFailed(times: 1),
                .emptyExtInfo(times: times),
            ])
        case .events: chance.chance(oneIn: 2) ? .eventsSilent : .eventStorm(times: times)
        case .idling:
            chance.pick(from: [
                .idleDrop(.milliseconds(chance.next(in: 2000...12_000))), .probe(every: back),
                .refuseAfterUncleanEnd(back, isBusy: chance.chance(oneIn: 2)),
            ])
        default: nil
        }
    }

    private static func pictureFault(_ kind: FaultKind, _ draw: FaultDraw, _ chance: inout SeededGenerator) -> Fault? {
        let (frame, back) = (draw.frame, draw.back)
        return switch kind {
        case .buffer:
            chance.pick(from: [
                .stale(frame: frame, alone: nil), .stale(frame: frame, alone: back / 4),
                .stuckBuffer(frame: frame, heals: back), .stuckBuffer(frame: frame, heals: nil),
                .objectInfoLate(frame: frame, back / 2),
            ])
        case .transfers:
            chance.pick(from: [
                .transferBreaks(frame: frame, after: chance.next(in: 0...3000), back: back),
                .slowTransfer(bytesPerSecond: chance.next(in: 2000...200_000)), .partialOnly, .wholeOnly,
            ])
        default: nil
        }
    }

    private static let busyCommands: [Fault.CommandKind] = [
        .any, .change, .open, .set, .control, .shutter, .read, .object,
    ]
}

/// The random values for one fault. Every fault draws all of them, so that a seed keeps its world when a fault is
/// added.
private struct FaultDraw {
    let frame: Int
    let times: Int
    let back: Duration
    let phase: Fault.FramePhase

    init(frames: Int, _ chance: inout SeededGenerator) {
        frame = chance.next(in: 1...frames + 1)
        times = chance.next(in: 1...4)
        back = Duration.milliseconds(chance.next(in: 100...6000))
        phase = chance.pick(from: Fault.FramePhase.allCases)
    }
}
