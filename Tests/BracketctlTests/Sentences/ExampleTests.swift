import Foundation
import Testing

/// Compares all texts of `bracketctl` with a stored list. A reviewer reads the list, and sees each change of a text.
@Suite struct ExampleTests {
    @Test func `the list of sentences is up to date`() throws {
        let list = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Golden/sentences.txt")
        let texts = Examples.all.map { subject, texts in
            "# \(subject)\n" + texts.map { "- \($0.replacingOccurrences(of: "\n", with: "\\n"))\n" }.joined()
        }
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try texts.joined(separator: "\n").write(to: list, atomically: true, encoding: .utf8)
        }
        let kept = try String(contentsOf: list, encoding: .utf8)
        #expect(texts.joined(separator: "\n") == kept, "UPDATE_GOLDEN=1 renews the list")
    }
}
