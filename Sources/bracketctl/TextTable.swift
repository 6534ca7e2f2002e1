/// Rows of text in columns.
enum TextTable {
    /// One line for each row. Each column is as wide as its widest cell, and two spaces separate the columns. No line
    /// ends with a space.
    ///
    /// - Parameter rightAligned: The indexes of the columns with numbers.
    static func lines(_ rows: [[String]], rightAligned: Set<Int> = []) -> [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0 }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                rightAligned.contains(column) ? cell.padded(left: widths[column]) : cell.padded(to: widths[column])
            }
            var line = cells.joined(separator: "  ")[...]
            while line.last == " " { line = line.dropLast() }
            return String(line)
        }
    }
}

extension String {
    /// The text, with spaces added after it up to this width.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    /// The text, with spaces or digits added before it up to this width.
    func padded(left width: Int, with filling: Character = " ") -> String {
        String(repeating: filling, count: max(0, width - count)) + self
    }
}
