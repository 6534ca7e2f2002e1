extension ScriptValue {
    /// Parses JSON text. Throws if the text is not JSON, nests too deeply or is too large.
    public init(json text: String) throws(ScriptError) {
        try self.init(json: Array(text.utf8))
    }

    init(json bytes: [UInt8], sizeMax: Int = ScriptLimits.valueSizeMax) throws(ScriptError) {
        do throws(ScriptError) {
            self = try JSONReader.value(of: bytes)
        } catch {
            let excerpt = String(decoding: bytes.prefix(400), as: UTF8.self).words.joined(separator: " ").quotedShort
            throw ScriptError("\(excerpt) is not JSON: \(error.message)")
        }
        try checkSize(sizeMax)
    }

    /// The value as JSON on one line (ECMAScript 5.1, 15.12.3 JSON.stringify). Keys are sorted. A member of an object
    /// is omitted if its value is `undefined`. Elsewhere `undefined`, NaN and the infinities become `null`.
    public var json: String {
        switch self {
        case .undefined, .null: return "null"
        case .boolean, .string, .number: return scalarJSON
        case .array(let elements): return "[" + elements.map(\.json).joined(separator: ",") + "]"
        case .object(let members):
            let written = members.sorted.filter { $0.value != .undefined }
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
}
