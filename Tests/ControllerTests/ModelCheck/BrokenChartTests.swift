import Controller
import Statecharts
import Testing

/// Charts with one error each, and the check that finds the error. A check that never fails proves nothing.
@Suite struct BrokenChartTests {
    struct Fault: CustomTestStringConvertible, Sendable {
        enum Chart { case connection, shooting, network, button, service }

        var testDescription: String
        var chart: Chart
        /// The text to replace. It occurs once in the chart; `change` replaces it.
        var text: String
        var change: String
        var expected: ModelCheck
        var disk = false
        var calls = false

        var found: [ModelCheck] {
            var charts = ModelRules.Charts()
            switch chart {
            case .connection: charts.connection = BrokenChart.table(Connection.self, replacing: text, by: change)
            case .shooting: charts.shooting = BrokenChart.table(Shooting.self, replacing: text, by: change)
            case .network: charts.network = BrokenChart.table(Network.self, replacing: text, by: change)
            case .button: charts.button = BrokenChart.table(Button.self, replacing: text, by: change)
            case .service: charts.service = BrokenChart.table(Service.self, replacing: text, by: change)
            }
            if chart == .button || chart == .service {
                return ModelRun(ModelRun.Scene.tripod.extent, charts).faults.map(\.check)
            }
            let shoots: ShootingSketch.Extent = disk ? [.disk] : []
            let extent = ModelRules.Extent(shoots: shoots, hasNetwork: !disk, hasCalls: calls, messagesInFlight: 1)
            return ModelRun(extent, charts).faults.map(\.check)
        }
    }

    @Test func `the unchanged charts have no fault in so small a world either`() {
        let extent = ModelRules.Extent(shoots: [], hasNetwork: true, hasCalls: false, messagesInFlight: 1)
        #expect(ModelRun(extent).faults.map(\.sentence) == [])
    }

    @Test(arguments: faults) func `the checks find the error in a changed chart`(fault: Fault) {
        let found = fault.found
        #expect(found.contains(fault.expected), "\(found)")
    }

    static let faults: [Fault] = ofShooting + ofOthers + ofTripod

    private static let ofShooting: [Fault] = [
        Fault(
            testDescription: "a link lost during an exposure is ignored",
            chart: .shooting,
            text: #"<transition event="camera.lost network.left" target="inDoubt"/>"#,
            change: #"<transition event="network.left" target="inDoubt"/>"#,
            expected: .completed
        ),
        Fault(
            testDescription: "a dial turned to a wrong mode during a frame does not hold the next one",
            chart: .shooting,
            text: """
                <transition cond="In('notReady')" target="cameraNotFit"/>
                <transition cond="isAway" target="wifiSwitched"/>
                """,
            change: #"<transition cond="isAway" target="wifiSwitched"/>"#,
            expected: .shutter
        ),
        Fault(
            testDescription: "a link lost while the speed is set is ignored",
            chart: .shooting,
            text: """
                <transition event="camera.lost" target="linkLost"/>
                <transition event="camera.notReady" target="cameraNotFit"/>
                <transition event="network.left" target="wifiSwitched"/>
                <transition event="camera.busy" cond
                """,
            change: """
                <transition event="camera.notReady" target="cameraNotFit"/>
                <transition event="network.left" target="wifiSwitched"/>
                <transition event="camera.busy" cond
                """,
            expected: .completed
        ),
        Fault(
            testDescription: "the wait for an idle camera has no timer",
            chart: .shooting,
            text: """
                <bd:do action="requestIdle"/>
                <send event="timeout.idle" id="idleTimer" delayexpr="idleLimit"/>
                """,
            change: #"<bd:do action="requestIdle"/>"#,
            expected: .timers
        ),
        Fault(
            testDescription: "the exposure's timer is not cancelled",
            chart: .shooting,
            text: #"<onexit><cancel sendid="captureTimer"/></onexit>"#,
            change: "",
            expected: .timers
        ),
        Fault(
            testDescription: "resume does not end a pause",
            chart: .shooting,
            text: #"<transition event="resume" cond="In('present')" target="step">"#,
            change: #"<transition event="resume" cond="In('present')">"#,
            expected: .completed
        ),
        Fault(
            testDescription: "the end of a frame loses a cancel request",
            chart: .shooting,
            text: """
                <transition cond="areMissingFramesLost" target="partial"/>
                <transition cond="In('cancelWanted')" target="ending"/>
                """,
            change: #"<transition cond="areMissingFramesLost" target="partial"/>"#,
            expected: .shutter
        ),
        Fault(
            testDescription: "a pause while the speed is set waits for the frame's end",
            chart: .shooting,
            text: """
                <transition event="pause" target="byCommand"/>
                <transition event="cancel" target="cancelled"/>
                <transition event="camera.lost" target="linkLost"/>
                <transition event="camera.notReady" target="cameraNotFit"/>
                <transition event="network.left" target="wifiSwitched"/>
                <transition event="camera.busy" cond
                """,
            change: """
                <transition event="cancel" target="cancelled"/>
                <transition event="camera.lost" target="linkLost"/>
                <transition event="camera.notReady" target="cameraNotFit"/>
                <transition event="network.left" target="wifiSwitched"/>
                <transition event="camera.busy" cond
                """,
            expected: .shutter
        ),
        Fault(
            testDescription: "a cancel during a frame is ignored",
            chart: .shooting,
            text: #"<transition event="cancel" cond="In('running')" target="cancelWanted"/>"#,
            change: "",
            expected: .orders
        ),
        Fault(
            testDescription: "a shoot does not resume when the camera is back",
            chart: .shooting,
            text: """
                <transition event="resume"><bd:do action="requestCamera"/></transition>
                <transition event="camera.ready" target="step"><bd:do action="noteReturn"/></transition>
                """,
            change: #"<transition event="resume"><bd:do action="requestCamera"/></transition>"#,
            expected: .completed
        ),
        Fault(
            testDescription: "a shoot with every frame continues",
            chart: .shooting,
            text: #"<transition cond="isPlanDone" target="completed"/>"#,
            change: "",
            expected: .actions
        ),
        Fault(
            testDescription: "the shoot ignores that the camera is lost",
            chart: .shooting,
            text: """
                <transition event="camera.notReady" target="notReady"><bd:do action="noteNotReady"/></transition>
                <transition event="camera.lost" target="absent"><bd:do action="noteLoss"/></transition>
                """,
            change:
                #"<transition event="camera.notReady" target="notReady"><bd:do action="noteNotReady"/></transition>"#,
            expected: .views
        ),
        Fault(
            testDescription: "the shoot ignores that the camera is not ready",
            chart: .shooting,
            text: """
                <transition event="camera.status"><bd:do action="adoptStatus"/></transition>
                <transition event="camera.notReady" target="notReady"><bd:do action="noteNotReady"/></transition>
                """,
            change: #"<transition event="camera.status"><bd:do action="adoptStatus"/></transition>"#,
            expected: .views
        ),
        Fault(
            testDescription: "a pause keeps the lost link as its reason after the camera returns with wrong settings",
            chart: .shooting,
            text: """
                <transition event="camera.notReady" target="cameraNotFit"/>
                <transition event="network.left" target="wifiSwitched"/>
                </state>
                """,
            change: """
                <transition event="network.left" target="wifiSwitched"/>
                </state>
                """,
            expected: .views
        ),
        Fault(
            testDescription: "a shoot does not resume when the camera is ready again",
            chart: .shooting,
            text: #"<transition event="camera.ready" target="step"><bd:do action="noteReady"/></transition>"#,
            change: "",
            expected: .completed
        ),
        Fault(
            testDescription: "a disk that works again is ignored",
            chart: .shooting,
            text: #"<transition cond="isRecorded" target="step"><bd:do action="reportRecorded"/></transition>"#,
            change: "",
            expected: .completed,
            disk: true
        ),
    ]

    private static let ofOthers: [Fault] = [
        Fault(
            testDescription: "the connection does not report that the camera is lost",
            chart: .connection,
            text: #"<bd:do action="noteLoss"/><bd:do action="announceLoss"/>"#,
            change: #"<bd:do action="noteLoss"/>"#,
            expected: .views
        ),
        Fault(
            testDescription: "the wait after a failure never ends",
            chart: .connection,
            text: #"<send event="timeout.backoff" id="backoffTimer" delayexpr="backoffDelay"/>"#,
            change: "",
            expected: .timers
        ),
        Fault(
            testDescription: "a connection without a camera ignores that the network is back",
            chart: .connection,
            text: #"<transition event="network.back" target="seeking"><bd:do action="noteReturn"/></transition>"#,
            change: "",
            expected: .network
        ),
        Fault(
            testDescription: "a network that is left during a change of cameras is ignored",
            chart: .connection,
            text: """
                <transition event="network.left" target="offNetwork">
                <bd:do action="noteDeparture"/><bd:do action="abandonSession"/></transition>
                <transition event="camera.chosen"><bd:do
                """,
            change: #"<transition event="camera.chosen"><bd:do"#,
            expected: .network,
            calls: true
        ),
        Fault(
            testDescription: "the loss of the network is not reported",
            chart: .network,
            text: #"<onentry><bd:do action="reportDown"/></onentry>"#,
            change: "",
            expected: .network
        ),
        Fault(
            testDescription: "the return of the network is not reported",
            chart: .network,
            text: #"<onentry><bd:do action="reportBack"/></onentry>"#,
            change: "",
            expected: .network
        ),
    ]

    private static let ofTripod: [Fault] = [
        Fault(
            testDescription: "a button that goes down during the rest counts as pressed then",
            chart: .button,
            text: """
                <transition event="edge.pressed" target="pressedAgain"><bd:do action="notePressTime"/></transition>
                """,
            change: #"<transition event="edge.pressed" target="pressed"><bd:do action="notePressTime"/></transition>"#,
            expected: .button
        ),
        Fault(
            testDescription: "a press counts once more when its rest is over",
            chart: .button,
            text: #"<transition event="timeout.lockout" target="ready"/>"#,
            change: #"<transition event="timeout.lockout" target="ready"><bd:do action="pressSettled"/></transition>"#,
            expected: .button
        ),
        Fault(
            testDescription: "a long hold has no effect",
            chart: .button,
            text: """
                <transition event="timeout.hold" target="heldDown"><bd:do action="hold"/></transition>
                <transition event="edge.released" cond="isTooShort"
                """,
            change: """
                <transition event="timeout.hold" target="heldDown"/><transition event="edge.released" cond="isTooShort"
                """,
            expected: .button
        ),
        Fault(
            testDescription: "a hold that begins too soon after a press has no effect",
            chart: .button,
            text: #"<send event="timeout.hold" id="againTimer" delayexpr="holdDelay"/>"#,
            change: "",
            expected: .timers
        ),
        Fault(
            testDescription: "no press counts after a hold",
            chart: .button,
            text: """
                <state id="heldDown" bd:waits="forever"><transition event="edge.released" target="locked">
                <bd:do action="startLockout"/></transition></state>
                """,
            change: #"<state id="heldDown" bd:waits="forever"></state>"#,
            expected: .button
        ),
        Fault(
            testDescription: "a rest never ends",
            chart: .button,
            text: #"<onentry><send event="timeout.lockout" id="lockoutTimer" delayexpr="quietDelay"/></onentry>"#,
            change: "",
            expected: .timers
        ),
        Fault(
            testDescription: "a stop does not wait for the frame",
            chart: .service,
            text: """
                <transition event="stop" cond="isFrameUnderWay" target="finishingFrame">
                <bd:do action="noteOrder"/></transition>
                """,
            change: "",
            expected: .stop
        ),
        Fault(
            testDescription: "a stop ignores the end of the frame",
            chart: .service,
            text: #"<transition event="frame.over" target="stopping"/>"#,
            change: "",
            expected: .stop
        ),
        Fault(
            testDescription: "a stop waits forever for its frame",
            chart: .service,
            text: #"<send event="timeout.frame" id="frameTimer" delayexpr="frameLimit"/>"#,
            change: "",
            expected: .timers
        ),
    ]
}
