/// The sentences of `charts` about the marks of states and about unknown charts.
enum ChartSentences {
    static func noChart(_ name: String, charts: [String]) -> String {
        "There is no chart '\(name)'. The charts are \(PlainList.text(charts)). See bracketctl charts."
    }

    static let notRunning = "not running"
    static let oneRunPerAddress = "one run for each address that is probed"

    // MARK: Marks that are missing

    static func unmarked(_ reason: String) -> String { "No state is marked: \(reason)" }

    static func unmarkedWithoutDaemon(_ path: String) -> String {
        "No state is marked: no daemon answers at \(path)."
    }

    static func unmarkedWithRuns(_ runs: String) -> String { "No state is marked: this chart has \(runs)." }

    static func unmarkedWithoutChart(_ name: String) -> String {
        "No state is marked: the daemon runs no chart \(name)."
    }

    // MARK: Another version of a chart

    /// - Parameters:
    ///   - running: The digest of the daemon's chart.
    ///   - own: The digest of bracketctl's chart.
    static func otherVersion(running: String, own: String) -> String {
        "The daemon runs another version of this chart (\(running.prefix(12)); this one is \(own.prefix(12))). "
            + "Use the bracketctl of the same release."
    }

    static func unknownStates(_ states: [String]) -> String {
        "The daemon reports \(PlainList.text(states)), which this chart does not have."
    }
}
