import Cameras
import Exposure
import NIOCore
import PTP
import Testing

/// Tests how the driver sets a speed and presses the shutter.
struct SonyFrameTests {
    private let fast: ShutterSpeed
    private let slow: ShutterSpeed

    init() throws {
        fast = try .named("1/60")
        slow = try .named("30\"")
    }

    // MARK: Speed

    @Test func `a speed is set with the value of the body's list, then read until another command`() throws {
        let bench = DriverBench.showing(slow)
        #expect(bench.finish(bench.perform(.setSpeed(fast))) == [.speedAccepted])
        #expect(bench.operations == ["SDIO_SetExtDevicePropValue 0xD20D 3c000100"])
        let ticket = bench.perform(.readSpeed)
        bench.run(for: .milliseconds(350))
        let readings = bench.events(ticket)
        #expect(readings.first == .speedRead(.speed(slow)))
        #expect(readings.last == .speedRead(.speed(fast)))
        // The driver reads at once, at the event, and every 100 ms.
        #expect((4...6).contains(readings.count))
        bench.perform(.awaitIdle)
        bench.run(for: .seconds(1))
        #expect(bench.events(ticket) == readings)
    }

    @Test func `readings continue every 100 ms if the body sends no events`() {
        let bench = DriverBench.showing(slow) { $0.sendsEvents = false }
        let ticket = bench.perform(.readSpeed)
        bench.run(for: .seconds(1))
        #expect((9...11).contains(bench.events(ticket).count))
    }

    @Test func `a speed that is not in the settable list is refused after another reading`() {
        let bench = DriverBench.showing(slow) { body in
            body[.sonyShutterSpeed].form = .enumeration(
                settable: [SonyShutterSpeed(ShutterSpeed.fastest).value],
                supported: []
            )
        }
        #expect(bench.finish(bench.perform(.setSpeed(fast))) == [.failed(.speedNotOffered(fast))])
        #expect(bench.operations == ["SDIO_GetAllExtDevicePropInfo"])
    }

    @Test func `a speed that cannot be set is refused`() {
        let bench = DriverBench.showing(slow) { body in
            body[.sonyShutterSpeed].availability = .displayOnly
            body[.sonyPositionKey].availability = .disabled
        }
        #expect(bench.finish(bench.perform(.setSpeed(fast))) == [.failed(.speedNotWritable)])
    }

    @Test func `a body that is busy or refuses the value reports that`() {
        let busy = DriverBench.showing(slow) { $0.overrides[.sdioSetExtDevicePropValue] = [.init(code: .deviceBusy)] }
        #expect(busy.finish(busy.perform(.setSpeed(fast))) == [.busy])
        let other = DriverBench.showing(slow) {
            $0.overrides[.sdioSetExtDevicePropValue] = [.init(code: .invalidDevicePropValue)]
        }
        #expect(other.finish(other.perform(.setSpeed(fast))) == [.failed(.speedNotOffered(fast))])
        let denied = DriverBench.showing(slow) {
            $0.overrides[.sdioSetExtDevicePropValue] = [.init(code: .accessDenied)]
        }
        let refusal = CameraFailure.refused(operation: "SDIO_SetExtDevicePropValue", code: 0x200F, name: "AccessDenied")
        #expect(denied.finish(denied.perform(.setSpeed(fast))) == [.failed(refusal)])
    }

    @Test func `files in the buffer are fetched before a speed is set, because they would block it`() {
        let bench = DriverBench.showing(slow)
        bench.body.leaveFiles(2)
        let event = PTPEvent(code: .sonyObjectAdded, parameters: [SonyObjectHandle.shotImage])
        let ticket = bench.perform(.setSpeed(fast))
        bench.run(until: { $0.reported.contains { $0.ticket == ticket } })
        #expect(bench.operations == ["SDIO_SetExtDevicePropValue 0xD20D 3c000100"])
        bench.forget()
        // The last reading of the driver now includes the files.
        bench.receive(.received(.event, PTPIPPacket.event(event).encoded()))
        #expect(bench.finish(bench.perform(.setSpeed(fast))) == [.saving, .speedAccepted])
        let names = bench.operations.filter { $0 != "SDIO_GetAllExtDevicePropInfo" }
        #expect(
            names == [
                "GetObjectInfo 0xFFFFC001", "GetObject 0xFFFFC001", "GetObjectInfo 0xFFFFC001", "GetObject 0xFFFFC001",
                "SDIO_SetExtDevicePropValue 0xD20D 3c000100",
            ]
        )
        #expect(bench.finish(bench.perform(.awaitIdle)).last == .idle)
    }

    // MARK: One frame

    @Test func `a frame runs through its steps in order`() {
        let bench = DriverBench.showing(fast)
        let ticket = bench.perform(.capture(fast))
        #expect(bench.finish(ticket) == [.shutterReleased, .captured, .saving, .idle])
        #expect(
            bench.operations.filter { $0 != "SDIO_GetAllExtDevicePropInfo" } == [
                "SDIO_ControlDevice 0xD2C1 0200", "SDIO_ControlDevice 0xD2C2 0200", "SDIO_ControlDevice 0xD2C2 0100",
                "SDIO_ControlDevice 0xD2C1 0100", "GetObjectInfo 0xFFFFC001", "GetObject 0xFFFFC001",
            ]
        )
        #expect(bench.body.framesFired == [SonyShutterSpeed(fast).rawValue])
        // The driver reads the properties before the half press.
        #expect(bench.operations.first == "SDIO_GetAllExtDevicePropInfo")
    }

    @Test func `the button is held for 200 ms`() throws {
        let bench = DriverBench.showing(slow)
        bench.perform(.capture(slow))
        bench.run(until: { $0.buttonMoves.count == 4 })
        let times = bench.requests.filter { $0.request.code == .sdioControlDevice }.map(\.at)
        #expect(times[2] - times[1] == .milliseconds(202))
    }

    @Test func `a speed that falls back right after the reading that confirmed it is noticed`() {
        let bench = DriverBench.showing(fast)
        bench.perform(.readSpeed)
        bench.run(until: { $0.reported.contains { $0.event == .speedRead(.speed(fast)) } })
        bench.body.set(.sonyShutterSpeed, SonyShutterSpeed(slow).value)
        #expect(bench.finish(bench.perform(.capture(fast))) == [.failed(.speedChanged(found: .speed(slow)))])
        #expect(bench.buttonMoves.isEmpty)
    }

    @Test func `a speed that changes while the body focuses is noticed`() {
        let bench = DriverBench.showing(fast) { $0.set(.focusMode, .uint16(SonyFocusMode.autoSingle.rawValue)) }
        let ticket = bench.perform(.capture(fast))
        bench.run(until: { $0.buttonMoves == ["half down"] })
        bench.body.set(.sonyShutterSpeed, SonyShutterSpeed(slow).value)
        #expect(bench.finish(ticket) == [.failed(.speedChanged(found: .speed(slow)))])
        #expect(bench.buttonMoves == ["half down", "half up"])
    }

    @Test func `a file that is announced while the buffer is read is fetched before the shutter is pressed`() throws {
        let bench = DriverBench.showing(fast)
        let empty = SonyPropertyDataset(records: bench.body.records).encoded(version: .version3)
        bench.body.overrides[.sdioGetAllExtDevicePropInfo] = [.init(data: empty, after: .milliseconds(100))]
        let ticket = bench.perform(.capture(fast))
        bench.body.leaveFiles(1)
        bench.body.plan(.event(.sonyObjectAdded), at: bench.now + .milliseconds(50))
        #expect(bench.finish(ticket).last == .idle)
        let codes = bench.requests.map(\.request.code)
        let fetched = try #require(codes.firstIndex(of: .getObject))
        let pressed = try #require(codes.firstIndex(of: .sdioControlDevice))
        #expect(fetched < pressed, "\(bench.operations)")
    }

    /// The body may change its speed while it answers the half press. After a second the driver's last reading is too
    /// old. Before that, an event reports the change.
    @Test(arguments: [
        (answersAfter: Duration.milliseconds(1500), sendsEvents: false), (answersAfter: .milliseconds(300), true),
    ])
    func `a speed that changes during the half press is noticed before the full press`(
        answersAfter: Duration,
        sendsEvents: Bool
    ) {
        let bench = DriverBench.showing(fast) { $0.sendsEvents = sendsEvents }
        bench.body.overrides[.sdioControlDevice] = [.init(after: answersAfter)]
        let ticket = bench.perform(.capture(fast))
        bench.run(until: { $0.buttonMoves == ["half down"] })
        bench.body.plan(.speedShows(SonyShutterSpeed(slow).rawValue), at: bench.now + .milliseconds(100))
        #expect(bench.finish(ticket) == [.failed(.speedChanged(found: .speed(slow)))])
        #expect(bench.buttonMoves == ["half down", "half up"])
    }

    @Test func `a frame with events takes few round trips`() {
        let bench = DriverBench.showing(fast)
        bench.perform(.setSpeed(fast))
        bench.run(until: { $0.reported.contains { $0.event == .speedAccepted } })
        bench.perform(.readSpeed)
        bench.run(until: { $0.reported.contains { $0.event == .speedRead(.speed(fast)) } })
        _ = bench.finish(bench.perform(.capture(fast)))
        // The operations are set, read, four button moves, a reading with the file, its description, the file, and a
        // reading without the file. The body's property events cause more readings.
        #expect(bench.operations.filter { $0 != "SDIO_GetAllExtDevicePropInfo" }.count == 7)
        #expect(bench.operations.count <= 14)
    }

    @Test func `another speed on the body right before the shutter fires nothing`() throws {
        let bench = DriverBench.showing(slow)
        let other = try ShutterSpeed.named("1/125")
        bench.body.set(.sonyShutterSpeed, SonyShutterSpeed(other).value)
        let ticket = bench.perform(.capture(slow))
        #expect(bench.finish(ticket) == [.failed(.speedChanged(found: .speed(other)))])
        #expect(bench.buttonMoves.isEmpty)
        #expect(bench.body.framesFired.isEmpty)
    }

    @Test(arguments: ["half", "full"])
    func `a body that is busy at the press is reported as busy, and the button is released`(stage: String) {
        let bench = DriverBench.showing(fast)
        let ok = ScriptedBody.Answer()
        let busy = ScriptedBody.Answer(code: .deviceBusy)
        bench.body.overrides[.sdioControlDevice] = stage == "half" ? [busy] : [ok, busy]
        #expect(bench.finish(bench.perform(.capture(fast))) == [.busy])
        #expect(
            bench.buttonMoves
                == (stage == "half" ? ["half down", "half up"] : ["half down", "full down", "full up", "half up"])
        )
        // The next frame succeeds.
        #expect(bench.finish(bench.perform(.capture(fast))).last == .idle)
    }

    @Test func `a body that is busy at the press and at the release is not pressed again for the same frame`() {
        let bench = DriverBench.showing(fast)
        let busy = ScriptedBody.Answer(code: .deviceBusy)
        bench.body.overrides[.sdioControlDevice] = [.init(), busy, busy]
        #expect(bench.finish(bench.perform(.capture(fast))) == [.busy])
        #expect(bench.buttonMoves == ["half down", "full down", "full up", "full up", "half up"])
        #expect(bench.body.framesFired.isEmpty)
    }

    @Test func `a full card is reported as such`() {
        let bench = DriverBench.showing(fast)
        bench.body.overrides[.sdioControlDevice] = [.init(), .init(code: .storeFull)]
        #expect(bench.finish(bench.perform(.capture(fast))) == [.failed(.storageFull)])
        #expect(bench.buttonMoves.suffix(2) == ["full up", "half up"])
    }

    @Test func `a refused release is sent again`() {
        let bench = DriverBench.showing(fast)
        let busy = ScriptedBody.Answer(code: .deviceBusy)
        bench.perform(.capture(fast))
        bench.run(until: { $0.buttonMoves.count == 2 })
        bench.body.overrides[.sdioControlDevice] = [busy, busy]
        bench.run(for: .seconds(5))
        #expect(bench.buttonMoves == ["half down", "full down", "full up", "full up", "full up", "half up"])
        #expect(bench.reported.last?.event == .idle || bench.reported.contains { $0.event == .idle })
    }

    @Test func `another command in mid-press releases the button`() {
        let bench = DriverBench.showing(slow)
        bench.perform(.capture(slow))
        bench.run(until: { $0.buttonMoves.count == 2 })
        bench.perform(.awaitIdle)
        bench.run(until: { $0.buttonMoves.count == 4 }, atMost: .seconds(1))
        #expect(bench.buttonMoves.suffix(2) == ["full up", "half up"])
    }

    @Test func `the ordered end in mid-press releases the button first`() {
        let bench = DriverBench.showing(slow)
        bench.perform(.capture(slow))
        bench.run(until: { $0.buttonMoves.count == 2 })
        #expect(bench.finish(bench.perform(.disconnect)) == [.disconnected])
        #expect(bench.buttonMoves.suffix(2) == ["full up", "half up"])
        #expect(bench.operations.last == "CloseSession")
    }
}
