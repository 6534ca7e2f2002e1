/// What a plan has to cover, as places on the scale. The bias is part of it, so that the places may lie off the scale.
struct Span {
    let fastest: Int
    let slowest: Int
    private let request: PlanRequest

    /// The span of a request, its ends in order and moved by the bias.
    init(_ request: PlanRequest) {
        fastest = min(request.shadow, request.highlight).index + request.biasThirds
        slowest = max(request.shadow, request.highlight).index + request.biasThirds
        self.request = request
    }

    /// Whether both ends are the same.
    var isEmpty: Bool { fastest == slowest }

    /// The speed at the fast end.
    var firstSpeed: ShutterSpeed { ShutterSpeed(clamping: fastest) }

    /// The end of the scale that the bias moves an end of the span past, if it does.
    var endPassedByBias: ShutterSpeed? {
        if fastest < ShutterSpeed.fastest.index { return .fastest }
        return slowest > ShutterSpeed.slowest.index ? .slowest : nil
    }

    /// Whether one set covers the span: range ≤ (frames − 1) × spacing.
    private var fitsOneSet: Bool { (slowest - fastest) * 2 <= (request.framesPerSet - 1) * request.spacing.sixths }

    /// The sets from the fast end on: one when the span fits, else as many as it takes until a last frame lies strictly
    /// past the slow end or stands on the slowest speed.
    func sets() -> [[ShutterSpeed]] {
        var sets: [[ShutterSpeed]] = []
        var first = fastest
        repeat {
            let set = speeds(from: first)
            // A bias can leave a set nothing but one end of the scale, which its neighbour holds as well.
            if set.count > 1 { sets.append(set) }
            first += (request.framesPerSet - 1) * request.spacing.stepThirds
        } while !fitsOneSet && first <= slowest && first < ShutterSpeed.slowest.index
        return sets.isEmpty ? [[firstSpeed]] : sets
    }

    /// One set. Frames that fall past an end of the scale are put onto it, and the set holds that speed once.
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
