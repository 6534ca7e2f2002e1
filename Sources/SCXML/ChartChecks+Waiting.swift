import Statecharts

// MARK: - Waiting: W111, W112, W115

extension ChartChecks {
    mutating func checkWaiting() {
        let safe = statesThatCanFail()
        let reached = analysis.reachable()
        for (number, state) in document.states.enumerated().dropFirst() {
            guard state.isLeaf, state.kind != .final, reached.contains(number) else { continue }
            let ways = analysis.exitTransitions(of: number).filter { document.transitions[$0].targets != [number] }
            if ways.isEmpty {
                let message = "\(name(number)) has no outgoing transition: make it <final>, or add a transition"
                warning("W112", state, message)
                continue
            }
            if isWaitingWithoutEnd(number) {
                let message =
                    "\(name(number)) waits for inputs without a timeout: "
                    + "send a delayed event on entry, or add bd:waits=\"forever\""
                warning("W111", state, message)
            }
            if let safe, !safe.contains(number), !hasFailureBeside(number) {
                let names = document.failure.map { "'\($0.name)'" }.joined(separator: ", ")
                let message =
                    "no chain of transitions leads from \(name(number)) to \(names): "
                    + "add one, to it or to an ancestor"
                warning("W115", state, message)
            }
        }
    }

    private func isWaitingWithoutEnd(_ leaf: Int) -> Bool {
        let path = document.path(leaf)
        if document.states[leaf].waitsForever { return false }
        let transitions = path.flatMap { document.states[$0].transitions }.filter { analysis.isPossible[$0] }
        let isTransient = transitions.contains {
            analysis.isEventless($0) && document.transitions[$0].condition == nil
        }
        let inputs = Set(0..<analysis.events.inputCount)
        let waitsForInput = transitions.contains { !analysis.triggers[$0].isDisjoint(with: inputs) }
        return !isTransient && waitsForInput && !path.contains(where: hasTimer)
    }

    /// Whether a state starts a timer when it is entered.
    private func hasTimer(_ state: Int) -> Bool {
        let row = document.states[state]
        if row.entry.contains(where: \.armsTimer) { return true }
        return row.initialTransition.map { document.transitions[$0].content?.armsTimer ?? false } ?? false
    }

    /// Whether a failure state is in another region than this leaf, so that failures can lead to that state
    /// independently of this leaf.
    private func hasFailureBeside(_ leaf: Int) -> Bool {
        document.failureStates.contains { analysis.areInDifferentRegions($0, leaf) }
    }

    /// The leaves from which a chart can reach a state in `bd:failure`. The search starts at these states.
    private func statesThatCanFail() -> Set<Int>? {
        guard !document.failureStates.isEmpty else { return nil }
        var good = Set(
            document.states.indices.filter { state in
                document.failureStates.contains { $0 == state || document.isDescendant(state, of: $0) }
            }
        )
        let leaves = document.states.indices.filter { document.states[$0].isLeaf && $0 != 0 }
        let ways = leaves.map { leaf in (leaf, analysis.exitTransitions(of: leaf).map { analysis.arrivals(by: $0) }) }
        var before = -1
        while good.count != before {
            before = good.count
            for (leaf, arrivals) in ways where !good.contains(leaf) {
                let leadsThere = arrivals.contains { arrival in
                    arrival.contains { good.contains($0) || document.failureStates.contains($0) }
                }
                if leadsThere { good.insert(leaf) }
            }
        }
        return good
    }
}

extension ChartDocument.Block {
    fileprivate var armsTimer: Bool {
        content.contains {
            if case .send(_, _, _?) = $0.kind { true } else { false }
        }
    }
}
