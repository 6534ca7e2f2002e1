import Exposure
import NIOCore
import PTP
import Testing

@testable import Cameras

/// Tests the store of properties: what a body reports, what can be set, and the steps toward a value.
struct NikonPropertyTests {
    private static func store(_ descriptors: DevicePropDesc...) -> NikonPropertyStore {
        var store = NikonPropertyStore()
        for descriptor in descriptors { store.describe(descriptor) }
        return store
    }

    private static func set(
        _ text: String,
        _ property: CameraProperty,
        in store: NikonPropertyStore
    ) -> NikonPropertyStep {
        NikonPropertyRow.row(of: property).step(toward: text, in: store)
    }

    // MARK: Reports

    @Test func `every descriptor of the vectors is read as it was built`() throws {
        for vector in NikonVectors.descriptors {
            let descriptor = try DevicePropDesc(decoding: vector.bytes)
            #expect(descriptor.encoded() == vector.bytes && descriptor.code == vector.property, "\(vector.name)")
            var store = NikonPropertyStore()
            try store.note(descriptor: vector.bytes, of: vector.property, at: .seconds(3))
            guard NikonPropertyStore.used.contains(vector.property) else {
                #expect(vector.property == .nikonApplicationMode && store[vector.property] == nil)
                continue
            }
            let entry = try #require(store[vector.property], "\(vector.name)")
            #expect(entry.value == descriptor.currentValue.integer && entry.type == descriptor.type)
            #expect(entry.isWritable == descriptor.isWritable && entry.reportedAt == .seconds(3))
            if case .enumeration(let values) = descriptor.form { #expect(entry.choices == values.map(\.integer)) }
        }
    }

    @Test func `a value is read by the type of its descriptor`() throws {
        var store = Self.store(DevicePropDesc(.nikonShutterSpeed, .uint32, 0x0001_00FA, [0x0001_00FA, 0x0001_0001]))
        let revision = store.revision
        try store.note(value: ByteBuffer(hex: "fa000100"), of: .nikonShutterSpeed, at: .seconds(1))
        #expect(store.revision == revision && store[.nikonShutterSpeed]?.reportedAt == .seconds(1))
        try store.note(value: ByteBuffer(hex: "01000100"), of: .nikonShutterSpeed, at: .seconds(2))
        #expect(store.revision == revision + 1 && store.speed?.description == "1\"")
        #expect(throws: NikonValueError.self) {
            try store.note(value: ByteBuffer(hex: "0100"), of: .nikonShutterSpeed, at: .seconds(3))
        }
        #expect(store.speed?.description == "1\"")
        // The type of a value without a descriptor is not known.
        try store.note(value: ByteBuffer(hex: "64"), of: .batteryLevel, at: .zero)
        #expect(store.batteryPercent == nil)
    }

    @Test func `a property that the body no longer has is forgotten`() {
        var store = Self.store(
            DevicePropDesc(.nikonShutterSpeed, .uint32, 0x0001_0001, [0x0001_0001]),
            DevicePropDesc(.exposureTime, .uint32, 10_000, [10_000, 20_000])
        )
        #expect(store.speedCode == .nikonShutterSpeed && store.speeds.count == 1)
        store.noteMissing(.nikonShutterSpeed)
        #expect(store.speedCode == .exposureTime && store.speeds.count == 2)
        store.noteMissing(.exposureTime)
        #expect(store.speedCode == nil && store.speed == nil && store.status.speeds.isEmpty)
        let revision = store.revision
        store.noteMissing(.exposureTime)
        #expect(store.revision == revision)
    }

    @Test func `properties that the driver does not use need no memory`() throws {
        var store = NikonPropertyStore()
        for code in UInt16(0xD000)...0xD2FF {
            store.describe(DevicePropDesc(PropertyCode(rawValue: code), .uint8, 1))
        }
        #expect(store.revision == NikonPropertyStore.used.filter { (0xD000...0xD2FF).contains($0.rawValue) }.count)
        #expect(Set(NikonPropertyStore.used).count == NikonPropertyStore.used.count)
    }

    @Test func `a changed mode changes the lists of the exposure`() {
        let changed = NikonPropertyStore.affected(by: .exposureProgramMode)
        for code in [PropertyCode.exposureProgramMode, .nikonShutterSpeed, .exposureTime, .fNumber, .nikonISO] {
            #expect(changed.filter { $0 == code }.count == 1)
        }
        #expect(NikonPropertyStore.affected(by: .exposureTime).contains(.nikonShutterSpeed))
        #expect(NikonPropertyStore.affected(by: .nikonShotsLeft) == [.nikonShotsLeft])
        #expect(NikonPropertyStore.affected(by: PropertyCode(rawValue: 0xD303)).isEmpty)
    }

    // MARK: Damage

    @Test func `a descriptor that is cut at any byte is an error, and the store keeps what it knows`() throws {
        let vector = NikonVectors.vector("nikon_z6_2_prop_desc_d100")
        var store = NikonPropertyStore()
        try store.note(descriptor: vector.bytes, of: .nikonShutterSpeed, at: .zero)
        for length in 0..<vector.bytes.readableBytes {
            // A dataset may end before the form flag. The property then has no list.
            if length == 13 { continue }
            let cut = try #require(vector.bytes.getSlice(at: vector.bytes.readerIndex, length: length))
            let error = #expect(throws: NikonValueError.self) {
                try store.note(descriptor: cut, of: .nikonShutterSpeed, at: .seconds(1))
            }
            #expect(error?.sentence.contains("ExposureTime cannot be read: ") == true)
        }
        #expect(store.speeds.count == 55 && store[.nikonShutterSpeed]?.reportedAt == .zero)
    }

    /// The bytes of a descriptor of 0xD100, and the reason of the error.
    private static let damaged: [(String, String)] = [
        // 0xFFFF values are declared, and one is there.
        ("00d1060001010001000100010002ffff01000100", "65535 elements are more than the 4 bytes left"),
        // An unknown type.
        ("00d199000100000000", "unknown data type 0x0099"),
        // A string without an end.
        ("00d1ffff01ff41004200", "255 elements are more than the 4 bytes left"),
        // An array without an end.
        ("00d1064001ffffffff00000000", "4294967295 elements are more than the 4 bytes left"),
        // An unknown form.
        ("00d106000101000100010001000907", "unknown form flag 0x09"),
        // Another property.
        ("0d50060001010000000100000000", "the camera answered with that of ExposureTime"),
        // A type that is no number: one character.
        ("00d1ffff0101410001410000", "string is not a known type for it"),
        // A number of 128 bits that fits into no number of the driver.
        (
            "00d10a0001ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00",
            "uint128 is not a known type for it"
        ),
    ]

    @Test(arguments: damaged)
    func `a false descriptor is an error with a reason`(bytes: String, reason: String) {
        var store = NikonPropertyStore()
        let error = #expect(throws: NikonValueError.self) {
            try store.note(descriptor: ByteBuffer(hex: bytes), of: .nikonShutterSpeed, at: .zero)
        }
        #expect(error?.sentence.hasSuffix(reason) == true, "\(error?.sentence ?? "")")
        #expect(store[.nikonShutterSpeed] == nil && store.revision == 0)
    }

    @Test func `a list with more values than any body has is an error`() {
        let values = (0...Int64(NikonPropertyStore.choicesMax)).map { $0 }
        var store = NikonPropertyStore()
        let data = DevicePropDesc(.nikonISO, .uint32, 1, values).encoded()
        #expect(throws: NikonValueError.tooManyValues(.nikonISO, count: 1025, limit: 1024)) {
            try store.note(descriptor: data, of: .nikonISO, at: .zero)
        }
    }

    @Test(arguments: [
        (Int64(0), Int64(2), Int64(1), [Int64(0), 1, 2]), (1, 100, 33, [1, 34, 67, 100]), (0, 5, 0, []), (5, 0, 1, []),
        (0, Int64(UInt32.max), 1, []),
    ])
    func `a short range is a list, and a long or false one is not`(min: Int64, max: Int64, step: Int64, list: [Int64]) {
        func value(_ number: Int64) -> PTPValue { .uint32(UInt32(number)) }
        let form = DevicePropDesc.Form.range(min: value(min), max: value(max), step: value(step))
        var descriptor = DevicePropDesc(.nikonISO, .uint32, 1)
        descriptor.form = form
        #expect(Self.store(descriptor)[.nikonISO]?.choices == list)
    }

    @Test func `the span of a range can exceed 64 bits`() {
        var descriptor = DevicePropDesc(.nikonISO, .int64, 1)
        descriptor.form = .range(min: .int64(.min), max: .int64(.max), step: .int64(1))
        #expect(Self.store(descriptor)[.nikonISO]?.choices == [])
    }

    // MARK: The speed

    @Test func `a speed is confirmed by the time that the body shows, in any form`() throws {
        let second = try #require(ShutterSpeed(nearestToNumerator: 1, denominator: 1))
        // The list has 1/1, and the body shows 10/10.
        let store = Self.store(DevicePropDesc(.nikonShutterSpeed, .uint32, 0x000A_000A, [0x0001_0001, 0x001E_0001]))
        #expect(store.step(toward: second) == .shown)
        let write = NikonPropertyWrite(.nikonShutterSpeed, .uint32(0x001E_0001))
        #expect(store.step(toward: .slowest) == .write(write))
        #expect(write.encoded == ByteBuffer(hex: "01001e00"))
        #expect(store.step(toward: .fastest) == .notOffered)
    }

    @Test func `a speed that the body shows but does not offer is no choice`() {
        let store = Self.store(DevicePropDesc(.nikonShutterSpeed, .uint32, 0xFFFF_FFFF, [0x0001_0001, 0xFFFF_FFFF]))
        #expect(store.status.speed == .other("Bulb") && store.exposureTimeMax == nil)
        let state = NikonPropertyRow.row(of: .shutterSpeed).state(in: store)
        #expect(state?.value == "Bulb" && state?.choices == ["1\""])
        #expect(Self.set("Bulb", .shutterSpeed, in: store) == .notOffered)
    }

    @Test func `a read-only speed has no choices`() {
        let store = Self.store(
            DevicePropDesc(.nikonShutterSpeed, .uint32, 0x0001_0001, [0x0001_0001], isWritable: false),
            DevicePropDesc(.exposureTime, .uint32, 10_000, [10_000])
        )
        #expect(!store.isSpeedWritable && !store.status.speedIsWritable)
        // 0x500D is never used beside 0xD100.
        let state = NikonPropertyRow.row(of: .shutterSpeed).state(in: store)
        #expect(state == PropertyState(property: .shutterSpeed, value: "1\""))
    }

    // MARK: Neutral properties

    @Test func `each property has its notation, and a choice leads back to its number`() throws {
        for profile in NikonVectors.profiles {
            let store = profile.store
            for row in NikonPropertyRow.table {
                guard let state = row.state(in: store), let code = row.code(in: store) else { continue }
                #expect(
                    Set(state.choices).count == state.choices.count,
                    "\(profile.name) \(row.property): \(state.choices)"
                )
                for choice in state.choices where choice != "Auto" || row.property != .iso {
                    let step = row.step(toward: choice, in: store)
                    if case .write(let write) = step, write.code == code {
                        let number = try #require(write.value.integer)
                        #expect(store[code]?.choices.contains(number) == true && number != store.number(code))
                    } else {
                        #expect(step == .shown || state.value == "Auto", "\(profile.name) \(row.property) \(choice)")
                    }
                }
            }
        }
    }

    @Test func `values are written as users write them`() {
        let store = NikonVectors.profile("z6-2").store
        let bias = NikonPropertyWrite(.exposureBiasCompensation, .int16(-1666))
        #expect(Self.set("-1.7", .exposureCompensation, in: store) == .write(bias))
        #expect(Self.set("0", .exposureCompensation, in: store) == .shown)
        let aperture = NikonPropertyWrite(.fNumber, .uint16(280))
        #expect(Self.set("F/2.8", .aperture, in: store) == .write(aperture))
        #expect(Self.set("f/2.9", .aperture, in: store) == .notOffered)
        let shade = NikonPropertyWrite(.whiteBalance, .uint16(0x8011))
        #expect(Self.set("Shade", .whiteBalance, in: store) == .write(shade))
        #expect(Self.set("card", .saveTarget, in: store) == .shown)
        let both = NikonPropertyWrite(.nikonRecordingMedia, .uint8(2))
        #expect(Self.set("host and card", .saveTarget, in: store) == .write(both))
    }

    @Test func `a number of the ISO also ends the automatic ISO`() {
        var store = Self.store(
            DevicePropDesc(.nikonISO, .uint32, 100, [100, 200]),
            DevicePropDesc(.exposureIndex, .uint16, 100, [100, 200]),
            DevicePropDesc(.nikonAutoISO, .uint8, 1, [0, 1])
        )
        let state = NikonPropertyRow.row(of: .iso).state(in: store)
        #expect(state?.value == "Auto" && state?.choices == ["100", "200", "Auto"])
        #expect(store.status.isISOAuto == true && store.status.iso == "Auto")
        let number = NikonPropertyWrite(.nikonISO, .uint32(200))
        #expect(Self.set("200", .iso, in: store) == .write(number))
        store.describe(DevicePropDesc(.nikonISO, .uint32, 200, [100, 200]))
        #expect(Self.set("200", .iso, in: store) == .write(NikonPropertyWrite(.nikonAutoISO, .uint8(0))))
        store.describe(DevicePropDesc(.nikonAutoISO, .uint8, 0, [0, 1]))
        #expect(Self.set("200", .iso, in: store) == .shown && store.status.iso == "200")
        #expect(Self.set("auto", .iso, in: store) == .write(NikonPropertyWrite(.nikonAutoISO, .uint8(1))))
        store.noteMissing(.nikonAutoISO)
        #expect(Self.set("auto", .iso, in: store) == .notOffered)
    }

    @Test func `the focus mode is written where the body allows it`() {
        // D-SLR bodies have one focus mode for the viewfinder, and one for live view. Z bodies have only the latter.
        #expect(NikonPropertyRow.row(of: .focusMode).code(in: NikonVectors.profile("d7200").store) == .nikonFocusMode)
        let z6 = NikonVectors.profile("z6").store
        #expect(NikonPropertyRow.row(of: .focusMode).code(in: z6) == .nikonLiveViewFocusMode)
        #expect(NikonPropertyRow.row(of: .focusMode).code(in: NikonVectors.profile("zf").store) == .focusMode)
        #expect(z6.status.isManualFocus == true && z6.status.focusMode == "MF")
        // A lens that is switched to MF cannot be switched back from here.
        let d850 = NikonVectors.profile("d850").store
        #expect(d850.number(.nikonFocusMode) == 3 && d850.isManualFocus == true)
        #expect(Self.set("MF", .focusMode, in: d850) == .shown)
        let state = NikonPropertyRow.row(of: .focusMode).state(in: d850)
        #expect(state?.choices == ["AF-S", "AF-C", "AF-A", "MF"], "\(state?.choices ?? [])")
        let lens = Self.store(DevicePropDesc(.nikonFocusMode, .uint8, 4, [0, 4]))
        #expect(lens.isManualFocus == true && lens.status.focusMode == "MF")
    }

    @Test func `the drive mode has its kind`() {
        let d850 = NikonPropertyRow.row(of: .drive).state(in: NikonVectors.profile("d850").store)
        #expect(d850?.value == "self-timer" && d850?.driveKind == .selfTimer && d850?.isWritable == false)
        let z5 = NikonPropertyRow.row(of: .drive).state(in: NikonVectors.profile("z5").store)
        #expect(z5?.driveMode == DriveMode(kind: .single, name: "single") && z5?.isWritable == true)
    }

    @Test func `pictures to this computer alone are reported`() {
        let host = Self.store(DevicePropDesc(.nikonRecordingMedia, .uint8, 1, [0, 1, 2]))
        #expect(host.status.savesToHostAlone && host.status.saveTarget == "host")
        let both = Self.store(DevicePropDesc(.nikonRecordingMedia, .uint8, 2, [0, 1, 2]))
        #expect(!both.status.savesToHostAlone && both.status.saveTarget == "host and card")
        #expect(NikonPropertyStore().status.saveTarget == nil)
    }

    @Test func `a body without properties has no state and an unknown status`() {
        let store = NikonPropertyStore()
        #expect(store.states.isEmpty && store.status == CameraStatus(mode: .other("unknown mode")))
        for row in NikonPropertyRow.table { #expect(row.step(toward: "1", in: store) == .notOffered) }
    }
}
