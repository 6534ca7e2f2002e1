import NIOCore

/// A baseline JPEG of grey squares, one block each. It has only DC coefficients, and every program can read it.
enum GreyJPEG {
    /// The part of the JPEG after the application segments: tables, frame, scan, end.
    static func image(greys: [UInt8], width: Int, height: Int) -> ByteBuffer {
        var buffer = ByteBuffer()
        // Every value of the quantization table is 8, so one step of a DC coefficient is one level of grey.
        segment(0xDB, ByteBuffer(bytes: [0x00] + [UInt8](repeating: 8, count: 64)), into: &buffer)
        var frame = ByteBuffer(bytes: [8])
        frame.writeMultipleIntegers(UInt16(height), UInt16(width), endianness: .big)
        frame.writeBytes([1, 1, 0x11, 0])
        segment(0xC0, frame, into: &buffer)
        segment(0xC4, ByteBuffer(bytes: directTable), into: &buffer)
        segment(0xC4, ByteBuffer(bytes: alternatingTable), into: &buffer)
        segment(0xDA, ByteBuffer(bytes: [1, 1, 0x00, 0, 63, 0]), into: &buffer)
        var scan = Scan()
        for grey in greys { scan.block(Int(grey) - 128) }
        buffer.writeBytes(scan.finished())
        buffer.writeBytes([0xFF, 0xD9])
        return buffer
    }

    /// Writes a marker, a length that includes the length field, and the body.
    static func segment(_ marker: UInt8, _ body: ByteBuffer, into buffer: inout ByteBuffer) {
        buffer.writeBytes([0xFF, marker])
        buffer.writeInteger(UInt16(body.readableBytes + 2), endianness: .big)
        buffer.writeImmutableBuffer(body)
    }

    /// Huffman table 0 for DC coefficients: codes of 4 bits for the categories 0 to 8.
    private static let directTable: [UInt8] =
        [0x00, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] + Array(0...8)
    /// Huffman table 0 for AC coefficients: only the code `0`, the end of the block.
    private static let alternatingTable: [UInt8] = [0x10, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x00]

    /// The entropy-coded blocks.
    private struct Scan {
        private var bytes: [UInt8] = []
        private var word = 0
        private var bits = 0
        private var last = 0

        /// Writes a block of one level: the difference from the previous level, then the end of the block.
        mutating func block(_ level: Int) {
            let difference = level - last
            last = level
            let category = Int.bitWidth - abs(difference).leadingZeroBitCount
            append(category, 4)
            append(difference >= 0 ? difference : difference + (1 << category) - 1, category)
            append(0, 1)
        }

        /// Returns all bytes. One-bits fill the last byte.
        mutating func finished() -> [UInt8] {
            if bits > 0 { append((1 << (8 - bits)) - 1, 8 - bits) }
            return bytes
        }

        private mutating func append(_ value: Int, _ count: Int) {
            for position in (0..<count).reversed() {
                word = word << 1 | value >> position & 1
                bits += 1
                guard bits == 8 else { continue }
                bytes.append(UInt8(word))
                // A zero follows a byte 0xFF, which would otherwise begin a marker.
                if word == 0xFF { bytes.append(0) }
                word = 0
                bits = 0
            }
        }
    }
}
