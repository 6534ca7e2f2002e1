import Exposure
import PTP
import Testing

@testable import Cameras

/// Tests the settings: only a reading after the write confirms a value.
struct NikonSettingTests {
    private let speed: ShutterSpeed
    private let other: ShutterSpeed

    init() throws {
        speed = try .named("1/125")
        other = try .named("1/60")
    }

    private static func set(_ bench: NikonBench, _ speed: ShutterSpeed) -> [CameraEvent] {
        bench.finish(bench.perform(.setSpeed(speed)))
    }

    @Test func `a speed is written as a fraction and read back`() {
        let bench = NikonBench.connected()
        #expect(Self.set(bench, other) == [.speedAccepted])
        #expect(bench.actions == ["SetDevicePropValue 0xD100 3c000100"])
        #expect(bench.operations.contains("GetDevicePropValue 0xD100"))
        #expect(bench.body.value(.nikonShutterSpeed) == 0x0001_003C)
    }

    @Test func `the speed that the body shows is read and not written`() {
        let bench = NikonBench.connected()
        #expect(Self.set(bench, speed) == [.speedAccepted])
        #expect(bench.actions.isEmpty)
    }

    @Test func `a value that shows late is read again until it shows`() {
        let bench = NikonBench.connected { $0.readbackDelay = .milliseconds(300) }
        let start = bench.now
        #expect(Self.set(bench, other) == [.speedAccepted])
        #expect(bench.now - start < .milliseconds(400))
        #expect(bench.actions.count == 1)
        #expect(bench.count("GetDevicePropValue") > 5)
    }

    @Test func `an OK that changes nothing is written again and then reported`() {
        let again = NikonBench.connected { $0.ignoredWrites = 1 }
        #expect(Self.set(again, other) == [.speedAccepted])
        #expect(again.actions.count == 2)
        let never = NikonBench.connected { $0.ignoredWrites = 100 }
        let failure = CameraFailure.propertyNotKept(.shutterSpeed, "1/60", found: "1/125")
        #expect(Self.set(never, other) == [.failed(failure)])
        #expect(never.actions.count == 3)
    }

    @Test func `a busy body gets the value again when DeviceReady reports that it is ready`() {
        let bench = NikonBench.connected()
        bench.body.overrides[.setDevicePropValue] = [.init(code: .deviceBusy)]
        bench.body.overrides[.nikonDeviceReady] = [.init(code: .deviceBusy), .init(code: .deviceBusy)]
        #expect(Self.set(bench, other) == [.speedAccepted])
        #expect(bench.count("DeviceReady") == 3 && bench.actions.count == 2)
    }

    @Test func `a reading that is rejected as busy does not confirm`() {
        let bench = NikonBench.connected()
        bench.body.overrides[.getDevicePropValue] = [.init(code: .deviceBusy), .init(code: .generalError)]
        #expect(Self.set(bench, other) == [.speedAccepted])
    }

    @Test func `a body that stays busy ends the command in bounded time`() {
        let bench = NikonBench.connected {
            $0.refusals[.setDevicePropValue] = .deviceBusy
            $0.readyCode = .deviceBusy
        }
        let start = bench.now
        #expect(Self.set(bench, other) == [.busy])
        #expect((Duration.seconds(10)...Duration.seconds(11)).contains(bench.now - start))
        #expect(bench.count("DeviceReady") < 180)
    }

    @Test func `a body that is busy for ever without DeviceReady ends the command too`() {
        let bench = NikonBench.connected {
            $0.operations.removeAll { $0 == .nikonDeviceReady }
            $0.refusals[.setDevicePropValue] = .deviceBusy
        }
        #expect(Self.set(bench, other) == [.busy])
        #expect(bench.actions.count < 120)
    }

    @Test func `a speed outside the list and a locked speed are reported after another reading`() {
        let fast = NikonBench.connected {
            let speeds = NikonScriptedBody.speeds.filter { $0 != 0x0001_003C }
            $0.properties[.nikonShutterSpeed]?.form = .enumeration(speeds.compactMap { PTPValue($0, as: .uint32) })
        }
        #expect(Self.set(fast, other) == [.failed(.speedNotOffered(other))])
        let locked = NikonBench.connected { $0.lock(.nikonShutterSpeed) }
        #expect(Self.set(locked, other) == [.failed(.speedNotWritable)])
        #expect(locked.actions.isEmpty)
    }

    @Test func `a dial that was turned back in time allows the speed`() {
        let bench = NikonBench.connected { $0.lock(.nikonShutterSpeed) }
        bench.body.properties[.nikonShutterSpeed]?.isWritable = true
        #expect(Self.set(bench, other) == [.speedAccepted])
    }

    @Test(arguments: [
        (ResponseCode.invalidDevicePropValue, false), (.nikonSetPropertyNotSupported, true), (.accessDenied, true),
    ])
    func `a rejected value is reported`(code: ResponseCode, isLocked: Bool) {
        let bench = NikonBench.connected {
            $0.operations.removeAll { $0 == .nikonChangeCameraMode }
            $0.refusals[.setDevicePropValue] = code
        }
        let failure = isLocked ? CameraFailure.speedNotWritable : .speedNotOffered(other)
        #expect(Self.set(bench, other) == [.failed(failure)])
        #expect(bench.actions.count == 2)
    }

    @Test func `a body that denies the access is locked for remote control, and unlocked at the end`() {
        let bench = NikonBench.connected { $0.overrides[.setDevicePropValue] = [] }
        bench.body.overrides[.setDevicePropValue] = [.init(code: .accessDenied)]
        #expect(Self.set(bench, other) == [.speedAccepted])
        #expect(bench.actions.contains("ChangeCameraMode 0x1"))
        bench.perform(.disconnect)
        bench.run(for: .seconds(3))
        #expect(bench.body.modes["ChangeCameraMode"] == false)
    }

    @Test func `a body without fractions is set in tenths of a millisecond`() throws {
        let tenths = ShutterSpeed.all.compactMap { NikonShutterSpeed($0).tenths }.map { Int64($0) }
        let bench = NikonBench.connected { body in
            body.properties[.nikonShutterSpeed] = nil
            let values = tenths.compactMap { PTPValue($0, as: .uint32) }
            body.properties[.exposureTime] = DevicePropDesc(
                code: .exposureTime,
                type: .uint32,
                isWritable: true,
                defaultValue: .uint32(80),
                currentValue: .uint32(80),
                form: .enumeration(values)
            )
        }
        #expect(Self.set(bench, other) == [.speedAccepted])
        #expect(bench.body.value(.exposureTime) == 166)
        // This speed has the number of 1/8000.
        let hidden = try ShutterSpeed.named("1/6400")
        #expect(Self.set(bench, hidden) == [.failed(.speedNotOffered(hidden))])
    }

    @Test func `a value that was accepted and not awaited is not mistaken for the old one`() {
        let bench = NikonBench.connected { $0.readbackDelay = .milliseconds(500) }
        bench.perform(.setSpeed(other))
        bench.run(until: { $0.actions.count == 1 && $0.operations.last?.hasPrefix("GetDevicePropValue") == true })
        // The body still shows the old speed, and shows the new one later.
        #expect(Self.set(bench, speed) == [.speedAccepted])
        bench.run(for: .seconds(2))
        #expect(bench.body.value(.nikonShutterSpeed) == 0x0001_007D)
    }

    @Test func `a value that no command awaits any more is reported when it shows`() {
        for script in [NikonScriptedBody.EventScript.lists, .packets] {
            let bench = NikonBench.connected { $0.readbackDelay = .milliseconds(600) }
            bench.body.eventScript = script
            bench.perform(.setSpeed(other))
            bench.run(until: { $0.actions.count == 1 && $0.operations.last?.hasPrefix("GetDevicePropValue") == true })
            bench.perform(.awaitIdle)
            bench.run(for: .milliseconds(1500))
            let statuses = bench.reported.compactMap { if case .status(let status) = $0.event { status } else { nil } }
            #expect(statuses.last?.speed == .speed(other))
        }
    }

    @Test func `the event about the driver's own change causes no reading, and the user's change does`() {
        let bench = NikonBench.connected()
        for (isOwn, count) in [(true, 0), (false, 1)] {
            // The reading of one property of an idle body is far away.
            bench.run(until: { $0.operations.last?.hasPrefix("GetDevicePropDesc") == true })
            bench.run(for: .milliseconds(50))
            bench.forget()
            if isOwn { _ = Self.set(bench, other) } else { bench.body.set(.nikonShutterSpeed, 0x0001_007D) }
            bench.run(until: { $0.count("GetEvent") == 2 })
            #expect(bench.count("GetDevicePropDesc 0xD100") == count)
        }
    }

    @Test func `an answer that another command has replaced confirms nothing`() {
        let bench = NikonBench.connected()
        bench.perform(.setSpeed(other))
        bench.run(until: { $0.actions.count == 1 })
        let events = bench.finish(bench.perform(.setProperty(.aperture, "f/4")))
        guard case .propertySet(let state)? = events.last else {
            Issue.record("\(events)")
            return
        }
        #expect(state.value == "f/4" && bench.body.value(.nikonShutterSpeed) == 0x0001_003C)
    }

    // MARK: Other properties

    @Test func `a property is set by its text and confirmed by a reading`() {
        let bench = NikonBench.connected()
        let events = bench.finish(bench.perform(.setProperty(.aperture, "f/5.6")))
        guard case .propertySet(let state)? = events.last else {
            Issue.record("\(events)")
            return
        }
        #expect(state.property == .aperture && state.value == "f/5.6")
        #expect(bench.body.value(.fNumber) == 560)
    }

    @Test func `an ISO ends the automatic ISO first`() {
        let bench = NikonBench.connected { $0.set(.nikonAutoISO, 1, reports: false) }
        let events = bench.finish(bench.perform(.setProperty(.iso, "400")))
        guard case .propertySet(let state)? = events.last else {
            Issue.record("\(events)")
            return
        }
        #expect(state.value == "400")
        #expect(bench.body.value(.nikonAutoISO) == 0 && bench.body.value(.nikonISO) == 400)
    }

    @Test func `an unknown property, a locked property and a value outside the list are reported`() {
        let bench = NikonBench.connected { $0.properties[.exposureBiasCompensation] = nil }
        let unknown = bench.finish(bench.perform(.setProperty(.exposureCompensation, "+0.3")))
        #expect(unknown == [.failed(.propertyUnknown(.exposureCompensation))])
        let locked = bench.finish(bench.perform(.setProperty(.focusMode, "AF-S")))
        #expect(locked == [.failed(.propertyNotWritable(.focusMode))])
        let choices = ["f/2.8", "f/4", "f/5.6", "f/8"]
        let outside = bench.finish(bench.perform(.setProperty(.aperture, "f/1.4")))
        #expect(outside == [.failed(.propertyNotOffered(.aperture, "f/1.4", choices: choices))])
    }

    // MARK: Readings of the speed

    @Test func `the confirming reading answers a question for the speed at once`() {
        let bench = NikonBench.connected()
        _ = Self.set(bench, other)
        bench.forget()
        let ticket = bench.perform(.readSpeed)
        #expect(bench.events(ticket) == [.speedRead(.speed(other))])
    }

    @Test func `the speed is read ten times per second`() {
        let bench = NikonBench.connected()
        let ticket = bench.perform(.readSpeed)
        bench.run(for: .seconds(2))
        #expect((15...21).contains(bench.events(ticket).count), "\(bench.events(ticket).count)")
        bench.body.set(.nikonShutterSpeed, 0xFFFF_FFFF)
        bench.run(for: .milliseconds(300))
        guard case .speedRead(.other)? = bench.events(ticket).last else {
            Issue.record("Bulb is not reported")
            return
        }
    }

    @Test func `a rejected reading of the speed is not repeated at once`() {
        let bench = NikonBench.connected { $0.refusals[.getDevicePropValue] = .generalError }
        bench.perform(.readSpeed)
        bench.run(for: .seconds(2))
        #expect(bench.count("GetDevicePropValue") <= 21)
        #expect(bench.finish(bench.perform(.setSpeed(other))).count == 1)
    }
}
