import Cameras
import Exposure
import NIOCore
import PTP
import Testing

/// Tests the limits of stepping: the ends of the range, bodies that do not follow, and speeds that need no steps.
struct SonySteppingLimitsTests {
    private let fast: ShutterSpeed
    private let slow: ShutterSpeed

    init() throws {
        fast = try .named("1/1000")
        slow = try .named("1/4")
    }

    // MARK: Ends

    @Test func `BULB is one notch beyond the slowest speed`() {
        let bench = DriverBench.stepping(from: SonyShutterSpeed.bulb.rawValue)
        #expect(bench.finish(bench.perform(.setSpeed(.slowest))) == [.speedAccepted])
        #expect(bench.steps == [1])
    }

    @Test func `the way may start at a speed that is faster than the scale`() {
        let bench = DriverBench.stepping(from: UInt32(0x0001_7D00))
        #expect(bench.finish(bench.perform(.setSpeed(.fastest))) == [.speedAccepted])
        #expect(bench.steps == [-6])
    }

    @Test func `the end of the range is found once, and then known`() throws {
        // 1/4000 is 53 notches away from BULB.
        let end = try ShutterSpeed.named("1/4000")
        let bench = DriverBench.stepping(from: fast) { $0.range = 0..<SteppingDial.place(end) + 1 }
        let start = bench.now
        #expect(
            bench.finish(bench.perform(.setSpeed(.fastest))) == [.failed(.speedNotOffered(.fastest))]
        )
        #expect(bench.steps == [9, 3, 1, 1])
        #expect(bench.now - start < .seconds(12))
        bench.run(for: .seconds(1))
        #expect(bench.lastStatus?.speeds.first == end)
        // The jump that ended at the limit does not limit other jumps.
        #expect(bench.finish(bench.perform(.setSpeed(slow))) == [.speedAccepted])
        #expect(bench.steps.suffix(1) == [-30])
        #expect(bench.finish(bench.perform(.setSpeed(.fastest))) == [.failed(.speedNotOffered(.fastest))])
        #expect(bench.steps.count == 5)
    }

    @Test func `a reading beyond the known end removes the end`() throws {
        let end = try ShutterSpeed.named("1/4000")
        let bench = DriverBench.stepping(from: fast) { $0.range = 0..<SteppingDial.place(end) + 1 }
        _ = bench.finish(bench.perform(.setSpeed(.fastest)))
        bench.body.set(.sonyShutterSpeed, SonyShutterSpeed(.fastest).value)
        bench.perform(.readStatus)
        bench.run(for: .seconds(1))
        #expect(bench.lastStatus?.speeds == ShutterSpeed.all)
    }

    @Test func `an end is kept for a minute`() throws {
        let end = try ShutterSpeed.named("1/4000")
        let bench = DriverBench.stepping(from: fast) { $0.range = 0..<SteppingDial.place(end) + 1 }
        #expect(bench.finish(bench.perform(.setSpeed(.fastest))) == [.failed(.speedNotOffered(.fastest))])
        bench.body.stepper?.range = SteppingDial.scale.indices
        #expect(bench.finish(bench.perform(.setSpeed(.fastest))) == [.failed(.speedNotOffered(.fastest))])
        bench.run(for: .seconds(61))
        #expect(bench.finish(bench.perform(.setSpeed(.fastest))) == [.speedAccepted])
    }

    @Test func `an end that is found again is kept for longer`() throws {
        let end = try ShutterSpeed.named("1/4000")
        let bench = DriverBench.stepping(from: fast) { $0.range = 0..<SteppingDial.place(end) + 1 }
        _ = bench.finish(bench.perform(.setSpeed(.fastest)))
        bench.run(for: .seconds(61))
        _ = bench.finish(bench.perform(.setSpeed(.fastest)))
        let count = bench.steps.count
        bench.run(for: .seconds(500))
        #expect(bench.finish(bench.perform(.setSpeed(.fastest))) == [.failed(.speedNotOffered(.fastest))])
        #expect(bench.steps.count == count)
    }

    @Test func `a turned dial during a way does not set an end`() throws {
        let bench = DriverBench.stepping(from: fast) { $0.landing = { _, _ in 0 } }
        let ticket = bench.perform(.setSpeed(try .named("1/500")))
        bench.run(for: .milliseconds(100))
        bench.body.set(.sonyShutterSpeed, SonyShutterSpeed(slow).value)
        guard case .failed(.other)? = bench.finish(ticket).first else {
            Issue.record("\(bench.events(ticket))")
            return
        }
        bench.perform(.readStatus)
        bench.run(for: .milliseconds(100))
        #expect(bench.lastStatus?.speeds == ShutterSpeed.all)
    }

    @Test func `a body that never moved is reported, and its speed is not the end of its range`() {
        let bench = DriverBench.stepping(from: fast) { $0.landing = { _, _ in 0 } }
        let start = bench.now
        guard case .failed(.other(let sentence))? = bench.finish(bench.perform(.setSpeed(slow))).first else {
            Issue.record("no failure")
            return
        }
        #expect(sentence.contains("1/1000") && sentence.contains("1/4"))
        #expect(bench.steps == [-24, -1, -1])
        #expect((9...11).contains((bench.now - start).components.seconds))
        bench.perform(.readStatus)
        bench.run(for: .milliseconds(100))
        #expect(bench.lastStatus?.speeds == ShutterSpeed.all)
    }

    @Test func `a body that may need the priority over its dials gets it before the driver gives up`() {
        let bench = DriverBench.stepping(from: fast) {
            $0.landing = { notches, count in count < 3 ? 0 : notches }
        } body: {
            // The property is enabled, so nothing else shows that the host needs the priority.
            $0[.sonyShutterSpeed].availability = .enabled
            $0[.sonyPositionKey] = SonyPropertyRecord(
                code: .sonyPositionKey,
                defaultValue: .uint8(0),
                currentValue: .uint8(0),
                form: .enumeration(settable: [.uint8(0), .uint8(1)], supported: nil)
            )
        }
        #expect(bench.finish(bench.perform(.setSpeed(slow))) == [.speedAccepted])
        #expect(bench.steps == [-24, -1, -1, -24])
        #expect(bench.operations.contains("SDIO_SetExtDevicePropValue 0xD25A 01"))
        bench.perform(.disconnect)
        bench.run(for: .seconds(3))
        #expect(bench.operations.contains("SDIO_SetExtDevicePropValue 0xD25A 00"))
    }

    @Test func `a way that is given up ends after the effect of its last notch`() throws {
        // The user turned the dial far away, and each notch takes as long as on a slow body.
        let bench = DriverBench.stepping(from: fast) {
            $0.moveTime = .milliseconds(700)
            $0.landing = { notches, count in count == 0 ? -50 : notches.signum() }
        }
        let ticket = bench.perform(.setProperty(.shutterSpeed, "1/500"))
        bench.run(until: { !$0.events(ticket).isEmpty })
        guard case .failed(.other(let sentence))? = bench.events(ticket).first else {
            Issue.record("\(bench.events(ticket))")
            return
        }
        let shown = bench.lastStatus?.speed
        #expect(sentence.contains("The camera shows \(shown?.description ?? "")"))
        bench.run(for: .seconds(5))
        bench.perform(.readStatus)
        bench.run(for: .seconds(1))
        #expect(bench.lastStatus?.speed == shown)
    }

    @Test func `half stops are reported, and not stepped`() {
        let bench = DriverBench.stepping(from: fast) {
            _ in
        } body: {
            $0.set(.sonyShutterSpeed, .uint32(0x0001_002D))
        }
        guard case .failed(.other(let sentence))? = bench.finish(bench.perform(.setSpeed(slow))).first else {
            Issue.record("no failure")
            return
        }
        #expect(sentence.contains("1/45") && sentence.contains("1/3 EV"))
        #expect(bench.steps.isEmpty)
    }

    @Test func `the wait for a body that shows nothing ends`() {
        let bench = DriverBench.stepping(from: fast)
        bench.body.set(.sonyShutterSpeed, .uint32(.max))
        let ticket = bench.perform(.setSpeed(slow))
        bench.run(for: .seconds(3))
        #expect(bench.events(ticket).isEmpty)
        bench.body.set(.sonyShutterSpeed, SonyShutterSpeed(fast).value)
        #expect(bench.finish(ticket) == [.speedAccepted])

        bench.run(for: .milliseconds(300))
        bench.body.set(.sonyShutterSpeed, .uint32(.max))
        let start = bench.now
        guard case .failed(.other(let sentence))? = bench.finish(bench.perform(.setSpeed(fast))).first else {
            Issue.record("no failure")
            return
        }
        #expect(sentence.contains("shows no shutter speed"))
        #expect(bench.now - start <= .seconds(11))
    }

    @Test func `a step that the body is too busy for is sent again, and a refused one is reported`() {
        let bench = DriverBench.stepping(from: fast)
        bench.body.overrides[.sdioControlDevice] = [.init(code: .deviceBusy), .init(code: .deviceBusy)]
        #expect(bench.finish(bench.perform(.setSpeed(slow))) == [.speedAccepted])
        #expect(bench.steps == [-24])

        bench.body.overrides[.sdioControlDevice] =
            [ScriptedBody.Answer](repeating: .init(code: .deviceBusy), count: 1000)
        let start = bench.now
        #expect(bench.finish(bench.perform(.setSpeed(fast))) == [.busy])
        #expect(bench.now - start < .seconds(25))

        bench.body.overrides[.sdioControlDevice] = [.init(code: .accessDenied)]
        let refused = bench.finish(bench.perform(.setSpeed(fast)))
        guard case .failed(.refused(let operation, _, _))? = refused.first else {
            Issue.record("not refused")
            return
        }
        #expect(operation == "SDIO_ControlDevice")
    }

    @Test func `files in the buffer are fetched before the first step`() {
        let bench = DriverBench.stepping(from: fast)
        bench.body.leaveFiles(2)
        #expect(bench.finish(bench.perform(.setSpeed(slow))) == [.saving, .speedAccepted])
        #expect(bench.body.files.isEmpty)
        #expect(bench.steps == [-24])
    }

    @Test func `a new command ends the way, and starts from the present speed`() throws {
        let bench = DriverBench.stepping(from: fast) { $0.moveTime = .milliseconds(200) }
        let first = bench.perform(.setSpeed(slow))
        bench.run(for: .milliseconds(50))
        let other = try ShutterSpeed.named("1/60")
        #expect(bench.finish(bench.perform(.setSpeed(other))) == [.speedAccepted])
        #expect(bench.events(first).isEmpty)
        #expect(bench.steps == [-24, 12])
    }

    /// A body that moves to 1/500 and shows 1/640 now.
    private func passing() throws -> (DriverBench, ShutterSpeed) {
        let bench = DriverBench.stepping(from: fast) { $0.walk = .milliseconds(150) }
        let passed = try ShutterSpeed.named("1/640")
        bench.perform(.setSpeed(try .named("1/500")))
        bench.run(until: { $0.lastStatus?.speed == .speed(passed) })
        #expect(bench.steps == [-3])
        return (bench, passed)
    }

    @Test func `a speed that a body only passes does not end a new way`() throws {
        let (bench, passed) = try passing()
        #expect(bench.finish(bench.perform(.setSpeed(passed))) == [.speedAccepted])
        bench.run(for: .seconds(3))
        #expect(bench.lastStatus?.speed == .speed(passed))
    }

    @Test func `a speed that a body only passes does not count as restored`() throws {
        let (bench, passed) = try passing()
        let state = PropertyState(property: .shutterSpeed, value: passed.label, isWritable: true)
        #expect(bench.finish(bench.perform(.setProperty(.shutterSpeed, passed.label))) == [.propertySet(state)])
        bench.run(for: .seconds(3))
        #expect(bench.lastStatus?.speed == .speed(passed))
    }

    @Test func `a dial turned to the target does not end a way that continues`() {
        let bench = DriverBench.stepping(from: fast) {
            $0.landing = { notches, _ in max(notches, -8) }
            $0.moveTime = .milliseconds(700)
        }
        let ticket = bench.perform(.setSpeed(slow))
        bench.run(until: { $0.steps.count == 2 })
        bench.run(for: .milliseconds(300))
        bench.body.set(.sonyShutterSpeed, SonyShutterSpeed(slow).value)
        #expect(bench.finish(ticket) == [.speedAccepted])
        bench.run(for: .seconds(3))
        #expect(bench.body.speed == SonyShutterSpeed(slow).rawValue)
    }

    @Test func `after a turned dial the target may be the end of an earlier step`() throws {
        let target = try ShutterSpeed.named("1/500")
        let bench = DriverBench.stepping(from: fast) { $0.moveTime = .milliseconds(900) }
        let ticket = bench.perform(.setSpeed(target))
        bench.run(for: .milliseconds(100))
        bench.body.set(.sonyShutterSpeed, SonyShutterSpeed(slow).value)
        #expect(bench.finish(ticket) == [.speedAccepted])
        #expect(bench.steps.prefix(2) == [-3, 21])
        bench.run(for: .seconds(3))
        #expect(bench.body.speed == SonyShutterSpeed(target).rawValue)
    }

    // MARK: The absolute property

    @Test(arguments: [true, false])
    func `a version 2 body that lists the absolute speed is not stepped`(isInList: Bool) {
        let bench = DriverBench.stepping(from: fast) {
            _ in
        } body: {
            $0.addAbsoluteSpeed(isListed: isInList)
        }
        #expect(bench.finish(bench.perform(.setSpeed(slow))) == [.speedAccepted])
        let value = SonyShutterSpeed(slow).value.encoded().hex
        #expect(bench.operations.contains("SDIO_SetExtDevicePropValue 0xD229 " + value))
        #expect(bench.steps.isEmpty)
        bench.run(for: .seconds(1))
        #expect(bench.lastStatus?.speedSetting == .absolute)
        #expect(bench.lastStatus?.speed == .speed(slow))
    }

    @Test func `an absolute speed that is listed and refused is stepped instead`() {
        let bench = DriverBench.stepping(from: fast) {
            _ in
        } body: {
            $0.addAbsoluteSpeed(isListed: true)
        }
        bench.body.overrides[.sdioSetExtDevicePropValue] = [.init(code: .devicePropNotSupported)]
        #expect(bench.finish(bench.perform(.setSpeed(slow))) == [.speedAccepted])
        #expect(bench.finish(bench.perform(.setSpeed(fast))) == [.speedAccepted])
        #expect(bench.steps == [-24, 24])
        #expect(bench.operations.count { $0.contains("D229") } == 1)
    }

    @Test func `on version 3 the number of the absolute speed means something else, and is never written`() {
        let bench = DriverBench.showing(fast) { $0.addAbsoluteSpeed(isListed: true) }
        #expect(bench.finish(bench.perform(.setSpeed(slow))) == [.speedAccepted])
        bench.perform(.capture(slow))
        bench.run(for: .seconds(5))
        #expect(!bench.operations.contains { $0.contains("0xD229") || $0.contains("0xD20D 0") && $0.count < 30 })
        #expect(bench.operations.contains { $0.hasPrefix("SDIO_SetExtDevicePropValue 0xD20D") })
    }

    // MARK: A frame

    @Test func `a speed that jumps back before the shutter is reported, set again and fired`() {
        let bench = DriverBench.stepping(from: fast)
        #expect(bench.finish(bench.perform(.setSpeed(slow))) == [.speedAccepted])
        bench.body.set(.sonyShutterSpeed, SonyShutterSpeed(fast).value)
        let failed = CameraEvent.failed(.speedChanged(found: .speed(fast)))
        #expect(bench.finish(bench.perform(.capture(slow))) == [failed])
        #expect(bench.body.framesFired.isEmpty)
        #expect(bench.finish(bench.perform(.setSpeed(slow))) == [.speedAccepted])
        let events = bench.finish(bench.perform(.capture(slow)))
        #expect(events.last == .idle)
        #expect(bench.body.framesFired == [SonyShutterSpeed(slow).rawValue])
    }

    @Test(arguments: [SonySaveTarget.host, .card, .both])
    func `whatever 0xD222 means, no picture counts for the next one`(target: SonySaveTarget) throws {
        for isOnCard in [false, true] {
            let bench = DriverBench.stepping(from: fast) {
                _ in
            } body: {
                $0.set(.sonySaveTarget, .uint16(target.rawValue))
                $0.storesOnCardOnly = isOnCard
                $0.announcesPictures = true
                // Between the report and the file, the body shows an empty buffer.
                $0.saveTime = .seconds(2)
                $0.hidesPreparation = true
            }
            for (index, speed) in [slow, fast].enumerated() {
                #expect(bench.finish(bench.perform(.setSpeed(speed))) == [.speedAccepted])
                #expect(bench.finish(bench.perform(.capture(speed))).last == .idle)
                #expect(bench.body.framesFired.count == index + 1)
                // Each frame ends with its own picture, not with the previous picture.
                let fetched = bench.operations.count { $0.hasPrefix("GetObject 0x") }
                #expect(fetched == (isOnCard ? 0 : index + 1))
            }
        }
    }
}

extension ScriptedBody {
    /// Adds the property by which some version 2 bodies accept the speed as a value.
    fileprivate mutating func addAbsoluteSpeed(isListed: Bool) {
        let record = SonyPropertyRecord(
            code: .sonyShutterSpeedVersion2,
            defaultValue: .uint32(0),
            currentValue: .uint32(0)
        )
        if isListed { listedOnly.append(record.code) } else { records.append(record) }
    }
}
