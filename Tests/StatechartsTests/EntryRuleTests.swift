import Statecharts
import Testing

/// Tests R7 to R13: exiting, entering and finishing states.
@Suite struct EntryRuleTests {
    @Test func `R7 an external transition to a child exits and reenters its source`() throws {
        var chart = try ChartScript(
            """
            <state id="p"><transition event="e" target="b"/><transition event="f" type="internal" target="b"/>
              <state id="a"/><state id="b"/></state>
            """
        )
        #expect(chart.send("e") == ["-a", "-p", "+p", "+b"])
        #expect(chart.send("f") == ["-b", "+b"])
    }

    @Test func `R8 exits come first, then the content, then entries`() throws {
        var chart = try ChartScript(
            """
            <state id="a"><onexit><bd:do action="leave"/></onexit>
              <transition event="e" target="b"><bd:do action="cross"/></transition></state>
            <state id="b"><onentry><bd:do action="arrive"/></onentry></state>
            """
        )
        #expect(chart.send("e") == ["do leave", "-a", "do cross", "+b", "do arrive"])
    }

    @Test func `R9 states are exited in reverse document order and entered in document order`() throws {
        var chart = try ChartScript(
            """
            <state id="o">
              <parallel id="p">
                <state id="A"><state id="a1"/></state>
                <state id="B"><state id="b1"/></state>
                <transition event="e" target="p"/>
              </parallel>
            </state>
            """
        )
        #expect(chart.send("e") == ["-b1", "-B", "-a1", "-A", "-p", "+p", "+A", "+a1", "+B", "+b1"])
    }

    @Test func `R9 several onentry and onexit blocks run in document order`() throws {
        var chart = try ChartScript(
            """
            <state id="a"><onexit><bd:do action="x1"/></onexit><onentry><bd:do action="n1"/></onentry>
              <onexit><bd:do action="x2"/></onexit><onentry><bd:do action="n2"/></onentry>
              <transition event="e" target="a"/></state>
            """
        )
        #expect(chart.send("e") == ["do x1", "do x2", "-a", "+a", "do n1", "do n2"])
    }

    @Test func `R10 targets deep in two regions keep the other regions' defaults`() throws {
        var chart = try ChartScript(
            """
            <state id="s"><transition event="e" target="a2 b2"/></state>
            <parallel id="p">
              <state id="A"><state id="a1"/><state id="a2"/></state>
              <state id="B"><state id="b1"/><state id="b2"/></state>
              <state id="C"><state id="c1"/><state id="c2"/></state>
            </parallel>
            """
        )
        #expect(chart.send("e") == ["-s", "+p", "+A", "+a2", "+B", "+b2", "+C", "+c1"])
    }

    @Test func `R11 onentry, then the content of initial, then the child's onentry`() throws {
        var chart = try ChartScript(
            """
            <state id="s"><transition event="e" target="p"/><transition event="f" target="b"/></state>
            <state id="p"><initial><transition target="a"><bd:do action="byDefault"/></transition></initial>
              <onentry><bd:do action="p"/></onentry>
              <state id="a"><onentry><bd:do action="a"/></onentry></state>
              <state id="b"/><transition event="g" target="s"/>
            </state>
            """
        )
        #expect(chart.send("e") == ["-s", "+p", "do p", "do byDefault", "+a", "do a"])
        chart.send("g")
        #expect(chart.send("f") == ["-s", "+p", "do p", "+b"])
    }

    @Test func `R12 the parent's done event follows the events that the final state raised`() throws {
        var chart = try ChartScript(
            """
            <state id="p"><state id="a"><transition event="e" target="end"/></state>
              <final id="end"><onentry><raise event="x"/></onentry></final>
              <transition event="done.state.p" target="after"/></state>
            <state id="after"/>
            """
        )
        #expect(
            chart.send("e") == [
                "-a", "+end", "raise x", "raise done.state.p", "drop x", "internal done.state.p", "-end", "-p",
                "+after",
            ]
        )
    }

    @Test func `R12 a parallel is done when all its regions are`() throws {
        var chart = try ChartScript(
            """
            <parallel id="p">
              <state id="A"><state id="a1"><transition event="e" target="af"/></state><final id="af"/></state>
              <state id="B"><state id="b1"><transition event="f" target="bf"/></state><final id="bf"/></state>
              <transition event="done.state.p" target="after"/>
            </parallel>
            <state id="after"/>
            """
        )
        #expect(chart.send("e") == ["-a1", "+af", "raise done.state.A", "drop done.state.A"])
        #expect(
            chart.send("f").prefix(5) == [
                "-b1", "+bf", "raise done.state.B", "raise done.state.p", "drop done.state.B",
            ]
        )
        #expect(chart.configuration == ["after"])
    }

    @Test func `R13 a top-level final state stops the machine and exits all states`() throws {
        var chart = try ChartScript(
            """
            <state id="a"><onentry><send event="t" id="i" delay="10ms"/></onentry>
              <transition event="e" target="end"><raise event="x"/></transition></state>
            <final id="end"><onexit><bd:do action="goodbye"/></onexit></final>
            """
        )
        #expect(chart.send("e") == ["-a", "raise x", "+end", "stop", "do goodbye", "-end"])
        #expect(!chart.isRunning)
        #expect(chart.configuration == ["end"])
        #expect(chart.nextDeadline == nil)
        #expect(chart.send("e").isEmpty)
        #expect(chart.wait(100).isEmpty)
    }

    @Test func `R13 a chart may end as soon as it starts`() throws {
        let chart = try ChartScript(#"<final id="end"><onentry><bd:do action="bye"/></onentry></final>"#)
        #expect(!chart.isRunning)
        #expect(chart.configuration == ["end"])
    }
}
