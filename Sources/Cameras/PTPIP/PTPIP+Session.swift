import NIOCore
import PTP

/// The beginning and the end of a session, and the events of ``InitiatorSession``.
extension PTPIP {
    // MARK: Commands about the session

    mutating func connect(_ address: CameraAddress, maker: String?, _ ticket: Ticket, in turn: inout DriverTurn) {
        closeSockets(in: &turn)
        forgetSession(at: turn.now)
        self.address = address
        let isKnown = common.knowledge.isKnown(address)
        session.timing.commandAck =
            isKnown ? min(timing.laterCommandAck, timing.session.commandAck) : timing.session.commandAck
        var handshake = PTPIPHandshake(ticket, maker: maker)
        if let lastEnd, lastEnd.address == address, turn.now < lastEnd.nextAt {
            handshake.step = .pausing(until: lastEnd.nextAt)
        }
        self.maker.common.stage = .handshake(handshake)
        expectMaker(maker)
        guard pauseEnd == nil else { return }
        run(in: &turn) { $0.connect(at: $1, into: &$2) }
    }

    mutating func disconnect(_ ticket: Ticket, in turn: inout DriverTurn) {
        switch maker.stage {
        case .disconnected:
            turn.report(.disconnected, ticket)
        case .leaving(var leaving):
            leaving.event = .disconnected
            leaving.ticket = ticket
            maker.common.stage = .leaving(leaving)
        case .handshake, .settingUp, .connected:
            close(with: .disconnected, ticket, in: &turn)
        }
    }

    mutating func abandon(_ ticket: Ticket, in turn: inout DriverTurn) {
        closeSockets(in: &turn)
        forgetSession(at: turn.now)
        turn.report(.disconnected, ticket)
    }

    /// Ends the session if the maker's part requests it.
    mutating func conclude(in turn: inout DriverTurn) {
        guard let ending = maker.ending else { return }
        maker.common.ending = nil
        switch ending {
        case .lose(let reason): lose(reason, in: &turn)
        case .close(let event): close(with: event, common.connectTicket, in: &turn)
        case .drop(let drop): self.drop(drop, common.connectTicket, in: &turn)
        }
    }

    /// Closes the connections at once and reports the refusal.
    private mutating func drop(_ drop: PTPIPDrop, _ ticket: Ticket?, in turn: inout DriverTurn) {
        closeSockets(in: &turn)
        forgetSession(at: turn.now)
        if let address { lastEnd = PTPIPSessionEnd(address: address, nextAt: turn.now + drop.pause, drop: drop) }
        turn.report(.refused(drop.refusal), ticket)
    }

    /// Ends the session in order. The driver reports the event when the sockets are closed.
    mutating func close(with event: CameraEvent, _ ticket: Ticket?, in turn: inout DriverTurn) {
        let leaving = PTPIPClosing(
            event: event,
            ticket: ticket,
            deadline: turn.now + timing.close,
            cancelAt: turn.now + timing.leaveTransfer
        )
        maker.common.stage = .leaving(leaving)
        maker.close()
        // Closes the sockets at once if no session is open.
        guard !session.isReady, transaction == nil else { return }
        closeSockets(in: &turn)
        finishLeaving(in: &turn)
    }

    /// Cancels a transfer that delays the end of the session. The body keeps the file in its buffer.
    mutating func cancelTransfer(in turn: inout DriverTurn) {
        guard case .leaving(var leaving) = maker.stage, let cancelAt = leaving.cancelAt, turn.now >= cancelAt else {
            return
        }
        leaving.cancelAt = nil
        maker.common.stage = .leaving(leaving)
        guard transaction?.isTransfer ?? false else { return }
        run(in: &turn) { $0.cancel(at: $1, into: &$2) }
    }

    mutating func closeSession(in turn: inout DriverTurn) {
        run(in: &turn) { $0.close(at: $1, into: &$2) }
    }

    mutating func finishLeaving(in turn: inout DriverTurn) {
        guard case .leaving(let leaving) = maker.stage else { return }
        // The session can end between two parts of a picture.
        maker.interrupt(in: &turn)
        forgetSession(at: turn.now)
        turn.report(leaving.event, leaving.ticket)
    }

    /// Handles the loss of the session.
    private mutating func lose(_ reason: LossReason, in turn: inout DriverTurn) {
        if transaction != nil { maker.noteLoss(in: &turn) }
        closeSockets(in: &turn)
        if case .leaving = maker.stage { return finishLeaving(in: &turn) }
        forgetSession(at: turn.now)
        turn.report(.lost(reason), nil)
    }

    mutating func closeSockets(in turn: inout DriverTurn) {
        maker.interrupt(in: &turn)
        var told: [InitiatorSession.Action] = []
        session.abandon(into: &told)
        for case .close(let channel) in told { turn.append(.close(channel.ofLink)) }
    }

    private mutating func forgetSession(at now: Duration) {
        if let address, isAcknowledged {
            let nextAt = now + needs.reconnectPause
            lastEnd = PTPIPSessionEnd(address: address, nextAt: nextAt)
        }
        if let id = common.identity?.id { maker.common.knowledge.keep(maker.knowledge, of: id) }
        maker.forgetSession()
        maker.common.forgetSession()
        transaction = nil
        wakeAt = nil
        probe = .unsent
        isAcknowledged = false
    }

    // MARK: Events of the session

    /// Calls the session and performs the actions that it returns.
    mutating func run(
        in turn: inout DriverTurn,
        _ step: (inout InitiatorSession, Duration, inout [InitiatorSession.Action]) -> Void
    ) {
        var told: [InitiatorSession.Action] = []
        step(&session, turn.now, &told)
        for action in told {
            switch action {
            case .open(let channel, let timeout):
                guard let address else { preconditionFailure("an address comes with every connect") }
                let target = LinkTarget(address, carriesPictures: channel == .command)
                turn.append(.open(channel.ofLink, target, timeout: timeout))
            case .send(let channel, let bytes): turn.append(.send(channel.ofLink, bytes))
            case .close(let channel): turn.append(.close(channel.ofLink))
            case .note(let line): turn.note(line)
            case .connected(let ack):
                turn.note(ConnectionSentences.accepted(by: ack.name))
                isAcknowledged = true
                expectMaker(ofBodyNamed: ack.name)
                beginProbe(in: &turn)
            case .probeAnswered: probe = .answered(at: turn.now)
            case .data(let bytes): maker.receive(bytes, in: &turn)
            case .finished(let result): finish(result, in: &turn)
            case .event(let event):
                maker.receive(event, at: turn.now)
                conclude(in: &turn)
            case .confirmationAwaited:
                if case .handshake(let handshake) = maker.stage { turn.report(.confirmationAwaited, handshake.ticket) }
            case .refused(let reason): refuse(reason, in: &turn)
            case .lost(let loss):
                learnIdleLimit(loss, in: &turn)
                noteProbeClosed(loss)
                lose(reason(for: loss), in: &turn)
            case .closed: finishLeaving(in: &turn)
            }
        }
    }

    private mutating func refuse(_ reason: InitFailReason, in turn: inout DriverTurn) {
        guard case .handshake(let handshake) = maker.stage else { return finishLeaving(in: &turn) }
        let refusal: Refusal =
            switch reason {
            // The maker is known from the search, or from an earlier session at this address. An unknown body counts
            // as not paired.
            case .rejectedInitiator: expectedRow?.rejection ?? .unpaired
            case .busy: busyRefusal(at: turn.now)
            default: .protocolError(ConnectionSentences.rejectedWithoutReason(reason))
            }
        forgetSession(at: turn.now)
        turn.report(.refused(refusal), handshake.ticket)
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

    mutating func start(_ operation: Operation, _ name: String, in turn: inout DriverTurn) {
        transaction = (name, operation.isTransfer)
        maker.common.transactionSince = turn.now
        run(in: &turn) { $0.start(operation, at: $1, into: &$2) }
    }

    private mutating func finish(_ result: OperationResult, in turn: inout DriverTurn) {
        guard let transaction else { preconditionFailure("an answer belongs to a transaction") }
        self.transaction = nil
        noteAnswer()
        maker.common.lastTransactionAt = turn.now
        if result.code == .sessionNotOpen, maker.stage.isConnected {
            return lose(.protocolError(ConnectionSentences.noSessionOpen), in: &turn)
        }
        if case .handshake(let handshake) = maker.stage {
            return finish(handshake, transaction.name, result, in: &turn)
        }
        // The maker's part handles only operations that follow the body's description.
        guard common.identity != nil else { return }
        let wasConnected = maker.stage.isConnected
        maker.finish(result, in: &turn)
        conclude(in: &turn)
        noteAcceptance(wasConnected: wasConnected)
    }

    /// Notes that the body accepted this computer, if the maker's part has just set up the session.
    mutating func noteAcceptance(wasConnected: Bool) {
        guard !wasConnected, maker.stage.isConnected, let address, let id = common.identity?.id else { return }
        maker.common.knowledge.note(address, of: id)
    }

    // MARK: Idle limits

    /// Notes that the body tolerated the pause before the last transaction.
    private mutating func noteAnswer() {
        guard maker.stage.isConnected, let id = common.identity?.id else { return }
        maker.common.knowledge.noteAnswer(of: id, after: common.transactionSince - common.lastTransactionAt)
    }

    /// Learns the idle limit of a body that closed an idle session. Called before the loss is handled.
    private mutating func learnIdleLimit(_ loss: InitiatorSession.Loss, in turn: inout DriverTurn) {
        guard case .closed(_, let reason) = loss, let id = common.identity?.id, maker.stage.isConnected,
            transaction == nil, maker.isQuiet
        else { return }
        let pause = turn.now - common.lastTransactionAt
        guard maker.common.knowledge.noteEnd(of: id, after: pause, isInOrder: reason == nil) else { return }
        let rounded = Duration.milliseconds(Int64(pause / .milliseconds(100)) * 100)
        turn.note(ConnectionSentences.idleLimitLearned(closedAfter: rounded, keepAlive: maker.keepAlive))
    }
}
