import Glibc

package struct StorageError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Directory: Hashable, Sendable {
        case storage, pictures
    }

    /// The action that failed.
    package enum Action: Hashable, Sendable {
        case use
        case useDirectory(Directory)
        case createDirectory, writeToDirectory
        case read, write, rename
    }

    /// The path of the file or directory.
    package var path: String
    package var action: Action
    package var reason: String

    /// The advice to the user; nil: no general advice exists.
    package var advice: String?

    package var description: String { "\(action.text) \(path): \(reason)" + (advice.map { "; \($0)" } ?? "") }

    /// Creates the error for a directory that cannot be used.
    init(directory: String, action: Action, error: SystemError) {
        self.init(path: directory, action: action, reason: error.description)
        if [EACCES, EPERM, EROFS].contains(error.code) {
            advice = DaemonSentences.setWritableDirectory
        }
    }

    init(path: String, action: Action, reason: String) {
        self.path = path
        self.action = action
        self.reason = reason
    }
}

/// The directory for the daemon's persistent data.
package struct StorageDirectory: Hashable, Sendable {
    package let path: String

    /// Opens the directory. Creates the directory and its parents if they are missing.
    package init(path: String) throws(StorageError) {
        precondition(path.hasPrefix("/"), "the configuration allows only absolute paths")
        self.path = path
        do {
            try makeDirectories(path, mode: 0o750)
        } catch {
            throw StorageError(directory: path, action: .createDirectory, error: error)
        }
        guard access(path, W_OK | X_OK) == 0 else {
            throw StorageError(directory: path, action: .writeToDirectory, error: .last)
        }
    }

    /// The content of a file; nil if the file is missing.
    func read(_ name: String, sizeMax: Int) throws(StorageError) -> [UInt8]? {
        var status = stat()
        // A link, a FIFO or a directory counts as a damaged file.
        if lstat(path(name), &status) == 0, status.st_mode & S_IFMT != S_IFREG { return [] }
        do {
            return try readFile(path(name), sizeMax: sizeMax)
        } catch {
            switch error {
            case .system(let error) where error.code == ENOENT: return nil
            case .system(let error): throw StorageError(path: path(name), action: .read, reason: "\(error)")
            // A file that is too large counts as damaged.
            case .tooLarge: return []
            }
        }
    }

    /// Replaces a file atomically and durably: after a power cut either the old or the new content is complete.
    func write(_ content: [UInt8], to name: String, by temporaryName: String) throws(StorageError) {
        do {
            // The file must be new. Opening an existing file could wait for ever (fifo(7)) or truncate another file.
            if unlink(path(temporaryName)) != 0, errno != ENOENT { throw SystemError.last }
            let file = try check { open(path(temporaryName), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
            defer { close(file) }
            try writeAll(content, to: file)
            try check { fsync(file) }
            try check { Glibc.rename(path(temporaryName), path(name)) }
            try syncDirectory()
        } catch {
            throw StorageError(path: path(name), action: .write, reason: "\(error)")
        }
    }

    /// Removes the temporary file of an interrupted `write`. Usually the file does not exist.
    func removeLeftover(_ temporaryName: String) { unlink(path(temporaryName)) }

    func rename(_ name: String, to newName: String) throws(StorageError) {
        do {
            try check { Glibc.rename(path(name), path(newName)) }
            try syncDirectory()
        } catch {
            throw StorageError(path: path(name), action: .rename, reason: "\(error)")
        }
    }

    private func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Syncs the file names of the directory (fsync(2), "does not necessarily ensure…").
    private func syncDirectory() throws(SystemError) {
        let directory = try check { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        defer { close(directory) }
        try check { fsync(directory) }
    }
}
