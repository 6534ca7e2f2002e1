import ArgumentParser

/// The options of every command. The user can write them before or after the command's name.
struct CommonOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The daemon's Unix socket.", valueName: "path"), completion: .file())
    var socket: String?

    @Flag(help: "Print JSON, one object per line.")
    var json = false

    func connection(in environment: Environment) throws(Failure) -> Connection {
        if let socket {
            guard !socket.isEmpty else {
                throw Failure.usage(UsageSentences.emptySocket)
            }
            return Connection(path: socket, isDefault: false)
        }
        let path = environment.socketPath ?? ""
        return path.isEmpty
            ? Connection(path: Connection.defaultSocketPath, isDefault: true) : Connection(path: path, isDefault: true)
    }
}

extension Option where Value == String? {
    /// An option that names a file.
    init(file help: String) {
        self.init(help: ArgumentHelp(help, valueName: "file"), completion: .file())
    }
}

/// The address of the daemon.
struct Connection: Sendable {
    static let defaultSocketPath = "/run/bracketd/io.bracketd"

    let path: String
    /// Whether bracketctl finds this socket without the option `--socket`.
    let isDefault: Bool

    /// A command that the user can copy, such as `bracketctl cancel`.
    func commandLine(_ command: String) -> String {
        guard !isDefault else { return "bracketctl \(command)" }
        let isPlain = path.utf8.allSatisfy { byte in
            switch UInt8(byte) {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: "/._-+".utf8.contains(byte)
            }
        }
        let quoted =
            isPlain
            ? path
            : "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
        return "bracketctl --socket \(quoted) \(command)"
    }
}
