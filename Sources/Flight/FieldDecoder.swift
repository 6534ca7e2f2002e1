import Controller
import NIOCore

/// Reads the output of ``FieldEncoder`` through the value's own `Codable` conformance.
///
/// Fields come in the order of writing. A field or an enum case that this program does not know is an error.
final class FieldDecoder: Decoder {
    private var fields: FieldReader
    /// Whether the present value has named fields or elements, so that an end marker follows.
    private var hasParts = false
    /// Whether the present value is part of a client's request. A request can contain any number. All other numbers are
    /// bounded, because the core calculates with them.
    private var isAsked = false
    /// The name of an enum case that is in the recording and not in this program; nil: none.
    private var unknownCase: String?

    private init(_ fields: FieldReader) { self.fields = fields }

    static func read<Value: Decodable>(
        _ type: Value.Type = Value.self,
        from fields: inout FieldReader
    ) throws(FieldError) -> Value {
        let decoder = FieldDecoder(FieldReader())
        swap(&decoder.fields, &fields)
        defer { swap(&decoder.fields, &fields) }
        do {
            try decoder.fields.beginShape()
            let value = try decoder.read(type)
            try decoder.fields.endShape()
            return value
        } catch let error as FieldError {
            throw error
        } catch {
            throw decoder.plain(error)
        }
    }

    private func plain(_ error: any Error) -> FieldError {
        if let unknownCase { return FieldError("this version of bracketd does not support “\(unknownCase)”") }
        return switch error {
        case DecodingError.dataCorrupted(let context), DecodingError.typeMismatch(_, let context),
            DecodingError.valueNotFound(_, let context), DecodingError.keyNotFound(_, let context):
            FieldError(context.debugDescription)
        default: FieldError("\(error)")
        }
    }

    fileprivate func read<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if type == String.self, let text = try fields.text() as? Value { return text }
        if type == Duration.self, let time = try fields.duration() as? Value { return time }
        if type == ByteBuffer.self, let bytes = try fields.octets() as? Value { return bytes }
        let outer = (hasParts, isAsked)
        hasParts = false
        if type == Request.self || type == PlanInput.self || type == LedgerAnswer.self { isAsked = true }
        if type == ShootRow.self || type == FrameRow.self { isAsked = false }
        let value = try Value(from: self)
        if hasParts { try fields.end() }
        (hasParts, isAsked) = outer
        return value
    }

    private func takeField(_ key: some CodingKey) throws {
        guard try fields.nextField() == key.stringValue else {
            throw FieldError("the field “\(key.stringValue)” is missing")
        }
        fields.takeField()
    }

    // MARK: Decoder

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        hasParts = true
        return KeyedDecodingContainer(NamedFields(decoder: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer {
        hasParts = true
        return Elements(decoder: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { Single(decoder: self) }

    private struct NamedFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let decoder: FieldDecoder
        var codingPath: [any CodingKey] { [] }

        /// Only the next field. For an enum, this is its only field: the name of its case.
        var allKeys: [Key] {
            guard let name = try? decoder.fields.nextField() else { return [] }
            guard let key = Key(stringValue: name) else {
                decoder.unknownCase = name
                return []
            }
            return [key]
        }

        func contains(_ key: Key) -> Bool { (try? decoder.fields.nextField()) == key.stringValue }
        func decodeNil(forKey key: Key) -> Bool { false }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try decoder.takeField(key)
            return try decoder.read(type)
        }

        func nestedContainer<Inner>(
            keyedBy type: Inner.Type,
            forKey key: Key
        ) throws -> KeyedDecodingContainer<Inner> {
            try decoder.takeField(key)
            return KeyedDecodingContainer(NamedFields<Inner>(decoder: decoder))
        }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try decoder.takeField(key)
            return Elements(decoder: decoder)
        }

        func superDecoder() -> any Decoder { decoder }
        func superDecoder(forKey key: Key) -> any Decoder { decoder }
    }

    private struct Elements: UnkeyedDecodingContainer {
        let decoder: FieldDecoder
        var codingPath: [any CodingKey] { [] }
        let count: Int? = nil
        private(set) var currentIndex = 0

        init(decoder: FieldDecoder) { self.decoder = decoder }

        var isAtEnd: Bool { decoder.fields.isAtListEnd }
        func decodeNil() -> Bool { false }

        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try decoder.fields.beginElement()
            currentIndex += 1
            return try decoder.read(type)
        }

        func nestedContainer<Inner>(keyedBy type: Inner.Type) -> KeyedDecodingContainer<Inner> {
            KeyedDecodingContainer(NamedFields<Inner>(decoder: decoder))
        }

        func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { self }
        func superDecoder() -> any Decoder { decoder }
    }

    private struct Single: SingleValueDecodingContainer {
        let decoder: FieldDecoder
        var codingPath: [any CodingKey] { [] }

        func decodeNil() -> Bool { false }
        func decode(_ type: Bool.Type) throws -> Bool { try decoder.fields.flag() }
        func decode(_ type: String.Type) throws -> String { try decoder.fields.name() }
        func decode(_ type: Double.Type) throws -> Double { try decoder.fields.real() }
        func decode(_ type: Float.Type) throws -> Float { Float(try decoder.fields.real()) }

        func decode(_ type: Int.Type) throws -> Int {
            decoder.isAsked ? Int(try decoder.fields.signed()) : try decoder.fields.integer()
        }

        func decode(_ type: Int8.Type) throws -> Int8 { try decoder.fields.signed(type) }
        func decode(_ type: Int16.Type) throws -> Int16 { try decoder.fields.signed(type) }
        func decode(_ type: Int32.Type) throws -> Int32 { try decoder.fields.signed(type) }
        func decode(_ type: Int64.Type) throws -> Int64 { try decoder.fields.signed(type) }
        func decode(_ type: UInt.Type) throws -> UInt { try decoder.fields.number(type) }
        func decode(_ type: UInt8.Type) throws -> UInt8 { try decoder.fields.number(type) }
        func decode(_ type: UInt16.Type) throws -> UInt16 { try decoder.fields.number(type) }
        func decode(_ type: UInt32.Type) throws -> UInt32 { try decoder.fields.number(type) }
        func decode(_ type: UInt64.Type) throws -> UInt64 { try decoder.fields.number(type) }
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.read(type) }
    }
}
