import Bodies
import Cameras
import Controller
import Exposure
import Testing
import Worlds

/// Pictures of the live view through the whole system: bodies that see a scene, their drivers, and the core.
@Suite struct LiveViewWorldTests {
    private static let three = PlanInput(shadow: "1/60", highlight: "1/250", frames: 3, spacing: 1)

    private func world(_ maker: String) throws -> World {
        let model = try #require(BodyMaker.named(maker)?.models.first)
        let port = model.ports.first?.number ?? 15740
        let address = CameraAddress(host: "192.0.2.1", port: port)
        var options = BodyOptions()
        options.scene = SceneEye(Scene(columns: 12, rows: 8, base: 13))
        let configuration = CoreConfiguration(
            cameraAddress: address,
            identity: InitiatorIdentity(guid: Array(1...16), name: "world")
        )
        return World(core: Core(configuration: configuration), camera: model.camera(options), place: .at(address))
            .checked
    }

    private static func report(_ id: RequestID, _ world: World) -> LiveViewReport? {
        let answers = world.daemon.answers(to: id)
        return answers.compactMap { if case .reply(.liveView(let report), _) = $0 { report } else { nil } }.first
    }

    @Test(arguments: BodyMaker.all.map(\.name))
    func `a body of each maker shows its live view, and fires a bracket afterwards`(maker: String) throws {
        var world = try world(maker)
        world.pass { $0.daemon.state("connection") == "connected" }
        for _ in 0..<2 {
            let id = world.ask(.snapshot(nil))
            world.pass(.seconds(20))
            let report = try #require(Self.report(id, world), "\(world.daemon.answers(to: id))")
            #expect(report.frame.width == 96 && report.frame.height == 64)
            #expect(report.speed != nil)
        }
        let shoot = world.ask(.shoot(Self.three, streams: true))
        world.pass { $0.daemon.progress(of: shoot).last?.outcome != nil }
        #expect(world.daemon.progress(of: shoot).last?.outcome == .completed)
        expectSound(world)
    }

    @Test(arguments: BodyMaker.all.map(\.name))
    func `a body of each maker shows no live view during a shoot`(maker: String) throws {
        var world = try world(maker)
        world.pass { $0.daemon.state("connection") == "connected" }
        let shoot = world.ask(.shoot(Self.three, streams: true))
        let id = world.ask(.snapshot(nil))
        world.pass { $0.daemon.progress(of: shoot).last?.outcome != nil }
        guard case .error(.notNow(command: "Snapshot", state: _, sentence: _))? = world.daemon.answers(to: id).first
        else {
            Issue.record("\(world.daemon.answers(to: id))")
            return
        }
        #expect(world.daemon.progress(of: shoot).last?.outcome == .completed)
        expectSound(world)
    }
}
