#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Writes a file that the user named, as a whole.
///
/// A regular file of the user's own is replaced atomically. Anything else is written in place: a link, a FIFO, a
/// device, a file of another user or group, a file with a second name.
package enum NamedFile {
    /// The errors after which the file is written in place, because a new file beside it is not possible. For example,
    /// the directory is read-only, or the name of the new file is too long.
    private static let noNewFileCodes: Set<Int32> = [EACCES, EPERM, EROFS, ENAMETOOLONG]

    package static func write(_ text: String, to path: String) throws(OutputFailure) {
        try write(Array(text.utf8), to: path)
    }

    package static func write(_ bytes: [UInt8], to path: String) throws(OutputFailure) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            // The file does not exist, or its path is not accessible. The attempt to create it throws the reason.
            return try replace(path, with: bytes, mode: nil)
        }
        let isOwn =
            status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid() && status.st_gid == getegid()
            && status.st_nlink == 1
        guard isOwn else { return try write(bytes, into: path) }
        // rename(2) does not check whether the old file is writable.
        guard access(path, W_OK) == 0 else { throw OutputFailure(target: path, code: errno) }
        try replace(path, with: bytes, mode: status.st_mode & 0o7777)
    }

    /// - Parameter mode: the permissions of the replaced file.
    private static func replace(_ path: String, with bytes: [UInt8], mode: mode_t?) throws(OutputFailure) {
        let temporary = "\(path).\(getpid()).part"
        // An earlier process with the same id may have left a temporary file.
        unlink(temporary)
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard file >= 0 else {
            let code = errno
            // Writing in place empties the file first, so its content would be lost on a full disk.
            guard noNewFileCodes.contains(code) else { throw OutputFailure(target: path, code: code) }
            return try write(bytes, into: path)
        }
        var code = write(bytes, to: file)
        if code == nil, let mode, fchmod(file, mode) != 0 { code = errno }
        code = finish(file, code)
        if code == nil, rename(temporary, path) != 0 { code = errno }
        guard let code else { return }
        unlink(temporary)
        throw OutputFailure(target: path, code: code)
    }

    private static func write(_ bytes: [UInt8], into path: String) throws(OutputFailure) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw OutputFailure(target: path, code: errno) }
        if let code = finish(file, write(bytes, to: file)) { throw OutputFailure(target: path, code: code) }
    }

    /// Writes a text into an open file, syncs it and closes it. Returns the number of the first error.
    package static func fill(_ file: CInt, with text: String) -> CInt? {
        finish(file, write(Array(text.utf8), to: file))
    }

    private static func write(_ bytes: [UInt8], to file: CInt) -> CInt? {
        bytes.withUnsafeBytes { StandardStream.write($0, to: file) }
    }

    /// Syncs and closes the file. Returns the number of the first error.
    private static func finish(_ file: CInt, _ earlier: CInt?) -> CInt? {
        var code = earlier
        // A FIFO and most devices cannot be synced (fsync(2), EINVAL).
        if code == nil, fsync(file) != 0, errno != EINVAL, errno != EROFS { code = errno }
        if close(file) != 0, code == nil { code = errno }
        return code
    }
}
