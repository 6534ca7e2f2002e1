/// Converts byte counts to text, in decimal units (1 kB = 1000 B) as on cards and disks.
package enum ByteText {
    /// The count as text: `999 B`, `24.9 MB`, `1.0 TB`.
    package static func text(_ byteCount: UInt64) -> String {
        guard byteCount >= 1000 else { return "\(byteCount) B" }
        var (unit, tenths) = (0, (byteCount / 10 + 5) / 10)
        while tenths >= 10_000, unit < units.count - 1 { (unit, tenths) = (unit + 1, (tenths + 500) / 1000) }
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }

    private static let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
}
