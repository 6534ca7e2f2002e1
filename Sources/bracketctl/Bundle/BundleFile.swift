import Glibc
import Processes
import ProgramOutput

/// The file of a bundle: a tar archive that the system's gzip compresses. Only the owner can read it. An existing file
/// is never replaced.
final class BundleFile {
    let path: String
    private let gzip: ChildProcess
    /// The end of a pipe for writing to gzip.
    private let input: PipeEnd

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
        defer { close(descriptor) }
        do throws(Failure) {
            (gzip, input) = try Self.startGzip(writingTo: descriptor)
        } catch {
            unlink(path)
            throw error
        }
    }

    private static func startGzip(writingTo file: Int32) throws(Failure) -> (ChildProcess, PipeEnd) {
        guard let gzip = OtherProgram("gzip", in: OtherProgram.systemFolders) else {
            throw Failure("NotWritten", BundleSentences.noGzip)
        }
        // After gzip has ended, a write to gzip returns an error. Without this call, SIGPIPE would end this process.
        signal(SIGPIPE, SIG_IGN)
        do throws(ChildProcess.StartFailure) {
            let pipe = try PipeEnd.pair()
            let process = try ChildProcess(
                path: gzip.path,
                arguments: ["-c"],
                keepsEnvironment: true,
                input: pipe.reading.number,
                output: file,
                errors: nil
            )
            // A write fails after the end of gzip only if no other process can read from the pipe.
            pipe.reading.close()
            return (process, pipe.writing)
        } catch {
            throw Failure("NotWritten", BundleSentences.gzipNotStarted(error.reason))
        }
    }

    func write(_ bytes: [UInt8]) throws(Failure) {
        let code = bytes.withUnsafeBytes { StandardStream.write($0, to: input.number) }
        guard code == nil else { throw failure }
    }

    /// Syncs the file to disk. Returns the number of its bytes.
    func finish() throws(Failure) -> Int {
        input.close()
        guard gzip.waitForEnd() == .exited(code: 0) else { throw failure }
        var status = stat()
        let file = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        guard file >= 0, fsync(file) == 0, fstat(file, &status) == 0 else { throw failure }
        return Int(status.st_size)
    }

    func abandon() {
        input.close()
        gzip.stop()
        unlink(path)
    }

    private var failure: Failure {
        Failure("NotWritten", BundleSentences.notWritten(path))
    }
}
