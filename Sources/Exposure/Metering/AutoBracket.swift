/// The choice of frames for a bracket that finds its own range: which frame is next, when the range is covered, and
/// which frames are kept.
///
/// Each frame is its own test: one spacing farther out is needed anyway, so walking fires fewer frames than jumping.
/// The choice depends on nothing but the frames so far. An interrupted shoot therefore continues from its record.
package struct AutoBracket: Hashable, Sendable {
    package enum Step: Hashable, Sendable {
        case fire(ShutterSpeed)
        case done(Outcome)
    }

    package struct Outcome: Hashable, Sendable {
        /// The speeds of the smallest set that covers the range, fastest first.
        package let kept: [ShutterSpeed]
        /// Why the range is not covered; empty: it is covered.
        package let limits: [Limit]
    }

    /// What stopped the search at an end of the range.
    package enum Limit: Hashable, Sendable {
        /// This share of the picture is still white at the fastest speed.
        case highlights(ShutterSpeed, share: Double)
        /// This share of the picture is still too dark at the slowest speed.
        case shadows(ShutterSpeed, share: Double)
        /// No frame is left.
        case frames(Int)
    }

    /// The default of the largest number of frames.
    package static let framesMaxDefault = 12
    /// How often the first frame is moved out of black or white before the walk begins.
    private static let baseMovesMax = 3
    /// How far the first frame is moved when its middle is white or black, in thirds of a stop.
    private static let (clippedMove, darkMove) = (15, 12)

    package let spacing: Spacing
    package let options: MeteringOptions
    package let framesMax: Int
    /// Whether the base is fired once more at the end of a search with more than one frame, if a frame is left.
    package var repeatsBase = false
    /// The speeds that may be fired, fastest first.
    package let available: [ShutterSpeed]
    /// The frames so far, in the order fired. The first one is at the body's metered speed, or at its current speed.
    package private(set) var frames: [MeteredFrame] = []
    /// The number of frames that were fired and show nothing. They count as frames, so that the search ends.
    package var unseenCount = 0

    /// - Parameters:
    ///   - available: the speeds that may be fired, at least one, in any order.
    ///   - framesMax: the largest number of frames, at least 1.
    package init(
        spacing: Spacing,
        available: [ShutterSpeed],
        framesMax: Int = AutoBracket.framesMaxDefault,
        options: MeteringOptions = MeteringOptions()
    ) {
        precondition(!available.isEmpty && framesMax > 0, "a bracket needs a speed and a frame")
        self.spacing = spacing
        self.available = available.sorted()
        self.framesMax = framesMax
        self.options = options
    }

    package mutating func add(_ frame: MeteredFrame) { frames.append(frame) }

    /// The next frame, or the outcome.
    ///
    /// - Parameter start: the speed of the first frame.
    package func step(from start: ShutterSpeed) -> Step {
        guard let wanted = wanted(from: start) else { return .done(outcome(isOutOfFrames: false)) }
        return firedCount < framesMax ? .fire(wanted) : .done(outcome(isOutOfFrames: true))
    }

    private var firedCount: Int { frames.count + unseenCount }

    /// The next speed; nil: the range is covered as far as the camera's speeds permit.
    private func wanted(from start: ShutterSpeed) -> ShutterSpeed? {
        let base: ShutterSpeed
        switch findBase(from: start) {
        case .fire(let speed): return speed
        case .found(let speed): base = speed
        }
        return walk(from: base, .faster) ?? walk(from: base, .slower) ?? gap ?? repetition(of: base)
    }

    private func repetition(of base: ShutterSpeed) -> ShutterSpeed? {
        let count = frames.count { $0.speed == base }
        return repeatsBase && frames.count > 1 && count == 1 && firedCount < framesMax ? base : nil
    }

    // MARK: The base

    private enum Base {
        case fire(ShutterSpeed)
        case found(ShutterSpeed)
    }

    /// The first frame that is neither black nor white in the middle, or the last permitted attempt.
    private func findBase(from start: ShutterSpeed) -> Base {
        guard let first = frames.first else { return .fire(start.nearest(in: available) ?? start) }
        var base = first
        for move in 1...Self.baseMovesMax {
            let thirds =
                switch base.medianCode {
                case ToneTable.clippedCode...: -Self.clippedMove
                case ..<ToneTable.darkCode: Self.darkMove
                default: 0
                }
            let moved = ShutterSpeed(clamping: base.speed.index + thirds)
            guard thirds != 0, let speed = moved.nearest(in: available), speed != base.speed else { break }
            guard move < frames.count else { return .fire(speed) }
            base = frames[move]
        }
        return .found(base.speed)
    }

    // MARK: The walk

    fileprivate enum Direction {
        case faster
        case slower

        var other: Direction { self == .faster ? .slower : .faster }
    }

    /// A camera with more contrast than the table shows less of the other side than is reckoned.
    private static let spareParts = (kept: 9, all: 10)

    /// The next speed on one side of the base; nil: a frame of this side passes, or the speeds end.
    private func walk(from base: ShutterSpeed, _ direction: Direction) -> ShutterSpeed? {
        var speed = base
        while let frame = frames.last(where: { $0.speed == speed }), !passes(frame, direction) {
            // Frames at hand count, wherever they came from.
            let reach = reach(from: frame, direction)
            let fired = frames.map(\.speed).filter { reach ~= speed.thirds(to: $0, direction) }
            let farthest = direction == .faster ? fired.min() : fired.max()
            guard let next = farthest ?? neighbor(of: speed, reach, direction) else { return nil }
            guard frames.contains(where: { $0.speed == next }) else { return next }
            speed = next
        }
        return nil
    }

    /// How far the next frame may be from a frame that does not show this side, in thirds of a stop.
    ///
    /// It is one spacing. It is more if the frame shows the other side so well that no plan needs the frame: then the
    /// next frame shows that side too.
    private func reach(from frame: MeteredFrame, _ direction: Direction) -> ClosedRange<Int> {
        let (needed, spare) =
            direction == .faster ? (frame.ends.highlight, frame.ends.shadow) : (frame.ends.shadow, frame.ends.highlight)
        guard case .thirds(let spare) = spare, passes(frame, direction.other) else { return 1...spacing.stepThirds }
        let sign = direction == .faster ? -1 : 1
        var most = sign * spare * Self.spareParts.kept / Self.spareParts.all
        if case .thirds(let needed) = needed { most = min(most, sign * needed) }
        return 1...max(spacing.stepThirds, most)
    }

    /// The speed that divides the first gap of the set that would be kept; nil: it has no gap, or the camera has no
    /// such speed.
    private var gap: ShutterSpeed? {
        let kept = outcome(isOutOfFrames: false).kept
        guard let fast = kept.first, let slow = kept.last else { return nil }
        return MissingFrames.speeds(fired: kept, highlight: fast, shadow: slow, spacing: spacing)
            .lazy.compactMap { $0.nearest(in: available) }
            .first { speed in !frames.contains { $0.speed == speed } }
    }

    private func passes(_ frame: MeteredFrame, _ direction: Direction) -> Bool {
        switch direction {
        case .faster: frame.ends.highlightCode < options.highlightCodeMax
        case .slower: frame.ends.shadowCode >= options.shadowCodeMin
        }
    }

    /// The available speed that is farthest out within reach. A body with few speeds may have only farther ones.
    private func neighbor(
        of speed: ShutterSpeed,
        _ reach: ClosedRange<Int>,
        _ direction: Direction
    ) -> ShutterSpeed? {
        let within = available.filter { reach ~= speed.thirds(to: $0, direction) }
        return switch direction {
        case .faster: within.min() ?? available.last { $0 < speed }
        case .slower: within.max() ?? available.first { $0 > speed }
        }
    }

    /// The speeds of the longest search from a speed, for an estimate of its time: to the fast end of the speeds, then
    /// to the slow end. If these are too many frames, the slowest ones count.
    package func longestWalk(from start: ShutterSpeed) -> [ShutterSpeed] {
        let base = start.nearest(in: available) ?? start
        func steps(_ direction: Direction) -> [ShutterSpeed] {
            var steps: [ShutterSpeed] = []
            while let next = neighbor(of: steps.last ?? base, 1...spacing.stepThirds, direction) { steps.append(next) }
            return steps
        }
        let walk = [base] + steps(.faster) + steps(.slower)
        let dropped = Set(walk.sorted().prefix(max(0, walk.count - framesMax)))
        return walk.filter { !dropped.contains($0) }
    }

    // MARK: The outcome

    private func outcome(isOutOfFrames: Bool) -> Outcome {
        let bright = frames.filter { passes($0, .faster) }.map(\.speed).max()
        let dark = frames.filter { passes($0, .slower) }.map(\.speed).min()
        let speeds = frames.map(\.speed)
        var limits: [Limit] = []
        if isOutOfFrames {
            limits.append(.frames(firedCount))
        } else {
            if bright == nil, let frame = frames.min(by: { $0.speed < $1.speed }) {
                limits.append(.highlights(frame.speed, share: frame.clippedShare))
            }
            if dark == nil, let frame = frames.max(by: { $0.speed < $1.speed }) {
                limits.append(.shadows(frame.speed, share: frame.darkShare))
            }
        }
        guard let fast = bright ?? speeds.min(), let slow = dark ?? speeds.max() else {
            return Outcome(kept: [], limits: limits)
        }
        return Outcome(kept: chain(from: fast, to: slow, of: Set(speeds).sorted()), limits: limits)
    }

    /// The fewest speeds from the fast end to the slow end whose neighbours are at most one spacing apart. If one frame
    /// shows both ends, it is the only one.
    private func chain(from fast: ShutterSpeed, to slow: ShutterSpeed, of speeds: [ShutterSpeed]) -> [ShutterSpeed] {
        var kept = [fast]
        while let last = kept.last, last < slow {
            let within = speeds.last { 1...spacing.stepThirds ~= last.thirds(to: $0) && $0 <= slow }
            guard let next = within ?? speeds.first(where: { $0 > last }) else { break }
            kept.append(next)
        }
        return kept
    }
}

extension ShutterSpeed {
    /// The distance to a speed that is farther out, in thirds of a stop.
    fileprivate func thirds(to other: ShutterSpeed, _ direction: AutoBracket.Direction) -> Int {
        direction == .faster ? other.thirds(to: self) : thirds(to: other)
    }
}
