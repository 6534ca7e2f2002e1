import Bodies
import Cameras
import Controller
import Exposure
import NIOCore
import Testing
import Worlds

/// The order in which cameras are probed, the camera that is connected, and the treatment of the other cameras.
@Suite struct OpenedCameraWorldTests {
    private static let identity = InitiatorIdentity(guid: Array(1...16), name: "meeting")
    private static let three = PlanInput(shadow: "1/60", highlight: "1/250", frames: 3, spacing: 1)

    private static func address(_ host: UInt8) -> CameraAddress { CameraAddress(host: "192.0.2.\(host)") }

    private static func cable(_ index: UInt32, _ name: String, _ own: [UInt8], _ length: Int) -> NetworkInterface {
        let addresses = [NetworkInterface.Address(IPAddress(bytes: own), prefixLength: length)]
        return NetworkInterface(index: index, name: name, isUp: true, addresses: addresses)
    }

    /// - Parameter length: the length of the network's prefix. With 28 there are few addresses: 192.0.2.1 to 14.
    private func world(
        _ ways: Set<SearchMethod>,
        _ model: SonyModel = .ilce7M4,
        at place: WorldCamera.Place = .at(Self.address(9)),
        faults: [String] = [],
        length: Int = 28,
        nobody: OpenFailure = .refused
    ) throws -> World {
        let configuration = CoreConfiguration(
            cameraAddress: nil,
            identity: Self.identity,
            ledger: .required,
            search: SearchRules(ways: ways)
        )
        var world = World(
            core: Core(configuration: configuration),
            camera: try camera(model, faults),
            place: place
        ).checked
        world.openFailure = { _ in nobody }
        world.put(.network(Self.network(length)))
        return world
    }

    private static func network(_ length: Int) -> NetworkSnapshot {
        NetworkSnapshot(interfaces: [cable(3, "eth0", [192, 0, 2, 3], length)])
    }

    private func camera(_ model: SonyModel, _ faults: [String] = []) throws -> SimulatedCamera {
        var options = BodyOptions()
        options.faults = try faults.map { try Fault(parsing: $0) }
        return SimulatedCamera(model: model, options: options)
    }

    private func isConnected(_ world: World) -> Bool { world.daemon.state("connection") == "connected" }

    private func says(_ text: String, in world: World) -> Bool {
        world.daemon.journal.contains { $0.message.contains(text) }
    }

    /// A world whose first camera was connected. Its daemon was killed and has not been restarted.
    private func known(_ ways: Set<SearchMethod>, faults: [String] = []) throws -> World {
        var world = try world(ways, faults: faults)
        world.pass(until: isConnected)
        try #require(isConnected(world))
        world.pass(.seconds(1))
        world.kill()
        world.pass(.seconds(60))
        return world
    }

    private func restart(_ world: inout World) {
        world.restart()
        world.put(.network(Self.network(28)))
    }

    // MARK: The wrong camera

    @Test func `another camera at the address of the first is disconnected in order, and the shoot waits for its own`()
        throws
    {
        var world = try world([.scan])
        world.pass(until: isConnected)
        let id = world.ask(.shoot(Self.three, streams: true))
        world.pass { $0.camera.card.count == 1 }
        let other = world.add(try camera(.zvE10), at: .away)
        world.move(to: .away)
        world.move(other, to: .at(Self.address(9)))
        world.pass(.seconds(60))
        #expect(!isConnected(world))
        #expect(world.cameras[other].body.card.isEmpty && !world.cameras[other].body.isSessionOpen)
        #expect(says("The daemon waits for Sony Corporation ILCE-7M4", in: world))
        world.move(other, to: .away)
        world.move(to: .at(Self.address(9)))
        world.pass { $0.daemon.progress(of: id).last?.outcome != nil }
        #expect(world.daemon.progress(of: id).last?.sentence == "3 of 3 exposures captured")
        expectSound(world)
    }

    @Test func `another camera elsewhere is reported, and not called for half a minute`() throws {
        var world = try world([.scan])
        world.pass(until: isConnected)
        world.ask(.shoot(Self.three, streams: true))
        world.pass { $0.camera.card.count == 1 }
        let other = world.add(try camera(.zvE10), at: .at(Self.address(12)))
        world.move(to: .away)
        let left = world.now
        world.pass(.seconds(150))
        #expect(!isConnected(world))
        #expect(says("The camera at 192.0.2.12:15740 is a Sony Corporation ZV-E10", in: world))
        let times = world.connectionLog.times(of: Self.address(12)).filter { $0 > left }
        #expect(times.count >= 2)
        for (one, next) in zip(times, times.dropFirst()) { #expect(next - one >= .seconds(30)) }
        #expect(!world.cameras[other].body.isSessionOpen)
        expectSound(world)
    }

    /// Requests another camera at every moment of a handshake. The camera that is being greeted must never be
    /// connected.
    private func askAtEachMoment(
        of world: World,
        for target: ConnectTarget,
        until end: Duration = .milliseconds(800)
    ) throws {
        var begun = world
        begun.pass(until: { $0.camera.isSessionOpen })
        try #require(begun.camera.isSessionOpen && !isConnected(begun))
        let start = begun.now
        var moments = 0
        while !isConnected(begun), begun.now - start < end {
            var world = begun
            world.ask(.connect(target))
            world.pass(.seconds(10))
            #expect(!isConnected(world), "asked after \(world.now - start)")
            #expect(!world.camera.isSessionOpen)
            moments += 1
            begun.pass(.milliseconds(5))
        }
        #expect(moments > 5)
    }

    @Test func `a camera that is being greeted is not connected after the user names another address`() throws {
        // No camera is at this address.
        try askAtEachMoment(of: try world([.scan]), for: .text("192.0.2.5"))
    }

    @Test func `a camera that is being greeted is not connected after the user names another camera`() throws {
        var world = try known([.scan])
        // The known camera is away, so the daemon finds the other camera, at another address.
        world.move(to: .away)
        let before = world.connectionLog.calls.count
        restart(&world)
        let other = world.add(try camera(.zvE10), at: .at(Self.address(12)))
        var moments = 0
        world.pass(until: { $0.cameras[other].body.isSessionOpen })
        try #require(world.connectionLog.calls.count > before)
        while !isConnected(world), moments < 200 {
            var branch = world
            branch.ask(.connect(.last))
            branch.pass(.seconds(10))
            #expect(!isConnected(branch))
            #expect(!branch.cameras[other].body.isSessionOpen)
            moments += 1
            world.pass(.milliseconds(5))
        }
        #expect(moments > 5)
        expectSound(world)
    }

    @Test func `a slow camera that is being greeted is disconnected when another one is connected`() throws {
        var world = try known([.known, .scan], faults: ["pairing=2s"])
        let other = world.add(try camera(.zvE10), at: .at(Self.address(12)))
        world.restart()
        // The search has not begun yet. The connection itself probes the known address.
        world.pass(.seconds(1))
        try #require(world.daemon.state("connection") == "connecting")
        world.put(.network(Self.network(28)))
        world.pass(until: isConnected)
        #expect(world.cameras[other].body.isSessionOpen)
        world.put(.stop)
        // The slow camera would answer later than this.
        world.pass(.milliseconds(500))
        #expect(world.daemon.isFinished)
        #expect(world.connectionLog.isEmpty)
        expectSound(world)
    }

    // MARK: Frequency and order

    @Test func `a camera whose connection broke is not called before it has had time to free its session`() throws {
        var world = try world([.known, .scan])
        world.pass(until: isConnected)
        world.cutBehindNextBytes()
        world.pass { $0.daemon.state("connection") == "reconnecting" }
        let lost = world.now
        world.pass(until: isConnected)
        let times = world.connectionLog.times(of: Self.address(9)).filter { $0 >= lost }
        #expect(try #require(times.first) - lost >= .milliseconds(1200))
        expectSound(world)
    }

    @Test(arguments: [OpenFailure.refused, .timedOut])
    func `an address that refuses or does not answer is called three times in a wave`(nobody: OpenFailure) throws {
        var world = try world([.scan], at: .away, nobody: nobody)
        world.pass(.seconds(70))
        let wave = world.connectionLog.times(of: Self.address(9))
        // The next wave begins a minute after this one.
        let end = try #require(wave.indices.dropFirst().first { wave[$0] - wave[$0 - 1] > .milliseconds(2900) })
        #expect(end == 3, "\(wave)")
        expectSound(world)
    }

    @Test func `a camera that disconnects during the greeting is called again after five seconds, not before`() throws {
        var world = try world([.scan])
        world.pass { $0.camera.isSessionOpen }
        try #require(!isConnected(world))
        world.cutBehindNextBytes()
        world.pass(until: isConnected)
        let times = world.connectionLog.times(of: Self.address(9))
        #expect(times.count >= 2, "\(times)")
        for (one, next) in zip(times, times.dropFirst()) { #expect(next - one >= .seconds(5), "\(times)") }
        expectSound(world)
    }

    @Test func `a camera in use is called again after five seconds, not before`() throws {
        var world = try world([.scan], faults: ["init-fail=busy:2"])
        world.pass(until: isConnected)
        #expect(isConnected(world))
        let times = world.connectionLog.times(of: Self.address(9))
        #expect(times.count >= 3, "\(times)")
        for (one, next) in zip(times, times.dropFirst()) { #expect(next - one >= .seconds(5), "\(times)") }
        expectSound(world)
    }

    @Test func `a camera that announces itself is called before the rest of a network`() throws {
        // A wave probes only the neighbours in turn, and the cameras are further away.
        var world = try world([.scan, .ssdp], at: .away, length: 16, nobody: .timedOut)
        world.pass(.milliseconds(100))
        try #require(world.connectionLog.calls.count == Core.probesMax)
        // The connection itself handles the first camera. The second one waits until a probe ends.
        for host: UInt8 in [210, 220] { world.put(Self.told(by: [192, 0, 7, host])) }
        let second = CameraAddress(host: "192.0.7.220")
        try #require(world.connectionLog.times(of: second).isEmpty)
        world.pass(.milliseconds(1100))
        #expect(world.connectionLog.times(of: second).count == 1)
        expectSound(world)
    }

    @Test func `a camera that announces itself while it waits for its turn in a wave is called next`() throws {
        var world = try world([.scan, .ssdp], at: .away, length: 24, nobody: .timedOut)
        world.pass(.milliseconds(100))
        let neighbours: [UInt8] = [250, 251]
        for host in neighbours {
            try #require(world.connectionLog.times(of: Self.address(host)).isEmpty)
            world.put(Self.told(by: [192, 0, 2, host]))
        }
        world.pass(.milliseconds(1100))
        #expect(neighbours.map { world.connectionLog.times(of: Self.address($0)).count } == [1, 1])
        // The other addresses are still probed, and the wave ends.
        world.pass { $0.connectionLog.times(of: Self.address(200)).count == 4 }
        #expect(world.connectionLog.times(of: Self.address(200)).count == 4)
        expectSound(world)
    }

    private static func told(by host: [UInt8]) -> Input {
        let (target, sender) = (SSDPTarget.digitalImaging, IPAddress(bytes: host))
        let text = [
            "NOTIFY * HTTP/1.1", "HOST: 239.255.255.250:1900", "NTS: ssdp:alive", "NT: \(target)",
            "USN: uuid:\(sender)::\(target)", "LOCATION: http://\(sender):64321/dd.xml", "", "",
        ].joined(separator: "\r\n")
        return .ssdp(SSDPDatagram(from: sender, interface: 3, bytes: .init(string: text)))
    }

    @Test func `each address of a network is called once before any is called again`() throws {
        var world = try world([.scan], at: .away, length: 24, nobody: .timedOut)
        world.pass { $0.connectionLog.times(of: Self.address(254)).count == 1 }
        let first = world.connectionLog.calls.prefix(253).map(\.address)
        #expect(Set(first).count == 253)
        expectSound(world)
    }

    @Test func `of the known cameras the connection calls the last one, and the search the others`() throws {
        var world = try known([.known, .scan])
        world.add(try camera(.zvE10), at: .at(Self.address(12)))
        restart(&world)
        world.pass(until: isConnected)
        world.ask(.connect(.text("192.0.2.12")))
        world.pass { isConnected($0) && $0.cameras[1].body.isSessionOpen }
        try #require(world.cameras[1].body.isSessionOpen)
        world.pass(.seconds(1))
        world.kill()
        world.pass(.seconds(60))
        world.move(0, to: .away)
        world.move(1, to: .away)
        world.openFailure = { _ in .timedOut }
        world.restart()
        world.pass(.seconds(1))
        let id = world.ask(.getCameras)
        guard case .reply(.cameras(let list), _)? = world.daemon.answers(to: id).last else {
            Issue.record("no answer")
            return
        }
        // The connection itself probes this address, beside the search.
        #expect(list.first { $0.state == .connecting }?.address == "192.0.2.12:15740")
        #expect(Set(world.connectionLog.calls.suffix(2).map(\.address)) == [Self.address(12), Self.address(9)])
        expectSound(world)
    }

    @Test
    func `a camera that was not to be called yet is called at once when the computer is back in the network`() throws {
        var world = try world([.scan], faults: ["init-fail=busy"])
        world.pass(.seconds(1))
        try #require(world.connectionLog.times(of: Self.address(9)).count == 1)
        world.put(.network(NetworkSnapshot()))
        world.put(.network(Self.network(28)))
        world.pass(.seconds(2))
        #expect(isConnected(world))
        expectSound(world)
    }

    @Test func `a network that appears in the middle of a wave is called in it`() throws {
        var world = try world([.scan], at: .away, length: 24, nobody: .timedOut)
        world.pass(.seconds(2))
        var snapshot = Self.network(24)
        snapshot.interfaces.append(Self.cable(4, "eth1", [198, 51, 100, 7], 28))
        world.put(.network(snapshot))
        let there = CameraAddress(host: "198.51.100.5")
        world.pass { !$0.connectionLog.times(of: there).isEmpty }
        // The rest of the wave alone would take three times as long.
        #expect(world.now < .seconds(8))
        expectSound(world)
    }

    @Test func `of a large network the neighbours are called, and never this computer`() throws {
        var world = try world([.scan], at: .away, length: 16)
        world.pass(.seconds(2))
        let called = Set(world.connectionLog.calls.map(\.address))
        #expect(called.count == 253)
        #expect(!called.contains(Self.address(3)))
        #expect(called.allSatisfy { $0.host.hasPrefix("192.0.2.") })
        expectSound(world)
    }
}
