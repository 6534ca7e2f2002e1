/// Amounts of data as people type them: `25MB`, `500kB`, `64KiB`; a bare number counts bytes.
package enum ByteCountText {
    /// The largest amount that is taken: 2 GB.
    package static let largest = 2_000_000_000

    /// Why a text is not an amount. The description is one sentence for the person who typed it.
    package struct Malformed: Error, Hashable, Sendable, CustomStringConvertible {
        /// What was typed.
        package var text: String

        package var description: String {
            "'\(text)' is not a data size: write a whole number with a unit (B, kB, MB, GB, KiB or MiB), such as "
                + "25MB, from 1 byte to 2GB"
        }
    }

    /// - Throws: `Malformed`.
    package static func parse(_ text: String) throws(Malformed) -> Int {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let unit = bytes(ofUnit: text.dropFirst(digits.count)), let number = Int(digits) else {
            throw Malformed(text: text)
        }
        let (count, overflow) = number.multipliedReportingOverflow(by: unit)
        guard !overflow, (1...largest).contains(count) else { throw Malformed(text: text) }
        return count
    }

    private static func bytes(ofUnit unit: Substring) -> Int? {
        switch unit {
        case "", "B": 1
        case "kB", "KB": 1_000
        case "MB": 1_000_000
        case "GB": 1_000_000_000
        case "KiB": 1_024
        case "MiB": 1_048_576
        default: nil
        }
    }
}
