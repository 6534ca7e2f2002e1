import Cameras
import Varlink

/// Texts for the journal and the program about the daemon's start and stop, its sockets and its directories.
enum DaemonSentences {
    // MARK: Start

    static func listening(version: String, path: String, camera: CameraAddress?, isSearching: Bool) -> String {
        let search = isSearching ? "and searches for a camera" : "and does not search for a camera"
        return "bracketd \(version) listens on \(path), \(camera.map { "with the camera at \($0)" } ?? search)."
    }

    static func notListening(_ path: String, _ error: any Error) -> String { "cannot listen on \(path): \(error)" }

    static func noSignals(_ error: any Error) -> String { "cannot receive signals: \(error)" }

    static func endedBeforeReady(_ ending: Daemon.Ending) -> String {
        "the daemon ended before it was ready: \(ending)"
    }

    // MARK: Stop

    static func stopping(_ reason: DaemonRun.StopReason) -> String {
        switch reason {
        case .signal: "Stopping: a signal was received."
        case .request: "Stopping: the stop was requested."
        }
    }

    static func stopTooLong(_ timeout: Duration) -> String {
        "The ordered stop took longer than \(timeout). If the camera does not connect again, switch it off and on."
    }

    static func ledgerUnfinished(within time: Duration) -> String {
        "The ledger's disk did not answer within \(time). The last changes may not be recorded."
    }

    // MARK: Journal and ledger

    static func entriesLost(_ count: Int) -> String {
        let entries = count == 1 ? "1 journal entry is" : "\(count) journal entries are"
        return "\(entries) lost: the journal was too slow."
    }

    static func ledgerTooSlow(waiting count: Int) -> String {
        "The ledger's disk is too slow: \(count) requests wait for it. Try again later."
    }

    // MARK: Clients

    static func tooManyClients(_ bound: VarlinkServer.Bound) -> String {
        let advice = "end one of them and try again"
        return switch bound {
        case .clients(let limit): "The daemon already has \(limit) clients: \(advice)."
        case .clientsOfUser(let limit): "The daemon already has \(limit) clients of this user: \(advice)."
        case .watchers(let limit): "The daemon already has \(limit) clients that watch: \(advice)."
        case .watchersOfUser(let limit): "The daemon already has \(limit) clients of this user that watch: \(advice)."
        case .idle:
            "There are too many clients. The daemon closed this idle connection for another client. Try again."
        }
    }

    // MARK: Files in the storage directory

    static func guidDamaged(_ path: String, keptAs name: String) -> String {
        "\(path) was damaged and is kept as \(name). The new GUID may need a new pairing on the camera."
    }

    static func planDamaged(_ path: String) -> String {
        "\(path) is damaged. The button fires the plan of the configuration until a plan is armed."
    }

    static func planNotKept(_ error: any Error) -> String { "The plan is armed only until bracketd ends: \(error)." }

    // MARK: Directories

    static let setWritableDirectory = "set directory under [storage] to a directory that you can write to"

    /// - Parameter process: the process ID of the other daemon; nil: unknown.
    static func directoryInUse(process: Int?) -> String {
        let owner = process.map { "another bracketd (process \($0))" } ?? "another bracketd"
        return "\(owner) uses it"
    }

    static func stopOrSetDirectory(_ directory: StorageError.Directory) -> String {
        switch directory {
        case .storage: "stop that process, or set another directory under [storage]"
        case .pictures: "stop that process, or set another directory under [transfer]"
        }
    }

    static func lockNotOpened(_ path: String, _ error: SystemError) -> String { "cannot open \(path): \(error)" }

    static func notLocked(_ path: String, _ error: SystemError) -> String { "cannot lock \(path): \(error)" }

    static func lockIsForeign(_ path: String) -> String {
        "cannot lock \(path): it is not a regular file, or it has a second hard link; move it away"
    }

    static let lockedByOther = "another program has locked it"
}

extension StorageError.Action {
    /// The words before the path in a sentence about this action.
    var text: String {
        switch self {
        case .use: "cannot use"
        case .useDirectory(.storage): "cannot use the storage directory"
        case .useDirectory(.pictures): "cannot use the pictures directory"
        case .createDirectory: "cannot create the storage directory"
        case .writeToDirectory: "cannot write to the storage directory"
        case .read: "cannot read"
        case .write: "cannot write"
        case .rename: "cannot rename"
        }
    }
}

extension SocketError {
    package var description: String {
        switch self {
        case .pathTooLong(let path, let lengthMax):
            "the socket path is longer than the \(lengthMax) bytes that the system allows: \(path)"
        case .alreadyServed(let path): "another bracketd already listens on \(path)"
        case .notASocket(let path): "\(path) exists and is not a socket; remove it or choose another [socket] path"
        case .failed(let path, .createDirectory, let reason): "cannot create the directory \(path): \(reason)"
        case .failed(let path, .openDirectory, let reason): "cannot open the directory \(path): \(reason)"
        case .failed(let path, .lockDirectory, let reason): "cannot lock the directory \(path): \(reason)"
        case .failed(let path, .connect, let reason): "cannot connect to \(path): \(reason)"
        case .failed(let path, .serve, let reason): "cannot serve \(path): \(reason)"
        }
    }
}
