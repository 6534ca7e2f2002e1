@testable import bracketctl

extension Examples {
    static let charts: [String] = [
        ChartSentences.noChart("shot", charts: ["button", "search", "shooting"]),
        ChartSentences.notRunning,
        ChartSentences.oneRunPerAddress,
        ChartSentences.unmarked("The daemon at \(socket) is stopping. Try again when it is running again."),
        ChartSentences.unmarkedWithoutDaemon(socket),
        ChartSentences.unmarkedWithRuns(ChartSentences.oneRunPerAddress),
        ChartSentences.unmarkedWithoutChart("candidate"),
        ChartSentences.otherVersion(running: "9f86d081884c7d659a2f", own: "60303ae22b998861bce3"),
        ChartSentences.unknownStates(["capturing", "storing"]),
    ]
}
