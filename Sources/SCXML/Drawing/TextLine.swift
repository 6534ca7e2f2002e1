struct TextLine {
    var state: Int
    var row: Int
    var runs: [BoxText.TextRun]
    /// The maximum space of the text. The text starts at the left, in the middle of the height.
    var space: Placement.Rectangle

    static func lines(_ placement: Placement) -> [TextLine] {
        var result: [TextLine] = []
        for (state, rows) in placement.skeleton.rows.enumerated() where !rows.isEmpty {
            var y = placement.firstLine(state)
            for (number, row) in rows.enumerated() {
                for (index, runs) in row.lines.enumerated() {
                    result.append(TextLine(state, number, runs, index, y, placement))
                    y += Grid.linePitch
                }
            }
        }
        return result
    }

    private init(_ state: Int, _ row: Int, _ runs: [BoxText.TextRun], _ index: Int, _ y: Int, _ placement: Placement) {
        self.state = state
        self.row = row
        self.runs = runs
        let x = Self.left(placement, state) + (index == 0 ? 0 : BoxText.indent)
        let width = runs.reduce(0) { $0 + BoxText.width($1) }
        space = Placement.Rectangle(x: x, y: y - Grid.linePitch / 2, width: width, height: Grid.linePitch)
    }

    static func left(_ placement: Placement, _ state: Int) -> Int {
        placement.boxes[state].x + (state == 0 ? Grid.pageMargin : Grid.padding)
    }

    static func lastWidth(_ row: BoxText.BrokenRow) -> Int {
        let runs = (row.lines.last ?? []).reduce(0) { $0 + BoxText.width($1) }
        return runs + (row.lines.count > 1 ? BoxText.indent : 0)
    }

    /// The x at which the text of a row ends in common fonts. The visible part of an arrow starts here.
    static func usualEnd(_ placement: Placement, _ state: Int, _ row: BoxText.BrokenRow) -> Int {
        let runs = (row.lines.last ?? []).reduce(0) { $0 + BoxText.usualWidth($1) }
        return left(placement, state) + (row.lines.count > 1 ? BoxText.indent : 0) + runs
    }
}
