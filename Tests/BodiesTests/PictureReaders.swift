import NIOCore
import Testing

/// A JPEG decoder that reads only the brightness of each block.
enum JPEGReader {
    struct Broken: Error {}

    /// The markers in their order, and the position of the first entropy-coded byte.
    static func segments(_ picture: ByteBuffer) throws -> (markers: [UInt8], scan: Int) {
        var buffer = picture
        #expect(buffer.readInteger() == UInt16(0xFFD8))
        var markers: [UInt8] = []
        while let mark: UInt8 = buffer.readInteger(), let marker: UInt8 = buffer.readInteger() {
            guard mark == 0xFF, let length: UInt16 = buffer.readInteger(), length >= 2 else { throw Broken() }
            guard buffer.readSlice(length: Int(length) - 2) != nil else { throw Broken() }
            markers.append(marker)
            if marker == 0xDA { return (markers, buffer.readerIndex) }
        }
        throw Broken()
    }

    /// The level of each block of the first channel, from the direct coefficients alone. The tables are those of the
    /// encoder.
    static func greys(_ picture: ByteBuffer, count: Int = 96, channels: Int = 1) throws -> [Int] {
        let start = try segments(picture).scan
        var bits: [UInt8] = []
        var index = start
        let bytes = Array(picture.readableBytesView)
        while !(bytes[index] == 0xFF && bytes[index + 1] == 0xD9) {
            for position in (0..<8).reversed() { bits.append(bytes[index] >> position & 1) }
            index += bytes[index] == 0xFF ? 2 : 1
        }
        var place = 0
        func take(_ count: Int) -> Int {
            defer { place += count }
            return bits[place..<place + count].reduce(0) { $0 << 1 | Int($1) }
        }
        var greys: [Int] = []
        var levels = Array(repeating: 128, count: channels)
        for block in 0..<count * channels {
            let category = take(4)
            guard category <= 8 else { throw Broken() }
            let number = take(category)
            let difference = category > 0 && number < 1 << (category - 1) ? number - (1 << category) + 1 : number
            levels[block % channels] += difference
            guard take(1) == 0 else { throw Broken() }
            if block % channels == 0 { greys.append(levels[0]) }
        }
        // The rest of the last byte is filled with ones.
        #expect(bits.count - place < 8)
        #expect(bits[place...].allSatisfy { $0 == 1 })
        return greys
    }
}

/// The fields of the first directory and of the Exif directory.
struct ExifReader {
    private var fields: [UInt16: (type: UInt16, bytes: ByteBuffer)] = [:]

    init(_ jpeg: ByteBuffer) throws {
        #expect(jpeg.getInteger(at: 2) == UInt16(0xFFE1))
        #expect(jpeg.getString(at: 6, length: 6) == "Exif\0\0")
        let length = Int(try #require(jpeg.getInteger(at: 4, as: UInt16.self)))
        try self.init(tiff: try #require(jpeg.getSlice(at: 12, length: length - 8)))
    }

    init(tiff: ByteBuffer) throws {
        let tiff = ByteBuffer(bytes: tiff.readableBytesView)
        #expect(tiff.getString(at: 0, length: 2) == "II")
        #expect(tiff.getInteger(at: 2, endianness: .little) == UInt16(42))
        try read(tiff, at: Int(try #require(tiff.getInteger(at: 4, endianness: .little, as: UInt32.self))))
        try read(tiff, at: try #require(number(0x8769)))
    }

    private mutating func read(_ tiff: ByteBuffer, at start: Int) throws {
        let count = try #require(tiff.getInteger(at: start, endianness: .little, as: UInt16.self))
        var last: UInt16 = 0
        for index in 0..<Int(count) {
            let place = start + 2 + 12 * index
            let tag = try #require(tiff.getInteger(at: place, endianness: .little, as: UInt16.self))
            let type = try #require(tiff.getInteger(at: place + 2, endianness: .little, as: UInt16.self))
            let count = Int(try #require(tiff.getInteger(at: place + 4, endianness: .little, as: UInt32.self)))
            #expect(tag > last)
            last = tag
            let size = count * (try #require([2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 10: 8][type]))
            let offset = Int(try #require(tiff.getInteger(at: place + 8, endianness: .little, as: UInt32.self)))
            fields[tag] = (type, try #require(tiff.getSlice(at: size > 4 ? offset : place + 8, length: size)))
        }
    }

    func text(_ tag: UInt16) -> String? {
        fields[tag].flatMap { $0.bytes.getString(at: $0.bytes.readerIndex, length: $0.bytes.readableBytes - 1) }
    }

    func number(_ tag: UInt16) -> Int? {
        guard let (type, bytes) = fields[tag] else { return nil }
        let place = bytes.readerIndex
        if type == 3 { return bytes.getInteger(at: place, endianness: .little, as: UInt16.self).map(Int.init) }
        return bytes.getInteger(at: place, endianness: .little, as: UInt32.self).map(Int.init)
    }

    func rational(_ tag: UInt16) -> [Int]? {
        guard let (_, bytes) = fields[tag] else { return nil }
        return [0, 4].compactMap {
            bytes.getInteger(at: bytes.readerIndex + $0, endianness: .little, as: Int32.self).map(Int.init)
        }
    }
}
