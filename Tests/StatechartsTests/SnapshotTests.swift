import Statecharts
import Testing

@Suite struct SnapshotTests {
    /// The states are 1 `both` with the regions 2 (3, 4) and 5 (6), and 7, which is a leaf beside `both`.
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

    @Test func `a transition belongs to its state`() {
        #expect(Self.table.source(of: 0) == 3)
    }
}
