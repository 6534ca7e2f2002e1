import Bodies
import Cameras
import Controller
import Exposure
import Flight
import Testing
import Worlds

/// Tests a maker whose cameras use HTTP and which exists only here. No file outside of its folder names it.
@Suite struct LumenTests {
    private static let identity = InitiatorIdentity(guid: Array(1...16), name: "bracketd")
    private static let plan = PlanInput(shadow: "1/15", highlight: "1/250", frames: 3, spacing: 1)
    private static let address = CameraAddress(host: "192.0.2.9", port: Lumen.port)

    private static func world(
        _ policy: TransferPolicy,
        search: Set<SearchMethod> = [],
        at address: CameraAddress = address
    ) throws -> World {
        let configuration = CoreConfiguration(
            cameraAddress: search.isEmpty ? address : nil,
            identity: identity,
            transfer: TransferConfiguration(policy: policy),
            ledger: .required,
            search: SearchRules(ways: search)
        )
        let core = Core(configuration: configuration, drivers: .withLumen, discovery: .withLumen)
        return World(of: try #require(BodyMaker.lumen.models.first), core, configuration, at: address)
    }

    @Test func `a body is driven by its protocol's driver, and a bracket is fired`() throws {
        var world = try Self.world(.none)
        #expect(world.pass { $0.daemon.state("connection") == "connected" })
        #expect(world.daemon.core.camera is LumenDriver)
        let id = world.ask(.shoot(Self.plan, streams: true))
        #expect(world.pass { $0.daemon.progress(of: id).last?.outcome != nil })
        #expect(world.daemon.core.outcome == .completed)
        let progress = try #require(world.daemon.progress(of: id).last)
        #expect(world.camera.card.count == progress.total)
        #expect(world.camera.card.map(\.label).first == "1/250")
        world.put(.stop)
        world.pass(.seconds(10))
        #expect(world.daemon.isFinished && !world.camera.isSessionOpen)
    }

    @Test func `a search finds the body at its own port`() throws {
        var world = try Self.world(.none, search: [.scan])
        let own = NetworkInterface.Address(IPAddress(bytes: [192, 0, 2, 3]), prefixLength: 28)
        world.put(
            .network(NetworkSnapshot(interfaces: [.init(index: 3, name: "wlan0", isUp: true, addresses: [own])]))
        )
        #expect(world.pass { $0.daemon.state("connection") == "connected" })
        #expect(world.daemon.core.camera is LumenDriver)
    }

    @Test func `a known camera is called by its protocol at its path, whatever its port`() throws {
        let address = CameraAddress(host: "192.0.2.9", port: 9000)
        var world = try Self.world(.none, search: [.known], at: address)
        let known = CameraRow(
            id: "lumen:L0001",
            maker: "Lumen",
            model: "L1",
            firmware: "1",
            address: address.description,
            protocol: .lumen,
            path: Lumen.root
        )
        world.ledger { ledger in
            ledger.change { ($0.cameras[known.id], $0.cameraOrder) = (known, [known.id]) }
        }
        #expect(world.pass { $0.daemon.state("connection") == "connected" })
        #expect(world.daemon.core.camera is LumenDriver)
        #expect(world.daemon.httpRequests.allSatisfy { $0.request.path.hasPrefix(Lumen.root) })
        // The ledger records the camera with the address and the path at which the daemon reached it.
        world.pass(.seconds(1))
        let row = try #require(world.daemon.ledger.tables.cameras[known.id])
        #expect(row.protocol == .lumen && row.path == Lumen.root && row.address == known.address)
    }

    @Test func `an idle session outlasts the long poll`() throws {
        var world = try Self.world(.none)
        #expect(world.pass { $0.daemon.state("connection") == "connected" })
        world.pass(.seconds(300))
        #expect(world.daemon.state("connection") == "connected")
        #expect(world.daemon.httpRequests.count == 1)
        world.reset()
        world.pass(.seconds(1))
        #expect(world.pass { $0.daemon.state("connection") == "connected" })
    }

    @Test func `pictures arrive as streams, and no recording keeps them`() throws {
        var world = try Self.world(.both)
        #expect(world.pass { $0.daemon.state("connection") == "connected" })
        try world.shootAndReplay(Self.plan) { FlightReplay($0, drivers: .withLumen, discovery: .withLumen) }
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>, [Scenario.Level.none, .some])
    func `every rule holds in worlds with such a body`(seed: UInt64, level: Scenario.Level) {
        expectEveryRule(in: Scenario(seed: seed, level: level, makers: [.lumen]))
    }
}
