import Glibc
import Interface
import Varlink

// The parts of a bundle. Each part is packed even if other parts cannot be read. Only a failed write ends the bundle.

extension Bundle {
    /// Packs the recordings of the flight recorder, the newest first, up to a size limit.
    mutating func packRecordings(of storage: String) throws(Failure) {
        let folder = "\(storage)/flight"
        let names = names(in: folder, as: BundleParts.recordings) { $0.hasPrefix("flight-") && $0.hasSuffix(".rec") }
        var left = Limit.recordings
        for name in names.reversed() {
            guard let file = open("\(folder)/\(name)", as: name) else { continue }
            guard file.byteCount <= left else {
                left = 0
                leaveOut(name, BundleSentences.newerFirst(Limit.recordings))
                continue
            }
            left -= file.byteCount
            try pack("flight/\(name)", file, BundleEntries.recording)
        }
    }

    /// Packs the ledger, and the damaged ledgers that the daemon has renamed.
    mutating func packLedger(of storage: String) throws(Failure) {
        let name = "ledger.sqlite"
        var copy: LedgerCopy?
        do {
            copy = try LedgerCopy(path: "\(storage)/\(name)", byteCountMax: Limit.ledger)
        } catch {
            leaveOut(BundleParts.ledger("\(storage)/\(name)"), error.reason)
        }
        if let copy {
            try pack("ledger/\(name)", copy.file, BundleEntries.ledger)
            if let log = copy.log {
                try pack("ledger/\(name)\(LedgerCopy.logSuffix)", log, BundleEntries.ledgerLog)
            }
        }
        let damaged = names(in: storage, as: BundleParts.damagedLedgers) { $0.hasPrefix("ledger-damaged-") }
        for name in damaged.suffix(Limit.damagedLedgers) {
            guard let file = open("\(storage)/\(name)", as: name) else { continue }
            try pack("ledger/\(name)", file, BundleEntries.damagedLedger)
        }
    }

    /// Packs the configuration file, and the configuration as the daemon reads it.
    ///
    /// - Returns: the path of the storage directory.
    mutating func packConfiguration(_ path: String?, by program: DaemonProgram) throws(Failure) -> String {
        var storage: String?
        var effective: String?
        do {
            effective = try program.configuration(path)
        } catch {
            leaveOut(BundleParts.effectiveConfiguration, error.reason)
        }
        if let effective {
            storage = DaemonProgram.storage(in: effective)
            if path == nil, let storage, access(storage, F_OK) != 0 {
                leaveOut(BundleParts.storage, FileSentences.noConfiguration(storage))
            }
            let what = path == nil ? BundleEntries.defaultConfiguration : BundleEntries.configuration
            try pack("configuration.toml", SecretRemoval.clean(effective), what)
        }
        if let path, let file = open(path, as: BundleParts.configurationFile, followsLinks: true) {
            if let bytes = content(of: file, sizeMax: Limit.configuration, as: BundleParts.configurationFile) {
                let text = SecretRemoval.clean(String(decoding: bytes, as: UTF8.self))
                try pack("configuration-file.toml", text, BundleEntries.configurationFile(path))
            }
        }
        guard let storage else {
            leaveOut(BundleParts.storagePath, BundleSentences.assumedToBe(DaemonProgram.usualStorage))
            return DaemonProgram.usualStorage
        }
        return storage
    }

    /// Packs the versions of the programs, and the status of a running daemon.
    mutating func packVersions(_ connection: Connection, by program: DaemonProgram) async throws(Failure) {
        var lines = ["bracketctl \(Bracketctl.version)"]
        do {
            lines.append("bracketd \(try program.version()), the program \(program.path ?? "")")
        } catch {
            leaveOut(BundleParts.version, error.reason)
        }
        var status: Bracketd.Status?
        do {
            status = try await Daemon(connection).call(Bracketd.GetStatus(), within: .seconds(5)).status
        } catch {
            leaveOut(BundleParts.status, error.sentence)
        }
        if let version = status?.version { lines.append("bracketd \(version), the running daemon") }
        lines.append("kernel \(Self.kernel)")
        if let release = open("/etc/os-release", as: BundleParts.system, followsLinks: true),
            let bytes = content(of: release, sizeMax: Limit.configuration, as: BundleParts.system)
        {
            lines += String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { "system \($0)" }
        }
        lines += ChartLibrary.charts.map { "chart \($0.name) \($0.digest)" }
        try pack("versions.txt", lines.joined(separator: "\n") + "\n", BundleEntries.versions)
        if let status { try pack("status.json", "\(status.json)\n", BundleEntries.status) }
    }

    /// Packs the last entries of the daemon's journal.
    mutating func packJournal(from journalctl: OtherProgram?) throws(Failure) {
        let entries: [UInt8]
        do {
            entries = try JournalExcerpt.read(from: journalctl)
        } catch {
            return leaveOut(BundleParts.journal, error.reason)
        }
        try pack("journal.json", entries, BundleEntries.journal(entriesMax: JournalExcerpt.entriesMax))
    }

    private mutating func content(of file: FileToPack, sizeMax: Int, as what: String) -> [UInt8]? {
        do {
            return try file.content(sizeMax: sizeMax)
        } catch {
            leaveOut(what, error.reason)
            return nil
        }
    }

    /// The kernel's version without the name of the computer: `Linux 6.1.0-18-arm64 #1 SMP … aarch64`.
    private static var kernel: String {
        var name = utsname()
        guard uname(&name) == 0 else { return "unknown" }
        func text(_ field: some Any) -> String {
            withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        return [text(name.sysname), text(name.release), text(name.version), text(name.machine)].joined(separator: " ")
    }
}
