import Bodies
import Cameras
import Controller

// Faults and formats that were added later. Each has a separate random stream. A sixth of the worlds has `ioErrors`,
// `otherClients` or both. A twelfth of the worlds with a ledger has damaged logs. A quarter of the worlds with transfer
// makes RAW+JPEG. A third of the worlds of a maker with own faults has one or two of them.

extension Scenario {
    /// A separate random stream for these faults: worlds without them stay the same. With this salt, the worlds in
    /// mutants and tests have none of these faults.
    private static let surroundingsSalt: UInt64 = 0x16E9_031B

    private static let formatSalt: UInt64 = 0x26f1

    /// Gives each picture a RAW and a JPEG file, in a quarter of the worlds with transfer.
    mutating func addFormat() {
        var chance = SeededGenerator(seed: seed ^ Self.formatSalt)
        guard chance.chance(oneIn: 4), configuration.transfer.policy != .none else { return }
        options.fileFormat = .rawAndJPEG
    }

    /// A separate random stream for the faults that only one maker's bodies have.
    private static let makerFaultSalt: UInt64 = 0x26C0_FA17

    mutating func addMakerFaults() {
        var chance = SeededGenerator(seed: seed ^ Self.makerFaultSalt)
        guard let drawFault = maker.drawFault, chance.chance(oneIn: 3), level != .none else { return }
        for _ in 0..<chance.next(in: 1...2) { options.faults.append(drawFault(&chance)) }
    }

    mutating func addSurroundings() {
        var chance = SeededGenerator(seed: seed ^ Self.surroundingsSalt)
        guard chance.chance(oneIn: 6), level != .none else { return }
        let first = chance.pick(from: FaultKind.ofSurroundings)
        for kind in FaultKind.ofSurroundings {
            // At least one kind is drawn, and at the level `some` exactly one.
            let isDrawn = kind == first || level == .swarm && chance.chance(oneIn: 2)
            guard isDrawn else { continue }
            kinds.insert(kind)
            switch kind {
            case .ioErrors: addFailures(&chance)
            case .otherClients: addClients(&chance)
            default: preconditionFailure("\(kind) is not drawn here")
            }
        }
    }

    /// A separate random stream for damaged logs: worlds without a damaged log stay the same.
    private static let damageSalt: UInt64 = 0x24D4_3A6E_D106

    /// Draws a damaged log in every twelfth world with a ledger. The damage happens once or twice, when the daemon is
    /// killed.
    mutating func addDamage() {
        var chance = SeededGenerator(seed: seed ^ Self.damageSalt)
        guard chance.chance(oneIn: 12), level != .none, configuration.ledger != .off else { return }
        kinds.insert(.damagedLogs)
        for _ in 0..<chance.next(in: 1...2) {
            let time = chance.duration(in: .zero...calmFrom)
            actions.plan(.damageLog(commits: chance.next(in: 1...8)), at: time)
            actions.plan(Self.kill(isPowerCut: chance.chance(oneIn: 3), &chance), at: time)
        }
    }

    private mutating func addFailures(_ chance: inout SeededGenerator) {
        for _ in 0..<chance.next(in: 1...8) {
            let operation = chance.pick(from: DiskOperation.allCases)
            let action: ScenarioAction = chance.chance(oneIn: 2) ? .failLedger(operation) : .failDisk(operation)
            actions.plan(action, at: chance.duration(in: .zero...calmFrom))
        }
    }

    private mutating func addClients(_ chance: inout SeededGenerator) {
        for _ in 0..<chance.next(in: 1...3) {
            let action = ScenarioAction.occupy(
                for: .milliseconds(chance.next(in: 100...12_000)),
                tries: chance.next(in: 1...30),
                isOrderly: chance.chance(oneIn: 2)
            )
            actions.plan(action, at: chance.duration(in: .zero...calmFrom))
        }
    }
}
