/// The positions of all parts, for a given number of arrows in each gutter and channel.
struct Placement {
    let skeleton: Skeleton
    let lanes: Lanes
    private(set) var boxes: [Rectangle]
    private(set) var gutters: [Rectangle]
    /// For each channel: its space, without the space for a dot below it.
    private(set) var channels: [Rectangle]
    private(set) var heading: [String] = []
    private var sizes: [(width: Int, height: Int)]

    /// The number of parallel arrows in each gutter and channel.
    struct Lanes: Equatable {
        var gutters: [Int]
        var channels: [Int]

        /// An estimate that is used before the routes of arrows are known.
        static func few(_ skeleton: Skeleton) -> Lanes {
            Lanes(gutters: skeleton.gutters.map { _ in 2 }, channels: skeleton.channels.map { _ in 1 })
        }

        func larger(_ other: Lanes) -> Lanes {
            Lanes(
                gutters: zip(gutters, other.gutters).map { max($0, $1) },
                channels: zip(channels, other.channels).map { max($0, $1) }
            )
        }

        /// Whether each count is at most as large as the same count in `other`.
        func fit(in other: Lanes) -> Bool { other == other.larger(self) }
    }

    struct Rectangle: Equatable {
        var x = 0
        var y = 0
        var width = 0
        var height = 0

        var right: Int { x + width }
        var bottom: Int { y + height }
        var middle: Int { x + width / 2 }
    }

    static let headingSize = 20
    static let titleHeight = 7 * Grid.unit
    private static let headingLinesMax = 14
    private static let widthMin = 480

    init(_ skeleton: Skeleton, _ lanes: Lanes) {
        self.skeleton = skeleton
        self.lanes = lanes
        let count = skeleton.document.states.count
        boxes = Array(repeating: Rectangle(), count: count)
        sizes = Array(repeating: (0, 0), count: count)
        gutters = Array(repeating: Rectangle(), count: skeleton.gutters.count)
        channels = Array(repeating: Rectangle(), count: skeleton.channels.count)
        for state in (1..<count).reversed() { measure(state) }
        measureRoot()
        // Parents have lower numbers than their children, so each parent is placed first.
        boxes[0] = Rectangle(x: 0, y: 0, width: sizes[0].width, height: sizes[0].height)
        for state in 0..<count where !skeleton.columns[state].isEmpty { place(state) }
    }

    var width: Int { boxes[0].width }
    var height: Int { boxes[0].height }

    private func isDivided(_ state: Int) -> Bool { skeleton.document.states[state].kind == .parallel }

    private func gutterWidth(_ number: Int) -> Int {
        let gutter = skeleton.gutters[number]
        let isBetween = gutter.column > 0 && gutter.column < skeleton.columns[gutter.owner].count
        return Grid.gutter(lanes: lanes.gutters[number], isDivided: isBetween && isDivided(gutter.owner))
    }

    private func hasDot(_ state: Int) -> Bool {
        skeleton.document.plainInitial(of: skeleton.document.states[state].parent) == state
    }

    private func channelHeight(_ number: Int) -> Int {
        let channel = skeleton.channels[number]
        let columns = skeleton.columns[channel.owner]
        switch channel.kind {
        case .top:
            let isAboveDot = columns.contains { $0.first.map(hasDot) ?? false }
            return Grid.edge(lanes: lanes.channels[number], hasDot: isAboveDot)
        case .between(let column, let index):
            let below = columns[column][index + 1]
            let isDivided = isDivided(channel.owner)
            return Grid.channel(lanes: lanes.channels[number], isDivided: isDivided, hasDot: hasDot(below))
        case .bottom:
            return Grid.edge(lanes: lanes.channels[number], hasDot: false)
        }
    }

    var textWidths: [Int] {
        boxes.indices.map { state in
            let isContainer = !skeleton.columns[state].isEmpty
            let reserve = isContainer ? gutterWidth(skeleton.lastGutter(state)) : 0
            return boxes[state].width - 2 * Grid.padding - reserve
        }
    }

    // MARK: Measuring

    private mutating func measure(_ state: Int) {
        let rows = skeleton.rows[state]
        let mark = skeleton.document.states[state].isHistory ? Grid.historyMark : 0
        let title = skeleton.texts[state].titleWidth + mark
        let lines = rows.reduce(0) { $0 + $1.lines.count }
        let header = Grid.header(lines: lines)
        guard !skeleton.columns[state].isEmpty else {
            sizes[state] = (rows.map(\.width).reduce(title, max) + 2 * Grid.padding, header)
            return
        }
        let inside = insideSize(state)
        let isInside = rows.contains { skeleton.isInside($0, of: state) && !$0.targets.isEmpty }
        let reserve = isInside ? gutterWidth(skeleton.lastGutter(state)) : 0
        let text = rows.map(\.width).reduce(title, max) + 2 * Grid.padding + reserve
        sizes[state] = (max(inside.width, text), header + inside.height)
    }

    private func insideSize(_ state: Int) -> (width: Int, height: Int) {
        let columns = skeleton.columns[state]
        var width = gutterWidth(skeleton.gutter(state, 0))
        var height = 0
        for (number, items) in columns.enumerated() {
            width += columnWidth(items) + gutterWidth(skeleton.gutter(state, number + 1))
            height = max(height, columnHeight(items, state, number))
        }
        height += channelHeight(skeleton.channel(state, .top)) + channelHeight(skeleton.channel(state, .bottom))
        return (width, height)
    }

    private func columnWidth(_ items: [Int]) -> Int { items.map { sizes[$0].width }.max() ?? 0 }

    private func columnHeight(_ items: [Int], _ state: Int, _ number: Int) -> Int {
        var height = 0
        for (index, item) in items.enumerated() {
            height += sizes[item].height
            if index < items.count - 1 {
                height += channelHeight(skeleton.channel(state, .between(column: number, index: index)))
            }
        }
        return height
    }

    private mutating func measureRoot() {
        let inside = skeleton.columns[0].isEmpty ? (width: 0, height: 0) : insideSize(0)
        let name = skeleton.document.name
        let title = FontMetrics.width(name, size: Self.headingSize, bold: true)
        let rows = skeleton.rows[0]
        let text = rows.map(\.width).reduce(title, max) + 2 * Grid.pageMargin
        let width = max(inside.width, text, Self.widthMin)
        heading = Self.wrapped(skeleton.document.comment, width: width - 2 * Grid.pageMargin)
        sizes[0] = (width, headerHeight(0) + inside.height)
    }

    /// The height of a state's text. For the root it is the height of the page's heading.
    func headerHeight(_ state: Int) -> Int {
        let lines = skeleton.rows[state].reduce(0) { $0 + $1.lines.count }
        guard state == 0 else { return Grid.header(lines: lines) }
        return Self.titleHeight + (heading.count + lines) * Grid.linePitch + Grid.unit
    }

    /// The y of the middle of a state's first row.
    func firstLine(_ state: Int) -> Int {
        let above = state == 0 ? Self.titleHeight + heading.count * Grid.linePitch : Grid.titleHeight
        return boxes[state].y + above + Grid.linePitch / 2
    }

    private static func wrapped(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(whereSeparator: \.isWhitespace) {
            if let last = lines.last, FontMetrics.width(last + " " + word, size: BoxText.fontSize) <= width {
                lines[lines.count - 1] += " " + word
            } else if lines.count < headingLinesMax {
                lines.append(String(word))
            } else {
                lines[lines.count - 1] += " …"
                break
            }
        }
        return lines
    }

    // MARK: Placing

    private mutating func place(_ state: Int) {
        let box = boxes[state]
        let columns = skeleton.columns[state]
        let top = skeleton.channel(state, .top)
        let topHeight = channelHeight(top)
        let start = box.y + headerHeight(state)
        let spare = box.width - insideSize(state).width
        var x = box.x
        for number in 0...columns.count {
            let gutter = skeleton.gutter(state, number)
            let width = gutterWidth(gutter)
            // The last gutter extends up beside the text, for arrows that start inside the box.
            let above = number == columns.count ? box.y : start
            gutters[gutter] = Rectangle(x: x, y: above, width: width, height: box.bottom - above)
            x += width
            guard number < columns.count else { break }
            let share = spare / columns.count + (number == columns.count - 1 ? spare % columns.count : 0)
            let width2 = columnWidth(columns[number]) + share
            place(columns[number], number, of: state, x: x, y: start + topHeight, width: width2)
            x += width2
        }
        channels[top] = Rectangle(x: box.x, y: start, width: box.width, height: topHeight)
        let bottom = skeleton.channel(state, .bottom)
        let height = channelHeight(bottom)
        channels[bottom] = Rectangle(x: box.x, y: box.bottom - height, width: box.width, height: height)
    }

    private mutating func place(_ items: [Int], _ number: Int, of state: Int, x: Int, y: Int, width: Int) {
        var y = y
        for (index, item) in items.enumerated() {
            let size = sizes[item]
            let isFilling = !skeleton.columns[item].isEmpty || width <= size.width * 3 / 2
            boxes[item] = Rectangle(x: x, y: y, width: isFilling ? width : size.width, height: size.height)
            y += size.height
            guard index < items.count - 1 else { break }
            let channel = skeleton.channel(state, .between(column: number, index: index))
            let height = channelHeight(channel)
            channels[channel] = Rectangle(x: x, y: y, width: width, height: height)
            y += height
        }
    }
}
