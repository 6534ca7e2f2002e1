import Cameras
import Exposure
import NIOCore
import PTP
import Testing

/// Tests how the driver sets a speed or a property: write, confirm by a report, write again, fail.
struct CanonSettingTests {
    private let fast: ShutterSpeed
    private let fastWrite = "SetDevicePropValueEx 0c00000002d1000068000000"

    init() throws {
        fast = try .named("1/60")
    }

    @Test func `a speed is written with the byte of the body's list and confirmed by a report`() {
        let bench = CanonBench.connected()
        #expect(bench.finish(bench.perform(.setSpeed(fast))) == [.speedAccepted])
        #expect(bench.actions == [fastWrite])
        // The report comes 30 ms after the write.
        #expect(bench.now - (bench.requests.first?.at ?? .zero) >= .milliseconds(30))
        let ticket = bench.perform(.readSpeed)
        bench.run(for: .milliseconds(20))
        #expect(bench.events(ticket).first == .speedRead(.speed(fast)))
    }

    @Test func `a speed that the body already shows needs no write`() throws {
        let bench = CanonBench.connected()
        #expect(bench.finish(bench.perform(.setSpeed(try .named("1/125")))) == [.speedAccepted])
        #expect(bench.actions.isEmpty)
    }

    @Test func `an OK proves nothing: the value is written again, and then the setting fails`() {
        let once = CanonBench.connected { $0.ignoredWrites = 2 }
        #expect(once.finish(once.perform(.setSpeed(fast))) == [.speedAccepted])
        #expect(once.actions == [fastWrite, fastWrite, fastWrite])
        let never = CanonBench.connected { $0.ignoredWrites = 100 }
        let start = never.now
        let failure = CameraFailure.propertyNotKept(.shutterSpeed, "1/60", found: "1/125")
        #expect(never.finish(never.perform(.setSpeed(fast))) == [.failed(failure)])
        #expect(never.actions.count == 4)
        #expect((Duration.seconds(4)...Duration.seconds(5)).contains(never.now - start))
    }

    @Test func `a value that the body no longer offers is not written again`() {
        let bench = CanonBench.connected { $0.ignoredWrites = 100 }
        let ticket = bench.perform(.setSpeed(fast))
        bench.run(until: { $0.actions.count == 1 })
        bench.body.setList(.canonShutterSpeed, [0x70])
        #expect(bench.finish(ticket) == [.failed(.speedNotOffered(fast))])
        #expect(bench.actions == [fastWrite])
    }

    @Test func `the value of an interrupted command can still appear, so the old value is written again`() {
        let bench = CanonBench.connected { $0.readbackDelay = .milliseconds(500) }
        bench.perform(.setSpeed(fast))
        bench.run(until: { $0.actions.count == 1 })
        bench.run(for: .milliseconds(100))
        #expect(bench.finish(bench.perform(.setProperty(.shutterSpeed, "1/125"))).count == 1)
        #expect(bench.actions.count == 2)
        bench.run(for: .seconds(2))
        #expect(bench.body.values[.canonShutterSpeed] == 0x70)
    }

    @Test func `a report from before the write does not confirm it`() {
        let bench = CanonBench.connected { $0.ignoredWrites = 100 }
        let ticket = bench.perform(.setSpeed(fast))
        bench.run(until: { $0.actions.count == 1 })
        // Another value is reported, and then nothing.
        bench.body.set(.canonShutterSpeed, 0x6B)
        bench.run(for: .milliseconds(500))
        #expect(bench.events(ticket).isEmpty)
        bench.body.set(.canonShutterSpeed, 0x68)
        #expect(bench.finish(ticket) == [.speedAccepted])
    }

    @Test func `a speed outside the list is refused without a write`() throws {
        let bench = CanonBench.connected { $0.lists[.canonShutterSpeed] = [0x0C, 0x10, 0x70] }
        #expect(bench.finish(bench.perform(.setSpeed(fast))) == [.failed(.speedNotOffered(fast))])
        #expect(bench.actions.isEmpty)
        // A body with half stops offers only whole stops of the scale.
        let halves = CanonBench.connected { $0.lists[.canonShutterSpeed] = [0x60, 0x64, 0x68, 0x6C, 0x70] }
        #expect(halves.finish(halves.perform(.setSpeed(fast))) == [.speedAccepted])
        let slow = try ShutterSpeed.named("1/40")
        #expect(halves.finish(halves.perform(.setSpeed(slow))) == [.failed(.speedNotOffered(slow))])
    }

    @Test(arguments: [(3, []), (2, [])] as [(UInt32, [UInt32])])
    func `a speed is not written in a mode without a list`(mode: UInt32, list: [UInt32]) {
        let bench = CanonBench.connected {
            $0.values[.canonExposureMode] = mode
            $0.lists[.canonShutterSpeed] = list
        }
        #expect(bench.finish(bench.perform(.setSpeed(fast))) == [.failed(.speedNotWritable)])
        #expect(bench.actions.isEmpty)
    }

    @Test func `in Tv the speed can be set`() {
        let bench = CanonBench.connected { $0.values[.canonExposureMode] = 1 }
        #expect(bench.finish(bench.perform(.setSpeed(fast))) == [.speedAccepted])
    }

    @Test func `a busy body gets the value again after a pause, within a bound`() {
        let bench = CanonBench.connected()
        bench.body.overrides[.canonSetProperty] = [.init(code: .deviceBusy), .init(code: .deviceBusy)]
        #expect(bench.finish(bench.perform(.setSpeed(fast))) == [.speedAccepted])
        #expect(bench.actions.count == 3)
        bench.forget()
        bench.body.overrides[.canonSetProperty] = [ScriptedAnswer](repeating: .init(code: .deviceBusy), count: 1000)
        let start = bench.now
        #expect(bench.finish(bench.perform(.setSpeed(.slowest))) == [.busy])
        #expect((Duration.seconds(10)...Duration.seconds(11)).contains(bench.now - start))
    }

    @Test func `a lost remote mode is renewed once`() {
        let bench = CanonBench.connected()
        bench.body.overrides[.canonSetProperty] = [.init(code: .accessDenied)]
        #expect(bench.finish(bench.perform(.setSpeed(fast))) == [.speedAccepted])
        #expect(bench.actions == [fastWrite, "SetRemoteMode 0x1", fastWrite])
        bench.forget()
        bench.body.overrides[.canonSetProperty] = [.init(code: .accessDenied), .init(code: .accessDenied)]
        let refusal = CameraFailure.refused(operation: "SetDevicePropValueEx", code: 0x200F, name: "AccessDenied")
        #expect(bench.finish(bench.perform(.setSpeed(.slowest))) == [.failed(refusal)])
    }

    // MARK: Properties

    @Test func `a property is set to the value with its text`() {
        let bench = CanonBench.connected()
        let events = bench.finish(bench.perform(.setProperty(.drive, "Continuous HI")))
        guard case .propertySet(let state)? = events.last else {
            Issue.record("\(events)")
            return
        }
        #expect(state.value == "continuous hi" && state.isWritable)
        #expect(bench.actions == ["SetDevicePropValueEx 0c00000006d1000004000000"])
        // The answer reports the value, so no other event repeats it.
        #expect(!bench.reported.contains { if case .properties = $0.event { true } else { false } })
    }

    @Test func `an unknown property, a read-only one and another value are refused`() {
        let bench = CanonBench.connected()
        let unknown = CameraFailure.propertyUnknown(.quality)
        #expect(bench.finish(bench.perform(.setProperty(.quality, "RAW"))) == [.failed(unknown)])
        let readOnly = CameraFailure.propertyNotWritable(.whiteBalance)
        #expect(bench.finish(bench.perform(.setProperty(.whiteBalance, "auto"))) == [.failed(readOnly)])
        let choices = ["f/5.6", "f/6.3", "f/7.1", "f/8"]
        let other = CameraFailure.propertyNotOffered(.aperture, "f/2.8", choices: choices)
        #expect(bench.finish(bench.perform(.setProperty(.aperture, "f/2.8"))) == [.failed(other)])
    }

    @Test func `space on this computer is announced when pictures go to it`() {
        let bench = CanonBench.connected()
        #expect(bench.finish(bench.perform(.setProperty(.saveTarget, "host"))).count == 1)
        bench.run(for: .seconds(1))
        #expect(bench.actions.filter { $0.hasPrefix("PCHDDCapacity") }.count == 1)
    }

    @Test func `space on this computer is announced again to a busy body`() {
        let bench = CanonBench.connected()
        let busy = ScriptedAnswer(code: .deviceBusy)
        bench.body.overrides[.canonPCHDDCapacity] = [busy, busy]
        #expect(bench.finish(bench.perform(.setProperty(.saveTarget, "host"))).count == 1)
        bench.run(for: .seconds(10))
        #expect(bench.actions.filter { $0.hasPrefix("PCHDDCapacity") }.count == 3)
    }
}
