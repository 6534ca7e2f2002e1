/// The operands of expressions: literals, names and brackets, with the members and calls after them.
extension ScriptParser {
    /// Parses an operand and the members and calls after it (ECMAScript 5.1, 11.2).
    mutating func member() throws(ScriptSyntaxFailure) -> ScriptNode {
        let start = place
        var base = try primary()
        var keys: [ScriptNode] = []
        while case .mark(let mark) = token {
            switch mark {
            case ".", "?.":
                try advance()
                if mark == "?." { note("the operator '?.'") }
                if mark == "?.", token == .mark("[") || token == .mark("(") { continue }
                guard case .name(let name) = token else { throw unexpected }
                keys.append(.literal(.string(name)))
                try advance()
            case "[":
                try advance()
                keys.append(try sequence())
                try expect("]")
            case "(":
                base = try call(of: keys.isEmpty ? base : .path(base, keys), from: start)
                keys = []
            case "++", "--":
                guard base.isReference || !keys.isEmpty else { throw unexpected }
                note("the operator '\(mark)'")
                try advance()
                return .literal(.undefined)
            default:
                return keys.isEmpty ? base : .path(base, keys)
            }
        }
        return keys.isEmpty ? base : .path(base, keys)
    }

    /// Parses the call `In('id')`. Records any other call as unsupported.
    private mutating func call(of callee: ScriptNode, from start: Int) throws(ScriptSyntaxFailure) -> ScriptNode {
        let source = source(from: start)
        try advance()
        var arguments: [ScriptNode] = []
        while token != .mark(")") {
            if try skip("...") { note("the spread operator '...'") }
            arguments.append(try assignment())
            guard token != .mark(")") else { break }
            try expect(",")
        }
        try advance()
        if case .name("In") = callee, arguments.count == 1 { return .isActive(arguments[0]) }
        note("the call \("\(source)(…)".quotedShort)")
        return .literal(.undefined)
    }

    private mutating func primary() throws(ScriptSyntaxFailure) -> ScriptNode {
        switch token {
        case .number(let value): return try literal(.number(value))
        case .string(let value): return try literal(.string(value))
        case .name(let name): return try word(name)
        case .mark("("): return try parenthesized()
        case .mark("["): return try arrayLiteral()
        case .mark("{"): return try objectLiteral()
        case .mark("/") where closesRegularExpression, .mark("/=") where closesRegularExpression:
            throw unsupported("a regular expression")
        case .mark, .end: throw unexpected
        }
    }

    private mutating func literal(_ value: ScriptValue) throws(ScriptSyntaxFailure) -> ScriptNode {
        try advance()
        return .literal(value)
    }

    /// The reserved words (ECMAScript 5.1, 7.6.1) without those that are operands or operators here.
    private static let reservedWords: Set = [
        "break", "case", "catch", "const", "continue", "debugger", "default", "delete", "do", "else", "enum", "export",
        "extends", "finally", "for", "if", "import", "in", "instanceof", "return", "super", "switch", "throw", "try",
        "typeof", "var", "void", "while", "with",
    ]

    private mutating func word(_ name: String) throws(ScriptSyntaxFailure) -> ScriptNode {
        switch name {
        case "true": return try literal(.boolean(true))
        case "false": return try literal(.boolean(false))
        case "null": return try literal(.null)
        case "undefined": return try literal(.undefined)
        case "NaN": return try literal(.number(.nan))
        case "Infinity": return try literal(.number(.infinity))
        case "this":
            note("'this'")
            return try literal(.undefined)
        case "function", "class":
            try advance()
            throw beginsDefinition(of: name) ? unsupported("a \(name)") : unexpected
        case _ where Self.reservedWords.contains(name): throw unexpected
        default:
            try advance()
            return .name(name)
        }
    }

    /// Whether the token can follow `function` or `class` in a definition. The rest of a definition is not parsed.
    private func beginsDefinition(of word: String) -> Bool {
        switch token {
        case .name: true
        case .mark("("), .mark("*"): word == "function"
        case .mark("{"): word == "class"
        default: false
        }
    }

    private mutating func parenthesized() throws(ScriptSyntaxFailure) -> ScriptNode {
        try advance()
        if try skip(")") { throw token == .mark("=>") ? unsupported("a function with '=>'") : unexpected }
        if try skip("...") { note("the spread operator '...'") }
        let node = try sequence()
        try expect(")")
        return node
    }

    private mutating func arrayLiteral() throws(ScriptSyntaxFailure) -> ScriptNode {
        try advance()
        var elements: [ScriptNode] = []
        while token != .mark("]") {
            if try skip(",") {
                elements.append(.literal(.undefined))
                continue
            }
            if try skip("...") { note("the spread operator '...'") }
            elements.append(try assignment())
            guard token != .mark("]") else { break }
            try expect(",")
        }
        try advance()
        return .array(elements)
    }

    private mutating func objectLiteral() throws(ScriptSyntaxFailure) -> ScriptNode {
        try advance()
        var entries: [ScriptNode.Entry] = []
        while token != .mark("}") {
            entries.append(try entry())
            guard token != .mark("}") else { break }
            try expect(",")
        }
        try advance()
        return .object(entries)
    }

    /// Parses an entry `key: value` of an object (ECMAScript 5.1, 11.1.5).
    private mutating func entry() throws(ScriptSyntaxFailure) -> ScriptNode.Entry {
        var key = ""
        var isName = false
        switch token {
        case .name(let name): (key, isName) = (name, true)
        case .string(let text): key = text
        case .number(let value): key = ScriptNumber.text(value)
        case .mark("..."):
            note("the spread operator '...'")
            try advance()
            return .init(key: key, value: try assignment())
        case .mark("["):
            note("a computed key")
            try advance()
            _ = try assignment()
            guard token == .mark("]") else { throw unexpected }
        default: throw unexpected
        }
        try advance()
        if try skip(":") { return .init(key: key, value: try assignment()) }
        switch token {
        case .mark(","), .mark("}"):
            guard isName, !Self.reservedWords.contains(key) else { throw unexpected }
            note("a key without a value")
            return .init(key: key, value: .literal(.undefined))
        case .mark("("): throw unsupported("a method")
        case .name, .string, .number:
            guard key == "get" || key == "set" else { throw unexpected }
            throw unsupported("a getter or setter")
        default: throw unexpected
        }
    }
}
