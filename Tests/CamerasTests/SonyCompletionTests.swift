import Cameras
import Exposure
import NIOCore
import PTP
import Testing

/// Tests how the driver finds a picture and empties the buffer, and the effects of focus and of models.
struct SonyCompletionTests {
    private let fast: ShutterSpeed
    private let slow: ShutterSpeed

    init() throws {
        fast = try .named("1/60")
        slow = try .named("30\"")
    }

    // MARK: Completion

    @Test func `without events a picture is found by polling`() {
        let bench = DriverBench.showing(fast) { $0.sendsEvents = false }
        let start = bench.now
        #expect(bench.finish(bench.perform(.capture(fast))) == [.shutterReleased, .captured, .saving, .idle])
        #expect(bench.now - start < .seconds(1))
    }

    @Test func `RAW and JPEG with one event are both fetched`() {
        let bench = DriverBench.showing(fast) { $0.filesPerFrame = 2 }
        #expect(bench.finish(bench.perform(.capture(fast))).last == .idle)
        #expect(bench.operations.filter { $0.hasPrefix("GetObject ") }.count == 2)
        #expect(bench.body.files.isEmpty)
    }

    @Test func `a late RAW does not count for the next frame`() {
        let bench = DriverBench.showing(slow) {
            $0.filesPerFrame = 2
            $0.secondFileDelay = .seconds(3)
            $0.sendsEvents = false
        }
        #expect(bench.finish(bench.perform(.capture(slow))).last == .idle)
        let second = bench.perform(.capture(slow))
        bench.run(for: .seconds(20))
        #expect(bench.operations.filter { $0.hasPrefix("GetObject ") }.count == 2)
        #expect(!bench.events(second).contains(.captured))
        #expect(bench.finish(second).last == .idle)
        #expect(bench.body.framesFired.count == 2)
    }

    @Test func `pictures that go to the card alone are recognized by the shot counter`() {
        let bench = DriverBench.showing(fast) {
            $0.storesOnCardOnly = true
            $0.set(.sonySaveTarget, .uint16(SonySaveTarget.card.rawValue))
        }
        let ticket = bench.perform(.capture(fast))
        #expect(bench.finish(ticket) == [.shutterReleased, .captured, .idle])
        #expect(!bench.operations.contains { $0.hasPrefix("GetObject") })
    }

    @Test func `pictures that go to the card alone are recognized by the captured event`() {
        let bench = DriverBench.showing(fast) {
            $0.storesOnCardOnly = true
            $0.announcesPictures = true
            $0[.sonySlot1ShotsLeft].code = PropertyCode(rawValue: 0xEEEE)
            $0.set(.sonySaveTarget, .uint16(SonySaveTarget.card.rawValue))
        }
        #expect(bench.finish(bench.perform(.capture(fast))) == [.shutterReleased, .captured, .idle])
    }

    /// A bench whose body announces each picture and writes it to the card. The driver has already learned that.
    private func writingToCard() -> DriverBench {
        let bench = DriverBench.showing(fast) {
            $0.storesOnCardOnly = true
            $0.announcesPictures = true
            $0.set(.sonySaveTarget, .uint16(SonySaveTarget.card.rawValue))
        }
        #expect(bench.finish(bench.perform(.capture(fast))).last == .idle)
        return bench
    }

    @Test func `late counts for earlier frames do not count for a new one`() {
        let bench = writingToCard()
        bench.body.countsAfter = .seconds(3)
        let all: [CameraEvent] = [.shutterReleased, .captured, .idle]
        #expect(bench.finish(bench.perform(.capture(fast))) == all)
        #expect(bench.finish(bench.perform(.capture(fast))) == all)
        bench.body.ignoresShutter = true
        let events = bench.finish(bench.perform(.capture(fast)))
        #expect(bench.body.framesFired.count == 3)
        #expect(!events.contains(.captured), "\(events)")
    }

    @Test func `a count stays due for an announced picture while the body writes for long`() {
        let bench = writingToCard()
        bench.body.countsAfter = .seconds(60)
        #expect(bench.finish(bench.perform(.capture(fast))).last == .idle)
        bench.run(for: .seconds(50))
        bench.body.ignoresShutter = true
        let events = bench.finish(bench.perform(.capture(fast)))
        #expect(!events.contains(.captured), "\(events)")
    }

    @Test func `a counter that increased belongs to another card, and no count is due`() {
        let bench = writingToCard()
        bench.body.countsAfter = .seconds(10_000)
        #expect(bench.finish(bench.perform(.capture(fast))).last == .idle)
        bench.body.set(.sonySlot1ShotsLeft, .uint32(900))
        bench.body.countsAfter = .zero
        bench.body.announcesPictures = false
        #expect(bench.finish(bench.perform(.capture(fast))) == [.shutterReleased, .captured, .idle])
    }

    @Test func `with the dial on P nothing is fired, though the body shows the planned speed`() {
        let bench = DriverBench.showing(fast)
        bench.body.set(.exposureProgramMode, .uint32(SonyExposureProgram.program.rawValue))
        let events = bench.finish(bench.perform(.capture(fast)))
        #expect(events == [.failed(.speedChanged(found: .speed(fast)))])
        #expect(bench.body.framesFired.isEmpty)
    }

    @Test func `a picture that was never written does not stay due forever`() {
        let bench = writingToCard()
        bench.body.countsAfter = .seconds(10_000)
        #expect(bench.finish(bench.perform(.capture(fast))).last == .idle)
        // The user removes the battery.
        bench.receive(.closed(.command, reason: "reset"))
        bench.body.happenings.removeAll()
        bench.run(for: .seconds(20))
        bench.forget()
        bench.connect()
        bench.body.countsAfter = .zero
        bench.body.announcesPictures = false
        // The body may still be writing the first picture. Only the counter shows later which of the two frames was
        // fired.
        #expect(bench.finish(bench.perform(.capture(fast))) == [.shutterReleased, .captureResolved(.unknown)])
        #expect(bench.finish(bench.perform(.capture(fast))) == [.shutterReleased, .captured, .idle])
    }

    @Test func `a picture that was never written is no longer due after the body announced the next one`() {
        let bench = writingToCard()
        bench.body.countsAfter = .seconds(10_000)
        #expect(bench.finish(bench.perform(.capture(fast))).last == .idle)
        bench.receive(.closed(.command, reason: "reset"))
        bench.body.happenings.removeAll()
        bench.run(for: .seconds(20))
        bench.forget()
        bench.connect()
        bench.body.countsAfter = .zero
        #expect(bench.finish(bench.perform(.capture(fast))).last == .idle)
        bench.body.ignoresShutter = true
        #expect(bench.finish(bench.perform(.capture(fast))) == [.shutterReleased, .busy])
    }

    @Test func `a picture that is written after a reconnect does not count for the next frame`() {
        let bench = writingToCard()
        bench.body.countsAfter = .seconds(25)
        #expect(bench.finish(bench.perform(.capture(fast))).last == .idle)
        bench.receive(.closed(.command, reason: "reset"))
        bench.run(for: .seconds(18))
        bench.forget()
        bench.connect()
        bench.body.ignoresShutter = true
        #expect(bench.finish(bench.perform(.capture(fast))) == [.shutterReleased, .captureResolved(.unknown)])
        #expect(bench.finish(bench.perform(.resolveCapture(shotsLeftBefore: nil))) == [.captureResolved(.unknown)])
        #expect(bench.body.framesFired.count == 2)
    }

    @Test func `a picture that is written after two reconnects does not count for the next frame`() {
        let bench = writingToCard()
        bench.body.countsAfter = .seconds(25)
        #expect(bench.finish(bench.perform(.capture(fast))).last == .idle)
        bench.receive(.closed(.command, reason: "reset"))
        bench.run(for: .seconds(15))
        bench.forget()
        bench.connect()
        bench.body.ignoresShutter = true
        let ticket = bench.perform(.capture(fast))
        bench.run(until: { $0.events(ticket) == [.shutterReleased] })
        bench.receive(.closed(.command, reason: "reset"))
        bench.run(for: .seconds(15))
        bench.forget()
        bench.connect()
        #expect(bench.finish(bench.perform(.resolveCapture(shotsLeftBefore: nil))) == [.captureResolved(.unknown)])
    }

    @Test func `a count after a failed frame may be of that frame, and the next count is accepted again`() {
        let bench = DriverBench.showing(fast) {
            $0.storesOnCardOnly = true
            $0.countsAfter = .seconds(15)
            $0.set(.sonySaveTarget, .uint16(SonySaveTarget.card.rawValue))
        }
        let failure = CameraFailure.other("The camera accepted the shutter command, but reported no picture.")
        #expect(bench.finish(bench.perform(.capture(fast))) == [.shutterReleased, .failed(failure)])
        bench.body.ignoresShutter = true
        #expect(bench.finish(bench.perform(.capture(fast))) == [.shutterReleased, .captureResolved(.unknown)])
        bench.body.ignoresShutter = false
        bench.body.countsAfter = .zero
        #expect(bench.finish(bench.perform(.capture(fast))) == [.shutterReleased, .captured, .idle])
    }

    @Test func `only a late count of the first frame may be of a picture from before`() {
        for (delay, event) in [(1, .captured), (5, .captureResolved(.unknown))] as [(Int, CameraEvent)] {
            let bench = DriverBench.showing(fast) {
                $0.storesOnCardOnly = true
                $0.ignoresShutter = true
                $0.set(.sonySaveTarget, .uint16(SonySaveTarget.card.rawValue))
            }
            bench.body.plan(.counted, at: bench.now + .seconds(delay))
            #expect(bench.finish(bench.perform(.capture(fast)))[1] == event)
        }
        let bench = DriverBench.showing(fast) {
            $0.storesOnCardOnly = true
            $0.announcesPictures = true
            $0.countsAfter = .seconds(5)
        }
        #expect(bench.finish(bench.perform(.capture(fast))) == [.shutterReleased, .captured, .idle])
    }

    @Test func `a body that writes to its card is not idle before it takes settings again`() {
        let bench = DriverBench.showing(fast) {
            $0.storesOnCardOnly = true
            $0.locksWhileWriting = .seconds(2)
            $0.set(.sonySaveTarget, .uint16(SonySaveTarget.card.rawValue))
        }
        // The first frame shows that no file arrives.
        let first = bench.now
        #expect(bench.finish(bench.perform(.capture(fast))).last == .idle)
        #expect(bench.now - first < .milliseconds(5500))
        let start = bench.now
        #expect(bench.finish(bench.perform(.capture(fast))) == [.shutterReleased, .captured, .idle])
        #expect(bench.now - start > .seconds(2))
        #expect(bench.now - start < .milliseconds(2200))
        // A turned dial keeps the speed locked. The frame does not wait for the end of the lock.
        bench.body.locksWhileWriting = .seconds(1000)
        let second = bench.perform(.capture(fast))
        bench.run(until: { $0.events(second).contains(.captured) })
        bench.body.set(.exposureProgramMode, .uint32(SonyExposureProgram.program.rawValue))
        let turnedAt = bench.now
        #expect(bench.finish(second).last == .idle)
        #expect(bench.now - turnedAt < .seconds(2))
    }

    @Test func `a speed that is locked for a moment is set when it is unlocked`() {
        let bench = DriverBench.showing(slow)
        bench.body[.sonyShutterSpeed].availability = .displayOnly
        bench.body[.sonyPositionKey].availability = .disabled
        let ticket = bench.perform(.readStatus)
        #expect(bench.finish(ticket).count == 1)
        let setting = bench.perform(.setSpeed(fast))
        bench.run(for: .seconds(1))
        #expect(bench.events(setting).isEmpty)
        bench.body[.sonyShutterSpeed].availability = .enabled
        #expect(bench.finish(setting) == [.speedAccepted])
    }

    @Test func `the driver learns from the first frame whether files arrive`() {
        let bench = DriverBench.showing(fast) {
            $0.storesOnCardOnly = true
            $0.announcesPictures = true
        }
        var durations: [Duration] = []
        for _ in 0..<2 {
            let start = bench.now
            #expect(bench.finish(bench.perform(.capture(fast))).last == .idle)
            durations.append(bench.now - start)
        }
        #expect(durations[0] > .seconds(5))
        #expect(durations[1] < .seconds(1))
    }

    @Test func `an announcement before the exposure can have ended does not count for the frame`() {
        let bench = DriverBench.showing(slow) {
            $0.storesOnCardOnly = true
            $0[.sonySlot1ShotsLeft].code = PropertyCode(rawValue: 0xEEEE)
        }
        let ticket = bench.perform(.capture(slow))
        bench.run(for: .seconds(5))
        bench.receive(.received(.event, PTPIPPacket.event(PTPEvent(code: .sonyCaptured)).encoded()))
        bench.run(for: .seconds(10))
        #expect(bench.events(ticket) == [.shutterReleased])
    }

    @Test func `a late announcement is of the previous frame, if that frame's file came first`() {
        let bench = DriverBench.showing(fast)
        for _ in 0..<2 { #expect(bench.finish(bench.perform(.capture(fast))).last == .idle) }
        bench.body.ignoresShutter = true
        let third = bench.perform(.capture(fast))
        bench.run(until: { $0.events(third) == [.shutterReleased] })
        for delay in [300, 400] { bench.body.plan(.event(.sonyCaptured), at: bench.now + .milliseconds(delay)) }
        bench.run(for: .seconds(5))
        #expect(bench.events(third) == [.shutterReleased])
        bench.body.plan(.event(.sonyCaptured), at: bench.now)
        #expect(bench.finish(third).contains(.captured))
    }

    @Test func `announcements that a connection delayed are of the previous frames, whatever their number`() {
        let bench = DriverBench.showing(fast)
        for _ in 0..<4 { #expect(bench.finish(bench.perform(.capture(fast))).last == .idle) }
        bench.body.ignoresShutter = true
        let ticket = bench.perform(.capture(fast))
        bench.run(until: { $0.events(ticket) == [.shutterReleased] })
        for delay in 3...6 { bench.body.plan(.event(.sonyCaptured), at: bench.now + .milliseconds(100 * delay)) }
        bench.run(for: .seconds(5))
        #expect(bench.events(ticket) == [.shutterReleased])
    }

    @Test func `one missing announcement does not spoil the proof of later frames`() {
        let bench = DriverBench.showing(fast) { $0.storesOnCardOnly = true }
        // The body counts the first picture and does not announce it. The announcement of the second one ends the
        // doubt.
        #expect(bench.finish(bench.perform(.capture(fast))).last == .idle)
        bench.body.announcesPictures = true
        #expect(bench.finish(bench.perform(.capture(fast))).last == .idle)
        bench.body.countsAfter = .seconds(60)
        for _ in 0..<2 { #expect(bench.finish(bench.perform(.capture(fast))).last == .idle) }
    }

    @Test func `a long exposure is polled every two seconds and does not count as silence`() {
        let bench = DriverBench.showing(slow)
        let ticket = bench.perform(.capture(slow))
        bench.run(until: { $0.buttonMoves.count == 4 })
        bench.forget()
        bench.run(for: .seconds(30))
        #expect((13...16).contains(bench.operations.count))
        #expect(bench.finish(ticket).last == .idle)
        #expect(bench.losses.isEmpty)
    }

    @Test func `a body that does not answer during an exposure is not lost before its time`() {
        let bench = DriverBench.showing(slow)
        let ticket = bench.perform(.capture(slow))
        bench.run(until: { $0.buttonMoves.count == 4 })
        bench.body.overrides[.sdioGetAllExtDevicePropInfo] = [.init(code: .deviceBusy, after: .seconds(40))]
        #expect(bench.finish(ticket).last == .idle)
        #expect(bench.losses.isEmpty)
    }

    @Test func `a body that stops answering in mid-frame is lost, and its frame has no answer`() {
        let bench = DriverBench.showing(fast)
        let ticket = bench.perform(.capture(fast))
        bench.run(until: { $0.buttonMoves.count == 2 })
        bench.body.isMute = true
        bench.run(until: { !$0.losses.isEmpty })
        guard case .silent? = bench.losses.first else {
            Issue.record("not lost")
            return
        }
        #expect(bench.events(ticket).allSatisfy { !$0.isLastWord })
    }

    @Test func `a shutter without a picture is reported at the deadline`() {
        let bench = DriverBench.showing(fast) { $0.ignoresShutter = true }
        let events = bench.finish(bench.perform(.capture(fast)))
        #expect(
            events == [
                .shutterReleased, .failed(.other("The camera accepted the shutter command, but reported no picture.")),
            ]
        )
    }

    @Test func `a press that a body ignored while it wrote to its card is reported as busy, each time`() {
        let bench = writingToCard()
        bench.body.ignoresShutter = true
        for _ in 0..<2 {
            let start = bench.now
            #expect(bench.finish(bench.perform(.capture(fast))) == [.shutterReleased, .busy])
            #expect(bench.now - start < .seconds(13))
        }
        bench.body.ignoresShutter = false
        #expect(bench.finish(bench.perform(.capture(fast))) == [.shutterReleased, .captured, .idle])
        #expect(bench.body.framesFired.count == 2)
    }

    @Test func `after a speed that jumps at the shutter the driver waits, and no press counts as ignored`() {
        let bench = writingToCard()
        bench.body.jumpsTo = slow
        let ticket = bench.perform(.capture(fast))
        bench.run(until: { $0.events(ticket) == [.shutterReleased] })
        bench.run(for: .seconds(3))
        // A body that shows a long exposure may answer only after the exposure.
        bench.body.overrides[.sdioGetAllExtDevicePropInfo] = [.init(code: .deviceBusy, after: .seconds(20))]
        #expect(bench.finish(ticket) == [.shutterReleased, .captured, .idle])
        #expect(bench.losses.isEmpty)
    }

    @Test(arguments: ["counted", "announced", "left no counter", "locked"])
    func `a body that does not answer after a press may have fired`(what: String) {
        let bench = writingToCard()
        bench.body.ignoresShutter = true
        let ticket = bench.perform(.capture(fast))
        bench.run(until: { $0.events(ticket) == [.shutterReleased] })
        bench.run(for: .seconds(1))
        switch what {
        case "counted": bench.body.plan(.counted, at: bench.now)
        case "announced": bench.body.plan(.event(.sonyCaptured), at: bench.now)
        case "locked": bench.body[.sonyShutterSpeed].availability = .displayOnly
        default: bench.body[.sonySlot1ShotsLeft].code = PropertyCode(rawValue: 0xEEEE)
        }
        #expect(!bench.finish(ticket).contains(.busy))
    }

    @Test func `a body that counts its pictures after writing them is not idle before`() {
        let bench = writingToCard()
        // The body counted the first picture in time.
        bench.body.countsAfter = .seconds(3)
        for _ in 0..<2 {
            let start = bench.now
            #expect(bench.finish(bench.perform(.capture(fast))).last == .idle)
            #expect(bench.now - start > .seconds(3) && bench.now - start < .seconds(4))
        }
        // After one picture that the body does not count in time, the driver never waits for the count again.
        bench.body.countsAfter = .seconds(60)
        var durations: [Duration] = []
        for _ in 0..<2 {
            let start = bench.now
            #expect(bench.finish(bench.perform(.capture(fast))).last == .idle)
            durations.append(bench.now - start)
        }
        #expect(durations[0] < .seconds(6) && durations[1] < .seconds(2))
    }

    @Test func `a buffer that is never ready prevents the next frame`() {
        let bench = DriverBench.showing(fast)
        bench.body.set(.sonyShootingFileInfo, .uint16(1))
        let start = bench.now
        #expect(bench.finish(bench.perform(.capture(fast))) == [.busy])
        #expect(bench.now - start == .seconds(10))
        #expect(bench.buttonMoves.isEmpty)
        let wait = bench.perform(.awaitIdle)
        bench.run(for: .seconds(60))
        // The driver reports this only once. A body that makes no progress must reach the time limit of the command.
        #expect(bench.events(wait) == [.saving])
        bench.body.set(.sonyShootingFileInfo, .uint16(0))
        #expect(bench.finish(wait).last == .idle)
    }

    @Test func `a file that cannot be fetched yet is requested again`() {
        let bench = DriverBench.showing(fast)
        bench.body.overrides[.getObjectInfo] = [.init(code: .generalError), .init(code: .deviceBusy)]
        #expect(bench.finish(bench.perform(.capture(fast))).last == .idle)
        #expect(bench.body.files.isEmpty)
    }

    @Test func `a late count does not cause a second fetch of the same file`() {
        let bench = DriverBench.showing(fast) { $0.sendsEvents = false }
        bench.perform(.capture(fast))
        bench.run(until: { $0.operations.contains("GetObject 0xFFFFC001") })
        // The body shows the file for half a second longer than expected.
        bench.body.leaveFiles(1)
        bench.run(for: .milliseconds(500))
        #expect(bench.operations.filter { $0.hasPrefix("GetObject ") }.count == 1)
        bench.body.removeFiles()
        bench.run(for: .seconds(1))
        #expect(bench.operations.filter { $0.hasPrefix("GetObject ") }.count == 1)
        #expect(bench.reported.contains { $0.event == .idle })
    }

    @Test func `a file that replaces another is fetched at once if the removal was reported`() {
        let bench = DriverBench.showing(fast)
        bench.perform(.capture(fast))
        bench.run(until: { $0.operations.contains("GetObject 0xFFFFC001") })
        bench.body.leaveFiles(1)
        bench.run(for: .milliseconds(100))
        #expect(bench.operations.filter { $0.hasPrefix("GetObject ") }.count == 2)
    }

    @Test func `a long transfer is reported as saving at intervals`() {
        let bench = DriverBench.showing(fast)
        let ticket = bench.perform(.capture(fast))
        bench.run(until: { $0.operations.contains("GetObjectInfo 0xFFFFC001") })
        bench.body.isMute = true
        bench.run(until: { $0.operations.contains("GetObject 0xFFFFC001") })
        let id = bench.requests.last?.request.transaction ?? 0
        let size = 20_000
        var head = PTPIPPacket.startData(transaction: id, totalLength: UInt64(size)).encoded()
        head.writeMultipleIntegers(UInt32(12 + size), UInt32(10), id, endianness: .little)
        bench.receive(.received(.command, head))
        for _ in 0..<20 {
            bench.run(for: .seconds(1))
            bench.receive(.received(.command, ByteBuffer(repeating: 0, count: size / 20)))
        }
        #expect((8...12).contains(bench.events(ticket).filter { $0 == .saving }.count))
        #expect(bench.losses.isEmpty)
    }

    // MARK: Focus

    @Test func `with autofocus the full press waits for focus`() throws {
        let bench = DriverBench.showing(fast) { $0.set(.focusMode, .uint16(SonyFocusMode.autoSingle.rawValue)) }
        #expect(bench.finish(bench.perform(.capture(fast))).last == .idle)
        let times = bench.requests.filter { $0.request.code == .sdioControlDevice }.map(\.at)
        #expect(times[1] - times[0] > .milliseconds(150))
        #expect(times[1] - times[0] < .milliseconds(300))
    }

    @Test func `the wait for focus that never settles is one second`() throws {
        let bench = DriverBench.showing(fast) {
            $0.set(.focusMode, .uint16(SonyFocusMode.autoContinuous.rawValue))
            $0.focusResult = 5
        }
        #expect(bench.finish(bench.perform(.capture(fast))).last == .idle)
        let times = bench.requests.filter { $0.request.code == .sdioControlDevice }.map(\.at)
        #expect(times[1] - times[0] >= .seconds(1))
        #expect(times[1] - times[0] < .milliseconds(1100))
    }

    @Test func `failed focus without a picture is reported as such`() {
        let bench = DriverBench.showing(fast) {
            $0.set(.focusMode, .uint16(SonyFocusMode.autoSingle.rawValue))
            $0.focusResult = 3
            $0.ignoresShutter = true
        }
        #expect(bench.finish(bench.perform(.capture(fast))) == [.shutterReleased, .failed(.focusFailed)])
    }

    @Test func `failed focus with a picture counts as a picture`() {
        let bench = DriverBench.showing(fast) {
            $0.set(.focusMode, .uint16(SonyFocusMode.autoSingle.rawValue))
            $0.focusResult = 3
        }
        #expect(bench.finish(bench.perform(.capture(fast))).last == .idle)
    }

    @Test func `failed focus does not shorten the wait for a long exposure and its dark frame`() {
        let bench = DriverBench.showing(slow) {
            $0.set(.focusMode, .uint16(SonyFocusMode.autoSingle.rawValue))
            $0.focusResult = 3
            $0.hidesPreparation = true
            $0.sendsEvents = false
            $0[.sonySlot1ShotsLeft].code = PropertyCode(rawValue: 0xEEEE)
            // The time includes a dark frame.
            $0.saveTime = .seconds(33)
        }
        #expect(bench.finish(bench.perform(.capture(slow))).last == .idle)
    }

    // MARK: Quirks

    @Test func `a body that has to settle gets its three seconds`() {
        let bench = DriverBench.showing(fast) { $0.model = "ILCE-7M4" }
        let connectedAt = bench.now
        bench.perform(.capture(fast))
        bench.run(until: { !$0.buttonMoves.isEmpty })
        #expect(bench.now - connectedAt >= .milliseconds(2700))
        #expect(bench.now - connectedAt < .milliseconds(2800))
    }

    @Test func `a body that needs a second between shots gets it`() throws {
        let bench = DriverBench.showing(fast) { $0.model = "ILCE-7RM4" }
        _ = bench.finish(bench.perform(.capture(fast)))
        _ = bench.finish(bench.perform(.capture(fast)))
        let presses = zip(bench.buttonMoves, bench.requests.filter { $0.request.code == .sdioControlDevice })
            .filter { $0.0 == "full down" }.map(\.1.at)
        #expect(presses[1] - presses[0] >= fast.exposureTime + .seconds(1))
    }
}
