import Dispatch
import Glibc
import Processes

/// Reports possible changes of a file (inotify(7)).
///
/// Editors replace a file by a new one of the same name, so the directory of the file is watched. For a symbolic link,
/// the directory of the link's target is watched too.
final class FileWatch: Sendable {
    /// Gets one value after each change, or after several quick changes. The stream ends when a watched directory is
    /// removed.
    let changes: AsyncStream<Void>
    /// The write end of a pipe. Closing it ends the watch and its thread.
    private let stopPipe: Int32

    /// IN_CREATE is needed only for new links. Any other new file is still empty.
    private static let watchedEvents = [
        IN_CLOSE_WRITE, IN_CREATE, IN_MOVED_TO, IN_MOVED_FROM, IN_DELETE, IN_DELETE_SELF, IN_MOVE_SELF, IN_ONLYDIR,
    ].reduce(UInt32(0)) { $0 | UInt32($1) }

    /// The maximum number of symbolic links that the kernel follows (path_resolution(7)).
    private static let linkCountMax = 40

    /// The time in which several changes are collected and reported as one.
    private static let settleMilliseconds: Int32 = 50

    /// - Throws: `Failure` if the file's directory cannot be watched.
    init(path: String) throws(Failure) {
        var ends: [Int32] = [-1, -1]
        let inotify = inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
        guard inotify >= 0, pipe(&ends) == 0 else { throw FileWatch.failure(path, inotify) }
        stopPipe = ends[1]
        let (changes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.changes = changes
        let reader = Reader(path: path, inotify: inotify, stopPipe: ends[0])
        guard let names = reader.watchFolders() else { throw FileWatch.failure(path, inotify, ends[0], ends[1]) }
        // The reader blocks the thread of this queue until the watch ends.
        DispatchQueue(label: "bracketctl.watch").async { reader.run(names, continuation) }
    }

    func end() { close(stopPipe) }

    private static func failure(_ path: String, _ descriptors: Int32...) -> Failure {
        let reason = String(cString: strerror(errno))
        for descriptor in descriptors where descriptor >= 0 { close(descriptor) }
        return Failure("NotWatched", FileSentences.folderNotWatched(of: path, reason))
    }

    /// The path to which a chain of symbolic links leads. No file may exist there.
    private static func target(of path: String) -> String {
        var path = path
        for _ in 0..<linkCountMax {
            guard let target = SymbolicLink.target(of: path) else { break }
            path = target.hasPrefix("/") ? target : "\(split(path).folder)/\(target)"
        }
        return path
    }

    /// Splits a path into the directory and the name of its last component. A slash at the end is ignored.
    private static func split(_ path: String) -> (folder: String, name: String) {
        let end = path.lastIndex { $0 != "/" }.map { path.index(after: $0) } ?? path.startIndex
        let components = path[..<end]
        guard let slash = components.lastIndex(of: "/") else { return (".", String(components)) }
        let name = String(components[slash...].dropFirst())
        return slash == components.startIndex ? ("/", name) : (String(components[..<slash]), name)
    }

    private struct Reader: Sendable {
        let path: String
        let inotify: Int32
        let stopPipe: Int32

        /// Watches the directories. Returns the relevant names in each directory; nil: a directory cannot be watched.
        func watchFolders() -> [Int32: Set<String>]? {
            var names: [Int32: Set<String>] = [:]
            for path in [path, FileWatch.target(of: path)] {
                let (folder, name) = FileWatch.split(path)
                let watch = inotify_add_watch(inotify, folder, FileWatch.watchedEvents)
                guard watch >= 0 else { return nil }
                names[watch, default: []].insert(name)
            }
            return names
        }

        /// Watches the directories again, because a changed link can lead to another directory.
        private func watchFoldersAgain(_ before: [Int32: Set<String>]) -> [Int32: Set<String>] {
            guard let names = watchFolders() else { return before }
            for watch in before.keys where names[watch] == nil { inotify_rm_watch(inotify, watch) }
            return names
        }

        private func isSelected(_ event: Event, _ names: [Int32: Set<String>]) -> Bool {
            // After an overflow of the kernel's queue, one of the lost events could be about the file.
            if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
            guard names[event.watch]?.contains(event.name) == true else { return false }
            return event.mask & UInt32(IN_CREATE) == 0 || isLink
        }

        /// Whether the path is a symbolic link, or one of several hard links.
        private var isLink: Bool {
            var status = stat()
            guard lstat(path, &status) == 0 else { return false }
            return status.st_mode & S_IFMT == S_IFLNK || status.st_nlink > 1
        }

        /// Reports changes until the watch ends or a watched directory is removed.
        func run(_ first: [Int32: Set<String>], _ continuation: AsyncStream<Void>.Continuation) {
            var names = first
            var buffer = [UInt8](repeating: 0, count: 16_384)
            var waiting = [inotify, stopPipe].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            while poll(&waiting, 2, -1) >= 0 || errno == EINTR {
                if waiting[1].revents != 0 { break }
                let count = read(inotify, &buffer, buffer.count)
                guard count > 0 else { continue }
                let events = FileWatch.events(buffer[..<count])
                // `names` has no entry for the directory of an old watch, so its events are ignored.
                let isGone = events.contains { event in
                    names[event.watch] != nil && event.mask & UInt32(IN_IGNORED | IN_MOVE_SELF) != 0
                }
                if isGone { break }
                guard events.contains(where: { isSelected($0, names) }) else { continue }
                // An editor moves the old file away before it writes the new file. Both changes are reported as one.
                var end = [waiting[1]]
                poll(&end, 1, FileWatch.settleMilliseconds)
                // After a change of a link, the path can lead to another file.
                names = watchFoldersAgain(names)
                continuation.yield()
            }
            continuation.finish()
            close(inotify)
            close(stopPipe)
        }
    }

    fileprivate struct Event {
        let watch: Int32
        let mask: UInt32
        let name: String
    }

    /// The kernel returns only whole records: four numbers, and a name that is padded with zeros.
    private static func events(_ bytes: ArraySlice<UInt8>) -> [Event] {
        let header = 16
        var (events, rest): ([Event], ArraySlice<UInt8>) = ([], bytes)
        while rest.count >= header {
            let (watch, mask, length) = rest.withUnsafeBytes { bytes in
                (
                    bytes.loadUnaligned(fromByteOffset: 0, as: Int32.self),
                    bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self),
                    Int(bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
                )
            }
            let name = rest.dropFirst(header).prefix(length).prefix { $0 != 0 }
            events.append(Event(watch: watch, mask: mask, name: String(decoding: name, as: UTF8.self)))
            rest = rest.dropFirst(header + length)
        }
        return events
    }
}
