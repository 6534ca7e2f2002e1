/// A baseline JPEG (ITU-T T.81) whose blocks of 8 × 8 pixels each have one colour. It has only DC coefficients, and
/// every program can read it. The codes return exactly; of colours within one.
package struct FlatJPEG: Sendable {
    /// One code per block and channel, row by row: grey, or Y, Cb and Cr (JFIF).
    private let channels: [[UInt8]]
    private let width: Int
    private let height: Int

    /// A grey picture.
    package init(greys: [UInt8], width: Int, height: Int) {
        precondition(1...65_535 ~= width && 1...65_535 ~= height, "the sides have 16 bits")
        precondition(greys.count == ((width + 7) / 8) * ((height + 7) / 8), "a code per block")
        channels = [greys]
        self.width = width
        self.height = height
    }

    /// A picture of cells in colour.
    ///
    /// - Parameters:
    ///   - cells: the codes of each cell, row by row.
    ///   - columns: the cells in a row.
    ///   - blocksPerCell: the side of a cell in blocks: 2 for 16 pixels, 1 for 8.
    package init(cells: [SceneEye.Codes], columns: Int, blocksPerCell: Int) {
        precondition(columns > 0 && cells.count % columns == 0 && blocksPerCell > 0, "whole rows of cells")
        let rows = cells.count / columns
        let blocks = (0..<rows * blocksPerCell).flatMap { row in
            (0..<columns * blocksPerCell).map { column in
                cells[row / blocksPerCell * columns + column / blocksPerCell]
            }
        }
        width = columns * blocksPerCell * 8
        height = rows * blocksPerCell * 8
        precondition(width <= 65_535 && height <= 65_535, "the sides have 16 bits")
        channels = [blocks.map(\.luma), blocks.map(\.blueness), blocks.map(\.redness)]
    }

    /// The part of the JPEG after the application segments: tables, frame, scan, end.
    package func image() -> [UInt8] {
        var bytes: [UInt8] = []
        // Every value of the quantization table is 8, so one step of a DC coefficient is one level.
        var quantization = [UInt8](repeating: 8, count: 65)
        quantization[0] = 0
        Self.segment(0xDB, quantization, into: &bytes)
        let count = UInt8(channels.count)
        var frame: [UInt8] = [
            8, UInt8(height >> 8), UInt8(height & 0xFF), UInt8(width >> 8), UInt8(width & 0xFF), count,
        ]
        var order: [UInt8] = [count]
        for channel in 1...count {
            frame += [channel, 0x11, 0]
            order += [channel, 0x00]
        }
        order += [0, 63, 0]
        Self.segment(0xC0, frame, into: &bytes)
        Self.segment(0xC4, Self.directTable, into: &bytes)
        Self.segment(0xC4, Self.alternatingTable, into: &bytes)
        Self.segment(0xDA, order, into: &bytes)
        var scan = Scan(channels: channels.count)
        for block in channels[0].indices {
            for (channel, codes) in channels.enumerated() { scan.block(Int(codes[block]) - 128, of: channel) }
        }
        bytes += scan.finished()
        bytes += [0xFF, 0xD9]
        return bytes
    }

    /// The smallest file: start and image.
    package func file() -> [UInt8] {
        var bytes: [UInt8] = [0xFF, 0xD8]
        bytes += image()
        return bytes
    }

    /// Writes a marker, a length that includes the length field, and the body.
    private static func segment(_ marker: UInt8, _ body: [UInt8], into bytes: inout [UInt8]) {
        let length = body.count + 2
        bytes += [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)]
        bytes += body
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
        private var last: [Int]

        init(channels: Int) { last = Array(repeating: 0, count: channels) }

        /// Writes a block of one level: the difference from the channel's previous level, then the end of the block.
        mutating func block(_ level: Int, of channel: Int) {
            let difference = level - last[channel]
            last[channel] = level
            let category = Int.bitWidth - abs(difference).leadingZeroBitCount
            let value = difference >= 0 ? difference : difference + (1 << category) - 1
            append((category << category | value) << 1, 4 + category + 1)
        }

        /// Returns all bytes. One-bits fill the last byte.
        mutating func finished() -> [UInt8] {
            if bits > 0 { append((1 << (8 - bits)) - 1, 8 - bits) }
            return bytes
        }

        private mutating func append(_ value: Int, _ count: Int) {
            word = word << count | value
            bits += count
            while bits >= 8 {
                bits -= 8
                let byte = UInt8(word >> bits)
                bytes.append(byte)
                // A zero follows a byte 0xFF, which would otherwise begin a marker.
                if byte == 0xFF { bytes.append(0) }
                word &= (1 << bits) - 1
            }
        }
    }
}
