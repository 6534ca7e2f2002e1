// A fixture that is missing or wrong stops the tests at once.
// swift-format-ignore-file: NeverForceUnwrap, NeverUseForceTry

import NIOCore
import PTP

/// A session without sockets, and the events of the session.
struct SessionBench {
    var session: InitiatorSession
    var told: [InitiatorSession.Action] = []

    init() {
        let guid = GUID(bytes: ByteBuffer(hex: "00112233445566778899aabbccddeeff").readableBytesView)
        session = InitiatorSession(guid: guid!, name: "BRKT")
    }

    /// A session after its handshake.
    static func connected() -> SessionBench {
        var bench = SessionBench()
        bench.connect()
        return bench
    }

    mutating func connect() {
        openUntilEventRequest()
        receive("init_event_ack", on: .event)
        told.removeAll()
    }

    mutating func openUntilEventRequest() {
        session.connect(at: .zero, into: &told)
        session.opened(.command, at: .zero, into: &told)
        receive("init_command_ack", on: .command)
        session.opened(.event, at: .zero, into: &told)
        told.removeAll()
    }

    /// Gives the bytes of a published packet to the session.
    mutating func receive(_ name: String, on channel: InitiatorSession.Channel) {
        let bytes = Vectors.packets.first { $0.name == name }!.bytes
        session.received(bytes, on: channel, at: .zero, into: &told)
    }

    mutating func start(_ operation: Operation, at now: Duration = .zero) {
        session.start(operation, at: now, into: &told)
    }

    /// Runs operations without effect until the next one has this id. Then starts that one.
    mutating func startAs(_ id: UInt32) {
        let operation = Operation(.getDeviceInfo, timeout: .init(.seconds(5)))
        for earlier in 0..<id {
            start(operation)
            answer(.ok, earlier)
        }
        start(operation)
        told.removeAll()
    }

    mutating func answer(_ code: ResponseCode, _ id: UInt32) {
        let packet = PTPIPPacket.operationResponse(OperationResponse(code: code, transaction: id))
        session.received(packet.encoded(), on: .command, at: .zero, into: &told)
    }

    /// The events since the last call.
    mutating func take() -> [InitiatorSession.Action] {
        defer { told.removeAll() }
        return told
    }

    /// The requests that were sent since the last call.
    mutating func sent() -> [OperationRequest] {
        take().compactMap { action in
            guard case .send(.command, let bytes) = action else { return nil }
            var decoder = PacketDecoder()
            decoder.append(bytes)
            guard case .packet(.operationRequest(let request))? = try? decoder.next() else { return nil }
            return request
        }
    }

    /// Advances the time from deadline to deadline. Returns how the session ends.
    mutating func lossWhenNothingHappens() -> InitiatorSession.Loss? {
        for _ in 0..<100 {
            guard let deadline = session.nextDeadline else { return nil }
            session.advance(to: deadline, into: &told)
            for case .lost(let loss) in take() { return loss }
        }
        return nil
    }
}
