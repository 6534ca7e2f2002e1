import Bodies
import Cameras
import Exposure
import Testing
import Worlds

@testable import Controller

/// The checks before a shoot begins or resumes.
@Suite struct PreflightTests {
    typealias Result = Check.Result

    private static let identity = CameraIdentity(maker: "Sony", model: "Script", firmware: "1", serial: "7", id: "7")
    private static let second = ShutterSpeed.all.first { $0.exposureTime == .seconds(1) } ?? .slowest

    private static func report(
        _ firing: Preflight.Firing = Preflight.Firing(speeds: [.fastest, second]),
        drive: DriveKind? = .single,
        hasCamera: Bool = true,
        ledger: Preflight.Ledger = Preflight.Ledger(mode: .required),
        rules: Preflight.Rules = Preflight.Rules(),
        _ change: (inout CameraStatus) -> Void = { _ in }
    ) -> PreflightReport {
        var status = ScriptedCamera.ready
        change(&status)
        let mode = drive.map { DriveMode(kind: $0, name: "\($0)") }
        let camera = Preflight.Camera(identity: identity, status: status, drive: mode)
        let conditions = Preflight.Conditions(
            camera: hasCamera ? camera : nil,
            absence: "Searching for the camera.",
            ledger: ledger,
            rules: rules
        )
        return Preflight.report(firing, under: conditions)
    }

    private static func check(_ name: String, _ report: PreflightReport) throws -> Check {
        try #require(report.checks.first { $0.name == name })
    }

    // MARK: Each check

    @Test func `a camera with the right settings passes every check, in one order`() {
        let report = Self.report()
        #expect(report.checks.map(\.name) == Preflight.names)
        #expect(report.checks.allSatisfy { $0.result == .pass && $0.advice == nil })
        #expect(report.sentence == "Ready to shoot.")
    }

    @Test(arguments: Preflight.names)
    func `every check can be left out by name, except for a required ledger`(name: String) throws {
        let report = Self.report(rules: Preflight.Rules(skipped: [name])) { $0.isISOAuto = true }
        #expect(try Self.check(name, report).result == (name == "ledger" ? .pass : .skipped))
        let lenient = Self.report(ledger: Preflight.Ledger(mode: .bestEffort), rules: Preflight.Rules(skipped: [name]))
        #expect(try Self.check(name, lenient).result == .skipped)
    }

    @Test func `a check that is left out by name fails no shoot`() throws {
        let rules = Preflight.Rules(skipped: ["battery", "ledger"])
        let failure = Preflight.Ledger(mode: .required, failureSentence: "The disk is full.")
        let report = Self.report(ledger: failure, rules: rules) { $0.batteryPercent = 1 }
        #expect(report.failing.map(\.name) == ["ledger"])
    }

    @Test func `the advice for a wrong mode is a way that the body has`() throws {
        func mode(_ control: ModeControl, _ mode: ExposureMode = .program) throws -> Check {
            try Self.check("mode", Self.report { ($0.mode, $0.modeControl) = (mode, control) })
        }
        #expect(try mode(.dial).text == "The mode dial is on P. Turn it to M.")
        let settable = try mode(.property)
        #expect(settable.sentence == "The camera is in the mode P.")
        #expect(settable.advice == "To change it: bracketctl set exposure-mode M.")
        let menu = try mode(.menu(advice: "Leave it."), .other("Send to Smartphone"))
        #expect(menu.result == .fail)
        #expect(menu.text == "The camera is in the menu \"Send to Smartphone\" and cannot shoot. Leave it.")
    }

    @Test func `without a camera the link fails with the reason, and the camera's checks are skipped`() throws {
        let report = Self.report(hasCamera: false)
        #expect(report.checks.map(\.name) == Preflight.names)
        #expect(try Self.check("link", report).result == .fail)
        #expect(report.failureSentence == "Searching for the camera.")
        #expect(report.checks.count { $0.result == .skipped } == 10)
        #expect(try Self.check("ledger", report).result == .pass)
    }

    @Test(
        arguments: [
            (ExposureMode.manual, Result.pass, nil), (.shutterPriority, .warn, "Turn it to M."),
            (.aperturePriority, .fail, "Turn it to M."), (.other("Movie"), .fail, "Turn it to M."),
        ] as [(ExposureMode, Result, String?)]
    )
    func `mode: M passes, S warns with the reason, others fail`(
        mode: ExposureMode,
        verdict: Result,
        advice: String?
    ) throws {
        let check = try Self.check("mode", Self.report { $0.mode = mode })
        #expect(check.result == verdict)
        #expect(check.advice == advice)
        #expect(check.sentence.hasPrefix("The mode dial is on \(mode)"))
    }

    @Test func `mode: the sentence has the maker's name of the mode`() throws {
        let modes: [(ExposureMode, String)] = [(.shutterPriority, "Tv"), (.aperturePriority, "Av")]
        for (mode, name) in modes {
            let report = Self.report {
                $0.mode = mode
                $0.modeName = name
            }
            #expect(try Self.check("mode", report).sentence.hasPrefix("The mode dial is on \(name)."))
        }
    }

    @Test func `speeds: a substitute in a new plan warns, a speed that a kept plan lacks fails`()
        throws
    {
        let changed = Preflight.Firing(speeds: [.fastest], changes: ["1/3 becomes 0.3\"", "two collapse"])
        let warning = try Self.check("speeds", Self.report(changed))
        #expect(warning.result == .warn)
        #expect(warning.sentence == "1/3 becomes 0.3\"; two collapse.")
        let kept = Preflight.Firing(camera: Self.identity, speeds: [.fastest, .fastest, .slowest])
        let failure = try Self.check("speeds", Self.report(kept) { $0.speeds = [Self.second] })
        #expect(failure.result == .fail)
        #expect(failure.sentence == "The camera no longer offers 1/8000, 30\", which the shoot needs.")
        #expect(try Self.check("speeds", Self.report(kept)).result == .pass)
    }

    @Test func `camera: a kept shoot continues only on the body on which it began`() throws {
        var other = Self.identity
        other.id = "8"
        let firing = Preflight.Firing(camera: other, speeds: [.fastest])
        let check = try Self.check("camera", Self.report(firing))
        #expect(check.result == .fail)
        #expect(check.sentence == "The shoot began on Sony Script (8), but Sony Script (7) is connected.")
        other.id = ""
        #expect(try Self.check("camera", Self.report(Preflight.Firing(camera: other, speeds: []))).result == .pass)
    }

    @Test(
        arguments: [
            (nil, Result.pass), (.single, .pass), (.continuous, .fail), (.bracket, .fail), (.selfTimer, .fail),
            (.timeLapse, .fail), (.mirrorUp, .fail), (.other, .warn),
        ] as [(DriveKind?, Result)]
    )
    func `drive: a mode that fires later or more than one frame fails`(drive: DriveKind?, verdict: Result) throws {
        let check = try Self.check("drive", Self.report(drive: drive))
        #expect(check.result == verdict)
        #expect((check.advice == nil) == (verdict == .pass))
        if verdict == .fail, let drive { #expect(check.sentence.hasPrefix("The drive mode is \(drive): ")) }
    }

    @Test func `automatic ISO and autofocus warn`() throws {
        let report = Self.report {
            $0.isISOAuto = true
            $0.isManualFocus = false
        }
        #expect(report.warnings.map(\.name) == ["iso-auto", "focus"])
        #expect(report.warnings.allSatisfy { $0.advice != nil })
        #expect(report.failureSentence == nil)
        #expect(report.sentence == "Ready to shoot, with 2 warnings.")
    }

    @Test func `autofocus that no frame uses warns without a report of focusing`() throws {
        let report = Self.report {
            $0.isManualFocus = false
            $0.focusesForFrames = false
        }
        let check = try Self.check("focus", report)
        #expect(check.result == .warn && check.sentence.contains("without autofocus"), "\(check)")
        #expect(!check.sentence.contains("focuses before"))
    }

    @Test func `a camera that saves only to the computer fails if pictures are not kept, unless that is left out`()
        throws
    {
        let report = Self.report { $0.savesToHostAlone = true }
        #expect(report.failing.map(\.name) == ["save-target"])
        #expect(report.failureSentence?.contains("Every picture would be lost") == true)
        #expect(report.failing.first?.advice?.contains("save target to the card") == true)
        let kept = Self.report(rules: Preflight.Rules(policy: .both)) { $0.savesToHostAlone = true }
        #expect(kept.failing.isEmpty && kept.warnings.isEmpty)
        let skipped = Self.report(rules: Preflight.Rules(skipped: ["save-target"])) { $0.savesToHostAlone = true }
        #expect(skipped.failing.isEmpty)
    }

    @Test(
        arguments: [
            (.jpeg, [.raw], false, Result.warn), (.jpeg, [.raw, .jpeg], false, .pass), (.jpeg, [.heif], false, .pass),
            (.jpeg, nil, false, .pass), (.both, [.raw], false, .pass), (.none, [.raw], false, .pass),
            (.jpeg, [.raw], true, .pass),
        ] as [(TransferPolicy, Set<PictureInfo.Kind>?, Bool, Result)]
    )
    func `save target: RAW files that the policy does not keep warn`(
        policy: TransferPolicy,
        kinds: Set<PictureInfo.Kind>?,
        isOnlyCopy: Bool,
        verdict: Result
    ) throws {
        let report = Self.report(rules: Preflight.Rules(policy: policy)) {
            $0.fileKinds = kinds
            $0.savesToHostAlone = isOnlyCopy
        }
        #expect(try Self.check("save-target", report).result == verdict)
    }

    @Test(
        arguments: [(nil, Result.pass), (100, .pass), (15, .pass), (14, .warn), (6, .warn), (5, .fail), (0, .fail)]
            as [(Int?, Result)]
    )
    func `battery: below 15 % is a warning, 5 % fails`(percent: Int?, verdict: Result) throws {
        #expect(try Self.check("battery", Self.report { $0.batteryPercent = percent }).result == verdict)
    }

    @Test(
        arguments: [
            (nil, 0, .pass), (2, 0, .pass), (1, 0, .fail), (0, 0, .fail), (1, 1, .pass), (0, 2, .pass),
        ] as [(Int?, Int, Result)]
    )
    func `shots left: fewer than the missing frames fails, but a frame that may be fired already needs none`(
        shots: Int?,
        doubtful: Int,
        verdict: Result
    ) throws {
        let firing = Preflight.Firing(speeds: [.fastest, .slowest], doubtful: doubtful)
        let check = try Self.check("shots-left", Self.report(firing) { $0.shotsLeft = shots })
        #expect(check.result == verdict)
        if shots == 1, doubtful == 0 { #expect(check.sentence == "The card has space for 1 shot, and 2 are planned.") }
    }

    @Test func `noise reduction: its additional time is reported for long exposures`() throws {
        let long = Preflight.Firing(speeds: [.fastest, Self.second, Self.second])
        let check = try Self.check("noise-reduction", Self.report(long) { $0.noiseReduction = .on })
        #expect(check.result == .warn)
        #expect(check.sentence == "Long-exposure noise reduction is on: dark frames add up to 2 s.")
        let short = Preflight.Firing(speeds: [.fastest])
        #expect(try Self.check("noise-reduction", Self.report(short) { $0.noiseReduction = .on }).result == .pass)
    }

    @Test func `noise reduction: long exposures warn if the camera does not report it`() throws {
        let long = Preflight.Firing(speeds: [.fastest, Self.second, Self.second])
        let check = try Self.check("noise-reduction", Self.report(long) { $0.noiseReduction = .unknown })
        #expect(check.result == .warn)
        #expect(check.sentence.hasSuffix("If it is on, dark frames add up to 2 s."))
        #expect(check.advice?.contains("turn the noise reduction off") == true)
        let short = Preflight.Firing(speeds: [.fastest])
        #expect(try Self.check("noise-reduction", Self.report(short) { $0.noiseReduction = .unknown }).result == .pass)
    }

    @Test(
        arguments: [(nil, Result.pass), (16_000_000, .pass), (15_999_999, .warn), (999_999, .warn)]
            as [(Int64?, Result)]
    )
    func `ledger space: below 16 MB is a warning`(free: Int64?, verdict: Result) throws {
        let ledger = Preflight.Ledger(mode: .required, freeBytes: free)
        #expect(try Self.check("ledger-space", Self.report(ledger: ledger)).result == verdict)
    }

    @Test(arguments: [(12_345_678_901, "12.3 GB"), (400_000, "400.0 kB")] as [(Int64, String)])
    func `ledger space is given in the units of doctor's disks`(free: Int64, text: String) throws {
        let ledger = Preflight.Ledger(mode: .required, freeBytes: free)
        let check = try Self.check("ledger-space", Self.report(ledger: ledger))
        #expect(check.sentence == "The ledger's disk has \(text) free.")
    }

    @Test(
        arguments: [
            (LedgerMode.required, "Full.", Result.fail), (.bestEffort, "Full.", .warn), (.off, nil, .warn),
            (.required, nil, .pass), (.bestEffort, nil, .pass),
        ] as [(LedgerMode, String?, Result)]
    )
    func `ledger: an error of a required ledger fails`(mode: LedgerMode, failure: String?, verdict: Result) throws {
        let report = Self.report(ledger: Preflight.Ledger(mode: mode, failureSentence: failure))
        #expect(try Self.check("ledger", report).result == verdict)
    }

    // MARK: The commands

    private static let drive = PropertyState(property: .drive, value: "single", choices: ["single", "continuous"])

    private static func bench(
        drive: DriveKind? = .single,
        _ twists: ScriptedCamera.Deviation...,
        change: (inout CoreConfiguration) -> Void = { _ in }
    ) -> Bench {
        var camera = ScriptedCamera(twists: twists)
        if let drive { camera.properties = [state(drive)] }
        return Bench(camera, change: change)
    }

    private static func state(_ drive: DriveKind) -> PropertyState {
        var state = Self.drive
        (state.value, state.driveKind) = ("\(drive)", drive)
        return state
    }

    private static func turnDrive(_ drive: DriveKind, on bench: inout Bench) {
        bench.camera { camera, now in camera.tell(.properties([state(drive)]), at: now) }
    }

    private static func error(_ id: RequestID, _ bench: Bench) -> RequestError? {
        guard case .error(let error) = bench.answers(to: id).last else { return nil }
        return error
    }

    private static func failing(_ id: RequestID, _ bench: Bench) -> [String]? {
        guard case .preflightFailed(let checks, _) = error(id, bench) else { return nil }
        return checks.map(\.name)
    }

    @Test func `a shoot with a failing check is refused with advice, and changes nothing`() throws {
        var bench = Self.bench(drive: .continuous)
        let before = bench.scripted.commands
        let id = bench.ask(.shoot(ShootingTests.threeFrames, streams: true))
        #expect(Self.failing(id, bench) == ["drive"])
        #expect(bench.answers(to: id).count == 1)
        #expect(bench.state("shooting") == "idle")
        #expect(bench.scripted.commands == before)
        #expect(bench.daemon.ledger.tables.shoots.isEmpty)
        Self.turnDrive(.single, on: &bench)
        let again = bench.ask(.shoot(ShootingTests.threeFrames, streams: true))
        bench.pass { $0.progress(of: again).last?.outcome != nil }
        #expect(bench.progress(of: again).last?.outcome == .completed)
    }

    @Test func `a failing check that is left out by name does not refuse`() throws {
        var bench = Self.bench(drive: .continuous) { $0.skippedChecks = ["drive"] }
        let id = bench.ask(.shoot(ShootingTests.threeFrames, streams: true))
        bench.pass { $0.progress(of: id).last?.outcome != nil }
        #expect(bench.progress(of: id).last?.outcome == .completed)
    }

    @Test func `preflight fires no frame and reports every check, with a camera and without`() throws {
        var bench = Self.bench(drive: .continuous)
        let id = bench.ask(.preflight(PlanInput()))
        guard case .reply(.preflight(let report), _) = try #require(bench.answers(to: id).first) else {
            Issue.record("no report")
            return
        }
        #expect(report.checks.map(\.name) == Preflight.names)
        #expect(report.failing.map(\.name) == ["drive"])
        #expect(bench.state("shooting") == "idle")
        var alone = Bench(address: nil)
        let other = alone.ask(.preflight(PlanInput()))
        guard case .reply(.preflight(let absent), _) = try #require(alone.answers(to: other).first) else {
            Issue.record("no report")
            return
        }
        #expect(absent.failing.map(\.name) == ["link"])
        #expect(absent.failureSentence?.contains("No camera address is configured") == true)
    }

    @Test func `a wrong dial fails its own check, and the other checks run as far as the camera answers`() throws {
        var bench = Self.bench()
        Self.turnMode(.aperturePriority, on: &bench)
        let report = try Self.report(on: &bench)
        #expect(report.failing == [Check("mode", .fail, "The mode dial is on A.", advice: "Turn it to M.")])
        #expect(report.checks.first == Check("link", .pass, "Sony Script is connected."))
        #expect(report.checks.allSatisfy { $0.result != .skipped })
        Self.turnMode(.program, speeds: [], on: &bench)
        let mute = try Self.report(on: &bench)
        #expect(mute.failing.map(\.name) == ["mode"])
        #expect(mute.checks.filter { $0.result == .skipped }.map(\.name) == ["speeds"])
        Self.turnMode(.manual, speeds: [], on: &bench)
        #expect(try Self.report(on: &bench).failing.map(\.name) == ["speeds"])
    }

    @Test func `a wrong dial refuses a shoot by its check, and cannot be left out by name`() throws {
        for skipped in [[], ["mode"]] as [Set<String>] {
            var bench = Self.bench { $0.skippedChecks = skipped }
            Self.turnMode(.aperturePriority, on: &bench)
            let id = bench.ask(.shoot(ShootingTests.threeFrames, streams: true))
            #expect(Self.failing(id, bench) == ["mode"])
            #expect(Self.error(id, bench)?.sentence == "The mode dial is on A. Turn it to M.")
        }
    }

    @Test func `a wrong dial refuses a retry by its check`() throws {
        var bench = Self.bench(.failAfterPicture(2, .storageFull))
        let id = bench.ask(.shoot(ShootingTests.threeFrames, streams: true))
        bench.pass { $0.progress(of: id).last?.outcome != nil }
        Self.turnMode(.aperturePriority, on: &bench)
        #expect(Self.failing(bench.ask(.retry(streams: false)), bench) == ["mode"])
    }

    private static func turnMode(_ mode: ExposureMode, speeds: [ShutterSpeed]? = nil, on bench: inout Bench) {
        var status = bench.scripted.status
        status.mode = mode
        if let speeds { status.speeds = speeds }
        bench.camera { camera, now in camera.tell(.status(status), at: now) }
    }

    private static func report(on bench: inout Bench) throws -> PreflightReport {
        let id = bench.ask(.preflight(PlanInput()))
        guard case .reply(.preflight(let report), _)? = bench.answers(to: id).first else {
            throw NoReport()
        }
        return report
    }

    private struct NoReport: Error {}

    @Test func `the plan's warnings and a missing ledger are warnings of the checks`() throws {
        var bench = Bench(ledger: .off)
        let id = bench.ask(.plan(PlanInput()))
        guard case .reply(.plan(let report), _) = try #require(bench.answers(to: id).first) else {
            Issue.record("no plan")
            return
        }
        #expect(report.warnings.count == 1)
        let warning = "The ledger is off: a shoot cannot be resumed after bracketd stops."
        #expect(report.warnings.first?.hasPrefix(warning) == true)
    }

    @Test func `the check of the ledger's disk uses the ledger's last report`() throws {
        var bench = Self.bench()
        bench.put(.ledger(.room(freeBytes: 500_000)))
        func warns(_ id: RequestID) -> Bool {
            guard case .reply(.preflight(let report), _)? = bench.answers(to: id).first else { return false }
            return report.warnings.contains { $0.name == "ledger-space" }
        }
        let low = bench.ask(.preflight(PlanInput()))
        #expect(warns(low))
        bench.put(.ledger(.room(freeBytes: 500_000_000)))
        let high = bench.ask(.preflight(PlanInput()))
        #expect(!warns(high))
    }

    @Test func `retry and redo run the checks first, and another body is refused`() throws {
        var bench = Self.bench(.failAfterPicture(2, .storageFull))
        let id = bench.ask(.shoot(ShootingTests.threeFrames, streams: true))
        bench.pass { $0.progress(of: id).last?.outcome != nil }
        #expect(bench.state("shooting") == "partial")
        Self.turnDrive(.selfTimer, on: &bench)
        for request in [Request.retry(streams: false), .redo] {
            #expect(Self.failing(bench.ask(request), bench) == ["drive"])
        }
        Self.turnDrive(.single, on: &bench)
        bench.camera { camera, now in
            camera.identity.id = "8"
            camera.tell(.lost(.closedByCamera), at: now)
        }
        bench.pass(.seconds(5))
        #expect(bench.state("connection") == "connected")
        #expect(Self.failing(bench.ask(.retry(streams: false)), bench) == ["camera"])
        #expect(bench.state("shooting") == "partial")
    }

    @Test func `resume checks a dial that the user turned during a pause, and does not change it`() throws {
        var bench = Self.bench()
        let id = bench.ask(.shoot(ShootingTests.threeFrames, streams: true))
        bench.pass { $0.state("shooting") == "waitingForIdle" }
        bench.ask(.pause())
        bench.pass { $0.state("shooting") == "byCommand" }
        Self.turnDrive(.bracket, on: &bench)
        #expect(Self.failing(bench.ask(.resume), bench) == ["drive"])
        bench.pass(.seconds(60))
        #expect(bench.state("shooting") == "byCommand")
        #expect(!bench.scripted.commands.contains { if case .setProperty = $0 { true } else { false } })
        Self.turnDrive(.single, on: &bench)
        bench.ask(.resume)
        bench.pass { $0.progress(of: id).last?.outcome != nil }
        #expect(bench.progress(of: id).last?.sentence == "3 of 3 exposures captured")
    }

    // MARK: Automatic resumption

    @Test func `a drive mode changed while the link was lost holds with one sentence, and changed back it resumes`()
        throws
    {
        var bench = Self.bench(.loseOn(.idle, 1))
        let id = bench.ask(.shoot(ShootingTests.threeFrames, streams: true))
        bench.pass { $0.state("shooting") == "linkLost" }
        bench.camera { camera, _ in camera.properties = [Self.state(.continuous)] }
        bench.pass(.seconds(60))
        #expect(bench.state("connection") == "modeCheck")
        #expect(bench.state("shooting") == "cameraNotFit")
        #expect(bench.status.sentence.hasPrefix("Paused (camera-not-fit): The drive mode is continuous"))
        #expect(bench.scripted.fired.count == 1)
        #expect(bench.status.sentence.contains("The drive mode is continuous"))
        #expect(bench.progress(of: id).last?.sentence.contains("The drive mode is continuous") == true)
        let entries = bench.journal.filter { $0.message.contains("The drive mode is continuous") }
        #expect(entries.map(\.kind) == [.modeWrong, .shootPaused])
        Self.turnDrive(.single, on: &bench)
        bench.pass { $0.progress(of: id).last?.outcome != nil }
        #expect(bench.progress(of: id).last?.sentence == "3 of 3 exposures captured")
        #expect(bench.scripted.fired.count == 3)
    }

    @Test func `a cancel of a shoot that holds a returned camera releases the camera`() throws {
        var bench = Self.bench(.loseOn(.idle, 1))
        bench.ask(.shoot(ShootingTests.threeFrames, streams: true))
        bench.pass { $0.state("shooting") == "linkLost" }
        bench.camera { camera, _ in camera.properties = [Self.state(.continuous)] }
        bench.pass(.seconds(60))
        #expect(bench.state("connection") == "modeCheck")
        bench.ask(.cancel)
        #expect(bench.state("connection") == "connected")
        #expect(bench.state("shooting") == "cancelled")
    }

    @Test func `a last frame in doubt continues with a full card, because it may have filled the card`() throws {
        var bench = Self.bench(.loseOn(.shutter, 3), .resolve(.fired))
        let id = bench.ask(.shoot(ShootingTests.threeFrames, streams: true))
        bench.pass { $0.state("shooting") == "awaitingCamera" }
        bench.camera { camera, _ in camera.status.shotsLeft = 0 }
        bench.pass { $0.progress(of: id).last?.outcome != nil }
        #expect(bench.progress(of: id).last?.outcome == .completed)
    }

    @Test func `without a shoot only the mode decides whether the camera counts as connected`() {
        #expect(Self.bench(drive: .continuous).state("connection") == "connected")
    }

    @Test func `an interrupted shoot resumes by itself if the configuration says so, and not otherwise`() throws {
        for isWanted in [true, false] {
            var bench = Self.bench(.resolve(.fired)) { $0.resumesByItself = isWanted }
            bench.ask(.shoot(ShootingTests.threeFrames, streams: false))
            bench.pass { $0.state("shooting") == "waitingForIdle" }
            bench.kill()
            bench.restart()
            bench.pass(.seconds(60))
            #expect(bench.state("shooting") == (isWanted ? "completed" : "interrupted"))
            #expect(bench.scripted.fired.count == (isWanted ? 3 : 1))
        }
    }

    @Test func `an interrupted shoot also resumes by itself when the ledger opens after the camera is ready`() throws {
        var bench = Self.bench { $0.resumesByItself = true }
        bench.ask(.shoot(ShootingTests.threeFrames, streams: false))
        bench.pass { $0.state("shooting") == "waitingForIdle" }
        bench.kill()
        bench.ledger { $0.openDelay = .seconds(5) }
        bench.restart()
        bench.pass(.seconds(60))
        #expect(bench.state("shooting") == "completed")
    }

    @Test func `a failing check prevents automatic resumption, is reported once, and waits for the command`() throws {
        var bench = Self.bench { $0.resumesByItself = true }
        bench.ask(.shoot(ShootingTests.threeFrames, streams: false))
        bench.pass { $0.state("shooting") == "waitingForIdle" }
        bench.kill()
        bench.camera { camera, _ in camera.properties = [Self.state(.continuous)] }
        bench.restart()
        bench.pass(.seconds(60))
        #expect(bench.state("shooting") == "interrupted")
        #expect(bench.journal.count { $0.message.contains("is not resumed: The drive mode") } == 1)
        #expect(Self.failing(bench.ask(.resume), bench) == ["drive"])
        Self.turnDrive(.single, on: &bench)
        bench.ask(.resume)
        bench.pass(.seconds(60))
        #expect(bench.state("shooting") == "completed")
    }
}
