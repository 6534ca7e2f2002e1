import ArgumentParser
import ProgramOutput
import SCXML

struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs a chart on a virtual clock and prints its state after each event.",
        discussion: """
            The chart may use all of W3C SCXML except scripts and other sessions. Its data model is null or a small \
            part of ecmascript. Events are a JSON array of {"name": "…", "data": …} for an external event, and \
            {"after": MILLISECONDS} to move the clock.

            Exit status: 0; 1 if the chart or its events are rejected, or a limit was exceeded; 3 if the chart needs \
            an unsupported feature; 64 for wrong arguments.
            """
    )

    @Argument(help: "The chart.")
    var file: String

    @Option(help: "The events, in a file; - is standard input.")
    var events: String?

    @Flag(help: "One JSON object after the start and after each element.")
    var json = false

    @Flag(help: "Print every microstep, and every event without a transition.")
    var trace = false

    @Flag(help: "Print a line for each <log>.")
    var log = false

    @Option(
        name: .customLong("guard"),
        help: ArgumentHelp("The value of a named condition.", valueName: "name=true|false")
    )
    var guards: [NamedAnswer] = []

    @Option(name: .customLong("delay"), help: ArgumentHelp("The length of a named delay.", valueName: "name=ms"))
    var delays: [NamedDelay] = []

    @Option(help: "The limit of microsteps in one macrostep.")
    var maxMicrosteps = 10_000

    @Option(help: "The limit of events that the chart sends to itself in the whole run.")
    var maxDeliveries = 10_000

    @Option(help: "Write a journal for scxml replay.")
    var journal: String?

    func validate() throws {
        guard maxMicrosteps > 0 else { throw ValidationError("--max-microsteps must be at least 1.") }
        guard maxDeliveries > 0 else { throw ValidationError("--max-deliveries must be at least 1.") }
    }

    func run() throws {
        guard let chart = ChartFile.read(file, as: .recommendation) else { throw ExitCode(1) }
        try ChartFile.refuse(chart, file)
        var options = ChartRunner.Options()
        options.names = RunNames(
            guards: NameTable(guards.map { ($0.name, $0.value) }),
            delays: NameTable(delays.map { ($0.name, $0.milliseconds) })
        )
        options.microstepsMax = maxMicrosteps
        options.deliveriesMax = maxDeliveries
        options.keepsSteps = trace || journal != nil
        guard var runner = ChartRunner(chart, options) else {
            ChartFile.report("scxml: \(file): the chart is too large to run: \(ChartRunner.sizeLimits)")
            throw ExitCode(1)
        }
        for name in runner.unansweredNames {
            ChartFile.report("scxml: \(file): '\(name)' has no value and counts as false: give --guard \(name)=true")
        }
        for name in runner.unansweredDelays {
            ChartFile.report(
                "scxml: \(file): delay '\(name)' has no value, so nothing is sent: give --delay \(name)=MS"
            )
        }
        let elements = try script()
        var record = journal.map { _ in RunJournal(chart, source: file, options) }
        try report(runner.start(), of: runner, to: &record)
        for element in elements { try report(runner.handle(element), of: runner, to: &record) }
        try write(record)
    }

    private func script() throws -> [RunElement] {
        guard let events else { return [] }
        do {
            return try RunScript.read(ChartFile.bytes(events, sizeMax: RunScript.sizeMax))
        } catch let refusal as RunScript.Refusal {
            ChartFile.report("scxml: \(refusal.message)")
        } catch let problem as ChartFile.Unreadable {
            ChartFile.report("scxml: \(problem.message)")
        }
        throw ExitCode(1)
    }

    private func report(
        _ outcome: ChartRunner.Outcome,
        of runner: ChartRunner,
        to journal: inout RunJournal?
    ) throws {
        if log {
            for line in outcome.logs { try StandardStream.output.line(json ? line.json : line.text) }
        }
        journal?.append(outcome)
        if let overrun = runner.overrun {
            ChartFile.report("scxml: \(file): stopped at \(outcome.milliseconds) ms: \(overrun)")
            try write(journal)
            throw ExitCode(1)
        }
        let line = json ? outcome.json(withTrace: trace) : outcome.text(withTrace: trace)
        try StandardStream.output.line(line)
    }

    private func write(_ record: RunJournal?) throws(OutputFailure) {
        guard let record, let journal else { return }
        try NamedFile.write(record.text, to: journal)
    }
}

/// The value of an option: `NAME=true` or `NAME=false`.
struct NamedAnswer: ExpressibleByArgument {
    var name: String
    var value: Bool

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let value = Bool(parts[1]) else { return nil }
        name = parts[0]
        self.value = value
    }
}

/// The value of an option: `NAME=MILLISECONDS`.
struct NamedDelay: ExpressibleByArgument {
    var name: String
    var milliseconds: Int64

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let value = Int64(parts[1]), (0...RunNames.delayMax).contains(value) else {
            return nil
        }
        name = parts[0]
        milliseconds = value
    }
}
