/// All events of a chart: the declared inputs, and the events that the chart itself makes. No other event can occur. So
/// an event descriptor becomes a set of event numbers.
struct ChartEvents {
    /// The names by number: inputs as declared, then raised and sent events in document order, then `done.state.*`.
    var names: [String] { numbers.names }
    let inputCount: Int
    /// The events that are raised or sent without delay.
    private(set) var raised: [Int] = []
    private(set) var timed: [Int] = []
    private(set) var done: [Int: Int] = [:]
    /// The names of inputs and of raised and sent events, without `done.state.*`.
    private(set) var named: [String] = []

    private var numbers = NumberedNames()

    init(_ document: ChartDocument, alsoEvents more: [String] = []) {
        inputCount = NameSet(document.inputs.map(\.name) + more).count
        for name in document.inputs.map(\.name) + more { _ = numbers.add(name) }
        var notedRaised: Set<Int> = []
        var notedTimed: Set<Int> = []
        for content in document.contents {
            switch content.kind {
            case .raise(let name), .send(let name, _, nil): Self.note(numbers.add(name), in: &raised, &notedRaised)
            case .send(let name, _, _?): Self.note(numbers.add(name), in: &timed, &notedTimed)
            case .perform, .cancel, .log, .interpreted: break
            }
        }
        named = names
        for (number, state) in document.states.enumerated() where Self.canFinish(number, document) {
            done[number] = numbers.add("done.state.\(state.id)")
        }
    }

    func number(_ name: String) -> Int {
        guard let number = numbers[name] else { preconditionFailure("'\(name)' was not collected") }
        return number
    }

    func matching(_ descriptors: [EventDescriptor]) -> [Int] {
        names.indices.filter { index in descriptors.contains { $0.matches(names[index]) } }
    }

    /// Whether the engine can raise `done.state.NAME` for a state.
    static func canFinish(_ number: Int, _ document: ChartDocument) -> Bool {
        let state = document.states[number]
        switch state.kind {
        case .state: return state.children.contains { document.states[$0].kind == .final }
        case .parallel: return !state.children.isEmpty && state.children.allSatisfy { canFinish($0, document) }
        case .root, .final, .shallowHistory, .deepHistory: return false
        }
    }

    private static func note(_ number: Int, in list: inout [Int], _ noted: inout Set<Int>) {
        if noted.insert(number).inserted { list.append(number) }
    }
}
