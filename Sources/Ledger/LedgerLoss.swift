/// The commits that were lost with a damaged log.
struct LedgerLoss {
    var commits: Int
    /// The number of the last shoot that is still recorded; 0: none.
    var kept: Int
    /// The number of the last shoot that had begun before the loss.
    var begun: Int
    /// The name of the log's copy; nil: none.
    var log: String?
}
