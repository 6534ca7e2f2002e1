/// Finds ways to draw each state, inner states first. Each state gets a few shapes. No shape is both wider and higher
/// than another one.
struct ShapeFinder {
    let document: ChartDocument
    let texts: [BoxText]
    private(set) var shapes: [[Shape]]

    private static let textWidths = [150, 165, 180, 195, 210, 225, 240, 260, 280, 300, 340, 380]
    private static let shapesMax = 60
    /// The step between two height limits is the limit divided by this number.
    private static let limitStep = 40
    /// The maximum number of children for a full search, which would otherwise take too long.
    private static let contentsMax = 30
    private static let gridColumnsMax = 12
    /// The number of lanes that is assumed before the routes are known.
    private static let lanesGuess = 2

    init(_ document: ChartDocument, _ texts: [BoxText]) {
        self.document = document
        self.texts = texts
        shapes = Array(repeating: [], count: document.states.count)
        // In reverse document order, each child comes before its parent.
        for state in document.states.indices.reversed() {
            let found = document.contents(of: state).isEmpty ? leaf(state) : container(state)
            shapes[state] = Self.best(of: found)
        }
    }

    private func leaf(_ state: Int) -> [Shape] {
        Self.textWidths.map { limit in
            let header = header(state, limit: limit)
            return Shape(width: header.width, height: header.height, textWidth: limit)
        }
    }

    private func header(_ state: Int, limit: Int) -> (width: Int, height: Int) {
        let rows = texts[state].broken(at: limit)
        let mark = document.states[state].isHistory ? Grid.historyMark : 0
        let width = rows.map(\.width).reduce(texts[state].titleWidth + mark, max)
        let lines = rows.reduce(0) { $0 + $1.lines.count }
        return (Grid.padding * 2 + width, Grid.header(lines: lines))
    }

    /// The shapes of a state with children, one for each of several height limits.
    private func container(_ state: Int) -> [Shape] {
        let contents = document.contents(of: state)
        guard contents.count <= Self.contentsMax else { return gridShapes(state, contents) }
        let between = Grid.channel(lanes: 1, isDivided: false, hasDot: true)
        let least = contents.map { shapes[$0].map(\.height).min() ?? 0 }.max() ?? 0
        let most = contents.map { shapes[$0].map(\.height).max() ?? 0 }.reduce(0) { $0 + $1 + between }
        var result: [Shape] = []
        var limit = least + between
        while true {
            if let shape = shape(state, contents, limit: min(limit, most)) { result.append(shape) }
            guard limit < most else { return result }
            limit += max(Grid.unit, limit / Self.limitStep)
        }
    }

    /// The shapes of a state with very many children: columns with equal numbers of children.
    private func gridShapes(_ state: Int, _ contents: [Int]) -> [Shape] {
        (1...Self.gridColumnsMax).map { count in
            let length = (contents.count + count - 1) / count
            let columns = stride(from: 0, to: contents.count, by: length).compactMap { start in
                column(Array(contents[start..<min(start + length, contents.count)]), in: state, limit: Int.max)
            }
            return frame(state, columns)
        }
    }

    /// The narrowest arrangement in columns that are not higher than the limit.
    private func shape(_ state: Int, _ contents: [Int], limit: Int) -> Shape? {
        let count = contents.count
        // For each child: the minimum width of this and all later children, and the end of their first column.
        var best: [(width: Int, end: Int, column: Column)?] = Array(repeating: nil, count: count + 1)
        best[count] = (0, count, Column())
        for start in contents.indices.reversed() {
            for end in (start + 1)...count {
                guard let column = column(Array(contents[start..<end]), in: state, limit: limit) else { break }
                guard let rest = best[end] else { continue }
                let width = column.width + Grid.gutter(lanes: Self.lanesGuess, isDivided: false) + rest.width
                if best[start].map({ width < $0.width }) ?? true { best[start] = (width, end, column) }
            }
        }
        guard best[0] != nil else { return nil }
        var columns: [Column] = []
        var place = 0
        while place < count, let found = best[place] {
            columns.append(found.column)
            place = found.end
        }
        return frame(state, columns)
    }

    private struct Column {
        var width = 0
        var height = 0
        var items: [Shape.Item] = []
    }

    private func column(_ contents: [Int], in state: Int, limit: Int) -> Column? {
        let widths = Set(contents.flatMap { shapes[$0].map(\.width) }).sorted()
        let dot = document.plainInitial(of: state)
        for width in widths {
            var column = Column(width: width)
            for child in contents {
                let fitting = shapes[child].indices.filter { shapes[child][$0].width <= width }
                let heights = shapes[child].map(\.height)
                guard let lowest = fitting.min(by: { heights[$0] < heights[$1] }) else { break }
                column.items.append(Shape.Item(state: child, shape: lowest))
                column.height += shapes[child][lowest].height
                column.height += Grid.channel(lanes: 1, isDivided: false, hasDot: dot == child)
            }
            if column.items.count == contents.count, column.height <= limit { return column }
        }
        return nil
    }

    private func frame(_ state: Int, _ columns: [Column]) -> Shape {
        let gutter = Grid.gutter(lanes: Self.lanesGuess, isDivided: false)
        let inside = columns.reduce(gutter) { $0 + $1.width + gutter }
        let textWidth = max(Self.textWidths[1], inside - 2 * gutter)
        let header = header(state, limit: textWidth)
        let height = columns.map(\.height).max() ?? 0
        return Shape(
            width: max(inside, header.width + gutter),
            height: header.height + height + Grid.unit,
            textWidth: textWidth,
            columns: columns.map(\.items)
        )
    }

    /// A few of the shapes, the narrowest first. Omits a shape if another shape is at most as wide and at most as high.
    private static func best(of shapes: [Shape]) -> [Shape] {
        let sorted = shapes.sorted { ($0.width, $0.height) < ($1.width, $1.height) }
        var kept: [Shape] = []
        for shape in sorted where kept.last.map({ shape.height < $0.height }) ?? true { kept.append(shape) }
        guard kept.count > shapesMax else { return kept }
        return (0..<shapesMax).map { kept[$0 * (kept.count - 1) / (shapesMax - 1)] }
    }
}
