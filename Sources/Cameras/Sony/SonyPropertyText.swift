import Exposure
import PTP

/// Translates the number of a Sony property into photographic notation and back.
package struct SonyPropertyText: Sendable {
    /// The text for a number; nil: the number means that the body has nothing to show.
    package let format: @Sendable (Int64, PTPDataType) -> String?
    /// The number for a text; nil: the text has no number. The body's own list is decisive.
    package let parse: @Sendable (String) -> Int64?
    /// The position of a number on the scale that a body moves through by notches.
    package let position: @Sendable (Int64) -> Int64

    init(
        format: @escaping @Sendable (Int64, PTPDataType) -> String?,
        parse: @escaping @Sendable (String) -> Int64?,
        position: @escaping @Sendable (Int64) -> Int64 = { $0 }
    ) {
        self.format = format
        self.parse = parse
        self.position = position
    }

    /// Translates numbers with names. A number without a name is written and read in hexadecimal.
    init<Value: NamedNumber>(_ values: Value.Type) {
        let all = Value.all.map { (number: Int64($0.rawValue), key: PropertyNotation.key($0.description)) }
        self.init(
            format: { number, _ in Value.RawValue(exactly: number).map { Value(rawValue: $0).description } },
            parse: { text in
                let key = PropertyNotation.key(text)
                return all.first { $0.key == key }?.number ?? Self.hexadecimal(text)
            }
        )
    }

    // MARK: Texts

    /// The number in hexadecimal, with all digits of its type.
    static func hexadecimal(_ number: Int64, _ type: PTPDataType) -> String {
        switch type.integerSize {
        case 1: UInt8(truncatingIfNeeded: number).hexadecimal
        case 2: UInt16(truncatingIfNeeded: number).hexadecimal
        case 4: UInt32(truncatingIfNeeded: number).hexadecimal
        default: UInt64(bitPattern: number).hexadecimal
        }
    }

    private static func hexadecimal(_ text: String) -> Int64? {
        let key = PropertyNotation.key(text)
        return key.hasPrefix("0x") ? Int64(key.dropFirst(2), radix: 16) : nil
    }

    /// The number (`2.8`, `-1.7`, `11`) as an integer with `digits` decimals; nil: not a number, or more decimals.
    static func decimal(_ text: Substring, digits: Int) -> Int64? {
        guard text.count <= numberLengthMax else { return nil }
        let isNegative = text.hasPrefix("-")
        let parts = (isNegative || text.hasPrefix("+") ? text.dropFirst() : text)
            .split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, !whole.isEmpty, parts.allSatisfy({ $0.allSatisfy(\.isASCIIDigit) }) else {
            return nil
        }
        let fraction = parts.count > 1 ? parts[1] : ""
        guard fraction.count <= digits, parts.count == 1 || !fraction.isEmpty else { return nil }
        let zeros = String(repeating: "0", count: digits - fraction.count)
        let number = Int64("\(whole)\(fraction)\(zeros)")
        return number.map { isNegative ? -$0 : $0 }
    }

    private static let numberLengthMax = 12
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}

// MARK: The notation of each property

extension SonyPropertyText {
    /// The name on the third-stop scale; for other speeds the camera's form: `1/125`, `0.5"`, `BULB`.
    package static let shutterSpeed = SonyPropertyText(
        format: { number, _ in
            guard let raw = UInt32(exactly: number).map(SonyShutterSpeed.init(rawValue:)) else { return nil }
            return raw == .nothing || raw != .bulb && raw.denominator == 0 ? nil : raw.reading.description
        },
        parse: { text in
            if PropertyNotation.key(text) == "bulb" { return Int64(SonyShutterSpeed.bulb.rawValue) }
            return (try? ShutterSpeed(parsing: text)).map { Int64(SonyShutterSpeed($0).rawValue) }
        },
        // The position in microseconds. BULB follows the slowest speed.
        position: { number in
            let speed = SonyShutterSpeed(rawValue: UInt32(truncatingIfNeeded: number))
            return speed.denominator == 0 ? .max / 2 : Int64(speed.numerator) * 1_000_000 / Int64(speed.denominator)
        }
    )

    /// `Auto`, `100`. The top byte marks multi-frame noise reduction, in two kinds that are not documented.
    package static let iso = SonyPropertyText(
        format: { number, _ in
            guard let raw = UInt32(exactly: number) else { return nil }
            let name = SonyISO(rawValue: raw).description
            return switch raw >> 24 {
            case 0x00, 0x10: name
            case 0x01, 0x02: "\(name) multi-frame NR \(raw >> 24)"
            default: raw.hexadecimal
            }
        },
        parse: { text in
            if PropertyNotation.key(text) == "auto" { return Int64(SonyISO.auto.rawValue) }
            return decimal(text[...], digits: 0).flatMap { (1..<0x00FF_FFFF).contains($0) ? $0 : nil }
        },
        position: { SonyISO(rawValue: UInt32(truncatingIfNeeded: $0)).isAuto ? 0 : $0 & 0x00FF_FFFF }
    )

    /// `f/2.8`.
    package static let aperture = SonyPropertyText(
        format: { number, _ in
            let name = UInt16(exactly: number).map { SonyAperture(rawValue: $0).description }
            return name == "--" ? nil : name
        },
        parse: { text in
            let key = PropertyNotation.key(text)
            let number = key.hasPrefix("f/") ? key.dropFirst(2) : key.hasPrefix("f") ? key.dropFirst() : key[...]
            return decimal(number, digits: 2).flatMap { (1..<0xFFFE).contains($0) ? $0 : nil }
        }
    )

    /// EV × 1000 as `+0.3`, `0`, `-1.7`.
    package static let exposureCompensation = SonyPropertyText(
        format: { number, _ in
            if number == 0 { return "0" }
            let (whole, rest) = (number.magnitude / 1000, number.magnitude % 1000)
            var digits = String(1000 + rest).dropFirst()
            while digits.count > 1, digits.last == "0" { digits = digits.dropLast() }
            return "\(number < 0 ? "-" : "+")\(whole).\(digits)"
        },
        parse: { text in
            let key = PropertyNotation.key(text)
            return decimal(key.hasSuffix("ev") ? key.dropLast(2) : key[...], digits: 3)
        }
    )

    /// `auto`, `daylight`, `custom 1`.
    package static let whiteBalance = SonyPropertyText(SonyWhiteBalance.self)
    /// Version 2 bodies write the low half of the number.
    package static let drive = SonyPropertyText(SonyDriveMode.self)
    /// `MF`, `AF-S`.
    package static let focusMode = SonyPropertyText(SonyFocusMode.self)
    /// `RAW+JPEG`.
    package static let fileFormat = SonyPropertyText(SonyFileFormat.self)
    /// `extra fine`.
    package static let jpegQuality = SonyPropertyText(SonyJPEGQuality.self)
    /// `RAW+JPEG extra fine`: both parts are in one number.
    package static let compression = SonyPropertyText(SonyCompression.self)
    /// The numbers of PTP 3 and libgphoto2. Another client uses 1 camera, 16 computer, 17 both. An RX100 VII shows 1
    /// but stores on its card. So this is only for display, and for explicit requests of the user.
    package static let saveTarget = SonyPropertyText(SonySaveTarget.self)
}
