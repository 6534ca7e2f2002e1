import Cameras
import Glibc
import Logging
import NIOCore
import PictureReader
import Synchronization
import Testing

@testable import Controller
@testable import Host

/// A replacement for the reader. For each picture it blocks the disk's thread until the gate is opened.
final class Gate: Sendable {
    let directory: TemporaryDirectory
    let reader: MetadataReader
    private let pipe: Descriptor

    init() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("gate")
        mkfifo(path, 0o600)
        try directory.write("#!/bin/sh\nread x <\(path)\necho iso 100\necho end\n", to: "program")
        chmod(directory.file("program"), 0o700)
        reader = MetadataReader(program: directory.file("program"), timeout: .seconds(60))
        pipe = try Descriptor { Glibc.open(path, O_RDWR | O_CLOEXEC) }
        self.directory = directory
    }

    func open() throws { try writeAll(Array("go\n".utf8), to: pipe.number) }
}

struct PictureWorkerTests {
    private final class Log: JournalWriter {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func write(_ record: JournalRecord) { lines.withLock { $0.append(record.line) } }
    }

    private let log = Log()
    private let reports: AsyncStream<PictureWorker.Report>
    private let continuation: AsyncStream<PictureWorker.Report>.Continuation

    init() { (reports, continuation) = AsyncStream.makeStream() }

    private func worker(
        _ directory: TemporaryDirectory,
        _ reader: MetadataReader,
        journal: Journal? = nil
    ) -> PictureWorker {
        let root = directory.file("pictures")
        let files = PictureFiles(directory: root, roomMin: 1, reader: reader) { 1_795_249_800 }
        let logger = Logger(journal: journal ?? Journal(writer: log))
        return PictureWorker(files: files, logger: logger) { [continuation] in continuation.yield($0) }
    }

    private static func begin(_ id: UInt32) -> PictureWorker.Job {
        let destination = PictureDestination(shoot: nil, set: nil, name: "A.JPG", kind: .jpeg, byteCount: nil)
        return .begin(.init(rawValue: id), destination, offset: 0)
    }

    private static func bytes(_ id: UInt32) -> PictureWorker.Job {
        .bytes(.init(rawValue: id), ByteBuffer(string: "abc"))
    }

    private static func finish(_ id: UInt32) -> PictureWorker.Job { .finish(.init(rawValue: id)) }

    private static let manifest = Manifest(shoot: 3, camera: "c", plan: "p", frames: [])

    /// The reports up to an answer about free space, as texts.
    private func untilRoom() async -> [String] {
        var words: [String] = []
        for await report in reports {
            switch report {
            case .drained: words.append("drained")
            case .input(.picture(_, .stored)): words.append("stored")
            case .input(.picture(_, .failed(let sentence, _))): words.append(sentence)
            case .input(.room(let isThere)): return words + [isThere ? "room" : "no room"]
            case .input: words.append("?")
            }
        }
        return words
    }

    @Test func `the report that the disk is free again always comes`() async throws {
        let gate = try Gate()
        let worker = worker(gate.directory, gate.reader)
        for id: UInt32 in 1...3 { worker.submit(Self.begin(id)) }
        worker.submit(Self.finish(1))
        for _ in 0..<2 { worker.submit(Self.bytes(3)) }
        worker.submit(.checkRoom)
        worker.submit(Self.finish(2))
        var waiting = 0
        for _ in 0..<4 { waiting = worker.submit(Self.bytes(3)) }
        #expect(waiting == PictureWorker.chunksHigh)
        try gate.open()
        #expect(await untilRoom() == ["stored", "room"])
        // Two jobs are done. The number that still wait is below the limit for a pause, but above the limit to
        // continue.
        #expect(worker.submit(Self.bytes(3)) == 5)
        worker.submit(.checkRoom)
        try gate.open()
        #expect(await untilRoom() == ["stored", "drained", "room"])
        worker.finish(within: .seconds(20), whole: .zero)
    }

    @Test func `a failed manifest is written when the disk works again`() async throws {
        let directory = try TemporaryDirectory()
        let journal = Journal(writer: log)
        let worker = worker(directory, .installed(), journal: journal)
        // A file has the name of the directory.
        try directory.write("", to: "pictures")
        worker.submit(.manifest(Self.manifest))
        worker.submit(.checkRoom)
        #expect(await untilRoom() == ["no room"])
        unlink(directory.file("pictures"))
        for _ in 0..<2 {
            worker.submit(.checkRoom)
            #expect(await untilRoom() == ["room"])
        }
        let root = try Folder(path: directory.file("pictures"))
        // The check for free space leaves no file behind either.
        let names = try root.names(countMax: 10)
        #expect(names.count == 1)
        #expect(try root.existingFolder(#require(names.first)).names(countMax: 10) == ["manifest.json"])
        worker.finish(within: .seconds(20), whole: .zero)
        journal.finish()
        #expect(
            log.all == ["cannot write the manifest of shoot 3 in \(directory.file("pictures")): Not a directory"]
        )
    }

    @Test func `a picture that is cancelled during its work is not reported`() async throws {
        let gate = try Gate()
        let worker = worker(gate.directory, gate.reader)
        for job in [Self.begin(1), Self.bytes(1), Self.finish(1)] { worker.submit(job) }
        // The picture has its final name and is being read.
        while !gate.directory.exists("pictures/other/A.JPG") { poll(nil, 0, 2) }
        worker.giveUp(.init(rawValue: 1))
        try gate.open()
        worker.submit(.checkRoom)
        #expect(await untilRoom() == ["room"])
        // After a new beginning the worker treats the picture like any other.
        for job in [Self.begin(1), Self.bytes(1), Self.finish(1), .checkRoom] { worker.submit(job) }
        try gate.open()
        #expect(await untilRoom() == ["stored", "room"])
        worker.finish(within: .seconds(20), whole: .zero)
    }

    @Test func `the end waits for a complete picture`() async throws {
        let gate = try Gate()
        let worker = worker(gate.directory, gate.reader)
        for job in [Self.begin(1), Self.bytes(1), Self.finish(1), .checkRoom] { worker.submit(job) }
        try gate.open()
        worker.finish(within: .zero, whole: .seconds(20))
        worker.silence()
        continuation.finish()
        #expect(await untilRoom() == ["stored", "room"])
    }

    @Test func `unreadable pictures are reported once, until one is read`() async throws {
        let directory = try TemporaryDirectory()
        // The program fails twice, reads one picture, and fails again.
        let count = directory.file("count")
        try directory.write("#!/bin/sh\necho x >>\(count)\n[ $(wc -l <\(count)) = 3 ] && echo end\n", to: "program")
        chmod(directory.file("program"), 0o700)
        let journal = Journal(writer: log)
        let worker = worker(directory, MetadataReader(program: directory.file("program")), journal: journal)
        for id: UInt32 in 1...4 {
            for job in [Self.begin(id), Self.bytes(id), Self.finish(id)] { worker.submit(job) }
        }
        worker.submit(.checkRoom)
        #expect(await untilRoom() == ["stored", "stored", "stored", "stored", "room"])
        worker.finish(within: .seconds(20), whole: .zero)
        journal.finish()
        let told = ["A.JPG", "A-4.JPG"].map {
            "other/\($0) and later pictures are stored but not checked: bracketd-exif ended with 1."
        }
        #expect(log.all == told)
    }
}
