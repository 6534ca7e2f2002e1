/// The unique device name of UPnP (Device Architecture 1.1, 1.1.4): the same at every address of the camera.
package struct UDN: Hashable, Sendable, CustomStringConvertible {
    /// Without `uuid:`, in lower case.
    package let rawValue: String

    private static let lengthMax = 64

    /// Reads `uuid:000000001000-1010-8000-0123456789ab` from a description, or from a USN with `::urn:…` behind it.
    /// nil: not a UDN. A Sony UDN has three groups where a UUID has five, so any letters, digits, dashes, dots and
    /// underscores are accepted.
    package init?(_ text: String) {
        var bare = text.lowercased()[...]
        // Sony's document has `uuid:<UDN>` in the USN, where the UDN already begins with `uuid:`. Both forms are
        // accepted.
        while bare.hasPrefix("uuid:") { bare = bare.dropFirst(5) }
        guard bare.count < text.count else { return nil }
        if let end = bare.firstIndex(of: ":") {
            guard bare[end...].hasPrefix("::") else { return nil }
            bare = bare[..<end]
        }
        guard (1...Self.lengthMax).contains(bare.utf8.count), bare.utf8.allSatisfy(Self.isAllowed) else { return nil }
        rawValue = String(bare)
    }

    package var description: String { "uuid:\(rawValue)" }

    /// The address of the body's radio, `01:23:45:67:89:ab`: the last twelve digits of a Sony UDN. nil: they are not
    /// digits.
    package var mac: String? {
        guard let last = rawValue.split(separator: "-").last, last.utf8.count == 12 else { return nil }
        return Self.mac(String(last))
    }

    /// Reads six bytes in hex with or without colons or dashes; nil otherwise. In lower case, with colons.
    static func mac(_ text: String) -> String? {
        let digits = Array(text.lowercased().filter { $0 != ":" && $0 != "-" })
        guard digits.count == 12, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
        return stride(from: 0, to: 12, by: 2).map { String(digits[$0...$0 + 1]) }.joined(separator: ":")
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: false
        }
    }
}
