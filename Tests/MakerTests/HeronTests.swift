import Bodies
import Cameras
import Controller
import Exposure
import Flight
import Testing
import Worlds

/// Tests a second maker of PTP/IP cameras, which exists only here. No file outside of its folder names it.
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
        let model = try #require(BodyMaker.heron.models.first)
        return World(of: model, core, configuration, at: CameraAddress(host: "192.0.2.9"))
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
        let sentence = "The Heron Instruments H1 is not a Sony, Canon or Nikon camera. bracketd supports only those."
        #expect(world.daemon.status.contains(sentence), "\(world.daemon.status)")
    }

    @Test func `a shoot is recorded without its pictures, and replayed`() throws {
        var world = try Self.world(.both)
        #expect(world.pass { $0.daemon.state("connection") == "connected" })
        try world.shootAndReplay(Self.plan) { FlightReplay($0, drivers: .withHeron) }
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>, [Scenario.Level.none, .some])
    func `every rule holds in worlds with such a body`(seed: UInt64, level: Scenario.Level) {
        expectEveryRule(in: Scenario(seed: seed, level: level, makers: [.heron]))
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
