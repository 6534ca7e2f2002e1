// For tests: the driver's lists.

extension SonyPTPIP {
    /// A list of the driver that exceeds its limit; nil: none.
    package var overflow: (list: String, count: Int, limit: Int)? {
        if statusQuestions.count > SonyLimits.statusTicketsMax {
            return ("questions for a status", statusQuestions.count, SonyLimits.statusTicketsMax)
        }
        if drain.knownCount > SonyLimits.knownFilesMax {
            return ("files that are recognised", drain.knownCount, SonyLimits.knownFilesMax)
        }
        if body.remarksTold.count > SonyLimits.remarksMax {
            return ("remarks", body.remarksTold.count, SonyLimits.remarksMax)
        }
        return nil
    }
}
