import Statecharts

/// A chart as tables, for the emitter and for charts that are loaded at run time.
public struct LoweredChart: Sendable {
    /// The states in document order.
    public let states: [StateRow]
    /// The transitions in document order.
    public let transitions: [TransitionRow]
    /// The executable content.
    public let blocks: [[Statecharts.Operation]]
    /// The names, by number.
    public let names: ChartNames
    let events: ChartEvents
    let document: ChartDocument

    /// The engine's table.
    public func table<Bits: StateSet>(_ type: Bits.Type = Bits.self) -> ChartTable<Bits> {
        ChartTable(
            name: names.chart,
            states: states,
            transitions: transitions,
            blocks: blocks,
            eventCount: names.events.count
        )
    }

    /// Converts a chart without errors into tables.
    ///
    /// - Parameter more: additional names of inputs. Only the tools pass them, for a chart without declarations and for
    ///   names on the command line.
    public init(_ document: ChartDocument, alsoEvents more: [String] = []) {
        var lowering = Lowering(document, more)
        self.document = document
        states = document.states.indices.map { lowering.state($0) }
        transitions = document.transitions.indices.map { lowering.transition($0) }
        blocks = lowering.blocks
        events = lowering.events
        names = lowering.names
    }
}

private struct Lowering {
    let document: ChartDocument
    let events: ChartEvents
    var blocks: [[Statecharts.Operation]] = []
    private var guards = NumberedNames()
    private var actions = NumberedNames()
    private var delays = NumberedNames()
    private var sendIDs = NumberedNames()
    private var logLines = NumberedNames()

    init(_ document: ChartDocument, _ more: [String]) {
        self.document = document
        events = ChartEvents(document, alsoEvents: more)
        collectNames()
    }

    var names: ChartNames {
        ChartNames(
            chart: document.name,
            states: document.states.map(\.id),
            events: events.names,
            guards: guards.names,
            delays: delays.names,
            actions: actions.names,
            sendIDs: sendIDs.names,
            logLines: logLines.names
        )
    }

    /// Gives numbers to functions, ids and log lines, in document order.
    private mutating func collectNames() {
        for transition in document.transitions {
            if case .guardName(let name, _)? = transition.condition { _ = guards.add(name) }
        }
        for content in document.contents {
            switch content.kind {
            case .perform(let name): _ = actions.add(name)
            case .send(_, let id, let delay):
                if let id { _ = sendIDs.add(id) }
                if case .named(let name)? = delay { _ = delays.add(name) }
            case .cancel(let id): _ = sendIDs.add(id)
            case .log(let line): _ = logLines.add(line)
            case .raise: break
            case .interpreted: preconditionFailure("only charts of the dialect are lowered")
            }
        }
    }

    mutating func state(_ number: Int) -> StateRow {
        let state = document.states[number]
        return StateRow(
            state.rowKind,
            parent: state.parent,
            initial: state.initial,
            initialTransition: state.isHistory ? state.transitions.first : state.initialTransition,
            entry: add(state.entry),
            exit: add(state.exit),
            done: events.done[number]
        )
    }

    mutating func transition(_ number: Int) -> TransitionRow {
        let transition = document.transitions[number]
        return TransitionRow(
            from: transition.source,
            on: transition.trigger { events.matching($0) },
            if: condition(transition),
            to: transition.targets,
            isInternal: transition.isInternal,
            content: add(transition.content.map { [$0] } ?? [])
        )
    }

    private func condition(_ transition: ChartDocument.Transition) -> Condition {
        switch transition.condition {
        case nil: .always
        case .guardName(let name, let negated):
            negated ? .fails(Self.place(of: name, in: guards)) : .holds(Self.place(of: name, in: guards))
        case .isIn(_, let negated):
            negated ? .inactive(transition.conditionState ?? 0) : .active(transition.conditionState ?? 0)
        case .script: preconditionFailure("only charts of the dialect are lowered")
        }
    }

    private mutating func add(_ new: [ChartDocument.Block]) -> Range<Int> {
        let filled = new.filter { !$0.content.isEmpty }
        guard !filled.isEmpty else { return 0..<0 }
        let start = blocks.count
        for block in filled { blocks.append(block.content.map(operation)) }
        return start..<blocks.count
    }

    private func operation(_ content: ChartDocument.Content) -> Statecharts.Operation {
        switch content.kind {
        case .perform(let name): .perform(Self.place(of: name, in: actions))
        case .raise(let name): .raise(events.number(name))
        case .cancel(let id): .cancel(Self.place(of: id, in: sendIDs))
        case .log(let line): .log(Self.place(of: line, in: logLines))
        case .send(let name, let id, nil): .send(events.number(name), id: sendID(id))
        case .send(let name, let id, .milliseconds(let milliseconds)?):
            .sendAfter(milliseconds: milliseconds, events.number(name), id: sendID(id))
        case .send(let name, let id, .named(let delay)?):
            .sendAfterDelay(Self.place(of: delay, in: delays), events.number(name), id: sendID(id))
        case .interpreted: preconditionFailure("only charts of the dialect are lowered")
        }
    }

    private func sendID(_ id: String?) -> Int? {
        id.map { Self.place(of: $0, in: sendIDs) }
    }

    private static func place(of name: String, in list: NumberedNames) -> Int {
        guard let place = list[name] else { preconditionFailure("'\(name)' was not collected") }
        return place
    }
}

extension ChartDocument.State {
    var rowKind: StateRow.Kind {
        switch kind {
        case .root: .root
        case .state: children.isEmpty ? .atomic : .compound
        case .parallel: .parallel
        case .final: .final
        case .shallowHistory: .shallowHistory
        case .deepHistory: .deepHistory
        }
    }
}

extension ChartDocument.Transition {
    func trigger(matching: ([EventDescriptor]) -> [Int]) -> TransitionRow.Trigger {
        guard role == .normal else { return .never }
        return descriptors.map { .events(matching($0)) } ?? .eventless
    }
}
