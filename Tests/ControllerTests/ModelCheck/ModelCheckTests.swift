import Controller
import SCXML
import Statecharts
import Testing

/// All joint behavior of the charts of connection, shooting, network, button and service. docs/model-check.md lists
/// what is explored and what is left out.
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
    func `a message of the model has its message and its receivers in the core`(message: ModelMessage) {
        #expect(ModelMessage(message.message) == message)
        #expect(message.receivers == message.message.receivers)
    }

    @Test(arguments: Scene.allCases) func `no action is requested that is impossible`(scene: Scene) {
        expectNone(.actions, scene)
    }

    @Test(arguments: Scene.allCases)
    func `each state that does not wait forever has one timer, and the timer ends the wait`(scene: Scene) {
        expectNone(.timers, scene)
    }

    @Test(arguments: Scene.allCases) func `at most six messages wait for each other`(scene: Scene) {
        expectNone(.queue, scene)
    }

    @Test(arguments: Scene.allCases) func `pause and cancel are never ignored during a shoot`(scene: Scene) {
        expectNone(.orders, scene)
    }

    @Test(arguments: Scene.allCases)
    func `no frame is fired without a camera, nor after a request for a pause or an end`(scene: Scene) {
        expectNone(.shutter, scene)
    }

    @Test(arguments: Scene.allCases) func `a shoot is never stuck`(scene: Scene) {
        expectNone(.stuck, scene)
    }

    @Test(arguments: Scene.allCases) func `a shoot can end from every situation`(scene: Scene) {
        expectNone(.end, scene)
    }

    @Test(arguments: Scene.allCases)
    func `a user who only resumes or cancels brings every shoot to an end`(scene: Scene) {
        expectNone(.endByPerson, scene)
    }

    @Test(arguments: Scene.allCases)
    func `a shoot ends without a user, unless it is paused or its camera is disconnected or refuses`(scene: Scene) {
        expectNone(.endWithoutPerson, scene)
    }

    @Test(arguments: Scene.allCases)
    func `every shoot that is not cancelled completes with a working camera, network and disk`(scene: Scene) {
        expectNone(.completed, scene)
    }

    @Test(arguments: Scene.allCases) func `a requested pause or end comes by timers alone`(scene: Scene) {
        expectNone(.wishes, scene)
    }

    @Test(arguments: Scene.allCases)
    func `a pause that is requested while a frame is in doubt comes with the camera`(scene: Scene) {
        expectNone(.wishesInDoubt, scene)
    }

    @Test(arguments: Scene.allCases)
    func `at rest the shoot and the connection agree on whether a camera is connected`(scene: Scene) {
        expectNone(.views, scene)
    }

    @Test(arguments: Scene.allCases)
    func `the daemon searches for a camera on its network and not away from it`(scene: Scene) {
        expectNone(.network, scene)
    }

    @Test(arguments: Scene.allCases)
    func `each press has one meaning at its end, a hold ends the shoot, and no press is kept for later`(scene: Scene) {
        expectNone(.button, scene)
    }

    @Test(arguments: Scene.allCases)
    func `a stop comes by timers alone, and not before the shutter is closed`(scene: Scene) {
        expectNone(.stop, scene)
    }

    // MARK: What the exploration covers

    @Test func `every state is entered and every transition is taken`() {
        let runs = Scene.allCases.map(ModelRun.of)
        #expect(unused(runs.map(\.connection)) == [])
        // Every pause has a step to return to. The first default exists only because a history state must have one.
        // Worlds with pictures have no network. And while the disk stores a picture, the shoot asks the camera nothing,
        // so the camera cannot fail. The plans of the model have their range: `RangeFindingTests` covers the choice.
        let choice = ["choosingFrame → betweenFrames", "choosingFrame → betweenFrames", "choosingFrame → partial"]
        let spare =
            [
                "choosingFrame", "step → betweenFrames", "betweenFrames → wifiSwitched",
                "betweenFrames → choosingFrame", "storing → ",
            ] + choice
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

    @Test func `only pauses return to a step, so only their steps are distinguished`() {
        let document = ModelRun.document(of: "Shooting")
        let paused = Int(Shooting.State.paused.rawValue)
        for transition in document.transitions {
            let isRestored = transition.targets.contains { document.states[$0].kind == .shallowHistory }
            guard isRestored else { continue }
            var state = transition.source
            while state != 0, state != paused { state = document.states[state].parent }
            #expect(state == paused, "line \(transition.position.line)")
        }
    }

    /// Detects a smaller exploration, which would mean that a part is no longer covered.
    @Test func `the exploration covers some hundred thousand situations`() {
        let counts = Scene.allCases.map { ModelRun.of($0).graph }
        #expect(counts.map(\.worlds.count).reduce(0, +) > 200_000)
    }
}
