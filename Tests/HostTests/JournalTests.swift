import Glibc
import Logging
import Synchronization
import Testing

@testable import Controller
@testable import Host

struct JournalTests {
    /// Records entries. It can also block, like a journal that does not answer.
    private final class Recorder: JournalWriter {
        private let records = Mutex<[JournalRecord]>([])
        private let gate = Mutex(())
        var messages: [String] { records.withLock { $0.map(\.message) } }
        var all: [JournalRecord] { records.withLock { $0 } }

        func write(_ record: JournalRecord) {
            gate.withLock { _ in records.withLock { $0.append(record) } }
        }

        func holdingUp<Result>(_ body: () throws -> Result) rethrows -> Result { try gate.withLock { _ in try body() } }
    }

    private func record(_ message: String, _ priority: JournalRecord.Priority = .info) -> JournalRecord {
        JournalRecord(priority: priority, message: message)
    }

    @Test func `entries are written in order, those of enough importance`() {
        let recorder = Recorder()
        let journal = Journal(writer: recorder, minimumPriority: .info)
        for number in 0..<500 { journal.write(record("\(number)", number % 2 == 0 ? .notice : .debug)) }
        journal.finish(within: .seconds(20))
        #expect(recorder.messages == stride(from: 0, to: 500, by: 2).map(String.init))
    }

    @Test func `a journal that hangs delays nothing, and later gets the number of missed entries`() {
        let recorder = Recorder()
        let journal = Journal(writer: recorder)
        recorder.holdingUp {
            for number in 0..<(3 * Journal.waitingMax) { journal.write(record("\(number)")) }
        }
        journal.finish(within: .seconds(20))
        let messages = recorder.messages
        let lost = messages.compactMap { message in
            message.hasSuffix("lost: the journal was too slow.") ? Int(message.prefix { $0 != " " }) : nil
        }
        let written = messages.count - lost.count
        #expect(!lost.isEmpty)
        #expect(written + lost.reduce(0, +) == 3 * Journal.waitingMax)
        // The waiting entries and those that the thread had taken are kept, and no others.
        #expect(written <= 2 * Journal.waitingMax)
    }

    @Test func `the end waits no longer than its limit`() {
        let recorder = Recorder()
        let journal = Journal(writer: recorder)
        recorder.holdingUp {
            journal.write(record("stuck"))
            journal.finish(within: .milliseconds(1))
        }
    }

    @Test func `an entry of the core keeps its fields and their order`() {
        let entry = JournalEntry(
            level: .notice,
            kind: .shootPaused,
            message: "Paused.",
            fields: [.init("SHOOT", "3"), .init("CAUSE", "link-lost"), .init("A", "x")]
        )
        #expect(
            JournalRecord(entry).journalFields == [
                "MESSAGE=Paused.", "PRIORITY=5", "MESSAGE_ID=\(JournalEntry.Kind.shootPaused.messageID)",
                "BRACKETD_SHOOT=3", "BRACKETD_CAUSE=link-lost", "BRACKETD_A=x",
            ]
        )
        #expect(JournalRecord(entry).line == "Paused. {SHOOT=3 CAUSE=link-lost A=x}")
    }

    @Test func `a line stays one line and its fields stay distinct`() {
        let fields = [("TO", "a b"), ("FROM", ""), ("X", "\"}\n")].map { JournalRecord.Field($0.0, $0.1) }
        let record = JournalRecord(priority: .info, message: "two\nlines", fields: fields)
        #expect(record.line == #"two lines {TO="a b" FROM="" X="\"} "}"#)
    }

    @Test func `no text forges a log line or a journal field, or controls a terminal`() {
        let hostile = "x\r\n2026-01-01 error forged\u{1B}[2J\u{202E}\u{9B}"
        let record = JournalRecord(priority: .info, message: hostile, fields: [.init("CAMERA", hostile)])
        let shown = "x? 2026-01-01 error forged?[2J??"
        #expect(record.line == "\(shown) {CAMERA=\"\(shown)\"}")
        for field in record.journalFields {
            #expect(!field.unicodeScalars.contains { ["\r", "\u{1B}", "\u{202E}", "\u{9B}"].contains($0) })
        }
        let entry = JournalRecord(JournalEntry(level: .info, kind: .note, message: hostile))
        #expect(entry.line == shown)
        let long = JournalRecord(priority: .info, message: String(repeating: "y", count: 1 << 20))
        #expect(long.line.utf8.count < 1 << 15)
    }

    @Test func `every kind has a MESSAGE_ID of its own`() {
        let ids = JournalEntry.Kind.allCases.map(\.messageID)
        #expect(Set(ids).count == ids.count)
        for id in ids { #expect(id.count == 32 && id.allSatisfy { $0.isHexDigit && !$0.isUppercase }) }
    }

    @Test func `a log message becomes an entry with its metadata as fields`() {
        let recorder = Recorder()
        let journal = Journal(writer: recorder)
        var logger = Logger(journal: journal)
        logger[metadataKey: "part"] = "links"
        logger.warning("Slow.", metadata: ["bytes-left": "7"])
        journal.finish(within: .seconds(20))
        let fields = [JournalRecord.Field("BYTES_LEFT", "7"), .init("PART", "links")]
        #expect(recorder.all == [JournalRecord(priority: .warning, message: "Slow.", fields: fields)])
    }

    @Test func `the journal's native protocol is used only if standard error is the journal`() {
        var status = stat()
        #expect(fstat(STDERR_FILENO, &status) == 0)
        #expect(JournaldWriter.isAvailable(journalStream: "\(status.st_dev):\(status.st_ino)"))
        for stream in [nil, "", "1", "a:b", "\(status.st_dev):\(status.st_ino + 1)", "1:2:3"] {
            #expect(!JournaldWriter.isAvailable(journalStream: stream))
        }
    }
}
