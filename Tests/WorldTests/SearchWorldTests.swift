import Bodies
import Cameras
import Controller
import Exposure
import NIOCore
import Testing
import Worlds

/// The search for cameras, with the core and the driver of the product.
@Suite struct SearchWorldTests {
    private static let identity = InitiatorIdentity(guid: Array(1...16), name: "search")
    private static let three = PlanInput(shadow: "1/60", highlight: "1/250", frames: 3, spacing: 1)

    private static func address(_ host: UInt8) -> CameraAddress { CameraAddress(host: "192.0.2.\(host)") }

    private static let network = NetworkSnapshot(interfaces: [
        NetworkInterface(
            index: 3,
            name: "wlan0",
            isUp: true,
            addresses: [.init(IPAddress(bytes: [192, 0, 2, 77]), prefixLength: 24)],
            radio: .joined(.init(ssid: "DIRECT", bssid: "02:00:00:00:00:01"))
        )
    ])

    private func world(
        _ ways: Set<SearchMethod>,
        at place: WorldCamera.Place = .at(Self.address(9)),
        address: CameraAddress? = nil,
        options: BodyOptions = BodyOptions(),
        nobody: OpenFailure = .refused
    ) -> World {
        let configuration = CoreConfiguration(
            cameraAddress: address,
            identity: Self.identity,
            ledger: .required,
            search: SearchRules(ways: ways)
        )
        var world = World(
            core: Core(configuration: configuration),
            camera: SimulatedCamera(model: .ilce7M4, options: options),
            place: place
        ).checked
        world.openFailure = { _ in nobody }
        world.put(.network(Self.network))
        return world
    }

    private func isConnected(_ world: World) -> Bool { world.daemon.state("connection") == "connected" }

    @Test(arguments: [OpenFailure.refused, .timedOut, .unreachable])
    func `a scan finds the one camera of a network`(nobody: OpenFailure) {
        var world = world([.scan], nobody: nobody)
        let isFound = world.pass(until: isConnected)
        #expect(isFound)
        #expect(world.now < .seconds(20))
        #expect(world.connectionLog.openingMax <= Core.probesMax + 1)
        world.pass(.seconds(10))
        // The camera was probed only once, and is not probed after it was found.
        #expect(world.connectionLog.times(of: Self.address(9)).count == 1)
        #expect(isConnected(world))
        expectSound(world)
    }

    @Test func `in the first two waves each address is called three times, half a second apart, and later once`() {
        var world = world([.scan], at: .away)
        world.pass(.seconds(120))
        let times = world.connectionLog.times(of: Self.address(9))
        #expect(times.count == 6, "\(times)")
        for wave in 0..<2 where times.count == 6 {
            let calls = times[wave * 3..<wave * 3 + 3].map(\.self)
            #expect(calls[1] - calls[0] >= .milliseconds(500) && calls[2] - calls[1] >= .milliseconds(500))
        }
        world.pass(.seconds(420))
        #expect(world.connectionLog.times(of: Self.address(9)).count == 7)
        #expect(world.connectionLog.openingMax <= Core.probesMax)
        expectSound(world)
    }

    @Test(arguments: ["wave", "betweenParts", "betweenWaves"])
    func `a user's request for a camera starts the schedule of the waves again`(state: String) throws {
        // The third wave has parts, and this address is not in the first one.
        let address = Self.address(200)
        var world = world([.scan], at: .away)
        world.pass(.seconds(state == "betweenWaves" ? 1200 : 179))
        // The search chart has parallel regions, so this state is not the main state of the chart.
        let isThere = world.pass { world in
            world.daemon.core.statusReport.charts.contains { $0.configuration.contains(state) }
        }
        try #require(isThere)
        let before = world.connectionLog.times(of: address).count
        world.ask(.shoot(Self.three, streams: false))
        world.pass(.seconds(50))
        #expect(world.connectionLog.times(of: address).count - before == 3)
        world.pass(.seconds(30))
        #expect(world.connectionLog.times(of: address).count - before == 6)
        expectSound(world)
    }

    @Test func `waves begin after 0, 1, 3 and 10 minutes, and then every 30 minutes`() {
        // An address without a route is called once in a wave.
        var world = world([.scan], at: .away, nobody: .unreachable)
        world.pass(.seconds(4300))
        let times = world.connectionLog.times(of: Self.address(1))
        #expect(times == [0, 60, 180, 600, 2400, 4200].map { .seconds($0) })
        expectSound(world)
    }

    @Test func `a changed network is searched at once`() {
        var world = world([.scan], at: .away, nobody: .unreachable)
        world.pass(.seconds(1200))
        var network = Self.network
        network.interfaces[0].addresses = [.init(IPAddress(bytes: [198, 51, 100, 77]), prefixLength: 24)]
        world.put(.network(network))
        world.pass(.seconds(30))
        #expect(world.connectionLog.times(of: CameraAddress(host: "198.51.100.254")).count == 1)
        expectSound(world)
    }

    @Test func `a wave has at most the addresses of one network of 254, and two networks take turns`() {
        var world = world([.scan], at: .away, nobody: .unreachable)
        var network = Self.network
        let cable = NetworkInterface.Address(IPAddress(bytes: [198, 51, 100, 7]), prefixLength: 24)
        network.interfaces.append(NetworkInterface(index: 4, name: "eth0", isUp: true, addresses: [cable]))
        world.put(.network(network))
        world.pass(.seconds(59))
        let first = Set(world.connectionLog.calls.map(\.address))
        let count = world.connectionLog.calls.count
        world.pass(.seconds(60))
        let second = Set(world.connectionLog.calls.dropFirst(count).map(\.address))
        #expect(first.count <= 254 && second.count <= 254)
        #expect(first.union(second).count == 2 * 253)
        expectSound(world)
    }

    @Test func `between two waves the status says when the daemon searches next`() {
        var world = world([.scan], at: .away)
        world.pass(.seconds(20))
        let id = world.ask(.getStatus)
        guard case .reply(.status(let report), _)? = world.daemon.answers(to: id).last else {
            Issue.record("no answer")
            return
        }
        #expect(report.sentence.hasSuffix("The next search begins in 40 s."), "\(report.sentence)")
        #expect(report.nextSearch.map { $0 > .seconds(39) && $0 <= .seconds(40) } == true)
        // The published status changes only with an input, so it has no times.
        #expect(!world.daemon.status.contains("next search"))
        expectSound(world)
    }

    @Test func `after two minutes the known cameras are called once in a wave too`() {
        var world = world([.known], at: .away)
        world.kill()
        world.ledger { ledger in
            ledger.change { tables in
                for host in UInt8(20)..<25 {
                    let address = Self.address(host).description
                    let id = "sony:\(host)"
                    tables.cameras[id] = CameraRow(id: id, maker: "Sony", model: "M", firmware: "1", address: address)
                    tables.cameraOrder.append(id)
                }
            }
        }
        world.restart()
        world.pass(.seconds(170))
        let count = world.connectionLog.calls.count
        world.pass(.seconds(60))
        #expect(world.connectionLog.calls.count - count == 5)
    }

    @Test func `an address without a route is called once in a wave`() {
        var world = world([.scan], at: .away, nobody: .unreachable)
        world.pass(.seconds(40))
        #expect(world.connectionLog.times(of: Self.address(9)).count == 1)
        expectSound(world)
    }

    @Test func `a camera with a new address continues its shoot`() throws {
        var world = world([.known, .scan])
        world.pass(until: isConnected)
        try #require(isConnected(world))
        let id = world.ask(.shoot(Self.three, streams: true))
        world.pass { $0.camera.card.count == 1 }
        // Another body gets the address of the first one.
        let other = world.add(SimulatedCamera(model: .zvE10), at: .away)
        world.move(to: .at(Self.address(33)))
        world.move(other, to: .at(Self.address(9)))
        world.pass { $0.daemon.progress(of: id).last?.outcome != nil }
        let end = try #require(world.daemon.progress(of: id).last)
        #expect(end.sentence == "3 of 3 exposures captured", "\(end)")
        #expect(Set(world.camera.card.map(\.label)) == ["1/250", "1/125", "1/60"])
        #expect(world.cameras[other].body.card.isEmpty)
        #expect(!world.cameras[other].body.isSessionOpen)
        expectSound(world)
    }

    @Test func `the address of a known camera is tried first after a restart`() throws {
        var world = world([.known, .scan])
        world.pass(until: isConnected)
        world.pass(.seconds(1))
        world.kill()
        let before = world.connectionLog.calls.count
        world.restart()
        world.pass(until: isConnected)
        #expect(world.connectionLog.calls.dropFirst(before).first?.address == Self.address(9))
        expectSound(world)
    }

    @Test(arguments: 0..<12) func `a stop in the middle of a search leaves no connection open`(tenths: Int) {
        var world = world([.known, .scan], nobody: .timedOut)
        world.pass(.milliseconds(40 * tenths))
        world.put(.stop)
        world.pass(.seconds(10))
        #expect(world.daemon.isFinished)
        #expect(world.connectionLog.isEmpty)
        #expect(!world.camera.isSessionOpen)
        expectSound(world)
    }

    @Test func `one of two cameras is connected, the other is closed in order`() {
        var world = world([.scan])
        world.add(SimulatedCamera(model: .zvE10), at: .at(Self.address(10)))
        world.pass(until: isConnected)
        world.pass(.seconds(10))
        #expect(isConnected(world))
        #expect(world.cameras.count(where: \.body.isSessionOpen) == 1)
        expectSound(world)
    }

    @Test func `after a disconnect no search begins until a request`() {
        var world = world([.known, .scan])
        world.pass(until: isConnected)
        let id = world.ask(.disconnect)
        world.pass(.seconds(5))
        #expect(world.daemon.answers(to: id) == [.reply(.disconnected(settings: nil), continues: false)])
        #expect(!world.camera.isSessionOpen)
        let calls = world.connectionLog.calls.count
        world.pass(.seconds(200))
        #expect(world.connectionLog.calls.count == calls)
        #expect(world.connectionLog.isEmpty)
        let back = world.ask(.connect(.last))
        world.pass(until: isConnected)
        #expect(world.daemon.answers(to: back).count == 1)
        #expect(world.camera.isSessionOpen)
        expectSound(world)
    }

    @Test func `a disconnect and a connect at the same instant are answered, each once`() {
        var world = world([.known, .scan])
        world.pass(until: isConnected)
        let away = world.ask(.disconnect)
        let back = world.ask(.connect(.last))
        world.pass(.seconds(20))
        #expect(world.daemon.answers(to: away).count == 1)
        #expect(world.daemon.answers(to: back).count == 1)
        #expect(isConnected(world))
        expectSound(world)
    }

    @Test(arguments: [
        (["-", "+"], "connected"), (["-", "+", "-"], "released"), (["-", "+", "-", "+"], "connected"),
        (["-", "-"], "released"), (["-", "+", "+"], "connected"),
    ])
    func `the last of several disconnects and connects counts, and each is answered once`(words: [String], end: String)
    {
        var world = world([.known, .scan])
        world.pass(until: isConnected)
        let orders = words.map { world.ask($0 == "-" ? .disconnect : .connect(.last)) }
        world.pass(.seconds(20))
        #expect(world.daemon.state("connection") == end)
        #expect(orders.map { world.daemon.answers(to: $0).count } == orders.map { _ in 1 })
        #expect(world.camera.isSessionOpen == (end == "connected"))
        expectSound(world)
    }

    @Test(arguments: [false, true], [false, true])
    func `after a search the sockets stay open for clients that still watch`(watchesBefore: Bool, leavesInTime: Bool) {
        var world = world([.known, .scan, .ssdp])
        world.pass(until: isConnected)
        var watcher: RequestID?
        if watchesBefore { watcher = world.ask(.watchCameras) }
        world.pass(.seconds(1))
        world.move(to: .away)
        world.pass(until: { $0.daemon.state("connection") == "discovering" })
        let watching = watcher ?? world.ask(.watchCameras)
        world.pass(.seconds(1))
        if leavesInTime { world.put(.requestCancelled(watching)) }
        world.move(to: .at(Self.address(9)))
        world.pass(until: isConnected)
        #expect(world.daemon.state("search") == (leavesInTime ? "idle" : "watching"))
        world.put(.requestCancelled(watching))
        world.pass(.seconds(1))
        #expect(world.daemon.state("search") == "idle")
        expectSound(world)
    }

    // MARK: SSDP

    private func told(_ uuid: String, by host: [UInt8], location: String? = nil, name: String = "ssdp:alive") -> Input {
        let text = [
            "NOTIFY * HTTP/1.1", "HOST: 239.255.255.250:1900", "NTS: \(name)",
            "NT: urn:schemas-sony-com:service:ScalarWebAPI:1",
            "USN: uuid:\(uuid)::urn:schemas-sony-com:service:ScalarWebAPI:1",
            "LOCATION: \(location ?? "http://\(IPAddress(bytes: host)):64321/dd.xml")", "", "",
        ].joined(separator: "\r\n")
        return .ssdp(SSDPDatagram(from: IPAddress(bytes: host), interface: 3, bytes: .init(string: text)))
    }

    @Test func `a device that pretends to be ten thousand cameras has few descriptions fetched`() {
        var world = world([.ssdp], at: .away)
        world.pass(.seconds(1))
        #expect(world.daemon.listening == [3])
        for number in 0..<10_000 {
            world.put(told("00000000-0000-1010-8000-\(number)", by: [192, 0, 2, UInt8(1 + number % 250)]))
        }
        #expect(world.daemon.httpRequests.count <= 32)
        let id = world.ask(.getCameras)
        guard case .reply(.cameras(let list), _)? = world.daemon.answers(to: id).last else {
            Issue.record("no answer")
            return
        }
        #expect(list.count <= 32)
        world.put(.stop)
        world.pass(.seconds(10))
        #expect(world.daemon.httpRequests.isEmpty)
        expectSound(world)
    }

    @Test func `a description at another machine is not fetched`() {
        var world = world([.ssdp], at: .away)
        world.pass(.seconds(1))
        world.put(told("a-b", by: [192, 0, 2, 5], location: "http://192.0.2.6:80/dd.xml"))
        #expect(world.daemon.httpRequests.isEmpty)
        expectSound(world)
    }
}
