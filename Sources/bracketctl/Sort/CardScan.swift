import Controller
import Exposure
import Glibc
import PictureReader

struct CardFile {
    /// The names of the directories below the sorted directory, then the name of the file.
    var place: [String]
    var identity: CardFolder.Identity
    var byteCount: Int
    /// The file's metadata; nil: the metadata cannot be read.
    var report: PictureReport?
    var reason: String?

    var path: String { place.joined(separator: "/") }
    var name: String { place.last ?? "" }
    /// The reason why the file is ignored, as a part of a sentence.
    var fault: String { reason ?? SortSentences.noCaptureTime }
    /// The name without its extension, in lower case.
    var stem: String { CardFile.stem(of: name) }

    static func stem(of name: String) -> String {
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        return name[..<dot].lowercased()
    }

    static func ending(of name: String) -> String {
        guard let dot = name.lastIndex(of: ".") else { return "" }
        return name[dot...].dropFirst().lowercased()
    }
}

/// The files of one exposure, with the same name: a raw file, a JPEG, or both.
struct CardExposure {
    var picture: CardPicture
    var model: String?
    var files: [CardFile]
}

/// The pictures in a directory and below it.
struct CardScan {
    private static let depthMax = 16
    static let entriesMax = 200_000
    private static let picturesMax = 20_000
    private static let manifestSizeMax = 8 << 20
    /// The file name extensions of JPEG and HEIF and of the makers' raw formats.
    private static let endings: Set<String> = [
        "jpg", "jpeg", "heif", "heic", "hif", "arw", "sr2", "cr2", "cr3", "crw", "nef", "nrw", "dng", "raf", "rw2",
        "orf", "pef", "tif", "tiff",
    ]

    private(set) var exposures: [CardExposure] = []
    /// The files without readable metadata, except those with a file of the same name that has metadata.
    private(set) var unreadable: [CardFile] = []
    /// One sentence for each directory that was not read.
    private(set) var unreadFolders: [String] = []
    private var files: [CardFile] = []
    /// The identities of all picture files.
    private(set) var identities: Set<CardFolder.Identity> = []
    private var entryCount = 0

    init(of folder: CardFolder, by reader: MetadataReader) throws(Failure) {
        try scan(folder, [], reader)
        group()
    }

    // MARK: Reading

    private mutating func scan(_ folder: CardFolder, _ place: [String], _ reader: MetadataReader) throws(Failure) {
        guard let entries = try folder.entries(countMax: CardScan.entriesMax - entryCount) else {
            throw Failure("TooManyFiles", SortSentences.tooManyFiles(thousands: CardScan.entriesMax / 1000))
        }
        entryCount += entries.count
        for entry in entries {
            switch entry.kind {
            case .folder:
                guard let below = open(entry, in: folder, place) else { continue }
                // A directory with a manifest is skipped, because it contains the links of an earlier run.
                guard !CardScan.hasManifest(below) else { continue }
                try scan(below, place + [entry.name], reader)
            case .file where CardScan.endings.contains(CardFile.ending(of: entry.name)):
                guard identities.insert(entry.identity).inserted else { continue }
                guard files.count < CardScan.picturesMax else {
                    let sentence = SortSentences.tooManyPictures(thousands: CardScan.picturesMax / 1000)
                    throw Failure("TooManyFiles", sentence)
                }
                files.append(try CardScan.read(entry, in: folder, place, reader))
            case .file, .other: continue
            }
        }
    }

    /// Opens a directory below another directory; nil: the directory is skipped.
    private mutating func open(_ entry: CardFolder.Entry, in folder: CardFolder, _ place: [String]) -> CardFolder? {
        let path = (place + [entry.name]).joined(separator: "/")
        // Deeper directories are skipped, because no card has them.
        guard place.count < CardScan.depthMax else {
            unreadFolders.append(SortSentences.folderTooDeep(path))
            return nil
        }
        if let below = folder.openFolder(entry.name) { return below }
        let reason = String(cString: strerror(errno))
        unreadFolders.append(SortSentences.folderNotOpened(path, reason))
        return nil
    }

    private static func read(
        _ entry: CardFolder.Entry,
        in folder: CardFolder,
        _ place: [String],
        _ reader: MetadataReader
    ) throws(Failure) -> CardFile {
        let place = place + [entry.name]
        var file = CardFile(place: place, identity: entry.identity, byteCount: entry.byteCount)
        guard let descriptor = folder.openFile(entry.name) else {
            file.reason = SortSentences.notOpened(String(cString: strerror(errno)))
            return file
        }
        defer { close(descriptor) }
        do throws(PictureReport.Failure) {
            file.report = try reader.report(descriptor)
        } catch {
            file.reason = error.sentence
        }
        return file
    }

    /// Whether a directory has the manifest of an earlier run.
    static func hasManifest(_ folder: CardFolder) -> Bool {
        folder.bytes(of: SortManifest.name, countMax: manifestSizeMax).map(SortManifest.isManifest) ?? false
    }

    // MARK: Grouping

    /// The values that the files of one exposure have in common, even in different directories.
    private struct Key: Hashable {
        var stem: String
        var capturedAt: String
        var fraction: String?
        var speed: ShutterSpeed?
    }

    private mutating func group() {
        var places: [Key: Int] = [:]
        var undated: [CardFile] = []
        for file in files {
            guard let report = file.report, let time = report.time, let capturedAt = report.exposure.capturedAt else {
                undated.append(file)
                continue
            }
            let speed = report.speed
            let key = Key(stem: file.stem, capturedAt: capturedAt, fraction: report.fraction, speed: speed)
            if let place = places[key] {
                exposures[place].files.append(file)
            } else {
                places[key] = exposures.count
                let picture = CardPicture(name: file.stem, speed: speed, time: time)
                exposures.append(CardExposure(picture: picture, model: report.exposure.model, files: [file]))
            }
        }
        for file in undated { join(file) }
    }

    /// Adds a file without a capture time to the exposure of the same name in the same directory.
    private mutating func join(_ file: CardFile) {
        let matches = exposures.indices.filter { index in
            exposures[index].files.contains { $0.stem == file.stem && $0.place.dropLast() == file.place.dropLast() }
        }
        if matches.count == 1 { exposures[matches[0]].files.append(file) } else { unreadable.append(file) }
    }
}

extension PictureReport {
    /// The capture time in seconds by the camera's clock; nil: the clock was not set.
    fileprivate var time: Double? {
        guard let time = exposure.capturedAt.flatMap(CaptureTime.init) else { return nil }
        return time.seconds + (fraction.flatMap { Double("0.\($0)") } ?? 0)
    }

    var speed: ShutterSpeed? {
        exposure.exposureTime.flatMap {
            ShutterSpeed(nearestToNumerator: $0.numerator, denominator: $0.denominator)
        }
    }
}
