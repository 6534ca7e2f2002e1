import ArgumentParser
import Interface
import ProgramOutput
import Varlink

struct HistoryCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Lists the recorded shoots, the newest first.",
        discussion: """
            A shoot is completed, partial (frames are missing), cancelled or interrupted (the daemon ended before the \
            shoot). Times are local.
            """,
        subcommands: [HistoryShowCommand.self, HistoryExportCommand.self]
    )

    @OptionGroup var common: CommonOptions

    @Option(help: ArgumentHelp("List at most this number of shoots, 1 to 200.", valueName: "n"))
    var limit = 20

    @Option(
        help: ArgumentHelp("List only shoots before this one.", valueName: "id"),
        completion: ValueCompletion.shoots
    )
    var before: Int?

    func validate() throws {
        guard (1...200).contains(limit) else {
            throw ValidationError(UsageSentences.invalidLimit(limit))
        }
        if let before, before < 1 {
            throw ValidationError(UsageSentences.invalidShoot(before, option: "--before"))
        }
    }

    func execute(in environment: Environment) async throws -> ProcessExit {
        let daemon = try await Daemon(common.connection(in: environment))
        let shoots = try await daemon.call(Bracketd.GetHistory(limit: limit, before: before)).shoots
        if common.json {
            for shoot in shoots { try environment.output.line(PrintedJSON.summary(shoot.json).description) }
            return .allDone
        }
        guard !shoots.isEmpty else {
            try environment.output.line(
                before == nil ? HistorySentences.noShoot : HistorySentences.noEarlierShoot
            )
            return .allDone
        }
        let rows = shoots.map { $0.cells(in: environment) }
        let lines = TextTable.lines([ShootSummary.headline] + rows, rightAligned: ShootSummary.numbers)
        try environment.output.line(lines.joined(separator: "\n"))
        return .allDone
    }
}

struct HistoryShowCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows one shoot, with the outcome of each frame.",
        discussion: """
            A frame is planned, attempting, captured, verified, suspect, exposed, lost, unknown or failed. Suspect: \
            the picture differs from the plan. Exposed: the only copy is not on disk yet. Lost: no copy exists. \
            Unknown: the shutter may have fired. Pauses, doubts and frames that were fired again follow. Times are \
            local.
            """
    )

    @OptionGroup var common: CommonOptions

    @Argument(
        help: "The shoot's number from bracketctl history. Default: the last shoot.",
        completion: ValueCompletion.shoots
    )
    var id: Int?

    func execute(in environment: Environment) async throws -> ProcessExit {
        let daemon = try await Daemon(common.connection(in: environment))
        let id = if let id { id } else { try await HistoryShowCommand.last(daemon) }
        let shoot = try await daemon.call(Bracketd.GetShoot(id: id)).shoot
        return try show(PrintedJSON.record(shoot.json), Self.text(shoot, in: environment), in: environment)
    }

    private static func last(_ daemon: Daemon) async throws -> Int {
        guard let shoot = try await daemon.call(Bracketd.GetHistory(limit: 1)).shoots.first else {
            throw Failure("NoSuchShoot", HistorySentences.noShoot)
        }
        return shoot.id
    }

    static func text(_ shoot: ShootRecord, in environment: Environment) -> String {
        let summary = shoot.summary
        let rows: [(String, String?)] = [
            ("shoot", String(summary.id)),
            ("camera", summary.camera),
            ("plan", summary.plan),
            ("began", summary.began.map { summary.date($0, environment) }),
            ("ended", summary.ended.map { summary.date($0, environment) }),
            ("outcome", summary.result + shoot.dismissal),
            ("why", summary.cause),
        ]
        let lines = rows.compactMap { name, value in value.map { name.padded(to: 9) + $0 } }
        let frames = shoot.frames.map { $0.cells(in: environment) }
        let table = TextTable.lines([FrameRecord.headline] + frames, rightAligned: FrameRecord.numbers)
        let incidents = TextTable.lines((shoot.incidents ?? []).map { $0.cells(in: environment) })
        return (lines + [""] + table + (incidents.isEmpty ? [] : ["", "incidents"] + incidents)).joined(separator: "\n")
    }
}

struct HistoryExportCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes a manifest of one shoot for programs that merge pictures.",
        discussion: """
            docs/history.md describes the manifest, and its use with enfuse and Hugin. The command waits for pictures \
            of the shoot that are still being transferred.
            """
    )

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case json, csv
    }

    @OptionGroup var common: CommonOptions

    @Argument(help: "The shoot's number from bracketctl history.", completion: ValueCompletion.shoots)
    var id: Int

    @OptionGroup var wait: WaitOption

    @Option(help: "json or csv.")
    var format = Format.json

    @Option(
        file: "Write this file instead of standard output. Your own regular file is replaced as a whole; any other "
            + "file is written into."
    )
    var output: String?

    func validate() throws {
        if output?.isEmpty == true { throw ValidationError(UsageSentences.needsFile("--output")) }
    }

    func execute(in environment: Environment) async throws -> ProcessExit {
        let daemon = try await Daemon(common.connection(in: environment))
        let missing = wait.noWait ? 0 : try await daemon.awaitPictures(of: id, saying: environment.errors).inTransfer
        if missing > 0 {
            let follow = daemon.connection.commandLine("photos --follow")
            try environment.errors.line(ShootReportSentences.exportLacksPictures(missing, follow: follow))
        }
        let shoot = try await daemon.call(Bracketd.GetShoot(id: id)).shoot
        let text = format == .json ? HistoryExport.json(shoot) : HistoryExport.csv(shoot)
        guard let output else {
            try environment.output.raw(text)
            return .allDone
        }
        do throws(OutputFailure) {
            try NamedFile.write(text, to: output)
        } catch {
            throw Failure("NotWritten", error.sentence)
        }
        let sentence = HistorySentences.written(shoot: id, to: output)
        return try show(["file": .string(output), "sentence": .string(sentence)], sentence, in: environment)
    }
}
