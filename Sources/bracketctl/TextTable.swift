/// Rows of text in columns.
enum TextTable {
    /// A line per row, each column as wide as its widest cell, with two spaces between. Lines have no trailing
    /// spaces.
    ///
    /// - Parameter rightAligned: the columns of numbers.
    static func lines(_ rows: [[String]], rightAligned: Set<Int> = []) -> [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0 }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                padded(cell, to: widths[column], isRight: rightAligned.contains(column))
            }
            var line = cells.joined(separator: "  ")[...]
            while line.last == " " { line = line.dropLast() }
            return String(line)
        }
    }

    private static func padded(_ cell: String, to width: Int, isRight: Bool) -> String {
        let space = String(repeating: " ", count: width - cell.count)
        return isRight ? space + cell : cell + space
    }
}
