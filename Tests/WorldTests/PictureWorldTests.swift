import Bodies
import Cameras
import Controller
import Exposure
import Testing
import Worlds

/// Pictures through the whole system: a simulated body's buffer, the driver, the core, a virtual disk.
@Suite struct PictureWorldTests {
    private func world(_ policy: TransferPolicy, _ faults: [String] = [], again: Bool = false) throws -> World {
        var options = BodyOptions()
        options.faults = try faults.map { try Fault(parsing: $0) }
        let identity = InitiatorIdentity(guid: Array(1...16), name: "world")
        let core = Core(
            configuration: CoreConfiguration(
                cameraAddress: CameraAddress(host: "192.0.2.1", port: 15740),
                identity: identity,
                transfer: TransferConfiguration(policy: policy, firesSuspectsAgain: again)
            )
        )
        return World(core: core, camera: SimulatedCamera(model: .ilce7M4, options: options)).checked
    }

    /// Fires the default plan and waits for the last pictures.
    private func fire(in world: inout World) throws -> (end: Progress, photos: PhotosReport) {
        world.pass { $0.daemon.state("connection") == "connected" }
        let id = world.ask(.shoot(PlanInput(), streams: true))
        world.pass { $0.daemon.progress(of: id).last?.outcome != nil }
        world.pass(.seconds(30))
        let list = world.ask(.getPhotos)
        return (try #require(world.daemon.progress(of: id).last), try #require(world.daemon.photos(of: list)))
    }

    @Test(arguments: [false, true])
    func `every picture of a bracket is stored and verified`(again: Bool) throws {
        var world = try world(.jpeg, again: again)
        let (end, photos) = try fire(in: &world)
        #expect(end.sentence == "15 of 15 exposures captured")
        #expect(photos.sentence == "15 pictures, 15 verified.", "\(photos)")
        #expect(world.camera.card.count == 15)
        #expect(world.daemon.disk.manifests.last?.frames.allSatisfy { $0.outcome == "verified" } == true)
        expectSound(world)
    }

    @Test func `a disk that fills loses no frame`() throws {
        var world = try world(.jpeg)
        world.disk { $0.capacity = 2_000 }
        let (end, _) = try fire(in: &world)
        #expect(end.sentence == "15 of 15 exposures captured")
        #expect(world.daemon.state("transfer") == "full")
        #expect(world.camera.card.count == 15)
        expectSound(world)
    }

    @Test func `a link that breaks while a picture is saved loses no picture`() throws {
        var world = try world(.jpeg, ["drop@3:save,back=2"])
        let (end, photos) = try fire(in: &world)
        #expect(end.sentence == "15 of 15 exposures captured", "\(end)")
        #expect(photos.photos.filter { $0.state == .verified }.count >= 14, "\(photos)")
        expectSound(world)
    }
}
