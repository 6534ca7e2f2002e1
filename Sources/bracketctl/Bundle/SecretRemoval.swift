/// Removes secrets from the text of a configuration file, which can be invalid. Removes a whole line if in doubt.
///
/// No key of bracketd's configuration has a secret value. But a comment can contain a secret, and the file can belong
/// to another version or another program.
struct SecretRemoval {
    static let mark = "(removed)"

    /// Parts of a key's name that mark its value as secret. For example, `pass` is in `password` and `passphrase`.
    private static let words = ["pass", "secret", "token", "key", "psk", "credential", "auth", "login", "user"]

    private enum Skipping {
        case nothing
        /// Lines are removed up to a line that contains this text.
        case until(String)
        /// Lines are removed until this number of brackets is closed.
        case brackets(Int)
    }

    private var skipping = Skipping.nothing
    /// Whether all values of the current table are secret because of the table's name.
    private var isSecretTable = false
    private var lines: [String] = []

    static func clean(_ text: String) -> String {
        var removal = SecretRemoval()
        // For Swift `\r\n` is one Character, which is a newline.
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            removal.take(String(line))
        }
        return removal.lines.joined(separator: "\n")
    }

    private mutating func take(_ line: String) {
        switch skipping {
        case .until(let end):
            if line.contains(end) { skipping = .nothing }
            return
        case .brackets(let open):
            let open = open + Self.openBrackets(in: line)
            skipping = open > 0 ? .brackets(open) : .nothing
            return
        case .nothing: break
        }
        if line.contains("-----BEGIN ") {
            lines.append(Self.mark)
            if !line.contains("-----END ") { skipping = .until("-----END ") }
            return
        }
        let content = line.drop { $0 == " " || $0 == "\t" || $0 == "#" }
        if content.first == "[", !content.contains("=") { isSecretTable = Self.secretWord(in: content) != nil }
        guard let cut = cut(of: line) else { return lines.append(Self.withoutUserInfo(line)) }
        let value = line[cut...]
        lines.append("\(Self.withoutUserInfo(String(line[..<cut]))) \"\(Self.mark)\"")
        skipping = Self.skipping(after: value)
    }

    private func cut(of line: String) -> String.Index? {
        func afterSign(_ part: Substring) -> String.Index? {
            part.firstIndex { $0 == "=" || $0 == ":" }.map { line.index(after: $0) }
        }
        if isSecretTable, let sign = afterSign(line[...]) { return sign }
        guard let word = Self.secretWord(in: line[...]) else { return nil }
        if let sign = afterSign(line[word.upperBound...]) { return sign }
        // The word is in a comment: `# the password is …`.
        guard let comment = line.firstIndex(of: "#"), comment < word.lowerBound else { return nil }
        return word.upperBound
    }

    private static func secretWord(in text: Substring) -> Range<String.Index>? {
        var start = text.startIndex
        while start < text.endIndex {
            let rest = text[start...]
            if let word = words.first(where: { begins(rest, with: $0) }) {
                return start..<text.index(start, offsetBy: word.count)
            }
            start = text.index(after: start)
        }
        return nil
    }

    /// Whether the text begins with the word, ignoring case.
    private static func begins(_ text: Substring, with word: String) -> Bool {
        text.prefix(word.count).lowercased() == word
    }

    /// The lines after a value that belong to the value (TOML 1.0, "String", "Array").
    private static func skipping(after value: Substring) -> Skipping {
        for quotes in ["\"\"\"", "'''"]
        where value.split(separator: quotes, omittingEmptySubsequences: false).count == 2 {
            return .until(quotes)
        }
        let open = openBrackets(in: value)
        return open > 0 ? .brackets(open) : .nothing
    }

    private static func openBrackets(in text: some StringProtocol) -> Int {
        text.reduce(0) { count, character in
            switch character {
            case "[", "{": count + 1
            case "]", "}": count - 1
            default: count
            }
        }
    }

    /// Removes the user information from a URL such as `http://ada:secret@host` (RFC 3986, 3.2.1).
    private static func withoutUserInfo(_ line: String) -> String {
        var parts = line.split(separator: "://", omittingEmptySubsequences: false).map(String.init)
        for index in parts.indices.dropFirst() {
            let authority = parts[index].prefix { !"/\"' \t".contains($0) }
            guard let at = authority.lastIndex(of: "@") else { continue }
            parts[index] = mark + parts[index][at...]
        }
        return parts.joined(separator: "://")
    }
}
