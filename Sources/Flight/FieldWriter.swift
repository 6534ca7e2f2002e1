import NIOCore

/// Writes the fields of records. A name that repeats within a file is written as a number.
struct FieldWriter: Sendable {
    var bytes: [UInt8] = []
    /// The length of the record's texts and bytes before compression.
    private(set) var unfoldedCount = 0
    private var history = ByteHistory()
    /// The names of the present value's fields and cases, see ``endShape(at:)``.
    private var shape: [UInt8] = []
    private var shapes: [[UInt8]: UInt64] = [:]
    private var names: [String: UInt64] = [:]

    /// The minimum length for compression.
    static let foldedMin = 8

    mutating func beginFile() {
        beginRecord()
        history.forget()
        shapes.removeAll(keepingCapacity: true)
        names.removeAll(keepingCapacity: true)
    }

    mutating func beginRecord() {
        bytes.removeAll(keepingCapacity: true)
        shape.removeAll(keepingCapacity: true)
        unfoldedCount = 0
    }

    mutating func byte(_ value: UInt8) { bytes.append(value) }

    mutating func flag(_ value: Bool) { bytes.append(value ? 1 : 0) }

    mutating func number(_ value: some FixedWidthInteger & UnsignedInteger) { bytes.appendNumber(UInt64(value)) }

    /// Writes a signed number, with the sign in the lowest bit.
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

    /// - Parameter blanks: the ranges to leave out, in ascending order. The reader fills them with zeros.
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

    /// Writes the whole seconds, then the remainder in attoseconds.
    mutating func duration(_ value: Duration) {
        signed(value.components.seconds)
        signed(value.components.attoseconds)
    }

    // MARK: Names

    /// Writes a name that is a value. Each of the first ``FlightFormat/namesMax`` names of a file is written in full
    /// once, and as a number afterwards.
    mutating func name(_ name: String) { number(name, into: \.bytes) }

    mutating func beginField(_ name: String) { number(name, into: \.shape) }

    mutating func beginElement() { shape.append(1) }

    mutating func end() { shape.append(0) }

    private mutating func number(_ name: String, into list: WritableKeyPath<Self, [UInt8]>) {
        if let number = names[name] { return self[keyPath: list].appendNumber(number) }
        self[keyPath: list].appendNumber(FlightFormat.new)
        self[keyPath: list].appendNumber(UInt64(name.utf8.count))
        self[keyPath: list].append(contentsOf: name.utf8)
        guard names.count < FlightFormat.namesMax else { return }
        names[name] = FlightFormat.new + 1 + UInt64(names.count)
    }

    /// Inserts the shape of a value, the list of its names, before the value's fields, which begin at `start`. Each of
    /// the first ``FlightFormat/shapesMax`` shapes of a file is written in full once, and as a number afterwards.
    mutating func endShape(at start: Int) {
        defer { shape.removeAll(keepingCapacity: true) }
        var head: [UInt8] = []
        if let number = shapes[shape] {
            head.appendNumber(number)
        } else {
            head.appendNumber(FlightFormat.new)
            head.appendNumber(UInt64(shape.count))
            head += shape
            if shapes.count < FlightFormat.shapesMax, shape.count <= FlightFormat.shapeMax {
                shapes[shape] = FlightFormat.new + 1 + UInt64(shapes.count)
            }
        }
        bytes.insert(contentsOf: head, at: start)
    }
}
