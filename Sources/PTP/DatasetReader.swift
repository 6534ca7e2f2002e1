import NIOCore
import PrintableText

/// An error in a dataset. The reader compares each count with the remaining bytes before it allocates memory.
package enum DatasetError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A field needs more bytes than remain.
    case truncated(field: String, needed: Int, left: Int)
    /// An array or a string declares more elements than the remaining bytes can contain.
    case countBeyondData(field: String, count: Int, left: Int)
    /// An unknown data type. The length of the value is then unknown too.
    case unknownDataType(field: String, code: UInt16)
    /// An unknown form flag.
    case unknownForm(field: String, flag: UInt8)

    package var description: String {
        switch self {
        case .truncated(let field, let needed, let left):
            "\(field): needs \(needed) bytes, \(left) are left"
        case .countBeyondData(let field, let count, let left):
            "\(field): \(count) elements are more than the \(left) bytes left"
        case .unknownDataType(let field, let code):
            "\(field): unknown data type \(code.hexadecimal)"
        case .unknownForm(let field, let flag):
            "\(field): unknown form flag \(flag.hexadecimal)"
        }
    }
}

/// Reads the fields of a PTP dataset in order, little-endian (libgphoto2 ptp-pack.c).
package struct DatasetReader: Sendable {
    private var buffer: ByteBuffer

    /// A reader that starts at the first readable byte of the buffer.
    package init(_ buffer: ByteBuffer) {
        self.buffer = buffer
    }

    package var bytesLeft: Int { buffer.readableBytes }

    /// Skips the next bytes if they are equal to `bytes`. Returns whether it skipped them.
    package mutating func skip(_ bytes: ByteBuffer) -> Bool {
        guard buffer.getSlice(at: buffer.readerIndex, length: bytes.readableBytes) == bytes else { return false }
        buffer.moveReaderIndex(forwardBy: bytes.readableBytes)
        return true
    }

    /// The bytes between `start`, which is an earlier copy of this reader, and the present position.
    package func bytes(since start: DatasetReader) -> ByteBuffer {
        let count = start.bytesLeft - bytesLeft
        guard let bytes = start.buffer.getSlice(at: start.buffer.readerIndex, length: count) else {
            preconditionFailure("this reader is not ahead of its copy")
        }
        return bytes
    }

    package mutating func integer<Number: FixedWidthInteger>(
        _ field: @autoclosure () -> String,
        as type: Number.Type = Number.self
    ) throws(DatasetError) -> Number {
        guard let value = buffer.readInteger(endianness: .little, as: type) else {
            throw .truncated(field: field(), needed: MemoryLayout<Number>.size, left: bytesLeft)
        }
        return value
    }

    /// Reads a u32 count, then the integers.
    package mutating func array<Number: FixedWidthInteger>(
        _ field: @autoclosure () -> String,
        of type: Number.Type = Number.self
    ) throws(DatasetError) -> [Number] {
        let count = Int(try integer(field(), as: UInt32.self))
        guard count <= bytesLeft / MemoryLayout<Number>.size else {
            throw .countBeyondData(field: field(), count: count, left: bytesLeft)
        }
        var numbers: [Number] = []
        numbers.reserveCapacity(count)
        for _ in 0..<count { numbers.append(try integer(field())) }
        return numbers
    }

    /// Reads a u8 count of UTF-16 units, which includes the closing 0, then the units. The text ends at the first 0.
    ///
    /// The result contains only printable characters, because the body can send any text.
    package mutating func string(_ field: @autoclosure () -> String) throws(DatasetError) -> String {
        let count = Int(try integer(field(), as: UInt8.self))
        guard count <= bytesLeft / 2 else {
            throw .countBeyondData(field: field(), count: count, left: bytesLeft)
        }
        var units: [UInt16] = []
        units.reserveCapacity(count)
        for _ in 0..<count { units.append(try integer(field())) }
        return PrintableText.clean(String(decoding: units.prefix { $0 != 0 }, as: UTF16.self))
    }

    /// Reads a string that many bodies omit at the end of a dataset. Returns an empty string when no bytes remain.
    package mutating func trailingString(_ field: @autoclosure () -> String) throws(DatasetError) -> String {
        bytesLeft == 0 ? "" : try string(field())
    }

    /// Reads a value of a type that is known only at run time.
    package mutating func value(
        _ field: @autoclosure () -> String,
        of type: PTPDataType
    ) throws(DatasetError) -> PTPValue {
        switch type {
        case .int8: return .int8(try integer(field()))
        case .uint8: return .uint8(try integer(field()))
        case .int16: return .int16(try integer(field()))
        case .uint16: return .uint16(try integer(field()))
        case .int32: return .int32(try integer(field()))
        case .uint32: return .uint32(try integer(field()))
        case .int64: return .int64(try integer(field()))
        case .uint64: return .uint64(try integer(field()))
        case .int128: return .int128(try integer(field()))
        case .uint128: return .uint128(try integer(field()))
        case .string: return .string(try string(field()))
        default: return try arrayValue(field(), of: type)
        }
    }

    private mutating func arrayValue(
        _ field: @autoclosure () -> String,
        of type: PTPDataType
    ) throws(DatasetError) -> PTPValue {
        guard let element = type.element, let size = element.integerSize else {
            throw .unknownDataType(field: field(), code: type.rawValue)
        }
        let count = Int(try integer(field(), as: UInt32.self))
        guard count <= bytesLeft / size else {
            throw .countBeyondData(field: field(), count: count, left: bytesLeft)
        }
        return .array(of: element, try values(field(), count: count, of: element))
    }

    /// Reads `count` values of one type. The dataset has no count before these values.
    package mutating func values(
        _ field: @autoclosure () -> String,
        count: Int,
        of type: PTPDataType
    ) throws(DatasetError) -> [PTPValue] {
        // The shortest string has one byte. The shortest array has four bytes.
        let sizeMin = type.integerSize ?? (type == .string ? 1 : 4)
        guard count <= bytesLeft / sizeMin else {
            throw .countBeyondData(field: field(), count: count, left: bytesLeft)
        }
        var values: [PTPValue] = []
        values.reserveCapacity(count)
        for _ in 0..<count { values.append(try value(field(), of: type)) }
        return values
    }
}
