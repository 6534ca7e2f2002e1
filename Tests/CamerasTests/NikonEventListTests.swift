import NIOCore
import PTP
import Testing

@testable import Cameras

/// Tests both forms of the event list, with the vectors and with damaged data.
struct NikonEventListTests {
    @Test(arguments: ["nikon_get_event_empty", "nikon_get_event_two", "nikon_get_event_sdram"])
    func `a list in the short form has the events of its fields`(name: String) throws {
        try Self.check(NikonVectors.vector(name), .short)
    }

    @Test func `a list in the extended form has the events of its fields`() throws {
        try Self.check(NikonVectors.vector("nikon_get_event_ex_two"), .extended)
    }

    private static func check(_ vector: WireVector, _ form: NikonEventForm) throws {
        let list = NikonEventList(decoding: vector.bytes, form)
        #expect(list.damage == nil)
        let expected = try #require(vector.fields["events"] as? [[Any]])
        #expect(list.events.count == expected.count && list.isEmpty == expected.isEmpty)
        for (event, fields) in zip(list.events, expected) {
            #expect(hexNumber(fields[0]) == UInt64(event.code.rawValue))
            let first = (fields[1] as? [Any])?.first
            let parameter = hexNumber(first) ?? (first as? Int).map(UInt64.init) ?? 0
            let handle = hexNumber(vector.fields["object_handle"])
            #expect(UInt64(event.parameter) == handle ?? parameter)
        }
    }

    @Test func `both forms and the packet of one event are equal`() {
        let short = NikonEventList(decoding: NikonVectors.vector("nikon_90c7_two_events_payload").bytes, .short)
        let extended = NikonEventList(decoding: NikonVectors.vector("nikon_941c_two_events_payload").bytes, .extended)
        #expect(short == extended && short.damage == nil)
        #expect(short.events.map(\.meaning) == [.objectAdded(handle: 0x000A_0001), .complete])
        let packet = PTPEvent(code: .objectAdded, parameters: [0x000A_0001, 7])
        #expect(NikonEvent(packet) == short.events.first)
        #expect(NikonEvent(PTPEvent(code: .captureComplete)) == short.events.last)
    }

    @Test func `a picture in memory without a handle has the fixed handle`() {
        let fixed = NikonEvent.Meaning.objectInMemory(handle: 0xFFFF_0001)
        #expect(NikonEvent(.nikonObjectInMemory).meaning == fixed)
        #expect(NikonEvent(.nikonObjectInMemory, 0).meaning == fixed)
        #expect(NikonEvent(.nikonObjectInMemory, 0x19).meaning == .objectInMemory(handle: 0x19))
        #expect(NikonEvent(.objectAdded, 0).meaning == .objectAdded(handle: 0))
    }

    @Test func `every event of the driver has its meaning`() {
        let meanings: [(UInt16, NikonEvent.Meaning)] = [
            (0x4002, .objectAdded(handle: 9)), (0x4003, .objectRemoved(handle: 9)), (0x4004, .storeChanged),
            (0x4005, .storeChanged), (0x4006, .propertyChanged(PropertyCode(rawValue: 9))), (0x400A, .storeFull),
            (0x400D, .complete), (0xC101, .objectInMemory(handle: 9)), (0xC102, .complete), (0xC10C, .other),
            (0xC700, .other),
        ]
        for (code, meaning) in meanings { #expect(NikonEvent(EventCode(rawValue: code), 9).meaning == meaning) }
        // The newest bodies also report properties with four-byte codes, which the driver does not use.
        #expect(NikonEvent(.propertyChanged, 0x0001_D100).meaning == .other)
    }

    // MARK: Damage

    @Test func `a list with a false count is rejected`() {
        let short = NikonEventList(decoding: NikonVectors.vector("nikon_event_count_lies").bytes, .short)
        #expect(short.events.isEmpty && short.damage == .countBeyondData(count: 500, left: 6))
        let name = "nikon_event_ex_param_count_lies"
        let extended = NikonEventList(decoding: NikonVectors.vector(name).bytes, .extended)
        #expect(extended.events.isEmpty && extended.damage == .tooManyParameters(.objectAdded, count: 9))
        let huge = NikonEventList(decoding: ByteBuffer(hex: "ffffffff0240010001000000"), .extended)
        #expect(huge.events.isEmpty && huge.damage == .countBeyondData(count: 0xFFFF_FFFF, left: 8))
    }

    @Test(arguments: NikonEventForm.allCases)
    func `a list has a greatest length`(form: NikonEventForm) {
        var data = ByteBuffer()
        let count = NikonEventList.eventsMax + 1
        if form == .short {
            data.writeInteger(UInt16(count), endianness: .little)
        } else {
            data.writeInteger(UInt32(count), endianness: .little)
        }
        data.writeRepeatingByte(0, count: count * 6)
        let list = NikonEventList(decoding: data, form)
        #expect(list.events.isEmpty && list.damage == .tooManyEvents(count: count))
    }

    @Test(arguments: [
        ("nikon_get_event_two", NikonEventForm.short), ("nikon_get_event_ex_two", .extended),
        ("nikon_941c_two_events_payload", .extended),
    ])
    func `a list that is cut at any byte has no events`(name: String, form: NikonEventForm) throws {
        let whole = NikonVectors.vector(name).bytes
        for length in 1..<whole.readableBytes {
            let list = NikonEventList(
                decoding: try #require(whole.getSlice(at: whole.readerIndex, length: length)),
                form
            )
            #expect(list.events.isEmpty && list.damage != nil, "\(length)")
        }
        // A camera may omit the data phase.
        #expect(NikonEventList(decoding: ByteBuffer(), form).isEmpty)
        // Bytes after the last event have no meaning.
        var longer = whole
        longer.writeInteger(UInt32.max)
        #expect(NikonEventList(decoding: longer, form) == NikonEventList(decoding: whole, form))
    }

    @Test(arguments: NikonEventForm.allCases)
    func `any bytes give a list or a damage`(form: NikonEventForm) {
        var state: UInt64 = 27
        for _ in 0..<2000 {
            var data = ByteBuffer()
            for _ in 0..<Int(state % 40) {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                // Small numbers make plausible counts.
                data.writeInteger(UInt8(truncatingIfNeeded: state >> 60) & 3)
            }
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let list = NikonEventList(decoding: data, form)
            #expect(list.events.isEmpty || list.damage == nil)
            #expect(list.events.count * 4 <= data.readableBytes)
        }
    }

    // MARK: Lists of properties

    @Test func `both lists of properties are a count and codes`() throws {
        let two = try NikonVendorCodes(decoding: ByteBuffer(hex: "0200000000d1f0d1"), .twoByte)
        #expect(two.properties == [.nikonShutterSpeed, .nikonApplicationMode])
        let four = try NikonVendorCodes(decoding: ByteBuffer(hex: "0200000000d1000000d10100"), .fourByte)
        #expect(four.codes == [0xD100, 0x0001_D100] && four.properties == [.nikonShutterSpeed])
        #expect(try NikonVendorCodes(decoding: ByteBuffer(hex: "00000000"), .twoByte).codes.isEmpty)
    }

    @Test(arguments: ["", "0200", "0200000000d1", "ffffffff00d1"])
    func `a list of properties with a false count is rejected`(bytes: String) {
        let error = #expect(throws: NikonValueError.self) {
            try NikonVendorCodes(decoding: ByteBuffer(hex: bytes), .twoByte)
        }
        #expect(error?.sentence.hasPrefix("the camera's list of properties cannot be read") == true)
    }

    @Test func `a list of properties has a greatest length`() {
        var data = ByteBuffer(integer: UInt32(NikonVendorCodes.countMax + 1), endianness: .little)
        data.writeRepeatingByte(0xD0, count: (NikonVendorCodes.countMax + 1) * 2)
        #expect(throws: NikonValueError.tooManyValues(nil, count: 4097, limit: 4096)) {
            try NikonVendorCodes(decoding: data, .twoByte)
        }
    }
}
