import Cameras
import Exposure
import NIOCore
import PTP
import Testing

/// Tests the transfer of pictures from the card.
struct CanonFileTests {
    private let speed: ShutterSpeed

    init() throws {
        speed = try .named("1/125")
    }

    private static func keeping(
        _ policy: TransferPolicy,
        _ change: (inout CanonScriptedBody) -> Void = { _ in }
    ) -> CanonBench {
        let bench = CanonBench.connected(change)
        bench.perform(.keepPictures(PictureRequest(policy: policy)))
        return bench
    }

    private func shoot(_ bench: CanonBench) -> Ticket {
        let ticket = bench.perform(.capture(speed))
        _ = bench.finish(ticket)
        return ticket
    }

    @Test func `a picture is fetched in pieces before the frame is idle`() {
        let bench = Self.keeping(.jpeg)
        let ticket = shoot(bench)
        #expect(bench.events(ticket) == [.shutterReleased, .captured, .saving, .idle])
        let log = PictureLog(bench)
        #expect(log.lines == ["begin 1 at 0", "end 1"])
        #expect(log.infos.first?.name == "IMG_101.JPG" && log.infos.first?.capture == ticket)
        #expect(log.infos.first?.captureDate == "20261126T120000")
        let file = ObjectInfo.file("IMG_101.JPG", size: 3_000_000, date: "20261126T120000")
        #expect(log[1] == CanonScriptedBody.content(of: file))
        let pieces = bench.requests.filter { $0.request.code == .getPartialObject }
        #expect(pieces.map { $0.request.parameters[2] } == [1 << 20, 1 << 20, 3_000_000 - 2 << 20])
    }

    @Test func `without a policy nothing is fetched`() {
        let bench = Self.keeping(.none) { $0.hasRAW = true }
        _ = shoot(bench)
        #expect(bench.pictures.isEmpty)
        #expect(!bench.operations.contains { $0.hasPrefix("GetObjectInfo") })
    }

    @Test func `RAW files are skipped and counted, or kept with both`() {
        let jpeg = Self.keeping(.jpeg) { $0.hasRAW = true }
        let ticket = shoot(jpeg)
        let log = PictureLog(jpeg)
        #expect(log.skipped.map(\.name) == ["IMG_101.CR3"] && log.skipped.first?.kind == .raw)
        #expect(log.infos.map(\.name) == ["IMG_101.JPG"])
        #expect(log.infos.first?.capture == ticket && log.skipped.first?.capture == ticket)
        let both = Self.keeping(.both) { $0.hasRAW = true }
        _ = shoot(both)
        #expect(PictureLog(both).infos.map(\.name) == ["IMG_101.CR3", "IMG_101.JPG"])
    }

    @Test func `without space the file stays on the card`() {
        let bench = CanonBench.connected()
        bench.perform(.keepPictures(PictureRequest(policy: .jpeg, hasRoom: false)))
        _ = shoot(bench)
        #expect(PictureLog(bench).lines == ["skipped IMG_101.JPG noRoom"])
    }

    @Test func `a transfer continues at the same byte after a broken link`() {
        let bench = Self.keeping(.jpeg)
        let ticket = bench.perform(.capture(speed))
        bench.run(until: { $0.operations.filter { $0.hasPrefix("GetPartialObject") }.count == 2 })
        bench.receive(.closed(.command, reason: "reset"))
        bench.connect()
        bench.run(for: .seconds(5))
        let log = PictureLog(bench)
        #expect(log.lines == ["begin 1 at 0", "interrupted 1", "begin 1 at 1048576", "end 1"])
        #expect(log.infos.last?.capture == ticket)
        #expect(log[1]?.readableBytes == 3_000_000)
    }

    @Test func `a transfer that fails too often is given up, and the next frame is fired`() {
        let bench = Self.keeping(.jpeg)
        bench.body.overrides[.getPartialObject] = [ScriptedAnswer](repeating: .init(code: .generalError), count: 6)
        let ticket = shoot(bench)
        #expect(bench.events(ticket).last == .idle)
        #expect(bench.notes.contains { $0.contains("stays on the camera's card") })
        #expect(PictureLog(bench).files.isEmpty)
        _ = shoot(bench)
        #expect(PictureLog(bench).files.count == 1)
    }

    @Test func `a picture that the user takes is fetched and belongs to no frame`() {
        let bench = Self.keeping(.jpeg)
        let object = CanonObject(
            handle: 0x9191_2342,
            format: 0x3801,
            byteCount: 10,
            group: 0x9191_2340,
            name: "IMG_9000.JPG"
        )
        bench.body.announce(object)
        bench.body.overrides[.getObjectInfo] = [
            .init(data: ObjectInfo.file("IMG_9000.JPG", size: 10).encoded())
        ]
        bench.body.overrides[.getPartialObject] = [.init(data: ByteBuffer(repeating: 7, count: 10))]
        bench.run(for: .seconds(3))
        let log = PictureLog(bench)
        #expect(log.lines == ["begin 1 at 0", "end 1"] && log.infos.first?.capture == nil)
    }

    @Test func `thousands of announced files are limited, and files without a description are given up`() {
        let bench = Self.keeping(.jpeg)
        for number in UInt32(0)..<5000 {
            let handle = 0x9000_0002 + number << 4
            bench.body.announce(CanonObject(handle: handle, format: 0x3801, byteCount: 10, name: "A.JPG"))
        }
        bench.run(for: .seconds(5))
        #expect(bench.driver.overflow == nil)
        bench.run(for: .seconds(600))
        #expect(bench.pictures.isEmpty)
        let ticket = bench.perform(.awaitIdle)
        #expect(bench.finish(ticket).last == .idle)
    }
}
