import ArgumentParser
import Foundation
import ProgramOutput
import SCXML

struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Replays a journal and prints the first line that differs.",
        discussion: """
            A journal has a header with the chart's name, and one line per macrostep. Its inputs go to a new machine, \
            and every line is compared byte by byte. For a file with inputs only, the lines are printed.

            Exit status: 0 if every line is equal; 1 if one differs, or the journal is rejected; 3 if the chart needs \
            an unsupported feature; 64 for wrong arguments.
            """
    )

    @Argument(help: "The journal; scxml run --journal writes one.")
    var journal: String

    @Option(
        help: """
            The chart, if the path in the journal is wrong. That path is relative to the working directory, else to \
            the journal's folder.
            """
    )
    var chart: String?

    @Flag(help: "Continue although the chart differs from the recorded one, and print every line that changes.")
    var againstChangedChart = false

    func run() throws {
        do {
            let data = try ChartFile.bytes(journal, sizeMax: RunJournal.Recording.sizeMax)
            let recorded = try RunJournal.Recording(reading: data)
            guard let read = ChartFile.read(path(of: recorded), as: .recommendation) else { throw ExitCode(1) }
            try ChartFile.refuse(read, path(of: recorded))
            let replay = try RunJournal.Replay(recorded, on: read, evenIfChanged: againstChangedChart)
            try report(replay)
            if !replay.isIdentical { throw ExitCode(1) }
        } catch let refusal as RunJournal.Refusal {
            ChartFile.report("scxml: \(journal): \(refusal.message)")
            throw ExitCode(1)
        } catch let problem as ChartFile.Unreadable {
            ChartFile.report("scxml: \(problem.message)")
            throw ExitCode(1)
        }
    }

    /// The chart's path from the option or the header. It is relative to the working directory, otherwise to the
    /// journal's folder.
    private func path(of recorded: RunJournal.Recording) -> String {
        if let chart { return chart }
        let source = recorded.source
        if FileManager.default.fileExists(atPath: source) { return source }
        return URL(filePath: journal).deletingLastPathComponent().appending(path: source).path(percentEncoded: false)
    }

    private func report(_ replay: RunJournal.Replay) throws(OutputFailure) {
        let output = StandardStream.output
        if replay.isScriptOnly {
            for line in replay.lines { try output.line(line) }
        } else if replay.isIdentical {
            try output.line("\(replay.lines.count) macrosteps, all equal")
        } else {
            for difference in againstChangedChart ? replay.differences[...] : replay.differences.prefix(1) {
                try output.line("line \(difference.line)")
                try output.line("  recorded \(difference.recorded ?? "(nothing)")")
                try output.line("  replayed \(difference.replayed ?? "(nothing)")")
            }
        }
    }
}
