/// Every event that can ever reach a chart. The world's are declared, the rest the chart makes itself: the set is
/// closed, so a descriptor is a set of numbers.
struct ChartEvents {
    /// The names, by number: inputs as declared, then what is raised and sent in document order, then `done.state.*`.
    var names: [String] { numbers.names }
    /// How many of these are inputs.
    let inputCount: Int
    /// What is raised, or sent without delay.
    private(set) var raised: [Int] = []
    /// What is sent with a delay.
    private(set) var timed: [Int] = []
    /// Per state the event that says it is finished.
    private(set) var done: [Int: Int] = [:]
    /// Inputs, raised and sent events, without those that the engine makes.
    private(set) var named: [String] = []

    private var numbers = NumberedNames()

    init(_ document: ChartDocument, alsoEvents more: [String] = []) {
        inputCount = NameSet(document.inputs.map(\.name) + more).count
        for name in document.inputs.map(\.name) + more { _ = numbers.add(name) }
        var notedRaised: Set<Int> = []
        var notedTimed: Set<Int> = []
        for content in Self.contentsInOrder(document) {
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

    /// The events that any of the descriptors matches.
    func matching(_ descriptors: [EventDescriptor]) -> [Int] {
        names.indices.filter { index in descriptors.contains { $0.matches(names[index]) } }
    }

    /// Whether a state's children can all come to their ends.
    static func canFinish(_ number: Int, _ document: ChartDocument) -> Bool {
        let state = document.states[number]
        switch state.kind {
        case .state: return state.children.contains { document.states[$0].kind == .final }
        case .parallel: return !state.children.isEmpty && state.children.allSatisfy { canFinish($0, document) }
        case .root, .final, .shallowHistory, .deepHistory: return false
        }
    }

    private static func contentsInOrder(_ document: ChartDocument) -> [ChartDocument.Content] {
        document.blocks.flatMap(\.block.content).sorted { $0.position < $1.position }
    }

    private static func note(_ number: Int, in list: inout [Int], _ noted: inout Set<Int>) {
        if noted.insert(number).inserted { list.append(number) }
    }
}
