import Foundation
import Testing
import Worlds

/// A seed of `Tests/Seeds/found.tsv`: a world in which a rule was broken once.
struct FoundSeed: Sendable, CustomTestStringConvertible {
    let seed: UInt64
    let level: Scenario.Level

    var testDescription: String { "\(seed) \(level.rawValue)" }

    /// The seeds that a test of `ScenarioTests` runs: "settings", "picture" or "rule".
    static func all(of group: String) -> [FoundSeed] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Seeds/found.tsv")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard columns.count == 5, columns[2] == group, let seed = UInt64(columns[0]),
                let level = Scenario.Level(rawValue: columns[1])
            else { return nil }
            return FoundSeed(seed: seed, level: level)
        }
    }
}
