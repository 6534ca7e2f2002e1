import NIOCore
import PTP
import Testing

struct ResponderSessionTests {
    // MARK: Handshake

    @Test func `a captured initiator is admitted, and answered like a real A9 answers`() throws {
        let fixture = try Fixture.load()
        for initiator in fixture.initCommandRequests {
            var station = try ResponderStation()
            let command = station.accept(1)
            station.send(bytes(initiator.hex), on: command)
            guard case .initiatorAsks(_, let asked) = station.actions.first else {
                Issue.record("no request was sent")
                continue
            }
            #expect(asked.guid.description == initiator.guid)
            #expect(asked.name == initiator.initiator)
            // The captured Ack of an ILCE-9. Its connection number is replaced by 1.
            var ack = fixture.fromCamera("InitCommandAck ILCE-9")
            ack.setInteger(UInt32(1), at: ack.readerIndex + 8, endianness: .little)
            #expect(station.sent[command]?.hex == ack.hex)
            let event = station.accept(2)
            station.send(fixture.fromInitiator("InitEventRequest")[0], on: event)
            #expect(station.sent[event] == fixture.fromCamera("InitEventAck"))
            #expect(station.actions.last == .initiatorConnected)
        }
    }

    @Test func `a second initiator is refused as busy when the first answers a probe`() throws {
        var station = try ResponderStation()
        let (_, event) = try station.connect()
        let other = station.accept(3)
        station.send(bytes(try Fixture.load().initCommandRequests[1].hex), on: other)
        #expect(try station.packets(event) == [.probeRequest])
        #expect(station.closed.isEmpty)
        // A third connection causes no second probe.
        let third = station.accept(4)
        station.send(bytes(try Fixture.load().initCommandRequests[1].hex), on: third)
        #expect(station.sent[event] == nil)
        station.send(.probeResponse, on: event)
        #expect(try station.packets(other) == [.initFail(.busy)])
        #expect(try station.packets(third) == [.initFail(.busy)])
        #expect(station.closed == [other, third])
        #expect(station.session.isSessionOpen)
        #expect(station.session.nextDeadline == nil)
    }

    @Test func `a second initiator replaces a first that does not answer a probe within 10 s`() throws {
        var station = try ResponderStation { $0.slotHold = .seconds(30) }
        let (command, event) = try station.connect()
        let other = station.accept(3)
        station.send(bytes(try Fixture.load().initCommandRequests[1].hex), on: other)
        station.advance(.milliseconds(9_999))
        #expect(station.closed.isEmpty && station.sent[other] == nil)
        station.advance(.milliseconds(1))
        #expect(station.closed == [event, command])
        #expect(station.actions.contains(.initiatorDisconnected(.lost)))
        #expect(try station.packets(other).first?.type == .initCommandAck)
        #expect(!station.session.isSessionOpen)
    }

    @Test func `an initiator that waits for the probe is admitted when the first one disconnects`() throws {
        var station = try ResponderStation { $0.slotHold = .zero }
        let (command, _) = try station.connect()
        let other = station.accept(3)
        station.send(bytes(try Fixture.load().initCommandRequests[1].hex), on: other)
        station.hangUp(command)
        #expect(try station.packets(other).first?.type == .initCommandAck)
    }

    @Test func `an anonymous initiator is admitted, with the smaller of both versions`() throws {
        for (version, answered) in [(0x0001_0000, 0x0001_0000), (0x0002_0000, 0x0001_0000), (nil, 0x0001_0000)]
            as [(UInt32?, UInt32)]
        {
            var station = try ResponderStation()
            let guid = try #require(GUID(bytes: [UInt8](repeating: 0xFF, count: 16)))
            let command = station.accept(1)
            station.send(.initCommandRequest(InitCommandRequest(guid: guid, name: "", version: version)), on: command)
            guard case .initCommandAck(let ack)? = try station.packets(command).first else {
                Issue.record("no Ack")
                continue
            }
            #expect(ack.version == answered)
        }
    }

    @Test func `an initiator waits for the body's decision, and may be refused`() throws {
        var station = try ResponderStation()
        station.admits = false
        let command = station.accept(1)
        station.send(bytes(try Fixture.load().initCommandRequests[0].hex), on: command)
        #expect(station.sent.isEmpty)
        let other = station.accept(2)
        station.send(bytes(try Fixture.load().initCommandRequests[1].hex), on: other)
        #expect(try station.packets(other) == [.initFail(.busy)])
        station.session.reject(command, .rejectedInitiator, at: station.now)
        station.drain()
        #expect(try station.packets(command) == [.initFail(.rejectedInitiator)])
        #expect(station.closed == [other, command])
    }

    @Test func `bytes before the decision are kept, within a bound`() throws {
        let fixture = try Fixture.load()
        var station = try ResponderStation()
        station.admits = false
        let command = station.accept(1)
        var both = bytes(fixture.initCommandRequests[0].hex)
        both.writeImmutableBuffer(fixture.fromInitiator("OpenSession")[0])
        station.send(both, on: command)
        #expect(station.performed.isEmpty)
        station.session.admit(command, at: station.now)
        station.drain()
        #expect(station.performed.map(\.code) == [.openSession])

        var flooded = try ResponderStation()
        flooded.admits = false
        let flooder = flooded.accept(1)
        flooded.send(bytes(fixture.initCommandRequests[0].hex), on: flooder)
        flooded.send(ByteBuffer(repeating: 0, count: 70_000), on: flooder)
        #expect(flooded.closed == [flooder])
        flooded.admits = true
        let next = flooded.accept(2)
        flooded.send(bytes(fixture.initCommandRequests[0].hex), on: next)
        #expect(try flooded.packets(next).count == 1)
    }

    @Test func `an event connection with a wrong number is refused`() throws {
        var station = try ResponderStation()
        let early = station.accept(1)
        station.send(.initEventRequest(connectionNumber: 1), on: early)
        #expect(try station.packets(early) == [.initFail(.unspecified)])
        _ = try station.connect(opensSession: false)
        let second = station.accept(4)
        station.send(.initEventRequest(connectionNumber: 1), on: second)
        #expect(try station.packets(second) == [.initFail(.unspecified)])
    }

    @Test func `without an event connection the initiator is dropped`() throws {
        var station = try ResponderStation()
        let command = station.accept(1)
        station.send(bytes(try Fixture.load().initCommandRequests[0].hex), on: command)
        #expect(station.session.nextDeadline == .seconds(5))
        station.advance(.seconds(5))
        #expect(station.closed == [command])
        #expect(station.actions.last == .initiatorDisconnected(.inOrder))
        #expect(station.session.nextDeadline == nil)
    }

    @Test func `a connection that sends nothing is closed, and a connection above the limit at once`() throws {
        var station = try ResponderStation()
        for number in 1...9 { _ = station.accept(number) }
        #expect(station.closed == [ConnectionID(rawValue: 9)])
        station.advance(.seconds(30))
        #expect(station.closed.count == 9)
        #expect(station.session.connectionCount == 0)
    }

    // MARK: Sessions and transactions

    @Test func `a session must be open, once, and under a number`() throws {
        var station = try ResponderStation()
        let (command, _) = try station.connect(opensSession: false)
        station.send(request(.getObject, 1, 1), on: command)
        station.send(request(.closeSession, 2), on: command)
        station.send(request(.getDeviceInfo, 3), on: command)
        station.send(request(.openSession, 4, 0), on: command)
        station.send(request(.openSession, 5), on: command)
        station.send(request(.openSession, 6, 41), on: command)
        station.send(request(.openSession, 7, 42), on: command)
        let responses = try station.responses(command)
        #expect(
            responses.map(\.code) == [
                .sessionNotOpen, .sessionNotOpen, .ok, .invalidParameter, .invalidParameter, .ok, .sessionAlreadyOpen,
            ]
        )
        #expect(responses.last?.parameters == [41])
        #expect(station.performed.map(\.code) == [.getDeviceInfo, .openSession])
    }

    @Test func `OpenSession is open only when the body says OK`() throws {
        var station = try ResponderStation()
        station.answer = { $0.transaction == 0 ? ResponderAnswer(.deviceBusy) : .ok }
        let (command, _) = try station.connect()
        #expect(!station.session.isSessionOpen)
        station.send(request(.openSession, 1, 1), on: command)
        #expect(station.session.isSessionOpen)
    }

    @Test func `transaction ids must grow, and wrap past the reserved ones`() throws {
        var station = try ResponderStation()
        let (command, _) = try station.connect()
        for transaction: UInt32 in [5, 5, 4, 9, 0, .max, .max - 1, 0, 2, 1, 2] {
            station.send(request(.getDeviceInfo, transaction), on: command)
        }
        let bad = ResponseCode.invalidTransactionID
        #expect(try station.responses(command).map(\.code) == [.ok, bad, bad, .ok, bad, bad, .ok, bad, bad, .ok, .ok])
    }

    @Test func `an unknown operation is not supported, with its data and without`() throws {
        var station = try ResponderStation()
        let (command, _) = try station.connect()
        let unknown = OperationCode(rawValue: 0x9999)
        station.send(request(unknown, 1), on: command)
        station.send(
            .operationRequest(OperationRequest(dataPhase: .out, code: unknown, transaction: 2)),
            on: command
        )
        station.send(.startData(transaction: 2, totalLength: 3), on: command)
        station.send(.endData(transaction: 2, payload: bytes("010203")), on: command)
        station.send(request(.getDeviceInfo, 3), on: command)
        #expect(
            try station.responses(command).map(\.code) == [.operationNotSupported, .operationNotSupported, .ok]
        )
        #expect(station.performed.map(\.transaction) == [0, 3])
    }

    // MARK: Cancel, probes, events

    @Test func `a cancelled transaction is answered as cancelled, and the session stays usable`() throws {
        var station = try ResponderStation()
        let (command, event) = try station.connect()
        station.answer = { $0.code == .getObject ? nil : .ok }
        station.send(request(.getObject, 1, 7), on: command)
        // While the first request runs, the body answers another one as busy.
        station.send(request(.getDeviceInfo, 2), on: command)
        station.send(.cancel(transaction: 1), on: event)
        station.session.answer(.ok, to: 1)
        station.send(request(ResponderStation.setValue, 3, 0xD20D), on: command)
        station.send(.cancel(transaction: 3), on: command)
        station.send(.cancel(transaction: 99), on: command)
        station.send(request(.getDeviceInfo, 4), on: command)
        let responses = try station.responses(command)
        #expect(responses.map(\.transaction) == [2, 1, 3, 4])
        #expect(responses.map(\.code) == [.deviceBusy, .transactionCanceled, .transactionCanceled, .ok])
        #expect(station.actions.contains(.cancelled(transaction: 1)))
    }

    @Test func `a cancel on the event connection waits for its copy on the command connection`() throws {
        var station = try ResponderStation()
        let (command, event) = try station.connect()
        station.answer = { $0.code == .getObject ? nil : .ok }
        // The data phase is data-out: the body discards the rest of the data.
        station.send(request(ResponderStation.setValue, 1, 0xD20D), on: command)
        station.send(.startData(transaction: 1, totalLength: 8), on: command)
        station.send(.cancel(transaction: 1), on: event)
        station.send(.data(transaction: 1, payload: bytes("01020304")), on: command)
        #expect(station.sent[command] == nil)
        station.send(.cancel(transaction: 1), on: command)
        #expect(try station.responses(command).map(\.code) == [.transactionCanceled])
        // The data phase is data-in: the data ends at once, and the answer comes after the copy of the cancel.
        station.send(request(.getObject, 2, 7), on: command)
        station.send(.cancel(transaction: 2), on: event)
        #expect(station.actions.contains(.cancelled(transaction: 2)))
        #expect(station.sent[command] == nil)
        station.send(.cancel(transaction: 2), on: command)
        #expect(try station.responses(command).map(\.code) == [.transactionCanceled])
        #expect(station.performed.map(\.transaction) == [0, 2])
    }

    @Test func `a cancel on the command connection is answered at once, and its copy changes nothing`() throws {
        var station = try ResponderStation()
        let (command, event) = try station.connect()
        station.send(request(ResponderStation.setValue, 1, 0xD20D), on: command)
        station.send(.startData(transaction: 1, totalLength: 8), on: command)
        station.send(.cancel(transaction: 1), on: command)
        #expect(try station.responses(command).map(\.code) == [.transactionCanceled])
        station.send(.cancel(transaction: 1), on: event)
        // A cancel before its request, or after the response, is ignored.
        station.send(.cancel(transaction: 2), on: event)
        station.send(request(.getDeviceInfo, 2), on: command)
        station.send(.cancel(transaction: 2), on: command)
        #expect(try station.responses(command).map(\.code) == [.ok])
    }

    @Test func `a cancel whose copy never arrives is still answered`() throws {
        var station = try ResponderStation { $0.packetLimit = .seconds(10) }
        let (command, event) = try station.connect()
        station.answer = { $0.code == .getObject ? nil : .ok }
        station.send(request(.getObject, 1, 7), on: command)
        station.send(.cancel(transaction: 1), on: event)
        station.advance(.seconds(10))
        #expect(try station.responses(command).map(\.code) == [.transactionCanceled])
        #expect(station.session.nextDeadline == nil)
    }

    @Test func `data under way to the initiator ends with a cancel`() throws {
        var station = try ResponderStation { $0.sendWindow = 1 << 10 }
        let (command, event) = try station.connect()
        station.answer = { request in
            guard request.code == .getObject else { return .ok }
            var answer = ResponderAnswer.ok(ByteBuffer(repeating: 7, count: 1 << 20))
            answer.waitsForNetwork = true
            return answer
        }
        station.send(request(.getObject, 1, 7), on: command)
        let first = try station.packets(command)
        #expect(first.first == .startData(transaction: 1, totalLength: 1 << 20))
        station.send(.cancel(transaction: 1), on: event)
        station.session.written(command, 1 << 20)
        station.drain()
        #expect(station.sent[command] == nil)
        station.send(.cancel(transaction: 1), on: command)
        #expect(try station.packets(command).map(\.type) == [.operationResponse])
        station.send(request(.getDeviceInfo, 2), on: command)
        #expect(try station.responses(command).map(\.code) == [.ok])
    }

    @Test func `a refused request is answered in the middle of its data, whose rest is dropped`() throws {
        var station = try ResponderStation()
        let (command, _) = try station.connect(opensSession: false)
        station.send(request(ResponderStation.setValue, 1, 0xD20D), on: command)
        station.send(.startData(transaction: 1, totalLength: 8), on: command)
        #expect(try station.responses(command).map(\.code) == [.sessionNotOpen])
        station.send(.data(transaction: 1, payload: bytes("01020304")), on: command)
        station.send(.endData(transaction: 1, payload: bytes("05060708")), on: command)
        station.send(request(.getDeviceInfo, 2), on: command)
        #expect(try station.responses(command).map(\.code) == [.ok])
    }

    @Test func `data of no bytes is a beginning and an end`() throws {
        var station = try ResponderStation()
        let (command, _) = try station.connect()
        station.send(request(ResponderStation.setValue, 1, 0xD20D), on: command)
        station.send(.startData(transaction: 1, totalLength: 0), on: command)
        station.send(.endData(transaction: 1, payload: ByteBuffer()), on: command)
        #expect(try station.responses(command).map(\.code) == [.ok])
        #expect(station.performed.last?.data == ByteBuffer())
    }

    @Test func `probes are answered on their own connection`() throws {
        var station = try ResponderStation()
        let (command, event) = try station.connect()
        station.send(.probeRequest, on: event)
        station.send(.probeRequest, on: command)
        #expect(try station.packets(event) == [.probeResponse])
        #expect(try station.packets(command) == [.probeResponse])
    }

    @Test func `an initiator that does not answer probes is dropped`() throws {
        var station = try ResponderStation { $0.probeInterval = .seconds(10) }
        let (command, event) = try station.connect()
        station.advance(.seconds(10))
        #expect(try station.packets(event) == [.probeRequest])
        station.send(.probeResponse, on: event)
        station.advance(.seconds(10))
        #expect(try station.packets(event) == [.probeRequest])
        station.advance(.milliseconds(9_999))
        #expect(station.closed.isEmpty)
        station.advance(.milliseconds(1))
        #expect(station.closed == [event, command])
    }

    @Test func `events are sent on the event connection, as a real camera sends them`() throws {
        let fixture = try Fixture.load()
        var station = try ResponderStation()
        let (_, event) = try station.connect()
        station.session.send(PTPEvent(code: EventCode(rawValue: 0xC203), parameters: [0]))
        station.session.send(PTPEvent(code: EventCode(rawValue: 0xC207)))
        station.drain()
        var expected = fixture.fromCamera("Event 0xC203")
        expected.writeImmutableBuffer(fixture.fromCamera("Event 0xC207"))
        #expect(station.sent[event] == expected)
    }

    @Test func `header and body are sent separately if the body does that`() throws {
        var station = try ResponderStation { $0.splitsPackets = true }
        let (command, _) = try station.connect()
        station.actions = []
        station.send(request(.getDeviceInfo, 1), on: command)
        let sizes = station.actions.compactMap { action -> Int? in
            if case .send(_, let bytes) = action { bytes.readableBytes } else { nil }
        }
        #expect(sizes == [8, 6])
    }

    @Test(arguments: [(ResponderProbeReaction.answer, 1, 0), (.ignore, 0, 0), (.close, 0, 2)])
    func `a probe of the initiator is answered, ignored or ends the session`(
        reaction: ResponderProbeReaction,
        answers: Int,
        closes: Int
    ) throws {
        var station = try ResponderStation { $0.probeReaction = reaction }
        let (_, event) = try station.connect()
        station.sent = [:]
        station.send(.probeRequest, on: event)
        #expect((station.sent[event]?.readableBytes ?? 0) == answers * 8)
        #expect(station.closed.count == closes)
    }

    @Test func `the first connection number can be 0`() throws {
        var station = try ResponderStation { $0.firstConnectionNumber = 0 }
        let command = station.accept(1)
        station.send(bytes(try Fixture.load().initCommandRequests[0].hex), on: command)
        guard case .initCommandAck(let ack) = try station.packets(command).first else {
            Issue.record("no Ack")
            return
        }
        #expect(ack.connectionNumber == 0)
        let event = station.accept(2)
        station.send(.initEventRequest(connectionNumber: 0), on: event)
        #expect(try station.packets(event).first == .initEventAck)
    }

    // MARK: The end

    @Test func `after CloseSession the place is free at once`() throws {
        var station = try ResponderStation()
        let (command, _) = try station.connect()
        station.send(request(.closeSession, 1), on: command)
        station.hangUp(command)
        #expect(station.actions.last == .initiatorDisconnected(.inOrder))
        station.sent = [:]
        let next = station.accept(5)
        station.send(bytes(try Fixture.load().initCommandRequests[0].hex), on: next)
        #expect(try station.packets(next).first?.type == .initCommandAck)
    }

    @Test func `after a broken connection the place stays taken for a while`() throws {
        let fixture = try Fixture.load()
        var station = try ResponderStation { $0.slotHold = .seconds(30) }
        let (command, event) = try station.connect()
        station.hangUp(command)
        #expect(station.closed == [event])
        #expect(station.actions.last == .initiatorDisconnected(.lost))
        station.advance(.seconds(29))
        let early = station.accept(5)
        station.send(bytes(fixture.initCommandRequests[0].hex), on: early)
        #expect(try station.packets(early) == [.initFail(.busy)])
        station.advance(.seconds(1))
        let late = station.accept(6)
        station.send(bytes(fixture.initCommandRequests[0].hex), on: late)
        #expect(try station.packets(late).first?.type == .initCommandAck)
    }

    @Test func `an initiator that sends nothing is dropped if the body does that`() throws {
        var station = try ResponderStation { $0.idleLimit = .seconds(10) }
        let (command, event) = try station.connect()
        station.advance(.seconds(6))
        station.send(request(.getDeviceInfo, 1), on: command)
        station.advance(.seconds(6))
        #expect(station.closed.isEmpty)
        station.advance(.seconds(4))
        #expect(station.closed == [command, event])
    }

    // MARK: Hostile bytes

    @Test func `malformed packets end only the connection that sent them`() throws {
        var station = try ResponderStation()
        let (command, _) = try station.connect()
        for (index, malformed) in try Fixture.load().malformedPackets.enumerated() {
            let stranger = station.accept(10 + index)
            station.send(bytes(malformed.hex), on: stranger)
            // Only an unknown packet type may be skipped. Then no more bytes arrive, and the time limit ends the
            // connection.
            if malformed.name == "unknown_type" { station.hangUp(stranger) }
            #expect(station.closed.contains(stranger) == (malformed.name != "unknown_type"), "\(malformed.name)")
        }
        station.send(request(.getDeviceInfo, 1), on: command)
        #expect(try station.responses(command).map(\.code) == [.ok])
    }

    @Test func `the wait for a packet that never ends has a limit`() throws {
        var station = try ResponderStation()
        let (command, event) = try station.connect()
        station.send(bytes("12000000 06000000 01"), on: command)
        station.advance(.seconds(9))
        station.send(bytes("000000"), on: command)
        #expect(station.closed.isEmpty)
        station.advance(.seconds(1))
        #expect(station.closed == [command, event])
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `random bytes on any connection never disturb the next initiator`(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var station = try ResponderStation { $0.slotHold = .zero }
        let (command, event) = try station.connect()
        let stranger = station.accept(3)
        for _ in 0..<40 {
            var junk = ByteBuffer()
            // Half of the random inputs begin like a packet.
            if random.next() & 1 == 0 {
                junk.writeInteger(UInt32(8 + random.next() % 40), endianness: .little)
                junk.writeInteger(UInt32(random.next() % 16), endianness: .little)
            }
            for _ in 0..<random.next() % 48 { junk.writeInteger(UInt8(truncatingIfNeeded: random.next())) }
            let victims = [command, event, stranger]
            station.send(junk, on: victims[Int(random.next() % 3)])
        }
        station.advance(.seconds(40))
        for id in [command, event, stranger] { station.hangUp(id) }
        station.sent = [:]
        let next = station.accept(9)
        station.send(bytes(try Fixture.load().initCommandRequests[0].hex), on: next)
        #expect(try station.packets(next).first?.type == .initCommandAck)
    }
}

/// A small generator. It belongs to the test, so that a seed always gives the same bytes.
private struct SplitMix {
    var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
