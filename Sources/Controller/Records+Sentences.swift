import Statecharts

// The state of the ledger, for checks and for users.

extension Records {
    var view: Preflight.Ledger { Preflight.Ledger(mode: mode, failureSentence: sentence, freeBytes: freeBytes) }

    /// Nil: the chart has not started, or has ended.
    private var state: Recording.State? { chart.machine.isRunning ? chart.machine.mainState : nil }

    /// The reason why shoots are not recorded; nil: they are.
    var sentence: String? {
        switch state {
        case .unavailable, .failing, .silent, .retrying, .checking: chart.machine.behavior.failureSentence
        case .opening: "The ledger is being opened."
        default: nil
        }
    }

    /// The reason why the ledger allows no new shoot; nil: it allows one. The number of a new shoot is known once it is
    /// open.
    var reasonAgainst: String? {
        switch state {
        case .opening: "The ledger is being opened. Try again in a moment."
        case .checking where mode == .required: chart.machine.behavior.failureSentence
        case .unavailable where mode == .required: chart.machine.behavior.failureSentence
        default: nil
        }
    }

    /// The reason why the ledger cannot be read; nil: it can.
    ///
    /// - Parameter isRecent: whether the answer must be complete. The history may be old while the ledger cannot be
    ///   written.
    func readingFailure(isRecent: Bool) -> String? {
        let isUpToDate = chart.isActive(.ready) || chart.isActive(.writing)
        if chart.isActive(.kept), isUpToDate || !isRecent { return nil }
        return mode == .off
            ? "The ledger is off. For a history, set mode = \"required\" or \"best-effort\" under [ledger]."
            : sentence ?? ""
    }

    /// The check of the ledger, for `bracketctl doctor`.
    var check: Check {
        if chart.isActive(.off) {
            let advice = "Set mode = \"required\" or \"best-effort\" under [ledger]."
            return Check("ledger", .warn("The ledger is off: a shoot cannot be resumed after bracketd stops.", advice))
        }
        if chart.isActive(.opening) {
            return Check("ledger", .warn("The ledger is being opened.", "Try again in a moment."))
        }
        guard let sentence else { return Check("ledger", .pass("The ledger can be written.")) }
        let advice = "Check the disk that holds the [storage] directory."
        guard mode == .required else {
            let consequence = "Shoots continue without the ledger: mode = \"best-effort\" under [ledger]."
            return Check("ledger", .warn("\(sentence) \(consequence)", advice))
        }
        let consequence = "No frame is fired without the ledger: mode = \"required\" under [ledger]."
        return Check("ledger", .fail("\(sentence) \(consequence)", advice))
    }
}
