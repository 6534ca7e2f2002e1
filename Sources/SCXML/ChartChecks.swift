import Statecharts

/// Checks for charts that are legal but wrong or suspicious: E015 and W101 to W115.
struct ChartChecks {
    let document: ChartDocument
    let analysis: ChartAnalysis
    private(set) var bag: DiagnosticBag

    init(_ document: ChartDocument, _ bag: DiagnosticBag) {
        self.document = document
        self.bag = bag
        analysis = ChartAnalysis(document)
        checkSettling()
        checkReachability()
        checkChoices()
        checkRegions()
        checkEvents()
        checkTimers()
        checkWaiting()
        checkHistories()
    }

    func name(_ state: Int) -> String { "'\(document.states[state].id)'" }

    mutating func warning(_ code: String, _ place: some WarningTarget, _ message: String) {
        bag.warning(code, place, message)
    }

    func trigger(_ number: Int) -> String {
        guard let descriptors = document.transitions[number].descriptors else { return "the eventless transition" }
        return "the transition on '\(descriptors.map(\.text).joined(separator: " "))'"
    }

    // MARK: E015

    /// Searches for endless cycles of unguarded eventless transitions. All guards count as false.
    private mutating func checkSettling() {
        var blamed: Set<Int> = []
        for start in document.transitions.indices where isUnguardedEventless(start) {
            guard let cycle = cycle(from: start), let first = cycle.min() else { continue }
            guard blamed.insert(first).inserted else { continue }
            let states = cycle.map { name(document.transitions[$0].source) }.joined(separator: " → ")
            let message =
                "the chart never becomes stable: unguarded eventless transitions form a cycle, \(states): add a guard"
            bag.error("E015", document.transitions[first], message)
        }
    }

    private func isUnguardedEventless(_ number: Int) -> Bool {
        analysis.isEventless(number) && document.transitions[number].condition == nil && analysis.isPossible[number]
    }

    private func cycle(from start: Int) -> [Int]? {
        var parents: [Int: Int] = [:]
        var queue = [start]
        while let number = queue.popLast() {
            for next in eventlessAfter(number) {
                if next == start {
                    var result = [number]
                    while let last = result.last, last != start, let parent = parents[last] { result.append(parent) }
                    return result.reversed()
                }
                if parents[next] == nil {
                    parents[next] = number
                    queue.append(next)
                }
            }
        }
        return nil
    }

    /// The unguarded eventless transitions that are always selected next in the states that a transition entered.
    private func eventlessAfter(_ number: Int) -> [Int] {
        let targets = document.transitions[number].targets
        guard !targets.contains(where: { document.states[$0].isHistory }) else { return [] }
        let leaves = analysis.entered(by: number).filter { document.states[$0].isLeaf }.sorted()
        var chosen: [Int] = []
        for leaf in leaves {
            let onPath = document.path(leaf).lazy.flatMap { document.states[$0].transitions }
            if let next = onPath.first(where: isUnguardedEventless), !chosen.contains(next) { chosen.append(next) }
        }
        // W104 already reports a conflict between two of these transitions.
        let domains = chosen.compactMap { analysis.domain($0) }
        let conflict = domains.indices.contains { index in
            domains[..<index].contains { other in
                other == domains[index] || document.isDescendant(other, of: domains[index])
                    || document.isDescendant(domains[index], of: other)
            }
        }
        return conflict ? [] : chosen
    }

    // MARK: W101

    private mutating func checkReachability() {
        let reached = analysis.reachable()
        for (number, state) in document.states.enumerated().dropFirst() where !state.isHistory {
            // For an unreachable part of the chart, a warning at its outermost state is enough.
            guard !reached.contains(number), state.parent == 0 || reached.contains(state.parent) else { continue }
            warning(
                "W101",
                state,
                "no chain of transitions reaches state \(name(number)): add one, or remove the state"
            )
        }
    }

    // MARK: W102, W103

    private mutating func checkChoices() {
        for state in document.states where !state.isHistory {
            for number in state.transitions {
                guard let earlier = analysis.covering(number) else { continue }
                guard analysis.isEventless(number) || !analysis.triggers[number].isEmpty else { continue }
                let line = document.transitions[earlier].position.line
                let message =
                    "\(trigger(number)) is never chosen: the one in line \(line) has no guard and comes first; "
                    + "put this one first, or remove it"
                warning("W102", document.transitions[number], message)
            }
            checkGuards(state)
        }
    }

    /// Checks that two guards are opposites if an event has only guarded transitions. Else all guards can be false.
    private mutating func checkGuards(_ state: ChartDocument.State) {
        var blamed: Set<Int> = []
        for event in analysis.events.names.indices {
            let candidates = state.transitions.filter { analysis.triggers[$0].contains(event) }
            let conditions = candidates.map { document.transitions[$0].condition }
            guard candidates.count > 1, !conditions.contains(nil), let last = candidates.last else { continue }
            let known = Set(conditions.compactMap { $0 })
            guard !known.contains(where: { known.contains($0.negated) }), blamed.insert(last).inserted else { continue }
            let event = analysis.events.names[event]
            let message =
                "the \(candidates.count) guards for '\(event)' in '\(state.id)' may all be false: "
                + "end with a transition without cond"
            warning("W103", document.transitions[last], message)
        }
    }

    // MARK: W113

    private mutating func checkHistories() {
        for (number, history) in document.states.enumerated() where history.isHistory {
            let parent = document.states[history.parent]
            let isSingle: Bool
            if history.kind == .deepHistory {
                isSingle = configurations(history.parent) == 1
            } else {
                isSingle = parent.kind == .parallel || parent.children.count == 1
            }
            if isSingle {
                let message = "history \(name(number)) can remember only one state: target '\(parent.id)' itself"
                warning("W113", history, message)
            }
        }
    }

    /// The number of possible configurations of a state. The result is at most two.
    private func configurations(_ number: Int) -> Int {
        let state = document.states[number]
        if state.isLeaf { return 1 }
        let counts = state.children.map { configurations($0) }
        return min(2, state.kind == .parallel ? counts.reduce(1, *) : counts.reduce(0, +))
    }
}

extension ChartDocument.Expression {
    var negated: Self {
        switch self {
        case .guardName(let name, let negated): .guardName(name, negated: !negated)
        case .isIn(let id, let negated): .isIn(id, negated: !negated)
        case .script: preconditionFailure("only charts of the dialect are checked")
        }
    }
}
