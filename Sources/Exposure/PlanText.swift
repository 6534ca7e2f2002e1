/// Renders plans as ASCII text without colour for terminals. A ruler has at most 80 columns.
package enum PlanText {
    /// Renders the plan with a ruler per set, its cost, and its notes.
    ///
    /// ```
    /// 1/1000 to 1/4: 8 EV, 3 sets of 5 frames at 1 EV, 15 exposures
    ///
    /// Set 1  1/1000  1/500  [1/250]  1/125    1/60
    ///          +-------+-------O-------+-------+
    ///          -2      -1      0       +1      +2 EV
    /// ```
    ///
    /// - Parameter notes: changes that the camera made to the plan; printed after the plan's own notes.
    package static func render(_ plan: Plan, estimate: Estimate? = nil, notes: [PlanNote] = []) -> String {
        var lines = [headline(plan)] + rulers(plan.sets, sharing: plan.request.sharing)
        if let estimate { lines += ["", estimate.sentence()] }
        let sentences = (plan.notes + notes).map { "Note: \($0.sentence)." }
        if !sentences.isEmpty { lines += [""] + sentences }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The width of a terminal that does not report its width.
    package static let columnsUsual = 80

    /// Renders one ruler per set, each after an empty line, and a line about shared frames.
    ///
    /// - Parameter columns: the width of the terminal; a wider ruler is split into rows.
    package static func rulers(
        _ sets: [[ShutterSpeed]],
        sharing: Sharing,
        columns: Int = columnsUsual
    ) -> [String] {
        var lines: [String] = []
        for (index, set) in sets.enumerated() where !set.isEmpty {
            lines.append("")
            let cells = cells(set, isFirstShared: index > 0 && sharing == .once)
            lines += ruler(cells, title: "Set \(index + 1)", columns: columns)
        }
        return sets.count > 1 ? lines + ["", sharingLine(sharing)] : lines
    }

    /// Renders the comparison as a table that marks the row of the request. The text `explanation` describes the
    /// columns.
    package static func render(_ comparison: Comparison) -> String {
        let times = comparison.rows.map { TimeText.text($0.time) }
        let timeWidth = max("time".count, times.map(\.count).max() ?? 0)
        var lines = ["  frames  spacing    sets  exposures  time\(blank(timeWidth - 4))  covered"]
        for (row, time) in zip(comparison.rows, times) {
            let cells = [
                pad("\(row.framesPerSet)", 6), pad("\(row.spacing.label) EV", 9), pad("\(row.sets)", 6),
                pad("\(row.exposures)", 9), time + blank(timeWidth - time.count), covered(row),
            ]
            lines.append("\(comparison.isAsked(row) ? "*" : " ") \(cells.joined(separator: "  "))")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The covered range as text: `1/1000 to 4" (12 EV)`.
    private static func covered(_ row: Comparison.Row) -> String {
        guard row.fastest != row.slowest else { return "\(row.fastest) (0 EV)" }
        return "\(row.fastest) to \(row.slowest) (\(EV.text(thirds: row.fastest.thirds(to: row.slowest))) EV)"
    }
}

extension PlanText {
    private static let cellWidth = 8
    private static let titleWidth = 6

    /// One column of a ruler: a frame's speed, its tick mark, its EV relative to the centre frame.
    private struct Cell {
        var label: String
        var tick: String
        var offset: String
    }

    private static func cells(_ set: [ShutterSpeed], isFirstShared: Bool) -> [Cell] {
        let centre = (set.count - 1) / 2
        return set.enumerated().map { index, speed in
            let isShared = index == 0 && isFirstShared
            return Cell(
                label: centred(index == centre ? "[\(speed)]" : isShared ? "(\(speed))" : speed.label),
                tick: tick(isCentre: index == centre, isFirst: index == 0, isLast: index == set.count - 1),
                offset: centred(EV.signedText(thirds: set[centre].thirds(to: speed)))
            )
        }
    }

    /// One ruler: three lines after the title. On a terminal that is too narrow, the ruler has several groups of three
    /// lines.
    private static func ruler(_ cells: [Cell], title: String, columns: Int) -> [String] {
        guard titleWidth + cells.count * cellWidth > columns else {
            return row(cells[...], title: title, margin: titleWidth)
        }
        let frames = max(1, columns / cellWidth)
        let rows = stride(from: 0, to: cells.count, by: frames).flatMap { start in
            row(cells[start..<min(start + frames, cells.count)], title: "", margin: 0)
        }
        return [title] + rows
    }

    private static func row(_ cells: ArraySlice<Cell>, title: String, margin width: Int) -> [String] {
        let margin = String(repeating: " ", count: width)
        let lines = [
            title + String(margin.dropFirst(title.count)) + cells.map(\.label).joined(),
            margin + cells.map(\.tick).joined(), margin + cells.map(\.offset).joined(),
        ].map(trimmingEnd)
        return [lines[0], lines[1], lines[2] + " EV"]
    }

    private static func tick(isCentre: Bool, isFirst: Bool, isLast: Bool) -> String {
        let left = String(repeating: isFirst ? " " : "-", count: (cellWidth - 1) / 2)
        let right = String(repeating: isLast ? " " : "-", count: cellWidth / 2)
        return left + (isCentre ? "O" : "+") + right
    }

    private static func centred(_ text: String) -> String {
        let space = max(0, cellWidth - text.count)
        let left = space / 2
        return String(repeating: " ", count: left) + text + String(repeating: " ", count: space - left)
    }

    private static func pad(_ text: String, _ width: Int) -> String { blank(width - text.count) + text }

    private static func blank(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

    private static func trimmingEnd(_ line: String) -> String {
        var rest = line[...]
        while rest.last == " " { rest = rest.dropLast() }
        return String(rest)
    }
}
