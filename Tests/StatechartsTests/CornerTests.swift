import Statecharts
import Testing

/// Tests C1 to C16, which are common errors of implementations.
@Suite struct CornerTests {
    @Test func `C1 a region's external transition exits the whole parallel and resets its siblings`() throws {
        var chart = try ChartScript(
            """
            <parallel id="p">
              <state id="A"><transition event="f" target="a1"/>
                <state id="a1"><transition event="e" target="a2"/></state><state id="a2"/></state>
              <state id="B"><state id="b1"><transition event="e" target="b2"/></state><state id="b2"/></state>
            </parallel>
            """
        )
        chart.send("e")
        #expect(chart.send("f") == ["-b2", "-B", "-a2", "-A", "-p", "+p", "+A", "+a1", "+B", "+b1"])
    }

    @Test func `C1 an internal transition of a region keeps the siblings`() throws {
        var chart = try ChartScript(
            """
            <parallel id="p">
              <state id="A"><transition event="f" type="internal" target="a1"/>
                <state id="a1"><transition event="e" target="a2"/></state><state id="a2"/></state>
              <state id="B"><state id="b1"><transition event="e" target="b2"/></state><state id="b2"/></state>
            </parallel>
            """
        )
        chart.send("e")
        #expect(chart.send("f") == ["-a2", "+a1"])
        #expect(chart.configuration == ["a1", "b2"])
    }

    @Test func `the main state is the first of the active leaves, of a machine that stopped too`() throws {
        var chart = try ChartScript(
            """
            <parallel id="p"><transition event="f" target="over"/>
              <state id="A"><state id="a1"><transition event="e" target="a2"/></state><state id="a2"/></state>
              <state id="B"><state id="b1"/></state>
            </parallel>
            <final id="over"/>
            """
        )
        #expect(chart.mainStates == ["a1", "a1"])
        chart.send("e")
        #expect(chart.mainStates == ["a2", "a2"])
        chart.send("f")
        #expect(chart.mainStates == ["over", "over"])
    }

    @Test func `C2 transitions without target never conflict`() throws {
        var chart = try ChartScript(
            """
            <parallel id="p"><transition event="e"><bd:do action="outer"/></transition>
              <state id="A"><transition event="e"><bd:do action="inner"/></transition></state>
              <state id="B"/>
            </parallel>
            """
        )
        #expect(chart.send("e") == ["do inner", "do outer"])
    }

    @Test func `C3 a child's transition without target keeps the event from its parent`() throws {
        var chart = try ChartScript(
            """
            <state id="p"><transition event="e" target="out"/>
              <state id="a"><transition event="e"/><transition event="f" target="b"/></state><state id="b"/></state>
            <state id="out"/>
            """
        )
        #expect(chart.send("e").isEmpty)
        chart.send("f")
        chart.send("e")
        #expect(chart.configuration == ["out"])
    }

    @Test func `C3 another region's leaf can still choose the parent's transition`() throws {
        var chart = try ChartScript(
            """
            <parallel id="p"><transition event="e" target="out"/>
              <state id="A"><transition event="e"/></state><state id="B"/></parallel>
            <state id="out"/>
            """
        )
        chart.send("e")
        #expect(chart.configuration == ["out"])
    }

    @Test func `C4 a later, deeper transition preempts only the transitions that conflict with it`() throws {
        // The leaf in A selects the outer transition. The leaf in C selects a deeper one, which preempts it but not the
        // one in B.
        var chart = try ChartScript(
            """
            <parallel id="p"><transition event="e" target="out"/>
              <state id="A"><state id="a1"/></state>
              <state id="B"><state id="b1"><transition event="e" target="b2"/></state><state id="b2"/></state>
              <state id="C"><state id="c1"><transition event="e" target="c2"/></state><state id="c2"/></state>
            </parallel>
            <state id="out"/>
            """
        )
        chart.send("e")
        #expect(chart.configuration == ["a1", "b2", "c2"])
    }

    @Test func `C4 a preempted transition preempts none`() throws {
        // The transition in A is kept first. It exits the parallel and so preempts the inner transition in q. Therefore
        // the outer transition of q is not selected either.
        var chart = try ChartScript(
            """
            <parallel id="p">
              <state id="A"><state id="a1"><transition event="e" target="out"/></state></state>
              <parallel id="q"><transition event="e" target="other"/>
                <state id="B"><state id="b1"/></state>
                <state id="C"><state id="c1"><transition event="e" target="c2"/></state><state id="c2"/></state>
              </parallel>
            </parallel>
            <state id="out"/><state id="other"/>
            """
        )
        chart.send("e")
        #expect(chart.configuration == ["out"])
    }

    @Test func `C5 a deep history does not reenter states that were never exited`() throws {
        var chart = try ChartScript(
            """
            <state id="top"><onentry><bd:do action="top"/></onentry>
              <history id="h" type="deep"><transition target="a1"/></history>
              <state id="A"><onentry><bd:do action="A"/></onentry>
                <state id="a1"><transition event="e" target="a2"/></state>
                <state id="a2"><transition event="f" target="h"/></state>
              </state>
              <transition event="g" target="away"/>
            </state>
            <state id="away"><transition event="g" target="h"/></state>
            """
        )
        chart.send("e")
        chart.send("g")
        #expect(chart.send("g") == ["-away", "+top", "do top", "+A", "do A", "+a2"])
        // The transition starts inside its domain A. A contains the history, so neither top nor A is exited or entered.
        #expect(chart.send("f") == ["-a2", "+a2"])
    }

    @Test func `C6 done events propagate through nested parallels`() throws {
        var chart = try ChartScript(
            """
            <parallel id="outer">
              <parallel id="inner">
                <state id="A"><state id="a1"><transition event="e" target="af"/></state><final id="af"/></state>
                <state id="B"><final id="bf"/></state>
              </parallel>
              <state id="C"><final id="cf"/></state>
              <transition event="done.state.outer" target="after"/>
            </parallel>
            <state id="after"/>
            """
        )
        #expect(
            chart.send("e").prefix(5) == [
                "-a1", "+af", "raise done.state.A", "raise done.state.inner", "raise done.state.outer",
            ]
        )
        #expect(chart.configuration == ["after"])
    }

    @Test func `C7 a region with a target does not enter its default too`() throws {
        var chart = try ChartScript(
            """
            <state id="s"><transition event="e" target="b2 a2"/></state>
            <parallel id="p">
              <state id="A"><state id="a1"><onentry><bd:do action="wrong"/></onentry></state><state id="a2"/></state>
              <state id="B"><state id="b1"><onentry><bd:do action="wrong"/></onentry></state><state id="b2"/></state>
            </parallel>
            """
        )
        #expect(chart.send("e") == ["-s", "+p", "+A", "+a2", "+B", "+b2"])
    }

    @Test func `C8 internal has no effect on a leaf, on a parallel and with the source as target`() throws {
        var chart = try ChartScript(
            """
            <parallel id="p"><transition event="f" type="internal" target="a1"/>
              <state id="A"><transition event="g" type="internal" target="A"/>
                <state id="a1"><transition event="e" type="internal" target="a1"/></state></state>
              <state id="B"/>
            </parallel>
            """
        )
        #expect(chart.send("e") == ["-a1", "+a1"])
        #expect(chart.send("f") == ["-B", "-a1", "-A", "-p", "+p", "+A", "+a1", "+B"])
        #expect(chart.send("g") == ["-B", "-a1", "-A", "-p", "+p", "+A", "+a1", "+B"])
    }

    @Test func `C9 shallow history records the child, deep history the leaf`() throws {
        let body = """
            <state id="p"><history id="h" type="TYPE"><transition target="A"/></history>
              <state id="A"><state id="a1"/></state>
              <state id="B"><state id="b1"><transition event="e" target="b2"/></state><state id="b2"/></state>
              <transition event="f" target="b1"/><transition event="g" target="away"/>
            </state>
            <state id="away"><transition event="g" target="h"/></state>
            """
        for (type, remembered) in [("shallow", "b1"), ("deep", "b2")] {
            var chart = try ChartScript(body.replacing("TYPE", with: type))
            chart.send("f")
            chart.send("e")
            chart.send("g")
            chart.send("g")
            #expect(chart.configuration == [remembered], "\(type)")
        }
    }

    @Test func `C9 default content runs after the parent's entry and before the child's`() throws {
        var chart = try ChartScript(
            """
            <state id="s"><transition event="e" target="h"/></state>
            <state id="p"><onentry><bd:do action="parent"/></onentry>
              <history id="h"><transition target="a"><bd:do action="nothingRemembered"/></transition></history>
              <state id="x"/><state id="a"><onentry><bd:do action="child"/></onentry></state>
              <transition event="f" target="s"/>
            </state>
            """
        )
        #expect(chart.send("e") == ["-s", "+p", "do parent", "do nothingRemembered", "+a", "do child"])
        chart.send("f")
        #expect(chart.send("e") == ["-s", "+p", "do parent", "+a", "do child"])
    }

    @Test func `C9 default content does not run when the parent is active already`() throws {
        var chart = try ChartScript(
            """
            <state id="p"><transition event="e" type="internal" target="h"/>
              <history id="h"><transition target="b"><bd:do action="wrong"/></transition></history>
              <state id="a"/><state id="b"/></state>
            """
        )
        #expect(chart.send("e") == ["-a", "+b"])
    }

    @Test func `C9 a history records the states that were active before any onexit`() throws {
        var chart = try ChartScript(
            """
            <state id="p">
              <history id="h" type="deep"><transition target="a1"/></history>
              <parallel id="q">
                <state id="A"><state id="a1"><transition event="e" target="a2"/></state><state id="a2"/></state>
                <state id="B"><state id="b1"><transition event="e" target="b2"/></state><state id="b2"/></state>
              </parallel>
              <transition event="g" target="away"/>
            </state>
            <state id="away"><transition event="g" target="h"/></state>
            """
        )
        chart.send("e")
        chart.send("g")
        #expect(chart.send("g") == ["-away", "+p", "+q", "+A", "+a2", "+B", "+b2"])
    }

    @Test func `C10 contents run in the order of the leaves that selected them`() throws {
        // The transition of the parallel is first in the document, but the leaf of the second region selects it.
        var chart = try ChartScript(
            """
            <parallel id="p"><transition event="e"><bd:do action="parallel"/></transition>
              <state id="A"><transition event="e"><bd:do action="region"/></transition></state>
              <state id="B"/>
            </parallel>
            """
        )
        #expect(chart.send("e") == ["do region", "do parallel"])
    }

    @Test func `C11 done.state matches every finished state`() throws {
        var chart = try ChartScript(
            """
            <state id="p"><transition event="done.state" target="after"/>
              <state id="a"><transition event="e" target="f"/></state><final id="f"/></state>
            <state id="after"/>
            """
        )
        chart.send("e")
        #expect(chart.configuration == ["after"])
    }

    @Test func `C12 a raised event precedes an earlier sent event`() throws {
        var chart = try ChartScript(
            """
            <state id="a"><transition event="e" target="b"><send event="s"/><raise event="r"/></transition></state>
            <state id="b"><transition event="s" target="wrong"/><transition event="r" target="c"/></state>
            <state id="c"><transition event="s" target="right"/></state>
            <state id="wrong"/><state id="right"/>
            """
        )
        chart.send("e")
        #expect(chart.configuration == ["right"])
    }

    @Test func `C13 of two timers due at the same time the first may cancel the second`() throws {
        var chart = try ChartScript(
            """
            <state id="a">
              <onentry><send event="t.one" id="one" delay="10ms"/><send event="t.two" id="two" delay="10ms"/></onentry>
              <transition event="t.one"><cancel sendid="two"/></transition>
              <transition event="t.two" target="wrong"/>
            </state>
            <state id="wrong"/>
            """
        )
        #expect(chart.wait(20) == ["timer t.one", "cancel two 1"])
        #expect(chart.configuration == ["a"])
    }

    @Test func `C14 a limit stops a chart with an endless loop`() throws {
        let circle = try ChartScript(
            """
            <parallel id="p"><state id="A"/><state id="B">
              <state id="b1"><transition cond="In('A')" target="b2"/></state>
              <state id="b2"><transition cond="In('A')" target="b1"/></state></state>
            </parallel>
            """,
            limits: Limits(microstepsMax: 50, traps: false)
        )
        #expect(circle.overrun == .microsteps(50))

        var doubling = try ChartScript(
            """
            <state id="a">
              <onentry><send event="t" delay="1ms"/></onentry>
              <transition event="t"><send event="t" delay="1ms"/><send event="t" delay="1ms"/></transition>
            </state>
            """,
            limits: Limits(timersMax: 40, traps: false)
        )
        doubling.wait(1_000)
        #expect(doubling.overrun == .timers(40))

        let sending = try ChartScript(
            """
            <state id="a">
              <onentry><send event="s"/></onentry><transition event="s"><send event="s"/></transition>
            </state>
            """,
            limits: Limits(deliveriesPerInstantMax: 30, traps: false)
        )
        #expect(sending.overrun == .deliveriesAtOnce(30))

        let raising = try ChartScript(
            """
            <state id="a"><onentry><raise event="s"/></onentry>
              <transition event="s"><raise event="s"/><raise event="s"/></transition></state>
            """,
            limits: Limits(queuedEventsMax: 20, traps: false)
        )
        #expect(raising.overrun == .queuedEvents(20))

        let acting = try ChartScript(
            """
            <state id="a"><onentry><bd:do action="x"/><bd:do action="x"/><bd:do action="x"/></onentry></state>
            """,
            limits: Limits(effectsMax: 2, traps: false)
        )
        #expect(acting.overrun == .effects(2))
    }

    @Test func `C14 in the daemon exceeding a limit traps with the chart and the reason`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try ChartScript(
                #"<state id="a"><onentry><send event="s"/></onentry><transition event="s" target="a"/></state>"#
            )
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("chart Test: more than 1000 events sent to itself at one instant"))
        #expect(message.contains("sent s"))
    }

    @Test func `C16 initial may name a deep descendant, several regions or a history`() throws {
        let regions = """
            <parallel id="p">
              <state id="A"><state id="a1"/><state id="a2"/></state>
              <state id="B"><state id="b1"/><state id="b2"/></state>
            </parallel>
            """
        #expect(try ChartScript(regions, root: #"initial="a2""#).configuration == ["a2", "b1"])
        #expect(try ChartScript(regions, root: #"initial="a2 b2""#).configuration == ["a2", "b2"])
        let history = """
            <state id="p" initial="h">
              <history id="h"><transition target="b"/></history><state id="a"/><state id="b"/>
            </state>
            """
        #expect(try ChartScript(history).configuration == ["b"])
    }
}
