import Glibc
import Varlink

/// The reason why a part of a bundle is missing, as a part of a sentence.
struct PartError: Error {
    var reason: String

    static var system: PartError { PartError(reason: String(cString: strerror(errno))) }
}

/// An archive with the data for a fault report. Parts that cannot be read are left out and named in the README. All
/// other parts are packed, because a bundle is needed when something is wrong.
struct Bundle {
    /// The limits that keep a bundle small enough to send. The newest items are packed first.
    enum Limit {
        static let recordings = 256 << 20
        /// The limit in bytes. The daemon's own limit for the ledger is half of this.
        static let ledger = 100 << 20
        static let damagedLedgers = 2
        static let configuration = 1 << 16
        static let names = 10_000
        /// The longest file name in bytes. An archive entry's name also contains the directory: see `TarWriter`.
        static let nameLength = 48
    }

    typealias Entry = (name: String, byteCount: Int, what: String)

    /// The name of the directory in the archive.
    let name: String
    private let archive: TarWriter
    private let environment: Environment
    /// The packed entries for the README, with name, number of bytes and description.
    private var entries: [Entry] = []
    /// One sentence for each part that was left out.
    private(set) var missing: [String] = []

    init(name: String, archive: TarWriter, in environment: Environment) {
        self.name = name
        self.archive = archive
        self.environment = environment
    }

    mutating func pack(_ entry: String, _ bytes: [UInt8], _ what: String) throws(Failure) {
        try archive.add("\(name)/\(entry)", bytes)
        entries.append((entry, bytes.count, what))
    }

    mutating func pack(_ entry: String, _ text: String, _ what: String) throws(Failure) {
        try pack(entry, Array(text.utf8), what)
    }

    /// Packs a file up to its length at the time of opening. Bytes that are appended later are left out.
    mutating func pack(_ entry: String, _ file: FileToPack, _ what: String) throws(Failure) {
        var fault: PartError?
        try archive.add("\(name)/\(entry)", byteCount: file.byteCount) { () throws(Failure) in
            do throws(PartError) {
                return try file.next()
            } catch {
                fault = error
                return []
            }
        }
        entries.append((entry, file.byteCount, what))
        if let fault { leaveOut(BundleParts.rest(of: entry), fault.reason) }
    }

    /// Reports on standard error and in the README that a part is not in the bundle.
    mutating func leaveOut(_ what: String, _ reason: String) {
        let reason = reason.split(separator: "\n").joined(separator: "; ")
        let sentence = BundleSentences.missing(what, reason)
        missing.append(sentence)
        try? environment.errors.line("bracketctl: \(sentence)")
    }

    /// Opens a file to pack. On failure, adds a remark and returns nil.
    mutating func open(_ path: String, as what: String, followsLinks: Bool = false) -> FileToPack? {
        do {
            if let file = try FileToPack(path, followsLinks: followsLinks) { return file }
            leaveOut(what, BundleSentences.noFile(path))
        } catch {
            leaveOut(what, BundleSentences.notRead(path, error.reason))
        }
        return nil
    }

    /// The sorted names in a directory. If the directory cannot be read, adds a remark and returns no names.
    mutating func names(in folder: String, as what: String, where isWanted: (String) -> Bool) -> [String] {
        let names = InputFile.names(in: folder, countMax: Limit.names) {
            $0.utf8.count <= Limit.nameLength && isWanted($0)
        }
        if names == nil { leaveOut(what, BundleSentences.notRead(folder, PartError.system.reason)) }
        return names ?? []
    }

    /// Adds the README and completes the archive.
    func finish() throws(Failure) {
        let text = BundleReadme.text(entries, missing: missing)
        try archive.add("\(name)/README.txt", Array(text.utf8))
        try archive.finish()
    }
}
