import ArgumentParser
import Controller
import ProgramOutput
import Worlds

@main
struct Bracketsim: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bracketsim",
        abstract: "Shoots in a simulated world, one for each seed, with everything that can go wrong.",
        discussion: """
            What a seed decides is the same on every machine. Each seed is run twice, and both runs must do the same.
            Prints a line for each seed in which a rule was broken, and the command to see it again.
            Exit codes: 0 every rule held, 1 not, 64 wrong arguments.
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

    @Option(help: ArgumentHelp("Run these seeds, both ends too: 1..1000.", valueName: "a..b"))
    var seeds: SeedRange?

    @Option(help: ArgumentHelp("Run seeds from 1, or from the first of --seeds, for so long.", valueName: "minutes"))
    var minutes: Double?

    @Option(help: "What goes wrong: none, some or swarm.")
    var faults = Scenario.Level.swarm

    @Option(help: ArgumentHelp("How many runs go on at once.", valueName: "n"))
    var jobs = 1

    @Flag(help: "Run each seed once: whether two runs do the same is not checked.")
    var once = false

    @Flag(help: "Print for each seed one number for the bytes, links and ledger commits, to compare two versions.")
    var traces = false

    @Flag(help: "Print all that happens, with --seed.")
    var transcript = false

    @Flag(help: "Print what the scenario of --seed is, and run nothing.")
    var scenario = false

    func validate() throws {
        guard seed == nil || (seeds == nil && minutes == nil) else {
            throw ValidationError("--seed stands alone: --seeds and --minutes are for many.")
        }
        guard seed != nil || !(transcript || scenario) else {
            throw ValidationError("--transcript and --scenario need --seed.")
        }
        guard seed == nil || !(once || traces) else {
            throw ValidationError("--once and --traces are for many seeds: --seeds or --minutes.")
        }
        guard !(transcript && scenario) else {
            throw ValidationError("--transcript and --scenario are two ways to look: choose one.")
        }
        guard minutes.map({ $0 > 0 && $0 <= 10_000 }) ?? true else {
            throw ValidationError("--minutes takes a number above 0, at most 10000.")
        }
        guard (1...64).contains(jobs) else { throw ValidationError("--jobs takes 1 to 64.") }
    }

    func run() async throws {
        if let seed { return try show(seed) }
        // Not in `validate`, because faults of the given arguments are reported first.
        guard seeds != nil || minutes != nil else {
            throw ValidationError("Say what to run: --seed, --seeds or --minutes.")
        }
        let range = seeds ?? SeedRange(first: 1, last: .max)
        let campaign = Campaign(
            seeds: range,
            minutes: minutes,
            level: faults,
            jobs: jobs,
            isRepeated: !once,
            isTraced: traces
        )
        let tally = try await campaign.run()
        try StandardStream.output.write(tally.summary(isRepeated: !once) + "\n")
        if !tally.failures.isEmpty { throw ExitCode.failure }
    }

    /// Runs one seed in detail.
    private func show(_ seed: UInt64) throws {
        let drawn = Scenario(seed: seed, level: faults)
        if scenario { return try StandardStream.output.write(drawn.text) }
        let verdict = try Verdict(of: drawn, isReadable: transcript)
        if let text = verdict.outcome.transcript.text { try StandardStream.output.write(text) }
        try StandardStream.output.write(verdict.sentence + "\n")
        if verdict.violation != nil { throw ExitCode.failure }
    }
}

/// A range of seeds, both ends included.
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
