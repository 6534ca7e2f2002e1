/// How much of what the core was given the flight recorder keeps: never more than ``byteCountMax`` on the disk, however
/// often the daemon is started.
package struct FlightLimits: Equatable, Sendable {
    static let fileCounts = 0...999
    /// One million: no smaller file is worth its header; one billion: larger ones are hard to hand on.
    static let fileSizes = 1_000_000...1_000_000_000

    /// 0: nothing is recorded.
    package var fileCountMax = 8
    /// In bytes; a file that has as many is followed by the next one.
    package var fileSize = 16_000_000

    /// Of all files together.
    var byteCountMax: Int { fileCountMax * fileSize }
}

/// Sizes as people write them: a whole number and `KB`, `MB` or `GB`, which are thousands.
enum ByteCount {
    private static let units = [("GB", 1_000_000_000), ("MB", 1_000_000), ("KB", 1000)]

    /// nil: it is no size, or one that no disk has.
    static func parse(_ text: String) -> Int? {
        for (name, unit) in units where text.uppercased().hasSuffix(name) {
            let words = text.dropLast(name.count).split(separator: " ")
            guard words.count == 1, let count = number(words[0]) else { return nil }
            let (bytes, isBeyond) = count.multipliedReportingOverflow(by: unit)
            return isBeyond ? nil : bytes
        }
        return nil
    }

    /// In the largest unit that says it exactly.
    static func text(_ bytes: Int) -> String {
        for (name, unit) in units where bytes > 0 && bytes % unit == 0 { return "\(bytes / unit) \(name)" }
        return "\(bytes) bytes"
    }

    /// Digits alone: `Int` takes a sign too.
    private static func number(_ digits: Substring) -> Int? {
        digits.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? Int(digits) : nil
    }
}
