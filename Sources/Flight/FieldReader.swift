import NIOCore

/// What is wrong with a field.
struct FieldError: Error {
    var what: String

    init(_ what: String) { self.what = what }
}

/// Reads what ``FieldWriter`` wrote. Takes no length for granted: what is made of a record is not larger than the
/// record allows, and bounded as a whole.
struct FieldReader: Sendable {
    private var bytes = ByteBuffer()
    private var history = ByteHistory()
    /// How many bytes the record's contents may still unfold to.
    private var allowance = 0
    /// The version of the format that the file is written in.
    let format: UInt8

    init(format: UInt8 = FlightFormat.version) { self.format = format }

    /// Turns to the next record.
    mutating func begin(_ record: ByteBuffer) {
        bytes = record
        allowance = FlightFormat.unfoldedMax
    }

    mutating func forget() { history.forget() }

    var isAtEnd: Bool { bytes.readableBytes == 0 }
    /// How many bytes of the record are left.
    var bytesLeft: Int { bytes.readableBytes }

    mutating func byte() throws(FieldError) -> UInt8 {
        guard let value: UInt8 = bytes.readInteger() else { throw FieldError("a record ends too early") }
        return value
    }

    mutating func flag() throws(FieldError) -> Bool {
        switch try byte() {
        case 0: false
        case 1: true
        case let other: throw FieldError("\(other) is neither yes nor no")
        }
    }

    mutating func number() throws(FieldError) -> UInt64 {
        guard let value = bytes.readNumber() else { throw FieldError("a number ends too early or is too large") }
        return value
    }

    mutating func number<Value: FixedWidthInteger & UnsignedInteger>(_: Value.Type) throws(FieldError) -> Value {
        let wide = try number()
        guard let value = Value(exactly: wide) else { throw FieldError("\(wide) is too large for a \(Value.self)") }
        return value
    }

    /// A number that may be negative.
    mutating func signed() throws(FieldError) -> Int64 {
        let folded = try number()
        return Int64(bitPattern: folded >> 1) ^ -Int64(bitPattern: folded & 1)
    }

    /// A number that is counted on with.
    mutating func integer(in range: ClosedRange<Int> = FieldReader.usual) throws(FieldError) -> Int {
        let value = Int(try signed())
        guard range.contains(value) else {
            throw FieldError("\(value) is not from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    /// What counts and times of day stay within by far.
    static let usual = -(1 << 53)...(1 << 53)

    mutating func real() throws(FieldError) -> Double {
        guard let pattern: UInt64 = bytes.readInteger(endianness: .little) else {
            throw FieldError("a record ends too early")
        }
        return Double(bitPattern: pattern)
    }

    mutating func text() throws(FieldError) -> String {
        let octets = try octets()
        guard let text = String(validating: octets.readableBytesView, as: UTF8.self) else {
            throw FieldError("a text is not UTF-8")
        }
        return text
    }

    mutating func octets() throws(FieldError) -> ByteBuffer {
        let total = try number()
        guard total <= UInt64(allowance) else { throw FieldError("\(total) bytes are more than a record may hold") }
        allowance -= Int(total)
        guard total >= UInt64(FieldWriter.foldedMin) else {
            guard let short = bytes.readSlice(length: Int(total)) else { throw FieldError("a record ends too early") }
            return short
        }
        var content = ByteBuffer()
        while content.readableBytes < Int(total) { try unfold(into: &content, upTo: Int(total)) }
        return content
    }

    private mutating func unfold(into content: inout ByteBuffer, upTo total: Int) throws(FieldError) {
        let number = try number()
        let left = UInt64(total - content.readableBytes)
        guard let operation = ByteHistory.Operation(rawValue: number & 3), number >> 2 > 0, number >> 2 <= left else {
            throw FieldError("\(number >> 2) bytes do not fit where \(left) are to come")
        }
        let count = Int(number >> 2)
        switch operation {
        case .literal:
            guard let literal = bytes.readSlice(length: count) else { throw FieldError("a record ends too early") }
            history.note(literal.readableBytesView)
            content.writeImmutableBuffer(literal)
        case .back, .backAgain:
            let distance = operation == .back ? try self.number(UInt32.self) : nil
            guard let found = history.unfold(count, back: distance.map(Int.init)) else {
                throw FieldError("it refers to what is not there")
            }
            content.writeBytes(found)
        case .zeros:
            content.writeRepeatingByte(0, count: count)
        }
    }

    mutating func optional<Value>(
        _ read: (inout FieldReader) throws(FieldError) -> Value
    ) throws(FieldError) -> Value? {
        try flag() ? try read(&self) : nil
    }

    mutating func list<Value>(_ read: (inout FieldReader) throws(FieldError) -> Value) throws(FieldError) -> [Value] {
        let count = try number()
        // Each takes a byte at the least.
        guard count <= UInt64(bytesLeft) else { throw FieldError("\(count) values do not fit into \(bytesLeft) bytes") }
        var values: [Value] = []
        for _ in 0..<count { values.append(try read(&self)) }
        return values
    }

    mutating func value<Value: Recordable>(_: Value.Type = Value.self) throws(FieldError) -> Value {
        try Value(from: &self)
    }

    mutating func optional<Value: Recordable>(_: Value.Type = Value.self) throws(FieldError) -> Value? {
        try flag() ? try Value(from: &self) : nil
    }

    mutating func list<Value: Recordable>(_: Value.Type = Value.self) throws(FieldError) -> [Value] {
        try list { reader throws(FieldError) in try Value(from: &reader) }
    }

    mutating func optionalText() throws(FieldError) -> String? { try flag() ? try text() : nil }
    mutating func optionalInteger() throws(FieldError) -> Int? { try flag() ? try integer() : nil }
    mutating func texts() throws(FieldError) -> [String] {
        try list { reader throws(FieldError) in try reader.text() }
    }
}

extension ByteBuffer {
    /// Reads what `appendNumber` wrote; nil: it is cut, or does not fit.
    mutating func readNumber() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let byte: UInt8 = readInteger() else { return nil }
            let bits = UInt64(byte & 0x7F)
            guard (bits << shift) >> shift == bits else { return nil }
            value |= bits << shift
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }
}
