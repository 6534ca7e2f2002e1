import ArgumentParser
import Exposure
import Varlink

/// `bracketctl photos`
struct PhotosCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "photos",
        abstract: "Lists the pictures that came from the camera, and whether each fits its frame.",
        discussion: """
            A picture is receiving, stored, verified (its exposure is the planned one), suspect (it is not), skipped \
            or failed. With --follow each that comes and each verdict is printed, until it is interrupted.
            """
    )

    @OptionGroup var common: CommonOptions

    @Flag(help: "Go on with each picture that comes.")
    var follow = false

    func execute(in environment: Environment) async throws -> ProcessExit {
        let daemon = try await Daemon(common.connection(in: environment))
        if follow { try await follow(daemon, environment) }
        let reply = try await daemon.call(.getPhotos)
        let text = try PhotosCommand.text(reply)
        let object = PrintedJSON.photos(reply["photos"] ?? .emptyObject)
        try environment.output.line(common.json ? object.description : text)
        return .allDone
    }

    private func follow(_ daemon: Daemon, _ environment: Environment) async throws -> Never {
        // With pictures left on the camera nothing would ever come: the sentence says so.
        let photos = try await daemon.call(.getPhotos)
        let sentence = try ReplyFields("photos", of: photos).string("sentence")
        if !common.json { try environment.output.line(sentence) }
        do {
            let _: Never? = try await daemon.follow(.watchPhotos) { reply in
                let report = try PhotoReport(ReplyFields("photo", of: reply))
                let object = PrintedJSON.photo(reply["photo"] ?? .emptyObject)
                try environment.output.line(common.json ? object.description : report.line)
                return nil
            }
        } catch let failure as Failure {
            throw failure.duringWatch
        }
        throw Failure.watchEnded(daemon.connection)
    }

    /// A line per picture under a headline, and the daemon's sentence; without pictures the sentence alone.
    static func text(_ reply: JSONValue) throws(Failure) -> String {
        let fields = try ReplyFields("photos", of: reply)
        let sentence = try fields.string("sentence")
        var rows: [[String]] = []
        for photo in try fields.objects("list") { rows.append(try PhotoReport(photo).cells) }
        guard !rows.isEmpty else { return sentence }
        return (TextTable.lines([PhotoReport.headline] + rows, rightAligned: PhotoReport.numbers) + ["", sentence])
            .joined(separator: "\n")
    }
}

/// A picture as the daemon reports it.
struct PhotoReport {
    let state: String
    let set: Int?
    let frame: Int?
    let speed: String?
    let byteCount: Int?
    /// Where it is on disk, else what the camera calls it.
    let file: String
    let reason: String?

    init(_ fields: ReplyFields) throws(Failure) {
        state = try fields.string("state")
        set = try fields.optionalInt("set")
        frame = try fields.optionalInt("frame")
        speed = try fields.optionalString("speed")
        byteCount = try fields.optionalInt("byteCount")
        let name = try fields.string("name")
        file = try fields.optionalString("path") ?? name
        reason = try fields.optionalString("reason")
    }

    static let headline = ["state", "set", "frame", "speed", "size", "file", ""]
    /// The columns of numbers.
    static let numbers: Set<Int> = [1, 2, 4]

    /// The picture's row of the table.
    var cells: [String] {
        [
            state, set.map(String.init) ?? "", frame.map(String.init) ?? "", speed ?? "",
            size ?? "", file, reason ?? "",
        ]
    }

    private var size: String? { byteCount.map { ByteText.text(UInt64(clamping: $0)) } }

    /// `verified  set 1, frame 3  1/250  24.9 MB  shoot-1/set-1/DSC00003.JPG`
    var line: String {
        var parts = [state]
        if let set, let frame { parts.append("set \(set), frame \(frame)") }
        parts += [speed, size, file, reason].compactMap(\.self)
        return parts.joined(separator: "  ")
    }
}
