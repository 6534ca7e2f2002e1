import Foundation

/// A directory with small pictures, as if copied from a card. Their EXIF data is correct.
final class CardFixture {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "card-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Adds the picture of an exposure.
    ///
    /// - Parameters:
    ///   - name: the path in the directory. `.JPG` is a JPEG file, anything else a TIFF file like raw files.
    ///   - time: seconds since 1970-01-01 by the camera's clock.
    ///   - model: a name of eight letters.
    func add(
        _ name: String,
        _ numerator: UInt32,
        _ denominator: UInt32,
        at time: Double,
        model: String = "ILCE-7M4"
    ) throws {
        let tiff = Self.tiff(numerator, denominator, at: time, model + "\0")
        let segment = Array("Exif\0\0".utf8) + tiff
        let length = UInt16(segment.count + 2).bigEndian
        let head: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE1] + withUnsafeBytes(of: length) { Array($0) }
        try add(name, name.hasSuffix(".JPG") ? head + segment + [0xFF, 0xD9] : tiff)
    }

    func add(_ name: String, _ bytes: [UInt8]) throws {
        let folder = URL(filePath: file(name)).deletingLastPathComponent().path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: file(name)))
    }

    /// A TIFF file (TIFF 6.0, section 2), little-endian: the model, then the directory of the exposure.
    private static func tiff(
        _ numerator: UInt32,
        _ denominator: UInt32,
        at time: Double,
        _ model: String
    ) -> [UInt8] {
        let hundredths = Int((time * 100).rounded(.down))
        let text = dateText(hundredths / 100) + "\0"
        let fraction = String(100 + hundredths % 100).dropFirst() + "\0"
        let exposureAt = 8 + 2 + 2 * 12 + 4
        let valuesAt = exposureAt + 2 + 3 * 12 + 4
        var bytes = Array("II".utf8) + little(UInt16(42)) + little(UInt32(8)) + little(UInt16(2))
        bytes += entry(0x0110, 2, model.utf8.count, little(UInt32(valuesAt)))
        bytes += entry(0x8769, 4, 1, little(UInt32(exposureAt))) + little(UInt32(0)) + little(UInt16(3))
        bytes += entry(0x829A, 5, 1, little(UInt32(valuesAt + 10)))
        bytes += entry(0x9003, 2, text.utf8.count, little(UInt32(valuesAt + 18)))
        bytes += entry(0x9291, 2, fraction.utf8.count, Array(fraction.utf8) + [0]) + little(UInt32(0))
        return bytes + Array(model.utf8) + [0] + little(numerator) + little(denominator) + Array(text.utf8)
    }

    private static func entry(_ tag: UInt16, _ type: UInt16, _ count: Int, _ value: [UInt8]) -> [UInt8] {
        little(tag) + little(type) + little(UInt32(count)) + value
    }

    private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    /// The time in the form `2026:11:22 09:57:45`.
    private static func dateText(_ seconds: Int) -> String {
        var (time, calendar) = (time_t(seconds), tm())
        gmtime_r(&time, &calendar)
        let parts = [calendar.tm_mon + 1, calendar.tm_mday, calendar.tm_hour, calendar.tm_min, calendar.tm_sec]
        let two = parts.map { String(100 + $0).dropFirst() }
        return "\(calendar.tm_year + 1900):\(two[0]):\(two[1]) \(two[2]):\(two[3]):\(two[4])"
    }

    // MARK: Results

    /// The names of all files in the directory and below, without those that begin with a dot.
    var names: [String] {
        let all = FileManager.default.subpaths(atPath: path) ?? []
        return all.filter { name in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: file(name), isDirectory: &isFolder) && !isFolder.boolValue
        }.sorted()
    }

    /// The inode number of a file.
    func number(_ name: String) -> UInt64? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file(name))
        return (attributes?[.systemFileNumber] as? NSNumber)?.uint64Value
    }
}
