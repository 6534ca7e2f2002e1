import Exposure
import NIOCore
import PTP
import Testing

@testable import Cameras

/// Tests what the driver reads in the first event lists of real bodies.
struct CanonDumpTests {
    private static func store(_ name: String) -> CanonPropertyStore {
        var store = CanonPropertyStore()
        for record in CanonEventList(decoding: CanonVectors.bytes(name)).records { store.note(record) }
        return store
    }

    private static func value(_ property: CameraProperty, _ store: CanonPropertyStore) -> String? {
        CanonPropertyRow.row(of: property).state(in: store)?.value
    }

    @Test func `a 60D in M offers every speed`() {
        let store = Self.store("eos_60d_get_event")
        let status = store.status
        #expect(status.mode == .manual)
        #expect(status.speeds == ShutterSpeed.all)
        #expect(status.speed == .speed(CanonShutterSpeed(rawValue: 0x70).shutterSpeed ?? .slowest))
        #expect(status.speedIsWritable)
        #expect(status.batteryPercent == 50)
        #expect(status.shotsLeft == 8069)
        #expect(status.isManualFocus == false && status.focusMode == "One Shot")
        #expect(status.iso == "400" && status.isISOAuto == false)
        #expect(status.aperture == "f/5.6")
        #expect(status.saveTarget == "card" && !status.savesToHostAlone)
        #expect(status.fileKinds == [.jpeg])
        let quality = CanonPropertyRow.row(of: .quality).state(in: store)
        #expect(quality?.choices.count == 35 && Set(quality?.choices ?? []).count == 35)
        #expect(quality?.value == "JPEG L fine")
        #expect(Self.value(.drive, store) == "single")
        #expect(Self.value(.whiteBalance, store) == "auto")
        #expect(CanonPropertyRow.row(of: .drive).state(in: store)?.choices.count == 5)
        #expect(CanonPropertyRow.row(of: .exposureCompensation).state(in: store)?.isWritable == false)
    }

    @Test func `a 5D Mark III in Tv has the warned-about mode, by Canon's name`() {
        let status = Self.store("eos_5d3_get_event").status
        #expect(status.mode == .shutterPriority && status.speedIsWritable)
        #expect(status.modeLabel == "Tv")
        #expect(status.speeds == ShutterSpeed.all)
        #expect(status.isISOAuto == true && status.iso == "Auto")
        #expect(status.saveTarget == "card")
    }

    @Test func `in other modes the list of speeds is empty, and the speed is the metered one`() {
        let priority = Self.store("eos_5dsr_get_event")
        #expect(priority.status.mode == .aperturePriority)
        #expect(priority.status.modeLabel == "Av")
        #expect(priority.status.speeds.isEmpty && !priority.status.speedIsWritable)
        #expect(priority.status.speed == .speed(CanonShutterSpeed(rawValue: 0x6D).shutterSpeed ?? .slowest))
        #expect(CanonPropertyRow.row(of: .shutterSpeed).state(in: priority)?.isWritable == false)
        let automatic = Self.store("eos_m50_get_event").status
        #expect(automatic.mode == .other("Auto") && automatic.speeds.isEmpty)
        #expect(automatic.aperture == nil)
        #expect(automatic.fileKinds == [.raw, .jpeg])
    }

    @Test func `a 1300D in M lists bulb, which is no speed`() {
        let store = Self.store("canon_get_event_1300d_first_dump")
        #expect(store.status.mode == .manual && store.status.isManualFocus == true)
        #expect(store.settableSpeeds.first == .bulb)
        #expect(store.status.speeds.count == 52)
        #expect(store.status.speeds.first == CanonShutterSpeed(rawValue: 0x98).shutterSpeed)
        // No lens: the aperture is 0, and its list is empty.
        #expect(store.status.aperture == nil)
        let drive = CanonPropertyRow.row(of: .drive)
        #expect(drive.state(in: store)?.value == "self-timer 2 s")
        #expect(drive.value(for: "single", in: store) == [0])
    }

    @Test(arguments: ["eos_m3_get_event", "eos_m6_get_event"])
    func `a body of the EOS M family sends display data before their version`(name: String) {
        let list = CanonEventList(decoding: CanonVectors.bytes(name))
        let infos: [CanonDisplayInfo] = list.records.compactMap { record in
            if case .displayInfo(let bytes) = record { CanonDisplayInfo(decoding: bytes, version: nil) } else { nil }
        }
        #expect(infos.count == 3)
        #expect(infos[0].aperture != nil && infos[1].speed != nil && infos[2].iso != nil)
        let store = Self.store(name)
        #expect(store[.canonLiveViewOutput].choices == [[0], [8]])
        if name == "eos_m3_get_event" {
            #expect(infos[0].aperture == CanonAperture(rawValue: 0x18))
            #expect(infos[1].speed == .bulb)
            #expect(infos[2].iso == CanonISO(rawValue: 0x60))
            #expect(store.settableSpeeds.count == 53)
        }
    }

    @Test func `the display data of a 5DS R and an M50 are read by their version`() {
        let bodies: [(String, UInt32)] = [("eos_5dsr_get_event", 0x0B), ("eos_m50_get_event", 0x10)]
        for (name, version) in bodies {
            let list = CanonEventList(decoding: CanonVectors.bytes(name))
            #expect(Self.store(name).number(.canonDisplayInfoVersion) == version)
            for case .displayInfo(let bytes) in list.records {
                let info = CanonDisplayInfo(decoding: bytes, version: version)
                #expect(info.button?.rawValue == 1)
                #expect(info.focus != nil && info.iso != nil)
                if version == 0x0B {
                    #expect(info.iso == CanonISO(rawValue: 0x48) && info.aperture == CanonAperture(rawValue: 0x20))
                }
            }
        }
    }

    @Test func `display data that end early give only whole blocks`() {
        let bytes = ByteBuffer(hex: "49000000ff1f000001000000000000000001015020200101")
        let info = CanonDisplayInfo(decoding: bytes, version: 0x0B)
        #expect(info.aperture == CanonAperture(rawValue: 0x20) && info.iso == nil && info.focus == nil)
        for length in 0..<bytes.readableBytes {
            _ = CanonDisplayInfo(decoding: bytes.getSlice(at: 0, length: length) ?? ByteBuffer(), version: 0x14)
        }
    }

    @Test(arguments: CanonVectors.dumps)
    func `the decoded lists of other bodies give the same values`(dump: CanonDump) throws {
        var store = CanonPropertyStore()
        for record in dump.records {
            guard let bytes = try Self.encode(record) else { continue }
            let list = CanonEventList(decoding: bytes)
            #expect(list.damage == nil && list.records.count == 1)
            for record in list.records { store.note(record) }
        }
        for code in CanonPropertyStore.used where code != .canonImageFormat {
            let property = String(code.rawValue, radix: 16)
            guard let number = dump.number(property) else { continue }
            #expect(store.number(code) == number, "\(property)")
        }
        let status = store.status
        #expect(status.speeds == status.speeds.sorted() && Set(status.speeds).count == status.speeds.count)
        #expect(status.speedIsWritable == (dump.name == "canon-eos200d"))
        for row in CanonPropertyRow.table {
            guard let state = row.state(in: store) else { continue }
            #expect(state.choices.count == (state.isWritable ? store[row.code].choices.count : 0), "\(row.property)")
        }
        try Self.checkDisplayInfo(dump)
    }

    /// The list with one decoded record; nil: the source has no number and no list.
    private static func encode(_ record: [String: Any]) throws -> ByteBuffer? {
        let property = (record["prop"] as? String).flatMap { UInt32($0, radix: 16) }
        var body = ByteBuffer()
        let type: UInt32
        switch record["rec"] as? String {
        case "C189":
            guard let property else { return nil }
            type = 0xC189
            body.writeInteger(property, endianness: .little)
            if let hex = record["bytes"] as? String {
                body.writeImmutableBuffer(ByteBuffer(hex: hex))
            } else {
                guard record["size"] as? Int == 4, let text = record["value"] as? String else { return nil }
                guard let value = UInt32(text, radix: 16) else { return nil }
                body.writeInteger(value, endianness: .little)
            }
        case "C18A":
            guard let property, let listType = record["listtype"] as? Int else { return nil }
            // Structures are shown in another form.
            guard property != 0xD120 else { return nil }
            let values = try (record["list"] as? [String] ?? []).map { try #require(UInt32($0, radix: 16)) }
            type = 0xC18A
            body.writeMultipleIntegers(property, UInt32(listType), UInt32(values.count), endianness: .little)
            for value in values { body.writeInteger(value, endianness: .little) }
        default:
            return nil
        }
        var bytes = ByteBuffer()
        bytes.writeMultipleIntegers(UInt32(8 + body.readableBytes), type, endianness: .little)
        bytes.writeImmutableBuffer(body)
        bytes.writeMultipleIntegers(UInt32(8), UInt32(0), endianness: .little)
        return bytes
    }

    /// The display data repeat the speed of the property, unless nothing was metered yet.
    private static func checkDisplayInfo(_ dump: CanonDump) throws {
        guard let record = dump.records.first(where: { $0["rec"] as? String == "OLCInfoChanged" }) else { return }
        let bytes = ByteBuffer(hex: try #require(record["bytes"] as? String))
        // The source of the EOS R lacks the first bytes.
        guard bytes.getInteger(at: 4, endianness: .little, as: UInt16.self) == 0x1FFF else { return }
        let info = CanonDisplayInfo(decoding: bytes, version: dump.number("d199"))
        #expect(info.focus != nil)
        if let speed = info.speed, speed != .absent, let shown = dump.number("d102") {
            #expect(speed.rawValue == shown || dump.name == "canon-eos-r10", "\(dump.name)")
        }
    }
}
