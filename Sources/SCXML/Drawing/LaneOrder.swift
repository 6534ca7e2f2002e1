/// A line in a gutter or channel. All arrows to one target share it.
struct LaneItem {
    var net: Int
    /// The start and end of the line along the gutter or channel.
    var low: Int
    var high: Int
    /// The points at which other lines join or leave this line.
    var taps: [Tap]

    struct Tap: Hashable {
        var place: Int
        /// Whether the other line is left of the gutter or above the channel.
        var isBefore: Bool
        var channel: Int?
    }
}

/// The order of parallel lines. A simple search finds an order with few crossings.
struct LaneOrder {
    private(set) var lanes: [Int] = []
    private(set) var count = 0

    private static let roundsMax = 12
    /// The maximum distance of two lines that a reader cannot distinguish.
    private static let nearMax = 2
    private static let coverCost = 1_000
    /// The minimum gap between the ends of two lines in one lane.
    private static let gap = 12

    /// - Parameters:
    ///   - packsBefore: whether lines are moved towards the first lane. Otherwise they are moved towards the last lane.
    ///   - apart: the nets that get separate lanes, after all other lanes.
    init(_ items: [LaneItem], packsBefore: Bool, apart: Set<Int> = []) {
        let order = Self.order(items)
        lanes = Array(repeating: 0, count: items.count)
        for (place, item) in (packsBefore ? order : order.reversed()).enumerated() {
            let earlier = (packsBefore ? order : order.reversed()).prefix(place)
            let inTheWay = earlier.filter { Self.cross(items[$0], items[item]) }
            lanes[item] = inTheWay.map { lanes[$0] + 1 }.max() ?? 0
        }
        count = (lanes.max() ?? -1) + 1
        if !packsBefore { lanes = lanes.map { count - 1 - $0 } }
        for item in items.indices where apart.contains(items[item].net) {
            lanes[item] = count
            count += 1
        }
    }

    /// Pairs of lines that overlap between their lanes. One leaves to the right where the other joins from the left.
    func covers(_ items: [LaneItem]) -> [(first: LaneItem.Tap, second: LaneItem.Tap, nets: [Int])] {
        var result: [(LaneItem.Tap, LaneItem.Tap, [Int])] = []
        for (number, first) in items.enumerated() {
            for (other, second) in items.enumerated() where lanes[number] < lanes[other] && first.net != second.net {
                for tap in first.taps where !tap.isBefore {
                    for near in second.taps where near.isBefore && abs(near.place - tap.place) <= Self.nearMax {
                        result.append((tap, near, [first.net, second.net]))
                    }
                }
            }
        }
        return result
    }

    private static func cross(_ first: LaneItem, _ second: LaneItem) -> Bool {
        first.low < second.high + gap && second.low < first.high + gap
    }

    /// Moves each line in turn to the place with the lowest cost, until no line moves.
    private static func order(_ items: [LaneItem]) -> [Int] {
        var order = items.indices.sorted { weight(items[$0]) < weight(items[$1]) }
        guard order.count > 1 else { return order }
        let costs = items.map { first in items.map { cost(of: first, before: $0) } }
        for _ in 0..<roundsMax {
            var hasMoved = false
            for item in items.indices {
                guard let from = order.firstIndex(of: item) else { continue }
                let place = bestPlace(for: item, in: order, costs)
                guard place != from else { continue }
                order.remove(at: from)
                order.insert(item, at: place)
                hasMoved = true
            }
            guard hasMoved else { break }
        }
        return order
    }

    /// The place with the lowest cost for a line. If the current place has the same cost, it is the current place.
    private static func bestPlace(for item: Int, in order: [Int], _ costs: [[Int]]) -> Int {
        let others = order.filter { $0 != item }
        let from = order.firstIndex(of: item) ?? 0
        var cost = others.reduce(0) { $0 + costs[item][$1] }
        var all = [cost]
        for other in others {
            cost += costs[other][item] - costs[item][other]
            all.append(cost)
        }
        var best = from
        for (place, cost) in all.enumerated() where cost < all[best] { best = place }
        return best
    }

    /// The weight for sorting. A line that other lines join from the left gets a place on the left.
    private static func weight(_ item: LaneItem) -> (Int, Int, Int) {
        let before = item.taps.filter(\.isBefore).count
        return (item.taps.count - 2 * before, item.low, item.net)
    }

    private static func cost(of first: LaneItem, before second: LaneItem) -> Int {
        guard first.net != second.net else { return 0 }
        var cost = 0
        for tap in first.taps where !tap.isBefore && (second.low...second.high).contains(tap.place) { cost += 1 }
        for tap in second.taps where tap.isBefore && (first.low...first.high).contains(tap.place) { cost += 1 }
        for tap in first.taps where !tap.isBefore {
            for other in second.taps where other.isBefore && abs(tap.place - other.place) <= nearMax {
                cost += coverCost
            }
        }
        return cost
    }
}
