#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A file that the user named, to be written in one piece.
///
/// A regular file of the user's own is replaced: a reader finds the old content or the new one, never a part. Anything
/// else is written into as it stands: a link, a FIFO, a device, a file of another user or group, a file with a second
/// name.
package enum NamedFile {
    /// No new file is possible beside a file that may be writable itself: its directory is read-only, or its name long.
    private static let noNewFileCodes: Set<Int32> = [EACCES, EPERM, EROFS, ENAMETOOLONG]

    package static func write(_ text: String, to path: String) throws(OutputFailure) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            // There is no such file, or nothing of the path may be seen: opening it says which.
            return try replace(path, with: text, mode: nil)
        }
        let isOwn =
            status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid() && status.st_gid == getegid()
            && status.st_nlink == 1
        guard isOwn else { return try write(text, into: path) }
        // Renaming does not ask whether the file may be written.
        guard access(path, W_OK) == 0 else { throw OutputFailure(target: path, code: errno) }
        try replace(path, with: text, mode: status.st_mode & 0o7777)
    }

    /// - Parameter mode: the permissions of the file that is replaced.
    private static func replace(_ path: String, with text: String, mode: mode_t?) throws(OutputFailure) {
        let temporary = "\(path).\(getpid()).part"
        // A process that had the same number may have left one behind.
        unlink(temporary)
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard file >= 0 else {
            let code = errno
            // Opening the file empties it. Where the disk is full, that would lose its content.
            guard noNewFileCodes.contains(code) else { throw OutputFailure(target: path, code: code) }
            return try write(text, into: path)
        }
        var code = write(text, to: file)
        if code == nil, let mode, fchmod(file, mode) != 0 { code = errno }
        code = finish(file, code)
        if code == nil, rename(temporary, path) != 0 { code = errno }
        guard let code else { return }
        unlink(temporary)
        throw OutputFailure(target: path, code: code)
    }

    private static func write(_ text: String, into path: String) throws(OutputFailure) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw OutputFailure(target: path, code: errno) }
        if let code = fill(file, with: text) { throw OutputFailure(target: path, code: code) }
    }

    /// Writes a text into an open file, puts it on the disk and closes the file. Returns the first error number.
    package static func fill(_ file: CInt, with text: String) -> CInt? { finish(file, write(text, to: file)) }

    private static func write(_ text: String, to file: CInt) -> CInt? {
        var text = text
        return text.withUTF8 { StandardStream.write(UnsafeRawBufferPointer($0), to: file) }
    }

    /// Puts the content on the disk and closes the file. Returns the first error number.
    private static func finish(_ file: CInt, _ earlier: CInt?) -> CInt? {
        var code = earlier
        // A FIFO and most devices have nothing to put on a disk (fsync(2), EINVAL).
        if code == nil, fsync(file) != 0, errno != EINVAL, errno != EROFS { code = errno }
        if close(file) != 0, code == nil { code = errno }
        return code
    }
}
