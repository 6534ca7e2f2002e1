/// Files with EXIF data, byte by byte (EXIF 2.32, 4.5 and 4.6; TIFF 6.0, section 2).
struct ExifPicture {
    /// An entry of a directory: tag, type, count, and the bytes of the value in the file's byte order.
    struct Entry {
        var tag: UInt16
        var type: UInt16
        var count: UInt32
        var value: [UInt8]
    }

    var isBigEndian = false
    var cameraEntries: [Entry] = []
    var exposureEntries: [Entry] = []

    static let model: UInt16 = 0x0110
    static let exposurePointer: UInt16 = 0x8769

    /// Creates the data of a frame at 1/250 s, f/5.6, ISO 100.
    init(isBigEndian: Bool = false) {
        self.isBigEndian = isBigEndian
        cameraEntries = [text(Self.model, "ILCE-7M4")]
        exposureEntries = [
            fraction(0x829A, 1, 250), fraction(0x829D, 56, 10), short(0x8827, 100),
            text(0x9003, "2026:11:21 08:30:00"),
        ]
    }

    func text(_ tag: UInt16, _ text: String) -> Entry {
        Entry(tag: tag, type: 2, count: UInt32(text.utf8.count + 1), value: Array(text.utf8) + [0])
    }

    func fraction(_ tag: UInt16, _ numerator: UInt32, _ denominator: UInt32) -> Entry {
        Entry(tag: tag, type: 5, count: 1, value: bytes(numerator) + bytes(denominator))
    }

    func short(_ tag: UInt16, _ value: UInt16) -> Entry { Entry(tag: tag, type: 3, count: 1, value: bytes(value)) }

    func long(_ tag: UInt16, _ value: UInt32) -> Entry { Entry(tag: tag, type: 4, count: 1, value: bytes(value)) }

    func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: isBigEndian ? value.bigEndian : value.littleEndian) { Array($0) }
    }

    /// The data as a TIFF file. Sony's raw files are TIFF files too.
    var tiff: [UInt8] {
        let first = 8
        let second = first + 2 + 12 * (cameraEntries.count + 1) + 4
        let values = second + 2 + 12 * exposureEntries.count + 4
        var tail: [UInt8] = []
        let pointer = long(Self.exposurePointer, UInt32(second))
        let directories = [cameraEntries + [pointer], exposureEntries].map { entries in
            directory(entries, values: values, tail: &tail)
        }
        let order: [UInt8] = isBigEndian ? [0x4D, 0x4D] : [0x49, 0x49]
        return order + bytes(UInt16(42)) + bytes(UInt32(first)) + directories.flatMap(\.self) + tail
    }

    private func directory(_ entries: [Entry], values: Int, tail: inout [UInt8]) -> [UInt8] {
        var directory = bytes(UInt16(entries.count))
        for entry in entries {
            directory += bytes(entry.tag) + bytes(entry.type) + bytes(entry.count)
            if entry.value.count <= 4 {
                directory += entry.value + Array(repeating: 0, count: 4 - entry.value.count)
            } else {
                directory += bytes(UInt32(values + tail.count))
                tail += entry.value + Array(repeating: 0, count: entry.value.count % 2)
            }
        }
        return directory + bytes(UInt32(0))
    }

    /// The data in the form in which files of other formats contain it.
    var segment: [UInt8] { Array("Exif\0\0".utf8) + tiff }

    /// A JPEG file: the data, then `size` bytes in place of the picture.
    func jpeg(size: Int = 1000) -> [UInt8] {
        let length = segment.count + 2
        let head: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + segment
        let body = (0..<max(0, size - head.count - 2)).map { UInt8(truncatingIfNeeded: $0 &* 7) & 0x7F }
        return head + body + [0xFF, 0xD9]
    }
}
