import Cameras
import Exposure
import NIOCore
import PTP
import Testing

/// Tests status reports without a frame, and the result of a frame whose link broke.
struct SonyStatusTests {
    private let fast: ShutterSpeed
    private let slow: ShutterSpeed

    init() throws {
        fast = try .named("1/60")
        slow = try .named("30\"")
    }

    // MARK: Status

    @Test func `a turned dial is reported without a question`() {
        let bench = DriverBench.showing(fast)
        bench.body.set(.exposureProgramMode, .uint32(SonyExposureProgram.aperturePriority.rawValue))
        let event = PTPEvent(code: .sonyDevicePropChanged, parameters: [0])
        bench.receive(.received(.event, PTPIPPacket.event(event).encoded()))
        bench.run(for: .seconds(1))
        guard case .status(let status)? = bench.reported.first?.event else {
            Issue.record("no status")
            return
        }
        #expect(status.mode == .aperturePriority)
        #expect(bench.reported.first?.ticket == nil)
        #expect(bench.reported.count == 1)
    }

    @Test func `a burst of property events causes few readings`() {
        let bench = DriverBench.showing(fast)
        let event = PTPIPPacket.event(PTPEvent(code: .sonyDevicePropChanged, parameters: [0])).encoded()
        for _ in 0..<200 {
            bench.receive(.received(.event, event))
            bench.run(for: .milliseconds(10))
        }
        #expect(bench.operations.count <= 5)
    }

    @Test(arguments: [SonyPropertyRecord.Availability.disabled, .displayOnly], [false, true])
    func `during a frame the lists stay unchanged`(
        availability: SonyPropertyRecord.Availability,
        isOnCardOnly: Bool
    ) throws {
        let bench = DriverBench.showing(slow) { $0.storesOnCardOnly = isOnCardOnly }
        bench.perform(.capture(slow))
        bench.run(until: { $0.buttonMoves.count == 4 })
        bench.body[.sonyShutterSpeed].availability = availability
        bench.body[.sonyShutterSpeed].form = .enumeration(settable: [], supported: [])
        bench.body[.exposureProgramMode].availability = .disabled
        bench.body.set(.exposureProgramMode, .uint32(0))
        bench.body.set(.sonySlot1ShotsLeft, .uint32(115))
        bench.run(for: .seconds(10))
        #expect(!bench.reported.contains { if case .status = $0.event { true } else { false } })
    }

    @Test func `a question is answered by a later reading`() {
        let bench = DriverBench.showing(fast)
        let first = bench.perform(.readStatus)
        let second = bench.perform(.readStatus)
        bench.run(for: .milliseconds(3))
        #expect(bench.events(first).count == 1)
        bench.run(for: .milliseconds(3))
        #expect(bench.events(second).count == 1)
        #expect(bench.operations.count <= 2)
    }

    @Test func `a body that refuses its reading is given up after a while`() {
        let bench = DriverBench.showing(fast)
        bench.body.overrides[.sdioGetAllExtDevicePropInfo] =
            [ScriptedBody.Answer](repeating: .init(code: .deviceBusy), count: 1000)
        let start = bench.now
        bench.perform(.readStatus)
        bench.run(until: { !$0.losses.isEmpty })
        #expect(bench.losses.count == 1)
        #expect((20...22).contains((bench.now - start).components.seconds))
        #expect(bench.operations.count < 120)
    }

    // MARK: Doubt

    @Test func `a frame whose press was sent and whose file exists was fired`() {
        let bench = DriverBench.showing(fast)
        bench.perform(.capture(fast))
        bench.run(until: { $0.buttonMoves.count == 2 })
        bench.receive(.closed(.command, reason: "reset"))
        bench.run(for: .seconds(2))
        bench.connect()
        #expect(bench.finish(bench.perform(.resolveCapture(shotsLeftBefore: 116))) == [.captureResolved(.fired)])
        #expect(bench.body.files.isEmpty)
    }

    @Test func `a frame whose press was never sent was not fired, and nothing is asked`() throws {
        let bench = DriverBench.showing(fast)
        bench.body.overrides[.sdioGetAllExtDevicePropInfo] = [.init(after: .seconds(1))]
        bench.perform(.capture(fast))
        bench.receive(.closed(.command, reason: "reset"))
        bench.connect()
        let ticket = bench.perform(.resolveCapture(shotsLeftBefore: 116))
        #expect(bench.events(ticket) == [.captureResolved(.notFired)])
    }

    @Test func `a frame on the card alone is recognized by the counter after a reconnect`() {
        let bench = DriverBench.showing(fast) { $0.storesOnCardOnly = true }
        bench.perform(.capture(fast))
        bench.run(until: { $0.buttonMoves.count == 2 })
        bench.receive(.closed(.event, reason: nil))
        bench.run(for: .seconds(2))
        bench.connect()
        #expect(bench.finish(bench.perform(.resolveCapture(shotsLeftBefore: 116))) == [.captureResolved(.fired)])
    }

    @Test func `a frame counts as not fired only after the exposure and its dark frame`() {
        let bench = DriverBench.showing(slow) { $0.ignoresShutter = true }
        bench.perform(.capture(slow))
        bench.run(until: { $0.buttonMoves.count == 2 })
        let pressedAt = bench.now
        bench.receive(.closed(.command, reason: "reset"))
        bench.run(for: .seconds(2))
        bench.connect()
        let ticket = bench.perform(.resolveCapture(shotsLeftBefore: 116))
        #expect(bench.finish(ticket) == [.captureResolved(.notFired)])
        #expect(bench.now - pressedAt >= slow.exposureTime * 2)
        #expect(bench.now - pressedAt < slow.exposureTime * 2 + .seconds(6))
    }

    @Test func `a body without a counter leaves the frame in doubt`() {
        let bench = DriverBench.showing(fast) {
            $0.ignoresShutter = true
            $0[.sonySlot1ShotsLeft].code = PropertyCode(rawValue: 0xEEEE)
        }
        bench.perform(.capture(fast))
        bench.run(until: { $0.buttonMoves.count == 2 })
        bench.receive(.closed(.command, reason: "reset"))
        bench.connect()
        #expect(bench.finish(bench.perform(.resolveCapture(shotsLeftBefore: 116))) == [.captureResolved(.unknown)])
    }

    @Test func `a new driver resolves the doubt by the counter, with or without a file`() {
        let fired = DriverBench { $0.leaveFiles(1) }
        fired.connect()
        fired.run(for: .seconds(1))
        #expect(fired.finish(fired.perform(.resolveCapture(shotsLeftBefore: 117))) == [.captureResolved(.fired)])
        let counted = DriverBench()
        counted.connect()
        #expect(counted.finish(counted.perform(.resolveCapture(shotsLeftBefore: 117))) == [.captureResolved(.fired)])
        let still = DriverBench()
        still.connect()
        #expect(still.finish(still.perform(.resolveCapture(shotsLeftBefore: 116))) == [.captureResolved(.notFired)])
    }

    @Test func `a file that arrives after the start of a new driver leaves the doubt too`() {
        let bench = DriverBench()
        bench.perform(.keepPictures(PictureRequest(policy: .jpeg, hasRoom: true)))
        bench.connect()
        bench.body.leave(.file("DSC1.JPG", date: "20260101T120000"))
        bench.announceFile()
        bench.run(for: .seconds(1))
        #expect(bench.body.files.isEmpty)
        #expect(bench.finish(bench.perform(.resolveCapture(shotsLeftBefore: 116))) == [.captureResolved(.unknown)])
    }

    @Test(arguments: [116, nil] as [Int?], [true, false])
    func `a file alone leaves a new driver in doubt: it may be a late one of another frame`(
        left: Int?,
        hasRoom: Bool
    ) {
        let bench = DriverBench { $0.leaveFiles(1) }
        bench.perform(.keepPictures(PictureRequest(policy: .jpeg, hasRoom: hasRoom)))
        bench.connect()
        bench.run(for: .seconds(1))
        #expect(bench.finish(bench.perform(.resolveCapture(shotsLeftBefore: left))) == [.captureResolved(.unknown)])
    }
}
