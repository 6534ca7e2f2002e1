import Glibc
import ProgramOutput

/// An open directory. All names are resolved from this directory, and no symbolic link is followed.
final class CardFolder {
    struct Entry {
        enum Kind { case folder, file, other }

        var name: String
        var kind: Kind
        var identity: Identity
        /// The number of hard links of the file.
        var nameCount: Int
        var byteCount: Int
    }

    /// The identity of a file on this computer.
    struct Identity: Hashable {
        var device: UInt64
        var number: UInt64
    }

    private static let mode: mode_t = 0o777
    private static let fileMode: mode_t = 0o666

    /// The path for messages.
    let path: String
    private let descriptor: Int32

    /// Opens the directory that the user names. Symbolic links in the path are followed.
    init(path: String) throws(Failure) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CardFolder.failure(path, .opened, errno) }
    }

    private init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    static func failure(_ path: String, _ action: FileSentences.Action, _ code: Int32) -> Failure {
        Failure("FileError", FileSentences.failed(path, action, String(cString: strerror(code))))
    }

    func folder(_ name: String) throws(Failure) -> CardFolder {
        guard let folder = openFolder(name) else {
            throw CardFolder.failure("\(path)/\(name)", .opened, errno)
        }
        return folder
    }

    /// Opens a directory in this directory. Returns nil on failure, with the error in errno.
    func openFolder(_ name: String) -> CardFolder? {
        let opened = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        return opened >= 0 ? CardFolder(path: "\(path)/\(name)", descriptor: opened) : nil
    }

    func folder(_ names: ArraySlice<String>) throws(Failure) -> CardFolder {
        var folder = self
        for name in names { folder = try folder.folder(name) }
        return folder
    }

    /// Opens a directory in this directory. Creates it if it does not exist.
    func madeFolder(_ name: String) throws(Failure) -> CardFolder {
        guard mkdirat(descriptor, name, CardFolder.mode) == 0 || errno == EEXIST else {
            throw CardFolder.failure("\(path)/\(name)", .created, errno)
        }
        return try folder(name)
    }

    /// The entries, sorted by name; nil if there are more than `countMax`.
    func entries(countMax: Int) throws(Failure) -> [Entry]? {
        let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0, let stream = fdopendir(own) else {
            throw CardFolder.failure(path, .read, errno)
        }
        defer { closedir(stream) }
        var entries: [Entry] = []
        while let found = readdir(stream) {
            // A name that is not UTF-8 is ignored, because a manifest cannot contain it.
            let name = withUnsafeBytes(of: found.pointee.d_name) {
                String(validating: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            // Hidden files are ignored, because some systems add one beside each picture.
            guard let name, !name.hasPrefix("."), let entry = entry(name) else { continue }
            entries.append(entry)
            guard entries.count <= countMax else { return nil }
        }
        return entries.sorted { $0.name < $1.name }
    }

    /// The entry with this name; nil: no such entry exists.
    func entry(_ name: String) -> Entry? {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        let kind: Entry.Kind =
            switch status.st_mode & S_IFMT {
            case S_IFDIR: .folder
            case S_IFREG: .file
            default: .other
            }
        let identity = Identity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
        return Entry(
            name: name,
            kind: kind,
            identity: identity,
            nameCount: Int(status.st_nlink),
            byteCount: Int(status.st_size)
        )
    }

    /// Opens a regular file for reading. The caller closes the file. Returns nil on failure, with the error in errno.
    func openFile(_ name: String) -> Int32? {
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        return file >= 0 ? file : nil
    }

    /// The bytes of a file; nil: the file does not exist or has more than `countMax` bytes.
    func bytes(of name: String, countMax: Int) -> [UInt8]? {
        guard let file = openFile(name) else { return nil }
        defer { close(file) }
        guard let bytes = InputFile.bytes(of: file, countMax: countMax + 1), bytes.count <= countMax else { return nil }
        return bytes
    }

    /// Makes a hard link to a file of another directory. Returns 0, or the value of errno.
    func link(_ name: String, of folder: CardFolder, as newName: String) -> Int32 {
        linkat(folder.descriptor, name, descriptor, newName, 0) == 0 ? 0 : errno
    }

    func remove(_ name: String) { unlinkat(descriptor, name, 0) }

    func removeFolder(_ name: String) { unlinkat(descriptor, name, AT_REMOVEDIR) }

    /// Writes a file atomically. On failure, an older file with this name is unchanged.
    func write(_ text: String, to name: String) throws(Failure) {
        let temporary = ".\(name).part"
        remove(temporary)
        let file = openat(descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, CardFolder.fileMode)
        guard file >= 0 else { throw CardFolder.failure("\(path)/\(name)", .written, errno) }
        if let code = NamedFile.fill(file, with: text) {
            remove(temporary)
            throw CardFolder.failure("\(path)/\(name)", .written, code)
        }
        guard renameat(descriptor, temporary, descriptor, name) == 0 else {
            let failure = CardFolder.failure("\(path)/\(name)", .written, errno)
            remove(temporary)
            throw failure
        }
    }
}
