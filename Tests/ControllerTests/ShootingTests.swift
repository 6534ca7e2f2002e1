import Bodies
import Cameras
import Controller
import Exposure
import Testing
import Worlds

/// The shooting chart on a virtual clock, with a camera that answers commands as scripted.
@Suite struct ShootingTests {
    static let threeFrames = PlanInput(shadow: "1/60", highlight: "1/250", frames: 3, spacing: 1)
    static let fifteenFrames = PlanInput()

    private func connected(_ twists: ScriptedCamera.Deviation..., noiseReduction: NoiseReduction = .off) -> Bench {
        var status = ScriptedCamera.ready
        status.noiseReduction = noiseReduction
        return Bench(ScriptedCamera(status: status, twists: twists))
    }

    /// Fires a plan to its end. Returns the last progress.
    private func fire(_ plan: PlanInput, on bench: inout Bench) throws -> Progress {
        let id = bench.ask(.shoot(plan, streams: true))
        bench.pass { $0.progress(of: id).last?.outcome != nil }
        return try #require(bench.progress(of: id).last)
    }

    // MARK: Without errors

    @Test func `a single set of three is fired from the bright end on`() throws {
        var bench = connected()
        let end = try fire(Self.threeFrames, on: &bench)
        #expect(end.sentence == "3 of 3 exposures captured")
        #expect(end.outcome == .completed)
        #expect(bench.scripted.fired.map(\.label) == ["1/250", "1/125", "1/60"])
    }

    @Test func `speeds are set in order, each read back before the shutter`() throws {
        var bench = connected()
        _ = try fire(Self.threeFrames, on: &bench)
        let speeds = try ["1/250", "1/125", "1/60"].map { try ShutterSpeed(parsing: $0) }
        let wanted = speeds.flatMap { [CameraCommand.setSpeed($0), .readSpeed, .capture($0), .awaitIdle] }
        let putBack = CameraCommand.setProperty(.shutterSpeed, "1/8000")
        #expect(Array(bench.scripted.commands.dropFirst()) == wanted + [putBack])
    }

    @Test func `several sets are fired in full, the shared frames twice`() throws {
        var bench = connected()
        let end = try fire(Self.fifteenFrames, on: &bench)
        #expect(end.sentence == "15 of 15 exposures captured")
        #expect(bench.scripted.fired.count == 15)
        #expect(bench.scripted.fired[4] == bench.scripted.fired[5])
    }

    @Test func `every phase of a frame is reported`() throws {
        var bench = connected()
        let id = bench.ask(.shoot(Self.threeFrames, streams: true))
        bench.pass(.seconds(60))
        let frame = bench.progress(of: id).filter { $0.frame == 2 }.map(\.phase)
        #expect(frame == ["settingSpeed", "confirmingSpeed", "capturing", "waitingForIdle"])
        #expect(bench.progress(of: id).last?.phase == "completed")
    }

    @Test func `the journal reports every transition of a frame with its place and speed`() throws {
        var bench = connected()
        _ = try fire(Self.threeFrames, on: &bench)
        let second = bench.journal.filter { entry in
            entry.kind == .transition && entry.fields.contains(.init("FRAME", "2"))
        }
        #expect(
            second.map(\.message) == [
                "shooting: betweenFrames → settingSpeed (set 1, frame 2, 1/125)",
                "shooting: settingSpeed → confirmingSpeed (set 1, frame 2, 1/125)",
                "shooting: confirmingSpeed → capturing (set 1, frame 2, 1/125)",
                "shooting: capturing → waitingForIdle (set 1, frame 2, 1/125)",
                "shooting: waitingForIdle → betweenFrames (set 1, frame 2, 1/125)",
            ]
        )
        #expect(second[0].fields.contains(.init("SPEED", "1/125")))
    }

    @Test func `a camera that is idle at once does not delay the shoot`() throws {
        var bench = connected(.idleAtOnce(1), .idleAtOnce(2), .idleAtOnce(3))
        #expect(try fire(Self.threeFrames, on: &bench).outcome == .completed)
    }

    @Test func `the shoot waits for a camera that saves for long and reports that`() throws {
        var bench = connected(.saves(2, times: 6))
        let end = try fire(Self.threeFrames, on: &bench)
        #expect(end.outcome == .completed)
        #expect(bench.now > .seconds(48))
    }

    @Test func `a range of zero is one exposure`() throws {
        var bench = connected()
        let end = try fire(PlanInput(shadow: "1/125", highlight: "1/125"), on: &bench)
        #expect(end.sentence == "1 of 1 exposures captured")
    }

    // MARK: Every wait ends

    @Test func `a camera that never is idle again ends the shoot at that frame, which counts`() throws {
        var bench = connected(.neverIdle(8))
        let end = try fire(Self.fifteenFrames, on: &bench)
        #expect(end.outcome == .partial)
        #expect(end.sentence == "Stopped at set 2, frame 3. 8 of 15 exposures captured.")
        #expect(end.set == 2 && end.frame == 3)
        #expect(end.cause?.contains("not idle again") == true)
    }

    @Test func `an error during the wait for idle ends the shoot with the picture counted`() throws {
        var bench = connected(.failAfterPicture(2, .storageFull))
        let end = try fire(Self.threeFrames, on: &bench)
        #expect(end.sentence == "Stopped at set 1, frame 2. 2 of 3 exposures captured.")
        #expect(end.cause == CameraFailure.storageFull.sentence)
    }

    @Test func `a shutter without a picture ends the shoot after the exposure's own deadline`() throws {
        var bench = connected(.noPicture(2))
        let end = try fire(Self.threeFrames, on: &bench)
        #expect(end.sentence.hasPrefix("Stopped at set 1, frame 2. 1 of 3 exposures captured."))
        #expect(end.sentence.hasSuffix(" The frame at 1/125 may have been fired."))
        #expect(end.cause?.contains("reported no picture") == true)
    }

    @Test func `a speed that jumps at the shutter gives the camera the time of that exposure`() throws {
        var bench = connected()
        let id = bench.ask(.shoot(Self.threeFrames, streams: true))
        bench.camera { camera, _ in camera.holdPictures(for: .seconds(40)) }
        bench.pass { $0.state("shooting") == "capturing" }
        bench.camera { camera, now in
            var status = camera.status
            status.speed = .speed(.slowest)
            camera.tell(.status(status), at: now)
        }
        bench.pass { $0.progress(of: id).last?.outcome != nil }
        #expect(bench.progress(of: id).last?.outcome == .completed)
        #expect(bench.scripted.fired.count == 3)
    }

    @Test(arguments: [NoiseReduction.on, .unknown])
    func `a 30 second frame with noise reduction does not time out`(noiseReduction: NoiseReduction) throws {
        var bench = connected(noiseReduction: noiseReduction)
        let id = bench.ask(.shoot(PlanInput(shadow: "30\"", highlight: "30\""), streams: true))
        bench.camera { camera, _ in camera.holdPictures(for: .seconds(64 + 14)) }
        bench.pass { $0.progress(of: id).last?.outcome != nil }
        #expect(bench.progress(of: id).last?.outcome == .completed)
    }

    @Test func `without noise reduction the same wait is too long`() throws {
        var bench = connected(noiseReduction: .off)
        let id = bench.ask(.shoot(PlanInput(shadow: "30\"", highlight: "30\""), streams: true))
        bench.camera { camera, _ in camera.holdPictures(for: .seconds(64 + 14)) }
        bench.pass { $0.progress(of: id).last?.outcome != nil }
        #expect(bench.progress(of: id).last?.outcome == .partial)
    }

    // MARK: Errors

    @Test func `an error other than busy stops the shoot and keeps the position`() throws {
        let failure = CameraFailure.refused(operation: "the shutter", code: 0x2002, name: "GeneralError")
        var bench = connected(.failShutter(8, failure))
        let end = try fire(Self.fifteenFrames, on: &bench)
        #expect(end.sentence == "Stopped at set 2, frame 3. 7 of 15 exposures captured.")
        #expect(end.cause == failure.sentence)
        #expect(bench.scripted.commands.filter { $0 == .capture(bench.scripted.fired[6]) }.count <= 2)
    }

    @Test func `retry fires only the missing frames, from the position on`() throws {
        var bench = connected(.neverIdle(8))
        _ = try fire(Self.fifteenFrames, on: &bench)
        bench.camera { camera, _ in camera.twists = [] }
        let id = bench.ask(.retry(streams: true))
        bench.pass { $0.progress(of: id).last?.outcome != nil }
        let end = try #require(bench.progress(of: id).last)
        #expect(end.sentence == "15 of 15 exposures captured")
        #expect(end.shoot == 1)
        let plan = Plan(try PlanRequest())
        #expect(bench.scripted.fired == plan.frames.map(\.speed))
    }

    @Test func `a plan without missing frames completes at once, and fires nothing`() throws {
        var bench = connected(.neverIdle(3))
        let end = try fire(Self.threeFrames, on: &bench)
        #expect(end.outcome == .partial)
        bench.camera { camera, _ in camera.twists = [] }
        let start = bench.now
        let id = bench.ask(.retry(streams: true))
        #expect(bench.progress(of: id).last?.outcome == .completed)
        #expect(bench.now == start)
        #expect(bench.scripted.fired.count == 3)
    }

    @Test func `two busy answers and then success delay the frame only`() throws {
        var bench = connected(.busyOnSet(2))
        #expect(try fire(Self.threeFrames, on: &bench).outcome == .completed)
        #expect(bench.transitions("shooting").filter { $0.hasSuffix("→ waitingWhileBusy") }.count == 2)
    }

    @Test func `busy three times ends the shoot`() throws {
        var bench = connected(.busyOnSet(3))
        let end = try fire(Self.threeFrames, on: &bench)
        #expect(end.sentence == "Stopped at set 1, frame 1. 0 of 3 exposures captured.")
        #expect(end.cause == "The camera was busy 3 times in a row.")
    }

    @Test func `busy answers are counted anew for each frame`() throws {
        var bench = connected(.busyOnShutter(1), .busyOnShutter(3), .busyOnShutter(5))
        #expect(try fire(Self.threeFrames, on: &bench).outcome == .completed)
        #expect(bench.transitions("shooting").filter { $0.hasSuffix("→ waitingWhileBusy") }.count == 3)
        #expect(bench.scripted.fired.count == 3)
    }

    @Test func `busy answers of a frame do not count for one that is fired again before it`() throws {
        var bench = connected()
        let id = bench.ask(.shoot(Self.threeFrames, streams: true))
        bench.pass { $0.scripted.fired.count == 1 }
        // The camera is busy at all settings for the second frame, and at the first one for the frame that is fired
        // again.
        bench.camera { camera, _ in camera.twists = [.busyOnSet(4)] }
        bench.pass { $0.transitions("shooting").filter { $0.hasSuffix("→ waitingWhileBusy") }.count == 2 }
        bench.ask(.redo)
        bench.pass { $0.progress(of: id).last?.outcome != nil }
        #expect(bench.progress(of: id).last?.outcome == .completed)
        #expect(bench.scripted.fired.map(\.label) == ["1/250", "1/250", "1/125", "1/60"])
    }

    @Test func `the waits after busy answers grow`() throws {
        var bench = connected(.busyOnSet(2))
        let start = bench.now
        let id = bench.ask(.shoot(Self.threeFrames, streams: true))
        bench.pass { $0.state("shooting") == "capturing" }
        #expect(bench.now - start == .milliseconds(250 + 500))
        #expect(bench.progress(of: id).last?.phase == "capturing")
    }

    @Test func `a busy shutter sets and confirms the speed again before it fires`() throws {
        var bench = connected(.busyOnShutter(2))
        #expect(try fire(Self.threeFrames, on: &bench).outcome == .completed)
        let second = try CameraCommand.setSpeed(ShutterSpeed(parsing: "1/125"))
        #expect(bench.scripted.commands.filter { $0 == second }.count == 2)
        #expect(bench.scripted.fired.count == 3)
    }

    @Test func `a set that the camera ignored is noticed and repeated`() throws {
        var bench = connected(.ignoreSet(2))
        #expect(try fire(Self.threeFrames, on: &bench).outcome == .completed)
        #expect(bench.scripted.fired.map(\.label) == ["1/250", "1/125", "1/60"])
    }

    @Test func `a speed that the body reports differently is noticed before the shutter`() throws {
        let other = try ShutterSpeed(parsing: "1/50")
        var bench = connected(.settleOn(other, fromSet: 2))
        let end = try fire(Self.threeFrames, on: &bench)
        #expect(end.sentence == "Stopped at set 1, frame 2. 1 of 3 exposures captured.")
        #expect(end.cause?.contains("The camera shows 1/50, but 1/125 was set.") == true)
        #expect(bench.scripted.fired.map(\.label) == ["1/250"])
    }

    @Test func `a speed that jumps between confirmation and shutter is set again`() throws {
        let found = SpeedReading.other("BULB")
        var bench = connected(.failShutter(2, .speedChanged(found: found)))
        #expect(try fire(Self.threeFrames, on: &bench).outcome == .completed)
        #expect(bench.scripted.fired.map(\.label) == ["1/250", "1/125", "1/60"])
    }

    // MARK: Pause, resume, cancel

    @Test func `cancel during an exposure stops at the frame's end`() throws {
        var bench = connected()
        let id = bench.ask(.shoot(Self.fifteenFrames, streams: true))
        bench.pass { $0.state("shooting") == "capturing" && $0.scripted.fired.count == 8 }
        bench.ask(.cancel)
        #expect(bench.state("shooting") == "capturing")
        bench.pass(.seconds(60))
        let end = try #require(bench.progress(of: id).last)
        #expect(end.outcome == .cancelled)
        #expect(end.sentence == "Stopped at set 2, frame 3. 8 of 15 exposures captured.")
        #expect(bench.scripted.fired.count == 8)
    }

    @Test func `cancel between two frames fires no more frames`() throws {
        var bench = connected()
        bench.ask(.shoot(Self.threeFrames, streams: false))
        bench.pass { $0.state("shooting") == "waitingForIdle" }
        bench.ask(.cancel)
        bench.pass(.seconds(60))
        #expect(bench.state("shooting") == "cancelled")
        #expect(bench.scripted.fired.count == 1)
    }

    @Test func `pause during an exposure waits for the frame, and resume continues with the next`() throws {
        var bench = connected()
        let id = bench.ask(.shoot(Self.fifteenFrames, streams: true))
        bench.pass { $0.state("shooting") == "capturing" && $0.scripted.fired.count == 4 }
        bench.ask(.pause())
        #expect(bench.status.charts[1].configuration == ["capturing", "present", "pauseWanted"])
        bench.pass(.seconds(600))
        #expect(bench.state("shooting") == "byCommand")
        #expect(bench.scripted.fired.count == 4)
        bench.ask(.resume)
        bench.pass(.seconds(600))
        #expect(bench.progress(of: id).last?.sentence == "15 of 15 exposures captured")
        #expect(bench.scripted.fired == Plan(try PlanRequest()).frames.map(\.speed))
    }

    @Test func `pause before the shutter takes effect at once, and resume sets the speed again`() throws {
        var bench = connected(.ignoreSet(1))
        bench.ask(.shoot(Self.threeFrames, streams: false))
        bench.pass(.milliseconds(100))
        #expect(bench.state("shooting") == "confirmingSpeed")
        bench.ask(.pause())
        #expect(bench.state("shooting") == "byCommand")
        bench.pass(.seconds(60))
        bench.ask(.resume)
        #expect(
            bench.transitions("shooting").last == "byCommand → settingSpeed" || bench.state("shooting") != "byCommand"
        )
        bench.pass(.seconds(60))
        #expect(bench.state("shooting") == "completed")
        #expect(bench.scripted.fired.count == 3)
    }

    @Test func `a pause can be withdrawn before the frame ends`() throws {
        var bench = connected()
        bench.ask(.shoot(Self.threeFrames, streams: false))
        bench.pass { $0.state("shooting") == "waitingForIdle" }
        bench.ask(.pause())
        bench.ask(.resume)
        bench.pass(.seconds(60))
        #expect(bench.state("shooting") == "completed")
    }

    @Test func `cancel while paused ends at once`() throws {
        var bench = connected()
        bench.ask(.shoot(Self.threeFrames, streams: false))
        bench.pass { $0.state("shooting") == "waitingForIdle" }
        bench.ask(.pause())
        bench.pass(.seconds(10))
        bench.ask(.cancel)
        #expect(bench.state("shooting") == "cancelled")
    }

    @Test(arguments: [Request.pause(), .resume, .cancel, .retry(streams: false), .dismiss])
    func `a command that does not apply to the state is refused with the state`(request: Request) throws {
        var bench = connected()
        let id = bench.ask(request)
        guard case .error(.notNow(_, "idle", _)) = try #require(bench.answers(to: id).first) else {
            Issue.record("not refused: \(bench.answers(to: id))")
            return
        }
        #expect(bench.answers(to: id).count == 1)
    }

    @Test func `a second shoot is refused during a shoot`() throws {
        var bench = connected()
        bench.ask(.shoot(Self.threeFrames, streams: false))
        let id = bench.ask(.shoot(Self.threeFrames, streams: false))
        guard case .error(.notNow("Shoot", _, _)) = try #require(bench.answers(to: id).first) else {
            Issue.record("not refused")
            return
        }
        bench.pass(.seconds(60))
        #expect(bench.scripted.fired.count == 3)
    }

    @Test func `dismiss drops the missing frames, and then retry has none`() throws {
        var bench = connected(.busyOnSet(3))
        _ = try fire(Self.threeFrames, on: &bench)
        bench.ask(.dismiss)
        #expect(bench.state("shooting") == "idle")
        #expect(bench.status.shoot == nil)
        let id = bench.ask(.retry(streams: true))
        guard case .error(.notNow("Retry", "idle", _)) = try #require(bench.answers(to: id).first) else {
            Issue.record("not refused")
            return
        }
    }

    @Test func `a new shoot reports the missing frames of the last one, which are dropped`() throws {
        var bench = connected(.busyOnSet(3))
        _ = try fire(Self.threeFrames, on: &bench)
        bench.ask(.shoot(Self.threeFrames, streams: false, drops: true))
        let told = bench.journal.filter { $0.kind == .shootStarted }.map(\.message)
        let lost = "Shoot 2 begins: 3 exposures. The missing exposures of shoot 1 are dropped: 3 of 3."
        #expect(told == ["Shoot 1 begins: 3 exposures.", lost])
    }

    @Test func `a client that disconnects leaves the shoot running`() throws {
        var bench = connected()
        let id = bench.ask(.shoot(Self.threeFrames, streams: true))
        bench.put(.requestCancelled(id))
        let countsFrom = bench.answers(to: id).count
        bench.pass(.seconds(60))
        #expect(bench.state("shooting") == "completed")
        #expect(bench.answers(to: id).count == countsFrom)
    }

    @Test func `every request is answered and every stream ends exactly once`() throws {
        var bench = connected()
        let id = bench.ask(.shoot(Self.threeFrames, streams: true))
        bench.pass(.seconds(60))
        let ends = bench.answers(to: id).filter { if case .reply(_, continues: true) = $0 { false } else { true } }
        #expect(ends.count == 1)
        #expect(bench.answers(to: id).last == ends.last)
    }
}
