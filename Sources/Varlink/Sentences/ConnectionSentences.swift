// Why a client could not reach a service, and what a service did to its clients.

extension VarlinkTransportError {
    package var description: String {
        switch self {
        case .noSocket(let path): "no daemon is running: the socket \(path) does not exist"
        case .connectionRefused(let path): "no daemon is running: no program listens on the socket \(path)"
        case .permissionDenied(let path):
            "this user cannot open the socket \(path): join the group that owns it, or use sudo"
        case .pathTooLong(let path, let lengthMax):
            "the socket path is longer than the \(lengthMax) bytes that the system allows: \(path)"
        case .cannotConnect(let path, let reason): "cannot connect to \(path): \(reason)"
        case .tooManyWaiting(let path): "too many clients wait for a connection to \(path)"
        case .closed: "the daemon closed the connection without an answer"
        case .broken(let reason): "the daemon's answer is not a valid Varlink reply: \(reason)"
        case .callerTooSlow(let repliesMax): "more than \(repliesMax) replies were waiting to be read"
        }
    }
}

/// Why a reply of a service is not valid.
enum ReplySentences {
    static let noCall = "the reply belongs to no call"
    static let severalReplies = "a call without `more` received several replies"
}

/// The notes of a server about its clients.
enum ServerSentences {
    static func noPlace(forClientOf user: UInt32) -> String {
        "too many clients: a new client of user \(user) can only send commands that stop something"
    }

    static func idleClientClosed(of user: UInt32) -> String {
        "an idle client of user \(user) was disconnected to make room for another client"
    }

    static func repliesNotRead(byteCount: Int) -> String {
        "a client did not read its replies; its connection was closed with \(byteCount) bytes unread"
    }

    static func notesDropped(_ count: Int) -> String { "\(count) more messages about clients were not logged" }
}
