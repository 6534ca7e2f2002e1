import CLinux
import Glibc

/// Runs an untrusted program with one input file, one pipe for output, no environment, and limits for time and output.
package struct BoundedProgram {
    package enum Failure: Error, Equatable, CustomStringConvertible {
        /// `code` is a value of errno(3).
        case cannotStart(code: CInt)
        case tookTooLong
        case printedTooMuch
        case crashed(signal: CInt)
        case failed(code: CInt)
    }

    private let path: String
    private let arguments: [String]
    /// The descriptor of the program's standard input.
    private let input: CInt

    package init(path: String, arguments: [String] = [], input: CInt) {
        self.path = path
        self.arguments = arguments
        self.input = input
    }

    /// Runs the program to its end and returns its output. Blocks the calling thread.
    package func run(outputMax: Int, timeout: Duration) throws(Failure) -> [UInt8] {
        let clock = ContinuousClock()
        let deadline = clock.now + timeout
        func remaining() -> CInt { CInt(max(0, (deadline - clock.now) / .milliseconds(1)).rounded(.up)) }
        let (process, pipe) = try start()
        var isOver = false
        // The program's child processes are killed with the program, because they are in its process group.
        defer {
            if !isOver {
                kill(-process, SIGKILL)
                waitpid(process, nil, 0)
            }
        }
        let output = try Self.read(pipe, outputMax: outputMax, remaining: remaining)
        var status: CInt = 0
        // The output has ended, so the program will end soon. Polling is cheaper than a notification.
        while waitpid(process, &status, WNOHANG) == 0 {
            guard remaining() > 0 else { throw .tookTooLong }
            poll(nil, 0, 1)
        }
        isOver = true
        // wait(2): the lowest 7 bits contain the signal, the next 8 bits the exit code.
        guard status & 0x7F == 0 else { throw .crashed(signal: status & 0x7F) }
        guard status == 0 else { throw .failed(code: status >> 8 & 0xFF) }
        return output
    }

    private static func read(
        _ pipe: PipeEnd,
        outputMax: Int,
        remaining: () -> CInt
    ) throws(Failure) -> [UInt8] {
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: outputMax + 1)
        while true {
            var request = pollfd(fd: pipe.number, events: Int16(POLLIN), revents: 0)
            let ready = poll(&request, 1, remaining())
            guard ready != 0 else { throw .tookTooLong }
            guard ready > 0 else { continue }
            let count = Glibc.read(pipe.number, &buffer, buffer.count)
            guard count > 0 else { return output }
            output += buffer[..<count]
            guard output.count <= outputMax else { throw .printedTooMuch }
        }
    }

    /// Starts the program. Returns the process, and the end of the pipe for reading its output.
    private func start() throws(Failure) -> (process: pid_t, pipe: PipeEnd) {
        var ends: [CInt] = [-1, -1]
        guard clinux_pipe(&ends) == 0 else { throw .cannotStart(code: errno) }
        let readEnd = PipeEnd(ends[0])
        let writeEnd = PipeEnd(ends[1])
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, writeEnd.number, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        clinux_spawn_close_from(&actions, 3)
        var process: pid_t = 0
        var attributes = Self.attributes()
        defer { posix_spawnattr_destroy(&attributes) }
        let code = path.withCString { path in
            var words: [UnsafeMutablePointer<CChar>?] =
                [UnsafeMutablePointer(mutating: path)] + arguments.map { strdup($0) } + [nil]
            defer { for word in words.dropFirst() { free(word) } }
            var environment: [UnsafeMutablePointer<CChar>?] = [nil]
            return posix_spawn(&process, path, &actions, &attributes, &words, &environment)
        }
        guard code == 0 else { throw .cannotStart(code: code) }
        return (process, readEnd)
    }

    /// The program gets its own process group, so that all its processes can be killed. It gets the default handling of
    /// signals, because the daemon's threads block or ignore some signals.
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

/// One end of a pipe. It closes when its last reference ends.
private final class PipeEnd {
    let number: CInt

    init(_ number: CInt) { self.number = number }

    deinit { close(number) }
}
