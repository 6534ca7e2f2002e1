import Cameras
import Controller
import Exposure
import Flight
import NIOCore
import Simulation
import Testing

/// Runs of the whole system that are recorded, read and replayed.
@Suite struct ReplayTests {
    static let identity = InitiatorIdentity(guid: Array(1...16), name: "flight")
    static let three = PlanInput(shadow: "1/60", highlight: "1/250", frames: 3, spacing: 1)

    static func configuration(_ policy: TransferPolicy = .none) -> CoreConfiguration {
        CoreConfiguration(
            cameraAddress: CameraAddress(host: "192.0.2.1"),
            identity: identity,
            transfer: TransferConfiguration(policy: policy),
            ledger: .required
        )
    }

    static func options(_ faults: [String] = [], saving: SonySaveTarget? = nil) throws -> SonyBodyOptions {
        var options = SonyBodyOptions()
        options.faults = try faults.map { try Fault(parsing: $0) }
        options.saveTarget = saving
        return options
    }

    /// - Returns: how many records there were.
    @discardableResult
    private func expectSame(_ world: World) throws -> Int {
        let log = try world.log
        var count = 0
        for files in log.runs {
            let result = try replay(files)
            #expect(result.difference == nil)
            #expect(result.warnings.isEmpty)
            count += result.records
        }
        #expect(count >= log.inputs.count)
        return count
    }

    @Test(arguments: SonyModel.all.map(\.name), [SonySaveTarget.host, .card])
    func `a shoot on every body goes again as it went`(name: String, target: SonySaveTarget) throws {
        var world = World.recorded(
            Self.configuration(.jpeg),
            model: try #require(SonyModel.named(name)),
            options: try Self.options(saving: target)
        )
        let isOver = world.fire(Self.three)
        #expect(isOver)
        #expect(try expectSame(world) > 100)
    }

    @Test(arguments: [
        "drop@2:expose,back=1", "ignore-set@3", "drop@3:save,back=2", "busy-storm=40", "init-fail=busy:3",
        "refuse-connect=2", "auth-failed=1", "empty-extinfo=3",
    ])
    func `a shoot with faults goes again as it went`(fault: String) throws {
        var world = World.recorded(Self.configuration(.both), options: try Self.options([fault], saving: .host))
        world.fire(Self.three)
        #expect(try expectSame(world) > 100)
    }

    @Test(arguments: [1, 7, 13, 1448]) func `however the network cuts the bytes`(segment: Int) throws {
        var world = World.recorded(
            Self.configuration(.jpeg),
            options: try Self.options(saving: .host),
            network: World.Network(latency: .milliseconds(5), segment: segment)
        )
        let isOver = world.fire(Self.three)
        #expect(isOver)
        try expectSame(world)
    }

    @Test(arguments: 1..<12) func `each run of a daemon that is killed and started again is its own`(step: Int) throws {
        var world = World.recorded(Self.configuration(.jpeg), options: try Self.options(saving: .host))
        world.pass { $0.daemon.state("connection") == "connected" }
        world.killAfter(effects: world.effectCount + 9 * step)
        world.ask(.shoot(Self.three, streams: true))
        world.pass { $0.daemon.isKilled }
        world.kill(writesPending: step % 2 == 0)
        world.restart()
        world.pass(.seconds(5))
        world.ask(.resume)
        world.pass(.seconds(60))
        world.put(.stop)
        world.pass(.seconds(10))
        #expect(try world.log.runs.count == 2)
        try expectSame(world)
    }

    @Test func `a search goes again as it went`() throws {
        var configuration = Self.configuration()
        configuration.cameraAddress = nil
        configuration.search = SearchRules(ways: [.known, .ssdp, .scan])
        var world = World.recorded(configuration, place: .at(CameraAddress(host: "192.0.2.9")))
        let radio = NetworkInterface.Radio.joined(.init(ssid: "DIRECT", bssid: "02:00:00:00:00:01"))
        world.put(
            .network(
                NetworkSnapshot(interfaces: [
                    NetworkInterface(
                        index: 3,
                        name: "wlan0",
                        isUp: true,
                        addresses: [.init(IPAddress(bytes: [192, 0, 2, 77]), prefixLength: 24)],
                        radio: radio
                    )
                ])
            )
        )
        let text = [
            "NOTIFY * HTTP/1.1", "HOST: 239.255.255.250:1900", "NTS: ssdp:alive",
            "NT: urn:schemas-sony-com:service:ScalarWebAPI:1",
            "USN: uuid:a-b::urn:schemas-sony-com:service:ScalarWebAPI:1",
            "LOCATION: http://192.0.2.8:64321/dd.xml", "", "",
        ].joined(separator: "\r\n")
        for interface: UInt32 in [3, 4] {
            let from = IPAddress(bytes: [192, 0, 2, 8])
            world.put(.ssdp(SSDPDatagram(from: from, interface: interface, bytes: ByteBuffer(string: text))))
        }
        for id in world.daemon.fetches.keys { world.put(.fetched(id, .body(ByteBuffer(string: "<root/>")))) }
        world.ask(.watchCameras)
        world.pass(until: { $0.daemon.state("connection") == "connected" })
        world.pass(.seconds(30))
        world.ask(.disconnect)
        world.pass(.seconds(5))
        #expect(try expectSame(world) > 500)
    }

    @Test func `the files of a run go together, and each can be read by itself`() throws {
        var world = World.recorded(
            Self.configuration(.jpeg),
            options: try Self.options(saving: .host),
            partSize: 2_000
        )
        let isOver = world.fire(Self.three)
        #expect(isOver)
        let files = try #require(world.log.runs.last)
        #expect(files.count > 3)
        for (part, file) in files.enumerated() { #expect(try FlightReader(file).header.part == part) }
        try expectSame(world)
    }
}
