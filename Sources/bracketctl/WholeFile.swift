import Foundation

/// A file that is there whole, or as it was before.
enum WholeFile {
    static func write(_ text: String, to path: String) throws(Failure) {
        let temporary = "\(path).\(getpid()).part"
        let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard file >= 0 else { throw failure(path) }
        do {
            try Output.descriptor(file).text(text)
        } catch {
            let reason = failure(path)
            close(file)
            unlink(temporary)
            throw reason
        }
        guard fsync(file) == 0, close(file) == 0, rename(temporary, path) == 0 else {
            let reason = failure(path)
            unlink(temporary)
            throw reason
        }
    }

    private static func failure(_ path: String) -> Failure {
        Failure(.error, name: "NotWritten", "\(path) cannot be written: \(String(cString: strerror(errno))).")
    }
}
