import Foundation
import Synchronization

/// Another program that bracketctl runs. The program gets no input and has a time limit.
struct OtherProgram {
    struct Answer {
        var status: Int32
        var output: [UInt8]
        var errors: String

        /// The first line on standard error, as a part of a sentence.
        var complaint: String {
            errors.split(separator: "\n").first.map(String.init) ?? BundleSentences.endedWith(status)
        }
    }

    let path: String

    /// Finds the program with this name in one of these directories.
    init?(_ name: String, in folders: [String]) {
        guard let folder = folders.first(where: { access("\($0)/\(name)", X_OK) == 0 }) else { return nil }
        path = "\(folder)/\(name)"
    }

    init(path: String) { self.path = path }

    /// The directories of the system's programs. PATH is not used, because root often packs a bundle.
    static let systemFolders = ["/usr/bin", "/bin"]

    /// Runs the program until it ends.
    ///
    /// - Parameter outputMax: The maximum number of bytes that the program is allowed to print.
    func run(_ arguments: [String], outputMax: Int, within timeMax: TimeInterval) throws(PartError) -> Answer {
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
            throw PartError(reason: BundleSentences.notStarted(path, error))
        }
        let output = Self.read(pipes.output, max: outputMax + 1, in: group) {
            // Only SIGKILL always ends a program. A program, or its parent, can ignore or block other signals.
            kill(process.processIdentifier, SIGKILL)
        }
        let errors = Self.read(pipes.errors, max: 1 << 16, in: group) {}
        guard group.wait(timeout: .now() + timeMax) == .success else {
            kill(process.processIdentifier, SIGKILL)
            throw PartError(reason: BundleSentences.didNotEnd(path, withinSeconds: Int(timeMax)))
        }
        let printed = output.bytes.withLock { $0 }
        guard printed.count <= outputMax else {
            throw PartError(reason: BundleSentences.printedTooMuch(path, byteCountMax: outputMax))
        }
        let complaints = String(decoding: errors.bytes.withLock { $0 }, as: UTF8.self)
        return Answer(status: process.terminationStatus, output: printed, errors: complaints)
    }

    private final class OutputCollector: Sendable {
        let bytes = Mutex<[UInt8]>([])
    }

    /// Reads a pipe to its end on a separate thread. Keeps only a limited number of bytes.
    private static func read(
        _ pipe: Pipe,
        max: Int,
        in group: DispatchGroup,
        onTooMuch: @escaping @Sendable () -> Void
    ) -> OutputCollector {
        let collector = OutputCollector()
        group.enter()
        DispatchQueue.global().async {
            while case let more = pipe.fileHandleForReading.availableData, !more.isEmpty {
                let isFull = collector.bytes.withLock { bytes in
                    bytes += more.prefix(max - bytes.count)
                    return bytes.count >= max
                }
                if isFull { onTooMuch() }
            }
            group.leave()
        }
        return collector
    }
}
