/// Takes out of a configuration file what nobody else is to know, whether the file is right or not: rather a line too
/// much than a secret too few.
///
/// bracketd has no key for a secret today. But people write things down where they need them, and a file may be of
/// another version, or of another program.
struct SecretRemoval {
    static let mark = "(removed)"

    /// What makes a key's value a secret where the key's name has it in it. `pass` is in password and passphrase.
    private static let words = ["pass", "secret", "token", "key", "psk", "credential", "auth", "login", "user"]

    /// What is left out, line by line.
    private enum Skipping {
        case nothing
        /// Until this stands somewhere in a line.
        case until(String)
        /// Until so many brackets are closed.
        case brackets(Int)
    }

    private var skipping = Skipping.nothing
    /// Whether the present table's name says that all of it is secret.
    private var isSecretTable = false
    private var lines: [String] = []

    /// The text without secrets.
    static func clean(_ text: String) -> String {
        var removal = SecretRemoval()
        // `\r\n` is one character, and a line end too.
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

    /// Where the secret of a line begins.
    private func cut(of line: String) -> String.Index? {
        func afterSign(_ part: Substring) -> String.Index? {
            part.firstIndex { $0 == "=" || $0 == ":" }.map { line.index(after: $0) }
        }
        if isSecretTable, let sign = afterSign(line[...]) { return sign }
        guard let word = Self.secretWord(in: line[...]) else { return nil }
        if let sign = afterSign(line[word.upperBound...]) { return sign }
        // A comment in the file: `# the password is …`
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

    /// In capitals or not.
    private static func begins(_ text: Substring, with word: String) -> Bool {
        text.prefix(word.count).lowercased() == word
    }

    /// Whether what a line begins goes on in the next ones (TOML 1.0, "String", "Array").
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

    /// `http://ada:secret@host` without who calls (RFC 3986, 3.2.1).
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
