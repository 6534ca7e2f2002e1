import Exposure
import NIOCore
import PTP
import Testing

@testable import Cameras

/// Tests the transfer of pictures from the card.
struct NikonFileTests {
    private let speed: ShutterSpeed

    init() throws {
        speed = try .named("1/125")
    }

    private func shoot(_ bench: NikonBench) -> Ticket {
        let ticket = bench.perform(.capture(speed))
        _ = bench.finish(ticket)
        return ticket
    }

    private static let jpeg = ObjectInfo.file("DSC_0101.JPG", size: 3_000_000, date: "20261126T120000")

    @Test func `a picture is fetched in pieces before the frame is idle`() {
        let bench = NikonBench.connected(keeping: .jpeg)
        let ticket = shoot(bench)
        #expect(bench.events(ticket) == [.shutterReleased, .captured, .saving, .idle])
        let log = PictureLog(bench)
        #expect(log.lines == ["begin 1 at 0", "end 1"])
        #expect(log.infos.first?.name == "DSC_0101.JPG" && log.infos.first?.capture == ticket)
        #expect(log.infos.first?.captureDate == "20261126T120000")
        #expect(log[1] == NikonScriptedBody.content(of: Self.jpeg))
        let pieces = bench.requests.filter { $0.request.code == .getPartialObject }
        #expect(pieces.map { $0.request.parameters[2] } == [1 << 20, 1 << 20, 3_000_000 - 2 << 20])
    }

    @Test func `without a policy nothing is fetched`() {
        let bench = NikonBench.connected(keeping: TransferPolicy.none) { $0.hasRAW = true }
        _ = shoot(bench)
        #expect(bench.pictures.isEmpty && bench.count("GetObjectInfo") == 0)
    }

    @Test func `NEF files are skipped and counted, or kept with both`() {
        let jpeg = NikonBench.connected(keeping: .jpeg) {
            $0.hasRAW = true
            $0.set(.compressionSetting, 12, reports: false)
        }
        let ticket = shoot(jpeg)
        let log = PictureLog(jpeg)
        #expect(log.skipped.map(\.name) == ["DSC_0101.NEF"] && log.skipped.first?.kind == .raw)
        #expect(log.infos.map(\.name) == ["DSC_0101.JPG"])
        #expect(log.infos.first?.capture == ticket && log.skipped.first?.capture == ticket)
        let both = NikonBench.connected(keeping: .both) { $0.hasRAW = true }
        _ = shoot(both)
        #expect(PictureLog(both).infos.map(\.name) == ["DSC_0101.NEF", "DSC_0101.JPG"])
    }

    @Test func `a new folder is no file`() {
        let bench = NikonBench.connected(keeping: .both) { $0.hasNewFolder = true }
        _ = shoot(bench)
        let log = PictureLog(bench)
        #expect(log.infos.map(\.name) == ["DSC_0101.JPG"] && log.skipped.isEmpty)
    }

    @Test func `without space the file stays on the card`() {
        let bench = NikonBench.connected()
        bench.perform(.keepPictures(PictureRequest(policy: .jpeg, hasRoom: false)))
        _ = shoot(bench)
        #expect(PictureLog(bench).lines == ["skipped DSC_0101.JPG noRoom"])
    }

    @Test func `a description that is refused for a second is requested again`() {
        let bench = NikonBench.connected(keeping: .jpeg)
        bench.body.overrides[.getObjectInfo] = [ScriptedAnswer](repeating: .init(code: .generalError), count: 4)
        _ = shoot(bench)
        let requests = bench.requests.filter { $0.request.code == .getObjectInfo }.map(\.at)
        #expect(requests.count == 5 && requests[4] - requests[0] >= .seconds(1))
        #expect(PictureLog(bench).files.count == 1)
    }

    @Test func `a description that is refused for ever is given up, and the next frame goes on`() {
        let bench = NikonBench.connected(keeping: .jpeg) { $0.refusals[.getObjectInfo] = .generalError }
        let ticket = shoot(bench)
        #expect(bench.events(ticket).last == .idle)
        #expect(bench.notes.contains { $0.contains("stays on the camera's card") })
        bench.body.refusals = [:]
        _ = shoot(bench)
        #expect(PictureLog(bench).files.count == 1)
    }

    @Test func `a body that denies the usual reads is read in the other way`() {
        let bench = NikonBench.connected(keeping: .jpeg) { $0.refusals[.getPartialObject] = .accessDenied }
        _ = shoot(bench)
        #expect(PictureLog(bench)[1] == NikonScriptedBody.content(of: Self.jpeg))
        #expect(bench.count("GetPartialObject 0x9") == 1)
        let parts = bench.requests.filter { $0.request.code == .nikonGetPartialObjectEx }.map(\.request.parameters)
        #expect(parts.map { $0[1] } == [0, 1 << 20, 2 << 20] && parts.allSatisfy { $0.count == 5 && $0[2] == 0 })
    }

    @Test func `a body that denies the description too is read by size and first bytes`() {
        let bench = NikonBench.connected(keeping: .jpeg) {
            $0.refusals[.getPartialObject] = .accessDenied
            $0.refusals[.getObjectInfo] = .accessDenied
            $0.hasRAW = true
        }
        _ = shoot(bench)
        let log = PictureLog(bench)
        #expect(log.infos.map(\.kind) == [.jpeg] && log.skipped.map(\.kind) == [.raw])
        #expect(log.infos.first?.name.hasSuffix(".JPG") == true && log.infos.first?.byteCount == 3_000_000)
        #expect(log.files.values.first == NikonScriptedBody.content(of: Self.jpeg))
    }

    @Test func `a body that denies every way says what to do, and the frame is idle`() {
        let bench = NikonBench.connected(keeping: .jpeg) { body in
            let reads: [OperationCode] = [.getPartialObject, .nikonGetPartialObjectEx, .getObject, .getObjectInfo]
            for code in reads { body.refusals[code] = .accessDenied }
        }
        let ticket = shoot(bench)
        #expect(bench.events(ticket).last == .idle)
        #expect(PictureLog(bench).files.isEmpty)
        let isNoted = bench.notes.contains { $0.contains("stays on the camera's card") }
        #expect(isNoted, "\(bench.notes)")
    }

    @Test func `a body without partial reads sends the whole file`() {
        let bench = NikonBench.connected(keeping: .jpeg) { body in
            body.operations.removeAll { $0 == .getPartialObject || $0 == .nikonGetPartialObjectEx }
        }
        _ = shoot(bench)
        #expect(PictureLog(bench)[1] == NikonScriptedBody.content(of: Self.jpeg))
        #expect(bench.operations.contains { $0.hasPrefix("GetObject 0x") })
    }

    @Test func `a transfer continues at the same byte after a broken link`() {
        let bench = NikonBench.connected(keeping: .jpeg)
        let ticket = bench.perform(.capture(speed))
        bench.run(until: { $0.count("GetPartialObject") == 2 })
        bench.breakLink()
        bench.connect()
        bench.run(for: .seconds(5))
        let log = PictureLog(bench)
        #expect(log.lines == ["begin 1 at 0", "interrupted 1", "begin 1 at 1048576", "end 1"])
        #expect(log.infos.last?.capture == ticket)
        #expect(log[1] == NikonScriptedBody.content(of: Self.jpeg))
    }

    @Test func `a link that breaks in the middle of a piece loses no byte`() {
        let bench = NikonBench.connected(keeping: .jpeg)
        let content = NikonScriptedBody.content(of: Self.jpeg)
        bench.body.overrides[.getPartialObject] = [
            ScriptedAnswer(data: content.getSlice(at: 0, length: 1 << 20), linkBreaksAfter: 500_000)
        ]
        bench.perform(.capture(speed))
        bench.run(until: { !$0.losses.isEmpty })
        bench.connect()
        bench.run(for: .seconds(5))
        let log = PictureLog(bench)
        #expect(log.lines == ["begin 1 at 0", "interrupted 1", "begin 1 at 500000", "end 1"])
        #expect(log[1] == content)
    }

    @Test func `a stalled transfer is lost, and continues in the next session`() {
        let bench = NikonBench.connected(keeping: .jpeg)
        bench.perform(.capture(speed))
        bench.run(until: { $0.count("GetPartialObject") == 2 })
        bench.body.isMute = true
        bench.run(until: { !$0.losses.isEmpty })
        bench.body.isMute = false
        bench.connect()
        bench.run(for: .seconds(5))
        #expect(PictureLog(bench)[1] == NikonScriptedBody.content(of: Self.jpeg))
    }

    @Test func `a piece that is shorter than requested is completed by the next one`() {
        let bench = NikonBench.connected(keeping: .jpeg)
        let content = NikonScriptedBody.content(of: Self.jpeg)
        bench.body.overrides[.getPartialObject] = [ScriptedAnswer(data: content.getSlice(at: 0, length: 1000))]
        _ = shoot(bench)
        #expect(PictureLog(bench)[1] == content)
    }

    @Test func `empty pieces and refusals end the transfer after some attempts`() {
        for answer in [ScriptedAnswer(data: ByteBuffer()), ScriptedAnswer(code: .generalError)] {
            let bench = NikonBench.connected(keeping: .jpeg)
            bench.body.overrides[.getPartialObject] = [ScriptedAnswer](repeating: answer, count: 100)
            let ticket = shoot(bench)
            #expect(bench.events(ticket).last == .idle)
            #expect(bench.count("GetPartialObject") == 6)
        }
    }

    @Test func `a piece with more bytes than requested ends the session`() {
        let bench = NikonBench.connected(keeping: .jpeg)
        let long = ByteBuffer(repeating: 0, count: 1 << 20 + 1)
        bench.body.overrides[.getPartialObject] = [ScriptedAnswer(data: long)]
        bench.perform(.capture(speed))
        bench.run(for: .seconds(3))
        guard case .protocolError? = bench.losses.first else {
            Issue.record("\(bench.losses)")
            return
        }
    }

    @Test func `a file that the camera deleted is given up`() {
        let bench = NikonBench.connected(keeping: .jpeg)
        bench.perform(.capture(speed))
        bench.run(until: { $0.count("GetPartialObject") == 1 })
        bench.body.files.removeAll()
        bench.run(for: .seconds(3))
        #expect(PictureLog(bench).lines.last == "abandoned 1")
        #expect(bench.notes.contains { $0.contains("no longer has the file") })
    }

    @Test func `a picture that was saved while the link was down is fetched after the reconnect`() {
        let bench = NikonBench.connected(keeping: .jpeg) {
            // Files from before the first session are not fetched.
            $0.files[0x9191_0011] = .file("DSC_0001.JPG", size: 10)
            $0.announcesObjects = false
        }
        let ticket = bench.perform(.capture(speed))
        bench.run(until: { $0.body.isWorking })
        bench.breakLink()
        bench.run(for: .seconds(40))
        bench.connect()
        bench.run(for: .seconds(5))
        let log = PictureLog(bench)
        #expect(log.infos.map(\.name) == ["DSC_0101.JPG"])
        #expect(log.infos.first?.capture == ticket)
    }

    @Test func `files of other presses belong to no frame`() {
        let bench = NikonBench.connected(keeping: .jpeg)
        let first = shoot(bench)
        bench.run(for: .seconds(40))
        bench.body.files[0x9191_0702] = .file("DSC_0112.JPG", size: 10)
        bench.body.report(NikonEvent(.objectAdded, 0x9191_0702))
        bench.run(for: .seconds(5))
        #expect(PictureLog(bench).infos.map(\.capture) == [first, nil])
    }

    @Test func `a press on the body right after a frame belongs to no frame`() {
        let bench = NikonBench.connected(keeping: .jpeg)
        let first = shoot(bench)
        bench.body.files[0x9191_0702] = .file("DSC_0112.JPG", size: 10)
        bench.body.report(NikonEvent(.objectAdded, 0x9191_0702))
        bench.run(for: .seconds(5))
        #expect(PictureLog(bench).infos.map(\.capture) == [first, nil])
    }

    @Test func `a file that is announced during an exposure belongs to no frame`() throws {
        let bench = NikonBench.connected(keeping: .jpeg) { $0.set(.nikonShutterSpeed, 0x0004_0001, reports: false) }
        bench.run(for: .seconds(60))
        let ticket = bench.perform(.capture(try .named("4\"")))
        bench.run(for: .seconds(1))
        bench.body.files[0x9191_0702] = .file("DSC_0012.JPG", size: 10)
        bench.body.report(NikonEvent(.objectAdded, 0x9191_0702))
        #expect(bench.finish(ticket).last == .idle)
        #expect(PictureLog(bench).infos.map(\.capture) == [nil, ticket])
    }

    @Test func `an event that comes twice is one file`() {
        let bench = NikonBench.connected(keeping: .jpeg) { $0.eventScript = .both }
        _ = shoot(bench)
        _ = shoot(bench)
        #expect(PictureLog(bench).infos.map(\.name) == ["DSC_0101.JPG", "DSC_0102.JPG"])
    }

    // MARK: Pictures in memory

    @Test func `a picture in memory is fetched whole and then deleted`() {
        let bench = NikonBench.connected(keeping: .jpeg) { $0.storesInMemory = true }
        let ticket = shoot(bench)
        #expect(bench.events(ticket).last == .idle)
        #expect(PictureLog(bench).infos.map(\.name) == ["DSC_0000.JPG"])
        #expect(bench.body.files.isEmpty)
    }

    @Test func `a picture in memory is not deleted before it was fetched`() {
        let bench = NikonBench.connected(keeping: .jpeg) {
            $0.storesInMemory = true
            $0.refusals[.getObject] = .generalError
        }
        let ticket = shoot(bench)
        guard case .failed(.other(let sentence))? = bench.events(ticket).last else {
            Issue.record("\(bench.events(ticket))")
            return
        }
        #expect(sentence.contains("only in the camera's buffer"))
        bench.body.refusals = [:]
        bench.run(for: .seconds(15))
        #expect(PictureLog(bench).files.count == 1 && bench.body.files.isEmpty)
    }

    @Test func `a picture in memory is lost with the connection`() {
        let bench = NikonBench.connected(keeping: .jpeg) { $0.storesInMemory = true }
        bench.perform(.capture(speed))
        bench.run(until: { $0.count("GetObject 0x") == 1 })
        bench.breakLink()
        bench.connect()
        bench.run(for: .seconds(5))
        #expect(PictureLog(bench).files.isEmpty)
        #expect(bench.driver.overflow == nil)
    }
}
