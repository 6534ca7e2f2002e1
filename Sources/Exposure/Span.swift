/// The range that a plan covers, as indices on the scale. The bias can move these indices beyond the scale.
struct Span {
    let fastest: Int
    let slowest: Int
    private let request: PlanRequest

    /// The span of a request: its ends are put in order and moved by the bias.
    init(_ request: PlanRequest) {
        fastest = min(request.shadow, request.highlight).index + request.biasThirds
        slowest = max(request.shadow, request.highlight).index + request.biasThirds
        self.request = request
    }

    var isEmpty: Bool { fastest == slowest }

    var firstSpeed: ShutterSpeed { ShutterSpeed(clamping: fastest) }

    /// The end of the scale that the bias exceeds; nil: none.
    var endPassedByBias: ShutterSpeed? {
        if fastest < ShutterSpeed.fastest.index { return .fastest }
        return slowest > ShutterSpeed.slowest.index ? .slowest : nil
    }

    /// Whether one set covers the span: range ≤ (frames − 1) × spacing.
    private var fitsOneSet: Bool { (slowest - fastest) * 2 <= (request.framesPerSet - 1) * request.spacing.sixths }

    /// The sets, from the fastest speed on. Sets are added until a set ends after the slow end of the span, or at the
    /// slowest speed of the scale.
    func sets() -> [[ShutterSpeed]] {
        var sets: [[ShutterSpeed]] = []
        var first = fastest
        repeat {
            let set = speeds(from: first)
            // A bias can reduce a set to one end of the scale. The neighbouring set already has that frame.
            if set.count > 1 { sets.append(set) }
            first += (request.framesPerSet - 1) * request.spacing.stepThirds
        } while !fitsOneSet && first <= slowest && first < ShutterSpeed.slowest.index
        return sets.isEmpty ? [[firstSpeed]] : sets
    }

    /// The speeds of one set. Frames beyond an end of the scale move to that end, and the set has that speed only once.
    private func speeds(from first: Int) -> [ShutterSpeed] {
        var speeds: [ShutterSpeed] = []
        speeds.reserveCapacity(request.framesPerSet)
        for frame in 0..<request.framesPerSet {
            let speed = ShutterSpeed(clamping: first + frame * request.spacing.stepThirds)
            if speeds.last != speed { speeds.append(speed) }
        }
        return speeds
    }
}
