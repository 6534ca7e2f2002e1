/// The identity of this computer. The GUID is created once and stored, because the camera remembers it.
package struct InitiatorIdentity: Hashable, Sendable {
    /// The GUID of 16 bytes.
    package var guid: [UInt8]
    /// A text that the camera can show to its user. At most 39 UTF-16 units are sent (Sony bodies accept no more).
    package var name: String

    package static let guidByteCount = 16

    /// - Precondition: `guid` has 16 bytes. A caller checks the length of a stored GUID first.
    package init(guid: [UInt8], name: String) {
        precondition(guid.count == Self.guidByteCount, "a GUID has 16 bytes")
        self.guid = guid
        self.name = name
    }
}

/// A recording contains only the name. With the GUID, a reader of the recording could pretend to be this computer.
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
