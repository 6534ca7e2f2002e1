import ArgumentParser
import Exposure
import Interface
import Varlink

struct PhotosCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "photos",
        abstract: "Lists the pictures from the camera, and whether each matches its frame.",
        discussion: """
            A picture is receiving, stored, verified (its exposure matches the plan), suspect (its exposure differs), \
            skipped or failed. With --follow the command prints each new picture and each result, until interrupted.

            With --coverage the command shows whether each part of the scene is well exposed in at least one frame of \
            the last shoot, and which frame to add. With --folder it reads the JPEG files that a shoot's manifest \
            lists, without the daemon.
            """
    )

    @OptionGroup var common: CommonOptions

    @Flag(help: "Print each new picture and each result, until interrupted.")
    var follow = false

    @Flag(help: "Show whether the frames of the last shoot, or of the one in --folder, cover the scene.")
    var coverage = false

    @Option(
        help: ArgumentHelp("The folder of a shoot with its manifest, for --coverage.", valueName: "folder"),
        completion: .directory
    )
    var folder: String?

    func validate() throws {
        if coverage, follow { throw ValidationError(UsageSentences.exclusive("--coverage", "--follow")) }
        if folder?.isEmpty == true { throw ValidationError(UsageSentences.needsFolder("--folder")) }
        if folder != nil, !coverage { throw ValidationError(MeterSentences.folderNeedsCoverage) }
    }

    func execute(in environment: Environment) async throws -> ProcessExit {
        if let folder {
            let report = try CoverageReport(folder: folder, by: SortCommand.reader())
            return try show(report.json, report.text, in: environment)
        }
        let daemon = try await Daemon(common.connection(in: environment))
        if coverage {
            guard let covered = try await daemon.coverage(in: environment) else {
                throw Failure("NotChecked", MeterSentences.noCoverage)
            }
            return try show(covered.json, covered.sentence, in: environment)
        }
        if follow { try await follow(daemon, environment) }
        let photos = try await daemon.call(Bracketd.GetPhotos()).photos
        return try show(PrintedJSON.photos(photos.json), PhotosCommand.text(photos), in: environment)
    }

    private func follow(_ daemon: Daemon, _ environment: Environment) async throws -> Never {
        // The daemon sends no pictures if they stay on the camera. The daemon's sentence explains this to the user.
        let sentence = try await daemon.call(Bracketd.GetPhotos()).photos.sentence
        if !common.json { try environment.output.line(sentence) }
        try await daemon.watch(Bracketd.WatchPhotos()) { reply in
            _ = try show(PrintedJSON.photo(reply.photo.json), reply.photo.line, in: environment)
        }
    }

    /// A table of the pictures with the daemon's sentence, or only the sentence without pictures.
    static func text(_ photos: Bracketd.Photos) -> String {
        let sentences = [photos.sentence, photos.coverage?.sentence].compactMap(\.self)
        guard !photos.list.isEmpty else { return sentences.joined(separator: "\n") }
        let rows = [Bracketd.Photo.headline] + photos.list.map(\.cells)
        return (TextTable.lines(rows, rightAligned: Bracketd.Photo.numbers) + [""] + sentences)
            .joined(separator: "\n")
    }
}

extension Bracketd.Photo {
    /// The path of the picture on disk, or else its name in the camera.
    private var file: String { path ?? name }

    static let headline = ["state", "set", "frame", "speed", "size", "file", ""]
    /// The indexes of the columns with numbers.
    static let numbers: Set<Int> = [1, 2, 4]

    var cells: [String] {
        [
            state, set.map(String.init) ?? "", frame.map(String.init) ?? "", speed ?? "",
            size ?? "", file, reason ?? "",
        ]
    }

    private var size: String? { byteCount.map { ByteText.text(UInt64(clamping: $0)) } }

    /// The picture as one line: `verified  set 1, frame 3  1/250  24.9 MB  shoot-1/set-1/DSC00003.JPG`.
    var line: String {
        var parts = [state]
        if let set, let frame { parts.append(ShootReportSentences.place(set: set, frame: frame)) }
        parts += [speed, size, file, reason].compactMap(\.self)
        return parts.joined(separator: "  ")
    }
}
