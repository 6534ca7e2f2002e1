/// A scanner that finds the start of every start tag and comment of a document.
///
/// Foundation's parser reports the end of a start tag, and its columns depend on the text. Editors need the start. In a
/// well-formed document, the n-th start tag of this scanner is the n-th element of the parser.
struct XMLScanner {
    /// A comment: its position, and whether text other than spaces is before it on its line.
    struct Comment {
        var position: SourcePosition
        var isTrailing: Bool
    }

    private(set) var startTags: [SourcePosition] = []
    private(set) var comments: [Comment] = []
    private(set) var documentType: SourcePosition?

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var lineStart = 0
    /// Whether text other than spaces is before this position on the same line.
    private var hasTextBefore = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        scan()
    }

    private var position: SourcePosition {
        SourcePosition(line: line, column: index - lineStart + 1)
    }

    private mutating func scan() {
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "<") else {
                advance()
                continue
            }
            if starts("<!--") {
                comments.append(Comment(position: position, isTrailing: hasTextBefore))
                skip(past: "-->")
            } else if starts("<![CDATA[") {
                skip(past: "]]>")
            } else if starts("<?") {
                skip(past: "?>")
            } else if starts("<!") {
                documentType = documentType ?? position
                skip(past: ">")
            } else {
                if !starts("</") { startTags.append(position) }
                skipTag()
            }
        }
    }

    private mutating func advance() {
        let byte = bytes[index]
        if byte == UInt8(ascii: "\n") {
            line += 1
            lineStart = index + 1
            hasTextBefore = false
        } else if byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t") {
            hasTextBefore = true
        }
        index += 1
    }

    private func starts(_ text: StaticString) -> Bool {
        guard index + text.utf8CodeUnitCount <= bytes.count else { return false }
        return text.withUTF8Buffer { bytes[index..<index + $0.count].elementsEqual($0) }
    }

    private mutating func skip(past end: StaticString) {
        while index < bytes.count, !starts(end) { advance() }
        for _ in 0..<end.utf8CodeUnitCount where index < bytes.count { advance() }
    }

    /// Skips to the byte after the tag's `>`. A `>` in an attribute's value does not end the tag.
    private mutating func skipTag() {
        var quote: UInt8?
        while index < bytes.count {
            let byte = bytes[index]
            advance()
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return
            }
        }
    }
}
