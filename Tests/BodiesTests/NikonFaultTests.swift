import Bodies
import Cameras
import Exposure
import NIOCore
import PTP
import Testing

/// Each fault does what the table says, on a Nikon body.
struct NikonFaultTests {
    typealias Event = VirtualInitiator.ListedEvent

    private func end(_ initiator: VirtualInitiator, closing: Bool = true) {
        if closing { _ = initiator.perform(.closeSession) }
        initiator.hangUp(initiator.event)
        initiator.hangUp(initiator.command)
    }

    // MARK: Pairing

    @Test func `an unpaired body shows a PIN, and works after both sides confirmed and its network restarted`() throws {
        let initiator = try VirtualInitiator.nikon("unpaired=2s", model: .z8)
        try #require(initiator.handshake())
        #expect(initiator.perform(.openSession, 1)?.code == .ok)
        #expect(initiator.perform(.nikonChangeApplicationMode, 1)?.code == .generalError)
        #expect(initiator.write(0xD100, "f4010100") == .accessDenied)
        #expect(initiator.perform(.nikonConfirmPairing, 0x2001)?.code == .generalError)
        #expect(initiator.perform(.nikonGetPairingInfo)?.code == .deviceBusy)
        initiator.advance(.milliseconds(500))
        let pin = try #require(initiator.perform(.nikonGetPairingInfo)).data
        #expect(String(buffer: pin) == NikonModel.z8.pin && pin.readableBytes == 4)
        // The application mode disturbs the dialog.
        #expect(initiator.perform(.nikonChangeApplicationMode, 1)?.code == .generalError)
        #expect(initiator.perform(.nikonConfirmPairing, 0x2001)?.code == .generalError)
        _ = initiator.perform(.nikonGetPairingInfo)
        initiator.advance(.milliseconds(500))
        #expect(initiator.perform(.nikonGetPairingInfo)?.code == .ok)
        #expect(initiator.perform(.nikonConfirmPairing, 1)?.code == .invalidParameter)
        #expect(initiator.perform(.nikonConfirmPairing, 0x2001)?.code == .ok)
        end(initiator)
        initiator.advance(.seconds(2))
        #expect(initiator.dial() == nil)
        initiator.advance(.seconds(5))
        try initiator.connectNikon()
        try initiator.expose("f4010100")
    }

    @Test func `the PIN of a ZR is in UTF-16`() throws {
        let initiator = try VirtualInitiator.nikon("unpaired", model: .zr)
        try #require(initiator.handshake())
        #expect(initiator.perform(.openSession, 1)?.code == .ok)
        _ = initiator.perform(.nikonGetPairingInfo)
        initiator.advance(.seconds(1))
        let data = try #require(initiator.perform(.nikonGetPairingInfo)).data
        #expect(data.hex == NikonModel.zr.pin.utf8.map { "\($0 - 18)00" }.joined() + "0000")
    }

    @Test func `needs-remote-mode refuses changes and releases until the camera mode is changed`() throws {
        let initiator = try VirtualInitiator.nikon("needs-remote-mode")
        try #require(initiator.handshake())
        #expect(initiator.perform(.openSession, 1)?.code == .ok)
        #expect(initiator.write(0xD100, "f4010100") == .accessDenied)
        #expect(initiator.release() == ResponseCode(rawValue: 0xA004))
        #expect(initiator.perform(.nikonChangeCameraMode, 1)?.code == .ok)
        try initiator.expose("f4010100")
    }

    @Test func `a ZR refuses the camera mode`() throws {
        let initiator = try VirtualInitiator.nikon(model: .zr)
        try initiator.connectNikon()
        #expect(initiator.perform(.nikonChangeCameraMode, 1)?.code == ResponseCode(rawValue: 0xA003))
        #expect(initiator.perform(.nikonChangeCameraMode, 0)?.code == .ok)
    }

    // MARK: Connecting

    @Test func `early-close leaves one Init unanswered after a short session`() throws {
        let initiator = try VirtualInitiator.nikon("early-close")
        try initiator.connectNikon()
        initiator.advance(.milliseconds(900))
        end(initiator)
        #expect(!initiator.handshake())
        initiator.hangUp(ConnectionID(rawValue: 3))
        try initiator.connectNikon()
        initiator.advance(.seconds(1))
        end(initiator)
        try initiator.connectNikon()
    }

    @Test func `early-return leaves an Init unanswered that comes too soon`() throws {
        let initiator = try VirtualInitiator.nikon("early-return")
        try initiator.connectNikon()
        end(initiator)
        initiator.advance(.milliseconds(1_199))
        #expect(!initiator.handshake(answerTime: .milliseconds(1)))
        initiator.hangUp(ConnectionID(rawValue: 3))
        try initiator.connectNikon()
    }

    @Test func `a slot is held after a cut, for 30 s on a ZR`() throws {
        let initiator = try VirtualInitiator.nikon(model: .zr)
        try initiator.connectNikon()
        end(initiator, closing: false)
        initiator.advance(.seconds(29))
        #expect(!initiator.handshake(answerTime: .milliseconds(1)))
        #expect(initiator.packets.values.contains([.initFail(.busy)]))
        initiator.advance(.seconds(1))
        try initiator.connectNikon()
    }

    @Test(arguments: [(nil, 1, 0), ("probed=ignore", 0, 0), ("probed=close", 0, 2)] as [(String?, Int, Int)])
    func `a probe is answered, ignored or ends the session`(fault: String?, answers: Int, closes: Int) throws {
        let initiator = try fault.map { try VirtualInitiator.nikon($0) } ?? VirtualInitiator.nikon()
        try initiator.connectNikon()
        initiator.send(.probeRequest, on: initiator.event)
        #expect(initiator.packets[initiator.event, default: []].count { $0 == .probeResponse } == answers)
        #expect(initiator.closed.count == closes)
    }

    @Test func `connection-zero gives the number 0 first`() throws {
        for (initiator, first) in [
            (try VirtualInitiator.nikon(), 1), (try VirtualInitiator.nikon("connection-zero"), 0),
        ] as [(VirtualInitiator, UInt32)] {
            for number in [first, first + 1] {
                try #require(initiator.handshake())
                guard case .initCommandAck(let ack)? = initiator.packets[initiator.command]?.first else {
                    Issue.record("no answer to Init_Command_Request")
                    return
                }
                #expect(ack.connectionNumber == number)
                #expect(initiator.perform(.openSession, 1)?.code == .ok)
                end(initiator)
            }
        }
    }

    // MARK: Properties and releases

    @Test func `without-d100 leaves 0x500D alone`() throws {
        let initiator = try VirtualInitiator.nikon("without-d100")
        try initiator.connectNikon()
        #expect(initiator.perform(.getDevicePropDesc, 0xD100)?.code == .devicePropNotSupported)
        let list = try #require(initiator.perform(.nikonGetVendorPropCodes)).data.hex
        #expect(!list.contains("00d10bd1"))
        #expect(initiator.write(0x500D, "14000000") == .ok)
        initiator.advance(.seconds(1))
        #expect(initiator.release() == .ok)
        initiator.advance(.seconds(1))
        #expect(initiator.camera.card.map(\.label) == ["1/500"])
        #expect(try initiator.listEvents().count { $0 == Event(0x4006, 0xD100) } == 0)
    }

    @Test func `one-parameter accepts 0x9207 with one parameter only`() throws {
        let initiator = try VirtualInitiator.nikon("one-parameter")
        try initiator.connectNikon()
        #expect(initiator.release() == .parameterNotSupported)
        #expect(initiator.perform(.nikonCapture, 0xFFFF_FFFF)?.code == .ok)
    }

    @Test func `busy-after-ready answers busy again after the body was ready`() throws {
        let initiator = try VirtualInitiator.nikon("busy-after-ready@1=3")
        try initiator.connectNikon()
        try initiator.expose("f4010100")
        #expect(initiator.readiness == .deviceBusy)
        #expect(initiator.write(0xD100, "fa000100") == .deviceBusy)
        #expect(initiator.readiness == .deviceBusy)
        #expect(initiator.readiness == .ok)
        try initiator.expose("fa000100")
    }

    @Test func `silent-release-busy stays after the first release, and the body works`() throws {
        let initiator = try VirtualInitiator.nikon("silent-release-busy")
        try initiator.connectNikon()
        #expect(initiator.readiness == .ok)
        for _ in 0..<2 {
            #expect(initiator.release() == .ok)
            initiator.advance(.seconds(10))
            #expect(initiator.readiness == ResponseCode(rawValue: 0xA201))
        }
        #expect(initiator.camera.card.count == 2)
    }

    @Test(arguments: [("fail@1", ResponseCode.generalError), ("no-picture@1", .ok), ("busy=shutter:1", .deviceBusy)])
    func `a release that takes no picture is answered as the fault says`(fault: String, code: ResponseCode) throws {
        let initiator = try VirtualInitiator.nikon(fault)
        try initiator.connectNikon()
        #expect(initiator.release() == code)
        initiator.advance(.seconds(2))
        #expect(initiator.camera.card.isEmpty)
        #expect(initiator.readiness == .ok)
        #expect(initiator.release() == .ok)
        initiator.advance(.seconds(2))
        #expect(initiator.camera.card.count == 1)
    }

    // MARK: Events

    @Test(arguments: [("on", 1), ("off", 0), ("twice", 2)])
    func `pushed-events decides whether events are packets too`(how: String, count: Int) throws {
        for model in [NikonModel.z62, .d850] {
            let initiator = try VirtualInitiator.nikon("pushed-events=\(how)", model: model)
            try initiator.connectNikon()
            try initiator.expose("f4010100")
            #expect(initiator.count(EventCode(rawValue: 0x400D)) == count)
            #expect(try initiator.listPictures().count { $0.code == 0x400D } == 1)
        }
    }

    @Test func `false-count declares more events than the list has, and only while there are events`() throws {
        let initiator = try VirtualInitiator.nikon("false-count=1")
        try initiator.connectNikon()
        #expect(initiator.perform(.nikonGetEvent)?.data.hex == "0000")
        try initiator.expose("f4010100")
        let data = try #require(initiator.perform(.nikonGetEvent)).data
        #expect(data.hex.hasPrefix("fa01") && data.readableBytes == 2 + 6 * 6)
        try initiator.expose("fa000100")
        #expect(try initiator.listPictures().count == 2)
    }

    @Test func `late-object announces the files after the end of the capture`() throws {
        let late = try VirtualInitiator.nikon("late-object@1=3s")
        try late.connectNikon()
        try late.expose("f4010100")
        #expect(try late.listPictures() == [Event(0x400D)])
        late.advance(.seconds(3))
        #expect(try late.listPictures().map(\.code) == [0x4002, 0x4002])
    }

    @Test func `double-object announces a file twice`() throws {
        let double = try VirtualInitiator.nikon("double-object@1")
        try double.connectNikon()
        try double.expose("f4010100")
        #expect(try double.listPictures().count { $0 == Event(0x4002, 0x2064_0001) } == 2)
    }

    @Test func `stale announces the file of the previous frame first`() throws {
        let stale = try VirtualInitiator.nikon("stale@2")
        try stale.connectNikon()
        try stale.expose("f4010100")
        _ = try stale.listPictures()
        try stale.expose("fa000100")
        #expect(try stale.listPictures().map(\.parameter).suffix(3) == [0x2064_0001, 0x2064_0002, 0])
    }

    @Test func `omits leaves out one sign and no other`() throws {
        for (sign, codes) in [("objects", [0x400D]), ("status", [0x4002, 0x4002])] as [(String, [UInt16])] {
            let silent = try VirtualInitiator.nikon("omits=\(sign)")
            try silent.connectNikon()
            try silent.expose("f4010100")
            #expect(try silent.listPictures().map(\.code) == codes)
        }
        let counter = try VirtualInitiator.nikon("omits=counter")
        try counter.connectNikon()
        try counter.expose("f4010100")
        #expect(try counter.listEvents().contains(Event(0x4006, 0xD1F1)) == false)
    }

    // MARK: Files

    @Test func `pc-mode denies the usual reads and leaves 0x9431 open`() throws {
        let initiator = try VirtualInitiator.nikon("pc-mode")
        try initiator.connectNikon()
        try initiator.expose("f4010100")
        #expect(initiator.perform(.getObjectInfo, 0x2064_0001)?.code == .accessDenied)
        #expect(initiator.perform(.getPartialObject, 0x2064_0001, 0, 100)?.code == .accessDenied)
        let part = initiator.perform(.nikonGetPartialObjectEx, 0x2064_0001, 0, 0, 100, 0)
        #expect(part?.data.readableBytes == 100)
    }

    @Test func `placeholder-storages hides the card from GetStorageIDs`() throws {
        let usual = try VirtualInitiator.nikon()
        try usual.connectNikon()
        #expect(usual.perform(.getStorageIDs)?.data.hex == "020000000100010000000200")
        #expect(usual.perform(.getStorageInfo, 0x0002_0000)?.code == ResponseCode(rawValue: 0x2013))
        #expect(usual.perform(.getStorageInfo, 0x0001_0001)?.code == .ok)
        let hidden = try VirtualInitiator.nikon("placeholder-storages")
        try hidden.connectNikon()
        #expect(hidden.perform(.getStorageIDs)?.data.hex == "020000000000010000000200")
        #expect(hidden.perform(.nikonGetVendorStorageIDs)?.data.hex == "020000000100010000000200")
    }

    @Test func `transfer-stalls stops GetObject in the middle and no partial read`() throws {
        let initiator = try VirtualInitiator.nikon("transfer-stalls@1=5000") { $0.pictureSize = 20_000 }
        try initiator.connectNikon()
        try initiator.expose("f4010100")
        #expect(initiator.perform(.getPartialObject, 0x2064_0001, 0, 20_000)?.data.readableBytes == 20_000)
        #expect(initiator.perform(.getObject, 0x2064_0001) == nil)
        #expect(initiator.readiness == nil)
        end(initiator, closing: false)
        initiator.advance(.seconds(2))
        try initiator.connectNikon()
        #expect(initiator.perform(.getObject, 0x2064_0001)?.data.readableBytes == 20_000)
    }

    @Test func `a transfer that breaks continues at the same byte in the next session`() throws {
        let initiator = try VirtualInitiator.nikon("transfer-breaks@1=5000,back=1s") { $0.pictureSize = 20_000 }
        try initiator.connectNikon()
        try initiator.expose("f4010100")
        #expect(initiator.perform(.getPartialObject, 0x2064_0001, 0, 20_000) == nil)
        initiator.advance(.seconds(2))
        try initiator.connectNikon()
        let rest = try #require(initiator.perform(.getPartialObject, 0x2064_0001, 5_000, 20_000))
        #expect(rest.data.readableBytes == 15_000)
    }

    @Test func `object-info rejects descriptions, and never-idle keeps the body busy`() throws {
        let late = try VirtualInitiator.nikon("object-info@1=5s")
        try late.connectNikon()
        try late.expose("f4010100")
        #expect(late.perform(.getObjectInfo, 0x2064_0001)?.code == .generalError)
        late.advance(.seconds(5))
        #expect(late.perform(.getObjectInfo, 0x2064_0001)?.code == .ok)
        let busy = try VirtualInitiator.nikon("never-idle@1,back=60s")
        try busy.connectNikon()
        #expect(busy.release() == .ok)
        busy.advance(.seconds(59))
        #expect(busy.readiness == .deviceBusy)
        #expect(busy.write(0xD100, "fa000100") == .deviceBusy)
        busy.advance(.seconds(60))
        #expect(busy.readiness == .ok)
    }

    // MARK: Speeds

    @Test func `a set is ignored, settles on another speed or is taken back, as the fault says`() throws {
        let ignoring = try VirtualInitiator.nikon("ignore-sets=1")
        try ignoring.connectNikon()
        #expect(ignoring.write(0xD100, "f4010100") == .ok)
        ignoring.advance(.seconds(1))
        #expect(ignoring.value(of: 0xD100) == "90010100")
        let wrong = try VirtualInitiator.nikon("wrong-speed@1=1/60,times=1")
        try wrong.connectNikon()
        #expect(wrong.write(0xD100, "f4010100") == .ok)
        wrong.advance(.seconds(1))
        #expect(wrong.value(of: 0xD100) == "3c000100")
        let jumping = try VirtualInitiator.nikon("jump@1,after=1s")
        try jumping.connectNikon()
        #expect(jumping.write(0xD100, "f4010100") == .ok)
        jumping.advance(.milliseconds(100))
        #expect(jumping.value(of: 0xD100) == "f4010100")
        jumping.advance(.seconds(1))
        #expect(jumping.value(of: 0xD100) == "90010100")
    }

    @Test func `ignore-property ignores the first set of the ISO alone`() throws {
        let property = try VirtualInitiator.nikon("ignore-property=iso:1")
        try property.connectNikon()
        for isTaken in [false, true] {
            #expect(property.write(0xD0B4, "20030000") == .ok)
            property.advance(.seconds(1))
            #expect(property.value(of: 0xD0B4) == (isTaken ? "20030000" : "90010000"))
        }
    }

    @Test func `a speed that jumps at the release is the one of the picture, and is reported`() throws {
        let initiator = try VirtualInitiator.nikon("jump@1=1/8")
        try initiator.connectNikon()
        #expect(initiator.release() == .ok)
        initiator.advance(.seconds(2))
        #expect(initiator.value(of: 0xD100) == "08000100")
        #expect(try initiator.listEvents().contains(Event(0x4006, 0xD100)))
        #expect(initiator.camera.card.map(\.label) == ["1/8"])
    }

    @Test func `event-storm repeats each change`() throws {
        let initiator = try VirtualInitiator.nikon("event-storm=20")
        try initiator.connectNikon()
        #expect(initiator.write(0xD100, "f4010100") == .ok)
        initiator.advance(.seconds(1))
        #expect(try initiator.listEvents().count == 40)
    }

    // MARK: The link

    @Test(arguments: [("set", 0), ("confirm", 0), ("press", 1), ("expose", 1), ("save", 1)])
    func `drop breaks both connections in its phase`(phase: String, frames: Int) throws {
        let initiator = try VirtualInitiator.nikon("drop@1:\(phase),back=2s")
        try initiator.connectNikon()
        let isSet = initiator.write(0xD100, "01000400") != nil
        #expect(isSet == (phase != "set"))
        if isSet {
            initiator.advance(.seconds(1))
            let isRead = initiator.perform(.getDevicePropValue, 0xD100) != nil
            #expect(isRead == (phase != "confirm"))
            if isRead { #expect((initiator.release() != nil) == (phase != "press")) }
        }
        initiator.advance(.seconds(6))
        #expect(initiator.aborted == [initiator.command, initiator.event])
        initiator.advance(.seconds(5))
        #expect(initiator.camera.card.count == frames)
        try initiator.connectNikon()
    }

    @Test func `a body that is healed works again, whatever the fault`() throws {
        for fault in FaultGrammar.list where fault.isOf("nikon") {
            for model in [NikonModel.d850, .z8] {
                let initiator = try VirtualInitiator.nikon(fault.example, model: model)
                if initiator.handshake() {
                    _ = initiator.perform(.openSession, 1)
                    _ = initiator.perform(.nikonChangeApplicationMode, 1)
                    _ = initiator.write(0xD100, "f4010100")
                    _ = initiator.release()
                }
                var actions: [BodyAction] = []
                initiator.camera.clearFaults(at: initiator.now, into: &actions)
                initiator.hangUp(initiator.event)
                initiator.hangUp(initiator.command)
                initiator.advance(.seconds(130))
                try initiator.connectNikon()
                try initiator.expose("3c000100")
                #expect(initiator.camera.card.last?.label == "1/60", "\(fault.example)")
            }
        }
    }
}
