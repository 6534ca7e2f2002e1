import Exposure
import NIOCore
import PTP
import Testing

@testable import Cameras

/// Tests the files of bodies that are busy, deny their files, change their card, or lose an event.
struct NikonFileFaultTests {
    private let speed: ShutterSpeed

    init() throws {
        speed = try .named("1/125")
    }

    private static let damagedList = ByteBuffer(hex: "f4010000024001000000")
    private static let handles = (1...40).map { 0x9191_0002 + UInt32($0) << 4 }

    /// A picture of the user on the card.
    private static func put(_ handle: UInt32, _ name: String, in body: inout NikonScriptedBody) {
        body.files[handle] = .file(name, size: UInt32(body.fileSize), date: "20261126T130000")
    }

    /// Announces 40 pictures of the user.
    private static func announceFiles(_ bench: NikonBench) {
        for handle in handles {
            put(handle, "DSC_\(handle).JPG", in: &bench.body)
            bench.body.report(NikonEvent(.objectAdded, handle))
        }
    }

    private static func cards(_ numbers: [UInt32]) -> ScriptedAnswer {
        var writer = DatasetWriter()
        writer.array(numbers)
        return ScriptedAnswer(data: writer.buffer)
    }

    // MARK: Denied files

    @Test func `many files that the body does not describe are skipped together, each with the reason`() {
        let bench = NikonBench.connected(keeping: .jpeg) {
            $0.operations.removeAll { $0 == .nikonGetPartialObjectEx }
            $0.refusals[.getObjectInfo] = .accessDenied
        }
        Self.announceFiles(bench)
        bench.run(for: .seconds(5))
        let log = PictureLog(bench)
        #expect(log.lines.count == 40 && log.lines.allSatisfy { $0.hasSuffix(" denied") })
        #expect(bench.count("GetObjectInfo") == 1 && log.files.isEmpty)
    }

    @Test func `many pictures in memory that cannot be deleted are forgotten together`() {
        let bench = NikonBench.connected(keeping: TransferPolicy.none) {
            $0.operations.removeAll { $0 == .nikonDeleteFromMemory || $0 == .deleteObject }
        }
        for handle in Self.handles { bench.body.report(NikonEvent(.nikonObjectInMemory, handle)) }
        bench.run(for: .seconds(5))
        #expect(bench.driver.overflow == nil && bench.losses.isEmpty)
        #expect(bench.finish(bench.perform(.awaitIdle)) == [.idle])
    }

    @Test func `a picture in memory that the body does not describe is fetched`() {
        let bench = NikonBench.connected(keeping: .jpeg) {
            $0.storesInMemory = true
            $0.refusals[.getObjectInfo] = .accessDenied
        }
        let ticket = bench.perform(.capture(speed))
        #expect(bench.finish(ticket).last == .idle)
        #expect(PictureLog(bench).infos.map(\.name) == ["NIKON_FFFF0001.JPG"])
        #expect(PictureLog(bench).files.count == 1 && bench.body.files.isEmpty)
    }

    // MARK: A busy body

    @Test func `a body that is busy for some time keeps its picture for the transfer`() {
        for code in [OperationCode.getPartialObject, .getObjectInfo] {
            let bench = NikonBench.connected(keeping: .jpeg)
            bench.body.overrides[code] = [ScriptedAnswer](repeating: .init(code: .deviceBusy), count: 60)
            let ticket = bench.perform(.capture(speed))
            #expect(bench.finish(ticket).last == .idle)
            #expect(PictureLog(bench).files.count == 1, "\(code)")
        }
    }

    @Test func `a body that denies its descriptions and is busy keeps its picture for the transfer`() {
        let bench = NikonBench.connected(keeping: .jpeg) { $0.refusals[.getObjectInfo] = .accessDenied }
        let busy = [ScriptedAnswer](repeating: .init(code: .deviceBusy), count: 20)
        bench.body.overrides = [.nikonGetObjectSize: busy, .nikonGetPartialObjectEx: busy]
        let ticket = bench.perform(.capture(speed))
        #expect(bench.finish(ticket).last == .idle)
        #expect(PictureLog(bench).files.count == 1)
    }

    @Test func `a body that is busy for ever is asked for little more than a minute`() {
        let bench = NikonBench.connected(keeping: .jpeg) { $0.refusals[.getPartialObject] = .deviceBusy }
        let start = bench.now
        let ticket = bench.perform(.capture(speed))
        #expect(bench.finish(ticket).last == .idle)
        #expect((Duration.seconds(60)...Duration.seconds(70)).contains(bench.now - start))
        #expect(bench.notes.contains { $0.contains("stays on the camera's card") })
    }

    // MARK: Another card

    /// A bench in the transfer of the picture `DSC_0101.JPG`, with its handle.
    private func transferring() throws -> (bench: NikonBench, handle: UInt32) {
        let bench = NikonBench.connected(keeping: .jpeg) {
            $0.fileSize = 12_000_000
            $0.partDelay = .milliseconds(300)
        }
        bench.perform(.capture(speed))
        bench.run(until: { $0.count("GetPartialObject") == 3 })
        return (bench, try #require(bench.body.files.keys.first))
    }

    private static func changeCard(_ bench: NikonBench) {
        for code in [EventCode.storeRemoved, .storeAdded] { bench.body.report(NikonEvent(code, 0x0001_0001)) }
    }

    @Test func `a picture is not completed with the bytes of another card`() throws {
        let (bench, handle) = try transferring()
        Self.put(handle, "DSC_0007.JPG", in: &bench.body)
        Self.changeCard(bench)
        bench.run(for: .seconds(10))
        let log = PictureLog(bench)
        #expect(log.lines == ["begin 1 at 0", "abandoned 1"])
        #expect(bench.notes.contains { $0.contains("DSC_0101.JPG") && $0.contains("no longer has the file") })
    }

    @Test func `a new picture of another card with the same handle is fetched`() throws {
        let (bench, handle) = try transferring()
        Self.put(handle, "DSC_0007.JPG", in: &bench.body)
        Self.changeCard(bench)
        bench.body.report(NikonEvent(.objectAdded, handle))
        bench.run(for: .seconds(20))
        let log = PictureLog(bench)
        #expect(log.infos.map(\.name) == ["DSC_0101.JPG", "DSC_0007.JPG"])
        #expect(log[2] == bench.body.files[handle].map { NikonScriptedBody.content(of: $0) })
    }

    @Test func `a transfer continues after the second card was changed`() throws {
        let (bench, handle) = try transferring()
        Self.changeCard(bench)
        bench.run(for: .seconds(10))
        let log = PictureLog(bench)
        #expect(log.lines == ["begin 1 at 0", "end 1"])
        #expect(log[1] == bench.body.files[handle].map { NikonScriptedBody.content(of: $0) })
    }

    @Test func `another card in the time without a link is recognized`() throws {
        let (bench, handle) = try transferring()
        bench.breakLink()
        Self.put(handle, "DSC_0007.JPG", in: &bench.body)
        bench.connect()
        bench.run(for: .seconds(10))
        #expect(PictureLog(bench).lines == ["begin 1 at 0", "interrupted 1", "abandoned 1"])
    }

    // MARK: A lost event

    @Test func `a picture whose event was damaged is found in the list of files`() {
        for busyCount in [0, 5] {
            let bench = NikonBench.connected(keeping: .jpeg) {
                $0.announcesObjects = false
                $0.reportsComplete = false
            }
            let ticket = bench.perform(.capture(speed))
            bench.run(until: { $0.body.isWorking })
            bench.body.damagedLists = [Self.damagedList]
            let busy = [ScriptedAnswer](repeating: .init(code: .deviceBusy), count: busyCount)
            bench.body.overrides[.getObjectHandles] = busy
            let events = bench.finish(ticket)
            bench.run(for: .seconds(5))
            #expect(events.contains(.captured), "\(events)")
            #expect(PictureLog(bench).infos.map(\.name) == ["DSC_0101.JPG"])
            #expect(PictureLog(bench).infos.map(\.capture) == [ticket])
        }
    }

    @Test func `a body that is busy for ever is not asked for ever for its files`() {
        let bench = NikonBench.connected(keeping: .jpeg)
        bench.body.refusals[.getObjectHandles] = .deviceBusy
        bench.body.damagedLists = [Self.damagedList]
        bench.run(for: .seconds(90))
        let count = bench.count("GetObjectHandles")
        bench.run(for: .seconds(90))
        #expect(count > 1 && bench.count("GetObjectHandles") == count)
    }

    // MARK: The list of each card

    @Test func `a body that refuses the list of all cards is asked for each card`() {
        func refuse(_ body: inout NikonScriptedBody) {
            body.overrides[.getObjectHandles] = [.init(code: .invalidStorageID)]
            body.overrides[.nikonGetVendorStorageIDs] = [Self.cards([0x0001_0000, 0x0002_0001])]
        }
        let bench = NikonBench { body in
            body.operations.append(.nikonGetVendorStorageIDs)
            body.files[0x9191_0011] = .file("DSC_0001.JPG", size: 10)
            refuse(&body)
        }
        bench.perform(.keepPictures(PictureRequest(policy: .jpeg)))
        #expect(bench.finish(bench.perform(.connect(NikonBench.address))).count == 2)
        let lists = ["GetObjectHandles 0xFFFFFFFF", "GetVendorStorageIDs", "GetObjectHandles 0x20001"]
        #expect(bench.actions.suffix(3) == lists)
        bench.breakLink()
        Self.put(0x9191_0702, "DSC_0112.JPG", in: &bench.body)
        refuse(&bench.body)
        bench.connect()
        bench.run(for: .seconds(5))
        #expect(PictureLog(bench).infos.map(\.name) == ["DSC_0112.JPG"])
    }

    @Test func `a body without a card that refuses the list is not asked again`() {
        let bench = NikonBench { body in
            body.operations.append(.nikonGetVendorStorageIDs)
            body.refusals[.getObjectHandles] = .invalidStorageID
            body.overrides[.nikonGetVendorStorageIDs] = [Self.cards([0x0001_0000])]
        }
        bench.connect()
        bench.breakLink()
        bench.connect()
        #expect(bench.count("GetObjectHandles") == 0 && bench.count("GetVendorStorageIDs") == 0)
    }

    // MARK: A frame in doubt

    @Test func `a frame in doubt is resolved before the pictures of the user are fetched`() {
        let bench = NikonBench.connected(keeping: .jpeg) { $0.announcesObjects = false }
        let ticket = bench.perform(.capture(speed))
        bench.run(until: { $0.body.isWorking })
        Self.announceFiles(bench)
        bench.run(until: { !$0.body.isWorking })
        bench.breakLink()
        bench.body.partDelay = .seconds(2)
        bench.connect()
        let start = bench.now
        let question = bench.perform(.resolveCapture(shotsLeftBefore: 500))
        #expect(bench.finish(question) == [.captureResolved(.fired)])
        #expect(bench.now - start < .seconds(10))
        #expect(bench.events(ticket).isEmpty)
    }
}
