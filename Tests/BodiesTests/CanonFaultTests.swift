import Bodies
import Cameras
import Exposure
import NIOCore
import PTP
import Testing

/// Each fault does what the table says, on a Canon body.
struct CanonFaultTests {
    // MARK: Connecting

    @Test func `not-waiting rejects initiators for its time after the first one`() throws {
        let initiator = try VirtualInitiator.canon("not-waiting=8s")
        initiator.advance(.seconds(100))
        #expect(!initiator.handshake())
        #expect(initiator.packets.values.contains([.initFail(.rejectedInitiator)]))
        initiator.advance(.seconds(6))
        #expect(!initiator.handshake())
        initiator.advance(.seconds(2))
        try initiator.connectEOS()
    }

    @Test func `a paired body accepts only the initiator with its GUID`() throws {
        let guid = try #require(VirtualInitiator.guid)
        let stranger = try VirtualInitiator.canon("paired=5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a")
        #expect(!stranger.handshake())
        #expect(stranger.packets.values.contains([.initFail(.rejectedInitiator)]))
        try VirtualInitiator.canon("paired=\(guid)").connectEOS()
    }

    @Test func `remote-lost refuses a set and a press until the remote mode is set again`() throws {
        let initiator = try VirtualInitiator.canon("remote-lost@2")
        try initiator.connectEOS()
        try initiator.fire("1/500")
        #expect(try initiator.writeSpeed("1/60") == .canonOperationRefused)
        #expect(initiator.pressBoth() == .canonOperationRefused)
        #expect(initiator.perform(.canonSetRemoteMode, 1)?.code == .ok)
        try initiator.fire("1/60")
        #expect(initiator.camera.card.map(\.label) == ["1/500", "1/60"])
    }

    @Test func `auto-off closes the link without KeepDeviceOn, and announces it before`() throws {
        let initiator = try VirtualInitiator.canon("auto-off=30s")
        try initiator.connectEOS()
        initiator.advance(.seconds(20))
        #expect(initiator.perform(.canonKeepDeviceOn)?.code == .ok)
        initiator.advance(.seconds(24))
        #expect(try !initiator.readList().contains(.shutdownSoon))
        initiator.advance(.seconds(1))
        #expect(try initiator.readList().contains(.shutdownSoon))
        initiator.advance(.seconds(4))
        #expect(initiator.closed.isEmpty)
        initiator.advance(.seconds(1))
        #expect(initiator.closed == [initiator.command, initiator.event])
        #expect(initiator.dial() == nil)
        initiator.advance(.seconds(3))
        try initiator.connectEOS()
    }

    // MARK: Presses

    @Test func `busy-unread-events rejects a press until the list is read`() throws {
        let initiator = try VirtualInitiator.canon("busy-unread-events")
        try initiator.connectEOS()
        #expect(try initiator.writeSpeed("1/500") == .ok)
        initiator.advance(.seconds(1))
        #expect(initiator.pressBoth() == .deviceBusy)
        _ = try initiator.readList()
        #expect(initiator.pressBoth() == .ok)
        initiator.advance(.seconds(2))
        #expect(initiator.camera.card.count == 1)
    }

    @Test func `late-focus reports the focus after its time, and the body has focused before`() throws {
        var model = CanonModel.eosR6Mark2
        model.dump.set(.canonFocusMode, 0)
        let initiator = try VirtualInitiator.canon("late-focus@1=1s", model: model)
        try initiator.connectEOS()
        #expect(initiator.perform(.canonPress, 1, 0)?.code == .ok)
        #expect(try initiator.readList().focus(version: 0x13) == [.searching])
        initiator.advance(.seconds(1))
        #expect(try initiator.readList().focus(version: 0x13) == [.focused])
        #expect(initiator.perform(.canonPress, 2, 0)?.code == .ok)
        initiator.advance(.seconds(2))
        #expect(initiator.camera.card.count == 1)
    }

    @Test func `without focus the press is accepted and takes no picture`() throws {
        let initiator = try VirtualInitiator.canon("no-focus@1", model: .eos60D)
        try initiator.connectEOS()
        for count in [0, 1] {
            #expect(initiator.perform(.canonPress, 1, 0)?.code == .ok)
            #expect(initiator.perform(.canonPress, 2, 0)?.code == .ok)
            _ = initiator.perform(.canonRelease, 2)
            _ = initiator.perform(.canonRelease, 1)
            initiator.advance(.seconds(3))
            #expect(initiator.camera.card.count == count)
        }
    }

    @Test(arguments: [("fail@1", ResponseCode.generalError), ("no-picture@1", .ok), ("busy=shutter:1", .deviceBusy)])
    func `a press that takes no picture is answered as the fault says`(fault: String, code: ResponseCode) throws {
        let initiator = try VirtualInitiator.canon(fault)
        try initiator.connectEOS()
        #expect(initiator.pressBoth() == code)
        initiator.advance(.seconds(2))
        #expect(initiator.camera.card.isEmpty)
        #expect(initiator.pressBoth() == .ok)
        initiator.advance(.seconds(2))
        #expect(initiator.camera.card.count == 1)
    }

    // MARK: Signs of a picture

    @Test func `late-counter and late-object delay their signs, and the status comes in time`() throws {
        let initiator = try VirtualInitiator.canon("late-counter=4s", "late-object@1=3s") { $0.shotsLeft = 10 }
        try initiator.connectEOS()
        let early = try initiator.fire("1/500")
        #expect(early.statuses == [true, false])
        #expect(early.objects.isEmpty && early.value(of: .canonShotsLeft) == nil)
        initiator.advance(.milliseconds(1_700))
        #expect(try initiator.readList().objects.count == 1)
        initiator.advance(.seconds(1))
        #expect(try initiator.readList().value(of: .canonShotsLeft) == 9)
    }

    @Test func `double-object announces each file twice, and stale one of the frame before again`() throws {
        let double = try VirtualInitiator.canon("double-object@1") { $0.fileFormat = .rawAndJPEG }
        try double.connectEOS()
        #expect(try double.fire("1/500").objects.map { $0.handle & 0xFF } == [0x11, 0x12, 0x11, 0x12])
        #expect(try double.fire("1/60").objects.map { $0.handle & 0xFF } == [0x21, 0x22])
        let stale = try VirtualInitiator.canon("stale@2")
        try stale.connectEOS()
        #expect(try stale.fire("1/500").objects.map { $0.handle & 0xFF } == [0x12])
        #expect(try stale.fire("1/60").objects.map { $0.handle & 0xFF } == [0x12, 0x22])
    }

    @Test(arguments: Fault.PictureSign.allCases)
    func `omits removes one sign of a picture`(sign: Fault.PictureSign) throws {
        let initiator = try VirtualInitiator.canon("omits=\(sign.rawValue)")
        try initiator.connectEOS()
        let records = try initiator.fire("1/500")
        #expect(records.statuses.isEmpty == (sign == .status))
        #expect(records.objects.isEmpty == (sign == .objects))
        #expect((records.value(of: .canonShotsLeft) == nil) == (sign == .counter))
        #expect(initiator.camera.card.count == 1)
    }

    // MARK: Speeds

    @Test func `ignored, wrong and jumping speeds`() throws {
        let ignoring = try VirtualInitiator.canon("ignore-sets=1")
        try ignoring.connectEOS()
        #expect(try ignoring.writeSpeed("1/500") == .ok)
        ignoring.advance(.seconds(1))
        #expect(try ignoring.readList().isEmpty)
        let wrong = try VirtualInitiator.canon("wrong-speed@1=1/60,times=1")
        try wrong.connectEOS()
        #expect(try wrong.writeSpeed("1/500") == .ok)
        wrong.advance(.seconds(1))
        #expect(try wrong.readList().value(of: .canonShutterSpeed) == 0x68)
        let jumping = try VirtualInitiator.canon("jump@1,after=1s")
        try jumping.connectEOS()
        #expect(try jumping.writeSpeed("1/500") == .ok)
        jumping.advance(.milliseconds(100))
        #expect(try jumping.readList().value(of: .canonShutterSpeed) == 0x80)
        jumping.advance(.seconds(1))
        #expect(try jumping.readList().value(of: .canonShutterSpeed) == 0x70)
        let property = try VirtualInitiator.canon("ignore-property=iso:1")
        try property.connectEOS()
        for isTaken in [false, true] {
            #expect(property.write(.canonISO, 0x50) == .ok)
            property.advance(.seconds(1))
            #expect(try property.readList().value(of: .canonISO) == (isTaken ? 0x50 : nil))
        }
    }

    @Test func `a speed that jumps at the release is the one of the picture, and is reported`() throws {
        let initiator = try VirtualInitiator.canon("jump@1=1/8")
        try initiator.connectEOS()
        let records = try initiator.fire("1/500")
        #expect(records.value(of: .canonShutterSpeed) == 0x50)
        #expect(initiator.camera.card.map(\.label) == ["1/8"])
    }

    @Test func `event-storm repeats each change`() throws {
        let initiator = try VirtualInitiator.canon("event-storm=20")
        try initiator.connectEOS()
        #expect(try initiator.writeSpeed("1/500") == .ok)
        initiator.advance(.seconds(1))
        #expect(try initiator.readList().count == 40)
    }

    // MARK: The link

    @Test(arguments: [("set", 0), ("confirm", 0), ("focus", 0), ("press", 1), ("expose", 1), ("save", 1)])
    func `drop breaks both connections in its phase`(phase: String, frames: Int) throws {
        let initiator = try VirtualInitiator.canon("drop@1:\(phase),back=2s")
        try initiator.connectEOS()
        let isSet = try initiator.writeSpeed("1/4") != nil
        #expect(isSet == (phase != "set"))
        if isSet {
            initiator.advance(.seconds(1))
            let isRead = initiator.perform(.canonGetEvent) != nil
            #expect(isRead == (phase != "confirm"))
            if isRead {
                let isPressed = initiator.pressBoth() != nil
                #expect(isPressed == !["focus", "press"].contains(phase))
            }
        }
        initiator.advance(.seconds(1))
        #expect(initiator.aborted == [initiator.command, initiator.event])
        initiator.advance(.seconds(5))
        #expect(initiator.camera.card.count == frames)
        try initiator.connectEOS()
    }

    @Test func `a transfer that breaks continues at the same byte in the next session`() throws {
        let initiator = try VirtualInitiator.canon("transfer-breaks@1=5000,back=1s") { $0.pictureSize = 20_000 }
        try initiator.connectEOS()
        let object = try #require(try initiator.fire("1/500").objects.first)
        #expect(initiator.perform(.getPartialObject, object.handle, 0, 20_000) == nil)
        initiator.advance(.seconds(2))
        try initiator.connectEOS()
        let rest = try #require(initiator.perform(.getPartialObject, object.handle, 5_000, 20_000))
        #expect(rest.data.readableBytes == 15_000)
    }

    @Test func `object-info rejects descriptions, and never-idle keeps the body busy`() throws {
        let late = try VirtualInitiator.canon("object-info@1=5s")
        try late.connectEOS()
        let object = try #require(try late.fire("1/500").objects.first)
        #expect(late.perform(.getObjectInfo, object.handle)?.code == .canonObjectNotReady)
        late.advance(.seconds(5))
        #expect(late.perform(.getObjectInfo, object.handle)?.code == .ok)
        let busy = try VirtualInitiator.canon("never-idle@1,back=60s")
        try busy.connectEOS()
        #expect(try busy.fire("1/500").statuses == [true])
        #expect(try busy.writeSpeed("1/60") == .deviceBusy)
        busy.advance(.seconds(60))
        #expect(try busy.readList().statuses == [false])
    }

    @Test func `a body that is healed works again, whatever the fault`() throws {
        for fault in FaultGrammar.list where fault.isOf("canon") && !fault.example.contains("ssdp") {
            let initiator = try VirtualInitiator.canon(fault.example)
            if initiator.handshake() {
                _ = initiator.perform(.openSession, 1)
                _ = initiator.perform(.canonSetRemoteMode, 1)
                _ = try initiator.writeSpeed("1/500")
            }
            var actions: [BodyAction] = []
            initiator.camera.clearFaults(at: initiator.now, into: &actions)
            initiator.hangUp(initiator.event)
            initiator.hangUp(initiator.command)
            initiator.advance(.seconds(130))
            try initiator.connectEOS()
            try initiator.fire("1/60")
            #expect(initiator.camera.card.last?.label == "1/60", "\(fault.example)")
        }
    }
}
