import Foundation
import Synchronization

/// Another program that bracketctl asks something: it gets no input, and little time.
struct OtherProgram {
    /// What it said and how it ended.
    struct Answer {
        var status: Int32
        var output: [UInt8]
        var errors: String

        /// Its first line on standard error, for a sentence.
        var complaint: String { errors.split(separator: "\n").first.map(String.init) ?? "it ended with \(status)" }
    }

    /// Why there is no answer, for a sentence.
    struct Trouble: Error {
        var reason: String
    }

    let path: String

    /// The program of this name in one of these folders.
    init?(_ name: String, in folders: [String]) {
        guard let folder = folders.first(where: { access("\($0)/\(name)", X_OK) == 0 }) else { return nil }
        path = "\(folder)/\(name)"
    }

    init(path: String) { self.path = path }

    /// Where the system has its programs. Not the PATH of whoever calls: bundles are often packed by root.
    static let systemFolders = ["/usr/bin", "/bin"]

    /// Runs it to its end.
    ///
    /// - Parameter outputMax: how many bytes it may print.
    func run(_ arguments: [String], outputMax: Int, within timeMax: TimeInterval) throws(Trouble) -> Answer {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        let pipes = (output: Pipe(), errors: Pipe())
        process.standardOutput = pipes.output
        process.standardError = pipes.errors
        let group = DispatchGroup()
        group.enter()
        process.terminationHandler = { _ in group.leave() }
        do {
            try process.run()
        } catch {
            throw Trouble(reason: "\(path) cannot be started: \(error)")
        }
        let output = Self.read(pipes.output, max: outputMax + 1, in: group) {
            // It may be deaf to anything milder: a signal that whoever started us blocks.
            kill(process.processIdentifier, SIGKILL)
        }
        let errors = Self.read(pipes.errors, max: 1 << 16, in: group) {}
        guard group.wait(timeout: .now() + timeMax) == .success else {
            kill(process.processIdentifier, SIGKILL)
            throw Trouble(reason: "\(path) did not end within \(Int(timeMax)) s")
        }
        let printed = output.bytes.withLock { $0 }
        guard printed.count <= outputMax else { throw Trouble(reason: "\(path) printed more than \(outputMax) bytes") }
        let complaints = String(decoding: errors.bytes.withLock { $0 }, as: UTF8.self)
        return Answer(status: process.terminationStatus, output: printed, errors: complaints)
    }

    private final class Sink: Sendable {
        let bytes = Mutex<[UInt8]>([])
    }

    /// Reads a pipe to its end on a thread of its own, and keeps at most so many bytes.
    private static func read(
        _ pipe: Pipe,
        max: Int,
        in group: DispatchGroup,
        onTooMuch: @escaping @Sendable () -> Void
    ) -> Sink {
        let sink = Sink()
        group.enter()
        DispatchQueue.global().async {
            while case let more = pipe.fileHandleForReading.availableData, !more.isEmpty {
                let isFull = sink.bytes.withLock { bytes in
                    bytes += more.prefix(max - bytes.count)
                    return bytes.count >= max
                }
                if isFull { onTooMuch() }
            }
            group.leave()
        }
        return sink
    }
}
