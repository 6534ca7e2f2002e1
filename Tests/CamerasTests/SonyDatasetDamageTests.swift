import NIOCore
import PTP
import Testing

@testable import Cameras

/// Tests the dataset of 0x9209 from bodies that deviate from the documents.
struct SonyDatasetDamageTests {
    private let real = SonyVectors.propertiesOfRX100M7

    private static func record(
        _ code: UInt16,
        _ value: PTPValue,
        _ form: SonyPropertyRecord.Form = .none
    )
        -> SonyPropertyRecord
    {
        SonyPropertyRecord(
            code: PropertyCode(rawValue: code),
            defaultValue: value,
            currentValue: value,
            form: form
        )
    }

    @Test func `a real dataset causes no remark`() {
        let dataset = SonyPropertyDataset(decoding: real, version: .version3)
        #expect(dataset.remarks.isEmpty)
    }

    @Test func `bytes behind the last record are noticed`() throws {
        var bytes = real
        bytes.writeInteger(UInt8(7))
        let dataset = SonyPropertyDataset(decoding: bytes, version: .version3)
        #expect(dataset.records.count == 78)
        #expect(dataset.flaws == [.surplus(byteCount: 1, recordsAnnounced: 78)])
        // The dataset announces fewer records than it has.
        var fewer = real
        fewer.setInteger(UInt64(77), at: 0, endianness: .little)
        let short = SonyPropertyDataset(decoding: fewer, version: .version3)
        #expect(short.records.count == 77)
        guard case .surplus(_, 77)? = short.flaws.first else {
            Issue.record("\(short.remarks)")
            return
        }
    }

    @Test(arguments: [79, 0xFFFF_FFFF, UInt64.max])
    func `an announcement of more records than there are is noticed, and reserves no memory for them`(count: UInt64) {
        var bytes = real
        bytes.setInteger(count, at: 0, endianness: .little)
        let dataset = SonyPropertyDataset(decoding: bytes, version: .version3)
        #expect(dataset.records.count == 78)
        #expect(dataset.damage?.recordsAnnounced == count)
        #expect(dataset.damage?.error == .truncated(field: "property code", needed: 2, left: 0))
    }

    @Test func `a property that occurs twice is noticed, and the first one counts`() {
        let records = [Self.record(0x5007, .uint16(280)), Self.record(0x5007, .uint16(400))]
        let bytes = SonyPropertyDataset(records: records).encoded(version: .version3)
        let dataset = SonyPropertyDataset(decoding: bytes, version: .version3)
        #expect(dataset.flaws == [.repeated(.fNumber)])
        #expect(dataset[.fNumber]?.currentValue == .uint16(280))
        #expect(dataset.remarks.map(\.description) == ["property 0x5007 occurs twice; the first one is used"])
    }

    @Test func `facts about a picture's files that a damaged list lacks stay as read before`() {
        // The body makes RAW and JPEG (0xD253), and sends only the JPEG to the host (0xD269).
        let records = [Self.record(0xD253, .uint8(2)), Self.record(0xD269, .uint8(2))]
        var bytes = SonyPropertyDataset(records: records).encoded(version: .version3)
        func reading(after previous: SonyReading?) -> SonyReading {
            let dataset = SonyPropertyDataset(decoding: bytes, version: .version3)
            return SonyReading(dataset, .version3, after: previous, requestedAt: .zero, receivedAt: .zero)
        }
        let whole = reading(after: nil)
        #expect(whole.status.fileKinds == [.jpeg])
        bytes = SonyPropertyDataset(records: [records[0]]).encoded(version: .version3)
        bytes.setInteger(UInt64(2), at: 0, endianness: .little)
        #expect(reading(after: nil).status.fileKinds == [.raw, .jpeg])
        #expect(reading(after: whole).status.fileKinds == [.jpeg])
    }

    @Test func `a thousand errors cause a few remarks`() {
        let records = [SonyPropertyRecord](repeating: Self.record(0x5007, .uint16(280)), count: 1000)
        let bytes = SonyPropertyDataset(records: records).encoded(version: .version3)
        #expect(SonyPropertyDataset(decoding: bytes, version: .version3).remarks.count == SonyPropertyDataset.flawsMax)
    }

    @Test func `an unknown form is named with its property`() {
        var bytes = SonyPropertyDataset(records: [Self.record(0x5007, .uint16(280))]).encoded(version: .version3)
        bytes.setInteger(UInt8(3), at: bytes.writerIndex - 1)
        let dataset = SonyPropertyDataset(decoding: bytes, version: .version3)
        #expect(dataset.damage?.error == .unknownForm(field: "property 0x5007", flag: 3))
    }

    @Test func `a count beyond the remaining bytes is refused before memory is reserved`() {
        // The record is 0x5007, uint16, get and set, enabled, 280, 280, and an enumeration of 0xFFFF values that are
        // missing.
        let list = ByteBuffer(hex: "0100000000000000 0750 0400 01 01 1801 1801 02 ffff")
        let listed = SonyPropertyDataset(decoding: list, version: .version3)
        #expect(listed.damage?.error == .countBeyondData(field: "property 0x5007", count: 0xFFFF, left: 0))
        // The record is an array of 0xFFFFFFFF values of 128 bits.
        let array = ByteBuffer(hex: "0100000000000000 0750 0a40 01 01 ffffffff 0000")
        let arrayed = SonyPropertyDataset(decoding: array, version: .version3)
        #expect(arrayed.damage?.error == .countBeyondData(field: "property 0x5007", count: 0xFFFF_FFFF, left: 2))
        let string = ByteBuffer(hex: "0100000000000000 0750 ffff 01 01 ff 4100")
        let named = SonyPropertyDataset(decoding: string, version: .version3)
        #expect(named.damage?.error == .countBeyondData(field: "property 0x5007", count: 255, left: 2))
    }

    @Test(arguments: [SonyExtensionVersion.version2, .version3])
    func `every type is read in every form`(version: SonyExtensionVersion) {
        let values: [PTPValue] = [
            .int8(-1), .uint8(.max), .int16(.min), .uint16(.max), .int32(.min), .uint32(.max), .int64(.min),
            .uint64(.max), .int128(.min), .uint128(.max), .string("f\u{2044}ü"), .string(""),
        ]
        let arrays: [PTPValue] = values.compactMap { value in
            value.type.integerSize == nil ? nil : .array(of: value.type, [value, value])
        }
        var records: [SonyPropertyRecord] = []
        for (index, value) in (values + arrays).enumerated() {
            let code = UInt16(0xE000 + index * 4)
            let supported = version == .version3 ? [value] : nil
            records.append(Self.record(code, value))
            records.append(Self.record(code + 1, value, .range(min: value, max: value, step: value)))
            records.append(Self.record(code + 2, value, .enumeration(settable: [value, value], supported: supported)))
            let empty = SonyPropertyRecord.Form.enumeration(settable: [], supported: supported.map { _ in [] })
            records.append(Self.record(code + 3, value, empty))
        }
        let bytes = SonyPropertyDataset(records: records).encoded(version: version)
        let dataset = SonyPropertyDataset(decoding: bytes, version: version)
        #expect(dataset.remarks.isEmpty)
        #expect(dataset.records == records)
    }

    @Test(arguments: [0x0000, 0x000B, 0x4000, 0x400B, 0x4FFF, 0x8001, 0xFFFE] as [UInt16])
    func `an unknown type is named with its property and ends the reading`(type: UInt16) {
        var bytes = SonyPropertyDataset(records: [Self.record(0x5007, .uint16(280))]).encoded(version: .version3)
        bytes.setInteger(type, at: 10, endianness: .little)
        let dataset = SonyPropertyDataset(decoding: bytes, version: .version3)
        #expect(dataset.records.isEmpty)
        #expect(dataset.damage?.error == .unknownDataType(field: "property 0x5007", code: type))
    }

    @Test func `a real dataset read by the rules of version 2 never traps, wherever it is cut`() throws {
        for length in 0..<real.readableBytes {
            let short = try #require(real.getSlice(at: 0, length: length))
            #expect(SonyPropertyDataset(decoding: short, version: .version2).damage != nil)
        }
    }

    @Test func `a real dataset with any wrong byte never traps`() throws {
        for place in 0..<real.readableBytes {
            let byte = try #require(real.getInteger(at: place, as: UInt8.self))
            for value in [0x00, 0x7F, 0xFF] where value != byte {
                var wrong = real
                wrong.setInteger(value, at: place)
                let dataset = SonyPropertyDataset(decoding: wrong, version: .version3)
                // Each record takes at least 7 bytes. A wrong number in the data must not produce more records than
                // that allows.
                #expect(dataset.records.count <= real.readableBytes / 7)
            }
        }
    }

    @Test func `the use of a dataset with any wrong byte never traps`() throws {
        var properties = SonyProperties()
        for place in stride(from: 8, to: real.readableBytes, by: 11) {
            for value: UInt8 in [0x00, 0x80, 0xFF] {
                var wrong = real
                wrong.setInteger(value, at: place)
                let dataset = SonyPropertyDataset(decoding: wrong, version: .version3)
                properties.update(dataset, version: .version3)
                _ = properties.takeChanges()
            }
        }
        for property in SonyPropertyRow.table.map(\.property) {
            _ = properties[property]?.option(for: "1")
        }
    }

    // MARK: Live view

    @Test func `a captured live view frame has the offsets of its parts`() throws {
        let vector = SonyVectors.object("ptp_live_view_frame_header_rx100m7")
        let bytes = ByteBuffer(hex: try #require(vector["first_136_bytes"] as? String))
        let decode = try #require(vector["decode"] as? [String: Any])
        let frame = try SonyLiveViewFrame(decoding: bytes)
        #expect(frame.jpegOffset == decode["offset_to_jpeg"] as? Int)
        #expect(frame.jpegFieldSize == decode["jpeg_field_size"] as? Int)
        #expect(frame.focusInfoOffset == decode["offset_to_focal_info"] as? Int)
        #expect(frame.focusInfoSize == decode["focal_info_size"] as? Int)
        #expect(frame.nextFrameOffset == decode["next_frame_starts_at"] as? Int)
        #expect(frame.nextFrameOffset > (decode["jpeg_end_marker_ends_at_jpeg_offset"] as? Int ?? .max))
        for length in 0..<SonyLiveViewFrame.headSize {
            let short = try #require(bytes.getSlice(at: 0, length: length))
            #expect(throws: DatasetError.self) { try SonyLiveViewFrame(decoding: short) }
        }
    }

    @Test func `the sizes of real live view frames are multiples of 128, and absurd ones are refused`() throws {
        let seen = try #require(SonyVectors.object("ptp_live_view_size_field_values_seen")["values_hex"] as? [String])
        let head = ByteBuffer(hex: "88000000 00000000 10000000 78000000")
        for size in try seen.map({ UInt32(try #require(hexNumber($0))) }) {
            var bytes = head
            bytes.setInteger(size, at: 4, endianness: .little)
            #expect(try SonyLiveViewFrame(decoding: bytes).jpegFieldSize % 128 == 0)
        }
        for (place, value) in [(0, 0), (0, 15), (0, .max), (4, .max), (8, 3), (12, .max)] as [(Int, UInt32)] {
            var bytes = head
            bytes.setInteger(value, at: place, endianness: .little)
            #expect(throws: DatasetError.self) { try SonyLiveViewFrame(decoding: bytes) }
        }
    }
}
