import Cameras
import Exposure
import NIOCore
import PTP
import Testing

/// Pictures that are kept: their bytes, and their frames.
struct SonyPictureTests {
    private let fast: ShutterSpeed

    init() throws {
        fast = try .named("1/60")
    }

    // MARK: The kept files

    @Test func `without a picture request no picture is reported`() throws {
        let bench = try DriverBench.keeping(.none) { $0.filesPerFrame = 2 }
        #expect(try bench.shoot().events.last == .idle)
        #expect(bench.pictures.isEmpty)
        #expect(bench.fetches == ["whole", "whole"])
    }

    @Test(arguments: [3, 13, 200, Int.max])
    func `a JPEG is delivered in pieces as it arrives, in any cut`(pieceSize: Int) throws {
        let bench = try DriverBench.keeping(.jpeg) {
            $0.nextFiles = [.file("DSC1.JPG", size: 300, date: "20260101T120000")]
        }
        let ticket = bench.perform(.capture(fast))
        bench.run(until: { $0.operations.contains("GetObjectInfo 0xFFFFC001") })
        bench.pieceSize = pieceSize
        bench.run(until: { !$0.fetches.isEmpty })
        bench.run(until: { $0.pictures.last?.action == .end }, atMost: .seconds(1))
        bench.pieceSize = Int.max
        #expect(bench.finish(ticket).last == .idle)
        let log = bench.log
        #expect(log.lines == ["begin 1 at 0", "end 1"])
        #expect(
            log.infos == [
                PictureInfo(
                    name: "DSC1.JPG",
                    kind: .jpeg,
                    byteCount: 300,
                    captureDate: "20260101T120000",
                    capture: ticket
                )
            ]
        )
        let file = ObjectInfo.file("DSC1.JPG", size: 300)
        #expect(log[1] == ScriptedBody.content(of: file))
        #expect(bench.fetches == ["whole"])
    }

    @Test func `pieces are delivered without a copy`() throws {
        let bench = try DriverBench.keeping(.jpeg)
        bench.perform(.capture(fast))
        bench.run(until: { $0.operations.contains("GetObjectInfo 0xFFFFC001") })
        bench.body.isMute = true
        bench.run(until: { !$0.fetches.isEmpty })
        let id = bench.requests.last?.request.transaction ?? 0
        var head = PTPIPPacket.startData(transaction: id, totalLength: 1000).encoded()
        head.writeMultipleIntegers(UInt32(12 + 1000), UInt32(10), id, endianness: .little)
        bench.receive(.received(.command, head))
        let piece = ByteBuffer(repeating: 5, count: 500)
        bench.receive(.received(.command, piece))
        guard case .bytes(let bytes)? = bench.pictures.last?.action else {
            Issue.record("not delivered")
            return
        }
        let sent = piece.withUnsafeReadableBytes { $0.baseAddress }
        #expect(bytes.withUnsafeReadableBytes { $0.baseAddress } == sent)
    }

    @Test func `with jpeg RAW is removed from the buffer and counted, with both it is kept`() throws {
        for policy in [TransferPolicy.jpeg, .both] {
            let bench = try DriverBench.keeping(policy) {
                $0.filesPerFrame = 2
                $0.set(.sonySaveTarget, .uint16(SonySaveTarget.both.rawValue))
            }
            let frame = try bench.shoot()
            #expect(frame.events.last == .idle)
            #expect(bench.body.files.isEmpty)
            let log = bench.log
            if policy == .jpeg {
                #expect(log.lines == ["begin 1 at 0", "end 1", "skipped DSC10001.ARW policy"])
                #expect(log.skipped.map(\.capture) == [frame.ticket])
                #expect(log.skipped.map(\.kind) == [.raw])
            } else {
                #expect(log.lines == ["begin 1 at 0", "end 1", "begin 2 at 0", "end 2"])
                #expect(log.infos.map(\.kind) == [.jpeg, .raw])
                #expect(log.infos.map(\.capture) == [frame.ticket, frame.ticket])
            }
        }
    }

    @Test func `a RAW without another copy is kept whatever the policy, and that is reported once`() throws {
        let bench = try DriverBench.keeping(.jpeg) { $0.filesPerFrame = 2 }
        for _ in 0..<2 { #expect(try bench.shoot().events.last == .idle) }
        #expect(bench.log.infos.map(\.kind) == [.jpeg, .raw, .jpeg, .raw])
        #expect(bench.log.files.count == 4)
        #expect(bench.notes.count { $0.contains("although RAW is not wanted") } == 1)
    }

    @Test(
        arguments: [
            (0x3801, "DSC1.JPG", .jpeg), (0xB301, "DSC1.MPO", .jpeg), (0xB110, "DSC1.HIF", .heif),
            (0xB101, "DSC1.ARW", .raw), (0x3000, "DSC1.arw", .raw), (0x3000, "DSC1.Heic", .heif),
            (0x3000, "DSC1.jpeg", .jpeg), (0x3000, "DSC1", .other), (0x3801, "", .jpeg), (0, "", .other),
        ] as [(UInt16, String, PictureInfo.Kind)]
    )
    func `the kind of a file follows from its format, else from its extension`(
        format: UInt16,
        name: String,
        kind: PictureInfo.Kind
    ) throws {
        let bench = try DriverBench.keeping(.jpeg) {
            $0.nextFiles = [.file(name, format: format)]
            $0.set(.sonySaveTarget, .uint16(SonySaveTarget.both.rawValue))
        }
        #expect(try bench.shoot().events.last == .idle)
        // Files of unknown kinds are kept. Only RAW files are skipped.
        #expect((bench.log.infos + bench.log.skipped).map(\.kind) == [kind])
        #expect(bench.log.skipped.isEmpty == (kind != .raw))
    }

    @Test(arguments: [0, UInt32.max])
    func `a size that the body does not report stays unknown`(size: UInt32) throws {
        let bench = try DriverBench.keeping(.jpeg)
        bench.perform(.capture(fast))
        bench.run(until: { $0.body.files.count == 1 })
        // The file itself always has 1000 bytes.
        let info = ObjectInfo.file("DSC1.JPG", size: size).encoded()
        bench.body.overrides[.getObjectInfo] = [.init(data: info)]
        bench.run(for: .seconds(1))
        #expect(bench.log.infos.map(\.byteCount) == [nil])
        #expect(bench.log.lines == ["begin 1 at 0", "end 1"])
        #expect(bench.log[1]?.readableBytes == 1000)
    }

    // MARK: The frame of a file

    @Test func `each picture belongs to its own frame`() throws {
        let bench = try DriverBench.keeping(.both) { $0.filesPerFrame = 2 }
        var tickets: [Ticket?] = []
        for _ in 0..<3 {
            let ticket = try bench.shoot().ticket
            tickets += [ticket, ticket]
        }
        #expect(bench.log.infos.map(\.capture) == tickets)
    }

    @Test func `a RAW that arrives during the next frame belongs to the previous one`() throws {
        let bench = try DriverBench.keeping(.both) {
            $0.filesPerFrame = 2
            $0.secondFileDelay = .seconds(3)
            $0.sendsEvents = false
        }
        let first = try bench.shoot().ticket
        bench.body.filesPerFrame = 1
        bench.body.saveTime = .seconds(6)
        let second = try bench.shoot()
        #expect(second.events.last == .idle)
        #expect(bench.log.infos.map(\.name) == ["DSC10001.JPG", "DSC10001.ARW", "DSC10002.JPG"])
        #expect(bench.log.infos.map(\.capture) == [first, first, second.ticket])
    }

    @Test func `files from before the connection belong to no frame`() throws {
        let bench = DriverBench { body in
            body.set(.sonyShutterSpeed, SonyShutterSpeed(fast).value)
            body.leaveFiles(2)
        }
        bench.perform(.keepPictures(PictureRequest(policy: .jpeg)))
        bench.connect()
        let frame = try bench.shoot()
        #expect(frame.events.last == .idle)
        #expect(bench.log.infos.map(\.capture) == [nil, nil, frame.ticket])
    }

    @Test func `a second picture of one press does not belong to the frame`() throws {
        let bench = try DriverBench.keeping(.jpeg)
        let first = try bench.shoot().ticket
        bench.body.leave(.file("DSC20000.JPG"))
        bench.announceFile()
        bench.run(for: .seconds(1))
        let second = try bench.shoot().ticket
        #expect(bench.log.infos.map(\.capture) == [first, nil, second])
    }

    @Test func `an old picture that appears again counts for no frame, and the real one after it does`() throws {
        let bench = try DriverBench.keeping(.jpeg) { body in
            let old = ObjectInfo.file("DSC1.JPG", date: "20260101T120000")
            body.nextFiles = [old, old]
            body[.sonySlot1ShotsLeft].code = PropertyCode(rawValue: 0xEEEE)
        }
        let first = try bench.shoot().ticket
        let second = bench.perform(.capture(fast))
        bench.run(until: { $0.fetches.count == 2 })
        bench.run(for: .seconds(1))
        #expect(bench.events(second) == [.shutterReleased])
        bench.body.leave(.file("DSC2.JPG", date: "20260101T120001"))
        #expect(bench.finish(second) == [.shutterReleased, .captured, .saving, .idle])
        #expect(bench.log.infos.map(\.name) == ["DSC1.JPG", "DSC2.JPG"])
        #expect(bench.log.infos.map(\.capture) == [first, second])
        #expect(bench.notes.contains { $0.hasPrefix("DSC1.JPG was already transferred") })
    }

    @Test(arguments: TransferPolicy.allCases)
    func `an old picture alone brings the frame to its deadline`(policy: TransferPolicy) throws {
        let bench = try DriverBench.keeping(policy) { body in
            let old = ObjectInfo.file("DSC1.JPG", date: "20260101T120000")
            body.nextFiles = [old, old]
            body[.sonySlot1ShotsLeft].code = PropertyCode(rawValue: 0xEEEE)
        }
        _ = try bench.shoot()
        let start = bench.now
        let failure = CameraFailure.other("The camera accepted the shutter command, but reported no picture.")
        #expect(try bench.shoot().events == [.shutterReleased, .failed(failure)])
        #expect(bench.now - start < .seconds(13))
    }

    @Test(arguments: [true, false], [true, false])
    func `a file without the report that the previous frame had may be a late one of that frame`(
        announces: Bool,
        counts: Bool
    ) throws {
        guard announces || counts else { return }
        let bench = try DriverBench.keeping(.jpeg) { body in
            body.announcesPictures = announces
            if !counts { body[.sonySlot1ShotsLeft].code = PropertyCode(rawValue: 0xEEEE) }
            body.nextFiles = [.file("DSC0.JPG", date: "20260101T115959")]
        }
        _ = try bench.shoot()
        let left = bench.body[.sonySlot1ShotsLeft].currentValue.integer.map(Int.init)
        bench.body.ignoresShutter = true
        let second = bench.perform(.capture(fast))
        bench.run(until: { $0.events(second) == [.shutterReleased] })
        bench.run(for: .milliseconds(300))
        bench.body.leave(.file("DSC1.JPG", date: "20260101T120000"))
        bench.announceFile()
        #expect(bench.finish(second) == [.shutterReleased, .captureResolved(.unknown)])
        let resolved = bench.finish(bench.perform(.resolveCapture(shotsLeftBefore: left)))
        #expect(resolved == [.captureResolved(.unknown)])
        // The frame is fired again, and then the file of this frame counts.
        bench.body.ignoresShutter = false
        bench.body.announcesPictures = false
        bench.body.countsAfter = .seconds(100)
        #expect(try bench.shoot().events == [.shutterReleased, .captured, .saving, .idle])
    }

    @Test func `a body whose announcement is missing once continues by its counter and its files`() throws {
        let bench = try DriverBench.keeping(.jpeg) { $0.announcesPictures = true }
        _ = try bench.shoot()
        bench.body.announcesPictures = false
        #expect(try bench.shoot().events == [.shutterReleased, .captured, .saving, .idle])
    }

    @Test func `of two pictures that wait together for one press the newer one belongs to it too`() throws {
        let bench = try DriverBench.keeping(.jpeg) { body in
            body.nextFiles = [.file("DSC1.JPG", date: "20260101T120000")]
        }
        let first = bench.perform(.capture(fast))
        bench.run(until: { $0.body.files.count == 1 })
        bench.body.leave(.file("DSC2.JPG", date: "20260101T120016"))
        bench.body.leave(.file("DSC0.JPG", date: "20260101T115900"))
        #expect(bench.finish(first).last == .idle)
        // If a file arrives although the buffer was empty, the user took that picture by hand.
        bench.body.leave(.file("DSC3.JPG", date: "20260101T120030"))
        bench.announceFile()
        bench.run(for: .seconds(1))
        #expect(bench.log.infos.map(\.name) == ["DSC1.JPG", "DSC2.JPG", "DSC0.JPG", "DSC3.JPG"])
        #expect(bench.log.infos.map(\.capture) == [first, first, nil, nil])
    }

    @Test func `a file before its announcement proves the frame once the announcement arrives`() throws {
        let bench = try DriverBench.keeping(.jpeg) { $0.announcesPictures = true }
        _ = try bench.shoot()
        bench.body.announcesPictures = false
        bench.body.countsAfter = .seconds(100)
        let second = bench.perform(.capture(fast))
        bench.run(for: .seconds(3))
        #expect(bench.events(second) == [.shutterReleased])
        #expect(bench.body.files.isEmpty)
        let start = bench.now
        bench.body.plan(.event(.sonyCaptured), at: start)
        #expect(bench.finish(second).last == .idle)
        #expect(bench.now - start < .seconds(1))
    }

    @Test func `a picture with another name and the previous one's date is older than a later shot`() throws {
        let bench = try DriverBench.keeping(.jpeg) { body in
            body.nextFiles = [
                .file("DSC1.JPG", date: "20260101T120000"), .file("DSC2.JPG", date: "20260101T120000"),
                .file("DSC3.JPG", date: "20260101T120000"),
            ]
        }
        // Two pictures within a second may have the same date.
        let first = try bench.shoot().ticket
        let second = try bench.shoot().ticket
        bench.run(for: .seconds(3))
        _ = try bench.shoot()
        #expect(bench.log.infos.map(\.capture) == [first, second, nil])
    }

    @Test func `a name that is used again is a new picture if its date differs`() throws {
        let bench = try DriverBench.keeping(.jpeg) { body in
            body.nextFiles = [
                .file("DSC0.JPG", date: "20260101T120000"), .file("DSC0.JPG", date: "20260101T120009"),
            ]
        }
        let tickets = [try bench.shoot().ticket, try bench.shoot().ticket]
        #expect(bench.log.infos.map(\.capture) == tickets)
    }

    @Test func `after a lost link the file of the frame in doubt is that frame's`() throws {
        let bench = try DriverBench.keeping(.jpeg)
        let ticket = bench.perform(.capture(fast))
        bench.run(until: { $0.buttonMoves.count == 2 })
        bench.receive(.closed(.command, reason: "reset"))
        bench.run(for: .seconds(2))
        bench.forget()
        bench.connect()
        #expect(bench.finish(bench.perform(.resolveCapture(shotsLeftBefore: 116))) == [.captureResolved(.fired)])
        #expect(bench.log.infos.map(\.capture) == [ticket])
    }

    @Test(arguments: [false, true])
    func `files from before say nothing about a frame that was pressed since`(isFromBeforeWeCame: Bool) throws {
        let bench = try DriverBench.keeping(.jpeg) { if isFromBeforeWeCame { $0.leaveFiles(1) } }
        bench.run(for: .seconds(1))
        if !isFromBeforeWeCame { _ = try bench.shoot() }
        #expect(bench.body.files.isEmpty)
        let left = bench.body[.sonySlot1ShotsLeft].currentValue.integer.map(Int.init)
        bench.body.ignoresShutter = true
        let events = bench.finish(bench.perform(.capture(fast)))
        #expect(!events.contains(.captured))
        let resolved = bench.finish(bench.perform(.resolveCapture(shotsLeftBefore: left)))
        #expect(resolved == [.captureResolved(.notFired)])
    }

    @Test func `an old picture in the buffer after a lost link does not resolve the frame in doubt`() throws {
        let bench = try DriverBench.keeping(.jpeg) {
            $0.nextFiles = [.file("DSC1.JPG", date: "20260101T120000")]
        }
        _ = try bench.shoot()
        bench.body.ignoresShutter = true
        bench.perform(.capture(fast))
        bench.run(until: { $0.buttonMoves.count == 6 })
        bench.receive(.closed(.command, reason: "reset"))
        bench.body.leave(.file("DSC1.JPG", date: "20260101T120000"))
        bench.forget()
        bench.connect()
        #expect(bench.finish(bench.perform(.resolveCapture(shotsLeftBefore: 115))) == [.captureResolved(.notFired)])
        #expect(bench.body.files.isEmpty)
    }

    // MARK: Refusals

    @Test(arguments: [ResponseCode.accessDenied, .invalidObjectHandle, .generalError])
    func `a description that is refused for a second is requested again`(code: ResponseCode) throws {
        let bench = try DriverBench.keeping(.jpeg)
        bench.body.overrides[.getObjectInfo] = [ScriptedBody.Answer](repeating: .init(code: code), count: 7)
        let frame = try bench.shoot()
        #expect(frame.events.last == .idle)
        #expect(bench.log.infos.map(\.capture) == [frame.ticket])
        #expect(bench.log.lines == ["begin 1 at 0", "end 1"])
        let asked = bench.requests.filter { $0.request.code == .getObjectInfo }.map(\.at)
        #expect(asked.count == 8)
        #expect(asked[1] - asked[0] >= .milliseconds(150))
    }

    @Test func `a picture that is refused for a while is not dropped for that`() throws {
        let bench = try DriverBench.keeping(.jpeg)
        bench.body.overrides[.getObject] = [ScriptedBody.Answer](repeating: .init(code: .accessDenied), count: 22)
        #expect(try bench.shoot().events.last == .idle)
        #expect(bench.log.lines == ["begin 1 at 0", "end 1"])
    }

    @Test func `a file that is never finished ends the frame in time, with the reason`() throws {
        let bench = try DriverBench.keeping(.jpeg) { $0.saveTime = .seconds(1000) }
        let start = bench.now
        let frame = try bench.shoot()
        let sentence = "The camera does not finish the file of its picture. Switch it off and on again."
        #expect(frame.events == [.shutterReleased, .failed(.other(sentence))])
        #expect(bench.now - start < .seconds(13))
        #expect(bench.finish(bench.perform(.setSpeed(fast))) == [.busy])
        #expect(bench.fetches.isEmpty)
    }
}
