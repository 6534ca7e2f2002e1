import Cameras
import Exposure
import NIOCore
import PTP
import Testing

/// Tests the tables of Canon's values against the tables of the facts, in both directions.
struct CanonValueTests {
    // MARK: Speed

    @Test func `every byte of the speed table has its label and its time`() throws {
        let table = CanonVectors.table("tv")
        #expect(table.count == CanonShutterSpeed.rows.count)
        for row in table {
            let raw = UInt32(try #require(hexNumber(row["byte"])))
            let speed = CanonShutterSpeed(rawValue: raw)
            #expect(speed.isTimed)
            #expect(speed.description == row["label"] as? String, "\(raw)")
            let ideal = try #require(row["ideal_s"] as? Double)
            let time = try #require(speed.exposureTime) / Duration.seconds(1)
            #expect(abs(time - ideal) < ideal / 1000, "\(raw): \(time)")
            let isThird = row["grid"] as? String != "half" && raw != 0xA8
            #expect((speed.shutterSpeed != nil) == isThird, "\(raw)")
            if let shown = speed.shutterSpeed { #expect(CanonShutterSpeed(shown) == speed) }
        }
    }

    @Test func `every speed of the scale has a byte`() {
        for speed in ShutterSpeed.all {
            #expect(CanonShutterSpeed(speed).shutterSpeed == speed)
            #expect(CanonShutterSpeed(speed).reading == .speed(speed))
        }
        #expect(CanonShutterSpeed(.fastest).rawValue == 0xA0)
        #expect(CanonShutterSpeed(.slowest).rawValue == 0x10)
    }

    @Test func `values that are no timed speed are never a speed`() throws {
        let timed = Set(CanonShutterSpeed.rows.map(\.raw))
        for raw in UInt32(0)...0xFF where !timed.contains(raw) {
            let speed = CanonShutterSpeed(rawValue: raw)
            #expect(speed.shutterSpeed == nil && speed.exposureTime == nil && !speed.isTimed, "\(raw)")
        }
        for special in CanonVectors.table("tv_special") {
            let raw = UInt32(try #require(hexNumber(special["byte"])))
            #expect(CanonShutterSpeed(rawValue: raw).shutterSpeed == nil)
        }
        #expect(CanonShutterSpeed.bulb.text == "Bulb")
        #expect(CanonShutterSpeed.absent.text == nil)
        // An R10 in P lists this value.
        #expect(CanonShutterSpeed(rawValue: 0x1500).text == nil)
        // Two sources write 1/5000 as 0x9A.
        for wrong in CanonVectors.table("tv_wrong_in_sources") where wrong["claimed"] as? String == "1/5000" {
            #expect(!CanonShutterSpeed(rawValue: UInt32(try #require(hexNumber(wrong["byte"])))).isTimed)
        }
    }

    @Test func `the lists of real bodies are the scale, slowest first, perhaps with bulb`() {
        for list in CanonVectors.speedLists() {
            let speeds = list.map(CanonShutterSpeed.init(rawValue:)).filter { $0 != .bulb }.map(\.shutterSpeed)
            #expect(!speeds.contains(nil))
            #expect(speeds.compactMap { $0 } == speeds.compactMap { $0 }.sorted(by: >))
        }
    }

    // MARK: Other values

    @Test func `every aperture has its label`() throws {
        for row in CanonVectors.table("av") {
            let raw = UInt32(try #require(hexNumber(row["value"])))
            #expect(CanonAperture(rawValue: raw).text == row["label"] as? String)
        }
        for raw: UInt32 in [0, 0xB0, 0xFF, 0xFFFF] { #expect(CanonAperture(rawValue: raw).text == nil) }
        #expect(CanonAperture(rawValue: 0x99).text == "0x00000099")
    }

    @Test func `every ISO has its number`() throws {
        for row in CanonVectors.table("iso") {
            let raw = UInt32(try #require(hexNumber(row["value"])))
            let iso = CanonISO(rawValue: raw)
            #expect(iso.text == (raw <= 1 ? "Auto" : row["label"] as? String))
            #expect(iso.isAuto == (raw <= 1))
        }
        for wrong in CanonVectors.table("tv_wrong_in_sources") where wrong["claimed"] as? String == "ISO 640" {
            #expect(CanonISO(rawValue: UInt32(try #require(hexNumber(wrong["byte"])))).text == "500")
        }
    }

    @Test func `every mode and every drive mode has a name`() throws {
        for row in CanonVectors.table("ae_mode") {
            let mode = CanonExposureMode(rawValue: UInt32(try #require(hexNumber(row["value"]))))
            #expect(!mode.description.hasPrefix("0x"))
        }
        #expect(CanonExposureMode.manual.exposureMode == .manual)
        #expect(CanonExposureMode.timeValue.exposureMode == .shutterPriority)
        #expect(CanonExposureMode(rawValue: 7).exposureMode == .other("C1"))
        for row in CanonVectors.table("drive") {
            let drive = CanonDriveMode(rawValue: UInt32(try #require(hexNumber(row["value"]))))
            #expect(!drive.description.hasPrefix("0x"))
        }
        let kinds: [String: DriveKind] = ["single": .single, "continuous": .continuous, "self-timer": .selfTimer]
        for (drive, name) in CanonDriveMode.names {
            #expect(drive.kind == kinds[String(name.prefix { $0 != " " })] ?? .other, "\(name)")
        }
        #expect(CanonDriveMode.single.description == "single")
        #expect(Set(CanonDriveMode.names.map { PropertyNotation.key($0.name) }).count == CanonDriveMode.names.count)
    }

    @Test func `exposure compensation is a signed byte in eighths of a stop`() {
        let texts: [(UInt32, String)] = [
            (0, "0"), (0x03, "+0.3"), (0x04, "+0.5"), (0x05, "+0.7"), (0x08, "+1.0"), (0xF8, "-1.0"), (0xFD, "-0.3"),
            (0xFB, "-0.7"), (0xD8, "-5.0"), (0xFFFF_FFF8, "-1.0"), (0xF3, "-1.7"),
        ]
        for (raw, text) in texts { #expect(CanonExposureCompensation(rawValue: raw).text == text) }
        #expect(CanonExposureCompensation(rawValue: 0x01).text == "0x00000001")
    }

    @Test func `the card alone is chosen from the body's list, the present slot first`() {
        func choose(_ present: UInt32, _ list: [UInt32]) -> UInt32? {
            CanonSaveTarget(rawValue: present).onCardAlone(among: list.map(CanonSaveTarget.init(rawValue:)))?.rawValue
        }
        #expect(choose(4, [2, 4, 6]) == 2)
        #expect(choose(6, [2, 4, 6]) == 2)
        #expect(choose(4, [1, 5, 4]) == 1)
        #expect(choose(6, [1, 5, 2, 6, 4]) == 2)
        #expect(choose(1, [1, 5, 2, 6, 4]) == 1)
        // A 200D without a card offers this computer alone.
        #expect(choose(4, [4]) == nil)
    }

    @Test func `a save target names its slot only if the body has two`() {
        let two = [1, 5, 2, 6, 4].map { CanonSaveTarget(rawValue: $0) }
        #expect(two.map { $0.text(among: two) } == ["card 1", "host and card 1", "card 2", "host and card 2", "host"])
        let one = [2, 4, 6].map { CanonSaveTarget(rawValue: $0) }
        #expect(one.map { $0.text(among: one) } == ["card", "host", "host and card"])
    }

    @Test func `the battery reports steps`() {
        #expect([0, 1, 2, 4, 5].map { CanonBattery(rawValue: $0)?.percent } == [10, 50, 100, 75, 25])
        #expect(CanonBattery(rawValue: 3) == nil)
    }

    @Test func `an image format is read and written in words`() {
        let fine: [UInt32] = [1, 16, 1, 0, 3]
        let both: [UInt32] = [2, 16, 6, 0, 4, 16, 1, 0, 3]
        #expect(CanonImageFormat(fine[...])?.text == "JPEG L fine")
        #expect(CanonImageFormat(both[...])?.text == "RAW+JPEG L fine")
        #expect(CanonImageFormat(both[...])?.kinds == [.raw, .jpeg])
        #expect(CanonImageFormat(both[...])?.words == both)
        #expect(CanonImageFormat([1, 16, 6, 2, 4])?.text == "sRAW")
        #expect(CanonImageFormat([1, 16, 6, 0, 3])?.text == "cRAW")
        #expect(CanonImageFormat([3, 16, 1, 0, 3]) == nil)
        #expect(CanonImageFormat([2, 16, 6, 0, 4]) == nil)
        #expect(CanonImageFormat([]) == nil)
    }

    @Test func `a write is the bytes that libgphoto2 and a real 60D have`() {
        let speed = CanonPropertyWrite(.canonShutterSpeed, [CanonShutterSpeed(rawValue: 0x78).rawValue])
        #expect(speed.encoded == CanonVectors.bytes("canon_set_prop_ex_tv_1_250"))
        let host = CanonPropertyWrite(.canonSaveTarget, [4])
        #expect(host.encoded == CanonVectors.bytes("eos_60d_set_prop_9110_data_out"))
        let card = CanonPropertyWrite(.canonSaveTarget, [2])
        #expect(card.encoded == CanonVectors.bytes("eos_60d_set_prop_9110_data_out_tid383"))
    }

    // MARK: Bodies

    @Test(arguments: CanonVectors.operations)
    func `every real body with remote control has a release`(body: CanonOperations) {
        let operations = body.codes.map(OperationCode.init(rawValue:))
        let quirks = CanonQuirks(model: body.model)
        let isEOSM = body.model.hasPrefix("Canon EOS M")
        #expect(quirks.pressesBothStages == isEOSM)
        #expect(quirks.remoteMode == (isEOSM && body.model != "Canon EOS M6 Mark II" ? 0x15 : 1))
        let release = quirks.release(operations)
        // The first EOS M and the 350D cannot be released.
        let isSilent = ["Canon EOS M", "Canon EOS 350D DIGITAL"].contains(body.model)
        #expect((release == nil) == isSilent, "\(body.model)")
        let isOld = operations.contains(.canonRemoteRelease) && !operations.contains(.canonPress)
        #expect((release == .single) == isOld)
    }
}
