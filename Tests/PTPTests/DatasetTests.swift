import NIOCore
import PTP
import Testing

struct DatasetTests {
    @Test func `a device info decodes to its fields and encodes to its bytes`() throws {
        let vector = Vectors.payload("device_info")
        let info = try DeviceInfo(decoding: vector.bytes)
        #expect(UInt64(info.standardVersion) == vector.number("standard_version"))
        #expect(UInt64(info.vendorExtensionID) == vector.number("vendor_extension_id"))
        #expect(info.vendorExtensionDescription == vector.text("vendor_extension_desc"))
        #expect(info.operations.map { UInt64($0.rawValue) } == vector.numbers("operations"))
        #expect(info.events.map { UInt64($0.rawValue) } == vector.numbers("events"))
        #expect(info.properties.map { UInt64($0.rawValue) } == vector.numbers("properties"))
        #expect(info.manufacturer == vector.text("manufacturer"))
        #expect(info.model == vector.text("model"))
        #expect(info.deviceVersion == vector.text("device_version"))
        #expect(info.serialNumber == vector.text("serial"))
        #expect(info.encoded() == vector.bytes)
    }

    @Test func `a device info may end after the model`() throws {
        let vector = Vectors.payload("device_info_truncated_after_model")
        let info = try DeviceInfo(decoding: vector.bytes)
        #expect(info.manufacturer == "Canon Inc.")
        #expect(info.model == "Canon EOS R6m2")
        #expect(info.deviceVersion == "")
        #expect(info.serialNumber == "")
    }

    @Test func `a device info that is cut elsewhere is refused`() throws {
        let prefix = Vectors.payload("device_info_prefix_z8")
        let cut = DatasetError.countBeyondData(field: "VendorExtensionDesc", count: 34, left: 4)
        #expect(throws: cut) { try DeviceInfo(decoding: prefix.bytes) }
        let whole = Vectors.payload("device_info").bytes
        // The position at which the first optional string begins.
        let fixedLength = whole.readableBytes - 2 * (17 + 1 + 3 + 1 + 5 + 1 + 7 + 1) - 4
        for length in 0..<fixedLength {
            let short = try #require(whole.getSlice(at: 0, length: length))
            #expect(throws: DatasetError.self, "\(length) bytes") { try DeviceInfo(decoding: short) }
        }
    }

    @Test func `an object info decodes to its fields and encodes to its bytes`() throws {
        let vector = Vectors.payload("object_info")
        let info = try ObjectInfo(decoding: vector.bytes)
        #expect(UInt64(info.storageID) == vector.number("storage"))
        #expect(UInt64(info.format) == vector.number("format"))
        #expect(UInt64(info.compressedSize) == vector.number("size"))
        #expect(UInt64(info.thumbCompressedSize) == vector.number("thumb_size"))
        #expect(UInt64(info.imagePixWidth) == vector.number("w"))
        #expect(UInt64(info.imagePixHeight) == vector.number("h"))
        #expect(UInt64(info.imageBitDepth) == vector.number("depth"))
        #expect(UInt64(info.parentObject) == vector.number("parent"))
        #expect(info.filename == vector.text("filename"))
        #expect(info.captureDate == vector.text("capture_date"))
        #expect(info.encoded() == vector.bytes)
        let short = try #require(vector.bytes.getSlice(at: 0, length: 51))
        let cut = DatasetError.truncated(field: "SequenceNumber", needed: 4, left: 3)
        #expect(throws: cut) { try ObjectInfo(decoding: short) }
    }

    @Test func `a storage info decodes to its fields and encodes to its bytes`() throws {
        let vector = Vectors.payload("storage_info")
        let info = try StorageInfo(decoding: vector.bytes)
        #expect(UInt64(info.storageType) == vector.number("storage_type"))
        #expect(UInt64(info.filesystemType) == vector.number("filesystem"))
        #expect(info.maxCapacity == vector.number("max"))
        #expect(info.freeSpace == vector.number("free"))
        #expect(UInt64(info.freeSpaceInImages) == vector.number("free_images"))
        #expect(info.description == vector.text("description"))
        #expect(info.volumeLabel == vector.text("label"))
        #expect(info.encoded() == vector.bytes)
    }

    @Test func `property descriptions of all forms decode and encode`() throws {
        let speeds = Vectors.payload("prop_desc_enum_uint32")
        let speed = try DevicePropDesc(decoding: speeds.bytes)
        #expect(speed.code.rawValue == 0xD100)
        #expect(speed.isWritable)
        #expect(speed.defaultValue == .uint32(0x0001_003C))
        #expect(speed.currentValue == .uint32(0x0001_00FA))
        #expect(speed.form == .enumeration([.uint32(0x0001_0FA0), .uint32(0x0001_00FA), .uint32(0x0001_003C)]))
        #expect(speed.encoded() == speeds.bytes)

        let batteries = Vectors.payload("prop_desc_range_uint8")
        let battery = try DevicePropDesc(decoding: batteries.bytes)
        #expect(!battery.isWritable)
        #expect(battery.currentValue == .uint8(80))
        #expect(battery.form == .range(min: .uint8(0), max: .uint8(100), step: .uint8(1)))
        #expect(battery.encoded() == batteries.bytes)

        let sizes = Vectors.payload("prop_desc_enum_string")
        let size = try DevicePropDesc(decoding: sizes.bytes)
        #expect(size.currentValue.text == "6000x4000")
        #expect(size.form == .enumeration([.string("6000x4000"), .string("3000x2000")]))
        #expect(size.encoded() == sizes.bytes)
    }

    @Test func `strings and arrays decode, encode, and refuse a wrong count`() throws {
        var empty = DatasetReader(Vectors.payload("ptp_string_empty").bytes)
        #expect(try empty.string("text") == "")
        var letter = DatasetReader(Vectors.payload("ptp_string_A").bytes)
        #expect(try letter.string("text") == "A")
        var handles = DatasetReader(Vectors.payload("uint32_array").bytes)
        #expect(try handles.array("handles", of: UInt32.self) == [0x0001_0001, 0x0002_0001])

        var writer = DatasetWriter()
        writer.string("")
        writer.string("A")
        writer.array([UInt32(0x0001_0001), 0x0002_0001])
        let expected = ["ptp_string_empty", "ptp_string_A", "uint32_array"].map { Vectors.payload($0).bytes.hex }
        #expect(writer.buffer.hex == expected.joined())

        for vector in Vectors.malformed where vector.level == "ptp string" {
            var reader = DatasetReader(vector.bytes)
            let error = DatasetError.countBeyondData(field: "text", count: 10, left: 2)
            #expect(throws: error) { try reader.string("text") }
        }
        for vector in Vectors.malformed where vector.level == "u16 array" {
            var reader = DatasetReader(vector.bytes)
            let error = DatasetError.countBeyondData(field: "codes", count: 0x1000_0000, left: 2)
            #expect(throws: error) { try reader.array("codes", of: UInt16.self) }
        }
    }

    @Test func `a body's text is printable, whatever it contains`() throws {
        var info = DeviceInfo()
        info.manufacturer = "Sony\r\nforged"
        info.model = "ILCE\u{1B}[2J\u{7}\u{9B}1m"
        info.deviceVersion = "1.00\u{202E}\u{200B}"
        info.serialNumber = "00\u{0085}11"
        let read = try DeviceInfo(decoding: info.encoded())
        #expect(read.manufacturer == "Sony??forged")
        #expect(read.model == "ILCE?[2J??1m")
        #expect(read.deviceVersion == "1.00??")
        #expect(read.serialNumber == "00?11")
        // The unit is half of a surrogate pair, which is no character.
        var half = DatasetReader(ByteBuffer(bytes: [3, 0x41, 0, 0x00, 0xD8, 0, 0]))
        #expect(try half.string("text") == "A\u{FFFD}")
        var object = ObjectInfo()
        object.filename = "../\u{1B}c\r\nDSC.JPG"
        #expect(try ObjectInfo(decoding: object.encoded()).filename == "../?c??DSC.JPG")
    }

    @Test func `the longest string has 254 letters, and longer ones are cut`() throws {
        var writer = DatasetWriter()
        writer.string(String(repeating: "x", count: 300))
        #expect(writer.buffer.readableBytes == 1 + 2 * 255)
        var reader = DatasetReader(writer.buffer)
        #expect(try reader.string("text") == String(repeating: "x", count: 254))
    }

    @Test func `values of every type encode and decode to themselves`() throws {
        let values: [PTPValue] = [
            .int8(-1), .uint8(255), .int16(.min), .uint16(.max), .int32(.min), .uint32(.max), .int64(.min),
            .uint64(.max), .int128(.min), .uint128(.max), .string("日 x"),
            .array(of: .int8, [.int8(-1), .int8(1)]), .array(of: .uint128, [.uint128(1)]), .array(of: .uint16, []),
        ]
        for value in values {
            #expect(value.type.isKnown)
            var reader = DatasetReader(value.encoded())
            #expect(try reader.value("value", of: value.type) == value)
            #expect(reader.bytesLeft == 0)
        }
    }

    @Test func `an unknown type is refused, because its end is unknown`() {
        for code: UInt16 in [0, 11, 0x4000, 0x400B, 0x4011, 0x8001, 0xFFFE] {
            let type = PTPDataType(rawValue: code)
            #expect(!type.isKnown)
            var reader = DatasetReader(ByteBuffer(repeating: 0, count: 64))
            #expect(throws: DatasetError.unknownDataType(field: "value", code: code)) {
                try reader.value("value", of: type)
            }
        }
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `random bytes never trap a dataset`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let bytes = random.bytes(Int(random.next() % 120))
            _ = try? DeviceInfo(decoding: bytes)
            _ = try? ObjectInfo(decoding: bytes)
            _ = try? StorageInfo(decoding: bytes)
            _ = try? DevicePropDesc(decoding: bytes)
        }
    }
}
