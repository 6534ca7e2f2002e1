/// A chart with a position for every part. It is the basis of the drawing.
struct ChartLayout {
    let document: ChartDocument
    let placement: Placement
    /// One arrow for every row and target, in the order of the rows.
    let arrows: [Arrow]
    let colours: [Int: Int]
    /// All lines of text in boxes, without the names of the boxes.
    let lines: [TextLine]

    /// A line with right angles from a row to a box.
    struct Arrow {
        var state: Int
        var row: Int
        var target: Int
        var points: [Point]
    }

    struct Point: Equatable {
        var x: Int
        var y: Int
    }

    /// The maximum number of page shapes whose layouts are computed and compared.
    private static let attemptsMax = 16
    /// The maximum number of transitions of a chart for which more than two page shapes are tried.
    private static let transitionsMax = 150

    /// Computes layouts for the page shapes with the best estimates. Keeps the layout with the lowest cost.
    init(_ document: ChartDocument) {
        let words = DrawingLabels(document: document)
        let texts = document.states.indices.map { BoxText($0, in: words) }
        let finder = ShapeFinder(document, texts)
        let shapes = finder.shapes[0]
        let promising = shapes.indices.sorted { first, second in
            let costs = [first, second].map { Self.cost(shapes[$0].width, shapes[$0].height) }
            return (costs[0], first) < (costs[1], second)
        }
        var best = Attempt(Skeleton(finder, root: promising[0]))
        let attemptsMax = document.transitions.count <= Self.transitionsMax ? Self.attemptsMax : 2
        for shape in promising.dropFirst().prefix(attemptsMax - 1) {
            let attempt = Attempt(Skeleton(finder, root: shape))
            if attempt.cost < best.cost { best = attempt }
        }
        self.document = document
        placement = best.placement
        arrows = best.arrows
        colours = ArrowColours(arrows).ofTarget
        lines = TextLine.lines(placement)
    }

    var skeleton: Skeleton { placement.skeleton }

    func nameSpace(_ state: Int) -> Placement.Rectangle {
        let mark = document.states[state].isHistory ? Grid.historyMark : 0
        let width = skeleton.texts[state].titleWidth + mark
        let y = placement.boxes[state].y + 4
        return Placement.Rectangle(x: TextLine.left(placement, state), y: y, width: width, height: Grid.linePitch)
    }

    var headingSpaces: [Placement.Rectangle] {
        let title = FontMetrics.width(document.name, size: Placement.headingSize, bold: true)
        let name = Placement.Rectangle(x: Grid.pageMargin, y: 12, width: title, height: 28)
        let comment = placement.heading.enumerated().map { index, line in
            Placement.Rectangle(
                x: Grid.pageMargin,
                y: Placement.titleHeight + index * Grid.linePitch,
                width: FontMetrics.width(line, size: BoxText.fontSize),
                height: Grid.linePitch
            )
        }
        return [name] + comment
    }

    /// The short side of the smallest sheet for a page of this size. The sides of a sheet have the ratio 1,000 : 1,414.
    private static func cost(_ width: Int, _ height: Int) -> Int {
        max(max(width, height) * 1_000 / 1_414, min(width, height))
    }

    private struct Attempt {
        var placement: Placement
        var graph: RoutingGraph
        var routes: [Route]
        var plan: LanePlan
        var arrows: [Arrow]
        /// The cost of the layout. It increases with the size of the page and the complexity of the arrows.
        var cost: Int

        /// Space for arrows moves the boxes, and moved boxes need other routes. So the routes are computed twice and
        /// then fixed. Afterwards only the spaces grow, until all arrows fit.
        init(_ given: Skeleton) {
            var skeleton = given
            let edges = RoutingGraph.edges(skeleton)
            placement = Placement(skeleton, .few(skeleton))
            graph = RoutingGraph(placement, edges)
            var lanes = LanePlan(graph, RouteFinder(graph).routes).needed
            skeleton.widenText(Placement(skeleton, lanes).textWidths)
            placement = Placement(skeleton, lanes)
            graph = RoutingGraph(placement, edges)
            routes = RouteFinder(graph).routes
            plan = LanePlan(graph, routes)
            lanes = plan.needed
            repeat {
                lanes = lanes.larger(plan.needed)
                placement = Placement(skeleton, lanes)
                graph = RoutingGraph(placement, edges)
                plan = LanePlan(graph, routes)
            } while !plan.needed.fit(in: lanes)
            let (graph, plan) = (graph, plan)
            arrows = routes.enumerated().map { ChartLayout.arrow($0.offset, $0.element, graph, plan) }
            let tangle = ArrowComplexity(arrows)
            cost = ChartLayout.cost(placement.width, placement.height) + tangle.length / 100 + tangle.crossings * 3
        }
    }

    // MARK: Arrows

    private static func arrow(_ number: Int, _ route: Route, _ graph: RoutingGraph, _ plan: LanePlan) -> Arrow {
        let edge = graph.edges[route.edge]
        let ys = route.levels.indices.map { plan.y(number, $0) }
        var points: [Point] = [Point(x: start(route, graph), y: ys[0])]
        for (leg, gutter) in route.gutters.enumerated() {
            let x = x(gutter, plan.gutterLanes[number][leg], graph)
            points.append(Point(x: x, y: ys[leg]))
            points.append(Point(x: x, y: ys[leg + 1]))
        }
        points.append(Point(x: end(route, graph), y: ys[ys.count - 1]))
        return Arrow(state: edge.state, row: edge.row, target: edge.target, points: points)
    }

    /// The x of a lane. The lane is near its boxes, and to the right of a dividing line between regions.
    private static func x(_ gutter: Int, _ lane: Int, _ graph: RoutingGraph) -> Int {
        let space = graph.placement.gutters[gutter]
        let place = graph.skeleton.gutters[gutter]
        let used = (max(graph.placement.lanes.gutters[gutter], 1) - 1) * Grid.lanePitch
        if place.column == 0 { return space.right - Grid.laneMargin - used + lane * Grid.lanePitch }
        let isLast = place.column == graph.skeleton.columns[place.owner].count
        let isDivided = !isLast && graph.skeleton.document.states[place.owner].kind == .parallel
        return space.x + Grid.laneMargin + (isDivided ? Grid.dividerWidth : 0) + lane * Grid.lanePitch
    }

    private static func start(_ route: Route, _ graph: RoutingGraph) -> Int {
        guard case .row(let state, let number, let side) = graph.levels[route.levels[0]].kind else { return 0 }
        let left = TextLine.left(graph.placement, state)
        return side == .left ? left - 5 : left + TextLine.lastWidth(graph.skeleton.rows[state][number]) + 1
    }

    private static func end(_ route: Route, _ graph: RoutingGraph) -> Int {
        let level = graph.levels[route.levels[route.levels.count - 1]]
        guard case .entry(let state, let side) = level.kind else { return 0 }
        let box = graph.placement.boxes[state]
        return side == .left ? box.x : box.right
    }
}
