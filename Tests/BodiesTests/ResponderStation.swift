import NIOCore
import PTP
import Testing

/// The camera's side of PTP/IP. The test sets the answers of the body.
struct ResponderStation {
    var session: ResponderSession
    var now = Duration.zero
    var sent: [ConnectionID: ByteBuffer] = [:]
    var closed: [ConnectionID] = []
    var performed: [ResponderRequest] = []
    var actions: [ResponderAction] = []
    var admits = true
    /// The body's answer to a request; nil: the body never answers.
    var answer: (ResponderRequest) -> ResponderAnswer? = { _ in .ok }

    static let setValue = OperationCode(rawValue: 0x9205)

    init(_ change: (inout ResponderOptions) -> Void = { _ in }) throws {
        let guid = try #require(GUID(bytes: bytes("0000000000000000ffff020000000001").readableBytesView))
        var options = ResponderOptions(
            guid: guid,
            name: "ILCE-9",
            operations: [
                .getDeviceInfo, .openSession, .closeSession, .getObject, Self.setValue,
                OperationCode(rawValue: 0x9201), OperationCode(rawValue: 0x9202), OperationCode(rawValue: 0x9207),
                OperationCode(rawValue: 0x9209),
            ],
            dataOutOperations: [Self.setValue, OperationCode(rawValue: 0x9207)]
        )
        change(&options)
        session = ResponderSession(options: options)
    }

    mutating func accept(_ number: Int) -> ConnectionID {
        let id = ConnectionID(rawValue: number)
        session.accepted(id, at: now)
        drain()
        return id
    }

    mutating func send(_ bytes: ByteBuffer, on id: ConnectionID) {
        session.received(id, bytes, at: now)
        drain()
    }

    mutating func send(_ packet: PTPIPPacket, on id: ConnectionID) { send(packet.encoded(), on: id) }

    mutating func hangUp(_ id: ConnectionID) {
        session.closed(id, at: now)
        drain()
    }

    mutating func advance(_ duration: Duration) {
        now += duration
        session.advance(to: now)
        drain()
    }

    mutating func drain() {
        while let action = session.nextAction(at: now) {
            actions.append(action)
            switch action {
            case .send(let id, let bytes): sent[id, default: ByteBuffer()].writeImmutableBuffer(bytes)
            case .close(let id): closed.append(id)
            case .initiatorAsks(let id, _): if admits { session.admit(id, at: now) }
            case .perform(let request):
                performed.append(request)
                if let answer = answer(request) { session.answer(answer, to: request.transaction) }
            case .initiatorConnected, .answered, .brokeOff, .cancelled, .initiatorDisconnected, .note: break
            }
        }
    }

    /// Returns the bytes that were sent on a connection so far, as packets.
    mutating func packets(_ id: ConnectionID) throws -> [PTPIPPacket] {
        var decoder = PacketDecoder()
        decoder.append(sent[id] ?? ByteBuffer())
        sent[id] = nil
        var packets: [PTPIPPacket] = []
        while let element = try decoder.next() {
            if case .packet(let packet) = element { packets.append(packet) }
        }
        return packets
    }

    /// Opens both connections and, by default, a session.
    mutating func connect(opensSession: Bool = true) throws -> (command: ConnectionID, event: ConnectionID) {
        let fixture = try Fixture.load()
        let command = accept(1)
        send(bytes(fixture.initCommandRequests[0].hex), on: command)
        let event = accept(2)
        send(fixture.fromInitiator("InitEventRequest")[0], on: event)
        if opensSession { send(fixture.fromInitiator("OpenSession")[0], on: command) }
        _ = try packets(command)
        _ = try packets(event)
        return (command, event)
    }

    mutating func responses(_ id: ConnectionID) throws -> [OperationResponse] {
        try packets(id).compactMap { if case .operationResponse(let response) = $0 { response } else { nil } }
    }
}

func request(_ code: OperationCode, _ transaction: UInt32, _ parameters: UInt32...) -> PTPIPPacket {
    .operationRequest(OperationRequest(code: code, transaction: transaction, parameters: parameters))
}
