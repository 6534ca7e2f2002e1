import Bodies
import Cameras
import Exposure
import PTP
import Testing

/// Tests the real driver with the simulated bodies.
struct DriverTests {
    private static let plan = ["1/1000", "1/500", "1/60", "1/4", "1s", "4s"]

    private static let models = SonyModel.all.map(\.name)

    @Test(arguments: models, [BodySaveTarget.host, .card, .both])
    func `a bracket is fired on every model, with every save target`(
        name: String,
        target: BodySaveTarget
    ) throws {
        let model = try #require(SonyModel.named(name))
        let fixture = try DriverFixture(model: model) {
            $0.saveTarget = target
            $0.shotsLeft = 100
        }
        guard case .status(let status) = fixture.connect() else {
            Issue.record("not connected")
            return
        }
        #expect(status.mode == .manual)
        // An ILCE-6400 has no speed faster than 1/4000.
        #expect(status.speeds.count == (model.name == "ILCE-6400" ? 52 : 55))
        #expect(status.speedIsWritable)
        #expect(status.shotsLeft == 100)
        for text in Self.plan { #expect(try fixture.shoot(text) == .idle, "\(text): \(fixture.events) \(fixture.now)") }
        #expect(try fixture.labels == Self.plan.map { try ShutterSpeed(parsing: $0).label })
        fixture.perform(.disconnect) { $0 == .disconnected }
        #expect(fixture.network.camera(at: DriverFixture.address)?.isSessionOpen == false)
    }

    @Test func `a disconnect in the middle of a long file cancels it and closes the session in order`() throws {
        let fixture = try DriverFixture("slow-transfer=1MB") {
            $0.pictureSize = 5_000_000
            $0.saveTarget = .host
        }
        fixture.connect()
        let speed = try ShutterSpeed(parsing: "1/500")
        fixture.perform(.setSpeed(speed)) { $0 == .speedAccepted }
        fixture.perform(.readSpeed) { $0 == .speedRead(.speed(speed)) }
        fixture.perform(.capture(speed)) { $0 == .captured }
        // The transfer of the file takes five seconds.
        fixture.advance(.seconds(2))
        let start = fixture.now
        fixture.perform(.disconnect) { $0 == .disconnected }
        // The driver waits a second for the file, and then cancels the transfer. Without the cancel the link would end
        // after 2.5 s.
        #expect(
            fixture.now - start > .seconds(1) && fixture.now - start < .milliseconds(1_500),
            "\(fixture.now - start)"
        )
        // The body keeps the file for the next session.
        fixture.connect()
        fixture.advance(.seconds(10))
        #expect(try fixture.shoot("1/60") == .idle)
        #expect(fixture.labels == ["1/500", "1/60"])
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
            let fixture = try DriverFixture()
            fixture.network.pieceSize = size
            fixture.connect()
            #expect(try fixture.shoot("1/500") == .idle)
            #expect(fixture.labels == ["1/500"])
        }
    }

    @Test func `readings keep a body that leaves after ten seconds without a command`() throws {
        let fixture = try DriverFixture(model: .ilce7CM2)
        fixture.connect()
        fixture.advance(.seconds(120))
        #expect(fixture.network.camera(at: DriverFixture.address)?.isSessionOpen == true)
        #expect(try fixture.shoot("1/500") == .idle)
    }

    @Test func `an unknown body of that kind is lost once, and kept from then on`() throws {
        let fixture = try DriverFixture("idle-drop=10s")
        fixture.connect()
        fixture.advance(.seconds(20))
        #expect(fixture.events.last == .lost(.closedByCamera))
        fixture.connect()
        fixture.advance(.seconds(120))
        #expect(fixture.network.camera(at: DriverFixture.address)?.isSessionOpen == true)
        #expect(try fixture.shoot("1/500") == .idle)
    }

    @Test func `a frame of thirty seconds with noise reduction is fired`() throws {
        let fixture = try DriverFixture { $0.noiseReduction = true }
        fixture.connect()
        let start = fixture.now
        #expect(try fixture.shoot("30s") == .idle)
        #expect(fixture.now - start > .seconds(64))
        #expect(fixture.now - start < .seconds(68))
        #expect(fixture.labels == ["30\""])
    }

    @Test(arguments: ["events-silent", "event-storm=20", "probe=10s", "empty-extinfo=3", "pairing=12s", "busy=2"])
    func `the driver fires a bracket in spite of each harmless fault`(fault: String) throws {
        let fixture = try DriverFixture(fault)
        fixture.connect()
        for text in Self.plan { #expect(try fixture.shoot(text) == .idle) }
        #expect(fixture.card.count == Self.plan.count)
    }

    @Test(arguments: ["wrong-speed@2=1/30", "jump@2", "ignore-set@2", "fail@2", "no-picture@2", "busy@2=1"])
    func `no frame is wrong with any fault of the second frame`(fault: String) throws {
        let fixture = try DriverFixture(fault)
        fixture.connect()
        #expect(try fixture.shoot("1/500") == .idle)
        #expect(try fixture.shoot("1/250") != .idle)
        #expect(fixture.labels == ["1/500"])
    }

    @Test(arguments: Fault.FramePhase.allCases)
    func `a dropped link is lost and reconnected, and the driver knows which frames were fired`(
        phase: Fault.FramePhase
    ) throws {
        let fixture = try DriverFixture("drop@2:\(phase.rawValue),back=10s")
        fixture.connect()
        #expect(try fixture.shoot("1/500") == .idle)
        guard case .lost = try fixture.shoot("2s") else {
            Issue.record("the loss was not noticed")
            return
        }
        fixture.advance(.seconds(10))
        guard case .status = fixture.connect() else {
            Issue.record("not connected again")
            return
        }
        let fired = [.press, .expose, .save].contains(phase)
        // Before the button is pressed there is no doubt whether the frame was fired.
        if phase != .set, phase != .confirm {
            let answer = fixture.perform(.resolveCapture(shotsLeftBefore: 998)) {
                if case .captureResolved = $0 { true } else { false }
            }
            #expect(answer == .captureResolved(fired ? .fired : .notFired))
        }
        #expect(fixture.card.count == (fired ? 2 : 1))
    }

    @Test(arguments: Fault.FramePhase.allCases)
    func `a body that stops answering is noticed`(phase: Fault.FramePhase) throws {
        let fixture = try DriverFixture("mute@2:\(phase.rawValue)")
        fixture.connect()
        #expect(try fixture.shoot("1/500") == .idle)
        guard case .lost = try fixture.shoot("2s") else {
            Issue.record("the silence was not noticed")
            return
        }
    }

    @Test func `a congested network delays and loses nothing`() throws {
        let fixture = try DriverFixture()
        fixture.connect()
        fixture.network.clog(until: fixture.now + .seconds(3), at: fixture.now)
        #expect(try fixture.shoot("1/500") == .idle)
        #expect(fixture.labels == ["1/500"])
    }

    @Test func `a pulled cable is a loss, and the exposure continues`() throws {
        let fixture = try DriverFixture()
        fixture.connect()
        #expect(try fixture.shoot("1/500") == .idle)
        fixture.perform(.setSpeed(.slowest)) { $0 == .speedAccepted }
        fixture.perform(.readSpeed) { $0 == .speedRead(.speed(.slowest)) }
        fixture.perform(.capture(.slowest)) { $0 == .shutterReleased }
        fixture.advance(.seconds(5))
        fixture.kick()
        #expect(fixture.events.contains { if case .lost = $0 { true } else { false } })
        fixture.advance(.seconds(60))
        #expect(fixture.labels == ["1/500", "30\""])
    }

    @Test(arguments: ["init-fail=rejected", "init-fail=busy", "auth-failed=10", "refuse-connect=1"])
    func `a failed connect gives the reason`(fault: String) throws {
        let fixture = try DriverFixture(fault)
        switch fixture.connect() {
        case .refused, .lost: break
        case let other: Issue.record("\(String(describing: other))")
        }
    }

    @Test func `the wrong mode and its change are reported`() throws {
        let fixture = try DriverFixture("reject-mode", "mode-after=5s:M")
        guard case .status(let status) = fixture.connect() else {
            Issue.record("not connected")
            return
        }
        #expect(status.mode == .aperturePriority)
        #expect(!status.speedIsWritable)
        fixture.advance(.seconds(8))
        let turned = fixture.events.contains { event in
            if case .status(let status) = event { status.mode == .manual && status.speedIsWritable } else { false }
        }
        #expect(turned)
    }
}
