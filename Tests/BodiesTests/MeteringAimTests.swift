import Bodies
import Exposure
import Testing

/// The meter and the automatic bracket before 1,000 random scenes, on four tone curves that they do not know.
@Suite struct MeteringAimTests {
    private static let sceneCount = 1_000

    private struct Trial {
        var scene: Scene
        /// The speed that a body's own meter shows: at most 2 EV off the mean light.
        var start: ShutterSpeed
    }

    private static let trials: [Trial] = (1...sceneCount).map { seed in
        var generator = SeededGenerator(seed: UInt64(seed))
        let scene = Scene.drawn(from: &generator)
        let light = SceneEye(scene).meteredLight
        let index = Int(scene.camera.index(rendering: light).rounded()) + generator.next(in: -6...6)
        let limits = scene.camera.limits
        let speed = ShutterSpeed(index: min(max(index, limits.lowerBound.index), limits.upperBound.index))
        return Trial(scene: scene, start: speed ?? .oneSecond)
    }

    private static func eye(_ trial: Trial, _ curve: SceneCurve) -> SceneEye {
        var scene = trial.scene
        scene.camera.curve = curve
        return SceneEye(scene)
    }

    // MARK: Metering

    private struct Metered {
        var frames: Int
        /// The largest error of both ends in thirds of a stop.
        var error: Double
    }

    /// Meters the points of a scene, or its whole picture.
    private static func meter(_ eye: SceneEye, from start: ShutterSpeed, atPoints: Bool) throws -> Metered {
        let options = MeteringOptions()
        let scene = eye.scene
        let points: [(SceneEnd, PicturePoint)] = [
            (.highlight, try #require(scene.highlightPoint)), (.shadow, try #require(scene.shadowPoint)),
        ]
        var search = SpotSearch(spotCount: 2, available: scene.camera.speeds)
        var speed: ShutterSpeed? = start
        while let fired = speed {
            let picture = eye.picture(at: fired)
            let light = try #require(eye.light(of: picture))
            if atPoints {
                search.read(points.map { eye.spotCode(at: $0.1, $0.0, in: picture) }, at: fired, map: light.map)
            } else {
                let ends = FrameEnds(brightest: light.brightest, luma: light.luma)
                search.read([ends.highlightCode, ends.shadowCode], at: fired, map: light.map)
            }
            speed = search.next
        }
        var worst = 0.0
        for (spot, (end, point)) in zip(search.spots, points) {
            let wholeLight =
                end == .highlight
                ? eye.highlightLight(share: options.highlightShare) : eye.shadowLight(share: options.shadowShare)
            let light = atPoints ? eye.spotLight(at: point, end) : wholeLight
            for placement in Placement.allCases {
                let answer = try #require(
                    MeteredSpeed(spot, placing: end, as: placement, available: scene.camera.speeds, tones: search.tones)
                )
                let shift = placement == .grey ? 0 : end == .highlight ? 6.0 : -5.0
                let right = scene.camera.index(rendering: light) + shift
                let limits = scene.camera.limits
                let nearest = min(max(right, Double(limits.lowerBound.index)), Double(limits.upperBound.index))
                worst = max(worst, abs(Double(answer.speed.index) - nearest))
                // More than an error beyond the speeds: the meter has to say so.
                if abs(right - nearest) > 2 {
                    #expect(answer.certainty == .outside, "\(end) at \(right), answered \(answer)")
                }
            }
        }
        return Metered(frames: search.frames.count, error: worst)
    }

    @Test(arguments: [true, false])
    func `metering is within a third of a stop in 99 of 100 scenes`(atPoints: Bool) throws {
        var frames = 0
        for curve in SceneCurve.allCases {
            let metered = try Self.trials.map {
                try Self.meter(Self.eye($0, curve), from: $0.start, atPoints: atPoints)
            }
            #expect(metered.filter { $0.error <= 1.5 }.count >= 990, "\(curve)")
            #expect(metered.allSatisfy { $0.frames <= SpotSearch.framesMax }, "\(curve)")
            frames += metered.reduce(0) { $0 + $1.frames }
        }
        let mean = Double(frames) / Double(Self.sceneCount * SceneCurve.allCases.count)
        #expect(mean <= 3)
    }

    // MARK: Automatic brackets

    private struct Bracketed {
        var shots: [ShutterSpeed]
        var outcome: AutoBracket.Outcome
        var good: Int
        var faults: [String]
    }

    private static func bracket(_ eye: SceneEye, from start: ShutterSpeed, _ spacing: Spacing) throws -> Bracketed {
        var bracket = AutoBracket(spacing: spacing, available: eye.scene.camera.speeds)
        while true {
            switch bracket.step(from: start) {
            case .fire(let speed):
                bracket.add(MeteredFrame(speed: speed, light: try #require(eye.light(at: speed))))
            case .done(let outcome):
                let shots = bracket.frames.map(\.speed)
                return judge(eye, shots, outcome, spacing)
            }
        }
    }

    /// What is wrong with a finished set, from the known light of the scene.
    private static func judge(
        _ eye: SceneEye,
        _ shots: [ShutterSpeed],
        _ outcome: AutoBracket.Outcome,
        _ spacing: Spacing
    ) -> Bracketed {
        let (camera, options) = (eye.scene.camera, MeteringOptions())
        let highlight = eye.highlightLight(share: options.highlightShare)
        let shadow = eye.shadowLight(share: options.shadowShare)
        let step = spacing.stepThirds
        func ev(_ light: Double, _ speed: ShutterSpeed) -> Double {
            (Double(speed.index) - camera.index(rendering: light)) / 3
        }
        func codeEV(_ code: Int) -> Double {
            // The least light that gives the code.
            var (low, high) = (-12.0, 6.0)
            for _ in 0..<40 {
                let middle = (low + high) / 2
                if camera.curve.code(at: middle) >= code { high = middle } else { low = middle }
            }
            return high
        }
        func need(_ bright: Double, _ dark: Double) -> (Int, Int) {
            let first = Int(camera.index(rendering: highlight, at: bright).rounded(.down))
            return (first, Int(camera.index(rendering: shadow, at: dark).rounded(.up)))
        }
        let needs = [need(2, -5.0 / 3), need(codeEV(220), codeEV(50))]
        let limits = camera.limits.lowerBound.index...camera.limits.upperBound.index
        let good =
            needs.map { first, last in
                let (first, last) = (max(first, limits.lowerBound), min(last, limits.upperBound))
                return last <= first ? 1 : 1 + (last - first + step - 1) / step
            }.max() ?? 1
        var faults: [String] = []
        let kept = outcome.kept
        if let fast = kept.first, let slow = kept.last {
            let shown = camera.curve.code(at: ev(highlight, fast))
            if outcome.isAtFastEnd {
                if fast != camera.limits.lowerBound { faults.append("stopped before the fast end") }
            } else if shown >= ToneTable.clippedCode {
                faults.append("highlights show \(shown)")
            }
            let wanted = min(-5.0 / 3, codeEV(50)) - 1.0 / 3
            if outcome.isAtSlowEnd {
                if slow != camera.limits.upperBound { faults.append("stopped before the slow end") }
            } else if ev(shadow, slow) < wanted {
                faults.append("shadows at \(ev(shadow, slow)) EV")
            }
            if zip(kept, kept.dropFirst()).contains(where: { $0.thirds(to: $1) > step }) { faults.append("a gap") }
            if kept.count > 1 {
                let first = needs.map(\.0).min() ?? 0
                let last = needs.map(\.1).max() ?? 0
                if fast.index < first - step - 3 { faults.append("\(fast.index) is too fast for \(first)") }
                if slow.index > last + step + 3 { faults.append("\(slow.index) is too slow for \(last)") }
            }
        } else {
            faults.append("nothing kept")
        }
        if kept.count > good + 2 { faults.append("\(kept.count) kept, \(good) are good") }
        if shots.count > good + 4 { faults.append("\(shots.count) shots, \(good) are good") }
        return Bracketed(shots: shots, outcome: outcome, good: good, faults: faults)
    }

    @Test(arguments: Spacing.allCases)
    func `an automatic bracket covers every scene with few frames`(spacing: Spacing) throws {
        var extra = 0
        for curve in SceneCurve.allCases {
            for (index, trial) in Self.trials.enumerated() {
                let result = try Self.bracket(Self.eye(trial, curve), from: trial.start, spacing)
                if result.outcome.isOutOfFrames {
                    #expect(result.good > AutoBracket.framesMaxDefault - 2, "seed \(index + 1)")
                    continue
                }
                let more = result.shots.count - result.good
                extra += max(0, more)
                if more > 2 || !result.faults.isEmpty {
                    Issue.record(
                        "\(curve), seed \(index + 1): \(result.faults), shots \(result.shots), good \(result.good)"
                    )
                }
            }
        }
        let mean = Double(extra) / Double(Self.sceneCount * SceneCurve.allCases.count)
        #expect(mean <= 0.3)
    }

    // MARK: Coverage

    /// Whether a cell of the scene is neither white nor dark in a picture, by its own codes.
    private static func isWell(_ codes: SceneEye.Codes) -> Bool {
        codes.brightest < UInt8(ToneTable.clippedCode) && codes.luma >= PictureMap.darkMax
    }

    @Test func `coverage names every set that leaves a part of the scene out`() throws {
        var (coveredSets, openSets) = (0, 0)
        for (index, trial) in Self.trials.enumerated() {
            let eye = Self.eye(trial, SceneCurve.allCases[index % 4])
            let result = try Self.bracket(eye, from: trial.start, .two)
            // The whole set, and the set without its fastest, its middle or its slowest frame.
            let kept = result.outcome.kept
            let place = [0, kept.count / 2, kept.count - 1][index % 3]
            let without = kept.enumerated().filter { $0.offset != place }.map(\.element)
            for speeds in [kept, without] where !speeds.isEmpty {
                let pictures = speeds.map { eye.picture(at: $0) }
                let open = (0..<pictures[0].count).filter { cell in !pictures.contains { Self.isWell($0[cell]) } }.count
                let frames = zip(speeds, pictures).map { ($0, eye.light(of: $1)?.map) }
                let coverage = try #require(Coverage(frames, spacing: .two, available: eye.scene.camera.speeds))
                let share = coverage.clippedShare + coverage.darkShare + coverage.gapShare
                #expect(abs(share - Double(open) / Double(pictures[0].count)) < 1e-9, "seed \(index + 1)")
                #expect(coverage.isCovered == (open == 0), "seed \(index + 1)")
                if open == 0 { coveredSets += 1 } else { openSets += 1 }
            }
        }
        #expect(coveredSets > 50 && openSets > 50, "the sets must differ for this test to test anything")
    }

    // MARK: Noise

    @Test func `the noise of a sensor changes neither a metered speed nor a bracket by much`() throws {
        var noise = SeededGenerator(seed: 1)
        for (index, trial) in Self.trials.prefix(40).enumerated() {
            let eye = Self.eye(trial, .camera)
            var bracket = AutoBracket(spacing: .two, available: eye.scene.camera.speeds)
            var outcome: AutoBracket.Outcome?
            while outcome == nil {
                switch bracket.step(from: trial.start) {
                case .fire(let speed):
                    let picture = eye.picture(at: speed, noise: &noise)
                    bracket.add(MeteredFrame(speed: speed, light: try #require(eye.light(of: picture))))
                case .done(let end): outcome = end
                }
            }
            let clean = try Self.bracket(eye, from: trial.start, .two)
            let difference = abs((outcome?.kept.count ?? 0) - clean.outcome.kept.count)
            #expect(difference <= 1, "seed \(index + 1)")
        }
    }
}

extension AutoBracket.Outcome {
    fileprivate var isOutOfFrames: Bool { limits.contains { if case .frames = $0 { true } else { false } } }
    fileprivate var isAtFastEnd: Bool { limits.contains { if case .highlights = $0 { true } else { false } } }
    fileprivate var isAtSlowEnd: Bool { limits.contains { if case .shadows = $0 { true } else { false } } }
}
