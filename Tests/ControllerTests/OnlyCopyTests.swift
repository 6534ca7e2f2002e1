import Bodies
import Cameras
import Controller
import Exposure
import Testing
import Worlds

/// Pictures whose only copy is on this computer. A frame is captured when its file is durable on the disk.
@Suite struct OnlyCopyTests {
    private static let three = PlanInput(shadow: "1/250", highlight: "1/1000", frames: 3, spacing: 1)

    private func bench(_ twists: ScriptedCamera.Deviation..., kinds: Set<PictureInfo.Kind>? = nil) -> Bench {
        var status = ScriptedCamera.ready
        status.savesToHostAlone = true
        status.fileKinds = kinds
        return Bench(
            ScriptedCamera(status: status, twists: twists),
            transfer: TransferConfiguration(policy: .both)
        )
    }

    private func end(_ id: RequestID, on bench: inout Bench) throws -> Progress {
        bench.pass { $0.progress(of: id).last?.outcome != nil }
        // In this time the results of the shoot are written to the ledger.
        bench.pass(.seconds(2))
        return try #require(bench.progress(of: id).last)
    }

    private func words(_ bench: Bench) -> [FrameState] {
        bench.daemon.ledger.tables.frames(of: 1).map(\.outcome)
    }

    @Test func `a frame is captured when its file is on the disk, and not before`() throws {
        var bench = bench()
        bench.disk { $0.delay = .seconds(2) }
        let id = bench.ask(.shoot(Self.three, streams: true))
        bench.pass { $0.state("shooting") == "storing" }
        #expect(bench.daemon.core.shoot?.captured == 0)
        #expect(
            bench.status.shoot?.sentence.contains("waiting until the picture is on the disk.") == true,
            "\(bench.status.sentence)"
        )
        bench.pass(.milliseconds(500))
        #expect(bench.scripted.fired.count == 1)
        let end = try end(id, on: &bench)
        #expect(end.sentence == "3 of 3 exposures captured" && end.cause == nil)
        #expect(words(bench) == [.verified, .verified, .verified])
    }

    @Test func `a shoot does not wait for the disk if the card has every picture`() throws {
        var bench = Bench(ScriptedCamera(), transfer: TransferConfiguration(policy: .both))
        bench.disk { $0.delay = .seconds(60) }
        let id = bench.ask(.shoot(Self.three, streams: true))
        #expect(try end(id, on: &bench).sentence == "3 of 3 exposures captured")
        #expect(!bench.transitions("shooting").contains { $0.contains("storing") })
    }

    @Test func `a picture that never arrives is missing and reported, and retry fires it`() throws {
        var bench = bench(.noFile(2))
        let id = bench.ask(.shoot(Self.three, streams: true))
        let partial = try end(id, on: &bench)
        #expect(partial.outcome == .partial && partial.captured == 2)
        #expect(
            partial.cause
                == "Set 1, frame 2 at 1/500 is missing: its picture is lost. The camera did not transfer the picture."
        )
        #expect(words(bench) == [.verified, .lost, .verified])
        #expect(bench.daemon.disk.manifests.last?.frames.map(\.outcome) == ["verified", "lost", "verified"])
        let retry = bench.ask(.retry(streams: true))
        #expect(try end(retry, on: &bench).sentence == "3 of 3 exposures captured")
        let fired = bench.scripted.fired.map(\.label)
        #expect(fired == ["1/1000", "1/500", "1/250", "1/500"])
        #expect(words(bench) == [.verified, .verified, .verified])
    }

    @Test func `a stored file that may be of the previous frame does not count, and the frame is fired again`() throws {
        var bench = bench(.unclearPicture(2))
        let id = bench.ask(.shoot(Self.three, streams: true))
        #expect(try end(id, on: &bench).sentence == "3 of 3 exposures captured")
        #expect(bench.scripted.fired.map(\.label) == ["1/1000", "1/500", "1/250"])
        #expect(bench.daemon.disk.files.count == 4)
        #expect(words(bench) == [.verified, .verified, .verified])
    }

    @Test func `a file that the disk refuses is missing, with the disk's reason`() throws {
        var bench = bench()
        let id = bench.ask(.shoot(Self.three, streams: true))
        bench.pass { $0.scripted.fired.count == 2 }
        bench.disk { $0.writeFailure = "cannot write /p/A.part: Input/output error" }
        bench.pass { $0.state("transfer") == "failing" }
        bench.disk { $0.writeFailure = nil }
        bench.camera { camera, _ in camera.twists = [] }
        let partial = try end(id, on: &bench)
        #expect(partial.outcome == .partial)
        #expect(partial.cause?.contains("frame 2 at 1/500 is missing") == true, "\(partial.cause ?? "")")
        #expect(partial.cause?.contains("cannot write /p/A.part: Input/output error.") == true)
        #expect(!bench.journal.contains { $0.message.contains("full") || $0.message.contains("stay") })
    }

    @Test(arguments: [2, 3])
    func `the wait for a disk that does not answer ends, and a picture that arrives late counts`(
        frame: Int
    ) throws {
        var bench = bench()
        let id = bench.ask(.shoot(Self.three, streams: true))
        bench.pass { $0.scripted.fired.count == frame }
        bench.disk { $0.delay = .seconds(300) }
        let partial = try end(id, on: &bench)
        #expect(partial.outcome == .partial && partial.captured == frame - 1)
        let place = frame == 2 ? "Set 1, frame 2 at 1/500" : "Set 1, frame 3 at 1/250"
        let loss = "\(place) is missing: its picture is lost. The disk did not store the picture in time."
        #expect(partial.cause?.hasPrefix(loss) == true, "\(partial)")
        #expect(bench.daemon.ledger.tables.shoots[1]?.cause == partial.cause)
        // The disk handles one request after the other.
        bench.pass(.seconds(900))
        #expect(bench.daemon.core.shoot?.captured == 3)
        #expect(words(bench) == [.verified, .verified, .verified])
        #expect(bench.status.shoot?.outcome == .completed && bench.status.shoot?.cause == nil)
        let row = bench.daemon.ledger.tables.shoots[1]
        #expect(row?.outcome == .completed && row?.cause == nil)
    }

    @Test func `a lost picture is reported once, also after a restart`() throws {
        var bench = bench(.noFile(2))
        let partial = try end(bench.ask(.shoot(Self.three, streams: true)), on: &bench)
        bench.kill()
        bench.restart()
        bench.pass(.seconds(5))
        #expect(bench.status.shoot?.outcome == .partial)
        #expect(bench.status.shoot?.cause == partial.cause && partial.cause != nil)
    }

    @Test func `a missing RAW file makes the picture incomplete, if the body makes two files`() throws {
        var bench = bench(.alsoRaw, .noRaw(2), kinds: [.jpeg, .raw])
        let partial = try end(bench.ask(.shoot(Self.three, streams: true)), on: &bench)
        #expect(partial.outcome == .partial && partial.captured == 2)
        #expect(partial.cause?.hasSuffix("its picture is lost. The camera did not transfer the RAW file.") == true)
        #expect(words(bench) == [.verified, .lost, .verified])
        #expect(try end(bench.ask(.retry(streams: true)), on: &bench).sentence == "3 of 3 exposures captured")
    }

    @Test func `the file that arrived counts, if the body does not report how many it makes`() throws {
        var bench = bench(.alsoRaw, .noRaw(2))
        let end = try end(bench.ask(.shoot(Self.three, streams: true)), on: &bench)
        #expect(end.sentence == "3 of 3 exposures captured")
    }

    @Test(arguments: [nil, [PictureInfo.Kind.jpeg, .raw]] as [Set<PictureInfo.Kind>?])
    func `a late JPEG does not replace a RAW file that was cut off`(kinds: Set<PictureInfo.Kind>?) throws {
        var bench = bench(.alsoRaw, .rawBreaks(2), kinds: kinds)
        let id = bench.ask(.shoot(Self.three, streams: true))
        bench.pass { $0.scripted.fired.count == 2 }
        bench.disk { $0.delay = .seconds(300) }
        bench.pass { $0.scripted.fired.count == 3 }
        bench.disk { $0.delay = .zero }
        #expect(try end(id, on: &bench).outcome == .partial)
        bench.pass(.seconds(300))
        #expect(bench.daemon.disk.files.keys.contains { $0.hasSuffix("DSC2.JPG") })
        #expect(words(bench) == [.verified, .lost, .verified])
        #expect(bench.status.shoot?.outcome == .partial)
    }

    @Test func `a lost picture that arrives during a pause counts`() throws {
        var bench = bench()
        bench.ask(.shoot(Self.three, streams: true))
        bench.pass { $0.scripted.fired.count == 2 }
        bench.disk { $0.delay = .seconds(300) }
        bench.pass { $0.state("shooting") == "storing" }
        bench.ask(.pause())
        bench.pass { $0.state("shooting") == "byCommand" }
        #expect(bench.daemon.core.shoot?.captured == 1)
        bench.pass(.seconds(300))
        #expect(bench.daemon.core.shoot?.captured == 2)
        bench.disk { $0.delay = .zero }
        bench.ask(.resume)
        bench.pass { $0.daemon.core.outcome == .completed }
        #expect(bench.scripted.fired.count == 3)
    }

    @Test func `a cancelled shoot reports which pictures were lost`() throws {
        var bench = bench(.noFile(2))
        let plan = PlanInput(shadow: "1/60", highlight: "1/1000", frames: 5, spacing: 1)
        let id = bench.ask(.shoot(plan, streams: true))
        bench.pass { $0.scripted.fired.count == 3 }
        bench.ask(.cancel)
        let end = try end(id, on: &bench)
        #expect(end.outcome == .cancelled && end.captured == 2)
        #expect(end.cause?.contains("Set 1, frame 2 at 1/500 is missing: its picture is lost.") == true)
    }

    @Test func `a cancelled shoot is complete when the camera returns with the last picture`() throws {
        var bench = bench(.loseOn(.idle, 3), .fileTime(.seconds(1)))
        let id = bench.ask(.shoot(Self.three, streams: true))
        bench.pass { $0.scripted.fired.count == 3 }
        bench.ask(.cancel)
        bench.pass { $0.progress(of: id).last?.outcome != nil }
        let end = try #require(bench.progress(of: id).last)
        #expect(end.outcome == .cancelled && end.captured == 2)
        bench.pass(.seconds(30))
        #expect(bench.status.shoot?.outcome == .completed && bench.scripted.fired.count == 3)
        #expect(words(bench) == [.verified, .verified, .verified])
        #expect(bench.daemon.ledger.tables.shoots[1]?.outcome == .completed)
    }

    @Test func `the loss of a second picture keeps the first one`() throws {
        var bench = bench(.noFile(4))
        _ = try end(bench.ask(.shoot(Self.three, streams: true)), on: &bench)
        bench.ask(.redo)
        bench.pass { $0.scripted.fired.count == 4 && $0.daemon.core.outcome != nil }
        let end = try #require(bench.status.shoot)
        #expect(end.outcome == .completed && end.sentence == "3 of 3 exposures captured")
        let sentence =
            "Set 1, frame 3 at 1/250 was fired again. The second picture is lost, and the first one is kept. "
            + "The camera did not transfer the picture."
        #expect(end.cause == sentence)
        #expect(bench.journal.contains { $0.message == sentence })
        #expect(!bench.journal.contains { $0.message.contains("missing") })
    }

    @Test func `a frame whose second picture was lost can be fired once more`() throws {
        var bench = bench(.noFile(4))
        _ = try end(bench.ask(.shoot(Self.three, streams: true)), on: &bench)
        bench.ask(.redo)
        bench.pass { $0.scripted.fired.count == 4 && $0.daemon.core.outcome != nil }
        bench.ask(.redo)
        bench.pass { $0.scripted.fired.count == 5 && $0.daemon.core.outcome != nil }
        bench.pass(.seconds(2))
        let end = try #require(bench.status.shoot)
        #expect(end.outcome == .completed && end.cause == nil, "\(end)")
        #expect(bench.daemon.disk.manifests.last?.frames.last?.files.count == 2)
    }

    @Test func `a suspect frame without its second picture stays suspect, and the reason is reported`() throws {
        var status = ScriptedCamera.ready
        status.savesToHostAlone = true
        var bench = Bench(
            ScriptedCamera(status: status, twists: [.shows(2, .slowest), .loseOn(.shutter, 4), .resolve(.fired)]),
            transfer: TransferConfiguration(policy: .both, firesSuspectsAgain: true)
        )
        _ = try end(bench.ask(.shoot(Self.three, streams: true)), on: &bench)
        let sentence = "The shutter fired, but the picture was not received: the frame stays suspect."
        #expect(bench.journal.contains { $0.message == sentence })
        #expect(!bench.journal.contains { $0.message.contains("Nothing shows that the shutter fired") })
    }

    @Test func `a fired frame whose picture the body forgot is fired again, and that is reported`() throws {
        var bench = bench(.loseOn(.shutter, 2), .resolve(.fired))
        let id = bench.ask(.shoot(Self.three, streams: true))
        #expect(try end(id, on: &bench).sentence == "3 of 3 exposures captured")
        let sentence = "The shutter fired, but the picture was not received: the frame is fired again."
        #expect(bench.journal.contains { $0.message == sentence })
        #expect(!bench.journal.contains { $0.message.contains("Nothing shows that the shutter fired") })
        let incidents = bench.daemon.ledger.tables.shoots[1]?.incidents ?? []
        #expect(incidents.first { $0.kind == .inDoubt }?.outcome == .fired)
        #expect(incidents.contains { $0.kind == .firedAgain && $0.frame == 1 })
    }

    @Test func `a cancel waits for the picture that is being stored`() throws {
        var bench = bench()
        bench.disk { $0.delay = .seconds(2) }
        let id = bench.ask(.shoot(Self.three, streams: true))
        bench.pass { $0.state("shooting") == "storing" }
        bench.ask(.cancel)
        let end = try end(id, on: &bench)
        #expect(end.outcome == .cancelled && end.captured == 1)
    }

    @Test func `the camera may disconnect while the disk stores a picture`() throws {
        var bench = bench()
        bench.disk { $0.delay = .seconds(1) }
        let id = bench.ask(.shoot(Self.three, streams: true))
        bench.pass { $0.state("shooting") == "storing" }
        bench.camera { camera, now in camera.tell(.lost(.closedByCamera), at: now) }
        #expect(try end(id, on: &bench).sentence == "3 of 3 exposures captured")
        #expect(bench.scripted.fired.count == 3)
        #expect(bench.transitions("shooting").contains("betweenFrames → linkLost"))
    }

    @Test func `a picture that a killed daemon did not store is fired again if the camera no longer has it`() throws {
        var bench = bench()
        bench.ask(.shoot(Self.three, streams: true))
        bench.pass { $0.scripted.fired.count == 2 }
        bench.disk { $0.delay = .seconds(5) }
        bench.pass { $0.state("shooting") == "storing" }
        bench.pass(.seconds(1))
        bench.kill()
        #expect(words(bench) == [.verified, .exposed, .planned])
        bench.disk { $0.delay = .zero }
        bench.restart()
        bench.pass(.seconds(5))
        #expect(bench.status.sentence.contains("The picture at 1/500 is not stored yet."), "\(bench.status.sentence)")
        bench.ask(.resume)
        bench.pass { $0.daemon.core.outcome == .completed }
        bench.pass(.seconds(2))
        #expect(bench.scripted.fired.map(\.label) == ["1/1000", "1/500", "1/500", "1/250"])
        #expect(words(bench) == [.verified, .verified, .verified])
        let after = bench.daemon.disk.destinations.suffix(2)
        #expect(after.allSatisfy { $0.folder == .known("shoot-1") })
        #expect(bench.daemon.disk.manifests.last?.frames.map(\.files.count) == [1, 1, 1])
    }
}
