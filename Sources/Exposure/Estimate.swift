/// The estimated time of a shoot.
package struct Estimate: Hashable, Sendable {
    /// Whether the camera possibly takes a dark frame of the same length after a long exposure.
    package enum NoiseReduction: Hashable, Sendable {
        case off
        /// Noise reduction is on, or its setting is unknown.
        case possible
    }

    /// The behaviour of a camera that changes its speed only in single steps.
    package struct Stepping: Hashable, Sendable {
        /// The time of one step, which is a third of a stop.
        package var perNotch: Duration
        /// The speed before the first frame; nil: unknown, so the steps to the first frame are not counted.
        package var from: ShutterSpeed?

        package init(perNotch: Duration, from: ShutterSpeed?) {
            precondition(perNotch >= .zero, "a notch takes time")
            self.perNotch = perNotch
            self.from = from
        }
    }

    /// The time per frame as measured on this camera, without the exposure.
    package struct LearnedTiming: Hashable, Sendable {
        package var median: Duration
        package var percentile95: Duration
        package var frames: Int

        package init(median: Duration, percentile95: Duration, frames: Int) {
            precondition(median >= .zero && percentile95 >= median && frames > 0, "times that were measured")
            self.median = median
            self.percentile95 = percentile95
            self.frames = frames
        }

        /// The smallest number of frames that gives a usable estimate.
        package static let framesMin = 5
    }

    package let frames: Int
    package let exposures: Duration
    /// The time per frame without its exposure: setting and confirming the speed, saving.
    package let overheadPerFrame: Duration
    /// The times measured on this camera. If enough frames were measured, `overheadPerFrame` is computed from these
    /// times. Otherwise it is a default.
    package let learned: LearnedTiming?
    /// The time that dark frames may add; zero if noise reduction is off or no exposure is long enough.
    package let darkFrames: Duration
    /// The number of speed steps between frames; 0 for a camera that accepts any speed at once.
    package let notches: Int
    package let stepping: Duration

    /// The assumed time per frame on a camera that was not measured.
    package static let overheadPerFrameDefault = Duration.milliseconds(1500)
    /// The shortest exposure that is followed by a dark frame when long-exposure noise reduction is on.
    package static let noiseReductionFrom = Duration.seconds(1)

    /// Computes the estimate for a plan.
    ///
    /// - Parameters:
    ///   - learned: the times measured on the camera; nil: none. For a camera with speed steps they exclude the time of
    ///     the steps, because the estimate counts the steps separately.
    ///   - noiseReduction: whether exposures of 1 s and longer can take twice their time.
    ///   - stepping: the speed steps of the camera; nil: the camera accepts any speed at once.
    package init(
        _ plan: Plan,
        learned: LearnedTiming? = nil,
        noiseReduction: NoiseReduction = .off,
        stepping: Stepping? = nil
    ) {
        self.init(
            speeds: plan.estimatedSpeeds(),
            learned: learned,
            noiseReduction: noiseReduction,
            stepping: stepping
        )
    }

    /// Computes the estimate for frames at these speeds, in this order.
    package init(
        speeds: [ShutterSpeed],
        learned: LearnedTiming? = nil,
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

    package var shortest: Duration { exposures + overheadPerFrame * frames + stepping }

    /// The time with all possible dark frames.
    package var longest: Duration { shortest + darkFrames }
}

extension Estimate.LearnedTiming {
    var isEnough: Bool { frames >= Self.framesMin }
}

extension Estimate {
    /// The number of thirds of a stop between consecutive speeds, in either direction. It includes the thirds from
    /// `start` to the first speed.
    fileprivate static func notches(_ frames: [ShutterSpeed], from start: ShutterSpeed?) -> Int {
        let speeds = [start].compactMap(\.self) + frames
        return zip(speeds, speeds.dropFirst()).reduce(0) { $0 + abs($1.0.thirds(to: $1.1)) }
    }
}

/// Converts durations to text, rounded to a useful precision.
package enum TimeText {
    /// The time as text: `0.4 s` below ten seconds, `24 s` below a minute, then `3 min 20 s`, then `1 h 5 min`.
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
