import Bodies
import Cameras
import Controller
import Testing
import Worlds

/// Another client of the daemon's camera, which admits one client at a time.
@Suite struct OtherClientTests {
    private func world() -> World {
        let identity = InitiatorIdentity(guid: Array(1...16), name: "bracketd")
        let configuration = CoreConfiguration(
            cameraAddress: CameraAddress(host: "192.0.2.9"),
            identity: identity,
            ledger: .required
        )
        let core = Core(configuration: configuration)
        return World(core: core, camera: SimulatedCamera(model: .ilce7M4)).checked
    }

    @Test func `another client is refused while the daemon has the session`() {
        var world = world()
        world.pass { $0.daemon.state("connection") == "connected" }
        world.occupy()
        world.pass(.seconds(30))
        #expect(!world.isOccupied)
        #expect(world.daemon.state("connection") == "connected")
        #expect(world.cameraLog.contains { $0.contains("rejected: busy") })
        expectSound(world)
    }

    @Test(arguments: [true, false])
    func `the daemon waits for a session that another client holds, and then gets it by itself`(
        isOrderly: Bool
    ) {
        var world = world()
        world.pass { $0.daemon.state("connection") == "connected" }
        world.kill()
        world.pass(.seconds(60))
        world.occupy()
        world.pass(.seconds(1))
        #expect(world.isOccupied)
        world.restart()
        world.pass(.seconds(60))
        #expect(world.isOccupied)
        #expect(world.daemon.state("connection") != "connected")
        #expect(
            world.daemon.core.statusReport.sentence.contains("in use"),
            "\(world.daemon.core.statusReport.sentence)"
        )
        world.vacate(isOrderly: isOrderly)
        world.pass(.seconds(60))
        #expect(!world.isOccupied && world.daemon.state("connection") == "connected")
        expectSound(world)
    }

    @Test func `another client without a camera to call does not wait for one`() {
        var world = world()
        world.pass { $0.daemon.state("connection") == "connected" }
        world.powerOff()
        world.occupy()
        #expect(!world.isOccupied)
        world.powerOn()
        world.pass(.seconds(60))
        #expect(!world.isOccupied && world.daemon.state("connection") == "connected")
    }
}
