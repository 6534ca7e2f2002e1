/// The name of a picture's file, made from the camera's name for the picture. A camera can send any text. The result is
/// always the name of a file in one directory.
struct PictureName: Hashable, Sendable {
    static let lengthMax = 64
    /// The maximum number of files with the same name in one directory.
    static let numberMax = 9999
    /// The name that replaces a name without usable characters.
    private static let fallback = "picture"
    /// The maximum length of an extension with its dot. A longer suffix is not an extension.
    private static let endingLengthMax = 8
    /// The prefix and suffixes of incomplete files.
    private static let partPrefix = "."
    private static let partSuffix = ".part"
    private static let wholeSuffix = ".whole"

    private let stem: String
    /// The extension with its dot; may be empty.
    private let ending: String

    /// Keeps ASCII letters, digits, dots, underscores and hyphens. The first character is a letter or a digit.
    init(cameraName: String) {
        let kept = cameraName.utf8.filter(Self.isKept)
        let name = kept.drop { !Self.isLetterOrDigit($0) }
        let dot = name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
        let isEnding = name.endIndex - dot <= Self.endingLengthMax
        let endingBytes = isEnding ? name[dot...] : []
        let stemBytes = name.dropLast(endingBytes.count).prefix(Self.lengthMax - endingBytes.count)
        stem = stemBytes.isEmpty ? Self.fallback : String(decoding: stemBytes, as: UTF8.self)
        ending = String(decoding: endingBytes, as: UTF8.self)
    }

    /// The name of the file with this number: `DSC00001.JPG`, `DSC00001-2.JPG`.
    func numbered(_ number: Int) -> String { number == 1 ? stem + ending : "\(stem)-\(number)\(ending)" }

    /// The name of an incomplete file: `.DSC00001.JPG.part`.
    func part(_ number: Int) -> String { Self.partPrefix + numbered(number) + Self.partSuffix }

    static func isPart(_ name: String) -> Bool {
        name.hasPrefix(partPrefix) && name.hasSuffix(partSuffix) && name.utf8.count > partSuffix.utf8.count + 1
    }

    /// The name of a complete file before its final rename: `.DSC00001.JPG.part.5000.whole`. The name contains the
    /// expected size, because after a power cut the file can be too short.
    static func whole(part: String, byteCount: UInt64) -> String { "\(part).\(byteCount)\(wholeSuffix)" }

    /// Parses the name of a complete file before its final rename; returns nil for other names.
    static func whole(_ name: String) -> (name: PictureName, byteCount: UInt64)? {
        guard name.hasSuffix(wholeSuffix) else { return nil }
        let rest = name.dropLast(wholeSuffix.count)
        guard let dot = rest.lastIndex(of: "."), let count = UInt64(rest[dot...].dropFirst()) else { return nil }
        let part = String(rest[..<dot])
        guard isPart(part) else { return nil }
        return (PictureName(cameraName: String(part.dropFirst().dropLast(partSuffix.count))), count)
    }

    private static func isKept(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
