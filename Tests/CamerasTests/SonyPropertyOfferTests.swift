import Cameras
import NIOCore
import PTP
import Testing

/// The neutral properties that follow from a body's records.
struct SonyPropertyOfferTests {
    private static let dataset = SonyPropertyDataset(decoding: SonyVectors.propertiesOfRX100M7, version: .version3)

    private static func properties(
        _ version: SonyExtensionVersion = .version3,
        _ change: (inout [SonyPropertyRecord]) -> Void = { _ in }
    ) -> SonyProperties {
        var records = dataset.records
        change(&records)
        var properties = SonyProperties()
        properties.update(SonyPropertyDataset(records: records), version: version)
        return properties
    }

    private static func record(
        _ code: PropertyCode,
        _ value: PTPValue,
        getSet: UInt8 = 1,
        _ form: SonyPropertyRecord.Form = .none
    ) -> SonyPropertyRecord {
        SonyPropertyRecord(code: code, getSet: getSet, defaultValue: value, currentValue: value, form: form)
    }

    private static func properties(of records: [SonyPropertyRecord], _ version: SonyExtensionVersion) -> SonyProperties
    {
        var properties = SonyProperties()
        properties.update(SonyPropertyDataset(records: records), version: version)
        return properties
    }

    @Test func `the table has one row for each property of PTP bodies`() {
        #expect(SonyPropertyRow.table.map(\.property) == Array(CameraProperty.allCases.prefix(9)))
    }

    @Test func `a real RX100 VII shows nine properties as its display does`() {
        var properties = Self.properties()
        let states = properties.takeChanges()
        #expect(states.map(\.property) == SonyPropertyRow.table.map(\.property))
        let values = states.map { $0.value ?? "nothing" }
        #expect(values == ["1/15", "Auto", "f/2.8", "0", "auto", "single", "AF-A", "JPEG fine", "host"])
        #expect(states.map(\.isWritable) == [true, true, true, true, true, true, true, true, false])
        #expect(states.map(\.choices.count) == [62, 45, 13, 19, 15, 46, 5, 7, 0])
        #expect(states[3].choices.first == "+3.0")
        #expect(states.map(\.driveMode) == values.map { $0 == "single" ? DriveMode(kind: .single, name: $0) : nil })
        #expect(states[7].choices.prefix(3) == ["RAW", "RAW+JPEG extra fine", "RAW+JPEG fine"])
    }

    @Test func `every choice of a real body is distinct and means the body's own value`() throws {
        let codes: [CameraProperty: PropertyCode] = [
            .shutterSpeed: .sonyShutterSpeed, .iso: .sonyISO, .aperture: .fNumber,
            .exposureCompensation: .exposureBiasCompensation, .whiteBalance: .whiteBalance,
            .drive: .stillCaptureMode, .focusMode: .focusMode,
        ]
        let properties = Self.properties()
        for (property, code) in codes {
            let offer = try #require(properties[property])
            let values = try #require(Self.dataset[code]?.settableValues)
            #expect(Set(offer.state.choices).count == values.count)
            for (choice, value) in zip(offer.state.choices, values) {
                let option = try #require(offer.option(for: choice))
                #expect(option.writes.map(\.code) == [code])
                #expect(option.writes.map(\.value) == [value], "\(property) \(choice)")
            }
        }
    }

    @Test(
        arguments: [
            (.shutterSpeed, "1/3", "0.3\""), (.shutterSpeed, "0.5s", "1/2"), (.shutterSpeed, "bulb", "BULB"),
            (.shutterSpeed, "1/32000", "1/32000"), (.iso, "64", "64"), (.iso, "AUTO", "Auto"), (.aperture, "4", "f/4"),
            (.exposureCompensation, "+1", "+1.0"), (.focusMode, "afs", "AF-S"),
            (.drive, "Self-Timer 2 s", "self-timer 2 s"),
            (.quality, "raw+jpeg FINE", "RAW+JPEG fine"), (.whiteBalance, "0x8012", "colour temperature"),
        ] as [(CameraProperty, String, String)]
    )
    func `a choice may be written in other ways`(property: CameraProperty, text: String, choice: String) throws {
        let offer = try #require(Self.properties()[property])
        #expect(offer.option(for: text)?.text == choice)
    }

    @Test(
        arguments: [
            (.shutterSpeed, "1/3000"), (.iso, "105"), (.aperture, "f/22"), (.exposureCompensation, "+5"),
            (.focusMode, "PF"), (.whiteBalance, "sepia"), (.quality, "RAW+HEIF"), (.drive, ""),
            (.drive, String(repeating: "a", count: 100_000)),
        ] as [(CameraProperty, String)]
    )
    func `a value that is not offered is no choice`(property: CameraProperty, text: String) throws {
        #expect(try #require(Self.properties()[property]).option(for: text) == nil)
    }

    @Test func `a value that is not available now is not reported, and cannot be set`() throws {
        let properties = Self.properties { records in
            for index in records.indices { records[index].availability = .disabled }
        }
        for property in SonyPropertyRow.table.map(\.property) {
            let state = try #require(properties[property]).state
            #expect(state == PropertyState(property: property, value: nil))
        }
    }

    @Test func `a value behind a dial with priority is shown and cannot be set`() throws {
        let properties = Self.properties { records in
            for index in records.indices { records[index].availability = .displayOnly }
        }
        let state = try #require(properties[.iso]).state
        #expect(state == PropertyState(property: .iso, value: "Auto"))
    }

    // MARK: Quality

    @Test func `quality is two properties, written in order`() throws {
        let offer = try #require(Self.properties()[.quality])
        let option = try #require(offer.option(for: "RAW+JPEG light") ?? offer.option(for: "RAW+JPEG standard"))
        #expect(option.writes.map(\.code) == [.sonyFileFormat, .sonyJPEGQuality])
        #expect(option.writes.map(\.value) == [.uint8(2), .uint8(3)])
        #expect(offer.option(for: "RAW")?.writes.map(\.code) == [.sonyFileFormat])
    }

    @Test func `while a body shoots RAW alone its JPEG qualities are those that it supports`() throws {
        let properties = Self.properties { records in
            for index in records.indices {
                if records[index].code == .sonyFileFormat { records[index].currentValue = .uint8(1) }
                if records[index].code == .sonyJPEGQuality {
                    records[index].availability = .disabled
                    records[index].form = .enumeration(settable: [], supported: [.uint8(2), .uint8(4)])
                }
            }
        }
        let state = try #require(properties[.quality]).state
        #expect(state.value == "RAW")
        #expect(state.choices == ["RAW", "RAW+JPEG fine", "RAW+JPEG light", "JPEG fine", "JPEG light"])
    }

    @Test func `a body that locks its file format still accepts the JPEG quality`() throws {
        let properties = Self.properties { records in
            for index in records.indices where records[index].code == .sonyFileFormat {
                records[index].availability = .displayOnly
            }
        }
        let offer = try #require(properties[.quality])
        #expect(offer.state.choices == ["JPEG extra fine", "JPEG fine", "JPEG standard"])
        #expect(offer.option(for: "JPEG standard")?.writes.map(\.code) == [.sonyJPEGQuality])
    }

    // MARK: Version 2

    @Test func `version 2 bodies have drive modes of 16 bits, and may not list them`() throws {
        let listed = Self.record(
            .stillCaptureMode,
            .uint16(1),
            .enumeration(settable: [.uint16(1), .uint16(0x8311)], supported: nil)
        )
        let offer = try #require(Self.properties(of: [listed], .version2)[.drive])
        #expect(offer.state.choices == ["single", "bracket continuous 1.0 EV 3"])
        #expect(offer.option(for: "bracket continuous 1.0 EV 3")?.writes.first?.value == .uint16(0x8311))
        let bare = try #require(Self.properties(of: [Self.record(.stillCaptureMode, .uint16(1))], .version2)[.drive])
        #expect(bare.state.choices.isEmpty)
        #expect(bare.option(for: "continuous lo")?.writes.first?.value == .uint16(0x8012))
        #expect(bare.option(for: "nonsense") == nil)
    }

    @Test func `version 2 bodies have one property for format and quality, with the names of version 3`() throws {
        let record = Self.record(
            .compressionSetting,
            .uint8(0x10),
            .enumeration(settable: [.uint8(0x10), .uint8(0x13)], supported: nil)
        )
        let offer = try #require(Self.properties(of: [record], .version2)[.quality])
        #expect(offer.state.value == "RAW")
        #expect(offer.state.choices == ["RAW", "RAW+JPEG fine"])
        #expect(offer.option(for: "raw+jpeg FINE")?.writes.first?.value == .uint8(0x13))
        // The number still selects the value, as it did before the value had a name.
        #expect(offer.option(for: "0x13")?.writes.first?.value == .uint8(0x13))
    }

    @Test func `version 2 bodies move what they call read-only, and the speed absolutely if they list 0xD229`()
        throws
    {
        let speed = Self.record(
            .sonyShutterSpeed,
            .uint32(0x0001_003C),
            getSet: 0,
            .range(min: .uint32(0), max: .uint32(.max), step: .uint32(1))
        )
        let iso = Self.record(.sonyISO, .uint32(100), getSet: 0)
        let walked = Self.properties(of: [speed, iso], .version2)
        #expect(try #require(walked[.iso]).state == PropertyState(property: .iso, value: "100", isWritable: true))
        #expect(walked[.iso]?.option(for: "200")?.writes.first?.value == .uint32(200))
        #expect(walked[.shutterSpeed]?.state.value == "1/60")
        let absolute = Self.record(.sonyShutterSpeedVersion2, .uint32(0x0001_003C))
        let written = try #require(Self.properties(of: [speed, absolute], .version2)[.shutterSpeed])
        #expect(written.option(for: "1/125")?.writes.map(\.code) == [.sonyShutterSpeedVersion2])
        // In version 3 this code means something else, so the driver never writes it.
        #expect(Self.properties(of: [absolute], .version3)[.shutterSpeed] == nil)
    }

    // MARK: Forms

    @Test func `a short range is listed, a long one is checked`() throws {
        let range = SonyPropertyRecord.Form.range(min: .int16(-1000), max: .int16(1000), step: .int16(500))
        let short = Self.record(.exposureBiasCompensation, .int16(0), range)
        let offer = try #require(Self.properties(of: [short], .version3)[.exposureCompensation])
        #expect(offer.state.choices == ["-1.0", "-0.5", "0", "+0.5", "+1.0"])
        let all = SonyPropertyRecord.Form.range(min: .int16(-30000), max: .int16(30000), step: .int16(100))
        let long = try #require(
            Self.properties(of: [Self.record(.exposureBiasCompensation, .int16(0), all)], .version3)[
                .exposureCompensation
            ]
        )
        #expect(long.state.choices.isEmpty)
        #expect(long.option(for: "+0.3")?.writes.first?.value == .int16(300))
        #expect(long.option(for: "+0.25") == nil)
        #expect(long.option(for: "+31") == nil)
    }

    @Test(arguments: [
        SonyPropertyRecord.Form.range(min: .int64(.min), max: .int64(.max), step: .int64(1)),
        .range(min: .int64(5), max: .int64(-5), step: .int64(1)),
        .range(min: .int64(0), max: .int64(5), step: .int64(0)),
        .range(min: .int64(0), max: .int64(5), step: .int64(-1)),
        .range(min: .string(""), max: .string("x"), step: .string("")),
        .enumeration(settable: [.string("x")], supported: []),
    ])
    func `an invalid form gives no choices and no trap`(form: SonyPropertyRecord.Form) throws {
        let record = Self.record(.exposureBiasCompensation, .int64(0), form)
        let offer = try #require(Self.properties(of: [record], .version3)[.exposureCompensation])
        #expect(offer.state.choices.isEmpty)
        for text in ["0", "+1", "-9"] { _ = offer.option(for: text) }
    }

    @Test func `a list without end is cut`() throws {
        let values = (0..<20_000).map { PTPValue.uint16(UInt16($0)) }
        let record = Self.record(.whiteBalance, .uint16(2), .enumeration(settable: values, supported: []))
        let state = try #require(Self.properties(of: [record], .version3)[.whiteBalance]).state
        #expect(state.choices.count == 512)
    }

    // MARK: Changes

    @Test func `only a change is reported, and a value that disappears is reported once`() {
        var properties = Self.properties()
        _ = properties.takeChanges()
        #expect(properties.takeChanges().isEmpty)
        var records = Self.dataset.records
        records.removeAll { $0.code == .fNumber }
        for index in records.indices where records[index].code == .focusMode {
            records[index].currentValue = .uint16(1)
        }
        properties.update(SonyPropertyDataset(records: records), version: .version3)
        let changes = properties.takeChanges()
        #expect(changes.map(\.property) == [.aperture, .focusMode])
        #expect(changes.map(\.value) == [nil, "MF"])
        #expect(properties.takeChanges().isEmpty)
    }

    @Test func `values that a damaged reading lacks stay unchanged`() throws {
        var properties = Self.properties()
        _ = properties.takeChanges()
        let bytes = SonyVectors.propertiesOfRX100M7
        for length in stride(from: 0, to: bytes.readableBytes, by: 7) {
            let short = try #require(bytes.getSlice(at: 0, length: length))
            properties.update(SonyPropertyDataset(decoding: short, version: .version3), version: .version3)
            #expect(properties.takeChanges().isEmpty)
        }
    }
}
