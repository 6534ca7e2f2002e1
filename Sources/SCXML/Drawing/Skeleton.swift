/// The arrangement of boxes before they have positions: the columns, and the spaces for arrows between them.
///
/// Vertical segments of arrows are in *gutters*: left of, between and right of the columns of a state. Horizontal
/// segments are in *channels*: above, between and below the boxes of a state.
struct Skeleton {
    let document: ChartDocument
    let texts: [BoxText]
    /// For each state: its rows, broken into lines.
    private(set) var rows: [[BoxText.BrokenRow]]
    private(set) var columns: [[[Int]]]
    private(set) var column: [Int]
    private(set) var gutters: [Gutter] = []
    private(set) var channels: [Channel] = []
    private var firstGutter: [Int]
    private var channelsOf: [[Int]]

    struct Gutter {
        var owner: Int
        var column: Int
    }

    struct Channel {
        var owner: Int
        var kind: Kind

        enum Kind: Equatable {
            case top
            case between(column: Int, index: Int)
            case bottom
        }
    }

    enum Side: Int {
        case left
        case right
    }

    /// One way to draw the whole chart: the shape with the number `root`.
    init(_ finder: ShapeFinder, root: Int) {
        document = finder.document
        texts = finder.texts
        let count = document.states.count
        var chosen = Array(repeating: 0, count: count)
        chosen[0] = root
        columns = Array(repeating: [], count: count)
        column = Array(repeating: 0, count: count)
        var limits = columns.map { _ in 0 }
        firstGutter = Array(repeating: 0, count: count)
        channelsOf = Array(repeating: [], count: count)
        for state in document.states.indices {
            let shape = finder.shapes[state][chosen[state]]
            limits[state] = shape.textWidth
            columns[state] = shape.columns.map { $0.map(\.state) }
            for (number, items) in shape.columns.enumerated() {
                for item in items {
                    chosen[item.state] = item.shape
                    column[item.state] = number
                }
            }
        }
        rows = finder.texts.indices.map { finder.texts[$0].broken(at: limits[$0]) }
        for state in document.states.indices where !columns[state].isEmpty { addSpaces(state) }
    }

    /// Breaks the text into lines again, because some boxes are wider than their text required.
    mutating func widenText(_ widths: [Int]) {
        for state in rows.indices.dropFirst() { rows[state] = texts[state].broken(at: widths[state]) }
    }

    private mutating func addSpaces(_ state: Int) {
        firstGutter[state] = gutters.count
        for number in 0...columns[state].count { gutters.append(Gutter(owner: state, column: number)) }
        var kinds = [Channel.Kind.top]
        for (number, items) in columns[state].enumerated() {
            for index in items.indices.dropLast() { kinds.append(.between(column: number, index: index)) }
        }
        kinds.append(.bottom)
        for kind in kinds {
            channelsOf[state].append(channels.count)
            channels.append(Channel(owner: state, kind: kind))
        }
    }

    /// The gutter left of a column. For `column` = the number of columns: the gutter right of the last column.
    func gutter(_ state: Int, _ column: Int) -> Int { firstGutter[state] + column }

    /// The gutter at the right side of a state, inside its box.
    func lastGutter(_ state: Int) -> Int { gutter(state, columns[state].count) }

    func channel(_ state: Int, _ kind: Channel.Kind) -> Int {
        guard let found = channelsOf[state].first(where: { channels[$0].kind == kind }) else {
            preconditionFailure("no such channel")
        }
        return found
    }

    /// The gutters that a horizontal line reaches from a side of a box without crossing another box, the nearest first.
    func reach(_ state: Int, _ side: Side) -> [Int] {
        var result: [Int] = []
        var inner = state
        while inner != 0 {
            let outer = document.states[inner].parent
            let number = side == .left ? column[inner] : column[inner] + 1
            result.append(gutter(outer, number))
            guard number == (side == .left ? 0 : columns[outer].count) else { break }
            inner = outer
        }
        return result
    }

    /// The gutters that a channel reaches, from left to right.
    func reach(channel number: Int) -> [Int] {
        let channel = channels[number]
        let last = columns[channel.owner].count
        let inside: ClosedRange<Int> =
            switch channel.kind {
            case .top, .bottom: 0...last
            case .between(let column, _): column...(column + 1)
            }
        var result = inside.map { gutter(channel.owner, $0) }
        if inside.lowerBound == 0 { result = reach(channel.owner, .left).reversed() + result }
        if inside.upperBound == last { result += reach(channel.owner, .right) }
        return result
    }

    /// Whether an arrow from this row starts inside its box: the target is inside, and no state is exited.
    func isInside(_ row: BoxText.BrokenRow, of state: Int) -> Bool {
        guard !columns[state].isEmpty else { return false }
        switch row.kind {
        case .initial: return true
        case .transition(let number):
            let transition = document.transitions[number]
            if transition.role == .initial { return true }
            return transition.isInternal && document.states[state].isCompound
                && transition.targets.allSatisfy { document.isDescendant($0, of: state) }
        case .foreign, .entry, .timer, .exit: return false
        }
    }
}
