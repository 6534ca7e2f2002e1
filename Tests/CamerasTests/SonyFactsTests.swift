import Cameras
import Exposure
import Foundation
import NIOCore
import PTP
import Testing

struct SonyFactsTests {
    // MARK: Packets

    @Test func `every packet of real cameras and to them decodes and encodes, in any cut`() throws {
        let packets = SonyVectors.list("ptpip_packets_from_camera") + SonyVectors.list("ptpip_packets_to_camera")
        for vector in packets {
            let name = try #require(vector["name"] as? String)
            // Some entries contain several packets.
            let hex = (vector["bytes"] as? [String])?.joined() ?? vector["bytes"] as? String
            let bytes = ByteBuffer(hex: try #require(hex))
            for size in [1, 8, 4096] {
                var decoder = PacketDecoder()
                var rest = bytes
                var encoded = ByteBuffer()
                while let piece = rest.readSlice(length: min(size, rest.readableBytes)), piece.readableBytes > 0 {
                    decoder.append(piece)
                    while case .packet(let packet)? = try decoder.next() { packet.encode(into: &encoded) }
                }
                #expect(encoded == bytes, "\(name), \(size) bytes at a time")
            }
        }
    }

    @Test func `a real RX100 VII and a real A9 identify themselves`() throws {
        let acks = SonyVectors.list("ptpip_packets_from_camera").prefix(2)
        for (vector, expected) in zip(
            acks,
            [("DSC-RX100M7", 0x51D9_8AEC), ("ILCE-9", 0xF419_AC6D)] as [(String, UInt32)]
        ) {
            var decoder = PacketDecoder()
            decoder.append(ByteBuffer(hex: try #require(vector["bytes"] as? String)))
            guard case .packet(.initCommandAck(let ack))? = try decoder.next() else {
                Issue.record("no Ack")
                continue
            }
            #expect(ack.name == expected.0)
            #expect(ack.connectionNumber == expected.1)
            #expect("\(ack.guid)" == "0000000000000000ffff020000000001")
            #expect(ack.version == PTPIPPacket.protocolVersion)
        }
    }

    @Test func `the A9's description of itself decodes to its fields and encodes to its bytes`() throws {
        let vector = SonyVectors.object("ptp_device_info_ilce9")
        let bytes = ByteBuffer(hex: try #require(vector["bytes"] as? String))
        let decode = try #require(vector["decode"] as? [String: Any])
        let info = try DeviceInfo(decoding: bytes)
        #expect(info.vendorExtensionID == 0x11)
        #expect(info.vendorExtensionDescription == decode["vendor_extension_desc"] as? String)
        #expect(
            info.operations.map { UInt64($0.rawValue) } == (decode["operations"] as? [String])?.map { hexNumber($0) }
        )
        #expect(info.events.map { UInt64($0.rawValue) } == (decode["events"] as? [String])?.map { hexNumber($0) })
        #expect(info.properties.isEmpty)
        #expect(info.manufacturer == "Sony Corporation")
        #expect(info.model == "ILCE-9")
        #expect(info.deviceVersion == "6.00")
        #expect(info.serialNumber.count == 32)
        #expect(info.encoded() == bytes)
    }

    @Test func `the A9's 0x9202 lists 72 properties and 22 controls`() throws {
        let vector = SonyVectors.object("ptp_ext_device_info_0x9202_ilce9")
        let bytes = ByteBuffer(hex: try #require(vector["bytes"] as? String))
        let info = try SonyExtDeviceInfo(decoding: bytes)
        #expect(info.version == 0x012C)
        #expect(info.extensionVersion == .version3)
        #expect(info.properties.count == 72)
        #expect(info.controls.count == 22)
        #expect(
            info.properties.map { UInt64($0.rawValue) } == (vector["properties"] as? [String])?.map { hexNumber($0) }
        )
        #expect(info.controls.map { UInt64($0.rawValue) } == (vector["controls"] as? [String])?.map { hexNumber($0) })
        #expect(info.encoded() == bytes)
        for length in 0..<bytes.readableBytes where length != 2 + 4 + 72 * 2 {
            let short = try #require(bytes.getSlice(at: 0, length: length))
            #expect(throws: DatasetError.self) { try SonyExtDeviceInfo(decoding: short) }
        }
    }

    @Test func `the number of 0x9202 decides the generation`() {
        #expect(SonyExtensionVersion(rawValue: 0x00C8) == .version2)
        #expect(SonyExtensionVersion(rawValue: 0x012C) == .version3)
        #expect(SonyExtensionVersion(rawValue: 310) == .version3)
        #expect(SonyExtensionVersion(rawValue: 100) == nil)
        #expect(SonyExtensionVersion(rawValue: 0) == nil)
    }

    // MARK: Properties

    @Test(arguments: SonyVectors.records)
    func `a captured property record decodes to its fields and encodes to its bytes`(vector: SonyRecordVector) throws {
        let dataset = SonyPropertyDataset(decoding: vector.asDataset, version: .version3)
        #expect(dataset.damage == nil)
        let record = try #require(dataset.records.first)
        #expect(record.code.rawValue == vector.code)
        #expect(record.type.rawValue == vector.type)
        #expect(record.getSet == vector.getSet)
        #expect(record.availability.rawValue == vector.isEnabled)
        #expect(record.currentValue.integer == vector.current)
        if vector.current == nil { #expect(record.currentValue.text == vector.currentText) }
        #expect(record.defaultValue.integer == vector.defaultNumber)
        switch record.form {
        case .none:
            #expect(vector.form == 0)
        case .range(let min, let max, let step):
            #expect(vector.form == 1)
            #expect([min, max, step].compactMap(\.integer) == vector.range)
        case .enumeration(let settable, let supported):
            #expect(vector.form == 2)
            #expect(settable.compactMap(\.integer) == vector.settable)
            #expect(supported?.compactMap(\.integer) == vector.supported)
        }
        #expect(dataset.encoded(version: .version3) == vector.asDataset)
    }

    @Test func `the complete RX100 VII dataset has 78 records and encodes to its 3521 bytes`() throws {
        let bytes = SonyVectors.propertiesOfRX100M7
        #expect(bytes.readableBytes == 3521)
        let dataset = SonyPropertyDataset(decoding: bytes, version: .version3)
        #expect(dataset.damage == nil)
        let order = try #require(SonyVectors.object("ptp_property_records_v3")["order_of_codes"] as? [String])
        #expect(dataset.records.map { UInt64($0.code.rawValue) } == order.map { hexNumber($0) })
        #expect(dataset.records.count == 78)
        #expect(dataset[.sonyBatteryPercent]?.currentValue == .int8(70))
        #expect(dataset[.sonyShutterSpeed]?.currentValue == .uint32(0x0001_000F))
        #expect(dataset[PropertyCode(rawValue: 0xD254)]?.type == .uint64)
        #expect(dataset.encoded(version: .version3) == bytes)
    }

    @Test func `a dataset that is cut anywhere keeps the records before the cut and reports it`() throws {
        let bytes = SonyVectors.propertiesOfRX100M7
        let whole = SonyPropertyDataset(decoding: bytes, version: .version3)
        for length in 0..<bytes.readableBytes {
            let short = try #require(bytes.getSlice(at: 0, length: length))
            let dataset = SonyPropertyDataset(decoding: short, version: .version3)
            #expect(dataset.damage != nil)
            #expect(dataset.records.count < 78)
            #expect(dataset.records[...] == whole.records.prefix(dataset.records.count))
        }
    }

    @Test func `an unknown code is read by its type, an unknown type ends the reading`() throws {
        var writer = DatasetWriter()
        writer.integer(UInt64(3))
        // The record is 0xE123, uint8, get, enabled, default 1, current 2, no form. The code is unknown.
        for byte: UInt8 in [0x23, 0xE1, 0x02, 0x00, 0, 1, 1, 2, 0] { writer.integer(byte) }
        // The next record has an unknown code too, and the unknown type 0x0BAD.
        for byte: UInt8 in [0x24, 0xE1, 0xAD, 0x0B, 0, 1, 1, 2, 0] { writer.integer(byte) }
        for byte: UInt8 in [0x25, 0xE1, 0x02, 0x00, 0, 1, 1, 2, 0] { writer.integer(byte) }
        let dataset = SonyPropertyDataset(decoding: writer.buffer, version: .version3)
        #expect(dataset.records.map(\.code.rawValue) == [0xE123])
        #expect(dataset.records.first?.currentValue == .uint8(2))
        let error = DatasetError.unknownDataType(field: "property 0xE124", code: 0x0BAD)
        #expect(dataset.damage?.error == error)
        #expect(dataset.damage?.description.contains("only 1 of 3") == true)
    }

    @Test func `version 2 has one list where version 3 has two`() throws {
        let record = SonyPropertyRecord(
            code: .focusMode,
            defaultValue: .uint16(0),
            currentValue: .uint16(1),
            form: .enumeration(settable: [.uint16(1), .uint16(2)], supported: nil)
        )
        let other = SonyPropertyRecord(code: .sonySlot1Status, defaultValue: .uint8(0), currentValue: .uint8(1))
        let bytes = SonyPropertyDataset(records: [record, other]).encoded(version: .version2)
        let dataset = SonyPropertyDataset(decoding: bytes, version: .version2)
        #expect(dataset.damage == nil)
        #expect(dataset.records == [record, other])
        let misread = SonyPropertyDataset(decoding: bytes, version: .version3)
        #expect(misread.damage != nil)
    }

    @Test func `strings, arrays and 64-bit values are read at the right offsets`() throws {
        let records = [
            SonyPropertyRecord(
                code: PropertyCode(rawValue: 0xD223),
                defaultValue: .string(""),
                currentValue: .string("x")
            ),
            SonyPropertyRecord(
                code: PropertyCode(rawValue: 0xE001),
                defaultValue: .array(of: .uint16, []),
                currentValue: .array(of: .uint16, [.uint16(1), .uint16(2)])
            ),
            SonyPropertyRecord(
                code: PropertyCode(rawValue: 0xE002),
                defaultValue: .uint64(1),
                currentValue: .uint64(.max),
                form: .range(min: .uint64(0), max: .uint64(.max), step: .uint64(1))
            ),
            SonyPropertyRecord(
                code: PropertyCode(rawValue: 0xE003),
                defaultValue: .int64(-1),
                currentValue: .int64(-2),
                form: .enumeration(settable: [.int64(-2)], supported: [.int64(-2), .int64(-1)])
            ),
        ]
        let bytes = SonyPropertyDataset(records: records).encoded(version: .version3)
        let dataset = SonyPropertyDataset(decoding: bytes, version: .version3)
        #expect(dataset.damage == nil)
        #expect(dataset.records == records)
    }

    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func `random bytes never trap the property dataset`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let real = SonyVectors.propertiesOfRX100M7
        for round in 0..<100 {
            var bytes = random.bytes(Int(random.next() % 200))
            if round % 2 == 0 {
                // A real dataset with a few wrong bytes tests more of the code than random bytes do.
                bytes = real
                for _ in 0..<4 {
                    let place = Int(random.next() % UInt64(real.readableBytes))
                    bytes.setInteger(UInt8(truncatingIfNeeded: random.next()), at: place)
                }
            }
            for version in [SonyExtensionVersion.version2, .version3] {
                _ = SonyPropertyDataset(decoding: bytes, version: version)
            }
            _ = try? SonyExtDeviceInfo(decoding: bytes)
        }
    }

    // MARK: Values

    @Test func `all 62 speeds of a real enumeration are read as the camera shows them`() throws {
        let values = try #require(SonyVectors.object("ptp_shutter_speed_0xD20D")["values"] as? [[String: Any]])
        #expect(values.count == 62)
        var onScale: Set<ShutterSpeed> = []
        for value in values {
            let raw = try #require((value["raw"] as? NSNumber)?.uint32Value)
            let speed = SonyShutterSpeed(rawValue: raw)
            let text = try #require(value["text"] as? String)
            #expect(speed.description == text)
            #expect(speed.value.encoded() == ByteBuffer(hex: try #require(value["le_bytes"] as? String)))
            #expect(Int(speed.numerator) == value["numerator"] as? Int)
            #expect(Int(speed.denominator) == value["denominator"] as? Int)
            if let known = speed.shutterSpeed {
                onScale.insert(known)
                // The value that the driver would send for this speed is in the camera's list.
                #expect(SonyShutterSpeed(known) == speed)
                #expect(speed.reading == .speed(known))
                // Two names of the scale differ from the names in the document.
                let label = ["0.3\"": "1/3", "1/2": "0.5\""][known.label] ?? known.label
                #expect(label == text)
            } else {
                #expect(["BULB", "1/10000", "1/12800", "1/16000", "1/20000", "1/25600", "1/32000"].contains(text))
                #expect(speed.reading == .other(text))
            }
        }
        #expect(onScale == Set(ShutterSpeed.all))
    }

    @Test func `the notches of Sony's scale are its 62 values, in the camera's order`() throws {
        let values = try #require(SonyVectors.object("ptp_shutter_speed_0xD20D")["values"] as? [[String: Any]])
        let raw = try values.map { try #require(($0["raw"] as? NSNumber)?.uint32Value) }
        #expect(raw.map { SonyShutterSpeed(rawValue: $0).notch } == (0..<62).reversed().map(Optional.init))
        #expect(SonyShutterSpeed.notches == 0...61)
        for speed in ShutterSpeed.all {
            #expect(SonyShutterSpeed(speed).notch == SonyShutterSpeed.notch(of: speed))
        }
        #expect(SonyShutterSpeed.nothing.notch == nil)
        #expect(SonyShutterSpeed(rawValue: 0x0001_002D).notch == nil)
    }

    @Test func `a tenth of a second is not a tenth of a tenth`() {
        #expect(SonyShutterSpeed(rawValue: 0x0001_000A).shutterSpeed?.label == "1/10")
        #expect(SonyShutterSpeed(rawValue: 0x000A_000A).shutterSpeed?.label == "1\"")
        #expect(SonyShutterSpeed(rawValue: 0x0003_000A).shutterSpeed?.label == "0.3\"")
    }

    @Test func `half stops, BULB and an empty value are no speeds of the scale`() {
        for (raw, text) in [(0x000F_000A, "1.5\""), (0x0001_002D, "1/45"), (0, "BULB"), (0xFFFF_FFFF, "--")]
            as [(UInt32, String)]
        {
            let speed = SonyShutterSpeed(rawValue: raw)
            #expect(speed.shutterSpeed == nil)
            #expect(speed.description == text)
        }
    }

    @Test func `exposure programs have the names of the document, whatever their width`() throws {
        let values = try #require(SonyVectors.object("ptp_exposure_program_0x500E")["values"] as? [[String: Any]])
        for value in values {
            let raw = UInt32(try #require(hexNumber(value["raw_hex"])))
            let name = try #require(value["name"] as? String)
            let wide = SonyExposureProgram(rawValue: raw)
            #expect(SonyExposureProgram(rawValue: raw & 0xFFFF).exposureMode == wide.exposureMode)
            switch wide.exposureMode {
            case .manual: #expect(name == "Manual (M)")
            case .program: #expect(name == "Automatic (P)")
            case .aperturePriority: #expect(name == "Aperture Priority (A)")
            case .shutterPriority: #expect(name == "Shutter Priority (S)")
            case .other(let mode): #expect(mode == name)
            }
        }
    }

    @Test func `the controls and the button's two positions are those of the document`() throws {
        let controls = SonyVectors.object("ptp_controls_0x9207")
        let codes = try #require(controls["codes"] as? [String: String])
        let known: [String: SonyControl] = [
            "S1_half_press": .halfPress, "S2_full_press": .fullPress, "AEL": .autoExposureLock, "AFL": .autoFocusLock,
            "one_shot_request": .oneShot, "movie_record_hold": .movieRecord, "S1_and_S2": .halfAndFullPress,
        ]
        #expect(codes.mapValues { hexNumber($0) } == known.mapValues { UInt64($0.rawValue) })
        #expect(controls["up_released"] as? Int == Int(SonyButton.released.rawValue))
        #expect(controls["down_pressed"] as? Int == Int(SonyButton.pressed.rawValue))
    }

    @Test func `the buffer's number means empty, not ready, or the number of files`() {
        #expect(SonyShootingFileInfo(rawValue: 0) == .empty)
        #expect(SonyShootingFileInfo(rawValue: 1) == .inPreparation)
        #expect(SonyShootingFileInfo(rawValue: 0x7FFF) == .inPreparation)
        #expect(SonyShootingFileInfo(rawValue: 0x8000) == .ready(0))
        #expect(SonyShootingFileInfo(rawValue: 0x8002) == .ready(2))
        #expect(SonyShootingFileInfo.ready(2).rawValue == 0x8002)
    }

    @Test func `the other values are named in photographers' notation`() {
        #expect(SonyFocusMode(rawValue: 1).isManual)
        #expect(!SonyFocusMode(rawValue: 0x8006).isManual)
        #expect(SonyFocusMode(rawValue: 0x8004).description == "AF-C")
        #expect(SonyISO(rawValue: 0x00FF_FFFF).description == "Auto")
        #expect(SonyISO(rawValue: 0x01FF_FFFF).isAuto)
        #expect(SonyISO(rawValue: 0x1000_0040).description == "64")
        #expect(SonyAperture(rawValue: 280).description == "f/2.8")
        #expect(SonyAperture(rawValue: 1100).description == "f/11")
        #expect(SonyAperture(rawValue: 105).description == "f/1.05")
        #expect(SonyAperture(rawValue: 0xFFFE).description == "--")
        #expect(SonySaveTarget(rawValue: 0x11).description == "host and card")
        #expect(OperationCode(rawValue: 0x9209).sonyName == "SDIO_GetAllExtDevicePropInfo")
        #expect(ResponseCode(rawValue: 0xA101).sonyName == "Authentication_Failed")
        #expect(ResponseCode(rawValue: 0x2019).sonyName == "DeviceBusy")
    }

    @Test func `the facts about a model come from one table`() {
        #expect(SonyQuirks(model: "ILCE-7M4").settleBeforeFirstShot == .seconds(3))
        #expect(SonyQuirks(model: "ILCE-7RM4").shotInterval == .seconds(1))
        #expect(SonyQuirks(model: "DSC-RX0").focusFailureIsUnreliable)
        #expect(SonyQuirks(model: "ILCE-7CM2").keepAlive == .seconds(8))
        #expect(SonyQuirks(model: "ILCE-7M4").keepAlive == nil)
        #expect(SonyQuirks(model: "ILCE-6400").fastestNotch == SonyShutterSpeed(rawValue: 0x0001_0FA0).notch)
        #expect(SonyQuirks(model: "SLT-A58").perNotch == .milliseconds(700))
        #expect(SonyQuirks(model: "unknown") == SonyQuirks())
        #expect(SonyQuirks.table.allSatisfy { !$0.source.isEmpty && !$0.models.isEmpty })
    }
}

extension SonyRecordVector {
    /// The dataset that contains only this record.
    fileprivate var asDataset: ByteBuffer {
        var dataset = ByteBuffer(hex: "0100000000000000")
        dataset.writeImmutableBuffer(bytes)
        return dataset
    }
}
