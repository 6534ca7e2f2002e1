// Faults around the daemon that were added later, which every sixth world has.

extension Scenario {
    /// These faults are drawn from a stream of their own, so that a world without them is what it was before there were
    /// any. The number is chosen so that the worlds that deliberate bugs and tests name are among those.
    private static let surroundingsSalt: UInt64 = 0x16E9_031B

    mutating func addSurroundings() {
        var chance = SeededGenerator(seed: seed ^ Self.surroundingsSalt)
        guard chance.chance(oneIn: 6), level != .none else { return }
        let first = chance.pick(from: FaultKind.ofSurroundings)
        for kind in FaultKind.ofSurroundings {
            // One at least; with few faults, no more.
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

    private mutating func addFailures(_ chance: inout SeededGenerator) {
        for _ in 0..<chance.next(in: 1...8) {
            let operation = chance.pick(from: DiskOperation.allCases)
            let deed: Deed = chance.chance(oneIn: 2) ? .failLedger(operation) : .failDisk(operation)
            deeds.plan(deed, at: chance.duration(in: .zero...calmFrom))
        }
    }

    private mutating func addClients(_ chance: inout SeededGenerator) {
        for _ in 0..<chance.next(in: 1...3) {
            let deed = Deed.occupy(
                for: .milliseconds(chance.next(in: 100...12_000)),
                tries: chance.next(in: 1...30),
                isOrderly: chance.chance(oneIn: 2)
            )
            deeds.plan(deed, at: chance.duration(in: .zero...calmFrom))
        }
    }
}
