import Bodies
import Cameras
import Exposure
import NIOCore
import PTP
import Testing

/// Bodies of extension version 2.
struct SonySteppingTests {
    private func body(
        _ faults: String...,
        model: SonyModel = .ilce6400,
        options change: (inout BodyOptions) -> Void = { _ in }
    ) throws -> VirtualInitiator {
        let parsed = try faults.map { try Fault(parsing: $0) }
        let initiator = try VirtualInitiator(model: model) {
            $0.faults = parsed
            change(&$0)
        }
        try initiator.connect()
        return initiator
    }

    @Test func `a body of version 2 shows one list per enumeration and short numbers`() throws {
        let initiator = try body()
        let dataset = try initiator.readAll()
        for record in dataset.records {
            guard case .enumeration(_, let supported) = record.form else { continue }
            #expect(supported == nil, "\(record.code)")
        }
        #expect(dataset[.exposureProgramMode]?.currentValue == .uint16(1))
        #expect(dataset[.stillCaptureMode]?.currentValue == .uint16(1))
        #expect(dataset[.stillCaptureMode]?.settableValues.contains(.uint16(0x8311)) == true)
        #expect(dataset[.sonyFileFormat] == nil)
        #expect(dataset[PropertyCode(rawValue: 0xD252)] == nil)
        let speed = try #require(dataset[.sonyShutterSpeed])
        #expect(speed.getSet == 0)
        #expect(speed.form == .range(min: .uint32(0), max: .uint32(.max), step: .uint32(1)))
        #expect(dataset[PropertyCode(rawValue: 0xD2C1)]?.getSet == 0x81)
        // The body accepts and ignores a set of a property that moves only by notches. It refuses an unknown property
        // with the code for that.
        #expect(try initiator.setSpeed("1/125") == .ok)
        initiator.advance(.seconds(1))
        #expect(try initiator.speed().label == "1/60")
        #expect(initiator.set(.sonyShutterSpeedVersion2, .uint32(0x0001_007D)) == .devicePropNotSupported)
    }

    @Test func `a notch shows after the time of a move, and positive means faster`() throws {
        let initiator = try body()
        #expect(initiator.step(.sonyShutterSpeed, 1) == .ok)
        initiator.advance(.milliseconds(599))
        #expect(try initiator.speed().label == "1/60")
        initiator.advance(.milliseconds(1))
        #expect(try initiator.speed().label == "1/80")
        #expect(initiator.step(.sonyShutterSpeed, -3) == .ok)
        initiator.advance(.seconds(1))
        #expect(try initiator.speed().label == "1/40")
        // Two commands come before the first one shows. Both count.
        _ = initiator.step(.sonyShutterSpeed, 1)
        _ = initiator.step(.sonyShutterSpeed, 1)
        initiator.advance(.seconds(1))
        #expect(try initiator.speed().label == "1/60")
    }

    @Test(arguments: [
        (SonyStepping.Accuracy.exact, Int8(10), "1/640"), (.short(by: 2), 10, "1/400"), (.short(by: 2), 1, "1/80"),
        (.capped(at: 4), 10, "1/160"), (.capped(at: 4), -10, "1/25"), (.exact, 0, "1/60"), (.exact, 127, "1/4000"),
        (.exact, -128, "BULB"),
    ])
    func `jumps end at the limit of the body's accuracy, and at the ends of its list`(
        accuracy: SonyStepping.Accuracy,
        notches: Int8,
        label: String
    ) throws {
        var model = SonyModel.ilce6400
        model.stepAccuracy = accuracy
        let initiator = try body(model: model)
        #expect(initiator.step(.sonyShutterSpeed, notches) == .ok)
        initiator.advance(.seconds(1))
        #expect(try initiator.speed().label == label)
    }

    @Test func `from one end of its list to the other an ILCE-6400 takes four rounds`() throws {
        let initiator = try body()
        _ = initiator.step(.sonyShutterSpeed, -127)
        for _ in 0..<3 {
            initiator.advance(.seconds(1))
            _ = initiator.step(.sonyShutterSpeed, -127)
        }
        initiator.advance(.seconds(1))
        #expect(try initiator.speed().label == "BULB")
        _ = initiator.step(.sonyShutterSpeed, 1)
        initiator.advance(.seconds(1))
        var rounds = 0
        while try initiator.speed().label != "1/4000", rounds < 10 {
            _ = initiator.step(.sonyShutterSpeed, 51)
            initiator.advance(.milliseconds(600))
            rounds += 1
        }
        #expect(rounds == 4)
    }

    @Test func `sensitivity, aperture and compensation move by notches too`() throws {
        let initiator = try body()
        #expect(initiator.step(.sonyISO, 3) == .ok)
        #expect(initiator.step(.fNumber, -2) == .ok)
        #expect(initiator.step(.exposureBiasCompensation, 1) == .ok)
        initiator.advance(.seconds(1))
        let dataset = try initiator.readAll()
        #expect(dataset[.sonyISO]?.currentValue == .uint32(200))
        #expect(dataset[.fNumber]?.currentValue == .uint16(630))
        #expect(dataset[.exposureBiasCompensation]?.currentValue == .int16(300))
        #expect(initiator.step(.whiteBalance, 1) == .parameterNotSupported)
        #expect(initiator.perform(.sdioControlDevice, 0xD20D, data: bytes("0100"))?.code == .invalidParameter)
        #expect(initiator.perform(.sdioControlDevice, 0xD20D, data: ByteBuffer())?.code == .invalidParameter)
    }

    @Test func `nothing moves while the body is busy, and faults of sets apply to notches`() throws {
        let initiator = try body("ignore-set@1", "wrong-speed@1=2s,times=1")
        _ = initiator.step(.sonyShutterSpeed, 1)
        initiator.advance(.seconds(1))
        #expect(try initiator.speed().label == "1/60")
        _ = initiator.step(.sonyShutterSpeed, 1)
        initiator.advance(.seconds(1))
        #expect(try initiator.speed().label == "2\"")
        _ = initiator.press()
        initiator.advance(.seconds(3))
        #expect(try initiator.fileInfo() == .ready(1))
        _ = initiator.step(.sonyShutterSpeed, 1)
        initiator.advance(.seconds(1))
        #expect(try initiator.speed().label == "2\"")
        #expect(try initiator.property(.sonyShutterSpeed).availability == .displayOnly)
    }

    @Test func `a body with 0xD229 takes the speed as a value`() throws {
        let initiator = try body(model: .zvE10)
        let record = try initiator.property(.sonyShutterSpeedVersion2)
        #expect(record.settableValues.first == .uint32(0x012C_000A))
        #expect(record.settableValues.last == .uint32(0x0001_1F40))
        #expect(initiator.set(.sonyShutterSpeedVersion2, .uint32(0x0050_000A)) == .ok)
        initiator.advance(.milliseconds(200))
        #expect(try initiator.speed().label == "8\"")
        #expect(try initiator.property(.sonyShutterSpeedVersion2).currentValue == .uint32(0x0050_000A))
        // The body moves one notch less than the command requests.
        _ = initiator.step(.sonyShutterSpeed, 4)
        initiator.advance(.seconds(1))
        #expect(try initiator.speed().label == "4\"")
    }

    @Test(arguments: [(UInt8(3), 1), (16, 1), (18, 2), (19, 2), (20, 2)])
    func `0x5004 says which files a picture has`(quality: UInt8, files: Int) throws {
        let initiator = try body()
        #expect(initiator.set(.compressionSetting, .uint8(quality)) == .ok)
        initiator.advance(.seconds(1))
        initiator.press()
        initiator.advance(.seconds(2))
        #expect(try initiator.fileInfo() == .ready(files))
    }

    @Test func `the dial's mode is shown in 16 bits`() throws {
        let initiator = try body { $0.mode = .shutterPriority }
        #expect(try initiator.property(.exposureProgramMode).currentValue == .uint16(4))
        _ = initiator.step(.sonyShutterSpeed, 3)
        initiator.advance(.seconds(1))
        #expect(try initiator.speed().label == "1/125")
        let automatic = try body { $0.mode = .aperturePriority }
        #expect(automatic.step(.sonyShutterSpeed, 3) == .ok)
        automatic.advance(.seconds(1))
        #expect(try automatic.speed().label == "1/60")
    }
}
