/// The data types of PTP (libgphoto2 ptp.h). The code of an array is 0x4000 plus the code of its elements.
package struct PTPDataType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code on the wire, also of an unknown type.
    package var rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let int8 = Self(rawValue: 1)
    package static let uint8 = Self(rawValue: 2)
    package static let int16 = Self(rawValue: 3)
    package static let uint16 = Self(rawValue: 4)
    package static let int32 = Self(rawValue: 5)
    package static let uint32 = Self(rawValue: 6)
    package static let int64 = Self(rawValue: 7)
    package static let uint64 = Self(rawValue: 8)
    package static let int128 = Self(rawValue: 9)
    package static let uint128 = Self(rawValue: 10)
    /// A u8 count of UTF-16 units, which includes the closing 0, then the units.
    package static let string = Self(rawValue: 0xFFFF)

    /// An array of `element`: a u32 count, then the elements.
    package static func array(of element: PTPDataType) -> Self {
        precondition(element.integerSize != nil, "PTP has arrays of integers only")
        return Self(rawValue: arrayBit | element.rawValue)
    }

    private static let arrayBit: UInt16 = 0x4000

    /// The byte count of one integer of this type; nil for arrays, strings and unknown types.
    package var integerSize: Int? {
        switch rawValue {
        case 1, 2: 1
        case 3, 4: 2
        case 5, 6: 4
        case 7, 8: 8
        case 9, 10: 16
        default: nil
        }
    }

    /// The type of the elements; nil if this is no known array type.
    package var element: PTPDataType? {
        guard rawValue & 0xFFF0 == Self.arrayBit else { return nil }
        let element = PTPDataType(rawValue: rawValue & 0x000F)
        return element.integerSize == nil ? nil : element
    }

    /// Whether values of this type can be read and written.
    package var isKnown: Bool { integerSize != nil || element != nil || self == .string }

    /// A short text for messages.
    package var description: String {
        if let element { return "array of \(element)" }
        if self == .string { return "string" }
        guard let integerSize else { return "unknown type \(rawValue.hexadecimal)" }
        return (rawValue % 2 == 1 ? "int" : "uint") + String(integerSize * 8)
    }
}

/// A value of one of PTP's types.
package enum PTPValue: Hashable, Sendable {
    case int8(Int8)
    case uint8(UInt8)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case int128(Int128)
    case uint128(UInt128)
    /// An array of integers. Every element has the type `of`.
    case array(of: PTPDataType, [PTPValue])
    case string(String)

    package var type: PTPDataType {
        switch self {
        case .int8: .int8
        case .uint8: .uint8
        case .int16: .int16
        case .uint16: .uint16
        case .int32: .int32
        case .uint32: .uint32
        case .int64: .int64
        case .uint64: .uint64
        case .int128: .int128
        case .uint128: .uint128
        case .array(let element, _): .array(of: element)
        case .string: .string
        }
    }

    /// The number of any integer type; nil for arrays, strings and numbers that do not fit into 64 signed bits.
    package var integer: Int64? {
        switch self {
        case .int8(let value): Int64(value)
        case .uint8(let value): Int64(value)
        case .int16(let value): Int64(value)
        case .uint16(let value): Int64(value)
        case .int32(let value): Int64(value)
        case .uint32(let value): Int64(value)
        case .int64(let value): value
        case .uint64(let value): Int64(exactly: value)
        case .int128(let value): Int64(exactly: value)
        case .uint128(let value): Int64(exactly: value)
        case .array, .string: nil
        }
    }

    package var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// A number as an integer of the given type; nil when the number is out of range or the type is no integer type.
    package init?(_ number: Int64, as type: PTPDataType) {
        func exactly<Number: FixedWidthInteger>(_ make: (Number) -> PTPValue) -> PTPValue? {
            Number(exactly: number).map(make)
        }
        let value: PTPValue? =
            switch type {
            case .int8: exactly(PTPValue.int8)
            case .uint8: exactly(PTPValue.uint8)
            case .int16: exactly(PTPValue.int16)
            case .uint16: exactly(PTPValue.uint16)
            case .int32: exactly(PTPValue.int32)
            case .uint32: exactly(PTPValue.uint32)
            case .int64: exactly(PTPValue.int64)
            case .uint64: exactly(PTPValue.uint64)
            case .int128: exactly(PTPValue.int128)
            case .uint128: exactly(PTPValue.uint128)
            default: nil
            }
        guard let value else { return nil }
        self = value
    }
}
