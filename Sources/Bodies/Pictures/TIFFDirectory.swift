import NIOCore

/// A directory of TIFF, little-endian, as in Exif data and RAW files.
struct TIFFDirectory {
    /// A field's value, in one of TIFF's types.
    enum Value {
        case text(String)
        case short(Int)
        case long(Int)
        case rational(Int, Int)
        case signedRational(Int, Int)
        /// Bytes without a type.
        case undefined([UInt8])
    }

    private var fields: [(tag: UInt16, value: Value)] = []

    /// Adds a field. Tags must increase.
    mutating func add(_ tag: UInt16, _ value: Value) {
        precondition(fields.last.map { $0.tag < tag } ?? true, "a directory is in the order of its tags")
        fields.append((tag, value))
    }

    /// The byte count of the directory, including the values that do not fit into its fields.
    var size: Int {
        2 + 12 * fields.count + 4
            + fields.reduce(0) { sum, field in
                let size = field.value.bytes.readableBytes
                return sum + (size > 4 ? size + size % 2 : 0)
            }
    }

    /// Appends the directory, which begins at byte `start` of the TIFF structure. It must be the last directory.
    func write(at start: Int, into buffer: inout ByteBuffer) {
        var place = start + 2 + 12 * fields.count + 4
        var values = ByteBuffer()
        buffer.writeInteger(UInt16(fields.count), endianness: .little)
        for (tag, value) in fields {
            let bytes = value.bytes
            buffer.writeMultipleIntegers(tag, value.type, UInt32(value.count), endianness: .little)
            if bytes.readableBytes > 4 {
                buffer.writeInteger(UInt32(place), endianness: .little)
                values.writeImmutableBuffer(bytes)
                values.writeRepeatingByte(0, count: bytes.readableBytes % 2)
                place += bytes.readableBytes + bytes.readableBytes % 2
            } else {
                buffer.writeImmutableBuffer(bytes)
                buffer.writeRepeatingByte(0, count: 4 - bytes.readableBytes)
            }
        }
        buffer.writeInteger(UInt32(0), endianness: .little)
        buffer.writeBuffer(&values)
    }
}

extension TIFFDirectory.Value {
    fileprivate var type: UInt16 {
        switch self {
        case .text: 2
        case .short: 3
        case .long: 4
        case .rational: 5
        case .undefined: 7
        case .signedRational: 10
        }
    }

    fileprivate var count: Int {
        switch self {
        case .text(let text): text.utf8.count + 1
        case .undefined(let bytes): bytes.count
        case .short, .long, .rational, .signedRational: 1
        }
    }

    fileprivate var bytes: ByteBuffer {
        var buffer = ByteBuffer()
        switch self {
        case .text(let text):
            buffer.writeString(text)
            buffer.writeInteger(UInt8(0))
        case .short(let number): buffer.writeInteger(UInt16(clamping: number), endianness: .little)
        case .long(let number): buffer.writeInteger(UInt32(clamping: number), endianness: .little)
        case .rational(let numerator, let denominator):
            buffer.writeInteger(UInt32(clamping: numerator), endianness: .little)
            buffer.writeInteger(UInt32(clamping: denominator), endianness: .little)
        case .signedRational(let numerator, let denominator):
            buffer.writeInteger(Int32(clamping: numerator), endianness: .little)
            buffer.writeInteger(Int32(clamping: denominator), endianness: .little)
        case .undefined(let bytes): buffer.writeBytes(bytes)
        }
        return buffer
    }
}
