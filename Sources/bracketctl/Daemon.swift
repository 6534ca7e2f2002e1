import Interface
import Varlink

struct Daemon: Sendable {
    let connection: Connection
    private let client: VarlinkClient

    /// The time limit for answers that do not depend on a camera.
    static let answerTimeMax = Duration.seconds(10)
    /// The longest time to restore the camera's settings after a shoot. Three attempts take at most 80 s each, even if
    /// the speed changes step by step through all speeds. A fourth attempt without an answer takes at most 4 minutes.
    static let settingsTimeMax = Duration.seconds(500)

    init(_ connection: Connection) async throws(Failure) {
        self.connection = connection
        do throws(VarlinkTransportError) {
            client = try await VarlinkClient.connect(path: connection.path)
        } catch {
            throw Failure(error, connection: connection)
        }
    }

    private init(_ connection: Connection, _ client: VarlinkClient) {
        self.connection = connection
        self.client = client
    }

    /// Opens another connection to the same daemon. The daemon handles its calls after the earlier calls of the first
    /// connection.
    func another() async throws(Failure) -> Daemon {
        do throws(VarlinkTransportError) {
            return Daemon(connection, try await client.connectBeside(path: connection.path))
        } catch {
            throw Failure(error, connection: connection)
        }
    }

    /// Calls a method with one answer, and returns the answer.
    func call<Method: VarlinkMethod>(
        _ method: Method,
        within timeMax: Duration = Daemon.answerTimeMax
    ) async throws(Failure) -> Method.Reply {
        do {
            let answer = try await answer(to: Method.name, method.json, within: timeMax)
            return try Method.Reply(answer, at: "")
        } catch {
            throw Failure(error, connection: connection)
        }
    }

    private func answer(
        to method: String,
        _ parameters: JSONValue,
        within timeMax: Duration
    ) async throws -> JSONValue {
        try await withThrowingTaskGroup(of: JSONValue?.self) { group in
            group.addTask { try await client.call(method, parameters) }
            group.addTask {
                try await Task.sleep(for: timeMax)
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let answer = first else { throw noAnswer(within: timeMax) }
            return answer
        }
    }

    /// Calls a method with several answers. Passes each answer to `body` until `body` returns a result.
    ///
    /// - Parameter begun: Called after the call was sent and before the first answer is handled.
    /// - Returns: the result; nil: the daemon ended the answers before `body` returned one.
    func follow<Method: VarlinkMethod, Result>(
        _ method: Method,
        begun: () async throws -> Void = {},
        until body: (Method.Reply) async throws -> Result?
    ) async throws -> Result? {
        do {
            let replies = client.callMore(Method.name, method.json)
            try await begun()
            for try await reply in replies {
                if let result = try await body(Method.Reply(reply, at: "")) { return result }
            }
            return nil
        } catch let closed as OutputClosed {
            throw closed
        } catch {
            throw Failure(error, connection: connection)
        }
    }

    /// Calls a method that answers as long as the daemon runs. Passes each answer to `body`.
    func watch<Method: VarlinkMethod>(
        _ method: Method,
        begun: () async throws -> Void = {},
        each body: (Method.Reply) async throws -> Void
    ) async throws -> Never {
        do {
            let _: Never? = try await follow(method, begun: begun) { reply in
                try await body(reply)
                return nil
            }
        } catch let failure as Failure where failure.name == Bracketd.Stopping.name {
            throw Failure(failure.name, failure.sentence, status: .noDaemon, parameters: failure.parameters)
        }
        throw Failure("ConnectionLost", FailureSentences.watchEnded(connection.path))
    }

    private func noAnswer(within timeMax: Duration) -> Failure {
        Failure("NoAnswer", FailureSentences.noAnswer(connection.path, within: timeMax))
    }
}
