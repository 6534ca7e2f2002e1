/// Converts the names in a chart to numbers and refuses invalid names: E005 to E010 and, in the dialect, E016.
struct ChartResolver {
    private(set) var document: ChartDocument
    private(set) var bag: DiagnosticBag
    private let profile: Chart.Profile
    private var numbers: NameTable<Int> = [:]

    init(_ document: ChartDocument, _ bag: DiagnosticBag, _ profile: Chart.Profile) {
        self.document = document
        self.bag = bag
        self.profile = profile
        guard !document.states.isEmpty else { return }
        nameStates()
        if profile == .dialect { checkClashes() }
        resolveTransitions()
        resolveInitials()
        resolveHistories()
        nameData()
        guard profile == .dialect else { return }
        resolveFailure()
        checkWaits()
        checkLimits()
    }

    // MARK: Names

    private mutating func nameStates() {
        for (number, state) in document.states.enumerated() where !state.id.isEmpty {
            if let first = numbers[state.id] {
                let line = document.states[first].position.line
                bag.error("E005", state, "a second state '\(state.id)'; the first is in line \(line): rename one")
            } else {
                numbers[state.id] = number
            }
        }
    }

    /// Refuses two variables with the same name. But a variable and a state can have the same name.
    private mutating func nameData() {
        var first: NameTable<SourcePosition> = [:]
        for item in document.data where !item.id.isEmpty {
            if let first = first[item.id] {
                let message = "a second variable '\(item.id)'; the first is in line \(first.line): rename one"
                bag.error("E005", item, message)
            } else {
                first[item.id] = item.position
            }
        }
    }

    /// Reports equal Swift names of two states, of two inputs, or of two functions of different kinds.
    private mutating func checkClashes() {
        var states: NameTable<String> = [:]
        for state in document.states where !state.id.isEmpty && !state.isHistory {
            clash(state.id, state.position, "state", &states)
        }
        var events: NameTable<String> = [:]
        var inputs = NameSet()
        for input in document.inputs {
            if !inputs.insert(input.name) {
                bag.error("E005", input, "a second input '\(input.name)': remove one")
            } else {
                if Names.impossibleCases.contains(Names.camelCase(input.name)) {
                    bag.error("E006", input, "'\(input.name)' is a reserved name of Swift enums: choose another")
                }
                clash(input.name, input.position, "event", &events)
            }
        }
        var kinds: NameTable<FunctionKind> = [:]
        for transition in document.transitions {
            guard case .guardName(let name, _)? = transition.condition else { continue }
            claim(name, .guard, transition.position, &kinds)
        }
        for (_, block) in document.blocks {
            for content in block.content {
                switch content.kind {
                case .raise(let name): clash(name, content.position, "event", &events)
                case .send(let name, _, let delay):
                    clash(name, content.position, "event", &events)
                    if case .named(let name)? = delay { claim(name, .delay, content.position, &kinds) }
                case .perform(let name): claim(name, .action, content.position, &kinds)
                case .cancel, .log, .interpreted: break
                }
            }
        }
    }

    private enum FunctionKind: String {
        case `guard`, delay, action
    }

    private mutating func clash(
        _ name: String,
        _ position: SourcePosition,
        _ what: String,
        _ seen: inout NameTable<String>
    ) {
        let swift = Names.camelCase(name)
        guard let other = seen[swift] else {
            seen[swift] = name
            return
        }
        if other != name {
            bag.error("E006", position, "\(what)s '\(other)' and '\(name)' are both '\(swift)' in Swift: rename one")
        }
    }

    private mutating func claim(
        _ name: String,
        _ kind: FunctionKind,
        _ position: SourcePosition,
        _ kinds: inout NameTable<FunctionKind>
    ) {
        if let other = kinds[name], other != kind {
            bag.error(
                "E006",
                position,
                "'\(name)' is used as \(other.rawValue) and as \(kind.rawValue): give the two functions different names"
            )
        }
        kinds[name] = kinds[name] ?? kind
    }

    /// The number of a state. Adds a diagnostic if the state is unknown.
    private mutating func number(_ name: String, _ position: SourcePosition) -> Int? {
        if let number = numbers[name] { return number }
        guard !bag.isFull else { return nil }
        bag.error("E007", position, "no state '\(name)'\(suggestion(for: name))")
        return nil
    }

    private func suggestion(for name: String) -> String {
        guard profile == .recommendation else {
            // A chart with more states is refused for its size.
            let known = document.states.prefix(Dialect.statesMax + 1).map(\.id).filter { !$0.isEmpty }
            return Names.advice(for: name, among: known, "there are")
        }
        // This chart can have any number of states. So the search reads at most 200 names of at most 64 bytes.
        let length = name.utf8.count
        guard length <= 64 else { return "" }
        let near = document.states.lazy.map(\.id).filter { !$0.isEmpty && abs($0.utf8.count - length) <= 3 }
        return Names.suggestion(for: name, among: Array(near.prefix(200)))
    }

    // MARK: Targets

    private mutating func resolveTransitions() {
        for index in document.transitions.indices {
            let transition = document.transitions[index]
            let targets = (transition.targetNames ?? []).compactMap { number($0, transition.position) }
            document.transitions[index].targets = targets
            checkTogether(targets, transition.position, all: transition.targetNames?.count ?? 0)
            if case .isIn(let name, _)? = transition.condition {
                let state = number(name, transition.position)
                if let state, document.states[state].isHistory {
                    bag.error("E007", transition, "In('\(name)'): a history is never active; use its parent state")
                } else {
                    document.transitions[index].conditionState = state
                }
            }
        }
    }

    /// E010: the target states must be in different regions of a parallel.
    private mutating func checkTogether(_ targets: [Int], _ position: SourcePosition, all: Int) {
        guard targets.count > 1, targets.count == all else { return }
        var placed = PlacedTargets(document)
        for (index, second) in targets.enumerated() where !placed.place(second) {
            guard let first = targets[..<index].first(where: { !canBeTogether($0, second) }) else { return }
            let names = "'\(document.states[first].id)' and '\(document.states[second].id)'"
            let problem =
                first == second
                ? "the target '\(document.states[first].id)' occurs twice: remove one"
                : "targets \(names) cannot be active together: they must be in different regions of a parallel"
            bag.error("E010", position, problem)
            return
        }
    }

    private func canBeTogether(_ first: Int, _ second: Int) -> Bool {
        let common = document.commonAncestor(first, second)
        if common == first || common == second || common == 0 { return false }
        guard document.states[common].kind == .parallel else { return false }
        // A history of the common parallel restores all regions, so it conflicts with a target in any region.
        return ![first, second].contains { document.states[$0].isHistory && document.states[$0].parent == common }
    }

    // MARK: Initial states and histories

    private mutating func resolveInitials() {
        for number in document.states.indices {
            let state = document.states[number]
            switch state.kind {
            case .root: resolveInitialAttribute(number)
            case .state:
                if state.children.isEmpty {
                    if state.initialElements > 0 || state.initialAttribute != nil {
                        bag.error(
                            "E008",
                            state,
                            "state \(state.title) has no child states, so it needs no initial: remove it"
                        )
                    }
                } else if state.initialElements > 0, state.initialAttribute != nil {
                    bag.error(
                        "E008",
                        state,
                        "state \(state.title) has both an initial attribute and <initial>: keep one"
                    )
                } else if let transition = state.initialTransition {
                    let row = document.transitions[transition]
                    document.states[number].initial = row.targets
                    checkInside(number, row.targets, row.position, all: row.targetNames?.count ?? 0)
                } else {
                    resolveInitialAttribute(number)
                }
            case .parallel, .final, .shallowHistory, .deepHistory: break
            }
        }
    }

    private mutating func resolveInitialAttribute(_ number: Int) {
        let state = document.states[number]
        guard let names = state.initialAttribute else {
            document.states[number].initial = Array(state.children.prefix(1))
            return
        }
        if names.isEmpty {
            bag.error("E008", state, "initial is empty: omit it, or name a state")
        }
        let targets = names.compactMap { self.number($0, state.position) }
        document.states[number].initial = targets
        checkInside(number, targets, state.position, all: names.count)
        checkTogether(targets, state.position, all: names.count)
    }

    private mutating func checkInside(_ number: Int, _ targets: [Int], _ position: SourcePosition, all: Int) {
        for target in targets where !document.isDescendant(target, of: number) {
            let name = document.states[target].id
            bag.error(
                "E008",
                position,
                "initial '\(name)' is not inside \(document.states[number].title): name a state inside it"
            )
        }
    }

    private mutating func resolveHistories() {
        for number in document.states.indices where document.states[number].isHistory {
            let history = document.states[number]
            let parent = document.states[history.parent]
            if parent.children.isEmpty {
                bag.error("E009", history, "history \(history.title) is in a state without child states: remove it")
                continue
            }
            if history.transitions.count != 1 {
                let count = history.transitions.count
                bag.error("E009", history, "history \(history.title) needs one default transition, but has \(count)")
            }
            if let transition = history.transitions.first { resolveDefault(of: number, transition) }
        }
    }

    private mutating func resolveDefault(of number: Int, _ transition: Int) {
        let history = document.states[number]
        let row = document.transitions[transition]
        let parent = document.states[history.parent]
        document.states[number].initial = row.targets
        for target in row.targets {
            let name = document.states[target].id
            let problem: String? =
                if target == number {
                    "the default of history \(history.title) is the history itself: name a state in \(parent.title)"
                } else if !document.isDescendant(target, of: history.parent) {
                    "the default '\(name)' of history \(history.title) is not inside \(parent.title): "
                        + "name a state inside it"
                } else if document.states[target].isHistory, document.states[target].parent == history.parent {
                    "the default '\(name)' of history \(history.title) is a history of the same state: name a state"
                } else if profile == .dialect, history.kind == .shallowHistory, !parent.children.contains(target) {
                    "the default '\(name)' of the shallow history '\(history.id)' is not a child of '\(parent.id)': "
                        + "name a child, or make it deep"
                } else {
                    nil
                }
            if let problem { bag.error("E009", row, problem) }
        }
    }

    private mutating func resolveFailure() {
        document.failureStates = document.failure.compactMap { number($0.name, $0.position) }
    }

    private mutating func checkWaits() {
        for state in document.states where state.waitsForever && (!state.isLeaf || state.kind == .final) {
            bag.error("E003", state, "bd:waits on '\(state.id)': only a leaf that is not final can wait; remove it")
        }
    }

    // MARK: Limits

    private mutating func checkLimits() {
        let states = document.states
        if states.count - 1 > Dialect.statesMax {
            let state = states[Dialect.statesMax + 1]
            bag.error(
                "E016",
                state,
                "\(states.count - 1) states; a chart has at most \(Dialect.statesMax): split it in two"
            )
        }
        if document.transitions.count > Dialect.transitionsMax {
            let transition = document.transitions[Dialect.transitionsMax]
            let count = document.transitions.count
            bag.error(
                "E016",
                transition,
                "\(count) transitions; a chart has at most \(Dialect.transitionsMax): split it in two"
            )
        }
        if let deep = states.indices.first(where: { document.path($0).count > Dialect.depthMax }) {
            bag.error(
                "E016",
                states[deep],
                "state '\(states[deep].id)' is nested deeper than \(Dialect.depthMax): flatten it"
            )
        }
        let events = ChartEvents(document)
        if events.named.count > Dialect.eventsMax {
            bag.error(
                "E016",
                states[0],
                "\(events.named.count) events; a chart has at most \(Dialect.eventsMax): split it in two"
            )
        }
    }
}

extension ChartDocument.State {
    /// The state's name in a message.
    var title: String { id.isEmpty ? "without id" : "'\(id)'" }
}
