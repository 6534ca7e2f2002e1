import Bodies
import Cameras
import Controller
import Exposure
import Testing
import Worlds

/// The daemon restores the settings that a shoot changed. The camera answers as scripted.
@Suite struct SettingsTests {
    private static let plan = PlanInput(shadow: "1/60", highlight: "1/250", frames: 3, spacing: 1)
    private static let original = "1/1000"
    private static let key = SettingKey(cameraID: "7", property: "shutter-speed")

    private static func speed(_ label: String) throws -> ShutterSpeed { try ShutterSpeed(parsing: label) }

    private func connected(
        _ twists: ScriptedCamera.Deviation...,
        ledger: LedgerMode = .required,
        stepwise: Bool = false
    ) throws -> Bench {
        var status = ScriptedCamera.ready
        status.speed = .speed(try Self.speed(Self.original))
        if stepwise { status.speedSetting = .stepwise(perNotch: .milliseconds(100)) }
        return Bench(ScriptedCamera(status: status, twists: twists), ledger: ledger)
    }

    /// Fires the plan and lets time pass.
    private func fire(_ bench: inout Bench) throws {
        let id = bench.ask(.shoot(Self.plan, streams: true))
        bench.pass { $0.progress(of: id).last?.outcome != nil }
        _ = try #require(bench.progress(of: id).last?.outcome)
        bench.pass(.seconds(1))
    }

    private func speed(_ bench: Bench) -> String? { bench.scripted.status.speed?.description }

    private func row(_ bench: Bench) -> SettingRow? { bench.daemon.ledger.tables.settings[Self.key] }

    private func said(_ bench: Bench) -> [String] {
        bench.journal.filter { $0.kind == .settings }.map(\.message)
    }

    private func sets(_ bench: Bench) -> [CameraCommand] {
        bench.scripted.commands.filter { if case .setProperty = $0 { true } else { false } }
    }

    private func turn(_ label: String, _ bench: inout Bench) throws {
        var status = bench.scripted.status
        status.speed = .speed(try Self.speed(label))
        bench.camera { camera, now in camera.tell(.status(status), at: now) }
    }

    private static let putBack = "The shutter speed was put back to 1/1000."

    // MARK: Settings are restored

    @Test(arguments: [LedgerMode.required, .bestEffort, .off])
    func `after a shoot the speed is what it was before`(ledger: LedgerMode) throws {
        var bench = try connected(ledger: ledger)
        try fire(&bench)
        #expect(speed(bench) == Self.original)
        #expect(said(bench) == [Self.putBack])
        #expect(row(bench) == nil)
        #expect(bench.state("settings") == "clear")
    }

    @Test func `the original setting is on disk before the first change, in the shoot's own commit`() throws {
        var bench = try connected()
        bench.ledger { $0.delay = .seconds(1) }
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass(.milliseconds(500))
        #expect(bench.scripted.commands.allSatisfy { if case .setSpeed = $0 { false } else { true } })
        bench.pass { $0.state("shooting") == "settingSpeed" }
        let kept = try #require(row(bench))
        #expect(kept.original == Self.original && kept.values == ["1/250", "1/125", "1/60"])
        let commit = try #require(bench.daemon.ledger.commits.first { !$0.rows.settings.isEmpty })
        #expect(commit.isDurable && commit.rows.shoots[1] != nil)
    }

    @Test func `a restored setting causes no commit while nothing happens`() throws {
        var bench = try connected()
        try fire(&bench)
        let count = bench.daemon.ledger.commits.count
        bench.pass(.seconds(3600))
        #expect(bench.daemon.ledger.commits.count == count)
    }

    @Test func `the settings of a cancelled or partial shoot are restored too`() throws {
        var bench = try connected()
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.scripted.fired.count == 1 && $0.state("shooting") == "settingSpeed" }
        bench.ask(.cancel)
        bench.pass(.seconds(5))
        #expect(bench.state("shooting") == "cancelled" && speed(bench) == Self.original)
        var partial = try connected(.settleOn(try Self.speed("1/100"), fromSet: 2))
        try fire(&partial)
        #expect(partial.state("shooting") == "partial" && speed(partial) == Self.original)
        #expect(said(partial) == [Self.putBack])
    }

    @Test func `an unknown speed is not restored`() throws {
        var bench = try connected()
        var status = bench.scripted.status
        status.speed = nil
        bench.camera { camera, now in camera.tell(.status(status), at: now) }
        try fire(&bench)
        #expect(sets(bench).isEmpty && row(bench) == nil)
        #expect(bench.journal.contains { $0.level == .debug && $0.message.contains("not report its shutter-speed") })
    }

    // MARK: Settings cannot be restored

    @Test func `a busy camera is asked again until it restores the setting, and that is reported once`() throws {
        var bench = try connected(.busyOnProperty)
        try fire(&bench)
        bench.pass(.seconds(120))
        let tries = sets(bench).count
        #expect((5...9).contains(tries))
        let sentence = "The shutter speed could not be put back to 1/1000. The daemon tries again. The camera is busy."
        #expect(said(bench) == [sentence])
        #expect(bench.status.sentence.contains(sentence))
        #expect(row(bench)?.original == Self.original)
        bench.pass(.seconds(3600))
        #expect(sets(bench).count - tries <= 13)
        bench.camera { camera, _ in camera.twists = [] }
        bench.pass(.seconds(600))
        #expect(said(bench) == [sentence, Self.putBack])
        #expect(row(bench) == nil && speed(bench) == Self.original)
    }

    @Test func `a setting that cannot be changed now stays pending with the driver's sentence`() throws {
        var bench = try connected(.failProperty(.propertyNotWritable(.shutterSpeed)))
        try fire(&bench)
        #expect(bench.state("settings") == "waiting")
        #expect(said(bench).count == 1 && said(bench)[0].hasSuffix("does not allow its shutter-speed to be set now."))
        #expect(row(bench) != nil)
    }

    @Test func `the wait for a driver that never answers ends`() throws {
        var bench = try connected(.ignoreProperty)
        try fire(&bench)
        let start = bench.now
        bench.pass { $0.state("settings") == "waiting" }
        #expect(bench.now - start <= .seconds(180))
        #expect(row(bench) != nil)
    }

    @Test func `the settings of a camera that disconnected are restored when it is back`() throws {
        var bench = try connected(.busyOnProperty)
        try fire(&bench)
        bench.camera { camera, now in
            camera.twists = [.cannotConnect(times: 9)]
            camera.tell(.lost(.closedByCamera), at: now)
        }
        bench.pass(.seconds(10))
        let sentence = "The shutter speed of Sony Script is put back to 1/1000 when the camera is connected again."
        #expect(bench.state("settings") == "away")
        #expect(bench.status.sentence.contains(sentence))
        bench.camera { camera, _ in camera.twists = [] }
        bench.pass(.seconds(60))
        #expect(speed(bench) == Self.original && row(bench) == nil)
    }

    @Test func `another camera keeps its settings, and the first one is not forgotten`() throws {
        var bench = try connected(.busyOnProperty)
        try fire(&bench)
        bench.camera { camera, now in
            camera.identity.id = "8"
            camera.twists = []
            camera.tell(.lost(.closedByCamera), at: now)
        }
        bench.pass(.seconds(60))
        #expect(bench.state("connection") == "connected" && bench.state("settings") == "away")
        #expect(speed(bench) == "1/60" && row(bench)?.original == Self.original)
        // A shoot on this camera changes settings, and they are restored on it.
        try fire(&bench)
        #expect(speed(bench) == "1/60" && row(bench)?.original == Self.original)
        bench.camera { camera, now in
            camera.identity.id = "7"
            camera.tell(.lost(.closedByCamera), at: now)
        }
        bench.pass(.seconds(60))
        #expect(speed(bench) == Self.original && bench.daemon.ledger.tables.settings.isEmpty)
    }

    @Test func `pending settings survive a kill of the daemon`() throws {
        var bench = try connected(.busyOnProperty)
        try fire(&bench)
        bench.kill()
        bench.camera { camera, _ in camera.twists = [] }
        bench.restart()
        bench.pass(.seconds(10))
        #expect(speed(bench) == Self.original && row(bench) == nil)
    }

    @Test func `a daemon that was killed in a shoot restores at its next start, and resume keeps the original`() throws
    {
        var bench = try connected()
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.scripted.fired.count == 2 }
        bench.kill()
        #expect(row(bench)?.original == Self.original)
        bench.restart()
        bench.pass(.seconds(10))
        #expect(bench.state("shooting") == "interrupted" && speed(bench) == Self.original)
        bench.ask(.resume)
        bench.pass(.seconds(60))
        #expect(bench.state("shooting") == "completed" && speed(bench) == Self.original && row(bench) == nil)
    }

    // MARK: Precedence

    @Test func `a shoot that begins while the last one's settings are restored keeps the first original`() throws {
        var bench = try connected(.showPropertyAfter(.seconds(30)))
        let first = bench.ask(.shoot(Self.plan, streams: true))
        bench.pass { $0.state("shooting") == "completed" }
        bench.pass(.seconds(1))
        #expect(bench.state("settings") == "puttingBack")
        #expect(bench.progress(of: first).last?.outcome == nil)
        let second = bench.ask(.shoot(Self.plan, streams: true))
        // The client that followed the first shoot receives the end of that shoot, and nothing else.
        #expect(bench.progress(of: first).last?.outcome == .completed)
        #expect(bench.progress(of: first).last?.shoot == 1)
        bench.pass { $0.state("shooting") == "completed" }
        #expect(bench.scripted.fired.count == 6)
        #expect(row(bench)?.original == Self.original)
        bench.pass(.seconds(60))
        #expect(bench.progress(of: second).last?.outcome == .completed)
        #expect(bench.answers(to: first).count == bench.progress(of: first).count)
        #expect(speed(bench) == Self.original && said(bench) == [Self.putBack])
    }

    @Test func `a client's setting waits while settings are restored, and otherwise takes precedence`() throws {
        var bench = try connected(.showPropertyAfter(.seconds(30)))
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.state("settings") == "puttingBack" }
        let early = bench.ask(.setProperty(name: "shutter-speed", value: "1/8"))
        #expect(bench.answers(to: early).isEmpty)
        bench.pass(.seconds(29))
        #expect(bench.answers(to: early).isEmpty && bench.state("settings") == "puttingBack")
        bench.pass(.seconds(32))
        #expect(said(bench) == [Self.putBack] && speed(bench) == "1/8")
        guard case .reply(.property, continues: false) = bench.answers(to: early).first else {
            Issue.record("\(bench.answers(to: early))")
            return
        }
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.state("settings") == "puttingBack" }
        bench.camera { camera, _ in camera.twists = [.busyOnProperty] }
        bench.camera { camera, now in camera.tell(.lost(.closedByCamera), at: now) }
        bench.pass { $0.state("settings") == "waiting" }
        bench.camera { camera, _ in camera.twists = [.showPropertyAfter(.seconds(2))] }
        let late = bench.ask(.setProperty(name: "shutter-speed", value: "1/30"))
        #expect(bench.state("settings") == "yielding")
        bench.pass(.seconds(60))
        #expect(bench.answers(to: late).count == 1)
        #expect(speed(bench) == "1/30" && row(bench) == nil && bench.state("settings") == "clear")
    }

    @Test func `a client's change of another setting waits its turn and takes no commit`() throws {
        var bench = try connected(.busyOnProperty)
        try fire(&bench)
        bench.camera { camera, _ in camera.twists = [] }
        bench.ask(.setProperty(name: "iso", value: "100"))
        bench.pass(.seconds(60))
        #expect(speed(bench) == Self.original && row(bench) == nil)
    }

    @Test func `a speed that the user sets in a pause is the one that is restored`() throws {
        var bench = try connected()
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.scripted.fired.count == 1 }
        bench.ask(.pause())
        bench.pass { $0.state("shooting") == "byCommand" }
        // The daemon's own value is not reported as a change.
        try turn("1/250", &bench)
        #expect(row(bench)?.original == Self.original)
        try turn("1/30", &bench)
        #expect(row(bench)?.original == "1/30")
        bench.ask(.resume)
        bench.pass(.seconds(60))
        #expect(bench.state("shooting") == "completed" && speed(bench) == "1/30")
        #expect(said(bench).count == 2 && said(bench)[1] == "The shutter speed was put back to 1/30.")
    }

    @Test func `a speed that the user sets in a pause outlasts a power cut in that pause`() throws {
        var bench = try connected()
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.scripted.fired.count == 1 }
        bench.ask(.pause())
        bench.pass { $0.state("shooting") == "byCommand" }
        try turn("1/30", &bench)
        bench.kill(isPowerCut: true)
        #expect(row(bench)?.original == "1/30")
        bench.restart()
        bench.pass(.seconds(10))
        bench.ask(.resume)
        bench.pass(.seconds(60))
        #expect(bench.state("shooting") == "completed" && speed(bench) == "1/30")
    }

    @Test(arguments: [false, true])
    func `a dial turned to a speed of the plan, long after the last command, counts as the user's`(
        stepwise: Bool
    ) throws {
        var bench = try connected(stepwise: stepwise)
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.scripted.fired.count == 1 }
        bench.ask(.pause())
        bench.pass(.seconds(30))
        try turn("1/60", &bench)
        #expect(row(bench)?.original == "1/60")
    }

    @Test func `a dial turned while the camera was away in a shoot gives the speed that is restored`() throws {
        var bench = try connected()
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.scripted.fired.count == 1 && $0.state("shooting") == "settingSpeed" }
        bench.camera { camera, now in
            camera.tell(.lost(.closedByCamera), at: now)
            camera.status.speed = .speed(.slowest)
        }
        bench.pass(.seconds(120))
        #expect(bench.state("shooting") == "completed" && speed(bench) == "30\"")
    }

    @Test(arguments: [false, true])
    func `a dial turned while the daemon did not run keeps its speed`(completed: Bool) throws {
        var bench = try connected(.busyOnProperty)
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { completed ? $0.state("settings") == "waiting" : $0.scripted.fired.count == 2 }
        bench.kill()
        bench.camera { camera, _ in
            camera.twists = []
            camera.status.speed = .speed(.slowest)
        }
        bench.restart()
        bench.pass(.seconds(10))
        #expect(speed(bench) == "30\"" && row(bench) == nil && sets(bench).count <= 1)
        #expect(said(bench).last == "The shutter speed is now 30\", which the daemon did not set. That value stays.")
    }

    @Test func `a dial turned while a setting is pending keeps its speed, and turned back it ends the wait`() throws {
        for (label, sentences) in [("1/30", 2), (Self.original, 1)] {
            var bench = try connected(.busyOnProperty)
            try fire(&bench)
            let tries = sets(bench).count
            try turn(label, &bench)
            bench.pass(.seconds(600))
            #expect(speed(bench) == label && row(bench) == nil && sets(bench).count == tries)
            #expect(said(bench).count == sentences)
        }
    }

    @Test func `speeds that a body passes between two notches do not count as the user's`() throws {
        var bench = try connected(stepwise: true)
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.scripted.fired.count == 1 && $0.state("shooting") == "settingSpeed" }
        bench.ask(.pause())
        // The body passes these speeds between 1/250 and 1/125.
        try turn("1/200", &bench)
        try turn("1/160", &bench)
        #expect(row(bench)?.original == Self.original)
        bench.ask(.cancel)
        bench.pass(.seconds(20))
        #expect(speed(bench) == Self.original)
    }

    @Test func `speeds that a body shows while the shoot sets its speed do not count as the user's`() throws {
        var bench = try connected()
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.scripted.fired.count == 1 && $0.state("shooting") == "waitingForIdle" }
        var old = bench.scripted.status
        old.speed = .speed(try Self.speed("1/30"))
        bench.camera { camera, now in camera.tell(.status(old), at: now) }
        bench.pass(.seconds(60))
        #expect(speed(bench) == Self.original && said(bench) == [Self.putBack])
    }

    @Test func `a dial turned while notches are under way does not make the last notch the user's`() throws {
        var bench = try connected(stepwise: true)
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.scripted.fired.count == 1 && $0.state("shooting") == "settingSpeed" }
        try turn("1/8", &bench)
        // After the user turned the dial, the remaining notches continued from there.
        let ended = try Self.speed("1/15")
        bench.camera { camera, now in
            camera.tell(.lost(.closedByCamera), at: now)
            camera.status.speed = .speed(ended)
        }
        bench.pass(.seconds(120))
        #expect(bench.state("shooting") == "completed" && speed(bench) == Self.original)
        #expect(said(bench) == [Self.putBack])
    }

    @Test func `the speed that notches reached while the daemon did not run does not count as the user's`() throws {
        var bench = try connected(stepwise: true)
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.scripted.fired.count == 1 && $0.state("shooting") == "settingSpeed" }
        bench.kill()
        let ended = try Self.speed("1/8")
        bench.camera { camera, _ in camera.status.speed = .speed(ended) }
        bench.restart()
        bench.pass(.seconds(10))
        #expect(speed(bench) == Self.original && row(bench) == nil)
        #expect(said(bench).last == Self.putBack)
    }

    @Test(arguments: [true, false])
    func `the speed that notches reached while the body was away does not count as the user's`(inShoot: Bool) throws {
        var bench = try connected(.ignoreProperty, stepwise: true)
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass {
            inShoot
                ? $0.scripted.fired.count == 1 && $0.state("shooting") == "settingSpeed"
                : $0.state("settings") == "puttingBack"
        }
        let ended = try Self.speed("1/8")
        bench.camera { camera, now in
            camera.twists = []
            camera.tell(.lost(.closedByCamera), at: now)
            camera.status.speed = .speed(ended)
        }
        bench.pass(.seconds(120))
        #expect(bench.state("shooting") == "completed" && speed(bench) == Self.original && row(bench) == nil)
        #expect(said(bench) == [Self.putBack])
    }

    @Test func `a dial turned in a pause, before the set speed shows, does not make the last notch the user's`()
        throws
    {
        var bench = try connected(stepwise: true)
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.scripted.fired.count == 1 && $0.state("shooting") == "settingSpeed" }
        bench.ask(.pause())
        #expect(bench.state("settings") == "awaitingLastEffect")
        try turn("1/2", &bench)
        try turn("1/125", &bench)
        #expect(row(bench)?.original == Self.original)
        bench.ask(.cancel)
        bench.pass(.seconds(20))
        #expect(speed(bench) == Self.original && said(bench) == [Self.putBack])
    }

    @Test(arguments: [false, true])
    func `a dial turned in a pause long after a set speed that never showed counts as the user's`(
        stepwise: Bool
    )
        throws
    {
        var bench = try connected(.ignoreSet(2), stepwise: stepwise)
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.scripted.fired.count == 1 && $0.state("shooting") == "settingSpeed" }
        bench.ask(.pause())
        bench.pass(.seconds(30))
        // The camera reports its values at intervals, even if no value has changed.
        try turn(try #require(speed(bench)), &bench)
        try turn("1/15", &bench)
        #expect(row(bench)?.original == "1/15")
        bench.ask(.resume)
        bench.pass(.seconds(60))
        #expect(bench.state("shooting") == "completed" && speed(bench) == "1/15")
    }

    @Test func `a pause while the speed is being set keeps the original though the body reports nothing`() throws {
        var bench = try connected(.ignoreSet(1))
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.state("shooting") == "settingSpeed" || $0.state("shooting") == "confirmingSpeed" }
        bench.ask(.pause())
        bench.pass(.seconds(60))
        bench.ask(.cancel)
        #expect(bench.state("shooting") == "cancelled" && said(bench) == [Self.putBack])
    }

    @Test func `a body that strays while its settings are restored is not left there`() throws {
        var bench = try connected(.ignoreProperty, stepwise: true)
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.state("settings") == "puttingBack" }
        // The body shows its old speed, and then a speed that no command set.
        try turn("1/60", &bench)
        try turn("1/8", &bench)
        bench.camera { camera, _ in camera.twists = [] }
        bench.pass(.seconds(600))
        #expect(speed(bench) == Self.original && row(bench) == nil)
        #expect(said(bench).last == Self.putBack)
    }

    @Test func `a late effect after the daemon's return does not count as a turned dial`() throws {
        var bench = try connected()
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.scripted.fired.count == 1 && $0.state("shooting") == "settingSpeed" }
        bench.kill()
        bench.camera { camera, _ in camera.status.speed = .speed(.slowest) }
        bench.restart()
        bench.pass { $0.state("settings") == "rechecking" || $0.state("settings") == "awaitingOlderEffect" }
        // This is the speed that the killed daemon had set.
        try turn("1/125", &bench)
        bench.pass(.seconds(10))
        #expect(speed(bench) == Self.original && row(bench) == nil && said(bench) == [Self.putBack])
    }

    @Test func `a camera that does not report its speed is asked again, and no attempt is reported`() throws {
        var bench = try connected(.silentOnStatus)
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.scripted.fired.count == 1 && $0.state("shooting") == "settingSpeed" }
        bench.kill()
        bench.camera { camera, _ in camera.status.speed = .speed(.slowest) }
        bench.restart()
        bench.pass { $0.state("settings") == "waiting" }
        #expect(said(bench) == ["The camera did not report its shutter speed. The daemon asks again."])
    }

    @Test
    func `a camera that does not answer for ten minutes causes one warning, and a disconnect does not wait`() throws {
        var bench = try connected(.silentOnStatus)
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.scripted.fired.count == 1 && $0.state("shooting") == "settingSpeed" }
        bench.kill()
        bench.camera { camera, _ in camera.status.speed = .speed(.slowest) }
        bench.restart()
        bench.pass { $0.state("settings") == "waiting" }
        #expect(!bench.daemon.core.isRestoring)
        bench.pass(.seconds(600))
        bench.pass { $0.state("settings") == "waiting" }
        #expect(said(bench) == ["The camera did not report its shutter speed. The daemon asks again."])
        #expect(!bench.daemon.core.isRestoring && row(bench)?.original == Self.original)
        let id = bench.ask(.disconnect)
        let sentence = "The shutter speed of Sony Script is put back to 1/1000 when the camera is connected again."
        #expect(bench.answers(to: id) == [.reply(.disconnected(settings: sentence), continues: false)])
    }

    @Test func `a speed that the body shows late, as a shoot begins again, does not count as the user's`() throws {
        var bench = try connected(.ignoreProperty, stepwise: true)
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.state("settings") == "puttingBack" }
        // The user turns the dial to the original speed. Then the remaining notches of an earlier command take effect.
        try turn(Self.original, &bench)
        try turn("1/2", &bench)
        bench.camera { camera, _ in camera.twists = [] }
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass(.seconds(60))
        #expect(row(bench) == nil && speed(bench) == Self.original && said(bench) == [Self.putBack])
    }

    @Test func `a shoot cancelled while notches pass the original speed is restored to it`()
        throws
    {
        var bench = try connected(.ignoreSet(2), stepwise: true)
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.scripted.fired.count == 1 && $0.state("shooting") == "settingSpeed" }
        try turn("1/125", &bench)
        try turn(Self.original, &bench)
        bench.ask(.cancel)
        bench.pass(.seconds(5))
        #expect(sets(bench).count == 1 && said(bench) == [Self.putBack] && speed(bench) == Self.original)
    }

    // MARK: The stop

    @Test(arguments: [true, false])
    func `the ordered stop restores the settings first, in a pause and after a shoot`(paused: Bool) throws {
        var bench = try connected(.busyOnProperty)
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.scripted.fired.count == 1 }
        bench.ask(paused ? .pause() : .cancel)
        bench.pass { ["byCommand", "cancelled"].contains($0.state("shooting") ?? "") }
        bench.camera { camera, _ in camera.twists = [.showPropertyAfter(.milliseconds(500))] }
        let start = bench.now
        bench.put(.stop)
        let late = bench.ask(.getStatus)
        #expect(bench.answers(to: late) == [.error(.stopping)])
        bench.pass { $0.isFinished }
        #expect(bench.isFinished && bench.now - start <= .seconds(2))
        #expect(speed(bench) == Self.original && row(bench) == nil && said(bench).last == Self.putBack)
    }

    @Test func `the stop's wait for a body that restores nothing ends, and the next start restores`() throws {
        var bench = try connected(.ignoreProperty)
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.scripted.fired.count == 2 && $0.state("shooting") == "settingSpeed" }
        let start = bench.now
        bench.put(.stop)
        bench.pass { $0.isFinished }
        #expect(bench.isFinished && bench.now - start <= SettingsModel.lastTryLimitBase + .milliseconds(500))
        #expect(said(bench).last?.hasPrefix("The shutter speed of Sony Script was not put back to 1/1000") == true)
        #expect(row(bench)?.original == Self.original)
        bench.kill()
        bench.camera { camera, _ in camera.twists = [] }
        bench.restart()
        bench.pass(.seconds(10))
        #expect(speed(bench) == Self.original && row(bench) == nil)
    }

    @Test func `a stop waits for a slow body, and leaves it with its original settings`() throws {
        for isStepwise in [false, true] {
            var bench = try connected(.showPropertyAfter(.seconds(12)), stepwise: isStepwise)
            bench.ask(.shoot(Self.plan, streams: false))
            bench.pass { $0.state("settings") == "puttingBack" }
            bench.pass(.seconds(1))
            bench.put(.stop)
            #expect(!bench.isFinished)
            bench.pass { $0.isFinished }
            #expect(bench.isFinished && speed(bench) == Self.original && row(bench) == nil)
            #expect(said(bench) == [Self.putBack])
        }
    }

    @Test func `a stop asks a busy camera again within its time, and leaves it with its original settings`() throws {
        var bench = try connected(.busyOnProperty)
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.state("settings") == "puttingBack" }
        bench.put(.stop)
        bench.pass(.seconds(3))
        #expect(!bench.isFinished)
        bench.camera { camera, _ in camera.twists = [] }
        bench.pass { $0.isFinished }
        #expect(speed(bench) == Self.original && row(bench) == nil)
    }

    @Test func `the stop's wait for a camera that stays busy ends`() throws {
        var bench = try connected(.busyOnProperty)
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.state("settings") == "puttingBack" }
        let start = bench.now
        bench.put(.stop)
        bench.pass { $0.isFinished }
        #expect(bench.now - start > SettingsModel.lastTryLimitBase - .seconds(1))
        #expect(bench.now - start <= SettingsModel.lastTryLimitBase + .milliseconds(500))
        #expect(row(bench)?.original == Self.original)
    }

    @Test func `a second stop request ends the wait for the settings`() throws {
        var bench = try connected(.showPropertyAfter(.seconds(12)))
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.state("settings") == "puttingBack" }
        bench.put(.stop)
        let start = bench.now
        bench.put(.stop)
        bench.pass { $0.isFinished }
        #expect(bench.isFinished && bench.now - start < .seconds(1))
        #expect(row(bench)?.original == Self.original)
    }

    // MARK: Requests that wait

    @Test func `a client that follows a shoot receives its end and the restoration when the settings are restored`()
        throws
    {
        var bench = try connected(.showPropertyAfter(.seconds(2)))
        let id = bench.ask(.shoot(Self.plan, streams: true))
        bench.pass { $0.state("shooting") == "completed" }
        let before = try #require(bench.progress(of: id).last)
        #expect(before.outcome == nil && before.captured == 3)
        #expect(before.sentence == "3 of 3 exposures captured. The shutter speed is being put back to 1/1000.")
        bench.pass { $0.progress(of: id).last?.outcome != nil }
        #expect(speed(bench) == Self.original)
        let last = try #require(bench.progress(of: id).last)
        #expect(last.settings == "The camera is set as before the shoot: shutter speed 1/1000.")
        #expect(last.sentence == "3 of 3 exposures captured")
        bench.pass(.seconds(600))
        #expect(bench.progress(of: id).last == last)
    }

    @Test func `a client that follows a shoot receives that its settings could not be restored`() throws {
        for (twist, reason) in [
            (ScriptedCamera.Deviation.busyOnProperty, "The camera is busy."),
            (.ignoreProperty, "The camera did not report the result."),
        ] {
            var bench = try connected(twist)
            let id = bench.ask(.shoot(Self.plan, streams: true))
            bench.pass { $0.state("shooting") == "completed" }
            let start = bench.now
            bench.pass { $0.progress(of: id).last?.outcome != nil }
            #expect(bench.now - start <= SettingsModel.restoringLimitMax)
            #expect(
                bench.progress(of: id).last?.settings
                    == "The shutter speed could not be put back to 1/1000. The daemon tries again. \(reason)"
            )
            #expect(row(bench)?.original == Self.original)
        }
    }

    @Test
    func `a client that follows a shoot receives its end when the camera disconnects before the settings are restored`()
        throws
    {
        var bench = try connected(.ignoreProperty)
        let id = bench.ask(.shoot(Self.plan, streams: true))
        bench.pass { $0.state("settings") == "puttingBack" }
        bench.camera { camera, now in
            camera.twists = [.cannotConnect(times: 9)]
            camera.tell(.lost(.closedByCamera), at: now)
        }
        #expect(bench.progress(of: id).last?.outcome == .completed)
        #expect(
            bench.progress(of: id).last?.settings
                == "The shutter speed of Sony Script is put back to 1/1000 when the camera is connected again."
        )
    }

    @Test
    func `a client that follows a shoot receives its end when the daemon stops before the settings are restored`()
        throws
    {
        var bench = try connected(.showPropertyAfter(.seconds(2)))
        let id = bench.ask(.shoot(Self.plan, streams: true))
        bench.pass { $0.state("settings") == "puttingBack" }
        bench.put(.stop)
        #expect(bench.progress(of: id).last?.outcome == .completed)
        #expect(bench.progress(of: id).last?.settings == "The shutter speed is being put back to 1/1000.")
        bench.pass { $0.isFinished }
        #expect(bench.progress(of: id).count { $0.outcome != nil } == 1)
    }

    @Test
    func
        `a client that follows a shoot receives its end when it is dismissed before the camera is set as before`()
        throws
    {
        var bench = try connected(.showPropertyAfter(.seconds(2)))
        let id = bench.ask(.shoot(Self.plan, streams: true))
        bench.pass { $0.scripted.fired.count == 1 }
        bench.ask(.cancel)
        bench.pass { $0.state("settings") == "puttingBack" }
        #expect(bench.progress(of: id).last?.outcome == nil)
        let dismissal = bench.ask(.dismiss)
        #expect(bench.answers(to: dismissal) == [.reply(.done, continues: false)])
        #expect(bench.progress(of: id).last?.outcome == .cancelled)
        bench.pass(.seconds(5))
        #expect(bench.progress(of: id).count { $0.outcome != nil } == 1)
    }

    @Test func `after one busy answer a disconnect and the shoot's end still wait until the settings are restored`()
        throws
    {
        var bench = try connected(.busyOnProperty)
        let id = bench.ask(.shoot(Self.plan, streams: true))
        bench.pass { $0.state("settings") == "waiting" }
        bench.camera { camera, _ in camera.twists = [] }
        let disconnect = bench.ask(.disconnect)
        #expect(bench.answers(to: disconnect).isEmpty && bench.state("connection") == "connected")
        let before = try #require(bench.progress(of: id).last)
        #expect(before.outcome == nil)
        #expect(
            before.sentence
                == "3 of 3 exposures captured. The shutter speed is being put back to 1/1000. The camera is busy."
        )
        bench.pass(.seconds(1))
        #expect(bench.answers(to: disconnect) == [.reply(.disconnected(settings: nil), continues: false)])
        #expect(bench.progress(of: id).last?.settings == "The camera is set as before the shoot: shutter speed 1/1000.")
        #expect(speed(bench) == Self.original && row(bench) == nil)
    }

    @Test func `a disconnect waits for the first attempts at a camera that stays busy, and for no later one`() throws {
        var bench = try connected(.busyOnProperty)
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.state("settings") == "puttingBack" || $0.state("settings") == "waiting" }
        let (id, start) = (bench.ask(.disconnect), bench.now)
        bench.pass { !$0.answers(to: id).isEmpty }
        #expect(sets(bench).count == SettingsModel.soonTriesMax + 1)
        #expect(bench.now - start <= .seconds(4))
        let sentence = "The shutter speed of Sony Script is put back to 1/1000 when the camera is connected again."
        #expect(bench.answers(to: id) == [.reply(.disconnected(settings: sentence), continues: false)])
    }

    @Test func `a disconnect that a connect overtakes reports which settings are pending`() throws {
        var bench = try connected(.busyOnProperty)
        try fire(&bench)
        bench.camera { camera, _ in camera.twists = [.busyOnProperty, .leavesAfter(.seconds(1))] }
        let disconnect = bench.ask(.disconnect)
        #expect(bench.answers(to: disconnect).isEmpty)
        bench.ask(.connect(.last))
        guard case .reply(.disconnected(let sentence?), continues: false)? = bench.answers(to: disconnect).first else {
            Issue.record("\(bench.answers(to: disconnect))")
            return
        }
        #expect(sentence.contains("put back to 1/1000"))
    }

    @Test
    func `the settings of a camera that empties its buffer for a minute and a half are restored at the first attempt`()
        throws
    {
        var bench = try connected(.showPropertyAfter(.seconds(100)))
        try fire(&bench)
        #expect(speed(bench) == Self.original && said(bench) == [Self.putBack] && sets(bench).count == 1)
    }

    @Test func `a disconnect waits until the settings are restored`() throws {
        var bench = try connected(.showPropertyAfter(.seconds(2)))
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.state("settings") == "puttingBack" }
        let id = bench.ask(.disconnect)
        #expect(bench.answers(to: id).isEmpty && bench.state("connection") == "connected")
        bench.pass(.seconds(3))
        #expect(bench.answers(to: id) == [.reply(.disconnected(settings: nil), continues: false)])
        #expect(bench.state("connection") == "released")
        #expect(speed(bench) == Self.original && row(bench) == nil)
        #expect(bench.scripted.commands.contains(.disconnect))
    }

    @Test func `a disconnect reports which settings are pending, and its wait ends`() throws {
        var bench = try connected(.ignoreProperty)
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.state("settings") == "puttingBack" }
        let (id, start) = (bench.ask(.disconnect), bench.now)
        bench.pass { !$0.answers(to: id).isEmpty }
        #expect(bench.now - start <= SettingsModel.restoringLimitMax)
        let sentence = "The shutter speed of Sony Script is put back to 1/1000 when the camera is connected again."
        #expect(bench.answers(to: id) == [.reply(.disconnected(settings: sentence), continues: false)])
        #expect(row(bench)?.original == Self.original)
    }

    @Test func `a connect to another camera waits until this one's settings are restored`() throws {
        var bench = try connected(.showPropertyAfter(.seconds(2)))
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.state("settings") == "puttingBack" }
        bench.ask(.connect(.text("192.0.2.7")))
        #expect(bench.state("connection") == "connected")
        bench.pass(.seconds(3))
        #expect(bench.state("connection") != "connected" || bench.scripted.commands.contains(.disconnect))
        #expect(row(bench) == nil && said(bench) == [Self.putBack])
    }

    @Test func `a waiting request is answered once: by a stop, or not at all if its client disconnects`() throws {
        var bench = try connected(.showPropertyAfter(.seconds(5)))
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.state("settings") == "puttingBack" }
        let gone = bench.ask(.disconnect)
        bench.put(.requestCancelled(gone))
        let waiting = (0..<Core.streamsMax).map { _ in bench.ask(.disconnect) }
        let last = bench.ask(.disconnect)
        #expect(bench.answers(to: last) == [.error(.tooManyClients(limit: Core.streamsMax))])
        bench.put(.stop)
        #expect(waiting.allSatisfy { bench.answers(to: $0) == [.error(.stopping)] })
        bench.pass { $0.isFinished }
        #expect(bench.answers(to: gone).isEmpty)
    }

    @Test func `a stop changes no setting while the shutter may be open`() throws {
        var bench = try connected()
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.state("shooting") == "capturing" }
        let commands = bench.scripted.commands.count
        bench.put(.stop)
        #expect(bench.scripted.commands.count == commands)
        bench.put(.stop)
        #expect(bench.scripted.commands.count == commands + 1 && bench.scripted.commands.last == .disconnect)
        #expect(row(bench)?.original == Self.original)
        #expect(bench.isFinished)
    }
}
