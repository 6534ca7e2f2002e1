import Exposure
import NIOCore
import PTP
import Testing

@testable import Cameras

/// Tests how the driver releases the shutter and recognizes the picture.
struct NikonFrameTests {
    private let speed: ShutterSpeed
    private let other: ShutterSpeed

    init() throws {
        speed = try .named("1/125")
        other = try .named("1/60")
    }

    private static func shoot(_ bench: NikonBench, _ speed: ShutterSpeed) -> [CameraEvent] {
        bench.finish(bench.perform(.capture(speed)))
    }

    // MARK: The release

    @Test func `the body releases to the card without autofocus`() {
        let bench = NikonBench.connected()
        #expect(Self.shoot(bench, speed) == [.shutterReleased, .captured, .idle])
        let press = bench.requests.first { $0.request.code == .nikonCapture }
        #expect(press?.request.parameters == [0xFFFF_FFFF, 0])
        #expect(bench.actions.count == 1)
        #expect(bench.body.framesFired == [0x0001_007D])
    }

    @Test func `a frame takes little longer than the body needs`() {
        let bench = NikonBench.connected()
        for _ in 0..<5 {
            let start = bench.now
            _ = Self.shoot(bench, speed)
            #expect(bench.now - start < .milliseconds(260), "\(bench.now - start)")
        }
        #expect(bench.body.framesFired.count == 5)
    }

    @Test func `the shot counter after the frame is reported before the body is idle`() {
        let bench = NikonBench.connected()
        _ = Self.shoot(bench, speed)
        let statuses = bench.reported.compactMap { if case .status(let status) = $0.event { status } else { nil } }
        #expect(statuses.map(\.shotsLeft) == [499])
    }

    @Test func `another speed, another mode and an unknown speed fire nothing`() {
        let bench = NikonBench.connected()
        #expect(Self.shoot(bench, other) == [.failed(.speedChanged(found: .speed(speed)))])
        bench.body.set(.exposureProgramMode, 3)
        bench.run(for: .seconds(2))
        #expect(Self.shoot(bench, speed) == [.failed(.speedChanged(found: .speed(speed)))])
        bench.body.set(.exposureProgramMode, 1)
        bench.body.set(.nikonShutterSpeed, 0xFFFF_FFFF)
        guard case .failed(.speedChanged)? = Self.shoot(bench, speed).last else {
            Issue.record("a frame in Bulb")
            return
        }
        #expect(bench.body.framesFired.isEmpty)
    }

    @Test func `a mode that was changed without an event is read before the press`() {
        let bench = NikonBench.connected()
        bench.run(for: .seconds(2))
        bench.body.set(.exposureProgramMode, 2, reports: false)
        guard case .failed(.speedChanged)? = Self.shoot(bench, speed).last else {
            Issue.record("a frame in P")
            return
        }
    }

    @Test(arguments: [ResponseCode.deviceBusy, .nikonInvalidStatus, .nikonSecondRelease])
    func `a rejected release is tried again after 20 ms`(code: ResponseCode) {
        let bench = NikonBench.connected { $0.operations.removeAll { $0 == .nikonChangeCameraMode } }
        bench.body.overrides[.nikonCapture] = [.init(code: code), .init(code: code)]
        #expect(Self.shoot(bench, speed).last == .idle)
        let presses = bench.requests.filter { $0.request.code == .nikonCapture }.map(\.at)
        #expect(presses.count == 3 && presses[1] - presses[0] >= .milliseconds(20))
        #expect(bench.body.framesFired.count == 1)
    }

    @Test func `a release that is rejected for five seconds ends the command, and nothing was fired`() {
        let busy = NikonBench.connected { $0.refusals[.nikonCapture] = .deviceBusy }
        let start = busy.now
        #expect(Self.shoot(busy, speed) == [.busy])
        #expect((Duration.seconds(5)...Duration.seconds(6)).contains(busy.now - start))
        #expect(busy.finish(busy.perform(.resolveCapture(shotsLeftBefore: nil))) == [.captureResolved(.notFired)])
        let state = NikonBench.connected { $0.refusals[.nikonCapture] = .nikonInvalidStatus }
        let failure = CameraFailure.refused(
            operation: "InitiateCaptureRecInMedia",
            code: 0xA004,
            name: "InvalidStatus"
        )
        #expect(Self.shoot(state, speed) == [.failed(failure)])
        #expect(state.actions.contains("ChangeCameraMode 0x1"))
        let second = NikonBench.connected { $0.refusals[.nikonCapture] = .nikonSecondRelease }
        #expect(Self.shoot(second, speed) == [.failed(.other(NikonCaptureSentences.mirrorUp))])
    }

    @Test func `a D3X gets one parameter, also for the next frames`() {
        let bench = NikonBench.connected()
        bench.body.overrides[.nikonCapture] = [.init(code: .parameterNotSupported)]
        #expect(Self.shoot(bench, speed).last == .idle)
        #expect(Self.shoot(bench, speed).last == .idle)
        let parameters = bench.requests.filter { $0.request.code == .nikonCapture }.map(\.request.parameters.count)
        #expect(parameters == [2, 1, 1])
    }

    @Test func `a body without Nikon's release gets the standard one`() {
        let bench = NikonBench.connected { body in
            body.operations.removeAll { $0 == .nikonCapture }
            body.operations.append(.initiateCapture)
        }
        #expect(Self.shoot(bench, speed).last == .idle)
        #expect(bench.requests.first { $0.request.code == .initiateCapture }?.request.parameters == [0, 0])
        let fallback = NikonBench.connected { body in
            body.operations.append(.initiateCapture)
            body.refusals[.nikonCapture] = .operationNotSupported
        }
        #expect(Self.shoot(fallback, speed).last == .idle)
    }

    @Test func `the status says whether a body focuses before each frame`() {
        func focuses(_ change: (inout NikonScriptedBody) -> Void) -> Bool? {
            let bench = NikonBench(change)
            guard case .status(let status)? = bench.finish(bench.perform(.connect(NikonBench.address))).last else {
                return nil
            }
            return status.focusesForFrames
        }
        #expect(focuses { _ in } == false)
        // A Nikon 1 rejects a release without autofocus, and 0x100E has no parameter for it.
        #expect(focuses { $0.model = "J5" } == true)
        let isStandard = focuses {
            $0.operations.removeAll { $0 == .nikonCapture }
            $0.operations.append(.initiateCapture)
        }
        #expect(isStandard == true)
    }

    @Test func `a Nikon 1 gets live view first, and then a release with autofocus`() {
        let bench = NikonBench.connected { body in
            body.model = "J5"
            body.operations.removeAll { $0 == .nikonGetEventEx || $0 == .nikonChangeApplicationMode }
            body.operations += [.nikonStartLiveView, .nikonEndLiveView]
        }
        bench.body.overrides[.nikonCapture] = [.init(code: .nikonInvalidStatus)]
        #expect(Self.shoot(bench, speed).last == .idle)
        let presses = bench.requests.filter { $0.request.code == .nikonCapture }.map { $0.request.parameters[0] }
        #expect(presses == [0xFFFF_FFFF, 0xFFFF_FFFE])
        #expect(bench.actions.first == "StartLiveView")
        bench.perform(.disconnect)
        bench.run(for: .seconds(3))
        #expect(bench.actions.suffix(3) == ["EndLiveView", "ChangeCameraMode", "CloseSession"])
    }

    @Test(arguments: [
        (ResponseCode.storeFull, CameraFailure.storageFull), (.nikonOutOfFocus, .focusFailed),
        (.nikonMirrorUpSequence, .other(NikonCaptureSentences.mirrorUp)),
        (.nikonStoreUnformatted, .other(NikonCaptureSentences.cardUnformatted)),
    ])
    func `a refused release is a failure, and nothing was fired`(code: ResponseCode, failure: CameraFailure) {
        let bench = NikonBench.connected { $0.refusals[.nikonCapture] = code }
        #expect(Self.shoot(bench, speed) == [.failed(failure)])
        #expect(bench.finish(bench.perform(.resolveCapture(shotsLeftBefore: nil))) == [.captureResolved(.notFired)])
    }

    @Test(arguments: [ResponseCode.nikonSilentReleaseBusy, .nikonBulbBusy, .nikonMovieBusy])
    func `a busy code as the answer to a release means that it goes on`(code: ResponseCode) {
        let bench = NikonBench.connected()
        bench.perform(.capture(speed))
        bench.body.ignoresShutter = true
        bench.body.overrides[.nikonCapture] = [.init(code: code)]
        bench.run(until: { $0.reported.contains { $0.event == .shutterReleased } }, atMost: .seconds(1))
        #expect(bench.reported.contains { $0.event == .shutterReleased })
    }

    // MARK: DeviceReady

    @Test func `a long exposure is captured at its end, with few requests before it`() {
        let bench = NikonBench.connected { $0.set(.nikonShutterSpeed, 0x001E_0001, reports: false) }
        bench.run(for: .seconds(60))
        bench.forget()
        let start = bench.now
        #expect(Self.shoot(bench, .slowest).last == .idle)
        // "30 s" is 32 s.
        #expect((Duration.milliseconds(32_200)...Duration.milliseconds(32_400)).contains(bench.now - start))
        #expect(bench.requests.count < 160, "\(bench.requests.count)")
    }

    @Test func `a dark frame is waited for`() throws {
        let bench = NikonBench.connected {
            $0.set(.nikonShutterSpeed, 0x0004_0001, reports: false)
            $0.set(.nikonNoiseReduction, 1, reports: false)
            $0.darkFrames = 1
        }
        bench.run(for: .seconds(60))
        let start = bench.now
        let long = try ShutterSpeed.named("4\"")
        #expect(Self.shoot(bench, long).last == .idle)
        #expect((Duration.milliseconds(8_200)...Duration.milliseconds(8_400)).contains(bench.now - start))
    }

    @Test func `a silent release counts as busy for two seconds after the exposure`() {
        let bench = NikonBench.connected {
            $0.busyCode = .nikonSilentReleaseBusy
            $0.readyCode = .nikonSilentReleaseBusy
        }
        let start = bench.now
        #expect(Self.shoot(bench, speed).last == .idle)
        #expect((Duration.seconds(1)...Duration.milliseconds(2_300)).contains(bench.now - start))
        #expect(Self.shoot(bench, speed).last == .idle)
    }

    @Test func `a silent release for ever and one busy answer do not block the settings`() {
        let bench = NikonBench.connected {
            $0.busyCode = .nikonSilentReleaseBusy
            $0.readyCode = .nikonSilentReleaseBusy
        }
        #expect(Self.shoot(bench, speed).last == .idle)
        bench.body.overrides[.setDevicePropValue] = [.init(code: .deviceBusy)]
        #expect(bench.finish(bench.perform(.setSpeed(other))) == [.speedAccepted])
    }

    @Test(arguments: [ResponseCode.generalError, .accessDenied, .nikonInvalidStatus])
    func `an unknown answer of DeviceReady does not end a running exposure`(code: ResponseCode) throws {
        let bench = NikonBench.connected {
            $0.set(.nikonShutterSpeed, 0x0004_0001, reports: false)
            $0.busyCode = code
        }
        bench.run(for: .seconds(60))
        let long = try ShutterSpeed.named("4\"")
        let events = Self.shoot(bench, long)
        #expect(events.contains(.captured) && events.last == .idle, "\(events)")
    }

    @Test func `a dial that is turned while a release is tried again fires nothing`() {
        let bench = NikonBench.connected { $0.operations.removeAll { $0 == .nikonChangeCameraMode } }
        bench.body.refusals[.nikonCapture] = .deviceBusy
        let ticket = bench.perform(.capture(speed))
        bench.run(for: .seconds(1))
        bench.body.set(.nikonShutterSpeed, 0x0001_003C, reports: false)
        bench.run(for: .milliseconds(300))
        bench.body.refusals = [:]
        #expect(bench.finish(ticket) == [.failed(.speedChanged(found: .speed(other)))])
        #expect(bench.body.framesFired.isEmpty)
    }

    @Test func `a dial that is turned after the confirming reading fires nothing`() {
        let bench = NikonBench.connected()
        #expect(bench.finish(bench.perform(.setSpeed(other))) == [.speedAccepted])
        bench.body.set(.nikonShutterSpeed, 0x0001_007D, reports: false)
        #expect(Self.shoot(bench, other) == [.failed(.speedChanged(found: .speed(speed)))])
    }

    @Test func `events from before the press prove nothing`() {
        let bench = NikonBench.connected()
        bench.run(for: .seconds(2))
        bench.body.ignoresShutter = true
        bench.body.report(NikonEvent(.objectAdded, 0x9191_0011))
        bench.body.report(NikonEvent(.captureComplete))
        let events = Self.shoot(bench, speed)
        #expect(!events.contains(.captured), "\(events)")
    }

    @Test func `a late packet with the events of the previous picture proves nothing`() throws {
        let bench = NikonBench.connected { $0.countsShots = false }
        #expect(Self.shoot(bench, speed).last == .idle)
        let handle = try #require(bench.body.files.keys.first)
        bench.body.ignoresShutter = true
        let ticket = bench.perform(.capture(speed))
        bench.run(for: .milliseconds(200))
        bench.body.eventScript = .packets
        bench.body.report(NikonEvent(.objectAdded, handle))
        bench.body.report(NikonEvent(.captureComplete))
        #expect(!bench.finish(ticket).contains(.captured))
    }

    @Test func `a body that is busy for its own reasons is not idle`() {
        let bench = NikonBench.connected()
        #expect(Self.shoot(bench, speed).last == .idle)
        bench.run(for: .seconds(600))
        bench.body.readyCode = .deviceBusy
        let ticket = bench.perform(.awaitIdle)
        bench.run(for: .seconds(10))
        #expect(!bench.events(ticket).contains(.idle))
        bench.body.readyCode = .ok
        #expect(bench.finish(ticket).last == .idle)
    }

    @Test func `a body that works for long is reported every two seconds`() {
        let bench = NikonBench.connected()
        bench.perform(.capture(speed))
        bench.run(until: { $0.reported.contains { $0.event == .captured } })
        bench.body.readyCode = .deviceBusy
        bench.run(for: .milliseconds(300))
        let ticket = bench.perform(.awaitIdle)
        bench.run(for: .seconds(9))
        #expect((4...5).contains(bench.events(ticket).count { $0 == .saving }), "\(bench.events(ticket))")
        bench.body.readyCode = .ok
        #expect(bench.finish(ticket).last == .idle)
    }

    @Test func `a failure that DeviceReady reports is the result, if no picture follows`() {
        let bench = NikonBench.connected {
            $0.ignoresShutter = true
            $0.readyCode = .nikonOutOfFocus
        }
        #expect(Self.shoot(bench, speed) == [.shutterReleased, .failed(.focusFailed)])
        #expect(bench.now < .seconds(110))
    }

    @Test func `a body without DeviceReady reports the picture by its events`() {
        let bench = NikonBench.connected { $0.operations.removeAll { $0 == .nikonDeviceReady } }
        #expect(Self.shoot(bench, speed).last == .idle)
        #expect(!bench.operations.contains("DeviceReady"))
    }

    // MARK: The picture

    @Test(arguments: [NikonScriptedBody.EventScript.lists, .packets, .both])
    func `events come in lists, in packets or in both`(script: NikonScriptedBody.EventScript) {
        let bench = NikonBench.connected { $0.eventScript = script }
        for _ in 0..<3 { #expect(Self.shoot(bench, speed).last == .idle) }
        #expect(bench.body.framesFired.count == 3)
        #expect(bench.reported.count { $0.event == .captured } == 3)
    }

    @Test func `a body that denies one form of its events is read in the other one`() {
        let bench = NikonBench.connected { $0.refusals[.nikonGetEventEx] = .accessDenied }
        bench.run(for: .seconds(30))
        #expect(Self.shoot(bench, speed).last == .idle)
        #expect(bench.operations.contains("GetEvent") && bench.losses.isEmpty)
    }

    @Test func `a body with the short list is read in its form`() {
        let bench = NikonBench.connected { $0.operations.removeAll { $0 == .nikonGetEventEx } }
        #expect(Self.shoot(bench, speed).last == .idle)
        #expect(bench.operations.contains("GetEvent") && !bench.operations.contains("GetEventEx"))
    }

    @Test func `a new folder is not a picture`() {
        let bench = NikonBench.connected {
            $0.hasNewFolder = true
            $0.reportsComplete = false
        }
        #expect(Self.shoot(bench, speed).last == .idle)
        #expect(bench.count("GetObjectInfo") >= 1)
    }

    @Test func `a folder alone proves no picture`() {
        let bench = NikonBench.connected {
            $0.ignoresShutter = true
            $0.files[0x9100_0000] = .file("100NZ6_2", format: 0x3001, size: 0)
        }
        let ticket = bench.perform(.capture(speed))
        bench.run(until: { $0.reported.contains { $0.event == .shutterReleased } })
        bench.body.report(NikonEvent(.objectAdded, 0x9100_0001))
        bench.body.files[0x9100_0001] = .file("101NZ6_2", format: 0x3001, size: 0)
        let events = bench.finish(ticket)
        #expect(!events.contains(.captured), "\(events)")
    }

    @Test func `an object without "capture complete" is described and proves the picture`() {
        let bench = NikonBench.connected { $0.reportsComplete = false }
        bench.body.overrides[.getObjectInfo] = [ScriptedAnswer](repeating: .init(code: .generalError), count: 4)
        #expect(Self.shoot(bench, speed).last == .idle)
        let requests = bench.requests.filter { $0.request.code == .getObjectInfo }.map(\.at)
        #expect(requests.count == 5 && requests[1] - requests[0] >= .milliseconds(250))
    }

    @Test func `"capture complete" without an object proves the picture with the counter`() {
        let bench = NikonBench.connected { $0.announcesObjects = false }
        let events = Self.shoot(bench, speed)
        #expect(events.contains(.captured) && events.last == .idle)
    }

    @Test func `"capture complete" proves nothing if the counter of a counting body did not change`() {
        let bench = NikonBench.connected()
        #expect(Self.shoot(bench, speed).last == .idle)
        bench.body.announcesObjects = false
        bench.body.countsShots = false
        #expect(Self.shoot(bench, speed).last == .captureResolved(.unknown))
    }

    @Test func `without events the counter proves the picture`() {
        let bench = NikonBench.connected {
            $0.announcesObjects = false
            $0.reportsComplete = false
        }
        let events = Self.shoot(bench, speed)
        #expect(events.contains(.captured) && events.last == .idle)
    }

    @Test func `a counter that did not follow the last pictures proves no picture alone`() {
        var frame = NikonFrame(
            ticket: Ticket(rawValue: 1),
            pressedAt: .zero,
            bodyID: nil,
            exposure: .seconds(1),
            exposureMax: .seconds(1),
            hasDarkFrame: false,
            shotsLeftBefore: 10,
            isCountUnclear: false,
            fileCount: 1
        )
        frame.note(shotsLeft: 8, at: .seconds(2))
        #expect(frame.provenAt(countsShots: nil, NikonTiming()) != nil)
        #expect(frame.provenAt(countsShots: false, NikonTiming()) == nil)
    }

    @Test func `without any sign the frame has failed`() {
        let bench = NikonBench.connected { $0.ignoresShutter = true }
        let events = Self.shoot(bench, speed)
        #expect(events == [.shutterReleased, .failed(.other(NikonCaptureSentences.noPictureReported))])
    }

    @Test func `a late object belongs to its own frame`() {
        let bench = NikonBench.connected { $0.completeDelay = .milliseconds(1500) }
        #expect(Self.shoot(bench, speed).last == .idle)
        #expect(Self.shoot(bench, speed).last == .idle)
        #expect(bench.body.framesFired.count == 2)
    }

    @Test func `a damaged list after the press leaves the doubt on a body that lists no files`() {
        let bench = NikonBench.connected {
            $0.refusals[.getObjectHandles] = .accessDenied
            $0.announcesObjects = false
            $0.reportsComplete = false
            $0.countsShots = false
        }
        let ticket = bench.perform(.capture(speed))
        bench.run(until: { $0.reported.contains { $0.event == .shutterReleased } })
        bench.body.damagedLists = [ByteBuffer(hex: "f401000000")]
        #expect(bench.finish(ticket).last == .captureResolved(.unknown))
    }

    @Test func `the list of files shows the picture of a damaged list of events`() {
        let bench = NikonBench.connected(keeping: .jpeg) { $0.countsShots = false }
        let ticket = bench.perform(.capture(speed))
        bench.run(until: { $0.reported.contains { $0.event == .shutterReleased } })
        bench.body.announcesObjects = false
        bench.body.reportsComplete = false
        bench.body.damagedLists = [ByteBuffer(hex: "f401000000")]
        #expect(bench.finish(ticket).last == .idle)
        #expect(PictureLog(bench).infos.map(\.capture) == [ticket])
    }

    @Test func `a picture in memory counts as complete, and is deleted so that later captures are possible`() {
        let bench = NikonBench.connected { $0.storesInMemory = true }
        #expect(Self.shoot(bench, speed).last == .idle)
        #expect(bench.actions.contains("DelImageSDRAM 0xFFFF0001"))
        #expect(bench.body.files.isEmpty)
        #expect(Self.shoot(bench, speed).last == .idle)
    }

    @Test func `a capture while the last frame is open is rejected`() {
        let bench = NikonBench.connected { $0.overhead = .seconds(5) }
        bench.perform(.capture(speed))
        bench.run(until: { $0.body.isWorking })
        #expect(bench.finish(bench.perform(.capture(speed))) == [.busy])
        #expect(bench.finish(bench.perform(.awaitIdle)).last == .idle)
        #expect(bench.body.framesFired.count == 1)
    }

    // MARK: A lost link

    private func broken(_ change: (inout NikonScriptedBody) -> Void = { _ in }) -> NikonBench {
        let bench = NikonBench.connected(change)
        bench.perform(.capture(speed))
        bench.run(until: { $0.requests.last?.request.code == .nikonCapture })
        bench.breakLink()
        bench.forget()
        return bench
    }

    private static func resolve(_ bench: NikonBench, before: Int? = nil) -> [CameraEvent] {
        bench.finish(bench.perform(.resolveCapture(shotsLeftBefore: before)))
    }

    @Test func `a frame whose link broke is resolved by the counter`() {
        let bench = broken { $0.refusals[.getObjectHandles] = .generalError }
        bench.connect()
        #expect(Self.resolve(bench) == [.captureResolved(.fired)])
    }

    @Test func `a frame whose link broke is resolved by the file in the list`() {
        let bench = broken {
            $0.properties[.nikonShotsLeft] = nil
            $0.announcesObjects = false
            $0.reportsComplete = false
        }
        bench.run(for: .seconds(5))
        bench.connect()
        #expect(Self.resolve(bench) == [.captureResolved(.fired)])
    }

    @Test func `a new folder in the list proves no frame`() {
        let bench = broken {
            $0.properties[.nikonShotsLeft] = nil
            $0.ignoresShutter = true
        }
        bench.body.files[0x9100_0000] = .file("100NZ6_2", format: 0x3001, size: 0)
        bench.connect()
        #expect(Self.resolve(bench) == [.captureResolved(.unknown)])
    }

    @Test func `more files than frames were added, so none proves the frame`() {
        let bench = broken {
            $0.properties[.nikonShotsLeft] = nil
            $0.announcesObjects = false
            $0.reportsComplete = false
        }
        bench.body.files[0x9191_0001] = .file("DSC_0112.JPG", size: 10)
        bench.run(for: .seconds(5))
        bench.connect()
        #expect(Self.resolve(bench) == [.captureResolved(.unknown)])
    }

    @Test func `events that waited while the link was down prove the frame`() {
        let bench = broken {
            $0.properties[.nikonShotsLeft] = nil
            $0.refusals[.getObjectHandles] = .generalError
        }
        bench.run(for: .seconds(5))
        bench.connect()
        #expect(Self.resolve(bench) == [.captureResolved(.fired)])
    }

    @Test(arguments: [(true, CaptureResolution.notFired), (false, .unknown)])
    func `an unchanged counter proves only on a counting body that nothing fired`(
        counts: Bool,
        resolution: CaptureResolution
    ) {
        let bench = NikonBench.connected { $0.countsShots = counts }
        #expect(Self.shoot(bench, speed).last == .idle)
        bench.forget()
        bench.body.ignoresShutter = true
        bench.perform(.capture(speed))
        bench.run(until: { $0.requests.contains { $0.request.code == .nikonCapture } })
        bench.breakLink()
        bench.forget()
        bench.connect()
        #expect(Self.resolve(bench) == [.captureResolved(resolution)])
    }

    @Test func `a counter that is neither equal nor one less leaves the doubt`() {
        let bench = broken { $0.ignoresShutter = true }
        bench.body.set(.nikonShotsLeft, 450, reports: false)
        bench.connect()
        #expect(Self.resolve(bench, before: 500) == [.captureResolved(.unknown)])
    }

    @Test func `a body that still exposes is waited for`() throws {
        let bench = NikonBench.connected { $0.set(.nikonShutterSpeed, 0x000A_0001, reports: false) }
        bench.run(for: .seconds(60))
        bench.perform(.capture(try .named("10\"")))
        bench.run(until: { $0.body.isWorking })
        bench.breakLink()
        bench.connect()
        #expect(Self.resolve(bench) == [.captureResolved(.fired)])
        #expect(!bench.body.isWorking)
    }

    @Test func `a link that broke before the press proves that nothing fired`() {
        let bench = NikonBench.connected()
        bench.run(for: .seconds(1))
        bench.perform(.capture(speed))
        bench.breakLink()
        bench.connect()
        #expect(Self.resolve(bench) == [.captureResolved(.notFired)])
    }

    @Test func `a broken link at every step of a frame has an answer`() {
        for number in 1...12 {
            let bench = NikonBench.connected()
            bench.perform(.capture(speed))
            bench.run(until: { $0.requests.count == number })
            bench.breakLink()
            bench.connect()
            let fired = !bench.body.framesFired.isEmpty
            let answer = Self.resolve(bench).last
            #expect(answer == .captureResolved(.unknown) || answer == .captureResolved(fired ? .fired : .notFired))
        }
    }

    @Test func `silence at every step of a frame ends the session in bounded time`() {
        for number in 1...12 {
            let bench = NikonBench.connected()
            bench.perform(.capture(speed))
            bench.run(until: { $0.requests.count == number - 1 })
            bench.body.isMute = true
            bench.run(for: .seconds(60))
            #expect(!bench.losses.isEmpty, "request \(number)")
        }
    }
}
