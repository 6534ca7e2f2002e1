import ArgumentParser
import Interface
import Varlink

/// `bracketctl charts`: shows the embedded charts and the daemon's active states.
struct ChartsCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "charts",
        abstract: "Shows the statecharts of the daemon and marks their active states. Works without the daemon.",
        discussion: """
            Without a name: one line for each chart. With a name: the chart as text. ► marks an active state, and > \
            marks the states that contain it. Without a daemon nothing is marked.
            """
    )

    @OptionGroup var common: CommonOptions

    @Argument(
        help: ArgumentHelp("The chart: \(PlainList.text(ChartLibrary.names)).", valueName: "name"),
        completion: ValueCompletion.charts
    )
    var name: String?

    @Flag(help: "Print the chart as an SVG drawing.")
    var svg = false

    @Flag(help: "Show only the states, without actions and transitions.")
    var states = false

    @Flag(help: "Keep the states up to date until interrupted; without a terminal, print one line per transition.")
    var watch = false

    @Option(
        file: "Write the drawing to this file. Your own regular file is replaced as a whole; any other file is written "
            + "into."
    )
    var output: String?

    func execute(in environment: Environment) async throws -> ProcessExit {
        try check()
        let connection = try common.connection(in: environment)
        guard let name else { return try await list(connection, environment) }
        let chart = try ChartLibrary.chart(named: name)
        let view = ChartView(chart: chart, format: format, environment: environment)
        if watch {
            try await ChartWatch(view: view, environment: environment).run(connection)
        }
        let marks = try await marks(connection, environment) { ChartMarks(chart, $0) }
        for sentence in marks?.sentences ?? [] { try environment.errors.line("bracketctl: \(sentence)") }
        try view.show(marks)
        return .allDone
    }

    private var format: ChartView.Format {
        if svg { return .svg(file: output) }
        return common.json ? .json : .text(transitions: !states)
    }

    /// - Throws: `Failure` if the options contradict each other.
    private func check() throws(Failure) {
        let options = [
            (svg, "--svg"), (states, "--states"), (watch, "--watch"), (output != nil, "--output"),
        ].filter(\.0).map(\.1)
        if name == nil, let option = options.first {
            throw .usage(UsageSentences.needsChart(option, charts: ChartLibrary.names))
        }
        if svg, common.json { throw .usage(UsageSentences.exclusive("--svg", "--json")) }
        if states, svg || common.json {
            throw .usage(UsageSentences.statesOnlyInText(omit: svg ? "--svg" : "--json"))
        }
        if let output {
            guard svg else { throw .usage(UsageSentences.outputWithoutDrawing) }
            guard !output.isEmpty else { throw .usage(UsageSentences.emptyOutput) }
        } else if svg, watch {
            throw .usage(UsageSentences.drawingWithoutFile)
        }
    }

    // MARK: - The list

    private func list(_ connection: Connection, _ environment: Environment) async throws -> ProcessExit {
        let charts = ChartLibrary.charts
        let states = try await marks(connection, environment) { $0.charts }
        func running(_ chart: ChartPicture) -> RunningChart? { states?.first { $0.name == chart.name } }
        if common.json {
            for chart in charts { try environment.output.line(chart.listing(running(chart)).description) }
            return .allDone
        }
        let rows = charts.map { chart in
            let state = running(chart)?.text ?? chart.runs ?? ChartSentences.notRunning
            return [chart.name] + (states == nil ? [] : [state]) + [chart.sentence]
        }
        for line in TextTable.lines(rows) { try environment.output.line(line) }
        return .allDone
    }

    /// The result of `read` for the daemon's status. Without a daemon, prints a sentence on standard error and returns
    /// nil.
    private func marks<Marks>(
        _ connection: Connection,
        _ environment: Environment,
        _ read: (Bracketd.Status) -> Marks
    ) async throws -> Marks? {
        do throws(Failure) {
            return read(try await Daemon(connection).call(Bracketd.GetStatus()).status)
        } catch {
            guard error.status != .usage else { throw error }
            let sentence =
                error.status == .noDaemon
                ? ChartSentences.unmarkedWithoutDaemon(connection.path)
                : ChartSentences.unmarked(error.sentence)
            try environment.errors.line("bracketctl: \(sentence)")
            return nil
        }
    }
}
