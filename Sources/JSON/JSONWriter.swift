import PrintableText

extension JSONValue {
    /// The value as JSON in UTF-8, on one line, members sorted by name. Equal values give equal bytes. The bytes
    /// contain no NUL and no unprintable character: texts have these as `\u…`.
    package func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        write(into: &bytes)
        return bytes
    }

    private func write(into bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .int(let value): bytes.append(contentsOf: String(value).utf8)
        case .double(let value):
            precondition(value.isFinite, "JSON has no infinity and no NaN")
            bytes.append(contentsOf: value.description.utf8)
        case .string(let value): Self.write(value, into: &bytes)
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                value.write(into: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.write(member.key, into: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(into: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ string: String, into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(UInt8(ascii: scalar))
            case "\n": bytes.append(contentsOf: "\\n".utf8)
            case "\r": bytes.append(contentsOf: "\\r".utf8)
            case "\t": bytes.append(contentsOf: "\\t".utf8)
            case _ where PrintableText.isPrintable(scalar): bytes.append(contentsOf: Character(scalar).utf8)
            default:
                for unit in Character(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    bytes.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)".utf8)
                }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
