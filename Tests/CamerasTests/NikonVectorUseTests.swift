import Exposure
import Foundation
import NIOCore
import PTP
import Testing

@testable import Cameras

/// Tests the datasets and the packets of the vectors that no other suite reads, and that a test reads every vector.
struct NikonVectorUseTests {
    /// The vectors that this suite reads by their name.
    private static let own: Set<String> = [
        "nikon_response_busy_tid11", "close_session_response_z8", "get_object_single_end_data", "device_info",
        "device_info_prefix_z8", "nikon_set_shutter_1_4000", "nikon_capture_to_card",
        "nikon_set_d100_1_250_three_packets_tid12",
    ]

    /// The vectors that other suites read by their name.
    private static let others: [String: String] = [
        "nikon_90c7_two_events_payload": "NikonEventListTests",
        "nikon_941c_two_events_payload": "NikonEventListTests",
        "nikon_get_event_empty": "NikonEventListTests",
        "nikon_get_event_two": "NikonEventListTests",
        "nikon_get_event_sdram": "NikonEventListTests",
        "nikon_get_event_ex_two": "NikonEventListTests",
        "nikon_event_count_lies": "NikonEventListTests",
        "nikon_event_ex_param_count_lies": "NikonEventListTests",
    ]

    @Test func `a test reads every vector`() throws {
        let sections = ["packets", "sequences", "payloads", "malformed"].flatMap(NikonVectors.section)
        // `NikonPropertyTests` reads every descriptor.
        let descriptors = Set(NikonVectors.descriptors.map(\.name))
        #expect(descriptors.count == 100)
        let named = Self.own.union(Self.others.keys).union(Self.tasks.keys)
        for vector in NikonVectors.constructed + sections where !descriptors.contains(vector.name) {
            #expect(named.contains(vector.name), "no test reads \(vector.name)")
        }
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        for (name, suite) in Self.others {
            let text = try String(contentsOf: folder.appending(path: "\(suite).swift"), encoding: .utf8)
            #expect(text.contains("\"\(name)\""), "\(suite) does not read \(name)")
        }
    }

    // MARK: Packets

    /// The tasks of the driver whose packets the vectors contain.
    private static let tasks: [String: NikonTask] = [
        "nikon_request_9207_noaf_card_tid10": .capture(NikonShutterCommand(form: .toMedia)),
        "nikon_request_90c8_tid11": .ready,
        "nikon_9435_1_request_tid3": .applicationMode(isOn: true),
        "nikon_935a_2001_request_tid5": .confirmPairing,
        "nikon_request_9431_partial_1MiB_at_4GiB_tid20":
            .part(0x000A_0001, from: 1 << 32, count: 1 << 20, by: .nikonGetPartialObjectEx),
        "operation_request_five_params":
            .part(0x5191_1B02, from: 0, count: 1 << 20, by: .nikonGetPartialObjectEx),
    ]

    @Test(arguments: tasks.keys.sorted())
    func `the driver's operations are the packets of the vectors`(name: String) throws {
        let task = try #require(Self.tasks[name])
        let request = try #require(Self.requests([NikonVectors.vector(name).bytes]).first)
        #expect(request.code == task.code && request.parameters == task.parameters)
    }

    @Test func `a write of the speed is the data of the vectors`() throws {
        let quarter = try Self.packets([NikonVectors.vector("nikon_set_d100_1_250_three_packets_tid12").bytes])
        #expect(Self.data(quarter) == NikonPropertyWrite(.nikonShutterSpeed, .uint32(0x0001_00FA)).encoded)
        let fast = try Self.packets(NikonVectors.vector("nikon_set_shutter_1_4000").sent)
        let speed = NikonShutterSpeed.fraction(1, 4000)
        #expect(Self.data(fast) == NikonPropertyWrite(.nikonShutterSpeed, .uint32(speed.rawValue)).encoded)
        for packets in [quarter, fast] {
            guard case .operationRequest(let request)? = packets.first else {
                Issue.record("no request")
                continue
            }
            #expect(request.code == .setDevicePropValue)
            let task = NikonTask.write(NikonPropertyWrite(.nikonShutterSpeed, .uint32(0)))
            #expect(request.parameters == task.parameters)
        }
    }

    @Test func `a capture to the card is the driver's operations, and its answers lead to one picture`() throws {
        let vector = NikonVectors.vector("nikon_capture_to_card")
        let requests = try Self.requests(vector.sent)
        let tasks: [NikonTask] = [.capture(NikonShutterCommand(form: .toMedia)), .ready, .ready, .events(.short)]
        #expect(requests.map(\.code) == tasks.map(\.code))
        #expect(requests.map(\.parameters) == tasks.map(\.parameters))
        let answers = try Self.packets(vector.received)
        let codes: [ResponseCode] = answers.compactMap { packet in
            if case .operationResponse(let response) = packet { response.code } else { nil }
        }
        #expect(codes.count == 4 && NikonCaptureAnswer(codes[0]) == .accepted)
        #expect(NikonReadiness(codes[1]) == .busy && NikonReadiness(codes[2]) == .ready)
        let events = NikonEventList(decoding: Self.data(answers), .short).events
        #expect(events.map(\.meaning) == [.objectAdded(handle: 0x69BA_0001), .complete])
    }

    @Test func `a busy body answers DeviceReady with a code`() throws {
        let packets = try Self.packets([NikonVectors.vector("nikon_response_busy_tid11").bytes])
        guard case .operationResponse(let response)? = packets.first else {
            Issue.record("no response")
            return
        }
        #expect(NikonReadiness(response.code) == .busy)
    }

    @Test func `a Z 8 answers CloseSession, and sends a file in one packet`() throws {
        let close = try Self.packets([NikonVectors.vector("close_session_response_z8").bytes])
        guard case .operationResponse(let response)? = close.first else {
            Issue.record("no response")
            return
        }
        #expect(response.code == .ok && response.parameters.isEmpty)
        let file = try Self.packets(NikonVectors.vector("get_object_single_end_data").received)
        #expect(Self.data(file) == ByteBuffer(hex: "ffd8010203040506ffd9"))
    }

    // MARK: Descriptions

    @Test func `the name identifies a Nikon body, and the vendor extension does not`() throws {
        let info = try DeviceInfo(decoding: NikonVectors.vector("device_info").bytes)
        #expect(info.manufacturer == "Nikon Corporation" && info.model == "Z 8" && info.vendorExtensionID == .max)
        #expect(PTPIPMakerRow.all.first { $0.isMakerOf(info) }?.prefix == "nikon")
        #expect(NikonAbilities(operations: info.operations).release == .toMedia)
        #expect(info.properties.contains(.nikonShutterSpeed))
    }

    @Test func `the beginning of a description is no description`() throws {
        let vector = NikonVectors.vector("device_info_prefix_z8")
        #expect(throws: DatasetError.self) { try DeviceInfo(decoding: vector.bytes) }
        var reader = DatasetReader(vector.bytes)
        #expect(try reader.integer("StandardVersion", as: UInt16.self) == 100)
        #expect(try reader.integer("VendorExtensionID", as: UInt32.self) == .max)
    }

    private static func packets(_ pieces: [ByteBuffer]) throws -> [PTPIPPacket] {
        var decoder = PacketDecoder()
        for piece in pieces { decoder.append(piece) }
        var packets: [PTPIPPacket] = []
        while let element = try decoder.next() {
            if case .packet(let packet) = element { packets.append(packet) }
        }
        return packets
    }

    private static func requests(_ pieces: [ByteBuffer]) throws -> [OperationRequest] {
        try packets(pieces).compactMap { if case .operationRequest(let request) = $0 { request } else { nil } }
    }

    /// The data of all data packets.
    private static func data(_ packets: [PTPIPPacket]) -> ByteBuffer {
        packets.reduce(into: ByteBuffer()) { data, packet in
            switch packet {
            case .data(_, let payload), .endData(_, let payload): data.writeImmutableBuffer(payload)
            default: break
            }
        }
    }
}
