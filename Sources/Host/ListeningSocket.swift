import CLinux
import CSystemd
import Glibc
import Varlink

/// The reason why the daemon cannot listen on a path.
package enum SocketError: Error, Hashable, Sendable, CustomStringConvertible {
    case pathTooLong(path: String, lengthMax: Int)
    case alreadyServed(path: String)
    case notASocket(path: String)
    case failed(path: String, action: Action, reason: String)

    package enum Action: Hashable, Sendable {
        case createDirectory, openDirectory, lockDirectory
        case connect, serve
    }
}

struct ListeningSocket {
    /// The maximum number of connections that wait for accept(2). The kernel limits it to net.core.somaxconn.
    private static let backlog: CInt = 1024
    /// The maximum number of attempts to lock. With the pauses they block the thread for one second at most.
    private static let lockAttemptsMax = 100
    private static let lockPauseMicroseconds: UInt32 = 10_000

    let path: String
    /// The socket's descriptor. The server that uses the socket owns this descriptor.
    let descriptor: CInt
    /// Whether this process created the file. If not, the service manager created it.
    private let ownsSocketFile: Bool
    private let identity: FileIdentity?

    /// Returns the socket that the service manager passes (sd_listen_fds(3)), or else a new one at `path`.
    static func open(path: String) throws(SocketError) -> ListeningSocket {
        if let descriptor = passedSocket() {
            return ListeningSocket(path: path, descriptor: descriptor, ownsSocketFile: false, identity: nil)
        }
        guard path.utf8.count <= VarlinkClient.pathLengthMax else {
            throw SocketError.pathTooLong(path: path, lengthMax: VarlinkClient.pathLengthMax)
        }
        let directory = try makeDirectory(for: path)
        let lock = try lockDirectory(directory)
        defer { close(lock) }
        try removeStale(path)
        return try bind(path)
    }

    /// Removes the socket's file, unless another file has replaced it. Must be called while the socket is open, because
    /// afterwards another file can get the same inode number.
    func remove() {
        if ownsSocketFile, FileIdentity(path: path) == identity { unlink(path) }
    }

    private static func passedSocket() -> CInt? {
        guard sd_listen_fds(1) > 0 else { return nil }
        let first = CInt(SD_LISTEN_FDS_START)
        return sd_is_socket_unix(first, CInt(SOCK_STREAM.rawValue), 1, nil, 0) > 0 ? first : nil
    }

    private static func makeDirectory(for path: String) throws(SocketError) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        guard slash > path.startIndex else { return "/" }
        let directory = String(path[..<slash])
        do {
            try makeDirectories(directory, mode: 0o755)
        } catch {
            throw SocketError.failed(path: directory, action: .createDirectory, reason: "\(error)")
        }
        return directory
    }

    /// Locks the directory, so that no second daemon acts between the check for a stale socket and its replacement.
    private static func lockDirectory(_ directory: String) throws(SocketError) -> CInt {
        do {
            let descriptor = try check { Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
            for _ in 0..<lockAttemptsMax {
                if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
                usleep(lockPauseMicroseconds)
            }
            close(descriptor)
        } catch {
            throw SocketError.failed(path: directory, action: .openDirectory, reason: "\(error)")
        }
        throw SocketError.failed(path: directory, action: .lockDirectory, reason: DaemonSentences.lockedByOther)
    }

    /// Removes a socket file without a listener, which a killed daemon has left.
    private static func removeStale(_ path: String) throws(SocketError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw SocketError.notASocket(path: path) }
        do {
            let probe = try check { socket(AF_UNIX, streamType, 0) }
            defer { close(probe) }
            try check { withUnixAddress(path) { connect(probe, $0, $1) } }
        } catch {
            switch error.code {
            case ECONNREFUSED:
                unlink(path)
                return
            // The backlog is full, so a process listens and accepts slowly.
            case EAGAIN: break
            default: throw SocketError.failed(path: path, action: .connect, reason: "\(error)")
            }
        }
        throw SocketError.alreadyServed(path: path)
    }

    private static var streamType: CInt {
        CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
    }

    private static func bind(_ path: String) throws(SocketError) -> ListeningSocket {
        var descriptor: CInt = -1
        do {
            descriptor = try check { socket(AF_UNIX, streamType, 0) }
            try check { withUnixAddress(path) { Glibc.bind(descriptor, $0, $1) } }
            // Clients cannot connect before the socket listens, so every client finds this mode.
            try check { chmod(path, 0o660) }
            try check { listen(descriptor, backlog) }
        } catch {
            if descriptor >= 0 { close(descriptor) }
            if error.code == EADDRINUSE { throw SocketError.alreadyServed(path: path) }
            throw SocketError.failed(path: path, action: .serve, reason: "\(error)")
        }
        return ListeningSocket(
            path: path,
            descriptor: descriptor,
            ownsSocketFile: true,
            identity: FileIdentity(path: path)
        )
    }

    private static func withUnixAddress(
        _ path: String,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) -> CInt {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

/// The identity of the file at a path.
private struct FileIdentity: Equatable {
    let device: dev_t
    let inode: ino_t

    init?(path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        device = status.st_dev
        inode = status.st_ino
    }
}
