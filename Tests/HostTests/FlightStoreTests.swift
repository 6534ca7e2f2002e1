import Dispatch
import Glibc
import Logging
import NIOCore
import Synchronization
import Testing

@testable import Host

struct FlightStoreTests {
    private final class Lines: JournalWriter {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func write(_ record: JournalRecord) { lines.withLock { $0.append(record.message) } }
    }

    /// A store, and a journal whose entries are read after the end of the store.
    private final class Fixture {
        let directory: TemporaryDirectory
        let store: FlightStore
        private let journal: Journal
        private let lines = Lines()

        init(path: String? = nil, freeBytesMin: UInt64 = 0) throws {
            directory = try TemporaryDirectory()
            journal = Journal(writer: lines)
            let files = FlightFiles(
                directory: path ?? directory.file("flight"),
                limits: FlightLimits(fileCountMax: 9, fileSize: 100_000_000),
                freeBytesMin: freeBytesMin
            )
            store = FlightStore(files, logger: Logger(journal: journal))
        }

        func append(_ text: String, part: Int = 0, isUrgent: Bool = false) -> Bool {
            store.append(ByteBuffer(string: text), part: part, isUrgent: isUrgent)
        }

        /// Ends the store.
        ///
        /// - Returns: the journal's entries.
        func end() -> [String] {
            store.finish()
            journal.finish()
            return lines.all
        }

        /// Polls until the file has this content. Returns false at the time limit.
        func awaits(_ content: String, of name: String) -> Bool {
            for _ in 0..<2000 {
                if directory.read("flight/\(name)") == content { return true }
                poll(nil, 0, 5)
            }
            return false
        }
    }

    @Test func `records are written to their part, in order, without a flush`() throws {
        let fixture = try Fixture()
        #expect(fixture.append("one "))
        #expect(fixture.append("two"))
        #expect(fixture.append("three", part: 1))
        #expect(fixture.awaits("one two", of: "flight-000001-0000.rec"))
        #expect(fixture.awaits("three", of: "flight-000001-0001.rec"))
        #expect(fixture.append(" four", part: 1, isUrgent: true))
        #expect(fixture.awaits("three four", of: "flight-000001-0001.rec"))
        #expect(fixture.end().count == 1)
    }

    @Test func `the end writes waiting records`() throws {
        let fixture = try Fixture()
        for _ in 0..<100 { #expect(fixture.append("x")) }
        #expect(fixture.end().count == 1)
        #expect(fixture.directory.read("flight/flight-000001-0000.rec")?.count == 100)
        #expect(!fixture.append("y"))
    }

    /// The jobs of a store's thread, with a signal for each sync.
    private final class Jobs: Sendable {
        private let list = Mutex<[String]>([])
        private let synced = DispatchSemaphore(value: 0)
        var all: [String] { list.withLock { $0 } }

        func note(_ job: FlightStore.Job) {
            switch job {
            case .write(let bytes, let part): list.withLock { $0.append("\(part): \(String(buffer: bytes))") }
            case .sync:
                list.withLock { $0.append("sync") }
                synced.signal()
            }
        }

        /// Waits for the next sync. Returns false after a minute.
        func awaitSync() -> Bool { synced.wait(timeout: .now() + 60) == .success }
    }

    @Test func `the first records are synced at once, later ones at the interval, the last ones at the end`() {
        let jobs = Jobs()
        let store = FlightStore(logger: Logger(journal: Journal(writer: Lines())), syncInterval: .seconds(3600)) {
            jobs.note($0)
            return []
        }
        #expect(store.append(ByteBuffer(string: "one"), part: 0, isUrgent: true))
        #expect(jobs.awaitSync())
        #expect(jobs.all == ["0: one", "sync"])
        #expect(store.append(ByteBuffer(string: "two"), part: 0, isUrgent: true))
        store.finish(within: .seconds(60))
        #expect(jobs.all == ["0: one", "sync", "0: two", "sync"])
    }

    @Test func `the last records are synced although none follow`() {
        let jobs = Jobs()
        let store = FlightStore(logger: Logger(journal: Journal(writer: Lines())), syncInterval: .milliseconds(100)) {
            jobs.note($0)
            return []
        }
        // The writes are urgent, so each is written before the next sync is due.
        for text in ["one", "two", "three"] {
            #expect(store.append(ByteBuffer(string: text), part: 0, isUrgent: true))
            #expect(jobs.awaitSync())
        }
        #expect(jobs.all == ["0: one", "sync", "0: two", "sync", "0: three", "sync"])
        store.finish(within: .seconds(60))
        #expect(jobs.all.count == 6)
    }

    @Test func `a disk that cannot sync is reported once, and ends the recording`() {
        let lines = Lines()
        let journal = Journal(writer: lines)
        let jobs = Jobs()
        let store = FlightStore(logger: Logger(journal: journal)) { (job) throws(FlightFailure) in
            jobs.note(job)
            if case .sync = job { throw FlightFailure(sentence: "It is broken.") }
            return []
        }
        #expect(store.append(ByteBuffer(string: "x"), part: 0, isUrgent: true))
        store.finish(within: .seconds(60))
        journal.finish()
        #expect(jobs.all == ["0: x", "sync"])
        #expect(lines.all == ["\(RecorderSentences.recordingEnds) It is broken."])
    }

    @Test func `an unused store makes no files`() throws {
        let fixture = try Fixture()
        #expect(fixture.end() == [])
        #expect(!fixture.directory.exists("flight"))
    }

    @Test func `a folder that cannot be written is reported once, and ends the recording`() throws {
        let fixture = try Fixture(path: "/proc/self/flight")
        var count = 0
        while fixture.append("x", isUrgent: true), count < 2000 {
            count += 1
            poll(nil, 0, 5)
        }
        #expect(count < 2000)
        #expect(!fixture.append("x"))
        let lines = fixture.end()
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("\(RecorderSentences.recordingEnds) /proc/self/flight cannot be used: ") == true)
    }

    @Test func `a disk that hangs costs limited memory, is reported once, and leaves no gap`() {
        let lines = Lines()
        let journal = Journal(writer: lines)
        let mayWrite = DispatchSemaphore(value: 0)
        let written = Mutex(0)
        let store = FlightStore(logger: Logger(journal: journal)) { job in
            guard case .write(let bytes, _) = job else { return [] }
            mayWrite.wait()
            mayWrite.signal()
            written.withLock { $0 += bytes.readableBytes }
            return []
        }
        let piece = ByteBuffer(repeating: 7, count: FlightStore.waitingMax / 4)
        var taken = 0
        while store.append(piece, part: 0, isUrgent: true), taken < 100 { taken += 1 }
        // Entries that the thread has already taken do not count as waiting.
        #expect((4...8).contains(taken))
        #expect(!store.append(ByteBuffer(string: "later"), part: 0, isUrgent: true))
        mayWrite.signal()
        store.finish(within: .seconds(60))
        journal.finish()
        #expect(written.withLock { $0 } == taken * piece.readableBytes)
        #expect(lines.all == [RecorderSentences.diskTooSlow])
    }

    @Test func `the end does not wait forever`() {
        let mayWrite = DispatchSemaphore(value: 0)
        let store = FlightStore(logger: Logger(journal: Journal(writer: Lines()))) { _ in
            mayWrite.wait()
            return []
        }
        #expect(store.append(ByteBuffer(string: "x"), part: 0, isUrgent: true))
        store.finish(within: .milliseconds(1))
        mayWrite.signal()
    }

    @Test func `after a failure nothing is written, because it would follow a gap`() {
        let lines = Lines()
        let journal = Journal(writer: lines)
        let mayWrite = DispatchSemaphore(value: 0)
        let parts = Mutex<[Int]>([])
        let store = FlightStore(logger: Logger(journal: journal)) { (job) throws(FlightFailure) in
            guard case .write(_, let part) = job else { return [] }
            mayWrite.wait()
            mayWrite.signal()
            parts.withLock { $0.append(part) }
            if part == 1 { throw FlightFailure(sentence: "It is broken.") }
            return []
        }
        for part in 0...3 { #expect(store.append(ByteBuffer(string: "x"), part: part, isUrgent: true)) }
        mayWrite.signal()
        store.finish(within: .seconds(60))
        journal.finish()
        #expect(parts.withLock { $0 } == [0, 1])
        #expect(lines.all == ["\(RecorderSentences.recordingEnds) It is broken."])
    }
}
