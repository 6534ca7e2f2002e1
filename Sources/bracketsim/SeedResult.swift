import Bodies
import Controller
import Worlds

/// The result of one or two runs of a scenario.
struct SeedResult {
    let scenario: Scenario
    let outcome: ScenarioRun<VarlinkChannel>.Outcome
    /// The first violation; nil: none.
    let violation: Violation?

    /// - Parameter isRepeated: Whether the scenario runs twice, to check that both runs are identical.
    init(of scenario: Scenario, isReadable: Bool = false, isRepeated: Bool = true, isTraced: Bool = false) throws {
        self.scenario = scenario
        outcome = try Self.run(scenario, isReadable, isTraced)
        guard outcome.violation == nil, isRepeated else {
            violation = outcome.violation
            return
        }
        let again = try Self.run(scenario, isReadable)
        let isSame = outcome.transcript == again.transcript
        violation =
            isSame
            ? nil
            : Violation(.sameEachTime, at: again.simulated, Self.difference(outcome.transcript, again.transcript))
    }

    private static func run(
        _ scenario: Scenario,
        _ isReadable: Bool,
        _ isTraced: Bool = false
    ) throws -> ScenarioRun<VarlinkChannel>.Outcome {
        var run = ScenarioRun(scenario, channel: try VarlinkChannel(), isReadable: isReadable, isTraced: isTraced)
        return run.finish()
    }

    /// One line with the seed, the broken rule, the reason, and the command that repeats the run.
    var sentence: String {
        guard let violation else {
            return """
                seed \(scenario.seed): every rule held; \(outcome.shoots) shoots, \(outcome.exposures) exposures, \
                \(outcome.kills) ends of the daemon in \(outcome.simulated.components.seconds) s; \
                transcript \(String(outcome.transcript.digest, radix: 16))
                """
        }
        return """
            seed \(scenario.seed): \(violation.name.rawValue) at \(DurationText.milliseconds(violation.at)) ms: \
            \(violation.sentence) To repeat it: \
            bracketsim --maker \(scenario.maker.name) --faults \(scenario.level.rawValue) --seed \(scenario.seed) \
            --transcript
            """
    }

    private static func difference(_ first: Transcript, _ second: Transcript) -> String {
        guard let first = first.text, let second = second.text else { return "The two runs differ." }
        let lines = (first.split(separator: "\n"), second.split(separator: "\n"))
        let pairs = zip(lines.0, lines.1)
        guard let (one, other) = pairs.first(where: { $0 != $1 }) else { return "One run is longer than the other." }
        return "The two runs differ: '\(one)' and '\(other)'."
    }
}
