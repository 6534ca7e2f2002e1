import Bodies
import Cameras
import Exposure
import NIOCore
import PTP
import Testing

struct NikonBodyTests {
    // MARK: Captured values

    @Test(arguments: [
        "5007", "500d", "500e", "500f", "5010", "5013", "d056", "d06b", "d0b4", "d100", "d10b", "d1a4", "d1f1",
    ])
    func `a Z 6II in M describes its properties as its dump has them`(code: String) throws {
        let initiator = try VirtualInitiator.nikon()
        try initiator.connectNikon()
        let number = try #require(UInt16(code, radix: 16))
        let reply = try #require(initiator.perform(.getDevicePropDesc, UInt32(number)))
        #expect(reply.data.hex == (try NikonFixture.hex("nikon_z6_2_prop_desc_\(code)")))
    }

    @Test(arguments: ["5007", "500d", "500e", "500f", "5010", "d056", "d0b4", "d100", "d1f0", "d1f1"])
    func `a D850 in M describes its properties as its dump has them`(code: String) throws {
        let initiator = try VirtualInitiator.nikon(model: .d850)
        try initiator.connectNikon()
        let number = try #require(UInt16(code, radix: 16))
        let reply = try #require(initiator.perform(.getDevicePropDesc, UInt32(number)))
        #expect(reply.data.hex == (try NikonFixture.hex("nikon_d850_prop_desc_\(code)")))
    }

    @Test func `with half steps the lists are those of a D7200`() throws {
        var model = NikonModel.d850
        model.hasHalfSteps = true
        let initiator = try VirtualInitiator.nikon(model: model)
        try initiator.connectNikon()
        let captured = try DevicePropDesc(decoding: bytes(try NikonFixture.hex("nikon_d7200_prop_desc_d100")))
        let description = try initiator.description(of: 0xD100)
        guard case .enumeration(let own) = description.form, case .enumeration(let real) = captured.form else {
            Issue.record("no lists: \(description)")
            return
        }
        #expect(own.prefix(real.count) == real[...])
        #expect(own.count == real.count + 3)
        #expect(description.isWritable)
        // 1/1.5 s is no speed of the third-stop scale.
        try initiator.expose("0f000a00")
        #expect(initiator.camera.card.first?.exposure == .seconds(1) * 10 / 15)
    }

    // MARK: Sessions

    @Test(arguments: NikonModel.all.map(\.name))
    func `every model connects, answers and fires`(name: String) throws {
        let model = try #require(NikonModel.named(name))
        let initiator = try VirtualInitiator.nikon(model: model) { $0.shotsLeft = 100 }
        try #require(initiator.handshake())
        let info = try DeviceInfo(decoding: try #require(initiator.perform(.getDeviceInfo)).data)
        #expect(info.manufacturer == "Nikon Corporation" && info.model == name)
        #expect(info.serialNumber == model.serialNumber && info.serialNumber.count == 32)
        // Vendor properties are not in the description.
        #expect(info.properties.allSatisfy { $0.rawValue < 0xD000 || $0.rawValue == 0xD303 })
        #expect([6, 0xFFFF_FFFF].contains(info.vendorExtensionID))
        initiator.hangUp(initiator.event)
        initiator.hangUp(initiator.command)
        try initiator.connectNikon()
        let isExtended = !initiator.hasShortLists
        #expect(isExtended == (name == "ZR"))
        _ = try initiator.listEvents(extended: isExtended)
        try initiator.expose("f4010100")
        let events = try initiator.listPictures(extended: isExtended)
        let files: [UInt32] = name == "ZR" ? [0x2064_0001, 0x1064_0001] : [0x2064_0001]
        let objects = ([0x0064_0000] + files).map { VirtualInitiator.ListedEvent(0x4002, $0) }
        #expect(events == objects + [VirtualInitiator.ListedEvent(0x400D)])
        #expect(initiator.value(of: 0xD1F1) == "63000000")
        #expect(initiator.camera.card.map(\.label) == ["1/500"])
        initiator.advance(.seconds(1))
        for handle in files {
            let reply = try #require(initiator.perform(.getObjectInfo, handle))
            let info = try ObjectInfo(decoding: reply.data)
            #expect(info.format == (handle & 0x2000_0000 == 0 ? 0x3000 : 0x3801))
            #expect(info.filename == (handle & 0x2000_0000 == 0 ? "DSC_0001.NEF" : "DSC_0001.JPG"))
            #expect(info.parentObject == 0x0064_0000)
            let part = try #require(initiator.perform(.getPartialObject, handle, 0, 0x10_0000))
            #expect(part.data.readableBytes == Int(info.compressedSize))
            #expect(part.parameters == [info.compressedSize])
        }
        let folder = try ObjectInfo(decoding: try #require(initiator.perform(.getObjectInfo, 0x0064_0000)).data)
        #expect(folder.format == 0x3001 && folder.filename == "100\(model.folderSuffix)")
    }

    @Test func `a Z 6II also sends its events as packets, other bodies do not`() throws {
        for (model, count) in [(NikonModel.z62, 1), (.d850, 0), (.z8, 0)] {
            let initiator = try VirtualInitiator.nikon(model: model)
            try initiator.connectNikon()
            try initiator.expose("f4010100")
            #expect(initiator.count(EventCode(rawValue: 0x400D)) == count)
        }
    }

    @Test func `no body announces itself`() {
        for model in NikonModel.all {
            let camera = model.row.camera(BodyOptions())
            #expect(camera.body.discovery(at: .loopback(2), port: 64321) == nil)
        }
    }

    @Test func `hostile names are in every text that a body sends`() throws {
        let model = NikonModel.z62.withHostileNames
        let initiator = try VirtualInitiator.nikon(model: model)
        try initiator.connectNikon()
        let info = try DeviceInfo(decoding: try #require(initiator.perform(.getDeviceInfo)).data)
        for text in [info.manufacturer, info.model, info.deviceVersion, info.serialNumber] {
            #expect(text.contains("owned"))
        }
        try initiator.expose("f4010100")
        let file = try ObjectInfo(decoding: try #require(initiator.perform(.getObjectInfo, 0x2064_0001)).data)
        #expect(file.filename.hasPrefix("../../../.DSC_0001"))
    }

    @Test func `models differ in serial number and address`() throws {
        #expect(Set(NikonModel.all.map(\.serialNumber)).count == NikonModel.all.count)
        #expect(Set(NikonModel.all.map(\.macAddress)).count == NikonModel.all.count)
        let other = try #require(NikonModel.z8.identified(as: "A1"))
        #expect(other.macAddress != NikonModel.z8.macAddress)
        #expect(NikonModel.z8.identified(as: "000") == nil)
        #expect(NikonModel.named("eos-80d") == nil)
    }

    @Test func `the vendor list has two bytes per code before the third generation, and four from then on`() throws {
        let old = try VirtualInitiator.nikon()
        try old.connectNikon()
        let short = try #require(old.perform(.nikonGetVendorPropCodes)).data.hex
        #expect(short.hasPrefix("0f00000054d056d061d0"))
        #expect(old.perform(.nikonGetVendorCodes, 0x0D)?.code == .operationNotSupported)
        let new = try VirtualInitiator.nikon(model: .z8)
        try new.connectNikon()
        #expect(new.perform(.nikonGetVendorPropCodes)?.code == .operationNotSupported)
        #expect(new.perform(.nikonGetVendorCodes, 0)?.code == .invalidParameter)
        let long = try #require(new.perform(.nikonGetVendorCodes, 0x0D)).data.hex
        #expect(long.hasPrefix("1100000054d0000056d00000"))
        #expect(long.hasSuffix("01d0010002d00100"))
    }

    @Test func `a third-generation body needs the application mode or the remote mode`() throws {
        for model in NikonModel.all {
            let initiator = try VirtualInitiator.nikon(model: model)
            try #require(initiator.handshake())
            #expect(initiator.perform(.openSession, 1)?.code == .ok)
            let isNeeded = ["z8", "zr"].contains(model.shortName)
            #expect(initiator.write(0xD100, "f4010100") == (isNeeded ? .accessDenied : .ok))
            initiator.advance(.seconds(1))
            #expect(initiator.release() == (isNeeded ? ResponseCode(rawValue: 0xA004) : .ok))
            guard isNeeded else { continue }
            // A ZR refuses the remote mode.
            let mode = model.shortName == "zr" ? OperationCode.nikonChangeApplicationMode : .nikonChangeCameraMode
            #expect(initiator.perform(mode, 1)?.code == .ok)
            try initiator.expose("f4010100")
        }
    }

    @Test func `0x943C is for long codes alone, and a ZR closes its connections`() throws {
        let set = OperationCode(rawValue: 0x943C)
        let body = try VirtualInitiator.nikon(model: .z8)
        try body.connectNikon()
        #expect(body.perform(set, 0xD100, data: bytes("f4010100"))?.code == .generalError)
        #expect(body.perform(set, 0x1_D001, data: bytes("01"))?.code == .accessDenied)
        #expect(body.perform(OperationCode(rawValue: 0x943A), 0x1_D001)?.code == .ok)
        for read: OperationCode in [.getDevicePropDesc, .getDevicePropValue] {
            #expect(body.perform(read, 0x1_D001)?.code == .generalError)
        }
        #expect(body.perform(.setDevicePropValue, 0x1_D001, data: bytes("01"))?.code == .generalError)
        let closing = try VirtualInitiator.nikon(model: .zr)
        try closing.connectNikon()
        #expect(closing.perform(set, 0xD100, data: bytes("f4010100")) == nil)
        #expect(closing.closed == [closing.command, closing.event])
    }

    @Test func `a session that ends in a mode leaves a line in the log`() throws {
        let (left, ended) = (try VirtualInitiator.nikon(model: .z8), try VirtualInitiator.nikon(model: .z8))
        for initiator in [left, ended] { try initiator.connectNikon() }
        for mode: OperationCode in [.nikonChangeApplicationMode, .nikonChangeCameraMode] {
            #expect(ended.perform(mode, 0)?.code == .ok)
        }
        for initiator in [left, ended] { #expect(initiator.perform(.closeSession)?.code == .ok) }
        let lines = ["the session ends in the application mode", "the session ends in the remote mode"]
        #expect(left.log.filter(lines.contains) == lines)
        #expect(ended.log.filter(lines.contains).isEmpty)
    }

    @Test func `data of an answer is one End_Data packet`() throws {
        let initiator = try VirtualInitiator.nikon { $0.pictureSize = 200_000 }
        try initiator.connectNikon()
        try initiator.expose("f4010100")
        #expect(initiator.perform(.getObject, 0x2064_0001)?.data.readableBytes == 200_000)
        let packets = initiator.packets[initiator.command, default: []].map(\.type)
        #expect(packets == [.startData, .endData, .operationResponse])
    }

    @Test func `events that were not read remain on a D850 and are lost on a Z 8`() throws {
        for (model, count) in [(NikonModel.d850, 1), (.z8, 0)] {
            let initiator = try VirtualInitiator.nikon(model: model)
            try initiator.connectNikon()
            try initiator.expose("f4010100")
            #expect(initiator.perform(.closeSession)?.code == .ok)
            initiator.hangUp(initiator.event)
            initiator.hangUp(initiator.command)
            try initiator.connectNikon()
            #expect(try initiator.listPictures().count { $0.code == 0x400D } == count)
        }
    }

    // MARK: Settings

    @Test func `a written speed shows after the delay, in both properties, and both report the change`() throws {
        let initiator = try VirtualInitiator.nikon { $0.readbackDelay = .milliseconds(300) }
        try initiator.connectNikon()
        #expect(initiator.write(0xD100, "0a000d00") == .ok)
        initiator.advance(.milliseconds(299))
        #expect(initiator.value(of: 0xD100) == "90010100")
        initiator.advance(.milliseconds(1))
        #expect(initiator.value(of: 0xD100) == "0a000d00")
        // 1.3 s is 13000 tenths of a millisecond; 1/1.3 s is 7692.
        #expect(initiator.value(of: 0x500D) == "c8320000")
        #expect(initiator.write(0x500D, "0c1e0000") == .ok)
        initiator.advance(.milliseconds(300))
        #expect(initiator.value(of: 0xD100) == "0d000a00")
        let events = try initiator.listEvents()
        #expect(events.map(\.parameter) == [0xD100, 0x500D, 0xD100, 0x500D])
    }

    @Test func `0x500D does not distinguish 1/6400 from 1/8000`() throws {
        let initiator = try VirtualInitiator.nikon()
        try initiator.connectNikon()
        #expect(initiator.write(0xD100, "00190100") == .ok)
        initiator.advance(.seconds(1))
        #expect(initiator.value(of: 0x500D) == "01000000")
        #expect(initiator.write(0x500D, "01000000") == .ok)
        initiator.advance(.seconds(1))
        #expect(initiator.value(of: 0xD100) == "401f0100")
    }

    @Test(arguments: NikonModel.all.map(\.name))
    func `values outside the list and of the wrong size are rejected`(name: String) throws {
        let model = try #require(NikonModel.named(name))
        let initiator = try VirtualInitiator.nikon(model: model)
        try initiator.connectNikon()
        #expect(initiator.write(0xD100, "07000100") == .invalidDevicePropValue)
        #expect(initiator.write(0x5007, "0100") == .invalidDevicePropValue)
        #expect(initiator.write(0xD100, "f40101") == .invalidDevicePropFormat)
        #expect(initiator.write(0xD100, "f401010000") == .invalidDevicePropFormat)
        #expect(initiator.write(0xDFFF, "00") == .devicePropNotSupported)
        #expect(initiator.write(0xD1F1, "00000000") == model.refusal)
        #expect(initiator.perform(OperationCode(rawValue: 0x91AA))?.code == .operationNotSupported)
    }

    @Test(arguments: DialMode.allCases)
    func `the speed can be set in M and S alone`(mode: DialMode) throws {
        let initiator = try VirtualInitiator.nikon { $0.mode = mode }
        try initiator.connectNikon()
        let numbers: [DialMode: String] = [
            .manual: "0100", .program: "0200", .aperturePriority: "0300", .shutterPriority: "0400",
        ]
        #expect(initiator.value(of: 0x500E) == numbers[mode])
        let description = try initiator.description(of: 0xD100)
        #expect(description.isWritable == mode.speedIsSettable)
        guard case .enumeration(let values) = description.form else {
            Issue.record("no list")
            return
        }
        #expect(values.count == (mode == .manual ? 58 : 56))
        #expect(initiator.write(0xD100, "f4010100") == (mode.speedIsSettable ? .ok : .accessDenied))
        // A Z 6II has a mode dial.
        #expect(initiator.write(0x500E, "0100") == .accessDenied)
    }

    @Test func `a D850 in A lists what the program can reach and the present speed, and its mode can be set`() throws {
        let initiator = try VirtualInitiator.nikon(model: .d850) { $0.mode = .aperturePriority }
        try initiator.connectNikon()
        let description = try initiator.description(of: 0xD100)
        guard case .enumeration(let values) = description.form else {
            Issue.record("no list")
            return
        }
        #expect(values.count == 24 && values.last == .uint32(0x000A_000D))
        #expect(initiator.write(0xD100, "f4010100") == ResponseCode(rawValue: 0xA005))
        #expect(initiator.write(0x500E, "0100") == .ok)
        initiator.advance(.seconds(1))
        #expect(initiator.value(of: 0x500E) == "0100")
        #expect(try initiator.description(of: 0xD100).isWritable)
        #expect(initiator.write(0x500E, "1080") == .invalidDevicePropValue)
    }

    @Test func `the ISO of both properties stays the same`() throws {
        let initiator = try VirtualInitiator.nikon()
        try initiator.connectNikon()
        #expect(initiator.write(0xD0B4, "20030000") == .ok)
        initiator.advance(.seconds(1))
        #expect(initiator.value(of: 0x500F) == "2003")
        try initiator.expose("f4010100")
        #expect(initiator.camera.card.first?.settings.iso == 800)
    }

    @Test func `battery, shots left, format and recording medium are those of the options`() throws {
        let initiator = try VirtualInitiator.nikon {
            $0.batteryPercent = 55
            $0.shotsLeft = 7
            $0.saveTarget = .both
            $0.fileFormat = .rawAndJPEG
        }
        try initiator.connectNikon()
        #expect(initiator.value(of: 0x5001) == "37")
        #expect(initiator.value(of: 0xD1F1) == "07000000")
        #expect(initiator.value(of: 0xD10B) == "02")
        try initiator.expose("f4010100")
        #expect(try initiator.listPictures().count == 4)
        #expect(initiator.camera.card.first?.fileKinds == [.jpeg, .raw])
    }
}
