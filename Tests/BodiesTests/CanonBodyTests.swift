import Bodies
import Cameras
import Exposure
import NIOCore
import PTP
import Testing

struct CanonBodyTests {
    // MARK: Captured bytes

    @Test(arguments: [
        ("eos-60d", "eos_60d_get_event"), ("eos-m50", "eos_m50_get_event"),
        ("eos-1300d", "canon_get_event_1300d_first_dump"),
    ])
    func `a body in the state of its captured list sends those bytes`(name: String, vector: String) throws {
        var model = try #require(CanonModel.named(name))
        let hex = try CanonFixture.hex(vector)
        #expect(model.dump.encoded.hex == hex)
        model.isAsCaptured = true
        let initiator = try VirtualInitiator.canon(model: model)
        try #require(initiator.handshake())
        #expect(initiator.perform(.openSession, 1)?.code == .ok)
        #expect(initiator.perform(.canonSetEventMode, 1)?.code == .ok)
        #expect(initiator.perform(.canonGetEvent)?.data.hex == hex)
        #expect(initiator.perform(.canonGetEvent)?.data.hex == "0800000000000000")
    }

    @Test func `a 60D with its dial on M sends the captured bytes too, and its captured DeviceInfo`() throws {
        let initiator = try VirtualInitiator.canon(model: .eos60D)
        try #require(initiator.handshake())
        #expect(initiator.perform(.getDeviceInfo)?.data.hex == (try CanonFixture.hex("eos_60d_device_info")))
        #expect(initiator.perform(.openSession, 1)?.code == .ok)
        #expect(initiator.perform(.canonSetEventMode, 1)?.code == .ok)
        #expect(initiator.perform(.canonGetEvent)?.data.hex == (try CanonFixture.hex("eos_60d_get_event")))
        let ids = try CanonFixture.hex("eos_60d_eos_storage_ids_9101")
        #expect(initiator.perform(OperationCode(rawValue: 0x9101))?.data.hex == ids)
        for (number, vector) in [
            (0x5001, "eos_60d_prop_desc_1014"), (0xD402, "eos_60d_prop_desc_1014_tid22"),
            (0xD407, "eos_60d_prop_desc_1014_tid23"), (0xD406, "eos_60d_prop_desc_1014_tid24"),
            (0xD303, "eos_60d_prop_desc_1014_tid25"),
        ] as [(UInt32, String)] {
            #expect(initiator.perform(.getDevicePropDesc, number)?.data.hex == (try CanonFixture.hex(vector)))
        }
    }

    @Test func `an M50 in M differs from its captured list in the settings of M alone`() throws {
        let own = CanonSheet.eosM50.records
        var changed = CanonSheet.eosM50
        changed.apply(.eosM50InManual)
        let differing = zip(own, changed.records).filter { $0 != $1 }.compactMap { $0.0.code?.rawValue }
        #expect(own.count == changed.records.count)
        #expect(Set(differing).isSubset(of: [0xD101, 0xD102, 0xD103, 0xD105, 0xD138]))
    }

    @Test(
        arguments: [
            (7520, .jpeg, 0x9190_0000, 0x9191_D602), (7565, .raw, 0x9190_0000, 0x9191_D8D1),
            (4525, .jpeg, 0x9190_0000, 0x9191_1AD2), (4528, .raw, 0x5190_0000, 0x5191_1B01),
        ] as [(Int, PictureInfo.Kind, UInt32, UInt32)]
    )
    func `the handles follow the formula of real bodies`(
        number: Int,
        kind: PictureInfo.Kind,
        folder: UInt32,
        handle: UInt32
    ) {
        let handles = CanonHandles(folder: folder)
        #expect(handles.file(of: number, kind) == handle)
        #expect(handles.frame(of: handle) == number)
        #expect(handles.folder(of: number) == folder)
        #expect(handles.card == folder & 0xF000_0000)
    }

    // MARK: Sessions

    @Test(arguments: CanonModel.all.map(\.name))
    func `every model connects, answers and fires`(name: String) throws {
        let model = try #require(CanonModel.named(name))
        let initiator = try VirtualInitiator.canon(model: model) { $0.shotsLeft = 100 }
        let info = try DeviceInfo(decoding: try #require(try initiator.deviceInfo()))
        #expect(info.manufacturer.contains("Canon") && info.model == name)
        #expect(info.serialNumber == model.serialNumber)
        let first = try initiator.connectEOS()
        #expect(first.value(of: .canonExposureMode) == 3)
        #expect(first.value(of: .canonShotsLeft) == 100)
        let speeds = (first.choices(of: .canonShutterSpeed) ?? []).map(CanonShutterSpeed.init(rawValue:))
        let slowest = speeds.first { $0 != .bulb }
        #expect(slowest?.rawValue == 0x10)
        #expect(speeds.count == (["Canon EOS M50", "Canon EOS 1300D"].contains(name) ? 53 : 55))
        #expect(try initiator.readList().isEmpty)
        let records = try initiator.fire("1/500")
        #expect(records.value(of: .canonShotsLeft) == 99)
        #expect(records.statuses == [true, false])
        #expect(records.objects.count == (name == "Canon EOS M50" ? 2 : 1))
        #expect(initiator.camera.card.map(\.label) == ["1/500"])
        for object in records.objects {
            let reply = try #require(initiator.perform(.getObjectInfo, object.handle))
            let info = try ObjectInfo(decoding: reply.data)
            #expect(UInt64(info.compressedSize) == object.byteCount)
            #expect(info.filename == object.name && info.format == object.format)
            #expect(info.parentObject == object.parent)
            let part = try #require(initiator.perform(.getPartialObject, object.handle, 0, 100_000))
            #expect(part.data.readableBytes == Int(info.compressedSize))
            #expect(part.parameters == [info.compressedSize])
        }
        // Nothing arrives on the event connection.
        #expect(initiator.events.isEmpty)
    }

    @Test func `models differ in serial number and address`() {
        #expect(Set(CanonModel.all.map(\.serialNumber)).count == CanonModel.all.count)
        #expect(Set(CanonModel.all.map(\.macAddress)).count == CanonModel.all.count)
        #expect(CanonModel.named("ilce-7m4") == nil)
    }

    @Test func `without the remote mode nothing can be set or fired`() throws {
        let initiator = try VirtualInitiator.canon()
        try initiator.connectEOS()
        #expect(initiator.perform(.canonSetRemoteMode, 0)?.code == .ok)
        #expect(try initiator.writeSpeed("1/500") == .canonOperationRefused)
        #expect(initiator.pressBoth() == .canonOperationRefused)
        #expect(initiator.perform(.canonSetRemoteMode, 1)?.code == .ok)
        try initiator.fire("1/500")
        #expect(initiator.camera.card.count == 1)
    }

    @Test func `the next session begins with every property again`() throws {
        let initiator = try VirtualInitiator.canon()
        let count = try initiator.connectEOS().count
        #expect(try initiator.writeSpeed("1/500") == .ok)
        #expect(initiator.perform(.closeSession)?.code == .ok)
        initiator.hangUp(initiator.event)
        initiator.hangUp(initiator.command)
        initiator.advance(.seconds(1))
        let again = try initiator.connectEOS()
        #expect(again.count == count)
        #expect(again.value(of: .canonShutterSpeed) == 0x80)
    }

    // MARK: Settings

    @Test func `a written value shows in the list after the delay, with its choices`() throws {
        let initiator = try VirtualInitiator.canon { $0.readbackDelay = .milliseconds(300) }
        try initiator.connectEOS()
        #expect(try initiator.writeSpeed("1/250") == .ok)
        initiator.advance(.milliseconds(299))
        #expect(try initiator.readList().isEmpty)
        initiator.advance(.milliseconds(1))
        let records = try initiator.readList()
        #expect(records.value(of: .canonShutterSpeed) == 0x78)
        #expect(records.choices(of: .canonShutterSpeed)?.count == 55)
        #expect(try initiator.readList().isEmpty)
    }

    @Test(arguments: CanonModel.all.map(\.name))
    func `a value outside the list is rejected, on most bodies as busy`(name: String) throws {
        let model = try #require(CanonModel.named(name))
        let initiator = try VirtualInitiator.canon(model: model)
        try initiator.connectEOS()
        let rejection: ResponseCode = name == "Canon EOS 1300D" ? .invalidDevicePropValue : .deviceBusy
        #expect(initiator.write(.canonShutterSpeed, 0x04) == rejection)
        #expect(initiator.write(.canonSaveTarget, 7) == rejection)
        #expect(initiator.write(.canonAperture, 0x24) == rejection)
        #expect(initiator.write(PropertyCode(rawValue: 0xDFFF), 0) == .devicePropNotSupported)
        #expect(initiator.perform(.canonSetProperty, data: bytes("0c000000"))?.code == .invalidDevicePropFormat)
        #expect(initiator.perform(OperationCode(rawValue: 0x91AA))?.code == .operationNotSupported)
    }

    @Test(arguments: DialMode.allCases)
    func `the speed can be set in M and S alone`(mode: DialMode) throws {
        let initiator = try VirtualInitiator.canon(model: .eosM50) { $0.mode = mode }
        let first = try initiator.connectEOS()
        #expect(CanonExposureMode(rawValue: first.value(of: .canonExposureMode) ?? 99).exposureMode.isMode(mode))
        let count = first.choices(of: .canonShutterSpeed)?.count
        #expect(count == (mode == .manual ? 53 : mode == .shutterPriority ? 52 : 0))
        #expect(try initiator.writeSpeed("1/500") == (mode.speedIsSettable ? .ok : .deviceBusy))
    }

    @Test func `a turned dial is reported with the new list`() throws {
        let initiator = try VirtualInitiator.canon("mode-after=1s:A")
        try initiator.connectEOS()
        initiator.advance(.seconds(1))
        let records = try initiator.readList()
        #expect(records.value(of: .canonExposureMode) == 2)
        #expect(records.choices(of: .canonShutterSpeed) == [])
    }

    @Test func `battery, shots left, format and save target are those of the options`() throws {
        let initiator = try VirtualInitiator.canon {
            $0.batteryPercent = 55
            $0.shotsLeft = 7
            $0.saveTarget = .both
            $0.fileFormat = .rawAndJPEG
        }
        let first = try initiator.connectEOS()
        #expect(first.value(of: .canonBattery) == 1)
        #expect(first.value(of: .canonShotsLeft) == 7)
        #expect(first.value(of: .canonSaveTarget) == 5)
        #expect(first.value(of: .canonImageFormat) == 2)
        for (percent, level) in [(100, 2), (80, 4), (20, 5), (5, 0), (-1, 0xFF)] as [(Int, UInt32)] {
            let other = try VirtualInitiator.canon { $0.batteryPercent = percent }
            #expect(try other.connectEOS().value(of: .canonBattery) == level)
        }
    }

    // MARK: Frames

    @Test func `an R6 Mark II announces RAW before JPEG with one group, and then its lists again`() throws {
        let initiator = try VirtualInitiator.canon { $0.fileFormat = .rawAndJPEG }
        try initiator.connectEOS()
        let records = try initiator.fire("1/60")
        #expect(records.objects.map(\.kind) == [.raw, .jpeg])
        #expect(records.objects.map(\.handle) == [0x5190_0011, 0x5190_0012])
        #expect(records.objects.map(\.group) == [0x5190_0010, 0x5190_0010])
        #expect(records.objects.map(\.name) == ["IMG_0001.CR3", "IMG_0001.JPG"])
        #expect(records.choices(of: .canonShutterSpeed)?.count == 55)
        let handles = try #require(initiator.perform(.getObjectHandles, .max, 0, 0)).data.hex
        #expect(handles == "04000000" + "00000050" + "00009051" + "11009051" + "12009051")
        #expect(initiator.perform(.getNumObjects, .max, 0x3801, 0)?.parameters == [1])
        let folder = try #require(initiator.perform(.getObjectInfo, 0x5190_0000)).data
        #expect(try ObjectInfo(decoding: folder).filename == "100CANON")
    }

    @Test func `while the body works it is busy, and the counter already counts the picture`() throws {
        let initiator = try VirtualInitiator.canon {
            $0.shotsLeft = 10
            $0.saveTime = .seconds(2)
        }
        try initiator.connectEOS()
        #expect(initiator.pressBoth() == .ok)
        initiator.advance(.milliseconds(500))
        let records = try initiator.readList()
        #expect(records.statuses == [true])
        #expect(records.value(of: .canonShotsLeft) == 9)
        #expect(try initiator.writeSpeed("1/500") == .deviceBusy)
        #expect(initiator.pressBoth() == .deviceBusy)
        initiator.advance(.seconds(3))
        #expect(try initiator.readList().statuses == [false])
        #expect(initiator.camera.card.count == 1)
    }

    @Test func `with autofocus the answer to the half press comes with the focus`() throws {
        let initiator = try VirtualInitiator.canon(model: .eos80D)
        try initiator.connectEOS()
        #expect(initiator.perform(.canonPress, 2, 0)?.code == .deviceBusy)
        var model = CanonModel.eos80D
        model.dump.set(.canonFocusMode, 0)
        let focusing = try VirtualInitiator.canon(model: model)
        try focusing.connectEOS()
        let begin = focusing.now
        #expect(focusing.perform(.canonPress, 1, 0)?.code == .ok)
        #expect(focusing.now - begin == model.focusTime)
        #expect(try focusing.readList().focus(version: 0x0E) == [.searching, .focused])
        #expect(focusing.perform(.canonPress, 2, 0)?.code == .ok)
        _ = focusing.perform(.canonRelease, 2)
        _ = focusing.perform(.canonRelease, 1)
        focusing.advance(.seconds(2))
        #expect(focusing.camera.card.count == 1)
    }

    @Test func `an M50 reports the result of its button`() throws {
        let initiator = try VirtualInitiator.canon("no-focus@2", model: .eosM50)
        try initiator.connectEOS()
        for expected in [[CanonButtonResult.halfPressed, .fullPressed], [.halfPressFailed]] {
            #expect(initiator.perform(.canonPress, 3, 0)?.code == .ok)
            initiator.advance(.seconds(2))
            let results = try initiator.readList().compactMap { record -> CanonButtonResult? in
                guard case .displayInfo(let bytes) = record else { return nil }
                return CanonDisplayInfo(decoding: bytes, version: 0x10).button
            }
            #expect(results == expected)
            _ = initiator.perform(.canonRelease, 3)
            initiator.advance(.seconds(2))
        }
        #expect(initiator.camera.card.count == 1)
    }

    @Test func `a body that saves to the host keeps the file until its transfer is complete`() throws {
        let initiator = try VirtualInitiator.canon { $0.saveTarget = .host }
        #expect(try initiator.connectEOS().value(of: .canonShotsLeft) == 0)
        #expect(initiator.perform(.canonPCHDDCapacity, 0x0FFF_FFFF, 0x1000, 1)?.code == .ok)
        #expect(try initiator.readList().value(of: .canonShotsLeft) ?? 0 > 1_000)
        let records = try initiator.fire("1/60")
        #expect(records.objects.isEmpty)
        let requested = records.compactMap { record -> UInt32? in
            if case .transferRequested(let object) = record { object.handle } else { nil }
        }
        let handle = try #require(requested.first)
        #expect(initiator.perform(.getPartialObject, handle, 0, 1 << 20)?.code == .ok)
        #expect(initiator.camera.card.first?.isFetched == true)
        #expect(initiator.perform(.canonTransferComplete, handle)?.code == .ok)
        #expect(initiator.perform(.getObjectInfo, handle)?.code == .invalidObjectHandle)
    }

    @Test func `a deleted file is removed from the card, and the list reports that`() throws {
        let initiator = try VirtualInitiator.canon()
        try initiator.connectEOS()
        let object = try #require(try initiator.fire("1/60").objects.first)
        #expect(initiator.perform(OperationCode(rawValue: 0x100B), object.handle)?.code == .ok)
        #expect(try initiator.readList() == [.objectRemoved(handle: object.handle)])
        #expect(initiator.perform(.getObjectInfo, object.handle)?.code == .invalidObjectHandle)
        #expect(initiator.perform(.getNumObjects, .max, 0x3801, 0)?.parameters == [0])
    }

    @Test func `a body without power keeps its card and forgets the picture in work`() throws {
        let initiator = try VirtualInitiator.canon {
            $0.shotsLeft = 10
            $0.slotHold = .zero
        }
        try initiator.connectEOS()
        try initiator.fire("1/60")
        #expect(try initiator.writeSpeed("4s") == .ok)
        initiator.advance(.seconds(1))
        #expect(initiator.pressBoth() == .ok)
        initiator.advance(.seconds(1))
        var actions: [BodyAction] = []
        initiator.camera.powerOff(at: initiator.now, into: &actions)
        initiator.advance(.seconds(20))
        let first = try initiator.connectEOS()
        #expect(first.value(of: .canonShotsLeft) == 9)
        #expect(initiator.camera.card.count == 1)
    }
}

extension VirtualInitiator {
    /// DeviceInfo before a session.
    fileprivate func deviceInfo() throws -> ByteBuffer? {
        try #require(handshake())
        let data = perform(.getDeviceInfo)?.data
        hangUp(event)
        hangUp(command)
        return data
    }
}

extension ExposureMode {
    fileprivate func isMode(_ mode: DialMode) -> Bool {
        switch mode {
        case .manual: self == .manual
        case .shutterPriority: self == .shutterPriority
        case .aperturePriority: self == .aperturePriority
        case .program: self == .program
        }
    }
}
