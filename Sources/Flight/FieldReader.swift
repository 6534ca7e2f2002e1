import NIOCore

struct FieldError: Error {
    var what: String

    init(_ what: String) { self.what = what }
}

/// Reads the output of ``FieldWriter``. It trusts no length: each part of a record's content is bounded, and so is
/// their sum.
struct FieldReader: Sendable {
    private var bytes = ByteBuffer()
    private var history = ByteHistory()
    /// The number of bytes to which the record's content can still expand.
    private var allowance = 0
    private var names: [String] = []
    private var shapes: [ByteBuffer] = []
    /// The part of the present value's shape that was not read yet.
    private var shape = ByteBuffer()
    /// The item that was read in order to find the next field; nil: none was read.
    private var next: Next?

    /// The item at the position of a field.
    private enum Next: Sendable {
        case end
        case name(String)
    }

    init() {}

    mutating func begin(_ record: ByteBuffer) {
        bytes = record
        allowance = FlightFormat.unfoldedMax
        (shape, next) = (ByteBuffer(), nil)
    }

    mutating func forget() {
        history.forget()
        names.removeAll()
        shapes.removeAll()
    }

    var isAtEnd: Bool { bytes.readableBytes == 0 }

    mutating func byte() throws(FieldError) -> UInt8 {
        guard let value: UInt8 = bytes.readInteger() else { throw FieldError("a record ends too early") }
        return value
    }

    mutating func flag() throws(FieldError) -> Bool {
        switch try byte() {
        case 0: false
        case 1: true
        case let other: throw FieldError("\(other) is neither 0 (no) nor 1 (yes)")
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

    mutating func signed() throws(FieldError) -> Int64 {
        let folded = try number()
        return Int64(bitPattern: folded >> 1) ^ -Int64(bitPattern: folded & 1)
    }

    mutating func signed<Value: FixedWidthInteger & SignedInteger>(_: Value.Type) throws(FieldError) -> Value {
        let wide = try signed()
        guard let value = Value(exactly: wide) else { throw FieldError("\(wide) does not fit in a \(Value.self)") }
        return value
    }

    /// Reads a number that is bounded, so that the core can calculate with it.
    mutating func integer(in range: ClosedRange<Int> = FieldReader.usual) throws(FieldError) -> Int {
        let value = Int(try signed())
        guard range.contains(value) else {
            throw FieldError("\(value) is outside \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    /// The usual range of numbers. Counts and times of day are far within it.
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
        guard total <= UInt64(allowance) else { throw FieldError("\(total) bytes exceed the size of a record") }
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
            throw FieldError("\(number >> 2) bytes exceed the remaining \(left)")
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
                throw FieldError("it refers to bytes that do not exist")
            }
            content.writeBytes(found)
        case .zeros:
            content.writeRepeatingByte(0, count: count)
        }
    }

    mutating func duration() throws(FieldError) -> Duration {
        let (seconds, attoseconds) = (try integer(), try signed())
        guard abs(attoseconds / 1_000_000_000) < 1_000_000_000 else {
            throw FieldError("\(attoseconds) attoseconds are a second or more")
        }
        return Duration(secondsComponent: Int64(seconds), attosecondsComponent: attoseconds)
    }

    // MARK: Names

    /// Begins the next value by reading its shape.
    mutating func beginShape() throws(FieldError) {
        let number = try number()
        guard number == FlightFormat.new else { return shape = try Self.known(shapes, number) }
        let length = try self.number()
        guard let new = bytes.readSlice(length: Int(clamping: length)) else {
            throw FieldError("a record ends too early")
        }
        if shapes.count < FlightFormat.shapesMax, length <= FlightFormat.shapeMax { shapes.append(new) }
        shape = new
    }

    func endShape() throws(FieldError) {
        guard shape.readableBytes == 0, next == nil else { throw FieldError("a value has more fields than it should") }
    }

    /// Reads a name that is a value.
    mutating func name() throws(FieldError) -> String { try name(try number(), from: \.bytes) }

    /// The name of the next field; nil if no field follows. The field stays the next one until it is read.
    mutating func nextField() throws(FieldError) -> String? {
        let next = if let next { next } else { try readNext() }
        self.next = next
        return if case .name(let name) = next { name } else { nil }
    }

    mutating func takeField() { next = nil }

    private mutating func readNext() throws(FieldError) -> Next {
        guard let number = shape.readNumber() else { throw FieldError("a shape ends too early") }
        return number == 0 ? .end : .name(try name(number, from: \.shape))
    }

    private mutating func name(
        _ number: UInt64,
        from list: WritableKeyPath<Self, ByteBuffer>
    ) throws(FieldError) -> String {
        guard number == FlightFormat.new else { return try Self.known(names, number) }
        guard let length = self[keyPath: list].readNumber(),
            let text = self[keyPath: list].readSlice(length: Int(clamping: length)),
            let name = String(validating: text.readableBytesView, as: UTF8.self)
        else { throw FieldError("a name ends too early, or is not UTF-8") }
        if names.count < FlightFormat.namesMax { names.append(name) }
        return name
    }

    private static func known<Value>(_ values: [Value], _ number: UInt64) throws(FieldError) -> Value {
        guard number > FlightFormat.new, number - FlightFormat.new <= UInt64(values.count) else {
            throw FieldError("the number \(number) is not defined")
        }
        return values[Int(number - FlightFormat.new) - 1]
    }

    mutating func end() throws(FieldError) {
        if let name = try nextField() { throw FieldError("this version of bracketd has no field “\(name)” there") }
        next = nil
    }

    mutating func beginElement() throws(FieldError) {
        guard next == nil, shape.readInteger(as: UInt8.self) == 1 else { throw FieldError("a list ends too early") }
    }

    var isAtListEnd: Bool { shape.getInteger(at: shape.readerIndex, as: UInt8.self) == 0 }
}

extension ByteBuffer {
    /// Reads a number that `appendNumber` wrote. Returns nil if the number is incomplete or too large.
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
