import Bodies
import Cameras
import Exposure
import NIOCore
import PTP
import Testing

/// Each fault has exactly the effect that the table of faults describes.
struct FaultTests {
    // MARK: Connecting

    @Test func `refuse-connect refuses the next connects and then no more`() throws {
        let initiator = try VirtualInitiator("refuse-connect=2")
        #expect(initiator.dial() == nil)
        #expect(initiator.dial() == nil)
        try initiator.connect()
    }

    @Test func `init-fail refuses initiators with its reason`() throws {
        let initiator = try VirtualInitiator("init-fail=rejected:2", "init-fail=7")
        var reasons: [PTPIPPacket?] = []
        for _ in 0..<3 {
            #expect(!initiator.handshake(answerTime: .zero))
            let id = try #require(initiator.closed.last)
            reasons.append(initiator.packets[id]?.first)
        }
        #expect(
            reasons == [
                .initFail(.rejectedInitiator), .initFail(.rejectedInitiator), .initFail(InitFailReason(rawValue: 7)),
            ]
        )
        try initiator.connect()
    }

    @Test func `pairing keeps the initiator waiting`() throws {
        let initiator = try VirtualInitiator("pairing=12s")
        #expect(initiator.handshake(answerTime: .seconds(12)))
        #expect(initiator.now == .seconds(12))
        let impatient = try VirtualInitiator("pairing=12s")
        #expect(!impatient.handshake(answerTime: .seconds(11)))
        // The first initiator disconnects before the user presses OK, so the next one can pair.
        impatient.hangUp(ConnectionID(rawValue: 1))
        #expect(impatient.handshake(answerTime: .seconds(12)))
    }

    @Test func `auth-failed answers SDIO_Connect with 0xA101`() throws {
        let initiator = try VirtualInitiator("auth-failed=2")
        #expect(initiator.handshake())
        #expect(initiator.perform(.openSession, 1)?.code == .ok)
        #expect(initiator.perform(.sdioConnect, 1, 0, 0)?.code == .sonyAuthenticationFailed)
        #expect(initiator.perform(.sdioConnect, 1, 0, 0)?.code == .sonyAuthenticationFailed)
        #expect(initiator.perform(.sdioConnect, 1, 0, 0)?.code == .ok)
    }

    @Test func `empty-extinfo sends empty datasets first`() throws {
        let initiator = try VirtualInitiator("empty-extinfo=2")
        #expect(initiator.handshake())
        #expect(initiator.perform(.openSession, 1)?.code == .ok)
        let sizes = (0..<3).map { _ in initiator.perform(.sdioGetExtDeviceInfo, 0x012C)?.data.readableBytes ?? -1 }
        #expect(sizes[..<2] == [0, 0])
        #expect(sizes[2] > 100)
    }

    @Test func `reject-mode leaves the dial unchanged`() throws {
        let initiator = try VirtualInitiator("reject-mode=P")
        try initiator.connect()
        #expect(initiator.camera.mode == .program)
        #expect(initiator.set(.sonyPositionKey, .uint8(1)) == .accessDenied)
        #expect(initiator.set(.exposureProgramMode, .uint32(1)) == .accessDenied)
        #expect(!(try initiator.property(.sonyShutterSpeed).isWritable))
    }

    @Test func `mode-after turns the dial, counted from the first session`() throws {
        let initiator = try VirtualInitiator("reject-mode", "mode-after=3s:M", "mode-after=5s:S")
        initiator.advance(.seconds(60))
        try initiator.connect()
        initiator.advance(.milliseconds(2_999))
        #expect(initiator.camera.mode == .aperturePriority)
        let events = initiator.count(.sonyDevicePropChanged)
        initiator.advance(.milliseconds(21))
        #expect(initiator.camera.mode == .manual)
        #expect(initiator.count(.sonyDevicePropChanged) > events)
        initiator.advance(.seconds(2))
        #expect(initiator.camera.mode == .shutterPriority)
    }

    @Test func `mode turns the dial when its frame is next`() throws {
        let initiator = try VirtualInitiator("mode@2=A")
        try initiator.connect()
        #expect(initiator.camera.mode == .manual)
        try initiator.shoot("1/60")
        #expect(initiator.camera.mode == .aperturePriority)
        #expect(!(try initiator.property(.sonyShutterSpeed).isWritable))
    }

    // MARK: Setting

    @Test func `busy affects any command in a session`() throws {
        let initiator = try VirtualInitiator("busy=3")
        #expect(initiator.handshake())
        #expect(initiator.perform(.openSession, 1)?.code == .ok)
        let codes = (0..<4).map { _ in initiator.perform(.getDeviceInfo)?.code }
        #expect(codes == [.deviceBusy, .deviceBusy, .deviceBusy, .ok])
    }

    @Test(arguments: ["open", "set", "control", "shutter", "read", "object", "0x9201", "change"])
    func `busy affects one kind of command`(kind: String) throws {
        let initiator = try VirtualInitiator("busy=\(kind):1")
        #expect(initiator.handshake())
        var busy: [String] = []
        func note(_ name: String, _ code: ResponseCode?) { if code == .deviceBusy { busy.append(name) } }
        note("open", initiator.perform(.openSession, 1)?.code)
        if busy == ["open"] { _ = initiator.perform(.openSession, 1) }
        note("0x9201", initiator.perform(.sdioConnect, 1, 0, 0)?.code)
        for phase: UInt32 in [1, 2, 3] { _ = initiator.perform(.sdioConnect, phase, 0, 0) }
        note("read", initiator.perform(.sdioGetAllExtDevicePropInfo, 0)?.code)
        note("object", initiator.perform(.getObjectInfo, SonyObjectHandle.shotImage)?.code)
        if kind == "change" {
            note("change", initiator.control(.halfPress, .pressed))
        }
        note("set", try initiator.setSpeed("1/500"))
        if kind != "control" { note("control", initiator.control(.fullPress, .released)) }
        if kind == "control" { note("control", initiator.control(.halfPress, .pressed)) }
        note("shutter", initiator.control(.fullPress, .pressed))
        #expect(busy == [kind])
    }

    @Test func `busy at a frame waits for that frame, and affects commands that change something`() throws {
        let initiator = try VirtualInitiator("busy@2=2")
        try initiator.connect()
        try initiator.shoot("1/60")
        #expect(initiator.camera.card.count == 1)
        _ = try initiator.readAll()
        let codes = try (0..<3).map { _ in try initiator.setSpeed("1/500") }
        #expect(codes == [.deviceBusy, .deviceBusy, .ok])
        initiator.advance(.seconds(1))
        #expect(try initiator.speed().label == "1/500")
    }

    @Test func `a busy command does nothing`() throws {
        let initiator = try VirtualInitiator("busy=shutter:1")
        try initiator.connect()
        #expect(initiator.press() == .deviceBusy)
        initiator.advance(.seconds(1))
        #expect(initiator.camera.card.isEmpty)
        #expect(initiator.press() == .ok)
        initiator.advance(.seconds(1))
        #expect(initiator.camera.card.count == 1)
    }

    @Test func `ignore-set says OK and ignores one set`() throws {
        let initiator = try VirtualInitiator("ignore-set")
        try initiator.connect()
        // Only settings of the speed count for this fault.
        #expect(initiator.set(.focusMode, .uint16(2)) == .ok)
        #expect(try initiator.setSpeed("1/500") == .ok)
        initiator.advance(.seconds(1))
        #expect(try initiator.speed().label == "1/60")
        #expect(try initiator.property(.focusMode).currentValue == .uint16(2))
        #expect(try initiator.setSpeed("1/500") == .ok)
        initiator.advance(.seconds(1))
        #expect(try initiator.speed().label == "1/500")
    }

    @Test func `ignore-set at a frame and ignore-sets count as described`() throws {
        let initiator = try VirtualInitiator("ignore-set@2")
        try initiator.connect()
        try initiator.shoot("1/500")
        try initiator.shoot("1/250")
        #expect(initiator.camera.card.map(\.label) == ["1/500", "1/500"])
        let often = try VirtualInitiator("ignore-sets=3")
        try often.connect()
        for _ in 0..<3 {
            #expect(try often.setSpeed("1/500") == .ok)
            often.advance(.seconds(1))
            #expect(try often.speed().label == "1/60")
        }
        #expect(try often.setSpeed("1/500") == .ok)
        often.advance(.seconds(1))
        #expect(try often.speed().label == "1/500")
    }

    @Test func `wrong-speed settles at its own speed, at every set of that frame`() throws {
        let initiator = try VirtualInitiator("wrong-speed@2=1/30")
        try initiator.connect()
        try initiator.shoot("1/500")
        for _ in 0..<3 {
            #expect(try initiator.setSpeed("1/250") == .ok)
            initiator.advance(.seconds(1))
            #expect(try initiator.speed().label == "1/30")
        }
        let once = try VirtualInitiator("wrong-speed@1=1/30,times=1")
        try once.connect()
        try once.shoot("1/500")
        try once.shoot("1/500")
        #expect(once.camera.card.map(\.label) == ["1/30", "1/500"])
    }

    @Test func `jump confirms the speed once and then falls back`() throws {
        let initiator = try VirtualInitiator("jump@1")
        try initiator.connect()
        #expect(try initiator.setSpeed("1/500") == .ok)
        // Readings before the body shows the speed do not trigger the fault.
        #expect(try initiator.speed().label == "1/60")
        initiator.advance(.seconds(1))
        let events = initiator.count(.sonyDevicePropChanged)
        #expect(try initiator.speed().label == "1/500")
        initiator.advance(.milliseconds(20))
        #expect(initiator.count(.sonyDevicePropChanged) == events + 1)
        #expect(try initiator.speed().label == "1/60")
        #expect(try initiator.setSpeed("1/500") == .ok)
        initiator.advance(.seconds(1))
        for _ in 0..<3 {
            #expect(try initiator.speed().label == "1/500")
            initiator.advance(.seconds(1))
        }
    }

    @Test func `jump also happens when the set speed equals the previous one`() throws {
        let initiator = try VirtualInitiator("jump@1")
        try initiator.connect()
        #expect(try initiator.setSpeed("1/60") == .ok)
        initiator.advance(.seconds(1))
        #expect(try initiator.speed().label == "1/60")
        initiator.advance(.seconds(1))
        #expect(try initiator.speed().label != "1/60")
    }

    // MARK: Shooting

    @Test func `fail answers the full press with a general error`() throws {
        let initiator = try VirtualInitiator("fail@2")
        try initiator.connect()
        try initiator.shoot("1/60")
        #expect(initiator.press() == .generalError)
        initiator.advance(.seconds(2))
        #expect(initiator.camera.card.count == 1)
        #expect(initiator.press() == .ok)
        initiator.advance(.seconds(2))
        #expect(initiator.camera.card.count == 2)
    }

    @Test func `no-picture says OK and takes none`() throws {
        let initiator = try VirtualInitiator("no-picture@1,times=2")
        try initiator.connect()
        for _ in 0..<2 {
            #expect(initiator.press() == .ok)
            initiator.advance(.seconds(40))
            #expect(initiator.camera.card.isEmpty)
            #expect(try initiator.fileInfo() == .empty)
        }
        #expect(initiator.press() == .ok)
        initiator.advance(.seconds(2))
        #expect(initiator.camera.card.count == 1)
    }

    @Test func `no-focus keeps the shutter closed in autofocus`() throws {
        let initiator = try VirtualInitiator("no-focus@1", model: .dscRX100M7)
        try initiator.connect()
        initiator.advance(.seconds(3))
        _ = initiator.control(.halfPress, .pressed)
        initiator.advance(.seconds(1))
        #expect(try initiator.property(.sonyFocusIndication).currentValue == .uint8(3))
        #expect(initiator.control(.fullPress, .pressed) == .ok)
        initiator.advance(.seconds(2))
        #expect(initiator.camera.card.isEmpty)
        _ = initiator.control(.fullPress, .released)
        _ = initiator.control(.halfPress, .released)
        _ = initiator.control(.halfPress, .pressed)
        _ = initiator.control(.fullPress, .pressed)
        initiator.advance(.seconds(2))
        #expect(initiator.camera.card.count == 1)
    }

    @Test func `never-idle keeps the body busy, forever or for a time`() throws {
        for (fault, heals) in [("never-idle@1", false), ("never-idle@1,back=60s", true)] {
            let initiator = try VirtualInitiator(fault)
            try initiator.connect()
            initiator.press()
            initiator.advance(.seconds(59))
            #expect(initiator.camera.card.count == 1)
            #expect(try initiator.fileInfo() == .inPreparation)
            #expect(!(try initiator.property(.sonyShutterSpeed).isWritable))
            initiator.advance(.seconds(1_000))
            #expect(try initiator.fileInfo() == (heals ? .ready(1) : .inPreparation))
        }
    }

    @Test func `events-silent sends none, event-storm many`() throws {
        let silent = try VirtualInitiator("events-silent")
        try silent.connect()
        try silent.shoot("1/500")
        #expect(silent.events.isEmpty)
        #expect(silent.camera.card.count == 1)
        let storm = try VirtualInitiator("event-storm=20")
        try storm.connect()
        storm.advance(.seconds(1))
        storm.events = []
        #expect(try storm.setSpeed("1/500") == .ok)
        storm.advance(.seconds(1))
        #expect(storm.count(.sonyDevicePropChanged) == 20)
    }

    // MARK: The link

    /// Fires frames until the link fails. The phase decides how many frames are possible.
    private func play(
        _ initiator: VirtualInitiator,
        until phase: String,
        endsBy ended: KeyPath<VirtualInitiator, [ConnectionID]> = \.aborted
    ) throws {
        try initiator.connect()
        try initiator.shoot("1/500")
        #expect(initiator[keyPath: ended].isEmpty)
        let isSetAnswered = try initiator.setSpeed("4s") != nil
        #expect(isSetAnswered == (phase != "set"))
        guard isSetAnswered else { return }
        initiator.advance(.seconds(1))
        let isRead = initiator.perform(.sdioGetAllExtDevicePropInfo, 0) != nil
        #expect(isRead == (phase != "confirm"))
        guard isRead else { return }
        let isFocused = initiator.control(.halfPress, .pressed) != nil
        #expect(isFocused == (phase != "focus"))
        guard isFocused else { return }
        let isPressed = initiator.control(.fullPress, .pressed) != nil
        #expect(isPressed == (phase != "press"))
        guard isPressed else { return }
        initiator.advance(.milliseconds(40 + 1_999))
        #expect(initiator[keyPath: ended].isEmpty)
        initiator.advance(.milliseconds(1))
        guard phase != "expose" else { return }
        initiator.advance(.milliseconds(2_000 + 249))
        #expect(initiator[keyPath: ended].isEmpty)
        initiator.advance(.milliseconds(1))
    }

    @Test(arguments: [("set", 1), ("confirm", 1), ("focus", 1), ("press", 2), ("expose", 2), ("save", 2)])
    func `drop breaks both connections in its phase and refuses connects for a time`(
        phase: String,
        frames: Int
    ) throws {
        let initiator = try VirtualInitiator("drop@2:\(phase),back=20s")
        try play(initiator, until: phase)
        #expect(initiator.aborted == [initiator.command, initiator.event])
        #expect(initiator.closed.isEmpty)
        #expect(initiator.dial() == nil)
        let back = try #require(initiator.refusedUntil)
        initiator.advance(.seconds(12))
        // The exposure that had begun has continued without the link.
        #expect(initiator.camera.card.count == frames)
        #expect(initiator.dial() == nil)
        initiator.advance(back - initiator.now)
        // The body knew that the link was broken, so it accepts a new initiator at once.
        try initiator.connect()
        #expect(try initiator.speed().label == (phase == "set" ? "1/500" : "4\""))
        #expect(try initiator.fileInfo() == (frames == 2 ? .ready(1) : .empty))
    }

    @Test(arguments: [("set", 1), ("confirm", 1), ("focus", 1), ("press", 2), ("expose", 2), ("save", 2)])
    func `close ends both connections in order, and the body can be connected again`(
        phase: String,
        frames: Int
    ) throws {
        let initiator = try VirtualInitiator("close@2:\(phase)")
        try play(initiator, until: phase, endsBy: \.closed)
        #expect(initiator.closed == [initiator.command, initiator.event])
        #expect(initiator.aborted.isEmpty)
        #expect(initiator.refusedUntil == nil)
        try initiator.connect()
        initiator.advance(.seconds(12))
        #expect(initiator.camera.card.count == frames)
        _ = try initiator.readAll()
    }

    @Test func `close with a time refuses connects for that time`() throws {
        let initiator = try VirtualInitiator("close@1:set,back=2s", latency: .milliseconds(10))
        try initiator.connect()
        #expect(try initiator.setSpeed("1/500") == nil)
        #expect(initiator.closed == [initiator.command, initiator.event])
        let back = try #require(initiator.refusedUntil)
        #expect(initiator.dial() == nil)
        initiator.advance(back - initiator.now)
        try initiator.connect()
    }

    @Test(
        arguments: [("set", 1), ("confirm", 1), ("focus", 1), ("press", 2), ("expose", 2), ("save", 2)],
        [true, false]
    )
    func `leave removes the body and returns it, the same body at another address`(
        phase: (name: String, frames: Int),
        isOrderly: Bool
    ) throws {
        let fault = "leave@2:\(phase.name)=127.0.0.3,back=20s" + (isOrderly ? ",politely" : "")
        let initiator = try VirtualInitiator(fault)
        try play(initiator, until: phase.name, endsBy: isOrderly ? \.closed : \.aborted)
        let gone = [initiator.command, initiator.event]
        #expect(initiator.closed == (isOrderly ? gone : []))
        #expect(initiator.aborted == (isOrderly ? [] : gone))
        let place = NetworkPlace(host: .loopback(3))
        #expect(initiator.departures == [Departure(back: .seconds(20), place: place, isOrderly: isOrderly)])
        let back = try #require(initiator.refusedUntil)
        initiator.advance(.seconds(12))
        // The exposure that had begun has continued without the link.
        #expect(initiator.camera.card.count == phase.frames)
        #expect(initiator.dial() == nil)
        initiator.advance(back - initiator.now)
        try initiator.connect()
        #expect(initiator.camera.card.count == phase.frames)
    }

    @Test func `a removed body returns once, and not earlier because of a second fault`() throws {
        let initiator = try VirtualInitiator("drop@1:expose,back=1s")
        try initiator.connect()
        #expect(try initiator.setSpeed("4s") == .ok)
        initiator.advance(.seconds(1))
        initiator.press()
        initiator.carryAway(Departure(back: .seconds(10)))
        #expect(initiator.aborted == [initiator.command, initiator.event])
        let back = initiator.now + .seconds(10)
        #expect(initiator.refusedUntil == back)
        initiator.carryAway(Departure(back: .seconds(60)))
        #expect(initiator.departures.count == 1)
        // The time is in the middle of an exposure. There the link would be lost for a second.
        initiator.advance(.seconds(9))
        #expect(initiator.camera.card.count == 1)
        #expect(initiator.dial() == nil)
        initiator.advance(back - initiator.now)
        try initiator.connect()
    }

    @Test(arguments: [("set", 1), ("confirm", 1), ("focus", 1), ("press", 2), ("expose", 2), ("save", 2)])
    func `mute stops answering without closing, until the initiator gives up`(phase: String, frames: Int) throws {
        let initiator = try VirtualInitiator("mute@2:\(phase)")
        try play(initiator, until: phase)
        #expect(initiator.aborted.isEmpty)
        #expect(initiator.closed.isEmpty)
        initiator.events = []
        initiator.advance(.seconds(30))
        #expect(initiator.perform(.sdioGetAllExtDevicePropInfo, 0) == nil)
        #expect(initiator.events.isEmpty)
        #expect(initiator.camera.card.count == frames)
        // The body accepts a new connection, but does not answer on it either.
        #expect(!initiator.handshake())
        for number in 1...3 { initiator.hangUp(ConnectionID(rawValue: number)) }
        // Then the body's only slot is occupied for a while, as after any broken connection.
        #expect(!initiator.handshake(answerTime: .zero))
        initiator.advance(.seconds(2))
        try initiator.connect()
        _ = try initiator.readAll()
    }

    @Test func `mute with a time answers again, in the middle of the stream`() throws {
        let initiator = try VirtualInitiator("mute@1:set,back=5s")
        try initiator.connect()
        #expect(try initiator.setSpeed("1/500") == nil)
        // The body misses one request and half of the next. The other half arrives when the body receives again.
        #expect(initiator.perform(.getDeviceInfo) == nil)
        let request = PTPIPPacket.operationRequest(
            OperationRequest(code: .getDeviceInfo, transaction: 100)
        ).encoded()
        initiator.send(request.getSlice(at: 0, length: 11) ?? ByteBuffer(), on: initiator.command)
        initiator.advance(.seconds(5))
        initiator.packets[initiator.command] = []
        initiator.send(
            request.getSlice(at: 11, length: request.readableBytes - 11) ?? ByteBuffer(),
            on: initiator.command
        )
        let answered = initiator.packets[initiator.command, default: []].contains {
            if case .operationResponse(let response) = $0 { response.transaction == 100 } else { false }
        }
        #expect(answered)
    }

    @Test func `probe drops an initiator that does not answer, and keeps one that does`() throws {
        let deaf = try VirtualInitiator("probe=10s")
        try deaf.connect()
        deaf.advance(.seconds(10))
        #expect(deaf.packets[deaf.event]?.last == .probeRequest)
        deaf.advance(.milliseconds(9_999))
        #expect(deaf.closed.isEmpty)
        deaf.advance(.milliseconds(1))
        #expect(deaf.closed == [deaf.event, deaf.command])
        let polite = try VirtualInitiator("probe=10s")
        try polite.connect()
        for _ in 0..<5 {
            polite.advance(.seconds(10))
            polite.send(.probeResponse, on: polite.event)
        }
        #expect(polite.closed.isEmpty)
    }

    @Test func `faults during the latency lose the bytes under way`() throws {
        let initiator = try VirtualInitiator("drop@1:focus,back=1s", latency: .milliseconds(100))
        try initiator.connect()
        initiator.send(
            .operationRequest(OperationRequest(code: .getDeviceInfo, transaction: 50)),
            on: initiator.command
        )
        initiator.packets[initiator.command] = []
        initiator.send(
            .operationRequest(
                OperationRequest(dataPhase: .out, code: .sdioControlDevice, transaction: 51, parameters: [0xD2C1])
            ),
            on: initiator.command
        )
        initiator.send(.startData(transaction: 51, totalLength: 2), on: initiator.command)
        initiator.send(.endData(transaction: 51, payload: bytes("0200")), on: initiator.command)
        initiator.advance(.seconds(2))
        #expect(initiator.packets[initiator.command] == [])
        #expect(initiator.aborted == [initiator.command, initiator.event])
        try initiator.connect()
    }
}
