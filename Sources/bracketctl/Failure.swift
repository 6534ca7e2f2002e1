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

    /// - Parameter status: nil: the usual one of the name.
    init(_ name: String, _ sentence: String, status: ProcessExit? = nil, parameters: JSONValue = .emptyObject) {
        self.status = status ?? Failure.statuses[name] ?? .error
        self.name = name
        self.sentence = sentence
        self.parameters = parameters
    }

    /// The exit status of bracketctl's own errors, where it is not `error`.
    private static let statuses: [String: ProcessExit] = [
        "Usage": .usage, "NoDaemon": .noDaemon, "ConnectionLost": .noDaemon, "NoPictures": .nothingCaptured,
    ]

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
    static func usage(_ sentence: String) -> Failure { Failure("Usage", sentence) }

    private static let preflightFailed = Bracketd.PreflightFailed.name

    init(preflightFailed parameters: JSONValue) {
        self.init(
            Failure.preflightFailed,
            "Nothing was fired: \(CheckReport.list(CheckReport.failing(parameters))).",
            parameters: parameters
        )
    }

    /// The same failure with another sentence.
    func saying(_ sentence: String) -> Failure {
        Failure(name, sentence, status: status, parameters: parameters)
    }

    init(_ error: any Error, connection: Connection) {
        switch error {
        case let error as Failure: self = error
        case let mismatch as VarlinkMismatch: self.init(mismatch)
        case let error as VarlinkError: self.init(daemonError: error, connection: connection)
        case let error as VarlinkTransportError: self.init(transport: error, connection: connection)
        default: self.init("Unexpected", "Unexpected error at \(connection.path): \(error).")
        }
    }

    /// The daemon's answer does not match the interface.
    private init(_ mismatch: VarlinkMismatch) {
        self.init(
            "BrokenReply",
            "The daemon's reply lacks \(mismatch.path) as \(mismatch.wanted): bracketctl and bracketd have different "
                + "versions."
        )
    }

    private static let startAdvice =
        "Start it: systemctl start bracketd, or by hand: bracketd --config FILE. If it listens on another socket, name "
        + "that socket with --socket"

    private init(transport error: VarlinkTransportError, connection: Connection) {
        let start = Failure.startAdvice
        let (name, sentence) =
            switch error {
            case .noSocket(let path):
                ("NoDaemon", "No daemon is running: the socket \(path) does not exist. \(start).")
            case .connectionRefused(let path):
                ("NoDaemon", "No daemon is running: no program listens on \(path). \(start).")
            case .permissionDenied(let path):
                ("PermissionDenied", "This user cannot open the socket \(path): \(Failure.accessAdvice(path)).")
            case .pathTooLong(let path, let lengthMax):
                ("Usage", "The socket path is longer than \(lengthMax) bytes: \(path).")
            case .cannotConnect(let path, let reason):
                ("NoDaemon", "The daemon cannot be reached at \(path): \(reason). \(start).")
            case .tooManyWaiting(let path):
                ("TooManyClients", "Too many clients wait for a connection to \(path). End one of them and try again.")
            case .closed:
                ("ConnectionLost", "The daemon at \(connection.path) closed the connection. Check: bracketctl status.")
            case .broken(let reason):
                ("BrokenReply", "The program at \(connection.path) is not bracketd: \(reason).")
            case .callerTooSlow(let repliesMax):
                (
                    "FellBehind",
                    "More than \(repliesMax) replies of the daemon were waiting. Read the output of bracketctl faster."
                )
            }
        self.init(name, sentence)
    }

    private static func accessAdvice(_ path: String) -> String {
        SocketAccess(path: path).joinableGroup.map { "join the group \($0), then log in again" }
            ?? "ask for access to \(path)"
    }

    private init(daemonError error: VarlinkError, connection: Connection) {
        let sentence: String
        switch error.name {
        case Bracketd.NeedsMore.name:
            sentence = "The daemon requires \"more\" for \(error.parameters["method"]?.stringValue ?? "this method")."
        case Bracketd.TooManyClients.name:
            let limit = error.parameters["limit"]?.intValue.map(String.init) ?? "the highest number of"
            sentence =
                error.parameters["sentence"]?.stringValue
                ?? "The daemon already has \(limit) watching clients. End one of them and try again."
        case Bracketd.PreflightFailed.name:
            sentence = Failure(preflightFailed: error.parameters).sentence
        case Bracketd.Stopping.name:
            sentence = "The daemon at \(connection.path) is stopping. Try again when it is running again."
        case let name where name.hasPrefix("org.varlink.service."):
            sentence =
                "The daemon at \(connection.path) does not accept this call (\(name)): bracketctl and bracketd have "
                + "different versions."
        default: sentence = error.description
        }
        self.init(
            error.name,
            sentence.withFullStop,
            status: error.name == Bracketd.InvalidPlan.name ? .usage : .error,
            parameters: error.parameters
        )
    }
}
