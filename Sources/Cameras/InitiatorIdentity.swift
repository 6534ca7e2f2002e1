/// Who we say we are: the camera remembers the GUID, so it is made once and kept.
package struct InitiatorIdentity: Hashable, Sendable {
    /// 16 bytes.
    package var guid: [UInt8]
    /// What the camera may show to its user. At most 39 UTF-16 units are sent (Sony bodies take no more).
    package var name: String

    /// How many bytes a GUID has.
    package static let guidByteCount = 16

    /// - Precondition: `guid` has 16 bytes; who reads it from a file checks that first.
    package init(guid: [UInt8], name: String) {
        precondition(guid.count == Self.guidByteCount, "a GUID has 16 bytes")
        self.guid = guid
        self.name = name
    }
}

/// Without the GUID, for which zeros stand: the reader of a recording must not be able to pose as this computer.
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
