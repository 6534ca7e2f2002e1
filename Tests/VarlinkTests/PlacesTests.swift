import Foundation
import NIOCore
import Testing

@testable import Varlink

private let echo = #"{"method":"org.example.test.Echo","parameters":{"text":"a"}}"# + "\0"
private let echoed = #"{"parameters":{"text":"a"}}"#
private let hold = #"{"method":"org.example.test.Hold"}"# + "\0"
private let watch = #"{"method":"org.example.test.Hold","more":true}"# + "\0"
private let fire = #"{"method":"org.example.test.Fire","more":true}"# + "\0"
private let stop = #"{"method":"org.example.test.Stop"}"# + "\0"
private let full = #"{"error":"org.example.test.Full","parameters":{}}"#

/// Tests that no user can take every place, and that a call that stops something always gets one.
struct PlacesTests {
    private func holdPlaces(_ count: Int, at server: ServerFixture) async throws -> [RawClient] {
        let clients = try (0..<count).map { _ in try RawClient(path: server.path) }
        for client in clients { client.send(hold) }
        await server.wait(for: .called("org.example.test.Hold"), times: count)
        return clients
    }

    @Test(arguments: [64, 260], ["", #"{"method":"org.example"#])
    func `idle clients make room at once, the longest idle first`(count: Int, sent: String) async throws {
        let server = try await ServerFixture()
        var clients: [RawClient] = []
        for _ in 0..<count {
            let client = try RawClient(path: server.path)
            client.send(sent)
            clients.append(client)
        }
        let newcomer = try RawClient(path: server.path)
        newcomer.send(echo)
        #expect(try newcomer.read(messages: 1) == [echoed])
        for client in clients[...(count - 48)] { #expect(try client.readToEnd() == full + "\0") }
        if sent.isEmpty {
            for client in clients[(count - 47)...] {
                client.send(echo)
                #expect(try client.read(messages: 1) == [echoed])
            }
        }
        try await server.stop()
    }

    @Test(arguments: [64, 260])
    func `orders that stop something are served, whatever the number of clients`(count: Int) async throws {
        let server = try await ServerFixture()
        let held = try await holdPlaces(48, at: server)
        var others: [RawClient] = []
        for number in 48..<count {
            let client = try RawClient(path: server.path)
            if number % 2 == 0 { client.send(#"{"meth"#) }
            others.append(client)
        }
        let refused = try RawClient(path: server.path)
        refused.send(echo)
        #expect(try refused.readToEnd() == full + "\0")
        let stopping = try RawClient(path: server.path)
        stopping.send(stop + stop)
        #expect(try stopping.readToEnd() == #"{"parameters":{}}"# + "\0")
        let unfit = try RawClient(path: server.path)
        unfit.send(#"{"method":"org.example.test.Stop","parameters":{"x":1}}"# + "\0")
        #expect(try unfit.readToEnd().hasPrefix(#"{"error":"org.varlink.service.InvalidParameter""#))
        try await server.release()
        for client in held { #expect(try client.read(messages: 1) == [#"{"parameters":{}}"#]) }
        let served = try RawClient(path: server.path)
        served.send(echo)
        #expect(try served.read(messages: 1) == [echoed])
        try await server.stop()
    }

    @Test func `a client without a place that sends nothing is closed in time`() async throws {
        var limits = VarlinkServer.Limits()
        limits.clientsMax = 1
        limits.stoppingClientTimeout = .milliseconds(1)
        let server = try await ServerFixture(limits: limits)
        let held = try await holdPlaces(1, at: server)
        #expect(try RawClient(path: server.path).readToEnd() == "")
        try await server.release()
        #expect(try held[0].read(messages: 1) == [#"{"parameters":{}}"#])
        try await server.stop()
    }

    @Test func `a client without a place of any kind is answered before it is closed`() async throws {
        var limits = VarlinkServer.Limits()
        limits.clientsMax = 1
        limits.stoppingClientsMax = 0
        let server = try await ServerFixture(limits: limits)
        let held = try await holdPlaces(1, at: server)
        #expect(try RawClient(path: server.path).readToEnd() == full + "\0")
        let client = try await server.client()
        await #expect(throws: VarlinkError(name: "org.example.test.Full")) {
            try await client.call("org.example.test.Stop")
        }
        try await server.release()
        #expect(try held[0].read(messages: 1) == [#"{"parameters":{}}"#])
        try await server.stop()
    }

    @Test func `watchers of one user leave room for short calls, and each call that fires counts as one`() async throws
    {
        let server = try await ServerFixture(watchersMax: 48)
        var clients: [RawClient] = []
        for number in 0..<36 {
            let client = try RawClient(path: server.path)
            client.send(number < 2 ? fire : watch)
            await server.wait(for: .called("org.example.test.\(number < 2 ? "Fire" : "Hold")"))
            clients.append(client)
        }
        for _ in 36..<64 {
            let client = try RawClient(path: server.path)
            client.send(watch)
            #expect(try client.read(messages: 1) == [full])
        }
        let firing = try RawClient(path: server.path)
        firing.send(fire)
        await server.wait(for: .called("org.example.test.Fire"))
        for _ in 0..<64 {
            let client = try RawClient(path: server.path)
            client.send(echo)
            #expect(try client.read(messages: 1) == [echoed])
        }
        try await server.release()
        for client in clients + [firing] { #expect(try client.read(messages: 1) == [#"{"parameters":{}}"#]) }
        try await server.stop()
    }

    @Test func `a client whose idle connection was closed gets the reason for its next call`() async throws {
        var limits = VarlinkServer.Limits()
        limits.clientsMax = 1
        let server = try await ServerFixture(limits: limits)
        let first = try await server.client()
        #expect(try await first.call("org.example.test.Echo", ["text": "a"]) == ["text": "a"])
        let second = try await server.client()
        #expect(try await second.call("org.example.test.Echo", ["text": "b"]) == ["text": "b"])
        await #expect(throws: VarlinkError(name: "org.example.test.Full")) {
            try await first.call("org.example.test.Echo", ["text": "c"])
        }
        try await server.stop()
    }

    @Test func `a client that the service has not yet accepted names the queue that is full`() async throws {
        let path = try temporaryDirectory() + "/socket"
        let listening = try listeningSocket(at: path)
        #expect(listen(listening, 0) == 0)
        let first = try RawClient(path: path)
        await #expect(throws: VarlinkTransportError.tooManyWaiting(path: path)) {
            while true { _ = try await VarlinkClient.connect(path: path) }
        }
        withExtendedLifetime(first) { _ = close(listening) }
    }

    /// A program that opens connections as another user and sends the same bytes on each. It ends when its standard
    /// input ends.
    private static let otherUser = """
        use Socket; $> = 65534; $SIG{PIPE} = 'IGNORE';
        for (1..$ARGV[1]) {
            socket(my $s, AF_UNIX, SOCK_STREAM, 0); connect($s, sockaddr_un($ARGV[0])) or die $!;
            syswrite($s, $ARGV[2] . chr(0)) if $ARGV[2]; push @all, $s;
        }
        syswrite(STDOUT, "ready"); sysread(STDIN, my $end, 1);
        """

    @Test(.enabled(if: geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/perl")))
    func `a user with the most places allowed leaves some to another user`() async throws {
        let server = try await ServerFixture()
        chmod(String(server.path.dropLast("/socket".count)), 0o755)
        chmod(server.path, 0o666)
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/perl")
        process.arguments = ["-e", Self.otherUser, server.path, "260", String(hold.dropLast())]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        await server.wait(for: .called("org.example.test.Hold"), times: 48)
        #expect(output.fileHandleForReading.readData(ofLength: 5) == Data("ready".utf8))
        var clients: [RawClient] = []
        for _ in 0..<16 {
            let client = try RawClient(path: server.path)
            client.send(echo)
            #expect(try client.read(messages: 1) == [echoed])
            clients.append(client)
        }
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        try await server.stop()
    }
}

/// Tests the rule alone, without connections.
struct ClientPlacesTests {
    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000)
    private let places = ClientSlots<Int>(countMax: 4, userCountMax: 3)

    private func clients(_ list: [(user: UInt32, idleFor: Int64?)]) -> [Int: ClientSlots<Int>.Client] {
        let clients = list.map { client in
            ClientSlots<Int>.Client(
                user: client.user,
                idleSince: client.idleFor.map { Self.start - .milliseconds($0) }
            )
        }
        return Dictionary(uniqueKeysWithValues: zip(0..., clients))
    }

    @Test func `there is room below both bounds`() {
        #expect(places.room(for: 1, among: clients([(1, nil), (1, nil), (2, nil)])) == .free)
    }

    @Test func `a user at the limit closes an idle connection of its own, never another user's`() {
        #expect(places.room(for: 1, among: clients([(2, 900), (1, 5), (1, 7), (1, nil)])) == .after(2))
        #expect(
            places.room(for: 1, among: clients([(2, 900), (1, nil), (1, nil), (1, nil)])) == .full(.clientsOfUser(3))
        )
    }

    @Test func `if every place is taken, the user with the most connections loses one`() {
        #expect(places.room(for: 3, among: clients([(2, 900), (1, 5), (1, 7), (1, nil)])) == .after(2))
        #expect(places.room(for: 3, among: clients([(2, 900), (1, nil), (1, nil), (1, nil)])) == .after(0))
        #expect(places.room(for: 3, among: clients([(2, nil), (2, nil), (1, nil), (1, nil)])) == .full(.clients(4)))
    }

    @Test func `the number of reports about clients is bounded, and omitted ones are counted`() {
        var budget = JournalBudget()
        for _ in 0..<JournalBudget.countMax { #expect(budget.sentences("a", at: Self.start) == ["a"]) }
        for _ in 0..<5 { #expect(budget.sentences("b", at: Self.start + .seconds(59)).isEmpty) }
        let said = budget.sentences("c", at: Self.start + .seconds(60))
        #expect(said == ["5 more messages about clients were not logged", "c"])
        #expect(budget.sentences("d", at: Self.start + .seconds(61)) == ["d"])
    }
}
