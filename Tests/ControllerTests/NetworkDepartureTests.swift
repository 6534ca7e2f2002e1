import Cameras
import NIOCore
import Statecharts
import Testing
import Worlds

@testable import Controller

/// The computer leaves the camera's network and returns, or a search finds a camera at such a moment.
@Suite struct NetworkDepartureTests {
    private static let camera = IPAddress(bytes: [127, 0, 0, 1])

    private static func radio(_ ssid: String?) -> NetworkInterface {
        NetworkInterface(
            index: 3,
            name: "wlan0",
            isUp: ssid != nil,
            addresses: [.init(IPAddress(bytes: [127, 0, 0, 2]), prefixLength: 30)],
            radio: ssid.map { .joined(.init(ssid: $0, bssid: "02:00:00:00:00:01")) } ?? .apart
        )
    }

    private static let cable = NetworkInterface(
        index: 2,
        name: "eth0",
        isUp: true,
        addresses: [.init(IPAddress(bytes: [10, 0, 0, 5]), prefixLength: 24)]
    )

    private func connected() throws -> Bench {
        var bench = Bench()
        bench.put(.network(.joined(ssid: "A")))
        bench.pass(.seconds(3))
        try #require(bench.state("connection") == "connected")
        return bench
    }

    @Test func `a connect request over a cable ends the state away of the radio`() throws {
        var bench = try connected()
        let way = RouteFinding.found(CameraRoute(to: Self.camera, interface: 2))
        bench.put(.network(NetworkSnapshot(interfaces: [Self.cable, Self.radio(nil)], route: way)))
        #expect(bench.state("connection") == "offNetwork")
        bench.ask(.connect(.text("127.0.0.1")))
        bench.pass(.seconds(5))
        #expect(bench.state("network") == "joined")
        #expect(bench.state("connection") == "connected")
    }

    @Test func `a camera that becomes ready as its network is left does not make another network its own`() throws {
        var bench = try connected()
        bench.put(.network(.down))
        bench.put(.message(.cameraReady(ScriptedCamera.ready)))
        bench.put(.network(.joined(ssid: "B")))
        bench.pass(.seconds(5))
        #expect(bench.state("network") == "elsewhere")
        #expect(bench.state("connection") == "offNetwork")
    }

    @Test func `a network's name that becomes known after the connection is the camera's network`() {
        var bench = Bench()
        bench.put(.network(.joined(ssid: nil)))
        bench.pass(.seconds(3))
        bench.put(.network(.joined(ssid: "A")))
        #expect(bench.state("connection") == "connected")
        bench.put(.network(.joined(ssid: "B")))
        #expect(bench.state("network") == "elsewhere")
        #expect(bench.state("connection") == "offNetwork")
        #expect(bench.status.sentence == "This computer left A and is on B. Rejoin A to continue.")
    }

    @Test func `back in the network, the daemon waits before it calls a camera that was connected`() throws {
        var bench = try connected()
        bench.put(.network(.down))
        bench.pass(.seconds(60))
        bench.put(.network(.joined(ssid: "A")))
        let back = bench.now
        #expect(bench.state("connection") == "reconnecting")
        bench.pass { $0.state("connection") == "connected" }
        #expect(bench.now - back == .milliseconds(1200))
    }

    // MARK: Found by a search

    @Test func `a shoot pauses when the computer has another address, and resumes by itself`() throws {
        func seen(_ last: UInt8) -> NetworkSnapshot {
            let own = IPAddress(bytes: [127, 0, 0, last])
            let wlan = NetworkInterface(
                index: 3,
                name: "wlan0",
                isUp: true,
                addresses: [.init(own, prefixLength: 24)],
                radio: .joined(.init(ssid: "A", bssid: "02:00:00:00:00:01"))
            )
            let way = RouteFinding.found(CameraRoute(to: Self.camera, interface: 3, source: own))
            return NetworkSnapshot(interfaces: [wlan], route: way)
        }
        var bench = Bench()
        bench.put(.network(seen(2)))
        bench.pass(.seconds(3))
        try #require(bench.state("connection") == "connected")
        let three = PlanInput(shadow: "1/60", highlight: "1/250", frames: 3, spacing: 1)
        let shoot = bench.ask(.shoot(three, streams: true))
        bench.pass { $0.state("shooting") == "settingSpeed" }
        bench.put(.network(seen(7)))
        #expect(bench.state("shooting") == "wifiSwitched")
        #expect(bench.state("connection") == "reconnecting")
        // The loss is reported once: later reports of the same network change nothing.
        bench.put(.network(seen(7)))
        #expect(bench.transitions("network").count { $0 == "joined → joined" } == 1)
        bench.pass { $0.progress(of: shoot).last?.outcome != nil }
        #expect(bench.progress(of: shoot).last?.sentence == "3 of 3 exposures captured")
        #expect(bench.transitions("connection").count { $0.hasSuffix("→ offNetwork") } == 1)
    }

    private static let network = NetworkSnapshot(interfaces: [radio("A")])

    /// A daemon that searches for a camera with an unknown address, and has just received the camera's greeting.
    private struct Greeting {
        var daemon: VirtualDaemon
        let generation: LinkGeneration
        private var links: [Effect] = []

        /// - Parameter known: a camera that was connected before.
        init(_ properties: [PropertyState] = [], known: CameraRow? = nil) throws {
            var camera = ScriptedCamera(twists: [.greetsByBytes])
            camera.properties = properties
            daemon = Bench(camera, address: nil) { $0.search = SearchRules(ways: [.scan]) }.daemon
            if let known { daemon.change { $0.finder.note(known) } }
            daemon.put([.network(NetworkDepartureTests.network)], at: .zero, links: &links)
            generation = try #require(daemon.core.finder.candidates.first?.generation)
            put(.link(generation, .opened(.command)))
            try #require(daemon.state("connection") == "discovering")
        }

        /// The camera's answers in a whole session.
        var answer: Input { .link(generation, .received(.command, ByteBuffer())) }

        mutating func put(_ inputs: Input...) { daemon.put(inputs, at: .zero, links: &links) }
    }

    @Test func `a camera that is found as the search ends and restarts is still connected`() throws {
        var greeting = try Greeting()
        greeting.put(.network(.down), greeting.answer, .network(Self.network))
        #expect(greeting.daemon.transitions("connection").contains { $0.hasPrefix("offNetwork → ") })
        #expect(greeting.daemon.state("connection") == "connected")
    }

    @Test func `a network that is joined after the link was opened is not the camera's`() throws {
        var greeting = try Greeting()
        greeting.put(greeting.answer, .network(NetworkSnapshot(interfaces: [Self.radio("B")])))
        #expect(greeting.daemon.core.network.machine.behavior.camera?.ssid == "A")
        #expect(greeting.daemon.state("network") == "elsewhere")
        #expect(greeting.daemon.state("connection") == "offNetwork")
        greeting.put(.network(Self.network))
        #expect(greeting.daemon.state("network") == "joined")
        #expect(greeting.daemon.state("connection") == "reconnecting")
    }

    // The answer to a request from before the change can come after it.
    @Test(arguments: [false, true])
    func `a network that is joined while a requested camera greets is not the camera's`(isAnswered: Bool) throws {
        var bench = try connected()
        bench.ask(.disconnect)
        bench.camera { camera, _ in camera.twists = [.greetsByBytes] }
        bench.ask(.connect(.text("127.0.0.1")))
        bench.put(.link(bench.daemon.core.session.generation, .opened(.command)))
        bench.put(.network(.joined(ssid: "B")))
        try #require(bench.state("connection") == "connecting")
        if isAnswered {
            let reply = HTTPEvent.reply(HTTPReply(status: 200))
            bench.put(.http(bench.daemon.core.session.generation, HTTPRequestID(rawValue: 1), reply))
        }
        bench.put(.link(bench.daemon.core.session.generation, .received(.command, ByteBuffer())))
        #expect(bench.state("network") == "elsewhere")
        #expect(bench.state("connection") == "offNetwork")
        #expect(bench.status.sentence == "This computer left A and is on B. Rejoin A to continue.")
    }

    @Test func `more facts about the network of the link do not replace it`() throws {
        var greeting = try Greeting()
        let route = RouteFinding.found(CameraRoute(to: Self.camera, interface: 3))
        let known = NetworkSnapshot(interfaces: [Self.cable, Self.radio("A")], route: route)
        greeting.put(greeting.answer, .network(known))
        #expect(greeting.daemon.core.network.machine.behavior.camera == CameraNetwork(known, address: Self.camera))
        #expect(greeting.daemon.state("network") == "joined")
        #expect(greeting.daemon.state("connection") == "connected")
    }

    @Test func `input that is under way from a camera when it is connected belongs to the camera`() throws {
        var greeting = try Greeting()
        greeting.put(greeting.answer)
        try #require(greeting.daemon.state("connection") == "connected")
        greeting.put(.message(.candidate(greeting.generation, .lost(.closedByCamera))))
        #expect(greeting.daemon.state("connection") == "reconnecting")
    }

    @Test func `properties that a camera reports before it is connected are kept`() throws {
        let iso = PropertyState(property: .iso, value: "100", choices: ["100", "200"], isWritable: true)
        var greeting = try Greeting([iso])
        greeting.put(greeting.answer)
        try #require(greeting.daemon.state("connection") == "connected")
        let id = greeting.daemon.nextRequest()
        greeting.put(.request(id, .getCamera))
        guard case .reply(.camera(let report), _)? = greeting.daemon.answers(to: id).first else {
            Issue.record("\(greeting.daemon.answers(to: id))")
            return
        }
        #expect(report.properties == [iso])
    }

    @Test(arguments: [ConnectTarget.text("127.0.0.77"), .last])
    func `a camera that has identified itself is not connected once another is named`(other: ConnectTarget) throws {
        var greeting = try Greeting(known: row("another", at: 9, in: "Elsewhere"))
        let camera = ScriptedCamera()
        greeting.put(.message(.candidate(greeting.generation, .prepared(camera.identity))))
        let id = greeting.daemon.nextRequest()
        // Both inputs come in one instant, so the effects of the first input come after the second input.
        let ready = CameraEvent.status(camera.status)
        greeting.put(.request(id, .connect(other)), .message(.candidate(greeting.generation, ready)))
        #expect(greeting.daemon.state("connection") != "connected")
        #expect(greeting.daemon.answers(to: id).isEmpty)
    }

    // MARK: The addresses that are known

    private func row(_ id: String, at host: UInt8, in network: String?) -> CameraRow {
        CameraRow(
            id: id,
            maker: "Sony",
            model: "ILCE-7M4",
            firmware: "1",
            address: "192.0.2.\(host):15740",
            network: network
        )
    }

    @Test
    func `known cameras are called at their last address: latest first, only the requested one, in our networks`() {
        var book = KnownCameras()
        book.begin(with: [row("a", at: 1, in: "A"), row("b", at: 2, in: "B"), row("c", at: 3, in: nil)])
        func hosts(_ wanted: String?, _ joined: Set<String>) -> [String] {
            book.addresses(wanted: wanted.map { WantedCamera(id: $0, name: "camera") }, joined: joined).map(\.host)
        }
        #expect(hosts(nil, []) == ["192.0.2.3", "192.0.2.2", "192.0.2.1"])
        #expect(hosts(nil, ["A"]) == ["192.0.2.3", "192.0.2.1"])
        #expect(hosts("b", ["B"]) == ["192.0.2.2"])
        #expect(hosts("b", ["A"]).isEmpty)
        book.note(row("a", at: 9, in: nil))
        #expect(hosts(nil, ["A"]) == ["192.0.2.9", "192.0.2.3"])
    }

    @Test func `the list of called addresses is bounded and contains none of this computer`() {
        let interfaces = (0..<4).map { number in
            NetworkInterface(
                index: UInt32(3 + number),
                name: "eth\(number)",
                isUp: true,
                addresses: [.init(IPAddress(bytes: [10, UInt8(number), 0, 1]), prefixLength: 22)]
            )
        }
        let addresses = Scan.addresses(interfaces)
        #expect(addresses.count == Scan.addressesMax)
        #expect(Set(addresses).count == addresses.count)
        #expect(!addresses.contains(CameraAddress(host: "10.0.0.1")))
        #expect(Scan.addresses(Array(interfaces.prefix(1))).count == 1021)
        let near = Scan.addresses(Array(interfaces.prefix(1)), waveMax: SearchRules.scanMaxDefault)
        #expect(near.map(\.host) == (2...254).map { "10.0.0.\($0)" })
        // Two of the addresses are in one network.
        let pair = [UInt8(1), 2].map { last in
            NetworkInterface(
                index: UInt32(last),
                name: "eth\(last)",
                isUp: true,
                addresses: [.init(IPAddress(bytes: [10, 0, 0, last]), prefixLength: 24)]
            )
        }
        #expect(Scan.addresses(pair).count == 252)
    }

    // MARK: Found by the model check

    @Test func `the daemon does not search a network that is left during a change of cameras`() throws {
        var bench = Bench(ScriptedCamera(twists: [.leavesAfter(.seconds(2))]))
        bench.put(.network(.joined(ssid: "A")))
        bench.pass(.seconds(3))
        try #require(bench.state("connection") == "connected")
        bench.ask(.connect(.text("127.0.0.9")))
        try #require(bench.state("connection") == "changing")
        bench.put(.network(.down))
        #expect(bench.state("connection") == "offNetwork")
        bench.pass(.seconds(20))
        #expect(bench.state("connection") == "offNetwork")
        bench.put(.network(.joined(ssid: "A")))
        bench.pass(.seconds(20))
        #expect(bench.state("connection") == "connected")
    }

    @Test func `a disconnect is refused during a shoot, and changes nothing`() throws {
        var bench = try connected()
        bench.ask(.shoot(ShootingTests.threeFrames, streams: false))
        bench.pass { $0.state("shooting") == "capturing" }
        let id = bench.ask(.disconnect)
        guard case .error(.notNow("Disconnect", "capturing", let sentence))? = bench.answers(to: id).first else {
            Issue.record("not refused: \(bench.answers(to: id))")
            return
        }
        #expect(sentence.contains("bracketctl cancel"))
        #expect(bench.state("connection") == "connected")
        bench.pass(.seconds(60))
        #expect(bench.state("shooting") == "completed")
    }

    @Test
    func `the daemon closes the connection if the camera does not answer CloseSession for three seconds`() throws {
        var bench = Bench(ScriptedCamera(twists: [.leavesAfter(.seconds(60))]))
        bench.pass(.seconds(3))
        try #require(bench.state("connection") == "connected")
        let id = bench.ask(.disconnect)
        bench.pass(.milliseconds(2999))
        #expect(bench.state("connection") == "releasing" && bench.answers(to: id).isEmpty)
        bench.pass(.milliseconds(1))
        #expect(bench.state("connection") == "released" && bench.answers(to: id).count == 1)
    }

    @Test func `resume on the returned network asks a camera again that refused the session`() throws {
        var bench = try connected()
        bench.ask(.shoot(ShootingTests.threeFrames, streams: false))
        bench.pass { $0.state("shooting") == "settingSpeed" }
        bench.put(.network(.down))
        try #require(bench.state("shooting") == "wifiSwitched")
        let away = bench.ask(.resume)
        guard case .error(.notNow)? = bench.answers(to: away).first else {
            Issue.record("resumed without a network")
            return
        }
        bench.camera { camera, _ in camera.twists.append(.refuseConnect(.unpaired)) }
        bench.put(.network(.joined(ssid: "A")))
        bench.pass(.seconds(5))
        try #require(bench.state("connection") == "refused")
        bench.camera { camera, _ in camera.twists.removeAll() }
        let back = bench.ask(.resume)
        #expect(bench.answers(to: back).count == 1)
        bench.pass(.seconds(60))
        #expect(bench.state("shooting") == "completed")
    }

    @Test func `a pause of a shoot that already stops after the frame is answered with that`() throws {
        var bench = try connected()
        bench.ask(.shoot(ShootingTests.threeFrames, streams: false))
        bench.camera { camera, _ in camera.holdPictures(for: .seconds(10)) }
        bench.pass { $0.state("shooting") == "capturing" }
        bench.ask(.cancel)
        let id = bench.ask(.pause(withRedo: false))
        guard case .error(.notNow(_, _, let sentence))? = bench.answers(to: id).first else {
            Issue.record("paused a shoot that is cancelled")
            return
        }
        #expect(sentence == "The shoot already stops after this frame.")
    }
}
