import Statecharts
import Testing

/// The invariants of a machine between two macrosteps.
@Suite struct ConfigurationTests {
    /// The states are 1 `p` (parallel) with 2 `A` (4 `a2` or 3 `a1`) and 5 `B` (6 `b1`, beside its history 7), and 8
    /// `other`.
    private static let table = ChartTable<SmallSet>(
        name: "judged",
        states: [
            StateRow(.root, parent: 0, initial: [1]),
            StateRow(.parallel, parent: 0),
            StateRow(.compound, parent: 1, initial: [3]),
            StateRow(.atomic, parent: 2),
            StateRow(.atomic, parent: 2),
            StateRow(.compound, parent: 1, initial: [6]),
            StateRow(.atomic, parent: 5),
            StateRow(.shallowHistory, parent: 5, initial: [6]),
            StateRow(.atomic, parent: 0),
        ],
        transitions: [],
        blocks: [],
        eventCount: 0
    )

    private func isLegal(_ states: Int...) -> Bool {
        var set = SmallSet()
        for state in states { set.insert(state) }
        return Self.table.isLegal(set)
    }

    @Test func `one child of each compound and all of each parallel are legal`() {
        #expect(isLegal(1, 2, 3, 5, 6))
        #expect(isLegal(1, 2, 4, 5, 6))
        #expect(isLegal(8))
    }

    @Test func `any other set of states is illegal`() {
        #expect(!isLegal(), "nothing")
        #expect(!isLegal(1, 2, 3, 5, 6, 8), "two children of the root")
        #expect(!isLegal(1, 2, 3, 4, 5, 6), "two children of a compound")
        #expect(!isLegal(1, 2, 5, 6), "no child of a compound")
        #expect(!isLegal(1, 2, 3), "a region is missing")
        #expect(!isLegal(2, 3, 5, 6), "the state around is missing")
        #expect(!isLegal(8, 3), "a child without its parent")
        #expect(!isLegal(1, 2, 3, 5, 6, 7), "a history is never active")
        #expect(!isLegal(8, 40), "no such state")
    }

    @Test func `a machine is in a legal configuration before its start, while it runs and at its end`() throws {
        var chart = try ChartScript(
            """
            <state id="s"><transition event="e" target="over"/><state id="a"/></state>
            <final id="over"/>
            """
        )
        #expect(chart.isConfigurationLegal)
        chart.send("e")
        #expect(!chart.isRunning && chart.isConfigurationLegal)
    }

    @Test func `a state whose timer expired without effect is reported`() throws {
        var chart = try ChartScript(
            """
            <state id="s">
              <onentry><send event="t" id="x" delay="10ms"/></onentry>
              <onexit><cancel sendid="x"/></onexit>
              <transition event="t" cond="isOver" target="over"/><transition event="e" target="over"/>
            </state>
            <state id="over"/>
            """
        )
        #expect(chart.stateWithoutTimer == nil)
        chart.wait(10)
        #expect(chart.stateWithoutTimer == "s")
        chart.send("e")
        #expect(chart.stateWithoutTimer == nil)
    }

    @Test func `a timer that a transition restarts belongs to the state`() throws {
        var chart = try ChartScript(
            """
            <state id="s">
              <onentry><send event="t" id="x" delay="10ms"/></onentry>
              <transition event="t"><send event="t" id="x" delay="10ms"/></transition>
            </state>
            """
        )
        chart.wait(10)
        #expect(chart.stateWithoutTimer == nil && chart.timerWithoutState == nil)
    }

    @Test func `a timer that was not cancelled is reported when its state is exited`() throws {
        var chart = try ChartScript(
            """
            <state id="s"><onentry><send event="t" id="x" delay="10ms"/></onentry>
              <transition event="e" target="over"/></state>
            <state id="over"><transition event="t"/></state>
            """
        )
        #expect(chart.timerWithoutState == nil)
        chart.send("e")
        #expect(chart.timerWithoutState == "x")
        chart.wait(10)
        #expect(chart.timerWithoutState == nil)
    }
}
