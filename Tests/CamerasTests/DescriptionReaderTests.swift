import NIOCore
import Testing

@testable import Cameras

/// Tests the small XML reader with well-formed documents and with others.
struct DescriptionReaderTests {
    private func read(_ text: String) throws -> DescriptionElement {
        try DescriptionReader.read(ByteBuffer(string: text))
    }

    private func fault(_ text: String) -> String { fault(Array(text.utf8)) }

    private func fault(_ bytes: [UInt8]) -> String {
        do {
            return "no error: \(try DescriptionReader.read(ByteBuffer(bytes: bytes)).name)"
        } catch {
            return "\(error)"
        }
    }

    @Test func `elements have their local names, their text and their order`() throws {
        let root = try read(
            """
            \u{FEFF}<?xml version="1.0" encoding='UTF-8' standalone = "yes" ?>
            <!-- a camera -->
            <root xmlns="urn:schemas-upnp-org:device-1-0" xmlns:av="urn:schemas-sony-com:av">
              <av:a  x='1 > 0'>  one <!-- and --><b/>two<![CDATA[ <&> ]]>&lt;&#65;&#x42;&amp;&quot;&apos;&gt;\t</av:a>
              <c></c ><c>\u{E9}</c>
            </root>
            <!-- the end -->

            """
        )
        #expect(root.name == "root" && root.text == "")
        #expect(root.elements.map(\.name) == ["a", "c", "c"])
        #expect(root["a"]?.text == "one two <&> <AB&\"'>")
        #expect(root["a"]?["b"]?.text == "")
        #expect(root.descendants(named: "c").map(\.text) == ["", "\u{E9}"])
    }

    @Test(
        arguments: [
            ("", "line 1: the description has no element"),
            ("\n\n", "line 3: the description has no element"),
            ("<a>\n<b>", "line 2: the description ends within <b>"),
            ("<a></b>", "line 1: </b> closes <a>"),
            ("<x:a></y:a>", "line 1: </y:a> closes <x:a>"),
            ("<a/><b/>", "line 1: <b> follows the outermost element"),
            ("<a/></a>", "line 1: </a> has no start tag"),
            ("<a/>x", "line 1: there is text outside the outermost element"),
            ("x<a/>", "line 1: there is text outside the outermost element"),
            ("&#32;<a/>", "line 1: there is text outside the outermost element"),
            ("<a/><![CDATA[]]>", "line 1: there is text outside the outermost element"),
            ("<a", "line 1: the tag <a> is not closed"),
            ("<a/", "line 1: the tag <a> is not closed"),
            ("<a></a b>", "line 1: the tag </a> is not closed"),
            ("<>", "line 1: a name must follow '<' or '</'"),
            ("< a/>", "line 1: a name must follow '<' or '</'"),
            ("<1/>", "line 1: a name must follow '<' or '</'"),
            ("<a:b:c/>", "line 1: 'a:b:c' is not a valid name with a prefix"),
            ("<:a/>", "line 1: ':a' is not a valid name with a prefix"),
            ("<a b='1' b='2'/>", "line 1: an element has the attribute 'b' twice"),
            ("<a b/>", "line 1: the attribute 'b' has no value"),
            ("<a b=1/>", "line 1: the value of the attribute 'b' has no quotes"),
            ("<a b='1\"/>", "line 1: the value of the attribute 'b' has no end quote"),
            ("<a b='<'/>", "line 1: the value of the attribute 'b' contains '<'"),
            ("<a b='1'c='2'/>", "line 1: the tag <a> is not closed"),
            ("<a>]]></a>", "line 1: ']]>' is outside a CDATA section"),
            ("<a><![CDATA[</a>", "line 1: a CDATA section has no end"),
            ("<a><!-- </a>", "line 1: a comment has no end"),
            ("<a><!-- -- --></a>", "line 1: a comment contains two dashes"),
            ("<a><!-- ---></a>", "line 1: a comment contains two dashes"),
            (
                "<a><!DOCTYPE a></a>",
                "line 1: a document type or another '<!' declaration is not allowed"
            ),
            ("<a><?php echo 1 ?></a>", "line 1: a processing instruction is not allowed"),
            ("<?xml-stylesheet href='x'?><a/>", "line 1: the XML declaration does not end in '?>'"),
            (" <?xml version='1.0'?><a/>", "line 1: a processing instruction is not allowed"),
            ("<?xml version='1.1'?><a/>", "line 1: the XML version is not 1.0"),
            ("<?xml encoding='utf-8'?><a/>", "line 1: the XML version is not 1.0"),
            ("<?xml version='1.0' standalone='x'?><a/>", "line 1: standalone must be yes or no"),
            ("<?xml version='1.0' x='y'?><a/>", "line 1: the XML declaration has the unknown attribute 'x'"),
            (
                "<?xml version='1.0' encoding='ISO-8859-1'?><a/>",
                "line 1: the encoding is 'ISO-8859-1'; only UTF-8 is supported"
            ),
            ("<a>&lol;</a>", "line 1: the entity 'lol' is not allowed"),
            ("<a>&;</a>", "line 1: the entity '' is not allowed"),
            ("<a>& b</a>", "line 1: '&' does not begin a character reference"),
            ("<a>&#0;</a>", "line 1: '&#0;' is not a valid character"),
            ("<a>&#xD800;</a>", "line 1: '&#xD800;' is not a valid character"),
            ("<a>&#x110000;</a>", "line 1: '&#x110000;' is not a valid character"),
            ("<a>&#+5;</a>", "line 1: '&#+5;' is not a valid character"),
            ("<a>&#;</a>", "line 1: '&#;' is not a valid character"),
            ("<a>\n\u{1}</a>", "line 2: the description contains a character that XML forbids, U+1"),
            ("<a>\u{0}</a>", "line 1: the description contains a character that XML forbids, U+0"),
            ("<a>\u{FFFE}</a>", "line 1: the description contains a character that XML forbids, U+fffe"),
        ]
    )
    func `a document that is not well-formed is refused with the place`(text: String, expected: String) {
        #expect(fault(text) == expected)
    }

    @Test func `other encodings are refused`() {
        let utf16 = Array("<a/>".utf16)
        let big: [UInt8] = [0xFE, 0xFF] + utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let little: [UInt8] = [0xFF, 0xFE] + utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(fault(big) == "line 1: the description is in UTF-16; only UTF-8 is supported")
        #expect(fault(little) == "line 1: the description is in UTF-16; only UTF-8 is supported")
        #expect(fault(Array(big.dropFirst(2))).contains("U+0"))
        #expect(fault(Array("<a>".utf8) + [0xE9] + Array("</a>".utf8)) == "line 1: the description is not in UTF-8")
        // These bytes are the overlong form of '<', which a careless reader would accept as '<'.
        #expect(
            fault(Array("<a>".utf8) + [0xC0, 0xBC] + Array("/a>".utf8)) == "line 1: the description is not in UTF-8"
        )
    }

    @Test func `entities that would grow without limit are refused before they are read`() {
        let laughs = (1..<10).map { "<!ENTITY l\($0) \"\(String(repeating: "&l\($0 - 1);", count: 10))\">" }
        let text = "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY l0 \"ha\">\(laughs.joined())]><a>&l9;</a>"
        #expect(fault(text).contains("a document type or another"))
        #expect(fault("<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>").contains("a document type or another"))
    }

    @Test func `every length is bounded, and a document within the bounds is read`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        }
        let long = { String(repeating: "x", count: $0) }
        func many(_ count: Int) -> String { "<a>" + String(repeating: "<b/>", count: count - 1) + "</a>" }
        func attributes(_ count: Int) -> String {
            "<a " + (0..<count).map { "b\($0)=''" }.joined(separator: " ") + "/>"
        }
        func padded(_ bytes: Int) -> String { "<a/>" + String(repeating: "\n", count: bytes - 4) }
        #expect(fault(nested(DescriptionReader.depthMax)) == "no error: a")
        #expect(fault(nested(DescriptionReader.depthMax + 1)) == "line 1: <a> is nested deeper than 32 elements")
        #expect(fault(nested(8_000)) == "line 1: <a> is nested deeper than 32 elements")
        #expect(fault(many(DescriptionReader.elementCountMax)) == "no error: a")
        #expect(fault(many(DescriptionReader.elementCountMax + 1)).hasSuffix("more than 1024 elements"))
        #expect(fault(attributes(DescriptionReader.attributeCountMax)) == "no error: a")
        #expect(fault(attributes(DescriptionReader.attributeCountMax + 1)).hasSuffix("more than 32 attributes"))
        #expect(fault("<\(long(DescriptionReader.nameLengthMax))/>").hasPrefix("no error"))
        #expect(fault("<\(long(DescriptionReader.nameLengthMax + 1))/>") == "line 1: a name is longer than 128 bytes")
        #expect(fault("<a>\(long(DescriptionReader.textLengthMax))</a>") == "no error: a")
        #expect(fault("<a>\(long(DescriptionReader.textLengthMax))<b/>x</a>").hasSuffix("is longer than 4096 bytes"))
        #expect(fault("<a b='\(long(DescriptionReader.textLengthMax))'/>") == "no error: a")
        #expect(fault("<a b='\(long(DescriptionReader.textLengthMax + 1))'/>").hasSuffix("is longer than 4096 bytes"))
        #expect(fault("<a b='\(long(60_000))'/>").hasSuffix("is longer than 4096 bytes"))
        #expect(fault(padded(DescriptionReader.byteCountMax)) == "no error: a")
        #expect(fault(padded(DescriptionReader.byteCountMax + 1)).hasSuffix("is longer than 65536 bytes"))
    }

    @Test func `a document cut anywhere is refused`() {
        let whole = Array(DescriptionSamples.scalar.utf8)
        for count in 0..<whole.count - 1 {
            #expect(fault(Array(whole.prefix(count))).hasPrefix("line "), "cut after \(count) bytes")
        }
        #expect(fault(whole) == "no error: root")
    }

    @Test func `damaged documents are read or refused`() {
        var random = SeededGenerator(seed: 66)
        let samples = [DescriptionSamples.scalar, DescriptionSamples.ptp, DescriptionSamples.imaging].map {
            Array($0.utf8)
        }
        let marks = [
            "<", ">", "&", "<!--", "-->", "<![CDATA[", "]]>", "<?xml", "/>", "</a>", "\"", "&#x41;", "\u{FEFF}",
        ]
        var readCount = 0
        for round in 0..<3000 {
            var bytes = samples[round % samples.count]
            for _ in 0...random.next() % 3 {
                let index = Int(random.next() % UInt64(bytes.count))
                switch random.next() % 4 {
                case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes.insert(contentsOf: marks[Int(random.next() % UInt64(marks.count))].utf8, at: index)
                case 2: bytes.removeSubrange(index..<min(bytes.count - 1, index + Int(random.next() % 16)))
                default: bytes.append(contentsOf: bytes[index...].prefix(64))
                }
            }
            let document = ByteBuffer(bytes: bytes)
            if let root = try? DescriptionReader.read(document) {
                readCount += 1
                _ = root.descendants(named: "service")
            }
            _ = try? DeviceDescription.read(document)
        }
        #expect((100..<2900).contains(readCount))
    }
}
