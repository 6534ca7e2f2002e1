import Foundation
import Testing

/// The project's rules that a test can check.
@Suite struct TidyTests {
    static let pure = [
        "PrintableText", "JSON", "Statecharts", "Exposure", "PTP", "Cameras", "Controller", "Flight", "Bodies",
        "Worlds",
    ]

    /// The targets that each target may import.
    private static let imports: [String: Set<String>] = [
        "Statecharts": [],
        "PrintableText": [],
        "JSON": ["PrintableText"],
        "Exposure": ["PrintableText"],
        "PTP": ["PrintableText", "NIOCore"],
        "Cameras": ["PTP", "Exposure", "JSON", "PrintableText", "NIOCore"],
        "Controller": ["Cameras", "Exposure", "Statecharts", "NIOCore"],
        "Flight": ["Cameras", "Controller", "Exposure", "PTP", "NIOCore"],
        "Bodies": ["Cameras", "Exposure", "JSON", "PTP", "NIOCore"],
        "Worlds": ["Bodies", "Cameras", "Controller", "Exposure", "PTP", "NIOCore"],
    ]

    @Test func `no source line is longer than 120 columns`() throws {
        let example = ["Sources", "Tests"].map { "Examples/TrafficLight/\($0)" }
        for file in try SourceFile.all(under: ["Sources", "Tests", "Fuzz", "Plugins"] + example) {
            for (index, line) in file.lines.enumerated() where line.count > 120 {
                Issue.record("\(file.path):\(index + 1): \(line.count) columns")
            }
        }
    }

    @Test(arguments: pure) func `a pure target imports only allowed targets`(target: String) throws {
        let allowed = try #require(Self.imports[target])
        for file in try SourceFile.all(under: ["Sources/\(target)"]) {
            for (number, line) in file.code where line.hasPrefix("import ") || line.contains(" import ") {
                let module = line.split(separator: " ").last.map(String.init) ?? ""
                if !allowed.contains(module) {
                    Issue.record("\(file.path):\(number): \(target) may not import \(module)")
                }
            }
        }
    }

    @Test(arguments: [
        "Date(", "ContinuousClock", "SuspendingClock", "Task {", "Task.detached", " async ", "DispatchQueue",
        "Thread(", ".random(", ".shuffled(", "print(", "SystemRandomNumberGenerator", "getenv(",
    ])
    func `a pure target has no clock, randomness, threads or output`(word: String) throws {
        for file in try SourceFile.all(under: Self.pure.map { "Sources/\($0)" }) {
            for (number, line) in file.code where line.contains(word) {
                Issue.record("\(file.path):\(number): '\(word)' in the pure core")
            }
        }
    }

    /// These functions trap, or hide errors in a buffer.
    @Test(arguments: [
        " print(", "debugPrint(", "standardOutput.write(", "standardError.write(Data", "fputs(", " puts(",
    ])
    func `programs write only through functions that report errors`(word: String) throws {
        for file in try SourceFile.all(under: ["Sources"]) {
            for (number, line) in file.code where line.contains(word) {
                Issue.record("\(file.path):\(number): '\(word)': write to StandardStream")
            }
        }
    }

    /// Swift compares and hashes strings by canonical equivalence. Charts and their data are compared by code units.
    @Test(arguments: ["[String:", "Set<String>"])
    func `names in a chart that is run are keys of a NameTable or NameSet`(word: String) throws {
        for file in try SourceFile.all(under: ["Sources/SCXML/Running", "Sources/SCXML/Expressions"]) {
            for (number, line) in file.code where line.contains(word) {
                Issue.record("\(file.path):\(number): '\(word)': use NameTable or NameSet")
            }
        }
    }

    @Test(arguments: ["try!", " as! ", "fatalError(", "@unchecked Sendable", "nonisolated(unsafe)"])
    func `code that can stop the daemon has a reason beside it`(word: String) throws {
        for file in try SourceFile.all(under: ["Sources"]) {
            for (number, line) in file.code where line.contains(word) {
                let above = number >= 2 ? file.lines[number - 2].trimmingCharacters(in: .whitespaces) : ""
                if !above.hasPrefix("//") {
                    Issue.record("\(file.path):\(number): '\(word)' without a reason above it")
                }
            }
        }
    }

    /// The programs that a board installs, and all targets that they use, from `Package.swift`.
    private static func onBoards() throws -> Set<String> {
        let text = try String(contentsOf: SourceFile.root.appending(path: "Package.swift"), encoding: .utf8)
        let declaration = /arget\(\s*name: "([^"]+)",\s*dependencies: \[([^\]]*)\]/
        var uses: [String: [String]] = [:]
        for match in text.matches(of: declaration) {
            uses[String(match.output.1)] = match.output.2.matches(of: /"([^"]+)"/).map { String($0.output.1) }
        }
        var found: Set<String> = []
        var rest = ["bracketd", "bracketd-exif", "bracketctl", "camerasim"]
        while let target = rest.popLast() {
            if found.insert(target).inserted { rest += uses[target] ?? [] }
        }
        // The names of products of other packages are in the same lists.
        return found.filter { FileManager.default.fileExists(atPath: SourceFile.root.path + "/Sources/\($0)") }
    }

    /// Foundation has tables of all languages. Even a method such as `contains` can come from it.
    @Test(arguments: ["SCXML", "Foundation"])
    func `programs for a board import no build library and no language tables`(module: String) throws {
        let targets = try Self.onBoards()
        let some = Set(["Host", "Ledger", "Processes", "PrintableText", "VarlinkIDL", "bracketd-exif"])
        #expect(targets.isSuperset(of: some), "a target was not found: this test does not test everything")
        let pattern = try Regex("\\bimport\\b.*\\b\(module)")
        for file in try SourceFile.all(under: targets.sorted().map { "Sources/\($0)" }) {
            for (number, line) in file.code where line.contains(pattern) {
                Issue.record("\(file.path):\(number): \(module) makes a static program larger by tens of megabytes")
            }
        }
    }

    @Test(arguments: ["TO" + "DO", "FIX" + "ME", "X" + "XX"])
    func `shipped files contain no open tasks`(word: String) throws {
        for file in try SourceFile.all(under: ["Sources", "Plugins"]) {
            for (index, line) in file.lines.enumerated() where line.contains(word) {
                Issue.record("\(file.path):\(index + 1): '\(word)'")
            }
        }
    }
}
