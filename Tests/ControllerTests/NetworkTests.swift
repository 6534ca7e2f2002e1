import Bodies
import Cameras
import Controller
import Exposure
import Testing
import Worlds

/// The report that the connection's chart receives for each snapshot of the network.
@Suite struct NetworkTests {
    static let camera = IPAddress(bytes: [192, 168, 122, 1])
    private static let own = IPAddress(bytes: [192, 168, 122, 77])
    private static let name = "DIRECT-a1E0:ILCE-7M3"
    typealias Snapshot = NetworkSnapshot

    private static func radio(
        _ ssid: String?,
        index: UInt32 = 3,
        name: String = "wlan0",
        address: IPAddress? = own,
        bssid: String = "02:00:00:00:00:01"
    ) -> NetworkInterface {
        NetworkInterface(
            index: index,
            name: name,
            isUp: ssid != nil,
            addresses: address.map { [.init($0, prefixLength: 24)] } ?? [],
            radio: ssid.map { .joined(.init(ssid: $0, bssid: bssid)) } ?? .apart
        )
    }

    private static func cable(
        _ address: IPAddress? = IPAddress(bytes: [10, 0, 0, 5]),
        index: UInt32 = 2,
        name: String = "eth0",
        isUp: Bool = true
    ) -> NetworkInterface {
        NetworkInterface(
            index: index,
            name: name,
            isUp: isUp,
            addresses: address.map { [.init($0, prefixLength: 24)] } ?? []
        )
    }

    private static let loopback = NetworkInterface(
        index: 1,
        name: "lo",
        isUp: true,
        isLoopback: true,
        isMulticast: false,
        addresses: [.init(IPAddress(bytes: [127, 0, 0, 1]), prefixLength: 8)]
    )

    private static func by(_ interface: UInt32, gateway: IPAddress? = nil, isLocal: Bool = false) -> RouteFinding {
        .found(CameraRoute(to: camera, interface: interface, gateway: gateway, isLocal: isLocal))
    }

    private static let nowhere = RouteFinding.none(reason: "Network is unreachable")
    private static let router = IPAddress(bytes: [10, 0, 0, 1])

    private static func seen(_ interfaces: [NetworkInterface], _ route: RouteFinding) -> Snapshot {
        Snapshot(interfaces: [loopback] + interfaces, route: route)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var snapshot: Snapshot
        var wanted: NetworkReport
        var isSearched = false
        var interface: String?

        init(
            _ title: String,
            _ interfaces: [NetworkInterface],
            _ route: RouteFinding,
            _ wanted: NetworkReport,
            isSearched: Bool = false,
            interface: String? = nil
        ) {
            testDescription = title
            snapshot = NetworkTests.seen(interfaces, route)
            self.wanted = wanted
            self.isSearched = isSearched
            self.interface = interface
        }

        func report(_ camera: CameraNetwork?) -> NetworkReport {
            NetworkReport(snapshot, camera: camera, isSearched: isSearched, interface: interface)
        }
    }

    // MARK: Before the first camera

    @Test(arguments: [
        Case("a route to the address", [radio(name)], by(3), .joined(ssid: name)),
        Case("a route over a cable", [cable()], by(2, gateway: router), .joined(ssid: nil)),
        Case("no route", [radio("Home")], nowhere, .noRoute),
        Case("no carrier", [cable(isUp: false)], nowhere, .down),
        Case("a route over an unplugged cable", [cable(isUp: false)], by(2), .down),
        Case("a route over an unplugged cable, a radio joined", [cable(isUp: false), radio("Home")], by(2), .noRoute),
        Case("a host name without a route yet", [radio("Home")], .unknown, .joined(ssid: "Home")),
        Case("a host name without a network: it may be this computer's", [], .unknown, .joined(ssid: nil)),
        Case("the loopback", [], by(1), .joined(ssid: nil)),
        Case("an address of this computer", [cable()], by(1, isLocal: true), .joined(ssid: nil)),
        Case("no address, and no search", [], .unwatched, .joined(ssid: nil)),
        Case("search", [radio("Home")], .unwatched, .joined(ssid: "Home"), isSearched: true),
        Case("search, no route to the address", [radio("Home")], nowhere, .joined(ssid: "Home"), isSearched: true),
        Case("search without a network", [radio(nil)], .unwatched, .down, isSearched: true),
        Case(
            "search without an address of this computer",
            [radio("A", address: nil)],
            .unwatched,
            .noRoute,
            isSearched: true
        ),
        Case("search on the loopback", [], .unwatched, .joined(ssid: nil), isSearched: true, interface: "lo"),
        Case(
            "search on an interface that is down",
            [radio(nil), cable()],
            .unwatched,
            .noRoute,
            isSearched: true,
            interface: "wlan0"
        ),
    ])
    func `the reports before a camera was connected`(row: Case) {
        #expect(row.report(nil) == row.wanted)
    }

    // MARK: Connected over WiFi

    private static let joined = seen([radio(name)], by(3))

    @Test(arguments: [
        Case("the same", [radio(name)], by(3), .joined(ssid: name)),
        Case("another network", [radio("Home")], nowhere, .joined(ssid: "Home")),
        Case("apart", [radio(nil)], nowhere, .down),
        Case("apart, the route is over a cable", [radio(nil), cable()], by(2, gateway: router), .down),
        Case("on another network, the route is over a cable", [cable(), radio("Home")], by(2), .joined(ssid: "Home")),
        Case("no address yet", [radio(name, address: nil)], nowhere, .noRoute),
        Case(
            "only a self-assigned address",
            [radio(name, address: IPAddress(bytes: [169, 254, 1, 1]))],
            nowhere,
            .noRoute
        ),
        Case("another interface has the route", [radio(name), cable(own)], by(2), .noRoute),
        Case("the route is not known yet", [radio(name)], .unknown, .joined(ssid: name)),
        Case("roamed", [radio(name, bssid: "02:00:00:00:00:02")], by(3), .joined(ssid: name)),
        Case(
            "another radio joined too, the route is over the first",
            [radio(name), radio(name, index: 4, name: "wlan1")],
            by(3),
            .joined(ssid: name)
        ),
        Case(
            "another radio joined too, the route is over it",
            [radio(name), radio(name, index: 4, name: "wlan1")],
            by(4),
            .joined(ssid: name)
        ),
        Case(
            "another radio joined in its place",
            [radio(nil), radio(name, index: 4, name: "wlan1")],
            by(4),
            .joined(ssid: name)
        ),
        Case("renamed", [radio(name, name: "camera0")], by(3), .joined(ssid: name)),
        Case("unplugged", [], nowhere, .down),
        Case("unplugged, the route is over a cable", [cable()], by(2, gateway: router), .down),
        Case("unplugged, another interface has the same network", [cable(own)], by(2), .down),
        Case("plugged in again", [radio(name, index: 9)], by(9), .joined(ssid: name)),
        Case("plugged in again elsewhere, not joined yet", [radio(nil, index: 9)], nowhere, .down),
        Case("this computer has the camera's address now", [radio(name)], by(1, isLocal: true), .noRoute),
        Case(
            "other addresses in the network",
            [radio(name, address: IPAddress(bytes: [10, 9, 0, 2]))],
            nowhere,
            .noRoute
        ),
        Case(
            "other addresses in the network, search",
            [radio(name, address: IPAddress(bytes: [10, 9, 0, 2]))],
            nowhere,
            .joined(ssid: name),
            isSearched: true
        ),
        Case(
            "the route to another camera that is called",
            [radio(name), cable()],
            .found(CameraRoute(to: router, interface: 2)),
            .joined(ssid: name),
            isSearched: true
        ),
    ])
    func `the reports after a connection over a radio`(row: Case) {
        let camera = CameraNetwork(Self.joined, address: Self.camera)
        #expect(camera.ssid == Self.name)
        #expect(row.report(camera) == row.wanted)
        // A later connection is always possible.
        #expect(NetworkReport(Self.joined, camera: camera, isSearched: false) == .joined(ssid: Self.name))
    }

    // MARK: Connected by a cable

    private static let near = seen([cable(own), radio("Home", address: IPAddress(bytes: [10, 0, 0, 7]))], by(2))

    @Test(arguments: [
        Case("the same", [cable(own)], by(2), .joined(ssid: nil)),
        Case("no carrier", [cable(own, isUp: false)], nowhere, .down),
        Case(
            "no carrier, the route is over the radio",
            [cable(own, isUp: false), radio("Home")],
            by(3, gateway: router),
            .noRoute
        ),
        Case("address removed", [cable(nil)], nowhere, .noRoute),
        Case("other addresses", [cable()], nowhere, .noRoute),
        Case("other addresses, search", [cable()], nowhere, .joined(ssid: nil), isSearched: true),
        Case(
            "other addresses, search, a default route",
            [cable(), radio("Home")],
            by(3, gateway: router),
            .joined(ssid: nil),
            isSearched: true
        ),
        Case("another interface has the route", [cable(own), cable(own, index: 7, name: "virbr0")], by(7), .noRoute),
        Case("plugged into the other socket", [cable(own, index: 7, name: "eth1")], by(7), .joined(ssid: nil)),
        Case("plugged in again", [cable(own, index: 12)], by(12), .joined(ssid: nil)),
        Case("the route is not known yet", [cable(own)], .unknown, .joined(ssid: nil)),
    ])
    func `the reports after a connection over a cable`(row: Case) {
        let camera = CameraNetwork(Self.near, address: Self.camera)
        #expect(camera.ssid == nil)
        #expect(row.report(camera) == row.wanted)
        #expect(NetworkReport(Self.near, camera: camera, isSearched: false) == .joined(ssid: nil))
    }

    @Test func `a computer whose address of the connection is replaced has moved, if the network is the camera's`() {
        let source = IPAddress(bytes: [192, 168, 122, 5])
        let way = RouteFinding.found(CameraRoute(to: Self.camera, interface: 2, source: source))
        func cable(_ addresses: IPAddress...) -> NetworkInterface {
            NetworkInterface(
                index: 2,
                name: "eth0",
                isUp: true,
                addresses: addresses.map { .init($0, prefixLength: 24) }
            )
        }
        let other = IPAddress(bytes: [192, 168, 122, 6])
        let camera = CameraNetwork(Self.seen([cable(source)], way), address: Self.camera)
        #expect(camera.source == source)
        func report(_ interfaces: [NetworkInterface], _ route: RouteFinding) -> NetworkReport {
            NetworkReport(Self.seen(interfaces, route), camera: camera, isSearched: true)
        }
        #expect(report([cable(source, other)], way) == .joined(ssid: nil))
        #expect(report([cable(other)], Self.by(2)) == .moved(ssid: nil))
        #expect(report([cable(IPAddress(bytes: [10, 88, 0, 1]))], Self.nowhere) == .moved(ssid: nil))
        #expect(report([cable()], Self.nowhere) != .moved(ssid: nil))
    }

    @Test func `an interface that was in the camera's network before is not another way to it`() {
        let bridge = Self.cable(Self.own, index: 7, name: "virbr0")
        let camera = CameraNetwork(Self.seen([bridge, Self.cable(Self.own)], Self.by(2)), address: Self.camera)
        #expect(camera.interface == 2)
        let out = Self.seen([bridge, Self.cable(Self.own, isUp: false)], Self.by(7))
        #expect(NetworkReport(out, camera: camera, isSearched: false) == .noRoute)
    }

    @Test func `the computer leaves a camera behind a router when its default route disappears`() {
        let before = Self.seen([Self.cable(), Self.radio("Home")], Self.by(2, gateway: Self.router))
        let camera = CameraNetwork(before, address: Self.camera)
        #expect(camera.wasNear == false)
        let stolen = Self.seen([Self.cable(), Self.radio("Home")], Self.by(3, gateway: Self.router))
        #expect(NetworkReport(stolen, camera: camera, isSearched: true) == .noRoute)
        #expect(NetworkReport(before, camera: camera, isSearched: true) == .joined(ssid: nil))
    }

    @Test func `the computer's address does not matter to a camera at a cable without a router`() {
        let own = IPAddress(bytes: [169, 254, 3, 4])
        let address = IPAddress(bytes: [169, 254, 9, 9])
        let route = RouteFinding.found(CameraRoute(to: address, interface: 2))
        let snapshot = Snapshot(
            interfaces: [
                NetworkInterface(
                    index: 2,
                    name: "eth0",
                    isUp: true,
                    addresses: [.init(own, prefixLength: 16)]
                )
            ],
            route: route
        )
        let camera = CameraNetwork(snapshot, address: address)
        #expect(NetworkReport(snapshot, camera: camera, isSearched: false) == .joined(ssid: nil))
    }

    @Test func `a known route to another address says nothing about the camera's`() {
        let route = RouteFinding.found(CameraRoute(to: Self.router, interface: 2))
        let camera = CameraNetwork(Self.seen([Self.cable(), Self.radio(Self.name)], route), address: Self.camera)
        #expect(camera.ssid == Self.name)
    }

    // MARK: Through the core

    /// A snapshot of the bench's camera over WiFi in the network `ssid`. In another network there is no route to the
    /// camera.
    private static func bench(_ ssid: String?) -> Snapshot {
        let address = IPAddress(bytes: [127, 0, 0, 1])
        let own = IPAddress(bytes: [127, 0, 0, 2])
        let isHome = ssid == name
        return Snapshot(
            interfaces: [radio(ssid, address: isHome ? own : router)],
            route: isHome ? .found(CameraRoute(to: address, interface: 3)) : nowhere
        )
    }

    private static let sentence =
        "This computer left DIRECT-a1E0:ILCE-7M3 and is on Home. Rejoin DIRECT-a1E0:ILCE-7M3 to continue."
    private func shooting(
        _ camera: ScriptedCamera = ScriptedCamera(),
        ledgerDelay: Duration = .zero
    ) throws -> (Bench, RequestID) {
        var bench = Bench(camera)
        bench.put(.network(Self.bench(Self.name)))
        bench.pass(.seconds(3))
        try #require(bench.state("connection") == "connected")
        bench.ledger { $0.delay = ledgerDelay }
        let id = bench.ask(.shoot(ShootingTests.threeFrames, streams: true))
        // The first answer comes when the shoot is on the disk.
        bench.pass { !$0.progress(of: id).isEmpty }
        try #require(!bench.progress(of: id).isEmpty, "\(bench.answers(to: id))")
        return (bench, id)
    }

    private static let states = ["settingSpeed", "confirmingSpeed", "capturing", "waitingForIdle", "recordingFrame"]

    @Test(arguments: states)
    func `leaving the network pauses at once, and returning resumes`(state: String) throws {
        var camera = ScriptedCamera()
        if state == "settingSpeed" { camera.twists = [.silentOnSet(1)] }
        if state == "confirmingSpeed" { camera.twists = [.ignoreSet(1)] }
        var (bench, id) = try shooting(camera, ledgerDelay: state == "recordingFrame" ? .milliseconds(50) : .zero)
        bench.pass { $0.state("shooting") == state || $0.progress(of: id).last?.outcome != nil }
        try #require(bench.state("shooting") == state)
        bench.put(.network(Self.bench("Home")))
        let paused = try #require(bench.state("shooting"))
        #expect(["wifiSwitched", "awaitingCamera"].contains(paused), "\(paused)")
        #expect(bench.state("connection") == "offNetwork")
        #expect(bench.status.sentence.contains(Self.sentence), "\(bench.status.sentence)")
        #expect(bench.progress(of: id).last?.sentence.contains(Self.sentence) == true)
        if paused == "wifiSwitched" {
            #expect(bench.status.sentence.contains("Paused (wifi-switched)"))
            let entry = try #require(bench.journal.last { $0.kind == .shootPaused })
            #expect(entry.fields.contains(.init("REASON", "wifi-switched")))
            #expect(entry.message.contains(Self.sentence))
        }
        bench.pass(.seconds(30))
        #expect(bench.state("shooting") == paused)
        bench.put(.network(Self.bench(Self.name)))
        bench.pass(.seconds(60))
        #expect(
            bench.progress(of: id).last?.outcome == .completed,
            "\(String(describing: bench.progress(of: id).last))"
        )
        #expect(!bench.journal.contains { $0.fields.contains(.init("REASON", "link-lost")) })
    }

    @Test func `a computer that is apart and then on another network gets both reports`() throws {
        var (bench, id) = try shooting()
        bench.pass(.milliseconds(100))
        bench.put(.network(Self.bench(nil)))
        #expect(bench.status.sentence.contains("This computer lost DIRECT-a1E0:ILCE-7M3. Rejoin it to continue."))
        bench.put(.network(Self.bench("Home")))
        #expect(bench.status.sentence.contains(Self.sentence))
        #expect(bench.progress(of: id).last?.sentence.contains(Self.sentence) == true)
        bench.put(.network(Self.bench(nil)))
        bench.put(.network(Self.bench(Self.name)))
        bench.pass(.seconds(60))
        #expect(bench.progress(of: id).last?.outcome == .completed)
    }

    @Test func `without a shoot the status also says where the computer is`() throws {
        var bench = Bench()
        bench.put(.network(Self.bench(Self.name)))
        bench.pass(.seconds(3))
        bench.put(.network(Self.bench(nil)))
        bench.put(.network(Self.bench("Home")))
        #expect(bench.status.sentence == Self.sentence)
    }

    @Test func `back on the network, the status names the camera as the cause`() throws {
        var (bench, id) = try shooting()
        bench.pass(.milliseconds(100))
        bench.put(.network(Self.bench("Home")))
        bench.camera { camera, _ in camera.twists = [.cannotConnect(times: 100)] }
        bench.put(.network(Self.bench(Self.name)))
        bench.pass(.seconds(20))
        let last = try #require(bench.progress(of: id).last)
        #expect(!last.sentence.contains("Rejoin"), "\(last.sentence)")
        #expect(bench.status.sentence.contains("Connection refused"), "\(bench.status.sentence)")
    }

    @Test func `a link lost on a good network has another reason`() throws {
        var silent = ScriptedCamera()
        silent.twists = [.silentOnSet(1)]
        var (bench, id) = try shooting(silent)
        bench.pass { $0.state("shooting") == "settingSpeed" }
        bench.camera { camera, now in camera.tell(.lost(.closedByCamera), at: now) }
        #expect(bench.state("shooting") == "linkLost")
        #expect(bench.progress(of: id).last?.sentence.contains("Paused (link-lost)") == true)
        let entry = try #require(bench.journal.last { $0.kind == .shootPaused })
        #expect(entry.fields.contains(.init("REASON", "link-lost")))
        bench.pass(.seconds(60))
        #expect(bench.progress(of: id).last?.outcome == .completed)
        #expect(!bench.journal.contains { $0.fields.contains(.init("REASON", "wifi-switched")) })
    }

    @Test func `a dial turned to a wrong mode during the absence holds the shoot until it is turned back`() throws {
        var (bench, id) = try shooting()
        bench.pass(.milliseconds(100))
        bench.put(.network(Self.bench("Home")))
        bench.camera { camera, _ in camera.status.mode = .aperturePriority }
        bench.put(.network(Self.bench(Self.name)))
        bench.pass(.seconds(60))
        #expect(bench.state("connection") == "modeCheck")
        #expect(bench.progress(of: id).last?.outcome == nil)
        #expect(bench.progress(of: id).last?.sentence.contains("Turn it to M.") == true)
        bench.camera { camera, now in
            camera.status.mode = .manual
            camera.tell(.status(camera.status), at: now)
        }
        bench.pass(.seconds(60))
        #expect(bench.progress(of: id).last?.outcome == .completed)
    }

    @Test func `a snapshot without a relevant change causes no transition`() throws {
        var bench = Bench()
        bench.put(.network(Self.bench(Self.name)))
        bench.pass(.seconds(3))
        let before = bench.journal.count
        var snapshot = Self.bench(Self.name)
        bench.put(.network(snapshot))
        snapshot.interfaces[0].radio = .joined(.init(ssid: Self.name, bssid: "02:00:00:00:00:09", signal: -70))
        bench.put(.network(snapshot))
        snapshot.interfaces[0].name = "camera0"
        bench.put(.network(snapshot))
        snapshot.interfaces.append(Self.cable())
        bench.put(.network(snapshot))
        #expect(bench.journal.count == before)
        #expect(bench.state("network") == "joined")
        #expect(bench.state("connection") == "connected")
    }

    @Test func `a connect request elsewhere ends the state away`() throws {
        var bench = Bench()
        bench.put(.network(Self.bench(Self.name)))
        bench.pass(.seconds(3))
        var home = Self.bench("Home")
        bench.put(.network(home))
        #expect(bench.state("connection") == "offNetwork")
        home.route = .found(CameraRoute(to: IPAddress(bytes: [127, 0, 0, 1]), interface: 3))
        bench.put(.network(home))
        let id = bench.ask(.connect(.text("127.0.0.1")))
        bench.pass(.seconds(5))
        guard case .reply(.camera, continues: false)? = bench.answers(to: id).last else {
            Issue.record("\(bench.answers(to: id)) \(bench.status.sentence)")
            return
        }
        #expect(bench.state("network") == "joined")
        #expect(bench.state("connection") == "connected")
        bench.put(.network(Self.bench(nil)))
        #expect(bench.status.sentence == "This computer lost Home. Rejoin it to continue.")
    }
}
