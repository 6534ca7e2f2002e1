import Glibc

enum DirectoryLockError: Error, Equatable {
    /// Another process holds the lock; nil: that process has not written its process ID yet.
    case inUse(process: Int?)
    case failed(String)
}

/// A daemon's lock on a directory: flock(2) on a file in the directory, or on the directory itself. The kernel releases
/// the lock when the process ends, also after `kill -9`. A remaining lock file therefore locks nothing.
struct DirectoryLock: Sendable {
    private static let sizeMax = 32
    private let file: Descriptor

    /// Locks a user's directory without creating a file in it.
    init(directory: String) throws(DirectoryLockError) {
        do {
            file = try Descriptor { Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
            try check { flock(file.number, LOCK_EX | LOCK_NB) }
        } catch {
            guard error.code == EWOULDBLOCK else { throw .failed(DaemonSentences.notLocked(directory, error)) }
            throw .inUse(process: Self.holder(of: directory))
        }
    }

    /// The process that holds the lock on a file (proc_locks(5)); nil when the kernel does not list the process.
    private static func holder(of path: String) -> Int? {
        var status = stat()
        guard stat(path, &status) == 0, let content = try? readFile("/proc/locks", sizeMax: 1 << 20) else { return nil }
        // The kernel writes MAJOR:MINOR:INODE, with MAJOR and MINOR as at least two hexadecimal digits (makedev(3)).
        let major = status.st_dev >> 8 & 0xFFF
        let minor = status.st_dev & 0xFF | status.st_dev >> 12 & 0xFFF00
        let device = [major, minor].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        let place = "\(device.joined(separator: ":")):\(status.st_ino)"
        let holders = String(decoding: content, as: UTF8.self).split(separator: "\n").compactMap { line -> Int? in
            let words = line.split(separator: " ")
            guard words.count > 5, words[1] == "FLOCK", words[3] == "WRITE",
                words[5] == place
            else { return nil }
            return Int(words[4])
        }
        return holders.count == 1 ? holders[0] : nil
    }

    /// Acquires the lock on a file without waiting, and writes the process ID into the file.
    init(path: String) throws(DirectoryLockError) {
        do {
            file = try Self.open(path)
        } catch {
            throw .failed(DaemonSentences.lockNotOpened(path, error))
        }
        var status = stat()
        // Accepts only a file with one name. Through a hard link, the process ID would overwrite another file.
        guard fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else {
            throw .failed(DaemonSentences.lockIsForeign(path))
        }
        do {
            try check { flock(file.number, LOCK_EX | LOCK_NB) }
        } catch {
            guard error.code == EWOULDBLOCK else { throw .failed(DaemonSentences.notLocked(path, error)) }
            throw .inUse(process: Self.process(in: file))
        }
        // The process ID is only for the error message of another process.
        _ = ftruncate(file.number, 0)
        _ = Array("\(getpid())\n".utf8).withUnsafeBytes { pwrite(file.number, $0.baseAddress, $0.count, 0) }
    }

    private static func open(_ path: String) throws(SystemError) -> Descriptor {
        let flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        do {
            let file = try Descriptor { Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | flags, 0o600) }
            setOwner(ofFolderOf: path, file)
            return file
        } catch {
            guard error.code == EEXIST else { throw error }
        }
        return try Descriptor { Glibc.open(path, O_RDWR | flags) }
    }

    /// Changes the owner of a file that root creates to the owner of its directory, usually the service's user.
    /// Otherwise that user could not lock the file.
    private static func setOwner(ofFolderOf path: String, _ file: Descriptor) {
        guard geteuid() == 0, let slash = path.lastIndex(of: "/") else { return }
        var status = stat()
        guard stat(String(path[...slash]), &status) == 0 else { return }
        _ = fchown(file.number, status.st_uid, status.st_gid)
    }

    private static func process(in file: Descriptor) -> Int? {
        var bytes = [UInt8](repeating: 0, count: sizeMax)
        let count = bytes.withUnsafeMutableBytes { pread(file.number, $0.baseAddress, $0.count, 0) }
        return Int(String(decoding: bytes.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }
}

/// A daemon's locks on the directories that it writes to.
struct DirectoryLocks: Sendable {
    static let storageLockName = "bracketd.lock"

    private var locks: [DirectoryLock]

    init(storage: StorageDirectory) throws(StorageError) {
        locks = [try storage.lock()]
    }

    /// Locks the directory for pictures too. Throws only if another daemon uses the directory. If it cannot be locked
    /// for another reason, such as a missing disk, each picture file's own lock protects the file.
    mutating func claimPictures(_ path: String) throws(StorageError) {
        guard (try? makeDirectories(path, mode: 0o755)) != nil else { return }
        do {
            locks.append(try DirectoryLock(directory: path))
        } catch {
            guard case .inUse(let process) = error else { return }
            throw StorageError(inUse: path, as: .pictures, process: process)
        }
    }
}

extension StorageDirectory {
    func lock() throws(StorageError) -> DirectoryLock {
        let lockPath = "\(path)/\(DirectoryLocks.storageLockName)"
        do {
            return try DirectoryLock(path: lockPath)
        } catch {
            switch error {
            case .inUse(let process): throw StorageError(inUse: path, as: .storage, process: process)
            case .failed(let sentence):
                throw StorageError(path: path, action: .useDirectory(.storage), reason: sentence)
            }
        }
    }
}

extension StorageError {
    init(inUse path: String, as directory: Directory, process: Int?) {
        let reason = DaemonSentences.directoryInUse(process: process)
        self.init(path: path, action: .useDirectory(directory), reason: reason)
        advice = DaemonSentences.stopOrSetDirectory(directory)
    }
}
