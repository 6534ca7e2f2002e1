import Cameras
import Controller
import Flight
import NIOCore
import Testing
import Worlds

/// The number of bytes that a day without a camera adds to the flight recorder and the journal.
@Suite struct DayWithoutCameraTests {
    private static let network = makeNetwork(prefixLength: 28)

    private static func makeNetwork(prefixLength: Int) -> NetworkSnapshot {
        NetworkSnapshot(interfaces: [
            NetworkInterface(
                index: 3,
                name: "wlan0",
                isUp: true,
                addresses: [.init(IPAddress(bytes: [192, 0, 2, 77]), prefixLength: prefixLength)],
                radio: .joined(.init(ssid: "Home", bssid: "02:00:00:00:00:01"))
            )
        ])
    }

    private static func world(
        address: CameraAddress?,
        _ ways: Set<SearchMethod>,
        _ nobody: OpenFailure,
        _ network: NetworkSnapshot = Self.network
    ) -> World {
        var configuration = ReplayTests.configuration()
        configuration.cameraAddress = address
        configuration.search = SearchRules(ways: ways)
        var world = World.recorded(configuration, place: .away)
        world.openFailure = { _ in nobody }
        world.put(.network(network))
        return world
    }

    /// Checks that the replay matches the recording.
    ///
    /// - Returns: the length of the recording in bytes.
    private static func recorded(_ world: World) throws -> Int {
        let files = try #require(world.log.runs.last)
        #expect(try replay(files).difference == nil)
        return files.map(\.readableBytes).reduce(0, +)
    }

    private static func warnings(_ world: World) -> [JournalEntry] {
        world.daemon.journal.filter { $0.level == .warning }
    }

    // The network has only 14 addresses, so that a day is simulated quickly. An SSDP message every ten seconds alone
    // would make 80 kB.
    @Test func `a day of searching records less than 30 kilobytes`() throws {
        var world = Self.world(address: nil, Set(SearchMethod.allCases), .timedOut)
        world.pass(.seconds(24 * 3600))
        #expect(try Self.recorded(world) < 30_000)
        #expect(Self.warnings(world).isEmpty)
    }

    /// The number of inputs that woke the daemon. Its own messages do not wake it.
    private static func wakingInputs(_ world: World) throws -> Int {
        try world.log.inputs.count { input in
            if case .message = input { false } else { true }
        }
    }

    @Test(arguments: [OpenFailure.refused, .timedOut, .unreachable])
    func `after two minutes of searching at most 60 inputs arrive in a minute`(nobody: OpenFailure) throws {
        let network = Self.makeNetwork(prefixLength: 24)
        var world = Self.world(address: nil, Set(SearchMethod.allCases), nobody, network)
        world.pass(.seconds(120))
        for minute in 3...45 {
            let before = try Self.wakingInputs(world)
            world.pass(.seconds(60))
            let count = try Self.wakingInputs(world) - before
            #expect(count <= 60, "minute \(minute)")
        }
    }

    @Test func `between two waves nothing is recorded`() throws {
        let network = Self.makeNetwork(prefixLength: 24)
        var world = Self.world(address: nil, Set(SearchMethod.allCases), .timedOut, network)
        world.pass(.seconds(20 * 60))
        let before = try world.log.inputs.count
        world.pass(.seconds(19 * 60))
        #expect(try world.log.inputs.count == before)
    }

    @Test func `a known camera that is off is called by the waves only`() throws {
        let address = CameraAddress(host: "192.0.2.70")
        var world = Self.world(address: nil, Set(SearchMethod.allCases), .timedOut)
        world.move(to: .at(address))
        world.pass(until: { $0.daemon.state("connection") == "connected" })
        try #require(world.daemon.state("connection") == "connected")
        world.move(to: .away)
        world.pass(.seconds(3600))
        let before = world.connectionLog.times(of: address).count
        world.pass(.seconds(4 * 3600))
        // In each of the eight waves the search calls the address at most three times, and the connection once.
        #expect(world.connectionLog.times(of: address).count - before <= 8 * 4)
        world.move(to: .at(address))
        world.ask(.shoot(ReplayTests.three, streams: false))
        world.pass(.seconds(30))
        #expect(world.daemon.state("connection") == "connected")
    }

    @Test func `a configured camera that is off for a day gives one warning, and an hourly summary`() throws {
        let address = CameraAddress(host: "192.0.2.70")
        var world = Self.world(address: address, [], .unreachable)
        world.pass(.seconds(24 * 3600))
        let warnings = Self.warnings(world)
        #expect(warnings.first?.message.hasPrefix("The camera cannot be reached") == true, "\(warnings.first as Any)")
        #expect(20...24 ~= warnings.count - 1)
        #expect(warnings.dropFirst().allSatisfy { $0.message.contains("attempts. The camera cannot be reached") })
        #expect(world.daemon.journal.count { $0.level == .info } < 100)
        #expect(try Self.recorded(world) < 500_000)
        world.move(to: .at(address))
        world.pass(.seconds(60))
        #expect(world.daemon.journal.last { $0.kind == .cameraConnected }?.level == .notice)
        world.move(to: .away)
        world.pass(.seconds(120))
        #expect(Self.warnings(world).count == warnings.count + 1)
    }

    @Test func `a configured camera that is off gives one warning, also when the network appears later`() {
        var configuration = ReplayTests.configuration()
        configuration.cameraAddress = CameraAddress(host: "192.0.2.70")
        var world = World.recorded(configuration, place: .away)
        world.openFailure = { _ in .unreachable }
        world.pass(.milliseconds(200))
        #expect(Self.warnings(world).count == 1)
        world.put(.network(Self.network))
        world.pass(.seconds(60))
        #expect(Self.warnings(world).count == 1)
    }

    @Test func `a user's request for a camera searches the network at once`() throws {
        var world = Self.world(address: nil, [.scan], .timedOut)
        world.pass(.seconds(6 * 3600))
        let address = CameraAddress(host: "192.0.2.70")
        world.move(to: .at(address))
        world.ask(.shoot(ReplayTests.three, streams: false))
        world.pass(.seconds(30))
        #expect(world.daemon.state("connection") == "connected")
    }
}
