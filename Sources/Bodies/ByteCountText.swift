/// Amounts of data on the command line: `25MB`, `500kB`, `64KiB`. A number without a unit is in bytes.
package enum ByteCountText {
    /// The largest accepted amount: 2 GB.
    package static let largest = 2_000_000_000

    package static func parse(_ text: String) throws(NotationError) -> Int {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let product = bytes(ofUnit: text.dropFirst(digits.count)).flatMap { unit in
            Int(digits)?.multipliedReportingOverflow(by: unit)
        }
        guard let (count, overflow) = product, !overflow, (1...largest).contains(count) else {
            throw NotationError(
                description: "'\(text)' is not a data size: write a whole number with a unit (B, kB, MB, GB, KiB or "
                    + "MiB), such as 25MB, from 1 byte to 2GB"
            )
        }
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
