struct SVGDrawing {
    let layout: ChartLayout
    let active: NameSet
    private(set) var lines: [String] = []
    private let words: DrawingLabels

    init(_ layout: ChartLayout, active: Set<String>) {
        self.layout = layout
        self.active = NameSet(active)
        words = DrawingLabels(document: layout.document)
        open()
        for state in layout.document.states.indices.dropFirst() { box(state) }
        for state in layout.document.states.indices { rows(state) }
        lines.append("</g>")
        lines.append("</svg>")
    }

    var text: String { lines.joined(separator: "\n") + "\n" }

    /// Escapes text for use in elements and in quoted attributes.
    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }

    private mutating func open() {
        let (width, height) = (layout.placement.width, layout.placement.height)
        let name = Self.escaped(layout.document.name)
        lines.append(
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" \
            height="\(height)" xml:space="preserve" role="img" aria-labelledby="chart-title chart-description">
            <title id="chart-title">Statechart \(name)</title>
            """
        )
        lines.append("<desc id=\"chart-description\">\(Self.escaped(words.document.comment))</desc>")
        lines.append(SVGStyle.text)
        lines.append("<rect class=\"page\" width=\"\(width)\" height=\"\(height)\"/>")
        // The shift by half a pixel aligns lines of one pixel with the pixels of a screen.
        lines.append("<g transform=\"translate(0.5 0.5)\">")
        lines.append("<text class=\"heading\" x=\"\(Grid.pageMargin)\" y=\"32\">\(name)</text>")
        for (line, space) in zip(layout.placement.heading, layout.headingSpaces.dropFirst()) {
            let place = "x=\"\(space.x)\" y=\"\(space.y + 11)\""
            lines.append("<text class=\"comment\" \(place)>\(Self.escaped(line))</text>")
        }
    }

    // MARK: States

    private mutating func box(_ number: Int) {
        let state = layout.document.states[number]
        let box = layout.placement.boxes[number]
        let kind = kindName(number)
        var depth = 0
        var around = number
        while around != 0 {
            around = layout.document.states[around].parent
            depth += 1
        }
        let shade = depth % 2 == 0 ? " even" : ""
        let isActive = active.contains(words.name(number)) ? " active" : ""
        lines.append("<g id=\"state-\(Self.escaped(words.name(number)))\" class=\"state \(kind)\(shade)\(isActive)\">")
        let said = state.comment.isEmpty ? words.name(number) : state.comment
        lines.append("<title>\(Self.escaped(said))</title>")
        let radius = state.isHistory ? 12 : 6
        lines.append(
            "<rect x=\"\(box.x)\" y=\"\(box.y)\" width=\"\(box.width)\" height=\"\(box.height)\" rx=\"\(radius)\"/>"
        )
        if state.kind == .final {
            lines.append(
                """
                <rect class="inner" x="\(box.x + 3)" y="\(box.y + 3)" width="\(box.width - 6)" \
                height="\(box.height - 6)" rx="4"/>
                """
            )
        }
        var x = layout.nameSpace(number).x
        if state.isHistory {
            let letter = state.kind == .deepHistory ? "H*" : "H"
            lines.append("<circle cx=\"\(x + 6)\" cy=\"\(box.y + 11)\" r=\"9\"/>")
            lines.append("<text class=\"mark\" x=\"\(x + 6)\" y=\"\(box.y + 15)\">\(letter)</text>")
            x += Grid.historyMark
        }
        lines.append("<text class=\"name\" x=\"\(x)\" y=\"\(box.y + 16)\">\(Self.escaped(words.name(number)))</text>")
        lines.append("</g>")
        if state.kind == .parallel { dividers(number) }
        if layout.document.plainInitial(of: state.parent) == number { dot(number) }
    }

    private func kindName(_ number: Int) -> String {
        let state = layout.document.states[number]
        switch state.kind {
        case .root: return "root"
        case .parallel: return "parallel"
        case .final: return "final"
        case .shallowHistory, .deepHistory: return "history"
        case .state:
            let isRegion = layout.document.states[state.parent].kind == .parallel
            if state.isLeaf { return isRegion ? "region leaf" : "leaf" }
            return isRegion ? "region" : "compound"
        }
    }

    private mutating func dividers(_ number: Int) {
        let skeleton = layout.skeleton
        let box = layout.placement.boxes[number]
        let top = box.y + layout.placement.headerHeight(number) + 4
        for column in skeleton.columns[number].indices.dropFirst() {
            let x = layout.placement.gutters[skeleton.gutter(number, column)].x + 8
            lines.append("<path class=\"divider\" d=\"M\(x) \(top)V\(box.bottom - 4)\"/>")
        }
        for (column, items) in skeleton.columns[number].enumerated() {
            // A history is not a region.
            let isHistory = items.map { layout.document.states[$0].isHistory }
            for index in items.indices.dropLast() where !isHistory[index] && !isHistory[index + 1] {
                let space = layout.placement.channels[skeleton.channel(number, .between(column: column, index: index))]
                lines.append("<path class=\"divider\" d=\"M\(space.x) \(space.y + 4)H\(space.right)\"/>")
            }
        }
    }

    /// The dot above a state that its parent enters by default.
    private mutating func dot(_ number: Int) {
        let box = layout.placement.boxes[number]
        let parent = layout.document.states[number].parent
        let transition = layout.document.states[parent].initialTransition
        let x = box.x + 20
        let shapes = "<circle cx=\"\(x)\" cy=\"\(box.y - 11)\" r=\"3\"/><path d=\"M\(x) \(box.y - 8)V\(box.y)\"/>"
        // The dot gets the transition's id only if no row has this id.
        let rows = layout.skeleton.rows[parent].map(\.kind)
        let id = transition.map { rows.contains(.transition($0)) ? "" : "id=\"transition-\($0)\" " } ?? ""
        lines.append("<g \(id)class=\"initial\">\(shapes)</g>")
    }

    // MARK: Rows

    private mutating func rows(_ state: Int) {
        for number in layout.skeleton.rows[state].indices {
            let row = layout.skeleton.rows[state][number]
            open(row)
            for arrow in layout.arrows where arrow.state == state && arrow.row == number {
                let colour = colour(arrow.target)
                let (first, second) = (arrow.points[0], arrow.points[1])
                let end = TextLine.usualEnd(layout.placement, state, row)
                // In most fonts the text is shorter than its reserved space. This line fills the gap after the text.
                if second.x > first.x, end < first.x {
                    lines.append("<path class=\"leader n\(colour)\" d=\"M\(end) \(first.y)H\(first.x)\"/>")
                }
                lines.append("<path class=\"arrow n\(colour)\" d=\"\(path(arrow.points))\"/>")
            }
            for line in layout.lines where line.state == state && line.row == number { runs(line) }
            lines.append("</g>")
        }
    }

    private mutating func open(_ row: BoxText.BrokenRow) {
        switch row.kind {
        case .transition(let number):
            lines.append("<g id=\"transition-\(number)\" class=\"transition\">")
            let comment = layout.document.transitions[number].comment
            if !comment.isEmpty { lines.append("<title>\(Self.escaped(comment))</title>") }
        case .initial: lines.append("<g class=\"transition\">")
        case .foreign, .entry, .timer, .exit: lines.append("<g class=\"habit\">")
        }
    }

    private mutating func runs(_ line: TextLine) {
        let spans = line.runs.map { "<tspan class=\"\(name($0.style))\">\(Self.escaped($0.text))</tspan>" }
        let baseline = line.space.y + line.space.height / 2 + 4
        lines.append("<text x=\"\(line.space.x)\" y=\"\(baseline)\">\(spans.joined(separator: " "))</text>")
    }

    private func colour(_ target: Int) -> Int { layout.colours[target] ?? 0 }

    private func name(_ style: BoxText.Style) -> String {
        switch style {
        case .keyword: "keyword"
        case .event: "event"
        case .condition: "condition"
        case .action: "action"
        case .target(let number): "target n\(colour(number))"
        }
    }

    private func path(_ given: [ChartLayout.Point]) -> String {
        let points = given.enumerated().filter { $0.offset == 0 || given[$0.offset - 1] != $0.element }.map(\.element)
        var result = "M\(points[0].x) \(points[0].y)"
        for index in points.indices.dropFirst().dropLast() {
            let (before, corner, after) = (points[index - 1], points[index], points[index + 1])
            let radius = min(5, length(before, corner) / 2, length(corner, after) / 2)
            let start = step(from: corner, to: before, radius)
            let end = step(from: corner, to: after, radius)
            result += "L\(start.x) \(start.y)Q\(corner.x) \(corner.y) \(end.x) \(end.y)"
        }
        let last = points[points.count - 1]
        return result + "L\(last.x) \(last.y)"
    }

    private func length(_ first: ChartLayout.Point, _ second: ChartLayout.Point) -> Int {
        abs(first.x - second.x) + abs(first.y - second.y)
    }

    private func step(from: ChartLayout.Point, to: ChartLayout.Point, _ distance: Int) -> ChartLayout.Point {
        ChartLayout.Point(
            x: from.x + (to.x - from.x).signum() * distance,
            y: from.y + (to.y - from.y).signum() * distance
        )
    }
}
