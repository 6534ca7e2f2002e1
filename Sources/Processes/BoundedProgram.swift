import Glibc

/// Runs a program with at most one input file, and with limits for its time and its output.
package struct BoundedProgram {
    package enum Failure: Error, Equatable, CustomStringConvertible {
        /// `code` is a value of errno(3).
        case cannotStart(code: CInt)
        case tookTooLong
        case printedTooMuch
        case crashed(signal: CInt)
        case failed(code: CInt)
    }

    package struct Answer {
        package let end: ChildProcess.End
        package let output: [UInt8]
        /// The first bytes on standard error.
        package let errors: [UInt8]
    }

    /// The maximum number of bytes of one read.
    private static let pieceSize = 1 << 16

    private let path: String
    private let arguments: [String]
    private let keepsEnvironment: Bool
    /// The descriptor of the program's standard input; nil: no input.
    private let input: CInt?

    package init(path: String, arguments: [String] = [], keepsEnvironment: Bool = false, input: CInt? = nil) {
        self.path = path
        self.arguments = arguments
        self.keepsEnvironment = keepsEnvironment
        self.input = input
    }

    /// Runs the program to its end and returns its output. Blocks the calling thread.
    package func run(outputMax: Int, timeout: Duration) throws(Failure) -> [UInt8] {
        let answer = try answer(outputMax: outputMax, timeout: timeout)
        switch answer.end {
        case .exited(code: 0): return answer.output
        case .exited(let code): throw .failed(code: code)
        case .killed(let signal): throw .crashed(signal: signal)
        }
    }

    /// Runs the program to its end, which can be a failure of the program. Blocks the calling thread.
    ///
    /// - Parameter errorsMax: The number of bytes on standard error to keep. Zero: none is read.
    package func answer(outputMax: Int, errorsMax: Int = 0, timeout: Duration) throws(Failure) -> Answer {
        let clock = ContinuousClock()
        let deadline = clock.now + timeout
        func remaining() -> CInt { CInt(max(0, (deadline - clock.now) / .milliseconds(1)).rounded(.up)) }
        let (process, streams) = try start(readsErrors: errorsMax > 0)
        // The program's child processes are killed with the program.
        defer {
            process.stop()
            for stream in streams { stream.close() }
        }
        let printed = try Self.read(streams, maxima: [outputMax, errorsMax], remaining: remaining)
        // The output has ended, so the program will end soon. Polling is cheaper than a notification.
        while true {
            if let end = process.endUnlessRunning() {
                return Answer(end: end, output: printed[0], errors: errorsMax > 0 ? printed[1] : [])
            }
            guard remaining() > 0 else { throw .tookTooLong }
            poll(nil, 0, 1)
        }
    }

    /// Reads the streams to their ends. Only the first stream has a limit that ends the reading. The bytes of another
    /// stream beyond its limit are dropped.
    private static func read(
        _ streams: [PipeEnd],
        maxima: [Int],
        remaining: () -> CInt
    ) throws(Failure) -> [[UInt8]] {
        var printed = streams.map { _ in [UInt8]() }
        var requests = streams.map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) }
        var buffer = [UInt8](repeating: 0, count: min(maxima.reduce(0, max) + 1, pieceSize))
        // poll(2) ignores a request with the descriptor -1.
        while requests.contains(where: { $0.fd >= 0 }) {
            let ready = poll(&requests, nfds_t(requests.count), remaining())
            guard ready != 0 else { throw .tookTooLong }
            guard ready > 0 else { continue }
            for index in requests.indices where requests[index].revents != 0 {
                let count = Glibc.read(requests[index].fd, &buffer, buffer.count)
                if count <= 0 { requests[index].fd = -1 }
                let room = index == 0 ? buffer.count : maxima[index] - printed[index].count
                printed[index] += buffer.prefix(max(0, min(count, room)))
            }
            guard printed[0].count <= maxima[0] else { throw .printedTooMuch }
        }
        return printed
    }

    /// Starts the program. Returns the process, and the pipes for reading its output and its errors.
    private func start(readsErrors: Bool) throws(Failure) -> (process: ChildProcess, streams: [PipeEnd]) {
        do throws(ChildProcess.StartFailure) {
            let output = try PipeEnd.pair()
            let errors = try readsErrors ? PipeEnd.pair() : nil
            let process = try ChildProcess(
                path: path,
                arguments: arguments,
                keepsEnvironment: keepsEnvironment,
                input: input,
                output: output.writing.number,
                errors: errors?.writing.number
            )
            // The reading ends report the end of the output only after this process has closed the writing ends.
            output.writing.close()
            errors?.writing.close()
            return (process, [output.reading] + (errors.map { [$0.reading] } ?? []))
        } catch {
            throw .cannotStart(code: error.code)
        }
    }
}
