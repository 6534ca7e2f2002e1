import Cameras
import Exposure
import NIOCore
import PTP
import Testing

/// Tests how version 2 bodies identify themselves, and how the driver steps their speed to the target.
struct SonySteppingTests {
    private let fast: ShutterSpeed
    private let slow: ShutterSpeed

    init() throws {
        fast = try .named("1/1000")
        slow = try .named("1/4")
    }

    // MARK: Identity

    @Test func `a version 2 body is read by its own rules, and reports how its speed is set`() throws {
        let bench = DriverBench { $0.becomeVersion2(showing: SonyShutterSpeed(fast).rawValue) }
        let events = bench.finish(bench.perform(.connect(DriverBench.address)))
        guard case .status(let status)? = events.last else {
            Issue.record("no status")
            return
        }
        #expect(status.mode == .manual)
        #expect(status.speed == .speed(fast))
        #expect(status.speeds == ShutterSpeed.all)
        #expect(status.speedIsWritable)
        #expect(status.speedSetting == .stepwise(perNotch: .milliseconds(50)))
        // This value comes after the enumerations, so it shows that they are read with their right length.
        #expect(status.batteryPercent == 70)
        #expect(status.shotsLeft == 116)
        #expect(bench.notes.contains { $0.contains("version 2") })
    }

    @Test func `version 3 bodies set the speed as a value, whatever their name`() throws {
        let bench = DriverBench { $0.model = "ILCE-6400" }
        bench.connect()
        bench.perform(.readStatus)
        bench.run(for: .milliseconds(100))
        #expect(bench.lastStatus?.speedSetting == .absolute)
        #expect(bench.lastStatus?.speeds == ShutterSpeed.all)
    }

    @Test(arguments: [
        (SonyExposureProgram.manual, true), (.shutterPriority, true), (.aperturePriority, false), (.program, false),
    ])
    func `the mode dial decides whether the speed of a version 2 body can be set`(
        program: SonyExposureProgram,
        isWritable: Bool
    ) {
        for availability in [SonyPropertyRecord.Availability.displayOnly, .enabled] {
            let bench = DriverBench.stepping(from: fast) {
                _ in
            } body: {
                $0.set(.exposureProgramMode, .uint16(UInt16(truncatingIfNeeded: program.rawValue)))
                $0[.sonyShutterSpeed].availability = availability
            }
            bench.perform(.readStatus)
            bench.run(for: .milliseconds(100))
            #expect(bench.lastStatus?.speedIsWritable == isWritable)
        }
    }

    @Test func `the speed can be stepped though the list lacks the control`() {
        let bench = DriverBench.stepping(from: fast) {
            _ in
        } body: {
            $0.controls = [.halfPress]
        }
        #expect(bench.finish(bench.perform(.setSpeed(slow))) == [.speedAccepted])
    }

    @Test func `a speed that a model lacks is not offered, though the body lists none`() throws {
        let bench = DriverBench.stepping(from: fast) {
            _ in
        } body: {
            $0.model = "ILCE-6400"
        }
        bench.perform(.readStatus)
        bench.run(for: .milliseconds(100))
        #expect(bench.lastStatus?.speeds.first == (try .named("1/4000")))
        #expect(bench.lastStatus?.speeds.last == .slowest)
        let tooFast = try ShutterSpeed.named("1/8000")
        #expect(bench.finish(bench.perform(.setSpeed(tooFast))) == [.failed(.speedNotOffered(tooFast))])
        #expect(bench.steps.isEmpty)
    }

    @Test func `an empty list and a range both mean that nothing is listed`() {
        let bench = DriverBench.stepping(from: fast) {
            _ in
        } body: {
            $0[.sonyShutterSpeed].form = .enumeration(settable: [], supported: nil)
        }
        #expect(bench.finish(bench.perform(.setSpeed(slow))) == [.speedAccepted])
    }

    @Test func `a version 2 body with a list offers that list`() throws {
        let listed = [fast, slow].map { SonyShutterSpeed($0).value }
        let bench = DriverBench.stepping(from: fast) {
            _ in
        } body: {
            $0[.sonyShutterSpeed].form = .enumeration(settable: listed, supported: nil)
        }
        let other = try ShutterSpeed.named("1/60")
        #expect(bench.finish(bench.perform(.setSpeed(other))) == [.failed(.speedNotOffered(other))])
        #expect(bench.finish(bench.perform(.setSpeed(slow))) == [.speedAccepted])
    }

    /// The sources are LGD sony-a7m4 and -a6700: from 1/8000 or 1/4000 to 30/1.
    @Test(arguments: [(UInt32(0x0001_1F40), "1/8000"), (0x0001_0FA0, "1/4000")])
    func `a body with a range of speeds offers the range, however its ends are written`(
        first: UInt32,
        name: String
    ) throws {
        let bench = DriverBench.stepping(from: fast) {
            _ in
        } body: {
            $0[.sonyShutterSpeed].form = .range(
                min: .uint32(first),
                max: .uint32(0x001E_0001),
                step: .uint32(1)
            )
        }
        _ = bench.finish(bench.perform(.readStatus))
        #expect(bench.lastStatus?.speeds.first == (try .named(name)))
        #expect(bench.lastStatus?.speeds.last == .slowest)
        #expect(bench.finish(bench.perform(.setSpeed(.slowest))) == [.speedAccepted])
        guard case .propertySet(let state)? = bench.finish(bench.perform(.setProperty(.shutterSpeed, "1/4"))).last
        else {
            Issue.record("the speed is not set")
            return
        }
        #expect(state.value == "1/4")
    }

    // MARK: Steps

    @Test func `a step is one signed byte for the control, and positive means faster`() throws {
        let vector = SonyVectors.object("ptp_relative_step_v2")
        let bench = DriverBench.stepping(from: fast)
        let slower = try ShutterSpeed.named("1/800")
        #expect(bench.finish(bench.perform(.setSpeed(slower))) == [.speedAccepted])
        #expect(bench.finish(bench.perform(.setSpeed(fast))) == [.speedAccepted])
        let steps = bench.requests.filter { $0.request.code == .sdioControlDevice }
        #expect(steps.map { $0.request.parameters.first } == [0xD20D, 0xD20D])
        #expect(steps.map { $0.data?.hex } == [vector["slower_by_one"] as? String, vector["faster_by_one"] as? String])
    }

    @Test func `one jump reaches the target, and counts only when it shows`() {
        let bench = DriverBench.stepping(from: fast)
        let start = bench.now
        let ticket = bench.perform(.setSpeed(slow))
        bench.run(for: .milliseconds(290))
        #expect(bench.events(ticket).isEmpty)
        #expect(bench.finish(ticket) == [.speedAccepted])
        #expect(bench.steps == [-24])
        #expect(bench.now - start < .milliseconds(600))
        #expect(bench.body.speed == SonyShutterSpeed(slow).rawValue)
    }

    @Test func `without events the speed is read every 200 ms`() {
        let bench = DriverBench.stepping(from: fast) {
            $0.moveTime = .milliseconds(1900)
        } body: {
            $0.sendsEvents = false
        }
        #expect(bench.finish(bench.perform(.setSpeed(slow))) == [.speedAccepted])
        #expect(bench.steps == [-24])
        #expect((10...13).contains(bench.operations.count { $0 == "SDIO_GetAllExtDevicePropInfo" }))
    }

    @Test func `a body at the target is not stepped`() {
        let bench = DriverBench.stepping(from: fast)
        #expect(bench.finish(bench.perform(.setSpeed(fast))) == [.speedAccepted])
        #expect(bench.steps.isEmpty)
    }

    @Test func `a jump that ends short is followed by the rest`() throws {
        // The body moves at most 20 notches per command, as an A6400 does, which needs several commands.
        let bench = DriverBench.stepping(from: .slowest) { $0.landing = { notches, _ in min(max(notches, -20), 20) } }
        let aim = try ShutterSpeed.named("1/4000")
        #expect(bench.finish(bench.perform(.setSpeed(aim))) == [.speedAccepted])
        #expect(bench.steps == [51, 20, 11])
        // After the driver has learned this limit, no command exceeds it.
        #expect(bench.finish(bench.perform(.setSpeed(.slowest))) == [.speedAccepted])
        #expect(bench.steps.dropFirst(3) == [-20, -20, -11])
    }

    @Test func `a body that shows every notch on its way is not interrupted`() {
        // The body moves so slowly that two readings may see the same notch.
        let bench = DriverBench.stepping(from: fast) {
            $0.walk = .milliseconds(250)
        } body: {
            $0.sendsEvents = false
        }
        #expect(bench.finish(bench.perform(.setSpeed(slow))) == [.speedAccepted])
        #expect(bench.steps == [-24])
    }

    @Test func `after a jump without effect the driver sends single notches`() throws {
        let bench = DriverBench.stepping(from: fast) { $0.landing = { notches, _ in abs(notches) > 1 ? 0 : notches } }
        let near = try ShutterSpeed.named("1/500")
        #expect(bench.finish(bench.perform(.setSpeed(near))) == [.speedAccepted])
        #expect(bench.steps == [-3, -1, -1, -1])
        // Two attempts show that the body does not move. The driver then loses no more 3 s.
        #expect(bench.finish(bench.perform(.setSpeed(fast))) == [.speedAccepted])
        let start = bench.now
        #expect(bench.finish(bench.perform(.setSpeed(near))) == [.speedAccepted])
        #expect(bench.steps.suffix(3) == [-1, -1, -1])
        #expect(bench.now - start < .seconds(2))
    }

    @Test func `the whole range works in single notches too`() {
        let bench = DriverBench.stepping(from: .slowest) {
            $0.landing = { notches, _ in abs(notches) > 1 ? 0 : notches }
            $0.moveTime = .milliseconds(700)
        }
        #expect(bench.finish(bench.perform(.setSpeed(.fastest))) == [.speedAccepted])
        #expect(bench.steps.count == 55)
    }

    @Test func `a notch that gets lost is sent again`() throws {
        let bench = DriverBench.stepping(from: fast) { $0.landing = { notches, count in count == 0 ? 0 : notches } }
        #expect(bench.finish(bench.perform(.setSpeed(try .named("1/800")))) == [.speedAccepted])
        #expect(bench.steps == [-1, -1])
    }

    @Test func `a body that moves too far is stepped back`() {
        let bench = DriverBench.stepping(from: fast) {
            $0.landing = { notches, _ in notches < -1 ? notches - 2 : notches }
        }
        #expect(bench.finish(bench.perform(.setSpeed(slow))) == [.speedAccepted])
        #expect(bench.steps == [-24, 1, 1])
    }

    @Test func `a body that passes its target again and again is given up`() throws {
        let bench = DriverBench.stepping(from: fast) { $0.landing = { notches, _ in notches * 2 } }
        let near = try ShutterSpeed.named("1/800")
        let start = bench.now
        guard case .failed(.other(let sentence))? = bench.finish(bench.perform(.setSpeed(near))).first else {
            Issue.record("no failure")
            return
        }
        #expect(sentence.contains("1/800"))
        #expect(bench.steps == [-1, 1, -1, 1, -1])
        #expect(bench.now - start < .seconds(10))
    }

    @Test(arguments: 1...24 as ClosedRange<UInt64>)
    func `no command ever moves away from the target, whatever the body does`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let from = try #require(ShutterSpeed(index: Int(random.next() % 55)))
        let errors = (0..<200).map { _ in Int(random.next() % 9) - 4 }
        let bench = DriverBench.stepping(from: from) {
            $0.landing = { notches, count in notches + errors[count % errors.count] * (seed % 3 == 0 ? 4 : 1) / 2 }
            $0.moveTime = .milliseconds(Int64(random.next() % 900))
            $0.range = Int(random.next() % 4)..<(58 + Int(random.next() % 4))
        }
        let aim = try #require(ShutterSpeed(index: Int(random.next() % 55)))
        let start = bench.now
        let events = bench.finish(bench.perform(.setSpeed(aim)))
        #expect(events.count == 1)
        #expect(bench.now - start < .seconds(75))
        let target = SteppingDial.place(aim)
        for command in bench.body.stepper?.commands ?? [] {
            #expect((command.notches > 0) == (target > command.from))
            #expect(abs(command.notches) <= abs(target - command.from))
        }
        if events == [.speedAccepted] { #expect(bench.body.speed == SonyShutterSpeed(aim).rawValue) }
    }

    @Test func `the speed is set though the dial is turned on the way`() throws {
        let bench = DriverBench.stepping(from: fast) { $0.moveTime = .milliseconds(500) }
        let ticket = bench.perform(.setSpeed(slow))
        bench.run(for: .milliseconds(100))
        bench.body.set(.sonyShutterSpeed, SonyShutterSpeed(try .named("1/2000")).value)
        #expect(bench.finish(ticket) == [.speedAccepted])
    }

    // MARK: The number of notches

    @Test(arguments: [false, true])
    func `the default plan takes hardly more notches than the fewest`(isInexact: Bool) throws {
        var notches = 0
        var fewest = 0
        for seed in 1...8 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            let errors = (0..<200).map { _ in isInexact ? Int(random.next() % 3) - 1 : 0 }
            let start = try #require(ShutterSpeed(index: Int(random.next() % 55)))
            let bench = DriverBench.stepping(from: start) {
                $0.landing = { notches, count in abs(notches) > 1 ? notches + errors[count] : notches }
            }
            var place = start
            for speed in try Self.defaultPlan() {
                #expect(bench.finish(bench.perform(.setSpeed(speed))) == [.speedAccepted])
                fewest += abs(place.thirds(to: speed))
                place = speed
            }
            notches += bench.body.stepper?.notchesSent ?? 0
        }
        print("stepping, default plan, \(isInexact ? "jumps within ±1" : "exact jumps"): \(notches) of \(fewest)")
        #expect(notches * 10 <= fewest * 11)
        if !isInexact { #expect(notches == fewest) }
    }

    private static func defaultPlan() throws -> [ShutterSpeed] {
        try [
            "1/1000", "1/500", "1/250", "1/125", "1/60", "1/60", "1/30", "1/15", "1/8", "1/4", "1/4", "1/2", "1\"",
            "2\"", "4\"",
        ].map(ShutterSpeed.named)
    }
}
