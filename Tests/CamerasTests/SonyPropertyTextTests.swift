import Cameras
import PTP
import Testing

/// Compares Sony's numbers in photographers' notation with Sony's documents and a real body.
struct SonyPropertyTextTests {
    private static func values(_ section: String) throws -> [(raw: Int64, name: String)] {
        let rows = try #require(SonyVectors.object(section)["values"] as? [[String: Any]])
        return try rows.map { (Int64(try #require(hexNumber($0["raw_hex"]))), try #require($0["name"] as? String)) }
    }

    private static func table(_ name: String) throws -> [(raw: Int64, name: String)] {
        let tables = try #require(SonyVectors.object("ptp_enums")["tables"] as? [String: [String: Any]])
        let rows = try #require(tables[name]?["values"] as? [[String: Any]])
        return try rows.map { (Int64(try #require(hexNumber($0["raw_hex"]))), try #require($0["name"] as? String)) }
    }

    // MARK: Drive

    @Test func `every drive mode of the document has a distinct name that maps back to it`() throws {
        let values = try Self.values("ptp_drive_mode_0x5013")
        #expect(values.count == 153)
        var names: Set<String> = []
        for (raw, _) in values {
            let name = try #require(SonyPropertyText.drive.format(raw, .uint32))
            #expect(!name.hasPrefix("0x"), "\(raw)")
            #expect(names.insert(name).inserted, "\(name) means two modes")
            #expect(SonyPropertyText.drive.parse(name) == raw)
            // Version 2 bodies use only the low half of the number, with the same meaning.
            #expect(SonyPropertyText.drive.format(raw & 0xFFFF, .uint16) == name)
        }
        #expect(values.allSatisfy { value in SonyDriveMode.all.contains { Int64($0.rawValue) == value.raw } })
    }

    @Test func `brackets are named by kind, step and number of pictures as in the document`() throws {
        let brackets = try Self.values("ptp_drive_mode_0x5013").filter {
            $0.name.contains("Img.") && $0.name.contains("EV")
        }
        #expect(brackets.count == 120)
        for (raw, name) in brackets {
            // The value `Continuous Bracket 0.3 EV 2 Img. +` of the document is `bracket continuous 0.3 EV 2+` here.
            let words = name.split(separator: " ").map(String.init)
            let sign = words.count > 6 ? words[6] : ""
            let expected = "bracket \(words[0].lowercased()) \(words[2]) EV \(words[4])\(sign)"
            #expect(SonyDriveMode(rawValue: UInt32(raw)).description == expected)
        }
        #expect(SonyDriveMode(rawValue: 0x0004_8311).description == "bracket continuous 1.0 EV 3")
        #expect(SonyDriveMode(rawValue: 0x0005_8310).description == "bracket single 1.0 EV 3")
    }

    @Test func `the kind of every drive mode agrees with its name`() {
        let kinds: [String: DriveKind] = [
            "single": .single, "continuous": .continuous, "spot": .continuous, "bracket": .bracket,
            "self-timer": .selfTimer, "self-portrait": .selfTimer, "time-lapse": .timeLapse, "mirror": .mirrorUp,
            "remote": .other,
        ]
        for mode in SonyDriveMode.all {
            #expect(mode.kind == kinds[String(mode.description.prefix { $0 != " " })], "\(mode)")
            #expect(SonyDriveMode(rawValue: mode.rawValue & 0xFFFF).kind == mode.kind, "\(mode)")
        }
        #expect(SonyDriveMode(rawValue: 0x000B_0001).kind == .other)
        #expect(SonyDriveMode(rawValue: 0x1234).kind == .other)
    }

    @Test func `every drive mode that a real body lists is known`() throws {
        let list = try #require(SonyVectors.object("ptp_drive_mode_0x5013")["rx100m7_list"] as? [String])
        let known = Set(SonyDriveMode.all.map(\.rawValue))
        #expect(list.count == 46)
        #expect(list.allSatisfy { known.contains(UInt32(hexNumber($0) ?? 0)) })
        let dataset = SonyPropertyDataset(decoding: SonyVectors.propertiesOfRX100M7, version: .version3)
        let record = try #require(dataset[.stillCaptureMode])
        let settable = record.settableValues.compactMap(\.integer)
        #expect(settable == list.map { Int64(hexNumber($0) ?? 0) })
    }

    @Test func `a value outside the documents is a number, and the number sets it`() {
        #expect(SonyPropertyText.drive.format(0x000B_8041, .uint32) == "0x000B8041")
        // The low half of this number is a mode of another group, so the number has no name.
        #expect(SonyPropertyText.drive.format(0x000B_0001, .uint32) == "0x000B0001")
        #expect(SonyPropertyText.drive.parse("0x000b8041") == 0x000B_8041)
        #expect(SonyPropertyText.whiteBalance.format(0x8040, .uint16) == "0x8040")
        #expect(SonyPropertyText.whiteBalance.parse("0x8040") == 0x8040)
        #expect(SonyPropertyText.compression.format(0x33, .uint8) == "0x33")
        #expect(SonyPropertyText.compression.parse("0x33") == 0x33)
        #expect(SonyPropertyText.drive.parse("0x") == nil)
        #expect(SonyPropertyText.drive.parse("") == nil)
    }

    // MARK: Tables of the documents

    @Test(arguments: [
        ("0x5005_white_balance", PTPDataType.uint16, SonyPropertyText.whiteBalance),
        ("0x500A_focus_mode", .uint16, .focusMode),
        ("0xD222_still_save_destination", .uint16, .saveTarget),
        ("0xD252_jpeg_quality", .uint8, .jpegQuality),
        ("0xD253_still_file_format", .uint8, .fileFormat),
    ])
    func `every value of the documents has a distinct name that maps back to it`(
        table: String,
        type: PTPDataType,
        words: SonyPropertyText
    ) throws {
        let values = try Self.table(table)
        var names: Set<String> = []
        for (raw, _) in values {
            let name = try #require(words.format(raw, type))
            #expect(!name.hasPrefix("0x"))
            #expect(names.insert(name).inserted)
            #expect(words.parse(name) == raw)
        }
        #expect(names.count == values.count)
    }

    @Test func `the documents' own names are used if they are short enough`() throws {
        for (raw, name) in try Self.table("0xD253_still_file_format") {
            #expect(SonyFileFormat(rawValue: UInt8(raw)).description == name)
        }
        for (raw, name) in try Self.table("0xD252_jpeg_quality") {
            #expect(SonyJPEGQuality(rawValue: UInt8(raw)).description == name.lowercased())
        }
        for (raw, name) in try Self.table("0x500A_focus_mode") where raw != 3 {
            // The document's `Continuous AF(AF C)` is `AF-C` here.
            let short = try #require(name.split(separator: "(").last?.dropLast())
            #expect(SonyFocusMode(rawValue: UInt16(raw)).description == short.replacing(" ", with: "-"))
        }
        for (raw, name) in try Self.table("0x5005_white_balance") where name.hasSuffix(")") && name.hasPrefix("Fluor") {
            let sign = try #require(name.split(separator: "(").last?.dropLast())
            #expect(SonyWhiteBalance(rawValue: UInt16(raw)).description == "fluorescent \(sign)")
        }
        #expect(SonySaveTarget(rawValue: 0x01).description == "host")
        #expect(SonySaveTarget(rawValue: 0x10).description == "card")
    }

    @Test func `a real body has no value that its document lacks`() throws {
        let dataset = SonyPropertyDataset(decoding: SonyVectors.propertiesOfRX100M7, version: .version3)
        let tables = try #require(SonyVectors.object("ptp_enums")["tables"] as? [String: [String: Any]])
        #expect(tables.count == 14)
        var checked = 0
        for (name, table) in tables {
            let code = try #require(hexNumber(name.prefix(6).description))
            let known = Set(try Self.table(name).map(\.raw))
            guard let record = dataset[PropertyCode(rawValue: UInt16(code))] else { continue }
            checked += 1
            #expect("\(record.type)" == (table["type"] as? String)?.lowercased())
            let values = record.settableValues + [record.currentValue]
            #expect(Set(values.compactMap(\.integer)).isSubset(of: known), "\(name)")
        }
        // Only newer bodies have 0xD15B and 0xD166.
        #expect(checked == 12)
        let reduction = try Self.table("0xD15B_long_exposure_nr")
        #expect(reduction.map(\.name) == ["OFF", "ON"])
        #expect(reduction.map { SonyLongExposureNoiseReduction(rawValue: UInt8($0.raw)) } == [.off, .on])
        let orders = try Self.table("0xD166_bracket_order")
        #expect(orders.map(\.raw) == [1, 2])
        #expect(try Self.table("0xD25A_position_key_priority").map(\.raw) == [0, 1])
    }

    @Test func `the focus indication is settled if the document says focused or not focused`() throws {
        for (raw, name) in try Self.table("0xD213_focus_indication") {
            let isSettled = SonyFocusIndication(rawValue: UInt8(raw))?.isSettled ?? false
            #expect(isSettled == name.contains("focused"), "\(name)")
        }
    }

    // MARK: Numbers

    @Test(
        arguments: [
            (0, "0"), (300, "+0.3"), (-300, "-0.3"), (-1700, "-1.7"), (1000, "+1.0"), (5000, "+5.0"), (-250, "-0.25"),
        ] as [(Int64, String)]
    )
    func `compensation is written as on the camera's display`(number: Int64, text: String) {
        #expect(SonyPropertyText.exposureCompensation.format(number, .int16) == text)
        #expect(SonyPropertyText.exposureCompensation.parse(text) == number)
    }

    @Test(
        arguments: [
            ("+1", 1000), ("1", 1000), (" -1.7 EV", -1700), ("\u{2212}1.7", -1700), ("0.0", 0), ("1.2345", nil),
            ("", nil),
            ("-", nil), ("1.", nil), (".3", nil), ("99999999999999999999", nil), ("1e3", nil),
        ] as [(String, Int64?)]
    )
    func `compensation is read in the forms that users write`(text: String, number: Int64?) {
        #expect(SonyPropertyText.exposureCompensation.parse(text) == number)
    }

    @Test func `an aperture may be written with and without its f`() {
        for text in ["f/2.8", "F2.8", "2.8", " f/2.80 "] { #expect(SonyPropertyText.aperture.parse(text) == 280) }
        #expect(SonyPropertyText.aperture.parse("f/11") == 1100)
        #expect(SonyPropertyText.aperture.parse("0") == nil)
        #expect(SonyPropertyText.aperture.parse("655.35") == nil)
        #expect(SonyPropertyText.aperture.format(0xFFFE, .uint16) == nil)
        #expect(SonyPropertyText.aperture.format(0xFFFF, .uint16) == nil)
    }

    @Test func `sensitivities of every kind differ`() throws {
        let words = SonyPropertyText.iso
        #expect(words.format(0x64, .uint32) == "100")
        #expect(words.format(0x1000_0040, .uint32) == "64")
        #expect(words.format(0x0100_0064, .uint32) == "100 multi-frame NR 1")
        #expect(words.format(0x02FF_FFFF, .uint32) == "Auto multi-frame NR 2")
        #expect(words.format(0x2000_0064, .uint32) == "0x20000064")
        #expect(words.parse("auto") == 0x00FF_FFFF)
        #expect(words.parse("3200") == 3200)
        #expect(words.parse("0") == nil)
    }

    @Test func `case, spaces and a name's hyphen do not matter, a sign does`() {
        #expect(PropertyNotation.key("AF-S") == PropertyNotation.key("afs"))
        #expect(PropertyNotation.key("continuous-hi") == PropertyNotation.key("Continuous Hi"))
        #expect(PropertyNotation.key("fluorescent -1") != PropertyNotation.key("fluorescent +1"))
        #expect(PropertyNotation.key("color temperature") == PropertyNotation.key("Colour Temperature"))
        for (fraction, decimal) in [("+1/3", "+0.3"), ("-1 2/3", "-1.7"), ("\u{2212}1/2", "-0.5"), ("1/3", "1/3")] {
            #expect(PropertyNotation.key(fraction) == PropertyNotation.key(decimal))
        }
        #expect(PropertyNotation.key("+1/5") == "+1/5" && PropertyNotation.key("-") == "-")
        #expect(PropertyNotation.key("fluorescent -1") != PropertyNotation.key("fluorescent 1"))
        #expect(PropertyNotation.key("bracket single 1.0 EV 2-") != PropertyNotation.key("bracket single 1.0 EV 2+"))
    }
}
