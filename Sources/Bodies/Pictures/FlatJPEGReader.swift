import Exposure
import NIOCore

/// Decodes a ``FlatJPEG``: pictures whose blocks have only DC coefficients, with the tables of that encoder. Only
/// simulations use this reader. The daemon's host has another one.
package enum FlatJPEGReader {
    /// The light of a picture in which each block of 8 × 8 pixels counts as a pixel; nil: another kind of JPEG.
    package static func light(of file: ByteBuffer) -> PictureLight? {
        guard let (blocks, columns, rows) = decode(file) else { return nil }
        var (brightest, luma) = ([UInt32](repeating: 0, count: 256), [UInt32](repeating: 0, count: 256))
        for block in blocks {
            brightest[Int(block.brightest)] += 1
            luma[Int(block.luma)] += 1
        }
        // A still picture of a scene has 2 × 2 blocks for each cell. One of them is enough for the map.
        let step = max(1, columns / PictureMap.longSideMax + 1, rows / PictureMap.shortSideMax + 1)
        let map = stride(from: 0, to: rows, by: step).flatMap { row in
            stride(from: 0, to: columns, by: step).map { column in
                let block = blocks[row * columns + column]
                return block.brightest >= UInt8(ToneTable.clippedCode) ? PictureMap.white : block.luma
            }
        }
        guard let brightest = CodeHistogram(counts: brightest), let luma = CodeHistogram(counts: luma),
            let map = PictureMap(columns: (columns + step - 1) / step, rows: (rows + step - 1) / step, blocks: map)
        else { return nil }
        return PictureLight(brightest: brightest, luma: luma, map: map)
    }

    private struct Block {
        var brightest: UInt8
        var luma: UInt8

        /// The colour of a block, from its levels (JFIF).
        init(_ levels: [Int]) {
            let light = Double(levels[0])
            luma = UInt8(min(max(levels[0], 0), 255))
            guard levels.count == 3 else {
                brightest = luma
                return
            }
            let (blue, red) = (Double(levels[1] - 128), Double(levels[2] - 128))
            let channels = [light + 1.402 * red, light - 0.344136 * blue - 0.714136 * red, light + 1.772 * blue]
            brightest = UInt8(min(max(channels.max() ?? light, 0), 255).rounded())
        }
    }

    private static func decode(_ file: ByteBuffer) -> (blocks: [Block], columns: Int, rows: Int)? {
        var buffer = file
        var (columns, rows, channels) = (0, 0, 0)
        guard buffer.readInteger(as: UInt16.self) == 0xFFD8 else { return nil }
        while let marker = buffer.readInteger(as: UInt16.self), let length = buffer.readInteger(as: UInt16.self),
            length >= 2, let body = buffer.readSlice(length: Int(length) - 2)
        {
            if marker == 0xFFC0, let height = body.getInteger(at: body.readerIndex + 1, as: UInt16.self),
                let width = body.getInteger(at: body.readerIndex + 3, as: UInt16.self),
                let count = body.getInteger(at: body.readerIndex + 5, as: UInt8.self)
            {
                (columns, rows, channels) = ((Int(width) + 7) / 8, (Int(height) + 7) / 8, Int(count))
            }
            guard marker == 0xFFDA else { continue }
            guard columns * rows > 0, [1, 3].contains(channels) else { return nil }
            var scan = Scan(buffer.readableBytesView)
            var levels = Array(repeating: 128, count: channels)
            var blocks: [Block] = []
            blocks.reserveCapacity(columns * rows)
            for _ in 0..<columns * rows {
                for channel in levels.indices {
                    guard let difference = scan.difference() else { return nil }
                    levels[channel] += difference
                }
                blocks.append(Block(levels))
            }
            return (blocks, columns, rows)
        }
        return nil
    }

    /// The entropy-coded blocks.
    private struct Scan {
        private var bytes: ByteBufferView.Iterator
        private var word = 0
        private var bits = 0

        init(_ view: ByteBufferView) { bytes = view.makeIterator() }

        /// The difference of a block's level from the channel's previous level; nil: the data end or are of another
        /// encoder.
        mutating func difference() -> Int? {
            guard let category = take(4), category <= 8, let value = take(category), take(1) == 0 else { return nil }
            return category > 0 && value < 1 << (category - 1) ? value - (1 << category) + 1 : value
        }

        private mutating func take(_ count: Int) -> Int? {
            while bits < count {
                guard let byte = bytes.next() else { return nil }
                // A zero follows a byte 0xFF.
                if byte == 0xFF, bytes.next() != 0 { return nil }
                word = word << 8 | Int(byte)
                bits += 8
            }
            bits -= count
            defer { word &= (1 << bits) - 1 }
            return word >> bits
        }
    }
}
