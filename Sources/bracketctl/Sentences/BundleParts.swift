/// The names of the parts of a bundle in sentences about missing parts.
enum BundleParts {
    static let recordings = "recordings"
    static let damagedLedgers = "damaged ledgers"
    static let effectiveConfiguration = "the configuration as bracketd uses it"
    static let configurationFile = "the configuration file"
    static let storage = "the daemon's storage"
    static let storagePath = "the path of the storage directory"
    static let version = "the version of bracketd"
    static let status = "the status of the daemon"
    static let system = "the version of the operating system"
    static let journal = "an excerpt of the journal"

    static func ledger(_ path: String) -> String { "the ledger \(path)" }
    static func rest(of entry: String) -> String { "the unread part of \(entry)" }
}

/// The descriptions of a bundle's entries in its README.
enum BundleEntries {
    static let recording = "all inputs of the daemon in order, for bracketctl replay"
    static let ledger = "shoots, frames, cameras and timings, for sqlite3"
    static let ledgerLog = "the last changes of the ledger, which sqlite3 needs beside the ledger"
    static let damagedLedger = "a ledger that was damaged and moved aside"
    static let configuration = "the configuration, with the values that bracketd uses"
    static let defaultConfiguration = "the configuration that bracketd uses without --config"
    static let versions = "versions of programs, system and charts"
    static let status = "the status of the daemon at that time"

    static func configurationFile(_ path: String) -> String { "\(path), without secret values" }

    static func journal(entriesMax: Int) -> String {
        "the last entries of bracketd's journal, \(entriesMax) at most"
    }
}
