import NIOCore
import Testing

@testable import PTP

struct PacketTests {
    @Test(arguments: Vectors.packets)
    func `every published packet decodes to its fields and encodes to its bytes`(vector: Vector) throws {
        var decoder = PacketDecoder()
        decoder.append(vector.bytes)
        guard case .packet(let packet) = try decoder.next() else {
            Issue.record("no packet in \(vector.name)")
            return
        }
        #expect(try decoder.next() == nil)
        #expect(packet.encoded() == vector.bytes)
        // The vectors of vendors' packets have only the fields of the vendor.
        if let type = vector.number("type") { #expect(UInt64(packet.type.rawValue) == type) }
        expectFields(of: packet, vector)
    }

    @Test func `the name of the other side is printable, whatever it contains`() throws {
        let guid = try #require(GUID(bytes: Array(1...16)))
        let name = "Sony\r\nforged\u{1B}[2J\u{202E}"
        for packet: PTPIPPacket in [
            .initCommandAck(InitCommandAck(connectionNumber: 1, guid: guid, name: name)),
            .initCommandRequest(InitCommandRequest(guid: guid, name: name)),
        ] {
            var decoder = PacketDecoder()
            decoder.append(packet.encoded())
            switch try decoder.next() {
            case .packet(.initCommandAck(let ack)): #expect(ack.name == "Sony??forged?[2J?")
            case .packet(.initCommandRequest(let request)): #expect(request.name == "Sony??forged?[2J?")
            case let other: Issue.record("\(String(describing: other))")
            }
        }
    }

    private func expectFields(of packet: PTPIPPacket, _ vector: Vector) {
        switch packet {
        case .initCommandRequest(let request):
            #expect("\(request.guid)" == vector.text("guid"))
            #expect(request.name == vector.text("name"))
            #expect(request.version.map(UInt64.init) == vector.number("version"))
        case .initCommandAck(let ack):
            #expect(UInt64(ack.connectionNumber) == vector.number("connection_number"))
            #expect("\(ack.guid)" == vector.text("guid"))
            #expect(ack.name == vector.text("name"))
            #expect(ack.version.map(UInt64.init) == vector.number("version"))
        case .initEventRequest(let number):
            #expect(UInt64(number) == vector.number("connection_number"))
        case .initFail(let reason):
            #expect(UInt64(reason.rawValue) == vector.number("reason"))
        case .operationRequest(let request):
            #expect(UInt64(request.code.rawValue) == vector.number("code"))
            #expect(UInt64(request.transaction) == vector.number("tid"))
            #expect(request.parameters.map(UInt64.init) == vector.numbers("params"))
            if let phase = vector.number("data_phase") { #expect(UInt64(request.dataPhase.rawValue) == phase) }
        case .operationResponse(let response):
            #expect(UInt64(response.code.rawValue) == vector.number("code"))
            #expect(UInt64(response.transaction) == vector.number("tid"))
            #expect(response.parameters.map(UInt64.init) == vector.numbers("params"))
        case .event(let event):
            #expect(UInt64(event.code.rawValue) == vector.number("code"))
            #expect(UInt64(event.transaction) == vector.number("tid"))
            #expect(event.parameters.map(UInt64.init) == vector.numbers("params"))
        case .startData(let transaction, let total):
            #expect(UInt64(transaction) == vector.number("tid"))
            #expect(total == vector.number("total"))
        case .data(let transaction, let payload), .endData(let transaction, let payload):
            #expect(UInt64(transaction) == vector.number("tid"))
            #expect(payload.hex == vector.text("payload"))
        case .cancel(let transaction):
            #expect(UInt64(transaction) == vector.number("tid"))
        case .initEventAck, .probeRequest, .probeResponse:
            break
        }
    }

    @Test func `every type of packet is among the published ones`() throws {
        var types: Set<UInt32> = []
        for vector in Vectors.packets {
            types.insert(try #require(vector.bytes.getInteger(at: 4, endianness: .little)))
        }
        #expect(types == Set(PTPIPPacketType.allCases.map(\.rawValue)))
    }

    @Test(arguments: Vectors.packets)
    func `a packet may be cut anywhere`(vector: Vector) throws {
        var whole = PacketDecoder()
        whole.append(vector.bytes)
        let expected = try whole.next()
        for cut in 0..<vector.bytes.readableBytes {
            var decoder = PacketDecoder()
            var bytes = vector.bytes
            let head = bytes.readSlice(length: cut)
            decoder.append(try #require(head))
            #expect(try decoder.next() == nil, "cut at \(cut)")
            #expect(decoder.isInsidePacket == (cut > 0))
            decoder.append(bytes)
            #expect(try decoder.next() == expected, "cut at \(cut)")
            #expect(!decoder.isInsidePacket)
        }
    }

    @Test func `packets may arrive one byte at a time, or all at once`() throws {
        var all = ByteBuffer()
        for vector in Vectors.packets { all.writeImmutableBuffer(vector.bytes) }
        var atOnce = PacketDecoder()
        atOnce.append(all)
        let expected = try packets(of: &atOnce)
        #expect(expected.count == Vectors.packets.count)

        var byteByByte = PacketDecoder()
        var found: [PTPIPPacket] = []
        for byte in all.readableBytesView {
            byteByByte.append(ByteBuffer(bytes: [byte]))
            found += try packets(of: &byteByByte)
        }
        #expect(found == expected)
    }

    private func packets(of decoder: inout PacketDecoder) throws -> [PTPIPPacket] {
        var found: [PTPIPPacket] = []
        while let element = try decoder.next() {
            guard case .packet(let packet) = element else { continue }
            found.append(packet)
        }
        return found
    }

    // MARK: Payload in pieces

    @Test func `payload in pieces is delivered as it arrives and is not kept`() throws {
        let payload = ByteBuffer(bytes: (0..<1000).map { UInt8(truncatingIfNeeded: $0) })
        let bytes = PTPIPPacket.data(transaction: 7, payload: payload).encoded()
        var decoder = PacketDecoder(payload: .inPieces)
        var collected = ByteBuffer()
        var left = Int.max
        for byte in bytes.readableBytesView {
            decoder.append(ByteBuffer(bytes: [byte]))
            while let element = try decoder.next() {
                guard case .payload(let piece) = element else {
                    Issue.record("payload expected, found \(element)")
                    return
                }
                #expect(piece.type == .data)
                #expect(piece.transaction == 7)
                #expect(piece.bytesLeft < left)
                left = piece.bytesLeft
                collected.writeImmutableBuffer(piece.bytes)
            }
        }
        #expect(left == 0)
        #expect(collected == payload)
    }

    @Test func `an empty End_Data is one empty piece`() throws {
        var decoder = PacketDecoder(payload: .inPieces)
        decoder.append(PTPIPPacket.endData(transaction: 3, payload: ByteBuffer()).encoded())
        let empty = PacketDecoder.PayloadPiece(type: .endData, transaction: 3, bytes: ByteBuffer(), bytesLeft: 0)
        #expect(try decoder.next() == .payload(empty))
        #expect(try decoder.next() == nil)
    }

    // MARK: Bad input

    @Test(arguments: Vectors.malformed.filter { $0.level == "packet" || $0.level == "sequence" })
    func `a malformed packet has the published reaction`(vector: Vector) throws {
        var decoder = PacketDecoder()
        decoder.append(vector.bytes)
        switch vector.name {
        case "length_below_header":
            #expect(throws: PTPIPError.lengthBelowHeader(7)) { try decoder.next() }
        case "length_zero":
            #expect(throws: PTPIPError.lengthBelowHeader(0)) { try decoder.next() }
        case "length_huge":
            let limit = PTPIPError.lengthBeyondLimit(type: 12, length: 0xFFFF_FFFF, limit: PacketDecoder.wholeLengthMax)
            #expect(throws: limit) { try decoder.next() }
        case "unknown_type":
            #expect(try decoder.next() == .unknownType(0x20, length: 12))
            #expect(try decoder.next() == nil)
            #expect(!decoder.isInsidePacket)
        case "response_too_short":
            #expect(throws: PTPIPError.tooShort(type: .operationResponse, length: 10)) { try decoder.next() }
        case "response_odd_params":
            #expect(try decoder.next() == .packet(.operationResponse(OperationResponse(code: .ok, transaction: 1))))
        case "response_wrong_tid", "data_without_start", "data_more_than_announced", "end_data_less_than_announced":
            // The packets are valid, but in the wrong place. The tests of the session cover that.
            #expect(try decoder.next() != nil)
        default:
            Issue.record("no reaction is tested for \(vector.name)")
        }
    }

    @Test func `after an error a decoder only repeats it`() throws {
        var decoder = PacketDecoder()
        decoder.append(ByteBuffer(hex: "0000000000000000"))
        #expect(throws: PTPIPError.lengthBelowHeader(0)) { try decoder.next() }
        decoder.append(PTPIPPacket.probeRequest.encoded())
        #expect(throws: PTPIPError.lengthBelowHeader(0)) { try decoder.next() }
    }

    @Test(arguments: PTPIPPacketType.allCases)
    func `a length beyond its type's limit is refused before the decoder waits for it`(type: PTPIPPacketType) throws {
        for delivery in [PacketDecoder.PayloadDelivery.whole, .inPieces] {
            let most = delivery == .whole ? PacketDecoder.wholeLengthMax : PacketDecoder.piecedLengthMax
            let limit = type.lengthMax ?? most
            var header = ByteBuffer()
            header.writeInteger(UInt32(limit + 1), endianness: .little)
            header.writeInteger(type.rawValue, endianness: .little)
            var decoder = PacketDecoder(payload: delivery)
            decoder.append(header)
            let error = PTPIPError.lengthBeyondLimit(type: type.rawValue, length: UInt32(limit + 1), limit: limit)
            #expect(throws: error) { try decoder.next() }
        }
    }

    @Test(arguments: PTPIPPacketType.allCases)
    func `a length below its type's fields is refused`(type: PTPIPPacketType) throws {
        for length in PTPIPPacketType.headerLength..<type.lengthMin {
            var packet = ByteBuffer()
            packet.writeInteger(UInt32(length), endianness: .little)
            packet.writeInteger(type.rawValue, endianness: .little)
            packet.writeRepeatingByte(0, count: length - PTPIPPacketType.headerLength)
            var decoder = PacketDecoder()
            decoder.append(packet)
            #expect(throws: PTPIPError.tooShort(type: type, length: length)) { try decoder.next() }
        }
    }

    @Test func `unknown types are skipped whole and reported once each`() throws {
        var bytes = ByteBuffer()
        for type: UInt32 in [0, 99, 99, 0, 15] {
            bytes.writeInteger(UInt32(28), endianness: .little)
            bytes.writeInteger(type, endianness: .little)
            // If the payload contains bytes like those of a packet, they do not count as a packet.
            bytes.writeImmutableBuffer(PTPIPPacket.probeRequest.encoded())
            bytes.writeRepeatingByte(0xFF, count: 12)
        }
        bytes.writeImmutableBuffer(PTPIPPacket.probeResponse.encoded())
        var decoder = PacketDecoder()
        var elements: [PacketDecoder.Element] = []
        for byte in bytes.readableBytesView {
            decoder.append(ByteBuffer(bytes: [byte]))
            while let element = try decoder.next() { elements.append(element) }
        }
        #expect(
            elements == [
                .unknownType(0, length: 28), .unknownType(99, length: 28), .unknownType(15, length: 28),
                .packet(.probeResponse),
            ]
        )
    }

    @Test func `surplus bytes and surplus parameters are ignored`() throws {
        var event = ByteBuffer(hex: "1e000000 08000000 03c2 ffffffff 01000000 02000000 03000000 04000000")
        var decoder = PacketDecoder()
        decoder.append(event)
        let expected = PTPEvent(code: EventCode(rawValue: 0xC203), parameters: [1, 2, 3])
        #expect(try decoder.next() == .packet(.event(expected)))
        event.clear()
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `random bytes never trap the decoder`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for delivery in [PacketDecoder.PayloadDelivery.whole, .inPieces] {
            var decoder = PacketDecoder(payload: delivery)
            for _ in 0..<200 {
                var bytes = random.bytes(Int(random.next() % 40))
                // Most headers are plausible. Otherwise the first byte would end the test each time.
                if random.next() % 4 != 0 {
                    var header = ByteBuffer()
                    header.writeInteger(UInt32(random.next() % 80), endianness: .little)
                    header.writeInteger(UInt32(random.next() % 17), endianness: .little)
                    header.writeBuffer(&bytes)
                    bytes = header
                }
                decoder.append(bytes)
                do {
                    while try decoder.next() != nil {}
                } catch {
                    decoder = PacketDecoder(payload: delivery)
                }
            }
        }
    }
}
