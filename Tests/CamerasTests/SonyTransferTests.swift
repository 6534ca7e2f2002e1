import Cameras
import Exposure
import NIOCore
import PTP
import Testing

/// Pictures that break off and go on, and what happens when there is no room for them.
struct SonyTransferTests {
    private let fast: ShutterSpeed
    private let file = ObjectInfo.file("DSC1.JPG", size: 1000, date: "20260101T120000")
    private let noRoom = CameraFailure.other(
        "This computer cannot store pictures now, and the camera holds pictures that are nowhere else. "
            + "See `bracketctl status`."
    )

    init() throws {
        fast = try .named("1/60")
    }

    /// A bench whose first picture breaks off like this.
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

    /// Fires a frame whose link breaks.
    private func breakLink(_ bench: DriverBench) {
        bench.perform(.capture(fast))
        bench.run(until: { !$0.losses.isEmpty })
        #expect(bench.losses.count == 1)
        bench.forget()
    }

    // MARK: A link that breaks

    @Test(arguments: [1, 400, 999])
    func `a picture that broke off with the link goes on where it was`(count: Int) throws {
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

    @Test func `a picture may break off more than once`() throws {
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

    @Test func `a body that sends its rest in parts is asked until it is whole`() throws {
        let bench = try bench([.link(after: 300)]) { $0.partMax = 250 }
        breakLink(bench)
        bench.connect()
        bench.run(for: .seconds(1))
        #expect(bench.fetches == ["from 300, 700", "from 550, 450", "from 800, 200"])
        #expect(bench.log.lines == ["begin 1 at 0", "interrupted 1", "begin 1 at 300", "end 1"])
        #expect(bench.log[1] == ScriptedBody.content(of: file))
    }

    @Test func `a picture whose bytes all came is whole, and dropped when the body still has it`() throws {
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

    @Test func `a body that does not give parts gives the whole file again`() throws {
        let bench = try bench([.link(after: 300)]) { $0.operations = [] }
        breakLink(bench)
        bench.connect()
        bench.run(for: .seconds(1))
        #expect(bench.log.lines == ["begin 1 at 0", "interrupted 1", "abandoned 1", "begin 2 at 0", "end 2"])
        #expect(bench.fetches == ["whole"])
    }

    @Test func `a rest that is refused is not asked for again`() throws {
        let bench = try bench([.link(after: 300), .answer(.parameterNotSupported, after: 0)])
        breakLink(bench)
        bench.connect()
        bench.run(for: .seconds(1))
        #expect(bench.fetches == ["from 300, 700", "whole"])
        #expect(bench.log.lines == ["begin 1 at 0", "interrupted 1", "abandoned 1", "begin 2 at 0", "end 2"])
    }

    @Test func `a rest that the body is too busy for is asked for again`() throws {
        let bench = try bench([.link(after: 300), .answer(.deviceBusy, after: 0)])
        breakLink(bench)
        bench.connect()
        bench.run(for: .seconds(1))
        #expect(bench.fetches == ["from 300, 700", "from 300, 700"])
        #expect(bench.log.lines == ["begin 1 at 0", "interrupted 1", "begin 1 at 300", "end 1"])
    }

    @Test func `abandoning the link in mid-picture keeps what came`() throws {
        let bench = try stalled()
        bench.perform(.abandon)
        #expect(bench.log.lines == ["begin 1 at 0", "interrupted 1"])
    }

    @Test func `the ordered end in mid-picture is bounded and keeps what came`() throws {
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

    /// A picture of which 400 bytes came, and then nothing.
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

    @Test func `the ordered end between two parts of a picture keeps what came`() throws {
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
    func `whatever breaks off where, a picture is whole or abandoned, and none is lost`(seed: UInt64) throws {
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

    // MARK: An answer that breaks off

    @Test(arguments: [ResponseCode.incompleteTransfer, .generalError, .deviceBusy, .ok])
    func `a transfer that the body breaks off goes on in the same session`(code: ResponseCode) throws {
        let bench = try bench([.answer(code, after: 600)])
        #expect(try bench.shoot().events.last == .idle)
        #expect(bench.losses.isEmpty)
        #expect(bench.fetches == ["whole", "from 600, 400"])
        #expect(bench.log.lines == ["begin 1 at 0", "interrupted 1", "begin 1 at 600", "end 1"])
        #expect(bench.log[1] == ScriptedBody.content(of: file))
    }

    @Test func `a file that breaks off again and again is dropped in the end, and the frame goes on`() throws {
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

    @Test func `bytes that are all there are a picture, whatever the code says`() throws {
        let bench = try bench([.answer(.generalError, after: 1000)])
        #expect(try bench.shoot().events.last == .idle)
        #expect(bench.log.lines == ["begin 1 at 0", "end 1"])
        #expect(bench.body.files.isEmpty)
    }

    // MARK: No room

    private let both = PTPValue.uint16(SonySaveTarget.both.rawValue)

    @Test func `without room a picture that is on the card too is skipped, and no frame waits for it`() throws {
        let bench = try bench([]) { $0.set(.sonySaveTarget, both) }
        bench.perform(.keepPictures(PictureRequest(policy: .jpeg, hasRoom: false)))
        let frame = try bench.shoot()
        #expect(frame.events == [.shutterReleased, .captured, .saving, .idle])
        #expect(bench.log.lines == ["skipped DSC1.JPG noRoom"])
        #expect(bench.log.skipped.map(\.capture) == [frame.ticket])
    }

    /// 0x10 is the card to some and the host to others.
    @Test(arguments: [SonySaveTarget.host, .card, SonySaveTarget(rawValue: 0x77)])
    func `without room a picture that may be nowhere else stays in the camera until there is`(
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

    @Test func `a card that is not there holds nothing`() throws {
        let bench = try bench([]) {
            $0.set(.sonySaveTarget, both)
            $0.set(.sonySlot1Status, .uint8(2))
            $0.set(.sonySlot2Status, .uint8(2))
        }
        bench.perform(.keepPictures(PictureRequest(policy: .jpeg, hasRoom: false)))
        #expect(try bench.shoot().events.last == .failed(noRoom))
        #expect(bench.fetches.isEmpty)
    }

    @Test func `every command that needs an empty buffer says what it waits for, in time`() throws {
        let bench = try bench([])
        bench.perform(.keepPictures(PictureRequest(policy: .jpeg, hasRoom: false)))
        _ = try bench.shoot()
        for command in [CameraCommand.setSpeed(fast), .capture(fast), .awaitIdle] {
            let start = bench.now
            #expect(bench.finish(bench.perform(command)).last == .failed(noRoom))
            #expect(bench.now - start >= .seconds(5))
            #expect(bench.now - start < .seconds(6))
        }
        // With nobody waiting it is only looked at now and then.
        bench.forget()
        bench.run(for: .seconds(60))
        #expect(bench.operations.count <= 31)
        #expect(Set(bench.operations) == ["SDIO_GetAllExtDevicePropInfo"])
    }

    @Test func `after a lost link a picture without room answers for its frame all the same`() throws {
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

    @Test func `a RAW that nobody wants needs no room`() throws {
        let bench = try bench([]) {
            $0.nextFiles = [.file("DSC1.ARW", format: 0xB101)]
            $0.set(.sonySaveTarget, both)
        }
        bench.perform(.keepPictures(PictureRequest(policy: .jpeg, hasRoom: false)))
        #expect(try bench.shoot().events.last == .idle)
        #expect(bench.log.lines == ["skipped DSC1.ARW policy"])
    }

    @Test(arguments: [PictureRequest(policy: .jpeg, hasRoom: false), PictureRequest(policy: .none)])
    func `a wish that changes in mid-picture lets it go on`(wish: PictureRequest) throws {
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

    @Test func `who wants no pictures any more gets no rest of one`() throws {
        let bench = try bench([.link(after: 300)])
        breakLink(bench)
        bench.perform(.keepPictures(PictureRequest(policy: .none)))
        #expect(bench.log.lines == ["begin 1 at 0", "interrupted 1", "abandoned 1"])
        bench.connect()
        #expect(bench.finish(bench.perform(.awaitIdle)).last == .idle)
        #expect(bench.fetches == ["whole"])
    }
}
