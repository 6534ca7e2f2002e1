import Bodies
import Cameras
import Controller
import NIOCore
import Testing
import Worlds

/// Cameras that announce themselves by SSDP, and the checks of their announcements.
@Suite struct ListeningWorldTests {
    private static let identity = InitiatorIdentity(guid: Array(1...16), name: "announcements")
    private static let host: [UInt8] = [192, 0, 2, 9]

    private static func network(_ last: UInt8 = 77) -> NetworkSnapshot {
        NetworkSnapshot(interfaces: [
            NetworkInterface(
                index: 3,
                name: "wlan0",
                isUp: true,
                addresses: [.init(IPAddress(bytes: [192, 0, 2, last]), prefixLength: 24)]
            )
        ])
    }

    private func world(
        _ ways: Set<SearchMethod> = [.ssdp],
        at place: WorldCamera.Place = .away,
        interface: String? = nil
    ) -> World {
        let configuration = CoreConfiguration(
            cameraAddress: nil,
            identity: Self.identity,
            ledger: .required,
            search: SearchRules(ways: ways, interface: interface)
        )
        var world = World(
            core: Core(configuration: configuration),
            camera: SimulatedCamera(model: .ilce7M4, options: BodyOptions()),
            place: place
        ).checked
        world.put(.network(Self.network()))
        return world
    }

    private func told(
        _ nts: String = "ssdp:alive",
        of uuid: String = "a-b",
        by sender: [UInt8] = Self.host,
        target: SSDPTarget = .scalarWebAPI
    ) -> Input {
        let text = [
            "NOTIFY * HTTP/1.1", "HOST: 239.255.255.250:1900", "NTS: \(nts)", "NT: \(target)",
            "USN: uuid:\(uuid)::\(target)", "LOCATION: http://\(IPAddress(bytes: sender)):64321/dd.xml", "", "",
        ].joined(separator: "\r\n")
        return .ssdp(SSDPDatagram(from: IPAddress(bytes: sender), interface: 3, bytes: .init(string: text)))
    }

    /// The effects for finding cameras that follow from an input in the same instant.
    private func discovery(of input: Input, in world: World) -> [DiscoveryEffect] {
        var core = world.daemon.core
        var effects = Effects()
        var queue = [input]
        var list: [DiscoveryEffect] = []
        while !queue.isEmpty {
            core.handle(queue.removeFirst(), at: world.now, into: &effects)
            for effect in effects.list {
                if case .enqueue(let message) = effect { queue.append(.message(message)) }
                if case .discovery(let effect) = effect { list.append(effect) }
            }
            effects.removeAll()
        }
        return list
    }

    /// The addresses of the cameras in the list.
    private func listed(_ world: inout World) -> [String] {
        let id = world.ask(.getCameras)
        guard case .reply(.cameras(let list), _)? = world.daemon.answers(to: id).last else { return ["no answer"] }
        return list.compactMap(\.address)
    }

    @Test func `searches repeat at growing intervals, and start again at short ones in another network`() {
        var world = world()
        var counts: [Int] = []
        for pause in [100, 250, 500, 1000, 2000, 3000, 5000, 10_000, 10_000] {
            world.pass(.milliseconds(pause))
            counts.append(world.daemon.askCount)
        }
        // The searches come after a quarter, a half, one, two, three and five seconds, and then every ten seconds.
        #expect(counts == [1, 2, 3, 4, 5, 6, 7, 8, 9])
        world.put(.network(Self.network(78)))
        #expect(world.daemon.askCount == 10)
        world.pass(.milliseconds(800))
        #expect(world.daemon.askCount == 12)
        expectSound(world)
    }

    @Test func `each search asks for the services of every maker`() {
        let world = world()
        let asked = discovery(of: .network(Self.network(78)), in: world)
        let targets: [SSDPTarget] = [.scalarWebAPI, .digitalImaging, .canonUtility, .canonSmartphone]
        #expect(asked.last == .ask(targets.map { SSDPMessage.search(for: $0) }))
    }

    @Test func `the group is joined again on an interface whose address changed, and only there`() {
        let world = world()
        #expect(world.daemon.listening == [3])
        let note = discovery(of: .network(Self.network(78)), in: world)
        #expect(note.contains(.listen(on: [3], rejoins: [3])))
        var more = Self.network()
        more.interfaces.append(
            NetworkInterface(
                index: 4,
                name: "eth0",
                isUp: true,
                addresses: [.init(IPAddress(bytes: [198, 51, 100, 7]), prefixLength: 24)]
            )
        )
        #expect(discovery(of: .network(more), in: world).contains(.listen(on: [3, 4], rejoins: [])))
    }

    @Test func `with a named interface only that one receives announcements`() {
        var both = Self.network()
        both.interfaces.append(
            NetworkInterface(
                index: 4,
                name: "eth0",
                isUp: true,
                addresses: [.init(IPAddress(bytes: [198, 51, 100, 7]), prefixLength: 24)]
            )
        )
        for (name, index) in [("wlan0", UInt32(3)), ("eth0", 4)] {
            var world = world(interface: name)
            world.put(.network(both))
            #expect(world.daemon.listening == [index])
            expectSound(world)
        }
    }

    @Test func `a camera that announces its end leaves the list, and another device cannot announce that for it`() {
        var world = world()
        world.put(told())
        world.answerRequests(HTTPReply(status: 404))
        #expect(listed(&world) == ["192.0.2.9"])
        world.put(told("ssdp:byebye", by: [192, 0, 2, 66]))
        #expect(listed(&world) == ["192.0.2.9"])
        world.put(told("ssdp:byebye"))
        #expect(listed(&world).isEmpty)
        expectSound(world)
    }

    @Test func `the connected camera is listed once, though its description cannot be read`() {
        var world = world([.scan, .ssdp], at: .at(CameraAddress(host: "192.0.2.9")))
        world.pass(until: { $0.daemon.state("connection") == "connected" })
        _ = world.ask(.watchCameras)
        world.put(told())
        #expect(world.daemon.httpRequests.count == 1)
        world.answerRequests(HTTPReply(status: 404))
        #expect(listed(&world) == ["192.0.2.9:15740"])
        expectSound(world)
    }

    @Test func `while no camera is found the status names the ones that cannot be used`() {
        let description = """
            <root xmlns="urn:schemas-upnp-org:device-1-0">
            <specVersion><major>1</major><minor>0</minor></specVersion>
            <device><deviceType>urn:schemas-upnp-org:device:MediaServer:1</deviceType>
            <friendlyName>DSC-RX0</friendlyName><manufacturer>Sony Corporation</manufacturer>
            <modelName>DSC-RX0</modelName><UDN>uuid:a-b</UDN></device></root>
            """
        var world = world()
        world.put(told())
        world.answerRequests(HTTPReply(status: 200, body: .init(string: description)))
        let status = world.daemon.core.statusReport.sentence
        let start = "Searching for a camera. DSC-RX0 is on the network. The camera is in the mode \"Send to"
        #expect(status.hasPrefix(start), "\(status)")
        expectSound(world)
    }

    @Test func `a camera without further announcements stays in the list for half a minute`() {
        var world = world()
        world.put(told())
        world.answerRequests(HTTPReply(status: 404))
        world.pass(.seconds(30))
        #expect(listed(&world) == ["192.0.2.9"])
        world.pass(.seconds(20))
        #expect(listed(&world).isEmpty)
        expectSound(world)
    }

    @Test func `a camera outside the networks of the interface is not accepted`() {
        var world = world()
        world.put(told(by: [198, 51, 100, 5]))
        #expect(world.daemon.httpRequests.isEmpty)
        #expect(listed(&world).isEmpty)
        expectSound(world)
    }

    @Test func `a description is fetched within bounds, and an unreadable one only after ten seconds again`() throws {
        var world = world()
        world.pass(.seconds(1))
        world.put(told())
        let request = try #require(world.daemon.httpRequests.first?.request)
        #expect(request.method == .get && request.path == "/dd.xml" && request.delivery == .whole)
        #expect(request.address == CameraAddress(host: "192.0.2.9", port: 64321))
        #expect(request.replyBytesMax == DeviceDescription.byteCountMax)
        #expect(request.timeout == .seconds(3))
        world.answerRequests(HTTPReply(status: 404))
        world.put(told())
        #expect(world.daemon.httpRequests.isEmpty)
        world.pass(.milliseconds(9900))
        world.put(told())
        #expect(world.daemon.httpRequests.isEmpty)
        world.pass(.milliseconds(200))
        world.put(told())
        #expect(world.daemon.httpRequests.count == 1)
        expectSound(world)
    }

    @Test func `a description without a server is requested, and the system's error is in the journal`() {
        var world = world()
        world.put(told())
        world.pass(.seconds(1))
        #expect(world.daemon.httpRequests.isEmpty)
        let line = "The description of the camera at 192.0.2.9 cannot be read: Connection refused."
        #expect(world.daemon.journal.map(\.message).contains(line))
        world.openFailure = { _ in .timedOut }
        world.pass(.seconds(10))
        world.put(told())
        world.pass(.milliseconds(2900))
        #expect(world.daemon.httpRequests.count == 1)
        world.pass(.milliseconds(200))
        #expect(world.daemon.httpRequests.isEmpty)
        #expect(world.daemon.journal.contains { $0.message.hasSuffix("no reply within 3.0 seconds.") })
        expectSound(world)
    }

    @Test(
        arguments: [
            (HTTPEvent.reply(HTTPReply(status: 404)), "the server answered with status 404"),
            (.reply(HTTPReply(status: 204)), "the server answered with status 204"),
            (.reply(HTTPReply(status: 302)), "the description moved, and the redirect is not followed (status 302)"),
            (.reply(HTTPReply(status: 200)), "line 1: the description has no element"),
            (.failed(.notConnected(.refused, reason: "Connection refused")), "Connection refused"),
            (.failed(.tooLong(byteCountMax: 65536)), "the reply is longer than 65536 bytes"),
        ]
    )
    func `the journal has the reason why a description cannot be read`(event: HTTPEvent, reason: String) throws {
        var world = world()
        world.put(told())
        let open = try #require(world.daemon.httpRequests.first)
        world.put(.http(open.generation, open.id, event))
        let line = "The description of the camera at 192.0.2.9 cannot be read: \(reason)."
        #expect(world.daemon.journal.map(\.message).contains(line), "\(world.daemon.journal.last?.message ?? "")")
        expectSound(world)
    }

    @Test func `a fetch is abandoned when the search ends`() {
        var world = world([.ssdp, .scan], at: .at(CameraAddress(host: "192.0.2.9")))
        world.openFailure = { _ in .timedOut }
        world.put(told(of: "another", by: [192, 0, 2, 50]))
        #expect(world.daemon.httpRequests.count == 1)
        world.pass { $0.daemon.state("connection") == "connected" }
        #expect(world.daemon.state("connection") == "connected")
        #expect(world.daemon.httpRequests.isEmpty)
        #expect(world.daemon.listening.isEmpty)
        expectSound(world)
    }

    @Test func `a camera that announces itself between two waves is called at once`() {
        var world = world([.ssdp, .scan])
        world.pass(.seconds(1200))
        world.move(to: .at(CameraAddress(host: "192.0.2.9")))
        world.pass(.seconds(60))
        #expect(world.daemon.state("connection") == "discovering")
        world.put(told(target: .digitalImaging))
        world.pass(.seconds(5))
        #expect(world.daemon.state("connection") == "connected")
        expectSound(world)
    }

    @Test func `the searches end before the third minute, and each later wave sends three`() {
        var world = world()
        world.pass(.seconds(130))
        let count = world.daemon.askCount
        world.pass(.seconds(49))
        #expect(world.daemon.askCount == count)
        world.pass(.seconds(60))
        #expect(world.daemon.askCount == count + 3)
        world.pass(.seconds(240))
        #expect(world.daemon.askCount == count + 3)
        expectSound(world)
    }

    @Test func `while a client watches the list, searches repeat every ten seconds between the waves too`() {
        var world = world()
        world.pass(.seconds(1200))
        let count = world.daemon.askCount
        let id = world.ask(.watchCameras)
        world.pass(.seconds(120))
        #expect(world.daemon.askCount - count >= 12)
        world.put(.requestCancelled(id))
        world.pass(.seconds(20))
        let end = world.daemon.askCount
        world.pass(.seconds(120))
        #expect(world.daemon.askCount == end)
        expectSound(world)
    }

    @Test func `a camera that announces PTP is called at once, without its description`() {
        var world = world(at: .at(CameraAddress(host: "192.0.2.9")))
        world.put(told(target: .digitalImaging))
        world.pass(.seconds(5))
        #expect(world.daemon.state("connection") == "connected")
        #expect(world.connectionLog.times(of: CameraAddress(host: "192.0.2.9")).count == 1)
        expectSound(world)
    }
}

extension World {
    /// Answers each HTTP request that is in progress with this reply.
    mutating func answerRequests(_ reply: HTTPReply) {
        for open in daemon.httpRequests { put(.http(open.generation, open.id, .reply(reply))) }
    }
}
