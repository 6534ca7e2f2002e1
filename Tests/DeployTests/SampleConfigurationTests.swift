import Foundation
import Host
import Testing

/// Tests `deploy/bracketd.toml`. The file explains every key, and is also a valid configuration.
@Suite struct SampleConfigurationTests {
    /// Whether a line is `#key = value`, which the user can uncomment. Other comments have a space after the `#`.
    private static func isSetting(_ line: Substring) -> Bool {
        line.firstMatch(of: #/^#?[a-z-]+ =/#) != nil
    }

    private static func sample() throws -> String { try Installation.source("bracketd.toml") }

    /// The file in which every such line is uncommented.
    private static func wholeSample() throws -> String {
        try sample().split(separator: "\n", omittingEmptySubsequences: false)
            .map { isSetting($0) && $0.hasPrefix("#") ? $0.dropFirst() : $0 }.joined(separator: "\n")
    }

    /// The keys that the daemon knows, from its error for an unknown one: `section.key`.
    static func known() throws -> [String] {
        func names(after word: String, in text: String) throws -> [String] {
            let error = try #require(throws: ConfigurationError.self) { try Configuration(text: text, file: "c.toml") }
            let message = try #require(error.faults.first?.message)
            let list = message[try #require(message.firstRange(of: word)).upperBound...]
            return list.split(separator: ", ").map { $0.trimmingCharacters(in: ["[", "]"]) }
        }
        return try names(after: "the sections are ", in: "[no-section]").flatMap { section in
            try names(after: "the keys of [\(section)] are ", in: "[\(section)]\nno-key = 0").map { "\(section).\($0)" }
        }
    }

    @Test func `as installed it gives the defaults`() throws {
        #expect(try Configuration(text: Self.sample(), file: "bracketd.toml") == Configuration())
    }

    @Test func `every commented line can be uncommented`() throws {
        let configuration = try Configuration(text: Self.wholeSample(), file: "bracketd.toml")
        #expect(configuration.cameraAddress != nil)
    }

    @Test func `every line except examples shows the default`() throws {
        let lines = try Self.sample().split(separator: "\n", omittingEmptySubsequences: false)
        let kept = lines.enumerated().map { index, line in
            let isExample = index > 0 && lines[index - 1] == "# An example:"
            return Self.isSetting(line) && line.hasPrefix("#") && !isExample ? line.dropFirst() : line
        }
        #expect(try Configuration(text: kept.joined(separator: "\n"), file: "bracketd.toml") == Configuration())
    }

    @Test func `it has every key of the daemon once, with an explanation above it`() throws {
        var section = ""
        var found: [String] = []
        let lines = try Self.sample().split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if line.hasPrefix("[") { section = line.trimmingCharacters(in: ["[", "]"]) }
            guard Self.isSetting(line) else { continue }
            let key = line.drop { $0 == "#" }.prefix { $0 != " " }
            found.append("\(section).\(key)")
            if !lines[index - 1].hasPrefix("# ") { Issue.record("\(section).\(key) stands without an explanation") }
        }
        #expect(found == (try Self.known()))
    }
}
