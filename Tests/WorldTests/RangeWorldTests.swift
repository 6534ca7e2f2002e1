import Bodies
import Cameras
import Controller
import Exposure
import Testing
import Worlds

/// Brackets that find their own range, through the whole system: bodies that see a scene with known light, their
/// drivers, the core and a virtual disk.
@Suite struct RangeWorldTests {
    /// A window in a dim room, with a deep corner. Detail needs the places 20 to 45 of the scale of speeds.
    private static let room: Scene = {
        var scene = Scene(columns: 96, rows: 64, base: 5)
        func add(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ tone: SceneShape.Tone) {
            scene.shapes.append(SceneShape(.rectangle(x: x, y: y, width: width, height: height), tone))
        }
        add(0, 0, 100, 100, .ramp(from: 6.5, to: 4.5, .y))
        add(0, 80, 12, 20, .flat(2.5))
        add(62, 15, 26, 40, .flat(13))
        add(66, 18, 6, 10, .flat(14.3))
        return scene
    }()

    private static let two = PlanInput(spacing: 2, goal: GoalInput())

    private func world(_ maker: String, _ scene: Scene = room, faults: [String] = []) throws -> World {
        let model = try #require(BodyMaker.named(maker)?.models.first)
        var options = BodyOptions()
        options.scene = SceneEye(scene)
        options.faults = try faults.map { try Fault(parsing: $0, for: maker) }
        // The port selects the protocol.
        let port = try #require(model.ports.first).number
        let address = CameraAddress(host: "192.0.2.1", port: port)
        let configuration = CoreConfiguration(
            cameraAddress: address,
            identity: InitiatorIdentity(guid: Array(1...16), name: "world"),
            transfer: TransferConfiguration(policy: .jpeg),
            ledger: .required
        )
        let core = Core(configuration: configuration)
        return World(core: core, camera: model.camera(options), place: .at(address)).checked
    }

    private func expectCovered(_ range: RangeReport?) throws {
        let range = try #require(range)
        let kept = try range.kept.map { try ShutterSpeed(parsing: $0) }
        // One third beyond the place is still below white.
        #expect((20 - 9)...21 ~= (try #require(kept.first)).index, "\(range)")
        #expect(45...(45 + 9) ~= (try #require(kept.last)).index, "\(range)")
        #expect(zip(kept, kept.dropFirst()).allSatisfy { $0.thirds(to: $1) <= 6 }, "\(range)")
        #expect(range.warnings.isEmpty, "\(range)")
    }

    @Test(arguments: BodyMaker.all.map(\.name))
    func `a body of each maker covers a scene, with the aperture and the ISO of the scene`(maker: String) throws {
        var world = try world(maker)
        world.pass { $0.daemon.state("connection") == "connected" }
        let id = world.ask(.shoot(Self.two, streams: true))
        world.pass { $0.daemon.progress(of: id).last?.outcome != nil }
        let end = try #require(world.daemon.progress(of: id).last)
        #expect(end.outcome == .completed, "\(end)")
        try expectCovered(end.range)
        #expect(world.camera.card.map(\.label) == end.range?.shots)
        #expect(world.camera.card.allSatisfy { $0.settings.aperture == 800 && $0.settings.iso == 100 })
        expectSound(world)
    }

    @Test(arguments: BodyMaker.all.map(\.name))
    func `the pictures of a shoot name the frame that it lacks, and an extension fires it`(maker: String) throws {
        var world = try world(maker)
        world.pass { $0.daemon.state("connection") == "connected" }
        let plan = PlanInput(shadow: "1/30", highlight: "1/125", frames: 3)
        let id = world.ask(.shoot(plan, streams: true))
        world.pass { $0.daemon.progress(of: id).last?.outcome != nil }
        world.pass(.seconds(30))
        let photos = world.ask(.getPhotos)
        world.pass(.seconds(1))
        guard case .reply(.photos(let report), _)? = world.daemon.answers(to: photos).first else {
            Issue.record("no answer")
            return
        }
        let frame = try #require(report.coverage?.worst?.frame)
        #expect(report.coverage?.framesRead == 3)
        let more = world.ask(.extend(ExtensionInput(speeds: [frame.label]), streams: true))
        world.pass { $0.daemon.progress(of: more).last?.outcome != nil }
        #expect(world.daemon.progress(of: more).last?.outcome == .completed)
        #expect(world.camera.card.map(\.label) == ["1/125", "1/60", "1/30", frame.label])
        expectSound(world)
    }

    @Test func `light that falls between two frames is reported`() throws {
        var scene = Self.room
        // The bodies begin their shoot within some seconds.
        scene.light.drift = -6
        var world = try world("sony", scene)
        world.pass { $0.daemon.state("connection") == "connected" }
        let id = world.ask(.shoot(Self.two, streams: true))
        world.pass { $0.daemon.progress(of: id).last?.outcome != nil }
        let range = try #require(world.daemon.progress(of: id).last?.range)
        #expect(range.warnings.contains { $0.code == "light-changed" }, "\(range)")
        expectSound(world)
    }

    @Test(arguments: 1...12)
    func `a daemon killed at any time continues the search and covers the scene`(seconds: Int) throws {
        var world = try world("sony")
        world.pass { $0.daemon.state("connection") == "connected" }
        world.ask(.shoot(Self.two, streams: false))
        world.pass(.seconds(seconds * 2))
        if world.daemon.core.outcome == nil {
            world.kill(writesPending: true)
            world.pass(.seconds(5))
            world.restart()
            world.pass { $0.daemon.state("connection") == "connected" }
            world.ask(.resume)
        }
        world.pass { $0.daemon.core.outcome == .completed }
        try expectCovered(world.daemon.core.statusReport.shoot?.range)
        expectSound(world)
    }
}
