/// A parser for the interface definition language (varlink.org, "Interface Definition").
struct VarlinkInterfaceParser {
    struct Definition {
        var name = ""
        var types: [String: VarlinkType] = [:]
        var methods: [String: VarlinkInterface.Method] = [:]
        var errors: [String: VarlinkType] = [:]
    }

    /// The maximum nesting of types.
    private static let depthMax = 16

    private var tokens: [Token]
    private var next = 0
    private var depth = 0
    /// The uses of named types. The parser checks them after it has read all definitions.
    private var references: [(name: String, line: Int)] = []

    struct Token: Hashable {
        var text: String
        var line: Int
    }

    init(text: String) {
        tokens = Self.tokens(of: text)
    }

    mutating func parse() throws(VarlinkInterfaceError) -> Definition {
        var definition = Definition()
        try expect("interface")
        definition.name = try takeInterfaceName()
        var names: Set<String> = []
        while peek() != nil {
            let keyword = try take("'type', 'method' or 'error'")
            let line = tokens[next - 1].line
            let name = try takeName(startsUppercase: true)
            guard names.insert(name).inserted else {
                throw VarlinkInterfaceError(line: line, reason: "\(name) is defined twice")
            }
            switch keyword {
            case "type": definition.types[name] = try parseParenthesized()
            case "error": definition.errors[name] = try parseStructure()
            case "method":
                let input = try parseStructure()
                try expect("->")
                definition.methods[name] = VarlinkInterface.Method(input: input, output: try parseStructure())
            default:
                throw VarlinkInterfaceError(
                    line: line,
                    reason: "expected 'type', 'method' or 'error' at '\(keyword)'"
                )
            }
        }
        for reference in references where definition.types[reference.name] == nil {
            throw VarlinkInterfaceError(line: reference.line, reason: "the type \(reference.name) is not defined")
        }
        return definition
    }

    private mutating func parseType() throws(VarlinkInterfaceError) -> VarlinkType {
        guard depth < Self.depthMax else { throw fault("nested deeper than \(Self.depthMax)") }
        depth += 1
        defer { depth -= 1 }
        switch peek() {
        case "(": return try parseParenthesized()
        case "?":
            next += 1
            guard peek() != "?" else { throw fault("a type can have only one '?'") }
            return .optional(try parseType())
        case "[":
            next += 1
            if peek() == "string" {
                next += 1
                try expect("]")
                return .dictionary(try parseType())
            }
            try expect("]")
            return .array(try parseType())
        default: return try parseNamedType()
        }
    }

    private mutating func parseNamedType() throws(VarlinkInterfaceError) -> VarlinkType {
        let name = try take("a type")
        switch name {
        case "bool": return .bool
        case "int": return .int
        case "float": return .float
        case "string": return .string
        case "object": return .object
        default:
            guard Self.isName(name, startsUppercase: true) else {
                next -= 1
                throw fault("expected a type")
            }
            references.append((name, tokens[next - 1].line))
            return .named(name)
        }
    }

    /// Parses a structure or an enumeration. The members of an enumeration have no types. `()` is a structure.
    private mutating func parseParenthesized() throws(VarlinkInterfaceError) -> VarlinkType {
        guard next + 2 < tokens.count, tokens[next + 2].text != ":", tokens[next + 1].text != ")" else {
            return try parseStructure()
        }
        try expect("(")
        var names: [String] = []
        repeat {
            let name = try takeName(startsUppercase: false)
            guard !names.contains(name) else { throw fault("\(name) occurs twice") }
            names.append(name)
        } while skip(",")
        try expect(")")
        return .enumeration(names)
    }

    private mutating func parseStructure() throws(VarlinkInterfaceError) -> VarlinkType {
        try expect("(")
        var fields: [VarlinkType.Field] = []
        if skip(")") { return .structure(fields) }
        repeat {
            let name = try takeName(startsUppercase: false)
            guard !fields.contains(where: { $0.name == name }) else { throw fault("\(name) occurs twice") }
            try expect(":")
            fields.append(VarlinkType.Field(name, try parseType()))
        } while skip(",")
        try expect(")")
        return .structure(fields)
    }

    private mutating func takeInterfaceName() throws(VarlinkInterfaceError) -> String {
        let name = try take("a name such as io.bracketd")
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let isReverseDomain =
            parts.count >= 2
            && parts.allSatisfy { part in
                part.first?.isLetter == true
                    && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
            }
        guard isReverseDomain else {
            next -= 1
            throw fault("expected a name such as io.bracketd")
        }
        return name
    }

    private mutating func takeName(startsUppercase: Bool) throws(VarlinkInterfaceError) -> String {
        let wanted = startsUppercase ? "a name that begins with a capital letter" : "a member's name"
        let name = try take(wanted)
        guard Self.isName(name, startsUppercase: startsUppercase) else {
            next -= 1
            throw fault("expected \(wanted)")
        }
        return name
    }

    private static func isName(_ name: String, startsUppercase: Bool) -> Bool {
        guard let first = name.first, first.isASCII, startsUppercase ? first.isUppercase : first.isLetter else {
            return false
        }
        return name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    }

    private func peek() -> String? { next < tokens.count ? tokens[next].text : nil }

    private mutating func take(_ wanted: String) throws(VarlinkInterfaceError) -> String {
        guard let text = peek() else { throw fault("expected \(wanted)") }
        next += 1
        return text
    }

    private mutating func skip(_ text: String) -> Bool {
        guard peek() == text else { return false }
        next += 1
        return true
    }

    private mutating func expect(_ text: String) throws(VarlinkInterfaceError) {
        guard skip(text) else { throw fault("expected '\(text)'") }
    }

    private func fault(_ reason: String) -> VarlinkInterfaceError {
        guard next < tokens.count else {
            return VarlinkInterfaceError(line: tokens.last?.line ?? 1, reason: "\(reason) at the end of the text")
        }
        return VarlinkInterfaceError(line: tokens[next].line, reason: "\(reason) at '\(tokens[next].text)'")
    }

    /// Splits the text into tokens with their lines. A comment starts at `#` and ends with the line.
    private static func tokens(of text: String) -> [Token] {
        var tokens: [Token] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            var word = ""
            func endWord() {
                if !word.isEmpty { tokens.append(Token(text: word, line: index + 1)) }
                word = ""
            }
            for character in line.prefix(while: { $0 != "#" }) {
                if word == "-", character == ">" {
                    word = "->"
                    endWord()
                } else if character.isLetter || character.isNumber || "_.-".contains(character) {
                    word.append(character)
                } else {
                    endWord()
                    if !character.isWhitespace { tokens.append(Token(text: String(character), line: index + 1)) }
                }
            }
            endWord()
        }
        return tokens
    }
}
