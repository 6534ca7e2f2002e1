import Bodies
import Cameras
import Controller
import Exposure

extension Scenario {
    /// A separate random stream for the maker of a seed's body. When a maker is added at the end of the table, it takes
    /// its share of the worlds, and the others stay the same.
    private static let makerSalt: UInt64 = 0x4D41_4B45

    private static func maker(of seed: UInt64, _ makers: [BodyMaker]) -> BodyMaker {
        var chance = SeededGenerator(seed: seed ^ makerSalt)
        // The first three makers are drawn as they were when there were three.
        var maker = chance.pick(from: makers.prefix(3))
        for (number, other) in makers.enumerated().dropFirst(3) where chance.chance(oneIn: number + 1) { maker = other }
        return maker
    }

    /// Draws the scenario of a seed, with a body of one of these makers.
    package init(seed: UInt64, level: Level, makers: [BodyMaker] = BodyMaker.all) {
        var chance = SeededGenerator(seed: seed)
        self.seed = seed
        self.level = level
        kinds = Self.kinds(level, &chance)
        maker = Self.maker(of: seed, makers)
        var model = chance.pick(from: maker.models.filter(\.firesBrackets))
        calmFrom = .milliseconds(chance.next(in: 3000...30_000))
        let frames = chance.chance(oneIn: 8) ? 5 : 3
        plan = Self.plan(frames: frames, &chance)
        options = Self.options(&model, kinds, frames: frames, &chance)
        self.model = model
        configuration = Self.configuration(kinds, Self.address(of: model), maker.discovery, &chance)
        if let scene = Self.scene(of: seed, kinds, configuration.transfer.policy) {
            options.scene = scene.eye
            options.pictureSize = nil
            plan = scene.plan
        }
        conditions = Self.conditions(kinds, &chance)
        isNetworkReported = configuration.cameraAddress == nil || kinds.contains(.roaming) || chance.chance(oneIn: 2)
        worldSeed = chance.next()
        actions = ActionDraw.actions(kinds, plan, until: calmFrom, &chance)
        addButton()
        addSurroundings()
        addDamage()
        addFormat()
        addMakerFaults()
    }

    private static func kinds(_ level: Level, _ chance: inout SeededGenerator) -> Set<FaultKind> {
        switch level {
        case .none: return []
        case .some:
            return Set((0..<chance.next(in: 1...2)).map { _ in chance.pick(from: FaultKind.ofSeed) })
        case .swarm:
            // A few kinds of faults together find other errors than many kinds.
            let share = chance.next(in: 1...5)
            return Set(FaultKind.ofSeed.filter { _ in chance.next(below: 10) < share })
        }
    }

    // MARK: Plan and body

    static func plan(frames: Int, _ chance: inout SeededGenerator) -> PlanInput {
        // The exposures are short. Tests have their own scenarios for long exposures.
        let bright = chance.pick(from: ["1/1000", "1/500", "1/250", "1/125"])
        let dark = chance.pick(from: ["1/60", "1/30", "1/15", "1/8", "1/250"])
        var plan = PlanInput(shadow: dark, highlight: bright, frames: frames, spacing: chance.pick(from: [1, 2, 1.5]))
        switch chance.next(below: 12) {
        // The plan has an exposure that is long enough for noise reduction.
        case 0: plan = PlanInput(shadow: "2\"", highlight: "2\"", frames: 3, spacing: 1)
        case 1: plan.shareOnce = true
        case 2: plan = PlanInput(shadow: "1\"", highlight: "1/4", frames: 3, spacing: 1)
        default: break
        }
        return plan
    }

    private static func options(
        _ model: inout BodyModel,
        _ kinds: Set<FaultKind>,
        frames: Int,
        _ chance: inout SeededGenerator
    ) -> BodyOptions {
        var options = BodyOptions()
        if model.takesSpeedList { options.speeds = shortList }
        options.saveTime = .milliseconds(chance.next(in: 20...1500))
        options.readbackDelay = .milliseconds(chance.next(in: 20...800))
        options.slotHold = .milliseconds(chance.next(in: 0...3000))
        options.saveTarget = chance.pick(from: [.card, .card, .host, .both])
        options.noiseReduction = chance.chance(oneIn: 4)
        options.pictureSize = chance.chance(oneIn: 4) ? chance.next(in: 1000...200_000) : nil
        model = model.varied(model, &chance)
        options.faults = kinds.sorted().flatMap { faults($0, frames: frames, &chance) }
        return options
    }

    /// The speeds of the plans and a few others. The list is short, because each answer with properties contains it.
    private static let shortLabels: Set = [
        "1/1000", "1/500", "1/250", "1/200", "1/125", "1/60", "1/30", "1/15", "1/8", "1/4", "1/2", "1\"",
        "2\"",
    ]
    static let shortList = ShutterSpeed.all.filter { shortLabels.contains($0.label) }

    private static func configuration(
        _ kinds: Set<FaultKind>,
        _ address: CameraAddress,
        _ discovery: DiscoveryTable,
        _ chance: inout SeededGenerator
    ) -> CoreConfiguration {
        let policy: TransferPolicy = chance.pick(from: [.none, .none, .jpeg, .both])
        // Worlds have no SSDP, so only a scan finds a body.
        let isSearched = chance.chance(oneIn: 12) && discovery.isScanned(address.port)
        return CoreConfiguration(
            cameraAddress: isSearched ? nil : address,
            identity: identity,
            transfer: TransferConfiguration(policy: policy, firesSuspectsAgain: chance.chance(oneIn: 3)),
            ledger: chance.pick(from: [.required, .required, .required, .bestEffort, .off]),
            resumesByItself: chance.chance(oneIn: 3),
            // The simulated card stores every frame, even if the save target is the host.
            skippedChecks: policy == .none ? ["save-target"] : [],
            search: SearchRules(ways: isSearched ? [.scan, .known] : [])
        )
    }

    private static func conditions(_ kinds: Set<FaultKind>, _ chance: inout SeededGenerator) -> NetworkConditions {
        guard !kinds.isDisjoint(with: FaultKind.conditions) else { return .normal }
        var conditions = NetworkConditions(latency: .milliseconds(1) ... .milliseconds(chance.next(in: 2...60)))
        for kind in kinds.sorted() {
            let oneIn = chance.next(in: 20...400)
            switch kind {
            case .jitter: conditions.jitter = .milliseconds(chance.next(in: 1...200))
            case .pieces:
                conditions.cutsOneIn = chance.next(in: 1...20)
                conditions.pieces = 1...chance.next(in: 1...500)
            case .stalls:
                let longest = Duration.milliseconds(chance.next(in: 300...9000))
                conditions.stalls = .init(oneIn: oneIn, lasts: .milliseconds(200)...longest)
            case .resets: conditions.resets = .init(oneIn: oneIn * 2, lasts: .zero ... .milliseconds(400))
            case .blackholes:
                conditions.holes = .init(oneIn: oneIn * 4, lasts: .seconds(1) ... .seconds(chance.next(in: 2...40)))
                conditions.endlessOneIn = chance.next(in: 0...3)
                conditions.outages = .init(oneIn: oneIn * 6, lasts: .seconds(1) ... .seconds(chance.next(in: 2...30)))
                conditions.swallowsOneIn = chance.next(in: 0...6)
                conditions.refusesOneIn = chance.next(in: 0...6)
                conditions.lateOpens = .init(oneIn: 4, lasts: .seconds(1) ... .seconds(7))
            default: break
            }
        }
        return conditions
    }

    // MARK: Actions

    static func diskCondition(_ chance: inout SeededGenerator) -> DiskCondition {
        switch chance.next(below: 3) {
        case 0: .full
        case 1: .silent
        default: .slow(.milliseconds(chance.next(in: 1...3000)))
        }
    }

    static func kill(isPowerCut: Bool, _ chance: inout SeededGenerator) -> ScenarioAction {
        .kill(
            after: chance.next(below: 40),
            isPowerCut: isPowerCut,
            writesPending: chance.chance(oneIn: 2),
            back: .milliseconds(chance.next(in: 100...3000))
        )
    }
}

extension Set<FaultKind> {
    /// The kinds in the order of their declaration, because the order of a set differs between processes.
    func sorted() -> [FaultKind] { FaultKind.allCases.filter(contains) }
}
