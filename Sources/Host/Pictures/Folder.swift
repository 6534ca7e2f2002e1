import CLinux
import Glibc

/// An open file or directory. It closes when its last reference ends.
final class Descriptor: Sendable {
    let number: CInt

    /// Calls `open` and owns the descriptor that it returns.
    init(_ open: () -> CInt) throws(SystemError) {
        number = try check(open)
    }

    deinit { close(number) }

    /// Acquires the file's lock (flock(2)), where supported. The lock shows that a process uses the file.
    func claim() { _ = flock(number, LOCK_EX | LOCK_NB) }
}

/// An open directory. Names are resolved relative to the directory, and no link is followed. Another user with write
/// access therefore cannot redirect the daemon to other files.
struct Folder: Sendable {
    private static let mode: mode_t = 0o755
    private static let fileMode: mode_t = 0o644

    let path: String
    private let descriptor: Descriptor

    /// Opens a directory by its path. Creates the directory and its parents if they are missing.
    init(path: String, mode: mode_t = Self.mode) throws(SystemError) {
        try makeDirectories(path, mode: mode)
        self.path = path
        descriptor = try Descriptor { Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    }

    private init(_ name: String, in parent: Folder) throws(SystemError) {
        path = "\(parent.path)/\(name)"
        descriptor = try Descriptor {
            openat(parent.descriptor.number, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        }
    }

    /// Opens a directory in this directory. Creates the directory if it is missing.
    func folder(_ name: String) throws(SystemError) -> Folder {
        do {
            return try newFolder(name)
        } catch {
            guard error.code == EEXIST else { throw error }
        }
        return try existingFolder(name)
    }

    /// Creates a directory. The error is EEXIST if the name exists.
    func newFolder(_ name: String) throws(SystemError) -> Folder {
        try check { mkdirat(descriptor.number, name, Self.mode) }
        try sync()
        return try Folder(name, in: self)
    }

    func existingFolder(_ name: String) throws(SystemError) -> Folder { try Folder(name, in: self) }

    /// Creates an empty file for writing. The error is EEXIST if the name exists.
    func create(_ name: String, mode: mode_t = Self.fileMode) throws(SystemError) -> Descriptor {
        try Descriptor {
            openat(
                descriptor.number,
                name,
                O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                mode
            )
        }
    }

    /// Opens an existing file with `access`, for example O_RDONLY.
    func open(_ name: String, access: CInt) throws(SystemError) -> Descriptor {
        try Descriptor { openat(descriptor.number, name, access | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
    }

    /// Removes a file. A missing file is no error.
    func remove(_ name: String) { unlinkat(descriptor.number, name, 0) }

    /// Removes a file, and throws if the file may still exist.
    func discard(_ name: String) throws(SystemError) {
        do {
            try check { unlinkat(descriptor.number, name, 0) }
        } catch {
            guard error.code == ENOENT else { throw error }
        }
    }

    /// The size of a file; nil if the file is missing or is not a regular file.
    func byteCount(of name: String) -> Int? {
        var status = stat()
        guard fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        return Int(status.st_size)
    }

    /// Renames a file. Replaces an existing file with the new name.
    func rename(_ name: String, over newName: String) throws(SystemError) {
        try check { renameat(descriptor.number, name, descriptor.number, newName) }
    }

    /// Renames a file to an unused name. The error is EEXIST if the name exists.
    func rename(_ name: String, toNew newName: String) throws(SystemError) {
        do {
            try check { clinux_rename_new(descriptor.number, name, newName) }
        } catch {
            // Older file systems cannot rename and check for an existing name in one step.
            guard Self.isUnknown(error) else { throw error }
            do {
                try check { linkat(descriptor.number, name, descriptor.number, newName, 0) }
            } catch {
                // link(2) fails with EPERM if the file system does not support hard links.
                guard error.code == EPERM || Self.isUnknown(error) else { throw error }
                return try rename(name, overOwn: newName)
            }
            remove(name)
        }
    }

    /// Makes a hard link in another directory of the same disk. The error is EEXIST if the name exists.
    func link(_ name: String, in folder: Folder, as newName: String) throws(SystemError) {
        try check { linkat(descriptor.number, name, folder.descriptor.number, newName, 0) }
    }

    /// Renames a file on a disk that supports neither `clinux_rename_new` nor hard links. Creates an empty file with
    /// the new name and replaces it. A crash between the two steps leaves the empty file.
    func rename(_ name: String, overOwn newName: String) throws(SystemError) {
        _ = try create(newName)
        do {
            try rename(name, over: newName)
        } catch {
            remove(newName)
            throw error
        }
    }

    /// Whether the file system does not support the operation.
    private static func isUnknown(_ error: SystemError) -> Bool {
        [EINVAL, ENOSYS, EOPNOTSUPP].contains(error.code)
    }

    /// Syncs the file names of the directory (fsync(2), "does not necessarily ensure…").
    func sync() throws(SystemError) {
        do {
            try check { fsync(descriptor.number) }
        } catch {
            // fsync(2) fails with EINVAL if the file system can sync only files.
            guard error.code == EINVAL else { throw error }
        }
    }

    /// The free bytes of the directory's disk.
    func freeBytes() throws(SystemError) -> UInt64 {
        var status = statvfs()
        try check { fstatvfs(descriptor.number, &status) }
        let (bytes, isBeyond) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return isBeyond ? .max : bytes
    }

    /// The time of the directory's last change, in seconds since 1970; nil if unknown.
    var changed: Int64? {
        var status = stat()
        return fstat(descriptor.number, &status) == 0 ? Int64(status.st_mtim.tv_sec) : nil
    }

    /// The names in the directory, at most `countMax`, unsorted.
    func names(countMax: Int) throws(SystemError) -> [String] {
        // The stream needs a separate descriptor, because reading moves its position, and closedir(3) closes it.
        let own = try check { openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard let stream = fdopendir(own) else {
            defer { close(own) }
            throw SystemError.last
        }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < countMax, let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
