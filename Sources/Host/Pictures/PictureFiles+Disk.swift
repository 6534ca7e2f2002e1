import Glibc

// MARK: Room

extension PictureFiles {
    private static let probePrefix = ".probe-"
    /// The usual allocation unit of a file system, in bytes.
    private static let probeSize = 4096

    /// Whether the disk accepts pictures. It needs room for more than one more picture, so that it does not fill at
    /// once. The last write must have succeeded, or else a small test file must. A disk that cannot be queried or
    /// written to accepts none.
    mutating func hasRoom() -> Bool {
        guard let folder = try? Folder(path: directory), let free = try? folder.freeBytes() else { return false }
        let (twice, isBeyond) = largest.multipliedReportingOverflow(by: 2)
        guard !isBeyond, free >= max(roomMin, twice) else { return false }
        if !isProven { isProven = (try? Self.probe(folder)) != nil }
        return isProven
    }

    private static func probe(_ folder: Folder) throws(SystemError) {
        let name = "\(probePrefix)\(getpid())"
        // Left over from a killed daemon with our process number.
        folder.remove(name)
        let file = try folder.create(name)
        file.claim()
        defer { folder.remove(name) }
        try writeAll([UInt8](repeating: 0, count: probeSize), to: file.number)
        // Disk faults, and quotas of some file systems, appear only here.
        try check { fsync(file.number) }
    }
}

// MARK: Leftovers of an earlier run

extension PictureFiles {
    /// The most complete pictures that one start renames; each costs a sync.
    private static let keptMax = 32

    struct Leftovers: Equatable {
        var removed = 0
        var kept = 0
    }

    /// Removes the incomplete files of an earlier run, because their transfer cannot continue. Complete ones get
    /// their names. The newest shoots come first; the search is bounded.
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
            // The next start handles the others.
            guard leftovers.kept < keptMax else { return }
            do {
                try keep(name, as: whole.name, byteCount: whole.byteCount, in: folder)
                return leftovers.kept += 1
            } catch {
                // Any other error comes from the disk and may be gone at the next start.
                guard [ENODATA, ELOOP].contains(error.code) else { return }
            }
        }
        folder.remove(name)
        leftovers.removed += 1
    }

    /// Whether no process writes the file: a writer holds its lock.
    private static func isLeft(_ name: String, in folder: Folder) -> Bool {
        do {
            let file = try folder.open(name, access: O_RDWR)
            try check { flock(file.number, LOCK_EX | LOCK_NB) }
            return true
        } catch {
            // The daemon makes no symbolic links.
            return error.code == ELOOP
        }
    }

    /// Syncs a complete file and gives it its name; throws for an incomplete one.
    private static func keep(
        _ partName: String,
        as name: PictureName,
        byteCount: UInt64,
        in folder: Folder
    ) throws(SystemError) {
        let file = try folder.open(partName, access: O_RDONLY)
        var status = stat()
        try check { fstat(file.number, &status) }
        // Data that was not synced before a power cut is missing or empty.
        guard status.st_mode & S_IFMT == S_IFREG, UInt64(clamping: status.st_size) == byteCount else {
            throw SystemError(code: ENODATA)
        }
        try check { fsync(file.number) }
        _ = try folder.rename(partName, to: name)
        try? folder.sync()
    }
}
