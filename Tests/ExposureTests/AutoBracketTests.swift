import Exposure
import Testing

private func speed(_ index: Int) throws -> ShutterSpeed { try #require(ShutterSpeed(index: index)) }

/// A frame of a scene whose tones are mid-grey at these indices.
private func frame(_ speed: ShutterSpeed, greys: [Int]) throws -> MeteredFrame {
    var counts = [UInt32](repeating: 0, count: 256)
    for grey in greys { counts[Int(ToneTable.camera.code(at: Double(speed.index - grey) / 3).rounded())] += 100 }
    let histogram = try #require(CodeHistogram(counts: counts))
    let map = try #require(PictureMap(columns: 1, rows: 1, blocks: [118]))
    return MeteredFrame(speed: speed, light: PictureLight(brightest: histogram, luma: histogram, map: map))
}

@Suite struct AutoBracketTests {
    private func run(
        _ greys: [Int],
        from start: Int,
        _ bracket: AutoBracket
    ) throws -> (shots: [Int], outcome: AutoBracket.Outcome) {
        var bracket = bracket
        while true {
            switch bracket.step(from: try speed(start)) {
            case .fire(let speed): bracket.add(try frame(speed, greys: greys))
            case .done(let outcome): return (bracket.frames.map(\.speed.index), outcome)
            }
        }
    }

    private let usual = AutoBracket(spacing: .two, available: ShutterSpeed.all)

    @Test func `one exposure covers a flat scene`() throws {
        let (shots, outcome) = try run([30], from: 30, usual)
        #expect(shots == [30])
        #expect(outcome.kept.map(\.index) == [30])
        #expect(outcome.limits.isEmpty)
    }

    @Test func `the base is repeated at the end if it is wanted and a frame is left`() throws {
        var bracket = usual
        bracket.repeatsBase = true
        let (shots, outcome) = try run([15, 30, 46], from: 30, bracket)
        let plain = try run([15, 30, 46], from: 30, usual)
        #expect(shots == plain.shots + [30])
        #expect(outcome == plain.outcome)
        #expect(try run([30], from: 30, bracket).shots == [30])
        var full = AutoBracket(spacing: .two, available: ShutterSpeed.all, framesMax: plain.shots.count)
        full.repeatsBase = true
        let last = try run([15, 30, 46], from: 30, full)
        #expect(last.shots == plain.shots && last.outcome == plain.outcome)
    }

    @Test func `the estimate is that of the longest search`() throws {
        #expect(usual.longestWalk(from: try speed(30)).map(\.index) == [30, 24, 18, 12, 6, 0, 36, 42, 48, 54])
        let few = AutoBracket(spacing: .two, available: ShutterSpeed.all, framesMax: 3)
        #expect(few.longestWalk(from: try speed(30)).map(\.index) == [42, 48, 54])
        let short = AutoBracket(spacing: .two, available: [try speed(27), try speed(33)])
        #expect(short.longestWalk(from: try speed(30)).count == 2)
        let plan = Plan(PlanRequest(from: try speed(30), spacing: .two, goal: .usual))
        #expect(plan.notes == [.longestSearch])
        #expect(Estimate(plan).frames == 10)
        #expect(Estimate(plan).exposures > .seconds(30))
    }

    @Test func `the fast side comes first, then the slow side, one spacing at a time`() throws {
        let (shots, outcome) = try run([15, 30, 46], from: 30, usual)
        #expect(shots == [30, 24, 18, 36, 42])
        #expect(outcome.kept.map(\.index) == [18, 24, 30, 36, 42])
    }

    @Test func `a first frame that no plan needs is left out`() throws {
        let (shots, outcome) = try run([20, 21, 22], from: 32, usual)
        #expect(shots.first == 32)
        #expect(!outcome.kept.map(\.index).contains(32))
        #expect(outcome.limits.isEmpty)
    }

    @Test func `a first frame in black or in white moves before the walk begins`() throws {
        let (white, _) = try run([10, 12], from: 45, usual)
        #expect(white.prefix(2) == [45, 30])
        let (black, _) = try run([40, 42], from: 12, usual)
        #expect(black.prefix(3) == [12, 24, 36])
    }

    @Test func `the ends of the camera's speeds stop the walk and are reported`() throws {
        let (shots, outcome) = try run([-12, 30, 70], from: 30, usual)
        #expect(shots.contains(0) && shots.contains(54))
        guard case .highlights(.fastest, let white)? = outcome.limits.first,
            case .shadows(.slowest, let dark)? = outcome.limits.last
        else {
            Issue.record("\(outcome)")
            return
        }
        #expect(abs(white - 1.0 / 3) < 0.01)
        #expect(abs(dark - 1.0 / 3) < 0.01)
    }

    @Test func `a limit of frames ends the search with what is there`() throws {
        let few = AutoBracket(spacing: .one, available: ShutterSpeed.all, framesMax: 3)
        let (shots, outcome) = try run([5, 30, 50], from: 30, few)
        #expect(shots.count == 3)
        #expect(outcome.limits == [.frames(3)])
    }

    @Test func `frames at hand count, wherever they came from`() throws {
        var bracket = usual
        for index in [30, 26, 18] { bracket.add(try frame(try speed(index), greys: [15, 30])) }
        #expect(bracket.step(from: try speed(30)) == .fire(try speed(20)))
    }

    @Test func `the same frames always give the same next frame`() throws {
        var bracket = usual
        var steps: [AutoBracket.Step] = []
        for _ in 0..<4 {
            let step = bracket.step(from: try speed(28))
            #expect(step == bracket.step(from: try speed(28)))
            steps.append(step)
            guard case .fire(let next) = step else { break }
            bracket.add(try frame(next, greys: [10, 40]))
        }
        #expect(steps.count == 4)
    }

    @Test func `a body with few speeds skips what it does not have`() throws {
        let available = try [10, 20, 30, 40, 50].map { try speed($0) }
        let sparse = AutoBracket(spacing: .one, available: available)
        let (shots, _) = try run([12, 30, 48], from: 30, sparse)
        #expect(Set(shots).isSubset(of: [10, 20, 30, 40, 50]))
        #expect(Set(shots).count == shots.count)
    }

    @Test func `black and white scenes end`() throws {
        let (black, _) = try run([200], from: 30, usual)
        #expect(black.count <= AutoBracket.framesMaxDefault)
        let (white, _) = try run([-200], from: 30, usual)
        #expect(white.count <= AutoBracket.framesMaxDefault)
    }
}
