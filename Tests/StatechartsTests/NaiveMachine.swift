import SCXML

/// The rules once more, in the simplest form: sets of numbers, names compared as strings, no precomputed tables. It is
/// slow, but easy to compare with the recommendation. The engine must give exactly the same results.
struct NaiveMachine {
    let chart: ChartDocument
    /// The limits of one macrostep and of one call; a machine beyond them is stuck.
    let microstepsMax: Int
    let deliveriesMax: Int
    /// The records since the last element of the script, as text. `steps` has them as steps.
    var lines: [String] = []
    var steps: [NaiveStep] = []
    /// The log output since the last element of the script, as JSON.
    var logs: [String] = []
    private(set) var active: Set<Int> = []
    private(set) var isRunning = false
    private(set) var isStuck = false
    private(set) var lastActive: Set<Int> = []
    private(set) var now: Int64 = 0
    private(set) var current: NaiveEvent?
    private(set) var isInStep = false
    private var records: [Int: Set<Int>] = [:]
    var internalQueue: [NaiveEvent] = []
    var externalQueue: [NaiveEvent] = []
    var pending: [(due: Int64, order: Int, event: NaiveEvent)] = []
    var order = 0
    var variables: [String: NaiveValue] = [:]
    var initialized: Set<Int> = []
    /// The errors of conditions that failed during the selection. They wait here until the next step begins.
    var raisedInChoosing: [String] = []
    private var microsteps = 0

    init(_ chart: ChartDocument, microstepsMax: Int, deliveriesMax: Int) {
        self.chart = chart
        self.microstepsMax = microstepsMax
        self.deliveriesMax = deliveriesMax
    }

    var states: [String] { (isRunning ? active : lastActive).sorted().map { name($0) } }

    // MARK: Steps

    mutating func start() {
        isRunning = true
        begin("start", nil)
        for item in chart.data { variables[item.id] = .undefined }
        for (number, item) in chart.data.enumerated() where !chart.bindsLate || item.owner == 0 { initialize(number) }
        let targets = chart.states[0].initial
        enter([(targets, 0)])
        settle()
        deliver(until: now)
    }

    mutating func send(_ event: String, _ data: NaiveValue = .undefined) {
        forget()
        guard isRunning, !isStuck else { return }
        deliver(until: now)
        guard isRunning, !isStuck else { return }
        take(NaiveEvent(name: event, data: data), "external")
        settle()
        deliver(until: now)
    }

    mutating func wait(_ milliseconds: Int64) {
        forget()
        let end = now + milliseconds
        deliver(until: end)
        if !isStuck { now = end }
    }

    private mutating func forget() {
        lines = []
        steps = []
        logs = []
    }

    private mutating func deliver(until end: Int64) {
        var deliveries = 0
        while isRunning, !isStuck {
            deliveries += 1
            isStuck = deliveries > deliveriesMax
            if !externalQueue.isEmpty {
                let event = externalQueue.removeFirst()
                lines.append("sent \(event.name)")
                take(event, "external")
            } else if let next = pending.min(by: { ($0.due, $0.order) < ($1.due, $1.order) }), next.due <= end {
                pending.removeAll { $0.order == next.order }
                now = max(now, next.due)
                lines.append("timer \(next.event.name)")
                take(next.event, "timer")
            } else {
                return
            }
            settle()
        }
    }

    private mutating func take(_ event: NaiveEvent, _ origin: String) {
        if origin != "internal" { microsteps = 0 }
        current = event
        let chosen = choose(event.name)
        if !chosen.isEmpty { return microstep(chosen, origin, event.name) }
        microsteps += 1
        isStuck = isStuck || microsteps > microstepsMax
        lines.append("drop \(event.name)")
        begin(origin, event.name)
        isInStep = false
    }

    private mutating func settle() {
        isInStep = false
        while isRunning, !isStuck {
            let chosen = choose(nil)
            if !chosen.isEmpty {
                microstep(chosen, "eventless", nil)
            } else if !internalQueue.isEmpty {
                take(internalQueue.removeFirst(), "internal")
            } else {
                return
            }
        }
        if !isRunning, !isStuck { stop() }
    }

    private mutating func stop() {
        lastActive = active
        lines.append("stop")
        begin("exit", nil)
        leave(active)
        isInStep = false
        (internalQueue, externalQueue, pending) = ([], [], [])
    }

    private mutating func microstep(_ chosen: [Int], _ origin: String, _ event: String?) {
        microsteps += 1
        if microsteps > microstepsMax {
            isStuck = true
            return
        }
        if origin == "internal" { lines.append("internal \(event ?? "")") }
        if origin == "eventless" { lines.append("eventless") }
        begin(origin, event)
        steps[steps.count - 1].transitions = chosen
        leave(chosen.reduce(into: []) { $0.formUnion(exitSet($1)) })
        for number in chosen { run(chart.transitions[number].content) }
        enter(chosen.compactMap { number in domain(number).map { (chart.transitions[number].targets, $0) } })
        isInStep = false
    }

    private mutating func begin(_ origin: String, _ event: String?) {
        steps.append(NaiveStep(time: now, event: event, origin: origin, raised: raisedInChoosing))
        raisedInChoosing = []
        isInStep = true
    }

    // MARK: Choosing

    private mutating func choose(_ event: String?) -> [Int] {
        var chosen: [Int] = []
        for leaf in active.sorted() where isLeaf(leaf) {
            let onWay = ([leaf] + ancestors(leaf)).flatMap { chart.states[$0].transitions }
            for number in onWay where isEnabled(number, event) {
                if !chosen.contains(number) { chosen.append(number) }
                break
            }
        }
        var kept: [Int] = []
        for candidate in chosen {
            let rivals = kept.filter { !exitSet($0).isDisjoint(with: exitSet(candidate)) }
            let source = chart.transitions[candidate].source
            if rivals.allSatisfy({ isDescendant(source, chart.transitions[$0].source) }) {
                kept.removeAll { rivals.contains($0) }
                kept.append(candidate)
            }
        }
        return kept
    }

    private mutating func isEnabled(_ number: Int, _ event: String?) -> Bool {
        let transition = chart.transitions[number]
        if let event {
            guard let descriptors = transition.descriptors,
                descriptors.contains(where: { Self.matches($0.text, event) })
            else { return false }
        } else if transition.descriptors != nil {
            return false
        }
        switch transition.condition {
        case nil: return true
        case .isIn(let id, let negated)?: return active.contains { chart.states[$0].id == id } != negated
        case .script(let expression)?: return holds(expression)
        case .guardName?: return false
        }
    }

    /// Whether an event matches a descriptor (R14). The function compares token by token up to the end of the
    /// descriptor.
    private static func matches(_ descriptor: String, _ event: String) -> Bool {
        if descriptor == "*" { return true }
        var wanted = descriptor
        for ending in [".*", "."] where wanted.hasSuffix(ending) { wanted.removeLast(ending.count) }
        return event == wanted || event.hasPrefix(wanted + ".")
    }

    private func exitSet(_ number: Int) -> Set<Int> {
        guard let domain = domain(number) else { return [] }
        return active.filter { isDescendant($0, domain) }
    }

    private func domain(_ number: Int) -> Int? {
        let transition = chart.transitions[number]
        let targets = effective(transition.targets)
        if targets.isEmpty { return nil }
        if transition.isInternal, isCompound(transition.source),
            targets.allSatisfy({ isDescendant($0, transition.source) })
        {
            return transition.source
        }
        let candidates = ancestors(transition.source).filter { isCompound($0) } + [0]
        return candidates.first { candidate in targets.allSatisfy { isDescendant($0, candidate) } }
    }

    private func effective(_ targets: [Int]) -> Set<Int> {
        targets.reduce(into: []) { result, target in
            if !isHistory(target) {
                result.insert(target)
            } else {
                result.formUnion(records[target] ?? effective(chart.states[target].initial))
            }
        }
    }

    // MARK: Leaving and entering

    private mutating func leave(_ states: Set<Int>) {
        for state in states {
            for history in chart.states[state].histories {
                let isDeep = chart.states[history].kind == .deepHistory
                records[history] = active.filter {
                    isDeep ? isLeaf($0) && isDescendant($0, state) : chart.states[$0].parent == state
                }
            }
        }
        for state in states.sorted(by: >) {
            for block in chart.states[state].exit { run(block) }
            active.remove(state)
            lines.append("-\(name(state))")
            steps[steps.count - 1].exited.append(name(state))
        }
    }

    private struct Entry {
        var wanted: Set<Int> = []
        var byDefault: Set<Int> = []
        var historyContent: [Int: Int] = [:]
    }

    private mutating func enter(_ ways: [(targets: [Int], domain: Int)]) {
        var entry = Entry()
        for way in ways {
            for target in way.targets { want(target, &entry) }
            for target in effective(way.targets).sorted() { climb(target, way.domain, &entry) }
        }
        for state in entry.wanted.subtracting(active).sorted() {
            active.insert(state)
            lines.append("+\(name(state))")
            steps[steps.count - 1].entered.append(name(state))
            for (number, item) in chart.data.enumerated() where chart.bindsLate && item.owner == state {
                initialize(number)
            }
            for block in chart.states[state].entry { run(block) }
            if entry.byDefault.contains(state), let initial = chart.states[state].initialTransition {
                run(chart.transitions[initial].content)
            }
            if let transition = entry.historyContent[state] { run(chart.transitions[transition].content) }
            if chart.states[state].kind == .final { finish(state) }
        }
    }

    private func want(_ state: Int, _ entry: inout Entry) {
        if isHistory(state) {
            let parent = chart.states[state].parent
            if records[state] == nil { entry.historyContent[parent] = chart.states[state].transitions[0] }
            let targets = records[state]?.sorted() ?? chart.states[state].initial
            for target in targets { want(target, &entry) }
            for target in targets { climb(target, parent, &entry) }
            return
        }
        entry.wanted.insert(state)
        if isCompound(state) {
            entry.byDefault.insert(state)
            for target in chart.states[state].initial { want(target, &entry) }
            for target in chart.states[state].initial { climb(target, state, &entry) }
        } else if chart.states[state].kind == .parallel {
            wantRegions(state, &entry)
        }
    }

    private func climb(_ state: Int, _ bound: Int, _ entry: inout Entry) {
        for ancestor in ancestors(state) {
            if ancestor == bound { return }
            entry.wanted.insert(ancestor)
            if chart.states[ancestor].kind == .parallel { wantRegions(ancestor, &entry) }
        }
    }

    private func wantRegions(_ parallel: Int, _ entry: inout Entry) {
        for child in chart.states[parallel].children {
            let isUsed = entry.wanted.contains { $0 == child || isDescendant($0, child) }
            if !isUsed { want(child, &entry) }
        }
    }

    private mutating func finish(_ state: Int) {
        var next = chart.states[state].parent
        if next == 0 {
            isRunning = false
            return
        }
        let data = chart.states[state].doneData.map { carried($0) } ?? .undefined
        raise(NaiveEvent(name: "done.state.\(name(next))", type: "platform", data: data))
        next = chart.states[next].parent
        while next != 0, chart.states[next].kind == .parallel, isFinished(next) {
            raise(NaiveEvent(name: "done.state.\(name(next))", type: "platform"))
            next = chart.states[next].parent
        }
    }

    private func isFinished(_ state: Int) -> Bool {
        let children = chart.states[state].children
        if chart.states[state].kind == .parallel { return children.allSatisfy { isFinished($0) } }
        return children.contains { active.contains($0) && chart.states[$0].kind == .final }
    }

    // MARK: The tree

    /// The id of a state, or its number.
    func name(_ state: Int) -> String {
        chart.states[state].id.isEmpty ? "#\(state)" : chart.states[state].id
    }

    private func ancestors(_ state: Int) -> [Int] {
        var result: [Int] = []
        var next = chart.states[state].parent
        while next != 0 {
            result.append(next)
            next = chart.states[next].parent
        }
        return result
    }

    private func isDescendant(_ state: Int, _ ancestor: Int) -> Bool {
        if ancestor == 0 { return true }
        var next = chart.states[state].parent
        while next != 0, next != ancestor { next = chart.states[next].parent }
        return next == ancestor
    }

    func isLeaf(_ state: Int) -> Bool {
        chart.states[state].kind == .final || (chart.states[state].kind == .state && !isCompound(state))
    }

    private func isCompound(_ state: Int) -> Bool {
        chart.states[state].kind == .state && !chart.states[state].children.isEmpty
    }

    private func isHistory(_ state: Int) -> Bool {
        chart.states[state].kind == .shallowHistory || chart.states[state].kind == .deepHistory
    }
}
