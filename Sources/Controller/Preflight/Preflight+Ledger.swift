// The checks of the last shoot and of the ledger.

extension Preflight {
    /// The command of bracketctl that starts a shoot and drops the missing frames of the last one.
    package static let shootConsent = "shoot --drop"

    /// This check only warns about missing frames, because the user may want to drop them.
    static func lastShoot(_ firing: Firing) -> Finding {
        firing.drops.map(CheckSentences.framesDropped) ?? CheckSentences.nothingDropped
    }

    /// The free space below which the check warns. It is enough for about two thousand shoots.
    package static let freeBytesLow: Int64 = 16_000_000
    /// The free space below which a commit may fail.
    package static let freeBytesEmpty: Int64 = 1_000_000

    static func space(_ ledger: Ledger) -> Finding {
        if ledger.mode == .off { return CheckSentences.spaceWithoutLedger }
        guard let free = ledger.freeBytes else { return CheckSentences.unknownSpace }
        return free < freeBytesLow ? CheckSentences.spaceLow(free) : CheckSentences.space(free)
    }

    static func ledger(_ ledger: Ledger) -> Finding {
        if ledger.mode == .off { return CheckSentences.ledgerOff }
        guard let reason = ledger.failureSentence else { return CheckSentences.ledgerOpen }
        return ledger.mode == .required
            ? CheckSentences.ledgerPreventsShoot(reason) : CheckSentences.shootNotRecorded(reason)
    }
}
