import Cameras
import Controller
import Exposure
import Testing
import Worlds

/// The record that a press of the button makes while the button is down, on a slow disk.
@Suite struct AnnouncedShootTests {
    private static let plan = PlanInput(shadow: "1/60", highlight: "1/250", frames: 3, spacing: 1)
    private static let original = "1/1000"
    private static let key = SettingKey(cameraID: "7", property: "shutter-speed")

    /// A bench with a connected camera and a button that is not pressed.
    private func bench(delay: Duration = .zero) throws -> Bench {
        var status = ScriptedCamera.ready
        status.speed = .speed(try ShutterSpeed(parsing: Self.original))
        var bench = Bench(ScriptedCamera(status: status)) { configuration in
            configuration.button = ButtonConfiguration(plan: Self.plan)
        }
        bench.pass { $0.state("connection") == "connected" }
        bench.pass(.seconds(10))
        bench.ledger { $0.delay = delay }
        bench.put(.button(.line(isPressed: false)))
        return bench
    }

    private func edge(_ isPressed: Bool, _ bench: inout Bench) {
        bench.put(.button(.edge(isPressed: isPressed, at: bench.now)))
    }

    private func row(_ bench: Bench) -> SettingRow? { bench.daemon.ledger.tables.settings[Self.key] }

    private func speedCommands(_ bench: Bench) -> Int {
        bench.scripted.commands.count { if case .setSpeed = $0 { true } else { false } }
    }

    // MARK: A press that fires

    @Test(arguments: [5, 50, 200])
    func `a shoot changes the speed at the release if the disk has the settings by then`(delay: Int) throws {
        var bench = try bench(delay: .milliseconds(delay))
        edge(true, &bench)
        #expect(row(bench) == nil)
        bench.pass(.milliseconds(delay))
        let kept = try #require(row(bench))
        #expect(kept.original == Self.original && kept.values == ["1/250", "1/125", "1/60"])
        #expect(bench.daemon.ledger.commits.last?.isDurable == true)
        // A shorter press would be ignored.
        bench.pass(.milliseconds(50))
        #expect(bench.daemon.ledger.tables.shoots.isEmpty && speedCommands(bench) == 0)
        edge(false, &bench)
        // The camera has the speed already, and the shutter waits for the row of the frame.
        #expect(bench.state("shooting") == "recordingFrame" && speedCommands(bench) == 1)
    }

    @Test func `a release before the disk has the settings waits for them`() throws {
        var bench = try bench(delay: .milliseconds(200))
        edge(true, &bench)
        bench.pass(.milliseconds(50))
        edge(false, &bench)
        #expect(bench.state("shooting") == "recordingShoot")
        bench.pass(.milliseconds(149))
        #expect(speedCommands(bench) == 0)
        bench.pass { speedCommands($0) == 1 }
        #expect(row(bench)?.original == Self.original)
    }

    @Test(arguments: [5, 50, 200, 700])
    func `the shutter waits for the row of its frame, and the sync of this row includes the shoot`(delay: Int) throws {
        var bench = try bench(delay: .milliseconds(delay))
        edge(true, &bench)
        bench.pass(.milliseconds(1000))
        edge(false, &bench)
        bench.pass { !$0.scripted.fired.isEmpty }
        let commits = bench.daemon.ledger.commits
        #expect(commits.first { $0.rows.shoots[1] != nil }?.isDurable == false)
        let frame = FrameKey(shoot: 1, index: 0)
        #expect(commits.contains { $0.isDurable && $0.rows.frames[frame]?.outcome == .attempting })
    }

    @Test func `a press costs one commit more than a command, and no more syncs`() throws {
        var bench = try bench()
        let before = bench.daemon.ledger.commits.count
        edge(true, &bench)
        bench.pass(.milliseconds(150))
        edge(false, &bench)
        bench.pass { $0.state("shooting") == "completed" }
        bench.pass(.seconds(3600))
        let commits = bench.daemon.ledger.commits.dropFirst(before)
        // The settings, the shoot, two for each frame, the end, and the restored speed.
        #expect(commits.count == 1 + 1 + 2 * 3 + 1 + 1)
        #expect(commits.count { $0.isDurable } == 1 + 3 + 1)
        #expect(row(bench) == nil)
    }

    // MARK: A press that fires nothing

    @Test func `a press without a shoot leaves no record`() throws {
        var bench = try bench()
        edge(true, &bench)
        bench.pass(.milliseconds(10))
        // The press is too short.
        edge(false, &bench)
        #expect(row(bench) != nil)
        bench.pass(.seconds(10))
        #expect(row(bench) == nil && bench.state("settings") == "clear")
        let commits = bench.daemon.ledger.commits.count
        bench.pass(.seconds(3600))
        #expect(bench.daemon.ledger.commits.count == commits)
        #expect(bench.daemon.ledger.tables.shoots.isEmpty && bench.status.shoot == nil)
        #expect(bench.scripted.commands.allSatisfy { if case .setProperty = $0 { false } else { true } })
    }

    @Test func `two presses in a row record the settings once`() throws {
        var bench = try bench()
        let before = bench.daemon.ledger.commits.count
        for _ in 0..<2 {
            edge(true, &bench)
            bench.pass(.milliseconds(10))
            edge(false, &bench)
            bench.pass(.seconds(1))
        }
        #expect(bench.daemon.ledger.commits.count == before + 1)
    }

    @Test(arguments: [false, true])
    func `after a kill while the button is down, the next run knows no shoot`(isPowerCut: Bool) throws {
        var bench = try bench()
        edge(true, &bench)
        bench.pass(.milliseconds(50))
        try #require(row(bench) != nil)
        bench.kill(isPowerCut: isPowerCut)
        bench.restart()
        bench.pass(.seconds(60))
        #expect(row(bench) == nil)
        #expect(bench.status.shoot == nil && bench.daemon.ledger.tables.shoots.isEmpty)
        #expect(bench.scripted.fired.isEmpty)
        #expect(bench.scripted.status.speed?.description == Self.original)
    }

    @Test func `a stop while the button is down leaves no record`() throws {
        var bench = try bench()
        edge(true, &bench)
        bench.pass(.milliseconds(50))
        bench.put(.stop)
        bench.pass(.seconds(60))
        #expect(bench.isFinished && row(bench) == nil)
    }

    // MARK: Changes while the button is down

    @Test func `the dial that is turned while the button is down has priority`() throws {
        var bench = try bench(delay: .milliseconds(50))
        edge(true, &bench)
        bench.pass(.milliseconds(100))
        var status = bench.scripted.status
        status.speed = .speed(try ShutterSpeed(parsing: "1/125"))
        bench.camera { camera, now in camera.tell(.status(status), at: now) }
        edge(false, &bench)
        #expect(bench.state("shooting") == "recordingShoot" && speedCommands(bench) == 0)
        bench.pass { speedCommands($0) == 1 }
        #expect(row(bench)?.original == "1/125")
        bench.pass { $0.state("shooting") == "completed" }
        bench.pass(.seconds(10))
        #expect(bench.scripted.status.speed?.description == "1/125")
    }

    @Test func `a client's shoot while the button is down is acknowledged once it is on disk`() throws {
        var bench = try bench(delay: .milliseconds(300))
        edge(true, &bench)
        bench.pass(.milliseconds(300))
        let id = bench.ask(.shoot(Self.plan, streams: false))
        bench.pass(.milliseconds(299))
        #expect(bench.answers(to: id).isEmpty && speedCommands(bench) == 0)
        bench.pass(.milliseconds(1))
        #expect(bench.progress(of: id).first?.shoot == 1)
        #expect(bench.daemon.ledger.tables.shoots[1] != nil)
    }

    // MARK: Frames at the same speed

    /// The moments at which the shutter was released, on a disk with this delay.
    private func releases(delay: Duration) -> [Duration] {
        var bench = Bench()
        bench.pass { $0.state("connection") == "connected" }
        bench.pass(.seconds(10))
        bench.ledger { $0.delay = delay }
        bench.ask(.shoot(ShootingTests.fifteenFrames, streams: false))
        var times: [Duration] = []
        while bench.state("shooting") != "completed", times.count < 15 {
            let count = times.count
            bench.pass { $0.scripted.fired.count > count }
            times.append(bench.now)
        }
        return times
    }

    @Test func `a frame at the speed of the one before is recorded with its picture, and does not wait for the disk`() {
        let fast = releases(delay: .zero)
        let slow = releases(delay: .milliseconds(50))
        // The last frame of a set and the first one of the next have the same speed.
        for index in [5, 10] {
            #expect(slow[index] - slow[index - 1] == fast[index] - fast[index - 1], "frame \(index)")
        }
    }

    @Test func `a kill after the picture leaves one frame in doubt, and no frame is fired twice`() throws {
        var bench = try bench()
        bench.ask(.shoot(ShootingTests.fifteenFrames, streams: false))
        bench.pass { $0.scripted.fired.count == 5 && $0.state("shooting") == "waitingForIdle" }
        bench.pass(.milliseconds(1))
        let frames = bench.daemon.ledger.tables.frames(of: 1).map(\.outcome)
        let expected: [FrameState] = Array(repeating: .captured, count: 5) + [.attempting, .planned]
        #expect(Array(frames.prefix(7)) == expected)
        bench.kill(isPowerCut: true)
        bench.restart()
        bench.pass(.seconds(10))
        #expect(bench.daemon.ledger.tables.frames(of: 1).count { $0.outcome == .unknown } == 1)
        bench.ask(.resume)
        bench.pass { $0.state("shooting") == "completed" }
        #expect(bench.scripted.fired.count == 15)
    }

    @Test func `with transfer a frame is recorded when the body is idle, because its buffer may have a picture`() {
        var bench = Bench(transfer: TransferConfiguration(policy: .jpeg))
        bench.ask(.shoot(ShootingTests.fifteenFrames, streams: false))
        bench.pass { $0.scripted.fired.count == 5 && $0.state("shooting") == "waitingForIdle" }
        bench.pass(.milliseconds(1))
        #expect(bench.daemon.ledger.tables.frames(of: 1)[5].outcome == .planned)
        bench.pass { $0.state("shooting") == "completed" }
        #expect(bench.scripted.fired.count == 15)
    }

    @Test func `a pause after the picture withdraws the frame that was recorded ahead`() throws {
        var bench = try bench()
        bench.ask(.shoot(ShootingTests.fifteenFrames, streams: false))
        bench.pass { $0.scripted.fired.count == 5 && $0.state("shooting") == "waitingForIdle" }
        bench.ask(.pause())
        bench.pass { $0.state("shooting") == "byCommand" }
        bench.pass(.seconds(1))
        #expect(bench.daemon.ledger.tables.frames(of: 1)[5].outcome == .planned)
        bench.ask(.resume)
        bench.pass { $0.state("shooting") == "completed" }
        #expect(bench.scripted.fired.count == 15)
    }
}
