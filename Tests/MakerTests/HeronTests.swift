import Bodies
import Cameras
import Controller
import Exposure
import Flight
import NIOCore
import Testing
import Worlds

/// A second maker of PTP/IP cameras, which exists only here: no file outside of this folder names it.
@Suite struct HeronTests {
    private static let identity = InitiatorIdentity(guid: Array(1...16), name: "bracketd")
    private static let plan = PlanInput(shadow: "1/15", highlight: "1/250", frames: 3, spacing: 1)

    private static func world(_ policy: TransferPolicy, drivers: CameraDrivers = .withHeron) throws -> World {
        let configuration = CoreConfiguration(
            cameraAddress: CameraAddress(host: "192.0.2.9"),
            identity: identity,
            transfer: TransferConfiguration(policy: policy),
            ledger: .required
        )
        let core = Core(configuration: configuration, drivers: drivers)
        // A world begins with the first input.
        var daemon = VirtualDaemon(core)
        daemon.watcher = FlightLog(configuration)
        var links: [Effect] = []
        daemon.put(.started, at: .zero, links: &links)
        let model = try #require(BodyMaker.heron.models.first)
        var options = BodyOptions()
        options.pictureSize = 100_000
        var world = World(core: core, camera: model.camera(options), place: .at(CameraAddress(host: "192.0.2.9")))
        world.watcher = daemon.watcher
        return world
    }

    @Test func `a body is recognized by its description, and a bracket is fired`() throws {
        var world = try Self.world(.none)
        #expect(world.pass { $0.daemon.state("connection") == "connected" })
        #expect(world.daemon.core.camera is PTPIP)
        let id = world.ask(.shoot(Self.plan, streams: true))
        #expect(world.pass { $0.daemon.progress(of: id).last?.outcome != nil })
        #expect(world.daemon.core.outcome == .completed)
        let plan = try #require(world.daemon.progress(of: id).last)
        #expect(world.camera.card.count == plan.total)
        #expect(world.camera.card.map(\.label).first == "1/250")
    }

    @Test func `without its row the body is refused with a sentence`() throws {
        var world = try Self.world(.none, drivers: .all)
        world.pass(.seconds(20))
        #expect(world.daemon.state("connection") == "refused")
        let sentence = "The Heron Instruments H1 is not a Sony camera. bracketd supports only those."
        #expect(world.daemon.status.contains(sentence), "\(world.daemon.status)")
    }

    @Test func `a shoot is recorded without its pictures, and replayed`() throws {
        var world = try Self.world(.both)
        #expect(world.pass { $0.daemon.state("connection") == "connected" })
        let id = world.ask(.shoot(Self.plan, streams: true))
        #expect(world.pass { $0.daemon.progress(of: id).last?.outcome != nil })
        world.pass(.seconds(20))
        #expect(world.daemon.core.outcome == .completed)
        let log = try #require(world.watcher as? FlightLog)
        #expect(log.pictureByteCount > 100_000 * world.camera.card.count - 1)
        let file = log.file
        #expect(file.readableBytes < 100_000)

        var reader = try FlightReader(file)
        var replay = FlightReplay(reader.header, drivers: .withHeron)
        while let record = try reader.next() {
            switch replay.take(record) {
            case .success(let step): #expect(step.difference == nil)
            case .failure(let difference): Issue.record("\(difference)")
            }
        }
        #expect(replay.transitionCount > 50)
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>, [Scenario.Level.none, .some])
    func `every rule holds in worlds with such a body`(seed: UInt64, level: Scenario.Level) {
        var run = ScenarioRun(Scenario(seed: seed, level: level, makers: [.heron]), door: OpenDoor())
        let outcome = run.finish()
        #expect(outcome.violation == nil, "\(outcome.violation?.description ?? "")")
        #expect(outcome.shoots > 0 && outcome.exposures > 0)
    }

    @Test func `the learned facts about a body are kept by its id, which begins with the maker`() throws {
        var world = try Self.world(.none)
        #expect(world.pass { $0.daemon.state("connection") == "connected" })
        let id = world.ask(.getCameras)
        world.pass(.seconds(1))
        let ids = world.daemon.answers(to: id).compactMap { answer -> [String?]? in
            if case .reply(.cameras(let entries), _) = answer { entries.map(\.id) } else { nil }
        }
        #expect(ids == [["heron:4711"]])
    }
}

/// Records a daemon in a simulated world.
private struct FlightLog: WorldWatcher {
    private var writer: FlightWriter
    private(set) var pictureByteCount = 0

    init(_ configuration: CoreConfiguration) {
        let header = FlightHeader(
            version: Version.current,
            configuration: configuration,
            charts: Core.chartDigests,
            began: 1_700_000_000_000,
            clock: .zero
        )
        writer = FlightWriter(header)
    }

    mutating func took(_ input: Input, _ performed: ArraySlice<Effect>, core: Core, at now: Duration) {
        writer.note(input, at: now, Array(performed))
        for case .picture(_, .bytes(let bytes)) in performed { pictureByteCount += bytes.readableBytes }
    }

    mutating func did(_ action: BodyAction, camera: Int, at now: Duration) {}
    mutating func died(ledger: VirtualLedger.Tables, isPowerCut: Bool, at now: Duration) {}

    var file: ByteBuffer {
        var writer = writer
        return writer.takeBytes()
    }
}
