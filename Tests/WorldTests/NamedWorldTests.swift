import Bodies
import Cameras
import Controller
import Exposure
import Testing
import Worlds

/// Cameras that the user names, and the effects of a request that fails.
@Suite struct NamedWorldTests {
    private static let identity = InitiatorIdentity(guid: Array(1...16), name: "named")
    private static let three = PlanInput(shadow: "1/60", highlight: "1/250", frames: 3, spacing: 1)
    private static func address(_ host: UInt8) -> CameraAddress { CameraAddress(host: "192.0.2.\(host)") }

    /// A world with a camera at .9. The daemon finds it by these methods, or at its address.
    private func world(
        _ ways: Set<SearchMethod> = [],
        address: CameraAddress? = nil,
        faults: [String] = []
    ) throws -> World {
        let configuration = CoreConfiguration(
            cameraAddress: address,
            identity: Self.identity,
            ledger: .required,
            search: SearchRules(ways: ways)
        )
        var options = BodyOptions()
        options.faults = try faults.map { try Fault(parsing: $0) }
        var world = World(
            core: Core(configuration: configuration),
            camera: SimulatedCamera(model: .ilce7M4, options: options),
            place: .at(Self.address(9))
        ).checked
        world.openFailure = { _ in .refused }
        let near = NetworkInterface.Address(IPAddress(bytes: [192, 0, 2, 7]), prefixLength: 28)
        let wlan = NetworkInterface(index: 3, name: "wlan0", isUp: true, addresses: [near])
        world.put(.network(NetworkSnapshot(interfaces: [wlan])))
        guard faults.isEmpty else { return world }
        world.pass(until: isConnected)
        try #require(world.daemon.state("connection") == "connected")
        return world
    }

    private func isConnected(_ world: World) -> Bool { world.daemon.state("connection") == "connected" }

    /// Simulation found this case, with seed 3: the sentence recommended a command that did not know the camera.
    @Test
    func `a camera that was disconnected before its first connection is called at the configured address`() throws {
        var world = try world(address: Self.address(9), faults: ["pairing=20s"])
        world.pass(.seconds(1))
        world.ask(.disconnect)
        world.pass { $0.daemon.state("connection") == "released" }
        #expect(world.daemon.status == "Disconnected by command. To connect again: bracketctl connect --last.")
        world.ask(.connect(.last))
        world.pass(.seconds(50))
        #expect(isConnected(world), "\(world.daemon.status)")
    }

    @Test func `the daemon waits for a camera that asks a question on its screen until the user answers`() throws {
        var world = try world(address: Self.address(9), faults: ["pairing=50s"])
        world.pass(.seconds(55))
        #expect(isConnected(world), "\(world.daemon.status)")
        expectSound(world)
    }

    @Test(arguments: [[], [SearchMethod.scan]])
    func `after some seconds without an answer the status says that the camera may ask its user`(
        ways: [SearchMethod]
    ) throws {
        let address = Self.address(9)
        var world = try world(Set(ways), address: ways.isEmpty ? address : nil, faults: ["pairing=50s"])
        world.pass(.seconds(2))
        #expect(!world.daemon.status.contains("confirm"), "\(world.daemon.status)")
        world.pass(.seconds(6))
        #expect(world.daemon.status == "Connecting to \(address). If the camera asks, confirm bracketd there.")
    }

    @Test func `if no camera was ever connected or configured, the daemon requests an address`() throws {
        var world = try world([.scan], faults: ["pairing=20s"])
        world.pass(.seconds(1))
        world.ask(.disconnect)
        world.pass { $0.daemon.state("connection") == "released" }
        #expect(world.daemon.status == "Searching is off after disconnect. To connect: bracketctl connect ADDRESS.")
    }

    @Test(arguments: [[], [SearchMethod.known, .scan]])
    func `a shoot continues with its camera though the user named another one during the shoot`(
        ways: [SearchMethod]
    ) throws {
        var world = try world(Set(ways), address: ways.isEmpty ? Self.address(9) : nil)
        let other = world.add(SimulatedCamera(model: .zvE10), at: .at(Self.address(12)))
        let shoot = world.ask(.shoot(Self.three, streams: true))
        world.pass { $0.camera.card.count == 1 }
        world.move(to: .away)
        world.pass { $0.daemon.state("connection") != "connected" }
        let order = world.ask(.connect(.text("192.0.2.12")))
        world.pass(.seconds(20))
        world.move(to: .at(Self.address(9)))
        world.pass { $0.daemon.progress(of: shoot).last?.outcome != nil }
        #expect(world.daemon.progress(of: shoot).last?.sentence == "3 of 3 exposures captured")
        #expect(world.cameras[other].body.card.isEmpty)
        world.pass(.seconds(90))
        #expect(isConnected(world))
        // The daemon keeps this camera, and reports no connection to another one.
        #expect(!world.daemon.transitions("connection").contains { $0.hasSuffix("changing") })
        let answers = world.daemon.answers(to: order)
        guard answers.count == 1, case .error(.notConnected(let sentence)) = answers[0] else {
            Issue.record("\(answers)")
            return
        }
        #expect(sentence.hasSuffix("The daemon no longer tries 192.0.2.12:15740."), "\(sentence)")
        expectSound(world)
    }

    @Test(arguments: [[], [SearchMethod.known, .scan]], [false, true])
    func `after a failed request the camera before is connected again`(
        ways: [SearchMethod],
        clientLeaves: Bool
    ) throws {
        var world = try world(Set(ways), address: ways.isEmpty ? Self.address(9) : nil)
        let order = world.ask(.connect(.text("192.0.2.5")))
        world.pass(.milliseconds(100))
        if clientLeaves { world.put(.requestCancelled(order)) }
        world.pass(.seconds(80))
        #expect(isConnected(world))
        #expect(world.camera.isSessionOpen)
        let answers = world.daemon.answers(to: order)
        #expect(answers.count == (clientLeaves ? 0 : 1))
        for answer in answers {
            guard case .error(.notConnected(let sentence)) = answer else { Issue.record("\(answer)"); continue }
            #expect(sentence.hasSuffix("The daemon no longer tries 192.0.2.5:15740."), "\(sentence)")
        }
        expectSound(world)
    }

    @Test func `a named camera is called although a call to another one is failing`() throws {
        var world = try world(address: Self.address(9))
        let other = world.add(SimulatedCamera(model: .zvE10), at: .at(Self.address(12)))
        world.move(to: .away)
        world.openFailure = { _ in .timedOut }
        world.pass { $0.daemon.state("connection") == "connecting" }
        let order = world.ask(.connect(.text("192.0.2.12")))
        world.pass(.seconds(20))
        #expect(isConnected(world))
        #expect(world.cameras[other].body.isSessionOpen)
        #expect(world.daemon.answers(to: order).count == 1)
        expectSound(world)
    }

    @Test func `after a failed request the target before applies again, be it another camera or none`() throws {
        var world = try world([.known, .scan])
        let other = world.add(SimulatedCamera(model: .zvE10), at: .at(Self.address(12)))
        _ = world.ask(.connect(.text("192.0.2.12")))
        world.pass(.seconds(10))
        try #require(world.cameras[other].body.isSessionOpen)
        _ = world.ask(.connect(.text("192.0.2.5")))
        world.pass(.seconds(90))
        #expect(world.cameras[other].body.isSessionOpen)
        _ = world.ask(.disconnect)
        world.pass(.seconds(5))
        let order = world.ask(.connect(.text("192.0.2.5")))
        world.pass(.seconds(90))
        #expect(world.daemon.answers(to: order).count == 1)
        #expect(world.daemon.state("connection") == "released")
        #expect(!world.cameras.contains { $0.body.isSessionOpen })
        expectSound(world)
    }

    @Test func `a camera in use is not called sooner because the user names it`() throws {
        var world = try world(address: Self.address(9), faults: ["init-fail=busy:3"])
        _ = world.ask(.connect(.text("192.0.2.9")))
        world.pass(.seconds(40))
        let times = world.connectionLog.times(of: Self.address(9))
        #expect(times.count >= 3, "\(times)")
        for (one, next) in zip(times, times.dropFirst()) { #expect(next - one >= .seconds(5), "\(times)") }
        expectSound(world)
    }

    @Test func `blanks name no camera`() throws {
        var world = try world([.known, .scan])
        let order = world.ask(.connect(.text(" ")))
        let answers = world.daemon.answers(to: order)
        guard case .error(.noSuchCamera)? = answers.first else { Issue.record("\(answers)"); return }
        expectSound(world)
    }

    @Test(arguments: ["ILCE-7M4", "sony ilce-7m4", "Sony Corporation ILCE-7M4", "corporation"])
    func `a camera can be named by a part of its name`(text: String) throws {
        var world = try world([.known, .scan])
        let order = world.ask(.connect(.text(text)))
        let answers = world.daemon.answers(to: order)
        guard case .reply(.camera, _)? = answers.first else { Issue.record("\(answers)"); return }
        expectSound(world)
    }

    @Test func `an unknown name is refused with the names that are known`() throws {
        var world = try world([.known, .scan])
        let order = world.ask(.connect(.text("nosuch")))
        let answers = world.daemon.answers(to: order)
        guard case .error(.noSuchCamera(_, let known, _))? = answers.first else { Issue.record("\(answers)"); return }
        #expect(known == ["Sony Corporation ILCE-7M4"])
        expectSound(world)
    }

    @Test(arguments: [
        (SearchRules(ways: [.scan], interface: "wlan7"), "This computer has no interface \"wlan7\""),
        (SearchRules(), "search is empty"),
        (SearchRules(ways: [.ssdp]), "Searching for a camera."),
    ])
    func `the status without a camera gives the reason`(rules: SearchRules, sentence: String) {
        let configuration = CoreConfiguration(cameraAddress: nil, identity: Self.identity, search: rules)
        var world = World(
            core: Core(configuration: configuration),
            camera: SimulatedCamera(model: .ilce7M4, options: BodyOptions()),
            place: .away
        ).checked
        let near = NetworkInterface.Address(IPAddress(bytes: [192, 0, 2, 7]), prefixLength: 28)
        let wlan = NetworkInterface(index: 3, name: "wlan0", isUp: true, addresses: [near])
        world.put(.network(NetworkSnapshot(interfaces: [wlan])))
        world.pass(.seconds(2))
        let status = world.daemon.core.statusReport.sentence
        #expect(status.contains(sentence), "\(status)")
        expectSound(world)
    }
}
