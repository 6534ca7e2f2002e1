// CLinux or the C library provides `sigset_t`. The compiler chooses one of them.
import CLinux
import ProgramOutput

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// An open file for lines: the log, or the list of frames on the card.
struct Output {
    private let descriptor: CInt
    private let name: String

    static let standardError = Output(descriptor: STDERR_FILENO, name: "standard error")

    /// Opens a file for appending lines. Creates the file if it does not exist.
    ///
    /// - Returns: the system's error when the file cannot be opened.
    static func appending(to path: String) -> Result<Output, SystemError> {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        return descriptor >= 0
            ? .success(Output(descriptor: descriptor, name: path)) : .failure(SystemError(code: errno))
    }

    /// Whether a short text can be written without waiting.
    var hasRoom: Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // A closed pipe counts as room, because a write to it fails at once.
        return poll(&request, 1, 0) != 0
    }

    func write(_ text: String) throws(OutputFailure) {
        var text = text
        let code = text.withUTF8 { StandardStream.write(UnsafeRawBufferPointer($0), to: descriptor) }
        if let code { throw OutputFailure(target: name, code: code) }
    }
}

/// A log that never waits for its reader. If there is no room for a line, the log omits the line. It writes the number
/// of omitted lines before the next line.
final class LogWriter {
    private let output: Output
    private var leftOut = 0

    init(_ output: Output) {
        self.output = output
    }

    /// - Parameter line: A line that is far shorter than 4096 bytes. A pipe with room accepts such a line at once
    ///   (pipe(7), "PIPE_BUF").
    func write(_ line: String) {
        guard output.hasRoom else {
            leftOut += 1
            return
        }
        // The simulation continues even if the log cannot be written.
        try? output.write(leftOut == 0 ? line : "\(LogSentences.linesOmitted(leftOut))\n\(line)")
        leftOut = 0
    }
}

/// An error code of the operating system.
struct SystemError: Error, CustomStringConvertible {
    let code: CInt

    var description: String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }
}

/// Makes SIGTERM and SIGINT end the program at once with status 0. A closed pipe does not end the program.
func installSignalHandlers() {
    signal(SIGPIPE, SIG_IGN)
    var mask = sigset_t()
    sigemptyset(&mask)
    for number in [SIGTERM, SIGINT] {
        signal(number) { _ in _exit(0) }
        sigaddset(&mask, number)
    }
    // The program inherits the signal mask of its parent, which can block these signals.
    sigprocmask(SIG_UNBLOCK, &mask, nil)
}
