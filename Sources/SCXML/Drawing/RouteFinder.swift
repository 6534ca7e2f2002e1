/// The route of an arrow: alternating horizontal and vertical segments from a row of text to the target's box.
struct Route {
    var edge: Int
    /// The levels of the horizontal segments, from the level of the row to the level of the target.
    var levels: [Int]
    /// The gutters of the vertical segments: one between each two levels.
    var gutters: [Int]
}

/// Finds the cheapest route for each arrow. A segment that another arrow to the same target already uses costs little.
/// So arrows join early, and the page has fewer lines.
struct RouteFinder {
    private(set) var routes: [Route] = []

    private let graph: RoutingGraph
    private let map: Map
    /// The gutter and level segments that arrows to the current target use. The index is the upper or left node.
    private var takenUpright: [Bool]
    private var takenLevel: [Bool]
    /// The lowest costs so far. Each node has an even index for arrival along its level, and an odd index for arrival
    /// along its gutter.
    private var costs: [Int]
    private var previous: [Int]
    private var isDone: [Bool]

    private static let bendCost = 40
    private static let crossingCost = 6
    private static let leftCost = 16
    private static let crossStateCost = 600
    private static let none = -1

    /// The graph as plain arrays. The index is the node.
    private struct Map {
        var x: [Int]
        var y: [Int]
        /// The box whose channel contains the node; `none` if there is no such box.
        var owner: [Int]
        var level: [Int]
        var above: [Int]
        var below: [Int]
        var left: [Int]
        var right: [Int]

        init(_ graph: RoutingGraph) {
            x = graph.nodes.map { graph.x($0.gutter) }
            y = graph.nodes.map { graph.levels[$0.level].y }
            owner = graph.nodes.map { node in
                guard case .channel(let channel) = graph.levels[node.level].kind else { return none }
                return graph.skeleton.channels[channel].owner
            }
            level = graph.nodes.map(\.level)
            above = graph.nodes.map { $0.above ?? none }
            below = graph.nodes.map { $0.below ?? none }
            left = graph.nodes.map { $0.left ?? none }
            right = graph.nodes.map { $0.right ?? none }
        }
    }

    init(_ graph: RoutingGraph) {
        self.graph = graph
        map = Map(graph)
        let count = graph.nodes.count
        takenUpright = Array(repeating: false, count: count)
        takenLevel = takenUpright
        costs = Array(repeating: 0, count: count * 2)
        previous = costs
        isDone = Array(repeating: false, count: count * 2)
        var found: [Route?] = Array(repeating: nil, count: graph.edges.count)
        for target in Set(graph.edges.map(\.target)).sorted() {
            for node in 0..<count {
                takenUpright[node] = false
                takenLevel[node] = false
            }
            let net = graph.edges.indices.filter { graph.edges[$0].target == target }
            // The arrow that starts nearest to the target is routed first, because the other arrows join its line.
            let entry = graph.placement.boxes[target].y
            let distance = { (edge: Int) in abs(graph.placement.boxes[graph.edges[edge].state].y - entry) }
            for edge in net.sorted(by: { (distance($0), $0) < (distance($1), $1) }) { found[edge] = route(edge) }
        }
        routes = found.compactMap { $0 }
    }

    private mutating func route(_ edge: Int) -> Route? {
        for place in costs.indices {
            costs[place] = Int.max
            previous[place] = Self.none
            isDone[place] = false
        }
        var queue = PlaceQueue()
        for level in graph.starts[edge] {
            for node in graph.nodesOfLevel[level] { reach(node * 2, startCost(level, node), from: Self.none, &queue) }
        }
        let strangers = strangers(to: edge)
        let goals = graph.entries[graph.edges[edge].target]
        var best: (place: Int, cost: Int)?
        while let place = queue.pop() {
            guard !isDone[place] else { continue }
            isDone[place] = true
            if let best, best.cost <= costs[place] { break }
            if place % 2 == 1, goals.contains(map.level[place / 2]) {
                let whole = costs[place] + endCost(place / 2)
                if best.map({ whole < $0.cost }) ?? true { best = (place, whole) }
            }
            advance(from: place, strangers, &queue)
        }
        return best.map { take(edge, to: $0.place) }
    }

    private mutating func advance(from place: Int, _ strangers: [Bool], _ queue: inout PlaceQueue) {
        let node = place / 2
        let isUpright = place % 2 == 1
        let cost = costs[place]
        for (next, upper) in [(map.above[node], map.above[node]), (map.below[node], node)] where next != Self.none {
            let length = abs(map.y[next] - map.y[node])
            let step = (takenUpright[upper] ? length / 4 : length) + (isUpright ? 0 : Self.bendCost)
            reach(next * 2 + 1, cost + step, from: place, &queue)
        }
        guard map.owner[node] != Self.none else { return }
        let turn = (isUpright ? Self.bendCost : 0) + (strangers[map.owner[node]] ? Self.crossStateCost : 0)
        for (next, first) in [(map.left[node], map.left[node]), (map.right[node], node)] where next != Self.none {
            let length = abs(map.x[next] - map.x[node]) + Self.crossingCost
            reach(next * 2, cost + turn + (takenLevel[first] ? length / 4 : length), from: place, &queue)
        }
    }

    private mutating func reach(_ place: Int, _ cost: Int, from: Int, _ queue: inout PlaceQueue) {
        guard cost < costs[place] else { return }
        costs[place] = cost
        previous[place] = from
        queue.push(place, cost)
    }

    /// The boxes that contain neither end of an arrow. The arrow should avoid them.
    private func strangers(to edge: Int) -> [Bool] {
        var result = graph.skeleton.document.states.map { _ in true }
        for end in [graph.edges[edge].state, graph.edges[edge].target] {
            var state = end
            result[0] = false
            while state != 0 {
                result[state] = false
                state = graph.skeleton.document.states[state].parent
            }
        }
        return result
    }

    private func startCost(_ level: Int, _ node: Int) -> Int {
        guard case .row(let state, _, let side) = graph.levels[level].kind else { return 0 }
        let box = graph.placement.boxes[state]
        return side == .right ? abs(map.x[node] - box.right) : abs(box.x - map.x[node]) + Self.leftCost
    }

    private func endCost(_ node: Int) -> Int {
        guard case .entry(let state, let side) = graph.levels[map.level[node]].kind else { return 0 }
        let box = graph.placement.boxes[state]
        return abs(map.x[node] - (side == .right ? box.right : box.x)) + Self.bendCost
    }

    /// Reads the route from the result of the search. Marks its segments as used, for later arrows.
    private mutating func take(_ edge: Int, to end: Int) -> Route {
        var places = [end]
        while let place = places.last, previous[place] != Self.none { places.append(previous[place]) }
        places.reverse()
        var route = Route(edge: edge, levels: [map.level[places[0] / 2]], gutters: [])
        for (from, to) in zip(places, places.dropFirst()) {
            let (first, second) = (from / 2, to / 2)
            if to % 2 == 0 {
                takenLevel[map.right[first] == second ? first : second] = true
                if from % 2 == 1 { route.levels.append(map.level[first]) }
            } else {
                takenUpright[map.below[first] == second ? first : second] = true
                if from % 2 == 0 { route.gutters.append(graph.nodes[second].gutter) }
            }
        }
        route.levels.append(map.level[end / 2])
        return route
    }
}

/// A queue of places, the place with the lowest cost first. Places with equal cost keep their order.
private struct PlaceQueue {
    private var heap: [(cost: Int, order: Int, place: Int)] = []
    private var count = 0

    mutating func push(_ place: Int, _ cost: Int) {
        heap.append((cost, count, place))
        count += 1
        var child = heap.count - 1
        while child > 0, comes(child, before: (child - 1) / 2) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func pop() -> Int? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return first.place }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && comes(child, before: least) {
                least = child
            }
            guard least != parent else { return first.place }
            heap.swapAt(least, parent)
            parent = least
        }
    }

    private func comes(_ first: Int, before second: Int) -> Bool {
        (heap[first].cost, heap[first].order) < (heap[second].cost, heap[second].order)
    }
}
