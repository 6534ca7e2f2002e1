import Bodies
import Cameras
import Controller
import Exposure
import Testing
import Worlds

/// Kills the daemon by `kill -9` after every single effect of a shoot. No frame is lost, and hardly any frame is fired
/// twice.
@Suite struct KillTests {
    private static let identity = InitiatorIdentity(guid: Array(1...16), name: "world")
    private static let address = CameraAddress(host: "192.0.2.1", port: 15740)
    /// Two sets of three frames, with each speed once. `oneSet` has one set.
    private static let twoSets = PlanInput(shadow: "1/125", highlight: "1/1000", frames: 3, spacing: 1, shareOnce: true)
    private static let oneSet = PlanInput(shadow: "1/250", highlight: "1/1000", frames: 3, spacing: 1)
    private static let shotsLeft = 100
    private static let speeds = "1/1000,1/500,1/250,1/125,1/60,1/30"

    /// The way in which the process ends.
    enum End: CaseIterable {
        case kill, killWithWritesKept, powerCut, powerCutWithWritesKept

        var keepsWrites: Bool { self == .killWithWritesKept || self == .powerCutWithWritesKept }
        var isPowerCut: Bool { self == .powerCut || self == .powerCutWithWritesKept }
    }

    struct Scene: CustomTestStringConvertible {
        var model: SonyModel
        var saveTarget: BodySaveTarget
        var ends: [End]
        /// The delay of the ledger's disk.
        var delay = Duration.milliseconds(3)
        var plan = KillTests.oneSet

        var total: Int { plan == KillTests.oneSet ? 3 : 5 }

        var testDescription: String { "\(model.name), \(saveTarget), \(ends)" }
    }

    private static let scenes = [
        Scene(model: .ilce7M4, saveTarget: .card, ends: [.kill], plan: twoSets),
        Scene(model: .ilce7M4, saveTarget: .host, ends: [.killWithWritesKept]),
        Scene(model: .ilce7M4, saveTarget: .both, ends: [.powerCut, .powerCutWithWritesKept]),
        Scene(model: .ilce6400, saveTarget: .card, ends: [.kill, .powerCut]),
        Scene(model: .dscRX100M7, saveTarget: .host, ends: [.kill, .killWithWritesKept], delay: .milliseconds(200)),
        Scene(model: .ilce7M4, saveTarget: .card, ends: [.kill, .powerCutWithWritesKept], delay: .milliseconds(400)),
    ]

    private static func world(_ scene: Scene) throws -> World {
        var options = BodyOptions()
        // Few speeds make the test quick, because every reading of the body is encoded and decoded completely.
        if scene.model.stepping == nil { options.speeds = try SpeedListText.parse(speeds) }
        options.saveTime = .milliseconds(100)
        options.slotHold = .milliseconds(500)
        options.saveTarget = scene.saveTarget
        options.shotsLeft = shotsLeft
        let configuration = CoreConfiguration(
            cameraAddress: address,
            identity: identity,
            ledger: .required,
            skippedChecks: ["save-target"]
        )
        let core = Core(configuration: configuration)
        var world = World(core: core, camera: SimulatedCamera(model: scene.model, options: options))
        world.ledger { $0.delay = scene.delay }
        return world.checked
    }

    /// A world in which a shoot is about to begin.
    private static func ready(_ scene: Scene) throws -> World {
        var world = try world(scene)
        let isConnected = world.pass { $0.daemon.state("connection") == "connected" }
        try #require(isConnected, "\(world.daemon.status)")
        world.pass(.seconds(1))
        return world
    }

    // MARK: The body's counter

    @Test(arguments: [BodySaveTarget.card, .both])
    func `every frame is recorded with the body's shots left before it`(target: BodySaveTarget) throws {
        let scene = Scene(model: .ilce7M4, saveTarget: target, ends: [], plan: Self.twoSets)
        var world = try Self.ready(scene)
        world.ask(.shoot(scene.plan, streams: false))
        world.pass { Self.isOver($0) }
        #expect(world.daemon.ledger.tables.frames(of: 1).map(\.shotsLeft) == (0..<5).map { Self.shotsLeft - $0 })
        expectSound(world)
    }

    @Test(arguments: [BodySaveTarget.card, .both], 1...3)
    func `a kill in an exposure doubles no frame if the body counts`(target: BodySaveTarget, frame: Int) throws {
        let scene = Scene(model: .ilce7M4, saveTarget: target, ends: [.kill])
        var check = Check(scene: scene, world: try Self.ready(scene))
        check.world.ask(.shoot(scene.plan, streams: false))
        check.world.pass { $0.camera.card.count == frame }
        try #require(check.world.daemon.state("shooting") == "capturing")
        check.kill(.kill)
        check.goOn()
        #expect(check.world.camera.card.count == 3, "\(check.trace)")
    }

    private static func isOver(_ world: World) -> Bool {
        world.daemon.core.outcome.map { $0 != .interrupted } ?? false
    }

    /// The state after a kill, and the conditions that must hold in every later run.
    private struct Check {
        let scene: Scene
        var world: World
        /// The number of times that a process ended.
        var kills = 0
        /// The frames that were captured according to the ledger when a process ended, each with the number of its
        /// exposures.
        var exposed: [Int: Int] = [:]
        var trace: [String] = []

        mutating func kill(_ end: End) {
            kills += 1
            world.kill(writesPending: end.keepsWrites, isPowerCut: end.isPowerCut)
            let frames = world.daemon.ledger.tables.frames(of: 1)
            trace.append("\(world.now) \(end): \(frames.map(\.outcome)) \(world.camera.card.map(\.label))")
            for frame in frames where frame.outcome == .planned {
                #expect(count(of: frame.planned.speed) == 0, "fired and not in the ledger: \(trace)")
            }
            for frame in frames where frame.outcome.isCaptured && exposed[frame.index] == nil {
                exposed[frame.index] = count(of: frame.planned.speed)
            }
        }

        private func count(of speed: ShutterSpeed) -> Int {
            world.camera.card.count { $0.label == speed.label }
        }

        /// Starts the daemon again and continues as a user would.
        mutating func goOn() {
            world.restart()
            let isReady = world.pass { $0.daemon.isKilled || $0.isAtRest }
            #expect(isReady, "\(world.daemon.status)")
            guard !world.daemon.isKilled else { return }
            let state = world.daemon.state("shooting")
            let request: Request = state == "interrupted" ? .resume : .shoot(scene.plan, streams: false)
            guard world.daemon.ledger.tables.shoots[1]?.outcome != .completed else { return }
            let id = world.ask(request)
            let deadline = world.now + .seconds(120)
            world.pass { $0.daemon.isKilled || KillTests.isOver($0) || $0.now > deadline }
            let isOver = world.daemon.isKilled || KillTests.isOver(world)
            #expect(isOver, "\(world.daemon.status) \(world.daemon.answers(to: id)) \(trace)")
            if !world.daemon.isKilled { world.pass(.seconds(2)) }
        }

        func expectEverything(at place: String) {
            let ledger = world.daemon.ledger.tables
            let labels = world.camera.card.map(\.label)
            let planned = ledger.frames(of: 1)
            let comment: Comment = "\(place): \(labels) \(trace) \(world.daemon.status)"
            #expect(ledger.shoots.keys.sorted() == [1], comment)
            #expect(ledger.shoots[1]?.outcome == .completed, comment)
            #expect(ledger.shoots[1]?.cause == nil, comment)
            #expect(planned.count == scene.total, comment)
            for frame in planned {
                #expect(frame.outcome == .captured, comment)
                #expect(labels.contains(frame.planned.speed.label), comment)
                if let count = exposed[frame.index] { #expect(self.count(of: frame.planned.speed) == count, comment) }
            }
            #expect(labels.count <= scene.total + kills, comment)
            #expect(Set(labels).count == scene.total, comment)
            expectSound(world, comment)
        }
    }

    @Test(arguments: scenes) func `a kill after every single effect loses no frame`(scene: Scene) throws {
        let ready = try Self.ready(scene)
        let start = Check(scene: scene, world: ready)
        let count = Self.forEachEnd(of: start, { $0.ask(.shoot(scene.plan, streams: true)) }) { check, place in
            check.kill(scene.ends[place % scene.ends.count])
            check.goOn()
            check.expectEverything(at: "\(scene.testDescription), effect \(place)")
        }
        #expect(count > 40)
    }

    /// The files that the first kill left must not count for the frame that the second kill interrupted. One of these
    /// files may be a picture in the body's buffer.
    @Test(arguments: [BodySaveTarget.card, .host])
    func `a kill after every single effect of the recovery from a kill loses no frame`(target: BodySaveTarget) throws {
        let scene = Scene(model: .ilce7M4, saveTarget: target, ends: [.kill])
        var start = Check(scene: scene, world: try Self.ready(scene))
        start.world.ask(.shoot(scene.plan, streams: true))
        let hasTwo = start.world.pass {
            $0.daemon.ledger.tables.frames(of: 1).count { $0.outcome.isCaptured } == 2
        }
        try #require(hasTwo)
        start.kill(.killWithWritesKept)
        start.world.restart()
        start.world.pass { $0.isAtRest }
        try #require(start.world.daemon.state("shooting") == "interrupted")
        let count = Self.forEachEnd(of: start, { $0.ask(.resume) }) { check, place in
            check.kill(place % 2 == 0 ? .kill : .killWithWritesKept)
            check.goOn()
            check.expectEverything(at: "\(scene.testDescription), effect \(place) of the recovery")
        }
        #expect(count > 10)
    }

    /// Ends the process after each effect of the shoot that `begin` begins. Returns the number of effects.
    private static func forEachEnd(
        of start: Check,
        _ begin: (inout World) -> Void,
        _ examine: (inout Check, _ place: Int) -> Void
    ) -> Int {
        var leader = start.world
        begin(&leader)
        var before = start.world
        var isFirst = true
        repeat {
            for place in before.effectCount..<leader.effectCount {
                var check = start
                check.world = before
                check.world.killAfter(effects: place + 1)
                if isFirst { begin(&check.world) }
                let isKilled = check.world.pass { $0.daemon.isKilled }
                #expect(isKilled)
                examine(&check, place)
            }
            isFirst = false
            before = leader
            leader.pass { $0.effectCount > before.effectCount || Self.isOver($0) && $0.daemon.ledger.nextTime == nil }
        } while leader.effectCount > before.effectCount
        #expect(Self.isOver(leader))
        #expect(leader.camera.card.count == start.scene.total)
        return leader.effectCount - start.world.effectCount
    }

    /// Kills the daemon again and again, also during recovery.
    @Test(arguments: 0..<40) func `repeated kills at seeded effects lose no frame`(seed: UInt64) throws {
        let scene = Self.scenes[Int(seed) % Self.scenes.count]
        // Knuth's MMIX generator: the same seed gives the same walk.
        var state = (seed &+ 1) &* 0x9E37_79B9_7F4A_7C15
        func draw(_ bound: UInt64) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % bound)
        }
        var check = Check(scene: scene, world: try Self.ready(scene))
        check.world.killAfter(effects: check.world.effectCount + 1 + draw(60))
        check.world.ask(.shoot(scene.plan, streams: true))
        check.world.pass { $0.daemon.isKilled || Self.isOver($0) }
        for _ in 0..<8 {
            check.kill(End.allCases[draw(4)])
            check.world.killAfter(effects: check.world.effectCount + 1 + draw(80))
            check.goOn()
            guard check.world.daemon.isKilled else { break }
        }
        if check.world.daemon.isKilled {
            check.kill(.kill)
            check.goOn()
        }
        check.expectEverything(at: "seed \(seed), \(scene.testDescription)")
    }
}
