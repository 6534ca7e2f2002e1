import Foundation
import ProgramOutput

/// The file of a bundle: a tar archive that the system's gzip compresses. Only the owner can read it. An existing file
/// is never replaced.
final class BundleFile {
    let path: String
    private let process = Process()
    private let input = Pipe()
    private let ended = DispatchGroup()

    init(_ path: String) throws(Failure) {
        self.path = path
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            let reason =
                errno == EEXIST
                ? BundleSentences.fileExists(path)
                : BundleSentences.notCreated(path, String(cString: strerror(errno)))
            throw Failure("NotWritten", reason)
        }
        guard let gzip = OtherProgram("gzip", in: OtherProgram.systemFolders) else {
            close(descriptor)
            unlink(path)
            throw Failure("NotWritten", BundleSentences.noGzip)
        }
        // After gzip has ended, a write to gzip returns an error. Without this call, SIGPIPE would end this process.
        signal(SIGPIPE, SIG_IGN)
        process.executableURL = URL(filePath: gzip.path)
        process.arguments = ["-c"]
        process.standardInput = input
        process.standardOutput = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        process.standardError = FileHandle.nullDevice
        ended.enter()
        process.terminationHandler = { [ended] _ in ended.leave() }
        do {
            try process.run()
        } catch {
            unlink(path)
            throw Failure("NotWritten", BundleSentences.gzipNotStarted(error))
        }
        try? input.fileHandleForReading.close()
    }

    func write(_ bytes: [UInt8]) throws(Failure) {
        let pipe = input.fileHandleForWriting.fileDescriptor
        guard bytes.withUnsafeBytes({ StandardStream.write($0, to: pipe) }) == nil else { throw failure }
    }

    /// Syncs the file to disk. Returns the number of its bytes.
    func finish() throws(Failure) -> Int {
        try? input.fileHandleForWriting.close()
        ended.wait()
        guard process.terminationStatus == 0 else { throw failure }
        var status = stat()
        let file = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        guard file >= 0, fsync(file) == 0, fstat(file, &status) == 0 else { throw failure }
        return Int(status.st_size)
    }

    func abandon() {
        try? input.fileHandleForWriting.close()
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        ended.wait()
        unlink(path)
    }

    private var failure: Failure {
        Failure("NotWritten", BundleSentences.notWritten(path))
    }
}
