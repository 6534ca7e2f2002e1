import NIOCore

/// The number of four digits that a body shows while it is paired. The encoding differs between bodies, and OpenZCine
/// tries ASCII, UTF-16, BCD and a binary number in this order.
package struct NikonPairingPIN: Hashable, Sendable, CustomStringConvertible {
    /// Four decimal digits.
    package let digits: String

    package var description: String { digits }

    private static let count = 4
    /// Longer data contain no plain number.
    private static let bytesMax = 256

    /// - Returns: nil if the data contain no such number.
    package init?(decoding data: ByteBuffer) {
        let bytes = Array(data.readableBytesView.prefix(Self.bytesMax))
        guard let digits = Self.text(bytes) ?? Self.wideText(bytes) ?? Self.number(bytes) else { return nil }
        self.digits = digits
    }

    /// A run of exactly four ASCII digits.
    private static func text(_ bytes: [UInt8]) -> String? {
        bytes.split { !isDigit($0) }.first { $0.count == count }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// A run of exactly four UTF-16 digits, at an even or an odd byte. A count can precede them.
    private static func wideText(_ bytes: [UInt8]) -> String? {
        // The last unit can begin with the digit, if the high byte comes first.
        let bytes = bytes + [0]
        for start in 0...1 {
            let starts = stride(from: start, to: bytes.count - 1, by: 2)
            let low = starts.map { bytes[$0 + 1] == 0 ? bytes[$0] : 0 }
            if let digits = text(low) { return digits }
        }
        return nil
    }

    /// One digit per byte, one digit per half byte, or a number with the low byte first.
    private static func number(_ bytes: [UInt8]) -> String? {
        let halves = bytes.flatMap { [$0 >> 4, $0 & 0xF] }
        for digits in [bytes, halves] where digits.count == count && digits.allSatisfy({ $0 <= 9 }) {
            return digits.map { "\($0)" }.joined()
        }
        guard bytes.count == 2 || bytes.count == 4 else { return nil }
        let number = bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
        return number <= 9999 ? String(String(10_000 + number).dropFirst()) : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
