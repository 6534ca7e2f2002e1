import NIOCore

/// The 16 bytes that identify an initiator or a camera. The bytes keep their order on the wire (libgphoto2 ptpip.c).
package struct GUID: Hashable, Sendable, CustomStringConvertible {
    /// Bytes 0–7. The first byte is the most significant.
    private var high: UInt64
    /// Bytes 8–15. The first byte is the most significant.
    private var low: UInt64

    package static let byteCount = 16

    /// - Returns: nil unless there are exactly 16 bytes.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The 16 bytes in wire order.
    package var bytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: high >> (56 - 8 * $0)) }
            + (0..<8).map { UInt8(truncatingIfNeeded: low >> (56 - 8 * $0)) }
    }

    /// 32 lower-case hexadecimal digits.
    package var description: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Reads the next 16 bytes. Returns nil when fewer bytes remain.
    init?(from buffer: inout ByteBuffer) {
        guard let (high, low) = buffer.readMultipleIntegers(endianness: .big, as: (UInt64, UInt64).self) else {
            return nil
        }
        self.high = high
        self.low = low
    }

    func write(into buffer: inout ByteBuffer) {
        buffer.writeInteger(high, endianness: .big)
        buffer.writeInteger(low, endianness: .big)
    }
}
