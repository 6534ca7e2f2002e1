/// The Swift code of a file, in which spaces replace comments and string literals. Line numbers do not change.
struct BareCode {
    private(set) var bytes: [UInt8]
    /// The ranges of the comments and the string literals, including their delimiters.
    private(set) var prose: [(range: Range<Int>, isComment: Bool)] = []

    init(_ text: String) {
        bytes = Array(text.utf8)
        var index = 0
        while index < bytes.count {
            if "/\"#".utf8.contains(bytes[index]), let end = commentEnd(index) ?? textEnd(index) {
                prose.append((index..<end, isComment: bytes[index] == UInt8(ascii: "/")))
                for place in index..<end where bytes[place] != UInt8(ascii: "\n") { bytes[place] = UInt8(ascii: " ") }
                index = end
            } else {
                index += 1
            }
        }
    }

    var lines: [String] {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    private func has(_ word: String, at index: Int) -> Bool {
        index + word.utf8.count <= bytes.count && bytes[index..<index + word.utf8.count].elementsEqual(word.utf8)
    }

    /// - Returns: the end of the comment; nil: no comment starts here.
    private func commentEnd(_ start: Int) -> Int? {
        if has("//", at: start) { return bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count }
        guard has("/*", at: start) else { return nil }
        var (index, depth) = (start + 2, 1)
        while index < bytes.count, depth > 0 {
            let step = has("/*", at: index) ? 1 : has("*/", at: index) ? -1 : 0
            depth += step
            index += step == 0 ? 1 : 2
        }
        return index
    }

    /// - Returns: the end of the string literal; nil: no literal starts here.
    private func textEnd(_ start: Int) -> Int? {
        var index = start
        while has("#", at: index) { index += 1 }
        let signs = String(repeating: "#", count: index - start)
        guard has("\"", at: index) else { return nil }
        let quote = has("\"\"\"", at: index) ? "\"\"\"" : "\""
        index += quote.utf8.count
        while index < bytes.count {
            if has(quote + signs, at: index) { return index + quote.utf8.count + signs.utf8.count }
            if has("\\" + signs + "(", at: index) {
                index = parenthesesEnd(index + 2 + signs.utf8.count)
            } else {
                index += has("\\" + signs, at: index) ? 2 + signs.utf8.count : 1
            }
        }
        return index
    }

    /// Finds the end of an interpolation, which is code and may contain literals.
    private func parenthesesEnd(_ start: Int) -> Int {
        var (index, depth) = (start, 1)
        while index < bytes.count, depth > 0 {
            if "\"#".utf8.contains(bytes[index]), let end = textEnd(index) {
                index = end
                continue
            }
            if bytes[index] == UInt8(ascii: "(") { depth += 1 }
            if bytes[index] == UInt8(ascii: ")") { depth -= 1 }
            index += 1
        }
        return index
    }
}

extension BareCode {
    /// A function, an initializer or a subscript with a body.
    struct Function: Equatable {
        /// The line where its body begins, counted from 1.
        var line: Int
        /// The number of lines between its braces.
        var lineCount: Int
    }

    var functions: [Function] {
        var functions: [Function] = []
        var line = 1
        for index in bytes.indices {
            if bytes[index] == UInt8(ascii: "\n") { line += 1 }
            guard "fids".utf8.contains(bytes[index]),
                ["func ", "init", "deinit", "subscript"].contains(where: { beginsWord($0, at: index) }),
                let body = bodyBegin(after: index), let end = bodyEnd(body)
            else { continue }
            let before = bytes[index..<body].count { $0 == UInt8(ascii: "\n") }
            let newlines = bytes[body..<end].count { $0 == UInt8(ascii: "\n") }
            functions.append(Function(line: line + before, lineCount: max(0, newlines - 1)))
        }
        return functions
    }

    /// Whether a declaration starts here. The word can also be a part of an identifier, or the call of an initializer.
    private func beginsWord(_ word: String, at index: Int) -> Bool {
        guard has(word, at: index) else { return false }
        if index > 0, Self.isOfWord(bytes[index - 1]) || bytes[index - 1] == UInt8(ascii: ".") { return false }
        let after = index + word.utf8.count
        return word.hasSuffix(" ") || after >= bytes.count || !Self.isOfWord(bytes[after])
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || UnicodeScalar(byte).properties.isAlphabetic
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// The opening brace of a declaration's body; nil: the declaration has no body, as in a protocol.
    private func bodyBegin(after start: Int) -> Int? {
        var depth = 0
        for index in start..<bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "{") where depth == 0: return index
            case UInt8(ascii: "}") where depth == 0: return nil
            case UInt8(ascii: "\n") where depth == 0 && !goesOn(after: index): return nil
            default: break
            }
        }
        return nil
    }

    private func goesOn(after newline: Int) -> Bool {
        let rest = bytes[newline...].drop { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: " ") }
        return ["{", "->", "where ", "throws", "async"].contains { rest.starts(with: $0.utf8) }
    }

    private func bodyEnd(_ start: Int) -> Int? {
        var depth = 0
        for index in start..<bytes.count {
            if bytes[index] == UInt8(ascii: "{") { depth += 1 }
            guard bytes[index] == UInt8(ascii: "}") else { continue }
            depth -= 1
            if depth == 0 { return index }
        }
        return nil
    }
}
