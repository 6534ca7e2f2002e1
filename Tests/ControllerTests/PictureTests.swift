import Bodies
import Cameras
import Controller
import Exposure
import Testing
import Worlds

/// Pictures on a virtual clock: a scripted camera delivers files, a virtual disk stores them.
@Suite struct PictureTests {
    private static let six = PlanInput(shadow: "1/60", highlight: "1/1000", frames: 3, spacing: 1)

    private func bench(
        _ twists: ScriptedCamera.Deviation...,
        again: Bool = false,
        policy: TransferPolicy = .jpeg
    ) -> Bench {
        Bench(
            ScriptedCamera(twists: twists),
            transfer: TransferConfiguration(policy: policy, firesSuspectsAgain: again)
        )
    }

    private func fire(_ plan: PlanInput = PlanInput(), on bench: inout Bench) throws -> Progress {
        let id = bench.ask(.shoot(plan, streams: true))
        bench.pass { $0.progress(of: id).last?.outcome != nil }
        return try #require(bench.progress(of: id).last)
    }

    private func photos(_ bench: inout Bench) throws -> PhotosReport {
        let id = bench.ask(.getPhotos)
        return try #require(bench.daemon.photos(of: id))
    }

    private func speed(_ text: String) throws -> ShutterSpeed { try ShutterSpeed(parsing: text) }

    // MARK: Before a shoot

    @Test(arguments: TransferPolicy.allCases)
    func `a body that saves only to the computer fires nothing if pictures are not kept`(policy: TransferPolicy) throws
    {
        var status = ScriptedCamera.ready
        status.savesToHostAlone = true
        var bench = Bench(ScriptedCamera(status: status), transfer: TransferConfiguration(policy: policy))
        let id = bench.ask(.plan(PlanInput()))
        guard case .reply(.plan(let report), _) = try #require(bench.answers(to: id).first) else {
            Issue.record("no plan")
            return
        }
        #expect(report.warnings.contains { $0.contains("saves pictures only to this computer") } == (policy == .none))
        let shoot = bench.ask(.shoot(Self.six, streams: false))
        bench.pass(.seconds(60))
        guard case .error(.preflightFailed(let checks, _)) = try #require(bench.answers(to: shoot).first) else {
            return #expect(policy != .none && !bench.scripted.fired.isEmpty)
        }
        #expect(policy == .none && checks.map(\.name) == ["save-target"])
        #expect(bench.scripted.fired.isEmpty)
    }

    // MARK: Without errors

    @Test func `every picture of the default plan is stored by shoot and set, and verified`() throws {
        var bench = bench(.alsoRaw)
        let end = try fire(on: &bench)
        #expect(end.sentence == "15 of 15 exposures captured")
        #expect(end.cause == nil)
        let report = try photos(&bench)
        #expect(report.sentence == "15 pictures, 15 verified; 15 skipped.")
        #expect(
            report.photos.filter { $0.state == .verified }.map(\.set)
                == [1, 2, 3].flatMap { Array(repeating: $0, count: 5) }
        )
        #expect(bench.daemon.disk.files.count == 15)
        #expect(bench.daemon.disk.files["shoot-1/set-2/DSC6.JPG"] != nil)
    }

    @Test func `a picture that arrives after the next frame was fired is compared with its own frame`() throws {
        var bench = bench(.filesLate(.seconds(5)))
        let id = bench.ask(.shoot(Self.six, streams: true))
        bench.pass { $0.scripted.fired.count == 2 }
        #expect(bench.daemon.disk.files.isEmpty)
        bench.pass { $0.progress(of: id).last?.outcome != nil }
        bench.pass(.seconds(60))
        let photos = try photos(&bench).photos
        #expect(photos.count == 9 && photos.allSatisfy { $0.state == .verified })
        #expect(photos.map(\.speed) == bench.scripted.fired.map(\.label))
    }

    @Test func `a frame that two sets share is stored for both, and fired once`() throws {
        var bench = bench()
        var plan = PlanInput(shadow: "1/8", highlight: "1/250", frames: 3, spacing: 1)
        plan.shareOnce = true
        #expect(try fire(plan, on: &bench).total == 7)
        let destinations = bench.daemon.disk.destinations
        #expect(destinations.map(\.set) == [1, 1, 1, 2, 2, 3, 3])
        #expect(destinations.map(\.nextSet) == [nil, nil, 2, nil, 3, nil, nil])
        var twice = self.bench()
        _ = try fire(Self.six, on: &twice)
        #expect(twice.daemon.disk.destinations.allSatisfy { $0.nextSet == nil })
    }

    @Test func `without a policy the camera is asked for no picture and none is stored`() throws {
        var bench = bench(policy: .none)
        #expect(try fire(on: &bench).outcome == .completed)
        #expect(!bench.scripted.commands.contains { if case .keepPictures = $0 { true } else { false } })
        #expect(bench.state("transfer") == "off")
        #expect(bench.daemon.disk.log.isEmpty && bench.daemon.disk.manifests.isEmpty)
        #expect(try photos(&bench).policy == "none")
    }

    @Test func `the camera receives the transfer policy before it is connected`() {
        let bench = bench()
        #expect(bench.scripted.commands.first == .keepPictures(PictureRequest(policy: .jpeg, hasRoom: true)))
        guard case .connect = bench.scripted.commands[1] else {
            Issue.record("\(bench.scripted.commands)")
            return
        }
    }

    @Test func `the manifest ends with every frame and its file, and no two writes in a row are equal`() throws {
        var bench = bench(.shows(2, try speed("1/8")))
        _ = try fire(Self.six, on: &bench)
        let manifests = bench.daemon.disk.manifests
        let last = try #require(manifests.last)
        #expect(last.shoot == 1 && last.camera == "Sony Script")
        #expect(last.frames.allSatisfy { $0.files.count == 1 })
        #expect(last.frames.map(\.outcome).filter { $0 == "suspect" }.count == 1)
        #expect(last.frames[1].doubt == "Its picture shows 1/8.")
        #expect(zip(manifests, manifests.dropFirst()).allSatisfy { $0 != $1 })
    }

    // MARK: Suspects

    @Test func `a suspect is reported at the end, and takes no time if it is not fired again`() throws {
        var bench = bench(.shows(8, try speed("30")))
        let end = try fire(on: &bench)
        #expect(end.outcome == .completed)
        #expect(end.sentence == "15 of 15 exposures captured")
        #expect(end.cause == "Set 2, frame 3 at 1/15 is suspect: its picture shows 30\".", "\(end)")
        #expect(bench.scripted.fired.count == 15)
        #expect(!bench.transitions("shooting").contains { $0.contains("verifying") })
    }

    @Test func `a suspect is fired once more at the end of its set, and a good picture clears it`() throws {
        var bench = bench(.shows(2, try speed("1/8")), again: true)
        let end = try fire(on: &bench)
        #expect(end.cause == nil)
        #expect(end.sentence == "15 of 15 exposures captured")
        let plan = Plan(try PlanRequest()).frames.map(\.speed)
        #expect(bench.scripted.fired == Array(plan[..<5]) + [plan[1]] + Array(plan[5...]))
    }

    @Test func `a suspect of the last set is fired again before the shoot is completed`() throws {
        var bench = bench(.shows(15, try speed("1/8000")), again: true)
        bench.disk { $0.delay = .seconds(2) }
        let end = try fire(on: &bench)
        #expect(bench.scripted.fired.count == 16)
        #expect(bench.scripted.fired.last == Plan(try PlanRequest()).frames.last?.speed)
        #expect(end.cause == nil)
        #expect(bench.transitions("shooting").contains("verifying → betweenFrames"))
    }

    @Test func `a frame that is suspect twice is not fired a third time`() throws {
        var bench = bench(.shows(2, try speed("1/8")), .shows(6, try speed("1/8")), again: true)
        let end = try fire(on: &bench)
        #expect(bench.scripted.fired.count == 16)
        #expect(end.outcome == .completed)
        #expect(end.cause == "Set 1, frame 2 at 1/500 is suspect: its picture shows 1/8.")
    }

    @Test func `if every picture is suspect, every frame is fired twice and no more`() throws {
        let twists = try (1...100).map { ScriptedCamera.Deviation.shows($0, try speed("30")) }
        var bench = Bench(
            ScriptedCamera(twists: twists),
            transfer: TransferConfiguration(policy: .jpeg, firesSuspectsAgain: true)
        )
        let end = try fire(on: &bench)
        #expect(bench.scripted.fired.count == 30)
        #expect(end.outcome == .completed)
        #expect(end.cause?.hasSuffix("12 more are suspect.") == true)
    }

    @Test func `a stale picture is suspect though its exposure is right`() throws {
        // Frames 5 and 6 share a speed.
        var bench = bench(.stale(6), .saves(5, times: 1))
        let end = try fire(on: &bench)
        #expect(
            end.cause?.hasPrefix("Set 2, frame 1 at 1/60 is suspect: its picture has the time 2026:11:21") == true,
            "\(end)"
        )
    }

    @Test func `the shoot does not wait for a picture that never arrives`() throws {
        var bench = bench(.noFile(5), again: true)
        let end = try fire(on: &bench)
        #expect(end.outcome == .completed)
        #expect(!bench.transitions("shooting").contains { $0.contains("verifying") })
    }

    @Test func `the wait for a late picture ends after the time that its size allows`() throws {
        var bench = bench(.fileTime(.seconds(60)), again: true)
        _ = bench.ask(.shoot(ShootingTests.threeFrames, streams: true))
        bench.pass { $0.state("shooting") == "verifying" }
        let start = bench.now
        bench.pass { $0.state("shooting") == "completed" }
        #expect(bench.now - start < .seconds(12))
        bench.pass(.seconds(120))
        #expect(try photos(&bench).sentence == "3 pictures, 3 verified.")
        #expect(bench.daemon.disk.manifests.last?.frames.map(\.outcome) == ["verified", "verified", "verified"])
    }

    @Test(arguments: [Request.pause(), .cancel])
    func `pause and cancel work while the shoot waits for verdicts`(request: Request) throws {
        var bench = bench(.shows(3, try speed("1/8")), again: true)
        bench.disk { $0.delay = .seconds(2) }
        let id = bench.ask(.shoot(ShootingTests.threeFrames, streams: true))
        bench.pass { $0.state("shooting") == "verifying" }
        bench.ask(request)
        #expect(bench.state("shooting") == (request == .pause() ? "byCommand" : "completed"))
        bench.pass(.seconds(60))
        bench.ask(request == .pause() ? .resume : .retry(streams: false))
        bench.pass(.seconds(60))
        #expect(bench.state("shooting") == "completed")
        #expect(bench.scripted.fired.map(\.label) == ["1/250", "1/125", "1/60", "1/60"])
        #expect(bench.progress(of: id).last?.captured == 3)
    }

    @Test func `a link lost while a suspect is fired again ends the second attempt`() throws {
        var bench = bench(.shows(1, try speed("1/8")), .loseOn(.shutter, 4), again: true)
        let end = try fire(ShootingTests.threeFrames, on: &bench)
        #expect(end.sentence == "3 of 3 exposures captured")
        #expect(end.cause == "Set 1, frame 1 at 1/250 is suspect: its picture shows 1/8.")
        #expect(bench.scripted.fired.count == 3)
    }

    @Test func `a cancel during the question about a suspect that was fired again leaves the shoot complete`() throws {
        var bench = bench(.shows(3, try speed("1/8")), .loseOn(.shutter, 4), .resolveNever, again: true)
        let id = bench.ask(.shoot(ShootingTests.threeFrames, streams: true))
        bench.pass { $0.state("shooting") == "resolvingDoubt" }
        bench.ask(.cancel)
        bench.pass(.seconds(60))
        let end = try #require(bench.progress(of: id).last)
        #expect(end.outcome == .completed && end.sentence == "3 of 3 exposures captured")
        #expect(end.cause == "Set 1, frame 3 at 1/60 is suspect: its picture shows 1/8.")
        #expect(bench.daemon.ledger.tables.shoots[1]?.outcome == .completed)
    }

    @Test func `a verdict after the end is reported and recorded`() throws {
        var bench = bench(.shows(3, try speed("1/8")))
        bench.disk { $0.delay = .seconds(30) }
        let watcher = bench.ask(.watchPhotos)
        _ = try fire(ShootingTests.threeFrames, on: &bench)
        #expect(bench.daemon.disk.manifests.last?.frames.map(\.outcome) == ["captured", "captured", "captured"])
        bench.pass(.seconds(40))
        #expect(bench.daemon.disk.manifests.last?.frames.map(\.outcome) == ["verified", "verified", "suspect"])
        #expect(bench.journal.contains { $0.message == "Set 1, frame 3 at 1/60 is suspect: its picture shows 1/8." })
        guard case .reply(.photo(let photo), continues: true) = bench.answers(to: watcher).last else {
            Issue.record("\(bench.answers(to: watcher))")
            return
        }
        #expect(photo.state == .suspect && photo.reason == "Its picture shows 1/8.")
    }

    // MARK: Disks and links

    @Test func `a full disk pauses the transfer, stops no frame, and the transfer resumes with room`() throws {
        var bench = bench()
        bench.disk { $0.capacity = 10 }
        let end = try fire(on: &bench)
        #expect(end.sentence == "15 of 15 exposures captured")
        #expect(bench.state("transfer") == "full")
        #expect(
            bench.status.sentence.hasSuffix(
                " is ready. The disk for pictures is full or not writable: pictures stay on the camera's card."
            )
        )
        #expect(bench.scripted.wish == PictureRequest(policy: .jpeg, hasRoom: false))
        #expect(
            bench.journal.filter { $0.message.hasPrefix("The disk for pictures is full.") && $0.kind == .note }.count
                == 1
        )
        let stored = bench.daemon.disk.files.count
        let asked = bench.daemon.disk.log.count { $0 == "check room" }
        bench.pass(.seconds(60))
        #expect((5...7).contains(bench.daemon.disk.log.count { $0 == "check room" } - asked))
        bench.disk { $0.capacity = nil }
        bench.pass(.seconds(11))
        #expect(bench.state("transfer") == "ready")
        #expect(bench.scripted.wish == PictureRequest(policy: .jpeg, hasRoom: true))
        _ = try fire(ShootingTests.threeFrames, on: &bench)
        #expect(bench.daemon.disk.files.count == stored + 3)
    }

    @Test(arguments: [true, false])
    func `the status says that frames continue beside a full disk only while they do`(isPause: Bool) throws {
        var bench = bench()
        bench.disk { $0.capacity = 10 }
        let full = "The disk for pictures is full or not writable: pictures stay on the camera's card"
        _ = bench.ask(.shoot(PlanInput(), streams: true))
        bench.pass { $0.state("transfer") == "full" }
        #expect(bench.status.sentence.hasSuffix("\(full); the shoot continues."))
        _ = bench.ask(isPause ? .pause(withRedo: false) : .cancel)
        bench.pass { $0.state("shooting") == (isPause ? "byCommand" : "cancelled") }
        #expect(isPause || bench.status.sentence.contains("Stopped at"))
        #expect(bench.status.sentence.hasSuffix("\(full)."))
    }

    @Test func `a disk that is nearly full takes no more pictures, because the next may have no other copy`() throws {
        var bench = bench()
        _ = try fire(PlanInput(shadow: "1/60", highlight: "1/60"), on: &bench)
        let size = bench.daemon.disk.used
        bench.disk { $0.capacity = 2 * size + 1 }
        _ = try fire(ShootingTests.threeFrames, on: &bench)
        #expect(bench.state("transfer") == "full")
        #expect(bench.journal.contains { $0.message.hasPrefix("The disk for pictures is nearly full,") })
        #expect(!bench.journal.contains { $0.message.contains("could not be stored") })
        #expect(try photos(&bench).photos.map(\.state).filter { $0 == .failed }.isEmpty)
    }

    @Test func `pictures stay on the camera while the folder cannot be written, and arrive later`() throws {
        var bench = bench()
        bench.disk { $0.writeFailure = "The folder cannot be written." }
        #expect(try fire(ShootingTests.threeFrames, on: &bench).outcome == .completed)
        #expect(bench.state("transfer") == "failing")
        #expect(bench.scripted.wish == PictureRequest(policy: .jpeg, hasRoom: false))
        #expect(bench.journal.filter { $0.message.hasPrefix("The folder cannot be written.") }.count == 1)
        #expect(try photos(&bench).photos.map(\.state) == [.failed, .skipped, .skipped])
        bench.disk { $0.writeFailure = nil }
        bench.pass(.seconds(11))
        #expect(bench.state("transfer") == "ready")
        _ = try fire(ShootingTests.threeFrames, on: &bench)
        #expect(try photos(&bench).sentence == "3 pictures, 3 verified.")
    }

    @Test func `after a failure no more of that picture is written`() throws {
        var bench = bench(.fileTime(.seconds(1)))
        bench.disk { $0.writeFailure = "The folder cannot be written." }
        _ = try fire(PlanInput(shadow: "1/60", highlight: "1/60"), on: &bench)
        bench.pass(.seconds(5))
        #expect(bench.daemon.disk.log.filter { $0 != "check room" } == ["begin 1"])
    }

    @Test(arguments: [false, true])
    func `a picture that a lost link interrupts resumes at the same byte, or is given up`(abandons: Bool) throws {
        var bench = bench(.fileTime(.seconds(3)), .loseOn(.set, 2), abandons ? .abandons : .alsoRaw)
        _ = try fire(ShootingTests.threeFrames, on: &bench)
        bench.pass(.seconds(10))
        let wanted = ["begin 1", "interrupt 1"] + (abandons ? ["abandon 1"] : ["begin 1 at 8", "finish 1"])
        #expect(
            bench.daemon.disk.log.filter { $0.contains(" 1") && !$0.contains(" 1x") }.prefix(wanted.count)
                == wanted[...]
        )
        let first = try #require(try photos(&bench).photos.first)
        #expect(first.state == (abandons ? .failed : .verified), "\(first)")
    }

    // MARK: The ledger

    /// Exposures of 1, 2 and 4 s. A file can arrive long before the next frame's commit.
    private static let slow = PlanInput(shadow: "4", highlight: "1", frames: 3, spacing: 1)

    @Test(arguments: [0, 100, 600, 1300, 3000])
    func `at each instant, the ledger has every stored file`(late: Int) {
        var bench = bench(.filesLate(.milliseconds(late)), .alsoRaw, policy: .both)
        bench.ask(.shoot(Self.slow, streams: false))
        for _ in 0..<800 {
            bench.pass(.milliseconds(20))
            let recorded = bench.daemon.ledger.tables.frames(of: 1).flatMap(\.files)
            #expect(Set(recorded) == Set(bench.daemon.disk.files.keys), "\(bench.now)")
        }
        #expect(bench.daemon.disk.files.count == 6)
    }

    @Test func `a kill in the next frame loses no stored picture from the ledger and the manifest`() throws {
        var bench = bench(.filesLate(.seconds(1)))
        bench.ask(.shoot(Self.slow, streams: false))
        bench.pass { $0.daemon.disk.files.count == 2 }
        try #require(bench.state("shooting") == "capturing" && bench.scripted.fired.count == 3)
        bench.pass(.milliseconds(1500))
        bench.kill()
        #expect(bench.daemon.ledger.tables.frames(of: 1).map(\.outcome) == [.verified, .verified, .attempting])
        bench.restart()
        bench.pass(.seconds(1))
        #expect(bench.daemon.disk.manifests.last?.frames.map(\.outcome) == ["verified", "verified", "unknown"])
        bench.ask(.resume)
        bench.pass { $0.daemon.core.outcome == .completed }
        bench.pass(.seconds(5))
        #expect(bench.daemon.ledger.tables.frames(of: 1).map(\.files.count) == [1, 1, 1])
        #expect(bench.daemon.disk.manifests.last?.frames.map(\.files.count) == [1, 1, 1])
        #expect(bench.daemon.disk.manifests.allSatisfy { $0.camera == "Sony Script" })
    }

    @Test func `a picture that is stored while the daemon stops is in the ledger and in the manifest`() throws {
        var status = ScriptedCamera.ready
        status.speed = .speed(try ShutterSpeed(parsing: "1/1000"))
        // The body shows the restored speed late, so the stop takes longer than the disk.
        let camera = ScriptedCamera(status: status, twists: [.showPropertyAfter(.seconds(12))])
        var bench = Bench(camera, transfer: TransferConfiguration(policy: .jpeg))
        bench.disk { $0.delay = .seconds(1) }
        bench.ask(.shoot(Self.slow, streams: false))
        bench.pass { $0.state("shooting") == "capturing" }
        bench.put(.stop)
        bench.pass { $0.isFinished }
        let row = bench.daemon.ledger.tables.frames(of: 1).first
        #expect(row?.outcome == .verified && row?.files == ["shoot-1/set-1/DSC1.JPG"])
        #expect(bench.daemon.disk.manifests.last?.frames.first?.outcome == "verified")
    }

    @Test func `a stored file takes at most one commit, and no sync`() {
        func commits(_ policy: TransferPolicy) -> [LedgerCommit] {
            var bench = self.bench(.filesLate(.seconds(1)), policy: policy)
            bench.ask(.shoot(Self.slow, streams: false))
            bench.pass(.seconds(60))
            return bench.daemon.ledger.commits
        }
        let (without, with) = (commits(.none), commits(.jpeg))
        #expect(with.count <= without.count + 3)
        #expect(with.count { $0.isDurable } == without.count { $0.isDurable })
    }

    // MARK: Clients

    @Test func `clients that watch pictures are bounded, and receive each step and the stop`() throws {
        var bench = bench()
        let first = bench.ask(.watchPhotos)
        for _ in 1..<Core.streamsMax { bench.ask(.watchPhotos) }
        let refused = bench.ask(.watchPhotos)
        #expect(bench.answers(to: refused) == [.error(.tooManyClients(limit: Core.streamsMax))])
        _ = try fire(PlanInput(shadow: "1/60", highlight: "1/60"), on: &bench)
        let states = bench.answers(to: first).compactMap {
            if case .reply(.photo(let photo), _) = $0 { photo.state } else { nil }
        }
        #expect(states == [.receiving, .verified])
        bench.put(.requestCancelled(first))
        let late = bench.ask(.watchPhotos)
        guard case .reply(.photo(let photo), continues: true) = bench.answers(to: late).last else {
            Issue.record("earlier pictures are reported first: \(bench.answers(to: late))")
            return
        }
        #expect(photo.state == .verified)
        bench.put(.stop)
        #expect(bench.answers(to: late).last == .error(.stopping))
    }
}
