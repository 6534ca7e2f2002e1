import SCXML

/// The rules once more, as plainly as they can be said: sets of numbers, names compared as strings, nothing worked out
/// ahead. Slow, and easy to hold against the recommendation. The engine must do exactly what this does.
struct NaiveMachine {
    let chart: ChartDocument
    /// Beyond these it is stuck: in one macrostep, and in one call.
    let microstepsMax: Int
    let deliveriesMax: Int
    private(set) var lines: [String] = []
    private(set) var active: Set<Int> = []
    private(set) var isRunning = false
    private(set) var isStuck = false
    private var lastActive: Set<Int> = []
    private var records: [Int: Set<Int>] = [:]
    private var internalQueue: [String] = []
    private var externalQueue: [String] = []
    private var pending: [(due: Int64, order: Int, id: String?, event: String)] = []
    private var now: Int64 = 0
    private var order = 0
    private var microsteps = 0

    init(_ chart: ChartDocument, microstepsMax: Int, deliveriesMax: Int) {
        self.chart = chart
        self.microstepsMax = microstepsMax
        self.deliveriesMax = deliveriesMax
    }

    var states: [String] { (isRunning ? active : lastActive).sorted().map { chart.states[$0].id } }

    // MARK: Steps

    mutating func start() {
        isRunning = true
        let targets = chart.states[0].initial
        enter([(targets, 0)])
        settle()
        deliver(until: now)
    }

    mutating func send(_ event: String) {
        lines = []
        guard isRunning, !isStuck else { return }
        deliver(until: now)
        guard isRunning, !isStuck else { return }
        take(event)
        settle()
        deliver(until: now)
    }

    mutating func wait(_ milliseconds: Int64) {
        lines = []
        let end = now + milliseconds
        deliver(until: end)
        now = end
    }

    private mutating func deliver(until end: Int64) {
        var deliveries = 0
        while isRunning, !isStuck {
            deliveries += 1
            isStuck = deliveries > deliveriesMax
            if !externalQueue.isEmpty {
                let event = externalQueue.removeFirst()
                lines.append("sent \(event)")
                take(event)
            } else if let next = pending.min(by: { ($0.due, $0.order) < ($1.due, $1.order) }), next.due <= end {
                pending.removeAll { $0.order == next.order }
                now = max(now, next.due)
                lines.append("timer \(next.event)")
                take(next.event)
            } else {
                return
            }
            settle()
        }
    }

    private mutating func take(_ event: String, isInternal: Bool = false) {
        if !isInternal { microsteps = 0 }
        let chosen = choose(event)
        if chosen.isEmpty {
            lines.append("drop \(event)")
        } else {
            microstep(chosen, isInternal ? "internal \(event)" : nil)
        }
    }

    private mutating func settle() {
        while isRunning, !isStuck {
            let chosen = choose(nil)
            if !chosen.isEmpty {
                microstep(chosen, "eventless")
            } else if !internalQueue.isEmpty {
                take(internalQueue.removeFirst(), isInternal: true)
            } else {
                return
            }
        }
        if !isRunning, !isStuck { stop() }
    }

    private mutating func stop() {
        lastActive = active
        lines.append("stop")
        leave(active)
        (internalQueue, externalQueue, pending) = ([], [], [])
    }

    private mutating func microstep(_ chosen: [Int], _ line: String?) {
        microsteps += 1
        if microsteps > microstepsMax {
            isStuck = true
            return
        }
        if let line { lines.append(line) }
        leave(chosen.reduce(into: []) { $0.formUnion(exitSet($1)) })
        for number in chosen { run(chart.transitions[number].content) }
        enter(chosen.compactMap { number in domain(number).map { (chart.transitions[number].targets, $0) } })
    }

    // MARK: Choosing

    private func choose(_ event: String?) -> [Int] {
        var chosen: [Int] = []
        for leaf in active.sorted() where isLeaf(leaf) {
            let onWay = ([leaf] + ancestors(leaf)).flatMap { chart.states[$0].transitions }
            if let number = onWay.first(where: { isEnabled($0, event) }), !chosen.contains(number) {
                chosen.append(number)
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

    private func isEnabled(_ number: Int, _ event: String?) -> Bool {
        let transition = chart.transitions[number]
        if let event {
            guard let descriptors = transition.descriptors, descriptors.contains(where: { $0.matches(event) }) else {
                return false
            }
        } else if transition.descriptors != nil {
            return false
        }
        switch transition.condition {
        case nil: return true
        case .isIn(let id, let negated)?: return active.contains { chart.states[$0].id == id } != negated
        case .guardName?: return false
        }
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
            lines.append("-\(chart.states[state].id)")
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
            lines.append("+\(chart.states[state].id)")
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
        raise("done.state.\(chart.states[next].id)")
        next = chart.states[next].parent
        while next != 0, chart.states[next].kind == .parallel, isFinished(next) {
            raise("done.state.\(chart.states[next].id)")
            next = chart.states[next].parent
        }
    }

    private func isFinished(_ state: Int) -> Bool {
        let children = chart.states[state].children
        if chart.states[state].kind == .parallel { return children.allSatisfy { isFinished($0) } }
        return children.contains { active.contains($0) && chart.states[$0].kind == .final }
    }

    // MARK: Content

    private mutating func raise(_ event: String) {
        lines.append("raise \(event)")
        internalQueue.append(event)
    }

    private mutating func run(_ block: ChartDocument.Block?) {
        for content in block?.content ?? [] {
            switch content.kind {
            case .perform(let action): lines.append("do \(action)")
            case .raise(let event): raise(event)
            case .log(let line): lines.append("log \(line)")
            case .send(let event, _, nil):
                lines.append("send \(event)")
                externalQueue.append(event)
            case .send(let event, let id, .milliseconds(let delay)?):
                lines.append("send \(event)")
                order += 1
                pending.append((now + delay, order, id, event))
            case .send(_, _, .named?): break
            case .cancel(let id):
                lines.append("cancel \(id) \(pending.count { $0.id == id })")
                pending.removeAll { $0.id == id }
            }
        }
    }

    // MARK: The tree

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
        ancestor == 0 || ancestors(state).contains(ancestor)
    }

    private func isLeaf(_ state: Int) -> Bool {
        chart.states[state].kind == .final || (chart.states[state].kind == .state && !isCompound(state))
    }

    private func isCompound(_ state: Int) -> Bool {
        chart.states[state].kind == .state && !chart.states[state].children.isEmpty
    }

    private func isHistory(_ state: Int) -> Bool {
        chart.states[state].kind == .shallowHistory || chart.states[state].kind == .deepHistory
    }
}
