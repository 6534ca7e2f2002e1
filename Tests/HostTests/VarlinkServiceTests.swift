import Foundation
import Testing

@testable import Host

struct VarlinkServiceTests {
    /// The methods of the interface whose comment says that they answer more than once.
    private static func streamingMethods() throws -> Set<String> {
        let sources = URL(filePath: #filePath).appending(path: "../../../Sources").standardizedFileURL
        let text = try String(contentsOf: sources.appending(path: "Interface/io.bracketd.varlink"), encoding: .utf8)
        var (methods, comment): (Set<String>, String) = ([], "")
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("#") {
                comment += line
            } else {
                if line.hasPrefix("method "), comment.contains("`more`"), let end = line.firstIndex(of: "(") {
                    methods.insert(String(line[..<end].dropFirst("method ".count)))
                }
                comment = ""
            }
        }
        return methods
    }

    @Test func `every method that streams counts as watching, but for those that fire`() throws {
        #expect(try Self.streamingMethods() == Set(VarlinkService.watchMethods).union(["Shoot"]))
    }
}

struct DiskRoomTests {
    @Test func `a disk with a little too little room never shows as much as is needed`() {
        #expect(textRoundedDown(127_999_999) == "127.9 MB")
        #expect(textRoundedDown(128_000_000) == "128.0 MB")
        #expect(textRoundedDown(999_999_999) == "999.9 MB")
        #expect(textRoundedDown(1999) == "1.9 kB")
        #expect(textRoundedDown(999) == "999 B")
        #expect(textRoundedDown(.max) == "18.4 EB")
    }
}
