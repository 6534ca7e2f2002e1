import Bodies
import Cameras
import Controller

// Later additions, each from its own stream. A sixth of the worlds has `ioErrors`, `otherClients` or both. A twelfth of
// the worlds with a ledger has damaged logs. A quarter of the worlds with transfer makes RAW+JPEG.

extension Scenario {
    /// These faults have their own stream, so that a world without them stays as it was. With this number, the worlds
    /// that mutants and tests name are among those.
    private static let surroundingsSalt: UInt64 = 0x16E9_031B

    private static let formatSalt: UInt64 = 0x26f1

    /// In a quarter of the worlds with transfer, each picture is a RAW and a JPEG file.
    mutating func addFormat() {
        var chance = SeededGenerator(seed: seed ^ Self.formatSalt)
        guard chance.chance(oneIn: 4), configuration.transfer.policy != .none else { return }
        options.fileFormat = .rawAndJPEG
    }

    mutating func addSurroundings() {
        var chance = SeededGenerator(seed: seed ^ Self.surroundingsSalt)
        guard chance.chance(oneIn: 6), level != .none else { return }
        let first = chance.pick(from: FaultKind.ofSurroundings)
        for kind in FaultKind.ofSurroundings {
            // At least one; with few faults, no more.
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

    /// Another stream: the worlds without a damaged log stay as they were.
    private static let damageSalt: UInt64 = 0x24D4_3A6E_D106

    /// Every twelfth world with a ledger has a log that is damaged, once or twice, while no daemon runs.
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
