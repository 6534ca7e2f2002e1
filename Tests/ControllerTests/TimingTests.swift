import Bodies
import Cameras
import Exposure
import Testing
import Worlds

@testable import Controller

/// The times of frames that the daemon learned, and their use.
@Suite struct TimingTests {
    // MARK: Figures

    @Test(arguments: [
        (Array(1...20), 10, 19), ([7], 7, 7), ([3, 1, 2, 4], 2, 4), ([900, 100, 500], 500, 900),
        (Array(1...200), 100, 190), ([0, 0, 0], 0, 0),
    ])
    func `median and percentile are the nearest ranks`(times: [Int], median: Int, p95: Int) throws {
        let figure = try #require(TimingReport.Figure(times))
        #expect(figure == .init(medianMilliseconds: median, p95Milliseconds: p95, count: times.count))
    }

    @Test func `median and percentile equal the result of counting`() throws {
        #expect(TimingReport.Figure([]) == nil)
        var number: UInt64 = 1
        for count in 1...200 {
            let times = (0..<count).map { _ in
                number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Int(number >> 33) % 50
            }
            func counted(_ percent: Int) -> Int? {
                times.sorted().first { time in times.count { $0 <= time } * 100 >= percent * count }
            }
            let figure = try #require(TimingReport.Figure(times))
            #expect(figure.medianMilliseconds == counted(50))
            #expect(figure.p95Milliseconds == counted(95))
        }
    }

    // MARK: Recent timings

    private static let route = RecentTimings.Route(cameraID: "7", link: "127.0.0.1")

    private func row(_ milliseconds: Int, camera: String = "7", step: TimingRow.Step = .frame) -> TimingRow {
        TimingRow(cameraID: camera, link: "127.0.0.1", step: step, milliseconds: milliseconds, at: .clock(.zero))
    }

    @Test func `only the last timings of a body count, and those of other bodies never`() {
        var book = RecentTimings()
        #expect(book.report(on: Self.route) == nil)
        for time in 1...250 { book.record(row(time)) }
        book.record(row(9999, camera: "8"))
        book.record(row(5, step: .set))
        let report = book.report(on: Self.route)
        #expect(report?.frame == .init(medianMilliseconds: 150, p95Milliseconds: 240, count: 200))
        #expect(report?.set?.count == 1)
        #expect(report?.confirm == nil)
        #expect(book.report(on: .init(cameraID: "7", link: "192.168.122.1")) == nil)
    }

    @Test func `timings of earlier runs count as older than those of this run`() {
        var book = RecentTimings()
        for _ in 1...150 { book.record(row(10)) }
        book.begin(with: (1...200).map { _ in row(1000) })
        #expect(book.report(on: Self.route)?.frame == .init(medianMilliseconds: 10, p95Milliseconds: 1000, count: 200))
    }

    @Test func `above the limit of bodies the one timed longest ago is forgotten`() {
        var book = RecentTimings()
        for camera in 0...RecentTimings.routesMax { book.record(row(1, camera: String(camera))) }
        #expect(book.report(on: .init(cameraID: "0", link: "127.0.0.1")) == nil)
        #expect(book.report(on: .init(cameraID: "1", link: "127.0.0.1")) != nil)
    }

    // MARK: Timed steps

    private static let three = PlanInput(shadow: "1/60", highlight: "1/250", frames: 3, spacing: 1)

    private func bench(
        _ twists: ScriptedCamera.Deviation...,
        change: (inout CameraStatus) -> Void = { _ in }
    ) -> Bench {
        var status = ScriptedCamera.ready
        change(&status)
        return Bench(ScriptedCamera(status: status, twists: twists))
    }

    private func fire(_ plan: PlanInput = three, on bench: inout Bench) {
        let id = bench.ask(.shoot(plan, streams: true))
        bench.pass { $0.progress(of: id).last?.outcome != nil }
        // In this time the end of the shoot is written to the disk.
        bench.pass(.seconds(5))
    }

    private func times(_ step: TimingRow.Step, _ bench: Bench) -> [Int] {
        bench.daemon.ledger.tables.timings.filter { $0.step == step }.map(\.milliseconds)
    }

    @Test func `every step of every frame is timed, for the body and the link`() {
        var bench = bench()
        fire(on: &bench)
        #expect(times(.set, bench) == [0, 0, 0])
        #expect(times(.confirm, bench) == [0, 0, 0])
        #expect(times(.release, bench) == [500, 500, 500])
        #expect(times(.frame, bench) == [500, 500, 500])
        let rows = bench.daemon.ledger.tables.timings
        #expect(rows.allSatisfy { $0.cameraID == "7" && $0.link == "127.0.0.1" })
    }

    @Test func `timings are written with the next commit and cause none`() {
        var bench = bench()
        fire(on: &bench)
        let commits = bench.daemon.ledger.commits.filter { !$0.rows.timings.isEmpty }
        #expect(!commits.isEmpty)
        #expect(commits.allSatisfy { !$0.rows.frames.isEmpty || !$0.rows.shoots.isEmpty })
    }

    @Test(arguments: [
        ScriptedCamera.Deviation.busyOnSet(1), .busyOnShutter(1), .ignoreSet(1), .loseOn(.shutter, 1), .loseOn(.set, 1),
        .failShutter(1, .speedChanged(found: .other("BULB"))),
    ])
    func `a frame with a retry or a loss is not timed`(twist: ScriptedCamera.Deviation) {
        var bench = bench(twist)
        fire(on: &bench)
        #expect(bench.scripted.fired.count == 3)
        #expect(times(.frame, bench) == [500, 500])
        #expect(times(.release, bench) == [500, 500])
    }

    @Test func `a frame that a pause interrupted is not timed`() {
        var bench = bench { $0.speedSetting = .stepwise(perNotch: .milliseconds(700)) }
        let id = bench.ask(.shoot(Self.three, streams: true))
        bench.pass { $0.state("shooting") == "settingSpeed" }
        bench.ask(.pause(withRedo: false))
        bench.pass(.seconds(60))
        bench.ask(.resume)
        bench.pass { $0.progress(of: id).last?.outcome != nil }
        bench.pass(.seconds(5))
        #expect(bench.scripted.fired.count == 3)
        #expect(times(.frame, bench) == [500, 500])
    }

    @Test func `a wait for the ledger's disk does not count as the body's time`() {
        var bench = bench()
        bench.ledger { $0.delay = .seconds(2) }
        fire(on: &bench)
        #expect(bench.scripted.fired.count == 3)
        #expect(times(.confirm, bench) == [0, 0, 0])
        #expect(times(.frame, bench).isEmpty)
    }

    @Test(arguments: [(NoiseReduction.off, 3), (.on, 2), (.unknown, 2)])
    func `an exposure that a dark frame may follow is not timed`(noise: NoiseReduction, count: Int) {
        var bench = bench { $0.noiseReduction = noise }
        fire(PlanInput(shadow: "1\"", highlight: "1/4", frames: 3, spacing: 1), on: &bench)
        #expect(bench.scripted.fired.count == 3)
        #expect(times(.frame, bench).count == count)
        #expect(times(.release, bench).count == count)
        #expect(times(.confirm, bench).count == 3)
    }

    @Test func `a body with notches has the time of a notch, and of a frame without its way`() {
        var bench = bench { $0.speedSetting = .stepwise(perNotch: .milliseconds(700)) }
        fire(on: &bench)
        #expect(times(.set, bench) == [700, 700, 700])
        #expect(times(.frame, bench) == [500, 500, 500])
    }

    // MARK: The estimate

    private func plan(_ bench: inout Bench) throws -> PlanReport {
        let id = bench.ask(.plan(PlanInput()))
        guard case .reply(.plan(let report), _)? = bench.answers(to: id).first else { throw NoPlan() }
        return report
    }

    private struct NoPlan: Error {}

    @Test func `the overhead is assumed, then measured, also after a restart`() throws {
        var bench = bench()
        #expect(try plan(&bench).estimateBasis.contains("1.5 s of overhead per frame, assumed"))
        #expect(try plan(&bench).timing == nil)
        fire(on: &bench)
        #expect(try plan(&bench).estimateBasis.hasSuffix("assumed (only 3 frames measured on this camera)"))
        fire(PlanInput(), on: &bench)
        let basis = "0.5 s of overhead per frame (95 % within 0.5 s), measured on 18 frames of this camera"
        let learned = try plan(&bench)
        #expect(learned.estimateBasis.hasSuffix(basis))
        #expect(learned.timing?.frame == .init(medianMilliseconds: 500, p95Milliseconds: 500, count: 18))
        bench.kill()
        bench.restart()
        bench.pass(.seconds(5))
        #expect(try plan(&bench) == learned)
    }

    @Test func `the camera's description contains the learned times`() throws {
        var bench = bench()
        fire(on: &bench)
        let id = bench.ask(.getCamera)
        guard case .reply(.camera(let report), _)? = bench.answers(to: id).first else { throw NoPlan() }
        #expect(report.timing?.release?.medianMilliseconds == 500)
    }
}
