import Cameras
import Exposure
import NIOCore
import PTP
import Testing

/// Tests how the driver releases the shutter and recognizes the picture.
struct CanonFrameTests {
    private let speed: ShutterSpeed
    private let other: ShutterSpeed

    init() throws {
        speed = try .named("1/125")
        other = try .named("1/60")
    }

    private static func shoot(_ bench: CanonBench, _ speed: ShutterSpeed) -> [CameraEvent] {
        bench.finish(bench.perform(.capture(speed)))
    }

    // MARK: The button

    @Test func `in manual focus both stages are pressed at once without autofocus`() {
        let bench = CanonBench.connected()
        #expect(Self.shoot(bench, speed) == [.shutterReleased, .captured, .saving, .idle])
        #expect(bench.actions == ["RemoteReleaseOn 0x3", "RemoteReleaseOff 0x3"])
        #expect(bench.requests.first { $0.request.code == .canonPress }?.request.parameters == [3, 1])
        #expect(bench.body.framesFired == [0x70] && bench.body.pressed.isEmpty)
    }

    @Test func `the last list before the press is empty`() {
        let bench = CanonBench.connected()
        bench.body.set(.canonISO, 0x4B)
        _ = Self.shoot(bench, speed)
        let press = bench.operations.firstIndex(of: "RemoteReleaseOn 0x3") ?? 0
        #expect(bench.operations[..<press].filter { $0 == "GetEvent" }.count >= 2)
    }

    @Test func `with autofocus the stages are pressed and released in order`() {
        let bench = CanonBench.connected { $0.values[.canonFocusMode] = 0 }
        #expect(Self.shoot(bench, speed).last == .idle)
        let stages = bench.actions
        #expect(
            stages == ["RemoteReleaseOn 0x1", "RemoteReleaseOn 0x2", "RemoteReleaseOff 0x2", "RemoteReleaseOff 0x1"]
        )
        #expect(bench.body.pressed.isEmpty)
    }

    @Test func `without a focus result the full press follows after 500 ms`() {
        let bench = CanonBench.connected {
            $0.values[.canonFocusMode] = 0
            $0.focusScript = .isSilent
        }
        #expect(Self.shoot(bench, speed).last == .idle)
        let presses = bench.requests.filter { $0.request.code == .canonPress }.map(\.at)
        #expect(presses.count == 2 && presses[1] - presses[0] >= .milliseconds(500))
    }

    @Test func `a focus that one list reports from the search to the rest is a success`() {
        let bench = CanonBench.connected {
            $0.values[.canonFocusMode] = 0
            $0.focusScript = .succeedsInOneList
        }
        #expect(Self.shoot(bench, speed).last == .idle)
        #expect(bench.body.framesFired.count == 1)
    }

    @Test func `a body that saves for long is reported every two seconds`() {
        let bench = CanonBench.connected { $0.saveTime = .seconds(9) }
        let events = Self.shoot(bench, speed)
        #expect(events.last == .idle)
        #expect((4...5).contains(events.count { $0 == .saving }), "\(events)")
    }

    @Test func `a focus failure releases the button and fires nothing`() {
        let bench = CanonBench.connected {
            $0.values[.canonFocusMode] = 0
            $0.focusScript = .fails
        }
        #expect(Self.shoot(bench, speed) == [.failed(.focusFailed)])
        #expect(bench.actions == ["RemoteReleaseOn 0x1", "RemoteReleaseOff 0x1"])
        #expect(bench.body.framesFired.isEmpty && bench.body.pressed.isEmpty)
        let resolving = bench.perform(.resolveCapture(shotsLeftBefore: nil))
        #expect(bench.finish(resolving) == [.captureResolved(.notFired)])
    }

    @Test func `an old body is released by one operation`() {
        let bench = CanonBench.connected { body in
            body.operations.removeAll { $0 == .canonPress || $0 == .canonRelease }
            body.operations.append(.canonRemoteRelease)
        }
        #expect(Self.shoot(bench, speed).last == .idle)
        #expect(bench.actions == ["RemoteRelease"])
    }

    @Test func `an old body reports a failure in its answer`() {
        let bench = CanonBench.connected { body in
            body.operations.removeAll { $0 == .canonPress || $0 == .canonRelease }
            body.operations.append(.canonRemoteRelease)
        }
        for (parameter, failure) in [(UInt32(1), CameraFailure.focusFailed), (7, .storageFull)] {
            bench.body.overrides[.canonRemoteRelease] = [.init(parameters: [parameter])]
            #expect(Self.shoot(bench, speed) == [.shutterReleased, .failed(failure)])
        }
        bench.body.overrides[.canonRemoteRelease] = [ScriptedAnswer](repeating: .init(parameters: [0x2019]), count: 3)
        #expect(Self.shoot(bench, speed).last == .idle)
    }

    @Test func `a body of the EOS M family gets both stages with its focus`() {
        let bench = CanonBench.connected {
            $0.model = "Canon EOS M6"
            $0.values[.canonFocusMode] = 0
        }
        #expect(Self.shoot(bench, speed).last == .idle)
        #expect(bench.requests.first { $0.request.code == .canonPress }?.request.parameters == [3, 0])
    }

    // MARK: Before the press

    @Test func `another speed, another mode and a busy body fire nothing`() {
        let bench = CanonBench.connected()
        #expect(Self.shoot(bench, other) == [.failed(.speedChanged(found: .speed(speed)))])
        bench.body.set(.canonExposureMode, 2)
        #expect(Self.shoot(bench, speed) == [.failed(.speedChanged(found: .speed(speed)))])
        bench.body.set(.canonExposureMode, 3)
        bench.body.report(0xC18B, [1])
        let start = bench.now
        #expect(Self.shoot(bench, speed) == [.busy])
        #expect((Duration.seconds(10)...Duration.seconds(11)).contains(bench.now - start))
        #expect(bench.body.framesFired.isEmpty)
    }

    @Test func `a press that is rejected as busy is tried again after another list`() {
        let bench = CanonBench.connected()
        bench.body.overrides[.canonPress] = [.init(code: .deviceBusy), .init(code: .deviceBusy)]
        #expect(Self.shoot(bench, speed).last == .idle)
        #expect(bench.body.framesFired.count == 1)
        let presses = bench.requests.filter { $0.request.code == .canonPress }.map(\.at)
        #expect(presses.count == 3 && presses[1] - presses[0] >= .milliseconds(100))
    }

    @Test func `another rejection is a failure, and the button is released`() {
        let bench = CanonBench.connected()
        bench.body.overrides[.canonPress] = [.init(code: .canonBatteryLow)]
        let refusal = CameraFailure.refused(operation: "RemoteReleaseOn", code: 0xA101, name: "BatteryLow")
        #expect(Self.shoot(bench, speed) == [.failed(refusal)])
        #expect(bench.actions == ["RemoteReleaseOn 0x3", "RemoteReleaseOff 0x3"])
    }

    // MARK: The picture

    /// A body that omits some signs of a picture.
    struct Silence: CustomTestStringConvertible, Sendable {
        var objects = true
        var status = true
        var counter = true

        var testDescription: String { "objects \(objects), status \(status), counter \(counter)" }
    }

    @Test(arguments: [
        Silence(), Silence(objects: false), Silence(status: false), Silence(counter: false),
        Silence(objects: false, status: false), Silence(objects: false, counter: false),
        Silence(status: false, counter: false),
    ])
    func `each sign of a picture is enough alone`(silence: Silence) {
        let bench = CanonBench.connected {
            $0.announcesObjects = silence.objects
            $0.reportsStatus = silence.status
            $0.countsShots = silence.counter
        }
        for _ in 0..<3 {
            let events = Self.shoot(bench, speed)
            #expect(events.first == .shutterReleased && events.last == .idle && events.contains(.captured), "\(events)")
        }
        #expect(bench.body.framesFired.count == 3)
    }

    @Test func `the status alone proves nothing on a body that announced files and counted pictures`() {
        let bench = CanonBench.connected()
        #expect(Self.shoot(bench, speed).last == .idle)
        bench.body.announcesObjects = false
        bench.body.countsShots = false
        let events = Self.shoot(bench, speed)
        #expect(!events.contains(.captured), "\(events)")
        guard case .failed(.other)? = events.last else {
            Issue.record("\(events)")
            return
        }
        // Either of the stronger signs is enough again.
        bench.body.countsShots = true
        #expect(Self.shoot(bench, speed).last == .idle)
    }

    @Test func `without a status the counter waits for the end of a possible dark frame`() throws {
        let bench = CanonBench.connected {
            $0.values[.canonShutterSpeed] = 0x28
            $0.announcesObjects = false
            $0.reportsStatus = false
            $0.darkFrames = 1
        }
        let start = bench.now
        #expect(Self.shoot(bench, try .named("4\"")).last == .idle)
        #expect((Duration.seconds(8)...Duration.seconds(11)).contains(bench.now - start))
        #expect(!bench.body.isExposing)
    }

    @Test func `a body without signs fails the frame after a bound`() {
        let bench = CanonBench.connected {
            $0.announcesObjects = false
            $0.reportsStatus = false
            $0.countsShots = false
        }
        let start = bench.now
        let events = Self.shoot(bench, speed)
        guard case .failed(.other)? = events.last else {
            Issue.record("\(events)")
            return
        }
        #expect((Duration.seconds(12)...Duration.seconds(14)).contains(bench.now - start))
    }

    @Test func `a body that accepts the press and fires nothing fails the frame soon, if it reports its status`() {
        let bench = CanonBench.connected()
        #expect(Self.shoot(bench, speed).last == .idle)
        bench.body.ignoresShutter = true
        let start = bench.now
        guard case .failed(.other)? = Self.shoot(bench, speed).last else {
            Issue.record("no failure")
            return
        }
        #expect(bench.now - start < .seconds(4))
        #expect(bench.body.framesFired.count == 1)
    }

    @Test func `a late object belongs to its frame, and an object twice counts once`() {
        let bench = CanonBench.connected {
            $0.announcesTwice = true
            $0.objectDelay = .milliseconds(1500)
        }
        for _ in 0..<3 { #expect(Self.shoot(bench, speed) == [.shutterReleased, .captured, .idle]) }
        #expect(bench.body.framesFired.count == 3)
    }

    @Test func `a counter that lags does not prove the next frame`() {
        let bench = CanonBench.connected {
            $0.reportsStatus = false
            $0.countDelay = .seconds(1)
        }
        #expect(Self.shoot(bench, speed).last == .idle)
        bench.body.announcesObjects = false
        bench.body.ignoresShutter = true
        let events = Self.shoot(bench, speed)
        #expect(!events.contains(.captured), "\(events)")
    }

    @Test func `a long exposure is captured at its end, with few lists before it`() {
        let bench = CanonBench.connected { $0.values[.canonShutterSpeed] = 0x10 }
        let start = bench.now
        #expect(Self.shoot(bench, .slowest).last == .idle)
        #expect((Duration.seconds(32)...Duration.seconds(33)).contains(bench.now - start))
        #expect(bench.listCount < 70, "\(bench.listCount)")
    }

    @Test func `the counter proves no picture before the end of a speed that appeared at the release`() {
        let bench = CanonBench.connected {
            $0.saveTime = .seconds(20)
            $0.objectDelay = .seconds(20)
        }
        let ticket = bench.perform(.capture(speed))
        bench.run(until: { !$0.body.framesFired.isEmpty })
        let start = bench.now
        bench.body.set(.canonShutterSpeed, 0x15)
        bench.run(until: { $0.events(ticket).contains(.captured) })
        #expect(bench.now - start >= .seconds(20))
    }

    // MARK: The button is not released

    @Test func `a button that the body did not release is released at the end`() {
        let bench = CanonBench.connected()
        bench.body.overrides[.canonRelease] = [ScriptedAnswer](repeating: .init(code: .deviceBusy), count: 1000)
        _ = Self.shoot(bench, speed)
        bench.run(until: { $0.notes.contains { $0.contains("release of the shutter button") } })
        bench.body.overrides = [:]
        bench.forget()
        bench.perform(.disconnect)
        bench.run(for: .seconds(3))
        #expect(bench.actions.first == "RemoteReleaseOff 0x3")
        #expect(bench.body.pressed.isEmpty)
    }

    @Test(arguments: [ResponseCode.ok, .generalError])
    func `a button that was pressed when the link broke is released in the next session`(answer: ResponseCode) {
        let bench = CanonBench.connected { $0.values[.canonFocusMode] = 0 }
        bench.perform(.capture(speed))
        bench.run(until: { $0.operations.last == "RemoteReleaseOn 0x2" })
        bench.breakLink()
        bench.forget()
        // A body may already have released its button, and reject another release.
        if answer != .ok { bench.body.overrides[.canonRelease] = [.init(code: answer), .init(code: answer)] }
        bench.perform(.connect(CanonBench.address))
        bench.run(for: .seconds(2))
        let releases = bench.actions.filter { $0.hasPrefix("RemoteRelease") }
        #expect(releases == ["RemoteReleaseOff 0x2", "RemoteReleaseOff 0x1"])
        #expect(answer != .ok || bench.body.pressed.isEmpty)
        #expect(bench.finish(bench.perform(.resolveCapture(shotsLeftBefore: nil))) == [.captureResolved(.fired)])
        // The driver never locks the controls of the body.
        #expect(!bench.requests.contains { $0.request.code.rawValue == 0x911B })
    }

    // MARK: A lost link

    /// Breaks the link in the second frame, lets the body add these files too, and resolves the frame.
    private func resolution(adding files: [UInt32: ObjectInfo]) -> [CameraEvent] {
        let bench = CanonBench.connected {
            $0.values[.canonFolder] = 0x9190_0000
            $0.countsShots = false
        }
        #expect(Self.shoot(bench, speed).last == .idle)
        bench.forget()
        bench.perform(.capture(speed))
        bench.run(until: { $0.body.isExposing })
        bench.breakLink()
        bench.body.files.merge(files) { $1 }
        bench.run(for: .seconds(5))
        bench.connect()
        return bench.finish(bench.perform(.resolveCapture(shotsLeftBefore: nil)))
    }

    @Test func `a file that was added while the link was down proves the frame`() {
        #expect(resolution(adding: [:]) == [.captureResolved(.fired)])
    }

    @Test func `more files than frames were added while the link was down, so none proves the frame`() {
        let other = ObjectInfo.file("IMG_112.JPG", size: 10)
        #expect(resolution(adding: [0x9190_0702: other]) == [.captureResolved(.unknown)])
    }

    @Test func `a frame with a dark frame is resolved when the dark frame has ended`() throws {
        let bench = CanonBench.connected {
            $0.values[.canonShutterSpeed] = 0x28
            $0.announcesObjects = false
            $0.reportsStatus = false
            $0.darkFrames = 1
        }
        bench.perform(.capture(try .named("4\"")))
        bench.run(until: { $0.body.isExposing })
        bench.breakLink()
        bench.connect()
        #expect(bench.finish(bench.perform(.resolveCapture(shotsLeftBefore: nil))) == [.captureResolved(.fired)])
        #expect(!bench.body.isExposing)
    }

    @Test func `a frame whose link broke is resolved by the counter or by its file`() {
        let bench = CanonBench.connected()
        bench.perform(.capture(speed))
        bench.run(until: { !$0.body.framesFired.isEmpty })
        bench.receive(.closed(.command, reason: "reset"))
        bench.connect()
        let ticket = bench.perform(.resolveCapture(shotsLeftBefore: 500))
        #expect(bench.finish(ticket) == [.captureResolved(.fired)])
    }

    @Test(arguments: [(true, CaptureResolution.notFired), (false, .unknown)])
    func `an unchanged counter proves only on a counting body that nothing fired`(
        counts: Bool,
        resolution: CaptureResolution
    ) {
        let bench = CanonBench.connected { $0.countsShots = counts }
        #expect(Self.shoot(bench, speed).last == .idle)
        bench.forget()
        bench.body.ignoresShutter = true
        bench.perform(.capture(speed))
        bench.run(until: { $0.requests.contains { $0.request.code == .canonPress } })
        bench.receive(.closed(.command, reason: "reset"))
        bench.forget()
        bench.connect()
        #expect(bench.finish(bench.perform(.resolveCapture(shotsLeftBefore: nil))) == [.captureResolved(resolution)])
    }

    @Test func `a counter that is neither equal nor one less leaves the doubt`() {
        let bench = CanonBench.connected { $0.ignoresShutter = true }
        bench.perform(.capture(speed))
        bench.run(until: { $0.requests.contains { $0.request.code == .canonPress } })
        bench.receive(.closed(.command, reason: "reset"))
        bench.body.values[.canonShotsLeft] = 450
        bench.connect()
        #expect(bench.finish(bench.perform(.resolveCapture(shotsLeftBefore: 500))) == [.captureResolved(.unknown)])
    }

    @Test func `a capture command before a session fires nothing`() {
        let bench = CanonBench()
        _ = bench.finish(bench.perform(.capture(speed)))
        bench.connect()
        let ticket = bench.perform(.resolveCapture(shotsLeftBefore: nil))
        guard let resolution = bench.finish(ticket).last else {
            Issue.record("no answer")
            return
        }
        #expect(resolution == .captureResolved(.notFired) || resolution == .captureResolved(.unknown))
    }
}
