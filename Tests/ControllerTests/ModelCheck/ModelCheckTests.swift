import Controller
import SCXML
import Statecharts
import Testing

/// What the charts of connection, shooting, network, button and service can come to together, looked at in full;
/// docs/model-check.md says what is explored and what is left out.
@Suite struct ModelCheckTests {
    typealias Scene = ModelRun.Scene

    private func expectNone(_ check: ModelCheck, _ scene: Scene, _ place: SourceLocation = #_sourceLocation) {
        let found = ModelRun.of(scene).faults.filter { $0.check == check }.map(\.sentence)
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))", sourceLocation: place)
    }

    @Test(arguments: Scene.allCases) func `every configuration is legal`(scene: Scene) {
        expectNone(.legality, scene)
    }

    @Test(arguments: ModelMessage.allCases)
    func `a message of the model stands for one of the core, and has its receivers`(message: ModelMessage) {
        #expect(ModelMessage(message.message) == message)
        #expect(message.receivers == message.message.receivers)
    }

    @Test(arguments: Scene.allCases) func `no action is asked for that could not be done`(scene: Scene) {
        expectNone(.actions, scene)
    }

    @Test(arguments: Scene.allCases)
    func `who does not wait for ever has one timer, and it ends the wait`(scene: Scene) {
        expectNone(.timers, scene)
    }

    @Test(arguments: Scene.allCases) func `no more than six messages wait for each other`(scene: Scene) {
        expectNone(.queue, scene)
    }

    @Test(arguments: Scene.allCases) func `pause and cancel are never ignored while a shoot goes on`(scene: Scene) {
        expectNone(.orders, scene)
    }

    @Test(arguments: Scene.allCases)
    func `nothing is fired without a camera, nor after somebody wanted a pause or an end`(scene: Scene) {
        expectNone(.shutter, scene)
    }

    @Test(arguments: Scene.allCases) func `a shoot is never stuck`(scene: Scene) {
        expectNone(.stuck, scene)
    }

    @Test(arguments: Scene.allCases) func `from everywhere a shoot comes to an end`(scene: Scene) {
        expectNone(.end, scene)
    }

    @Test(arguments: Scene.allCases)
    func `a person who only resumes or cancels brings every shoot to an end`(scene: Scene) {
        expectNone(.endByPerson, scene)
    }

    @Test(arguments: Scene.allCases)
    func `without a person a shoot ends, unless by a pause, or a camera let go or that refuses us`(scene: Scene) {
        expectNone(.endWithoutPerson, scene)
    }

    @Test(arguments: Scene.allCases)
    func `with a camera, a network and a disk that work every shoot that is not cancelled is completed`(scene: Scene) {
        expectNone(.completed, scene)
    }

    @Test(arguments: Scene.allCases) func `a pause or an end that is wanted comes by timers alone`(scene: Scene) {
        expectNone(.wishes, scene)
    }

    @Test(arguments: Scene.allCases)
    func `a pause that is wanted while a frame is in doubt comes with the camera`(scene: Scene) {
        expectNone(.wishesInDoubt, scene)
    }

    @Test(arguments: Scene.allCases)
    func `at rest the shoot and the connection agree on whether there is a camera`(scene: Scene) {
        expectNone(.views, scene)
    }

    @Test(arguments: Scene.allCases)
    func `a camera is sought on its network and not away from it`(scene: Scene) {
        expectNone(.network, scene)
    }

    @Test(arguments: Scene.allCases)
    func `each press means one thing at its end, a hold ends the shoot, and none is kept for later`(scene: Scene) {
        expectNone(.button, scene)
    }

    @Test(arguments: Scene.allCases)
    func `a stop comes by timers alone, and not before the shutter is closed`(scene: Scene) {
        expectNone(.stop, scene)
    }

    // MARK: What was looked at

    @Test func `every state is entered and every transition is taken`() {
        let runs = Scene.allCases.map(ModelRun.of)
        #expect(unused(runs.map(\.connection)) == [])
        // Whoever pauses has a step to go back to: the default is there because a history has to have one.
        // Pictures come in a world without networks: none is left while the disk stores one. Then the camera is not
        // asked for anything either, so that it cannot fail.
        let spare = ["step → betweenFrames", "betweenFrames → wifiSwitched", "storing → "]
        #expect(unused(runs.map(\.shooting)) == spare)
        #expect(unused(runs.map(\.network)) == [])
        #expect(unused(runs.map(\.button)) == [])
        #expect(unused(runs.map(\.service)) == [])
    }

    private func unused<Definition: ChartDefinition>(_ facts: [ChartFacts<Definition>]) -> [String] {
        let document = ModelRun.document(of: Definition.names.chart)
        let names = Definition.names.states
        let entered = facts.reduce(into: Set()) { $0.formUnion($1.entered) }
        let taken = facts.reduce(into: Set()) { $0.formUnion($1.taken) }
        let states = document.states.indices.dropFirst().filter { state in
            document.states[state].kind != .shallowHistory && !entered.contains(state)
        }
        let transitions = document.transitions.indices.filter { !taken.contains($0) }
        return states.map { names[$0] }
            + transitions.map { number in
                let transition = document.transitions[number]
                let targets = transition.targets.map { names[$0] }.joined(separator: " ")
                return "\(names[transition.source]) → \(targets)"
            }
    }

    @Test func `only pauses go back to a step, so that where it was is told apart there alone`() {
        let document = ModelRun.document(of: "Shooting")
        let paused = Int(Shooting.State.paused.rawValue)
        for transition in document.transitions {
            let isBack = transition.targets.contains { document.states[$0].kind == .shallowHistory }
            guard isBack else { continue }
            var state = transition.source
            while state != 0, state != paused { state = document.states[state].parent }
            #expect(state == paused, "line \(transition.position.line)")
        }
    }

    /// A smaller exploration means that something is not looked at any more.
    @Test func `some hundred thousand situations are looked at`() {
        let counts = Scene.allCases.map { ModelRun.of($0).graph }
        #expect(counts.map(\.worlds.count).reduce(0, +) > 200_000)
    }
}
