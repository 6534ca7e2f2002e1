@testable import Ledger

extension Examples {
    /// The ledger: why it cannot be used, and what was damaged or lost.
    static var ledgerFile: [String] { ledgerUnusable + ledgerDamage + ledgerMoves + ledgerLosses }

    private static let ledgerPath = "/var/lib/bracketd/ledger.sqlite"
    private static let ledgerAside = "ledger-damaged-20261126-021503.sqlite"

    private static var ledgerUnusable: [String] {
        [
            LedgerSentences.notOpen(ledgerPath, .read),
            LedgerSentences.notARegularFile(ledgerPath, companion: ""),
            LedgerSentences.notARegularFile(ledgerPath, companion: "-wal"),
            LedgerSentences.newerVersion(ledgerPath, 12, supported: 9),
            // EACCES, ENOSPC, EIO and ENAMETOOLONG.
            LedgerSentences.systemError(ledgerPath, .written, code: 13),
            LedgerSentences.systemError(ledgerPath, .created, code: 28),
            LedgerSentences.systemError(ledgerPath, .movedAside, code: 5),
            LedgerSentences.systemError(ledgerPath, .movedAsideDamaged, code: 36),
            LedgerSentences.diskFull(ledgerPath, .written),
            LedgerSentences.readOnly(ledgerPath, .written),
            LedgerSentences.inUse(ledgerPath, .opened),
            LedgerSentences.diskError(ledgerPath, .read, "disk I/O error"),
            LedgerSentences.notAccessible(ledgerPath, .opened, "unable to open database file"),
            LedgerSentences.databaseError(ledgerPath, .written, LedgerSentences.noReason, code: 19),
            LedgerSentences.otherError(ledgerPath, .restored, CancellationError()),
        ]
    }

    private static var ledgerDamage: [String] {
        [
            DamageSentences.damaged(ledgerPath, DamageSentences.notALedger),
            DamageSentences.damaged(ledgerPath, DamageSentences.rowsAreMissing),
            DamageSentences.damaged(ledgerPath, DamageSentences.emptyBesideLog),
            DamageSentences.damaged(ledgerPath, DamageSentences.truncated(to: 100)),
            DamageSentences.countIsMissing,
            DamageSentences.rowsIgnored(
                2,
                first: DamageSentences.invalidRow("id", 12, column: "speed", value: "\"1/7\"")
            ),
        ]
    }

    private static var ledgerMoves: [String] {
        let file = LedgerFile(directory: "/var/lib/bracketd")
        let old = "/var/lib/bracketd/\(ledgerAside)"
        let damage = LedgerFault.damaged(old, DamageSentences.notALedger)
        return [
            DamageSentences.movedAside(file, to: ledgerAside, because: DamageSentences.notALedger, removed: 0),
            DamageSentences.movedAside(file, to: ledgerAside, because: DamageSentences.notALedger, removed: 1),
            DamageSentences.notMovedAside("/var/lib/bracketd/other.sqlite"),
            DamageSentences.notRestored(old, because: LedgerFault(DamageSentences.fileIsMissing)),
            DamageSentences.notRestored(old, because: damage),
            DamageSentences.restored(old, replaced: nil),
            DamageSentences.restored(old, replaced: "ledger-replaced-20261126-021503.sqlite"),
        ]
    }

    private static var ledgerLosses: [String] {
        [
            LedgerLoss(commits: 1, kept: 0, begun: 0).sentence(path: ledgerPath, isInterrupted: false),
            LedgerLoss(commits: 3, kept: 7, begun: 7, log: "\(ledgerAside)-wal").sentence(
                path: ledgerPath,
                isInterrupted: true
            ),
            LedgerLoss(commits: 40, kept: 5, begun: 7).sentence(path: ledgerPath, isInterrupted: false),
            LedgerLoss(commits: 40, kept: 0, begun: 7).sentence(path: ledgerPath, isInterrupted: false),
        ]
    }
}
