import Bodies
import Cameras
import Controller
import Exposure
import Testing
import Worlds

/// The core, the driver and simulated bodies of both generations: bodies that fall back to another speed after they
/// showed the one that was set, and the duration of frames.
@Suite struct ConfirmationTests {
    private static let three = PlanInput(shadow: "1/60", highlight: "1/250", frames: 3, spacing: 1)
    private static let threeLabels = ["1/250", "1/125", "1/60"]

    private func world(
        _ model: String,
        _ faults: [String] = [],
        latency: Duration = .milliseconds(5),
        disk: Duration = .zero
    ) throws -> World {
        var options = BodyOptions()
        options.faults = try faults.map { try Fault(parsing: $0) }
        let identity = InitiatorIdentity(guid: Array(1...16), name: "world")
        let configuration = CoreConfiguration(
            cameraAddress: CameraAddress(host: "192.0.2.1", port: 15740),
            identity: identity,
            ledger: .required,
            // An RX100 VII stores pictures on its card, even if its save target is the host.
            skippedChecks: ["save-target"]
        )
        var world = World(
            core: Core(configuration: configuration),
            camera: SimulatedCamera(model: try #require(SonyModel.named(model)), options: options),
            network: World.Network(latency: latency)
        ).checked
        world.ledger { $0.delay = disk }
        return world
    }

    private func fire(_ plan: PlanInput = three, in world: inout World) throws -> Progress {
        let connected = world.pass { $0.daemon.state("connection") == "connected" }
        try #require(connected, "\(world.daemon.status)")
        let id = world.ask(.shoot(plan, streams: true))
        world.pass { $0.daemon.progress(of: id).last?.outcome != nil }
        return try #require(world.daemon.progress(of: id).last, "\(world.daemon.answers(to: id))")
    }

    private func jumps(_ world: World) -> Int { world.cameraLog.count { $0.contains("fault: the speed returns") } }

    /// A fault, the delay of the network in one direction, and the delay of the disk.
    struct Case: Sendable, CustomTestStringConvertible {
        var model: String
        var fault: String
        var latency = Duration.milliseconds(5)
        var disk = Duration.zero

        var testDescription: String { "\(model) \(fault) \(latency) \(disk)" }
    }

    private static let cases = [
        // The speed returns right after the reading that confirmed it.
        Case(model: "ILCE-7M4", fault: "jump@2"),
        Case(model: "ILCE-7M4", fault: "jump@2", latency: .zero),
        Case(model: "ILCE-6400", fault: "jump@2"),
        // The driver reads a stepping body once more after the last step.
        Case(model: "ILCE-6400", fault: "jump@2,after=13ms"),
        // The speed returns while the core waits for the disk, which is slower than the camera.
        Case(model: "ILCE-7M4", fault: "jump@2,after=1s", disk: .seconds(3)),
        Case(model: "ILCE-6400", fault: "jump@2,after=1s", disk: .seconds(4)),
        // The speed returns after the reading before the half press. The body reports that during the half press.
        Case(model: "ILCE-7M4", fault: "jump@2,after=35ms", latency: .milliseconds(15)),
        Case(model: "ILCE-6400", fault: "jump@2,after=65ms", latency: .milliseconds(15)),
    ]

    @Test(arguments: cases)
    func `a body that falls back before the shutter is noticed, and set again`(example: Case) throws {
        var world = try world(example.model, [example.fault], latency: example.latency, disk: example.disk)
        let end = try fire(in: &world)
        #expect(jumps(world) == 1, "\(world.cameraLog)")
        #expect(end.sentence == "3 of 3 exposures captured", "\(end) \(world.cameraLog)")
        #expect(world.camera.card.map(\.label) == Self.threeLabels, "\(world.cameraLog)")
        expectSound(world)
    }

    @Test func `the driver does not press the shutter on a reading from before the half press`() throws {
        // No event reports the other speed, so only another reading shows it. The answer to the half press takes 1.2 s.
        let faults = ["events-silent", "jump@2,after=1250ms"]
        var world = try world("ILCE-7M4", faults, latency: .milliseconds(600))
        let end = try fire(in: &world)
        #expect(jumps(world) == 1, "\(world.cameraLog)")
        #expect(end.sentence == "3 of 3 exposures captured", "\(end) \(world.cameraLog)")
        #expect(world.camera.card.map(\.label) == Self.threeLabels, "\(world.cameraLog)")
        expectSound(world)
    }

    @Test(arguments: [
        Case(model: "ILCE-7M4", fault: "jump@2,times=1000"),
        Case(model: "ILCE-6400", fault: "jump@2,times=1000"),
        Case(model: "ILCE-7M4", fault: "jump@2,after=1s,times=1000", disk: .seconds(3)),
        Case(model: "ILCE-6400", fault: "jump@2,after=1s,times=1000", disk: .seconds(4)),
    ])
    func `a body that always falls back ends the shoot, with no frame fired at a wrong speed`(example: Case) throws {
        var world = try world(example.model, [example.fault], latency: example.latency, disk: example.disk)
        let end = try fire(in: &world)
        #expect(end.outcome == .partial, "\(end)")
        let cause = try #require(end.cause)
        #expect(cause.contains("1/250") && cause.hasSuffix("."), "\(cause)")
        #expect(jumps(world) >= ShootingModel.settingAttemptsMax)
        #expect(jumps(world) <= 3 * ShootingModel.settingAttemptsMax)
        #expect(world.camera.card.map(\.label) == ["1/250"])
        expectSound(world)
    }

    // MARK: Learned timing

    @Test(arguments: SonyModel.all.map(\.name))
    func `after one shoot the estimate is near the duration of the next one`(model: String) throws {
        var world = try world(model)
        #expect(try fire(PlanInput(), in: &world).outcome == .completed)
        world.pass(.seconds(1))
        world.kill()
        world.restart()
        let connected = world.pass { $0.daemon.state("connection") == "connected" }
        try #require(connected)
        let id = world.ask(.plan(PlanInput()))
        guard case .reply(.plan(let report), _)? = world.daemon.answers(to: id).first else {
            Issue.record("no plan")
            return
        }
        // If a body does not report whether dark frames follow, its three frames of 1 s and longer give no timing.
        let frames = model == "ILCE-1M2" ? 15 : 12
        #expect(report.estimateBasis.contains("measured on \(frames) frames of this camera"))
        let start = world.now
        #expect(try fire(PlanInput(), in: &world).outcome == .completed)
        let taken = (world.now - start).milliseconds
        let error = abs(Int(taken) - report.estimateMilliseconds)
        #expect(error * 5 <= Int(taken), "\(report.estimateMilliseconds) ms estimated, \(taken) ms taken")
        expectSound(world)
    }
}
