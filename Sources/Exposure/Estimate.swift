/// How long a shoot will take.
package struct Estimate: Hashable, Sendable {
    /// Whether the camera may follow a long exposure with a dark frame of the same length.
    package enum NoiseReduction: Hashable, Sendable {
        case off
        /// It is on, or nothing is known about it.
        case possible
    }

    /// How a body goes from one speed to the next that takes notch by notch.
    package struct Stepping: Hashable, Sendable {
        /// The time that a notch, a third of a stop, takes.
        package var perNotch: Duration
        /// The speed that the body has before the first frame; nil: not known, and the way from there is not counted.
        package var from: ShutterSpeed?

        package init(perNotch: Duration, from: ShutterSpeed?) {
            precondition(perNotch >= .zero, "a notch takes time")
            self.perNotch = perNotch
            self.from = from
        }
    }

    /// What frames on this body took besides their exposures.
    package struct Learned: Hashable, Sendable {
        /// What half of the frames took at the most.
        package var median: Duration
        /// What 95 % of the frames took at the most.
        package var percentile95: Duration
        /// How many frames that is taken from.
        package var frames: Int

        package init(median: Duration, percentile95: Duration, frames: Int) {
            precondition(median >= .zero && percentile95 >= median && frames > 0, "times that were measured")
            self.median = median
            self.percentile95 = percentile95
            self.frames = frames
        }

        /// Fewer frames than these say too little.
        package static let framesMin = 5
    }

    /// How many frames are fired.
    package let frames: Int
    /// The time the shutter is open, all frames together.
    package let exposures: Duration
    /// The time a frame takes besides its exposure: setting and confirming the speed, saving.
    package let overheadPerFrame: Duration
    /// What was measured on this body. `overheadPerFrame` is learned from it where it is enough, and else what an
    /// unknown body is taken to need.
    package let learned: Learned?
    /// The time that dark frames may add; zero where noise reduction is off or no exposure is long enough.
    package let darkFrames: Duration
    /// The notches between each frame's speed and the one before; 0 for a body that takes any speed at once.
    package let notches: Int
    /// The time that all notches take together.
    package let stepping: Duration

    /// What a body that has not been measured is taken to need per frame.
    package static let overheadPerFrameDefault = Duration.milliseconds(1500)
    /// The shortest exposure that long-exposure noise reduction follows with a dark frame.
    package static let noiseReductionFrom = Duration.seconds(1)

    /// The estimate for a plan.
    ///
    /// - Parameters:
    ///   - learned: what was measured on the body; nil when nothing was. Of a body that steps without the time that
    ///     its notches took, for they are counted by themselves.
    ///   - noiseReduction: whether exposures of 1 s and more may take twice their time.
    ///   - stepping: how the body goes from speed to speed; nil: it takes any at once.
    package init(
        _ plan: Plan,
        learned: Learned? = nil,
        noiseReduction: NoiseReduction = .off,
        stepping: Stepping? = nil
    ) {
        self.init(
            speeds: plan.frames.map(\.speed),
            learned: learned,
            noiseReduction: noiseReduction,
            stepping: stepping
        )
    }

    /// The same for frames at these speeds, one after the other.
    package init(
        speeds: [ShutterSpeed],
        learned: Learned? = nil,
        noiseReduction: NoiseReduction = .off,
        stepping: Stepping? = nil
    ) {
        let times = speeds.map(\.exposureTime)
        frames = speeds.count
        exposures = times.reduce(.zero, +)
        self.learned = learned
        overheadPerFrame = learned.flatMap { $0.isEnough ? $0.median : nil } ?? Estimate.overheadPerFrameDefault
        darkFrames =
            switch noiseReduction {
            case .off: .zero
            case .possible: times.filter { $0 >= Estimate.noiseReductionFrom }.reduce(.zero, +)
            }
        notches = stepping.map { Estimate.notches(speeds, from: $0.from) } ?? 0
        self.stepping = (stepping?.perNotch ?? .zero) * notches
    }

    /// The time without dark frames.
    package var shortest: Duration { exposures + overheadPerFrame * frames + stepping }

    /// The time with every dark frame that the camera may take.
    package var longest: Duration { shortest + darkFrames }

    /// What the estimate is made of: `15 exposures of 8.3 s together, 1.5 s per frame besides, as a guess` or `0.9 s
    /// per frame besides (95 % within 1.3 s), learned from 45 frames on this camera`, and on a body that steps `, 29 s
    /// for 42 notches of the shutter speed`.
    package var basis: String {
        let open = "\(frames == 1 ? "1 exposure" : "\(frames) exposures") of \(TimeText.text(exposures)) together"
        let steps = notches == 1 ? "1 notch" : "\(notches) notches"
        let way = notches > 0 ? ", \(TimeText.text(stepping)) for \(steps) of the shutter speed" : ""
        return open + ", \(TimeText.text(overheadPerFrame)) per frame besides\(source)" + way
    }

    /// Where the time per frame is from.
    private var source: String {
        guard let learned else { return ", as a guess" }
        guard learned.isEnough else {
            let frames = learned.frames == 1 ? "1 frame" : "\(learned.frames) frames"
            return ", as a guess (\(frames) on this camera, too few to learn from)"
        }
        let most = TimeText.text(learned.percentile95)
        return " (95 % within \(most)), learned from \(learned.frames) frames on this camera"
    }

    /// The estimate as one sentence.
    package func sentence() -> String {
        let dark = darkFrames > .zero ? "; up to \(TimeText.text(longest)) with long-exposure noise reduction" : ""
        return "About \(TimeText.text(shortest)): \(basis)\(dark)."
    }
}

extension Estimate.Learned {
    fileprivate var isEnough: Bool { frames >= Self.framesMin }
}

extension Estimate {
    /// The thirds of a stop from each speed to the next, both ways, and from `start` to the first.
    fileprivate static func notches(_ frames: [ShutterSpeed], from start: ShutterSpeed?) -> Int {
        let speeds = [start].compactMap(\.self) + frames
        return zip(speeds, speeds.dropFirst()).reduce(0) { $0 + abs($1.0.thirds(to: $1.1)) }
    }
}

/// Times as people say them, rounded to what matters.
package enum TimeText {
    /// `0.4 s` below ten seconds, `24 s` below a minute, then `3 min 20 s`, then `1 h 5 min`.
    package static func text(_ time: Duration) -> String {
        let (seconds, attoseconds) = time.components
        let tenths = seconds * 10 + (attoseconds + 50_000_000_000_000_000) / 100_000_000_000_000_000
        if tenths == 0, time > .zero { return "less than 0.1 s" }
        if tenths < 100 { return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s" }
        let rounded = (tenths + 5) / 10
        switch rounded {
        case ..<60: return "\(rounded) s"
        case ..<3600: return rounded % 60 == 0 ? "\(rounded / 60) min" : "\(rounded / 60) min \(rounded % 60) s"
        default:
            let minutes = (rounded + 30) / 60
            return minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
        }
    }
}
