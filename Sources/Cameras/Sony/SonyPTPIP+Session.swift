import NIOCore
import PTP

/// What the session below tells, and the beginning and the end of a session.
extension SonyPTPIP {
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
        session.timing.commandAck =
            address == knownAddress ? min(timing.laterCommandAck, timing.session.commandAck) : timing.session.commandAck
        phase = .connecting(SonyHandshake(ticket: ticket))
        var told: [InitiatorSession.Action] = []
        session.connect(at: now, into: &told)
        handle(told, at: now, into: &actions)
    }

    mutating func disconnect(_ ticket: Ticket, at now: Duration, into actions: inout [CameraAction]) {
        switch phase {
        case .disconnected:
            actions.append(.report(.disconnected, ticket: ticket))
        case .leaving(var leaving):
            leaving.event = .disconnected
            leaving.ticket = ticket
            phase = .leaving(leaving)
        case .connecting, .connected:
            leave(with: .disconnected, ticket, at: now, into: &actions)
        }
    }

    mutating func abandon(_ ticket: Ticket, into actions: inout [CameraAction]) {
        closeSockets(into: &actions)
        forgetSession()
        actions.append(.report(.disconnected, ticket: ticket))
    }

    /// Ends the session in order; the event is reported when the sockets are closed.
    mutating func leave(
        with event: CameraEvent,
        _ ticket: Ticket?,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        let leaving = SonyLeaving(
            event: event,
            ticket: ticket,
            deadline: now + timing.leave,
            cancelAt: now + timing.leaveTransfer
        )
        phase = .leaving(leaving)
        activity = .idle
        // Without a session there is nothing to end.
        guard !session.isReady, errand == nil else { return }
        closeSockets(into: &actions)
        finishLeaving(into: &actions)
    }

    /// A file may take minutes; the body keeps it in its buffer.
    mutating func cancelTransfer(at now: Duration, into actions: inout [CameraAction]) {
        guard case .leaving(var leaving) = phase, let cancelAt = leaving.cancelAt, now >= cancelAt else { return }
        leaving.cancelAt = nil
        phase = .leaving(leaving)
        guard errand?.isTransfer ?? false else { return }
        var told: [InitiatorSession.Action] = []
        session.cancel(at: now, into: &told)
        handle(told, at: now, into: &actions)
    }

    mutating func decideLeaving() -> SonyMove {
        guard case .leaving(var leaving) = phase else { preconditionFailure("only when leaving") }
        defer { phase = .leaving(leaving) }
        if !leaving.buttonsTried {
            if buttons.isFullDown { return .perform(.button(.fullPress, .released)) }
            leaving.buttonsTried = true
            if buttons.isHalfDown { return .perform(.button(.halfPress, .released)) }
        }
        if !leaving.priorityTried, let restore = positionKeyToRestore, restore.bodyID == body.identity?.id {
            leaving.priorityTried = true
            return .perform(.positionKey(restore.value))
        }
        return .close
    }

    mutating func closeSession(at now: Duration, into actions: inout [CameraAction]) {
        var told: [InitiatorSession.Action] = []
        session.close(at: now, into: &told)
        handle(told, at: now, into: &actions)
    }

    mutating func finishLeaving(into actions: inout [CameraAction]) {
        guard case .leaving(let leaving) = phase else { return }
        // The session may have been closed in order between two parts of a picture.
        interruptPicture(into: &actions)
        forgetSession()
        actions.append(.report(leaving.event, ticket: leaving.ticket))
    }

    /// The session is gone.
    mutating func lose(_ reason: LossReason, into actions: inout [CameraAction]) {
        noteLostFetch(into: &actions)
        closeSockets(into: &actions)
        if case .leaving = phase { return finishLeaving(into: &actions) }
        forgetSession()
        actions.append(.report(.lost(reason), ticket: nil))
    }

    mutating func closeSockets(into actions: inout [CameraAction]) {
        interruptPicture(into: &actions)
        var told: [InitiatorSession.Action] = []
        session.abandon(into: &told)
        for case .close(let channel) in told { actions.append(.close(channel.ofLink)) }
    }

    private mutating func forgetSession() {
        phase = .disconnected
        activity = .idle
        body = SonyBody()
        buttons = SonyButtons()
        drain.forgetSession()
        errand = nil
        wakeAt = nil
        statusQuestions.removeAll()
        savingReportedAt = nil
        // What was to come by the connection of events went with it.
        lastFrame.update { $0.announcementsOwed = 0 }
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
            case .data(let bytes): receivePicture(bytes, into: &actions)
            case .finished(let result): finish(result, at: now, into: &actions)
            case .event(let event): note(event, at: now)
            case .refused(let reason): refuse(reason, into: &actions)
            case .lost(let loss):
                learnIdleLimit(loss, at: now, into: &actions)
                lose(reason(for: loss), into: &actions)
            case .closed: finishLeaving(into: &actions)
            }
        }
    }

    private mutating func refuse(_ reason: InitFailReason, into actions: inout [CameraAction]) {
        guard case .connecting(let handshake) = phase else { return finishLeaving(into: &actions) }
        let refusal: Refusal =
            switch reason {
            case .rejectedInitiator: .unpaired
            case .busy: .inUse
            default: .protocolError("The camera refused the connection without saying why (\(reason)).")
            }
        forgetSession()
        actions.append(.report(.refused(refusal), ticket: handshake.ticket))
    }

    private func reason(for loss: InitiatorSession.Loss) -> LossReason {
        switch loss {
        case .cannotConnect(_, let reason): .cannotConnect(reason)
        case .closed(_, nil): .closedByCamera
        case .closed(_, let reason?): .reset(reason)
        case .silent(let time, let step): .silent(after: time, during: errand?.name ?? step)
        case .protocolError(let error): .protocolError("\(error)")
        }
    }

    // MARK: Errands

    mutating func start(_ errand: SonyErrand, at now: Duration, into actions: inout [CameraAction]) {
        prepare(errand, at: now)
        self.errand = errand
        errandSince = now
        var told: [InitiatorSession.Action] = []
        session.start(operation(for: errand, at: now), at: now, into: &told)
        handle(told, at: now, into: &actions)
    }

    private func operation(for errand: SonyErrand, at now: Duration) -> Operation {
        let patience = patience(at: now)
        switch errand {
        case .openSession(let id):
            return Operation(.openSession, [id], patience: patience)
        case .getDeviceInfo:
            return Operation(.getDeviceInfo, patience: patience)
        case .connect(let phase):
            return Operation(.sdioConnect, [phase, 0, 0], patience: patience)
        case .getExtDeviceInfo:
            let version = UInt32(SonyExtensionVersion.version3.rawValue)
            return Operation(.sdioGetExtDeviceInfo, [version], patience: patience)
        case .property(let errand):
            return errand.operation(patience)
        case .reading:
            let dataIn = Operation.DataIn.collect(atMost: SonyLimits.datasetMax)
            return Operation(.sdioGetAllExtDevicePropInfo, [0], dataIn: dataIn, patience: patience)
        case .positionKey(let value):
            return set(.sonyPositionKey, .uint8(value), patience)
        case .speed(let speed, let property):
            return set(property, speed.value, patience)
        case .step(let notches, _):
            let parameters = [UInt32(SonyControl.shutterSpeed.rawValue)]
            return Operation(
                .sdioControlDevice,
                parameters,
                dataOut: PTPValue.int8(notches).encoded(),
                patience: patience
            )
        case .button(let control, let position):
            let parameters = [UInt32(control.rawValue)]
            return Operation(.sdioControlDevice, parameters, dataOut: position.value.encoded(), patience: patience)
        case .objectInfo:
            return Operation(.getObjectInfo, [SonyObjectHandle.shotImage], patience: patience)
        case .object(let fetch):
            return fetch.operation(timing)
        }
    }

    private func set(_ property: PropertyCode, _ value: PTPValue, _ patience: Operation.Patience) -> Operation {
        let parameters = [UInt32(property.rawValue)]
        return Operation(.sdioSetExtDevicePropValue, parameters, dataOut: value.encoded(), patience: patience)
    }

    private mutating func finish(_ result: OperationResult, at now: Duration, into actions: inout [CameraAction]) {
        guard let errand else { preconditionFailure("a transaction is always for something") }
        self.errand = nil
        noteAnswer()
        body.lastTransactionAt = now
        if result.code == .sessionNotOpen, phase.isConnected {
            return lose(.protocolError("it says that no session is open"), into: &actions)
        }
        if case .connecting(let handshake) = phase {
            return finish(errand, result, handshake, at: now, into: &actions)
        }
        switch errand {
        case .reading: finishReading(result, at: now, into: &actions)
        case .positionKey(let value): finishPositionKey(value, result, at: now, into: &actions)
        case .speed(_, let property): finishSetting(by: property, result, at: now, into: &actions)
        case .step(let notches, let from): finishStep(notches, from: from, result, at: now, into: &actions)
        case .property: finishProperty(result, at: now, into: &actions)
        case .button(let control, let position): finishButton(control, position, result, at: now, into: &actions)
        case .objectInfo: finishObjectInfo(result, at: now, into: &actions)
        case .object(let fetch): finishObject(fetch, result, at: now, into: &actions)
        case .openSession, .getDeviceInfo, .connect, .getExtDeviceInfo: break
        }
    }
}

extension SonyPTPIP.Phase {
    var isConnected: Bool {
        if case .connected = self { true } else { false }
    }
}
