import Foundation
import FoundationXML

/// An element of a document. The namespaces of its name and of its attributes are resolved.
struct ChartElement: Positioned {
    struct Attribute {
        /// Nil for an attribute without a prefix, which has no namespace in XML.
        var namespace: String?
        var name: String
        var value: String
    }

    var namespace: String
    var name: String
    /// The name as written in the file. Messages use this name.
    var writtenName: String
    var attributes: [Attribute]
    var position: SourcePosition
    /// The comments before the element, and the comments after it on the same line.
    var comment = ""
    var children: [ChartElement] = []
    /// Whether the element directly contains text other than white space, or a CDATA section.
    var hasText = false
    /// The text directly in the element as written, with the text of CDATA sections.
    var text = ""
}

/// Reads well-formed XML into a tree.
enum XMLTree {
    /// The maximum size of a file in bytes. It is ten times the size of the longest charts in practice.
    static let bytesMax = 4 << 20

    /// Reads the root element. After an error, adds a diagnostic and returns nil.
    static func read(_ data: Data, into bag: inout DiagnosticBag) -> ChartElement? {
        if data.count > bytesMax {
            let problem = "\(data.count) bytes are too many for a chart: the limit is \(bytesMax)"
            bag.error("E001", SourcePosition(line: 1, column: 1), problem)
            return nil
        }
        let bytes = Array(data)
        if let problem = XMLEncoding.problem(bytes) {
            bag.error("E001", SourcePosition(line: 1, column: 1), problem)
            return nil
        }
        let scanner = XMLScanner(bytes)
        if let position = scanner.documentType {
            bag.error("E001", position, "a document type declaration is not supported: remove it")
            return nil
        }
        let builder = XMLTreeBuilder(scanner)
        let parser = XMLParser(data: data)
        parser.shouldProcessNamespaces = true
        parser.shouldReportNamespacePrefixes = true
        parser.shouldResolveExternalEntities = false
        parser.delegate = builder
        let succeeded = parser.parse()
        if let failure = builder.failure {
            bag.error(failure.code, failure.position, failure.message)
            return nil
        }
        guard succeeded, let root = builder.root else {
            bag.error("E001", SourcePosition(line: 1, column: 1), "not an XML document: it has no element")
            return nil
        }
        return root
    }
}

private final class XMLTreeBuilder: NSObject, XMLParserDelegate {
    private(set) var root: ChartElement?
    private(set) var failure: (code: String, position: SourcePosition, message: String)?

    /// The maximum depth of the tree. It is limited because later code walks the tree by recursion.
    private static let depthMax = 256

    private let scanner: XMLScanner
    private var open: [ChartElement] = []
    private var scopes: NameTable<[String]> = ["xml": ["http://www.w3.org/XML/1998/namespace"]]
    private var startTagCount = 0
    private var commentCount = 0
    private var pendingComment = ""

    init(_ scanner: XMLScanner) {
        self.scanner = scanner
    }

    func parser(_ parser: XMLParser, didStartMappingPrefix prefix: String, toURI namespaceURI: String) {
        scopes[prefix] = (scopes[prefix] ?? []) + [namespaceURI]
    }

    func parser(_ parser: XMLParser, didEndMappingPrefix prefix: String) {
        scopes[prefix] = scopes[prefix]?.dropLast()
    }

    func parser(
        _ parser: XMLParser,
        didStartElement elementName: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        guard failure == nil else { return }
        let position =
            startTagCount < scanner.startTags.count
            ? scanner.startTags[startTagCount]
            : SourcePosition(line: parser.lineNumber, column: parser.columnNumber)
        startTagCount += 1
        if open.count >= Self.depthMax {
            failure = ("E016", position, "elements nested deeper than \(Self.depthMax)")
            parser.abortParsing()
            return
        }
        let name = elementName.split(separator: ":").last.map(String.init) ?? elementName
        open.append(
            ChartElement(
                namespace: namespaceURI ?? "",
                name: name,
                writtenName: qualifiedName ?? elementName,
                attributes: attributes.sorted { $0.key < $1.key }.compactMap { attribute($0.key, $0.value) },
                position: position,
                comment: pendingComment
            )
        )
        pendingComment = ""
    }

    func parser(
        _ parser: XMLParser,
        didEndElement elementName: String,
        namespaceURI: String?,
        qualifiedName: String?
    ) {
        guard failure == nil, let element = open.popLast() else { return }
        pendingComment = ""
        if open.isEmpty {
            root = root ?? element
        } else {
            open[open.count - 1].children.append(element)
        }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        guard !open.isEmpty else { return }
        open[open.count - 1].text += string
        if !string.allSatisfy(\.isWhitespace) { open[open.count - 1].hasText = true }
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
        guard !open.isEmpty else { return }
        open[open.count - 1].text += String(decoding: block, as: UTF8.self)
        open[open.count - 1].hasText = true
    }

    func parser(_ parser: XMLParser, foundComment comment: String) {
        let text = comment.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let isTrailing = commentCount < scanner.comments.count && scanner.comments[commentCount].isTrailing
        commentCount += 1
        if isTrailing, !open.isEmpty {
            // A comment on the same line after an element belongs to that element, not to the next one.
            let parent = open.count - 1
            if let last = open[parent].children.indices.last {
                open[parent].children[last].comment.appendSentence(text)
            } else {
                open[parent].comment.appendSentence(text)
            }
        } else {
            pendingComment.appendSentence(text)
        }
    }

    func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
        guard failure == nil else { return }
        let position = SourcePosition(line: max(parser.lineNumber, 1), column: max(parser.columnNumber, 1))
        failure = ("E001", position, Self.sentence((parseError as NSError).code))
        parser.abortParsing()
    }

    private func attribute(_ written: String, _ value: String) -> ChartElement.Attribute? {
        let parts = written.split(separator: ":", maxSplits: 1).map(String.init)
        if parts.first == "xmlns" { return nil }
        guard parts.count == 2 else { return ChartElement.Attribute(namespace: nil, name: written, value: value) }
        return ChartElement.Attribute(namespace: scopes[parts[0]]?.last ?? parts[0], name: parts[1], value: value)
    }

    /// A sentence for a libxml2 code (`xmlParserErrors`). The parser's own messages are useless ("Code=76 (null)").
    private static func sentence(_ code: Int) -> String {
        switch code {
        case 4: "not an XML document: it is empty or does not begin with an element"
        case 5: "the document has more than one root element, or text after it"
        case 9: "a character that XML forbids"
        case 22, 23, 26: "an undeclared or incomplete entity: write '&amp;' for '&'"
        case 38: "'<' in an attribute's value: write '&lt;'"
        case 39, 40: "an attribute's value is not in quotes"
        case 41: "an attribute without a value"
        case 42: "the same attribute twice in one element"
        case 45: "a comment is not closed"
        case 65: "attributes are not separated by a space"
        case 68: "expected a name"
        case 73: "a tag is not closed: '>' is missing"
        case 76: "the end tag does not match the start tag"
        case 77: "an element is not closed when the document ends"
        case 80: "'--' inside a comment"
        case 201: "a prefix without an xmlns declaration"
        default: "not well-formed XML (libxml2 error \(code))"
        }
    }
}

extension String {
    fileprivate mutating func appendSentence(_ text: String) {
        if text.isEmpty { return }
        self = isEmpty ? text : self + " " + text
    }
}
