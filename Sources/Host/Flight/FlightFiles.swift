import Glibc
import Logging
import NIOCore

/// The reason why recording cannot continue, as a sentence for the user.
struct FlightFailure: Error, Equatable {
    var sentence: String
}

/// The directory of recordings. A run of the daemon has several files: `flight-000042-0000.rec`,
/// `flight-000042-0001.rec`. Runs are numbered, because the clock of a board without a battery can go back.
///
/// The number and the total size of the files never exceed the limits. The oldest run is removed first, with all its
/// files, because a run without its beginning cannot be replayed.
struct FlightFiles {
    struct Note: Equatable {
        var level: Logger.Level
        var sentence: String
    }

    struct Part: Equatable {
        var name: FlightName
        var byteCount: Int
    }

    /// The maximum number of names that are read from the directory.
    private static let namesMax = 100_000
    private static let mode: (folder: mode_t, file: mode_t) = (0o700, 0o600)

    private let path: String
    private let limits: FlightLimits
    private let freeBytesMin: UInt64
    private var folder: Folder?
    /// The files, oldest first. The last file is being written.
    private(set) var parts: [Part] = []
    private var run = 1
    private var file: Descriptor?
    /// Whether the directory contains a new file name that is not synced yet.
    private var hasNewName = false
    private var notes: [Note] = []
    /// Whether a notice said that the beginning of this run was removed.
    private var hasReportedOwnLoss = false

    /// - Parameter freeBytesMin: the disk space that recordings leave free, above all for the ledger.
    init(directory: String, limits: FlightLimits, freeBytesMin: UInt64) {
        path = directory
        self.limits = limits
        self.freeBytesMin = freeBytesMin
    }

    /// Returns the notices since the last call.
    mutating func takeNotes() -> [Note] {
        defer { notes = [] }
        return notes
    }

    /// Appends whole records to a part of this run. The first call for a part creates its file. After a failure the
    /// file contains only the earlier records.
    mutating func append(_ bytes: ByteBuffer, part: Int) throws(FlightFailure) {
        let folder = try openedFolder()
        let isNew = file == nil || parts.last?.name.part != part
        if isNew {
            // The previous part is synced first, because later parts cannot be replayed without it.
            try sync()
            file = nil
        }
        try makeRoom(for: bytes.readableBytes, files: isNew ? 1 : 0, in: folder)
        if isNew { try begin(part, in: folder) }
        guard let file else { return }
        do {
            try bytes.withUnsafeReadableBytes { (bytes) throws(SystemError) in try writeAll(bytes, to: file.number) }
        } catch {
            // A partial record cannot be read, so it is removed.
            _ = ftruncate(file.number, off_t(parts[parts.count - 1].byteCount))
            let name = parts[parts.count - 1].name
            throw FlightFailure(sentence: RecorderSentences.notWritten("\(path)/\(name)", error))
        }
        parts[parts.count - 1].byteCount += bytes.readableBytes
    }

    mutating func sync() throws(FlightFailure) {
        guard let file, let folder, let name = parts.last?.name else { return }
        do {
            try check { fdatasync(file.number) }
            if hasNewName { try folder.sync() }
            hasNewName = false
        } catch {
            throw FlightFailure(sentence: RecorderSentences.notSynced("\(path)/\(name)", error))
        }
    }

    /// The directory of recordings. The first call opens it, counts earlier files, and removes those above the limits.
    private mutating func openedFolder() throws(FlightFailure) -> Folder {
        if let folder { return folder }
        do {
            let folder = try Folder(path: path, mode: Self.mode.folder)
            for name in try folder.names(countMax: Self.namesMax).compactMap(FlightName.init) {
                guard let byteCount = folder.byteCount(of: name.description) else { continue }
                parts.append(Part(name: name, byteCount: byteCount))
            }
            parts.sort { $0.name < $1.name }
            run = (parts.last?.name.run ?? 0) + 1
            self.folder = folder
            return folder
        } catch {
            throw FlightFailure(sentence: RecorderSentences.directoryUnusable(path, error))
        }
    }

    private mutating func begin(_ part: Int, in folder: Folder) throws(FlightFailure) {
        let name = FlightName(run: run, part: part)
        do {
            file = try folder.create(name.description, mode: Self.mode.file)
        } catch {
            throw FlightFailure(sentence: RecorderSentences.notCreated("\(path)/\(name)", error))
        }
        hasNewName = true
        parts.append(Part(name: name, byteCount: 0))
        if part == 0 { notes.append(Note(level: .info, sentence: RecorderSentences.begins("\(path)/\(name)"))) }
    }

    /// Removes the oldest runs until the new bytes and files fit the limits.
    private mutating func makeRoom(for byteCount: Int, files: Int, in folder: Folder) throws(FlightFailure) {
        guard let free = try? folder.freeBytes(), free >= freeBytesMin else {
            throw FlightFailure(sentence: RecorderSentences.diskReserved(path, reserved: freeBytesMin))
        }
        var total = parts.reduce(0) { $0 + $1.byteCount }
        while total + byteCount > limits.byteCountMax || parts.count + files > limits.fileCountMax {
            // The file that is being written is never removed.
            guard let oldest = parts.first, parts.count + files > 1 else {
                throw FlightFailure(sentence: RecorderSentences.inputTooLarge)
            }
            let isOwn = oldest.name.run == run
            for part in parts where isOwn ? part == oldest : part.name.run == oldest.name.run {
                try remove(part, from: folder)
                total -= part.byteCount
            }
            guard isOwn, !hasReportedOwnLoss else { continue }
            hasReportedOwnLoss = true
            notes.append(Note(level: .warning, sentence: RecorderSentences.beginningRemoved))
        }
    }

    private mutating func remove(_ part: Part, from folder: Folder) throws(FlightFailure) {
        do {
            try folder.discard(part.name.description)
        } catch {
            throw FlightFailure(sentence: RecorderSentences.notRemoved("\(path)/\(part.name)", error))
        }
        parts.removeAll { $0 == part }
    }
}

struct FlightName: Hashable, Comparable, CustomStringConvertible {
    /// The number of the run. It increases with each start of the daemon.
    var run: Int
    var part: Int

    private static let digits = (run: 6, part: 4)
    /// The maximum number of digits, more than any daemon reaches.
    private static let digitsMax = 12

    init(run: Int, part: Int) {
        self.run = run
        self.part = part
    }

    /// Parses a file name; returns nil for other files.
    init?(_ name: String) {
        let words = name.split(separator: "-", omittingEmptySubsequences: false)
        guard words.count == 3, words[0] == "flight", words[2].hasSuffix(".rec"),
            let run = Self.number(words[1]), let part = Self.number(words[2].dropLast(4))
        else { return nil }
        self.init(run: run, part: part)
        guard description == name else { return nil }
    }

    var description: String {
        "flight-\(Self.padded(run, Self.digits.run))-\(Self.padded(part, Self.digits.part)).rec"
    }

    static func < (left: Self, right: Self) -> Bool { (left.run, left.part) < (right.run, right.part) }

    private static func number(_ digits: Substring) -> Int? {
        guard digits.utf8.count <= digitsMax else { return nil }
        return digits.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? Int(digits) : nil
    }

    private static func padded(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}
