import Bodies
import Cameras
import Controller
import Exposure
import Testing
import Worlds

/// Shoots that find their own range: a scripted camera, pictures of a scene with known light, and a virtual clock.
@Suite struct RangeFindingTests {
    /// A window in a dim room, with a deep corner. Detail needs the speeds from 1/80 s (index 20) to 4 s (index 45).
    private static let room: Scene = {
        var scene = Scene(columns: 96, rows: 64, base: 5)
        func add(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ tone: SceneShape.Tone) {
            scene.shapes.append(SceneShape(.rectangle(x: x, y: y, width: width, height: height), tone))
        }
        add(0, 0, 100, 100, .ramp(from: 6.5, to: 4.5, .y))
        add(0, 80, 12, 20, .flat(2.5))
        add(62, 15, 26, 40, .flat(13))
        add(66, 18, 6, 10, .flat(14.3))
        return scene
    }()

    private static func status(at label: String) -> CameraStatus {
        var status = ScriptedCamera.ready
        status.speed = (try? ShutterSpeed(parsing: label)).map { .speed($0) }
        status.fileKinds = [.jpeg]
        return status
    }

    private func bench(
        _ scene: Scene = room,
        at label: String = "1/8",
        policy: TransferPolicy = .jpeg,
        _ twists: ScriptedCamera.Deviation...,
        change: (inout CameraStatus) -> Void = { _ in }
    ) -> Bench {
        var status = Self.status(at: label)
        change(&status)
        var bench = Bench(
            ScriptedCamera(status: status, twists: twists),
            transfer: TransferConfiguration(policy: policy)
        )
        let eye = SceneEye(scene)
        bench.disk { disk in
            disk.delay = .milliseconds(300)
            disk.light = { file in
                guard case .read(let record) = ScriptedPicture.read(file), let time = record.exposureTime?.value else {
                    return nil
                }
                return ShutterSpeed.all.min { left, right in
                    abs(left.trueSeconds - time) < abs(right.trueSeconds - time)
                }.flatMap { eye.light(at: $0) }
            }
        }
        return bench
    }

    private static let two = PlanInput(spacing: 2, goal: GoalInput())

    private func fire(_ plan: PlanInput = two, on bench: inout Bench) throws -> Progress {
        let id = bench.ask(.shoot(plan, streams: true))
        bench.pass { $0.progress(of: id).last?.outcome != nil }
        return try #require(bench.progress(of: id).last)
    }

    private func refusal(_ plan: PlanInput = two, on bench: inout Bench) -> String {
        let id = bench.ask(.shoot(plan, streams: false))
        bench.pass(.seconds(60))
        return bench.answers(to: id).first.map { "\($0)" } ?? ""
    }

    // MARK: The frames

    @Test func `frames follow until the set covers the scene, and every picture is read once`() throws {
        var bench = bench()
        let end = try fire(on: &bench)
        #expect(end.outcome == .completed)
        #expect(end.cause == nil)
        let range = try #require(end.range)
        #expect(range.shots == bench.scripted.fired.map(\.label))
        #expect(range.warnings.isEmpty)
        let kept = try range.kept.map { try ShutterSpeed(parsing: $0) }
        let (fast, slow) = (try #require(kept.first), try #require(kept.last))
        #expect((20 - 9)...20 ~= fast.index)
        #expect(45...(45 + 9) ~= slow.index)
        #expect(zip(kept, kept.dropFirst()).allSatisfy { $0.thirds(to: $1) <= 6 })
        #expect(range.shots.count <= 6 + 2)
        #expect(bench.daemon.disk.log.count { $0 == "read light" } == range.shots.count)
        #expect(bench.daemon.ledger.tables.frames(of: 1).map(\.planned.speed.label) == range.shots)
        #expect(bench.daemon.ledger.tables.frames(of: 1).allSatisfy { $0.outcome == .verified })
    }

    @Test(arguments: [1.0, 1.5, 2.0]) func `the first frame is at the camera's speed or at the given one`(
        spacing: Double
    ) throws {
        var bench = bench(at: "1/15")
        #expect(try fire(PlanInput(spacing: spacing, goal: GoalInput()), on: &bench).range?.shots.first == "1/15")
        var other = self.bench(at: "1/15")
        let plan = PlanInput(highlight: "1/2", spacing: spacing, goal: GoalInput())
        _ = try fire(plan, on: &other)
        #expect(other.scripted.fired.first?.index == 36)
    }

    @Test(arguments: [(6, 24), (-6, 36), (0, 30), (99, 0)])
    func `the body's own meter moves the first frame`(thirds: Int, index: Int) throws {
        var bench = bench(at: "1/8") { $0.meterThirds = thirds }
        _ = try fire(on: &bench)
        #expect(bench.scripted.fired.first?.index == index)
    }

    @Test func `one frame is enough for a scene with one tone`() throws {
        var bench = bench(Scene(columns: 96, rows: 64, base: 10))
        let end = try fire(on: &bench)
        #expect(end.range?.shots.count == 1)
        #expect(end.range?.kept == end.range?.shots)
    }

    @Test func `the first frame is fired once more at the end if the goal checks the light`() throws {
        var plain = bench()
        let shots = try #require(try fire(on: &plain).range?.shots)
        var bench = bench()
        let range = try fire(PlanInput(spacing: 2, goal: GoalInput(checksLight: true)), on: &bench).range
        #expect(range?.shots == shots + shots.prefix(1))
        #expect(range?.warnings.isEmpty == true)
    }

    @Test func `the number of frames is limited, and the end says why`() throws {
        var bench = bench()
        let end = try fire(PlanInput(spacing: 1, goal: GoalInput(framesMax: 3)), on: &bench)
        #expect(end.outcome == .completed)
        #expect(end.range?.shots.count == 3)
        #expect(end.range?.warnings.map(\.code) == ["frame-limit"])
    }

    @Test func `light beyond the camera's speeds is reported with the end of the list`() throws {
        var scene = Self.room
        scene.shapes.append(SceneShape(.rectangle(x: 40, y: 40, width: 9, height: 9), .flat(30)))
        var bench = bench(scene)
        let end = try fire(on: &bench)
        #expect(end.range?.warnings.map(\.code) == ["highlights-at-limit"])
        #expect(bench.scripted.fired.contains(.fastest))
    }

    @Test func `a frame whose picture shows another speed counts only as a frame`() throws {
        var bench = bench(at: "1/8", .shows(2, .slowest))
        let end = try fire(on: &bench)
        let range = try #require(end.range)
        // The second frame was fired again, because its picture showed nothing about its speed.
        #expect(range.shots.count == Set(range.shots).count + 1)
        #expect(end.outcome == .completed)
    }

    @Test func `frames that show nothing count, so that the search ends`() throws {
        var bench = bench(
            at: "1/8",
            .shows(1, .slowest),
            .shows(2, .slowest),
            .shows(3, .slowest),
            .shows(4, .slowest),
            .shows(5, .slowest)
        )
        let end = try fire(PlanInput(spacing: 2, goal: GoalInput(framesMax: 3)), on: &bench)
        #expect(bench.scripted.fired.count == 3)
        #expect(end.range?.warnings.map(\.code) == ["frame-limit"])
        #expect(end.range?.warnings.first?.sentence.contains("3 frames") == true)
    }

    // MARK: Coverage

    private func coverage(_ bench: inout Bench) throws -> Coverage {
        bench.pass(.seconds(10))
        let id = bench.ask(.getPhotos)
        guard case .reply(.photos(let report), _)? = bench.answers(to: id).first else {
            throw ScenarioFault(text: "no answer")
        }
        let coverage = try #require(report.coverage)
        #expect(bench.daemon.disk.manifests.last?.coverage == coverage)
        return coverage
    }

    private struct ScenarioFault: Error {
        var text: String
    }

    @Test func `after a bracket that found its range, its pictures cover the scene`() throws {
        var bench = bench()
        _ = try fire(on: &bench)
        let coverage = try coverage(&bench)
        #expect(coverage.isCovered)
        #expect(coverage.framesRead == bench.scripted.fired.count)
        #expect(coverage.framesUnread == 0)
    }

    @Test func `pictures that do not cover the scene name a frame, and the extension by it is checked again`() throws {
        var bench = bench()
        _ = try fire(PlanInput(shadow: "1/30", highlight: "1/125", frames: 3), on: &bench)
        let before = try coverage(&bench)
        let worst = try #require(before.worst)
        let frame = try #require(worst.frame)
        _ = try extend(ExtensionInput(speeds: [frame.label]), &bench)
        let after = try coverage(&bench)
        #expect(after.framesRead == before.framesRead + 1)
        #expect(after != before)
    }

    @Test func `pictures that cannot be decoded are not checked, and never count as covered`() throws {
        var bench = bench()
        bench.disk { $0.light = { _ in nil } }
        _ = try fire(PlanInput(shadow: "1/30", highlight: "1/125", frames: 3), on: &bench)
        bench.pass(.seconds(10))
        let id = bench.ask(.getPhotos)
        guard case .reply(.photos(let report), _)? = bench.answers(to: id).first else {
            Issue.record("no answer")
            return
        }
        #expect(report.coverage == nil)
        #expect(bench.daemon.disk.manifests.last?.coverage == nil)
    }

    // MARK: Extensions

    private func extend(_ input: ExtensionInput, _ bench: inout Bench) throws -> Progress {
        let id = bench.ask(.extend(input, streams: true))
        bench.pass { $0.progress(of: id).last?.outcome != nil }
        return try #require(bench.progress(of: id).last)
    }

    @Test func `an extension fires only its own frames, and records them like any frame`() throws {
        var bench = bench()
        let first = try fire(PlanInput(shadow: "1/30", highlight: "1/125", frames: 3), on: &bench).total
        let end = try extend(ExtensionInput(speeds: ["1/2000", "1/4"]), &bench)
        #expect(end.outcome == .completed)
        #expect(end.total == first + 2)
        #expect(bench.scripted.fired.suffix(2).map(\.label) == ["1/2000", "1/4"])
        #expect(bench.scripted.fired.count == first + 2)
        let rows = bench.daemon.ledger.tables.frames(of: 1)
        #expect(rows.suffix(2).map(\.planned.speed.label) == ["1/2000", "1/4"])
        #expect(Set(rows.map(\.planned.position)).count == first + 2)
        #expect(rows.allSatisfy { $0.outcome == .verified })
    }

    @Test func `an extension of a bracket that found its range adds to its kept frames`() throws {
        var bench = bench()
        let found = try #require(try fire(on: &bench).range)
        let range = try #require(try extend(ExtensionInput(speeds: ["1/8000"]), &bench).range)
        #expect(range.kept == ["1/8000"] + found.kept)
        #expect(range.shots == found.shots + ["1/8000"])
    }

    @Test(arguments: [1, 2]) func `an extension that was killed continues with its missing frames`(fired: Int) throws {
        var bench = bench()
        let first = try fire(PlanInput(shadow: "1/30", highlight: "1/125", frames: 3), on: &bench).total
        bench.ask(.extend(ExtensionInput(speeds: ["1/2000", "1/4", "1/1000"]), streams: false))
        bench.pass { $0.scripted.fired.count == first + fired && $0.state("shooting") == "waitingForIdle" }
        bench.kill(writesPending: true)
        bench.restart()
        bench.pass { $0.state("shooting") == "interrupted" && $0.state("connection") == "connected" }
        bench.ask(.resume)
        bench.pass { $0.status.shoot?.outcome == .completed }
        #expect(bench.status.shoot?.total == first + 3)
        #expect(Set(bench.scripted.fired.suffix(4).map(\.label)).isSuperset(of: ["1/1000"]))
        #expect(bench.scripted.fired.count <= first + 4)
    }

    @Test func `an extension continues a completed shoot after a restart of the daemon`() throws {
        var bench = bench()
        let first = try fire(PlanInput(shadow: "1/30", highlight: "1/125", frames: 3), on: &bench).total
        bench.kill(writesPending: true)
        bench.restart()
        bench.pass { $0.state("connection") == "connected" }
        let end = try extend(ExtensionInput(speeds: ["1/2000"]), &bench)
        #expect(end.shoot == 1)
        #expect(end.total == first + 1)
        #expect(bench.scripted.fired.count == first + 1)
    }

    private func error(_ input: ExtensionInput, _ bench: inout Bench) -> String {
        let id = bench.ask(.extend(input, streams: false))
        bench.pass(.seconds(1))
        return bench.answers(to: id).first.map { "\($0)" } ?? ""
    }

    @Test func `an extension that cannot be fired is refused with the reason`() throws {
        var bench = bench()
        bench.pass { $0.state("connection") == "connected" }
        #expect(error(ExtensionInput(speeds: ["1/2000"]), &bench).contains("no shoot to extend"))
        _ = try fire(PlanInput(shadow: "1/30", highlight: "1/125", frames: 3), on: &bench)
        let fired = bench.scripted.fired.count
        #expect(error(ExtensionInput(speeds: []), &bench).contains("1 to 55 frames, not 0"))
        #expect(error(ExtensionInput(speeds: ["a"]), &bench).contains("speeds"))
        #expect(error(ExtensionInput(shoot: 9, speeds: ["1/2000"]), &bench).contains("9"))
        #expect(bench.scripted.fired.count == fired)
    }

    // MARK: Interruptions

    @Test(arguments: ["choosingFrame", "capturing", "waitingForIdle"], 1...3)
    func `a shoot killed in any phase continues with the same frames`(state: String, fired: Int) throws {
        var whole = bench()
        let frames = try #require(try fire(on: &whole).range?.shots)
        var bench = bench()
        bench.ledger { $0.delay = .milliseconds(20) }
        bench.ask(.shoot(Self.two, streams: false))
        bench.pass { $0.scripted.fired.count >= fired && $0.state("shooting") == state }
        try #require(bench.state("shooting") == state)
        bench.kill(writesPending: true)
        bench.restart()
        bench.pass { $0.state("shooting") == "interrupted" && $0.state("connection") == "connected" }
        bench.ask(.resume)
        bench.pass { $0.status.shoot?.outcome == .completed }
        let range = try #require(bench.status.shoot?.range)
        // A frame whose picture was lost is fired again. The choice stays the same.
        #expect(Set(range.shots) == Set(frames), "\(bench.scripted.fired)")
        #expect(range.shots.count <= frames.count + 1)
        #expect(range.kept.first == whole.status.shoot?.range?.kept.first)
    }

    @Test func `a pause while a picture is read ends the choice, and resume makes it again`() throws {
        var bench = bench()
        bench.disk { $0.delay = .seconds(2) }
        let id = bench.ask(.shoot(Self.two, streams: true))
        bench.pass { $0.state("metering") == "readingLight" }
        bench.ask(.pause())
        #expect(bench.state("shooting") == "byCommand")
        bench.pass(.seconds(60))
        #expect(bench.scripted.fired.count == 1)
        bench.ask(.resume)
        bench.pass { $0.progress(of: id).last?.outcome != nil }
        #expect(bench.progress(of: id).last?.outcome == .completed)
        #expect(bench.state("metering") == "idle")
    }

    @Test func `a cancelled search keeps its frames and can continue`() throws {
        var bench = bench()
        bench.ask(.shoot(Self.two, streams: false))
        bench.pass { $0.scripted.fired.count == 2 && $0.state("shooting") == "choosingFrame" }
        bench.ask(.cancel)
        bench.pass(.seconds(10))
        #expect(bench.status.shoot?.outcome == .cancelled)
        let id = bench.ask(.retry(streams: true))
        bench.pass { $0.progress(of: id).last?.outcome != nil }
        #expect(bench.progress(of: id).last?.outcome == .completed)
        #expect(bench.scripted.fired.count == Set(bench.scripted.fired).count)
    }

    // MARK: Pictures that cannot be read

    @Test func `a picture that cannot be decoded ends the shoot with the reason`() throws {
        var bench = bench()
        bench.disk { $0.light = { _ in nil } }
        let end = try fire(on: &bench)
        #expect(end.outcome == .partial)
        #expect(end.cause?.contains("No JPEG") == true)
        #expect(bench.scripted.fired.count == 1)
    }

    @Test func `after a picture that cannot be decoded, retry fires its frame again and goes on`() throws {
        var bench = bench()
        let light = bench.daemon.disk.light
        bench.disk { $0.light = { _ in nil } }
        #expect(try fire(on: &bench).outcome == .partial)
        bench.disk { $0.light = light }
        let id = bench.ask(.retry(streams: true))
        bench.pass { $0.progress(of: id).last?.outcome != nil }
        let end = try #require(bench.progress(of: id).last)
        #expect(end.outcome == .completed)
        #expect(end.range?.shots.prefix(2) == ["1/8", "1/8"])
    }

    @Test func `a frame whose picture never arrives is fired again`() throws {
        var bench = bench(at: "1/8", .noFile(1))
        let end = try fire(on: &bench)
        #expect(end.outcome == .completed)
        #expect(end.range?.shots.prefix(2) == ["1/8", "1/8"])
        #expect(bench.now < .seconds(300))
    }

    @Test func `if a second picture does not arrive, the shoot ends with the reason`() throws {
        var bench = bench(at: "1/8", .noFile(1), .noFile(2))
        let end = try fire(on: &bench)
        #expect(end.outcome == .partial)
        #expect(end.cause == "No JPEG of the frame arrived within 120 s, so the next frame is not known.")
        #expect(bench.scripted.fired.count == 2)
    }

    @Test func `after lost pictures ended a shoot, retry fires their frames again and goes on`() throws {
        var bench = bench(at: "1/8", .noFile(1), .noFile(2))
        #expect(try fire(on: &bench).outcome == .partial)
        let id = bench.ask(.retry(streams: true))
        bench.pass { $0.progress(of: id).last?.outcome != nil }
        let end = try #require(bench.progress(of: id).last)
        #expect(end.outcome == .completed)
        #expect(end.range?.shots.prefix(3) == ["1/8", "1/8", "1/8"])
        #expect(end.range?.warnings.isEmpty == true)
    }

    // MARK: Refusals

    @Test func `a camera or a computer that cannot show pictures is refused before the first frame`() throws {
        var none = bench(policy: .none)
        #expect(refusal(on: &none).contains("No picture reaches this computer"))
        var raw = bench { $0.fileKinds = [.raw] }
        #expect(refusal(on: &raw).contains("RAW only"))
        var automatic = bench { $0.isISOAuto = true }
        #expect(refusal(on: &automatic).contains("ISO AUTO evens out every test frame"))
        var priority = bench { $0.mode = .shutterPriority }
        #expect(refusal(on: &priority).contains("Turn the mode dial to M"))
        for bench in [none, raw, automatic, priority] { #expect(bench.scripted.fired.isEmpty) }
    }

    @Test func `a tone setting that adapts to the scene is a warning before the first frame`() throws {
        var bench = bench { $0.adaptiveTone = "DRO" }
        bench.pass { $0.state("connection") == "connected" }
        let id = bench.ask(.preflight(Self.two))
        bench.pass(.seconds(1))
        guard case .reply(.preflight(let report), _)? = bench.answers(to: id).first else {
            Issue.record("no answer")
            return
        }
        #expect(report.warnings.contains { $0.name == "metering" && $0.sentence.contains("DRO is on") })
        #expect(try fire(on: &bench).outcome == .completed)
    }

    @Test(
        arguments: [
            (GoalInput(framesMax: 0), "goal.framesMax"), (GoalInput(framesMax: 56), "goal.framesMax"),
            (GoalInput(clipPercent: -1), "goal.clipPercent"), (GoalInput(clipPercent: .nan), "goal.clipPercent"),
            (GoalInput(clipPercent: 51), "goal.clipPercent"), (GoalInput(floorCode: 4), "goal.floorCode"),
        ]
    )
    func `a number of the goal out of its range is named`(goal: GoalInput, parameter: String) {
        var bench = bench()
        #expect(refusal(PlanInput(goal: goal), on: &bench).contains("\(parameter): write a number from"))
        #expect(bench.scripted.fired.isEmpty)
    }
}

extension ShutterSpeed {
    fileprivate var trueSeconds: Double {
        let (seconds, attoseconds) = exposureTime.components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
