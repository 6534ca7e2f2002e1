import Exposure
import Foundation
import NIOCore
import PTP
import Testing

@testable import Cameras

/// Tests the datasets and the packets of the vectors that no other suite reads, and that a test reads every vector.
struct CanonVectorUseTests {
    /// The vectors that this suite reads by their name.
    private static let own: Set<String> = [
        "eos_60d_device_info", "eos_60d_get_device_info_ex_9108", "eos_r_get_device_info_ex_9108",
        "eos_60d_eos_storage_ids_9101", "eos_60d_eos_storage_info_9102", "eos_60d_prop_desc_1014",
        "eos_60d_prop_desc_1014_tid22", "eos_60d_prop_desc_1014_tid23", "eos_60d_prop_desc_1014_tid24",
        "eos_60d_prop_desc_1014_tid25", "eos_60d_object_handles_1007", "eos_60d_object_info_1008",
        "eos_60d_object_info_1008_tid30", "eos_60d_object_info_1008_tid31", "eos_60d_object_info_1008_tid55",
        "canon_liveview_one_jpeg", "canon_liveview_record_headers_1300d",
    ]

    /// The vectors that other suites read by their name.
    private static let others: [String: String] = [
        "eos_60d_set_prop_9110_data_out": "CanonValueTests",
        "eos_60d_set_prop_9110_data_out_tid383": "CanonValueTests",
        "canon_set_prop_ex_tv_1_250": "CanonValueTests",
        "eos_m6m2_truncated_get_event": "CanonEventListTests",
        "canon_record_size_zero": "CanonEventListTests",
        "canon_record_past_end": "CanonEventListTests",
        "canon_c189_too_short": "CanonEventListTests",
        "canon_c18a_count_lies": "CanonEventListTests",
    ]

    @Test func `a test reads every vector`() throws {
        // `CanonEventListTests` reads every list, and every event payload with decoded records.
        let lists = Set(CanonVectors.lists.map(\.name))
        let events = Set(CanonVectors.section("payloads").filter { $0.name.contains("event") }.map(\.name))
        let all = CanonVectors.payloads + CanonVectors.section("payloads") + CanonVectors.section("malformed")
        let named = Self.own.union(Self.others.keys)
        for vector in all where !lists.contains(vector.name) && !events.contains(vector.name) {
            #expect(named.contains(vector.name), "no test reads \(vector.name)")
        }
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        for (name, suite) in Self.others {
            let text = try String(contentsOf: folder.appending(path: "\(suite).swift"), encoding: .utf8)
            #expect(text.contains("\"\(name)\""), "\(suite) does not read \(name)")
        }
    }

    // MARK: Datasets

    @Test func `a 60D is a Canon body with a release in stages`() throws {
        let info = try DeviceInfo(decoding: CanonVectors.bytes("eos_60d_device_info"))
        #expect(info.manufacturer == "Canon Inc." && info.model == "Canon EOS 60D")
        // The number is not Canon's 0x0B, so only the name identifies the maker.
        #expect(info.vendorExtensionID == 6)
        #expect(info.operations.count == 87 && info.operations.contains(.canonGetEvent))
        #expect(CanonQuirks(model: info.model).release(info.operations) == .stages)
        #expect(PTPIPMakerRow.all.first { $0.isMakerOf(info) }?.prefix == "canon")
        var other = info
        other.manufacturer = "Canon.Inc"
        #expect(PTPIPMakerRow.all.first { $0.isMakerOf(other) }?.prefix == "canon")
    }

    @Test(arguments: ["eos_60d_get_device_info_ex_9108", "eos_r_get_device_info_ex_9108"])
    func `a body lists the events and the properties that the driver uses`(name: String) throws {
        var reader = DatasetReader(CanonVectors.bytes(name))
        let size = try reader.integer("Size", as: UInt32.self)
        #expect(Int(size) == CanonVectors.bytes(name).readableBytes)
        let events = try reader.array("Events", of: UInt32.self)
        #expect(events.contains(CanonRecordType.propertyValue.rawValue))
        #expect(events.contains(CanonRecordType.status.rawValue))
        let properties = try reader.array("Properties", of: UInt32.self)
        // A 60D has no display data.
        for code in CanonPropertyStore.used where code != .canonDisplayInfoVersion || name.contains("eos_r") {
            #expect(properties.contains(UInt32(code.rawValue)), "\(code)")
        }
    }

    @Test func `the storage of a 60D has its id and its size`() throws {
        var reader = DatasetReader(CanonVectors.bytes("eos_60d_eos_storage_ids_9101"))
        #expect(try reader.array("StorageIDs", of: UInt32.self) == [0x0002_0001])
        let info = try StorageInfo(decoding: CanonVectors.bytes("eos_60d_eos_storage_info_9102"))
        #expect(info.maxCapacity == 63_831_015_424 && info.freeSpace == 63_346_442_240)
        #expect(info.description == "SD")
    }

    @Test func `a 60D has only standard properties in GetDevicePropDesc`() throws {
        let codes = try ["", "_tid22", "_tid23", "_tid24", "_tid25"].map { suffix in
            try DevicePropDesc(decoding: CanonVectors.bytes("eos_60d_prop_desc_1014" + suffix)).code.rawValue
        }
        #expect(codes == [0x5001, 0xD402, 0xD407, 0xD406, 0xD303])
        let battery = try DevicePropDesc(decoding: CanonVectors.bytes("eos_60d_prop_desc_1014"))
        #expect(battery.currentValue == .uint8(50))
    }

    @Test func `a handle contains the folder, the number of the file and its kind`() throws {
        var reader = DatasetReader(CanonVectors.bytes("eos_60d_object_handles_1007"))
        let handles = try reader.array("Handles", of: UInt32.self)
        #expect(handles.count == 47 && handles[0] == 0x9000_0000)
        let file = try ObjectInfo(decoding: CanonVectors.bytes("eos_60d_object_info_1008_tid31"))
        #expect(file.filename == "IMG_7520.JPG" && PictureInfo.Kind(canonFormat: file.format, name: "") == .jpeg)
        let (folder, number): (UInt32, UInt32) = (100, 7520)
        let handle: UInt32 = 0x9000_0000 + (folder << 18) + (number << 4) + 2
        #expect(handles.contains(handle))
        let raw = try ObjectInfo(decoding: CanonVectors.bytes("eos_60d_object_info_1008_tid55"))
        #expect(raw.filename == "IMG_7565.CR2" && PictureInfo.Kind(canonFormat: raw.format, name: "") == .raw)
        let pair = handles.filter { CanonObject(handle: $0).groupHandle == 0x9191_D8D0 }
        #expect(pair == [0x9191_D8D1, 0x9191_D8D2])
        for suffix in ["", "_tid30"] {
            let folder = try ObjectInfo(decoding: CanonVectors.bytes("eos_60d_object_info_1008" + suffix))
            #expect(folder.format == 0x3001 && folder.associationType == 1)
            #expect(!CanonObject(handle: 0, format: folder.format).isFile)
        }
    }

    @Test func `live view data have the same records as an event list`() {
        let picture = CanonEventList(decoding: CanonVectors.bytes("canon_liveview_one_jpeg"))
        #expect(picture.damage == nil)
        #expect(picture.records == [.other(CanonRecordType(rawValue: 1))])
        let heads = CanonVectors.bytes("canon_liveview_record_headers_1300d")
        #expect(CanonEventList(decoding: heads).damage == .sizeBeyondData(464_126, left: 80))
    }

    // MARK: Packets

    /// The tasks of the driver whose packets the vectors contain.
    private static let tasks: [String: CanonTask] = [
        "canon_set_remote_mode_1": .remoteMode(1), "canon_set_remote_mode_0": .remoteMode(0),
        "g7x_set_remote_mode_0x15": .remoteMode(0x15),
        "canon_set_event_mode_1_80d": .eventMode(1), "canon_set_event_mode_0": .eventMode(0),
        "canon_get_event_80d": .list, "canon_get_event_70d": .list,
        "canon_release_half_press": .press(.half, autofocus: true),
        "canon_release_full_press": .press(.full, autofocus: true),
        "canon_release_full_no_af": .press(.both, autofocus: false), "g7x_release_on": .press(.both, autofocus: false),
        "canon_release_half_release": .release(.half), "canon_release_full_release": .release(.full),
        "canon_release_off_all": .release(.both), "g7x_release_off": .release(.both),
        "canon_keep_device_on": .keepOn, "canon_pc_hdd_capacity": .capacity,
        "canon_transfer_complete": .transferComplete(0x5191_1B02), "canon_get_viewfinder_data": .liveViewPicture,
    ]

    /// The packets that the driver does not send: PowerShot bodies, and the session.
    private static let unused: Set<String> = ["g7x_open_session", "g7x_keepalive_902f"]

    @Test(arguments: CanonVectors.section("packets"))
    func `the driver's operations are the packets of the vectors`(vector: WireVector) throws {
        guard let task = Self.tasks[vector.name] else {
            #expect(Self.unused.contains(vector.name))
            return
        }
        let part = CanonPTPIP(PTPIPCommon(PTPIPTiming()), timing: CanonTiming())
        let operation = part.operation(for: task, at: .zero)
        let expected = try Self.request(vector.bytes)
        #expect(operation.code == expected.code)
        #expect(operation.parameters == expected.parameters)
        #expect(operation.dataOut == nil)
    }

    @Test(arguments: CanonVectors.section("sequences"))
    func `a write is the data of the vectors`(vector: WireVector) throws {
        let write: CanonPropertyWrite =
            vector.name == "g7x_extend_lens_set_d1b0_8"
            ? CanonPropertyWrite(.canonLiveViewOutput, [8]) : CanonPropertyWrite(.canonShutterSpeed, [0x78])
        let expected = try Self.request(try #require(vector.sent.first))
        #expect(expected.code == .canonSetProperty && expected.parameters.isEmpty)
        var decoder = PacketDecoder()
        var data = ByteBuffer()
        for bytes in vector.sent { decoder.append(bytes) }
        while let element = try decoder.next() {
            switch element {
            case .packet(.data(_, let payload)), .packet(.endData(_, let payload)): data.writeImmutableBuffer(payload)
            default: break
            }
        }
        #expect(data == write.encoded)
    }

    private static func request(_ bytes: ByteBuffer) throws -> OperationRequest {
        var decoder = PacketDecoder()
        decoder.append(bytes)
        guard case .packet(.operationRequest(let request))? = try decoder.next() else {
            throw NotARequest()
        }
        return request
    }

    private struct NotARequest: Error {}
}
