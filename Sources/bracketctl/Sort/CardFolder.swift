import Foundation
import ProgramOutput

/// An open folder. Everything in it is named from here, and no symbolic link is followed.
final class CardFolder {
    /// What stands under a name.
    struct Entry {
        enum Kind { case folder, file, other }

        var name: String
        var kind: Kind
        var identity: Identity
        /// The number of names that the file has (hard links).
        var nameCount: Int
        var byteCount: Int
    }

    /// What tells a file from every other one of the machine.
    struct Identity: Hashable {
        var device: UInt64
        var number: UInt64
    }

    private static let mode: mode_t = 0o777
    private static let fileMode: mode_t = 0o666

    /// For sentences.
    let path: String
    private let descriptor: Int32

    /// The folder that the user names: of that path, links are followed.
    init(path: String) throws(Failure) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CardFolder.failure("\(path) cannot be opened", errno) }
    }

    private init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    static func failure(_ what: String, _ code: Int32) -> Failure {
        Failure(.error, name: "FileError", "\(what): \(String(cString: strerror(code))).")
    }

    /// A folder in this one.
    func folder(_ name: String) throws(Failure) -> CardFolder {
        guard let folder = openFolder(name) else {
            throw CardFolder.failure("\(path)/\(name) cannot be opened", errno)
        }
        return folder
    }

    /// A folder in this one. Nil: it cannot be opened, and errno says why.
    func openFolder(_ name: String) -> CardFolder? {
        let opened = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        return opened >= 0 ? CardFolder(path: "\(path)/\(name)", descriptor: opened) : nil
    }

    /// A folder below this one.
    func folder(_ names: ArraySlice<String>) throws(Failure) -> CardFolder {
        var folder = self
        for name in names { folder = try folder.folder(name) }
        return folder
    }

    /// A folder in this one, made where it is missing.
    func madeFolder(_ name: String) throws(Failure) -> CardFolder {
        guard mkdirat(descriptor, name, CardFolder.mode) == 0 || errno == EEXIST else {
            throw CardFolder.failure("\(path)/\(name) cannot be made", errno)
        }
        return try folder(name)
    }

    /// What is in the folder, in the order of the names; nil: more than `countMax` entries.
    func entries(countMax: Int) throws(Failure) -> [Entry]? {
        let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0, let stream = fdopendir(own) else {
            throw CardFolder.failure("\(path) cannot be read", errno)
        }
        defer { closedir(stream) }
        var entries: [Entry] = []
        while let found = readdir(stream) {
            // A name that is no text cannot be in a manifest.
            let name = withUnsafeBytes(of: found.pointee.d_name) {
                String(validating: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            // Systems leave files of their own, whose names begin with a dot, beside each picture.
            guard let name, !name.hasPrefix("."), let entry = entry(name) else { continue }
            entries.append(entry)
            guard entries.count <= countMax else { return nil }
        }
        return entries.sorted { $0.name < $1.name }
    }

    /// What stands under a name; nil: nothing.
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

    /// Opens a regular file to be read; the caller closes it. Nil: it cannot be opened, and errno says why.
    func openFile(_ name: String) -> Int32? {
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        return file >= 0 ? file : nil
    }

    /// The bytes of a small file; nil: there is none, or it is larger.
    func bytes(of name: String, countMax: Int) -> [UInt8]? {
        guard let file = openFile(name) else { return nil }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        guard let data = try? handle.read(upToCount: countMax + 1), data.count <= countMax else { return nil }
        return Array(data)
    }

    /// A second name for a file of another folder. Returns 0, or what errno says.
    func link(_ name: String, of folder: CardFolder, as newName: String) -> Int32 {
        linkat(folder.descriptor, name, descriptor, newName, 0) == 0 ? 0 : errno
    }

    /// Takes a name away.
    func remove(_ name: String) { unlinkat(descriptor, name, 0) }

    /// Removes a folder that is empty.
    func removeFolder(_ name: String) { unlinkat(descriptor, name, AT_REMOVEDIR) }

    /// Writes a file that is there whole, or as it was before.
    func write(_ text: String, to name: String) throws(Failure) {
        let temporary = ".\(name).part"
        remove(temporary)
        let file = openat(descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, CardFolder.fileMode)
        guard file >= 0 else { throw CardFolder.failure("\(path)/\(name) cannot be written", errno) }
        if let code = NamedFile.fill(file, with: text) {
            remove(temporary)
            throw CardFolder.failure("\(path)/\(name) cannot be written", code)
        }
        guard renameat(descriptor, temporary, descriptor, name) == 0 else {
            let failure = CardFolder.failure("\(path)/\(name) cannot be written", errno)
            remove(temporary)
            throw failure
        }
    }
}
