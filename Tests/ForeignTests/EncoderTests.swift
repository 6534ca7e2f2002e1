import NIOCore
import PTP
import Testing

/// Wireshark reads every packet of our encoder. docs/foreign/tshark.md lists the parts that its dissector does not read
/// (parameters, the reason of a refusal, payload). Vectors test these parts.
@Suite(.serialized) struct `Packets that we encode, read by Wireshark` {
    // swift-format-ignore: NeverForceUnwrap
    private static let guid = GUID(bytes: Array(0x10..<0x20))!
    private static let guidText = "101112131415161718191a1b1c1d1e1f"

    private struct Sample {
        var packet: PTPIPPacket
        var isFromInitiator = true
        var fields: [Dissection.Field: String]
    }

    private static let payload = ByteBuffer(bytes: [1, 2, 3, 4, 5])

    private static let greetings = [
        Sample(
            packet: .initCommandRequest(InitCommandRequest(guid: guid, name: "bracketd auf Gerät 7")),
            fields: [.guid: guidText, .name: "bracketd auf Gerät 7", .version: "1.0"]
        ),
        Sample(
            packet: .initCommandAck(InitCommandAck(connectionNumber: 77, guid: guid, name: "ILCE-7M4")),
            isFromInitiator: false,
            fields: [.connection: "77", .guid: guidText, .name: "ILCE-7M4", .version: "1.0"]
        ),
        Sample(packet: .initEventRequest(connectionNumber: 77), fields: [.connection: "77"]),
        Sample(packet: .initEventAck, isFromInitiator: false, fields: [:]),
        Sample(packet: .initFail(.busy), isFromInitiator: false, fields: [:]),
    ]

    private static let operations = [
        Sample(
            packet: .operationRequest(OperationRequest(code: .openSession, transaction: 0, parameters: [0x1234])),
            fields: [.phase: "0x00000001", .operation: "0x1002", .transaction: "0x00000000", .session: "0x00001234"]
        ),
        Sample(
            packet: .operationRequest(
                OperationRequest(
                    dataPhase: .out,
                    code: OperationCode(rawValue: 0x9205),
                    transaction: 9,
                    parameters: [0xD20D, 2, 3, 4, 5]
                )
            ),
            fields: [.phase: "0x00000002", .operation: "0x9205", .transaction: "0x00000009"]
        ),
        Sample(
            packet: .operationResponse(OperationResponse(code: .deviceBusy, transaction: 9, parameters: [1, 2, 3])),
            isFromInitiator: false,
            // tshark uses the name of the request's field for the response's field.
            fields: [.operation: "0x2019", .transaction: "0x00000009"]
        ),
        Sample(
            packet: .event(PTPEvent(code: EventCode(rawValue: 0xC201), parameters: [0xFFFF_C001, 2, 3])),
            isFromInitiator: false,
            fields: [.event: "0xc201", .transaction: "0xffffffff"]
        ),
    ]

    private static let phases = [
        Sample(
            packet: .startData(transaction: 10, totalLength: 0x1_0000_0007),
            fields: [.transaction: "0x0000000a", .dataLength: "4294967303"]
        ),
        Sample(
            packet: .startData(transaction: 10, totalLength: nil),
            isFromInitiator: false,
            fields: [.transaction: "0x0000000a", .dataLength: "18446744073709551615"]
        ),
        Sample(packet: .data(transaction: 10, payload: payload), fields: [.transaction: "0x0000000a"]),
        Sample(
            packet: .data(transaction: 11, payload: ByteBuffer(repeating: 7, count: 70_000)),
            isFromInitiator: false,
            fields: [.transaction: "0x0000000b"]
        ),
        Sample(packet: .endData(transaction: 10, payload: payload), fields: [.transaction: "0x0000000a"]),
        Sample(
            packet: .endData(transaction: 10, payload: ByteBuffer()),
            isFromInitiator: false,
            fields: [.transaction: "0x0000000a"]
        ),
        Sample(packet: .cancel(transaction: 10), fields: [:]),
        Sample(packet: .probeRequest, fields: [:]),
        Sample(packet: .probeResponse, isFromInitiator: false, fields: [:]),
    ]

    private static func recorded(_ samples: [Sample]) -> [RecordingProxy.Packet] {
        samples.map {
            let bytes = Array($0.packet.encoded().readableBytesView)
            return RecordingProxy.Packet(connection: 0, isFromInitiator: $0.isFromInitiator, bytes: bytes)
        }
    }

    @Test func `Wireshark reads every kind of packet as it was written`() throws {
        let samples = Self.greetings + Self.operations + Self.phases
        #expect(Set(samples.map(\.packet.type)) == Set(PTPIPPacketType.allCases), "a kind of packet has no sample")
        let packets = Self.recorded(samples)
        let dissection = try Dissection(of: packets, in: try ForeignFixture())
        for (index, (sample, row)) in zip(samples, dissection.rows).enumerated() {
            var fields = sample.fields
            fields[.length] = String(packets[index].bytes.count)
            let type = String(sample.packet.type.rawValue, radix: 16)
            fields[.type] = "0x" + String(repeating: "0", count: 8 - type.count) + type
            #expect(row.filter { !$0.value.isEmpty } == fields, "\(sample.packet.type)")
        }
    }

    /// Shows that the check can fail. The packet is valid, because bodies without a version exist, but the dissector
    /// rejects it.
    @Test func `Wireshark rejects an acknowledgement without its version`() throws {
        let ack = InitCommandAck(connectionNumber: 77, guid: Self.guid, name: "ILCE-7M4", version: nil)
        let sample = Sample(packet: .initCommandAck(ack), isFromInitiator: false, fields: [:])
        let row = try #require(try Dissection(of: Self.recorded([sample]), in: try ForeignFixture()).rows.first)
        #expect(row[.malformed]?.isEmpty == false)
    }
}
