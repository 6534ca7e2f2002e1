import Bodies
import Cameras
import Exposure
import NIOCore
import PTP
import Testing

struct SonyBodyTests {
    // MARK: Opening

    @Test func `the RX100M7 shows the captured properties byte for byte`() throws {
        let initiator = try VirtualInitiator(model: .dscRX100M7)
        try initiator.connect()
        let reply = try #require(initiator.perform(.sdioGetAllExtDevicePropInfo, 0))
        #expect(reply.data.hex == (try Fixture.load().propertiesOfRX100M7.hex))
    }

    @Test(arguments: SonyModel.all.map(\.name))
    func `every model reports its identity and its lists`(name: String) throws {
        let model = try #require(SonyModel.named(name.lowercased()))
        let initiator = try VirtualInitiator(model: model)
        try initiator.connect()
        let info = try DeviceInfo(decoding: try #require(initiator.perform(.getDeviceInfo)).data)
        #expect(info.manufacturer == "Sony Corporation")
        #expect(info.model == name)
        #expect(SonyModel.named(model.shortName)?.name == name)
        #expect(info.serialNumber == model.serialNumber)
        #expect(info.vendorExtensionID == 0x11)
        #expect(info.properties.isEmpty)
        #expect(info.events.contains(.sonyDevicePropChanged))
        let reply = try #require(initiator.perform(.sdioGetExtDeviceInfo, 0x012C))
        let extended = try SonyExtDeviceInfo(decoding: reply.data)
        #expect(reply.parameters == [UInt32(model.version.rawValue)])
        #expect(extended.extensionVersion == model.version)
        let records = try initiator.readAll().records
        #expect(extended.properties == records.filter { $0.getSet < 0x80 }.map(\.code))
        #expect(Set(records.map(\.code)).count == records.count)
        #expect(extended.controls.contains(.fullPress))
    }

    @Test func `models differ in serial number and address`() {
        #expect(Set(SonyModel.all.map(\.serialNumber)).count == SonyModel.all.count)
        #expect(Set(SonyModel.all.map(\.macAddress)).count == SonyModel.all.count)
        #expect(SonyModel.named("EOS") == nil)
    }

    @Test func `nothing can be read or set before the three phases are done`() throws {
        let initiator = try VirtualInitiator()
        try #require(initiator.handshake())
        #expect(initiator.perform(.sdioConnect, 1)?.code == .sessionNotOpen)
        #expect(initiator.perform(.openSession, 1)?.code == .ok)
        #expect(initiator.perform(.sdioGetAllExtDevicePropInfo, 0)?.code == .accessDenied)
        #expect(initiator.perform(.sdioConnect, 4, 0, 0)?.code == .invalidParameter)
        #expect(initiator.perform(.sdioConnect, 1, 0, 0)?.data == ByteBuffer(repeating: 0, count: 8))
        #expect(initiator.perform(.sdioConnect, 2, 0, 0)?.code == .ok)
        #expect(initiator.perform(.sdioConnect, 3, 0, 0)?.code == .ok)
        #expect(initiator.perform(.sdioUndocumented920D)?.code == .ok)
        #expect(initiator.perform(.sdioGetAllExtDevicePropInfo, 0)?.code == .ok)
    }

    @Test func `before remote mode the card is present, but its pictures are not listed`() throws {
        let initiator = try VirtualInitiator { $0.shotsLeft = 42 }
        try #require(initiator.handshake())
        #expect(initiator.perform(.openSession, 1)?.code == .ok)
        #expect(initiator.perform(.getStorageIDs)?.data.hex == "0100000001000100")
        let info = try StorageInfo(decoding: try #require(initiator.perform(.getStorageInfo, 0x0001_0001)).data)
        #expect(info.freeSpaceInImages == 42)
        #expect(initiator.perform(.getStorageInfo, 7)?.code == .invalidStorageID)
        #expect(initiator.perform(.getNumObjects, .max, 0, 0)?.parameters == [0])
        #expect(initiator.perform(.getObjectHandles, 0x0001_0001, 0, 0)?.data.hex == "00000000")
        #expect(initiator.perform(.getObjectHandles, .max, 0, 0)?.code == .operationNotSupported)
    }

    @Test func `in remote mode there is no storage, and an object cannot be sent though SendObject is offered`() throws
    {
        let initiator = try VirtualInitiator()
        try initiator.connect()
        #expect(initiator.perform(.getStorageIDs)?.data.hex == "00000000")
        #expect(initiator.perform(.getStorageInfo, 0x0001_0001)?.code == .invalidStorageID)
        let info = try DeviceInfo(decoding: try #require(initiator.perform(.getDeviceInfo)).data)
        #expect(info.operations.contains(.sendObject))
        #expect(initiator.perform(.sendObject, data: bytes("FFD8FFD9"))?.code == .noValidObjectInfo)
    }

    @Test(arguments: [0x001E_0001, 0x012C_000A] as [UInt32])
    func `30 seconds are accepted as 30/1 and as 300/10, and shown as the body writes them`(sent: UInt32) throws {
        for (model, shown) in [(SonyModel.ilce7M4, 0x001E_0001), (.dscRX100M7, 0x012C_000A)] as [(SonyModel, UInt32)] {
            let initiator = try VirtualInitiator(model: model)
            try initiator.connect()
            #expect(initiator.set(.sonyShutterSpeed, .uint32(sent)) == .ok)
            initiator.advance(.seconds(1))
            #expect(try initiator.speed().rawValue == shown)
        }
    }

    @Test func `0x9209 with 1 has the changes since the last reading, the first time everything`() throws {
        let initiator = try VirtualInitiator()
        try initiator.connect()
        let codes = { () throws -> [PropertyCode] in
            let reply = try #require(initiator.perform(.sdioGetAllExtDevicePropInfo, 1))
            let dataset = SonyPropertyDataset(decoding: reply.data, version: .version3)
            #expect(dataset.damage == nil)
            return dataset.records.map(\.code)
        }
        #expect(try codes() == initiator.readAll().records.map(\.code))
        #expect(try codes() == [])
        #expect(try initiator.setSpeed("1/250") == .ok)
        initiator.advance(.seconds(1))
        #expect(try codes() == [.sonyShutterSpeed])
        #expect(try codes() == [])
        // The parameter 0, and no parameter, request all properties, also after the first reading.
        #expect(try initiator.readAll().records.count > 50)
    }

    @Test func `battery, shots left and save target are those of the options`() throws {
        let initiator = try VirtualInitiator {
            $0.batteryPercent = 55
            $0.shotsLeft = 7
            $0.saveTarget = .card
        }
        try initiator.connect()
        let dataset = try initiator.readAll()
        #expect(dataset[.sonyBatteryPercent]?.currentValue == .int8(55))
        #expect(dataset[.sonyBatteryIndicator]?.currentValue == .uint8(6))
        #expect(dataset[.sonySlot1ShotsLeft]?.currentValue == .uint32(7))
        #expect(dataset[.sonySaveTarget]?.currentValue == .uint16(0x10))
        for (percent, indicator) in [(100, 7), (76, 7), (75, 6), (50, 5), (25, 4), (6, 4), (5, 3), (0, 3), (-1, 0xFF)] {
            let other = try VirtualInitiator { $0.batteryPercent = percent }
            try other.connect()
            #expect(try other.property(.sonyBatteryIndicator).currentValue == .uint8(UInt8(indicator)))
        }
    }

    // MARK: Mode and speeds

    @Test(arguments: DialMode.allCases)
    func `the speed can be set in M and S alone`(mode: DialMode) throws {
        let initiator = try VirtualInitiator { $0.mode = mode }
        try initiator.connect()
        let program = try initiator.property(.exposureProgramMode)
        #expect(SonyExposureProgram(rawValue: UInt32(program.currentValue.integer ?? 0)).description == mode.rawValue)
        #expect(program.availability == .displayOnly)
        #expect(program.settableValues.isEmpty)
        let before = try initiator.speed()
        let isSettable = mode == .manual || mode == .shutterPriority
        #expect(try initiator.property(.sonyShutterSpeed).isWritable == isSettable)
        #expect(try initiator.property(.sonyShutterSpeed).settableValues.isEmpty == !isSettable)
        #expect(try initiator.setSpeed("1/500") == .ok)
        initiator.advance(.seconds(1))
        #expect(try initiator.speed().label == (isSettable ? "1/500" : before.label))
    }

    @Test func `the model's speeds are the third stops and BULB, and a configured list replaces them`() throws {
        let own = try VirtualInitiator()
        try own.connect()
        let values = try own.property(.sonyShutterSpeed).settableValues.compactMap(\.integer)
        let speeds = values.map { SonyShutterSpeed(rawValue: UInt32($0)) }
        #expect(speeds.count == 56)
        #expect(speeds.first == .bulb)
        #expect(speeds[1].label == "30\"")
        #expect(speeds.last?.label == "1/8000")

        let short = try VirtualInitiator { $0.speeds = (try? SpeedListText.parse("1/60..2s")) ?? [] }
        try short.connect()
        #expect(try short.property(.sonyShutterSpeed).settableValues.count == 22)
        #expect(try short.setSpeed("1/125") == .ok)
        short.advance(.seconds(1))
        #expect(try short.speed().label == "1/60")

        // If the list does not contain the model's own speed, the body starts in the middle of the list.
        let other = try VirtualInitiator { $0.speeds = (try? SpeedListText.parse("2s,4s,8s")) ?? [] }
        try other.connect()
        #expect(try other.speed().label == "4\"")
    }

    @Test func `with the position key the mode can be set remotely`() throws {
        let initiator = try VirtualInitiator { $0.mode = .program }
        try initiator.connect()
        #expect(initiator.set(.exposureProgramMode, .uint32(1)) == .ok)
        initiator.advance(.seconds(1))
        #expect(initiator.camera.mode == .program)
        #expect(initiator.set(.sonyPositionKey, .uint8(1)) == .ok)
        initiator.advance(.seconds(1))
        #expect(try initiator.property(.exposureProgramMode).isWritable)
        #expect(initiator.set(.exposureProgramMode, .uint32(1)) == .ok)
        initiator.advance(.seconds(1))
        #expect(initiator.camera.mode == .manual)
        #expect(try initiator.property(.sonyShutterSpeed).isWritable)
    }

    @Test func `a set shows after the readback delay, and reports a change`() throws {
        let initiator = try VirtualInitiator()
        try initiator.connect()
        initiator.advance(.seconds(1))
        initiator.events = []
        #expect(try initiator.setSpeed("1/250") == .ok)
        initiator.advance(.milliseconds(149))
        #expect(try initiator.speed().label == "1/60")
        #expect(initiator.events.isEmpty)
        initiator.advance(.milliseconds(1))
        #expect(try initiator.speed().label == "1/250")
        initiator.advance(.milliseconds(20))
        #expect(initiator.events.map(\.event) == [PTPEvent(code: .sonyDevicePropChanged, parameters: [0])])
    }

    @Test func `the last of several sets wins`() throws {
        let initiator = try VirtualInitiator()
        try initiator.connect()
        for text in ["1/250", "1/500", "1/1000"] {
            #expect(try initiator.setSpeed(text) == .ok)
            initiator.advance(.milliseconds(100))
        }
        #expect(try initiator.speed().label == "1/60")
        initiator.advance(.milliseconds(50))
        #expect(try initiator.speed().label == "1/1000")
    }

    @Test func `invalid sets are refused by name`() throws {
        let initiator = try VirtualInitiator()
        try initiator.connect()
        #expect(initiator.set(PropertyCode(rawValue: 0xDFFF), .uint8(1)) == .devicePropNotSupported)
        #expect(initiator.set(.sonyShootingFileInfo, .uint16(0)) == .accessDenied)
        #expect(initiator.set(.sonyShutterSpeed, .uint16(1)) == .invalidDevicePropFormat)
        #expect(initiator.set(.sonyShutterSpeed, .uint64(1)) == .invalidDevicePropFormat)
        // The speed is not in the list. The body answers OK and does nothing (alpha-fairy).
        #expect(initiator.set(.sonyShutterSpeed, .uint32(0x0001_0007)) == .ok)
        #expect(initiator.set(.focusMode, .uint16(0x7777)) == .ok)
        initiator.advance(.seconds(1))
        #expect(try initiator.speed().label == "1/60")
        #expect(try initiator.property(.focusMode).currentValue == .uint16(1))
        let control = UInt32(0xD2C0)
        #expect(initiator.perform(.sdioControlDevice, control, data: bytes("0200"))?.code == .parameterNotSupported)
        let half = UInt32(SonyControl.halfPress.rawValue)
        for hex in ["", "02", "0000", "0300"] {
            #expect(initiator.perform(.sdioControlDevice, half, data: bytes(hex))?.code == .invalidParameter)
        }
        #expect(initiator.perform(.sdioControlDevice, 0xD2C3, data: bytes("0200"))?.code == .ok)
    }
}
