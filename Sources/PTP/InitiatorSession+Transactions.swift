import NIOCore

extension InitiatorSession {
    /// The payload size of a Data packet to the camera. End_Data carries the last part (libgphoto2 ptpip.c).
    private static let dataOutPieceMax = 64 << 10

    /// Starts an operation. The operation ends with `.finished`, or with `.lost` if the camera does not answer in time.
    ///
    /// - Precondition: `isReady`.
    package mutating func start(_ operation: Operation, at now: Duration, into actions: inout [Action]) {
        guard case .open(let ack) = state else {
            preconditionFailure("one transaction at a time, and only in a session")
        }
        let id = takeTransactionID()
        state = .running(ack, Transaction(id: id, operation: operation, since: now, progressAt: now))
        actions.append(.send(.command, request(operation, id)))
    }

    /// Sends Probe_Request on the event connection (DC5). The answer is `.probeAnswered`. A missing answer does not end
    /// the session, because not every camera answers.
    ///
    /// - Returns: false when the handshake is not over or the session is closing. Nothing is sent then.
    @discardableResult
    package func probe(into actions: inout [Action]) -> Bool {
        switch state {
        case .open, .running: break
        case .closed, .openingCommand, .waitingForCommandAck, .openingEvent, .pausing, .waitingForEventAck, .closing:
            return false
        }
        actions.append(.send(.event, PTPIPPacket.probeRequest.encoded()))
        return true
    }

    /// Sends CloseSession, waits for the answer, and closes both connections. Always ends with `.closed`.
    ///
    /// - Precondition: `isReady`.
    package mutating func close(at now: Duration, into actions: inout [Action]) {
        precondition(isReady, "the transaction before must be over")
        let id = takeTransactionID()
        state = .closing(Wait("CloseSession", at: now, for: timing.closeSession))
        let closeSession = OperationRequest(code: .closeSession, transaction: id)
        actions.append(.send(.command, PTPIPPacket.operationRequest(closeSession).encoded()))
    }

    /// Returns the next transaction id. 0 and 0xFFFFFFFF are reserved; only OpenSession uses 0.
    private mutating func takeTransactionID() -> UInt32 {
        let id = nextTransaction
        nextTransaction = id >= 0xFFFF_FFFE ? 1 : id + 1
        return id
    }

    /// Cancels the running transaction: sends a copy of Cancel on each connection (DC5 2.3.12). The session delivers
    /// data until the response, because the camera counts complete data as received. The transaction ends with
    /// `.finished` (TransactionCanceled or the normal response), or with `.lost` if the camera does not answer in time.
    ///
    /// - Returns: false when no transaction runs, or when the transaction is already cancelled.
    @discardableResult
    package mutating func cancel(at now: Duration, into actions: inout [Action]) -> Bool {
        guard case .running(let ack, var transaction) = state, transaction.cancelledUntil == nil else { return false }
        transaction.cancelledUntil = now + timing.cancel
        state = .running(ack, transaction)
        let packet = PTPIPPacket.cancel(transaction: transaction.id).encoded()
        actions += [.send(.command, packet), .send(.event, packet)]
        return true
    }

    /// The request and its data in one buffer, because the camera sends nothing between the two. A camera that answers
    /// before the end discards the remaining data (DC5).
    private func request(_ operation: Operation, _ id: UInt32) -> ByteBuffer {
        var buffer = ByteBuffer()
        let request = OperationRequest(
            dataPhase: operation.dataOut == nil ? .noneOrIn : .out,
            code: operation.code,
            transaction: id,
            parameters: operation.parameters
        )
        PTPIPPacket.operationRequest(request).encode(into: &buffer)
        guard var data = operation.dataOut else { return buffer }
        PTPIPPacket.startData(transaction: id, totalLength: UInt64(data.readableBytes)).encode(into: &buffer)
        while data.readableBytes > Self.dataOutPieceMax, let piece = data.readSlice(length: Self.dataOutPieceMax) {
            PTPIPPacket.data(transaction: id, payload: piece).encode(into: &buffer)
        }
        PTPIPPacket.endData(transaction: id, payload: data).encode(into: &buffer)
        return buffer
    }

    mutating func receiveStart(_ id: UInt32, _ announced: UInt64?, at now: Duration) throws(PTPIPError) {
        guard let (ack, current) = try current(for: id, .startData) else { return }
        guard case .none = current.data else { throw .unexpected(.startData, during: StepNames.dataPhase) }
        let limit = current.operation.dataIn.limit
        if let announced, announced > limit {
            throw .dataBeyondLimit(operation: current.operation.code, limit: limit)
        }
        var transaction = current
        transaction.data = .receiving(announced: announced)
        transaction.progressAt = now
        state = .running(ack, transaction)
    }

    mutating func receive(
        _ piece: PacketDecoder.PayloadPiece,
        at now: Duration,
        into actions: inout [Action]
    ) throws(PTPIPError) {
        guard case (let ack, var transaction)? = try current(for: piece.transaction, piece.type) else { return }
        let announced: UInt64?
        switch transaction.data {
        case .none: throw .dataWithoutStart(transaction: piece.transaction)
        case .receiving(let total): announced = total
        case .ended: throw .unexpected(piece.type, during: StepNames.waitForResponse)
        }
        // Counts the declared length, so that a packet with too much data is rejected before its bytes arrive.
        let claimed = transaction.byteCount + UInt64(piece.bytes.readableBytes) + UInt64(piece.bytesLeft)
        if let announced, claimed > announced { throw .dataBeyondAnnounced(announced: announced) }
        let limit = transaction.operation.dataIn.limit
        if claimed > limit { throw .dataBeyondLimit(operation: transaction.operation.code, limit: limit) }

        // Removes the transaction from the state first. With two owners of the data, each append would copy all bytes.
        state = .open(ack)
        transaction.byteCount += UInt64(piece.bytes.readableBytes)
        switch transaction.operation.dataIn {
        case .collect: transaction.collected.writeImmutableBuffer(piece.bytes)
        case .discard: break
        case .stream: if piece.bytes.readableBytes > 0 { actions.append(.data(piece.bytes)) }
        }
        if piece.type == .endData && piece.bytesLeft == 0 { transaction.data = .ended(announced: announced) }
        transaction.progressAt = now
        state = .running(ack, transaction)
    }

    mutating func receive(_ response: OperationResponse, into actions: inout [Action]) throws(PTPIPError) {
        // Some bodies answer CloseSession with another transaction id (Leica: 0; libgphoto2 ptpip.c).
        if case .closing = state { return finishClosing(into: &actions) }
        guard let (ack, transaction) = try current(for: response.transaction, .operationResponse) else {
            actions.append(.note(InitiatorSentences.lateAnswer(response)))
            return
        }
        state = .open(ack)
        let result = OperationResult(
            code: response.code,
            parameters: response.parameters,
            data: transaction.collected,
            byteCount: transaction.byteCount,
            isComplete: transaction.isDataComplete
        )
        actions.append(.finished(result))
    }

    /// The running transaction if the packet belongs to it; nil if the packet belongs to an earlier transaction.
    private func current(for id: UInt32, _ type: PTPIPPacketType) throws(PTPIPError) -> (InitCommandAck, Transaction)? {
        switch state {
        case .running(let ack, let transaction):
            if id == transaction.id { return (ack, transaction) }
            if isOlder(id, than: transaction.id) { return nil }
            throw .wrongTransaction(type, expected: transaction.id, found: id)
        case .open where isOlder(id, than: nextTransaction), .closing where isOlder(id, than: nextTransaction):
            return nil
        case .open, .closing:
            throw .unexpected(type, during: StepNames.noOperation)
        case .closed, .openingCommand, .waitingForCommandAck, .openingEvent, .pausing, .waitingForEventAck:
            throw .unexpected(type, during: StepNames.initHandshake)
        }
    }

    /// Whether `id` comes before `other`, even if the ids have wrapped around between the two.
    private func isOlder(_ id: UInt32, than other: UInt32) -> Bool {
        Int32(bitPattern: id &- other) < 0
    }
}

extension InitiatorSession.Transaction {
    /// Whether all data has arrived. A camera can omit the data phase, and can omit End_Data after complete data.
    fileprivate var isDataComplete: Bool {
        switch data {
        case .none: true
        case .receiving(let announced): announced == byteCount
        case .ended(let announced): announced == nil || announced == byteCount
        }
    }
}
