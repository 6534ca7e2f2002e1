import Controller
import Exposure
import Glibc
import Interface
import PictureReader
import PrintableText
import Varlink

/// Whether the frames of a shoot cover the scene, from the JPEG files that its manifest lists.
struct CoverageReport {
    /// A frame of the manifest, and the light of its picture.
    private struct Frame {
        let name: String
        var speed: ShutterSpeed
        var map: PictureMap?
        /// Why the picture is not read.
        var reason: String?
    }

    private static let manifestSizeMax = 16 << 20

    /// The number of the shoot in its manifest.
    let shoot: Int?
    /// What the pictures cover.
    let coverage: Bracketd.Coverage
    private let sentence: String
    private let frames: [Frame]
    private let warnings: [MeteringWarning]

    init(folder: String, by reader: MetadataReader) throws(Failure) {
        let manifest = try CoverageReport.manifest(in: folder)
        shoot = manifest["shoot"]?.intValue
        var frames = try CoverageReport.frames(of: manifest, in: folder)
        for index in frames.indices {
            let files = frames[index].files
            CoverageReport.read(&frames[index].frame, files, folder, reader)
        }
        self.frames = frames.map(\.frame)
        let maps = self.frames.map { (speed: $0.speed, map: $0.map) }
        guard let coverage = Coverage(maps, spacing: CoverageReport.spacing(self.frames.map(\.speed))) else {
            throw Failure("NoPictures", MeterSentences.noReadablePicture)
        }
        self.coverage = Bracketd.Coverage(coverage)
        sentence = coverage.sentence
        let read = self.frames.compactMap { frame in frame.map.map { (speed: frame.speed, map: $0) } }
        warnings = MeteringWarning.findings(read)
    }

    // MARK: Manifest

    private static func refuse(_ folder: String, _ reason: String) -> Failure {
        Failure("InvalidManifest", MeterSentences.notUsed("\(folder)/\(SortManifest.name)", reason))
    }

    private static func manifest(in folder: String) throws(Failure) -> JSONValue {
        let file = open("\(folder)/\(SortManifest.name)", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw refuse(folder, String(cString: strerror(errno))) }
        defer { close(file) }
        guard let bytes = InputFile.bytes(of: file, countMax: manifestSizeMax + 1), bytes.count <= manifestSizeMax
        else {
            throw refuse(folder, SortSentences.notAFileOrTooLarge)
        }
        guard let manifest = try? JSONValue(parsing: bytes) else { throw refuse(folder, MeterSentences.notAManifest) }
        return manifest
    }

    private static func frames(
        of manifest: JSONValue,
        in folder: String
    ) throws(Failure) -> [(frame: Frame, files: [String])] {
        guard let list = manifest["frames"]?.arrayValue, list.count <= Coverage.framesMax else {
            throw refuse(folder, MeterSentences.notAManifest)
        }
        return try list.filter { $0["sharedWithSet"] == nil }.map { (frame) throws(Failure) in
            guard let set = frame["set"]?.intValue, let number = frame["frame"]?.intValue,
                let text = frame["speed"]?.stringValue, let speed = try? ShutterSpeed(parsing: text)
            else { throw refuse(folder, MeterSentences.notAManifest) }
            let files = (frame["files"]?.arrayValue ?? []).compactMap { $0["path"]?.stringValue }
            let name = SortSentences.frame(number, ofSet: set, speed: text)
            return (Frame(name: PrintableText.clean(name), speed: speed), files.filter(isOwnJPEG))
        }
    }

    /// Whether a path names a JPEG in the shoot's folder.
    private static func isOwnJPEG(_ path: String) -> Bool {
        let name = path.lowercased()
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return (name.hasSuffix(".jpg") || name.hasSuffix(".jpeg")) && !path.hasPrefix("/") && !parts.contains("..")
    }

    // MARK: Pictures

    /// Reads the last JPEG of a frame, which is the one that counts if the frame was fired twice.
    private static func read(_ frame: inout Frame, _ files: [String], _ folder: String, _ reader: MetadataReader) {
        guard let file = files.last else {
            frame.reason = MeterSentences.noJPEG
            return
        }
        switch MeteredPicture.light(of: "\(folder)/\(file)", at: [], reader) {
        case .success(let report):
            frame.map = report.light.map
            if let time = report.metadata.exposure.exposureTime,
                let speed = ShutterSpeed(nearestToNumerator: time.numerator, denominator: time.denominator)
            {
                frame.speed = speed
            }
        case .failure(let refusal): frame.reason = refusal.reason
        }
    }

    /// The spacing of a set: the smallest distance between two of its speeds.
    private static func spacing(_ speeds: [ShutterSpeed]) -> Spacing {
        let sorted = Set(speeds).sorted()
        let least = zip(sorted, sorted.dropFirst()).map { $0.thirds(to: $1) }.min() ?? Spacing.two.stepThirds
        return Spacing.allCases.last { $0.stepThirds <= least } ?? .one
    }

    // MARK: Output

    var json: JSONValue {
        coverage.json.adding("warnings", .strings(warnings.map(\.code)))
    }

    var text: String {
        let unread = frames.compactMap { frame in
            frame.reason.map { MeterSentences.frameNotChecked(frame.name, $0) }
        }
        return ([sentence] + unread + warnings.map(\.sentence)).joined(separator: "\n")
    }
}
