import CLinux
import Glibc

/// An open file or folder, closed with its last holder.
final class Descriptor: Sendable {
    let number: CInt

    /// Takes over what a call opened.
    init(_ open: () -> CInt) throws(SystemError) {
        number = try check(open)
    }

    deinit { close(number) }

    /// Takes the file's lock (flock(2)) where the file system has locks: it says that a process uses the file.
    func claim() { _ = flock(number, LOCK_EX | LOCK_NB) }
}

/// An open folder. Everything in it is named from here, and no link is followed: whoever may write beside us cannot
/// lead us elsewhere.
struct Folder: Sendable {
    private static let mode: mode_t = 0o755
    private static let fileMode: mode_t = 0o644

    let path: String
    private let descriptor: Descriptor

    /// Opens a folder by its path; makes it, and what leads to it, where it is missing.
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

    /// A folder in this one; made where it is missing.
    func folder(_ name: String) throws(SystemError) -> Folder {
        do {
            return try newFolder(name)
        } catch {
            guard error.code == EEXIST else { throw error }
        }
        return try existingFolder(name)
    }

    /// A folder that was not there before; else the error is EEXIST.
    func newFolder(_ name: String) throws(SystemError) -> Folder {
        try check { mkdirat(descriptor.number, name, Self.mode) }
        try sync()
        return try Folder(name, in: self)
    }

    func existingFolder(_ name: String) throws(SystemError) -> Folder { try Folder(name, in: self) }

    /// An empty file that was not there before, to be written; else the error is EEXIST.
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

    /// A file that is there, to be read or written as `access` says.
    func open(_ name: String, access: CInt) throws(SystemError) -> Descriptor {
        try Descriptor { openat(descriptor.number, name, access | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
    }

    /// Removes a file; one that is gone already is no matter.
    func remove(_ name: String) { unlinkat(descriptor.number, name, 0) }

    /// The same for who has to know that it is gone.
    func discard(_ name: String) throws(SystemError) {
        do {
            try check { unlinkat(descriptor.number, name, 0) }
        } catch {
            guard error.code == ENOENT else { throw error }
        }
    }

    /// The size of a file; nil where there is none, or something else.
    func byteCount(of name: String) -> Int? {
        var status = stat()
        guard fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        return Int(status.st_size)
    }

    /// Gives a file a name, also one that is taken.
    func rename(_ name: String, over newName: String) throws(SystemError) {
        try check { renameat(descriptor.number, name, descriptor.number, newName) }
    }

    /// Gives a file a name that nothing has; else the error is EEXIST.
    func rename(_ name: String, toNew newName: String) throws(SystemError) {
        do {
            try check { clinux_rename_new(descriptor.number, name, newName) }
        } catch {
            // Older kinds of file systems cannot do that in one step.
            guard Self.isUnknown(error) else { throw error }
            do {
                try check { linkat(descriptor.number, name, descriptor.number, newName, 0) }
            } catch {
                // link(2): EPERM where files have one name each.
                guard error.code == EPERM || Self.isUnknown(error) else { throw error }
                return try rename(name, overOwn: newName)
            }
            remove(name)
        }
    }

    /// Gives a file a second name, in another folder of the same disk; else the error is EEXIST where it is taken.
    func link(_ name: String, in folder: Folder, as newName: String) throws(SystemError) {
        try check { linkat(descriptor.number, name, folder.descriptor.number, newName, 0) }
    }

    /// The same where the file system can do neither: takes the name with an empty file and replaces that. A crash in
    /// between leaves the empty one.
    func rename(_ name: String, overOwn newName: String) throws(SystemError) {
        _ = try create(newName)
        do {
            try rename(name, over: newName)
        } catch {
            remove(newName)
            throw error
        }
    }

    /// Whether the file system does not know what was asked.
    private static func isUnknown(_ error: SystemError) -> Bool {
        [EINVAL, ENOSYS, EOPNOTSUPP].contains(error.code)
    }

    /// Makes the names in the folder as durable as the files (fsync(2), "does not necessarily ensure…").
    func sync() throws(SystemError) {
        do {
            try check { fsync(descriptor.number) }
        } catch {
            // fsync(2): the file system does that for files only.
            guard error.code == EINVAL else { throw error }
        }
    }

    /// Bytes that may still be written on the folder's disk.
    func freeBytes() throws(SystemError) -> UInt64 {
        var status = statvfs()
        try check { fstatvfs(descriptor.number, &status) }
        let (bytes, isBeyond) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return isBeyond ? .max : bytes
    }

    /// When a name in the folder changed last, in seconds since 1970; nil: the system does not say.
    var changed: Int64? {
        var status = stat()
        return fstat(descriptor.number, &status) == 0 ? Int64(status.st_mtim.tv_sec) : nil
    }

    /// The names in the folder, at most so many, in no order.
    func names(countMax: Int) throws(SystemError) -> [String] {
        // A name of its own: reading moves a position in it, and the end closes it.
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
