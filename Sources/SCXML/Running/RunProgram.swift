import Statecharts

/// A chart of W3C SCXML as tables, with the expressions of its data model. The engine refers to conditions and content
/// only by number.
struct RunProgram: Sendable {
    /// An operation of the data model.
    enum Content: Sendable {
        /// Initializes a variable at the start, or with late binding when its state is first entered.
        case initialize(ChartDocument.DataItem)
        case execute(ChartDocument.Content)
        /// Raises the done event of the state `parent`, with data.
        case finish(parent: Int, ChartDocument.Payload)
    }

    let document: ChartDocument
    let events: RunEvents
    private(set) var states: [StateRow] = []
    private(set) var transitions: [TransitionRow] = []
    private(set) var blocks: [[Statecharts.Operation]] = []
    /// The expressions of the conditions. `Condition.evaluates` in the table has an index of this array.
    private(set) var conditions: [ScriptExpression] = []
    /// The content of `Operation.evaluate` in the table. The index is the number of the content.
    private(set) var contents: [Content] = []
    /// The names of the actions of `<bd:do>`, by number.
    private(set) var actions = NumberedNames()
    /// The numbers of the states that have an id. `In()` uses them.
    private(set) var stateNumbers: NameTable<Int> = [:]

    /// For each state: the variables that its entry initializes. With early binding, the root's entry initializes all
    /// variables. With late binding, the first entry of each state initializes the variables of this state.
    private let initialized: [Int: [ChartDocument.DataItem]]

    init(_ document: ChartDocument, _ events: RunEvents) {
        self.document = document
        self.events = events
        initialized = Dictionary(grouping: document.data) { document.bindsLate ? $0.owner : 0 }
        for (number, state) in document.states.enumerated() where !state.id.isEmpty && !state.isHistory {
            stateNumbers[state.id] = number
        }
        for number in document.states.indices { states.append(row(ofState: number)) }
        for number in document.transitions.indices { transitions.append(row(ofTransition: number)) }
    }

    func table<Bits: StateSet>(_ type: Bits.Type = Bits.self) -> ChartTable<Bits> {
        ChartTable(
            name: document.name,
            states: states,
            transitions: transitions,
            blocks: blocks,
            eventCount: events.places.count
        )
    }

    /// A state's name in reports: its id, or `#` and its number.
    func name(ofState number: Int) -> String {
        let id = document.states[number].id
        return id.isEmpty ? "#\(number)" : id
    }

    // MARK: Rows

    private mutating func row(ofState number: Int) -> StateRow {
        let state = document.states[number]
        // Each variable has a separate block, so that a failed initialization does not affect the others.
        let data = (initialized[number] ?? []).map { [add(.initialize($0))] }
        return StateRow(
            state.rowKind,
            parent: state.parent,
            initial: state.initial,
            initialTransition: state.isHistory ? state.transitions.first : state.initialTransition,
            entry: add(data + state.entry.map { operations($0.content) }),
            exit: add(state.exit.map { operations($0.content) }),
            done: finishes(state) ? events.place(of: RunEvents.doneName(of: number, document)) : nil,
            doneContent: state.doneData.map { place(of: .finish(parent: state.parent, $0)) }
        )
    }

    private func finishes(_ state: ChartDocument.State) -> Bool {
        state.kind != .root && !state.isLeaf && !state.isHistory
    }

    private mutating func row(ofTransition number: Int) -> TransitionRow {
        let transition = document.transitions[number]
        return TransitionRow(
            from: transition.source,
            on: transition.trigger { events.matching($0) },
            if: condition(transition.condition),
            to: transition.targets.uniqued,
            isInternal: transition.isInternal,
            content: add(transition.content.map { [operations($0.content)] } ?? [])
        )
    }

    private mutating func condition(_ expression: ChartDocument.Expression?) -> Condition {
        guard let expression else { return .always }
        guard case .script(let script) = expression else {
            preconditionFailure("the profile of the recommendation reads every condition as a script")
        }
        conditions.append(script)
        return .evaluates(conditions.count - 1)
    }

    // MARK: Content

    private mutating func operations(_ content: [ChartDocument.Content]) -> [Statecharts.Operation] {
        content.map { element in
            switch element.kind {
            case .perform(let name): .perform(actions.add(name))
            case .raise(let name): .raise(events.place(of: name))
            case .interpreted:
                add(.execute(collectActions(in: element)))
            case .send, .cancel, .log:
                preconditionFailure("the profile of the recommendation interprets these")
            }
        }
    }

    private mutating func add(_ content: Content) -> Statecharts.Operation {
        .evaluate(place(of: content))
    }

    private mutating func place(of content: Content) -> Int {
        contents.append(content)
        return contents.count - 1
    }

    private mutating func add(_ new: [[Statecharts.Operation]]) -> Range<Int> {
        let filled = new.filter { !$0.isEmpty }
        let start = blocks.count
        blocks += filled
        return filled.isEmpty ? 0..<0 : start..<blocks.count
    }

    /// Gives numbers to the actions inside `<if>` and `<foreach>` too.
    private mutating func collectActions(in element: ChartDocument.Content) -> ChartDocument.Content {
        for inner in element.descendants {
            if case .perform(let name) = inner.kind { _ = actions.add(name) }
        }
        return element
    }
}

extension ChartDocument.Content {
    /// All content inside an `<if>` or a `<foreach>`, at any depth.
    var descendants: [Self] {
        guard case .interpreted(let element) = kind else { return [] }
        switch element {
        case .choose(let branches): return branches.flatMap(\.content).flatMap { [$0] + $0.descendants }
        case .forEach(_, _, _, let content): return content.flatMap { [$0] + $0.descendants }
        case .dispatch, .cancel, .log, .assign, .foreign: return []
        }
    }
}

extension [Int] {
    fileprivate var uniqued: [Int] {
        var result: [Int] = []
        for element in self where !result.contains(element) { result.append(element) }
        return result
    }
}
