import Bodies
import Cameras
import Controller
import Testing
import Worlds

/// The core's report about itself to clients that call Inspect.
struct CoreInspectionTests {
    private static let looked = HostFindings(
        machine: [Check("clock", .pass, "c")],
        network: [Check("network", .pass, "n")]
    )

    private static func core(
        _ address: CameraAddress? = nil,
        ledger: LedgerMode = .off
    ) -> Core {
        let identity = InitiatorIdentity(guid: Array(0..<16), name: "bench")
        var core = Core(
            configuration: CoreConfiguration(cameraAddress: address, identity: identity, ledger: ledger),
            drivers: CameraDrivers(ScriptedCamera())
        )
        var effects = Effects()
        core.handle(.started, at: .zero, into: &effects)
        return core
    }

    private static func tell(_ core: inout Core, _ input: Input) -> [Effect] {
        var effects = Effects()
        core.handle(input, at: .zero, into: &effects)
        return effects.list
    }

    private static func checks(_ effects: [Effect], _ id: UInt64 = 1) -> [Check]? {
        for case .reply(RequestID(rawValue: id), .checks(let checks), false) in effects { return checks }
        return nil
    }

    @Test func `one inspection answers all waiting clients, but not those that disconnected`() {
        var core = Self.core()
        let begun = (1...3).map { Self.tell(&core, .request(RequestID(rawValue: $0), .inspect)) }
        #expect(begun.map { $0.contains(.inspect) } == [true, false, false])
        _ = Self.tell(&core, .requestCancelled(RequestID(rawValue: 1)))
        let answers = Self.tell(&core, .inspected(Self.looked))
        #expect((1...3).map { Self.checks(answers, $0) != nil } == [false, true, true])
        #expect(Self.checks(answers, 2)?.map(\.name) == ["clock", "ledger", "network", "camera"])
        #expect(Self.tell(&core, .inspected(Self.looked)).isEmpty)
        #expect(Self.tell(&core, .request(RequestID(rawValue: 4), .inspect)).contains(.inspect))
    }

    @Test func `clients above the limit are refused, and the stop ends the others`() {
        var core = Self.core()
        let max = UInt64(Core.streamsMax)
        for id in 1...max { _ = Self.tell(&core, .request(RequestID(rawValue: id), .inspect)) }
        let last = RequestID(rawValue: max + 1)
        #expect(
            Self.tell(&core, .request(last, .inspect)).contains(.fail(last, .tooManyClients(limit: Core.streamsMax)))
        )
        let ended = Self.tell(&core, .stop)
        for id in 1...max { #expect(ended.contains(.fail(RequestID(rawValue: id), .stopping))) }
        #expect(Self.checks(Self.tell(&core, .inspected(Self.looked))) == nil)
    }

    @Test(arguments: [
        (LedgerMode.off, Check.Result.warn), (.bestEffort, .warn), (.required, .fail),
    ])
    func `an unusable ledger fails or warns, as the configuration says`(mode: LedgerMode, result: Check.Result) {
        var core = Self.core(CameraAddress(host: "192.0.2.1"), ledger: mode)
        _ = Self.tell(&core, .ledger(.unavailable("The file is damaged.")))
        _ = Self.tell(&core, .request(RequestID(rawValue: 1), .inspect))
        let checks = Self.checks(Self.tell(&core, .inspected(HostFindings()))) ?? []
        #expect(checks.map(\.name) == ["ledger", "camera"])
        #expect(checks.first?.result == result)
        #expect(mode == .off || checks.first?.sentence.contains("The file is damaged.") == true)
        #expect(checks.last?.result == .fail)
    }

    private static func cameraChecks(_ bench: Bench) -> [Check] {
        var core = bench.daemon.core
        let id = RequestID(rawValue: 1_000_000)
        var effects = Effects()
        core.handle(.request(id, .inspect), at: bench.now, into: &effects)
        effects = Effects()
        core.handle(.inspected(HostFindings()), at: bench.now, into: &effects)
        return Array((checks(effects.list, id.rawValue) ?? []).dropFirst())
    }

    @Test func `a camera with wrong settings counts as connected`() {
        var status = ScriptedCamera.ready
        status.mode = .aperturePriority
        let bench = Bench(ScriptedCamera(status: status))
        #expect(Self.cameraChecks(bench) == [Check("camera", .pass, "Sony Script is connected.")])
    }

    @Test func `what a paused shoot lacks of its camera fails a separate check`() {
        var bench = Bench(ScriptedCamera(twists: [.loseOn(.idle, 1)]))
        bench.ask(.shoot(ShootingTests.threeFrames, streams: false))
        bench.pass { $0.state("shooting") == "linkLost" }
        bench.camera { camera, _ in camera.status.batteryPercent = 1 }
        bench.pass { $0.state("shooting") == "cameraNotFit" }
        let check = Self.cameraChecks(bench).last
        #expect(check?.name == "shoot" && check?.result == .fail)
        #expect(check?.sentence == "The paused shoot cannot continue: The battery is at 1 %.")
        #expect(check?.advice == "Change the battery.")
    }

    @Test func `no camera fails the check also during a search, unless a command disconnected it`() {
        var bench = Bench(address: nil) { $0.search = SearchRules(ways: [.ssdp]) }
        #expect(Self.cameraChecks(bench).map(\.result) == [.fail])
        bench.ask(.disconnect)
        #expect(bench.state("connection") == "released")
        let advice = "Give the camera's address: bracketctl connect ADDRESS."
        let check = Check("camera", .warn, "Searching is off after disconnect.", advice: advice)
        #expect(Self.cameraChecks(bench) == [check])
    }

    @Test func `after a disconnect the advice comes once`() {
        var bench = Bench()
        bench.ask(.disconnect)
        #expect(bench.state("connection") == "released")
        let advice = "To connect again: bracketctl connect --last."
        #expect(Self.cameraChecks(bench) == [Check("camera", .warn, "Disconnected by command.", advice: advice)])
        #expect(bench.status.sentence.contains(advice))
    }

    @Test func `the advice for a camera in use by another device is to end that connection`() {
        let bench = Bench(ScriptedCamera(twists: [.refuseConnect(.inUse)]))
        let check = Self.cameraChecks(bench).last
        #expect(check?.sentence.hasPrefix(Refusal.inUse.sentence) == true)
        #expect(check?.advice?.hasPrefix("Close the app that uses the camera") == true)
    }

    @Test func `a rejection that says what to choose has no other advice`() {
        let rejection = Refusal.notWaiting("Choose the remote control in its menu.")
        var bench = Bench(ScriptedCamera(twists: [.refuseConnect(rejection)]))
        #expect(bench.state("connection") == "backingOff")
        let sentence = "\(rejection.sentence) The daemon tries again."
        #expect(Self.cameraChecks(bench) == [Check("camera", .fail, sentence)])
        bench.camera { camera, _ in camera.twists = [.cannotConnect(times: 100)] }
        bench.pass(.seconds(20))
        #expect(Self.cameraChecks(bench).last?.advice?.hasPrefix("Switch the camera on") == true)
    }

    @Test func `a shoot that the ledger does not have is an error, and so is a missing ledger`() {
        var core = Self.core(ledger: .required)
        let id = RequestID(rawValue: 1)
        #expect(
            Self.tell(&core, .request(id, .readLedger(.shoot(3)))).contains(
                .fail(id, .ledgerUnavailable(sentence: "The ledger is being opened."))
            )
        )
        _ = Self.tell(&core, .ledger(.opened(LedgerContents())))
        #expect(Self.tell(&core, .request(id, .readLedger(.shoot(3)))).contains(.ledger(.read(id, .shoot(3)))))
        #expect(
            Self.tell(&core, .ledger(.read(id, .noShoot(3)))).contains(
                .fail(id, .noSuchShoot(id: 3, sentence: "The ledger has no shoot 3."))
            )
        )
        _ = Self.tell(&core, .request(id, .readLedger(.shoots(limit: 1, before: nil))))
        #expect(
            Self.tell(&core, .ledger(.read(id, .failed("The disk is gone.")))).contains(
                .fail(id, .ledgerUnavailable(sentence: "The disk is gone."))
            )
        )
    }
}
