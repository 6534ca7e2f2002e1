import Bodies
import Cameras
import PTP
import Testing

/// Bodies of extension version 3, from which a client requests version 2, as libgphoto2 2.5.30 does.
@Suite struct SonySpokenVersionTests {
    private static func initiator(
        _ model: SonyModel = .ilce7M4,
        asking version: UInt32
    ) throws -> (VirtualInitiator, SonyPropertyDataset) {
        let initiator = try VirtualInitiator(model: model)
        try initiator.connect()
        let info = try #require(initiator.perform(.sdioGetExtDeviceInfo, version))
        let spoken = try #require(try SonyExtDeviceInfo(decoding: info.data).extensionVersion)
        let reading = try #require(initiator.perform(.sdioGetAllExtDevicePropInfo, 0))
        return (initiator, SonyPropertyDataset(decoding: reading.data, version: spoken))
    }

    @Test func `a body in version 2 shows single lists, short numbers, and the speed as a value`() throws {
        let (_, dataset) = try Self.initiator(.dscRX100M7, asking: 0x00C8)
        #expect(dataset.damage == nil)
        #expect(dataset.records.allSatisfy { if case .enumeration(_, .some) = $0.form { false } else { true } })
        #expect(dataset[.exposureProgramMode]?.currentValue == .uint16(1))
        #expect(dataset[.compressionSetting] != nil)
        #expect(dataset[.sonyShutterSpeed]?.settableValues == [])
        #expect(dataset[.sonyShutterSpeedVersion2]?.settableValues.contains(.uint32(0x0001_007D)) == true)
    }

    @Test func `a body in version 2 takes the speed as a value and by notches`() throws {
        let (initiator, _) = try Self.initiator(.dscRX100M7, asking: 0x00C8)
        let speeds = { initiator.log.filter { $0.contains("speed is") } }
        #expect(initiator.set(.sonyShutterSpeedVersion2, .uint32(0x0001_007D)) == .ok)
        initiator.advance(.seconds(1))
        #expect(speeds().last?.contains("1/125") == true)
        #expect(initiator.step(.sonyShutterSpeed, -3) == .ok)
        initiator.advance(.seconds(1))
        #expect(speeds().last?.contains("1/60") == true)
    }

    /// The source is LGD sony-a7m4: no 0xD229, and 0xD20D from 1/8000 to 30/1.
    @Test func `an ILCE-7M4 in version 2 takes the speed by notches alone`() throws {
        let (initiator, dataset) = try Self.initiator(asking: 0x00C8)
        #expect(dataset[.sonyShutterSpeedVersion2] == nil)
        #expect(initiator.set(.sonyShutterSpeedVersion2, .uint32(0x0001_007D)) == .devicePropNotSupported)
        for (property, notches) in [(PropertyCode.sonyShutterSpeed, 3), (.fNumber, 1)] as [(PropertyCode, Int8)] {
            #expect(initiator.step(property, notches) == .ok)
        }
        initiator.advance(.seconds(1))
        #expect(initiator.log.last { $0.contains("speed is") }?.contains("1/125") == true)
        let reply = try #require(initiator.perform(.sdioGetAllExtDevicePropInfo, 0))
        let reading = SonyPropertyDataset(decoding: reply.data, version: .version2)
        #expect(reading[.fNumber]?.currentValue == .uint16(900))
    }

    @Test(arguments: [0, 0x012C, 0x0136] as [UInt32])
    func `a body that is asked for its own version or a later one uses its own`(asked: UInt32) throws {
        let (initiator, dataset) = try Self.initiator(asking: asked)
        #expect(dataset.damage == nil)
        #expect(dataset[.sonyShutterSpeed]?.settableValues.isEmpty == false)
        #expect(dataset[.sonyShutterSpeedVersion2] == nil)
        #expect(initiator.set(.sonyShutterSpeedVersion2, .uint32(0x0001_007D)) == .devicePropNotSupported)
    }
}
