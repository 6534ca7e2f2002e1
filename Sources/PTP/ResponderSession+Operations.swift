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
            cancel(transaction)
        case .probeRequest:
            send(.probeResponse, on: link.command)
        case .probeResponse:
            break
        default:
            throw .unexpected(packet.type, during: "the wait for an operation")
        }
    }

    /// The admitted initiator, whose packets are being handled.
    var link: ResponderLink {
        get {
            guard case .taken(let link) = slot else { preconditionFailure("a command connection belongs to a link") }
            return link
        }
        set { slot = .taken(newValue) }
    }

    private mutating func receiveRequest(_ request: OperationRequest, at now: Duration) {
        link.lastOperation = now
        switch link.transaction {
        case .performing, .sending:
            // One transaction at a time: the one that is running goes on.
            return respond(.init(.deviceBusy), to: request.transaction)
        case .receiving(let abandoned, _, _):
            outbox.append(.note("transaction \(abandoned.transaction) was given up in the middle of its data"))
        case .none:
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

    /// What the protocol itself has against a request; nil: the body decides. Counts the transaction.
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

    /// Ids grow; 0 and 0xFFFFFFFF are reserved, so that 1 follows 0xFFFFFFFE.
    private static func transaction(_ id: UInt32, follows last: UInt32) -> Bool {
        id != .max && (id > last || (last == .max - 1 && id == 1))
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
            // The operation wanted no data, or was answered before it came: what follows is dropped.
            return outbox.append(.note("data for transaction \(transaction) is not wanted"))
        }
        guard request.transaction == transaction else {
            throw .wrongTransaction(.startData, expected: request.transaction, found: transaction)
        }
        guard inbound.announced == nil else { throw .unexpected(.startData, during: "a data phase") }
        if let totalLength, totalLength > UInt64(options.payloadMax) {
            throw .dataBeyondLimit(operation: request.code, limit: UInt64(options.payloadMax))
        }
        inbound.announced = .some(totalLength)
        link.transaction = .receiving(request, inbound, verdict: verdict)
    }

    mutating func receivePayload(_ piece: PacketDecoder.PayloadPiece, at now: Duration) throws(PTPIPError) {
        guard case .receiving(let request, var inbound, let verdict) = link.transaction else { return }
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
            link.transaction = .receiving(request, inbound, verdict: verdict)
            return
        }
        link.transaction = .none
        if let verdict {
            respond(verdict, to: request.transaction)
        } else if let announced, announced != count {
            respond(.init(.incompleteTransfer), to: request.transaction)
        } else {
            perform(request, inbound.bytes)
        }
    }

    // MARK: Answers

    /// The body's answer to a `.perform`. Dropped when the initiator has gone or has cancelled meanwhile.
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

    /// The body never answers a `.perform`: the next request is heard as if this one had not been.
    package mutating func forget(_ transaction: UInt32) {
        guard case .taken(let current) = slot, case .performing(let request) = current.transaction,
            request.transaction == transaction
        else { return }
        link.transaction = .none
    }

    /// Reports an event, when there is a connection for it.
    package mutating func send(_ event: PTPEvent) {
        guard case .taken(let link) = slot, let connection = link.event, link.isInSession else { return }
        send(.event(event), on: connection)
    }

    /// DC-X005 2.7 is not readable anywhere; MTP says that a cancelled transaction is answered 0x201F.
    mutating func cancel(_ transaction: UInt32) {
        switch link.transaction {
        case .performing(let request) where request.transaction == transaction:
            link.transaction = .none
            outbox.append(.cancelled(transaction: transaction))
            respond(.init(.transactionCanceled), to: transaction)
        case .receiving(let request, _, _) where request.transaction == transaction:
            link.transaction = .none
            respond(.init(.transactionCanceled), to: transaction)
        case .sending(let outbound) where outbound.response.transaction == transaction:
            link.transaction = .none
            outbox.append(.cancelled(transaction: transaction))
            respond(.init(.transactionCanceled), to: transaction)
        case .none, .performing, .receiving, .sending:
            outbox.append(.note("cancel of transaction \(transaction), which is not running"))
        }
    }
}
