import Varlink

/// The daemon behind its socket.
struct Daemon: Sendable {
    static let interface = "io.bracketd"

    /// The methods of the interface that bracketctl calls.
    enum Method: String {
        case getStatus = "GetStatus"
        case plan = "Plan"
        case preflight = "Preflight"
        case shoot = "Shoot"
        case pause = "Pause"
        case resume = "Resume"
        case cancel = "Cancel"
        case retry = "Retry"
        case follow = "Follow"
        case dismiss = "Dismiss"
        case watch = "Watch"
        case getCamera = "GetCamera"
        case setProperty = "SetProperty"
        case getPhotos = "GetPhotos"
        case watchPhotos = "WatchPhotos"
        case redo = "Redo"
        case getHistory = "GetHistory"
        case getShoot = "GetShoot"
        case inspect = "Inspect"
        case getCameras = "GetCameras"
        case watchCameras = "WatchCameras"
        case connect = "Connect"
        case disconnect = "Disconnect"
        case arm = "Arm"

        var name: String { "\(Daemon.interface).\(rawValue)" }
    }

    let connection: Connection
    private let client: VarlinkClient

    /// How long the daemon may take for an answer that it has at hand.
    static let answerTimeMax = Duration.seconds(10)
    /// The longest time until the camera is set as before a shoot: three tries that a camera answers within 80 s, even
    /// if it passes the whole scale of speeds notch by notch, and one try of 4 minutes without an answer.
    static let settingsTimeMax = Duration.seconds(500)

    /// Connects to the daemon.
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

    /// The same daemon through a connection of its own: what is called on that one is asked after what was called on
    /// this one before.
    func another() async throws(Failure) -> Daemon {
        do throws(VarlinkTransportError) {
            return Daemon(connection, try await client.connectBeside(path: connection.path))
        } catch {
            throw Failure(error, connection: connection)
        }
    }

    /// Calls a method that answers once, and returns its answer.
    func call(
        _ method: Method,
        _ parameters: JSONValue = .emptyObject,
        within timeMax: Duration = Daemon.answerTimeMax
    ) async throws(Failure) -> JSONValue {
        do {
            return try await withThrowingTaskGroup(of: JSONValue?.self) { group in
                group.addTask { try await client.call(method.name, parameters) }
                group.addTask {
                    try await Task.sleep(for: timeMax)
                    return nil
                }
                defer { group.cancelAll() }
                guard let first = try await group.next(), let answer = first else { throw noAnswer(within: timeMax) }
                return answer
            }
        } catch {
            throw Failure(error, connection: connection)
        }
    }

    /// Calls a method that answers step by step, and hands on each answer until `body` returns a result.
    ///
    /// - Parameter begun: what is done when the call is on its way, before the first answer is looked at.
    /// - Returns: the result, or nil when the daemon ended the answers before there was one.
    func follow<Result>(
        _ method: Method,
        _ parameters: JSONValue = .emptyObject,
        begun: () async throws -> Void = {},
        until body: (JSONValue) async throws -> Result?
    ) async throws -> Result? {
        do {
            let replies = client.callMore(method.name, parameters)
            try await begun()
            for try await reply in replies {
                if let result = try await body(reply) { return result }
            }
            return nil
        } catch let closed as OutputClosed {
            throw closed
        } catch {
            throw Failure(error, connection: connection)
        }
    }

    private func noAnswer(within timeMax: Duration) -> Failure {
        Failure(
            .error,
            name: "NoAnswer",
            "The daemon at \(connection.path) did not answer within \(timeMax.components.seconds) s: "
                + "see journalctl -u bracketd."
        )
    }
}
