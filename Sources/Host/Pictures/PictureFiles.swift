import CLinux  // The type `tm` comes from CLinux or Glibc; the compiler decides which.
import Cameras
import Controller
import Exposure
import Glibc
import NIOCore
import PictureReader
import Varlink

/// The directory of pictures, and the files that are being written in it. Used only by the thread that waits for
/// the disk.
///
///     <directory>/20261121-083000-shoot-3/manifest.json
///     <directory>/20261121-083000-shoot-3/set-1/DSC00001.JPG
///     <directory>/other/DSC00002.JPG
struct PictureFiles {
    /// The minimum free space for a transfer in bytes, even for a small picture.
    static let roomMin: UInt64 = 64 << 20
    static let otherFolder = "other"
    /// The maximum number of shoots whose directories are remembered. Only the newest are needed again.
    private static let shootsMax = 16
    /// The maximum number of shoots that begin in the same second, when the daemon restarts repeatedly.
    private static let sameNamesMax = 100
    /// The maximum number of interrupted pictures whose transfer can continue. A driver has one.
    private static let partsMax = 16
    /// The maximum number of remembered files of an earlier run. The longest plan has fewer frames.
    private static let earlierFilesMax = 1024
    /// The maximum number of files that are read for one manifest. Each read can take 2 s.
    static let readsPerManifest = 4
    /// The largest step of file times in milliseconds: two seconds on FAT.
    private static let timeStep: Int64 = 2000
    /// The maximum number of names that the search for leftovers examines.
    static let scanMax = 20_000

    let directory: String
    let roomMin: UInt64
    private let reader: MetadataReader
    private let wallClock: @Sendable () -> time_t
    private var parts: [PictureID: PicturePart] = [:]
    private var shootFolders: [Int: String] = [:]
    /// The files of an earlier run's unfinished shoot, as the manifests name them, by path.
    private var earlierFiles: [String: Manifest.File] = [:]
    /// The size in bytes of the largest picture so far.
    private(set) var largest: UInt64 = 0
    /// Whether the last write to the directory succeeded. If so, a check of the free bytes is enough.
    var isProven = false

    init(
        directory: String,
        roomMin: UInt64 = Self.roomMin,
        reader: MetadataReader,
        wallClock: @escaping @Sendable () -> time_t
    ) {
        self.directory = directory
        self.roomMin = roomMin
        self.reader = reader
        self.wallClock = wallClock
    }

    var hasReader: Bool { reader.program != nil }

    var isIdle: Bool { parts.isEmpty }

    mutating func begin(_ id: PictureID, _ destination: PictureDestination, offset: UInt64) throws(PictureFailure) {
        if offset > 0 {
            guard parts[id] != nil else {
                throw PictureFailure(sentence: PictureDiskSentences.nothingToContinue(destination.name))
            }
            return try failing(id) { (part) throws(PictureFailure) in try part.resume(at: offset) }
        }
        abandon(id)
        if parts.count >= Self.partsMax, let oldest = parts.keys.min(by: { $0.rawValue < $1.rawValue }) {
            abandon(oldest)
        }
        do throws(PictureFailure) {
            parts[id] = try PicturePart(destination, in: folder(for: destination))
        } catch {
            isProven = false
            throw error
        }
    }

    /// Appends bytes to a picture. Discards the bytes of a picture that was cancelled.
    mutating func append(_ id: PictureID, _ bytes: ByteBuffer) throws(PictureFailure) {
        guard parts[id] != nil else { return }
        try failing(id) { (part) throws(PictureFailure) in try part.append(bytes) }
    }

    /// Completes a picture. Returns nil for a picture that was cancelled.
    mutating func finish(_ id: PictureID) throws(PictureFailure) -> StoredPicture? {
        guard parts[id] != nil else { return nil }
        var finished: PicturePart.Finished?
        try failing(id) { (part) throws(PictureFailure) in finished = try part.finish() }
        guard let finished, let part = parts.removeValue(forKey: id) else { return nil }
        largest = max(largest, part.byteCount)
        isProven = true
        shareWithNextSet(finished.name, part.destination)
        return StoredPicture(
            path: "\(relativePath(of: part.destination))/\(finished.name)",
            byteCount: part.byteCount,
            metadata: finished.file.map { reader.read($0.number) } ?? .notRead(PictureDiskSentences.notOpened)
        )
    }

    mutating func interrupt(_ id: PictureID) { parts[id]?.interrupt() }

    mutating func abandon(_ id: PictureID) {
        parts[id]?.remove()
        parts[id] = nil
    }

    mutating func abandonAll() {
        for id in parts.keys { abandon(id) }
    }

    /// Performs work on a picture. Cancels the picture if the work fails.
    private mutating func failing(
        _ id: PictureID,
        _ body: (inout PicturePart) throws(PictureFailure) -> Void
    ) throws(PictureFailure) {
        guard var part = parts[id] else { return }
        do {
            try body(&part)
            parts[id] = part
        } catch {
            part.remove()
            parts[id] = nil
            isProven = false
            throw error
        }
    }
}

// MARK: Folders

extension PictureFiles {
    private mutating func folder(for destination: PictureDestination) throws(PictureFailure) -> Folder {
        do {
            guard let shoot = destination.shoot, let set = destination.set else {
                return try Folder(path: directory).folder(Self.otherFolder)
            }
            return try folder(ofShoot: shoot, destination.folder).folder("set-\(set)")
        } catch {
            throw PictureFailure(PictureDiskSentences.folderNotCreated(in: directory, error), error)
        }
    }

    /// The directory of a shoot. The name of the directory is chosen once and is unique.
    private mutating func folder(ofShoot shoot: Int, _ kind: ShootFolder = .new) throws(SystemError) -> Folder {
        let root = try Folder(path: directory)
        if let name = shootFolders[shoot] { return try root.folder(name) }
        if let name = Self.earlierFolder(ofShoot: shoot, kind, in: root) {
            let folder = try root.folder(name)
            remember(name, of: shoot)
            return folder
        }
        let base = "\(timeStamp)-shoot-\(shoot)"
        for number in 1...Self.sameNamesMax {
            let name = number == 1 ? base : "\(base)-\(number)"
            do {
                let folder = try root.newFolder(name)
                remember(name, of: shoot)
                return folder
            } catch {
                guard error.code == EEXIST else { throw error }
            }
        }
        throw SystemError(code: EEXIST)
    }

    /// The directory that an earlier run made for a shoot; nil if unknown.
    private static func earlierFolder(ofShoot shoot: Int, _ kind: ShootFolder, in root: Folder) -> String? {
        let mark = "-shoot-\(shoot)"
        switch kind {
        case .new: return nil
        case .known(let name): return name.contains(mark) && !name.contains("/") ? name : nil
        case .left(let began):
            let names = ((try? root.names(countMax: scanMax)) ?? []).filter { $0.hasSuffix(mark) }
            return names.sorted(by: >).first { name in
                // After the loss of a ledger, an older shoot can have this number. Its directory changed earlier.
                let changed = (try? root.existingFolder(name))?.changed
                return changed.map { $0 * 1000 + timeStep >= began } ?? false
            }
        }
    }

    private mutating func remember(_ name: String, of shoot: Int) {
        if shootFolders.count >= Self.shootsMax, let oldest = shootFolders.keys.min() { shootFolders[oldest] = nil }
        shootFolders[shoot] = name
    }

    /// Gives the file of a shared frame a hard link in the later set's directory. On a file system without hard links
    /// only the manifest says where the file is.
    private mutating func shareWithNextSet(_ name: String, _ destination: PictureDestination) {
        guard let shoot = destination.shoot, let set = destination.set, let nextSet = destination.nextSet else {
            return
        }
        guard let folder = try? folder(ofShoot: shoot), let own = try? folder.folder("set-\(set)"),
            let next = try? folder.folder("set-\(nextSet)")
        else { return }
        try? Self.share(name, from: own, to: next)
    }

    private static func share(_ name: String, from folder: Folder, to other: Folder) throws(SystemError) {
        try folder.link(name, in: other, as: name)
        try other.sync()
    }

    private func relativePath(of destination: PictureDestination) -> String {
        guard let shoot = destination.shoot, let set = destination.set, let name = shootFolders[shoot] else {
            return Self.otherFolder
        }
        return "\(name)/set-\(set)"
    }

    /// The local time as `20261121-083000`.
    private var timeStamp: String {
        var now = wallClock()
        var local = tm()
        localtime_r(&now, &local)
        func digits(_ number: CInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(local.tm_year + 1900)\(digits(local.tm_mon + 1))\(digits(local.tm_mday))"
            + "-\(digits(local.tm_hour))\(digits(local.tm_min))\(digits(local.tm_sec))"
    }
}

// MARK: The manifest

extension PictureFiles {
    private static let manifestName = "manifest.json"
    static let temporaryManifestName = ".manifest.json.new"

    /// Writes the manifest atomically: after a power cut either the old or the new manifest is complete.
    mutating func write(_ manifest: Manifest) throws(PictureFailure) {
        do throws(SystemError) {
            let folder = try folder(ofShoot: manifest.shoot, manifest.folder)
            let content =
                completed(manifest).json(inFolder: shootFolders[manifest.shoot] ?? "").encoded() + [UInt8(ascii: "\n")]
            folder.remove(Self.temporaryManifestName)
            let file = try folder.create(Self.temporaryManifestName)
            file.claim()
            do throws(SystemError) {
                try writeAll(content, to: file.number)
                try check { fsync(file.number) }
                try folder.rename(Self.temporaryManifestName, over: Self.manifestName)
            } catch {
                folder.remove(Self.temporaryManifestName)
                throw error
            }
            try folder.sync()
        } catch {
            let sentence = PictureDiskSentences.manifestNotWritten(ofShoot: manifest.shoot, in: directory, error)
            throw PictureFailure(sentence, error)
        }
    }

    /// Adds the metadata of an earlier run's files. Reads each file once, and only a few files per manifest, because
    /// new pictures wait during the reading. For a complete shoot, reads all files.
    private mutating func completed(_ manifest: Manifest) -> Manifest {
        var manifest = manifest
        let isWhole = manifest.frames.allSatisfy { frame in
            !frame.files.isEmpty && FrameState(rawValue: frame.outcome)?.isCaptured == true
        }
        var readsLeft = isWhole ? Int.max : Self.readsPerManifest
        for frame in manifest.frames.indices {
            for file in manifest.frames[frame].files.indices where manifest.frames[frame].files[file].metadata == nil {
                let path = manifest.frames[frame].files[file].path
                if earlierFiles.count >= Self.earlierFilesMax { earlierFiles.removeAll() }
                if earlierFiles[path] == nil, readsLeft > 0 {
                    readsLeft -= 1
                    earlierFiles[path] = read(path)
                }
                if let known = earlierFiles[path] { manifest.frames[frame].files[file] = known }
            }
        }
        return manifest
    }

    private func read(_ path: String) -> Manifest.File {
        var file = Manifest.File(path: path, byteCount: nil, metadata: .notRead(PictureDiskSentences.notOpened))
        guard let (folder, name) = place(of: path), let descriptor = try? folder.open(name, access: O_RDONLY) else {
            return file
        }
        file.byteCount = folder.byteCount(of: name).map { UInt64($0) }
        file.metadata = reader.read(descriptor.number)
        return file
    }

    /// The folder and the name of a path below the directory; nil: there is no such folder.
    private func place(of path: String) -> (folder: Folder, name: String)? {
        let parts = path.split(separator: "/").map(String.init)
        guard let name = parts.last, var folder = try? Folder(path: directory) else { return nil }
        for part in parts.dropLast() {
            guard part != "..", let next = try? folder.existingFolder(part) else { return nil }
            folder = next
        }
        return (folder, name)
    }

    // MARK: Light

    /// The map of a stored picture, and the speed in its EXIF data; nil: it cannot be decoded.
    func picture(at path: String) -> (map: PictureMap, speed: ShutterSpeed?)? {
        guard let (folder, name) = place(of: path), let file = try? folder.open(name, access: O_RDONLY),
            let report = try? reader.light(file.number)
        else { return nil }
        let speed = report.metadata.exposure.exposureTime.flatMap { time in
            ShutterSpeed(nearestToNumerator: time.numerator, denominator: time.denominator)
        }
        return (report.light.map, speed)
    }

    /// Decodes a stored picture. This can take half a second for 24 megapixels.
    func light(of path: String) -> LightReading {
        guard let (folder, name) = place(of: path), let file = try? folder.open(name, access: O_RDONLY) else {
            return LightReading(path: path, outcome: .failed("\(path): \(PictureDiskSentences.notOpened)."))
        }
        do throws(PictureReport.Failure) {
            let report = try reader.light(file.number)
            return LightReading(path: path, outcome: .read(LightNumbers(report.light)))
        } catch {
            let warning = MeteringWarning.previewUnreadable(error.sentence)
            return LightReading(path: path, outcome: .failed(warning.sentence))
        }
    }
}
