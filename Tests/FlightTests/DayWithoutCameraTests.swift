import Cameras
import Controller
import Flight
import NIOCore
import Testing
import Worlds

/// The number of bytes that a day without a camera adds to the flight recorder and the journal.
@Suite struct DayWithoutCameraTests {
    private static let network = NetworkSnapshot(interfaces: [
        NetworkInterface(
            index: 3,
            name: "wlan0",
            isUp: true,
            addresses: [.init(IPAddress(bytes: [192, 0, 2, 77]), prefixLength: 28)],
            radio: .joined(.init(ssid: "Home", bssid: "02:00:00:00:00:01"))
        )
    ])

    private static func world(address: CameraAddress?, _ ways: Set<SearchMethod>, _ nobody: OpenFailure) -> World {
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

    // The network has only 14 addresses, so that a day is simulated quickly. The daemon connects to each address 104
    // times, which makes 90 kB. Three attempts per address instead of one would make 125 kB. A scan each minute would
    // make more than 1 MB.
    @Test func `a day of searching records less than 110 kilobytes`() throws {
        var world = Self.world(address: nil, Set(SearchMethod.allCases), .timedOut)
        world.pass(.seconds(24 * 3600))
        #expect(try Self.recorded(world) < 110_000)
        #expect(Self.warnings(world).isEmpty)
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
