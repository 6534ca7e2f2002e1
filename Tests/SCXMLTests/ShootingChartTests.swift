import Statecharts
import Testing

struct BracketPlan: Sendable, Equatable { var speeds: [ShutterSpeed] }
struct ShutterSpeed: Sendable, Equatable { var microseconds: Int }
struct Frame: Sendable, Equatable { var number: Int }
enum LossReason: Sendable, Equatable { case wifi }

struct ShootingModel {
    enum Effect: Equatable, Sendable {
        case setSpeed(ShutterSpeed), readBack, release, askStatus
        case aborted, finished, failed
    }
    var plan = BracketPlan(speeds: [])
    var frame = 0
    var retries = 0
    var frames: [Frame] = []
    var isPauseWanted = false
}

extension ShootingModel: ShootingBehavior {
    func mayRetry() -> Bool { retries < 2 }
    func speedMatches(_ speed: ShutterSpeed) -> Bool { speed == plan.speeds[frame] }
    func isPlanDone() -> Bool { frame == plan.speeds.count }
    func pauseWanted() -> Bool { isPauseWanted }
    func exposureDeadline() -> Duration { .microseconds(plan.speeds[frame].microseconds) + .seconds(5) }
    mutating func adoptPlan(_ plan: BracketPlan, _ effects: inout [Effect]) { self.plan = plan }
    mutating func reportAborted(_ effects: inout [Effect]) { effects.append(.aborted) }
    mutating func reportFinished(_ effects: inout [Effect]) { effects.append(.finished) }
    mutating func requestSpeed(_ effects: inout [Effect]) { effects.append(.setSpeed(plan.speeds[frame])) }
    mutating func countRetry(_ effects: inout [Effect]) { retries += 1 }
    mutating func requestReadBack(_ effects: inout [Effect]) { effects.append(.readBack) }
    mutating func releaseShutter(_ effects: inout [Effect]) { effects.append(.release) }
    mutating func pauseAfterFrame(_ effects: inout [Effect]) { isPauseWanted = true }
    mutating func recordFrame(_ frame: Frame, _ effects: inout [Effect]) {
        frames.append(frame)
        self.frame += 1
    }
    mutating func requestStatus(_ effects: inout [Effect]) { effects.append(.askStatus) }
    mutating func reportFailure(_ effects: inout [Effect]) { effects.append(.failed) }
}

/// A run of the generated chart, step by step.
struct ShootingRun {
    var machine = Machine(ShootingModel())
    var effects: [ShootingModel.Effect] = []
    var log = StepLog<Shooting>()

    init() {
        machine.start(at: .zero, effects: &effects, recorder: &log)
    }

    mutating func tell(_ input: Shooting.Input, at seconds: Int) {
        machine.handle(input, at: .seconds(seconds), effects: &effects, recorder: &log)
    }

    mutating func wait(until seconds: Int) {
        machine.advance(to: .seconds(seconds), effects: &effects, recorder: &log)
    }
}

@Suite struct ShootingChartTests {
    let plan = BracketPlan(speeds: [ShutterSpeed(microseconds: 1_000), ShutterSpeed(microseconds: 8_000)])

    @Test func `a frame goes from its speed over the release to idle`() {
        var run = ShootingRun()
        run.tell(.start(plan), at: 1)
        #expect(run.machine.configuration == [.settingSpeed])
        #expect(run.machine.isActive(.active))
        run.tell(.cameraSpeedAccepted, at: 1)
        run.tell(.cameraSpeedRead(plan.speeds[0]), at: 2)
        #expect(run.machine.configuration == [.capturing])
        #expect(run.machine.nextDeadline == .microseconds(7_001_000))
        run.tell(.cameraCaptured(Frame(number: 1)), at: 3)
        run.tell(.cameraIdle, at: 4)
        #expect(run.machine.configuration == [.settingSpeed])
        #expect(run.effects == [.setSpeed(plan.speeds[0]), .readBack, .release, .askStatus, .setSpeed(plan.speeds[1])])
        #expect(run.machine.behavior.frames == [Frame(number: 1)])
    }

    @Test func `resuming a minute later repeats the step with a fresh timer`() {
        var run = ShootingRun()
        run.tell(.start(plan), at: 1)
        run.tell(.cameraSpeedAccepted, at: 1)
        run.tell(.pause, at: 2)
        #expect(run.machine.configuration == [.paused])
        #expect(run.machine.nextDeadline == nil)
        run.tell(.resume, at: 62)
        #expect(run.machine.configuration == [.confirmingSpeed])
        #expect(run.machine.nextDeadline == .seconds(64))
    }

    @Test func `timeouts retry and then fail`() {
        var run = ShootingRun()
        run.tell(.start(plan), at: 0)
        run.wait(until: 5)
        #expect(run.machine.configuration == [.settingSpeed])
        #expect(run.machine.behavior.retries == 2)
        run.wait(until: 6)
        #expect(run.machine.configuration == [.failed])
        #expect(run.effects.last == .failed)
        #expect(run.log.steps.map(\.time) == [0, 0, 2, 4, 6].map { .seconds($0) })
    }

    @Test func `an input that enables no transition is dropped, with a record`() {
        var run = ShootingRun()
        run.log.removeAll()
        run.tell(.cameraIdle, at: 1)
        #expect(run.log.steps.count == 1)
        #expect(run.log.steps[0].isDropped)
        #expect(run.machine.configuration == [.idle])
    }
}
