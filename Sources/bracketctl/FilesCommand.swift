import ArgumentParser
import Interface
import Varlink

struct FilesCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "files",
        abstract: "Lists the newest pictures on the camera's card.",
        discussion: """
            Only Sony cameras with the HTTP remote control can do this. The camera cannot shoot during that time. The \
            daemon refuses the command during a shoot. Times are those of the camera's clock.

            For --selected, connect the camera in its mode "Send to Smartphone": bracketctl connect ADDRESS:64321. The \
            list also ends the camera's transfer, and a camera can then leave the mode.
            """,
        subcommands: [FilesGetCommand.self]
    )

    @OptionGroup var common: CommonOptions

    @Option(
        help: ArgumentHelp(
            "List only pictures of this time or later, such as 2014-08-18 or 2014-08-18T12:34.",
            valueName: "time"
        )
    )
    var since: String?

    @Option(help: ArgumentHelp("List at most this number of pictures, 1 to 1000 (default: 100).", valueName: "n"))
    var limit: Int?

    private static let limitDefault = 100

    /// The time limit for the daemon's answer. A card with thousands of pictures takes minutes.
    private static let answerTimeMax = Duration.seconds(320) + Daemon.settingsTimeMax

    @OptionGroup var selection: SelectedOption

    func validate() throws {
        guard !selection.selected || since == nil && limit == nil else {
            throw ValidationError(UsageSentences.selectedAlone)
        }
        if let since, !FileTime.isValid(since) { throw ValidationError(UsageSentences.invalidTime) }
        let limit = limit ?? Self.limitDefault
        guard (1...FilesGetCommand.countMax).contains(limit) else {
            throw ValidationError(UsageSentences.invalidLimit(limit, max: FilesGetCommand.countMax))
        }
    }

    func execute(in environment: Environment) async throws -> ProcessExit {
        let daemon = try await Daemon(common.connection(in: environment))
        let call = Bracketd.GetFiles(
            since: since,
            limit: limit ?? Self.limitDefault,
            selected: selection.selected ? true : nil
        )
        let files = try await daemon.call(call, within: Self.answerTimeMax).files
        if common.json {
            for file in files { try environment.output.line(file.json.description) }
            return .allDone
        }
        guard !files.isEmpty else {
            try environment.output.line(FilesSentences.noFiles)
            return .allDone
        }
        let rows = files.map { [$0.time, $0.name, $0.kinds.joined(separator: "+"), $0.uri] }
        let lines = TextTable.lines([["time", "name", "kinds", "uri"]] + rows)
        try environment.output.line(lines.joined(separator: "\n"))
        return .allDone
    }
}

struct FilesGetCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Transfers pictures of the camera's card to the daemon's folder for pictures.",
        discussion:
            "The URIs are in the last column of bracketctl files. Quote them, because a shell expands the ? in them. "
            + "bracketctl photos lists the result."
    )

    @OptionGroup var common: CommonOptions

    @OptionGroup var parent: SelectedOption

    @Argument(help: ArgumentHelp("Pictures from bracketctl files.", valueName: "uri"))
    var uris: [String] = []

    static let countMax = 1000

    func validate() throws {
        guard parent.selected != !uris.isEmpty else { throw ValidationError(UsageSentences.filesOrSelected) }
        guard uris.count <= Self.countMax else { throw ValidationError(UsageSentences.tooManyFiles(Self.countMax)) }
    }

    func execute(in environment: Environment) async throws -> ProcessExit {
        let daemon = try await Daemon(common.connection(in: environment))
        let own = parent.selected ? Duration.seconds(3600) : .seconds(300) + .seconds(120) * uris.count
        let call = Bracketd.FetchFiles(uris: parent.selected ? nil : uris)
        let count = try await daemon.call(call, within: own + .seconds(20) + Daemon.settingsTimeMax).count
        return try show(["count": .int(count)], FilesSentences.fetched(count), in: environment)
    }
}

/// The option that `files` and `files get` have.
struct SelectedOption: ParsableArguments {
    @Flag(help: "Use the pictures that the user selected on a camera in the mode \"Send to Smartphone\".")
    var selected = false
}
