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

/// The reason why a command failed, as a sentence for the user.
struct Failure: Error, Sendable {
    let status: ProcessExit
    /// The name for programs: the name of the daemon's error, or a name of bracketctl.
    let name: String
    /// A sentence that says what is wrong, in which place, and what to do.
    let sentence: String
    /// The parameters of the daemon's error.
    let parameters: JSONValue

    /// - Parameter status: The exit status; nil: the usual exit status for the name.
    init(_ name: String, _ sentence: String, status: ProcessExit? = nil, parameters: JSONValue = .emptyObject) {
        self.status = status ?? Failure.statuses[name] ?? .error
        self.name = name
        self.sentence = sentence
        self.parameters = parameters
    }

    /// The exit statuses of bracketctl's own errors, except those with the status `error`.
    private static let statuses: [String: ProcessExit] = [
        "Usage": .usage, "NoDaemon": .noDaemon, "ConnectionLost": .noDaemon, "NoPictures": .nothingCaptured,
    ]

    /// Prints the sentence on standard error. With `asJSON` it also prints an object on standard output.
    func report(in environment: Environment, asJSON: Bool) {
        // A failure cannot be reported if standard error is closed.
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
            DoctorSentences.nothingFired(CheckReport.failing(parameters).map(\.name)),
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
        default: self.init("Unexpected", FailureSentences.unexpected(error, at: connection.path))
        }
    }

    /// The failure for an answer of the daemon that does not match the interface.
    private init(_ mismatch: VarlinkMismatch) {
        self.init("BrokenReply", FailureSentences.replyLacks(mismatch.path, as: mismatch.wanted))
    }

    private init(transport error: VarlinkTransportError, connection: Connection) {
        let (name, sentence) =
            switch error {
            case .noSocket(let path): ("NoDaemon", FailureSentences.noSocket(path))
            case .connectionRefused(let path): ("NoDaemon", FailureSentences.noListener(path))
            case .permissionDenied(let path):
                (
                    "PermissionDenied",
                    FailureSentences.socketDenied(path, joinableGroup: SocketAccess(path: path).joinableGroup)
                )
            case .pathTooLong(let path, let lengthMax):
                ("Usage", FailureSentences.socketPathTooLong(path, lengthMax: lengthMax))
            case .cannotConnect(let path, let reason): ("NoDaemon", FailureSentences.unreachable(path, reason))
            case .tooManyWaiting(let path): ("TooManyClients", FailureSentences.tooManyWaiting(path))
            case .closed: ("ConnectionLost", FailureSentences.connectionClosed(connection.path))
            case .broken(let reason): ("BrokenReply", FailureSentences.notBracketd(connection.path, reason))
            case .callerTooSlow(let repliesMax):
                ("FellBehind", FailureSentences.outputTooSlow(repliesMax: repliesMax))
            }
        self.init(name, sentence)
    }

    private init(daemonError error: VarlinkError, connection: Connection) {
        let sentence: String
        switch error.name {
        case Bracketd.NeedsMore.name:
            sentence = FailureSentences.needsMore(method: error.parameters["method"]?.stringValue)
        case Bracketd.TooManyClients.name:
            sentence =
                error.parameters["sentence"]?.stringValue
                ?? FailureSentences.tooManyClients(limit: error.parameters["limit"]?.intValue)
        case Bracketd.PreflightFailed.name:
            sentence = Failure(preflightFailed: error.parameters).sentence
        case Bracketd.Stopping.name:
            sentence = FailureSentences.stopping(connection.path)
        case let name where name.hasPrefix("org.varlink.service."):
            sentence = FailureSentences.callNotAccepted(connection.path, error: name)
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
