import NIOCore

/// Operations, their data phases and their answers.
extension ResponderSession {
    mutating func receiveCommand(_ packet: PTPIPPacket, at now: Duration) throws(PTPIPError) {
        switch packet {
        case .operationRequest(let request):
            receiveRequest(request, at: now)
        case .startData(let transaction, let totalLength):
            try receiveStart(transaction, totalLength)
        case .cancel(let transaction):
            cancel(transaction, isOnCommand: true, at: now)
        case .probeRequest:
            send(.probeResponse, on: link.command)
        case .probeResponse:
            break
        default:
            throw .unexpected(packet.type, during: StepNames.waitForOperation)
        }
    }

    /// The accepted initiator whose packets are being handled.
    var link: ResponderLink {
        get {
            guard case .taken(let link) = slot else { preconditionFailure("a command connection belongs to a link") }
            return link
        }
        set { slot = .taken(newValue) }
    }

    private mutating func receiveRequest(_ request: OperationRequest, at now: Duration) {
        link.lastOperation = now
        if case .cancelled(let transaction, _) = link.transaction { finishCancelled(transaction) }
        switch link.transaction {
        case .performing, .sending:
            // The running transaction continues, because only one transaction can run at a time.
            return respond(.init(.deviceBusy), to: request.transaction)
        case .receiving(let abandoned, _, _):
            outbox.append(.note(ResponderSentences.abandoned(abandoned.transaction)))
        case .none, .cancelled:
            break
        }
        link.transaction = .none
        let verdict = check(request)
        let isKnown = options.operations.contains(request.code)
        if isKnown ? options.dataOutOperations.contains(request.code) : request.dataPhase == .out {
            link.transaction = .receiving(request, ResponderInbound(), verdict: verdict)
        } else if let verdict {
            respond(verdict, to: request.transaction)
        } else {
            perform(request, ByteBuffer())
        }
    }

    /// The answer to a request that the protocol forbids; nil: the body decides. Also stores the transaction id.
    private mutating func check(_ request: OperationRequest) -> ResponderAnswer? {
        switch (link.session, request.code) {
        case (.open(let id, _), .openSession):
            return .init(.sessionAlreadyOpen, parameters: [id])
        case (.closed, .openSession):
            return request.parameters.first ?? 0 == 0 ? .init(.invalidParameter) : nil
        case (.closed, .getDeviceInfo):
            return nil
        case (.closed, _):
            return .init(.sessionNotOpen)
        case (.open(let id, let last), _):
            guard Self.transaction(request.transaction, follows: last) else { return .init(.invalidTransactionID) }
            link.session = .open(id: id, last: request.transaction)
            return options.operations.contains(request.code) ? nil : .init(.operationNotSupported)
        }
    }

    /// Whether `id` is later than `last`. 0 and 0xFFFFFFFF are reserved, so 1 follows 0xFFFFFFFE.
    private static func transaction(_ id: UInt32, follows last: UInt32) -> Bool {
        id != .max && (id > last || (last == UInt32.max - 1 && id == 1))
    }

    private mutating func perform(_ request: OperationRequest, _ data: ByteBuffer) {
        link.transaction = .performing(request)
        outbox.append(
            .perform(
                ResponderRequest(
                    code: request.code,
                    transaction: request.transaction,
                    parameters: request.parameters,
                    data: data
                )
            )
        )
    }

    // MARK: Data to the camera

    private mutating func receiveStart(_ transaction: UInt32, _ totalLength: UInt64?) throws(PTPIPError) {
        guard case .receiving(let request, var inbound, let verdict) = link.transaction else {
            // Discards the data: the operation has no data phase, or the responder has already answered it.
            return outbox.append(.note(ResponderSentences.unexpectedData(transaction)))
        }
        guard request.transaction == transaction else {
            throw .wrongTransaction(.startData, expected: request.transaction, found: transaction)
        }
        guard inbound.announced == nil else { throw .unexpected(.startData, during: StepNames.dataPhase) }
        if let totalLength, totalLength > UInt64(options.payloadMax) {
            throw .dataBeyondLimit(operation: request.code, limit: UInt64(options.payloadMax))
        }
        if let verdict {
            // The request is already rejected. The responder may send the response before the data ends, and
            // discards the rest (DC5).
            link.transaction = .none
            return respond(verdict, to: transaction)
        }
        inbound.announced = .some(totalLength)
        link.transaction = .receiving(request, inbound, verdict: nil)
    }

    mutating func receivePayload(_ piece: PacketDecoder.PayloadPiece, at now: Duration) throws(PTPIPError) {
        guard case .receiving(let request, var inbound, _) = link.transaction else { return }
        guard request.transaction == piece.transaction else {
            throw .wrongTransaction(piece.type, expected: request.transaction, found: piece.transaction)
        }
        guard case .some(let announced) = inbound.announced else {
            throw .dataWithoutStart(transaction: piece.transaction)
        }
        inbound.bytes.writeImmutableBuffer(piece.bytes)
        let count = UInt64(inbound.bytes.readableBytes)
        if let announced, count > announced { throw .dataBeyondAnnounced(announced: announced) }
        if count > UInt64(options.payloadMax) {
            throw .dataBeyondLimit(operation: request.code, limit: UInt64(options.payloadMax))
        }
        guard piece.type == .endData, piece.bytesLeft == 0 else {
            link.transaction = .receiving(request, inbound, verdict: nil)
            return
        }
        link.transaction = .none
        if let announced, announced != count {
            respond(.init(.incompleteTransfer), to: request.transaction)
        } else {
            perform(request, inbound.bytes)
        }
    }

    // MARK: Answers

    /// Sends the body's answer to a `.perform`. No effect if the initiator has disconnected or cancelled.
    package mutating func answer(_ answer: ResponderAnswer, to transaction: UInt32) {
        guard case .taken(let current) = slot, case .performing(let request) = current.transaction,
            request.transaction == transaction
        else { return }
        link.transaction = .none
        if answer.code == .ok {
            switch request.code {
            case .openSession: link.session = .open(id: request.parameters.first ?? 0, last: transaction)
            case .closeSession: link.session = .closed
            default: break
            }
        }
        respond(answer, to: transaction)
    }

    /// Forgets a `.perform` that the body never answers. The responder can then accept the next request.
    package mutating func forget(_ transaction: UInt32) {
        guard case .taken(let current) = slot, case .performing(let request) = current.transaction,
            request.transaction == transaction
        else { return }
        link.transaction = .none
    }

    /// Sends an event if the event connection is open.
    package mutating func send(_ event: PTPEvent) {
        guard case .taken(let link) = slot, let connection = link.event, link.isInSession else { return }
        send(.event(event), on: connection)
    }

    /// Handles one copy of a Cancel, which arrives on both connections (DC5 2.3.12). The first copy ends the running
    /// transaction. The responder answers after the copy on the command connection, when it has read all earlier
    /// requests. A copy that arrives before the request, or after the response has begun, changes nothing.
    mutating func cancel(_ transaction: UInt32, isOnCommand: Bool, at now: Duration) {
        guard link.transaction.id == transaction else {
            return outbox.append(.note(ResponderSentences.unexpectedCancel(transaction)))
        }
        switch link.transaction {
        case .performing, .sending: outbox.append(.cancelled(transaction: transaction))
        case .none, .receiving, .cancelled: break
        }
        if isOnCommand { return finishCancelled(transaction) }
        if case .cancelled = link.transaction { return }
        link.transaction = .cancelled(transaction, until: now + options.packetLimit)
    }

    mutating func finishCancelled(_ transaction: UInt32) {
        link.transaction = .none
        respond(.init(.transactionCanceled), to: transaction)
    }
}

extension ResponderLink.Transaction {
    /// The id of the running transaction; nil: no transaction is running.
    fileprivate var id: UInt32? {
        switch self {
        case .none: nil
        case .receiving(let request, _, _), .performing(let request): request.transaction
        case .sending(let outbound): outbound.response.transaction
        case .cancelled(let transaction, _): transaction
        }
    }
}
