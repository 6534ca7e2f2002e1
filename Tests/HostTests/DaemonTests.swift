import Cameras
import Exposure
import NIOCore
import Synchronization
import Testing
import Varlink

@testable import Controller
@testable import Host

/// A daemon in this process, with scripted answers to requests.
struct DaemonTests {
    /// A core that answers each request by a rule and records its inputs.
    private struct AnsweringCore: LoopCore {
        let inputs: AsyncStream<Input>.Continuation
        let answer: @Sendable (RequestID, Request) -> [Effect]
        var onStop: [Effect] = [.stopping(waiting: nil), .finished]
        var nextDeadline: Duration? { nil }

        mutating func handle(_ input: Input, at now: Duration, into effects: inout Effects) {
            inputs.yield(input)
            switch input {
            case .request(let id, let request): for effect in answer(id, request) { effects.append(effect) }
            case .stop: for effect in onStop { effects.append(effect) }
            default: break
            }
        }
    }

    private final class Fixture: Sendable {
        let directory: TemporaryDirectory
        let daemon: BackgroundDaemon
        let inputs: AsyncStream<Input>
        let journal: Lines

        final class Lines: JournalWriter {
            private let lines = Mutex<[String]>([])
            var all: [String] { lines.withLock { $0 } }
            func write(_ record: JournalRecord) { lines.withLock { $0.append(record.line) } }
        }

        init(
            onStop: [Effect] = [.stopping(waiting: nil), .finished],
            stopTimeout: Duration = .seconds(20),
            board: BoardConfiguration = BoardConfiguration(),
            answer: @escaping @Sendable (RequestID, Request) -> [Effect] = { id, _ in [.fail(id, .stopping)] }
        ) async throws {
            let directory = try TemporaryDirectory()
            let (inputs, continuation) = AsyncStream.makeStream(of: Input.self)
            var configuration = Configuration()
            configuration.ownSearchWays = []
            configuration.socketPath = directory.file("run/io.bracketd")
            configuration.storagePath = directory.file("state")
            configuration.board = board
            let lines = Lines()
            var options = Daemon.Options(
                configuration: configuration,
                journal: Journal(writer: lines),
                isService: false
            ) { _, _ in AnsweringCore(inputs: continuation, answer: answer, onStop: onStop) }
            options.stopTimeout = stopTimeout
            journal = lines
            self.directory = directory
            self.inputs = inputs
            daemon = try await BackgroundDaemon.start(options)
        }

        var socketPath: String { directory.file("run/io.bracketd") }

        func client() async throws -> VarlinkClient { try await VarlinkClient.connect(path: socketPath) }

        func wait(for matches: (Input) -> Bool) async -> Input? {
            for await input in inputs where matches(input) { return input }
            return nil
        }
    }

    private static let progress = Progress(shoot: 1, captured: 2, total: 3, phase: "capturing", sentence: "Two.")

    @Test func `calls become requests with their parameters`() async throws {
        let fixture = try await Fixture()
        let client = try await fixture.client()
        let plan: JSONValue = ["shadow": "2\"", "highlight": "1/1000", "frames": 3, "spacing": 2, "strict": true]
        let all: JSONValue = ["biasThirds": -1, "shareOnce": false, "spacing": 1.5, "frames": .null]
        let calls: [(String, JSONValue, Request)] = [
            ("GetStatus", [:], .getStatus), ("GetCamera", [:], .getCamera), ("Pause", [:], .pause()),
            ("Resume", [:], .resume), ("Cancel", [:], .cancel), ("Dismiss", [:], .dismiss),
            ("Retry", [:], .retry(streams: false)), ("Plan", ["plan": [:]], .plan(PlanInput())),
            (
                "Plan", ["plan": plan],
                .plan(PlanInput(shadow: "2\"", highlight: "1/1000", frames: 3, spacing: 2, strict: true))
            ),
            (
                "Shoot", ["plan": all],
                .shoot(PlanInput(spacing: 1.5, biasThirds: -1, shareOnce: false), streams: false)
            ),
            ("GetFiles", [:], .files(.list(since: nil, limit: 100))),
            ("GetFiles", ["since": "2014", "limit": 1], .files(.list(since: "2014", limit: 1))),
            ("FetchFiles", ["uris": ["u"]], .files(.get(["u"]))), ("FetchFiles", [:], .files(.getSelected)),
            ("GetFiles", ["selected": true], .files(.listSelected)),
            ("Snapshot", [:], .snapshot(nil)), ("Snapshot", ["size": "large"], .snapshot(.large)),
            ("GetPhotos", [:], .getPhotos), ("Redo", [:], .redo), ("Inspect", [:], .inspect),
            ("Pause", ["redo": true], .pause(withRedo: true)), ("Pause", ["redo": .null], .pause()),
            ("GetShoot", ["id": 7], .readLedger(.shoot(7))),
            ("Shoot", ["plan": [:], "drop": true], .shoot(PlanInput(), streams: false, drops: true)),
            ("Retry", ["shoot": 7], .retryShoot(7, streams: false)),
            ("Extend", ["speeds": ["1/60"]], .extend(ExtensionInput(speeds: ["1/60"]), streams: false)),
            ("Resume", ["shoot": 7], .resumeShoot(7)),
            ("GetHistory", ["limit": 5, "before": 9], .readLedger(.shoots(limit: 5, before: 9))),
            ("SetProperty", ["name": "iso", "value": "100"], .setProperty(name: "iso", value: "100")),
        ]
        for (method, parameters, request) in calls {
            await #expect(throws: VarlinkError(name: "io.bracketd.Stopping")) {
                try await client.call("io.bracketd.\(method)", parameters)
            }
            let input = await fixture.wait { if case .request = $0 { true } else { false } }
            guard case .request(_, request)? = input else {
                Issue.record("\(method) became \(String(describing: input))")
                continue
            }
        }
        for (method, parameters, request): (String, JSONValue, Request) in [
            ("Shoot", ["plan": [:]], .shoot(PlanInput(), streams: true)), ("Retry", [:], .retry(streams: true)),
            ("Watch", [:], .watch), ("WatchPhotos", [:], .watchPhotos),
        ] {
            await #expect(throws: VarlinkError(name: "io.bracketd.Stopping")) {
                for try await _ in client.callMore("io.bracketd.\(method)", parameters) {}
            }
            let input = await fixture.wait { if case .request = $0 { true } else { false } }
            guard case .request(_, request)? = input else {
                Issue.record("\(method) became \(String(describing: input))")
                continue
            }
        }
        #expect(try await fixture.daemon.stop() == .inOrder)
    }

    @Test(arguments: [
        ("Plan", "{}", "plan", "plan: expected an object, but it is missing"),
        ("Plan", #"{"plan":{"framse":3}}"#, "plan.framse", "plan.framse: unknown; the members are shadow, highlight, "),
        ("Shoot", #"{"plan":{"frames":"3"}}"#, "plan.frames", "plan.frames: expected an integer, found a string"),
        ("Pause", #"{"now":true}"#, "now", "now: unknown; the members are redo"),
        ("SetProperty", #"{"name":"iso"}"#, "value", "value: expected a string, but it is missing"),
        ("SetProperty", #"{"name":"iso","value":100}"#, "value", "value: expected a string, found an integer"),
    ])
    func `invalid parameters never reach the core`(
        method: String,
        parameters: String,
        parameter: String,
        sentence: String
    ) async throws {
        let fixture = try await Fixture()
        let client = try await fixture.client()
        let parameters = try JSONValue(parsing: parameters.utf8)
        let error = await #expect(throws: VarlinkError.self) {
            try await client.call("io.bracketd.\(method)", parameters)
        }
        #expect(error?.name == "org.varlink.service.InvalidParameter")
        #expect(error?.parameters["parameter"]?.stringValue == parameter)
        #expect(error?.description.hasPrefix(sentence) == true)
        _ = try await fixture.daemon.stop()
        var inputs: [Input] = []
        for await input in fixture.inputs {
            // The daemon also reports the state of this computer's network, which this test ignores.
            if case .network = input { continue }
            inputs.append(input)
            if input == .stop { break }
        }
        #expect(inputs == [.started, .stop])
    }

    @Test(arguments: ["io.bracketd.Watch", "io.bracketd.WatchPhotos"])
    func `watching requires the flag more`(method: String) async throws {
        let fixture = try await Fixture()
        let client = try await fixture.client()
        let expected = VarlinkError(name: "io.bracketd.NeedsMore", parameters: ["method": .string(method)])
        await #expect(throws: expected) { try await client.call(method) }
        _ = try await fixture.daemon.stop()
    }

    @Test func `a stream brings the core's answers and ends with the last`() async throws {
        let fixture = try await Fixture { id, _ in
            [
                .reply(id, .progress(Self.progress), continues: true),
                .reply(id, .progress(Self.progress), continues: true),
                .reply(id, .progress(Self.progress), continues: false),
                // The daemon ignores this second answer.
                .reply(id, .progress(Self.progress), continues: false),
            ]
        }
        let client = try await fixture.client()
        var replies = 0
        for try await reply in client.callMore("io.bracketd.Shoot", ["plan": [:]]) {
            replies += 1
            #expect(reply["progress"]?["captured"] == 2)
        }
        #expect(replies == 3)
        #expect(try await client.call("org.varlink.service.GetInfo")["product"] == "bracketd")
        _ = try await fixture.daemon.stop()
    }

    @Test func `the daemon checks its machine on request of the core`() async throws {
        let fixture = try await Fixture { id, request in
            request == .inspect ? [.inspect, .reply(id, .checks([]), continues: false)] : []
        }
        let client = try await fixture.client()
        _ = try await client.call("io.bracketd.Inspect")
        let input = await fixture.wait { if case .inspected = $0 { true } else { false } }
        guard case .inspected(let findings)? = input else { return #expect(Bool(false)) }
        #expect(findings.machine.map(\.name) == ["journal", "watchdog", "clock", "storage", "pictures"])
        #expect(findings.machine[1].result == .skipped)
        #expect(findings.machine[3].sentence.hasPrefix("\(fixture.directory.file("state")) has "))
        #expect(findings.machine[4].result == .skipped)
        #expect(findings.network.map(\.name) == ["network"])
        #expect(try await fixture.daemon.stop() == .inOrder)
    }

    @Test func `a daemon without its button's chip still serves, and reports the fault`() async throws {
        var board = BoardConfiguration()
        board.button.place = GPIOLocation(chip: "/nowhere/gpiochip0", line: .number(17))
        let fixture = try await Fixture(board: board) { id, _ in
            [.inspect, .lamp(.actionNeeded), .reply(id, .checks([]), continues: false)]
        }
        let client = try await fixture.client()
        _ = try await client.call("io.bracketd.Inspect")
        let input = await fixture.wait { if case .inspected = $0 { true } else { false } }
        guard case .inspected(let findings)? = input else { return #expect(Bool(false)) }
        #expect(findings.machine.map(\.name) == ["journal", "watchdog", "clock", "storage", "pictures", "button"])
        #expect(findings.machine.last?.sentence == "There is no GPIO chip /nowhere/gpiochip0.")
        #expect(try await fixture.daemon.stop() == .inOrder)
        let said = fixture.journal.all.filter {
            $0.contains("The button does not work. There is no GPIO chip /nowhere")
        }
        #expect(said.count == 1)
    }

    @Test func `the core is notified of a client that disconnects`() async throws {
        let fixture = try await Fixture { _, _ in [] }
        let client = try await fixture.client()
        let watching = Task { for try await _ in client.callMore("io.bracketd.Watch") {} }
        guard
            case .request(let id, .watch)? = await fixture.wait(for: { if case .request = $0 { true } else { false } })
        else {
            Issue.record("no request")
            return
        }
        await client.close()
        #expect(await fixture.wait { $0 != .started } == .requestCancelled(id))
        _ = await watching.result
        _ = try await fixture.daemon.stop()
    }

    @Test func `the daemon that stops removes its socket, and can be started again`() async throws {
        let fixture = try await Fixture()
        #expect(fixture.directory.mode(of: "run/io.bracketd") == 0o660)
        #expect(try await fixture.daemon.stop() == .inOrder)
        #expect(!fixture.directory.exists("run/io.bracketd"))
        #expect(fixture.directory.exists("state/initiator-guid"))
    }

    @Test func `a core that does not finish does not delay the end`() async throws {
        let fixture = try await Fixture(onStop: [.stopping(waiting: nil)], stopTimeout: .milliseconds(10))
        #expect(try await fixture.daemon.stop() == .forced)
        #expect(!fixture.directory.exists("run/io.bracketd"))
    }

    @Test func `a second daemon on the same socket is refused and the first continues`() async throws {
        let fixture = try await Fixture()
        var configuration = Configuration()
        configuration.ownSearchWays = []
        configuration.socketPath = fixture.socketPath
        configuration.storagePath = fixture.directory.file("other")
        struct Silent: JournalWriter { func write(_ record: JournalRecord) {} }
        let options = Daemon.Options(configuration: configuration, journal: Journal(writer: Silent()), isService: false)
        {
            _,
            _ in AnsweringCore(inputs: AsyncStream.makeStream(of: Input.self).continuation, answer: { _, _ in [] })
        }
        let expected = Daemon.StartError(description: "another bracketd already listens on \(fixture.socketPath)")
        await #expect(throws: expected) { try await BackgroundDaemon.start(options) }
        let client = try await fixture.client()
        await #expect(throws: VarlinkError(name: "io.bracketd.Stopping")) { try await client.call("io.bracketd.Pause") }
        #expect(try await fixture.daemon.stop() == .inOrder)
    }
}
