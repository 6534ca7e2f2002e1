import Exposure
import NIOCore
import PTP
import Testing

@testable import Cameras

/// Tests the driver's reading of the properties of 21 real bodies.
struct NikonProfileTests {
    @Test(arguments: NikonVectors.profiles)
    func `a body's values have names, and its speeds are speeds of its list`(body: NikonProfile) throws {
        let store = body.store
        let status = store.status
        let list = store.speedList ?? NikonSpeedList(.fractions, [])
        for speed in status.speeds {
            let value = try #require(list.value(for: speed))
            #expect(list.values.contains(value) && list.speed(of: value) == speed)
        }
        #expect(status.speeds == status.speeds.sorted() && Set(status.speeds).count == status.speeds.count)
        for state in store.states {
            #expect(state.value?.hasPrefix("0x") != true, "\(state)")
            #expect(!state.choices.contains { $0.hasPrefix("0x") }, "\(state)")
            // The present value is one of the choices, except for a switch on the lens and a lens without aperture.
            if let value = state.value, state.isWritable, state.property != .focusMode {
                #expect(state.choices.contains(value), "\(state)")
            }
        }
        if !body.descriptors.isEmpty {
            #expect(store.mode?.description.hasPrefix("0x") == false)
            #expect((1...100).contains(try #require(status.batteryPercent)))
        }
    }

    /// Body, mode, whether the speed can be set, the number of speeds, the present speed.
    private static let speeds: [(String, ExposureMode, Bool, Int, String)] = [
        ("z5", .manual, true, 55, "1/8000"), ("z6-2", .manual, true, 55, "1/400"), ("z7", .manual, true, 55, "1/400"),
        ("d850", .manual, true, 55, "0.8\""), ("d6", .manual, true, 55, "1/60"),
        ("d7500", .shutterPriority, true, 55, "1\""), ("z6", .program, false, 55, "1/25"),
        ("d780", .aperturePriority, false, 55, "1/25"), ("z30", .other("Auto"), false, 52, "1/250"),
        ("d750", .program, false, 23, "1/25"), ("d500", .program, false, 27, "1/13"),
        ("d5600", .aperturePriority, false, 22, "1/30"), ("d7200", .aperturePriority, false, 19, "1/3"),
        ("j5", .manual, false, 55, "1/4000"),
    ]

    @Test(arguments: speeds.map(\.0))
    func `the speeds are those of the facts`(name: String) throws {
        let row = try #require(Self.speeds.first { $0.0 == name })
        let store = NikonVectors.profile(name).store
        #expect(store.status.mode == row.1 && store.status.speedIsWritable == row.2)
        #expect(store.speedCode == .nikonShutterSpeed)
        #expect(store.speeds.count == row.3)
        // A D7200 in half stops shows 1/3, which is no speed of the scale.
        #expect(store.speed?.description == (name == "d7200" ? "0.3\"" : row.4))
        if case .other = store.speed { #expect(name == "d7200") }
    }

    @Test func `a list with thirds and halves together is one of thirds`() {
        let list = NikonVectors.profile("j5").store.speedList
        #expect(list?.step == .thirds && list?.values.count == 72)
        #expect(NikonVectors.profile("d7200").store.speedList?.step == .halves)
    }

    @Test func `the newest bodies show one value of 0x500D without their own properties`() {
        for name in ["z6-iii", "z9", "zf"] {
            let store = NikonVectors.profile(name).store
            #expect(store.speedCode == .exposureTime && store.speeds.count == 1 && !store.isSpeedWritable)
        }
        #expect(NikonVectors.profile("z6-iii").store.status.modeName == "U1")
        #expect(NikonVectors.profile("zf").store.speed?.description == "1/2000")
    }

    @Test(arguments: NikonVectors.profiles.filter { $0.descriptor(.compressionSetting) != nil })
    func `the quality of a body is in one of two numberings`(body: NikonProfile) throws {
        let quality = try #require(body.store[.compressionSetting])
        let numbering = NikonQuality.Numbering(quality.choices)
        let texts = quality.choices.map { NikonQuality($0, numbering).text }
        #expect(!texts.contains(nil))
        // Only bodies that record TIFF list it. This proves the newer numbering.
        #expect(texts.contains("TIFF") == body.recordsTIFF)
        #expect(texts.contains("RAW") && texts.contains("JPEG fine") && texts.contains("RAW+JPEG fine"))
        // A body with ★ has it for each size of the JPEG.
        let stars = texts.compactMap { $0 }.filter { $0.hasSuffix("*") }
        #expect(stars.isEmpty || stars.count == 6)
    }

    @Test func `the quality says which files a picture has`() {
        func kinds(_ name: String) -> Set<PictureInfo.Kind>? { NikonVectors.profile(name).store.status.fileKinds }
        #expect(kinds("z7") == [.raw])
        #expect(kinds("d7200") == [.raw])
        #expect(kinds("d5600") == [.raw, .jpeg])
        #expect(kinds("z9") == [.raw, .jpeg])
        #expect(kinds("z6") == [.jpeg])
        #expect(kinds("d850") == [.other])
        #expect(NikonQuality(99, .older).kinds == nil)
    }

    @Test func `shots left and noise reduction are read`() {
        #expect(NikonVectors.profile("d750").store.status.shotsLeft == 553)
        #expect(NikonVectors.profile("z6-2").store.status.shotsLeft == 16_251)
        #expect(NikonVectors.profile("z9").store.status.shotsLeft == nil)
        #expect(NikonVectors.profile("d850").store.status.noiseReduction == .on)
        #expect(NikonVectors.profile("d6").store.status.noiseReduction == .off)
        #expect(NikonVectors.profile("zf").store.status.noiseReduction == .unknown)
        #expect(NikonVectors.profile("d3500").store.liveViewProhibition?.isFree == false)
        #expect(NikonVectors.profile("d5600").store.liveViewProhibition?.isFree == true)
        #expect(NikonVectors.profile("j5").store.isLiveViewOn == false)
    }

    // MARK: Operations

    /// Body, generation, list of properties, events, whether a part of a file can be read by 0x9431.
    private static let abilities: [(String, NikonGeneration, NikonVendorList, NikonEventForm, Bool)] = [
        ("d5300", .dslr, .twoByte, .short, false), ("d750", .dslr, .twoByte, .short, false),
        ("d810", .dslr, .twoByte, .short, false), ("d4s", .dslr, .twoByte, .short, false),
        ("z6", .firstZ, .twoByte, .extended, true), ("z6-2", .secondZ, .twoByte, .extended, true),
        ("d780", .secondZ, .twoByte, .extended, true), ("z9", .thirdZ, .fourByte, .extended, true),
    ]

    @Test(arguments: abilities.map(\.0))
    func `the generation of a body follows from its operations`(name: String) throws {
        let row = try #require(Self.abilities.first { $0.0 == name })
        let body = NikonVectors.profile(name)
        let abilities = NikonAbilities(operations: body.operations, quirks: NikonQuirks(model: body.model))
        #expect(abilities.generation == row.1 && abilities.vendorList == row.2 && abilities.events == row.3)
        #expect(abilities.partialReads == [.getPartialObject] + (row.4 ? [.nikonGetPartialObjectEx] : []))
        #expect(abilities.release == .toMedia && abilities.hasCameraMode)
        #expect(!abilities.canPair)
        let mode = abilities.applicationMode(properties: body.descriptors.map(\.code))
        #expect(mode == (row.1 == .dslr ? .none : row.1 == .firstZ ? .property : .operation))
    }

    @Test func `every dump with operations has a row`() {
        let names = NikonVectors.profiles.filter { !$0.operations.isEmpty }.map(\.name)
        #expect(Set(names) == Set(Self.abilities.map(\.0)))
    }

    @Test func `a body is asked only for what it advertises`() {
        let bare = NikonAbilities()
        #expect(bare.vendorList == nil && bare.events == nil && bare.release == nil && bare.partialReads.isEmpty)
        #expect(bare.generation == .dslr && bare.applicationMode(properties: [.nikonApplicationMode]) == .none)
        // A P1100 has 0x941C alone, and no list of its own properties.
        let compact: [OperationCode] = [.nikonGetEventEx, .nikonCapture, .initiateCapture, .getPartialObject]
        let abilities = NikonAbilities(operations: compact)
        #expect(abilities.events == .extended && abilities.vendorList == nil && !abilities.canPair)
        let standard = NikonAbilities(operations: [.initiateCapture, .nikonGetEvent])
        #expect(standard.release == .standard && standard.events == .short)
        let paired = NikonAbilities(operations: [.nikonGetPairingInfo, .nikonConfirmPairing])
        #expect(paired.canPair)
        #expect(!NikonAbilities(operations: [.nikonGetPairingInfo]).canPair)
        // 0x90CA crashes the first Nikon 1 bodies.
        let first = NikonQuirks(model: "J1")
        #expect(NikonAbilities(operations: [.nikonGetVendorPropCodes], quirks: first).vendorList == nil)
    }
}
