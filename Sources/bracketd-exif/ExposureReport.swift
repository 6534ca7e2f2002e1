import CExif
import Glibc

/// The exposure metadata of a picture, as lines of text.
struct ExposureReport {
    var lines: [String] = []
    /// How the picture is turned; nil: the file does not say.
    private(set) var orientation: UInt32?

    /// A tag for which the library has no name (EXIF 2.32, 4.6.5).
    private static let recommendedExposureIndex = ExifTag(rawValue: 0x8832)
    /// The value of the ISO tag if the camera's ISO is too large for it (EXIF 2.32, "PhotographicSensitivity").
    private static let isoBeyond: UInt32 = 65535
    private static let textLengthMax = 64
    private static let fractionLengthMax = 9

    /// - Parameter hasFractions: whether the lines include the fraction of the second.
    init(picture: [UInt8], hasFractions: Bool) {
        let blocks = ExifBytes.find(in: picture).compactMap(Self.data)
        defer { for block in blocks { exif_data_unref(block) } }
        /// The tag's entry in the first block that has one.
        func entry(_ tag: ExifTag, _ directories: (ExifData) -> [UnsafeMutablePointer<ExifContent>?]) -> Entry? {
            for block in blocks {
                let order = exif_data_get_byte_order(block)
                for directory in directories(block.pointee) {
                    if let entry = Entry(tag, in: directory, order: order) { return entry }
                }
            }
            return nil
        }
        // In a Canon CR3 file the exposure's tags are in the first directory of a separate block.
        func exposure(_ tag: ExifTag) -> Entry? { entry(tag) { [$0.ifd.2, $0.ifd.0] } }
        add("exposure-time", exposure(EXIF_TAG_EXPOSURE_TIME)?.fraction)
        add("f-number", exposure(EXIF_TAG_FNUMBER)?.fraction)
        var iso = exposure(EXIF_TAG_ISO_SPEED_RATINGS)?.number
        if iso == nil || iso == Self.isoBeyond { iso = exposure(Self.recommendedExposureIndex)?.number ?? iso }
        add("iso", iso.map { String($0) })
        add("captured-at", exposure(EXIF_TAG_DATE_TIME_ORIGINAL)?.text(lengthMax: Self.textLengthMax))
        if hasFractions {
            let fraction = exposure(EXIF_TAG_SUB_SEC_TIME_ORIGINAL)?.text(lengthMax: Self.fractionLengthMax)
            add("captured-fraction", fraction.flatMap { $0.utf8.allSatisfy { 48...57 ~= $0 } ? $0 : nil })
        }
        orientation = entry(EXIF_TAG_ORIENTATION) { [$0.ifd.0] }?.number
        add("model", entry(EXIF_TAG_MODEL) { [$0.ifd.0] }?.text(lengthMax: Self.textLengthMax))
    }

    private mutating func add(_ name: String, _ value: String?) {
        if let value { lines.append("\(name) \(value)") }
    }

    func write() {
        var bytes = Array((lines + ["end", ""]).joined(separator: "\n").utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 else { exit(2) }
            bytes = bytes.dropFirst(count)
        }
    }

    private static func data(_ bytes: [UInt8]) -> UnsafeMutablePointer<ExifData>? {
        guard let data = exif_data_new() else { return nil }
        // The library's corrections would remove unknown tags and add required tags that the file does not have.
        exif_data_unset_option(data, EXIF_DATA_OPTION_IGNORE_UNKNOWN_TAGS)
        exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION)
        exif_data_load_data(data, bytes, UInt32(bytes.count))
        return data
    }
}

private enum ExifBytes {
    private static let header = Array("Exif\0\0".utf8)
    /// The header of a TIFF structure: the byte order, then 42 (TIFF 6.0, section 2).
    private static let tiffHeaders: [[UInt8]] = [[0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A]]
    /// The beginning of a CR3 file after the length of its first box, and its two boxes with tags: one of the camera
    /// and one of the exposure.
    private static let canonBrand = Array("ftypcrx ".utf8)
    private static let canonBoxes = [Array("CMT1".utf8), Array("CMT2".utf8)]

    /// Returns data that the library accepts: a JPEG file, or the EXIF header with a TIFF file. Sony's raw files (ARW)
    /// are TIFF files. HEIF files have an item with the EXIF header and a TIFF file (ISO/IEC 23008-12, A.2).
    ///
    /// Canon's newer raw files (CR3) have two TIFF structures without that header.
    /// Each comes after the name of its box.
    static func find(in picture: [UInt8]) -> [[UInt8]] {
        if picture.starts(with: [0xFF, 0xD8]) { return [picture] }
        if tiffHeaders.contains(where: { picture.starts(with: $0) }) { return [header + picture] }
        if picture.dropFirst(4).starts(with: canonBrand) { return canonBoxes.compactMap { box($0, in: picture) } }
        return block(in: picture).map { [$0] } ?? []
    }

    /// The TIFF structure that follows a box's name.
    private static func box(_ name: [UInt8], in picture: [UInt8]) -> [UInt8]? {
        place(of: name, in: picture).map { header + picture[($0 + name.count)...] }
    }

    private static func block(in picture: [UInt8]) -> [UInt8]? {
        place(of: header, in: picture).map { Array(picture[$0...]) }
    }

    /// The position of a name that precedes a TIFF header.
    private static func place(of name: [UInt8], in picture: [UInt8]) -> Int? {
        let length = name.count + 4
        guard picture.count >= length else { return nil }
        return (0...(picture.count - length)).first { start in
            guard picture[start] == name[0] else { return false }
            let found = picture[start..<start + length]
            return found.starts(with: name) && tiffHeaders.contains { found.suffix(4).elementsEqual($0) }
        }
    }
}

/// The entry of a tag. Its value is never read beyond the entry's bytes.
private struct Entry {
    private let format: ExifFormat
    private let order: ExifByteOrder
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    init?(_ tag: ExifTag, in directory: UnsafeMutablePointer<ExifContent>?, order: ExifByteOrder) {
        guard let directory, let entry = exif_content_get_entry(directory, tag)?.pointee, let data = entry.data,
            entry.components > 0
        else { return nil }
        format = entry.format
        self.order = order
        bytes = UnsafeMutableBufferPointer(start: data, count: Int(entry.size))
    }

    /// The value as a fraction, `1/250`; nil: the value is not a fraction.
    var fraction: String? {
        guard format == EXIF_FORMAT_RATIONAL, bytes.count >= 8 else { return nil }
        let value = exif_get_rational(bytes.baseAddress, order)
        return value.denominator > 0 ? "\(value.numerator)/\(value.denominator)" : nil
    }

    var number: UInt32? {
        switch format {
        case EXIF_FORMAT_SHORT where bytes.count >= 2: UInt32(exif_get_short(bytes.baseAddress, order))
        case EXIF_FORMAT_LONG where bytes.count >= 4: exif_get_long(bytes.baseAddress, order)
        default: nil
        }
    }

    /// The text up to its zero byte, without surrounding spaces; nil if empty, too long, or not printable ASCII.
    func text(lengthMax: Int) -> String? {
        guard format == EXIF_FORMAT_ASCII else { return nil }
        var text = bytes.prefix { $0 != 0 }
        while text.last == 0x20 { text.removeLast() }
        while text.first == 0x20 { text.removeFirst() }
        guard !text.isEmpty, text.count <= lengthMax, text.allSatisfy({ 0x20...0x7E ~= $0 }) else { return nil }
        return String(decoding: text, as: UTF8.self)
    }
}
