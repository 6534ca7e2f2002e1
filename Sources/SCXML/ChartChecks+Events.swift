import Statecharts

// MARK: - Regions: W104, W105

extension ChartChecks {
    mutating func checkRegions() {
        for (number, transition) in document.transitions.enumerated() where analysis.isPossible[number] {
            checkReset(number, transition)
            checkRace(number, transition)
        }
    }

    /// Checks for transitions from a region into its own parallel. Unless internal, they exit the whole parallel.
    private mutating func checkReset(_ number: Int, _ transition: ChartDocument.Transition) {
        let parallel = document.states[transition.source].parent
        guard parallel != 0, document.states[parallel].kind == .parallel, let domain = analysis.domain(number),
            domain != transition.source, transition.targets.allSatisfy({ document.isDescendant($0, of: parallel) })
        else { return }
        let message =
            "\(trigger(number)) leaves \(name(parallel)) and resets its other regions: "
            + "put it on a leaf, or make it internal"
        warning("W105", transition, message)
    }

    /// Checks for two regions that handle the same event, where one of the two transitions exits the parallel.
    private mutating func checkRace(_ number: Int, _ transition: ChartDocument.Transition) {
        guard let domain = analysis.domain(number) else { return }
        for earlier in document.transitions.indices where analysis.isPossible[earlier] {
            let source = document.transitions[earlier].source
            guard source < transition.source, analysis.areInDifferentRegions(source, transition.source),
                let other = analysis.domain(earlier), isSameTrigger(earlier, number)
            else { continue }
            let parallel = document.commonAncestor(source, transition.source)
            guard !document.isInside(other, parallel) || !document.isInside(domain, parallel) else { continue }
            let line = document.transitions[earlier].position.line
            let message =
                "\(trigger(number)) has lower priority than the one in line \(line), in another region of "
                + "\(name(parallel)), only because of document order: add guards, or handle the event in one place"
            warning("W104", transition, message)
            return
        }
    }

    private func isSameTrigger(_ first: Int, _ second: Int) -> Bool {
        if analysis.isEventless(first) || analysis.isEventless(second) {
            return analysis.isEventless(first) && analysis.isEventless(second)
        }
        return !analysis.triggers[first].isDisjoint(with: analysis.triggers[second])
    }
}

extension ChartDocument {
    fileprivate func isInside(_ state: Int, _ outer: Int) -> Bool {
        state != 0 && isDescendant(state, of: outer)
    }
}

// MARK: - Events: W106, W107, W114

extension ChartChecks {
    mutating func checkEvents() {
        for transition in document.transitions where transition.role == .normal {
            for descriptor in transition.descriptors ?? [] { checkDescriptor(descriptor, transition) }
        }
        let matched = analysis.triggers.reduce(into: Set<Int>()) { $0.formUnion($1) }
        var told = NameSet()
        for input in document.inputs where !matched.contains(analysis.events.number(input.name)) {
            _ = told.insert(input.name)
            warning("W107", input, "no transition matches the input '\(input.name)': handle it, or remove it")
        }
        for content in document.contents {
            guard let name = content.sentEvent, !matched.contains(analysis.events.number(name)),
                told.insert(name)
            else { continue }
            warning(
                "W107",
                content,
                "no transition matches '\(name)', which is sent here: handle it, or remove the send"
            )
        }
    }

    private mutating func checkDescriptor(_ descriptor: EventDescriptor, _ transition: ChartDocument.Transition) {
        let known = analysis.events.names + ["error.execution", "error.communication"]
        if known.contains(where: descriptor.matches) { return }
        let prefix = "done.state."
        if descriptor.text.hasPrefix(prefix) {
            let id = descriptor.tokens.dropFirst(2).joined(separator: ".")
            if document.states.contains(where: { $0.id == id }) {
                warning("W114", transition, "'\(id)' never finishes: add a <final>, or wait for another event")
                return
            }
        }
        let hint = Names.suggestion(for: descriptor.text, among: analysis.events.names)
        let advice = hint.isEmpty ? ": declare it with <bd:input>, or remove it" : hint
        warning("W106", transition, "nothing sends an event that '\(descriptor.text)' matches\(advice)")
    }
}

extension ChartDocument {
    var contents: [Content] {
        blocks.flatMap(\.block.content).sorted { $0.position < $1.position }
    }
}

extension ChartDocument.Content {
    var sentEvent: String? {
        switch kind {
        case .raise(let name), .send(let name, _, _): name
        case .perform, .cancel, .log, .interpreted: nil
        }
    }
}

// MARK: - Timers: W108, W109, W110

extension ChartChecks {
    mutating func checkTimers() {
        let ids = NameSet(document.contents.compactMap(\.delayedID))
        for (owner, block) in document.blocks {
            for content in block.content {
                switch content.kind {
                case .send(let event, let id, _?): checkTimer(content, event: event, id: id, owner: owner)
                case .cancel(let id) where !ids.contains(id):
                    let hint = Names.suggestion(for: id, among: ids.sorted)
                    let advice = hint.isEmpty ? ": remove the cancel" : hint
                    warning("W110", content, "no delayed send has the id '\(id)'\(advice)")
                default: break
                }
            }
        }
    }

    private mutating func checkTimer(
        _ content: ChartDocument.Content,
        event: String,
        id: String?,
        owner: ChartDocument.BlockOwner
    ) {
        let senders = senders(owner)
        let names = senders.map(name).joined(separator: " or ")
        if let id {
            let isCancelled = senders.contains { document.states[$0].exit.contains { $0.cancels(id) } }
            if !isCancelled {
                warning("W108", content, "the timer '\(id)' outlives \(names): cancel it in <onexit> there")
            }
        } else {
            warning("W108", content, "a delayed send without id cannot be cancelled: give it one")
        }
        let number = analysis.events.number(event)
        let isHandledAnywhere = analysis.triggers.contains { $0.contains(number) }
        let handlers = senders.flatMap { document.path($0) }.flatMap { document.states[$0].transitions }
        if isHandledAnywhere, !handlers.contains(where: { analysis.triggers[$0].contains(number) }) {
            let message =
                "neither \(names) nor an ancestor handles '\(event)' when the timer expires: "
                + "add a transition there"
            warning("W109", content, message)
        }
    }

    /// The states that are active after the content has run. A timer that the content starts belongs to them.
    private func senders(_ owner: ChartDocument.BlockOwner) -> [Int] {
        switch owner {
        case .entry(let state), .exit(let state): return [state]
        case .transition(let number):
            let transition = document.transitions[number]
            guard transition.role == .normal else { return [document.states[transition.source].outside(transition)] }
            return transition.targets.isEmpty ? [transition.source] : transition.targets
        }
    }
}

extension ChartDocument.State {
    /// The state to which a transition's content belongs: a history's parent, or the state of an `<initial>`.
    fileprivate func outside(_ transition: ChartDocument.Transition) -> Int {
        transition.role == .history ? parent : transition.source
    }
}

extension ChartDocument.Block {
    fileprivate func cancels(_ id: String) -> Bool {
        content.contains {
            if case .cancel(let other) = $0.kind { other.isSame(as: id) } else { false }
        }
    }
}

extension ChartDocument.Content {
    var delayedID: String? {
        if case .send(_, let id, _?) = kind { return id }
        return nil
    }
}
