import Bodies
import Cameras
import Controller
import Exposure
import Testing
import Worlds

/// What a shoot changed is put back; the camera answers as scripted.
@Suite struct SettingsTests {
    private static let plan = PlanInput(shadow: "1/60", highlight: "1/250", frames: 3, spacing: 1)
    private static let original = "1/1000"
    private static let key = SettingKey(cameraID: "7", property: "shutter-speed")

    private static func speed(_ label: String) throws -> ShutterSpeed { try ShutterSpeed(parsing: label) }

    private func connected(
        _ twists: ScriptedCamera.Twist...,
        ledger: LedgerMode = .required,
        stepwise: Bool = false
    ) throws -> Bench {
        var status = ScriptedCamera.ready
        status.speed = .speed(try Self.speed(Self.original))
        if stepwise { status.speedSetting = .stepwise(perNotch: .milliseconds(100)) }
        return Bench(ScriptedCamera(status: status, twists: twists), ledger: ledger)
    }

    /// Fires the plan and lets a while pass.
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

    // MARK: Put back

    @Test(arguments: [LedgerMode.required, .bestEffort, .off])
    func `after a shoot the speed is what it was before`(ledger: LedgerMode) throws {
        var bench = try connected(ledger: ledger)
        try fire(&bench)
        #expect(speed(bench) == Self.original)
        #expect(said(bench) == [Self.putBack])
        #expect(row(bench) == nil)
        #expect(bench.state("settings") == "clear")
    }

    @Test func `how it stood is on disk before the first change, in the shoot's own commit`() throws {
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

    @Test func `what is put back costs no commit while nothing happens`() throws {
        var bench = try connected()
        try fire(&bench)
        let count = bench.daemon.ledger.commits.count
        bench.pass(.seconds(3600))
        #expect(bench.daemon.ledger.commits.count == count)
    }

    @Test func `a shoot that is cancelled or comes to nothing is put back too`() throws {
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

    @Test func `a speed that nobody knows is not put back`() throws {
        var bench = try connected()
        var status = bench.scripted.status
        status.speed = nil
        bench.camera { camera, now in camera.tell(.status(status), at: now) }
        try fire(&bench)
        #expect(sets(bench).isEmpty && row(bench) == nil)
        #expect(bench.journal.contains { $0.level == .debug && $0.message.contains("does not say its shutter-speed") })
    }

    // MARK: What cannot be done

    @Test func `a camera that is busy is asked again, said once, until it does it`() throws {
        var bench = try connected(.busyOnProperty)
        try fire(&bench)
        bench.pass(.seconds(120))
        let tries = sets(bench).count
        #expect((5...9).contains(tries))
        let sentence = "The shutter speed could not be put back to 1/1000, and is tried again. The camera is busy."
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

    @Test func `a setting that nobody may change now stays pending with the driver's words`() throws {
        var bench = try connected(.failProperty(.propertyNotWritable(.shutterSpeed)))
        try fire(&bench)
        #expect(bench.state("settings") == "waiting")
        #expect(said(bench).count == 1 && said(bench)[0].hasSuffix("does not let its shutter-speed be set now."))
        #expect(row(bench) != nil)
    }

    @Test func `a driver that never answers is not waited for without end`() throws {
        var bench = try connected(.ignoreProperty)
        try fire(&bench)
        let start = bench.now
        bench.pass { $0.state("settings") == "waiting" }
        #expect(bench.now - start <= .seconds(180))
        #expect(row(bench) != nil)
    }

    @Test func `a camera that went away is put back when it is there again`() throws {
        var bench = try connected(.busyOnProperty)
        try fire(&bench)
        bench.camera { camera, now in
            camera.twists = [.cannotConnect(times: 9)]
            camera.tell(.lost(.closedByCamera), at: now)
        }
        bench.pass(.seconds(10))
        let sentence = "The shutter speed of Sony Script is put back to 1/1000 when the camera is there again."
        #expect(bench.state("settings") == "away")
        #expect(bench.status.sentence.contains(sentence))
        bench.camera { camera, _ in camera.twists = [] }
        bench.pass(.seconds(60))
        #expect(speed(bench) == Self.original && row(bench) == nil)
    }

    @Test func `another camera is left alone, and the first one is not forgotten`() throws {
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
        // What is shot on it is put back on it.
        try fire(&bench)
        #expect(speed(bench) == "1/60" && row(bench)?.original == Self.original)
        bench.camera { camera, now in
            camera.identity.id = "7"
            camera.tell(.lost(.closedByCamera), at: now)
        }
        bench.pass(.seconds(60))
        #expect(speed(bench) == Self.original && bench.daemon.ledger.tables.settings.isEmpty)
    }

    @Test func `what is pending survives a daemon that is killed`() throws {
        var bench = try connected(.busyOnProperty)
        try fire(&bench)
        bench.kill()
        bench.camera { camera, _ in camera.twists = [] }
        bench.restart()
        bench.pass(.seconds(10))
        #expect(speed(bench) == Self.original && row(bench) == nil)
    }

    @Test func `a daemon that was killed in a shoot puts back at its next start, and resume keeps the original`() throws
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

    // MARK: Who wins

    @Test func `a shoot that begins while the last one is put back keeps the first original`() throws {
        var bench = try connected(.showPropertyAfter(.seconds(30)))
        let first = bench.ask(.shoot(Self.plan, streams: true))
        bench.pass { $0.state("shooting") == "completed" }
        bench.pass(.seconds(1))
        #expect(bench.state("settings") == "puttingBack")
        #expect(bench.progress(of: first).last?.outcome == nil)
        let second = bench.ask(.shoot(Self.plan, streams: true))
        // Who followed the first one is told of its end, and of nothing else.
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

    @Test func `a client's set waits while something is put back, and else it wins`() throws {
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

    @Test func `another setting of a client's waits its turn and costs nothing`() throws {
        var bench = try connected(.busyOnProperty)
        try fire(&bench)
        bench.camera { camera, _ in camera.twists = [] }
        bench.ask(.setProperty(name: "iso", value: "100"))
        bench.pass(.seconds(60))
        #expect(speed(bench) == Self.original && row(bench) == nil)
    }

    @Test func `a speed that a person sets in a pause is what is put back`() throws {
        var bench = try connected()
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.scripted.fired.count == 1 }
        bench.ask(.pause())
        bench.pass { $0.state("shooting") == "byCommand" }
        // Ours, and no news.
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
    func `a dial turned to a speed of the plan, long after the last command, is the user's`(stepwise: Bool) throws {
        var bench = try connected(stepwise: stepwise)
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.scripted.fired.count == 1 }
        bench.ask(.pause())
        bench.pass(.seconds(30))
        try turn("1/60", &bench)
        #expect(row(bench)?.original == "1/60")
    }

    @Test func `a dial turned while the camera was away in a shoot is what is put back`() throws {
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
    func `a dial turned while the daemon was dead is left alone`(completed: Bool) throws {
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
        #expect(said(bench).last == "The shutter speed stands on 30\", which was not set here: it is left as it is.")
    }

    @Test func `a dial turned while something waits to be put back is left alone, and turned back is enough`() throws {
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

    @Test func `speeds that a body passes on its way are nobody's will`() throws {
        var bench = try connected(stepwise: true)
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.scripted.fired.count == 1 && $0.state("shooting") == "settingSpeed" }
        bench.ask(.pause())
        // Between 1/250 and 1/125.
        try turn("1/200", &bench)
        try turn("1/160", &bench)
        #expect(row(bench)?.original == Self.original)
        bench.ask(.cancel)
        bench.pass(.seconds(20))
        #expect(speed(bench) == Self.original)
    }

    @Test func `what a body shows while the shoot sets its speed is nobody's will`() throws {
        var bench = try connected()
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.scripted.fired.count == 1 && $0.state("shooting") == "waitingForIdle" }
        var old = bench.scripted.status
        old.speed = .speed(try Self.speed("1/30"))
        bench.camera { camera, now in camera.tell(.status(old), at: now) }
        bench.pass(.seconds(60))
        #expect(speed(bench) == Self.original && said(bench) == [Self.putBack])
    }

    @Test func `a dial turned while a way by notches goes on does not make its end a person's`() throws {
        var bench = try connected(stepwise: true)
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.scripted.fired.count == 1 && $0.state("shooting") == "settingSpeed" }
        try turn("1/8", &bench)
        // The notches went on from there.
        let ended = try Self.speed("1/15")
        bench.camera { camera, now in
            camera.tell(.lost(.closedByCamera), at: now)
            camera.status.speed = .speed(ended)
        }
        bench.pass(.seconds(120))
        #expect(bench.state("shooting") == "completed" && speed(bench) == Self.original)
        #expect(said(bench) == [Self.putBack])
    }

    @Test func `where a body has gone by notches while the daemon was dead is nobody's will`() throws {
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
    func `where a body has gone by notches while it was away is nobody's will`(inShoot: Bool) throws {
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

    @Test func `a dial turned in a pause, before what was set shows, does not make the end of our way a person's`()
        throws
    {
        var bench = try connected(stepwise: true)
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.scripted.fired.count == 1 && $0.state("shooting") == "settingSpeed" }
        bench.ask(.pause())
        #expect(bench.state("settings") == "fading")
        try turn("1/2", &bench)
        try turn("1/125", &bench)
        #expect(row(bench)?.original == Self.original)
        bench.ask(.cancel)
        bench.pass(.seconds(20))
        #expect(speed(bench) == Self.original && said(bench) == [Self.putBack])
    }

    @Test(arguments: [false, true])
    func `a dial turned in a pause long after what was told, and never showed, is a person's doing`(
        stepwise: Bool
    )
        throws
    {
        var bench = try connected(.ignoreSet(2), stepwise: stepwise)
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.scripted.fired.count == 1 && $0.state("shooting") == "settingSpeed" }
        bench.ask(.pause())
        bench.pass(.seconds(30))
        // Readings come now and then, also where nothing changes.
        try turn(try #require(speed(bench)), &bench)
        try turn("1/15", &bench)
        #expect(row(bench)?.original == "1/15")
        bench.ask(.resume)
        bench.pass(.seconds(60))
        #expect(bench.state("shooting") == "completed" && speed(bench) == "1/15")
    }

    @Test func `a pause in the middle of a set forgets nothing while the body says nothing`() throws {
        var bench = try connected(.ignoreSet(1))
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.state("shooting") == "settingSpeed" || $0.state("shooting") == "confirmingSpeed" }
        bench.ask(.pause())
        bench.pass(.seconds(60))
        bench.ask(.cancel)
        #expect(bench.state("shooting") == "cancelled" && said(bench) == [Self.putBack])
    }

    @Test func `a body that strays while it is put back is not left there`() throws {
        var bench = try connected(.ignoreProperty, stepwise: true)
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.state("settings") == "puttingBack" }
        // It shows where it was, and then what nobody told it to.
        try turn("1/60", &bench)
        try turn("1/8", &bench)
        bench.camera { camera, _ in camera.twists = [] }
        bench.pass(.seconds(600))
        #expect(speed(bench) == Self.original && row(bench) == nil)
        #expect(said(bench).last == Self.putBack)
    }

    @Test func `what is set late after the daemon's return is not left for a dial that was turned`() throws {
        var bench = try connected()
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.scripted.fired.count == 1 && $0.state("shooting") == "settingSpeed" }
        bench.kill()
        bench.camera { camera, _ in camera.status.speed = .speed(.slowest) }
        bench.restart()
        bench.pass { $0.state("settings") == "looking" || $0.state("settings") == "letting" }
        // What the daemon that was killed had set.
        try turn("1/125", &bench)
        bench.pass(.seconds(10))
        #expect(speed(bench) == Self.original && row(bench) == nil && said(bench) == [Self.putBack])
    }

    @Test func `a camera that does not say where its speed stands is asked again, and no try is claimed`() throws {
        var bench = try connected(.silentOnStatus)
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.scripted.fired.count == 1 && $0.state("shooting") == "settingSpeed" }
        bench.kill()
        bench.camera { camera, _ in camera.status.speed = .speed(.slowest) }
        bench.restart()
        bench.pass { $0.state("settings") == "waiting" }
        #expect(said(bench) == ["The camera did not say where its shutter speed stands. It is asked again."])
    }

    @Test func `a camera that says nothing for ten minutes gives one warning, and a disconnect does not wait`() throws {
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
        #expect(said(bench) == ["The camera did not say where its shutter speed stands. It is asked again."])
        #expect(!bench.daemon.core.isRestoring && row(bench)?.original == Self.original)
        let id = bench.ask(.disconnect)
        let sentence = "The shutter speed of Sony Script is put back to 1/1000 when the camera is there again."
        #expect(bench.answers(to: id) == [.reply(.disconnected(settings: sentence), continues: false)])
    }

    @Test func `what the body shows as a shoot that had told it more begins anew is not the user's`() throws {
        var bench = try connected(.ignoreProperty, stepwise: true)
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.state("settings") == "puttingBack" }
        // The dial is turned to what is put back, and then the notches that were under way have their effect.
        try turn(Self.original, &bench)
        try turn("1/2", &bench)
        bench.camera { camera, _ in camera.twists = [] }
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass(.seconds(60))
        #expect(row(bench) == nil && speed(bench) == Self.original && said(bench) == [Self.putBack])
    }

    @Test func `a shoot that is cancelled in the middle of a way by notches is put back where it passes what it was`()
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
    func `the ordered stop puts back first, in a pause and after a shoot`(paused: Bool) throws {
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

    @Test func `a stop does not wait without end for a body that does not do it, and the next start does it`() throws {
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

    @Test func `a stop waits for a body that takes its time, and leaves it as it was`() throws {
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

    @Test func `a stop asks a busy camera again in its time, and leaves it as it was`() throws {
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

    @Test func `a stop does not wait for a camera that stays busy without end`() throws {
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

    @Test func `a stop that is ordered twice does not wait for what is put back`() throws {
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

    // MARK: What waits for it

    @Test func `a client that follows a shoot receives its end when the camera is set as before, and that it is`()
        throws
    {
        var bench = try connected(.showPropertyAfter(.seconds(2)))
        let id = bench.ask(.shoot(Self.plan, streams: true))
        bench.pass { $0.state("shooting") == "completed" }
        let before = try #require(bench.progress(of: id).last)
        #expect(before.outcome == nil && before.captured == 3)
        #expect(before.sentence == "3 of 3 exposures captured. Putting the shutter speed back to 1/1000.")
        bench.pass { $0.progress(of: id).last?.outcome != nil }
        #expect(speed(bench) == Self.original)
        let last = try #require(bench.progress(of: id).last)
        #expect(last.settings == "The camera is set as before the shoot: shutter speed 1/1000.")
        #expect(last.sentence == "3 of 3 exposures captured")
        bench.pass(.seconds(600))
        #expect(bench.progress(of: id).last == last)
    }

    @Test func `a client that follows a shoot receives that its settings could not be put back`() throws {
        for (twist, reason) in [
            (ScriptedCamera.Twist.busyOnProperty, "The camera is busy."),
            (.ignoreProperty, "The camera did not say what became of it."),
        ] {
            var bench = try connected(twist)
            let id = bench.ask(.shoot(Self.plan, streams: true))
            bench.pass { $0.state("shooting") == "completed" }
            let start = bench.now
            bench.pass { $0.progress(of: id).last?.outcome != nil }
            #expect(bench.now - start <= SettingsModel.restoringLimitMax)
            #expect(
                bench.progress(of: id).last?.settings
                    == "The shutter speed could not be put back to 1/1000, and is tried again. \(reason)"
            )
            #expect(row(bench)?.original == Self.original)
        }
    }

    @Test func `a client that follows a shoot receives its end when the camera goes before it is set as before`() throws
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
                == "The shutter speed of Sony Script is put back to 1/1000 when the camera is there again."
        )
    }

    @Test
    func `a client that follows a shoot receives its end when the daemon stops before the camera is set as before`()
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

    @Test func `after one busy answer a disconnect and the shoot's end still wait until the camera is set as before`()
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
                == "3 of 3 exposures captured. Putting the shutter speed back to 1/1000. The camera is busy."
        )
        bench.pass(.seconds(1))
        #expect(bench.answers(to: disconnect) == [.reply(.disconnected(settings: nil), continues: false)])
        #expect(bench.progress(of: id).last?.settings == "The camera is set as before the shoot: shutter speed 1/1000.")
        #expect(speed(bench) == Self.original && row(bench) == nil)
    }

    @Test func `a disconnect waits for the first tries of a camera that stays busy, and for no later one`() throws {
        var bench = try connected(.busyOnProperty)
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.state("settings") == "puttingBack" || $0.state("settings") == "waiting" }
        let (id, start) = (bench.ask(.disconnect), bench.now)
        bench.pass { !$0.answers(to: id).isEmpty }
        #expect(sets(bench).count == SettingsModel.soonTriesMax + 1)
        #expect(bench.now - start <= .seconds(4))
        let sentence = "The shutter speed of Sony Script is put back to 1/1000 when the camera is there again."
        #expect(bench.answers(to: id) == [.reply(.disconnected(settings: sentence), continues: false)])
    }

    @Test func `a disconnect that a connect overtakes says what is still to be put back`() throws {
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

    @Test func `a camera that empties its buffer for a minute and a half is put back at the first try`() throws {
        var bench = try connected(.showPropertyAfter(.seconds(100)))
        try fire(&bench)
        #expect(speed(bench) == Self.original && said(bench) == [Self.putBack] && sets(bench).count == 1)
    }

    @Test func `a disconnect waits until the camera is set as it was`() throws {
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

    @Test func `a disconnect says what is still to be put back, and does not wait for it without end`() throws {
        var bench = try connected(.ignoreProperty)
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.state("settings") == "puttingBack" }
        let (id, start) = (bench.ask(.disconnect), bench.now)
        bench.pass { !$0.answers(to: id).isEmpty }
        #expect(bench.now - start <= SettingsModel.restoringLimitMax)
        let sentence = "The shutter speed of Sony Script is put back to 1/1000 when the camera is there again."
        #expect(bench.answers(to: id) == [.reply(.disconnected(settings: sentence), continues: false)])
        #expect(row(bench)?.original == Self.original)
    }

    @Test func `connecting to another camera waits until this one is set as it was`() throws {
        var bench = try connected(.showPropertyAfter(.seconds(2)))
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.state("settings") == "puttingBack" }
        bench.ask(.connect(.text("192.0.2.7")))
        #expect(bench.state("connection") == "connected")
        bench.pass(.seconds(3))
        #expect(bench.state("connection") != "connected" || bench.scripted.commands.contains(.disconnect))
        #expect(row(bench) == nil && said(bench) == [Self.putBack])
    }

    @Test func `a request that waits is answered once: by a stop, or not at all when its client goes away`() throws {
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

    @Test func `a stop touches nothing while the shutter may be open`() throws {
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
