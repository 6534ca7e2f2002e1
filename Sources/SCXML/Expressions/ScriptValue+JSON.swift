import Foundation

extension ScriptValue {
    /// Reads JSON text. Throws if the text is not JSON, nests too deeply or is too large.
    public init(json text: String) throws(ScriptError) {
        try self.init(json: text, sizeMax: ScriptLimits.valueSizeMax)
    }

    init(json text: String, sizeMax: Int) throws(ScriptError) {
        guard Self.nesting(ofJSON: text) <= ScriptLimits.valueDepthMax else {
            throw ScriptError("the JSON nests deeper than \(ScriptLimits.valueDepthMax) arrays and objects")
        }
        do {
            self = try JSONDecoder().decode(DecodedValue.self, from: Data(text.utf8)).value
        } catch {
            throw ScriptError("\(text.quotedShort) is not JSON")
        }
        try checkSize(sizeMax)
    }

    /// The value as JSON on one line (ECMAScript 5.1, 15.12.3 JSON.stringify), keys sorted. What JSON cannot say is
    /// left out of objects if undefined, and `null` elsewhere: undefined itself, NaN and the infinities.
    public var json: String {
        switch self {
        case .undefined, .null: return "null"
        case .boolean, .string, .number: return scalarJSON
        case .array(let elements): return "[" + elements.map(\.json).joined(separator: ",") + "]"
        case .object(let members):
            let written = members.filter { $0.value != .undefined }.sorted { $0.key < $1.key }
            return "{" + written.map { JSONText.quoted($0.key) + ":" + $0.value.json }.joined(separator: ",") + "}"
        }
    }

    private var scalarJSON: String {
        switch self {
        case .string(let value): JSONText.quoted(value)
        case .number(let value): value.isFinite ? ScriptNumber.text(value) : "null"
        default: text
        }
    }

    /// How deep brackets go, those within strings not counted: the decoder recurses, so it is asked first.
    private static func nesting(ofJSON text: String) -> Int {
        var (depth, deepest, isInString, isEscaped) = (0, 0, false, false)
        for byte in text.utf8 {
            if isInString {
                if !isEscaped, byte == UInt8(ascii: "\"") { isInString = false }
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                deepest = max(deepest, depth)
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
        }
        return deepest
    }
}

/// A value as the decoder meets it. It keeps `true` and `1` apart: neither decodes as the other.
private struct DecodedValue: Decodable {
    let value: ScriptValue

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            value = .null
        } else if let boolean = try? container.decode(Bool.self) {
            value = .boolean(boolean)
        } else if let number = try? container.decode(Double.self) {
            value = .number(number)
        } else if let string = try? container.decode(String.self) {
            value = .string(string)
        } else if let elements = try? container.decode([DecodedValue].self) {
            value = .array(elements.map(\.value))
        } else {
            value = .object(try container.decode([String: DecodedValue].self).mapValues(\.value))
        }
    }
}
