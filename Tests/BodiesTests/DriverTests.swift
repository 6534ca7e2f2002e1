import Bodies
import Cameras
import Exposure
import PTP
import Testing

/// The real driver against the simulated bodies.
struct DriverTests {
    private static let plan = ["1/1000", "1/500", "1/60", "1/4", "1s", "4s"]

    private static let models = SonyModel.all.map(\.name)

    @Test(arguments: models, [BodySaveTarget.host, .card, .both])
    func `a bracket is fired on every model, with every save target`(
        name: String,
        target: BodySaveTarget
    ) throws {
        let model = try #require(SonyModel.named(name))
        let desk = try DriverDesk(model: model) {
            $0.saveTarget = target
            $0.shotsLeft = 100
        }
        guard case .status(let status) = desk.connect() else {
            Issue.record("not connected")
            return
        }
        #expect(status.mode == .manual)
        // An ILCE-6400 has no speed faster than 1/4000.
        #expect(status.speeds.count == (model.name == "ILCE-6400" ? 52 : 55))
        #expect(status.speedIsWritable)
        #expect(status.shotsLeft == 100)
        for text in Self.plan { #expect(try desk.shoot(text) == .idle, "\(text): \(desk.events) \(desk.now)") }
        #expect(try desk.labels == Self.plan.map { try ShutterSpeed(parsing: $0).label })
        desk.perform(.disconnect) { $0 == .disconnected }
        #expect(desk.network.camera(at: DriverDesk.address)?.isSessionOpen == false)
    }

    @Test func `a disconnect in the middle of a long file cancels it and closes the session in order`() throws {
        let desk = try DriverDesk("slow-transfer=1MB") {
            $0.pictureSize = 5_000_000
            $0.saveTarget = .host
        }
        desk.connect()
        let speed = try ShutterSpeed(parsing: "1/500")
        desk.perform(.setSpeed(speed)) { $0 == .speedAccepted }
        desk.perform(.readSpeed) { $0 == .speedRead(.speed(speed)) }
        desk.perform(.capture(speed)) { $0 == .captured }
        // The file takes five seconds.
        desk.advance(.seconds(2))
        let start = desk.now
        desk.perform(.disconnect) { $0 == .disconnected }
        // The file gets a second before it is cancelled. Without the cancel the link is cut off after 2.5 s.
        #expect(desk.now - start > .seconds(1) && desk.now - start < .milliseconds(1_500), "\(desk.now - start)")
        // The body keeps the file for the next session.
        desk.connect()
        desk.advance(.seconds(10))
        #expect(try desk.shoot("1/60") == .idle)
        #expect(desk.labels == ["1/500", "1/60"])
    }

    @Test func `files are as large as a real body's if the options say so`() throws {
        let sizes: [(SonyModel, Int)] = [(.ilce7M4, 11_550_000), (.ilce1M2, 17_500_000), (.zvE10, 8_400_000)]
        for (model, size) in sizes {
            #expect(model.fileSize(of: .jpeg) == size)
            let initiator = try VirtualInitiator(model: model) {
                $0.filesHaveRealSize = true
                $0.saveTarget = .both
            }
            try initiator.connect()
            initiator.advance(.seconds(4))
            initiator.press()
            initiator.advance(.seconds(3))
            let info = try ObjectInfo(
                decoding: try #require(initiator.perform(.getObjectInfo, SonyObjectHandle.shotImage)).data
            )
            #expect(info.compressedSize == size)
        }
    }

    @Test func `a bracket is fired with the bytes cut into pieces of any size`() throws {
        for size in [3, 50] {
            let desk = try DriverDesk()
            desk.network.pieceSize = size
            desk.connect()
            #expect(try desk.shoot("1/500") == .idle)
            #expect(desk.labels == ["1/500"])
        }
    }

    @Test func `readings keep a body that leaves after ten seconds without a command`() throws {
        let desk = try DriverDesk(model: .ilce7CM2)
        desk.connect()
        desk.advance(.seconds(120))
        #expect(desk.network.camera(at: DriverDesk.address)?.isSessionOpen == true)
        #expect(try desk.shoot("1/500") == .idle)
    }

    @Test func `an unknown body of that kind is lost once, and kept from then on`() throws {
        let desk = try DriverDesk("idle-drop=10s")
        desk.connect()
        desk.advance(.seconds(20))
        #expect(desk.events.last == .lost(.closedByCamera))
        desk.connect()
        desk.advance(.seconds(120))
        #expect(desk.network.camera(at: DriverDesk.address)?.isSessionOpen == true)
        #expect(try desk.shoot("1/500") == .idle)
    }

    @Test func `a frame of thirty seconds with noise reduction is fired`() throws {
        let desk = try DriverDesk { $0.noiseReduction = true }
        desk.connect()
        let start = desk.now
        #expect(try desk.shoot("30s") == .idle)
        #expect(desk.now - start > .seconds(64))
        #expect(desk.now - start < .seconds(68))
        #expect(desk.labels == ["30\""])
    }

    @Test(arguments: ["events-silent", "event-storm=20", "probe=10s", "empty-extinfo=3", "pairing=12s", "busy=2"])
    func `the driver fires a bracket in spite of each harmless fault`(fault: String) throws {
        let desk = try DriverDesk(fault)
        desk.connect()
        for text in Self.plan { #expect(try desk.shoot(text) == .idle) }
        #expect(desk.card.count == Self.plan.count)
    }

    @Test(arguments: ["wrong-speed@2=1/30", "jump@2", "ignore-set@2", "fail@2", "no-picture@2", "busy@2=1"])
    func `no frame is wrong with any fault of the second frame`(fault: String) throws {
        let desk = try DriverDesk(fault)
        desk.connect()
        #expect(try desk.shoot("1/500") == .idle)
        #expect(try desk.shoot("1/250") != .idle)
        #expect(desk.labels == ["1/500"])
    }

    @Test(arguments: Fault.FramePhase.allCases)
    func `a dropped link is lost and reconnected, and the driver knows which frames were fired`(
        phase: Fault.FramePhase
    ) throws {
        let desk = try DriverDesk("drop@2:\(phase.rawValue),back=10s")
        desk.connect()
        #expect(try desk.shoot("1/500") == .idle)
        guard case .lost = try desk.shoot("2s") else {
            Issue.record("the loss was not noticed")
            return
        }
        desk.advance(.seconds(10))
        guard case .status = desk.connect() else {
            Issue.record("not connected again")
            return
        }
        let fired = [.press, .expose, .save].contains(phase)
        // Before the button is pressed there is no doubt.
        if phase != .set, phase != .confirm {
            let answer = desk.perform(.resolveCapture(shotsLeftBefore: 998)) {
                if case .captureResolved = $0 { true } else { false }
            }
            #expect(answer == .captureResolved(fired ? .fired : .notFired))
        }
        #expect(desk.card.count == (fired ? 2 : 1))
    }

    @Test(arguments: Fault.FramePhase.allCases)
    func `a body that stops answering is noticed`(phase: Fault.FramePhase) throws {
        let desk = try DriverDesk("mute@2:\(phase.rawValue)")
        desk.connect()
        #expect(try desk.shoot("1/500") == .idle)
        guard case .lost = try desk.shoot("2s") else {
            Issue.record("the silence was not noticed")
            return
        }
    }

    @Test func `a congested network delays and loses nothing`() throws {
        let desk = try DriverDesk()
        desk.connect()
        desk.network.clog(until: desk.now + .seconds(3), at: desk.now)
        #expect(try desk.shoot("1/500") == .idle)
        #expect(desk.labels == ["1/500"])
    }

    @Test func `a pulled cable is a loss, and the exposure continues`() throws {
        let desk = try DriverDesk()
        desk.connect()
        #expect(try desk.shoot("1/500") == .idle)
        desk.perform(.setSpeed(.slowest)) { $0 == .speedAccepted }
        desk.perform(.readSpeed) { $0 == .speedRead(.speed(.slowest)) }
        desk.perform(.capture(.slowest)) { $0 == .shutterReleased }
        desk.advance(.seconds(5))
        desk.kick()
        #expect(desk.events.contains { if case .lost = $0 { true } else { false } })
        desk.advance(.seconds(60))
        #expect(desk.labels == ["1/500", "30\""])
    }

    @Test(arguments: ["init-fail=rejected", "init-fail=busy", "auth-failed=10", "refuse-connect=1"])
    func `a failed connect gives the reason`(fault: String) throws {
        let desk = try DriverDesk(fault)
        switch desk.connect() {
        case .refused, .lost: break
        case let other: Issue.record("\(String(describing: other))")
        }
    }

    @Test func `the wrong mode and its change are reported`() throws {
        let desk = try DriverDesk("reject-mode", "mode-after=5s:M")
        guard case .status(let status) = desk.connect() else {
            Issue.record("not connected")
            return
        }
        #expect(status.mode == .aperturePriority)
        #expect(!status.speedIsWritable)
        desk.advance(.seconds(8))
        let turned = desk.events.contains { event in
            if case .status(let status) = event { status.mode == .manual && status.speedIsWritable } else { false }
        }
        #expect(turned)
    }
}
