import Bodies
import Cameras
import Controller
import Testing
import Worlds

/// Worlds that seeds determine. This suite has only a few; `bracketsim` runs many.
@Suite struct ScenarioTests {
    /// The world of a seed with a Sony body, for which the seeds of these tests were chosen.
    private static func scenario(_ seed: UInt64, _ level: Scenario.Level) -> Scenario {
        Scenario(seed: seed, level: level, makers: [.sony])
    }

    private func run(
        _ seed: UInt64,
        _ level: Scenario.Level,
        isReadable: Bool = false
    ) -> ScenarioRun<DirectChannel>.Outcome {
        let scenario = Self.scenario(seed, level)
        var run = ScenarioRun(scenario, channel: DirectChannel(), isReadable: isReadable)
        return run.finish()
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>, Scenario.Level.allCases)
    func `every rule holds, and frames are fired`(seed: UInt64, level: Scenario.Level) {
        let outcome = run(seed, level)
        #expect(outcome.violation == nil, "\(outcome.violation?.description ?? "")")
        #expect(outcome.shoots > 0 && outcome.exposures > 0)
    }

    /// Tests/Seeds/found.tsv describes the error in each.
    @Test(arguments: FoundSeed.all(of: "settings"))
    func `worlds in which settings or an unrecorded shoot broke a rule have no violation any more`(found: FoundSeed) {
        let outcome = run(found.seed, found.level)
        #expect(outcome.violation == nil, "\(outcome.violation?.description ?? "")")
    }

    /// Tests/Seeds/found.tsv describes the error in each.
    @Test(arguments: FoundSeed.all(of: "picture"))
    func `worlds in which a wrong picture counted for a frame have no violation any more`(found: FoundSeed) {
        let outcome = run(found.seed, found.level)
        #expect(outcome.violation == nil, "\(outcome.violation?.description ?? "")")
    }

    /// Tests/Seeds/found.tsv describes the error in each.
    @Test(arguments: FoundSeed.all(of: "rule"))
    func `worlds in which a rule was broken once have no violation any more`(found: FoundSeed) {
        let scenario = Self.scenario(found.seed, found.level)
        #expect(!scenario.hasButton, "it is another world with a button")
        let later: Set<FaultKind> = [.ioErrors, .otherClients, .damagedLogs]
        #expect(scenario.kinds.isDisjoint(with: later), "it is another world with later faults")
        let outcome = run(found.seed, found.level)
        #expect(outcome.violation == nil, "\(outcome.violation?.description ?? "")")
    }

    /// Tests/Seeds/found.tsv describes the error in each.
    @Test(arguments: FoundSeed.all(of: "range"))
    func `worlds with a bracket that finds its own range have no violation any more`(found: FoundSeed) {
        let outcome = run(found.seed, found.level)
        #expect(outcome.violation == nil, "\(outcome.violation?.description ?? "")")
    }

    /// Tests/Seeds/found.tsv describes the error in each.
    @Test(arguments: FoundSeed.all(of: "sony-http"))
    func `worlds with a Sony body over HTTP in which a rule was broken have no violation any more`(
        found: FoundSeed
    ) throws {
        let makers = [try #require(BodyMaker.named("sony-http"))]
        let scenario = Scenario(seed: found.seed, level: found.level, makers: makers)
        var run = ScenarioRun(scenario, channel: DirectChannel(), isReadable: false)
        let outcome = run.finish()
        #expect(outcome.violation == nil, "\(outcome.violation?.description ?? "")")
    }

    /// A twelfth of the worlds with transfer. Those of mutants and of the other tests are not among them.
    @Test(arguments: [53, 54, 61, 73, 88, 101, 138, 150] as [UInt64])
    func `every rule holds in worlds that draw scenes, and the shoots find their range`(seed: UInt64) {
        let scenario = Self.scenario(seed, .swarm)
        guard scenario.options.scene != nil else { return }
        #expect(scenario.plan.goal != nil)
        var run = ScenarioRun(scenario, channel: DirectChannel())
        let outcome = run.finish()
        #expect(outcome.violation == nil, "\(outcome.violation?.description ?? "")")
        #expect(outcome.shoots > 0 && outcome.exposures > 0)
    }

    @Test func `some worlds draw scenes, and their plans have a goal`() {
        let worlds = (1...400 as ClosedRange<UInt64>).map { Scenario(seed: $0, level: .swarm) }
        let scenes = worlds.filter { $0.options.scene != nil }
        #expect(scenes.count >= 3)
        #expect(scenes.allSatisfy { $0.plan.goal != nil && $0.configuration.transfer.policy != .none })
        #expect(worlds.allSatisfy { ($0.plan.goal != nil) == ($0.options.scene != nil) })
    }

    @Test func `the list of seeds is read in full`() {
        let groups = ["settings", "picture", "rule", "sony-http", "range"]
        #expect(groups.map { FoundSeed.all(of: $0).count } == [8, 14, 27, 9, 1])
    }

    @Test func `two runs of a seed have the same journal, and those of two seeds do not`() throws {
        let first = run(5, .swarm, isReadable: true).transcript
        #expect(first == run(5, .swarm, isReadable: true).transcript)
        // A readable transcript has the same content.
        #expect(first.digest == run(5, .swarm).transcript.digest)
        #expect(try #require(first.text).contains("nothing goes wrong any more"))
        #expect(first.digest != run(6, .swarm, isReadable: true).transcript.digest)
    }

    @Test func `a seed draws the same world again, and without faults it draws none`() {
        #expect(Scenario(seed: 7, level: .swarm).text == Scenario(seed: 7, level: .swarm).text)
        #expect(!Scenario(seed: 7, level: .swarm).kinds.isEmpty)
        #expect(Scenario(seed: 7, level: .none).kinds.isEmpty)
    }

    @Test func `another maker in the table does not change the worlds of the present makers`() {
        var other = BodyMaker.sony
        other.name = "other"
        let drawn = (1...40 as ClosedRange<UInt64>).map { seed in
            (Self.scenario(seed, .swarm), Scenario(seed: seed, level: .swarm, makers: [.sony, other]))
        }
        let same = drawn.filter { $0.1.maker.name == "sony" }
        #expect((10...30).contains(same.count))
        #expect(same.allSatisfy { $0.0.text == $0.1.text })
    }

    @Test func `a fourth maker takes its share of the worlds, and the others stay the same`() {
        let drawn = (1...300 as ClosedRange<UInt64>).map { seed in
            (
                Scenario(seed: seed, level: .swarm, makers: [.sony, .canon, .nikon]),
                Scenario(seed: seed, level: .swarm, makers: [.sony, .canon, .nikon, .sonyHTTP])
            )
        }
        let changed = drawn.filter { $0.1.maker.name == "sony-http" }
        #expect((50...100).contains(changed.count), "\(changed.count)")
        #expect(drawn.allSatisfy { $0.1.maker.name == "sony-http" || $0.0.text == $0.1.text })
        // Worlds draw only bodies with which a bracket can be fired.
        #expect(!changed.contains { $0.1.model.shortName == "nex-6-preinstalled" })
    }

    @Test func `every third world has a button with presses and holds`() {
        let worlds = (1...300 as ClosedRange<UInt64>).map { Scenario(seed: $0, level: .some) }
        let buttons = worlds.filter(\.hasButton)
        #expect((70...130).contains(buttons.count), "\(buttons.count)")
        #expect(buttons.allSatisfy { $0.text.contains("press(for: ") })
        #expect(!worlds.contains { !$0.hasButton && $0.text.contains("press(for: ") })
        #expect(!(1...300).contains { Scenario(seed: $0, level: .none).hasButton })
    }

    @Test(arguments: [9, 12, 13, 20, 23, 29] as [UInt64])
    func `every rule holds in worlds with a button`(seed: UInt64) {
        #expect(Scenario(seed: seed, level: .swarm).hasButton)
        let outcome = run(seed, .swarm)
        #expect(outcome.violation == nil, "\(outcome.violation?.description ?? "")")
        #expect(outcome.shoots > 0 && outcome.exposures > 0)
    }

    // MARK: Other makers

    @Test(arguments: 1...8 as ClosedRange<UInt64>, Scenario.Level.allCases)
    func `every rule holds in worlds with a Canon body`(seed: UInt64, level: Scenario.Level) {
        expectFrames(in: Scenario(seed: seed, level: level, makers: [.canon]))
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>, Scenario.Level.allCases)
    func `every rule holds in worlds with a Nikon body`(seed: UInt64, level: Scenario.Level) {
        expectFrames(in: Scenario(seed: seed, level: level, makers: [.nikon]))
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>, Scenario.Level.allCases)
    func `every rule holds in worlds with a Sony body with HTTP`(seed: UInt64, level: Scenario.Level) {
        expectFrames(in: Scenario(seed: seed, level: level, makers: [.sonyHTTP]))
    }

    private func expectFrames(in scenario: Scenario) {
        var run = ScenarioRun(scenario, channel: DirectChannel())
        let outcome = run.finish()
        #expect(outcome.violation == nil, "\(outcome.violation?.description ?? "")")
        #expect(outcome.shoots > 0 && outcome.exposures > 0)
    }

    /// Each seed once broke a rule: a late value, a counter before the end of an exposure, an old list.
    @Test(arguments: [268, 365, 774, 980, 2737, 5550] as [UInt64])
    func `a seed that found a flaw of Canon's part breaks no rule`(seed: UInt64) {
        var run = ScenarioRun(Scenario(seed: seed, level: .swarm, makers: [.canon]), channel: DirectChannel())
        let outcome = run.finish()
        #expect(outcome.violation == nil, "\(outcome.violation?.description ?? "")")
    }

    /// Each seed once broke a rule: a write without a reading, a dial turned before the press, a save target that was
    /// not changed, a late counter.
    @Test(arguments: [248, 268, 783, 795, 958, 1303, 2353, 3920, 5220] as [UInt64])
    func `a swarm seed that found a flaw of Nikon's part breaks no rule`(seed: UInt64) {
        expectNoViolation(in: Scenario(seed: seed, level: .swarm, makers: [.nikon]))
    }

    @Test(arguments: [20, 3190, 3831, 4504] as [UInt64])
    func `a seed with few faults that found a flaw of Nikon's part breaks no rule`(seed: UInt64) {
        expectNoViolation(in: Scenario(seed: seed, level: .some, makers: [.nikon]))
    }

    private func expectNoViolation(in scenario: Scenario) {
        var run = ScenarioRun(scenario, channel: DirectChannel())
        let outcome = run.finish()
        #expect(outcome.violation == nil, "\(outcome.violation?.description ?? "")")
    }

    @Test func `each maker has an equal share of the worlds, with bodies of every model`() {
        let worlds = (1...600 as ClosedRange<UInt64>).map { Scenario(seed: $0, level: .some) }
        for maker in BodyMaker.all {
            let own = worlds.filter { $0.maker.name == maker.name }
            let share = worlds.count / BodyMaker.all.count
            #expect((share * 3 / 4...share * 5 / 4).contains(own.count), "\(maker.name): \(own.count)")
            #expect(Set(own.map(\.model.shortName)) == Set(maker.models.filter(\.firesBrackets).map(\.shortName)))
        }
    }

    @Test(arguments: ["canon", "nikon", "sony-http"])
    func `a third of the worlds of a maker with own faults has some of them`(name: String) throws {
        let maker = try #require(BodyMaker.named(name))
        let worlds = (1...300 as ClosedRange<UInt64>).map { Scenario(seed: $0, level: .some, makers: [maker]) }
        let drawFault = try #require(maker.drawFault)
        var chance = SeededGenerator(seed: 1)
        // The values of a fault differ between draws, its case does not.
        let own = Set((0..<300).map { _ in Self.name(of: drawFault(&chance)) })
        #expect(own.count > 4)
        let affected = worlds.filter { world in world.options.faults.contains { own.contains(Self.name(of: $0)) } }
        #expect((60...150).contains(affected.count), "\(affected.count)")
    }

    private static func name(of fault: Fault) -> Substring { "\(fault)".prefix { $0 != "(" } }

    // MARK: Faults that were added later

    /// Seeds in whose worlds a disk fails once, or another client uses the camera.
    private static let later = (1...120 as ClosedRange<UInt64>).filter { seed in
        !Scenario(seed: seed, level: .swarm).kinds.isDisjoint(with: [.ioErrors, .otherClients])
    }

    @Test func `each kind of faults that was added later is in a sixth of the worlds, and in no others`() {
        let scenarios = (1...600 as ClosedRange<UInt64>).map { Scenario(seed: $0, level: .some) }
        let errors = scenarios.filter { $0.kinds.contains(.ioErrors) }
        let clients = scenarios.filter { $0.kinds.contains(.otherClients) }
        #expect((30...70).contains(errors.count) && (30...70).contains(clients.count))
        #expect(errors.allSatisfy { $0.text.contains("failLedger(") || $0.text.contains("failDisk(") })
        #expect(clients.allSatisfy { $0.text.contains("occupy(") })
        for scenario in scenarios where scenario.kinds.isDisjoint(with: [.ioErrors, .otherClients]) {
            #expect(!scenario.text.contains("occupy(") && !scenario.text.contains("failLedger("))
        }
        #expect(!(1...300).contains { !Scenario(seed: $0, level: .none).kinds.isEmpty })
    }

    @Test(arguments: later.prefix(8))
    func `every rule holds in worlds with the later kinds of faults`(seed: UInt64) {
        let outcome = run(seed, .swarm)
        #expect(outcome.violation == nil, "\(outcome.violation?.description ?? "")")
        #expect(outcome.shoots > 0 && outcome.exposures > 0)
    }

    // MARK: Damaged logs

    @Test func `every twelfth world with a ledger has a damaged log, and is otherwise the same as without`() {
        let worlds = (1...1200 as ClosedRange<UInt64>).map { Scenario(seed: $0, level: .some) }
        let damaged = worlds.filter { $0.kinds.contains(.damagedLogs) }
        #expect((50...120).contains(damaged.count), "\(damaged.count)")
        #expect(damaged.allSatisfy { $0.configuration.ledger != .off && $0.text.contains("damageLog(") })
        #expect(!worlds.contains { !$0.kinds.contains(.damagedLogs) && $0.text.contains("damageLog(") })
        #expect(!(1...300).contains { Scenario(seed: $0, level: .none).kinds.contains(.damagedLogs) })
    }

    private static let damaged = (1...300 as ClosedRange<UInt64>).filter { seed in
        Scenario(seed: seed, level: .swarm).kinds.contains(.damagedLogs)
    }

    @Test(arguments: damaged.prefix(8))
    func `every rule holds in worlds with a damaged log`(seed: UInt64) {
        let outcome = run(seed, .swarm)
        #expect(outcome.violation == nil, "\(outcome.violation?.description ?? "")")
        #expect(outcome.shoots > 0)
    }
}
