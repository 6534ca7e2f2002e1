import Statecharts

// MARK: - Events and sends

extension RunBehavior {
    /// An event with the number of its name. A new name gets the next free number.
    mutating func event(
        _ name: String,
        data: ScriptValue = .undefined,
        origin: LoadedEvent.Origin = .external,
        sendID: String? = nil
    ) -> LoadedEvent {
        let number = events.add(name)
        let place = program.events.place(of: name)
        return LoadedEvent(name, number: number, place: place, data: data, origin: origin, sendID: sendID)
    }

    mutating func number(ofSendID id: String) -> Int {
        sends.add(id)
    }

    /// W3C SCXML 6.2 `<send>`. All expressions are evaluated now, even if the event has a delay.
    mutating func dispatch(
        _ send: ChartDocument.SendDescription,
        at moment: Moment<Chart>,
        into outbox: inout Outbox<Chart>
    ) throws(RunError) {
        var id = send.id
        if let location = send.idLocation {
            madeUpIDs += 1
            // A chart cannot contain an id of this form.
            let made = "#send.\(madeUpIDs)"
            try assign(.string(made), to: location, at: moment)
            id = made
        }
        do throws(RunError) {
            try dispatch(send, id: id, at: moment, into: &outbox)
        } catch {
            // W3C SCXML 5.10.1: the error event of a `<send>` contains the send's id.
            throw RunError(error.kind, error.message, sendID: id)
        }
    }

    private mutating func dispatch(
        _ send: ChartDocument.SendDescription,
        id: String?,
        at moment: Moment<Chart>,
        into outbox: inout Outbox<Chart>
    ) throws(RunError) {
        let name = try optionalText(of: send.event, at: moment) ?? ""
        let target = try optionalText(of: send.target, at: moment)
        let type = try optionalText(of: send.type, at: moment)
        let delay = try delay(of: send, at: moment)
        let data = try data(send.payload, at: moment, into: &outbox)
        if let type, !RunNames.processorNames.contains(type) {
            throw RunError(.execution, "send: unknown event processor '\(type)'")
        }
        guard RunEvents.canBeName(name) else {
            throw RunError(.execution, "send: '\(name.prefix(64))' is not an event name")
        }
        try hold(data)
        switch try destination(target) {
        case .internalQueue:
            if delay != nil { throw RunError(.execution, "send: a send to #_internal has no delay") }
            outbox.raise(event(name, data: data, origin: .internal, sendID: id).queued())
        case .externalQueue:
            var sent = event(name, data: data, sendID: id)
            sent.isSent = true
            let number = id.map { self.number(ofSendID: $0) }
            if let delay {
                outbox.arm(sent, number: sent.number, place: sent.place, id: number, after: delay)
            } else {
                outbox.send(sent.queued(), id: number)
            }
        case .nowhere(let target):
            // Only the event is lost. The `<send>` itself succeeded, so the block continues.
            let error = RunError(.communication, "send: the target '\(target)' does not exist", sendID: id)
            outbox.raise(self.event(for: error))
        }
    }

    private enum Destination {
        case internalQueue
        case externalQueue
        case nowhere(String)
    }

    /// W3C SCXML 6.2.4 and C.1: the address of another session is valid, although no other session exists. Any other
    /// text is not an address.
    private func destination(_ target: String?) throws(RunError) -> Destination {
        switch target {
        case nil, "", RunNames.sessionAddress: return .externalQueue
        case "#_internal": return .internalQueue
        case let target?:
            guard target.hasPrefix("#_") else { throw RunError(.execution, "send: '\(target)' is not a valid target") }
            return .nowhere(target)
        }
    }

    private func delay(
        of send: ChartDocument.SendDescription,
        at moment: Moment<Chart>
    ) throws(RunError) -> Duration? {
        let text: String
        switch send.delay {
        case nil: return nil
        case .fixed(let written)?: text = written
        case .computed(let expression)?:
            if let name = expression.identifier, variables[name] == nil, let given = given.delays[name] {
                return .milliseconds(given)
            }
            text = try value(of: expression, at: moment).text
        }
        guard let delay = RunNames.delay(text) else {
            throw RunError(.execution, "send: '\(text)' is not a valid delay: a number and ms, s, m, h or d")
        }
        return delay
    }
}
