import Bodies
import Controller
import Exposure

/// Draws the actions of users and of chance in a scenario.
struct ActionDraw {
    private var actions = Schedule<ScenarioAction>()
    private var chance: SeededGenerator
    private let plan: PlanInput
    private let end: Duration

    private init(_ plan: PlanInput, until end: Duration, _ chance: SeededGenerator) {
        self.plan = plan
        self.end = end
        self.chance = chance
    }

    static func actions(
        _ kinds: Set<FaultKind>,
        _ plan: PlanInput,
        until end: Duration,
        _ chance: inout SeededGenerator
    ) -> Schedule<ScenarioAction> {
        var draw = ActionDraw(plan, until: end, chance)
        draw.addShoots()
        for kind in kinds.sorted() {
            draw.addUserActions(kind)
            draw.addListWatches(kind)
            draw.addComputer(kind)
        }
        chance = draw.chance
        return draw.actions
    }

    private mutating func some(_ count: ClosedRange<Int>, _ action: (inout SeededGenerator) -> ScenarioAction) {
        for _ in 0..<chance.next(in: count) {
            let action = action(&chance)
            actions.plan(action, at: chance.duration(in: .zero...end))
        }
    }

    private mutating func addShoots() {
        // The daemon connects in one or two seconds. It refuses an earlier request, which the scenario repeats.
        let first = ScenarioAction.ask(.shoot(plan, streams: chance.chance(oneIn: 2), drops: true))
        actions.plan(first, at: .milliseconds(chance.next(in: 1000...4000)))
        let plan = plan
        some(0...2) { _ in .ask(.shoot(plan, streams: true, drops: true)) }
    }

    private mutating func addUserActions(_ kind: FaultKind) {
        switch kind {
        case .pausing:
            some(1...3) { .ask(.pause(withRedo: $0.chance(oneIn: 4))) }
            some(1...3) { _ in .ask(.resume) }
        case .cancelling:
            some(1...2) { _ in .ask(.cancel) }
            some(1...3) { .ask(.retry(streams: $0.chance(oneIn: 2))) }
            some(0...1) { _ in .ask(.dismiss) }
        case .redoing: some(1...3) { _ in .ask(.redo) }
        case .dials:
            some(1...3) { .turnSpeed($0.pick(from: Scenario.shortList)) }
            some(0...2) { .turnMode($0.pick(from: DialMode.allCases)) }
            some(0...2) { _ in .turnMode(.manual) }
        case .battery: some(1...2) { .pullBattery(back: .milliseconds($0.next(in: 100...8000))) }
        case .choosing:
            some(0...2) { _ in .ask(.disconnect) }
            some(1...3) { .ask(.connect($0.pick(from: [.last, .text("192.0.2.9"), .text("192.0.2.10")]))) }
        case .invalidCalls: some(1...5) { .invalidCalls($0.next()) }
        default: break
        }
    }

    private mutating func addListWatches(_ kind: FaultKind) {
        guard kind == .watching else { return }
        let plan = plan
        some(0...2) { _ in .ask(.watch) }
        some(0...2) { _ in .ask(.getCamera) }
        some(0...2) { _ in .ask(.watchCameras) }
        some(0...2) { _ in .ask(.watchPhotos) }
        some(0...3) { _ in .ask(.getStatus) }
        some(0...2) { _ in .ask(.readLedger(.shoots(limit: 5, before: nil))) }
        some(0...2) { _ in .ask(.readLedger(.shoot(1))) }
        some(0...2) { _ in .ask(.preflight(plan)) }
        some(0...1) { _ in .ask(.inspect) }
        some(0...2) { _ in .ask(.plan(plan)) }
        some(0...2) { .ask(.setProperty(name: "iso", value: $0.pick(from: ["100", "200", "auto"]))) }
        some(0...3) { _ in .hangUp }
    }

    private mutating func addComputer(_ kind: FaultKind) {
        switch kind {
        case .ledger: some(1...4) { .ledger(Scenario.diskCondition(&$0), for: .milliseconds($0.next(in: 10...15_000))) }
        case .disk: some(1...4) { .disk(Scenario.diskCondition(&$0), for: .milliseconds($0.next(in: 10...15_000))) }
        case .kills: some(1...3) { Scenario.kill(isPowerCut: false, &$0) }
        case .powerCuts: some(1...2) { Scenario.kill(isPowerCut: true, &$0) }
        case .restarts: some(1...2) { .stop(back: .milliseconds($0.next(in: 100...5000))) }
        case .roaming:
            some(1...3) { .move($0.pick(from: [.elsewhere(ssid: "HOME"), .noRoute, .apart])) }
            some(1...3) { _ in .move(.near) }
        default: break
        }
    }
}
