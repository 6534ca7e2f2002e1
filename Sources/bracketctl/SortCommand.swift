import ArgumentParser
import Exposure
import Glibc
import Interface
import PictureReader
import PrintableText
import Varlink

struct SortCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "sort",
        abstract: "Sorts pictures that were copied from the card into the sets of a shoot.",
        discussion: """
            Matches each picture with a frame by its shutter speed and its time. The offset of the camera's clock is \
            learned from the shoot. Each set gets a folder with hard links to its pictures, and each shoot gets a \
            manifest. The pictures are never moved or changed. RAW files are used if their EXIF data can be read. \
            docs/manifest.md describes the manifest.
            Exit codes: 0 all frames have a file, 3 some have, 4 none has; 1 any other error, 5 no daemon, 64 usage.
            """
    )

    @OptionGroup var common: CommonOptions

    @Argument(help: "The folder with the pictures.", completion: .directory)
    var folder: String

    @Option(
        help: ArgumentHelp("The shoot's number. Default: the last shoot.", valueName: "id"),
        completion: ValueCompletion.shoots
    )
    var shoot: Int?

    @Flag(help: "Sort the pictures of every shoot among the newest 200.")
    var all = false

    @Option(
        help: ArgumentHelp(
            "Read the shoot from this file of history export, not from the daemon. May be given several times.",
            valueName: "file"
        ),
        completion: .file()
    )
    var from: [String] = []

    @Option(
        help: ArgumentHelp("Create the shoot's folder here instead of beside the pictures.", valueName: "folder"),
        completion: .directory
    )
    var output: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How far the camera's clock is ahead of this computer's, such as +1:03 or -0:02:30. Default: learned.",
            valueName: "h:mm"
        )
    )
    var clockOffset: ClockOffset?

    @Flag(help: "Write only the manifest, and no links.")
    var manifestOnly = false

    @Flag(help: "Write nothing; print what would be written.")
    var dryRun = false

    func validate() throws {
        if folder.isEmpty { throw ValidationError(UsageSentences.emptyPictureFolder) }
        if output?.isEmpty == true { throw ValidationError(UsageSentences.needsFolder("--output")) }
        if all, shoot != nil { throw ValidationError(UsageSentences.exclusive("--all", "--shoot")) }
        if let shoot, shoot < 1 { throw ValidationError(UsageSentences.invalidShoot(shoot, option: "--shoot")) }
    }

    func execute(in environment: Environment) async throws -> ProcessExit {
        let choice = all ? SortSource.Choice.all : shoot.map { .shoot($0) } ?? .last
        let source: SortSource
        if from.isEmpty {
            source = try await SortSource(Daemon(common.connection(in: environment)), choice)
        } else {
            source = try SortSource(files: from, choice)
        }
        let card = try CardFolder(path: folder)
        let scan = try CardScan(of: card, by: try SortCommand.reader())
        guard !scan.exposures.isEmpty else { throw SortCommand.noPictures(scan, in: folder) }
        let target = try output.map { (path) throws(Failure) in try CardFolder(path: path) } ?? card
        var writer = SortWriter(from: card, to: target, wantsLinks: !manifestOnly)
        var states: [ProcessExit] = []
        for id in source.targets {
            guard let state = try sort(id, source, scan, &writer, environment) else { continue }
            states.append(state)
        }
        try reportFiles(scan, writer, in: environment)
        return try status(of: states, in: environment)
    }

    /// Sorts one shoot and reports the result. If all shoots are sorted, returns nil for a shoot without captured
    /// frames and without pictures.
    private func sort(
        _ id: Int,
        _ source: SortSource,
        _ scan: CardScan,
        _ writer: inout SortWriter,
        _ environment: Environment
    ) throws -> ProcessExit? {
        guard let shoot = source.shoot(id) else { return nil }
        let began = shoot.began ?? 0
        let localOffset = SortCommand.localOffset(at: began, in: environment)
        let offset = clockOffset.map { Double($0.seconds) + localOffset }
        let sorted = SortedShoot(shoot, among: source.session(of: id), scan.exposures, offset: offset)
        let report = SortReport(sorted: sorted, localOffset: localOffset)
        let isFound = sorted.foundCount > 0
        if all, !isFound, report.status == .nothingCaptured { return nil }
        guard report.status != .error || all else {
            throw Failure("ClockUnsure", report.sentence)
        }
        let name = SortCommand.folderName(id, began: began, in: environment)
        let writes = isFound && !dryRun
        let placed =
            writes ? try writer.write(sorted, in: name, identities: scan.identities) : writer.unlinked(sorted)
        let path = "\(output ?? folder)/\(name)"
        guard !common.json else {
            try environment.output.line(report.json(placed, folder: writes ? path : nil).description)
            return report.status
        }
        let summary = sorted.shoot.summary
        var lines = [SortSentences.title(shoot: id, camera: summary.camera, plan: summary.plan), report.sentence]
        lines += report.remarks
        if isFound { lines.append(dryRun ? SortSentences.dryRun : SortSentences.written(to: path)) }
        try environment.output.line(lines.joined(separator: "\n"))
        return report.status
    }

    /// Prints the report about files on standard error.
    private func reportFiles(_ scan: CardScan, _ writer: SortWriter, in environment: Environment) throws {
        if let fault = writer.linkFault {
            try environment.errors.line(SortSentences.noLinks(fault))
        }
        let files = scan.unreadable.map { SortSentences.fileIgnored(PrintableText.clean($0.path), $0.fault) }
        let lists = [(scan.unreadFolders, SortSentences.moreFoldersIgnored), (files, SortSentences.moreFilesIgnored)]
        for (sentences, moreIgnored) in lists {
            for sentence in sentences.prefix(SortCommand.unreadableMax) { try environment.errors.line(sentence) }
            let more = sentences.count - SortCommand.unreadableMax
            if more > 0 { try environment.errors.line(moreIgnored(more)) }
        }
    }

    private func status(of states: [ProcessExit], in environment: Environment) throws -> ProcessExit {
        guard !states.isEmpty else {
            let sentence = SortSentences.noShootOfPictures
            _ = try show(["sentence": .string(sentence)], sentence, in: environment)
            return .nothingCaptured
        }
        guard let first = states.first, states.contains(where: { $0 != first }) else { return states[0] }
        return .partial
    }

    // MARK: Parts

    /// The maximum number of files or directories that the report names individually.
    private static let unreadableMax = 10

    /// The installed program that reads pictures.
    static func reader() throws(Failure) -> MetadataReader {
        let reader = MetadataReader.installed()
        guard reader.program != nil else {
            throw Failure("NoReader", SortSentences.noReader(MetadataReader.programName))
        }
        return reader
    }

    private static func noPictures(_ scan: CardScan, in folder: String) -> Failure {
        let file = scan.unreadable.first.map { SortSentences.fileFault(PrintableText.clean($0.path), $0.fault) }
        return Failure("NoPictures", SortSentences.noPictures(folder, remark: scan.unreadFolders.first ?? file))
    }

    /// Local time minus UTC, in seconds.
    private static func localOffset(at time: Double, in environment: Environment) -> Double {
        let seconds = time_t(time)
        var calendar = environment.calendar(seconds)
        return Double(timegm(&calendar) - seconds)
    }

    /// The name of the shoot's directory with its start time, as the daemon names it: `20261121-083000-shoot-3`.
    private static func folderName(_ id: Int, began: Double, in environment: Environment) -> String {
        guard began > 0 else { return "shoot-\(id)" }
        return "\(HistoryTime(milliseconds: Int64(began * 1000)).stamp(in: environment))-shoot-\(id)"
    }
}

/// The difference between two clocks: `+1:03`, `-0:02:30`.
struct ClockOffset: ExpressibleByArgument {
    private static let hoursMax = 1_000_000

    let seconds: Int

    init?(argument: String) {
        let sign = argument.hasPrefix("-") ? -1 : 1
        let digits = argument.drop { $0 == "+" || $0 == "-" }
        guard argument.utf8.count - digits.utf8.count <= 1 else { return nil }
        let parts = digits.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard 2...3 ~= parts.count, let hours = parts[0], let minutes = parts[1], 0...Self.hoursMax ~= hours,
            0..<60 ~= minutes, let rest = parts.count == 3 ? parts[2] : 0, 0..<60 ~= rest
        else { return nil }
        seconds = sign * ((hours * 60 + minutes) * 60 + rest)
    }
}
