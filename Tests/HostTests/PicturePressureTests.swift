import Cameras
import Controller
import NIOCore
import Testing

@testable import Host

/// Pictures that arrive faster than the disk writes them.
struct PicturePressureTests {
    private typealias Fixture = PictureStoreFixture

    @Test func `a slow disk pauses the camera, and later resumes it`() async throws {
        let gate = try Gate()
        let fixture = try await Fixture(gate.directory, reader: gate.reader)
        // The disk's thread waits at the gate, as it would wait for a slow disk.
        try await fixture.perform(1, .begin(Fixture.destination(), offset: 0), Fixture.bytes("x"), .finish)
        try await fixture.perform(2, .begin(Fixture.destination(), offset: 0))
        let chunk = PictureEffect.bytes(ByteBuffer(repeating: 2, count: PictureStore.chunkSize))
        for _ in 1..<PictureWorker.chunksHigh { try await fixture.perform(2, chunk) }
        try await fixture.perform(2, chunk)
        #expect(await fixture.next() == .pressure(true))
        // The worker still accepts bytes that were read before the pause.
        try await fixture.perform(2, chunk, .finish)
        try gate.open()
        guard case .stored = await fixture.outcome(1) else {
            Issue.record("not stored")
            return
        }
        #expect(await fixture.next() == .pressure(false))
        try gate.open()
        guard case .stored(let picture) = await fixture.outcome(2) else {
            Issue.record("not stored")
            return
        }
        #expect(picture.byteCount == UInt64((PictureWorker.chunksHigh + 1) * PictureStore.chunkSize))
        try await fixture.stop()
    }

    @Test func `a camera that is paused too late loses its picture, and memory stays bounded`() async throws {
        let gate = try Gate()
        let fixture = try await Fixture(gate.directory, reader: gate.reader)
        try await fixture.perform(1, .begin(Fixture.destination(), offset: 0), Fixture.bytes("x"), .finish)
        try await fixture.perform(2, .begin(Fixture.destination(), offset: 0))
        let chunk = PictureEffect.bytes(ByteBuffer(repeating: 2, count: PictureStore.chunkSize))
        for _ in 0..<(2 * PictureStore.chunksMax) { try await fixture.perform(2, chunk) }
        try await fixture.perform(2, .finish)
        #expect(await fixture.next() == .pressure(true))
        let sentence = "the disk of \(fixture.root) is slower than the transfer from the camera"
        #expect(await fixture.outcome(2) == .failed(sentence: sentence, isFull: false))
        #expect(await fixture.next() == .pressure(false))
        try gate.open()
        _ = await fixture.outcome(1)
        try await fixture.settle()
        #expect(fixture.files.count == 1)
        try await fixture.stop()
    }

    @Test func `a disk that hangs costs the picture, not the camera`() async throws {
        let gate = try Gate()
        let fixture = try await Fixture(gate.directory, reader: gate.reader, holdMax: .milliseconds(20))
        try await fixture.perform(1, .begin(Fixture.destination(), offset: 0), Fixture.bytes("x"), .finish)
        let chunk = PictureEffect.bytes(ByteBuffer(repeating: 2, count: PictureStore.chunkSize))
        let sentence = "the disk of \(fixture.root) is too slow: the camera waited 0.02 seconds"
        // The requests come one after the other, and none increases the queue.
        for id: UInt32 in 2..<12 {
            try await fixture.perform(id, .begin(Fixture.destination(), offset: 0))
            for _ in 0..<PictureWorker.chunksHigh { try await fixture.perform(id, chunk) }
            #expect(await fixture.next() == .pressure(true))
            #expect(await fixture.outcome(id) == .failed(sentence: sentence, isFull: false))
            #expect(await fixture.next() == .pressure(false))
            try await fixture.perform(id, chunk, .finish)
        }
        try gate.open()
        guard case .stored = await fixture.outcome(1) else {
            Issue.record("not stored")
            return
        }
        try await fixture.perform { $0.checkRoom() }
        // The store reports nothing more about the other pictures.
        #expect(await fixture.next() == .input(.room(isThere: true)))
        #expect(fixture.files.count == 1)
        try await fixture.stop()
    }

    @Test func `the bytes of a camera that closes while it is paused are kept`() async throws {
        let gate = try Gate()
        let fixture = try await Fixture(gate.directory, reader: gate.reader)
        try await fixture.perform(1, .begin(Fixture.destination(), offset: 0), Fixture.bytes("x"), .finish)
        try await fixture.perform(2, .begin(Fixture.destination(), offset: 0))
        // 7 MiB is more than a socket buffer holds: 6 MiB (tcp(7), tcp_rmem).
        try await fixture.perform(2, .bytes(ByteBuffer(repeating: 2, count: 7 << 20)), .finish)
        for _ in 0..<2 { try gate.open() }
        while let event = await fixture.next() {
            guard case .input(.picture(.init(rawValue: 2), let outcome)) = event else { continue }
            guard case .stored(let picture) = outcome else {
                Issue.record("\(outcome)")
                break
            }
            #expect(picture.byteCount == 7 << 20)
            break
        }
        try await fixture.stop()
    }
}
