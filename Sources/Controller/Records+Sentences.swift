import Statecharts

// The state of the ledger, for checks and for users.

extension Records {
    var view: Preflight.Ledger { Preflight.Ledger(mode: mode, failureSentence: sentence, freeBytes: freeBytes) }

    /// The state of the chart; nil: the chart has not started, or has ended.
    private var state: Recording.State? { chart.machine.isRunning ? chart.machine.mainState : nil }

    /// The reason why shoots are not recorded; nil: shoots are recorded.
    var sentence: String? {
        switch state {
        case .unavailable, .failing, .silent, .retrying, .checking: chart.machine.behavior.failureSentence
        case .opening: LedgerSentences.opening
        default: nil
        }
    }

    /// The reason why the ledger allows no new shoot; nil: it allows one. Only an open ledger can number a shoot.
    var reasonAgainst: String? {
        switch state {
        case .opening: LedgerSentences.notYetOpen
        case .checking where mode == .required: chart.machine.behavior.failureSentence
        case .unavailable where mode == .required: chart.machine.behavior.failureSentence
        default: nil
        }
    }

    /// The reason why the ledger cannot be read; nil: it can be read.
    ///
    /// - Parameter isRecent: whether the answer must include the newest changes. Otherwise the answer can lack changes
    ///   that the ledger cannot write yet.
    func readingFailure(isRecent: Bool) -> String? {
        let isUpToDate = chart.isActive(.ready) || chart.isActive(.writing)
        if chart.isActive(.kept), isUpToDate || !isRecent { return nil }
        return mode == .off ? LedgerSentences.historyOff : sentence ?? ""
    }

    /// The check of the ledger, for `bracketctl doctor`.
    var check: Check { Check("ledger", finding) }

    private var finding: Preflight.Finding {
        if chart.isActive(.off) { return CheckSentences.ledgerOff }
        if chart.isActive(.opening) { return CheckSentences.ledgerOpening }
        guard let sentence else { return CheckSentences.ledgerWritable }
        return mode == .required
            ? CheckSentences.ledgerPreventsShoots(sentence) : CheckSentences.shootsNotRecorded(sentence)
    }
}
