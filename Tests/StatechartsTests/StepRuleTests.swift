import Statecharts
import Testing

/// Tests R1 to R6, R14, R15 and R17: the selection of steps and their order.
@Suite struct StepRuleTests {
    @Test func `R1 the start enters the root's initial state and settles`() throws {
        var chart = try ChartScript(
            """
            <state id="a"/>
            <state id="b"><onentry><raise event="go"/></onentry><transition event="go" target="c"/></state>
            <state id="c"/>
            """,
            root: #"initial="b""#
        )
        #expect(chart.trace() == ["+b", "raise go", "internal go", "-b", "+c"])
    }

    @Test func `R1 without initial the first state is entered`() throws {
        let chart = try ChartScript(#"<state id="a"/><state id="b"/>"#)
        #expect(chart.configuration == ["a"])
    }

    @Test func `R2 eventless transitions precede internal events, and follow each of them`() throws {
        var chart = try ChartScript(
            """
            <state id="a"><transition event="e" target="b"><raise event="x"/><raise event="y"/></transition></state>
            <state id="b"><transition target="c"/></state>
            <state id="c"><transition event="x" target="d"/></state>
            <state id="d"><transition target="f"/></state>
            <state id="f"><transition event="y" target="g"/></state>
            <state id="g"/>
            """
        )
        #expect(
            chart.send("e") == [
                "-a", "raise x", "raise y", "+b", "eventless", "-b", "+c", "internal x", "-c", "+d", "eventless", "-d",
                "+f", "internal y", "-f", "+g",
            ]
        )
    }

    @Test func `R2 an internal event that enables no transition is dropped`() throws {
        var chart = try ChartScript(
            """
            <state id="a"><transition event="e" target="b"><raise event="x"/></transition></state>
            <state id="b"><transition event="f" target="c"/></state>
            <state id="c"><transition event="x" target="a"/></state>
            """
        )
        #expect(chart.send("e") == ["-a", "raise x", "+b", "drop x"])
        chart.send("f")
        #expect(chart.configuration == ["c"])
    }

    @Test func `R3 an external event that enables no transition is dropped`() throws {
        var chart = try ChartScript(
            """
            <state id="a"><transition event="e" target="b"/></state>
            <state id="b"><transition event="f" target="a"/></state>
            """
        )
        #expect(chart.send("f") == ["drop f"])
        chart.send("e")
        #expect(chart.configuration == ["b"])
    }

    @Test func `R4 a due timer precedes an input with the same time`() throws {
        var chart = try ChartScript(
            """
            <state id="a"><onentry><send event="t" id="i" delay="10ms"/></onentry>
              <transition event="t" target="b"/><transition event="e" target="c"/></state>
            <state id="b"/><state id="c"/>
            """
        )
        chart.wait(9)
        #expect(chart.configuration == ["a"])
        chart.wait(1)
        chart.send("e")
        #expect(chart.configuration == ["b"])
    }

    @Test func `R4 due events are ordered by due time, then by sending, with a macrostep each`() throws {
        var chart = try ChartScript(
            """
            <state id="a">
              <onentry><send event="t.late" delay="20ms"/><send event="t.one" delay="10ms"/>
                <send event="t.two" delay="10ms"/></onentry>
              <transition event="t.one"><raise event="x"/></transition>
              <transition event="t.two"><bd:do action="two"/></transition>
              <transition event="t.late"><bd:do action="late"/></transition>
              <transition event="x"><bd:do action="x"/></transition>
            </state>
            """
        )
        #expect(
            chart.wait(30) == [
                "timer t.one", "raise x", "internal x", "do x", "timer t.two", "do two", "timer t.late", "do late",
            ]
        )
    }

    @Test func `R4 a timer that a delivery starts counts from that delivery`() throws {
        var chart = try ChartScript(
            """
            <state id="a"><onentry><send event="t" delay="10ms"/></onentry><transition event="t" target="a"/></state>
            """
        )
        #expect(chart.wait(35).filter { $0 == "timer t" }.count == 3)
        #expect(chart.nextDeadline == .milliseconds(40))
        #expect(chart.now == .milliseconds(35))
    }

    @Test func `R5 the innermost state with an enabled transition takes its first such transition`() throws {
        var chart = try ChartScript(
            """
            <state id="p"><transition event="e" target="x"/>
              <state id="a">
                <transition event="e" cond="never" target="x"/>
                <transition event="e" target="b"/>
                <transition event="e" target="x"/>
              </state>
              <state id="b"/>
            </state>
            <state id="x"/>
            """
        )
        chart.send("e")
        #expect(chart.configuration == ["b"])
        chart.send("e")
        #expect(chart.configuration == ["x"])
    }

    @Test func `R5 all regions react, in the order of their leaves`() throws {
        var chart = try ChartScript(
            """
            <parallel id="p">
              <state id="A"><state id="a1"><transition event="e" target="a2"/></state><state id="a2"/></state>
              <state id="B"><state id="b1"><transition event="e" target="b2"/></state><state id="b2"/></state>
            </parallel>
            """
        )
        #expect(chart.send("e") == ["-b1", "-a1", "+a2", "+b2"])
    }

    @Test func `R5 a transition selected by two leaves is taken once`() throws {
        var chart = try ChartScript(
            """
            <parallel id="p"><transition event="e"><bd:do action="once"/></transition>
              <state id="a"/><state id="b"/>
            </parallel>
            """
        )
        #expect(chart.send("e") == ["do once"])
    }

    @Test func `R5 guards see the configuration from before the microstep`() throws {
        var chart = try ChartScript(
            """
            <parallel id="p">
              <state id="A"><state id="a1"><transition event="e" target="a2"/></state><state id="a2"/></state>
              <state id="B">
                <state id="b1">
                  <transition event="e" cond="In('a2')" target="b2"/>
                  <transition event="e" cond="In('a1')" target="b3"/>
                </state>
                <state id="b2"/><state id="b3"/>
              </state>
            </parallel>
            """
        )
        chart.send("e")
        #expect(chart.configuration == ["a2", "b3"])
    }

    @Test func `R6 between unrelated sources the earlier leaf wins`() throws {
        var chart = try ChartScript(
            """
            <parallel id="p">
              <state id="A"><state id="a1"><transition event="e" target="out"/></state></state>
              <state id="B"><state id="b1"><transition event="e" target="b2"/></state><state id="b2"/></state>
            </parallel>
            <state id="out"/>
            """
        )
        chart.send("e")
        #expect(chart.configuration == ["out"])
    }

    @Test func `R6 the deeper source wins over the one around it`() throws {
        var chart = try ChartScript(
            """
            <parallel id="p"><transition event="e" target="out"/>
              <state id="A"><state id="a1"/></state>
              <state id="B"><state id="b1"><transition event="e" target="b2"/></state><state id="b2"/></state>
            </parallel>
            <state id="out"/>
            """
        )
        chart.send("e")
        #expect(chart.configuration == ["a1", "b2"])
    }

    @Test(arguments: [
        ("camera", true), ("camera.*", true), ("camera.", true), ("*", true), ("camera.lost", true),
        ("camera.lost.now", false), ("cameras", false), ("Camera", false), ("camera.los", false), ("x camera", true),
    ])
    func `R14 a descriptor matches by whole tokens`(descriptor: String, matches: Bool) throws {
        var chart = try ChartScript(
            #"<state id="a"><transition event="\#(descriptor)" target="b"/></state><state id="b"/>"#,
            events: "camera.lost"
        )
        chart.send("camera.lost")
        #expect(chart.configuration == [matches ? "b" : "a"])
    }

    @Test func `R14 no descriptor matches no event`() throws {
        let chart = try ChartScript(#"<state id="a"><transition event="*" target="b"/></state><state id="b"/>"#)
        #expect(chart.configuration == ["a"])
    }

    @Test func `R15 a raised event is handled in this macrostep, a sent one after it`() throws {
        var chart = try ChartScript(
            """
            <state id="a">
              <transition event="e"><send event="s"/><raise event="x"/></transition>
              <transition event="s"><bd:do action="s"/></transition>
              <transition event="x"><bd:do action="x"/></transition>
            </state>
            """
        )
        #expect(chart.send("e") == ["send s", "raise x", "internal x", "do x", "sent s", "do s"])
    }

    @Test func `R15 cancel removes every pending event with the id`() throws {
        var chart = try ChartScript(
            """
            <state id="a">
              <onentry><send event="t" id="i" delay="10ms"/><send event="t" id="i" delay="20ms"/>
                <send event="t" id="j" delay="30ms"/></onentry>
              <transition event="e"><cancel sendid="i"/></transition>
              <transition event="f"><cancel sendid="unknown"/></transition>
              <transition event="t"><bd:do action="t"/></transition>
            </state>
            """
        )
        #expect(chart.send("f") == ["cancel unknown 0"])
        #expect(chart.send("e") == ["cancel i 2"])
        #expect(chart.nextDeadline == .milliseconds(30))
        #expect(chart.wait(40) == ["timer t", "do t"])
    }

    @Test func `R15 sending again with an id in use adds a second event`() throws {
        var chart = try ChartScript(
            """
            <state id="a">
              <transition event="e"><send event="t" id="i" delay="10ms"/></transition>
              <transition event="t"><bd:do action="t"/></transition>
            </state>
            """
        )
        chart.send("e")
        chart.wait(5)
        chart.send("e")
        #expect(chart.wait(10) == ["timer t", "do t", "timer t", "do t"])
    }

    @Test func `R17 In uses the current configuration`() throws {
        var chart = try ChartScript(
            """
            <parallel id="p">
              <state id="A"><state id="a1"><transition event="e" target="a2"/></state><state id="a2"/></state>
              <state id="B">
                <state id="b1"><transition cond="In('a2')" target="b2"/></state>
                <state id="b2"><transition event="f" cond="!In('a2')" target="b1"/></state>
              </state>
            </parallel>
            """
        )
        #expect(chart.send("e") == ["-a1", "+a2", "eventless", "-b1", "+b2"])
        #expect(chart.send("f") == ["drop f"])
    }

    @Test func `a named delay is evaluated when the timer starts`() throws {
        let chart = try ChartScript(
            """
            <state id="a"><onentry><send event="t" id="i" delayexpr="patience"/></onentry>
              <transition event="t" target="b"/></state><state id="b"/>
            """,
            delays: ["patience": .seconds(3)]
        )
        #expect(chart.nextDeadline == .seconds(3))
    }

    @Test func `a guard and its negation are opposites`() throws {
        var chart = try ChartScript(
            """
            <state id="a"><transition event="e" cond="!ready" target="b"/>
              <transition event="e" cond="ready" target="c"/>
            </state><state id="b"><transition event="f" target="a"/></state><state id="c"/>
            """
        )
        chart.send("e")
        #expect(chart.configuration == ["b"])
        chart.send("f")
        chart.set("ready", true)
        chart.send("e")
        #expect(chart.configuration == ["c"])
    }
}
