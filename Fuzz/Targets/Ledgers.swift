import Controller
import Exposure
import Glibc

@testable import Ledger

/// Fuzzes the ledger's files of a killed daemon. Each damage is a file, a kind, a position and a value.
func fuzzLedger(_ bytes: [UInt8]) {
    var script = FuzzBytes(bytes)
    var files = LedgerFuzz.files
    for _ in 0..<LedgerFuzz.damagesMax where !script.isEmpty {
        let place = Int(script.byte()) % files.count
        files[place] = damaged(files[place], &script)
    }
    guard let directory = LedgerFuzz.makeDirectory() else { return }
    defer { LedgerFuzz.removeDirectory(directory) }
    for (name, bytes) in zip(LedgerFuzz.names, files) {
        if let bytes { LedgerFuzz.write(bytes, to: "\(directory)/\(name)") }
    }
    let ledger = Ledger(directory: directory, clock: LedgerFuzz.clock)
    defer { ledger.close() }
    do {
        let contents = try ledger.open()
        expectNothingSilent(contents, files, in: directory)
        _ = ledger.read(.shoots(limit: 10, before: nil))
        _ = ledger.read(.shoot(1))
        // An opened ledger must accept writes.
        try ledger.commit(LedgerFuzz.commit(9, .captured, isDurable: true))
        let again = try ledger.open()
        expect(again.notice == nil || contents.notice != nil, "a second start finds: \(again.notice ?? "")")
        expect(again.lastShoot >= 9, "what was written is gone")
    } catch {
        expect(error.sentence.hasPrefix("The ledger"), "no sentence: \(error.sentence)")
    }
}

private func expectNothingSilent(_ contents: LedgerContents, _ files: [[UInt8]?], in directory: String) {
    let whole = LedgerFuzz.files
    let isMovedAside = LedgerFuzz.names(in: directory).contains { $0.hasPrefix("ledger-damaged-") }
    expect(!isMovedAside || contents.notice?.isEmpty == false, "moved aside without a sentence")
    // The ledger file has no checksums. Without an intact count its contents cannot be predicted.
    guard files[0] == whole[0], files[2] == whole[2] else { return }
    expect(contents.notice?.isEmpty == false || contents == LedgerFuzz.contents, "the log lost something in silence")
    expect(contents.notice == nil || contents.unfinished?.isRecordIncomplete ?? true, "it would go on by itself")
}

private func damaged(_ file: [UInt8]?, _ script: inout FuzzBytes) -> [UInt8]? {
    guard var bytes = file else { return [script.byte()] }
    let kind = script.byte() % 6
    // The positions are spread over the whole file, whatever its length is.
    let place = bytes.isEmpty ? 0 : (Int(script.number()) * 1021 + Int(script.byte())) % bytes.count
    switch kind {
    case 0 where !bytes.isEmpty: bytes[place] ^= 1 << (script.byte() % 8)
    case 1 where !bytes.isEmpty:
        for (offset, byte) in script.take(16).enumerated() where place + offset < bytes.count {
            bytes[place + offset] = byte
        }
    case 2: bytes.removeLast(bytes.count - place)
    case 3: bytes.append(contentsOf: script.take(64))
    case 4:
        let end = min(bytes.count, place + 16 * Int(script.byte()))
        for index in place..<end { bytes[index] = 0 }
    default: return nil
    }
    return bytes
}

private enum LedgerFuzz {
    static let damagesMax = 4
    static let names = ["ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-count", "ledger.sqlite-shm"]
    static let clock = LedgerClock { (1_795_343_400_000, .seconds(100)) }

    /// The files of a daemon that was killed in shoot 2. The last of the files does not exist.
    static let files: [[UInt8]?] = {
        guard let directory = makeDirectory() else { return names.map { _ in nil } }
        defer { removeDirectory(directory) }
        let ledger = Ledger(directory: directory, clock: clock)
        defer { ledger.close() }
        _ = try? ledger.open()
        try? ledger.commit(commit(1, .captured, isDurable: true, outcome: .completed))
        try? ledger.commit(commit(2, .attempting, isDurable: true))
        try? ledger.commit(commit(2, .captured, isDurable: false))
        return names.map { read("\(directory)/\($0)") }
    }()

    static let contents: LedgerContents? = {
        guard let directory = makeDirectory() else { return nil }
        defer { removeDirectory(directory) }
        for (name, bytes) in zip(names, files) {
            if let bytes { write(bytes, to: "\(directory)/\(name)") }
        }
        let ledger = Ledger(directory: directory, clock: clock)
        defer { ledger.close() }
        return try? ledger.open()
    }()

    static func commit(
        _ id: Int,
        _ outcome: FrameState,
        isDurable: Bool,
        outcome end: ShootOutcome? = nil
    ) -> LedgerCommit {
        var rows = LedgerRows()
        if let request = try? PlanRequest() {
            rows.shoots[id] = ShootRow(
                id: id,
                request: request,
                headline: "1/4 to 1/1000",
                cameraID: "sony-1",
                cameraName: "ILCE-7M4",
                began: .wall(milliseconds: 1000)
            )
            rows.shoots[id]?.outcome = end
        }
        for index in 0..<3 {
            let planned = PlannedFrame(
                position: FramePosition(set: 1, frame: index + 1),
                speed: ShutterSpeed.all[index]
            )
            rows.frames[FrameKey(shoot: id, index: index)] =
                FrameRow(shoot: id, index: index, planned: planned, outcome: outcome)
        }
        return LedgerCommit(rows: rows, isDurable: isDurable)
    }

    // MARK: Files

    /// Creates a directory in memory if the system has such a disk, because nothing needs to be synced.
    static func makeDirectory() -> String? {
        let root = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(root)/ledger-fuzz-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    static func removeDirectory(_ path: String) {
        for name in names(in: path) { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    static func names(in path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    static func write(_ bytes: [UInt8], to path: String) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        _ = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
    }

    static func read(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
        return Array(bytes.prefix(max(0, count)))
    }
}
