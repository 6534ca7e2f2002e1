import Bodies
import Cameras
import Controller
import Exposure
import Testing
import Worlds

/// The whole system on a virtual clock: the core and the driver of the product, a simulated body, a network with a
/// delay.
@Suite struct WorldTests {
    private static let identity = InitiatorIdentity(guid: Array(1...16), name: "world")
    private static let address = CameraAddress(host: "192.0.2.1", port: 15740)
    private static let three = PlanInput(shadow: "1/60", highlight: "1/250", frames: 3, spacing: 1)
    private static let threeLabels = ["1/250", "1/125", "1/60"]

    private func world(
        _ faults: [String] = [],
        model: SonyModel = .ilce7M4,
        segment: Int? = nil,
        _ change: (inout BodyOptions) -> Void = { _ in }
    ) throws -> World {
        var options = BodyOptions()
        options.faults = try faults.map { try Fault(parsing: $0) }
        change(&options)
        let core = Core(
            configuration: CoreConfiguration(
                cameraAddress: Self.address,
                identity: Self.identity,
                skippedChecks: ["save-target"]
            )
        )
        return World(
            core: core,
            camera: SimulatedCamera(model: model, options: options),
            network: World.Network(latency: .milliseconds(5), segment: segment)
        ).checked
    }

    /// Connects to the camera and fires the plan. Returns the last progress.
    private func fire(_ plan: PlanInput = three, in world: inout World) throws -> Progress {
        let connected = world.pass { $0.daemon.state("connection") == "connected" }
        try #require(connected, "\(world.daemon.status)")
        let id = world.ask(.shoot(plan, streams: true))
        world.pass { $0.daemon.progress(of: id).last?.outcome != nil }
        expectSound(world)
        return try #require(world.daemon.progress(of: id).last, "\(world.daemon.answers(to: id))")
    }

    @Test(arguments: SonyModel.all.map(\.name))
    func `a bracket is fired in full on every simulated body`(name: String) throws {
        var world = try world(model: try #require(SonyModel.named(name)))
        #expect(try fire(PlanInput(), in: &world).sentence == "15 of 15 exposures captured")
        #expect(world.camera.card.map(\.label) == Plan(try PlanRequest()).frames.map(\.speed.label))
    }

    @Test(arguments: [1, 7, 13, 100])
    func `the way in which the network cuts the bytes does not matter`(segment: Int) throws {
        var world = try world(segment: segment)
        #expect(try fire(in: &world).outcome == .completed)
        #expect(world.camera.card.map(\.label) == Self.threeLabels)
    }

    @Test func `two runs of a scenario give the same journal`() throws {
        func run() throws -> [JournalEntry] {
            var world = try world(["drop@2:expose,back=1", "ignore-set@3"])
            _ = try fire(in: &world)
            return world.daemon.journal
        }
        #expect(try run() == run())
    }

    @Test(arguments: [BodySaveTarget.host, .card, .both])
    func `a bracket is fired whatever the body's save target`(target: BodySaveTarget) throws {
        var world = try world { $0.saveTarget = target }
        let end = try fire(in: &world)
        #expect(end.outcome == .completed, "\(end) \(world.cameraLog.suffix(30))")
        #expect(world.camera.card.map(\.label) == Self.threeLabels)
    }

    @Test func `a 30 second frame with noise reduction is captured`() throws {
        var world = try world { $0.noiseReduction = true }
        let end = try fire(PlanInput(shadow: "30\"", highlight: "30\""), in: &world)
        #expect(end.outcome == .completed)
        #expect(world.now > .seconds(64))
    }

    @Test(arguments: [
        "busy=2", "ignore-set@2", "ignore-sets=2", "jump@2", "events-silent", "empty-extinfo=3", "auth-failed=1",
        "refuse-connect=2", "init-fail=2",
    ])
    func `a fault that passes loses no frame and doubles none`(fault: String) throws {
        var world = try world([fault])
        let end = try fire(in: &world)
        #expect(end.sentence == "3 of 3 exposures captured", "\(end) \(world.cameraLog)")
        #expect(world.camera.card.map(\.label) == Self.threeLabels)
    }

    @Test(arguments: ["set", "confirm", "expose", "save"], [1, 2, 3])
    func `a link dropped at any phase of any frame causes at most one doubled frame`(phase: String, frame: Int) throws {
        var world = try world(["drop@\(frame):\(phase),back=2"])
        let end = try fire(in: &world)
        #expect(end.sentence == "3 of 3 exposures captured", "\(end) \(world.cameraLog)")
        var card = world.camera.card.map(\.label)
        if card.count == 4 { card.remove(at: frame) }
        #expect(card == Self.threeLabels)
    }

    @Test(arguments: ["settingSpeed", "confirmingSpeed", "capturing", "waitingForIdle"], 1...6)
    func `a link whose end arrives together with the camera's last bytes loses no frame`(
        state: String,
        answers: Int
    ) throws {
        var world = try world()
        world.pass { $0.daemon.state("connection") == "connected" }
        let id = world.ask(.shoot(Self.three, streams: true))
        // The loss comes in the second frame, after the n-th event from the camera in this state.
        world.pass { $0.camera.card.count == 1 && $0.daemon.state("shooting") == "waitingForIdle" }
        world.pass { $0.daemon.state("shooting") == state }
        for _ in 1..<answers {
            let before = world.cameraLog.count
            world.pass { $0.cameraLog.count > before }
        }
        world.cutBehindNextBytes()
        world.pass { $0.daemon.progress(of: id).last?.outcome != nil }
        expectSound(world)
        let end = try #require(world.daemon.progress(of: id).last)
        #expect(end.sentence == "3 of 3 exposures captured", "\(end)")
        var card = world.camera.card.map(\.label)
        #expect(card.count <= 4)
        if card.count == 4, let doubled = card.indices.dropFirst().first(where: { card[$0] == card[$0 - 1] }) {
            card.remove(at: doubled)
        }
        #expect(card == Self.threeLabels, "\(world.cameraLog.suffix(40))")
    }

    @Test(arguments: [2, 5, 20])
    func `a dial turned away between two frames pauses, and turned back the shoot resumes`(seconds: Int) throws {
        var world = try world(["mode@2=A", "mode-after=\(20 + seconds):M"])
        let end = try fire(in: &world)
        #expect(end.sentence == "3 of 3 exposures captured", "\(end)")
        #expect(world.camera.card.map(\.label) == Self.threeLabels)
    }

    /// The number of sessions that the daemon opened in an hour without requests.
    private func sessionsInAnIdleHour(_ faults: [String], model: SonyModel = .ilce7M4) throws -> Int {
        var world = try world(faults, model: model)
        #expect(world.pass { $0.daemon.state("connection") == "connected" })
        world.pass(.seconds(3600))
        expectSoundEnd(world)
        #expect(world.daemon.state("connection") == "connected")
        return world.cameraLog.count { $0.contains("OpenSession") }
    }

    @Test func `a body that leaves idle clients is connected twice at most, and then kept`() throws {
        #expect(try sessionsInAnIdleHour([]) == 1)
        #expect(try sessionsInAnIdleHour(["idle-drop=30s"]) == 1)
        #expect(try sessionsInAnIdleHour(["idle-drop=10s"]) == 2)
        #expect(try sessionsInAnIdleHour(["idle-drop=4s"]) == 2)
        // This model always disconnects after ten idle seconds, and the driver knows that.
        let strict = try #require(SonyModel.named("ilce-7cm2"))
        #expect(try sessionsInAnIdleHour([], model: strict) == 1)
    }

    @Test(arguments: [1, 2, 3])
    func `a camera that stops answering is lost, found again, and the bracket completes`(frame: Int) throws {
        var world = try world(["mute@\(frame)"])
        let end = try fire(in: &world)
        #expect(end.sentence == "3 of 3 exposures captured", "\(end) \(world.cameraLog.suffix(20))")
        #expect(Set(world.camera.card.map(\.label)) == Set(Self.threeLabels))
        #expect(world.daemon.journal.contains { $0.kind == .shootPaused || $0.kind == .shutterInDoubt })
    }

    @Test func `a camera that is never idle ends the shoot, with the picture counted`() throws {
        var world = try world(["never-idle@2"])
        let end = try fire(in: &world)
        #expect(end.sentence == "Stopped at set 1, frame 2. 2 of 3 exposures captured.")
    }

    @Test func `a speed that is never accepted fires nothing`() throws {
        var world = try world(["ignore-sets=100"])
        let end = try fire(in: &world)
        #expect(end.sentence == "Stopped at set 1, frame 1. 0 of 3 exposures captured.")
        #expect(world.camera.card.isEmpty)
    }

    @Test func `a body that settles on another speed is noticed before the shutter`() throws {
        var world = try world(["wrong-speed@2=1/100"])
        let end = try fire(in: &world)
        #expect(!world.camera.card.map(\.label).contains("1/100"), "\(end)")
    }

    @Test func `a shutter that does nothing ends the shoot with a sentence`() throws {
        // The driver repeats a press that the body ignored: three presses in total.
        var world = try world(["no-picture@2", "no-picture@2", "no-picture@2"])
        let end = try fire(in: &world)
        #expect(end.outcome == .partial)
        #expect(end.captured == 1)
        #expect(end.cause != nil)
    }

    @Test func `a wrong mode holds until the dial is turned`() throws {
        var world = try world(["mode-after=20:M"]) { $0.mode = .program }
        world.pass(.seconds(10))
        #expect(world.daemon.status == "The mode dial is on P. Turn it to M.")
        #expect(try fire(in: &world).outcome == .completed)
    }

    @Test func `a stop closes the session in order`() throws {
        var world = try world()
        world.pass { $0.daemon.state("connection") == "connected" }
        world.put(.stop)
        world.pass(.seconds(4))
        #expect(world.daemon.isFinished)
        #expect(!world.camera.isSessionOpen)
        #expect(world.cameraLog.contains { $0.contains("CloseSession") })
        expectSoundEnd(world, isStopped: true)
    }

    @Test func `an idle connection asks the camera no more often than the keep-alive needs`() throws {
        var world = try world()
        world.pass { $0.daemon.state("connection") == "connected" }
        world.pass(.seconds(10))
        let before = world.cameraLog.count
        world.pass(.seconds(240))
        #expect(world.cameraLog.count - before <= 2 * 10)
        #expect(world.daemon.state("connection") == "connected")
    }
}
