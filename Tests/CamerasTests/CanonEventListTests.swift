import Exposure
import NIOCore
import PTP
import Testing

@testable import Cameras

/// Tests the event list with the lists of real bodies, and with damaged ones.
struct CanonEventListTests {
    // MARK: Real lists

    @Test(arguments: CanonVectors.lists)
    func `every list of a real body is decoded without damage`(vector: WireVector) {
        let list = CanonEventList(decoding: vector.bytes)
        #expect(list.damage == nil)
        #expect(list.shortRecords.isEmpty)
        #expect(list.isEmpty == (vector.bytes.readableBytes == 8))
        #expect(Self.size(of: list) <= vector.bytes.readableBytes)
    }

    /// The number of bytes of the decoded values, which must not exceed the data.
    private static func size(of list: CanonEventList) -> Int {
        list.records.reduce(0) { size, record in
            switch record {
            case .value(_, let words): size + words.count * 4
            case .choices(_, _, let words): size + words.count * 4
            default: size
            }
        }
    }

    @Test(arguments: CanonVectors.section("payloads").filter { !$0.records.isEmpty })
    func `every record agrees with its decoded fields`(vector: WireVector) throws {
        guard vector.name.contains("event") else { return }
        let list = CanonEventList(decoding: vector.bytes)
        let expected = vector.records.filter { hexNumber($0["type"]) != 0 }
        // The fixture of the first list of the 1300D has every record that is not empty.
        if expected.count == list.records.count {
            for (record, fields) in zip(list.records, expected) { try Self.compare(record, fields) }
        } else {
            #expect(expected.count < list.records.count)
        }
    }

    private static func compare(_ record: CanonRecord, _ fields: [String: Any]) throws {
        let type = hexNumber(fields["type"])
        switch record {
        case .value(let code, let words):
            #expect(type == 0xC189)
            #expect(hexNumber(fields["prop"]) == UInt64(code.rawValue))
            if let value = hexNumber(fields["value"]) { #expect(words.first.map(UInt64.init) == value) }
        case .choices(let code, let count, let words):
            #expect(type == 0xC18A)
            #expect(hexNumber(fields["prop"]) == UInt64(code.rawValue))
            #expect(fields["count"] as? Int == count)
            let values = try #require(fields["values"] as? [Any])
            if values.count == words.count, let texts = values as? [String] {
                #expect(words.map(UInt64.init) == texts.map { hexNumber($0) })
            }
        case .status(let isBusy):
            #expect(type == 0xC18B && (fields["status"] as? Int == 1) == isBusy)
        case .objectAdded(let object), .transferRequested(let object):
            #expect(UInt64(object.handle) == hexNumber(fields["handle"]))
            #expect(object.format.map(UInt64.init) == hexNumber(fields["format"]))
            #expect(object.byteCount == (fields["size_bytes"] as? Int).map(UInt64.init))
            #expect(object.name == fields["name"] as? String)
            #expect(object.storage.map(UInt64.init) == hexNumber(fields["storage"]))
            #expect(object.parent.map(UInt64.init) == hexNumber(fields["parent"]))
            #expect(object.group.map(UInt64.init) == hexNumber(fields["group"]))
            #expect(object.takenAt.map(UInt64.init) == (fields["unix_time"] as? Int).map(UInt64.init))
        case .other(let other):
            #expect(UInt64(other.rawValue) == type)
        case .objectRemoved, .storeChanged, .shutdownSoon, .displayInfo:
            Issue.record("unexpected \(record)")
        }
    }

    @Test func `an R6 Mark II announces RAW and JPEG with one group`() {
        let list = CanonEventList(decoding: CanonVectors.bytes("wifi_r6m2_get_event_line406"))
        let objects: [CanonObject] = list.records.compactMap { record in
            if case .objectAdded(let object) = record { object } else { nil }
        }
        #expect(objects.map(\.name) == ["2R7A4528.CR3", "2R7A4528.JPG"])
        #expect(objects.map(\.kind) == [.raw, .jpeg])
        #expect(objects.map(\.handle) == [0x5191_1B01, 0x5191_1B02])
        #expect(Set(objects.map(\.groupHandle)) == [0x5191_1B00])
        #expect(objects.map(\.group) == [0x5191_1B00, 0x5191_1B00])
    }

    @Test func `a handle without a group in its record has the group of its formula`() {
        #expect(CanonObject(handle: 0x9191_D8D2).groupHandle == 0x9191_D8D0)
        // Bodies as the R5 Mark II have the kind at bit 6.
        #expect(CanonObject(handle: 0x1432_C040).groupHandle == 0x1432_C000)
        #expect(CanonObject(handle: 0x1432_C080).groupHandle == 0x1432_C000)
    }

    @Test func `a list that ends in the middle of a record keeps the records before it`() {
        let list = CanonEventList(decoding: CanonVectors.bytes("eos_m6m2_truncated_get_event"))
        #expect(list.damage == .sizeBeyondData(97, left: 28))
        #expect(list.records.count == 285)
        var store = CanonPropertyStore()
        for record in list.records { store.note(record) }
        // The mode Fv lists a speed that the body chooses, and it is never offered.
        #expect(store.settableSpeeds.first == .automatic)
        #expect(!store.status.speeds.isEmpty && !store.status.speedIsWritable)
        let row = CanonPropertyRow.row(of: .shutterSpeed)
        #expect(row.value(for: "Auto", in: store) == nil)
    }

    @Test func `the record of a file with a long name has its size and its group`() {
        // The body that libgphoto2 quotes from an R5 Mark II.
        let hex = "25000000b8c1000040c0321408b1000000000000d41ca6020000000000c032140600000000"
        let list = CanonEventList(decoding: ByteBuffer(hex: hex + "0800000000000000"))
        guard case .transferRequested(let object)? = list.records.first else {
            Issue.record("not decoded")
            return
        }
        #expect(object.handle == 0x1432_C040 && object.group == 0x1432_C000)
        #expect(object.byteCount == 44_440_788 && object.kind == .raw)
    }

    // MARK: Damage

    @Test(arguments: [
        ("canon_record_size_zero", CanonEventList.Damage.sizeTooSmall(0), 0),
        ("canon_record_past_end", .sizeBeyondData(0x40, left: 4), 0),
    ])
    func `damage ends the list`(name: String, damage: CanonEventList.Damage, count: Int) {
        let list = CanonEventList(decoding: CanonVectors.bytes(name))
        #expect(list.damage == damage)
        #expect(list.records.count == count)
    }

    @Test func `a short record is skipped by its size`() {
        let list = CanonEventList(decoding: CanonVectors.bytes("canon_c189_too_short"))
        #expect(list.damage == nil)
        #expect(list.records.isEmpty && list.shortRecords == [.propertyValue])
        #expect(!list.isEmpty)
    }

    @Test func `a count that is too large is limited by the record`() {
        let list = CanonEventList(decoding: CanonVectors.bytes("canon_c18a_count_lies"))
        #expect(list.records == [.choices(.canonShutterSpeed, count: 1000, words: [0x10])])
        var store = CanonPropertyStore()
        for record in list.records { store.note(record) }
        #expect(store.settableSpeeds == [CanonShutterSpeed(rawValue: 0x10)])
    }

    @Test(arguments: [UInt32(1), 7])
    func `a size below the head ends the list`(size: UInt32) {
        var bytes = ByteBuffer()
        bytes.writeMultipleIntegers(UInt32(12), UInt32(0xC18B), UInt32(1), endianness: .little)
        bytes.writeMultipleIntegers(size, UInt32(0xC18B), UInt32(1), endianness: .little)
        let list = CanonEventList(decoding: bytes)
        #expect(list.damage == .sizeTooSmall(size))
        #expect(list.records == [.status(isBusy: true)])
    }

    @Test func `no data is an empty list, and bytes after the end have no meaning`() {
        let none = CanonEventList(decoding: ByteBuffer())
        #expect(none.isEmpty)
        let surplus = CanonEventList(decoding: ByteBuffer(hex: "0800000000000000ffffffffffffffff"))
        #expect(surplus.isEmpty)
    }

    @Test func `65,535 records are decoded, and their missing end is damage`() {
        var bytes = ByteBuffer()
        for number in UInt32(0)..<65_535 {
            bytes.writeMultipleIntegers(UInt32(16), UInt32(0xC189), UInt32(0xD11B), number, endianness: .little)
        }
        #expect(bytes.readableBytes <= CanonLimits.eventListMax)
        let list = CanonEventList(decoding: bytes)
        #expect(list.records.count == 65_535)
        #expect(list.damage == .endMissing(left: 0))
        var store = CanonPropertyStore()
        for record in list.records { store.note(record) }
        #expect(store.shotsLeft == 65_534)
    }

    @Test(arguments: ["eos_60d_get_event_tid11", "wifi_r6m2_get_event_line406", "eos_m3_get_event"])
    func `a list that is cut at any byte is a beginning of the whole list`(name: String) throws {
        let bytes = CanonVectors.bytes(name)
        let whole = CanonEventList(decoding: bytes).records
        for length in 1..<bytes.readableBytes {
            let cut = CanonEventList(decoding: try #require(bytes.getSlice(at: bytes.readerIndex, length: length)))
            #expect(cut.damage != nil, "\(length)")
            #expect(whole.starts(with: cut.records), "\(length)")
        }
    }

    @Test func `every known record is safe with every shorter body`() {
        let types: [UInt32] = [
            0xC181, 0xC182, 0xC186, 0xC189, 0xC18A, 0xC18B, 0xC18D, 0xC1A5, 0xC1A7, 0xC1A9, 0xC1B6, 0xC1B8, 0xC1F6,
        ]
        for type in types {
            for length in UInt32(0)...80 {
                var bytes = ByteBuffer()
                bytes.writeMultipleIntegers(length + 8, type, endianness: .little)
                bytes.writeRepeatingByte(0x41, count: Int(length))
                bytes.writeMultipleIntegers(UInt32(8), UInt32(0), endianness: .little)
                let list = CanonEventList(decoding: bytes)
                #expect(list.damage == nil)
                #expect(list.records.count + list.shortRecords.count == 1)
            }
        }
    }

    @Test func `random changes of a real list never stop the decoder`() {
        var random = SeededGenerator(seed: 26)
        let bytes = CanonVectors.bytes("eos_5dsr_get_event")
        for _ in 0..<500 {
            var changed = bytes
            for _ in 0..<8 {
                let index = Int.random(in: 0..<bytes.readableBytes, using: &random)
                changed.setInteger(UInt8.random(in: 0...255, using: &random), at: index)
            }
            let list = CanonEventList(decoding: changed)
            #expect(list.records.count <= bytes.readableBytes / 8)
            var store = CanonPropertyStore()
            for record in list.records { store.note(record) }
            _ = store.status
            for row in CanonPropertyRow.table { _ = row.state(in: store) }
        }
    }
}

extension CanonPropertyStore {
    /// Notes a record as the driver does.
    mutating func note(_ record: CanonRecord) {
        switch record {
        case .value(let code, let words): note(code, words: words, at: .zero)
        case .choices(let code, let count, let words): note(code, count: count, words: words)
        default: break
        }
    }
}
