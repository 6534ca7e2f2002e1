import Foundation
import Glibc

final class Program {
    struct Failure: Error, CustomStringConvertible { let description: String }

    let directory: String
    let process: pid_t
    private var status: CInt?

    /// Starts `bracketd` with these arguments. `environment` is added to the environment of the test. `socket` becomes
    /// descriptor 3, as a service manager passes it.
    init(_ arguments: [String], in directory: String, environment: [String: String] = [:], socket: CInt? = nil) throws {
        self.directory = directory
        var all = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        all["NOTIFY_SOCKET"] = environment["NOTIFY_SOCKET"]
        var command = [try Self.path] + arguments
        // The shell puts the program's own process number into the environment, as the service manager does.
        if socket != nil { command = ["/bin/sh", "-c", "LISTEN_PID=$$ LISTEN_FDS=1 exec \"$0\" \"$@\""] + command }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (descriptor, name) in [(STDOUT_FILENO, "out"), (STDERR_FILENO, "err")] {
            posix_spawn_file_actions_addopen(
                &actions,
                descriptor,
                "\(directory)/\(name)",
                O_WRONLY | O_CREAT | O_TRUNC,
                0o600
            )
        }
        if let socket { posix_spawn_file_actions_adddup2(&actions, socket, 3) }
        var process: pid_t = 0
        let path = command[0]
        let code = Self.withCStrings(command) { command in
            Self.withCStrings(all.map { "\($0.key)=\($0.value)" }) { environment in
                posix_spawn(&process, path, &actions, nil, command, environment)
            }
        }
        guard code == 0 else { throw Failure(description: "cannot start \(path): \(code)") }
        self.process = process
    }

    deinit {
        if status == nil {
            kill(process, SIGKILL)
            var status: CInt = 0
            waitpid(process, &status, 0)
        }
    }

    private static var path: String {
        get throws {
            let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            let candidates = [own, CommandLine.arguments[0]].map {
                URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent("bracketd").path
            }
            guard let path = candidates.first(where: FileManager.default.isExecutableFile) else {
                throw Failure(description: "there is no bracketd in \(candidates)")
            }
            return path
        }
    }

    func send(_ signal: CInt) { kill(process, signal) }

    /// Waits for the end of the program. Returns its exit code, or the negative signal number.
    func wait() -> CInt {
        if let status { return status }
        var status: CInt = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        let code = signal == 0 ? (status >> 8) & 0xFF : -signal
        self.status = code
        return code
    }

    var output: String { (try? String(contentsOfFile: "\(directory)/out", encoding: .utf8)) ?? "" }
    var errors: String { (try? String(contentsOfFile: "\(directory)/err", encoding: .utf8)) ?? "" }

    private static func withCStrings<Result>(
        _ strings: [String],
        _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = strings.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers + [nil])
    }
}

/// The socket on which a service manager receives notifications.
final class NotifySocket {
    let path: String
    private let descriptor: CInt
    private(set) var told: [String] = []

    init(path: String) throws {
        self.path = path
        descriptor = Glibc.socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0)
        // The time limit ends a test that would wait forever.
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        guard withUnixAddress(path, { bind(descriptor, $0, $1) }) == 0 else {
            throw Program.Failure(description: "cannot bind \(path): \(errno)")
        }
    }

    deinit { close(descriptor) }

    /// Reads notifications until one has this prefix.
    func wait(for prefix: String) throws {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count >= 0 else { throw Program.Failure(description: "nothing like \(prefix) among \(told)") }
            let message = String(decoding: buffer[..<count], as: UTF8.self)
            told.append(message)
            if message.hasPrefix(prefix) { return }
        }
    }
}

func withUnixAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
}
