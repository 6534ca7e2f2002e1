import ArgumentParser
import Exposure
import Interface
import Varlink

struct ExtendCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "extend",
        abstract: "Fires just the frames that a shoot lacks to cover the scene.",
        discussion: """
            The frames belong to the shoot like its own, so it can be resumed with them. Without --speed the command \
            adds the one frame that the check of the last shoot's pictures names. If they cover the scene, it fires \
            nothing. With --folder it reads the pictures of a shoot itself, as photos --coverage does.
            """
    )

    @OptionGroup var common: CommonOptions
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var meant: ShootArgument

    @Option(
        help: ArgumentHelp("Fire a frame at this speed. May be given several times.", valueName: "speed"),
        completion: ValueCompletion.speeds
    )
    var speed: [String] = []

    @Option(
        help: ArgumentHelp("Add the frame that the pictures in this shoot's folder need.", valueName: "folder"),
        completion: .directory
    )
    var folder: String?

    func validate() throws {
        if folder != nil, !speed.isEmpty { throw ValidationError(UsageSentences.exclusive("--speed", "--folder")) }
        if meant.id != nil, speed.isEmpty, folder == nil { throw ValidationError(MeterSentences.extensionNeedsSpeed) }
    }

    func execute(in environment: Environment) async throws -> ProcessExit {
        var speeds: [String] = []
        for text in speed { speeds.append(try ExtendCommand.speed(text).label) }
        var report: CoverageReport?
        if let folder { report = try CoverageReport(folder: folder, by: SortCommand.reader()) }
        let daemon = try await Daemon(common.connection(in: environment))
        if speeds.isEmpty {
            var checked = report?.coverage
            if folder == nil { checked = try await daemon.coverage(in: environment) }
            guard let coverage = checked else { throw Failure("NotChecked", MeterSentences.coverageUnknown) }
            guard let patch = coverage.worst else { return try show(coverage.json, coverage.sentence, in: environment) }
            guard let frame = patch.frame else { throw Failure("NoSpeed", coverage.sentence) }
            speeds = [frame]
        }
        let follower = ShootFollower(daemon, environment, common, progress)
        let (added, manifestShoot) = (speeds, report?.shoot)
        return try await meant.withConsent(in: environment) { shoot, drop in
            try await follower.follow(Bracketd.Extend(shoot: shoot ?? manifestShoot, speeds: added, drop: drop))
        }
    }

    private static func speed(_ text: String) throws(Failure) -> ShutterSpeed {
        do throws(SpeedError) {
            return try ShutterSpeed(parsing: text)
        } catch {
            throw Failure.usage(PlanSentences.invalidOption("--speed", error.sentence))
        }
    }
}

extension Bracketd.Extend.Reply: ProgressReply {}
