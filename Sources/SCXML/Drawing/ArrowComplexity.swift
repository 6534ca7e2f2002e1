/// A straight segment of the lines to one target.
struct ArrowSegment: Hashable, Comparable {
    var isUpright: Bool
    /// The x of a vertical segment, or the y of a horizontal segment.
    var place: Int
    var low: Int
    var high: Int

    static func segments(of arrows: [ChartLayout.Arrow]) -> [ArrowSegment] {
        var all: Set<ArrowSegment> = []
        for arrow in arrows {
            for (from, to) in zip(arrow.points, arrow.points.dropFirst()) where from != to {
                let isUpright = from.x == to.x
                let ends = isUpright ? [from.y, to.y] : [from.x, to.x]
                let place = isUpright ? from.x : from.y
                let (low, high) = (min(ends[0], ends[1]), max(ends[0], ends[1]))
                all.insert(ArrowSegment(isUpright: isUpright, place: place, low: low, high: high))
            }
        }
        var result: [ArrowSegment] = []
        for segment in all.sorted(by: <) {
            if let last = result.last, last.continues(in: segment) {
                result[result.count - 1].high = max(last.high, segment.high)
            } else {
                result.append(segment)
            }
        }
        return result
    }

    private func continues(in next: ArrowSegment) -> Bool {
        isUpright == next.isUpright && place == next.place && next.low <= high
    }

    static func < (first: ArrowSegment, second: ArrowSegment) -> Bool {
        let one = [first.isUpright ? 1 : 0, first.place, first.low, first.high]
        return one.lexicographicallyPrecedes([second.isUpright ? 1 : 0, second.place, second.low, second.high])
    }
}

/// A measure of how hard the arrows are to follow.
struct ArrowComplexity {
    private(set) var crossings = 0
    /// The total length of the lines. A line that several arrows share counts once.
    private(set) var length = 0

    init(_ arrows: [ChartLayout.Arrow]) {
        let targets = Set(arrows.map(\.target)).sorted()
        let nets = targets.map { target in ArrowSegment.segments(of: arrows.filter { $0.target == target }) }
        length = nets.joined().reduce(0) { $0 + $1.high - $1.low }
        for (number, net) in nets.enumerated() {
            for other in nets[(number + 1)...] { crossings += Self.crossings(net, other) }
        }
    }

    private static func crossings(_ first: [ArrowSegment], _ second: [ArrowSegment]) -> Int {
        var result = 0
        for one in first {
            for two in second where one.isUpright != two.isUpright {
                let isCrossed = one.low < two.place && two.place < one.high
                if isCrossed && two.low < one.place && one.place < two.high { result += 1 }
            }
        }
        return result
    }
}
