import Foundation
import Testing

/// Rules that need more context than one line.
@Suite struct CodeTests {
    private static let lineCountMax = 40

    @Test func `no function is longer than 40 lines`() throws {
        var count = 0
        for file in try SourceFile.all(under: ["Sources"]) {
            for function in BareCode(file.lines.joined(separator: "\n")).functions {
                count += 1
                guard function.lineCount > Self.lineCountMax else { continue }
                Issue.record("\(file.path):\(function.line): \(function.lineCount) lines")
            }
        }
        #expect(count > 3000, "few functions were found: this test tests little")
    }

    @Test func `comments, string literals and protocols are not counted as functions`() {
        let code = BareCode(
            ##"""
            protocol P {
                func required(_ a: Int)
                init()
            }
            /* func { /* { */ */
            struct S: P { // {
                let text = "func a() { \(map { "}" }) {"
                let raw = #"" { \"#
                func required(
                    _ a: Int
                )
                where Int: P
                {
                    let text = """
                        } \(")")
                        """
                    self.init()
                }
                init() {}
            }
            """##
        )
        #expect(code.functions == [.init(line: 13, lineCount: 4), .init(line: 19, lineCount: 0)])
    }

    /// The order of a dictionary differs in each process. Results that depend on it would differ from run to run.
    @Test(arguments: TidyTests.pure)
    func `no pure target iterates over a dictionary without a reason`(target: String) throws {
        let files = try SourceFile.all(under: ["Sources/\(target)"])
        let code = files.map { BareCode($0.lines.joined(separator: "\n")).lines }
        let lists = Self.names(in: code, "[(", /(\w+):\s*\[\(/)
        for (file, lines) in zip(files, code) {
            let sets = Self.names(in: [lines], "Set", /(?:let|var)\s+(\w+)\s*(?::\s*Set<|=\s*Set[<(])/)
            for (index, line) in lines.enumerated() where Self.isUnordered(line, lists: lists, sets: sets) {
                let above = index > 0 ? file.lines[index - 1].trimmingCharacters(in: .whitespaces) : ""
                if !above.hasPrefix("//") {
                    Issue.record("\(file.path):\(index + 1): sort it, or say in a comment above why any order is right")
                }
            }
        }
    }

    /// - Parameter part: a text that each such line contains, for a fast search.
    private static func names(
        in code: [[String]],
        _ part: String,
        _ declaration: Regex<(Substring, Substring)>
    ) -> Set<String> {
        let lines = code.joined().filter { $0.contains(part) }
        return Set(lines.flatMap { $0.matches(of: declaration).map { String($0.output.1) } })
    }

    /// Whether a loop iterates over a dictionary or a set. The iterated value is a pair (and no list or call provides
    /// it), `keys`, `values`, or a set.
    private static func isUnordered(_ line: String, lists: Set<String>, sets: Set<String>) -> Bool {
        guard line.contains("for ") else { return false }
        let pairs = /\bfor\s+\(.*\)\s+in\s+[\w.]*?(\w+)\s*(?:where\s.*)?\{/
        let single = /\bfor\s+\w+\s+in\s+(?:self\.)?(\w+)\s*(?:where\s.*)?\{/
        if let match = line.firstMatch(of: pairs) { return !lists.contains(String(match.output.1)) }
        if line.contains(/\bfor\s.*\sin\s+[\w.]+\.(?:keys|values)\s*(?:where\s.*)?\{/) { return true }
        return line.firstMatch(of: single).map { sets.contains(String($0.output.1)) } ?? false
    }
}
