import Statecharts
import Testing

/// Whether active states go together, and a machine as a value that can be compared.
@Suite struct SnapshotTests {
    /// 1 `both` with the regions 2 (3, 4) and 5 (6), beside 7, which is a leaf.
    private static let table = ChartTable<SmallSet>(
        name: "Regions",
        states: [
            StateRow(.root, parent: 0, initial: [1]), StateRow(.parallel, parent: 0),
            StateRow(.compound, parent: 1, initial: [3]), StateRow(.atomic, parent: 2), StateRow(.atomic, parent: 2),
            StateRow(.compound, parent: 1, initial: [6]), StateRow(.atomic, parent: 5), StateRow(.atomic, parent: 0),
        ],
        transitions: [TransitionRow(from: 3, on: .events([0]), to: [4])],
        blocks: [],
        eventCount: 1
    )

    private func isLegal(_ active: Int...) -> Bool {
        var set = SmallSet()
        for state in active { set.insert(state) }
        return Self.table.isLegal(set)
    }

    @Test func `one child of each compound and all of each parallel are legal`() {
        #expect(isLegal(1, 2, 3, 5, 6))
        #expect(isLegal(1, 2, 4, 5, 6))
        #expect(isLegal(7))
    }

    @Test func `two children of a compound are not legal, nor is none`() {
        #expect(!isLegal(1, 2, 3, 4, 5, 6))
        #expect(!isLegal(1, 2, 5, 6))
        #expect(!isLegal(1, 2, 3, 5, 6, 7))
        #expect(!isLegal())
    }

    @Test func `a parallel without one of its regions is not legal`() {
        #expect(!isLegal(1, 2, 3))
        #expect(!isLegal(1))
    }

    @Test func `a state without the states around it is not legal`() {
        #expect(!isLegal(2, 3, 5, 6))
        #expect(!isLegal(1, 3, 5, 6))
    }

    @Test func `a transition belongs to its state`() {
        #expect(Self.table.source(of: 0) == 3)
    }
}
