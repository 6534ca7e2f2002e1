import Bodies
import Cameras
import Exposure
import NIOCore
import PTP
import Testing

/// Breaks the link between the real driver and each Nikon body, and checks what remains.
struct NikonLinkTests {
    /// Longer than any body holds its session slot (30 s on a ZR).
    private static let slotTime = Duration.seconds(35)
    private static let speed = "1/4"

    private func fixture(
        _ faults: String...,
        model name: String,
        options change: (inout BodyOptions) -> Void = { _ in }
    ) throws -> DriverFixture {
        var options = BodyOptions()
        options.faults = try faults.map { try Fault(parsing: $0, for: "nikon") }
        options.shotsLeft = 100
        change(&options)
        let model = try #require(NikonModel.named(name))
        let fixture = DriverFixture(SimulatedCamera(model: model, options: options))
        fixture.perform(.keepPictures(PictureRequest(policy: .both)))
        return fixture
    }

    private func isConnected(_ event: CameraEvent?) -> Bool { if case .status = event { true } else { false } }

    /// Resolves a frame in doubt, then gives the driver time for pictures.
    private func resolve(_ fixture: DriverFixture, shotsLeftBefore count: Int) -> CameraEvent? {
        let answer = fixture.perform(.resolveCapture(shotsLeftBefore: count)) {
            if case .captureResolved = $0 { true } else { false }
        }
        fixture.advance(.seconds(10))
        return answer
    }

    /// The names of the files that arrived whole, in order. Each file must arrive without a gap and without a byte
    /// twice.
    private func files(_ fixture: DriverFixture) -> [String] {
        var counts: [PictureID: Int] = [:]
        var infos: [PictureID: PictureInfo] = [:]
        var names: [String] = []
        for (id, action) in fixture.pictures {
            switch action {
            case .begin(let info, let offset):
                infos[id] = info
                if offset == 0 { counts[id] = 0 }
                #expect(UInt64(counts[id] ?? 0) == offset, "\(info.name)")
            case .bytes(let bytes): counts[id, default: 0] += bytes.readableBytes
            case .end:
                guard let info = infos[id] else { continue }
                #expect(info.byteCount == UInt64(counts[id] ?? 0))
                names.append(info.name)
            case .interrupted, .abandoned, .skipped: break
            }
        }
        return names
    }

    /// The names of the files of the first frames of a body.
    private func names(_ model: String, frames: Int) -> [String] {
        let endings = model == "zr" ? ["JPG", "NEF"] : ["JPG"]
        return (0..<frames).flatMap { frame in endings.map { "DSC_000\(frame + 1).\($0)" } }
    }

    // MARK: Each phase

    @Test(arguments: NikonModel.all.map(\.shortName), [Fault.FramePhase.set, .confirm, .press, .expose, .save])
    func `after a link that broke in a phase the driver knows whether the frame was fired`(
        model: String,
        phase: Fault.FramePhase
    ) throws {
        let fixture = try fixture("drop@2:\(phase.rawValue),back=1s", model: model)
        #expect(isConnected(fixture.connect()))
        #expect(try fixture.shoot("1/500") == .idle)
        guard case .lost = try fixture.shoot("2s") else {
            Issue.record("the loss was not noticed: \(fixture.events)")
            return
        }
        fixture.advance(Self.slotTime)
        #expect(isConnected(fixture.connect()), "\(fixture.events)")
        let isFired = [.press, .expose, .save].contains(phase)
        if isFired { #expect(resolve(fixture, shotsLeftBefore: 99) == .captureResolved(.fired)) }
        #expect(fixture.card.count == (isFired ? 2 : 1))
        #expect(try fixture.shoot("1/60") == .idle)
        #expect(fixture.labels == (isFired ? ["1/500", "2\"", "1/60"] : ["1/500", "1/60"]))
        #expect(files(fixture).sorted() == names(model, frames: isFired ? 3 : 2))
    }

    @Test(arguments: NikonModel.all.map(\.shortName))
    func `a link that breaks during the set-up costs one connection`(model: String) throws {
        let whole = try fixture(model: model)
        let start = whole.now
        #expect(isConnected(whole.connect()))
        let time = whole.now - start
        for part in 0...24 {
            let fixture = try fixture(model: model)
            fixture.perform(.connect(DriverFixture.address))
            fixture.advance(time * part / 24)
            fixture.kick()
            #expect(fixture.events.contains { if case .lost = $0 { true } else { false } }, "\(part)")
            fixture.advance(Self.slotTime)
            #expect(isConnected(fixture.connect()), "\(part): \(fixture.events)")
            #expect(try fixture.shoot("1/60") == .idle)
            #expect(fixture.labels == ["1/60"])
        }
    }

    /// Sends a release for a speed that the body shows.
    private func release(_ fixture: DriverFixture) throws {
        let speed = try ShutterSpeed(parsing: Self.speed)
        #expect(fixture.perform(.setSpeed(speed)) { $0 == .speedAccepted } != nil)
        #expect(fixture.perform(.readSpeed) { $0 == .speedRead(.speed(speed)) } != nil)
        fixture.perform(.capture(speed))
    }

    // The body sends a file in half a second, so this also breaks the link between its bytes.
    @Test(arguments: NikonModel.all.map(\.shortName))
    func `a link that breaks at any time of a frame costs no picture, and none is taken twice`(model: String) throws {
        let slow = { @Sendable (options: inout BodyOptions) in options.pictureSize = 100_000 }
        let whole = try fixture("slow-transfer=200KB", model: model, options: slow)
        #expect(isConnected(whole.connect()))
        try release(whole)
        let start = whole.now
        while !whole.events.contains(.idle), whole.now < start + .seconds(20) { whole.advance(.milliseconds(10)) }
        let time = whole.now - start
        #expect(files(whole).sorted() == names(model, frames: 1))
        for part in 0...40 {
            let fixture = try fixture("slow-transfer=200KB", model: model, options: slow)
            #expect(isConnected(fixture.connect()))
            try release(fixture)
            fixture.advance(time * part / 40)
            let isOver = fixture.events.contains(.idle)
            fixture.kick()
            fixture.advance(Self.slotTime)
            #expect(isConnected(fixture.connect()), "\(part): \(fixture.events)")
            let isFired = !fixture.card.isEmpty
            #expect(isFired || part == 0)
            if !isOver {
                let answer = resolve(fixture, shotsLeftBefore: 100)
                #expect(answer == .captureResolved(isFired ? .fired : .notFired), "\(part)")
            }
            #expect(fixture.card.count == (isFired ? 1 : 0))
            #expect(files(fixture).sorted() == names(model, frames: isFired ? 1 : 0), "\(part)")
        }
    }

    @Test(arguments: NikonModel.all.map(\.shortName))
    func `a link that breaks before late files are announced costs none of them`(model: String) throws {
        let fixture = try fixture("late-object@1=3s", model: model)
        #expect(isConnected(fixture.connect()))
        try release(fixture)
        fixture.advance(.seconds(2))
        #expect(fixture.card.count == 1 && files(fixture).isEmpty)
        let isOver = fixture.events.contains(.idle)
        fixture.kick()
        fixture.advance(Self.slotTime)
        #expect(isConnected(fixture.connect()))
        #expect(!isOver, "the files are awaited before the frame is idle")
        #expect(resolve(fixture, shotsLeftBefore: 100) == .captureResolved(.fired))
        #expect(fixture.card.count == 1)
        #expect(files(fixture).sorted() == names(model, frames: 1))
    }

    @Test(arguments: NikonModel.all.map(\.shortName))
    func `a transfer that breaks is continued at the same byte`(model: String) throws {
        let fixture = try fixture("transfer-breaks@1=5000,back=1s", model: model) { $0.pictureSize = 20_000 }
        #expect(isConnected(fixture.connect()))
        guard case .lost = try fixture.shoot("1/60") else {
            Issue.record("the loss was not noticed: \(fixture.events)")
            return
        }
        fixture.advance(Self.slotTime)
        #expect(isConnected(fixture.connect()))
        #expect(resolve(fixture, shotsLeftBefore: 100) == .captureResolved(.fired))
        #expect(fixture.labels == ["1/60"])
        #expect(files(fixture).sorted() == names(model, frames: 1))
        let offsets = fixture.pictures.compactMap { _, action in
            if case .begin(_, let offset) = action, offset > 0 { offset } else { nil }
        }
        #expect(offsets.count == 1)
    }

    // MARK: Leaving

    @Test(arguments: NikonModel.all.map(\.shortName))
    func `an orderly end leaves no mode on and the user's recording medium`(model: String) throws {
        let fixture = try fixture(model: model) { $0.saveTarget = .host }
        #expect(isConnected(fixture.connect()))
        #expect(try fixture.shoot("1/60") == .idle)
        #expect(fixture.card.allSatisfy { $0.isForCard })
        fixture.perform(.disconnect) { $0 == .disconnected }
        fixture.advance(.seconds(5))
        let lines = fixture.network.log.map(\.line).filter { $0.contains("the session ends in") }
        #expect(lines.isEmpty)
        // The body's own values, as the next initiator finds them.
        let initiator = VirtualInitiator(try #require(fixture.network.camera(at: DriverFixture.address)))
        initiator.now = fixture.now
        try #require(initiator.handshake())
        #expect(initiator.perform(.openSession, 1)?.code == .ok)
        #expect(initiator.value(of: 0xD10B) == "01")
        if let mode = initiator.value(of: 0xD1F0), !mode.isEmpty { #expect(mode == "00") }
    }
}
