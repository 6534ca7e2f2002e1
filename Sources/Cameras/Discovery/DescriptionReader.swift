import Exposure
import NIOCore

/// The reason why a camera's description cannot be read.
package struct DescriptionFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line of the error, counted from 1.
    package var line: Int
    package var reason: String

    package var description: String { "line \(line): \(reason)" }
}

/// An element of a description. Attributes are checked but not kept, because descriptions do not use them.
struct DescriptionElement: Equatable {
    /// The local name. It has no prefix, because bodies use different prefixes.
    var name: String
    /// The trimmed text of the element, without the text of inner elements.
    var text: String
    var elements: [DescriptionElement]

    subscript(name: String) -> DescriptionElement? { elements.first { $0.name == name } }

    /// All inner elements of this name, at any depth, in the order of the document.
    func descendants(named name: String) -> [DescriptionElement] {
        elements.flatMap { ($0.name == name ? [$0] : []) + $0.descendants(named: name) }
    }
}

/// Reads a small part of XML 1.0, strictly and within limits: UTF-8, no document type, only the five predefined
/// entities, no processing instructions. Rejects everything else, because the bytes may come from any sender.
struct DescriptionReader {
    static let byteCountMax = 64 * 1024
    static let depthMax = 32
    static let elementCountMax = 1024
    static let attributeCountMax = 32
    static let nameLengthMax = 128
    /// The greatest number of bytes of an element's text and of an attribute's value.
    static let textLengthMax = 4096

    private let bytes: [UInt8]
    /// The limit for the text of an element of this document.
    private let textLengthMax: Int
    private var position = 0
    private var line = 1
    /// The elements whose end tags were not read yet, each with its full name, the outermost first.
    private var open: [(name: String, element: DescriptionElement)] = []
    private var elementCount = 0
    private var root: DescriptionElement?

    /// The outermost element of a document.
    ///
    /// - Parameter textLengthMax: the greatest number of bytes of an element's text.
    static func read(
        _ document: ByteBuffer,
        textLengthMax: Int = Self.textLengthMax
    ) throws(DescriptionFault) -> DescriptionElement {
        guard document.readableBytes <= byteCountMax else {
            throw DescriptionFault(line: 1, reason: "the description is longer than \(byteCountMax) bytes")
        }
        var reader = DescriptionReader(bytes: Array(document.readableBytesView), textLengthMax: textLengthMax)
        try reader.checkCharacters()
        return try reader.readDocument()
    }

    private init(bytes: [UInt8], textLengthMax: Int) {
        self.bytes = bytes
        self.textLengthMax = textLengthMax
    }

    private func fault(_ reason: String) -> DescriptionFault { DescriptionFault(line: line, reason: reason) }

    /// Checks that all bytes are UTF-8 without forbidden characters (XML 1.0, 2.2).
    private mutating func checkCharacters() throws(DescriptionFault) {
        if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
            throw fault("the description is in UTF-16; only UTF-8 is supported")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw fault("the description is not in UTF-8")
        }
        for scalar in text.unicodeScalars {
            guard Self.isCharacter(scalar) else {
                let number = String(scalar.value, radix: 16)
                throw fault("the description contains a character that XML forbids, U+\(number)")
            }
            if scalar == "\n" { line += 1 }
        }
        line = 1
    }

    private static func isCharacter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D: true
        case 0..<0x20, 0xFFFE, 0xFFFF: false
        default: true
        }
    }

    private mutating func readDocument() throws(DescriptionFault) -> DescriptionElement {
        _ = take([0xEF, 0xBB, 0xBF])
        try readDeclaration()
        while position < bytes.count { try readPart() }
        if let last = open.last { throw fault("the description ends within <\(last.name)>") }
        guard let root else { throw fault("the description has no element") }
        return root
    }

    private mutating func readPart() throws(DescriptionFault) {
        if bytes[position] != UInt8(ascii: "<") {
            try readText()
        } else if take("<!--") {
            let comment = try skipPast("-->", of: "a comment")
            // An XML comment that ends in `--->` is invalid too.
            guard !contains("--", in: comment), bytes[comment].last != UInt8(ascii: "-") else {
                throw fault("a comment contains two dashes")
            }
        } else if take("<![CDATA[") {
            guard !open.isEmpty else { throw fault("there is text outside the outermost element") }
            let content = try skipPast("]]>", of: "a CDATA section")
            try append(String(decoding: bytes[content], as: UTF8.self))
        } else if take("<!") {
            throw fault("a document type or another '<!' declaration is not allowed")
        } else if take("<?") {
            throw fault("a processing instruction is not allowed")
        } else if take("</") {
            try readEndTag()
        } else {
            try readStartTag()
        }
    }
}

// MARK: - Tags

extension DescriptionReader {
    /// Reads the optional declaration `<?xml version="1.0" encoding="utf-8"?>`.
    private mutating func readDeclaration() throws(DescriptionFault) {
        guard take("<?xml") else { return }
        let values = try readAttributes()
        guard take("?>") else { throw fault("the XML declaration does not end in '?>'") }
        guard values.first?.name == "version", values.first?.value == "1.0" else {
            throw fault("the XML version is not 1.0")
        }
        for (name, value) in values.dropFirst() {
            switch name {
            case "encoding":
                // `utf8` is not a registered name, but some senders use it for UTF-8. The bytes are always checked.
                guard ["utf-8", "utf8"].contains(value.lowercased()) else {
                    throw fault("the encoding is \(Quoted.text(value)); only UTF-8 is supported")
                }
            case "standalone":
                guard ["yes", "no"].contains(value) else { throw fault("standalone must be yes or no") }
            default: throw fault("the XML declaration has the unknown attribute \(Quoted.text(name))")
            }
        }
    }

    private mutating func readStartTag() throws(DescriptionFault) {
        position += 1
        let name = try readName()
        guard !open.isEmpty || root == nil else { throw fault("<\(name)> follows the outermost element") }
        elementCount += 1
        guard elementCount <= Self.elementCountMax else {
            throw fault("the description has more than \(Self.elementCountMax) elements")
        }
        guard open.count < Self.depthMax else {
            throw fault("<\(name)> is nested deeper than \(Self.depthMax) elements")
        }
        _ = try readAttributes()
        open.append((name, DescriptionElement(name: try localName(of: name), text: "", elements: [])))
        if take("/>") { return close() }
        guard take(">") else { throw fault("the tag <\(name)> is not closed") }
    }

    private mutating func readEndTag() throws(DescriptionFault) {
        let name = try readName()
        skipSpace()
        guard take(">") else { throw fault("the tag </\(name)> is not closed") }
        guard let last = open.last else { throw fault("</\(name)> has no start tag") }
        guard last.name == name else { throw fault("</\(name)> closes <\(last.name)>") }
        close()
    }

    private mutating func close() {
        guard var (_, element) = open.popLast() else { return }
        element.text = Self.trimmed(element.text)
        if open.isEmpty {
            root = element
        } else {
            open[open.count - 1].element.elements.append(element)
        }
    }

    /// Reads all attributes up to the end of the tag. A space must precede each attribute.
    private mutating func readAttributes() throws(DescriptionFault) -> [(name: String, value: String)] {
        var attributes: [(name: String, value: String)] = []
        while skipSpace(), let byte = peek, Self.isNameStart(byte) {
            let name = try readName()
            guard !attributes.contains(where: { $0.name == name }) else {
                throw fault("an element has the attribute '\(name)' twice")
            }
            guard attributes.count < Self.attributeCountMax else {
                throw fault("an element has more than \(Self.attributeCountMax) attributes")
            }
            skipSpace()
            guard take("=") else { throw fault("the attribute '\(name)' has no value") }
            skipSpace()
            attributes.append((name, try readAttributeValue(of: name)))
        }
        return attributes
    }

    private mutating func readAttributeValue(of name: String) throws(DescriptionFault) -> String {
        guard let quote = peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw fault("the value of the attribute '\(name)' has no quotes")
        }
        position += 1
        var value: [UInt8] = []
        while let byte = peek, byte != quote {
            guard byte != UInt8(ascii: "<") else { throw fault("the value of the attribute '\(name)' contains '<'") }
            guard value.count < Self.textLengthMax else {
                throw fault("the value of the attribute '\(name)' is longer than \(Self.textLengthMax) bytes")
            }
            if byte == UInt8(ascii: "&") { value += try readReference().utf8 } else { value.append(advance()) }
        }
        guard peek == quote else { throw fault("the value of the attribute '\(name)' has no end quote") }
        position += 1
        return String(decoding: value, as: UTF8.self)
    }

    /// Reads a name of ASCII letters, digits and a few signs: UPnP and Sony use no other names.
    private mutating func readName() throws(DescriptionFault) -> String {
        guard let first = peek, Self.isNameStart(first) else { throw fault("a name must follow '<' or '</'") }
        let start = position
        while let byte = peek, Self.isNamePart(byte) { position += 1 }
        guard position - start <= Self.nameLengthMax else {
            throw fault("a name is longer than \(Self.nameLengthMax) bytes")
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private func localName(of name: String) throws(DescriptionFault) -> String {
        let parts = name.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let last = parts.last, parts.allSatisfy({ !$0.isEmpty }) else {
            throw fault("'\(name)' is not a valid name with a prefix")
        }
        return String(last)
    }
}

// MARK: - Text

extension DescriptionReader {
    private mutating func readText() throws(DescriptionFault) {
        guard !open.isEmpty else {
            skipSpace()
            guard peek ?? UInt8(ascii: "<") == UInt8(ascii: "<") else {
                throw fault("there is text outside the outermost element")
            }
            return
        }
        var text: [UInt8] = []
        while let byte = peek, byte != UInt8(ascii: "<") {
            guard !hasPrefix("]]>") else { throw fault("']]>' is outside a CDATA section") }
            if byte == UInt8(ascii: "&") { text += try readReference().utf8 } else { text.append(advance()) }
        }
        try append(String(decoding: text, as: UTF8.self))
    }

    private mutating func append(_ text: String) throws(DescriptionFault) {
        guard let last = open.last else { preconditionFailure("text is inside an element") }
        guard last.element.text.utf8.count + text.utf8.count <= textLengthMax else {
            throw fault("the text of <\(last.name)> is longer than \(textLengthMax) bytes")
        }
        open[open.count - 1].element.text += text
    }

    /// Reads a reference, for example `&amp;`, `&#38;` or `&#x26;`.
    private mutating func readReference() throws(DescriptionFault) -> String {
        position += 1
        let lengthMax = 8
        let rest = bytes[position...].prefix(lengthMax + 1)
        guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else {
            throw fault("'&' does not begin a character reference")
        }
        let name = String(decoding: bytes[position..<end], as: UTF8.self)
        position = end + 1
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default: break
        }
        guard name.hasPrefix("#") else { throw fault("the entity \(Quoted.text(name)) is not allowed") }
        let isHex = name.hasPrefix("#x")
        let digits = name.dropFirst(isHex ? 2 : 1)
        guard digits.allSatisfy({ $0.isASCII && $0.isHexDigit }), let value = UInt32(digits, radix: isHex ? 16 : 10),
            let scalar = Unicode.Scalar(value), Self.isCharacter(scalar)
        else { throw fault("\(Quoted.text("&\(name);")) is not a valid character") }
        return String(scalar)
    }

    /// Moves the position to the byte after `end`. Returns the range before `end`.
    private mutating func skipPast(_ end: StaticString, of what: String) throws(DescriptionFault) -> Range<Int> {
        let start = position
        while position < bytes.count {
            if hasPrefix(end) {
                let content = start..<position
                position += end.utf8CodeUnitCount
                return content
            }
            _ = advance()
        }
        throw fault("\(what) has no end")
    }

    private func contains(_ text: StaticString, in range: Range<Int>) -> Bool {
        range.contains { index in
            index + text.utf8CodeUnitCount <= range.upperBound && hasPrefix(text, at: index)
        }
    }

    private static func trimmed(_ text: String) -> String {
        let bytes = text.utf8.drop(while: isSpace)
        guard let last = bytes.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(decoding: bytes[...last], as: UTF8.self)
    }
}

// MARK: - Bytes

extension DescriptionReader {
    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func advance() -> UInt8 {
        let byte = bytes[position]
        if byte == UInt8(ascii: "\n") { line += 1 }
        position += 1
        return byte
    }

    /// Skips spaces. Returns false if it found none.
    @discardableResult
    private mutating func skipSpace() -> Bool {
        let start = position
        while let byte = peek, Self.isSpace(byte) { _ = advance() }
        return position > start
    }

    private mutating func take(_ text: StaticString) -> Bool {
        guard hasPrefix(text) else { return false }
        position += text.utf8CodeUnitCount
        return true
    }

    private mutating func take(_ mark: [UInt8]) -> Bool {
        guard bytes[position...].starts(with: mark) else { return false }
        position += mark.count
        return true
    }

    private func hasPrefix(_ text: StaticString, at index: Int? = nil) -> Bool {
        let index = index ?? position
        return text.withUTF8Buffer { bytes[index...].starts(with: $0) }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private static func isNameStart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "_"), UInt8(ascii: ":"): true
        default: false
        }
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: isNameStart(byte)
        }
    }
}
