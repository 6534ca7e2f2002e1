import NIOCore
import PTP
import Testing

/// The data phases, in both directions.
struct ResponderDataTests {
    @Test func `answers with data have the bytes of a real A9`() throws {
        let fixture = try Fixture.load()
        var station = try ResponderStation()
        station.answer = { $0.code.rawValue == 0x9201 ? .ok(ByteBuffer(repeating: 0, count: 8)) : .ok }
        let (command, _) = try station.connect()
        station.send(request(OperationCode(rawValue: 0x9201), 2, 1, 0, 0), on: command)
        var expected = fixture.fromCamera("StartData 8 bytes")
        expected.writeImmutableBuffer(fixture.fromCamera("Data 8 zero bytes"))
        expected.writeImmutableBuffer(fixture.fromCamera("EndData without payload"))
        expected.writeImmutableBuffer(bytes("0e000000 07000000 0120 02000000"))
        #expect(station.sent[command]?.hex == expected.hex)
        station.sent = [:]
        station.answer = { _ in ResponderAnswer(.ok, parameters: [0x012C]) }
        station.send(request(OperationCode(rawValue: 0x9202), 4, 0x012C), on: command)
        #expect(station.sent[command] == fixture.fromCamera("OperationResponse to 0x9202"))
    }

    @Test func `all data can be in one End_Data packet, which a fault can cut`() throws {
        var station = try ResponderStation { $0.sendsDataAtEnd = true }
        let (command, _) = try station.connect()
        let picture = ByteBuffer(bytes: (0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
        station.answer = { _ in .ok(picture) }
        station.send(request(.getObject, 2, 1), on: command)
        var expected = bytes("14000000 09000000 02000000 400d0300 00000000")
        expected.writeImmutableBuffer(bytes("4c0d0300 0c000000 02000000"))
        expected.writeImmutableBuffer(picture)
        expected.writeImmutableBuffer(bytes("0e000000 07000000 0120 02000000"))
        #expect(station.sent[command] == expected)
        station.sent = [:]
        station.answer = { _ in
            var answer = ResponderAnswer.ok(picture)
            answer.breaksAfter = 100_000
            return answer
        }
        station.send(request(.getObject, 3, 1), on: command)
        #expect(station.sent[command]?.readableBytes == 20 + 12 + 100_000)
        #expect(station.actions.contains(.brokeOff(transaction: 3)))
        // An empty answer has an empty packet.
        station.sent = [:]
        station.answer = { _ in .ok(ByteBuffer()) }
        station.send(request(.getObject, 4, 1), on: command)
        #expect(station.sent[command]?.hex.contains("0c0000000c00000004000000") == true)
    }

    @Test func `captured requests are understood`() throws {
        let fixture = try Fixture.load()
        var station = try ResponderStation()
        let (command, _) = try station.connect()
        for name in ["0x9201 phase 1", "0x9207 S1 down", "0x9207 S2 up"] {
            for packet in fixture.fromInitiator(name) { station.send(packet, on: command) }
        }
        #expect(
            station.performed.dropFirst() == [
                ResponderRequest(code: OperationCode(rawValue: 0x9201), transaction: 3, parameters: [1, 0, 0]),
                ResponderRequest(
                    code: OperationCode(rawValue: 0x9207),
                    transaction: 5,
                    parameters: [0xD2C1],
                    data: bytes("0200")
                ),
                ResponderRequest(
                    code: OperationCode(rawValue: 0x9207),
                    transaction: 8,
                    parameters: [0xD2C2],
                    data: bytes("0100")
                ),
            ]
        )
    }

    @Test func `a session in one segment and one byte at a time has the same result`() throws {
        let fixture = try Fixture.load()
        var stream = bytes(fixture.initCommandRequests[0].hex)
        for name in ["OpenSession", "0x9201 phase 1", "0x9202", "0x9207 S2 up"] {
            for packet in fixture.fromInitiator(name) { stream.writeImmutableBuffer(packet) }
        }
        func run(inPiecesOf size: Int) throws -> ResponderStation {
            var station = try ResponderStation()
            let command = station.accept(1)
            var rest = stream
            while let piece = rest.readSlice(length: min(size, rest.readableBytes)), piece.readableBytes > 0 {
                station.send(piece, on: command)
            }
            return station
        }
        let whole = try run(inPiecesOf: stream.readableBytes)
        #expect(whole.performed.count == 4)
        for size in 1..<stream.readableBytes {
            let pieces = try run(inPiecesOf: size)
            #expect(pieces.actions == whole.actions, "in pieces of \(size)")
        }
    }

    @Test func `all three shapes of a data phase are accepted`() throws {
        var station = try ResponderStation()
        let (command, _) = try station.connect()
        let shapes: [[(Bool, String)]] = [
            [(true, "01020304")], [(false, "0102"), (true, "0304")], [(false, "01020304"), (true, "")],
        ]
        for (index, shape) in shapes.enumerated() {
            let transaction = UInt32(index + 1)
            // The client alpha-fairy sends the data phase 0 or 1 although data follows.
            let phase = DataPhase(rawValue: UInt32(index))
            station.send(
                .operationRequest(
                    OperationRequest(dataPhase: phase, code: ResponderStation.setValue, transaction: transaction)
                ),
                on: command
            )
            station.send(.startData(transaction: transaction, totalLength: index == 1 ? nil : 4), on: command)
            for (isEnd, hex) in shape {
                let payload = bytes(hex)
                station.send(
                    isEnd
                        ? .endData(transaction: transaction, payload: payload)
                        : .data(transaction: transaction, payload: payload),
                    on: command
                )
            }
        }
        #expect(try station.responses(command).map(\.code) == [.ok, .ok, .ok])
        #expect(station.performed.dropFirst().map(\.data) == Array(repeating: bytes("01020304"), count: 3))
    }

    @Test func `data that is cut short is not performed`() throws {
        var station = try ResponderStation()
        let (command, _) = try station.connect()
        station.send(request(ResponderStation.setValue, 1, 0xD20D), on: command)
        station.send(.startData(transaction: 1, totalLength: 4), on: command)
        station.send(.endData(transaction: 1, payload: bytes("0102")), on: command)
        #expect(try station.responses(command).map(\.code) == [.incompleteTransfer])
        #expect(station.performed.count == 1)
    }

    @Test func `the body does not wait for a data phase that was announced by mistake`() throws {
        // An EOS 80D answers GetEvent although the data phase was 2 and no data follows.
        var station = try ResponderStation()
        let (command, _) = try station.connect()
        station.send(
            .operationRequest(OperationRequest(dataPhase: .out, code: .getDeviceInfo, transaction: 1)),
            on: command
        )
        #expect(try station.responses(command).map(\.code) == [.ok])
        station.send(.startData(transaction: 1, totalLength: 2), on: command)
        station.send(.endData(transaction: 1, payload: bytes("0102")), on: command)
        station.send(request(.getDeviceInfo, 2), on: command)
        #expect(try station.responses(command).map(\.code) == [.ok])
    }

    @Test(arguments: [
        "1400000009000000 01000000 ffffffff00000000", "0e0000000a000000 01000000 0102",
        "1400000009000000 02000000 0400000000000000",
        "1400000009000000 01000000 0200000000000000 0f0000000c000000 01000000 616263",
    ])
    func `data that breaks the rules ends the session`(hex: String) throws {
        var station = try ResponderStation()
        let (command, event) = try station.connect()
        station.send(request(ResponderStation.setValue, 1, 0xD20D), on: command)
        station.send(bytes(hex), on: command)
        #expect(station.closed == [command, event])
        #expect(station.actions.last == .initiatorDisconnected(.lost))
        #expect(station.performed.count == 1)
    }
}
