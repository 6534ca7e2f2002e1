import Controller
import NIOCore

/// Reads from a JPEG the data that a verification needs (EXIF 2.32). Only simulations use this reader. The daemon's
/// host has another one.
package enum ExifReader {
    /// Reads the exposure data of the file.
    package static func read(_ file: ByteBuffer) -> PictureMetadata {
        guard let tiff = tiff(in: file), let reader = TIFFReader(tiff) else {
            return .unreadable("it has no EXIF block")
        }
        let main = reader.directory(at: reader.integer(at: 4, UInt32.self))
        let exif = reader.directory(at: main[0x8769].flatMap { reader.number($0) })
        return .read(
            ExposureRecord(
                exposureTime: exif[0x829A].flatMap { reader.fraction($0) },
                fNumber: exif[0x829D].flatMap { reader.fraction($0) },
                iso: exif[0x8827].flatMap { reader.number($0) },
                capturedAt: exif[0x9003].flatMap { reader.text($0) },
                model: main[0x0110].flatMap { reader.text($0) }
            )
        )
    }

    /// The TIFF block of the first APP1 segment with EXIF data.
    private static func tiff(in file: ByteBuffer) -> ByteBuffer? {
        var rest = file
        guard rest.readInteger(as: UInt16.self) == 0xFFD8 else { return nil }
        while let marker = rest.readInteger(as: UInt16.self), marker >= 0xFFC0, marker != 0xFFDA,
            let length = rest.readInteger(as: UInt16.self), length >= 2,
            var body = rest.readSlice(length: Int(length) - 2)
        {
            if marker == 0xFFE1, body.readString(length: 6) == "Exif\0\0" { return body }
        }
        return nil
    }
}

private struct TIFFReader {
    struct Entry {
        var type: UInt16
        var count: Int
        /// The offset of the entry's value field. If the value has more than 4 bytes, the field has the value's offset.
        var place: Int
    }

    private let block: ByteBuffer
    private let endianness: Endianness

    init?(_ block: ByteBuffer) {
        var start = block
        switch start.readString(length: 2) {
        case "II": endianness = .little
        case "MM": endianness = .big
        default: return nil
        }
        self.block = block.slice()
    }

    func integer<T: FixedWidthInteger>(at place: Int, _ type: T.Type) -> T? {
        block.getInteger(at: place, endianness: endianness, as: type)
    }

    /// The entries of the directory at this offset, by their tags.
    func directory(at offset: UInt32?) -> [UInt16: Entry] {
        guard let start = offset.map(Int.init), let count = integer(at: start, UInt16.self) else { return [:] }
        var entries: [UInt16: Entry] = [:]
        for index in 0..<Int(count) {
            let place = start + 2 + index * 12
            guard let tag = integer(at: place, UInt16.self), let type = integer(at: place + 2, UInt16.self),
                let count = integer(at: place + 4, UInt32.self)
            else { break }
            entries[tag] = Entry(type: type, count: Int(count), place: place + 8)
        }
        return entries
    }

    func number(_ entry: Entry) -> UInt32? {
        entry.type == 3 ? integer(at: entry.place, UInt16.self).map(UInt32.init) : integer(at: entry.place, UInt32.self)
    }

    func fraction(_ entry: Entry) -> ExposureRecord.Fraction? {
        guard entry.type == 5, let place = integer(at: entry.place, UInt32.self).map(Int.init),
            let numerator = integer(at: place, UInt32.self), let denominator = integer(at: place + 4, UInt32.self)
        else { return nil }
        return ExposureRecord.Fraction(numerator, denominator)
    }

    func text(_ entry: Entry) -> String? {
        guard entry.type == 2, entry.count > 0, entry.count < 256 else { return nil }
        let place = entry.count <= 4 ? entry.place : integer(at: entry.place, UInt32.self).map(Int.init)
        return place.flatMap { block.getString(at: $0, length: entry.count - 1) }
    }
}
