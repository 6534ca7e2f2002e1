import Exposure
import NIOCore
import PTP
import Testing

@testable import Cameras

/// Tests the tables of Nikon's values against the tables of the facts, in both directions.
struct NikonValueTests {
    // MARK: Speeds by 0xD100

    @Test func `every speed of the table has its fraction, its label and its value of 0x500D`() throws {
        for row in try #require(NikonVectors.table("shutter") as? [[String: Any]]) {
            let speed = NikonShutterSpeed(rawValue: UInt32(try #require(hexNumber(row["uint32"]))))
            let label = try #require(row["label"] as? String)
            #expect(speed.tenths == (row["exposuretime_500d"] as? Int).map(UInt32.init), "\(label)")
            guard let seconds = row["seconds"] as? Double else {
                #expect(!speed.isTimed && speed.shutterSpeed == nil && speed.exposureTime == nil, "\(label)")
                #expect(speed.description == label || speed == .flashSync, "\(label)")
                continue
            }
            #expect(
                Int(speed.numerator) == row["numerator"] as? Int && Int(speed.denominator) == row["denominator"] as? Int
            )
            let time = try #require(speed.exposureTime) / Duration.seconds(1)
            #expect(abs(time - seconds) < seconds * 0.14, "\(label): \(time)")
            let isThird = NikonShutterSpeed.thirds.contains(speed)
            #expect((speed.shutterSpeed != nil) == isThird, "\(label)")
            #expect(isThird != NikonShutterSpeed.halves.contains(speed), "\(label)")
        }
    }

    @Test func `every speed of the scale is written as Nikon bodies write it`() throws {
        let lists = try #require(NikonVectors.table("lists") as? [String: [String: Any]])
        let timed = NikonVectors.numbers(lists["z6-2"]?["d100"]).prefix(55)
        #expect(timed.map { $0 } == ShutterSpeed.all.map { NikonShutterSpeed($0).rawValue })
        for speed in ShutterSpeed.all {
            #expect(NikonShutterSpeed(speed).shutterSpeed == speed)
            #expect(NikonShutterSpeed(speed).description == speed.label)
            #expect(NikonShutterSpeed(speed).reading == .speed(speed))
        }
    }

    @Test func `the values of 0x500D follow from those of 0xD100`() throws {
        let lists = try #require(NikonVectors.table("lists") as? [String: [String: Any]])
        for (body, list) in lists {
            let fractions = NikonVectors.numbers(list["d100"]).map(NikonShutterSpeed.init(rawValue:))
            var derived: [UInt32] = []
            for value in fractions.compactMap(\.tenths) where !derived.contains(value) { derived.append(value) }
            #expect(derived == NikonVectors.numbers(list["x500d"]), "\(body)")
        }
    }

    @Test func `speeds are compared as rational numbers`() throws {
        // Other forms of 0.8″, 0.5″ and 30″.
        for (number, label) in [(0x0014_001A, "0.8\""), (0x0005_000A, "1/2"), (0x012C_000A, "30\"")]
            as [(UInt32, String)]
        {
            #expect(NikonShutterSpeed(rawValue: number).shutterSpeed?.label == label)
        }
        // The numbers of the labels, where Nikon writes 1/3, 10/16, 10/13 and 3.
        for (number, label) in [
            (0x0003_000A, "0.3\""), (0x0020_000A, "3.2\""), (0x0006_000A, "0.6\""), (0x0008_000A, "0.8\""),
        ]
            as [(UInt32, String)]
        {
            #expect(NikonShutterSpeed(rawValue: number).shutterSpeed?.label == label)
        }
        let third = NikonShutterSpeed(rawValue: 0x0001_0003)
        #expect(!third.isSameTime(as: NikonShutterSpeed(rawValue: 0x0003_000A)))
        // The special codes would be 1 and almost 1 as fractions.
        for special in [NikonShutterSpeed.bulb, .time, .flashSync] {
            #expect(!special.isSameTime(as: NikonShutterSpeed(rawValue: 0x0001_0001)))
            #expect(special.isSameTime(as: special))
        }
        for damaged: UInt32 in [0, 0x0001_0000, 0x0000_0001] {
            #expect(!NikonShutterSpeed(rawValue: damaged).isTimed)
            #expect(NikonShutterSpeed(rawValue: damaged).tenths == nil)
            #expect(NikonShutterSpeed(rawValue: damaged).description.hasPrefix("0x"))
        }
    }

    @Test func `30″ lasts 32 s, and no true time exceeds its bound`() {
        func speed(_ numerator: UInt16, _ denominator: UInt16) -> NikonShutterSpeed {
            .fraction(numerator, denominator)
        }
        #expect(speed(30, 1).exposureTime == .seconds(32))
        #expect(speed(15, 1).exposureTime == .seconds(16))
        #expect(speed(1, 60).exposureTime == .seconds(1) / 64)
        for fraction in NikonShutterSpeed.thirds + NikonShutterSpeed.halves {
            let bound = fraction.exposureTimeMax ?? .zero
            #expect(bound >= fraction.exposureTime ?? .seconds(99), "\(fraction)")
        }
        // The half stop 20″ is 2^4.5 s.
        #expect(speed(20, 1).exposureTimeMax ?? .zero > .milliseconds(22_628))
        #expect(NikonShutterSpeed.bulb.exposureTimeMax == nil)
    }

    @Test func `speeds off the scale have a label`() {
        let labels = NikonShutterSpeed.halves.map(\.description)
        let expected = [
            "1/6000", "1/3000", "1/1500", "1/750", "1/350", "1/180", "1/90", "1/45", "0.7\"", "1.5\"",
        ]
        #expect(labels == expected)
        #expect(NikonShutterSpeed(rawValue: 0x0001_3E80).description == "1/16000")
        #expect(NikonShutterSpeed(rawValue: 0x0001_3E80).reading == .other("1/16000"))
        #expect(NikonShutterSpeed.flashSync.description == "x-sync")
    }

    // MARK: Lists of speeds

    @Test func `special codes are never speeds`() {
        let list = NikonSpeedList(.fractions, [0xFFFF_FFFF, 0x0001_0001, 0xFFFF_FFFE, 0xFFFF_FFFD, 0x0002_0001, 0])
        #expect(list.speeds.map(\.label) == ["1\"", "2\""])
        #expect(list.reading(of: 0xFFFF_FFFF) == .other("Bulb"))
        #expect(list.exposureTime(of: 0xFFFF_FFFE) == nil && !list.isTimed(0xFFFF_FFFD))
        let tenths = NikonSpeedList(.tenths, [0xFFFF_FFFF, 10_000, 0xFFFF_FFFD])
        #expect(tenths.speeds.map(\.label) == ["1\""])
        #expect(tenths.reading(of: 0xFFFF_FFFD) == .other("Time"))
        #expect(tenths.exposureTime(of: 0xFFFF_FFFF) == nil)
    }

    @Test func `a speed is written in the form of the body's list, in any order and once`() throws {
        let second = try #require(ShutterSpeed(nearestToNumerator: 1, denominator: 1))
        let list = NikonSpeedList(.fractions, [0x001E_0001, 0x000A_000A, 0x0001_0001, 0x0001_00FA])
        #expect(list.speeds.map(\.label) == ["1/250", "1\"", "30\""])
        #expect(list.value(for: second) == 0x000A_000A)
        #expect(list.value(for: .fastest) == nil)
    }

    @Test func `0x500D offers one of two speeds with the same value, and names the other`() throws {
        let table = NikonSpeedList.substitutions.map { "\($0.value): \($0.shown) for \($0.hidden)" }
        #expect(table == ["1: 1/8000 for 1/6400", "2: 1/4000 for 1/5000"])
        let all = NikonVectors.profile("z6-2").descriptor(.exposureTime)
        let store = Self.store(try #require(all))
        #expect(store.speedCode == .exposureTime)
        let list = try #require(store.speedList)
        #expect(list.speeds.count == 53 && list.substitutions == NikonSpeedList.substitutions)
        let hidden = Set(list.substitutions.map(\.hidden))
        #expect(Set(list.speeds) == Set(ShutterSpeed.all).subtracting(hidden))
        for speed in hidden {
            #expect(list.value(for: speed) == nil)
            #expect(store.step(toward: speed) == .notOffered)
        }
        // A body whose fastest speed is 1/4000 has no value 1.
        let slower = NikonSpeedList(.tenths, [2, 3, 4])
        #expect(slower.substitutions.map(\.value) == [2])
        #expect(NikonSpeedList(.fractions, [1, 2]).substitutions.isEmpty)
        let text = NikonValueSentences.substitutions(list.substitutions)
        #expect(text.hasSuffix("the plan uses 1/8000 for 1/6400, 1/4000 for 1/5000"))
    }

    @Test func `in a list of half stops only the whole stops are speeds of the scale`() throws {
        let lists = try #require(NikonVectors.table("lists") as? [String: [String: Any]])
        let fractions = NikonSpeedList(.fractions, NikonVectors.numbers(lists["d7200"]?["d100"]))
        let tenths = NikonSpeedList(.tenths, NikonVectors.numbers(lists["d7200"]?["x500d"]))
        #expect(fractions.step == .halves && tenths.step == .halves)
        #expect(fractions.speeds == tenths.speeds)
        #expect(fractions.speeds.allSatisfy { $0.index % 3 == 0 } && fractions.speeds.count == 19)
        // 1/10 is the half stop between 1/8 and 1/15 here, but a third in other lists.
        #expect(fractions.reading(of: 0x0001_000A) == .other("1/10"))
        #expect(NikonSpeedList(.fractions, [0x0001_000A]).reading(of: 0x0001_000A) != .other("1/10"))
        #expect(
            [1, 2, 3, 6, 55, 6666, 1000].map(tenths.text) == [
                "1/8000", "1/4000", "1/3000", "1/1500", "1/180", "0.7\"", "1/10",
            ]
        )
        #expect(tenths.substitutions.isEmpty)
    }

    @Test func `a value of 0x500D without a speed is shown in seconds`() {
        let list = NikonSpeedList(.tenths, [7])
        #expect(list.text(of: 7) == "0.0007\"" && list.text(of: 70_123) == "7.0123\"")
        #expect(list.reading(of: 7) == .other("0.0007\""))
        #expect(list.exposureTime(of: 7) == .microseconds(700))
        #expect(list.exposureTimeMax(of: 7) ?? .zero > .microseconds(800))
        #expect(list.speeds.isEmpty && list.exposureTime(of: 0) == nil)
    }

    private static func store(_ descriptors: DevicePropDesc...) -> NikonPropertyStore {
        var store = NikonPropertyStore()
        for descriptor in descriptors { store.describe(descriptor) }
        return store
    }

    // MARK: Modes and other values

    @Test func `the modes have the names of the facts`() throws {
        let table = try #require(NikonVectors.table("program_mode") as? [String: String])
        #expect(table.count == 8)
        for (number, name) in table {
            let raw = try #require(UInt16(number) ?? hexNumber(number).map(UInt16.init(truncatingIfNeeded:)))
            #expect(NikonExposureMode(rawValue: raw).description == name)
        }
        #expect(NikonVectors.table("program_mode_property") as? String == "0x500e")
        let modes: [(UInt16, ExposureMode)] = [
            (1, .manual), (2, .program), (3, .aperturePriority), (4, .shutterPriority), (0x8050, .other("U1")),
            (0x8052, .other("U3")), (0x9999, .other("0x9999")),
        ]
        for (raw, mode) in modes { #expect(NikonExposureMode(rawValue: raw).exposureMode == mode) }
    }

    @Test func `every release mode has a kind, and only some fire one frame at once`() {
        let single = NikonReleaseMode.all.filter { $0.kind == .single }.map(\.description)
        #expect(single == ["single", "quiet"])
        for mode in NikonReleaseMode.all where mode.description.hasPrefix("continuous") {
            #expect(mode.kind == .continuous)
        }
        #expect(NikonReleaseMode(rawValue: 0x8011).kind == .selfTimer)
        #expect(NikonReleaseMode(rawValue: 0x8012).kind == .mirrorUp)
        #expect(NikonReleaseMode(rawValue: 0x9000).kind == .other)
        let keys = NikonReleaseMode.names.map { PropertyNotation.key($0.name) }
        #expect(Set(keys).count == keys.count)
    }

    @Test func `live view is free with no bit, with all bits and with a retracted lens`() {
        for free: UInt32 in [0, 0xFFFF_FFFF, 1 << 24] {
            #expect(NikonLiveViewProhibition(rawValue: free).isFree)
            #expect(NikonLiveViewProhibition(rawValue: free).reasons.isEmpty)
        }
        let prohibited = NikonLiveViewProhibition(rawValue: 1 << 14 | 1 << 24 | 1 << 31 | 1 << 3)
        #expect(!prohibited.isFree)
        #expect(prohibited.reasons == ["bit 3", "no card", "mode is not P, S, A or M"])
    }

    // MARK: Answers

    @Test func `DeviceReady is ready, busy or the failure of the action`() {
        let table: [(UInt16, NikonReadiness)] = [
            (0x2001, .ready), (0x2019, .busy), (0xA200, .bulb), (0xA201, .silentRelease), (0xA202, .movie),
            (0xA002, .failed(.focusFailed)), (0x200C, .failed(.storageFull)),
            (0x2002, .failed(.refused(operation: "DeviceReady", code: 0x2002, name: "GeneralError"))),
        ]
        for (code, answer) in table {
            #expect(NikonReadiness(ResponseCode(rawValue: code)) == answer)
            #expect(answer.isBusy == [0x2019, 0xA200, 0xA201, 0xA202].contains(code))
        }
    }

    @Test func `the busy codes of a release are no failures`() {
        for code: UInt16 in [0x2001, 0xA200, 0xA201, 0xA202] {
            #expect(NikonCaptureAnswer(ResponseCode(rawValue: code)) == .accepted)
        }
        for code: UInt16 in [0x2019, 0xA004] { #expect(NikonCaptureAnswer(ResponseCode(rawValue: code)) == .retry) }
        #expect(NikonCaptureAnswer(.nikonSecondRelease) == .secondRelease)
        #expect(NikonCaptureAnswer(.parameterNotSupported) == .oneParameter)
        #expect(NikonCaptureAnswer(.accessDenied) == .modeRefused)
        #expect(NikonCaptureAnswer(.nikonOutOfFocus) == .failed(.focusFailed))
        let unknown = NikonCaptureAnswer(ResponseCode(rawValue: 0xA0FF), of: .initiateCapture)
        #expect(unknown == .failed(.refused(operation: "InitiateCapture", code: 0xA0FF, name: "0xA0FF")))
    }

    @Test func `a failure of a capture says what to do`() {
        let codes: [UInt16] = [0x2013, 0xA001, 0xA008, 0xA009, 0xA00A, 0xA021, 0xA022, 0xA204, 0xA208]
        for code in codes {
            guard case .failed(.other(let sentence)) = NikonCaptureAnswer(ResponseCode(rawValue: code)) else {
                Issue.record("\(code.hexadecimal) is no failure with a sentence")
                continue
            }
            #expect(sentence.filter { $0 == "." }.count == 2, "\(sentence)")
        }
    }

    @Test func `a write is accepted, busy, not offered or not allowed`() {
        let table: [(UInt16, NikonWriteAnswer)] = [
            (0x2001, .accepted), (0x2019, .busy), (0x201C, .notOffered), (0xA005, .notWritable),
            (0xA004, .modeRefused), (0x200F, .modeRefused),
            (0x201B, .failed(.refused(operation: "SetDevicePropValue", code: 0x201B, name: "InvalidDevicePropFormat"))),
        ]
        for (code, answer) in table { #expect(NikonWriteAnswer(ResponseCode(rawValue: code)) == answer) }
    }

    // MARK: Quirks and the PIN

    @Test func `only the first Nikon 1 bodies are not asked for their properties`() {
        for model in ["J1", "NIKON 1 J2", "V1", "Nikon V1"] { #expect(NikonQuirks(model: model).skipsVendorList) }
        for model in ["J5", "J10", "V2", "Z 8", "D750", "", "NIKON D3X"] {
            #expect(!NikonQuirks(model: model).skipsVendorList)
        }
        #expect(NikonQuirks(model: "NIKON D3X").captureParameters == 1)
        #expect(NikonQuirks(model: "D3").captureParameters == 2)
        let five = NikonQuirks(model: "J5")
        #expect(five.needsLiveView && five.needsAutofocus)
        #expect(!NikonQuirks(model: "Z 6_2").needsLiveView)
        for model in ["Z 8", "D850", "J5"] {
            #expect(NikonQuirks(model: model).sessionMin == .seconds(1))
            #expect(NikonQuirks(model: model).reconnectPause == .milliseconds(1200))
        }
        for row in NikonQuirks.table { #expect(row.source.hasSuffix(")")) }
    }

    @Test(arguments: [
        ("31323334", "1234"), ("0031323334", "1234"), ("04303030370a", "0007"), ("3100320033003400", "1234"),
        ("0531003200330034000000", "1234"), ("0031003200330034", "1234"), ("01020304", "1234"), ("1234", "1234"),
        ("d204", "1234"), ("d2040000", "1234"), ("0700", "0700"), ("af00", "0175"),
    ])
    func `a PIN is read as ASCII, UTF-16, BCD or a number`(bytes: String, pin: String) {
        #expect(NikonPairingPIN(decoding: ByteBuffer(hex: bytes))?.digits == pin)
    }

    @Test(arguments: ["", "31", "3132333435", "31323361", "ffff", "ffffffff", "0000000000", "310032003300340035003600"])
    func `other data contain no PIN`(bytes: String) {
        #expect(NikonPairingPIN(decoding: ByteBuffer(hex: bytes)) == nil)
    }

    @Test func `long data are no PIN, and cost little`() {
        let digits = ByteBuffer(repeating: UInt8(ascii: "1"), count: 60_000)
        #expect(NikonPairingPIN(decoding: digits) == nil)
    }
}
