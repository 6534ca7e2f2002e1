import Cameras
import Flight
import Logging
import NIOCore
import Synchronization
import Testing

@testable import Controller
@testable import Host

struct FlightRecorderTests {
    private struct Silent: JournalWriter {
        func write(_ record: JournalRecord) {}
    }

    /// A recorder with a store that keeps the bytes of each part.
    private final class Fixture {
        let recorder: FlightRecorder
        let store: FlightStore
        private final class Parts: Sendable {
            let parts = Mutex<[Int: ByteBuffer]>([:])
        }
        private let kept = Parts()

        init(fileSize: Int, failsAtPart: Int = .max) {
            let kept = kept
            store = FlightStore(logger: Logger(journal: Journal(writer: Silent()))) {
                (job) throws(FlightFailure) in
                guard case .write(let bytes, let part) = job else { return [] }
                if part >= failsAtPart { throw FlightFailure(sentence: "It is broken.") }
                _ = kept.parts.withLock { $0[part, default: ByteBuffer()].writeImmutableBuffer(bytes) }
                return []
            }
            let header = FlightHeader(Configuration(), clock: DaemonClock())
            recorder = FlightRecorder(header, fileSize: fileSize, store: store)
        }

        /// Ends the store without the recorder, like the end of a process.
        ///
        /// - Returns: the number of bytes that reached the store.
        func kill() -> Int {
            store.finish(within: .seconds(60))
            return kept.parts.withLock { parts in parts.values.reduce(0) { $0 + $1.readableBytes } }
        }

        /// Ends the recorder and the store.
        ///
        /// - Returns: the files of the run, decoded.
        func read() throws -> [(header: FlightHeader, size: Int, records: [FlightRecord])] {
            recorder.end()
            store.finish(within: .seconds(60))
            return try kept.parts.withLock { $0 }.sorted { $0.key < $1.key }.map { _, bytes in
                var reader = try FlightReader(bytes)
                var records: [FlightRecord] = []
                while let record = try reader.next() { records.append(record) }
                #expect(reader.tornByteCount == 0)
                return (reader.header, bytes.readableBytes, records)
            }
        }
    }

    private static func input(_ number: UInt64) -> Input { .requestCancelled(RequestID(rawValue: number)) }

    @Test func `recorded inputs are read back, without our identity for cameras`() throws {
        let fixture = Fixture(fileSize: 1_000_000)
        let entry = JournalEntry(
            level: .info,
            kind: .transition,
            message: "On.",
            fields: [.init("CHART", "network"), .init("FROM", "down"), .init("TO", "joined"), .init("EVENT", "up")]
        )
        fixture.recorder.note(.started, at: .seconds(1), [.journal(entry), .status("One.")])
        fixture.recorder.handOver()
        fixture.recorder.note(Self.input(7), at: .seconds(2), [])
        let files = try fixture.read()
        #expect(files.count == 1)
        #expect(files[0].header.configuration.identity.guid == [UInt8](repeating: 0, count: 16))
        #expect(files[0].header.charts == Core.chartDigests)
        #expect(files[0].records.map(\.content) == [.input(.started), .input(Self.input(7))])
        #expect(files[0].records[0].transitions.map(\.to) == ["joined"])
        #expect(files[0].records.map(\.time) == [.seconds(1), .seconds(2)])
    }

    @Test func `routine inputs wait in memory for another input, so that a daemon at rest writes nothing`() throws {
        func fixture(_ lamp: LampSignal = .ready) -> Fixture {
            let fixture = Fixture(fileSize: 1_000_000)
            for number in 1...100 {
                fixture.recorder.note(.deadline, at: .seconds(number), number == 1 ? [.lamp(lamp)] : [])
                fixture.recorder.handOver()
            }
            return fixture
        }
        #expect(fixture().kill() == 0)
        #expect(fixture(.exposing).kill() > 0)
        let woken = fixture()
        woken.recorder.note(Self.input(7), at: .seconds(101), [])
        woken.recorder.handOver()
        #expect(woken.kill() > 0)
        #expect(try fixture().read().flatMap(\.records).count == 100)
    }

    @Test func `a burst of routine inputs is written when it fills a batch`() {
        let fixture = Fixture(fileSize: 100_000_000)
        for number in 1...FlightStore.batchSize {
            fixture.recorder.note(.deadline, at: .seconds(number), number == 1 ? [.lamp(.ready)] : [])
            fixture.recorder.handOver()
        }
        #expect(fixture.kill() >= FlightStore.batchSize)
    }

    @Test func `a full file is followed by the next one without a gap`() throws {
        let fixture = Fixture(fileSize: 2000)
        for number in 1...3000 as ClosedRange<UInt64> {
            fixture.recorder.note(Self.input(number), at: .milliseconds(Int(number)), [])
            if number % 10 == 0 { fixture.recorder.handOver() }
        }
        let files = try fixture.read()
        #expect(files.count > 3)
        #expect(files.map(\.header.part) == Array(0..<files.count))
        #expect(files.dropLast().allSatisfy { (2000..<2300).contains($0.size) })
        let all = files.flatMap(\.records)
        #expect(all.map(\.number) == Array(1...3000))
        #expect(all.map(\.content) == (1...3000 as ClosedRange<UInt64>).map { .input(Self.input($0)) })
    }

    @Test func `recording ends when the store accepts no more`() throws {
        let fixture = Fixture(fileSize: 2000, failsAtPart: 1)
        for number in 1...2_000_000 as ClosedRange<UInt64> {
            fixture.recorder.note(Self.input(number), at: .milliseconds(Int(number)), [])
            fixture.recorder.handOver()
            if fixture.recorder.isOver { break }
        }
        #expect(fixture.recorder.isOver)
        #expect(try fixture.read().count == 1)
    }
}
