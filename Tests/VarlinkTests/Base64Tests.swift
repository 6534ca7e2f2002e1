import Testing

@testable import Varlink

struct Base64Tests {
    /// The examples of RFC 4648, section 10, and all letters.
    private static let examples: [(bytes: [UInt8], text: String)] = [
        ([], ""), (Array("f".utf8), "Zg=="), (Array("fo".utf8), "Zm8="), (Array("foo".utf8), "Zm9v"),
        (Array("foob".utf8), "Zm9vYg=="), (Array("fooba".utf8), "Zm9vYmE="), (Array("foobar".utf8), "Zm9vYmFy"),
        ([0xFB, 0xFF, 0xBF], "+/+/"),
    ]

    @Test(arguments: examples)
    func `bytes become the text of the standard, and the same bytes again`(bytes: [UInt8], text: String) {
        #expect(Base64.text(bytes) == text)
        #expect(Base64.bytes(text) == bytes)
    }

    @Test func `every byte returns at every place`() {
        for count in 0..<300 {
            let bytes = (0..<count).map { UInt8($0 & 0xFF) }
            #expect(Base64.bytes(Base64.text(bytes)) == bytes)
        }
    }

    @Test(arguments: ["Z", "Zg", "Zg=", "Z===", "====", "Zm9v=", "Z=9v", "Zm9 ", "Zm9\n", "Zm-_", "Zm9\u{FC}"])
    func `another text has no bytes`(text: String) {
        #expect(Base64.bytes(text) == nil)
    }
}
