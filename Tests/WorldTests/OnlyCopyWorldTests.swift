import Bodies
import Cameras
import Controller
import Exposure
import Testing
import Worlds

/// Pictures that the body keeps on no card, through the whole system. Kills and lost links interrupt transfers.
@Suite struct OnlyCopyWorldTests {
    private static let three = PlanInput(shadow: "1/250", highlight: "1/1000", frames: 3, spacing: 1)

    private static func world(
        _ model: SonyModel,
        _ faults: [String] = [],
        size: Int = 60_000,
        format: BodyFileFormat? = nil
    ) throws -> World {
        var options = BodyOptions()
        options.faults = try faults.map { try Fault(parsing: $0) }
        if model.stepping == nil { options.speeds = try SpeedListText.parse("1/1000,1/500,1/250,1/125,1/60") }
        options.saveTime = .milliseconds(100)
        options.slotHold = .milliseconds(500)
        options.saveTarget = .host
        options.pictureSize = size
        options.fileFormat = format
        let identity = InitiatorIdentity(guid: Array(1...16), name: "world")
        let configuration = CoreConfiguration(
            cameraAddress: CameraAddress(host: "192.0.2.1", port: 15740),
            identity: identity,
            transfer: TransferConfiguration(policy: .both),
            ledger: .required
        )
        let core = Core(configuration: configuration)
        var world = World(core: core, camera: SimulatedCamera(model: model, options: options))
        world.disk { $0.delay = .milliseconds(20) }
        return world.checked
    }

    /// A world in which the camera is connected and no shoot has begun.
    private static func ready(
        _ model: SonyModel,
        _ faults: [String] = [],
        format: BodyFileFormat? = nil
    ) throws -> World {
        var world = try world(model, faults, format: format)
        let isConnected = world.pass { $0.isAtRest }
        try #require(isConnected, "\(world.daemon.status)")
        return world
    }

    private static func isOver(_ world: World) -> Bool { world.daemon.core.outcome.map { $0 != .interrupted } ?? false }

    /// Starts the daemon again and fires the missing frames, as a user would.
    private static func goOn(_ world: inout World) {
        world.restart()
        world.pass { $0.isAtRest }
        world.pass(.seconds(3))
        for _ in 0..<3 where world.daemon.core.outcome != .completed {
            let hasShoot = world.daemon.core.shoot != nil
            world.ask(hasShoot ? .retry(streams: false) : .shoot(three, streams: false))
            world.pass(.seconds(1))
            world.pass { Self.isOver($0) && $0.isAtRest }
        }
        world.pass(.seconds(2))
    }

    private static func expectEverything(_ world: World, _ comment: Comment) {
        let tables = world.daemon.ledger.tables
        #expect(tables.shoots[1]?.outcome == .completed, comment)
        for frame in tables.frames(of: 1) {
            #expect(frame.outcome == .verified, comment)
            #expect(!frame.files.isEmpty && frame.files.allSatisfy { world.daemon.disk.files[$0] != nil }, comment)
        }
        expectSound(world, comment)
    }

    /// Bodies that keep files that were not fetched, and one body that discards them.
    @Test(arguments: ["ILCE-7M4", "ILCE-1M2", "ILCE-6400"])
    func `no planned frame is lost by a kill after any effect of a shoot`(name: String) throws {
        let model = try #require(SonyModel.all.first { $0.name == name })
        var leader = try Self.ready(model)
        leader.ask(.shoot(Self.three, streams: false))
        let first = leader.effectCount
        leader.pass { Self.isOver($0) }
        let last = leader.effectCount
        #expect(last - first > 40)
        for place in stride(from: first + 1, to: last, by: model.stepping == nil ? 5 : 23) {
            var world = try Self.ready(model)
            world.killAfter(effects: place)
            world.ask(.shoot(Self.three, streams: false))
            world.pass { $0.daemon.isKilled || Self.isOver($0) }
            guard world.daemon.isKilled else { continue }
            world.kill(writesPending: place % 2 == 0)
            let words = world.daemon.ledger.tables.frames(of: 1).map(\.outcome)
            world.killAfter(effects: nil)
            Self.goOn(&world)
            Self.expectEverything(world, "\(name), effect \(place): \(words) \(world.daemon.status)")
            #expect(world.camera.card.count <= 4, "\(name), effect \(place): \(words)")
        }
    }

    @Test
    func `a picture that a kill cut is stored for its frame in the shoot's folder, and is not fired again`() throws {
        let model = try #require(SonyModel.all.first { $0.name == "ILCE-7M4" })
        var world = try Self.ready(model, ["slow-transfer=20kB"])
        world.ask(.shoot(Self.three, streams: false))
        let isBegun = world.pass { $0.daemon.disk.destinations.count == 2 }
        try #require(isBegun)
        // The second transfer is now in progress.
        world.pass(.seconds(1))
        try #require(world.daemon.state("shooting") == "waitingForIdle")
        world.kill(writesPending: true)
        world.restart()
        world.pass { $0.isAtRest }
        world.pass(.seconds(10))
        let frames = world.daemon.ledger.tables.frames(of: 1)
        #expect(frames.map(\.outcome) == [.verified, .verified, .planned])
        #expect(frames[1].files == ["shoot-1/set-1/DSC00002.JPG"])
        #expect(world.daemon.disk.destinations.last?.folder == .known("shoot-1"))
        #expect(world.daemon.disk.files.keys.allSatisfy { !$0.hasPrefix("other/") })
        world.ask(.resume)
        world.pass { Self.isOver($0) }
        #expect(world.camera.card.count == 3)
        Self.expectEverything(world, "\(world.daemon.status)")
    }

    @Test(arguments: [false, true])
    func `a cancelled shoot is complete when the camera delivers its last picture`(isKilled: Bool) throws {
        let model = try #require(SonyModel.all.first { $0.name == "ILCE-7M4" })
        var world = try Self.ready(model, ["transfer-breaks@3=1kB,back=5s"])
        world.ask(.shoot(Self.three, streams: false))
        world.pass { $0.camera.card.count == 3 }
        world.ask(.cancel)
        world.pass { Self.isOver($0) }
        #expect(world.daemon.core.outcome == .cancelled && world.daemon.core.shoot?.captured == 2)
        if isKilled {
            world.pass(.seconds(1))
            world.kill(writesPending: true)
            world.restart()
        }
        world.pass(.seconds(30))
        #expect(world.daemon.core.outcome == .completed && world.camera.card.count == 3, "\(world.daemon.status)")
        Self.expectEverything(world, "\(world.daemon.status)")
    }

    @Test
    func `both files that a kill left in the camera are stored for their frame, though the shoot resumes early`() throws
    {
        let model = try #require(SonyModel.all.first { $0.name == "ILCE-7M4" })
        var world = try Self.ready(model, ["slow-transfer=20kB"], format: .rawAndJPEG)
        world.ask(.shoot(Self.three, streams: false))
        // The third destination belongs to the first file of the second frame.
        let isBegun = world.pass { $0.daemon.disk.destinations.count == 3 }
        try #require(isBegun)
        world.pass(.seconds(1))
        world.kill(writesPending: true)
        world.restart()
        world.pass { $0.daemon.disk.files.keys.contains { $0.contains("DSC00002.JPG") } }
        world.pass(.milliseconds(500))
        #expect(!world.daemon.ledger.tables.frames(of: 1)[1].outcome.isCaptured)
        world.ask(.resume)
        world.pass(.seconds(1))
        world.pass { Self.isOver($0) }
        world.pass(.seconds(2))
        let frames = world.daemon.ledger.tables.frames(of: 1)
        #expect(frames[1].files == ["shoot-1/set-1/DSC00002.JPG", "shoot-1/set-1/DSC00002.ARW"])
        #expect(world.daemon.disk.files.keys.allSatisfy { !$0.hasPrefix("other/") })
        #expect(world.camera.card.count == 3)
        Self.expectEverything(world, "\(world.daemon.status)")
    }

    @Test func `an old picture with the same exposure does not count for the frame in doubt`() throws {
        let model = try #require(SonyModel.all.first { $0.name == "ILCE-7M4" })
        var world = try Self.ready(model, ["stale@1"])
        world.ask(.shoot(Self.three, streams: false))
        world.pass { $0.camera.card.count == 1 }
        world.kill(writesPending: true)
        world.pass(.seconds(1))
        world.restart()
        world.pass { $0.isAtRest }
        world.pass(.seconds(5))
        #expect(world.daemon.disk.files.keys.contains { $0.hasPrefix("other/") && $0.contains("DSC00000") })
        let frame = world.daemon.ledger.tables.frames(of: 1)[0]
        #expect(!frame.outcome.isCaptured && frame.files.isEmpty, "\(frame)")
        world.ask(.resume)
        world.pass(.seconds(1))
        world.pass { Self.isOver($0) }
        world.pass(.seconds(2))
        Self.expectEverything(world, "\(world.daemon.status)")
    }

    @Test func `a transfer that breaks for good ends the shoot as partial, and retry fires the frame`() throws {
        let model = try #require(SonyModel.all.first { $0.name == "ILCE-1M2" })
        var world = try Self.ready(model, ["transfer-breaks@2=20000"])
        world.ask(.shoot(Self.three, streams: false))
        world.pass { Self.isOver($0) && $0.isAtRest }
        let shoot = try #require(world.daemon.core.shoot)
        #expect(world.daemon.core.outcome == .partial && shoot.captured == 2)
        #expect(shoot.remark?.contains("Set 1, frame 2 at 1/500 is missing: its picture is lost.") == true)
        world.pass(.seconds(5))
        world.ask(.retry(streams: false))
        world.pass(.seconds(1))
        world.pass { Self.isOver($0) && $0.isAtRest }
        world.pass(.seconds(2))
        Self.expectEverything(world, "\(world.daemon.status)")
    }
}
