import Glibc

// MARK: Room

extension PictureFiles {
    private static let probePrefix = ".probe-"
    /// The size of the test file in bytes: the usual allocation unit of a file system.
    private static let probeSize = 4096

    /// Whether the disk accepts pictures. The disk needs room for more than one picture, so that the next picture does
    /// not fill it. If the last write failed, writing a small test file must succeed. A disk that cannot be queried or
    /// written to accepts no pictures.
    mutating func hasRoom() -> Bool {
        guard let folder = try? Folder(path: directory), let free = try? folder.freeBytes() else { return false }
        let (twice, isBeyond) = largest.multipliedReportingOverflow(by: 2)
        guard !isBeyond, free >= max(roomMin, twice) else { return false }
        if !isProven { isProven = (try? Self.probe(folder)) != nil }
        return isProven
    }

    private static func probe(_ folder: Folder) throws(SystemError) {
        let name = "\(probePrefix)\(getpid())"
        // A killed daemon with the same process ID may have left this file.
        folder.remove(name)
        let file = try folder.create(name)
        file.claim()
        defer { folder.remove(name) }
        try writeAll([UInt8](repeating: 0, count: probeSize), to: file.number)
        // Only fsync(2) reports disk faults and the quotas of some file systems.
        try check { fsync(file.number) }
    }
}

// MARK: Leftovers of an earlier run

extension PictureFiles {
    /// The maximum number of complete pictures that one start renames. Each picture requires a sync.
    private static let keptMax = 32

    struct Leftovers: Equatable {
        var removed = 0
        var kept = 0
    }

    /// Removes the incomplete files of an earlier run, because their transfer cannot continue. Gives complete files
    /// their final names. The search is limited and begins with the newest shoots.
    func clearLeftovers() throws(SystemError) -> Leftovers {
        let root = try Folder(path: directory)
        var looked = 0
        var leftovers = Leftovers()
        func search(_ folder: Folder) {
            guard let names = try? folder.names(countMax: Self.scanMax - looked) else { return }
            looked += names.count
            for name in names { Self.clear(name, in: folder, &leftovers) }
        }
        for name in try root.names(countMax: Self.scanMax).sorted(by: >) where looked < Self.scanMax {
            if name.hasPrefix(Self.probePrefix), Self.isLeft(name, in: root) { root.remove(name) }
            guard let folder = try? root.existingFolder(name) else { continue }
            if name == Self.otherFolder { search(folder) }
            guard name.contains("-shoot-"), let sets = try? folder.names(countMax: Self.scanMax) else { continue }
            looked += sets.count
            let manifest = Self.temporaryManifestName
            if sets.contains(manifest), Self.isLeft(manifest, in: folder) { folder.remove(manifest) }
            for set in sets where set.hasPrefix("set-") {
                if let folder = try? folder.existingFolder(set) { search(folder) }
            }
        }
        return leftovers
    }

    private static func clear(_ name: String, in folder: Folder, _ leftovers: inout Leftovers) {
        let whole = PictureName.whole(name)
        guard whole != nil || PictureName.isPart(name), isLeft(name, in: folder) else { return }
        if let whole {
            // The next start renames the other files.
            guard leftovers.kept < keptMax else { return }
            do {
                try keep(name, as: whole.name, byteCount: whole.byteCount, in: folder)
                return leftovers.kept += 1
            } catch {
                // Any other error comes from the disk, and the next start may succeed.
                guard [ENODATA, ELOOP].contains(error.code) else { return }
            }
        }
        folder.remove(name)
        leftovers.removed += 1
    }

    /// Whether no process writes the file. A process that writes a file holds the file's lock.
    private static func isLeft(_ name: String, in folder: Folder) -> Bool {
        do {
            let file = try folder.open(name, access: O_RDWR)
            try check { flock(file.number, LOCK_EX | LOCK_NB) }
            return true
        } catch {
            // The daemon makes no symbolic links, so no process writes through this one.
            return error.code == ELOOP
        }
    }

    /// Syncs a complete file and gives the file its final name. Throws for an incomplete file.
    private static func keep(
        _ partName: String,
        as name: PictureName,
        byteCount: UInt64,
        in folder: Folder
    ) throws(SystemError) {
        let file = try folder.open(partName, access: O_RDONLY)
        var status = stat()
        try check { fstat(file.number, &status) }
        // After a power cut, a file that was not synced may be too short.
        guard status.st_mode & S_IFMT == S_IFREG, UInt64(clamping: status.st_size) == byteCount else {
            throw SystemError(code: ENODATA)
        }
        try check { fsync(file.number) }
        _ = try folder.rename(partName, to: name)
        try? folder.sync()
    }
}
