import Glibc
import PictureReader

@testable import Host

/// A file system of 1 MiB in memory. Only one process of the test has it mounted, and the test reaches it through that
/// process. It ends with the test.
final class SmallDisk: Sendable {
    let path: String
    private let holder: ChildProgram

    static let isPossible: Bool = {
        guard let program = try? ChildProgram("/bin/sh", ["-c", "exec \(command(at: "/mnt", then: "exit 0"))"]) else {
            return false
        }
        return program.wait() == 0
    }()

    /// The command that mounts the disk. It also works without root, in a user namespace.
    static func command(at path: String, options: String = "size=1m", then last: String) -> String {
        let spaces = geteuid() == 0 ? "-m" : "-rm"
        return "unshare \(spaces) /bin/sh -c 'mount -t tmpfs -o \(options) tmpfs \(path) && \(last)'"
    }

    init(mountedAt directory: String, isReadOnly: Bool = false) throws {
        let mark = "\(directory).mounted"
        let options = isReadOnly ? "size=1m,ro" : "size=1m"
        let command = Self.command(at: directory, options: options, then: "touch \(mark) && exec sleep 600")
        holder = try ChildProgram("/bin/sh", ["-c", "exec \(command)"])
        while access(mark, F_OK) != 0 {
            guard holder.isRunning else { throw SystemError(code: EIO) }
            poll(nil, 0, 5)
        }
        unlink(mark)
        path = "/proc/\(holder.process)/root\(directory)"
    }
}

/// A program that a test runs. The program ends with the test.
final class ChildProgram: Sendable {
    let process: pid_t

    /// - Parameter name: a path, or without a slash the name of a program in the directory of the tests.
    init(_ name: String, _ arguments: [String], input: CInt? = nil) throws {
        let path = name.contains("/") ? name : "\(Self.folder)/\(name)"
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        if let input { posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) }
        var process: pid_t = 0
        let pointers = ([path] + arguments).map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        let code = posix_spawn(&process, path, &actions, nil, pointers + [nil], environ)
        guard code == 0 else { throw SystemError(code: code) }
        self.process = process
    }

    deinit { kill() }

    static var folder: Substring {
        let own = MetadataReader.installed().program ?? ""
        return own[..<(own.lastIndex(of: "/") ?? own.startIndex)]
    }

    var isRunning: Bool {
        var information = siginfo_t()
        return waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT) == 0 && information.si_signo == 0
    }

    /// Waits for the end and returns the status of wait(2).
    func wait() -> CInt {
        var status: CInt = -1
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }

    func kill() {
        Glibc.kill(process, SIGKILL)
        _ = wait()
    }
}

/// A listening TCP socket on loopback.
final class Listener: Sendable {
    let port: UInt16
    private let descriptor: Descriptor

    init() throws {
        descriptor = try Descriptor { socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let number = descriptor.number
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, length) == 0 ? getsockname(number, $0, &length) : -1
            }
        }
        guard status == 0, listen(number, 8) == 0 else { throw SystemError.last }
        port = UInt16(bigEndian: address.sin_port)
    }

    func accept() throws -> CInt { try check { Glibc.accept(descriptor.number, nil, nil) } }
}
