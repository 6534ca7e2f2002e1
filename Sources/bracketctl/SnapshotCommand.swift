import ArgumentParser
import Cameras
import Exposure
import Interface
import ProgramOutput
import Varlink

struct SnapshotCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshot",
        abstract: "Fetches a picture of the camera's live view.",
        discussion: """
            The picture is small, and no frame is fired. The camera cannot shoot during that time. The daemon refuses \
            the command during a shoot. Live view is off again afterwards, unless it was already on.

            With --follow the command fetches a picture every second until interrupted, into the folder FILE or to \
            standard output. FILE - is standard output.
            """
    )

    @OptionGroup var common: CommonOptions

    @Argument(
        help: ArgumentHelp(
            "Write the picture to this file, or with --follow to this folder (default: standard output).",
            valueName: "file"
        ),
        completion: .file()
    )
    var file: String?

    @Option(
        help: ArgumentHelp("The size, on cameras with more than one.", valueName: "small|large"),
        completion: .list(SnapshotCommand.sizes)
    )
    var size: String?

    @Flag(help: "Fetch a picture every second, until interrupted.")
    var follow = false

    @Option(help: ArgumentHelp("With --follow: end after this number of pictures.", valueName: "n"))
    var count: Int?

    private static let sizes = ["small", "large"]
    private static let pause = Duration.seconds(1)
    /// The daemon gives the camera 30 s.
    private static let answerTimeMax = Duration.seconds(40)
    private static let countMax = 1_000_000

    /// The file or the folder; nil: standard output.
    private var path: String? { file == "-" ? nil : file }

    func validate() throws {
        if file?.isEmpty == true { throw ValidationError(SnapshotSentences.emptyName) }
        if let size, !Self.sizes.contains(size) { throw ValidationError(SnapshotSentences.unknownSize(size)) }
        if common.json, path == nil { throw ValidationError(SnapshotSentences.jsonNeedsFile) }
        guard let count else { return }
        if !follow { throw ValidationError(SnapshotSentences.countNeedsFollow) }
        guard (1...Self.countMax).contains(count) else {
            throw ValidationError(UsageSentences.outOfRange("--count", 1, Self.countMax))
        }
    }

    func execute(in environment: Environment) async throws -> ProcessExit {
        // A terminal shows a JPEG as unreadable characters, and some of them control it.
        if file == nil, environment.screen != nil { throw Failure.usage(SnapshotSentences.needsFile) }
        let daemon = try await Daemon(common.connection(in: environment))
        guard follow else {
            let picture = try await fetch(from: daemon)
            try write(picture, to: path, in: environment)
            return .allDone
        }
        var names = try path.map { (folder) throws(Failure) in try SnapshotNames(folder: folder) }
        for number in 0..<(count ?? .max) {
            let next = environment.now() + Self.pause
            let picture = try await fetch(from: daemon)
            try write(picture, to: names?.next(), in: environment)
            guard number + 1 < count ?? .max else { break }
            try await Task.sleep(for: max(.zero, next - environment.now()))
        }
        return .allDone
    }

    private func fetch(from daemon: Daemon) async throws -> Snapshot {
        let reply = try await daemon.call(Bracketd.Snapshot(size: size), within: Self.answerTimeMax)
        return Snapshot(picture: reply.picture, bytes: try reply.picture.bytes())
    }

    private func write(_ snapshot: Snapshot, to path: String?, in environment: Environment) throws {
        guard let path else { return try environment.output.bytes(snapshot.bytes) }
        do throws(OutputFailure) {
            try NamedFile.write(snapshot.bytes, to: path)
        } catch {
            throw Failure("NotWritten", error.sentence)
        }
        _ = try show(snapshot.json(file: path), snapshot.line(file: path), in: environment)
    }
}

extension Bracketd.LiveViewPicture {
    /// The bytes of the JPEG.
    func bytes() throws(Failure) -> [UInt8] {
        guard let bytes = Base64.bytes(jpeg) else { throw Failure("InvalidPicture", SnapshotSentences.notBase64) }
        return bytes
    }

    var shownExposure: LiveViewExposure { LiveViewExposure(rawValue: exposure) ?? .unknown }
}

/// A picture of the live view.
private struct Snapshot {
    let picture: Bracketd.LiveViewPicture
    let bytes: [UInt8]

    func json(file: String) -> JSONValue {
        .object(leavingOutNil: [
            "file": .string(file), "bytes": .int(bytes.count), "width": .int(picture.width),
            "height": .int(picture.height), "exposure": .string(picture.exposure),
            "speed": picture.speed.map { .string($0) },
        ])
    }

    func line(file: String) -> String {
        SnapshotSentences.written(
            file,
            width: picture.width,
            height: picture.height,
            size: ByteText.text(UInt64(bytes.count)),
            exposure: picture.shownExposure
        )
    }
}

/// The names of the pictures in a folder: `snapshot-000001.jpg`. The numbers continue after those in the folder, so
/// that no picture is replaced.
struct SnapshotNames {
    private let folder: String
    private var last = 0

    private static let prefix = "snapshot-"
    private static let suffix = ".jpg"
    private static let digits = 6
    private static let namesMax = 1_000_000

    init(folder: String) throws(Failure) {
        let names = InputFile.names(in: folder, countMax: Self.namesMax) { Self.number(of: $0) != nil }
        guard let names else { throw Failure("NotWritten", FileSentences.folderNotRead(folder)) }
        self.folder = folder
        last = names.compactMap(Self.number).max() ?? 0
    }

    private static func number(of name: String) -> Int? {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
        let text = name.dropFirst(prefix.count).dropLast(suffix.count)
        guard text.count <= 9, text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        return Int(text)
    }

    mutating func next() -> String {
        last += 1
        let number = String(last)
        let zeros = String(repeating: "0", count: max(0, Self.digits - number.count))
        return "\(folder)/\(Self.prefix)\(zeros)\(number)\(Self.suffix)"
    }
}
