@testable import ProgramOutput

extension Examples {
    /// What every program reports.
    static let programOutput: [String] = [
        OutputSentences.tooFewOpenFiles("bracketctl", available: 3, needed: 32),
        OutputSentences.noHelp(for: "shot"),
        // ENOSPC.
        OutputFailure(target: "/home/ansel/plan.txt", code: 28).sentence,
    ]
}
