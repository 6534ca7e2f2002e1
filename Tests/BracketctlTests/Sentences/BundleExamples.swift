@testable import bracketctl

extension Examples {
    private static let file = "bracketd-bundle-20261121-083000.tar.gz"
    private static let ledger = "/var/lib/bracketd/ledger.sqlite"

    static let bundle: [String] = [
        BundleSentences.written(file, byteCount: 1_234_567),
        BundleSentences.fileExists(file),
        BundleSentences.notCreated(file, "Permission denied"),
        BundleSentences.notWritten(file),
        BundleSentences.noGzip,
        BundleSentences.gzipNotStarted("Permission denied"),
        BundleSentences.missing(BundleParts.recordings, BundleSentences.noFile("/var/lib/bracketd/flight")),
        BundleSentences.missing(
            BundleParts.recordings,
            BundleSentences.notRead("/var/lib/bracketd/flight", "Permission denied")
        ),
        BundleSentences.missing(BundleParts.ledger(ledger), BundleSentences.tooLarge(104_857_600)),
        BundleSentences.missing(BundleParts.ledger(ledger), BundleSentences.notRegular),
        BundleSentences.missing(BundleParts.ledger(ledger), BundleSentences.doesNotExist),
        BundleSentences.missing(BundleParts.ledger(ledger), BundleSentences.alwaysChanged),
        BundleSentences.missing("flight-000042-0000.rec", BundleSentences.newerFirst(256 << 20)),
        BundleSentences.missing(BundleParts.storagePath, BundleSentences.assumedToBe("/var/lib/bracketd")),
        BundleSentences.missing(BundleParts.version, BundleSentences.noBracketd),
        BundleSentences.missing(BundleParts.journal, BundleSentences.noJournalctl),
        BundleSentences.missing(BundleParts.journal, BundleSentences.noEntries),
        BundleSentences.missing(
            BundleParts.journal,
            BundleSentences.notStarted("/usr/bin/journalctl", "Permission denied")
        ),
        BundleSentences.missing(BundleParts.journal, BundleSentences.endedWith(1)),
        BundleSentences.missing(
            BundleParts.journal,
            BundleSentences.didNotEnd("/usr/bin/journalctl", withinSeconds: 30)
        ),
        BundleSentences.missing(
            BundleParts.journal,
            BundleSentences.printedTooMuch("/usr/bin/journalctl", byteCountMax: 33_554_432)
        ),
    ]

    static let bundleParts: [String] = [
        BundleParts.recordings,
        BundleParts.damagedLedgers,
        BundleParts.effectiveConfiguration,
        BundleParts.configurationFile,
        BundleParts.storage,
        BundleParts.storagePath,
        BundleParts.version,
        BundleParts.status,
        BundleParts.system,
        BundleParts.journal,
        BundleParts.ledger(ledger),
        BundleParts.rest(of: "flight/flight-000042-0000.rec"),
        BundleEntries.recording,
        BundleEntries.ledger,
        BundleEntries.ledgerLog,
        BundleEntries.damagedLedger,
        BundleEntries.configuration,
        BundleEntries.defaultConfiguration,
        BundleEntries.versions,
        BundleEntries.status,
        BundleEntries.configurationFile("/etc/bracketd.toml"),
        BundleEntries.journal(entriesMax: 5000),
    ]

    static let bundleReadme: [String] = [
        BundleReadme.text([("versions.txt", 812, BundleEntries.versions)], missing: []),
        BundleReadme.text(
            [("versions.txt", 812, BundleEntries.versions), ("ledger/ledger.sqlite", 40_960, BundleEntries.ledger)],
            missing: [BundleSentences.missing(BundleParts.journal, BundleSentences.noJournalctl)]
        ),
    ]
}
