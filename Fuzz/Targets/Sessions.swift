import NIOCore
import PTP

// Fuzzes both sides of PTP/IP with any messages of the other side, in any order, with network events and time.
//
// An input is a script of steps: one byte for the kind, and then the arguments. Every script runs twice, once with the
// bytes of each step in one piece and once in several pieces. Both runs must give the same result.

// MARK: - Initiator

/// Fuzzes the initiator's session: messages of cameras and operations of a driver.
func fuzzInitiator(_ bytes: [UInt8]) {
    var whole = InitiatorBench(script: bytes, cuts: nil)
    var cut = InitiatorBench(script: bytes, cuts: FuzzCuts(bytes))
    whole.run()
    cut.run()
    expect(whole.told == cut.told, "the session depends on where its bytes are cut:\n\(whole.told)\n\(cut.told)")
}

private struct InitiatorBench {
    private var script: FuzzBytes
    private var cuts: FuzzCuts?
    private var session: InitiatorSession
    private var now = Duration.zero
    private var open: Set<InitiatorSession.Channel> = []
    /// The connections that open a moment after the request.
    private var opening: [InitiatorSession.Channel] = []
    private var dataMax: UInt64 = 0
    /// All actions of the session. Consecutive pieces of data are joined.
    private(set) var told: [InitiatorSession.Action] = []

    private static let stepsMax = 200

    init(script: [UInt8], cuts: FuzzCuts?) {
        self.script = FuzzBytes(script)
        self.cuts = cuts
        guard let guid = GUID(bytes: [UInt8](repeating: 7, count: 16)) else { preconditionFailure("16 bytes") }
        session = InitiatorSession(guid: guid, name: "bracketd")
    }

    mutating func run() {
        perform { $0.connect(at: $1, into: &$2) }
        for _ in 0..<Self.stepsMax where !script.isEmpty {
            connect()
            step()
        }
        // No operation may wait forever, so the loop has a limit.
        for _ in 0..<Self.stepsMax {
            guard let deadline = session.nextDeadline else { break }
            now = max(now, deadline)
            perform { $0.advance(to: $1, into: &$2) }
        }
        expect(session.nextDeadline == nil, "the session waits on and on")
    }

    private mutating func connect() {
        while let channel = opening.popLast() {
            open.insert(channel)
            perform { $0.opened(channel, at: $1, into: &$2) }
        }
    }

    private mutating func step() {
        switch script.byte() % 8 {
        case 0, 1: receive(.command)
        case 2: receive(.event)
        case 3:
            now += .milliseconds(Int(script.number()))
            perform { $0.advance(to: $1, into: &$2) }
        case 4:
            let operation = operation()
            guard session.isReady else { return }
            dataMax = operation.dataIn.limit
            perform { $0.start(operation, at: $1, into: &$2) }
        case 5: if session.isReady { perform { $0.close(at: $1, into: &$2) } }
        case 6:
            let channel: InitiatorSession.Channel = script.byte() & 1 == 0 ? .command : .event
            guard open.remove(channel) != nil else { return }
            perform { $0.closed(channel, reason: nil, at: $1, into: &$2) }
        default: if session.isClosed { perform { $0.connect(at: $1, into: &$2) } }
        }
    }

    private mutating func receive(_ channel: InitiatorSession.Channel) {
        let bytes = script.piece()
        guard open.contains(channel), !bytes.isEmpty else { return }
        let pieces = cuts?.cut(bytes) ?? [ByteBuffer(bytes: bytes)]
        for piece in pieces where open.contains(channel) {
            perform { $0.received(piece, on: channel, at: $1, into: &$2) }
        }
    }

    private mutating func operation() -> Operation {
        let timeout = Operation.Timeout(.seconds(5))
        switch script.byte() % 4 {
        case 0: return Operation(.getDeviceInfo, timeout: timeout)
        case 1:
            let most = UInt64(script.number())
            return Operation(.getObject, dataIn: .discard(atMost: most), timeout: timeout)
        case 2:
            let most = UInt64(script.number())
            return Operation(.getObject, dataIn: .stream(atMost: most), timeout: timeout)
        default: return Operation(.openSession, [1], dataOut: ByteBuffer(bytes: script.piece()), timeout: timeout)
        }
    }

    private mutating func perform(
        _ step: (inout InitiatorSession, Duration, inout [InitiatorSession.Action]) -> Void
    ) {
        var actions: [InitiatorSession.Action] = []
        step(&session, now, &actions)
        for action in actions {
            note(action)
            switch action {
            case .open(let channel, _):
                expect(!open.contains(channel) && !opening.contains(channel), "\(channel) is opened twice")
                opening.append(channel)
            case .close(let channel):
                open.remove(channel)
                opening.removeAll { $0 == channel }
            case .finished(let result):
                expect(result.byteCount <= dataMax, "\(result.byteCount) bytes where \(dataMax) were to come")
            case .lost, .refused, .closed:
                expect(session.isClosed && open.isEmpty && opening.isEmpty, "the end leaves something open")
            case .send, .connected, .probeAnswered, .confirmationAwaited, .data, .event, .note: break
            }
        }
    }

    private mutating func note(_ action: InitiatorSession.Action) {
        if case .data(var more) = action, case .data(var before)? = told.last {
            before.writeBuffer(&more)
            told[told.count - 1] = .data(before)
        } else {
            told.append(action)
        }
    }
}

// MARK: - Responder

/// Fuzzes the responder's session: messages of any client on the open port.
func fuzzResponder(_ bytes: [UInt8]) {
    var whole = ResponderBench(script: bytes, cuts: nil)
    var cut = ResponderBench(script: bytes, cuts: FuzzCuts(bytes))
    whole.run()
    cut.run()
    expect(whole.told == cut.told, "the session depends on where its bytes are cut:\n\(whole.told)\n\(cut.told)")
}

private struct ResponderBench {
    private var script: FuzzBytes
    private var cuts: FuzzCuts?
    private var session: ResponderSession
    private var now = Duration.zero
    private var connections: [ConnectionID] = []
    private var lastConnection = 0
    /// All actions of the session. Consecutive bytes on one connection are joined.
    private(set) var told: [ResponderAction] = []

    private static let stepsMax = 200
    private static let actionsMax = 20_000
    private static let payloadMax = 1 << 12
    private static let operations: [OperationCode] = [
        .openSession, .closeSession, .getDeviceInfo, .getObject, .init(rawValue: 0x9205),
    ]

    init(script: [UInt8], cuts: FuzzCuts?) {
        self.script = FuzzBytes(script)
        self.cuts = cuts
        guard let guid = GUID(bytes: [UInt8](repeating: 7, count: 16)) else { preconditionFailure("16 bytes") }
        var options = ResponderOptions(
            guid: guid,
            name: "ILCE-7M4",
            operations: Self.operations,
            dataOutOperations: [.init(rawValue: 0x9205)]
        )
        options.payloadMax = Self.payloadMax
        session = ResponderSession(options: options)
    }

    mutating func run() {
        accept()
        for _ in 0..<Self.stepsMax where !script.isEmpty { step() }
    }

    private mutating func step() {
        switch script.byte() % 8 {
        case 0, 1, 2, 3:
            let index = Int(script.byte())
            let bytes = script.piece()
            guard !connections.isEmpty else { return }
            receive(bytes, on: connections[index % connections.count])
        case 4: accept()
        case 5:
            guard let id = connections.popLast() else { return }
            session.closed(id, at: now)
            drain()
        case 6:
            now += .milliseconds(Int(script.number()))
            session.advance(to: now)
            drain()
        default:
            session.send(PTPEvent(code: .init(rawValue: script.number()), transaction: 0))
            drain()
        }
    }

    private mutating func accept() {
        lastConnection += 1
        let id = ConnectionID(rawValue: lastConnection)
        connections.append(id)
        session.accepted(id, at: now)
        drain()
        expect(session.connectionCount <= ResponderSession.connectionsMax, "too many connections are kept")
    }

    private mutating func receive(_ bytes: ArraySlice<UInt8>, on id: ConnectionID) {
        for piece in cuts?.cut(bytes) ?? [ByteBuffer(bytes: bytes)] where !bytes.isEmpty {
            session.received(id, piece, at: now)
            drain()
        }
    }

    private mutating func drain() {
        var count = 0
        while let action = session.nextAction(at: now) {
            count += 1
            expect(count < Self.actionsMax, "the session never becomes idle")
            note(action)
            switch action {
            case .close(let id): connections.removeAll { $0 == id }
            case .initiatorAsks(let id, _): session.admit(id, at: now)
            case .perform(let request): session.answer(answer(request), to: request.transaction)
            case .send, .initiatorConnected, .answered, .brokeOff, .cancelled, .initiatorDisconnected, .note: break
            }
        }
    }

    private func answer(_ request: ResponderRequest) -> ResponderAnswer {
        expect(request.parameters.count <= OperationRequest.parameterCountMax, "too many parameters")
        expect(request.data.readableBytes <= Self.payloadMax, "more data than is taken")
        switch request.code {
        case .getDeviceInfo: return .ok(DeviceInfo().encoded())
        case .getObject:
            // The data is more than one packet can contain.
            return .ok(ByteBuffer(repeating: 1, count: 70_000), parameters: request.parameters)
        default: return ResponderAnswer(.ok, parameters: request.parameters)
        }
    }

    private mutating func note(_ action: ResponderAction) {
        if case .send(let id, var more) = action, case .send(id, var before)? = told.last {
            before.writeBuffer(&more)
            told[told.count - 1] = .send(id, before)
        } else {
            told.append(action)
        }
    }
}
