/// The lane of every segment of every route.
struct LanePlan {
    /// For each route and each gutter on the route: the lane in the gutter.
    private(set) var gutterLanes: [[Int]]
    /// For each route and each level on the route: the lane. The lane is used only for levels in channels.
    private(set) var channelLanes: [[Int]]
    private(set) var needed: Placement.Lanes

    private let graph: RoutingGraph
    private let routes: [Route]
    /// For each channel: the nets that get separate lanes.
    private var apart: [Set<Int>]

    /// The maximum number of rounds that separate overlapping lines. More rounds do not improve the result.
    private static let roundsMax = 6

    /// A segment of a route and the part of the gutter or channel that it uses.
    private struct Use {
        var route: Int
        var leg: Int
        var item: LaneItem
    }

    init(_ graph: RoutingGraph, _ routes: [Route]) {
        self.graph = graph
        self.routes = routes
        gutterLanes = routes.map { $0.gutters.map { _ in 0 } }
        channelLanes = routes.map { $0.levels.map { _ in 0 } }
        needed = Placement.Lanes(
            gutters: graph.skeleton.gutters.map { _ in 0 },
            channels: graph.skeleton.channels.map { _ in 0 }
        )
        apart = graph.skeleton.channels.map { _ in [] }
        for _ in 0..<Self.roundsMax {
            planChannels()
            if planGutters() { break }
        }
    }

    /// Plans the lanes in the gutters. Two lines overlap if their order changes from one channel to the next. One of
    /// them gets a separate lane in this case.
    ///
    /// - Returns: true if no lines overlap.
    private mutating func planGutters() -> Bool {
        var isClear = true
        var uses: [[Use]] = Array(repeating: [], count: graph.skeleton.gutters.count)
        for (number, route) in routes.enumerated() {
            for (leg, gutter) in route.gutters.enumerated() {
                let item = upright(number, leg)
                uses[gutter].append(Use(route: number, leg: leg, item: item))
            }
        }
        for (gutter, list) in uses.enumerated() where !list.isEmpty {
            let (items, itemOfUse) = Self.merged(list)
            let order = LaneOrder(items, packsBefore: graph.skeleton.gutters[gutter].column > 0)
            needed.gutters[gutter] = order.count
            for (first, second, nets) in order.covers(items) {
                isClear = false
                if let channel = second.channel {
                    apart[channel].insert(nets[1])
                } else if let channel = first.channel {
                    apart[channel].insert(nets[0])
                }
            }
            for (use, item) in zip(list, itemOfUse) { gutterLanes[use.route][use.leg] = order.lanes[item] }
        }
        return isClear
    }

    private mutating func planChannels() {
        var uses: [[Use]] = Array(repeating: [], count: graph.skeleton.channels.count)
        for (number, route) in routes.enumerated() {
            for (leg, level) in route.levels.enumerated() {
                guard case .channel(let channel) = graph.levels[level].kind else { continue }
                uses[channel].append(Use(route: number, leg: leg, item: levelItem(route, leg)))
            }
        }
        for (channel, list) in uses.enumerated() where !list.isEmpty {
            let (items, itemOfUse) = Self.merged(list)
            let order = LaneOrder(items, packsBefore: true, apart: apart[channel])
            needed.channels[channel] = order.count
            for (use, item) in zip(list, itemOfUse) { channelLanes[use.route][use.leg] = order.lanes[item] }
        }
    }

    /// The vertical segment of a route in a gutter, between two levels.
    private func upright(_ number: Int, _ leg: Int) -> LaneItem {
        let route = routes[number]
        let taps = [leg, leg + 1].map { level in
            LaneItem.Tap(
                place: y(number, level),
                isBefore: comesFromLeft(route, level, gutter: leg),
                channel: channel(route.levels[level])
            )
        }
        return LaneItem(
            net: graph.edges[route.edge].target,
            low: min(taps[0].place, taps[1].place),
            high: max(taps[0].place, taps[1].place),
            taps: taps
        )
    }

    private func channel(_ level: Int) -> Int? {
        if case .channel(let number) = graph.levels[level].kind { number } else { nil }
    }

    /// The y of a level of a route. Valid only after the lanes of the channels are planned.
    func y(_ route: Int, _ leg: Int) -> Int {
        let level = graph.levels[routes[route].levels[leg]]
        guard case .channel(let number) = level.kind else { return level.y }
        let channel = graph.skeleton.channels[number]
        var first = graph.placement.channels[number].y + Grid.unit / 2
        if case .between = channel.kind, graph.skeleton.document.states[channel.owner].kind == .parallel {
            // The dividing line between two regions needs the space above the first lane.
            first += Grid.unit
        }
        return first + channelLanes[route][leg] * Grid.lanePitch
    }

    /// Whether a route reaches this gutter from the left, on the level with this number.
    private func comesFromLeft(_ route: Route, _ number: Int, gutter leg: Int) -> Bool {
        switch graph.levels[route.levels[number]].kind {
        case .row(_, _, let side), .entry(_, let side): return side == .right
        case .channel:
            let other = number == leg ? route.gutters[leg - 1] : route.gutters[leg + 1]
            return graph.x(other) < graph.x(route.gutters[leg])
        }
    }

    private func levelItem(_ route: Route, _ leg: Int) -> LaneItem {
        let spaces = [route.gutters[leg - 1], route.gutters[leg]].map { graph.placement.gutters[$0] }
        let own = graph.levels[route.levels[leg]].y
        let taps = zip([leg - 1, leg + 1], spaces).map { number, space in
            LaneItem.Tap(place: space.middle, isBefore: graph.levels[route.levels[number]].y < own)
        }
        return LaneItem(
            net: graph.edges[route.edge].target,
            low: spaces.map(\.x).min() ?? 0,
            high: spaces.map(\.right).max() ?? 0,
            taps: taps
        )
    }

    /// Merges arrows to one target into one line if they touch each other.
    private static func merged(_ uses: [Use]) -> (items: [LaneItem], itemOfUse: [Int]) {
        var items: [LaneItem] = []
        var itemOfUse = Array(repeating: 0, count: uses.count)
        let order = uses.indices.sorted { first, second in
            let (one, two) = (uses[first].item, uses[second].item)
            return (one.net, one.low, one.high, first) < (two.net, two.low, two.high, second)
        }
        for use in order {
            let item = uses[use].item
            if let last = items.last, last.net == item.net, item.low <= last.high {
                items[items.count - 1].high = max(last.high, item.high)
                items[items.count - 1].taps += item.taps.filter { !last.taps.contains($0) }
            } else {
                items.append(item)
            }
            itemOfUse[use] = items.count - 1
        }
        return (items, itemOfUse)
    }
}
