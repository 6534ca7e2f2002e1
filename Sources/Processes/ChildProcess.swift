import CLinux
import Glibc

/// A program that this process has started (posix_spawn(3)).
///
/// The program has its own process group, so that its own child processes can be ended with it.
package final class ChildProcess {
    package enum End: Equatable, Sendable {
        case exited(code: CInt)
        case killed(signal: CInt)
    }

    package struct StartFailure: Error {
        /// A value of errno(3).
        package let code: CInt

        package var reason: String { String(cString: strerror(code)) }
    }

    private let id: pid_t
    /// How the process ended; nil: not known yet.
    private var end: End?

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - keepsEnvironment: Whether the program gets the environment of this process. Otherwise it gets none.
    ///   - input: The descriptor of the program's standard input; nil: `/dev/null`. `output` and `errors` alike.
    package init(
        path: String,
        arguments: [String],
        keepsEnvironment: Bool,
        input: CInt?,
        output: CInt?,
        errors: CInt?
    ) throws(StartFailure) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (stream, descriptor) in [(STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, errors)] {
            if let descriptor {
                posix_spawn_file_actions_adddup2(&actions, descriptor, stream)
            } else {
                posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
            }
        }
        clinux_spawn_close_from(&actions, 3)
        var attributes = Self.attributes()
        defer { posix_spawnattr_destroy(&attributes) }
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        var nothing: [UnsafeMutablePointer<CChar>?] = [nil]
        let code =
            keepsEnvironment
            ? posix_spawn(&process, path, &actions, &attributes, &words, environ)
            : posix_spawn(&process, path, &actions, &attributes, &words, &nothing)
        guard code == 0 else { throw StartFailure(code: code) }
        id = process
    }

    deinit { stop() }

    /// Returns how the process ended; nil: it still runs.
    package func endUnlessRunning() -> End? { reap(WNOHANG) }

    /// Blocks the calling thread until the process ends.
    package func waitForEnd() -> End {
        while true {
            if let end = reap(0) { return end }
        }
    }

    /// Kills the process and its child processes, unless the end of the process is already known.
    package func stop() {
        guard end == nil else { return }
        kill(-id, SIGKILL)
        _ = waitForEnd()
    }

    private func reap(_ options: CInt) -> End? {
        if let end { return end }
        var status: CInt = 0
        let process = waitpid(id, &status, options)
        guard process != 0, process > 0 || errno != EINTR else { return nil }
        // The kernel keeps no status if this process ignores SIGCHLD since its start (waitpid(2), ECHILD). The status
        // then stays 0, and the output of the program decides.
        //
        // wait(2): the lowest 7 bits contain the signal, the next 8 bits the exit code.
        let signal = status & 0x7F
        end = signal == 0 ? .exited(code: status >> 8 & 0xFF) : .killed(signal: signal)
        return end
    }

    /// The program gets the default handling of signals, because threads of this process block or ignore some signals.
    private static func attributes() -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var none = sigset_t()
        sigemptyset(&none)
        var usual = sigset_t()
        sigemptyset(&usual)
        sigaddset(&usual, SIGPIPE)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &usual)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = CInt(POSIX_SPAWN_SETSIGMASK) | CInt(POSIX_SPAWN_SETSIGDEF) | CInt(POSIX_SPAWN_SETPGROUP)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        return attributes
    }
}

/// One end of a pipe. It closes with its last reference, or before.
package final class PipeEnd {
    /// The descriptor; -1: closed.
    package private(set) var number: CInt

    private init(_ number: CInt) { self.number = number }

    deinit { close() }

    /// Makes a pipe. Programs that this process starts do not inherit its ends.
    package static func pair() throws(ChildProcess.StartFailure) -> (reading: PipeEnd, writing: PipeEnd) {
        var ends: [CInt] = [-1, -1]
        guard clinux_pipe(&ends) == 0 else { throw ChildProcess.StartFailure(code: errno) }
        return (PipeEnd(ends[0]), PipeEnd(ends[1]))
    }

    package func close() {
        if number >= 0 { Glibc.close(number) }
        number = -1
    }
}
