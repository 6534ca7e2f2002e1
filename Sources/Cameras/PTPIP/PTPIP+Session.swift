import NIOCore
import PTP

/// The beginning and the end of a session, and the events of ``InitiatorSession``.
extension PTPIP {
    // MARK: Commands about the session

    mutating func connect(
        _ address: CameraAddress,
        _ ticket: Ticket,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        closeSockets(into: &actions)
        forgetSession()
        self.address = address
        let isKnown = common.knowledge.isKnown(address)
        session.timing.commandAck =
            isKnown ? min(timing.laterCommandAck, timing.session.commandAck) : timing.session.commandAck
        maker.common.stage = .greeting(PTPIPGreeting(ticket))
        var told: [InitiatorSession.Action] = []
        session.connect(at: now, into: &told)
        handle(told, at: now, into: &actions)
    }

    mutating func disconnect(_ ticket: Ticket, at now: Duration, into actions: inout [CameraAction]) {
        switch maker.stage {
        case .disconnected:
            actions.append(.report(.disconnected, ticket: ticket))
        case .leaving(var leaving):
            leaving.event = .disconnected
            leaving.ticket = ticket
            maker.common.stage = .leaving(leaving)
        case .greeting, .settingUp, .connected:
            leave(with: .disconnected, ticket, at: now, into: &actions)
        }
    }

    mutating func abandon(_ ticket: Ticket, into actions: inout [CameraAction]) {
        closeSockets(into: &actions)
        forgetSession()
        actions.append(.report(.disconnected, ticket: ticket))
    }

    /// Ends the session if the maker's part asks for it.
    mutating func conclude(at now: Duration, into actions: inout [CameraAction]) {
        guard let ending = maker.ending else { return }
        maker.common.ending = nil
        switch ending {
        case .lose(let reason): lose(reason, into: &actions)
        case .leave(let event): leave(with: event, common.connectTicket, at: now, into: &actions)
        }
    }

    /// Ends the session in order; the event is reported when the sockets are closed.
    mutating func leave(
        with event: CameraEvent,
        _ ticket: Ticket?,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        let leaving = PTPIPLeaving(
            event: event,
            ticket: ticket,
            deadline: now + timing.leave,
            cancelAt: now + timing.leaveTransfer
        )
        maker.common.stage = .leaving(leaving)
        maker.leave()
        // Without a session there is nothing to end.
        guard !session.isReady, transaction == nil else { return }
        closeSockets(into: &actions)
        finishLeaving(into: &actions)
    }

    /// A file may take minutes; the body keeps it in its buffer.
    mutating func cancelTransfer(at now: Duration, into actions: inout [CameraAction]) {
        guard case .leaving(var leaving) = maker.stage, let cancelAt = leaving.cancelAt, now >= cancelAt else {
            return
        }
        leaving.cancelAt = nil
        maker.common.stage = .leaving(leaving)
        guard transaction?.isTransfer ?? false else { return }
        var told: [InitiatorSession.Action] = []
        session.cancel(at: now, into: &told)
        handle(told, at: now, into: &actions)
    }

    mutating func closeSession(at now: Duration, into actions: inout [CameraAction]) {
        var told: [InitiatorSession.Action] = []
        session.close(at: now, into: &told)
        handle(told, at: now, into: &actions)
    }

    mutating func finishLeaving(into actions: inout [CameraAction]) {
        guard case .leaving(let leaving) = maker.stage else { return }
        // The session may have been closed in order between two parts of a picture.
        maker.interrupt(into: &actions)
        forgetSession()
        actions.append(.report(leaving.event, ticket: leaving.ticket))
    }

    /// The session is lost.
    private mutating func lose(_ reason: LossReason, into actions: inout [CameraAction]) {
        if transaction != nil { maker.noteLoss(into: &actions) }
        closeSockets(into: &actions)
        if case .leaving = maker.stage { return finishLeaving(into: &actions) }
        forgetSession()
        actions.append(.report(.lost(reason), ticket: nil))
    }

    mutating func closeSockets(into actions: inout [CameraAction]) {
        maker.interrupt(into: &actions)
        var told: [InitiatorSession.Action] = []
        session.abandon(into: &told)
        for case .close(let channel) in told { actions.append(.close(channel.ofLink)) }
    }

    private mutating func forgetSession() {
        if let id = common.identity?.id { maker.common.knowledge.keep(maker.knowledge, of: id) }
        maker.forgetSession()
        maker.common.forgetSession()
        transaction = nil
        wakeAt = nil
    }

    // MARK: What the session tells

    mutating func handle(
        _ told: [InitiatorSession.Action],
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        for action in told {
            switch action {
            case .open(let channel, let timeout):
                guard let address else { preconditionFailure("an address comes with every connect") }
                let target = LinkTarget(address, carriesPictures: channel == .command)
                actions.append(.open(channel.ofLink, target, timeout: timeout))
            case .send(let channel, let bytes): actions.append(.send(channel.ofLink, bytes))
            case .close(let channel): actions.append(.close(channel.ofLink))
            case .note(let line): actions.append(.note(line))
            case .connected(let ack): actions.append(.note("\(ack.name) accepted the connection"))
            case .data(let bytes): maker.receive(bytes, into: &actions)
            case .finished(let result): finish(result, at: now, into: &actions)
            case .event(let event):
                maker.receive(event, at: now)
                conclude(at: now, into: &actions)
            case .refused(let reason): refuse(reason, into: &actions)
            case .lost(let loss):
                learnIdleLimit(loss, at: now, into: &actions)
                lose(reason(for: loss), into: &actions)
            case .closed: finishLeaving(into: &actions)
            }
        }
    }

    private mutating func refuse(_ reason: InitFailReason, into actions: inout [CameraAction]) {
        guard case .greeting(let greeting) = maker.stage else { return finishLeaving(into: &actions) }
        let refusal: Refusal =
            switch reason {
            case .rejectedInitiator: .unpaired
            case .busy: .inUse
            default: .protocolError("The camera rejected the connection without a reason (\(reason)).")
            }
        forgetSession()
        actions.append(.report(.refused(refusal), ticket: greeting.ticket))
    }

    private func reason(for loss: InitiatorSession.Loss) -> LossReason {
        switch loss {
        case .cannotConnect(_, let reason): .cannotConnect(reason)
        case .closed(_, nil): .closedByCamera
        case .closed(_, let reason?): .reset(reason)
        case .silent(let time, let step): .silent(after: time, during: transaction?.name ?? step)
        case .protocolError(let error): .protocolError("\(error)")
        }
    }

    // MARK: Transactions

    mutating func start(_ operation: Operation, _ name: String, at now: Duration, into actions: inout [CameraAction]) {
        transaction = (name, operation.isTransfer)
        maker.common.transactionSince = now
        var told: [InitiatorSession.Action] = []
        session.start(operation, at: now, into: &told)
        handle(told, at: now, into: &actions)
    }

    private mutating func finish(_ result: OperationResult, at now: Duration, into actions: inout [CameraAction]) {
        guard let transaction else { preconditionFailure("an answer belongs to a transaction") }
        self.transaction = nil
        noteAnswer()
        maker.common.lastTransactionAt = now
        if result.code == .sessionNotOpen, maker.stage.isConnected {
            return lose(.protocolError("the camera reports that no session is open"), into: &actions)
        }
        if case .greeting(let greeting) = maker.stage {
            return finish(greeting, transaction.name, result, at: now, into: &actions)
        }
        // Operations before the body's description do not concern a maker.
        guard common.identity != nil else { return }
        let wasConnected = maker.stage.isConnected
        maker.finish(result, at: now, into: &actions)
        conclude(at: now, into: &actions)
        guard !wasConnected, maker.stage.isConnected, let address, let id = common.identity?.id else { return }
        maker.common.knowledge.note(address, of: id)
    }

    // MARK: Idle limits

    /// A transaction ended: the body tolerated the pause before it.
    private mutating func noteAnswer() {
        guard maker.stage.isConnected, let id = common.identity?.id else { return }
        maker.common.knowledge.noteAnswer(of: id, after: common.transactionSince - common.lastTransactionAt)
    }

    /// Learns from a body that closed an idle session. Called before the loss is handled.
    private mutating func learnIdleLimit(
        _ loss: InitiatorSession.Loss,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        guard case .closed(_, let reason) = loss, let id = common.identity?.id, maker.stage.isConnected,
            transaction == nil, maker.isQuiet
        else { return }
        let pause = now - common.lastTransactionAt
        guard maker.common.knowledge.noteEnd(of: id, after: pause, isInOrder: reason == nil) else { return }
        let rounded = Duration.milliseconds(Int64(pause / .milliseconds(100)) * 100)
        let keepAlive = maker.keepAlive
        let sentence =
            "the camera closed the connection after \(rounded) without a request; "
            + "the daemon now sends one every \(keepAlive)"
        actions.append(.note(sentence))
    }
}
