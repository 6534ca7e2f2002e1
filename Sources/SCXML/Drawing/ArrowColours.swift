/// The colours of arrows: one colour for each target, so that parallel lines differ.
struct ArrowColours {
    private(set) var ofTarget: [Int: Int] = [:]

    static let count = 8
    /// The maximum distance of two lines that run side by side, in pixels.
    private static let nearMax = 2 * Grid.lanePitch

    init(_ arrows: [ChartLayout.Arrow]) {
        let targets = Set(arrows.map(\.target)).sorted()
        let segments = targets.map { target in ArrowSegment.segments(of: arrows.filter { $0.target == target }) }
        var used = Array(repeating: 0, count: Self.count)
        for (place, target) in targets.enumerated() {
            var costs = used
            for (other, colour) in targets[..<place].enumerated().map({ ($0.offset, ofTarget[$0.element] ?? 0) }) {
                costs[colour] += Self.overlap(segments[place], segments[other])
            }
            let colour = costs.indices.min { (costs[$0], $0) < (costs[$1], $1) } ?? 0
            ofTarget[target] = colour
            used[colour] += 1
        }
    }

    /// The total length over which lines of both targets run side by side.
    private static func overlap(_ first: [ArrowSegment], _ second: [ArrowSegment]) -> Int {
        var result = 0
        for one in first {
            for two in second where one.isUpright == two.isUpright && abs(one.place - two.place) <= nearMax {
                result += max(0, min(one.high, two.high) - max(one.low, two.low))
            }
        }
        return result
    }
}
