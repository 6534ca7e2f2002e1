import Cameras
import Exposure
import NIOCore
import PTP
import Testing

/// Files that arrive unexpectedly, or disappear when they are expected.
struct SonyLateFileTests {
    private let fast: ShutterSpeed
    private let slow: ShutterSpeed

    init() throws {
        fast = try .named("1/60")
        slow = try .named("30\"")
    }

    @Test func `a late file in the middle of the next exposure belongs to the previous frame`() throws {
        let bench = try DriverBench.keeping(.jpeg) {
            $0.storesOnCardOnly = true
            $0.announcesPictures = true
        }
        let first = try bench.shoot().ticket
        bench.body.storesOnCardOnly = false
        #expect(bench.finish(bench.perform(.setSpeed(slow))) == [.speedAccepted])
        bench.run(for: .seconds(1))
        let second = bench.perform(.capture(slow))
        bench.run(for: .seconds(2))
        bench.body.leave(.file("DSC1.JPG"))
        bench.announceFile()
        bench.run(for: .seconds(5))
        #expect(bench.log.infos.map(\.capture) == [first])
        #expect(bench.events(second) == [.shutterReleased])
        #expect(bench.finish(second).last == .idle)
        #expect(bench.log.infos.map(\.capture) == [first, second])
    }

    @Test func `a file that cannot be described in the middle of an exposure is not the frame's`() {
        let bench = DriverBench.showing(slow) {
            $0.overrides[.getObjectInfo] = [ScriptedBody.Answer](repeating: .init(code: .generalError), count: 5)
        }
        let ticket = bench.perform(.capture(slow))
        bench.run(for: .seconds(2))
        bench.body.leaveFiles(1)
        bench.announceFile()
        bench.run(for: .seconds(10))
        #expect(bench.events(ticket) == [.shutterReleased])
    }

    @Test func `a body that reports its picture before the dark frame has its file after it`() throws {
        let bench = DriverBench.showing(slow) {
            $0.announcesPictures = true
            $0.hidesPreparation = true
            $0.saveTime = .seconds(32)
            $0.set(.sonyLongExposureNoiseReduction, .uint8(SonyLongExposureNoiseReduction.on.rawValue))
        }
        let events = bench.finish(bench.perform(.capture(slow)))
        #expect(events.last == .idle)
        #expect(bench.fetches == ["whole"])
    }

    @Test func `the driver waits for files of a body though a file once did not arrive`() {
        let bench = DriverBench.showing(fast) { $0.announcesPictures = true }
        #expect(bench.finish(bench.perform(.capture(fast))).last == .idle)
        bench.body.storesOnCardOnly = true
        var durations: [Duration] = []
        for _ in 0..<4 {
            let start = bench.now
            #expect(bench.finish(bench.perform(.capture(fast))).last == .idle)
            durations.append(bench.now - start)
        }
        #expect(durations.map { $0 > .seconds(5) } == [true, true, true, false])
    }

    @Test func `the rest of a file is not requested after a reading shows that the file is gone`() throws {
        let bench = try DriverBench.keeping(.jpeg) { body in
            body.operations = [.getPartialObject]
            body.breaks = [.link(after: 300)]
        }
        bench.perform(.capture(fast))
        bench.run(until: { !$0.losses.isEmpty })
        bench.forget()
        bench.perform(.connect(DriverBench.address))
        bench.run(until: { $0.operations.last == "GetObjectInfo 0xFFFFC001" })
        bench.perform(.setProperty(.iso, "200"))
        bench.body.removeFiles()
        bench.run(for: .seconds(1))
        #expect(bench.operations.contains("GetObjectInfo 0xFFFFC001"))
        #expect(bench.fetches.isEmpty)
        #expect(bench.log.lines == ["begin 1 at 0", "interrupted 1", "abandoned 1"])
    }

    @Test func `a reading that is cut off before the number of files does not mean that there are none`() throws {
        let bench = try DriverBench.keeping(.jpeg)
        bench.perform(.keepPictures(PictureRequest(policy: .jpeg, hasRoom: false)))
        _ = try bench.shoot()
        #expect(bench.body.files.count == 1)
        var records = bench.body.records
        let last = records.firstIndex { $0.code == .sonyShootingFileInfo }!
        records.append(records.remove(at: last))
        var cut = SonyPropertyDataset(records: records).encoded(version: .version3)
        cut.moveWriterIndex(to: cut.writerIndex - 1)
        bench.forget()
        bench.body.overrides[.sdioGetAllExtDevicePropInfo] = [.init(data: cut), .init(data: cut)]
        let events = bench.finish(bench.perform(.setSpeed(slow)))
        guard case .failed(.other)? = events.last else {
            Issue.record("\(events)")
            return
        }
        #expect(!bench.operations.contains { $0.hasPrefix("SDIO_SetExtDevicePropValue") })
    }

    @Test func `no file is fetched while the button is held`() {
        let bench = DriverBench.showing(fast)
        let ticket = bench.perform(.capture(fast))
        bench.run(until: { $0.buttonMoves.count == 2 })
        bench.body.overrides[.sdioControlDevice] = [ScriptedBody.Answer](repeating: .init(code: .deviceBusy), count: 5)
        #expect(bench.finish(ticket).last == .idle)
        let released = bench.requests.lastIndex { $0.request.code == .sdioControlDevice }!
        let fetched = bench.requests.firstIndex { $0.request.code == .getObjectInfo }!
        #expect(bench.buttonMoves.count == 9)
        #expect(released < fetched)
    }

    @Test func `a command that waits for the buffer to become empty is answered then`() {
        for command in [CameraCommand.setSpeed(fast), .readSpeed, .capture(fast)] {
            let bench = DriverBench.showing(fast)
            bench.body.leaveFiles(1)
            bench.announceFile()
            let ticket = bench.perform(command)
            bench.run(for: .seconds(3))
            #expect(bench.events(ticket).contains(.saving), "\(command)")
            #expect(bench.body.files.isEmpty)
        }
    }

    @Test func `a file that the body never removes is not fetched without end`() throws {
        let file = ObjectInfo.file("DSC1.JPG", date: "20260101T120000")
        let bench = try DriverBench.keeping(.jpeg) { $0.nextFiles = [file] }
        _ = try bench.shoot()
        bench.body.leave(file)
        let answer = ScriptedBody.Answer(data: ScriptedBody.content(of: file))
        bench.body.overrides[.getObject] = [ScriptedBody.Answer](repeating: answer, count: 100)
        bench.forget()
        bench.announceFile()
        bench.run(for: .seconds(300))
        #expect((5...12).contains(bench.fetches.count))
        #expect(bench.log.files.count == 1)
    }

    @Test func `a counter of any type can be computed with`() {
        let bench = DriverBench.showing(fast) {
            $0[.sonySlot1ShotsLeft] = SonyPropertyRecord(
                code: .sonySlot1ShotsLeft,
                defaultValue: .int64(.min),
                currentValue: .int64(.min)
            )
        }
        bench.perform(.readStatus)
        bench.run(for: .seconds(1))
        #expect(bench.lastStatus?.shotsLeft == nil)
    }

    @Test func `a version 2 body with the absolute property reports with it when it takes a speed`() throws {
        for availability in [SonyPropertyRecord.Availability.enabled, .displayOnly, .disabled] {
            let bench = DriverBench { body in
                body.becomeVersion2(showing: SonyShutterSpeed(fast).rawValue)
                let value = SonyShutterSpeed(fast).value
                var record = SonyPropertyRecord(
                    code: .sonyShutterSpeedVersion2,
                    defaultValue: value,
                    currentValue: value
                )
                record.availability = availability
                body.records.append(record)
            }
            guard case .status(let status)? = bench.finish(bench.perform(.connect(DriverBench.address))).last else {
                Issue.record("no status")
                return
            }
            #expect(status.speedIsWritable == (availability == .enabled))
            #expect(status.speed == .speed(fast))
        }
    }
}
