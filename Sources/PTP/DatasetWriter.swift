import NIOCore

/// Writes the fields of a PTP dataset in order, little-endian.
package struct DatasetWriter: Sendable {
    package private(set) var buffer = ByteBuffer()

    /// The maximum number of UTF-16 units in a PTP string, without the closing 0.
    package static let stringLengthMax = 254

    package init() {}

    package mutating func integer(_ value: some FixedWidthInteger) {
        buffer.writeInteger(value, endianness: .little)
    }

    /// Writes bytes that are already encoded.
    package mutating func bytes(_ bytes: ByteBuffer) {
        buffer.writeImmutableBuffer(bytes)
    }

    /// Writes a u32 count, then the integers.
    package mutating func array(_ values: [some FixedWidthInteger]) {
        integer(UInt32(values.count))
        for value in values { integer(value) }
    }

    /// Writes a u8 count of UTF-16 units, which includes the closing 0, then the units. Cuts text after 254 units.
    /// An empty string is a single byte 0.
    package mutating func string(_ text: String) {
        let units = text.utf16.prefix(Self.stringLengthMax)
        guard !units.isEmpty else { return integer(UInt8(0)) }
        integer(UInt8(units.count + 1))
        for unit in units { integer(unit) }
        integer(UInt16(0))
    }

    /// Writes a value in the encoding of its type.
    package mutating func value(_ value: PTPValue) {
        switch value {
        case .int8(let number): integer(number)
        case .uint8(let number): integer(number)
        case .int16(let number): integer(number)
        case .uint16(let number): integer(number)
        case .int32(let number): integer(number)
        case .uint32(let number): integer(number)
        case .int64(let number): integer(number)
        case .uint64(let number): integer(number)
        case .int128(let number): integer(number)
        case .uint128(let number): integer(number)
        case .string(let text): string(text)
        case .array(_, let values):
            integer(UInt32(values.count))
            self.values(values)
        }
    }

    /// Writes values without a count before them.
    package mutating func values(_ values: [PTPValue]) {
        for value in values { self.value(value) }
    }
}

extension PTPValue {
    /// The bytes of the value alone, as in the data phase of SetDevicePropValue.
    package func encoded() -> ByteBuffer {
        var writer = DatasetWriter()
        writer.value(self)
        return writer.buffer
    }
}
