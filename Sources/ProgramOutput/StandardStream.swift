import Synchronization

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Standard output or standard error, without a buffer: errors of a buffer that is flushed at the end would be lost.
package struct StandardStream: Sendable {
    package static let output = StandardStream(descriptor: STDOUT_FILENO, name: "standard output")
    package static let errors = StandardStream(descriptor: STDERR_FILENO, name: "standard error")

    private let descriptor: CInt
    private let name: String

    /// Whether a message could not be written.
    private static let lostMessage = Atomic<Bool>(false)

    package func write(_ text: String) throws(OutputFailure) { try write(Array(text.utf8)) }

    package func write(_ bytes: [UInt8]) throws(OutputFailure) {
        let code = bytes.withUnsafeBytes { Self.write($0, to: descriptor) }
        if let code { throw OutputFailure(target: name, code: code) }
    }

    package func line(_ text: String) throws(OutputFailure) { try write(text + "\n") }

    /// Writes a line about the program's work. If that fails, the work continues, but the program does not exit with
    /// status 0.
    package func message(_ text: String) {
        do throws(OutputFailure) {
            try line(text)
        } catch {
            Self.lostMessage.store(true, ordering: .relaxed)
        }
    }

    /// Prints why a program cannot write its output. Prints nothing if the reader closed the pipe.
    ///
    /// - Returns: the program's exit status, 1.
    package static func report(_ failure: OutputFailure, of program: String) -> CInt {
        if !failure.isBrokenPipe { errors.message("\(program): \(failure.sentence)") }
        return 1
    }

    /// Exits with a status. The status is never 0 if a message could not be written.
    package static func endProgram(_ status: CInt) -> Never {
        exit(status == 0 && lostMessage.load(ordering: .relaxed) ? 1 : status)
    }

    /// Opens `/dev/null` for each closed standard stream, so that a write to the stream still fails.
    ///
    /// Otherwise the next file that the program opens would get the stream's number and receive the program's output.
    package static func occupyClosed() {
        // The system assigns the lowest free number, so the streams must be opened in this order.
        for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", mode)
        }
    }

    /// Writes all bytes to an open file. Returns the error number on failure.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) -> CInt? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: rest))
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count < 0, errno == EAGAIN {
                // The write can fail with EAGAIN if another program made the terminal non-blocking.
                var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&request, 1, -1)
            } else if count == 0 || errno != EINTR {
                return count == 0 ? EIO : errno
            }
        }
        return nil
    }

    private static func systemWrite(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Musl)
        Musl.write(descriptor, bytes.baseAddress, bytes.count)
        #else
        Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }
}
