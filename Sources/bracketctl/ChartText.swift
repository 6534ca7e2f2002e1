/// A chart as lines of text in which the active states are marked.
///
/// ```
/// >  ├─ online  (starts in modeCheck)
///    │  │  camera.lost → reconnecting / noteLoss, announceLoss
/// ►  │  ├─ modeCheck
///    │  │     entry / explainMode
///    │  │     [isModeRight] → connected
/// ```
struct ChartText {
    /// The default width of texts, in columns.
    static let columnsUsual = 100

    /// The lines of the text.
    ///
    /// - Parameters:
    ///   - active: the ids of active states, whose ancestors are marked too. Unknown ids change nothing: see
    ///     ``ChartPicture/unknownStates(_:)``.
    ///   - color: whether active states also have a colour, with a terminal's escape sequences.
    ///   - transitions: whether actions and transitions are shown besides the states.
    ///   - columns: the width of the longest line, if the tree leaves room for text.
    static func lines(
        _ chart: ChartPicture,
        active: Set<String> = [],
        color: Bool = false,
        transitions: Bool = true,
        columns: Int = columnsUsual
    ) -> [String] {
        let text = ChartText(
            active: chart.around(active),
            leaves: Set(chart.states.filter(\.isLeaf).map(\.id)),
            color: color,
            columns: columns
        )
        return chart.rows.filter { transitions || $0.title != nil }.flatMap(text.lines)
    }

    private let active: Set<String>
    private let leaves: Set<String>
    private let color: Bool
    private let columns: Int

    // MARK: - Marks

    private struct Mark {
        let gutter: String
        /// Select Graphic Rendition (ECMA-48, 8.3.117): bold, and also green for a leaf.
        var rendition: String?

        static let none = Mark(gutter: "  ")
        /// The mark of a state with an active descendant.
        static let around = Mark(gutter: "> ", rendition: "\u{1B}[1m")
        static let leaf = Mark(gutter: "► ", rendition: "\u{1B}[1;32m")
    }

    private func mark(_ row: ChartPicture.Row) -> Mark {
        guard row.title != nil, let state = row.state, active.contains(state) else { return .none }
        return leaves.contains(state) ? .leaf : .around
    }

    // MARK: - Lines

    /// The lines of a row. The mark of the row's state decides how the state's name is emphasized.
    private func lines(_ row: ChartPicture.Row) -> [String] {
        let mark = mark(row)
        let name = row.title ?? ""
        let columns = columns - Mark.none.gutter.count
        let words = ChartText.wrapped(name + row.text, columns: columns - row.first.count, columns - row.rest.count)
        return words.enumerated().map { index, line in
            if index > 0 { return Mark.none.gutter + row.rest + line }
            guard color, let rendition = mark.rendition, line.hasPrefix(name) else {
                return mark.gutter + row.first + line
            }
            let tail = line.dropFirst(name.count)
            return rendition + mark.gutter + ChartText.plain + row.first + rendition + name + ChartText.plain + tail
        }
    }

    /// The escape sequence that ends all renditions.
    private static let plain = "\u{1B}[0m"

    /// The minimum width of the text in a line in columns, even in a deep tree.
    private static let roomMin = 20

    /// Wraps text to this width.
    static func wrapped(_ text: String, columns: Int) -> [String] {
        wrapped(text, columns: columns, columns)
    }

    /// Wraps text to one width for the first line and another for the other lines. A word that is too long is broken.
    private static func wrapped(_ text: String, columns first: Int, _ rest: Int) -> [String] {
        var lines: [String] = []
        var left = text[...]
        while true {
            let room = max(roomMin, lines.isEmpty ? first : rest)
            guard left.count > room else { return lines + [String(left)] }
            // A line can also end at a space directly after the last column.
            let space = left.prefix(room + 1).lastIndex(of: " ") ?? left.startIndex
            let end = space > left.startIndex ? space : left.index(left.startIndex, offsetBy: room)
            let words = left[..<end]
            lines.append(String(words.prefix(words.count - words.reversed().prefix { $0 == " " }.count)))
            left = left[end...].drop { $0 == " " }
        }
    }
}
