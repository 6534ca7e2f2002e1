import NIOCore

/// A real, tiny JPEG in place of a photograph: 8 × 8 grey pixels whose shade follows from the frame's number, with an
/// EXIF block that carries the model and the exposure time.
package enum StandInPicture {
    /// Width and height in pixels.
    package static let side: UInt16 = 8

    /// The picture of a frame. The same frame gives the same bytes.
    ///
    /// - Parameter exposure: numerator and denominator of the seconds, as the camera names the speed.
    package static func jpeg(
        frame: Int,
        model: String,
        exposure: (numerator: UInt32, denominator: UInt32)
    ) -> ByteBuffer {
        var buffer = ByteBuffer(bytes: [0xFF, 0xD8])
        segment(0xE1, exif(model: model, exposure: exposure), into: &buffer)
        segment(0xFE, ByteBuffer(string: "frame \(frame)"), into: &buffer)
        // One quantisation table, all 8: a DC step is then one level of grey.
        segment(0xDB, ByteBuffer(bytes: [0x00] + [UInt8](repeating: 8, count: 64)), into: &buffer)
        segment(0xC0, ByteBuffer(bytes: [8, 0, UInt8(side), 0, UInt8(side), 1, 1, 0x11, 0]), into: &buffer)
        segment(0xC4, ByteBuffer(bytes: directTable), into: &buffer)
        segment(0xC4, ByteBuffer(bytes: alternatingTable), into: &buffer)
        segment(0xDA, ByteBuffer(bytes: [1, 1, 0x00, 0, 63, 0]), into: &buffer)
        buffer.writeBytes(scan(shade: shade(frame)))
        buffer.writeBytes([0xFF, 0xD9])
        return buffer
    }

    /// The grey of a frame's pixels, minus 128: neighbouring frames differ plainly.
    private static func shade(_ frame: Int) -> Int { (frame * 37) % 255 - 127 }

    /// Huffman table 0 for DC: codes of 4 bits for the categories 0 to 8.
    private static let directTable: [UInt8] =
        [0x00, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] + Array(0...8)
    /// Huffman table 0 for AC: one code, `0`, the end of the block.
    private static let alternatingTable: [UInt8] = [0x10, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x00]

    /// The only block: its DC difference, then the end of the block, then ones up to a whole byte.
    private static func scan(shade: Int) -> [UInt8] {
        let magnitude = abs(shade)
        let category = Int.bitWidth - magnitude.leadingZeroBitCount
        let bits = shade >= 0 ? shade : shade + (1 << category) - 1
        var word: UInt32 = 0
        var length = 0
        func append(_ value: Int, _ count: Int) {
            word = word << UInt32(count) | UInt32(value)
            length += count
        }
        append(category, 4)
        append(bits, category)
        append(0, 1)
        let padding = (8 - length % 8) % 8
        append((1 << padding) - 1, padding)
        let bytes = (0..<length / 8).reversed().map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) }
        return bytes.flatMap { $0 == 0xFF ? [$0, 0x00] : [$0] }
    }

    /// An APP1 segment: TIFF, little-endian, with Model in the first directory and ExposureTime in the Exif one.
    private static func exif(model: String, exposure: (numerator: UInt32, denominator: UInt32)) -> ByteBuffer {
        let name = Array(model.utf8.prefix(31)) + [0]
        let nameOffset: UInt32 = 8 + 2 + 2 * 12 + 4
        let exifOffset = nameOffset + UInt32(name.count + name.count % 2)
        var tiff = ByteBuffer(string: "II")
        tiff.writeMultipleIntegers(UInt16(42), UInt32(8), UInt16(2), endianness: .little)
        entry(0x0110, type: 2, count: UInt32(name.count), value: nameOffset, into: &tiff)
        entry(0x8769, type: 4, count: 1, value: exifOffset, into: &tiff)
        tiff.writeInteger(UInt32(0), endianness: .little)
        tiff.writeBytes(name + (name.count % 2 == 1 ? [0] : []))
        tiff.writeInteger(UInt16(1), endianness: .little)
        entry(0x829A, type: 5, count: 1, value: exifOffset + 2 + 12 + 4, into: &tiff)
        tiff.writeMultipleIntegers(UInt32(0), exposure.numerator, exposure.denominator, endianness: .little)
        var block = ByteBuffer(bytes: Array("Exif".utf8) + [0, 0])
        block.writeBuffer(&tiff)
        return block
    }

    private static func entry(_ tag: UInt16, type: UInt16, count: UInt32, value: UInt32, into tiff: inout ByteBuffer) {
        tiff.writeMultipleIntegers(tag, type, count, value, endianness: .little)
    }

    private static func segment(_ marker: UInt8, _ body: ByteBuffer, into buffer: inout ByteBuffer) {
        buffer.writeBytes([0xFF, marker])
        buffer.writeInteger(UInt16(body.readableBytes + 2), endianness: .big)
        buffer.writeImmutableBuffer(body)
    }
}
