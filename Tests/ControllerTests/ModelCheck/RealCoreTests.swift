import Cameras
import Controller
import Exposure
import Statecharts
import Testing

/// Compares the model with the core of the product: the model must contain all behavior of the core.
@Suite struct RealCoreTests {
    /// A pseudorandom sequence of numbers that is the same each time.
    private struct Sequence {
        var state: UInt64

        mutating func next(below bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
    }

    private static let twists: [ScriptedCamera.Deviation] = [
        .busyOnSet(2), .busyOnShutter(2), .silentOnSet(3), .noPicture(2), .neverIdle(3), .loseOn(.shutter, 2),
        .loseOn(.set, 4), .failShutter(3, .focusFailed), .saves(1, times: 3), .resolve(.notFired), .resolveNever,
        .cannotConnect(times: 2), .loseOn(.idle, 2), .settleOn(.slowest, fromSet: 5),
    ]

    private func act(_ bench: inout Bench, _ random: inout Sequence) {
        switch random.next(below: 22) {
        case 0...2: bench.ask(.shoot(ShootingTests.threeFrames, streams: false))
        case 3: bench.ask(.pause(withRedo: false))
        case 4...5: bench.ask(.resume)
        case 6: bench.ask(.cancel)
        case 7...8: bench.ask(.retry(streams: false))
        case 9: bench.ask(.dismiss)
        case 10: bench.ask(.connect(.text("127.0.0.1")))
        case 11: bench.ask(.disconnect)
        case 12: bench.put(.network(.down))
        case 13: bench.put(.network(.noRoute))
        case 14: bench.put(.network(.joined(ssid: "B")))
        case 15...16: bench.put(.network(.joined(ssid: "A")))
        case 17: bench.camera { $0.tell(.lost(.closedByCamera), at: $1) }
        case 18: bench.camera { $0.tell(.status(CameraStatus(mode: .program)), at: $1) }
        case 19: bench.camera { $0.tell(.status(ScriptedCamera.ready), at: $1) }
        default: bench.pass(.milliseconds(random.next(below: 40) * random.next(below: 40)))
        }
    }

    @Test func `the model contains what the core does on a bench`() {
        let run = ModelRun.of(.comingAndGoing)
        let known = Set(
            run.graph.worlds.filter { !$0.isStopping }.map { world in
                [
                    run.connection.leaves(world.connection), run.shooting.leaves(world.shooting),
                    run.network.leaves(world.network),
                ]
            }
        )
        var visited: Set<[String]> = []
        for seed in 0..<60 {
            var random = Sequence(state: UInt64(seed))
            let twists = (0..<2).map { _ in Self.twists[random.next(below: Self.twists.count)] }
            var bench = Bench(ScriptedCamera(twists: twists), ledger: .off)
            for _ in 0..<60 {
                act(&bench, &random)
                let charts = bench.status.charts.prefix(3).map { $0.configuration.joined(separator: "+") }
                visited.insert(charts)
                #expect(known.contains(charts), "seed \(seed): \(charts)")
            }
        }
        // With fewer worlds the test would show nothing: the world of the bench must be among them.
        #expect(visited.count > 60, "\(visited.count)")
    }
}
