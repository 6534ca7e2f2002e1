/// The commits that were lost with a damaged log.
struct LedgerLoss {
    var commits: Int
    /// The last recorded shoot; 0: none.
    var kept: Int
    /// The last shoot that was begun.
    var begun: Int
    /// The name of the log's copy; nil: none.
    var log: String?

    /// - Parameter isInterrupted: whether a shoot can be resumed or dismissed.
    func sentence(path: String, isInterrupted: Bool) -> String {
        let lost = commits == 1 ? "its last change" : "its last \(commits) changes"
        let copy = log.map { "; a copy of the log is kept as \($0)" } ?? ""
        return """
            The ledger \(path) lost \(lost): the log of its changes is damaged\(copy). Missing in the history: \
            \(gone). So the history may lack frames that were captured. \(advice(isInterrupted))
            """
    }

    private var gone: String {
        if begun > kept { return "shoot \(begun) and everything before it since shoot \(kept)" }
        return kept > 0 ? "the last part of shoot \(kept)" : "the last part"
    }

    private func advice(_ isInterrupted: Bool) -> String {
        let nothing = "No shoot continues automatically: check the camera's card"
        return isInterrupted ? "\(nothing), then bracketctl resume or bracketctl dismiss." : "\(nothing)."
    }
}
