import NIOCore
import Testing

@testable import PTP

struct InitiatorSessionTests {
    // MARK: Handshake

    @Test func `the handshake opens two connections and identifies the initiator on each`() throws {
        var bench = SessionBench()
        bench.session.connect(at: .zero, into: &bench.told)
        #expect(bench.take() == [.open(.command, timeout: .seconds(5))])
        bench.session.opened(.command, at: .zero, into: &bench.told)
        let request = Vectors.packets.first { $0.name == "init_command_request" }
        #expect(bench.take() == [.send(.command, try #require(request?.bytes))])
        bench.receive("init_command_ack", on: .command)
        #expect(bench.take() == [.open(.event, timeout: .seconds(5))])
        bench.session.opened(.event, at: .zero, into: &bench.told)
        #expect(bench.take() == [.send(.event, ByteBuffer(hex: "0c000000 03000000 01000000"))])
        bench.receive("init_event_ack", on: .event)
        guard case .connected(let ack)? = bench.take().first else {
            Issue.record("not connected")
            return
        }
        #expect(ack.name == "EOS R6")
        #expect(bench.session.isReady)
        #expect(bench.session.nextDeadline == nil)
    }

    @Test func `a camera that may wait for its user is reported once, three seconds after the Init request`() {
        var bench = SessionBench()
        bench.session.connect(at: .zero, into: &bench.told)
        bench.session.opened(.command, at: .seconds(1), into: &bench.told)
        _ = bench.take()
        #expect(bench.session.nextDeadline == .seconds(4))
        bench.session.advance(to: .milliseconds(3_999), into: &bench.told)
        #expect(bench.take().isEmpty)
        bench.session.advance(to: .seconds(4), into: &bench.told)
        #expect(bench.take() == [.confirmationAwaited])
        #expect(bench.session.nextDeadline == .seconds(61))
        bench.session.advance(to: .seconds(5), into: &bench.told)
        #expect(bench.take().isEmpty)
        bench.receive("init_command_ack", on: .command)
        #expect(bench.take() == [.open(.event, timeout: .seconds(5))])
    }

    @Test(arguments: [
        ("init_fail_rejected_initiator", InitFailReason.rejectedInitiator), ("init_fail_busy", .busy),
        ("init_fail_unspecified", .unspecified),
    ])
    func `a camera may refuse on the command connection`(name: String, reason: InitFailReason) {
        var bench = SessionBench()
        bench.session.connect(at: .zero, into: &bench.told)
        bench.session.opened(.command, at: .zero, into: &bench.told)
        _ = bench.take()
        bench.receive(name, on: .command)
        #expect(bench.take() == [.close(.command), .refused(reason)])
        #expect(bench.session.isClosed)
    }

    @Test func `a camera may refuse on the event connection`() {
        var bench = SessionBench()
        bench.openUntilEventRequest()
        bench.receive("init_fail_busy", on: .event)
        #expect(bench.take() == [.close(.event), .close(.command), .refused(.busy)])
    }

    @Test func `an Ack without a version is accepted, and its number is echoed`() {
        var bench = SessionBench()
        bench.session.connect(at: .zero, into: &bench.told)
        bench.session.opened(.command, at: .zero, into: &bench.told)
        bench.receive("init_command_ack_no_version", on: .command)
        bench.session.opened(.event, at: .zero, into: &bench.told)
        #expect(bench.take().last == .send(.event, ByteBuffer(hex: "0c000000 03000000 07000000")))
    }

    @Test func `the event connection is tried three times, because some cameras listen late`() {
        var bench = SessionBench()
        bench.session.connect(at: .zero, into: &bench.told)
        bench.session.opened(.command, at: .zero, into: &bench.told)
        bench.receive("init_command_ack", on: .command)
        _ = bench.take()
        for attempt in 1...2 {
            let now = Duration.milliseconds(100 * attempt)
            bench.session.openFailed(.event, reason: "refused", at: now - .milliseconds(100), into: &bench.told)
            #expect(bench.session.nextDeadline == now)
            bench.session.advance(to: now, into: &bench.told)
            #expect(bench.take() == [.open(.event, timeout: .seconds(5))])
        }
        bench.session.openFailed(.event, reason: "refused", at: .seconds(1), into: &bench.told)
        let loss = InitiatorSession.Loss.cannotConnect(.event, reason: "refused")
        #expect(bench.take() == [.close(.event), .close(.command), .lost(loss)])
    }

    @Test func `every step of the handshake has a time limit`() {
        var opening = SessionBench()
        opening.session.connect(at: .zero, into: &opening.told)
        #expect(opening.lossWhenNothingHappens() == .cannotConnect(.command, reason: "timed out"))

        var waiting = SessionBench()
        waiting.session.connect(at: .zero, into: &waiting.told)
        waiting.session.opened(.command, at: .zero, into: &waiting.told)
        #expect(waiting.lossWhenNothingHappens() == .silent(after: .seconds(60), during: "the Init handshake"))

        var eventWaiting = SessionBench()
        eventWaiting.openUntilEventRequest()
        #expect(eventWaiting.lossWhenNothingHappens() == .silent(after: .seconds(10), during: "the Init handshake"))
    }

    // MARK: Transactions

    @Test func `ids count from 0, and a request without data is one packet`() throws {
        var bench = SessionBench.connected()
        bench.start(Operation(.openSession, [1], timeout: .init(.seconds(5))))
        let open = try #require(Vectors.packets.first { $0.name == "open_session_request" })
        #expect(bench.take() == [.send(.command, open.bytes)])
        bench.answer(.ok, 0)
        #expect(bench.take() == [.finished(OperationResult(code: .ok))])
        for id: UInt32 in 1...3 {
            bench.start(Operation(.getDeviceInfo, timeout: .init(.seconds(5))))
            #expect(bench.sent().map(\.transaction) == [id])
            bench.answer(.ok, id)
            _ = bench.take()
        }
    }

    @Test func `data is sent in one burst, large data in pieces of 64 KiB with the rest at the end`() throws {
        var bench = SessionBench.connected()
        let small = ByteBuffer(bytes: [2, 0])
        bench.start(
            Operation(OperationCode(rawValue: 0x9207), [0xD2C1], dataOut: small, timeout: .init(.seconds(5)))
        )
        let sony = "16000000 06000000 02000000 0792 00000000 c1d20000"
        let data = "14000000 09000000 00000000 0200000000000000" + "0e000000 0c000000 00000000 0200"
        #expect(bench.take() == [.send(.command, ByteBuffer(hex: sony + data))])
        bench.answer(.ok, 0)
        _ = bench.take()

        let large = ByteBuffer(repeating: 9, count: 150_000)
        bench.start(Operation(.setDevicePropValue, [1], dataOut: large, timeout: .init(.seconds(5))))
        guard case .send(.command, let bytes)? = bench.take().first else {
            Issue.record("nothing sent")
            return
        }
        var decoder = PacketDecoder()
        decoder.append(bytes)
        var sizes: [Int] = []
        while let element = try decoder.next() {
            if case .packet(.data(_, let payload)) = element { sizes.append(payload.readableBytes) }
            if case .packet(.endData(_, let payload)) = element { sizes.append(payload.readableBytes) }
        }
        #expect(sizes == [65536, 65536, 150_000 - 2 * 65536])
    }

    @Test(arguments: Vectors.sequences.filter { $0.name.hasPrefix("get_") || $0.name.hasPrefix("response_") })
    func `the published sequences of data from the camera are accepted, in any cut`(vector: Vector) throws {
        for size in [1, 3, 12, 1000] {
            var bench = SessionBench.connected()
            let steps = vector.steps
            let request = try #require(steps.first)
            #expect(request.isOurs)
            let id = try #require(request.bytes.getInteger(at: 14, endianness: .little, as: UInt32.self))
            bench.startAs(id)
            var answers = ByteBuffer()
            for step in steps.dropFirst() { answers.writeImmutableBuffer(step.bytes) }
            while let piece = answers.readSlice(length: min(size, answers.readableBytes)), piece.readableBytes > 0 {
                bench.session.received(piece, on: .command, at: .zero, into: &bench.told)
            }
            let results = bench.take().compactMap { action -> OperationResult? in
                if case .finished(let result) = action { result } else { nil }
            }
            #expect(results.count == 1)
            let result = try #require(results.first)
            #expect(result.isComplete)
            switch vector.name {
            case "get_object_refused": #expect(result.code == .invalidObjectHandle)
            case "get_event_zero_length_data": #expect(result.isSuccess && result.byteCount == 0)
            case "response_for_stale_tid_then_real": #expect(result.data == ByteBuffer(hex: "61626364"))
            default: #expect(result.data == ByteBuffer(hex: "ffd8010203040506ffd9"))
            }
        }
    }

    @Test func `less data than announced is incomplete, whatever the code says`() throws {
        let vector = try #require(Vectors.malformed.first { $0.name == "end_data_less_than_announced" })
        var bench = SessionBench.connected()
        bench.startAs(3)
        bench.session.received(vector.bytes, on: .command, at: .zero, into: &bench.told)
        guard case .finished(let result)? = bench.take().first else {
            Issue.record("not finished")
            return
        }
        #expect(result.code == .ok)
        #expect(!result.isComplete)
        #expect(!result.isSuccess)
    }

    @Test func `more data than announced ends the session`() throws {
        let vector = try #require(Vectors.malformed.first { $0.name == "data_more_than_announced" })
        var bench = SessionBench.connected()
        bench.startAs(3)
        bench.session.received(vector.bytes, on: .command, at: .zero, into: &bench.told)
        #expect(bench.take().last == .lost(.protocolError(.dataBeyondAnnounced(announced: 2))))
    }

    @Test func `data without a beginning ends the session`() throws {
        let vector = try #require(Vectors.malformed.first { $0.name == "data_without_start" })
        var bench = SessionBench.connected()
        bench.startAs(3)
        bench.session.received(vector.bytes, on: .command, at: .zero, into: &bench.told)
        #expect(bench.take().last == .lost(.protocolError(.dataWithoutStart(transaction: 3))))
    }

    @Test func `an answer to a later transaction ends the session`() throws {
        let vector = try #require(Vectors.malformed.first { $0.name == "response_wrong_tid" })
        var bench = SessionBench.connected()
        bench.startAs(3)
        bench.session.received(vector.bytes, on: .command, at: .zero, into: &bench.told)
        let error = PTPIPError.wrongTransaction(.operationResponse, expected: 3, found: 0x7FFF_FFFF)
        #expect(bench.take().last == .lost(.protocolError(error)))
    }

    @Test func `an answer to an earlier transaction is dropped and reported`() {
        var bench = SessionBench.connected()
        bench.startAs(3)
        bench.answer(.generalError, 2)
        #expect(bench.take().count == 1)
        bench.answer(.ok, 3)
        #expect(bench.take() == [.finished(OperationResult(code: .ok))])
    }

    @Test func `data that is announced too large is refused before it arrives`() {
        var bench = SessionBench.connected()
        bench.start(Operation(.getObject, [1], dataIn: .collect(atMost: 100), timeout: .init(.seconds(5))))
        _ = bench.take()
        let start = PTPIPPacket.startData(transaction: 0, totalLength: 101).encoded()
        bench.session.received(start, on: .command, at: .zero, into: &bench.told)
        let error = PTPIPError.dataBeyondLimit(operation: .getObject, limit: 100)
        #expect(bench.take().last == .lost(.protocolError(error)))
    }

    @Test func `data of unknown length is bounded too, by the length of each packet`() {
        var bench = SessionBench.connected()
        bench.start(Operation(.getObject, [1], dataIn: .discard(atMost: 1000), timeout: .init(.seconds(5))))
        _ = bench.take()
        var bytes = PTPIPPacket.startData(transaction: 0, totalLength: nil).encoded()
        bytes.writeImmutableBuffer(ByteBuffer(hex: "10270000 0a000000 00000000 01"))
        bench.session.received(bytes, on: .command, at: .zero, into: &bench.told)
        let error = PTPIPError.dataBeyondLimit(operation: .getObject, limit: 1000)
        #expect(bench.take().last == .lost(.protocolError(error)))
    }

    @Test func `a picture of 100 MB is counted and dropped`() {
        var bench = SessionBench.connected()
        let total = 100 << 20
        bench.start(Operation(.getObject, [1], dataIn: .discard(atMost: 1 << 30), timeout: .init(.seconds(5))))
        _ = bench.take()
        var head = PTPIPPacket.startData(transaction: 0, totalLength: UInt64(total)).encoded()
        head.writeMultipleIntegers(UInt32(12 + total), UInt32(10), UInt32(0), endianness: .little)
        bench.session.received(head, on: .command, at: .zero, into: &bench.told)
        let piece = ByteBuffer(repeating: 1, count: 1 << 16)
        for _ in 0..<(total >> 16) {
            bench.session.received(piece, on: .command, at: .zero, into: &bench.told)
        }
        #expect(bench.take().isEmpty)
        bench.session.received(
            PTPIPPacket.endData(transaction: 0, payload: ByteBuffer()).encoded(),
            on: .command,
            at: .zero,
            into: &bench.told
        )
        bench.answer(.ok, 0)
        #expect(bench.take() == [.finished(OperationResult(code: .ok, byteCount: UInt64(total)))])
    }

    // MARK: Streams

    @Test(arguments: [1, 5, 64, 10_000])
    func `a stream delivers every byte as it arrives, once and in order, and collects none`(size: Int) {
        var bench = SessionBench.connected()
        bench.start(Operation(.getObject, [1], dataIn: .stream(atMost: 1 << 30), timeout: .init(.seconds(5))))
        _ = bench.take()
        let content = ByteBuffer(bytes: (0..<1000).map { UInt8(truncatingIfNeeded: $0) })
        var bytes = PTPIPPacket.startData(transaction: 0, totalLength: 1000).encoded()
        var rest = content
        for length in [400, 0, 500] {
            guard let payload = rest.readSlice(length: length) else { continue }
            PTPIPPacket.data(transaction: 0, payload: payload).encode(into: &bytes)
        }
        PTPIPPacket.endData(transaction: 0, payload: rest).encode(into: &bytes)
        PTPIPPacket.operationResponse(OperationResponse(code: .ok, transaction: 0)).encode(into: &bytes)
        var streamed = ByteBuffer()
        var results: [OperationResult] = []
        while let piece = bytes.readSlice(length: min(size, bytes.readableBytes)), piece.readableBytes > 0 {
            bench.session.received(piece, on: .command, at: .zero, into: &bench.told)
            for action in bench.take() {
                switch action {
                case .data(let part):
                    #expect(part.readableBytes > 0 && part.readableBytes <= size)
                    #expect(results.isEmpty)
                    streamed.writeImmutableBuffer(part)
                case .finished(let result): results.append(result)
                default: Issue.record("\(action)")
                }
            }
        }
        #expect(streamed == content)
        #expect(results == [OperationResult(code: .ok, byteCount: 1000)])
    }

    @Test func `a piece of a stream is the memory that was received`() {
        var bench = SessionBench.connected()
        bench.start(Operation(.getObject, [1], dataIn: .stream(atMost: 1 << 30), timeout: .init(.seconds(5))))
        var head = PTPIPPacket.startData(transaction: 0, totalLength: 1 << 20).encoded()
        head.writeMultipleIntegers(UInt32(12 + 1 << 20), UInt32(10), UInt32(0), endianness: .little)
        bench.session.received(head, on: .command, at: .zero, into: &bench.told)
        _ = bench.take()
        let piece = ByteBuffer(repeating: 1, count: 1 << 16)
        bench.session.received(piece, on: .command, at: .zero, into: &bench.told)
        guard case .data(let part)? = bench.take().first else {
            Issue.record("nothing delivered")
            return
        }
        let addresses = [piece, part].map { $0.withUnsafeReadableBytes { $0.baseAddress } }
        #expect(addresses[0] == addresses[1])
        #expect(part == piece)
    }

    @Test func `a stream keeps to its limit and to the announced length`() {
        for (announced, length) in [(101, 0), (nil, 101), (50, 51)] as [(UInt64?, Int)] {
            var bench = SessionBench.connected()
            bench.start(Operation(.getObject, [1], dataIn: .stream(atMost: 100), timeout: .init(.seconds(5))))
            _ = bench.take()
            var bytes = PTPIPPacket.startData(transaction: 0, totalLength: announced).encoded()
            PTPIPPacket.data(transaction: 0, payload: ByteBuffer(repeating: 1, count: length)).encode(into: &bytes)
            bench.session.received(bytes, on: .command, at: .zero, into: &bench.told)
            let told = bench.take()
            // The session delivers no byte above the limit.
            #expect(!told.contains { if case .data = $0 { true } else { false } })
            let error: PTPIPError =
                length == 51
                ? .dataBeyondAnnounced(announced: 50) : .dataBeyondLimit(operation: .getObject, limit: 100)
            #expect(told.last == .lost(.protocolError(error)))
        }
    }

    @Test func `a stream that ends early is incomplete, whatever the code says`() throws {
        let vector = try #require(Vectors.malformed.first { $0.name == "end_data_less_than_announced" })
        var bench = SessionBench.connected()
        for id: UInt32 in 0..<3 {
            bench.start(Operation(.getDeviceInfo, timeout: .init(.seconds(5))))
            bench.answer(.ok, id)
        }
        bench.start(Operation(.getObject, [1], dataIn: .stream(atMost: 100), timeout: .init(.seconds(5))))
        _ = bench.take()
        bench.session.received(vector.bytes, on: .command, at: .zero, into: &bench.told)
        guard case .finished(let result)? = bench.take().last else {
            Issue.record("not finished")
            return
        }
        #expect(!result.isComplete)
        #expect(result.byteCount > 0)
        #expect(result.data.readableBytes == 0)
    }

    // MARK: Time

    @Test func `a camera that does not answer is lost after its deadline, not before`() {
        var bench = SessionBench.connected()
        bench.start(Operation(.getDeviceInfo, timeout: .init(.seconds(5))), at: .seconds(10))
        _ = bench.take()
        #expect(bench.session.nextDeadline == .seconds(15))
        bench.session.advance(to: .milliseconds(14_999), into: &bench.told)
        #expect(bench.take().isEmpty)
        bench.session.advance(to: .seconds(15), into: &bench.told)
        let loss = InitiatorSession.Loss.silent(after: .seconds(5), during: "GetDeviceInfo (0x1001)")
        #expect(bench.take() == [.close(.event), .close(.command), .lost(loss)])
        #expect(bench.session.nextDeadline == nil)
    }

    @Test func `data that continues does not count as silence, but a slow trickle has a limit`() {
        var bench = SessionBench.connected()
        let timeout = Operation.Timeout(silence: .seconds(5), total: .seconds(12))
        bench.start(Operation(.getObject, [1], dataIn: .discard(atMost: 1 << 20), timeout: timeout))
        _ = bench.take()
        let start = PTPIPPacket.startData(transaction: 0, totalLength: 1 << 20).encoded()
        bench.session.received(start, on: .command, at: .seconds(4), into: &bench.told)
        for second in [8, 11] {
            let drip = PTPIPPacket.data(transaction: 0, payload: ByteBuffer(bytes: [0])).encoded()
            bench.session.received(drip, on: .command, at: .seconds(second), into: &bench.told)
        }
        #expect(bench.session.nextDeadline == .seconds(12))
        bench.session.advance(to: .seconds(12), into: &bench.told)
        #expect(bench.take().last == .lost(.silent(after: .seconds(1), during: "GetObject (0x1009)")))
    }

    @Test func `half a packet must be followed by its rest`() {
        for channel in InitiatorSession.Channel.allCases {
            var bench = SessionBench.connected()
            bench.session.received(ByteBuffer(hex: "0e000000"), on: channel, at: .seconds(1), into: &bench.told)
            #expect(bench.session.nextDeadline == .seconds(11))
            bench.session.advance(to: .seconds(11), into: &bench.told)
            guard case .lost(.silent)? = bench.take().last else {
                Issue.record("not lost on \(channel)")
                continue
            }
        }
    }

    // MARK: Events and probes

    @Test func `events are delivered while an operation runs`() {
        var bench = SessionBench.connected()
        bench.startAs(1)
        let event = PTPEvent(code: EventCode(rawValue: 0xC203), parameters: [0])
        bench.session.received(PTPIPPacket.event(event).encoded(), on: .event, at: .zero, into: &bench.told)
        #expect(bench.take() == [.event(event)])
        bench.answer(.ok, 1)
        #expect(bench.take() == [.finished(OperationResult(code: .ok))])
    }

    private static let picture = Operation(
        .getObject,
        [1],
        dataIn: .stream(atMost: 1 << 20),
        timeout: .init(.seconds(60))
    )

    @Test func `a cancel is sent on both connections and ends with the response, whichever that is`() {
        var bench = SessionBench.connected()
        bench.start(Self.picture)
        bench.told.removeAll()
        let receive = { (bench: inout SessionBench, packet: PTPIPPacket) in
            bench.session.received(packet.encoded(), on: .command, at: .zero, into: &bench.told)
        }
        receive(&bench, .startData(transaction: 0, totalLength: 8))
        receive(&bench, .data(transaction: 0, payload: ByteBuffer(hex: "01020304")))
        #expect(bench.take() == [.data(ByteBuffer(hex: "01020304"))])
        let started = bench.session.cancel(at: .seconds(1), into: &bench.told)
        #expect(started)
        let cancel = PTPIPPacket.cancel(transaction: 0).encoded()
        #expect(bench.take() == [.send(.command, cancel), .send(.event, cancel)])
        let again = bench.session.cancel(at: .seconds(1), into: &bench.told)
        #expect(!again)
        receive(&bench, .data(transaction: 0, payload: ByteBuffer(hex: "0506")))
        #expect(bench.take() == [.data(ByteBuffer(hex: "0506"))])
        bench.answer(.transactionCanceled, 0)
        #expect(
            bench.take() == [.finished(OperationResult(code: .transactionCanceled, byteCount: 6, isComplete: false))]
        )
        #expect(bench.session.isReady)
        let without = bench.session.cancel(at: .seconds(1), into: &bench.told)
        #expect(!without)
    }

    @Test func `a cancel without an answer has a time limit`() {
        var bench = SessionBench.connected()
        bench.start(Self.picture)
        bench.session.cancel(at: .seconds(1), into: &bench.told)
        #expect(bench.session.nextDeadline == .seconds(6))
        guard case .silent? = bench.lossWhenNothingHappens() else {
            Issue.record("no loss")
            return
        }
    }

    @Test func `data of no bytes is a beginning and an end, and a long name is cut`() throws {
        var bench = SessionBench.connected()
        bench.start(Operation(.sendObject, dataOut: ByteBuffer(), timeout: .init(.seconds(5))))
        guard case .send(.command, let sent)? = bench.take().first else {
            Issue.record("nothing sent")
            return
        }
        var decoder = PacketDecoder()
        decoder.append(sent)
        var packets: [PTPIPPacket] = []
        while case .packet(let packet)? = try decoder.next() { packets.append(packet) }
        #expect(
            packets.dropFirst() == [
                .startData(transaction: 0, totalLength: 0), .endData(transaction: 0, payload: ByteBuffer()),
            ]
        )
        let guid = try #require(GUID(bytes: [UInt8](repeating: 0xFF, count: 16)))
        // The 39th unit would be half of a character, so the name is cut before it.
        let name = String(repeating: "a", count: 38) + "😀"
        let request = PTPIPPacket.initCommandRequest(InitCommandRequest(guid: guid, name: name))
        #expect(request.encoded().readableBytes == 8 + 16 + 2 * 39 + 4)
        let body = request.encoded().getSlice(at: 8, length: request.encoded().readableBytes - 8)
        guard
            case .initCommandRequest(let read) = try PTPIPPacket(type: .initCommandRequest, body: body ?? ByteBuffer())
        else {
            Issue.record("no request")
            return
        }
        #expect(read.name == String(repeating: "a", count: 38))
    }

    @Test func `a length of 32 bits in Start_Data is read`() throws {
        // The client of DethCount's D5300 sent these bytes, and the body accepted them.
        let packet = try PTPIPPacket(type: .startData, body: ByteBuffer(hex: "0700000004000000"))
        #expect(packet == .startData(transaction: 7, totalLength: 4))
    }

    @Test func `a probe is answered on its own connection`() {
        for channel in InitiatorSession.Channel.allCases {
            var bench = SessionBench.connected()
            bench.receive("probe_request", on: channel)
            #expect(bench.take() == [.send(channel, PTPIPPacket.probeResponse.encoded())])
        }
    }

    @Test func `the initiator probes on the event connection, between operations and during one`() {
        var bench = SessionBench.connected()
        for isRunning in [false, true] {
            if isRunning { bench.start(Operation(.getDeviceInfo, timeout: .init(.seconds(5)))) }
            _ = bench.take()
            #expect(bench.session.probe(into: &bench.told))
            #expect(bench.take() == [.send(.event, PTPIPPacket.probeRequest.encoded())])
            bench.session.received(PTPIPPacket.probeResponse.encoded(), on: .event, at: .zero, into: &bench.told)
            #expect(bench.take() == [.probeAnswered])
        }
        // A probe without an answer ends nothing.
        #expect(bench.session.nextDeadline == .seconds(5))
    }

    @Test func `no probe is sent before the handshake is over or while the session closes`() {
        var bench = SessionBench()
        bench.openUntilEventRequest()
        #expect(!bench.session.probe(into: &bench.told))
        var closing = SessionBench.connected()
        closing.session.close(at: .zero, into: &closing.told)
        _ = closing.take()
        #expect(!closing.session.probe(into: &closing.told))
        closing.session.received(PTPIPPacket.probeResponse.encoded(), on: .event, at: .zero, into: &closing.told)
        #expect(bench.take().isEmpty && closing.take().isEmpty)
    }

    @Test func `unknown packets are skipped and reported once`() {
        var bench = SessionBench.connected()
        for _ in 0..<3 {
            let unknown = ByteBuffer(hex: "0c000000 20000000 00000000")
            bench.session.received(unknown, on: .event, at: .zero, into: &bench.told)
        }
        #expect(bench.take() == [.note("skipped a packet of unknown type 32, 12 bytes, on the event connection")])
        #expect(bench.session.isReady)
    }

    // MARK: The end

    @Test func `the ordered end sends CloseSession, receives the answer and closes both connections`() {
        var bench = SessionBench.connected()
        bench.session.close(at: .seconds(1), into: &bench.told)
        #expect(bench.sent().map(\.code) == [.closeSession])
        // A Leica answers with the transaction 0, whatever the transaction of the request was.
        bench.answer(.ok, 0)
        #expect(bench.take() == [.close(.event), .close(.command), .closed])
    }

    @Test func `the ordered end has a time limit`() {
        var bench = SessionBench.connected()
        bench.session.close(at: .seconds(1), into: &bench.told)
        _ = bench.take()
        #expect(bench.session.nextDeadline == .seconds(3))
        bench.session.advance(to: .seconds(3), into: &bench.told)
        #expect(bench.take() == [.close(.event), .close(.command), .closed])
    }

    @Test(arguments: [nil, "reset by peer"] as [String?])
    func `a connection that ends closes the other one`(reason: String?) {
        for channel in InitiatorSession.Channel.allCases {
            var bench = SessionBench.connected()
            bench.session.closed(channel, reason: reason, at: .zero, into: &bench.told)
            #expect(
                bench.take() == [.close(.event), .close(.command), .lost(.closed(channel, reason: reason))]
            )
            bench.session.closed(channel, reason: reason, at: .zero, into: &bench.told)
            #expect(bench.take().isEmpty)
        }
    }

    @Test func `after the end a new session starts from the initial state`() {
        var bench = SessionBench.connected()
        bench.startAs(5)
        bench.session.received(ByteBuffer(hex: "0e000000"), on: .command, at: .zero, into: &bench.told)
        bench.session.abandon(into: &bench.told)
        #expect(bench.take() == [.close(.event), .close(.command)])
        bench.connect()
        bench.start(Operation(.openSession, [1], timeout: .init(.seconds(5))))
        #expect(bench.sent().map(\.transaction) == [0])
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `random bytes on both connections at worst end the session`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            var bench = random.next() % 2 == 0 ? SessionBench() : SessionBench.connected()
            if !bench.session.isReady { bench.openUntilEventRequest() }
            if bench.session.isReady, random.next() % 2 == 0 { bench.startAs(UInt32(random.next() % 3)) }
            _ = bench.take()
            for _ in 0..<20 {
                var bytes = ByteBuffer()
                bytes.writeInteger(UInt32(random.next() % 30), endianness: .little)
                bytes.writeInteger(UInt32(random.next() % 16), endianness: .little)
                var rest = random.bytes(Int(random.next() % 24))
                bytes.writeBuffer(&rest)
                let channel: InitiatorSession.Channel = random.next() % 2 == 0 ? .command : .event
                bench.session.received(bytes, on: channel, at: .zero, into: &bench.told)
            }
            let closings = bench.take().filter { $0 == .close(.command) }
            #expect(closings.count == (bench.session.isClosed ? 1 : 0))
        }
    }
}
