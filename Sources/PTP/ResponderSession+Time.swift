extension ResponderSession {
    /// When `advance` must be called next; nil: not before the next input.
    package var nextDeadline: Duration? {
        var deadline = connections.compactMap(\.deadline).min()
        switch slot {
        case .free, .asking: break
        case .held(let until): deadline = min(deadline ?? until, until)
        case .taken(let link):
            if let next = link.nextDeadline(options) { deadline = min(deadline ?? next, next) }
        }
        return deadline
    }

    /// Closes connections and ends waits whose deadline is over.
    package mutating func advance(to now: Duration) {
        for connection in connections {
            guard let deadline = connection.deadline, deadline <= now else { continue }
            fail(connection.id, ResponderSentences.packetIncomplete, at: now)
        }
        if case .held(let until) = slot, until <= now { slot = .free }
        guard case .taken(var link) = slot else { return }
        if link.event == nil, link.eventDeadline <= now {
            return fail(link.command, ResponderSentences.eventConnectionMissing, at: now)
        }
        if let limit = options.idleLimit, !link.isSending, link.lastOperation + limit <= now {
            return fail(link.command, ResponderSentences.operationMissing, at: now)
        }
        if case .cancelled(let transaction, let until) = link.transaction, until <= now {
            finishCancelled(transaction)
            guard case .taken(let current) = slot else { return }
            link = current
        }
        guard let event = link.event else { return }
        switch link.probe {
        case .due(let time) where time <= now && options.probeInterval != nil: probe(on: event, at: now)
        case .unanswered(let until) where until <= now: dropUnanswering(event, at: now)
        case .due, .unanswered, .off:
            break
        }
    }
}

extension ResponderLink {
    fileprivate func nextDeadline(_ options: ResponderOptions) -> Duration? {
        var deadlines: [Duration] = []
        if event == nil { deadlines.append(eventDeadline) }
        if let limit = options.idleLimit, !isSending { deadlines.append(lastOperation + limit) }
        switch probe {
        case .off: break
        // The options may have switched off probes after this probe was planned.
        case .due where options.probeInterval == nil: break
        case .due(let time): deadlines.append(time)
        case .unanswered(let until): deadlines.append(until)
        }
        if case .cancelled(_, let until) = transaction { deadlines.append(until) }
        return deadlines.min()
    }
}
