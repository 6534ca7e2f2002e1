import ArgumentParser
import Bodies
import Controller
import ProgramCommands
import ProgramOutput
import Worlds

@main
struct Bracketsim: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bracketsim",
        abstract: "Runs shoots in a simulated world with faults, one world for each seed.",
        discussion: """
            A seed gives the same result on every machine. Each seed runs twice, and both runs must be equal. Prints \
            one line for each seed that breaks a rule, with the command to repeat it.
            Exit codes: 0 no rule broken, 1 a rule broken, 64 wrong arguments.
            """,
        version: Version.current
    )

    static func main() async {
        StandardStream.occupyClosed()
        OpenFiles.require(32, for: "bracketsim")
        await runProgram()
    }

    @Option(help: ArgumentHelp("Run this seed.", valueName: "n"))
    var seed: UInt64?

    @Option(help: ArgumentHelp("Run these seeds, including both ends: 1..1000.", valueName: "a..b"))
    var seeds: SeedRange?

    @Option(help: ArgumentHelp("Run seeds from 1, or from the first of --seeds, for this time.", valueName: "minutes"))
    var minutes: Double?

    @Option(help: "The faults: none, some or swarm.")
    var faults = Scenario.Level.swarm

    @Option(
        help: ArgumentHelp("Only cameras of this maker; default: all makers.", valueName: "name"),
        transform: Self.maker
    )
    var maker: BodyMaker?

    @Option(help: ArgumentHelp("The number of runs at the same time.", valueName: "n"))
    var jobs = 1

    @Flag(help: "Run each seed once, without comparing two runs.")
    var once = false

    @Flag(help: "For each seed, print one number for the bytes, links and ledger commits, to compare two versions.")
    var traces = false

    @Flag(help: "Print all events; needs --seed.")
    var transcript = false

    @Flag(help: "Print the scenario of --seed without running it.")
    var scenario = false

    func validate() throws {
        guard seed == nil || (seeds == nil && minutes == nil) else {
            throw ValidationError("--seed excludes --seeds and --minutes, which are for many seeds.")
        }
        guard seed != nil || !(transcript || scenario) else {
            throw ValidationError("--transcript and --scenario need --seed.")
        }
        guard seed == nil || !(once || traces) else {
            throw ValidationError("--once and --traces need many seeds: --seeds or --minutes.")
        }
        guard !(transcript && scenario) else {
            throw ValidationError("--transcript and --scenario exclude each other. Choose one.")
        }
        guard minutes.map({ $0 > 0 && $0 <= 10_000 }) ?? true else {
            throw ValidationError("--minutes needs a number above 0 and at most 10000.")
        }
        guard (1...64).contains(jobs) else { throw ValidationError("--jobs needs a number from 1 to 64.") }
    }

    func run() async throws {
        if let seed { return try show(seed) }
        // `validate` does not check this, because errors in the given arguments must come first.
        guard seeds != nil || minutes != nil else {
            throw ValidationError("Choose what to run: --seed, --seeds or --minutes.")
        }
        let range = seeds ?? SeedRange(first: 1, last: .max)
        let campaign = Campaign(
            seeds: range,
            minutes: minutes,
            level: faults,
            makers: makers,
            jobs: jobs,
            isRepeated: !once,
            isTraced: traces
        )
        let tally = try await campaign.run()
        try StandardStream.output.write(tally.summary(isRepeated: !once) + "\n")
        if !tally.failures.isEmpty { throw ExitCode.failure }
    }

    private var makers: [BodyMaker] { maker.map { [$0] } ?? BodyMaker.all }

    @Sendable
    private static func maker(_ name: String) throws -> BodyMaker {
        guard let maker = BodyMaker.named(name) else {
            let names = BodyMaker.all.map(\.name).joined(separator: ", ")
            throw ValidationError("There is no such maker; the makers are \(names).")
        }
        return maker
    }

    /// Runs one seed and prints its details.
    private func show(_ seed: UInt64) throws {
        let drawn = Scenario(seed: seed, level: faults, makers: makers)
        if scenario { return try StandardStream.output.write(drawn.text) }
        let result = try SeedResult(of: drawn, isReadable: transcript)
        if let text = result.outcome.transcript.text { try StandardStream.output.write(text) }
        try StandardStream.output.write(result.sentence + "\n")
        if result.violation != nil { throw ExitCode.failure }
    }
}

/// A range of seeds, which includes both ends.
struct SeedRange: ExpressibleByArgument, Equatable {
    var first: UInt64
    var last: UInt64

    init(first: UInt64, last: UInt64) {
        precondition(first <= last)
        self.first = first
        self.last = last
    }

    init?(argument: String) {
        let ends = argument.split(separator: "..", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = UInt64(ends[0]), let last = UInt64(ends[1]), first <= last else {
            return nil
        }
        self.init(first: first, last: last)
    }
}

extension Scenario.Level: ExpressibleByArgument {}
