import ArgumentParser
import Exposure
import PictureReader
import Varlink

struct MeterCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "meter",
        abstract: "Shows the speeds that expose the shadows and the highlights, from pictures of the scene.",
        discussion: """
            Reads JPEG pictures of one scene that differ only in their shutter speed. One picture gives an estimate. \
            Two or more show the camera's tone curve. For each spot the command shows how sure the speed is, and the \
            next picture to take. Works without the daemon, except with --from test-frame: then the daemon fires one \
            frame, and the command reads its picture. --from live reads one picture of the live view instead, as a \
            first guess.

            A point X,Y is in percent from the top left of the picture. Without points the ends are those of the whole \
            picture, without its brightest 0.05 % and its darkest 1 %.
            """
    )

    @OptionGroup var common: CommonOptions

    @Option(
        help: ArgumentHelp(
            "Read this picture, fire a frame and read its picture, or read the live view. Files may be given several "
                + "times.",
            valueName: "file|test-frame|live"
        ),
        completion: .file()
    )
    var from: [String] = []

    @Option(
        help: ArgumentHelp("The speed of the test frame. (default: the camera's present speed)", valueName: "speed"),
        completion: ValueCompletion.speeds
    )
    var speed: String?

    @Option(help: ArgumentHelp("Also meter this point. May be given several times.", valueName: "x,y"))
    var at: [String] = []

    @Option(help: ArgumentHelp("The shadows are at this point.", valueName: "x,y"))
    var shadow: String?

    @Option(help: ArgumentHelp("The highlights are at this point.", valueName: "x,y"))
    var highlight: String?

    @Option(
        help: ArgumentHelp(
            "Make the spots mid-grey, or keep their detail. (default: grey)",
            valueName: "grey|detail"
        ),
        completion: .list(Placement.allCases.map(\.label))
    )
    var placement: String?

    private static let picturesMax = 32
    private static let pointsMax = 14

    func validate() throws {
        if from.isEmpty { throw ValidationError(MeterSentences.needsPicture) }
        if from.count > Self.picturesMax { throw ValidationError(MeterSentences.tooManyPictures(Self.picturesMax)) }
        if from.count(where: { $0 == TestFrame.word }) > 1 { throw ValidationError(MeterSentences.oneTestFrame) }
        if from.contains(LiveFrame.word), from.count > 1 { throw ValidationError(MeterSentences.liveAlone) }
        if speed != nil, !from.contains(TestFrame.word) { throw ValidationError(MeterSentences.speedOfTestFrame) }
        if at.count > Self.pointsMax { throw ValidationError(MeterSentences.tooManyPoints(Self.pointsMax)) }
    }

    func execute(in environment: Environment) async throws -> ProcessExit {
        let points = try MeterPoints(shadow: shadow, highlight: highlight, others: at)
        let placement = try MeterCommand.placement(placement)
        let reader = try SortCommand.reader()
        if from.contains(LiveFrame.word) { return try await meterLiveView(points, placement, reader, in: environment) }
        var paths = from
        if let place = from.firstIndex(of: TestFrame.word) { paths[place] = try await testFrame(in: environment) }
        var pictures: [MeteredPicture] = []
        for path in paths { pictures.append(try MeteredPicture(path: path, points.all, reader)) }
        try MeteredPicture.requireSameSettings(pictures)
        let source = from.contains(TestFrame.word) ? TestFrame.word : "file"
        let report = try MeterReport(pictures, points, placement, source: source)
        return try show(report.json, report.text, in: environment)
    }

    private func meterLiveView(
        _ points: MeterPoints,
        _ placement: Placement,
        _ reader: MetadataReader,
        in environment: Environment
    ) async throws -> ProcessExit {
        let daemon = try await Daemon(common.connection(in: environment))
        let frame = try await LiveFrame(from: daemon, points.all, reader)
        let report = try MeterReport([frame.picture], points, placement, source: LiveFrame.word)
        if !frame.isShown { try environment.errors.line(MeterSentences.liveViewIsUnknown) }
        return try show(report.json, report.text, in: environment)
    }

    /// Fires a test frame, and returns the path of its picture.
    private func testFrame(in environment: Environment) async throws -> String {
        var given: ShutterSpeed?
        if let speed {
            do throws(SpeedError) {
                given = try ShutterSpeed(parsing: speed)
            } catch {
                throw Failure.usage(PlanSentences.invalidOption("--speed", error.sentence))
            }
        }
        let daemon = try await Daemon(common.connection(in: environment))
        return try await TestFrame(daemon: daemon, errors: environment.errors).fire(at: given)
    }

    private static func placement(_ text: String?) throws(Failure) -> Placement {
        guard let text else { return .grey }
        guard let placement = Placement.allCases.first(where: { $0.label == text }) else {
            throw Failure.usage(MeterSentences.unknownPlacement(text))
        }
        return placement
    }
}

/// The points of a picture that the user names.
struct MeterPoints {
    let shadow: PicturePoint?
    let highlight: PicturePoint?
    let others: [PicturePoint]

    init(shadow: String?, highlight: String?, others: [String]) throws(Failure) {
        self.shadow = try shadow.map(MeterPoints.point)
        self.highlight = try highlight.map(MeterPoints.point)
        var points: [PicturePoint] = []
        for text in others { points.append(try MeterPoints.point(text)) }
        self.others = points
    }

    /// All points, in the order in which the spots are read.
    var all: [PicturePoint] { [shadow, highlight].compactMap(\.self) + others }

    private static func point(_ text: String) throws(Failure) -> PicturePoint {
        do throws(PicturePointError) {
            return try PicturePoint(parsing: text)
        } catch {
            throw Failure.usage(error.sentence)
        }
    }
}
