import Testing

@testable import SCXML

/// The rules of a readable drawing, checked with the positions of all its parts.
@Suite struct DrawingLayoutTests {
    private static let seeds: ClosedRange<UInt64> = 1...14

    /// The texts, each with the space that it takes in the widest font.
    private func labels(_ layout: ChartLayout) -> [Placement.Rectangle] {
        let names = layout.document.states.indices.dropFirst().map { layout.nameSpace($0) }
        return names + layout.lines.map(\.space) + layout.headingSpaces
    }

    private func check(_ layout: ChartLayout, _ name: String) {
        checkLabels(layout, name)
        checkBoxes(layout, name)
        for arrow in layout.arrows { check(arrow, layout, name) }
        checkJoints(layout, name)
    }

    private func checkLabels(_ layout: ChartLayout, _ name: String) {
        let labels = labels(layout)
        for (index, label) in labels.enumerated() {
            for other in labels[(index + 1)...] where label.overlaps(other) {
                Issue.record("\(name): \(label) and \(other) overlap")
            }
        }
        for line in layout.lines where !layout.placement.boxes[line.state].contains(line.space) {
            Issue.record("\(name): \(line.runs) leaves its box")
        }
        for state in layout.document.states.indices.dropFirst() {
            let space = layout.nameSpace(state)
            if !layout.placement.boxes[state].contains(space) { Issue.record("\(name): a name leaves its box") }
        }
    }

    private func checkBoxes(_ layout: ChartLayout, _ name: String) {
        let boxes = layout.placement.boxes
        for state in boxes.indices.dropFirst() {
            let parent = layout.document.states[state].parent
            #expect(boxes[parent].contains(boxes[state]), "\(name): box \(state) leaves what is around it")
            for label in layout.lines where label.state == parent && label.space.overlaps(boxes[state]) {
                Issue.record("\(name): \(label.runs) overlaps box \(state)")
            }
            for other in layout.document.contents(of: parent) where other > state {
                #expect(!boxes[state].overlaps(boxes[other]), "\(name): boxes \(state) and \(other) overlap")
            }
        }
    }

    /// Checks an arrow: it starts at its row and ends at the side of its target. On its way it touches no text and no
    /// other box.
    private func check(_ arrow: ChartLayout.Arrow, _ layout: ChartLayout, _ name: String) {
        let target = layout.placement.boxes[arrow.target]
        let end = arrow.points[arrow.points.count - 1]
        #expect(end.x == target.x || end.x == target.right, "\(name): \(arrow) misses its target")
        #expect((target.y..<target.y + Grid.titleHeight).contains(end.y), "\(name): \(arrow) misses its target")
        let spaces = labels(layout)
        for (from, to) in zip(arrow.points, arrow.points.dropFirst()) {
            #expect(from.x == to.x || from.y == to.y, "\(name): \(arrow) is askew")
            let line = Placement.Rectangle(from: from, to: to)
            for space in spaces where line.overlaps(space) {
                Issue.record("\(name): \(arrow) crosses words at \(space)")
            }
            for (state, box) in layout.placement.boxes.enumerated() where state != arrow.state && line.overlaps(box) {
                let isLeaf = layout.document.contents(of: state).isEmpty
                if isLeaf { Issue.record("\(name): \(arrow) crosses box \(state)") }
            }
            #expect(layout.placement.boxes[0].contains(line), "\(name): \(arrow) leaves the page")
        }
    }

    /// Checks that lines to different targets do not overlap. They may cross.
    private func checkJoints(_ layout: ChartLayout, _ name: String) {
        // The arrows of a row with several targets share their first line.
        let arrows = layout.arrows.filter { arrow in
            layout.arrows.count { $0.state == arrow.state && $0.row == arrow.row } == 1
        }
        let targets = Set(arrows.map(\.target)).sorted()
        let nets = targets.map { target in ArrowSegment.segments(of: arrows.filter { $0.target == target }) }
        for (number, net) in nets.enumerated() {
            for other in nets[(number + 1)...] {
                for one in net {
                    for two in other where one.isUpright == two.isUpright && one.place == two.place {
                        let isApart = one.high <= two.low || two.high <= one.low
                        #expect(isApart, "\(name): \(one) and \(two) overlap")
                    }
                }
            }
        }
    }

    @Test(arguments: DrawnCharts.ours)
    func `in a drawing of the daemon's charts nothing overlaps`(name: String) throws {
        check(ChartLayout(try DrawnCharts.ours(name)), name)
    }

    @Test func `in a drawing of a chart with all features nothing overlaps`() throws {
        check(ChartLayout(try DrawnCharts.features()), "features")
    }

    @Test(arguments: seeds)
    func `in a drawing of any chart nothing overlaps, and every row has its arrows`(seed: UInt64) throws {
        let document = try DrawnCharts.random(seed)
        let layout = ChartLayout(document)
        check(layout, "seed \(seed)")
        for (number, transition) in document.transitions.enumerated() where transition.role != .initial {
            let row = layout.skeleton.rows[transition.source].firstIndex { $0.kind == .transition(number) }
            let arrows = layout.arrows.filter { $0.state == transition.source && $0.row == row }
            #expect(arrows.map(\.target) == transition.targets, "seed \(seed): transition \(number)")
        }
    }

    @Test func `the shooting chart fits on an A3 sheet with readable letters`() throws {
        let layout = ChartLayout(try DrawnCharts.ours("shooting"))
        let sides = [layout.placement.width, layout.placement.height].sorted().map(Double.init)
        // The sheet has 277 by 400 mm within its margins. A point is 0.353 mm.
        let points = min(277 / sides[0], 400 / sides[1]) * Double(BoxText.fontSize) / 0.353
        // Six points are the smallest letters that are printed for reading.
        #expect(points > 6.4, "\(sides)")
    }

    @Test func `an initial with a distant target has a row with an arrow for each target`() throws {
        let document = try DrawnCharts.chart(
            """
            <parallel id="p">
              <state id="a"><state id="a1"/><state id="a2"/></state>
              <state id="b"><state id="b1"/><state id="b2"/></state>
            </parallel>
            """,
            attributes: "initial=\"a2 b2\""
        )
        let layout = ChartLayout(document)
        check(layout, "far initial")
        #expect(layout.arrows.map(\.target) == document.states[0].initial)
        #expect(layout.arrows.count == 2)
    }

    @Test func `an internal transition does not exit its state`() throws {
        let document = try DrawnCharts.chart(
            """
            <state id="outer">
              <transition event="again" target="inner" type="internal"/>
              <transition event="anew" target="inner"/>
              <state id="first"/><state id="inner"/>
            </state>
            """
        )
        let layout = ChartLayout(document)
        let box = layout.placement.boxes[1]
        let stays = layout.arrows.map { arrow in arrow.points.allSatisfy { box.x < $0.x && $0.x < box.right } }
        #expect(stays == [true, false])
    }

    @Test func `as many states as the dialect allows can be drawn side by side`() throws {
        let states = (0..<60).map { number in
            "<state id=\"s\(number)\"><transition event=\"e\" target=\"s\((number * 7 + 3) % 60)\"/></state>"
        }
        check(ChartLayout(try DrawnCharts.chart(states.joined())), "many")
    }
}

extension Placement.Rectangle {
    /// A line as a rectangle that is one pixel thick.
    init(from: ChartLayout.Point, to: ChartLayout.Point) {
        self.init(
            x: min(from.x, to.x),
            y: min(from.y, to.y),
            width: max(1, abs(from.x - to.x)),
            height: max(1, abs(from.y - to.y))
        )
    }

    func contains(_ other: Placement.Rectangle) -> Bool {
        x <= other.x && other.right <= right && y <= other.y && other.bottom <= bottom
    }

    /// Whether the rectangles share more than a border.
    func overlaps(_ other: Placement.Rectangle) -> Bool {
        x < other.right && other.x < right && y < other.bottom && other.y < bottom
    }
}
