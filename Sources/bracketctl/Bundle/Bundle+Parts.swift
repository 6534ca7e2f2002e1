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
                leaveOut(name, "newer ones fill the \(Limit.recordings >> 20) MB that there are for recordings")
                continue
            }
            left -= file.byteCount
            try pack("flight/\(name)", file, "all that the daemon heard, in order: bracketctl replay shows it")
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
                try pack("ledger/\(name)\(LedgerCopy.logSuffix)", log, "the last changes of it, which belong beside it")
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
            leaveOut("the configuration as bracketd takes it", error.reason)
        }
        if let effective {
            storage = DaemonProgram.storage(in: effective)
            if path == nil, let storage, access(storage, F_OK) != 0 {
                let reason = "\(storage) is not there; --config names the file that bracketd is started with"
                leaveOut("the daemon's storage", reason)
            }
            let whose = path == nil ? "what bracketd takes when no --config is given" : "what bracketd takes it for"
            try pack("configuration.toml", SecretRemoval.clean(effective), "the configuration: \(whose)")
        }
        if let path, let file = open(path, as: "the configuration file", followsLinks: true) {
            if let bytes = content(of: file, sizeMax: Limit.configuration, as: "the configuration file") {
                let text = SecretRemoval.clean(String(decoding: bytes, as: UTF8.self))
                try pack("configuration-file.toml", text, "\(path), but for what may be secret")
            }
        }
        guard let storage else {
            leaveOut("the storage directory's place", "it is taken to be \(DaemonProgram.usualStorage)")
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
            leaveOut("how the daemon stands", error.sentence)
        }
        if let version = status?.version { lines.append("bracketd \(version), the daemon that runs") }
        lines.append("kernel \(Self.kernel)")
        if let release = open("/etc/os-release", as: "the release of the system", followsLinks: true),
            let bytes = content(of: release, sizeMax: Limit.configuration, as: "the release of the system")
        {
            lines += String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { "system \($0)" }
        }
        lines += ChartLibrary.charts.map { "chart \($0.name) \($0.digest)" }
        try pack("versions.txt", lines.joined(separator: "\n") + "\n", "versions of the programs, system and charts")
        if let status { try pack("status.json", "\(status.json)\n", "how the daemon stood then") }
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
