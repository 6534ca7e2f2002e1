/// The unique device name of UPnP (Device Architecture 1.1, 1.1.4). A camera has the same UDN at each of its addresses.
package struct UDN: Hashable, Sendable, CustomStringConvertible {
    /// The name without `uuid:`, in lower case.
    package let rawValue: String

    private static let lengthMax = 64

    /// Parses `uuid:000000001000-1010-8000-0123456789ab` from a description, or from a USN that continues with
    /// `::urn:…`. nil: not a UDN. A Sony UDN has three groups instead of the five of a UUID. So any letters, digits,
    /// dashes, dots and underscores are accepted.
    package init?(_ text: String) {
        var bare = text.lowercased()[...]
        // In Sony's document the USN is `uuid:<UDN>`, and the UDN has its own `uuid:`. So the prefix can occur twice.
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

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: false
        }
    }
}
