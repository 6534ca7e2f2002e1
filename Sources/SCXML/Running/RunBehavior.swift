import Statecharts

/// The data model of a chart that a tool runs. It evaluates conditions and executes content.
struct RunBehavior<Bits: StateSet>: Behavior, Sendable {
    typealias Chart = LoadedChart<Bits>
    typealias Effect = Never
    typealias Failure = RunError

    let program: RunProgram
    let given: RunNames
    var variables: NameTable<ScriptValue>
    /// The names of all events, by number: first the names in the chart, then new names in the order of use.
    var events: NumberedNames
    var sends = NumberedNames()
    /// The output of `log` elements. A recorded action gives the index of its line here. After each event, the runner
    /// takes the lines away.
    var logs: [ChartRunner.Log] = []
    private(set) var overrun: String?
    private var entered: Set<Int> = []
    var madeUpIDs = 0
    private var elementsLeft = 0
    private var dataLeft = RunBehavior.dataMax

    /// The maximum number of elements that one element of a block can execute. This limit stops loops over long arrays.
    private static var elementsMax: Int { 100_000 }
    /// The maximum total size of the data that a run can send and log, counted as ``ScriptValue/size``.
    private static var dataMax: Int { 200_000_000 }

    init(_ program: RunProgram, given: RunNames) {
        self.program = program
        self.given = given
        variables = NameTable(program.document.data.map { ($0.id, .undefined) })
        events = NumberedNames(program.events.places)
    }

    // MARK: Requirements by name

    func holds(_ guardID: LoadedNumber, _ event: Chart.Event?) -> Bool {
        preconditionFailure("conditions are evaluated")
    }

    func delay(_ delayID: LoadedNumber) -> Duration {
        preconditionFailure("delays are evaluated")
    }

    mutating func perform(_ actionID: LoadedNumber, _ event: Chart.Event?, _ effects: inout [Never]) {}

    // MARK: Requirements by number

    func evaluate(condition: Int, at moment: Moment<Chart>) throws(RunError) -> Bool {
        try value(of: program.conditions[condition], at: moment).isTruthy
    }

    mutating func evaluate(
        content: Int,
        at moment: Moment<Chart>,
        into outbox: inout Outbox<Chart>
    ) throws(RunError) {
        switch program.contents[content] {
        case .initialize(let item):
            guard entered.insert(content).inserted else { return }
            variables[item.id] = try value(of: item.value, at: moment)
        case .execute(let element):
            elementsLeft = Self.elementsMax
            try execute(element, at: moment, into: &outbox)
        case .finish(let parent, let payload):
            let name = RunEvents.doneName(of: parent, program.document)
            let data = try data(payload, at: moment, into: &outbox)
            outbox.raise(event(name, data: data, origin: .platform).queued())
        }
    }

    mutating func event(for failure: RunError) -> QueuedEvent<Chart> {
        let data = ScriptValue.string(failure.message)
        return event(failure.kind.rawValue, data: data, origin: .platform, sendID: failure.sendID).queued()
    }

    // MARK: Elements

    private mutating func execute(
        _ element: ChartDocument.Content,
        at moment: Moment<Chart>,
        into outbox: inout Outbox<Chart>
    ) throws(RunError) {
        try spend()
        switch element.kind {
        case .perform(let name):
            outbox.perform(program.actions[name] ?? 0)
        case .raise(let name):
            outbox.raise(event(name, origin: .internal).queued())
        case .interpreted(.dispatch(let send)):
            try dispatch(send, at: moment, into: &outbox)
        case .interpreted(.cancel(let source)):
            outbox.cancel(id: number(ofSendID: try text(of: source, at: moment)))
        case .interpreted(.log(let label, let expression)):
            var logged: ScriptValue?
            if let expression { logged = try value(of: expression, at: moment) }
            try hold(logged ?? .undefined)
            logs.append(ChartRunner.Log(label: label, value: logged))
            outbox.log(logs.count - 1)
        case .interpreted(.assign(let location, let source)):
            try assign(try value(of: source, at: moment), to: location, at: moment)
        case .interpreted(.choose(let branches)):
            for branch in branches where holds(branch.condition, at: moment, into: &outbox) {
                try execute(all: branch.content, at: moment, into: &outbox)
                return
            }
        case .interpreted(.forEach(let array, let item, let index, let content)):
            try loop(over: array, item, index, content, at: moment, into: &outbox)
        case .send, .cancel, .log, .interpreted(.foreign):
            preconditionFailure("a chart that is run does not have these")
        }
    }

    private mutating func execute(
        all content: [ChartDocument.Content],
        at moment: Moment<Chart>,
        into outbox: inout Outbox<Chart>
    ) throws(RunError) {
        for element in content { try execute(element, at: moment, into: &outbox) }
    }

    /// W3C SCXML 5.9.1: a condition that cannot be evaluated counts as false and raises an error.
    private mutating func holds(
        _ condition: ScriptExpression?,
        at moment: Moment<Chart>,
        into outbox: inout Outbox<Chart>
    ) -> Bool {
        guard let condition else { return true }
        do throws(RunError) {
            return try value(of: condition, at: moment).isTruthy
        } catch {
            outbox.raise(event(for: error))
            return false
        }
    }

    /// W3C SCXML 4.6: the loop uses a copy of the array, so the content of the loop is allowed to change the array.
    private mutating func loop(
        over source: ScriptExpression,
        _ item: String,
        _ index: String?,
        _ content: [ChartDocument.Content],
        at moment: Moment<Chart>,
        into outbox: inout Outbox<Chart>
    ) throws(RunError) {
        guard case .array(let elements) = try value(of: source, at: moment) else {
            throw RunError(.execution, "foreach: '\(source.text)' is not an array")
        }
        for name in [item, index].compactMap(\.self) where !RunNames.canBeVariable(name) {
            throw RunError(.execution, "foreach: '\(name)' cannot be a variable")
        }
        // The loop declares its variables even if the array is empty.
        for name in [item, index].compactMap(\.self) where variables[name] == nil { variables[name] = .undefined }
        for (position, element) in elements.enumerated() {
            try spend()
            variables[item] = element
            if let index { variables[index] = .number(Double(position)) }
            try execute(all: content, at: moment, into: &outbox)
        }
    }

    private mutating func spend() throws(RunError) {
        elementsLeft -= 1
        if elementsLeft < 0 { overrun = overrun ?? "more than \(Self.elementsMax) elements executed in one block" }
        if let overrun { throw RunError(.execution, overrun) }
    }

    /// Counts data that queues or the log will store. Throws if it is too much.
    mutating func hold(_ data: ScriptValue) throws(RunError) {
        dataLeft -= data.size
        if dataLeft < 0 { overrun = overrun ?? "more than \(Self.dataMax) bytes of data sent and logged" }
        if let overrun { throw RunError(.execution, overrun) }
    }
}
