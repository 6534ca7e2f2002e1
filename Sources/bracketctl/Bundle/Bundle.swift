import Foundation
import Varlink

/// An archive with the material for a fault report. A part that cannot be read is left out with a remark, because a
/// bundle is needed when something is wrong.
struct Bundle {
    /// Limits that keep a bundle small enough to send. The newest items come first.
    enum Limit {
        static let recordings = 256 << 20
        /// The ledger's own limit is half of that.
        static let ledger = 100 << 20
        static let damagedLedgers = 2
        static let configuration = 1 << 16
        static let names = 10_000
        /// The longest file name; the rest of the room is for the directory before it (see `TarWriter`).
        static let nameLength = 48
    }

    /// The directory in the archive.
    let name: String
    private let archive: TarWriter
    private let environment: Environment
    /// The packed entries, for the README: name, bytes, description.
    private var entries: [(name: String, byteCount: Int, what: String)] = []
    /// The parts left out, each a sentence.
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

    /// Packs a file with its present length; bytes appended later are left out.
    mutating func pack(_ entry: String, _ file: FileToPack, _ what: String) throws(Failure) {
        var trouble: FileToPack.Trouble?
        try archive.add("\(name)/\(entry)", byteCount: file.byteCount) { () throws(Failure) in
            do throws(FileToPack.Trouble) {
                return try file.next()
            } catch {
                trouble = error
                return []
            }
        }
        entries.append((entry, file.byteCount, what))
        if let trouble { leaveOut("the rest of \(entry)", trouble.reason) }
    }

    /// Reports on standard error and in the README that something is not in the bundle.
    mutating func leaveOut(_ what: String, _ reason: String) {
        let reason = reason.split(separator: "\n").joined(separator: "; ")
        let sentence = "Left out: \(what): \(reason)" + (reason.hasSuffix(".") ? "" : ".")
        missing.append(sentence)
        try? environment.errors.line("bracketctl: \(sentence)")
    }

    /// Opens a file to pack; nil, with a remark, if that fails.
    mutating func open(_ path: String, as what: String, followsLinks: Bool = false) -> FileToPack? {
        do {
            if let file = try FileToPack(path, followsLinks: followsLinks) { return file }
            leaveOut(what, "there is no \(path)")
        } catch {
            leaveOut(what, "\(path) cannot be read: \(error.reason)")
        }
        return nil
    }

    /// The sorted names in a directory; none, with a remark, if it cannot be read.
    mutating func names(in folder: String, as what: String, where isWanted: (String) -> Bool) -> [String] {
        guard let directory = opendir(folder) else {
            leaveOut(what, "\(folder) cannot be read: \(FileToPack.Trouble.system.reason)")
            return []
        }
        defer { closedir(directory) }
        var names: [String] = []
        while names.count < Limit.names, let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.utf8.count <= Limit.nameLength, isWanted(name) { names.append(name) }
        }
        return names.sorted()
    }

    /// Adds the README and ends the archive.
    func finish() throws(Failure) {
        let lines = entries.map { "  \($0.name), \($0.byteCount) bytes: \($0.what)." }
        let text = """
            This folder was packed by bracketctl bundle, for a report of a fault in bracketd.

            What is in it:
            \(lines.joined(separator: "\n"))

            What was to be in it and is not:
            \(missing.isEmpty ? "  Nothing: all of it was found." : missing.map { "  \($0)" }.joined(separator: "\n"))

            What is never in it: pictures, and the bytes of pictures that passed the daemon; the number by which
            cameras know this computer; values of the configuration whose names say that they are secret; what the
            journal says of other programs, and the name of this computer there.

            What it tells about its owner, all the same: the names, models and serial numbers of cameras; the names
            (SSIDs) and hardware addresses of networks, and the addresses of this computer and of what answered in
            them; the names of folders, and with them perhaps of people; when was shot, with which settings, and the
            names of the picture files. Look it through before it is made public, or send it to one person.

            """
        try archive.add("\(name)/README.txt", Array(text.utf8))
        try archive.finish()
    }
}
