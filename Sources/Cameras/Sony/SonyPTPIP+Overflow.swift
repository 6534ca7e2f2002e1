// For tests: the driver's lists.

extension SonyPTPIP {
    /// A list of the driver that exceeds its limit; nil: no list exceeds its limit.
    package var overflow: (list: String, count: Int, limit: Int)? {
        let lists: [(list: String, count: Int, limit: Int)] = [
            ("questions for a status", statusQuestions.count, StatusQuestions.countMax),
            ("files that are recognised", drain.knownCount, SonyLimits.knownFilesMax),
            ("remarks", body.reportedRemarks.count, SonyLimits.remarksMax),
        ]
        return lists.first { $0.count > $0.limit }
    }
}
