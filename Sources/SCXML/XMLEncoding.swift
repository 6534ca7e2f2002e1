/// The accepted encodings of a file. In these encodings, a tag consists of ASCII bytes.
///
/// `XMLScanner` reads bytes. In UTF-16 or UTF-7 only the XML parser would find the tags and a document type
/// declaration.
enum XMLEncoding {
    /// The error in a file's encoding; nil: the encoding is accepted.
    static func problem(_ bytes: [UInt8]) -> String? {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let start = bytes.starts(with: mark) ? bytes[mark.count...] : bytes[...]
        let first = start.prefix(4)
        let unreadable = first.contains(0) || first.starts(with: [0xFF, 0xFE]) || first.starts(with: [0xFE, 0xFF])
        // The bytes 4C 6F A7 94 are '<?xm' in EBCDIC.
        if unreadable || first.elementsEqual([0x4C, 0x6F, 0xA7, 0x94]) {
            return "the file is not in UTF-8: save it as UTF-8"
        }
        guard let name = declared(start), !isReadable(name.lowercased()) else { return nil }
        return "encoding '\(name)' is not supported: save the file as UTF-8"
    }

    private static func isReadable(_ name: String) -> Bool {
        ["utf-8", "utf8", "ascii", "us-ascii"].contains(name)
            || ["iso-8859-", "windows-125", "cp125"].contains { name.hasPrefix($0) }
    }

    private static func declared(_ bytes: ArraySlice<UInt8>) -> String? {
        guard bytes.starts(with: "<?xml".utf8), let end = bytes.firstIndex(of: UInt8(ascii: ">")) else { return nil }
        let declaration = String(decoding: bytes[..<end], as: UTF8.self)
        guard let name = declaration.firstRange(of: "encoding") else { return nil }
        let rest = declaration[name.upperBound...].drop { $0 == "=" || $0.isWhitespace }
        guard let quote = rest.first, quote == "\"" || quote == "'" else { return nil }
        return String(rest.dropFirst().prefix { $0 != quote })
    }
}
