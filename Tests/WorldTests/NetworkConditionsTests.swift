import Bodies
import Cameras
import Controller
import Exposure
import Testing
import Worlds

/// Shoots with bad networks and bad disks, and with cameras whose users interfere.
@Suite struct NetworkConditionsTests {
    private static let identity = InitiatorIdentity(guid: Array(1...16), name: "weather")
    private static let address = CameraAddress(host: "192.0.2.9")
    private static let three = PlanInput(shadow: "1/60", highlight: "1/250", frames: 3, spacing: 1)
    private static let labels = ["1/250", "1/125", "1/60"]
    private static let speeds = "1/1000,1/500,1/250,1/125,1/60,1/30"

    /// One kind of network condition, so frequent that it occurs in a small shoot.
    enum Kind: CaseIterable {
        case late, cut, stalling, resetting, holes, endlessHoles, outages, badOpens, all

        var conditions: NetworkConditions {
            var conditions = NetworkConditions(
                latency: .milliseconds(2) ... .milliseconds(20),
                jitter: .milliseconds(10)
            )
            if self == .late || self == .all {
                conditions.latency = .milliseconds(2) ... .milliseconds(300)
                conditions.jitter = .milliseconds(200)
            }
            if self == .cut || self == .all { conditions.cutsOneIn = 2 }
            if self == .stalling || self == .all {
                conditions.stalls = .init(oneIn: 15, lasts: .milliseconds(200) ... .seconds(7))
            }
            if self == .resetting || self == .all {
                conditions.resets = .init(oneIn: 40, lasts: .zero ... .milliseconds(40))
            }
            if self == .holes || self == .endlessHoles || self == .all {
                conditions.holes = .init(oneIn: 60, lasts: .seconds(1) ... .seconds(30))
                conditions.endlessOneIn = self == .holes ? 0 : 2
            }
            if self == .outages || self == .all {
                conditions.outages = .init(oneIn: 60, lasts: .seconds(1) ... .seconds(30))
            }
            if self == .badOpens || self == .all {
                conditions.refusesOneIn = 3
                conditions.swallowsOneIn = 4
                conditions.lateOpens = .init(oneIn: 3, lasts: .seconds(1) ... .seconds(6))
            }
            return conditions
        }
    }

    private static func world(
        _ conditions: NetworkConditions = .normal,
        seed: UInt64 = 0,
        faults: [String] = [],
        ways: Set<SearchMethod> = [],
        _ change: (inout BodyOptions) -> Void = { _ in }
    ) throws -> World {
        var options = BodyOptions()
        options.speeds = try SpeedListText.parse(speeds)
        options.saveTime = .milliseconds(100)
        options.faults = try faults.map { try Fault(parsing: $0) }
        change(&options)
        let configuration = CoreConfiguration(
            cameraAddress: address,
            identity: identity,
            ledger: .required,
            skippedChecks: ["save-target"],
            search: SearchRules(ways: ways)
        )
        return World(
            core: Core(configuration: configuration),
            camera: SimulatedCamera(model: .ilce7M4, options: options),
            place: .at(address),
            conditions: conditions,
            seed: seed
        )
    }

    private static func isConnected(_ world: borrowing World) -> Bool {
        world.daemon.state("connection") == "connected"
    }

    private static func isOver(_ world: borrowing World) -> Bool {
        world.daemon.core.outcome.map { $0 != .interrupted } ?? false
    }

    /// Requests the shoot, as a user would, until it is accepted and over. Returns whether every frame is captured.
    private static func finish(_ world: inout World, within time: Duration = .seconds(600)) -> Bool {
        let end = world.now + time
        while world.now < end {
            _ = world.advance(to: min(end, world.now + .seconds(60))) { isConnected($0) || isOver($0) }
            if world.daemon.core.outcome == .completed { return true }
            let shooting = world.daemon.state("shooting")
            world.ask(
                shooting == "idle" ? .shoot(three, streams: true) : isOver(world) ? .retry(streams: true) : .resume
            )
            _ = world.advance(to: min(end, world.now + .seconds(60)), until: isOver)
        }
        return world.daemon.core.outcome == .completed
    }

    /// Checks the pictures on the card after a complete shoot: every frame in its order, and at most one more for each
    /// doubt.
    private static func expectCard(_ world: World, _ comment: Comment) {
        var rest = labels[...]
        var extra = 0
        for label in world.camera.card.map(\.label) {
            if label == rest.first { rest.removeFirst() } else { extra += 1 }
        }
        let doubts = world.daemon.journal.count { $0.kind == .shutterInDoubt }
        #expect(rest.isEmpty, "\(comment): \(world.camera.card.map(\.label))")
        #expect(extra <= doubts, "\(comment): \(world.camera.card.map(\.label))")
    }

    @Test(arguments: Kind.allCases, 1...6 as ClosedRange<UInt64>)
    func `a shoot in bad weather that ends is completed`(kind: Kind, seed: UInt64) throws {
        var world = try Self.world(kind.conditions, seed: seed)
        _ = world.advance(to: .seconds(30), until: Self.isConnected)
        world.ask(.shoot(Self.three, streams: true))
        _ = world.advance(to: .seconds(120), until: Self.isOver)
        world.clearNetworkFaults()
        let isWhole = Self.finish(&world)
        #expect(isWhole, "\(kind) \(seed): \(world.daemon.status)")
        Self.expectCard(world, "\(kind) \(seed)")
        #expect(!world.isLivelocked && !world.daemon.isRunaway)
    }

    @Test(arguments: [NetworkConditions.normal, Kind.all.conditions])
    func `the same seed gives the same journal, byte for byte`(conditions: NetworkConditions) throws {
        func run(_ seed: UInt64) throws -> String {
            var world = try Self.world(conditions, seed: seed)
            world.ledger { $0.beSlow(.milliseconds(1) ... .milliseconds(40), seed: seed) }
            _ = world.advance(to: .seconds(30), until: Self.isConnected)
            world.ask(.shoot(Self.three, streams: true))
            world.pass(.seconds(60))
            return "\(world.daemon.journal)\(world.cameraLog)\(world.camera.card)\(world.connectionLog.calls)"
        }
        #expect(try run(4) == run(4))
        if !conditions.isNormal { #expect(try run(4) != run(5)) }
    }

    // MARK: Places and power

    @Test(arguments: [Station.Change.elsewhere(ssid: "HOME"), .noRoute, .apart, .unplugged], [3, 40])
    func `a shoot pauses while the computer is away, and resumes by itself`(way: Station.Change, seconds: Int) throws {
        var world = try Self.world()
        world.moveStation(Station())
        world.pass(until: Self.isConnected)
        world.pass(.seconds(1))
        let id = world.ask(.shoot(Self.three, streams: true))
        world.pass { $0.camera.card.count == 1 }
        world.moveStation(Station(way))
        world.pass(.seconds(seconds))
        #expect(!Self.isOver(world))
        #expect(world.daemon.journal.contains { $0.kind == .shootPaused || $0.kind == .shutterInDoubt })
        world.moveStation(Station())
        world.pass(.seconds(120))
        #expect(world.daemon.progress(of: id).last?.sentence == "3 of 3 exposures captured", "\(world.daemon.status)")
        Self.expectCard(world, "\(way)")
    }

    @Test func `a new address of the computer ends the connection, and the shoot resumes on a new one`() throws {
        var world = try Self.world()
        world.moveStation(Station())
        world.pass(until: Self.isConnected)
        world.pass(.seconds(1))
        world.ask(.shoot(Self.three, streams: true))
        world.pass { $0.camera.card.count == 1 }
        world.moveStation(Station(address: IPAddress(bytes: [192, 0, 2, 78])))
        world.pass(.seconds(150))
        #expect(world.daemon.core.outcome == .completed, "\(world.daemon.status)")
        Self.expectCard(world, "other address")
    }

    @Test(arguments: [1, 10, 60]) func `a removed battery loses no frame once it is back`(seconds: Int) throws {
        var world = try Self.world()
        world.pass(until: Self.isConnected)
        world.ask(.shoot(Self.three, streams: true))
        world.pass { $0.camera.card.count == 1 }
        let calls = world.connectionLog.calls.count
        world.powerOff()
        world.pass(.seconds(seconds))
        #expect(world.cameras[0].isOn == false && world.camera.card.count <= 2)
        world.powerOn()
        let isWhole = Self.finish(&world)
        #expect(isWhole, "\(world.daemon.status)")
        #expect(world.connectionLog.calls.count > calls)
        Self.expectCard(world, "power")
    }

    @Test func `turned dials and a falling battery charge lose no frame`() throws {
        var world = try Self.world()
        world.pass(until: Self.isConnected)
        world.turnDial(to: .program)
        world.pass(.seconds(5))
        #expect(world.daemon.status == "The mode dial is on P. Turn it to M.")
        world.turnDial(to: .manual)
        world.pass(until: Self.isConnected)
        #expect(Self.isConnected(world))
        world.setBattery(percent: 3)
        world.pass(.seconds(30))
        let refused = world.ask(.shoot(Self.three, streams: false))
        world.pass(.seconds(5))
        #expect(world.camera.card.isEmpty, "\(world.daemon.answers(to: refused))")
        world.clearFaults(0)
        world.pass(.seconds(30))
        let isWhole = Self.finish(&world)
        #expect(isWhole, "\(world.daemon.status)")
    }

    // MARK: Faults that end

    /// All example faults of the grammar, and faults that never end by themselves.
    private static let faults =
        FaultGrammar.list.map(\.example) + [
            "never-idle@2", "stuck-buffer@2", "mute@2", "mute@1:press", "mute@2:expose", "drop@1:press,back=1000s",
            "leave@2,back=1000s", "close@2:save,back=1000s", "ignore-sets=1000", "wrong-speed@2=1/30", "busy=1000",
            "busy=open:1000", "init-fail=busy:1000", "init-fail=rejected:1000", "auth-failed=1000",
            "refuse-connect=1000",
            "empty-extinfo=1000", "no-picture@2,times=1000", "fail@2,times=1000", "reject-mode=P", "mode-after=1s:A",
            "mode@2=P", "pairing=1000s", "event-storm=50", "slow-transfer=1kB", "transfer-breaks@2=100,back=1000s",
            "refuse-after-unclean-end=1000s", "refuse-after-unclean-end=1000s:busy", "object-info@1=1000s",
            "stale@2=1000s", "idle-drop=1s", "probe=1s", "ignore-property=shutter-speed", "busy-storm=1000",
            "no-focus@1,times=1000", "jump@2,times=1000",
        ]

    @Test(arguments: faults, [BodySaveTarget.card, .host])
    func `a camera that is healed of any fault completes its shoot`(fault: String, target: BodySaveTarget) throws {
        var world = try Self.world(faults: [fault]) { $0.saveTarget = target }
        _ = world.advance(to: .seconds(30), until: Self.isConnected)
        world.ask(.shoot(Self.three, streams: true))
        _ = world.advance(to: .seconds(100), until: Self.isOver)
        world.clearFaults()
        let isWhole = Self.finish(&world)
        #expect(isWhole, "\(fault): \(world.daemon.status)")
        #expect(Set(world.camera.card.map(\.label)).isSuperset(of: Self.labels), "\(fault)")
        #expect(!world.cameraLog.drop { $0 != "healed" }.contains { $0.hasPrefix("fault:") }, "\(fault)")
        #expect(!world.isLivelocked && !world.daemon.isRunaway)
    }

    // MARK: Bounds

    @Test func `a world in which time does not pass reports that and stops`() throws {
        var world = try Self.world()
        world.instantsMax = 20
        world.pass(.seconds(30))
        #expect(world.isLivelocked)
        let now = world.now
        let goesOn = world.advanceOnce(to: .seconds(1000))
        world.pass(.seconds(1000))
        #expect(!goesOn && world.now == now)
    }

    @Test func `a queue that does not empty is reported, and its rest is dropped`() throws {
        var world = try Self.world()
        world.pass(until: Self.isConnected)
        world.turnsMax = 1
        world.ask(.shoot(Self.three, streams: true))
        world.pass(.seconds(5))
        #expect(world.daemon.isRunaway)
    }
}
