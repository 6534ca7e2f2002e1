/// The identity of this computer: the camera remembers the GUID, so it is made once and kept.
package struct InitiatorIdentity: Hashable, Sendable {
    /// 16 bytes.
    package var guid: [UInt8]
    /// A text that the camera may show to its user. At most 39 UTF-16 units are sent (Sony bodies accept no more).
    package var name: String

    package static let guidByteCount = 16

    /// - Precondition: `guid` has 16 bytes; a caller that reads it from a file checks that first.
    package init(guid: [UInt8], name: String) {
        precondition(guid.count == Self.guidByteCount, "a GUID has 16 bytes")
        self.guid = guid
        self.name = name
    }
}

/// Encoded with zeros instead of the GUID: a reader of a recording must not be able to pose as this computer.
extension InitiatorIdentity: Codable {
    package init(from decoder: any Decoder) throws {
        let name = try decoder.singleValueContainer().decode(String.self)
        self.init(guid: Array(repeating: 0, count: Self.guidByteCount), name: name)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
