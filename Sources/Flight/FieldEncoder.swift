import NIOCore

/// Writes a value through the value's own `Codable` conformance, so that a new input needs no code here. docs/flight.md
/// describes the bytes.
final class FieldEncoder: Encoder {
    private(set) var fields: FieldWriter
    /// The ranges of picture bytes in the present input.
    private let blanks: [Range<Int>]
    /// Whether the present value has named fields or elements, so that an end marker follows.
    private var hasParts = false

    private init(_ fields: FieldWriter, except blanks: [Range<Int>]) {
        self.fields = fields
        self.blanks = blanks
    }

    static func write(
        _ value: some Encodable,
        except blanks: [Range<Int>] = [],
        to fields: inout FieldWriter
    ) throws {
        // The writer is moved into the encoder and back, because a second owner would cause a copy.
        let encoder = FieldEncoder(FieldWriter(), except: blanks)
        swap(&encoder.fields, &fields)
        defer { swap(&encoder.fields, &fields) }
        let start = encoder.fields.bytes.count
        try encoder.write(value)
        encoder.fields.endShape(at: start)
    }

    fileprivate func write<Value: Encodable>(_ value: Value) throws {
        if Value.self == String.self, let text = value as? String { return fields.text(text) }
        if Value.self == Duration.self, let time = value as? Duration { return fields.duration(time) }
        if Value.self == ByteBuffer.self, let bytes = value as? ByteBuffer {
            return bytes.withUnsafeReadableBytes { fields.octets($0, except: blanks) }
        }
        let hadParts = hasParts
        hasParts = false
        try value.encode(to: self)
        if hasParts { fields.end() }
        hasParts = hadParts
    }

    // MARK: Encoder

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        hasParts = true
        return KeyedEncodingContainer(NamedFields(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        hasParts = true
        return Elements(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }

    /// The fields of a struct, or the fields of an enum's case after the case's name. Fields without a value are
    /// omitted.
    private struct NamedFields<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: FieldEncoder
        var codingPath: [any CodingKey] { [] }

        func encodeNil(forKey key: Key) {}

        func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
            encoder.fields.beginField(key.stringValue)
            try encoder.write(value)
        }

        func nestedContainer<Inner>(keyedBy type: Inner.Type, forKey key: Key) -> KeyedEncodingContainer<Inner> {
            encoder.fields.beginField(key.stringValue)
            return KeyedEncodingContainer(NamedFields<Inner>(encoder: encoder))
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { Elements(encoder: encoder) }
        func superEncoder() -> any Encoder { encoder }
        func superEncoder(forKey key: Key) -> any Encoder { encoder }
    }

    private struct Elements: UnkeyedEncodingContainer {
        let encoder: FieldEncoder
        var codingPath: [any CodingKey] { [] }
        private(set) var count = 0

        init(encoder: FieldEncoder) { self.encoder = encoder }

        func encodeNil() throws { throw FieldError("an element of a list has no value") }

        mutating func encode<Value: Encodable>(_ value: Value) throws {
            count += 1
            encoder.fields.beginElement()
            try encoder.write(value)
        }

        func nestedContainer<Inner>(keyedBy type: Inner.Type) -> KeyedEncodingContainer<Inner> {
            KeyedEncodingContainer(NamedFields<Inner>(encoder: encoder))
        }

        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
        func superEncoder() -> any Encoder { encoder }
    }

    private struct Single: SingleValueEncodingContainer {
        let encoder: FieldEncoder
        var codingPath: [any CodingKey] { [] }

        func encodeNil() throws { throw FieldError("an element of a list has no value") }
        func encode(_ value: Bool) { encoder.fields.flag(value) }
        /// Writes the name of a case. No other text reaches this function.
        func encode(_ value: String) { encoder.fields.name(value) }
        func encode(_ value: Double) { encoder.fields.real(value) }
        func encode(_ value: Float) { encoder.fields.real(Double(value)) }
        func encode(_ value: Int) { encoder.fields.signed(value) }
        func encode(_ value: Int8) { encoder.fields.signed(value) }
        func encode(_ value: Int16) { encoder.fields.signed(value) }
        func encode(_ value: Int32) { encoder.fields.signed(value) }
        func encode(_ value: Int64) { encoder.fields.signed(value) }
        func encode(_ value: UInt) { encoder.fields.number(value) }
        func encode(_ value: UInt8) { encoder.fields.number(value) }
        func encode(_ value: UInt16) { encoder.fields.number(value) }
        func encode(_ value: UInt32) { encoder.fields.number(value) }
        func encode(_ value: UInt64) { encoder.fields.number(value) }
        func encode<Value: Encodable>(_ value: Value) throws { try encoder.write(value) }
    }
}
