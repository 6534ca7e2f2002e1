import Interface
import Varlink

enum ProcessExit: Int32, Sendable {
    case allDone = 0
    /// Any other error.
    case error = 1
    /// Some frames were captured and some were not.
    case partial = 3
    case nothingCaptured = 4
    case noDaemon = 5
    /// The arguments are invalid.
    case usage = 64
}

/// Why a command failed, in one sentence.
struct Failure: Error, Sendable {
    let status: ProcessExit
    /// The name for programs: that of the daemon's error, or one of bracketctl's own.
    let name: String
    /// What is wrong, where, and what to do.
    let sentence: String
    /// The parameters of the daemon's error.
    let parameters: JSONValue

    init(_ status: ProcessExit, name: String, _ sentence: String, parameters: JSONValue = .emptyObject) {
        self.status = status
        self.name = name
        self.sentence = sentence
        self.parameters = parameters
    }

    /// Prints the sentence on standard error; with `asJSON` also an object on standard output.
    func report(in environment: Environment, asJSON: Bool) {
        // There is no other place to report a closed output.
        try? environment.errors.line("bracketctl: \(sentence)")
        if name == Failure.preflightFailed {
            for line in CheckReport.lines(CheckReport.failing(parameters)) { try? environment.errors.line(line) }
        }
        guard asJSON else { return }
        try? environment.output.line(
            JSONValue.object([
                "error": .string(name),
                "sentence": .string(sentence),
                "exitCode": .int(Int(status.rawValue)),
                "parameters": parameters,
            ]).description
        )
    }
}

extension Failure {
    private static let preflightFailed = Bracketd.PreflightFailed.name

    init(preflightFailed parameters: JSONValue) {
        self.init(
            .error,
            name: Failure.preflightFailed,
            "Nothing was fired: \(CheckReport.list(CheckReport.failing(parameters))).",
            parameters: parameters
        )
    }

    func adding(_ advice: String) -> Failure {
        Failure(status, name: name, "\(sentence) \(advice)", parameters: parameters)
    }

    /// The failure during a watch: the daemon has ended, however it ended.
    var duringWatch: Failure {
        guard name == Bracketd.Stopping.name else { return self }
        return Failure(.noDaemon, name: name, sentence, parameters: parameters)
    }

    static func watchEnded(_ connection: Connection) -> Failure {
        Failure(
            .noDaemon,
            name: "ConnectionLost",
            "The daemon at \(connection.path) ended the watch. See journalctl -u bracketd."
        )
    }

    init(_ error: any Error, connection: Connection) {
        switch error {
        case let error as Failure: self = error
        case let mismatch as VarlinkMismatch: self.init(mismatch)
        case let error as VarlinkError: self.init(daemonError: error, connection: connection)
        case let error as VarlinkTransportError: self.init(transport: error, connection: connection)
        default: self.init(.error, name: "Unexpected", "Unexpected error at \(connection.path): \(error).")
        }
    }

    /// The daemon's answer does not match the interface.
    private init(_ mismatch: VarlinkMismatch) {
        self.init(
            .error,
            name: "BrokenReply",
            "The daemon's reply lacks \(mismatch.path) as \(mismatch.wanted): bracketctl and bracketd have different "
                + "versions."
        )
    }

    private static let startAdvice =
        "Start it: systemctl start bracketd, or by hand: bracketd --config FILE. If it listens on another socket, name "
        + "that socket with --socket"

    private init(transport error: VarlinkTransportError, connection: Connection) {
        let start = Failure.startAdvice
        switch error {
        case .noSocket(let path):
            self.init(.noDaemon, name: "NoDaemon", "No daemon is running: the socket \(path) does not exist. \(start).")
        case .nobodyListens(let path):
            self.init(.noDaemon, name: "NoDaemon", "No daemon is running: no program listens on \(path). \(start).")
        case .permissionDenied(let path):
            let advice =
                SocketOwner(path: path)?.groupName.map { "join the group \($0), then log in again" }
                ?? "ask for access to \(path)"
            self.init(
                .error,
                name: "PermissionDenied",
                "This user cannot open the socket \(path): \(advice)."
            )
        case .pathTooLong(let path, let lengthMax):
            self.init(.usage, name: "Usage", "The socket path is longer than \(lengthMax) bytes: \(path).")
        case .cannotConnect(let path, let reason):
            self.init(.noDaemon, name: "NoDaemon", "The daemon cannot be reached at \(path): \(reason). \(start).")
        case .tooManyWaiting(let path):
            self.init(
                .error,
                name: "TooManyClients",
                "Too many clients wait for a connection to \(path). End one of them and try again."
            )
        case .closed:
            self.init(
                .noDaemon,
                name: "ConnectionLost",
                "The daemon at \(connection.path) closed the connection. Check: bracketctl status."
            )
        case .broken(let reason):
            self.init(.error, name: "BrokenReply", "The program at \(connection.path) is not bracketd: \(reason).")
        case .fellBehind(let repliesMax):
            self.init(
                .error,
                name: "FellBehind",
                "More than \(repliesMax) replies of the daemon were waiting. Read the output of bracketctl faster."
            )
        }
    }

    private init(daemonError error: VarlinkError, connection: Connection) {
        let prefix = Daemon.interface + "."
        let name = error.name.hasPrefix(prefix) ? String(error.name.dropFirst(prefix.count)) : error.name
        let sentence: String
        switch name {
        case "NeedsMore":
            sentence = "The daemon requires \"more\" for \(error.parameters["method"]?.stringValue ?? "this method")."
        case "TooManyClients":
            let limit = error.parameters["limit"]?.intValue.map(String.init) ?? "the highest number of"
            sentence =
                error.parameters["sentence"]?.stringValue
                ?? "The daemon already has \(limit) watching clients. End one of them and try again."
        case "PreflightFailed":
            sentence = Failure(preflightFailed: error.parameters).sentence
        case "Stopping":
            sentence = "The daemon at \(connection.path) is stopping. Try again when it is running again."
        case let name where name.hasPrefix("org.varlink.service."):
            sentence =
                "The daemon at \(connection.path) does not accept this call (\(name)): bracketctl and bracketd have "
                + "different versions."
        default: sentence = error.description
        }
        self.init(
            name == "InvalidPlan" ? .usage : .error,
            name: error.name,
            sentence.hasSuffix(".") ? sentence : sentence + ".",
            parameters: error.parameters
        )
    }
}
