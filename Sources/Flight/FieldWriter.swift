import NIOCore

/// Writes the fields of one record after the other. What it was given once in a file it names from then on.
struct FieldWriter: Sendable {
    /// The record so far.
    var bytes: [UInt8] = []
    /// How long the record's texts and bytes are as they were given.
    private(set) var unfoldedCount = 0
    private var history = ByteHistory()

    /// Shorter ones are written as they are.
    static let foldedMin = 8

    /// What comes from now on stands in another file.
    mutating func beginFile() {
        beginRecord()
        history.forget()
    }

    mutating func beginRecord() {
        bytes.removeAll(keepingCapacity: true)
        unfoldedCount = 0
    }

    mutating func byte(_ value: UInt8) { bytes.append(value) }

    mutating func flag(_ value: Bool) { bytes.append(value ? 1 : 0) }

    mutating func number(_ value: some FixedWidthInteger & UnsignedInteger) { bytes.appendNumber(UInt64(value)) }

    /// A number that may be negative: its sign is the lowest bit.
    mutating func signed(_ value: some FixedWidthInteger & SignedInteger) {
        let wide = Int64(value)
        bytes.appendNumber(UInt64(bitPattern: wide << 1 ^ wide >> 63))
    }

    mutating func real(_ value: Double) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value.bitPattern >> shift))
        }
    }

    mutating func text(_ value: String) {
        var value = value
        value.withUTF8 { octets(UnsafeRawBufferPointer($0)) }
    }

    mutating func octets(_ value: ByteBuffer) {
        value.withUnsafeReadableBytes { octets($0) }
    }

    /// - Parameter blanks: what is not to be written, in order; it is read as zeros.
    mutating func octets(_ value: UnsafeRawBufferPointer, except blanks: [Range<Int>] = []) {
        number(UInt(value.count))
        unfoldedCount += value.count
        guard value.count >= Self.foldedMin else {
            for index in value.indices { byte(blanks.contains { $0.contains(index) } ? 0 : value[index]) }
            return
        }
        var done = 0
        for blank in blanks where !blank.isEmpty {
            history.fold(UnsafeRawBufferPointer(rebasing: value[done..<blank.lowerBound]), into: &bytes)
            bytes.appendOperation(.zeros, blank.count)
            done = blank.upperBound
        }
        history.fold(UnsafeRawBufferPointer(rebasing: value[done...]), into: &bytes)
    }

    mutating func optional<Value>(_ value: Value?, _ write: (inout FieldWriter, Value) -> Void) {
        flag(value != nil)
        if let value { write(&self, value) }
    }

    mutating func list<Value>(_ values: [Value], _ write: (inout FieldWriter, Value) -> Void) {
        number(UInt(values.count))
        for value in values { write(&self, value) }
    }

    mutating func value(_ value: some Recordable) { value.write(to: &self) }

    mutating func optional(_ value: (some Recordable)?) { optional(value) { $0.value($1) } }
    mutating func optional(_ value: String?) { optional(value) { $0.text($1) } }
    mutating func optional(_ value: Int?) { optional(value) { $0.signed($1) } }

    mutating func list(_ values: [some Recordable]) { list(values) { $0.value($1) } }
    mutating func list(_ values: [String]) { list(values) { $0.text($1) } }
}

/// What a recording can hold.
protocol Recordable {
    func write(to writer: inout FieldWriter)
    init(from reader: inout FieldReader) throws(FieldError)
}

/// A choice of few, with a number for each that never becomes another's.
protocol NumberedChoice: Recordable, CaseIterable {
    var number: UInt8 { get }
}

extension NumberedChoice {
    func write(to writer: inout FieldWriter) { writer.byte(number) }

    init(from reader: inout FieldReader) throws(FieldError) {
        let number = try reader.byte()
        guard let value = Self.allCases.first(where: { $0.number == number }) else {
            throw FieldError("\(Self.self) has no choice \(number)")
        }
        self = value
    }
}
