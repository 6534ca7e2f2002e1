import Cameras
import Exposure
import NIOCore
import PTP
import Testing

/// Tests pictures that are interrupted and resumed, and the effects of a full disk.
struct SonyTransferTests {
    private let fast: ShutterSpeed
    private let file = ObjectInfo.file("DSC1.JPG", size: 1000, date: "20260101T120000")
    private let noRoom = CameraFailure.other(
        "This computer cannot store pictures now, and some pictures exist only in the camera. "
            + "See `bracketctl status`."
    )

    init() throws {
        fast = try .named("1/60")
    }

    /// A bench whose first transfer of a picture is interrupted in this way.
    private func bench(
        _ breaks: [ScriptedBody.Break],
        _ change: (inout ScriptedBody) -> Void = { _ in }
    ) throws -> DriverBench {
        try .keeping(.jpeg) { body in
            body.operations = [.getPartialObject]
            body.nextFiles = [file]
            body.breaks = breaks
            change(&body)
        }
    }

    /// Fires a frame during which the link breaks.
    private func breakLink(_ bench: DriverBench) {
        bench.perform(.capture(fast))
        bench.run(until: { !$0.losses.isEmpty })
        #expect(bench.losses.count == 1)
        bench.forget()
    }

    // MARK: A link that breaks

    @Test(arguments: [1, 400, 999])
    func `a picture that was cut off with the link resumes at the same byte`(count: Int) throws {
        let bench = try bench([.link(after: count)])
        let ticket = bench.perform(.capture(fast))
        bench.run(until: { !$0.losses.isEmpty })
        #expect(bench.log.lines == ["begin 1 at 0", "interrupted 1"])
        bench.forget()
        bench.connect()
        bench.run(for: .seconds(1))
        #expect(bench.log.lines == ["begin 1 at 0", "interrupted 1", "begin 1 at \(count)", "end 1"])
        #expect(bench.fetches == ["from \(count), \(1000 - count)"])
        #expect(bench.log[1] == ScriptedBody.content(of: file))
        #expect(bench.log.infos.map(\.capture) == [ticket, ticket])
    }

    @Test func `a picture may be cut off more than once`() throws {
        let bench = try bench([.link(after: 300), .link(after: 200), .link(after: 100)])
        breakLink(bench)
        for _ in 0..<2 {
            bench.connect()
            bench.run(until: { !$0.losses.isEmpty })
            bench.forget()
        }
        bench.connect()
        bench.run(for: .seconds(1))
        #expect(bench.log.lines.suffix(2) == ["begin 1 at 600", "end 1"])
        #expect(bench.log[1] == ScriptedBody.content(of: file))
    }

    @Test func `a body that sends the rest in parts is asked until the file is complete`() throws {
        let bench = try bench([.link(after: 300)]) { $0.partMax = 250 }
        breakLink(bench)
        bench.connect()
        bench.run(for: .seconds(1))
        #expect(bench.fetches == ["from 300, 700", "from 550, 450", "from 800, 200"])
        #expect(bench.log.lines == ["begin 1 at 0", "interrupted 1", "begin 1 at 300", "end 1"])
        #expect(bench.log[1] == ScriptedBody.content(of: file))
    }

    @Test func `a picture whose bytes all arrived is whole, and is dropped if the body still has it`() throws {
        let bench = try bench([.link(after: 1000)])
        breakLink(bench)
        #expect(bench.log.lines == ["begin 1 at 0", "end 1"])
        #expect(bench.log[1] == ScriptedBody.content(of: file))
        bench.connect()
        #expect(bench.finish(bench.perform(.awaitIdle)).last == .idle)
        #expect(bench.body.files.isEmpty)
        #expect(bench.log.lines == ["begin 1 at 0", "end 1"])
    }

    @Test func `a picture that is gone after the link broke is abandoned`() throws {
        let bench = try bench([.link(after: 300)])
        breakLink(bench)
        bench.body.removeFiles()
        bench.connect()
        bench.run(for: .seconds(1))
        #expect(bench.log.lines == ["begin 1 at 0", "interrupted 1", "abandoned 1"])
    }

    @Test(arguments: ["name", "size", "format", "date"])
    func `another file in its place is another picture`(difference: String) throws {
        let bench = try bench([.link(after: 300)])
        breakLink(bench)
        var other = file
        switch difference {
        case "name": other.filename = "DSC2.JPG"
        case "size": other.compressedSize = 1001
        case "format": other.format = 0xB110
        default: other.captureDate = "20260101T120001"
        }
        bench.body.removeFiles()
        bench.body.leave(other)
        bench.connect()
        bench.run(for: .seconds(1))
        #expect(
            bench.log.lines == ["begin 1 at 0", "interrupted 1", "abandoned 1", "begin 2 at 0", "end 2"]
        )
        #expect(bench.log[2] == ScriptedBody.content(of: other))
        #expect(bench.fetches == ["whole"])
    }

    @Test func `another body's file is another picture`() throws {
        let bench = try bench([.link(after: 300)])
        breakLink(bench)
        bench.body.serialNumber = "9999"
        bench.connect()
        bench.run(for: .seconds(1))
        #expect(bench.log.lines.suffix(3) == ["abandoned 1", "begin 2 at 0", "end 2"])
        #expect(bench.log.infos.last?.capture == nil)
    }

    @Test func `a body that sends no parts sends the whole file again`() throws {
        let bench = try bench([.link(after: 300)]) { $0.operations = [] }
        breakLink(bench)
        bench.connect()
        bench.run(for: .seconds(1))
        #expect(bench.log.lines == ["begin 1 at 0", "interrupted 1", "abandoned 1", "begin 2 at 0", "end 2"])
        #expect(bench.fetches == ["whole"])
    }

    @Test func `a rest that is refused is not requested again`() throws {
        let bench = try bench([.link(after: 300), .answer(.parameterNotSupported, after: 0)])
        breakLink(bench)
        bench.connect()
        bench.run(for: .seconds(1))
        #expect(bench.fetches == ["from 300, 700", "whole"])
        #expect(bench.log.lines == ["begin 1 at 0", "interrupted 1", "abandoned 1", "begin 2 at 0", "end 2"])
    }

    @Test func `a rest that the body is too busy for is requested again`() throws {
        let bench = try bench([.link(after: 300), .answer(.deviceBusy, after: 0)])
        breakLink(bench)
        bench.connect()
        bench.run(for: .seconds(1))
        #expect(bench.fetches == ["from 300, 700", "from 300, 700"])
        #expect(bench.log.lines == ["begin 1 at 0", "interrupted 1", "begin 1 at 300", "end 1"])
    }

    @Test func `to abandon the link in mid-picture keeps the bytes that arrived`() throws {
        let bench = try stalled()
        bench.perform(.abandon)
        #expect(bench.log.lines == ["begin 1 at 0", "interrupted 1"])
    }

    @Test func `the ordered end in mid-picture has a time limit and keeps the bytes that arrived`() throws {
        let bench = try stalled()
        let start = bench.now
        #expect(bench.finish(bench.perform(.disconnect)) == [.disconnected])
        #expect(bench.now - start == .milliseconds(2500))
        #expect(bench.log.lines == ["begin 1 at 0", "interrupted 1"])
        bench.forget()
        bench.body.isMute = false
        bench.connect()
        bench.run(for: .seconds(1))
        #expect(bench.log.lines == ["begin 1 at 0", "interrupted 1", "begin 1 at 400", "end 1"])
    }

    @Test func `a transfer without a byte for ten seconds is a lost link`() throws {
        let bench = try stalled()
        let start = bench.now
        bench.run(until: { !$0.losses.isEmpty })
        #expect(bench.now - start == .seconds(10))
        #expect(bench.log.lines == ["begin 1 at 0", "interrupted 1"])
    }

    /// A bench that has received 400 bytes of a picture. The body sends no more.
    private func stalled(_ change: (inout ScriptedBody) -> Void = { _ in }) throws -> DriverBench {
        let bench = try bench([], change)
        bench.perform(.capture(fast))
        bench.run(until: { $0.operations.contains("GetObjectInfo 0xFFFFC001") })
        bench.run(for: .milliseconds(1))
        bench.body.isMute = true
        bench.run(until: { !$0.fetches.isEmpty })
        let id = bench.requests.last?.request.transaction ?? 0
        var bytes = PTPIPPacket.startData(transaction: id, totalLength: 1000).encoded()
        bytes.writeMultipleIntegers(UInt32(12 + 1000), UInt32(10), id, endianness: .little)
        bytes.writeImmutableBuffer(try #require(ScriptedBody.content(of: file).getSlice(at: 0, length: 400)))
        bench.receive(.received(.command, bytes))
        return bench
    }

    @Test func `the ordered end between two parts of a picture keeps the bytes that arrived`() throws {
        let bench = try bench([.link(after: 300)]) { $0.partMax = 100 }
        breakLink(bench)
        bench.connect()
        bench.run(until: { $0.fetches.count == 2 })
        #expect(bench.finish(bench.perform(.disconnect)) == [.disconnected])
        #expect(bench.operations.last == "CloseSession")
        #expect(bench.log.lines.suffix(2) == ["begin 1 at 300", "interrupted 1"])
        bench.forget()
        bench.connect()
        bench.run(for: .seconds(1))
        #expect(bench.log.lines.last == "end 1")
        #expect(bench.log[1] == ScriptedBody.content(of: file))
    }

    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func `wherever a transfer is cut off, a picture is whole or abandoned, and none is lost`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let files = (1...4).map { ObjectInfo.file("DSC\($0).JPG", size: UInt32(1 + random.next() % 300)) }
        let bench = try bench([]) { body in
            body.operations = random.next() % 4 == 0 ? [] : [.getPartialObject]
            body.partMax = Int(1 + random.next() % 400)
        }
        bench.body.nextFiles = []
        for file in files { bench.body.leave(file) }
        bench.body.breaks = (0..<8).map { _ in
            let count = Int(random.next() % 300)
            return random.next() % 2 == 0 ? .link(after: count) : .answer(.incompleteTransfer, after: count)
        }
        bench.pieceSize = Int(20 + random.next() % 500)
        bench.announceFile()
        for _ in 0..<20 {
            bench.run(for: .seconds(10))
            if bench.losses.isEmpty { break }
            bench.forget()
            bench.connect()
        }
        #expect(bench.body.files.isEmpty)
        let log = bench.log
        #expect(log.lines.count(where: { $0.hasPrefix("end") }) == 4)
        #expect(Set(log.files.values) == Set(files.map(ScriptedBody.content(of:))))
    }

    // MARK: An answer that is cut off

    @Test(arguments: [ResponseCode.incompleteTransfer, .generalError, .deviceBusy, .ok])
    func `a transfer that the body cuts off resumes in the same session`(code: ResponseCode) throws {
        let bench = try bench([.answer(code, after: 600)])
        #expect(try bench.shoot().events.last == .idle)
        #expect(bench.losses.isEmpty)
        #expect(bench.fetches == ["whole", "from 600, 400"])
        #expect(bench.log.lines == ["begin 1 at 0", "interrupted 1", "begin 1 at 600", "end 1"])
        #expect(bench.log[1] == ScriptedBody.content(of: file))
    }

    @Test func `a file that is cut off again and again is dropped at last, and the frame continues`() throws {
        let breaks = [ScriptedBody.Break](repeating: .answer(.incompleteTransfer, after: 600), count: 21)
        let bench = try bench(breaks) { $0.operations = [] }
        #expect(try bench.shoot().events.last == .idle)
        #expect(bench.fetches.count == 22)
        #expect(!bench.log.lines.contains { $0.hasPrefix("end") })
        #expect(bench.log.lines.last == "abandoned 21")
        #expect(bench.body.files.isEmpty)
        bench.body.nextFiles = [.file("DSC2.JPG")]
        #expect(try bench.shoot().events.last == .idle)
        #expect(bench.log.lines.suffix(2) == ["begin 22 at 0", "end 22"])
    }

    @Test func `a file with all its bytes is a picture, whatever the response code says`() throws {
        let bench = try bench([.answer(.generalError, after: 1000)])
        #expect(try bench.shoot().events.last == .idle)
        #expect(bench.log.lines == ["begin 1 at 0", "end 1"])
        #expect(bench.body.files.isEmpty)
    }

    // MARK: No room

    private let both = PTPValue.uint16(SonySaveTarget.both.rawValue)

    @Test func `without room a picture that is also on the card is skipped, and no frame waits for it`() throws {
        let bench = try bench([]) { $0.set(.sonySaveTarget, both) }
        bench.perform(.keepPictures(PictureRequest(policy: .jpeg, hasRoom: false)))
        let frame = try bench.shoot()
        #expect(frame.events == [.shutterReleased, .captured, .saving, .idle])
        #expect(bench.log.lines == ["skipped DSC1.JPG noRoom"])
        #expect(bench.log.skipped.map(\.capture) == [frame.ticket])
    }

    /// The value 0x10 means the card on some bodies and the host on others.
    @Test(arguments: [SonySaveTarget.host, .card, SonySaveTarget(rawValue: 0x77)])
    func `without room a picture that may have no other copy stays in the camera until there is room`(
        target: SonySaveTarget
    ) throws {
        let bench = try bench([]) { $0.set(.sonySaveTarget, .uint16(target.rawValue)) }
        bench.perform(.keepPictures(PictureRequest(policy: .jpeg, hasRoom: false)))
        let ticket = bench.perform(.capture(fast))
        #expect(bench.finish(ticket).last == .failed(noRoom))
        #expect(bench.events(ticket).contains(.captured))
        #expect(bench.fetches.isEmpty)
        #expect(bench.body.files.count == 1)
        bench.perform(.keepPictures(PictureRequest(policy: .jpeg)))
        #expect(bench.finish(bench.perform(.awaitIdle)).last == .idle)
        #expect(bench.log.lines == ["begin 1 at 0", "end 1"])
        #expect(bench.log.infos.map(\.capture) == [ticket])
    }

    @Test func `a missing card holds nothing`() throws {
        let bench = try bench([]) {
            $0.set(.sonySaveTarget, both)
            $0.set(.sonySlot1Status, .uint8(2))
            $0.set(.sonySlot2Status, .uint8(2))
        }
        bench.perform(.keepPictures(PictureRequest(policy: .jpeg, hasRoom: false)))
        #expect(try bench.shoot().events.last == .failed(noRoom))
        #expect(bench.fetches.isEmpty)
    }

    @Test func `every command that needs an empty buffer reports what it waits for, in time`() throws {
        let bench = try bench([])
        bench.perform(.keepPictures(PictureRequest(policy: .jpeg, hasRoom: false)))
        _ = try bench.shoot()
        for command in [CameraCommand.setSpeed(fast), .capture(fast), .awaitIdle] {
            let start = bench.now
            #expect(bench.finish(bench.perform(command)).last == .failed(noRoom))
            #expect(bench.now - start >= .seconds(5))
            #expect(bench.now - start < .seconds(6))
        }
        // If no command waits, the driver reads the buffer only at intervals.
        bench.forget()
        bench.run(for: .seconds(60))
        #expect(bench.operations.count <= 31)
        #expect(Set(bench.operations) == ["SDIO_GetAllExtDevicePropInfo"])
    }

    @Test func `after a lost link a picture without room still proves its frame`() throws {
        let bench = try bench([])
        bench.perform(.keepPictures(PictureRequest(policy: .jpeg, hasRoom: false)))
        let ticket = bench.perform(.capture(fast))
        bench.run(until: { $0.buttonMoves.count == 2 })
        bench.receive(.closed(.command, reason: "reset"))
        bench.run(for: .seconds(2))
        bench.forget()
        bench.connect()
        #expect(bench.finish(bench.perform(.resolveCapture(shotsLeftBefore: 116))) == [.captureResolved(.fired)])
        bench.perform(.keepPictures(PictureRequest(policy: .jpeg)))
        #expect(bench.finish(bench.perform(.awaitIdle)).last == .idle)
        #expect(bench.log.infos.map(\.capture) == [ticket])
    }

    @Test func `a RAW that the policy excludes needs no room`() throws {
        let bench = try bench([]) {
            $0.nextFiles = [.file("DSC1.ARW", format: 0xB101)]
            $0.set(.sonySaveTarget, both)
        }
        bench.perform(.keepPictures(PictureRequest(policy: .jpeg, hasRoom: false)))
        #expect(try bench.shoot().events.last == .idle)
        #expect(bench.log.lines == ["skipped DSC1.ARW policy"])
    }

    @Test(arguments: [PictureRequest(policy: .jpeg, hasRoom: false), PictureRequest(policy: .none)])
    func `a request that changes in mid-picture lets the picture finish`(wish: PictureRequest) throws {
        let bench = try stalled { $0.set(.sonySaveTarget, both) }
        bench.perform(.keepPictures(wish))
        let rest = try #require(ScriptedBody.content(of: file).getSlice(at: 400, length: 600))
        bench.receive(.received(.command, rest))
        let id = bench.requests.last?.request.transaction ?? 0
        var end = PTPIPPacket.endData(transaction: id, payload: ByteBuffer()).encoded()
        PTPIPPacket.operationResponse(OperationResponse(code: .ok, transaction: id)).encode(into: &end)
        bench.body.isMute = false
        bench.body.removeFiles()
        bench.receive(.received(.command, end))
        bench.run(for: .seconds(1))
        #expect(bench.log.lines == ["begin 1 at 0", "end 1"])
        #expect(bench.log[1] == ScriptedBody.content(of: file))
    }

    @Test func `after the end of the picture request no rest is fetched`() throws {
        let bench = try bench([.link(after: 300)])
        breakLink(bench)
        bench.perform(.keepPictures(PictureRequest(policy: .none)))
        #expect(bench.log.lines == ["begin 1 at 0", "interrupted 1", "abandoned 1"])
        bench.connect()
        #expect(bench.finish(bench.perform(.awaitIdle)).last == .idle)
        #expect(bench.fetches == ["whole"])
    }
}
