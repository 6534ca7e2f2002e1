import Exposure
import NIOCore
import PTP
import Testing

@testable import Cameras

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
        CanonBench.connected(keeping: policy, change)
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

    @Test func `a picture that was saved while the link was down is fetched after the reconnect`() {
        let bench = Self.keeping(.jpeg) {
            $0.values[.canonFolder] = 0x9190_0000
            $0.hasRAW = true
            // Files from before the first session are not fetched.
            $0.files[0x9190_0012] = .file("IMG_1.JPG", size: 10)
        }
        let ticket = bench.perform(.capture(speed))
        bench.run(until: { $0.body.isExposing })
        bench.breakLink()
        bench.run(for: .seconds(40))
        bench.connect()
        bench.run(for: .seconds(5))
        let log = PictureLog(bench)
        #expect(log.infos.map(\.name) == ["IMG_101.JPG"] && log.skipped.map(\.name) == ["IMG_101.CR3"])
        #expect(log.infos.first?.capture == ticket && log.skipped.first?.capture == ticket)
        #expect(log.files.count == 1)
    }

    @Test func `files that other presses added while the link was down belong to no frame`() {
        let bench = Self.keeping(.jpeg) { $0.values[.canonFolder] = 0x9190_0000 }
        let first = shoot(bench)
        bench.breakLink()
        bench.body.files[0x9190_0702] = .file("IMG_112.JPG", size: 10)
        bench.connect()
        bench.run(for: .seconds(5))
        #expect(PictureLog(bench).infos.map(\.capture) == [first, nil])
    }

    @Test func `a body that refuses the list of its files or never answers it is used without it`() {
        let refusing = Self.keeping(.jpeg) {
            $0.values[.canonFolder] = 0x9190_0000
            $0.overrides[.getObjectHandles] = [ScriptedAnswer](repeating: .init(code: .accessDenied), count: 3)
        }
        #expect(refusing.events(shoot(refusing)).last == .idle)
        let silent = CanonBench {
            $0.values[.canonFolder] = 0x9190_0000
            $0.overrides[.getObjectHandles] = [.init(after: .seconds(1000))]
        }
        silent.perform(.keepPictures(PictureRequest(policy: .jpeg)))
        silent.perform(.connect(CanonBench.address))
        silent.run(until: { !$0.losses.isEmpty })
        silent.connect()
        #expect(silent.events(shoot(silent)).last == .idle)
    }

    @Test func `a handle is a new file if its time differs, or after its file or its card was removed`() {
        let bench = Self.keeping(.jpeg)
        var object = CanonObject(handle: 0x9190_0012, format: 0x3801, byteCount: 10, name: "IMG_1.JPG")
        bench.body.files[object.handle] = .file("IMG_1.JPG", size: 10)
        func announce() {
            bench.body.announce(object)
            bench.run(for: .seconds(3))
        }
        announce()
        announce()
        #expect(PictureLog(bench).files.count == 1)
        object.takenAt = 1_700_000_100
        announce()
        #expect(PictureLog(bench).files.count == 2)
        for event: UInt32 in [0xC182, 0xC192, 0xC193] {
            bench.body.report(event, [object.handle])
            announce()
        }
        #expect(PictureLog(bench).files.count == 5)
    }

    @Test func `a long transfer keeps the link, the lists and the camera's power on`() {
        let bench = Self.keeping(.jpeg) {
            $0.fileSize = 40_000_000
            // 1 MB per second.
            $0.partDelay = .milliseconds(1048)
        }
        let ticket = bench.perform(.capture(speed))
        bench.run(until: { $0.operations.count { $0.hasPrefix("GetPartialObject") } == 10 })
        bench.body.set(.canonISO, 0x4B)
        bench.run(for: .seconds(3))
        let hasNewISO = bench.reported.contains { report in
            if case .status(let status) = report.event { status.iso == "125" } else { false }
        }
        #expect(hasNewISO)
        let events = bench.finish(ticket)
        #expect(events.last == .idle && bench.losses.isEmpty)
        #expect(events.count { $0 == .saving } >= 15)
        #expect(PictureLog(bench)[1]?.readableBytes == 40_000_000)
        #expect((3...5).contains(bench.operations.count { $0 == "KeepDeviceOn" }))
        // An event list between two pieces.
        let parts = bench.operations.count { $0.hasPrefix("GetPartialObject") }
        #expect(parts == 39 && bench.listCount >= parts - 2)
    }

    // MARK: The buffer of the body

    @Test func `a file that cannot be fetched stays in the buffer if it is the only copy`() {
        let bench = Self.keeping(.jpeg) { $0.values[.canonSaveTarget] = 4 }
        bench.body.announceInBuffer(0x9190_0012, .file("IMG_1.JPG", size: 10))
        bench.body.overrides[.getPartialObject] = [ScriptedAnswer](repeating: .init(code: .generalError), count: 1000)
        bench.run(for: .seconds(30))
        #expect(!bench.operations.contains { $0.hasPrefix("TransferComplete") })
        #expect(bench.notes.count { $0.contains("only in the camera's buffer") } == 1)
        guard case .failed(.other(let sentence))? = bench.finish(bench.perform(.awaitIdle)).last else {
            Issue.record("no sentence for the user")
            return
        }
        #expect(sentence.contains("IMG_1.JPG"))
        // The transfer is tried again.
        bench.body.overrides = [:]
        bench.run(for: .seconds(15))
        #expect(PictureLog(bench).files.count == 1)
        #expect(bench.actions.last == "TransferComplete 0x91900012")
        #expect(bench.finish(bench.perform(.awaitIdle)).last == .idle)
    }

    @Test func `a buffered file of any kind is fetched, and one that is gone is given up`() {
        let bench = Self.keeping(.jpeg) { $0.values[.canonSaveTarget] = 4 }
        bench.body.announceInBuffer(0x9190_0011, .file("IMG_1.XYZ", format: 0x3000, size: 10))
        bench.run(for: .seconds(3))
        #expect(PictureLog(bench).infos.map(\.name) == ["IMG_1.XYZ"])
        bench.body.announceInBuffer(0x9190_0022, .file("IMG_2.JPG", size: 10))
        bench.body.files = [:]
        #expect(bench.finish(bench.perform(.awaitIdle)).last == .idle)
    }

    // MARK: Limits

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

    @Test func `the first file of a body that announced none belongs to the latest frame`() {
        let bench = Self.keeping(.jpeg)
        bench.body.announcesObjects = false
        _ = shoot(bench)
        bench.body.announcesObjects = true
        let ticket = shoot(bench)
        #expect(PictureLog(bench).infos.map(\.capture) == [ticket])
    }

    @Test func `a full queue gives up files on the card, and never the same file twice`() {
        var files = CanonFiles()
        for number in UInt32(0)..<300 {
            let object = CanonObject(handle: 0x9000_0002 + number << 4, format: 0x3801, byteCount: 10, name: "A.JPG")
            let isNew = files.noteHandle(of: object, isInBuffer: number == 0)
            let isNewAgain = files.noteHandle(of: object, isInBuffer: false)
            #expect(isNew && !isNewAgain)
            files.add(CanonFile(object: object, isInBuffer: number == 0, isOnCard: number > 0, capture: nil))
        }
        #expect(files.waiting.count == 200 && files.waiting.first?.isInBuffer == true)
        // The driver no longer remembers this handle, but the file still waits.
        let isNew = files.noteHandle(of: files.waiting[10].object, isInBuffer: false)
        #expect(!isNew)
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
