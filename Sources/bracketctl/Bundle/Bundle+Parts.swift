import Foundation
import Interface
import Varlink

// The contents of a bundle. A missing part does not end the bundle; only a failure to write it does.

extension Bundle {
    /// Packs the recordings of the flight recorder, the newest first, up to a limit.
    mutating func packRecordings(of storage: String) throws(Failure) {
        let folder = "\(storage)/flight"
        let names = names(in: folder, as: "recordings") { $0.hasPrefix("flight-") && $0.hasSuffix(".rec") }
        var left = Limit.recordings
        for name in names.reversed() {
            guard let file = open("\(folder)/\(name)", as: name) else { continue }
            guard file.byteCount <= left else {
                left = 0
                leaveOut(name, "newer ones use the \(Limit.recordings >> 20) MB for recordings")
                continue
            }
            left -= file.byteCount
            try pack("flight/\(name)", file, "all inputs of the daemon, in order: bracketctl replay shows them")
        }
    }

    /// Packs the ledger and the damaged ones that were moved aside.
    mutating func packLedger(of storage: String) throws(Failure) {
        let name = "ledger.sqlite"
        var copy: LedgerCopy?
        do {
            copy = try LedgerCopy(path: "\(storage)/\(name)", byteCountMax: Limit.ledger)
        } catch {
            leaveOut("the ledger \(storage)/\(name)", error.reason)
        }
        if let copy {
            try pack("ledger/\(name)", copy.file, "shoots, frames, cameras and timings: sqlite3 reads it")
            if let log = copy.log {
                try pack("ledger/\(name)\(LedgerCopy.logSuffix)", log, "its last changes; keep both files together")
            }
        }
        let damaged = names(in: storage, as: "damaged ledgers") { $0.hasPrefix("ledger-damaged-") }
        for name in damaged.suffix(Limit.damagedLedgers) {
            guard let file = open("\(storage)/\(name)", as: name) else { continue }
            try pack("ledger/\(name)", file, "a ledger that was damaged and moved aside")
        }
    }

    /// Packs the configuration, as written and as the daemon reads it.
    ///
    /// - Returns: the storage directory.
    mutating func packConfiguration(_ path: String?, by program: DaemonProgram) throws(Failure) -> String {
        var storage: String?
        var effective: String?
        do {
            effective = try program.configuration(path)
        } catch {
            leaveOut("the configuration as bracketd uses it", error.reason)
        }
        if let effective {
            storage = DaemonProgram.storage(in: effective)
            if path == nil, let storage, access(storage, F_OK) != 0 {
                let reason = "\(storage) does not exist. Use --config with the configuration file of bracketd."
                leaveOut("the daemon's storage", reason)
            }
            let whose = path == nil ? "the defaults of bracketd without --config" : "the values that bracketd uses"
            try pack("configuration.toml", SecretRemoval.clean(effective), "the configuration: \(whose)")
        }
        if let path, let file = open(path, as: "the configuration file", followsLinks: true) {
            if let bytes = content(of: file, sizeMax: Limit.configuration, as: "the configuration file") {
                let text = SecretRemoval.clean(String(decoding: bytes, as: UTF8.self))
                try pack("configuration-file.toml", text, "\(path), without secret values")
            }
        }
        guard let storage else {
            leaveOut("the path of the storage directory", "it is assumed to be \(DaemonProgram.usualStorage)")
            return DaemonProgram.usualStorage
        }
        return storage
    }

    /// Packs the versions and, if a daemon runs, its status.
    mutating func packVersions(_ connection: Connection, by program: DaemonProgram) async throws(Failure) {
        var lines = ["bracketctl \(Bracketctl.version)"]
        do {
            lines.append("bracketd \(try program.version()), the program \(program.path ?? "")")
        } catch {
            leaveOut("the version of bracketd", error.reason)
        }
        var status: Bracketd.Status?
        do {
            status = try await Daemon(connection).call(Bracketd.GetStatus(), within: .seconds(5)).status
        } catch {
            leaveOut("the status of the daemon", error.sentence)
        }
        if let version = status?.version { lines.append("bracketd \(version), the running daemon") }
        lines.append("kernel \(Self.kernel)")
        if let release = open("/etc/os-release", as: "the version of the operating system", followsLinks: true),
            let bytes = content(of: release, sizeMax: Limit.configuration, as: "the version of the operating system")
        {
            lines += String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { "system \($0)" }
        }
        lines += ChartLibrary.charts.map { "chart \($0.name) \($0.digest)" }
        try pack("versions.txt", lines.joined(separator: "\n") + "\n", "versions of programs, system and charts")
        if let status { try pack("status.json", "\(status.json)\n", "the status of the daemon at that time") }
    }

    /// Packs the daemon's last journal entries.
    mutating func packJournal(from journalctl: OtherProgram?) throws(Failure) {
        let entries: [UInt8]
        do {
            entries = try JournalExcerpt.read(from: journalctl)
        } catch {
            return leaveOut("an excerpt of the journal", error.reason)
        }
        let what = "the last entries of bracketd's journal, \(JournalExcerpt.entriesMax) at most"
        try pack("journal.json", entries, what)
    }

    private mutating func content(of file: FileToPack, sizeMax: Int, as what: String) -> [UInt8]? {
        do {
            return try file.content(sizeMax: sizeMax)
        } catch {
            leaveOut(what, error.reason)
            return nil
        }
    }

    /// `Linux 6.1.0-18-arm64 #1 SMP … aarch64`, without the name of the computer.
    private static var kernel: String {
        var name = utsname()
        guard uname(&name) == 0 else { return "unknown" }
        func text(_ field: some Any) -> String {
            withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        return [text(name.sysname), text(name.release), text(name.version), text(name.machine)].joined(separator: " ")
    }
}
