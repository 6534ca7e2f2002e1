import Statecharts

/// A static analysis of a chart: which states each transition exits and enters, and which transitions are possible.
///
/// The analysis searches states, not configurations. So it is fast. Its sets can be too large but never too small.
struct ChartAnalysis {
    let document: ChartDocument
    let events: ChartEvents
    /// For each transition: the events that trigger it. The set is empty without the attribute `event`.
    let triggers: [Set<Int>]
    /// For each transition: whether it can be selected at all.
    private(set) var isPossible: [Bool]

    init(_ document: ChartDocument) {
        self.document = document
        let events = ChartEvents(document)
        self.events = events
        triggers = document.transitions.map { Set(events.matching($0.descriptors ?? [])) }
        isPossible = document.transitions.map { $0.role == .normal }
        for number in document.transitions.indices where isPossible[number] {
            let hasTrigger = document.transitions[number].descriptors == nil || !triggers[number].isEmpty
            isPossible[number] = hasTrigger && covering(number) == nil
        }
    }

    func isEventless(_ transition: Int) -> Bool {
        document.transitions[transition].role == .normal && document.transitions[transition].descriptors == nil
    }

    /// The transition that makes this one useless: together with earlier unguarded transitions of the same state, it
    /// handles all events of this one; nil: none.
    func covering(_ number: Int) -> Int? {
        let transition = document.transitions[number]
        var left = triggers[number]
        for earlier in document.states[transition.source].transitions where earlier < number {
            guard document.transitions[earlier].condition == nil, isEventless(earlier) == isEventless(number) else {
                continue
            }
            if isEventless(number) { return earlier }
            guard !left.isDisjoint(with: triggers[earlier]) else { continue }
            left.subtract(triggers[earlier])
            if left.isEmpty { return earlier }
        }
        return nil
    }

    // MARK: Exiting

    /// R7: the domain of a transition. A target that is a history counts as a child of its parent.
    func domain(_ number: Int) -> Int? {
        let transition = document.transitions[number]
        guard !transition.targets.isEmpty else { return nil }
        func contains(_ state: Int) -> Bool {
            transition.targets.allSatisfy { document.isDescendant($0, of: state) }
        }
        if transition.isInternal, document.states[transition.source].isCompound, contains(transition.source) {
            return transition.source
        }
        return document.path(transition.source).dropFirst().first {
            document.states[$0].isCompound && contains($0)
        } ?? 0
    }

    /// Whether a transition exits this state when the state is active.
    func leaves(_ number: Int, _ state: Int) -> Bool {
        domain(number).map { document.isDescendant(state, of: $0) } ?? false
    }

    func areInDifferentRegions(_ first: Int, _ second: Int) -> Bool {
        let common = document.commonAncestor(first, second)
        return common != first && common != second && common != 0 && document.states[common].kind == .parallel
    }

    // MARK: Entering

    /// The states that a transition can enter. A transition to a history state enters its default states or the states
    /// that it recorded.
    func entered(by number: Int) -> Set<Int> {
        guard let domain = domain(number) else { return [] }
        return entered(document.transitions[number].targets, below: domain)
    }

    var enteredAtStart: Set<Int> { entered(document.states[0].initial, below: 0) }

    func entered(_ targets: [Int], below domain: Int) -> Set<Int> {
        var result: Set<Int> = []
        for target in targets { want(target, &result) }
        for target in targets { climb(target, to: domain, &result) }
        return result
    }

    private func want(_ state: Int, _ result: inout Set<Int>) {
        let row = document.states[state]
        if row.isHistory {
            for target in row.initial where target != state { want(target, &result) }
            for target in row.initial where target != state { climb(target, to: row.parent, &result) }
            return
        }
        guard result.insert(state).inserted || row.kind == .state else { return }
        if row.kind == .parallel {
            wantChildren(of: state, &result)
        } else {
            for target in row.initial { want(target, &result) }
            for target in row.initial { climb(target, to: state, &result) }
        }
    }

    private func climb(_ state: Int, to domain: Int, _ result: inout Set<Int>) {
        for ancestor in document.path(state).dropFirst() {
            if ancestor == domain { return }
            result.insert(ancestor)
            if document.states[ancestor].kind == .parallel { wantChildren(of: ancestor, &result) }
        }
    }

    private func wantChildren(of parallel: Int, _ result: inout Set<Int>) {
        for child in document.states[parallel].children where !result.contains(child) {
            let isUsed = result.contains { document.isDescendant($0, of: child) }
            if !isUsed { want(child, &result) }
        }
    }

    // MARK: Searching

    /// Every state that a chain of possible transitions enters. Each guard can be true or false.
    func reachable() -> Set<Int> {
        var reached = enteredAtStart
        var before = -1
        while reached.count != before {
            before = reached.count
            for number in document.transitions.indices where isPossible[number] {
                guard reached.contains(document.transitions[number].source) else { continue }
                reached.formUnion(entered(by: number))
                reached.formUnion(restored(by: number, reached))
            }
        }
        return reached
    }

    /// The states that the histories among a transition's targets can restore: the reached children of the history's
    /// parent, and the states that these children imply.
    private func restored(by number: Int, _ reached: Set<Int>) -> Set<Int> {
        var result: Set<Int> = []
        for target in document.transitions[number].targets where document.states[target].kind == .shallowHistory {
            for child in document.states[document.states[target].parent].children where reached.contains(child) {
                want(child, &result)
            }
        }
        return result
    }

    /// The possible transitions that exit a leaf and can be selected while this leaf is active.
    func exitTransitions(of leaf: Int) -> [Int] {
        document.transitions.indices.filter { number in
            guard isPossible[number], leaves(number, leaf) else { return false }
            let source = document.transitions[number].source
            let isOnPath = source == leaf || document.isDescendant(leaf, of: source)
            return isOnPath || areInDifferentRegions(source, leaf)
        }
    }

    /// The states that can be active after a transition. A target history adds all states in its parent.
    func arrivals(by number: Int) -> Set<Int> {
        var result = entered(by: number)
        for target in document.transitions[number].targets where document.states[target].isHistory {
            let parent = document.states[target].parent
            result.formUnion(document.states.indices.filter { document.isDescendant($0, of: parent) })
        }
        return result
    }
}
