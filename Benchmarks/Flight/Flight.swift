import Bodies
import Cameras
import Controller
import Flight
import NIOCore
import Worlds

/// The inputs and effects of a simulated run. The benchmark records them again and again.
struct Passing: WorldWatcher {
    var records: [(input: Input, effects: [Effect], time: Duration)] = []

    mutating func took(_ input: Input, _ performed: ArraySlice<Effect>, core: Core, at now: Duration) {
        records.append((input, Array(performed), now))
    }

    mutating func did(_ action: BodyAction, camera: Int, at now: Duration) {}

    mutating func died(ledger: VirtualLedger.Tables, isPowerCut: Bool, at now: Duration) {}
}

/// Prints the time and the number of bytes of a recording.
@main
struct FlightBench {
    private static let identity = InitiatorIdentity(guid: Array(repeating: 0, count: 16), name: "flightbench")
    private static let configuration = CoreConfiguration(
        cameraAddress: CameraAddress(host: "192.0.2.1"),
        identity: identity,
        transfer: TransferConfiguration(policy: .jpeg),
        ledger: .required
    )

    static func main() {
        var options = BodyOptions()
        options.saveTarget = .host
        options.pictureSize = 4_000_000
        let core = Core(configuration: configuration)
        var world = World(
            core: core,
            camera: SimulatedCamera(model: .ilce7M4, options: options),
            network: World.Network(latency: .milliseconds(2), segment: 16 << 10)
        )
        world.watcher = Passing()
        world.pass { $0.daemon.state("connection") == "connected" }
        world.pass(.seconds(60))
        let idle = measure("idle, ten minutes", &world) { $0.pass(.seconds(600)) }
        print("  \(idle * 6) bytes an hour")
        measure("shoot of 15, with pictures", &world) { world in
            let id = world.ask(.shoot(PlanInput(), streams: true))
            world.pass { $0.daemon.progress(of: id).last?.outcome != nil }
            world.pass(.seconds(10))
        }
    }

    @discardableResult
    private static func measure(_ name: String, _ world: inout World, _ act: (inout World) -> Void) -> Int {
        let before = (world.watcher as? Passing)?.records.count ?? 0
        act(&world)
        guard let passing = world.watcher as? Passing else { return 0 }
        let clock = ContinuousClock()
        let header = FlightHeader(
            version: Version.current,
            configuration: configuration,
            charts: Core.chartDigests,
            began: 0,
            clock: .zero
        )
        var best = Duration.seconds(1000)
        var byteCount = 0
        for _ in 0..<20 {
            var writer = FlightWriter(header)
            for record in passing.records[..<before] { writer.note(record.input, at: record.time, record.effects) }
            _ = writer.takeBytes()
            byteCount = 0
            let start = clock.now
            for record in passing.records[before...] {
                writer.note(record.input, at: record.time, record.effects)
                if writer.byteCount > 4096 { byteCount += writer.takeBytes().readableBytes }
            }
            byteCount += writer.takeBytes().readableBytes
            best = min(best, clock.now - start)
        }
        let count = passing.records.count - before
        print("\(name): \(count) inputs, \(byteCount) bytes, \(best / count) an input, \(best) in all")
        return byteCount
    }
}
