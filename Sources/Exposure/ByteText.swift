/// Amounts of data for people, in powers of ten as cards and disks have them.
package enum ByteText {
    /// `999 B`, `24.9 MB`, `1.0 TB`.
    package static func text(_ byteCount: UInt64) -> String {
        guard byteCount >= 1000 else { return "\(byteCount) B" }
        var (unit, tenths) = (0, (byteCount / 10 + 5) / 10)
        while tenths >= 10_000, unit < units.count - 1 { (unit, tenths) = (unit + 1, (tenths + 500) / 1000) }
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }

    private static let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
}
