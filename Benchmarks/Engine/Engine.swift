import Benchmark
import CAllocations
import Cameras
import Glibc
import Statecharts

/// A shoot that never ends. Frame after frame, it arms and cancels every timer as a real shoot does.
struct EndlessShoot {
    /// The camera's events for one frame, and the confirmation that the frame is recorded before it is fired.
    private static let inputsPerFrame = 7

    private(set) var machine = Machine(ShootingTally())
    private var effects: [ShootingTally.Effect] = []
    private var now = Duration.zero
    private let step = Duration.milliseconds(100)

    init() {
        var recorder = NoRecorder()
        machine.start(at: now, effects: &effects, recorder: &recorder)
        tell(.cameraReady(CameraStatus()), &recorder)
        tell(.start(ShootOrder(request: 1, streams: true)), &recorder)
        tell(.record(.kept(upTo: machine.behavior.order)), &recorder)
        precondition(machine.isActive(.settingSpeed), "a shoot has begun: \(machine.configuration)")
    }

    mutating func fire(frames: Int, recorder: inout some StepRecorder) {
        for _ in 0..<frames {
            tell(.cameraSpeedAccepted, &recorder)
            tell(.record(.kept(upTo: machine.behavior.order)), &recorder)
            tell(.cameraSpeedRead(.speed(ShutterSpeed(index: machine.behavior.frame))), &recorder)
            tell(.cameraShutterReleased, &recorder)
            tell(.cameraCaptured, &recorder)
            tell(.cameraSaving, &recorder)
            tell(.cameraIdle, &recorder)
        }
        precondition(machine.isActive(.settingSpeed), "every frame was taken: \(machine.configuration)")
    }

    private mutating func tell(_ input: Shooting.Input, _ recorder: inout some StepRecorder) {
        now += step
        machine.handle(input, at: now, effects: &effects, recorder: &recorder)
        blackHole(effects.count)
        effects.removeAll(keepingCapacity: true)
    }

    /// The number of transitions and macrosteps per frame, counted by the engine's own log.
    static func transitionsPerFrame() -> (transitions: Int, macrosteps: Int) {
        var shoot = EndlessShoot()
        var log = StepLog<Shooting>()
        shoot.fire(frames: 1, recorder: &log)
        precondition(log.steps.count == inputsPerFrame && !log.steps.contains(where: \.isDropped), "nothing is lost")
        return (log.steps.reduce(0) { $0 + $1.steps.reduce(0) { $0 + $1.transitions.count } }, log.steps.count)
    }
}

extension BenchmarkMetric {
    /// The processor time in nanoseconds. On a computer that other programs share, rates per core must use it.
    static var coreTime: BenchmarkMetric { .custom("core time", useScalingFactor: false) }
    static var frames: BenchmarkMetric { .custom("frames", polarity: .prefersLarger, useScalingFactor: false) }
    static var transitions: BenchmarkMetric {
        .custom("transitions", polarity: .prefersLarger, useScalingFactor: false)
    }
    static var macrosteps: BenchmarkMetric {
        .custom("macrosteps", polarity: .prefersLarger, useScalingFactor: false)
    }
    static var allocations: BenchmarkMetric { .custom("allocations", useScalingFactor: false) }
}

private let framesPerRound = 20_000

private var configuration: Benchmark.Configuration {
    Benchmark.Configuration(
        metrics: [.throughput, .wallClock, .coreTime, .frames, .transitions, .macrosteps, .allocations],
        warmupIterations: 3,
        scalingFactor: .one,
        maxDuration: .seconds(3),
        maxIterations: 50
    )
}

private func nanosecondsOfThisThread() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Measures a round after a warm-up, so that every queue has its memory.
private func measure(_ benchmark: Benchmark, _ round: (inout EndlessShoot) -> Void) {
    let (transitions, macrosteps) = EndlessShoot.transitionsPerFrame()
    var shoot = EndlessShoot()
    var nobody = NoRecorder()
    shoot.fire(frames: 10, recorder: &nobody)
    let allocationsBefore = allocations_so_far()
    let coreTimeBefore = nanosecondsOfThisThread()
    benchmark.startMeasurement()
    round(&shoot)
    benchmark.stopMeasurement()
    let coreTime = nanosecondsOfThisThread() - coreTimeBefore
    let allocations = allocations_so_far() - allocationsBefore
    benchmark.measurement(.coreTime, coreTime)
    benchmark.measurement(.frames, framesPerRound)
    benchmark.measurement(.transitions, transitions * framesPerRound)
    benchmark.measurement(.macrosteps, macrosteps * framesPerRound)
    benchmark.measurement(.allocations, Int(allocations))
}

let benchmarks: @Sendable () -> Void = {
    Benchmark("engine", configuration: configuration) { benchmark in
        measure(benchmark) { shoot in
            var recorder = NoRecorder()
            shoot.fire(frames: framesPerRound, recorder: &recorder)
        }
    }
    // This benchmark has a log, in which the daemon keeps every step until the step is reported.
    Benchmark("engine with log", configuration: configuration) { benchmark in
        measure(benchmark) { shoot in
            var log = StepLog<Shooting>()
            for _ in 0..<framesPerRound {
                shoot.fire(frames: 1, recorder: &log)
                log.removeAll()
            }
        }
    }
    // This benchmark shows that allocations are counted: there is exactly one per frame.
    Benchmark("control", configuration: configuration) { benchmark in
        measure(benchmark) { shoot in
            var recorder = NoRecorder()
            for frame in 0..<framesPerRound {
                shoot.fire(frames: 1, recorder: &recorder)
                blackHole([frame])
            }
        }
    }
}
