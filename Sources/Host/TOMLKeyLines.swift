/// On which lines a TOML text has its keys. The parser tells the values apart and not where they stood; this finds the
/// place, for messages: headers of tables, keys at the start of a line, dotted keys. What stands inside an inline table
/// or a text of several lines is found by the key that it belongs to.
struct TOMLKeyLines {
    private var lines: [[String]: Int] = [:]

    init(text: String) {
        var table: [String] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            var scanner = KeyScanner(line)
            if scanner.take("[") {
                // An array of tables, [[name]], has two brackets.
                _ = scanner.take("[")
                guard let path = scanner.takeKey(), scanner.take("]") else { continue }
                table = path
                note(path, index + 1)
            } else if let path = scanner.takeKey(), scanner.take("=") {
                note(table + path, index + 1)
            }
        }
    }

    /// The line of the key, or of the nearest that holds it.
    func line(of path: [String]) -> Int? {
        for length in stride(from: path.count, to: 0, by: -1) {
            if let line = lines[Array(path[..<length])] { return line }
        }
        return nil
    }

    private mutating func note(_ path: [String], _ line: Int) {
        // What holds the key begins where its first key is, unless it has a line of its own.
        for length in 1...path.count {
            let prefix = Array(path[..<length])
            if lines[prefix] == nil { lines[prefix] = line }
        }
    }
}

/// Reads bare, quoted and dotted keys (TOML 1.0, "Keys").
private struct KeyScanner {
    private var rest: Substring

    init(_ line: Substring) {
        rest = line
    }

    mutating func take(_ character: Character) -> Bool {
        rest = rest.drop { $0 == " " || $0 == "\t" }
        guard rest.first == character else { return false }
        rest = rest.dropFirst()
        return true
    }

    mutating func takeKey() -> [String]? {
        var path: [String] = []
        repeat {
            guard let part = takePart() else { return nil }
            path.append(part)
        } while take(".")
        return path
    }

    private mutating func takePart() -> String? {
        for quote: Character in ["\"", "'"] where take(quote) {
            guard let end = rest.firstIndex(of: quote) else { return nil }
            defer { rest = rest[end...].dropFirst() }
            return String(rest[..<end])
        }
        let part = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
        rest = rest.dropFirst(part.count)
        return part.isEmpty ? nil : String(part)
    }
}
