/// The times in requests for the files on a camera's card.
package enum FileTime {
    /// The longest form. Each shorter form is a beginning of it.
    private static let form = Array("dddd-dd-ddTdd:dd:dd".utf8)
    /// The lengths of the forms: a year, a month, a day, an hour, a minute, a second.
    private static let lengths: Set<Int> = [4, 7, 10, 13, 16, 19]
    /// The parts after the year, by their position and their range.
    private static let ranges: [(at: Int, ClosedRange<Int>)] = [
        (5, 1...12), (8, 1...31), (11, 0...23), (14, 0...59), (17, 0...59),
    ]

    /// Whether a text is a time such as `2014`, `2014-08-18` or `2014-08-18T12:34`.
    package static func isValid(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard lengths.contains(bytes.count), zip(bytes, form).allSatisfy(isOfForm) else { return false }
        return ranges.allSatisfy { at, range in
            guard at + 1 < bytes.count else { return true }
            return range.contains(Int(bytes[at] - zero) * 10 + Int(bytes[at + 1] - zero))
        }
    }

    private static let zero = UInt8(ascii: "0")

    private static func isOfForm(_ byte: UInt8, _ form: UInt8) -> Bool {
        form == UInt8(ascii: "d") ? (zero...zero + 9).contains(byte) : byte == form
    }
}
