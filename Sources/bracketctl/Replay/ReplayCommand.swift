import ArgumentParser
import Flight
import Varlink

struct ReplayCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Replays a recording of the flight recorder through the same charts. Works without the daemon.",
        discussion: """
            Shows every transition, and whether it is the same as recorded. Times are seconds since the start of the \
            recording. A run of the daemon may have several files. Give these files in order, or a folder for the \
            newest run in it. docs/flight.md describes the recordings.
            Exit codes: 0 replayed identically, 1 different or not possible, 64 wrong arguments.
            """
    )

    @OptionGroup var common: CommonOptions

    @Argument(help: "The files of one run in order, or a folder.", completion: .file())
    var files: [String]

    @Option(help: ArgumentHelp("Stop at a time, as in 12.5s, or at the number of a record.", valueName: "time|record"))
    var until: ReplayEnd?

    @Flag(help: "Show every input and its effects; on a terminal, wait for Enter after each.")
    var step = false

    func validate() throws {
        if files.contains("") { throw ValidationError(UsageSentences.emptyRecording) }
    }

    func execute(in environment: Environment) async throws -> ProcessExit {
        let recording = try Recording(paths: files)
        var replay = FlightReplay(recording.header)
        let report = ReplayReport(
            header: recording.header,
            showsInputs: step,
            isJSON: common.json,
            environment: environment
        )
        for warning in replay.warnings { try environment.errors.line("bracketctl: \(warning)") }
        try report.begin()
        var isTorn = false
        for file in recording.files {
            var reader = file.reader
            guard reader.recordsBefore == replay.recordCount else { throw missing(reader, before: file, replay) }
            while let record = try next(&reader, of: file, replay) {
                if let until, until.isBefore(record, report.time(record.time)) {
                    return try report.end(replay, isWhole: false)
                }
                switch replay.take(record) {
                case .failure(let difference): return try report.differs(difference)
                case .success(let taken):
                    try report.show(record, taken)
                    if let difference = taken.difference { return try report.differs(difference) }
                }
                if step, !common.json, let ask = environment.ask, ask("") == nil {
                    return try report.end(replay, isWhole: false)
                }
            }
            if reader.tornByteCount > 0 {
                isTorn = true
                let sentence = ReplaySentences.incomplete(file.path, lastBytes: reader.tornByteCount)
                try environment.errors.line("bracketctl: \(sentence)")
            }
        }
        return try report.end(replay, isWhole: !isTorn)
    }

    private func next(
        _ reader: inout FlightReader,
        of file: Recording.File,
        _ replay: FlightReplay
    ) throws(Failure) -> FlightRecord? {
        do {
            return try reader.next()
        } catch {
            let sentence = ReplaySentences.damaged(file.path, error.sentence, after: replay.counts)
            throw Failure("DamagedRecording", sentence)
        }
    }

    private func missing(_ reader: FlightReader, before file: Recording.File, _ replay: FlightReplay) -> Failure {
        let (first, last) = (replay.recordCount + 1, reader.recordsBefore)
        let sentence =
            first > last
            ? ReplaySentences.doesNotFollow(file.path, after: replay.counts)
            : ReplaySentences.recordsMissing(file.path, first: first, last: last, after: replay.counts)
        return Failure("IncompleteRecording", sentence)
    }
}

enum ReplayEnd: ExpressibleByArgument {
    /// A time since the recording began, in seconds.
    case time(Double)
    /// The record after which the replay stops.
    case record(Int)

    init?(argument: String) {
        if argument.hasSuffix("s") {
            guard let seconds = Double(argument.dropLast()), seconds >= 0, seconds < 1e9 else { return nil }
            self = .time(seconds)
        } else {
            guard let number = Int(argument), number > 0 else { return nil }
            self = .record(number)
        }
    }

    /// Whether the replay stops before this record.
    func isBefore(_ record: FlightRecord, _ time: Duration) -> Bool {
        switch self {
        case .time(let seconds): time > .seconds(seconds)
        case .record(let number): record.number > number
        }
    }
}
