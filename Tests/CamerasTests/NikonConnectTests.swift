import Exposure
import NIOCore
import PTP
import Testing

@testable import Cameras

/// Tests the way from open connections to the first report, with every refusal, and the way back.
struct NikonConnectTests {
    private static func connect(_ bench: NikonBench) -> [CameraEvent] {
        bench.finish(bench.perform(.connect(NikonBench.address)))
    }

    private static func sentence(_ events: [CameraEvent]) -> String? {
        guard case .refused(.notWaiting(let sentence))? = events.last else { return nil }
        return sentence
    }

    // MARK: The set-up

    @Test func `the set-up runs in the order of the facts and ends with the identity and the status`() throws {
        let bench = NikonBench()
        let events = Self.connect(bench)
        #expect(
            bench.actions == [
                "OpenSession 0x1", "GetDeviceInfo", "GetVendorPropCodes", "ChangeApplicationMode 0x1",
                "GetObjectHandles 0xFFFFFFFF",
            ]
        )
        let identity = CameraIdentity(
            maker: "Nikon Corporation",
            model: "NIKON Z 6_2",
            firmware: "V1.00",
            serial: "00000000000000000000000003001234",
            id: "nikon:00000000000000000000000003001234"
        )
        #expect(events.first == .prepared(identity))
        guard case .status(let status)? = events.last else {
            Issue.record("no status")
            return
        }
        #expect(status.mode == .manual && status.speedIsWritable && status.speeds == ShutterSpeed.all)
        #expect(status.speed == .speed(try .named("1/125")))
        #expect(status.batteryPercent == 80 && status.shotsLeft == 500)
        #expect(status.isManualFocus == true && status.focusMode == "MF")
        #expect(status.iso == "100" && status.isISOAuto == false && status.aperture == "f/8")
        #expect(status.saveTarget == "card" && !status.savesToHostAlone)
        let properties: [[PropertyState]] = bench.reported.compactMap { report in
            if case .properties(let states) = report.event { states } else { nil }
        }
        #expect(properties.count == 1)
        let drive = DriveMode(kind: .single, name: "single")
        #expect(properties.first?.compactMap(\.driveMode) == [drive])
    }

    @Test func `every cut of the camera's bytes gives the same session`() {
        let whole = NikonBench()
        _ = Self.connect(whole)
        for size in [8, 13, 100] {
            let cut = NikonBench()
            cut.pieceSize = size
            _ = Self.connect(cut)
            #expect(cut.reported.map(\.event) == whole.reported.map(\.event))
        }
    }

    @Test func `every silence during the set-up ends the connection in bounded time`() {
        let count = {
            let bench = NikonBench()
            _ = Self.connect(bench)
            return bench.requests.count
        }()
        for number in 1...count {
            let bench = NikonBench()
            bench.perform(.connect(NikonBench.address))
            bench.run(until: { $0.requests.count == number - 1 })
            bench.body.isMute = true
            bench.run(for: .seconds(80))
            #expect(!bench.losses.isEmpty, "request \(number)")
            #expect(bench.openChannels.isEmpty)
        }
    }

    @Test func `every broken link during the set-up is reported once`() {
        for number in 1...25 {
            let bench = NikonBench()
            bench.perform(.connect(NikonBench.address))
            bench.run(until: { $0.requests.count == number })
            bench.breakLink()
            #expect(bench.losses == [.reset("reset")], "request \(number)")
            #expect(bench.openChannels.isEmpty)
        }
    }

    @Test func `a body without its own list is asked for every property`() {
        let bench = NikonBench { $0.refusals[.nikonGetVendorPropCodes] = .generalError }
        #expect(Self.connect(bench).count == 2)
        // A body with fractions needs no tenths of a millisecond.
        #expect(bench.count("GetDevicePropDesc") == NikonPropertyStore.used.count - 1)
    }

    @Test func `a V1 is not asked for its own list, because that crashes it`() {
        let bench = NikonBench {
            $0.model = "V1"
            $0.operations.removeAll { $0 == .nikonChangeApplicationMode || $0 == .nikonGetEventEx }
        }
        #expect(Self.connect(bench).count == 2)
        #expect(!bench.operations.contains("GetVendorPropCodes"))
    }

    @Test func `a wide list of properties is read like the other one`() {
        let bench = NikonBench { $0.operations.append(.nikonGetVendorCodes) }
        guard case .status(let status)? = Self.connect(bench).last else {
            Issue.record("no status")
            return
        }
        #expect(bench.operations.contains("GetVendorCodes 0xD"))
        #expect(status.shotsLeft == 500)
    }

    @Test func `damaged descriptors are noted, and the other properties are used`() {
        let bench = NikonBench {
            $0.overrides[.getDevicePropDesc] = [.init(data: ByteBuffer(hex: "0e50")), .init(code: .generalError)]
        }
        guard case .status(let status)? = Self.connect(bench).last else {
            Issue.record("no status")
            return
        }
        #expect(status.mode == .other("unknown mode") && status.speeds.isEmpty && status.shotsLeft == 500)
        #expect(bench.notes.contains { $0.contains("cannot be read") })
    }

    @Test func `a body that is busy is asked again, within a bound`() {
        let bench = NikonBench {
            $0.overrides[.getDevicePropDesc] = [.init(code: .deviceBusy), .init(code: .deviceBusy)]
        }
        guard case .status(let status)? = Self.connect(bench).last else {
            Issue.record("no status")
            return
        }
        #expect(status.mode == .manual)
        let busy = NikonBench { $0.refusals[.getDevicePropDesc] = .deviceBusy }
        #expect(Self.connect(busy) == [.refused(.inUse)])
        #expect(busy.operations.last == "CloseSession")
    }

    @Test func `a body that still exposes the last frame is waited for`() throws {
        let bench = NikonBench.connected { $0.set(.nikonShutterSpeed, 0x001E_0001, reports: false) }
        bench.run(for: .seconds(60))
        bench.perform(.capture(.slowest))
        bench.run(until: { $0.body.isWorking })
        bench.breakLink()
        bench.body.refusals[.getDevicePropDesc] = .deviceBusy
        bench.forget()
        let ticket = bench.perform(.connect(NikonBench.address))
        bench.run(until: { !$0.body.isWorking })
        bench.body.refusals = [:]
        #expect(bench.finish(ticket).count == 2)
    }

    // MARK: Refusals

    @Test func `a rejected connection says what to do on the camera`() {
        let bench = NikonBench()
        bench.initFail = .rejectedInitiator
        let events = bench.finish(bench.perform(.connect(NikonBench.address, maker: "nikon")))
        #expect(Self.sentence(events)?.contains("network menu") == true, "\(events)")
    }

    @Test func `a rejection by a body of an unknown maker names the menu of each maker`() {
        let bench = NikonBench()
        bench.initFail = .rejectedInitiator
        let events = Self.connect(bench)
        guard case .refused(let refusal)? = events.last else {
            Issue.record("not refused: \(events)")
            return
        }
        #expect(refusal == .unpaired)
        for menu in ["EOS Utility", "smart device"] { #expect(refusal.sentence.contains(menu)) }
    }

    @Test func `a body without remote control is refused with a sentence and closed in order`() {
        for missing in [[OperationCode.nikonGetEvent, .nikonGetEventEx], [.nikonCapture], [.setDevicePropValue]] {
            let bench = NikonBench { $0.operations.removeAll(where: missing.contains) }
            let events = Self.connect(bench)
            guard case .refused(.unsupported(let sentence))? = events.first else {
                Issue.record("not refused")
                continue
            }
            #expect(sentence.contains("remote control"))
            #expect(bench.operations.last == "CloseSession")
            #expect(bench.openChannels.isEmpty)
        }
    }

    // MARK: Modes

    @Test func `a D-SLR is locked for remote control, and unlocked at the end`() {
        let bench = NikonBench.connected {
            $0.operations.removeAll { $0 == .nikonChangeApplicationMode || $0 == .nikonGetEventEx }
        }
        #expect(bench.body.modes == ["ChangeCameraMode": true])
        bench.perform(.disconnect)
        bench.run(for: .seconds(3))
        #expect(bench.operations.suffix(2) == ["ChangeCameraMode", "CloseSession"])
        #expect(bench.body.modes == ["ChangeCameraMode": false])
    }

    @Test func `a body that needs no lock is not unlocked`() {
        let bench = NikonBench {
            $0.operations.removeAll { $0 == .nikonChangeApplicationMode || $0 == .nikonGetEventEx }
            $0.refusals[.nikonChangeCameraMode] = .nikonChangeCameraModeFailed
        }
        #expect(Self.connect(bench).count == 2)
        bench.forget()
        bench.perform(.disconnect)
        bench.run(for: .seconds(3))
        #expect(bench.operations == ["CloseSession"])
    }

    @Test func `a Z 6 gets its application mode by a property`() {
        let bench = NikonBench.connected { $0.operations.removeAll { $0 == .nikonChangeApplicationMode } }
        #expect(bench.body.value(.nikonApplicationMode) == 1)
        #expect(bench.body.modes.isEmpty)
        bench.perform(.disconnect)
        bench.run(for: .seconds(3))
        #expect(bench.body.value(.nikonApplicationMode) == 0)
    }

    @Test func `a body that refuses the application mode is used without it`() {
        let bench = NikonBench { $0.refusals[.nikonChangeApplicationMode] = .generalError }
        #expect(Self.connect(bench).count == 2)
        bench.forget()
        bench.perform(.disconnect)
        bench.run(for: .seconds(3))
        #expect(bench.operations == ["CloseSession"])
    }

    @Test func `pictures go to the card, and the save target is restored at the end`() {
        let bench = NikonBench.connected { $0.set(.nikonRecordingMedia, 1, reports: false) }
        #expect(bench.body.value(.nikonRecordingMedia) == 0)
        bench.perform(.disconnect)
        bench.run(for: .seconds(3))
        #expect(bench.body.value(.nikonRecordingMedia) == 1)
    }

    @Test func `a save target that the user has changed is not restored`() {
        let bench = NikonBench.connected { $0.set(.nikonRecordingMedia, 1, reports: false) }
        _ = bench.finish(bench.perform(.setProperty(.saveTarget, "host and card")))
        bench.perform(.disconnect)
        bench.run(for: .seconds(3))
        #expect(bench.body.value(.nikonRecordingMedia) == 2)
    }

    @Test func `a save target that the body keeps does not prevent the session`() {
        let bench = NikonBench {
            $0.set(.nikonRecordingMedia, 1, reports: false)
            $0.ignoredWrites = 100
        }
        #expect(Self.connect(bench).count == 2)
        #expect(bench.notes.contains { $0.contains("keeps its save target") })
    }

    @Test func `a mode whose answer comes after the command to disconnect is left`() {
        let bench = NikonBench()
        bench.perform(.connect(NikonBench.address))
        bench.run(until: { $0.operations.last == "ChangeApplicationMode 0x1" })
        bench.perform(.disconnect)
        bench.run(for: .seconds(3))
        #expect(bench.body.modes == ["ChangeApplicationMode": false])
    }

    @Test func `a mode of a session that broke is left at the end of the next one`() {
        let bench = NikonBench.connected()
        bench.body.overrides[.setDevicePropValue] = [.init(code: .accessDenied)]
        _ = bench.finish(bench.perform(.setSpeed(.fastest)))
        #expect(bench.body.modes["ChangeCameraMode"] == true)
        bench.breakLink()
        bench.forget()
        #expect(Self.connect(bench).count == 2)
        bench.perform(.disconnect)
        bench.run(for: .seconds(3))
        #expect(bench.body.modes == ["ChangeCameraMode": false, "ChangeApplicationMode": false])
    }

    @Test func `a busy body is asked again to leave its mode`() {
        let bench = NikonBench.connected()
        bench.body.overrides[.nikonChangeApplicationMode] = [.init(code: .deviceBusy), .init(code: .deviceBusy)]
        let ticket = bench.perform(.disconnect)
        #expect(bench.finish(ticket) == [.disconnected])
        #expect(bench.body.modes == ["ChangeApplicationMode": false])
        let busy = NikonBench.connected { $0.busyCode = .deviceBusy }
        busy.body.refusals[.nikonChangeApplicationMode] = .deviceBusy
        let start = busy.now
        #expect(busy.finish(busy.perform(.disconnect)) == [.disconnected])
        #expect(busy.now - start <= .milliseconds(2500))
        #expect(busy.operations.last == "CloseSession")
    }

    @Test func `a body that denies the save target is locked for remote control first`() {
        let bench = NikonBench.connected {
            $0.set(.nikonRecordingMedia, 1, reports: false)
            $0.overrides[.setDevicePropValue] = [.init(code: .accessDenied)]
        }
        #expect(bench.body.value(.nikonRecordingMedia) == 0)
        #expect(bench.body.modes["ChangeCameraMode"] == true)
    }

    @Test func `a save target that shows late is written once`() {
        let bench = NikonBench {
            $0.set(.nikonRecordingMedia, 1, reports: false)
            $0.readbackDelay = .milliseconds(400)
        }
        #expect(Self.connect(bench).count == 2)
        #expect(bench.count("SetDevicePropValue") == 1)
        #expect(bench.body.value(.nikonRecordingMedia) == 0)
    }

    @Test func `a list of files that ends the session is not requested again`() {
        let bench = NikonBench()
        bench.perform(.connect(NikonBench.address))
        bench.run(until: { $0.operations.last?.hasPrefix("GetObjectHandles") == true })
        bench.breakLink()
        bench.forget()
        #expect(Self.connect(bench).count == 2)
        #expect(bench.count("GetObjectHandles") == 0)
    }

    // MARK: Pauses and probes

    @Test func `CloseSession follows OpenSession after a second at the earliest`() {
        let bench = NikonBench()
        _ = Self.connect(bench)
        let opened = bench.requests.first { $0.request.code == .openSession }?.at ?? .zero
        let ticket = bench.perform(.disconnect)
        #expect(bench.finish(ticket) == [.disconnected])
        let closed = bench.requests.last?.at ?? .zero
        #expect(bench.operations.last == "CloseSession" && closed - opened >= .seconds(1))
    }

    @Test(arguments: ["NIKON Z 6_2", "Anna"])
    func `both pauses hold for a body that has not described itself`(name: String) {
        let bench = NikonBench { $0.model = name }
        bench.perform(.connect(NikonBench.address))
        bench.run(until: { $0.count("GetDeviceInfo") == 1 })
        let opened = bench.requests.first { $0.request.code == .openSession }?.at ?? .zero
        #expect(bench.finish(bench.perform(.disconnect)) == [.disconnected])
        let closed = bench.requests.last?.at ?? .zero
        #expect(bench.operations.last == "CloseSession" && closed - opened >= .seconds(1))
        let ended = bench.now
        bench.perform(.connect(NikonBench.address))
        bench.run(until: { !$0.openChannels.isEmpty })
        #expect(bench.now - ended >= .milliseconds(1_200))
    }

    @Test func `a new connection waits 1.2 seconds after the last one`() {
        let bench = NikonBench.connected()
        let lostAt = bench.now
        bench.breakLink()
        bench.perform(.connect(NikonBench.address))
        #expect(bench.openChannels.isEmpty)
        bench.run(until: { !$0.openChannels.isEmpty })
        #expect(bench.now - lostAt == .milliseconds(1200))
        bench.run(until: { $0.reported.contains { if case .status = $0.event { true } else { false } } })
        #expect(!bench.openChannels.isEmpty)
    }

    @Test func `a connection that waits can be disconnected at once`() {
        let bench = NikonBench.connected()
        bench.breakLink()
        bench.perform(.connect(NikonBench.address))
        #expect(bench.finish(bench.perform(.disconnect)) == [.disconnected])
        bench.run(for: .seconds(5))
        #expect(bench.openChannels.isEmpty)
    }

    @Test func `the event connection is probed before OpenSession and then every nine seconds`() {
        let bench = NikonBench()
        bench.perform(.connect(NikonBench.address))
        bench.run(until: { !$0.requests.isEmpty })
        #expect(bench.probedAt.count == 1)
        bench.run(for: .seconds(30))
        let probes = bench.probedAt
        #expect(probes.count == 4)
        for (earlier, later) in zip(probes, probes.dropFirst()) {
            #expect((Duration.seconds(9)...Duration.milliseconds(9010)).contains(later - earlier))
        }
    }

    @Test func `a body that does not answer the probe is connected after a second and not probed again`() {
        let bench = NikonBench()
        bench.probeReaction = .ignores
        let start = bench.now
        #expect(Self.connect(bench).count == 2)
        #expect((bench.requests.first?.at ?? .zero) - start >= .seconds(1))
        bench.run(for: .seconds(30))
        #expect(bench.probedAt.count == 1)
        bench.perform(.disconnect)
        bench.run(for: .seconds(3))
        Self.expectPauseWithoutProbe(bench)
    }

    /// Connects to a body that is not probed, which has a pause in place of the probe.
    private static func expectPauseWithoutProbe(_ bench: NikonBench) {
        bench.forget()
        let (start, probes) = (bench.now, bench.probedAt.count)
        #expect(connect(bench).count == 2)
        #expect(bench.probedAt.count == probes)
        #expect((bench.requests.first?.at ?? .zero) - start >= .seconds(1))
        #expect(!bench.notes.contains(ConnectionSentences.probeUnanswered))
    }

    @Test func `a body that closes after the probe is connected without it the next time`() {
        let bench = NikonBench()
        bench.probeReaction = .closes
        bench.perform(.connect(NikonBench.address))
        bench.run(until: { !$0.losses.isEmpty })
        Self.expectPauseWithoutProbe(bench)
        bench.breakLink()
        bench.run(for: .seconds(3))
        Self.expectPauseWithoutProbe(bench)
    }

    @Test func `a body that hangs after the probe is connected without it the next time`() {
        let bench = NikonBench()
        bench.probeReaction = .ignores
        bench.perform(.connect(NikonBench.address))
        bench.run(until: { $0.probedAt.count == 1 })
        bench.body.isMute = true
        bench.run(until: { !$0.losses.isEmpty })
        bench.body.isMute = false
        bench.run(for: .seconds(3))
        Self.expectPauseWithoutProbe(bench)
    }

    @Test func `a body that closes after the probe does not take the probe from another one at its address`() {
        let bench = NikonBench()
        bench.probeReaction = .closes
        bench.perform(.connect(NikonBench.address))
        bench.run(until: { !$0.losses.isEmpty })
        Self.expectPauseWithoutProbe(bench)
        bench.breakLink()
        bench.run(for: .seconds(3))
        bench.body.serialNumber = "00000000000000000000000003005678"
        bench.probeReaction = .answers
        Self.expectPauseWithoutProbe(bench)
        bench.breakLink()
        bench.run(for: .seconds(3))
        bench.forget()
        #expect(Self.connect(bench).count == 2)
        #expect(bench.probedAt.count == 2)
    }

    @Test func `a later probe without an answer ends the probes and not the session`() {
        let bench = NikonBench.connected()
        bench.probeReaction = .ignores
        bench.run(for: .seconds(40))
        #expect(bench.losses.isEmpty)
        #expect(bench.probedAt.count == 2)
        // The body answered the first probe, so the next session has probes again.
        bench.breakLink()
        bench.run(for: .seconds(3))
        bench.forget()
        #expect(Self.connect(bench).count == 2)
        #expect(bench.probedAt.count == 3)
    }

    @Test func `bodies of other makers with their usual names are not probed`() {
        let sony = DriverBench { $0.model = "ILCE-7M4" }
        sony.connect()
        let canon = CanonBench.connected()
        #expect(sony.probedAt.isEmpty && canon.probedAt.isEmpty)
    }

    @Test func `a body with an unknown name is probed once`() {
        let bench = CanonBench { $0.model = "Anna" }
        bench.perform(.connect(CanonBench.address))
        bench.run(until: { !$0.requests.isEmpty })
        #expect(bench.probedAt.count == 1)
    }

    // MARK: Pairing

    private static func pairing(_ change: (inout NikonScriptedBody) -> Void) -> NikonBench {
        NikonBench { body in
            body.model = "NIKON ZR"
            body.operations += [.nikonGetVendorCodes, .nikonGetPairingInfo, .nikonConfirmPairing]
            change(&body)
        }
    }

    @Test func `the number of the pairing is shown, and nothing is sent after its confirmation`() {
        let bench = Self.pairing {
            $0.overrides[.nikonGetPairingInfo] = [.init(data: ByteBuffer(string: "4711"))]
        }
        let events = Self.connect(bench)
        #expect(Self.sentence(events)?.contains("4711") == true, "\(events)")
        #expect(bench.actions == ["OpenSession 0x1", "GetDeviceInfo", "GetPairingInfo", "ConfirmPairing 0x2001"])
        #expect(bench.openChannels.isEmpty)
        // The number stays in the status until the user has confirmed it.
        bench.body.refusals[.nikonChangeApplicationMode] = .generalError
        let droppedAt = bench.now
        bench.forget()
        #expect(Self.sentence(Self.connect(bench))?.contains("4711") == true)
        #expect((bench.requests.first?.at ?? .zero) - droppedAt >= .seconds(10))
        bench.body.refusals = [:]
        bench.forget()
        #expect(Self.connect(bench).count == 2)
        #expect(bench.count("GetPairingInfo") == 0)
    }

    /// A ZR holds the slot of a dropped session for 30 s (OpenZCine).
    @Test func `a body that holds the dropped session is not reported as in use while the number is valid`() {
        let bench = Self.pairing {
            $0.overrides[.nikonGetPairingInfo] = [.init(data: ByteBuffer(string: "4711"))]
        }
        let pairing = Self.connect(bench)
        let droppedAt = bench.now
        #expect(Self.sentence(pairing)?.contains("4711") == true, "\(pairing)")
        bench.initFail = .busy
        // Some bodies reportedly hang after more frequent attempts.
        for attempt in 1...9 {
            #expect(Self.connect(bench) == pairing)
            #expect(bench.now >= droppedAt + .seconds(10 * attempt))
        }
        bench.run(for: .seconds(40))
        #expect(Self.connect(bench) == [.refused(.inUse)])
    }

    @Test func `a body that accepted the connection after the pairing is reported as in use`() {
        let bench = Self.pairing {
            $0.overrides[.nikonGetPairingInfo] = [.init(data: ByteBuffer(string: "4711"))]
        }
        #expect(Self.sentence(Self.connect(bench))?.contains("4711") == true)
        bench.forget()
        #expect(Self.connect(bench).count == 2)
        bench.breakLink()
        bench.initFail = .busy
        bench.forget()
        #expect(Self.connect(bench) == [.refused(.inUse)])
    }

    @Test func `a busy body is not declared unpaired`() {
        let busy = Self.pairing {
            $0.refusals[.nikonGetPairingInfo] = .deviceBusy
            $0.refusals[.nikonChangeApplicationMode] = .deviceBusy
        }
        #expect(Self.connect(busy) == [.refused(.inUse)])
    }

    @Test func `a paired body that is busy at first is connected, and stays paired while it is busy later`() {
        let bench = Self.pairing {
            $0.overrides[.nikonGetPairingInfo] = [ScriptedAnswer](repeating: .init(code: .deviceBusy), count: 11)
            $0.overrides[.nikonChangeApplicationMode] = [.init(code: .deviceBusy)]
        }
        #expect(Self.connect(bench).count == 2)
        bench.breakLink()
        bench.body.refusals[.nikonChangeApplicationMode] = .deviceBusy
        bench.forget()
        #expect(Self.connect(bench) == [.refused(.inUse)])
        #expect(bench.count("GetPairingInfo") == 0)
    }

    @Test func `a body that can be paired and has no application mode is not sent one`() {
        let bench = Self.pairing {
            $0.operations.removeAll { $0 == .nikonChangeApplicationMode }
            $0.refusals[.nikonGetPairingInfo] = .generalError
        }
        #expect(Self.connect(bench).count == 2)
        #expect(bench.count("ChangeApplicationMode") == 0)
    }

    @Test func `a number that the user does not confirm for long is asked for again`() {
        let bench = Self.pairing {
            $0.refusals[.nikonChangeApplicationMode] = .generalError
            $0.overrides[.nikonGetPairingInfo] = ["4711", "0815"].map { .init(data: ByteBuffer(string: $0)) }
        }
        #expect(Self.sentence(Self.connect(bench))?.contains("4711") == true)
        bench.run(for: .seconds(125))
        bench.forget()
        #expect(Self.sentence(Self.connect(bench))?.contains("0815") == true)
    }

    @Test func `a paired body is not paired again`() {
        let bench = Self.pairing { $0.refusals[.nikonGetPairingInfo] = .generalError }
        #expect(Self.connect(bench).count == 2)
        #expect(bench.count("GetPairingInfo") == 1 && bench.count("ChangeApplicationMode") == 1)
        bench.breakLink()
        bench.forget()
        #expect(Self.connect(bench).count == 2)
        #expect(bench.count("GetPairingInfo") == 0)
    }

    @Test func `a body without a pairing dialog is asked ten times and refused with a sentence`() {
        let bench = Self.pairing {
            $0.refusals[.nikonGetPairingInfo] = .generalError
            $0.refusals[.nikonChangeApplicationMode] = .generalError
        }
        let events = Self.connect(bench)
        #expect(Self.sentence(events)?.contains("pairing") == true, "\(events)")
        #expect(bench.count("GetPairingInfo") == 11)
        #expect(bench.operations.last == "CloseSession")
    }

    @Test func `a dialog that opens late is waited for`() {
        let bench = Self.pairing {
            $0.refusals[.nikonChangeApplicationMode] = .generalError
            $0.overrides[.nikonGetPairingInfo] =
                [ScriptedAnswer](repeating: .init(code: .deviceBusy), count: 4)
                + [.init(data: ByteBuffer(hex: "340037003100310000"))]
        }
        #expect(Self.sentence(Self.connect(bench))?.contains("4711") == true)
        #expect(bench.count("ChangeApplicationMode") == 0)
    }

    @Test func `a refused confirmation is reported`() {
        let bench = Self.pairing {
            $0.overrides[.nikonGetPairingInfo] = [.init(data: ByteBuffer(string: "4711"))]
            $0.refusals[.nikonConfirmPairing] = .generalError
        }
        #expect(Self.sentence(Self.connect(bench))?.contains("not paired") == true)
        #expect(bench.operations.last == "CloseSession")
    }

    // MARK: A connected body

    @Test func `an idle body is asked at most twice per second`() {
        let bench = NikonBench.connected()
        bench.run(for: .seconds(60))
        #expect((60...120).contains(bench.requests.count), "\(bench.requests.count)")
        #expect(bench.losses.isEmpty)
    }

    @Test func `a turned dial is reported with its lists, also without an event`() {
        for reports in [true, false] {
            let bench = NikonBench.connected()
            bench.body.set(.exposureProgramMode, 3, reports: reports)
            bench.body.lock(.nikonShutterSpeed)
            bench.run(for: .seconds(reports ? 2 : 60))
            let statuses = bench.reported.compactMap { if case .status(let status) = $0.event { status } else { nil } }
            #expect(statuses.last?.mode == .aperturePriority && statuses.last?.speedIsWritable == false)
        }
    }

    @Test func `a property that stays busy delays neither events nor the status`() {
        let bench = NikonBench.connected { $0.refusals[.getDevicePropDesc] = nil }
        bench.body.refusals[.getDevicePropDesc] = .deviceBusy
        bench.body.set(.nikonISO, 400)
        let ticket = bench.perform(.readStatus)
        bench.run(for: .seconds(20))
        #expect(bench.count("GetEvent") >= 15)
        bench.body.refusals = [:]
        guard case .status? = bench.finish(ticket).last else {
            Issue.record("no answer")
            return
        }
    }

    @Test func `every question for the status is answered after a full reading`() {
        let bench = NikonBench.connected()
        bench.body.set(.nikonISO, 400, reports: false)
        let ticket = bench.perform(.readStatus)
        guard case .status(let status)? = bench.finish(ticket).last else {
            Issue.record("no answer")
            return
        }
        #expect(status.iso == "400")
        #expect(bench.count("GetDevicePropDesc") >= 14)
    }

    @Test func `damaged event lists are noted once, and everything is read again`() {
        let bench = NikonBench.connected()
        bench.body.set(.nikonISO, 400, reports: false)
        bench.body.damagedLists = [ByteBuffer](repeating: ByteBuffer(hex: "f4010000024001000000"), count: 3)
        bench.run(for: .seconds(5))
        #expect(bench.notes.count { $0.contains("event list") } == 1)
        let statuses = bench.reported.compactMap { if case .status(let status) = $0.event { status } else { nil } }
        #expect(statuses.last?.iso == "400")
    }

    @Test func `a body that rejects its events for long is lost`() {
        let bench = NikonBench.connected { $0.refusals[.nikonGetEventEx] = .generalError }
        bench.run(for: .seconds(40))
        #expect(bench.losses.count == 1)
        #expect(bench.openChannels.isEmpty)
    }
}
