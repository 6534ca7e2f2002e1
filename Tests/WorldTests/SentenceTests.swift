import Controller
import Testing
import Worlds

/// Shows that sentences are only for users: other sentences do not change the behaviour.
@Suite struct SentenceTests {
    /// The results of a run, without the sentences.
    private static func outcome(_ seed: UInt64, _ level: Scenario.Level, _ rewording: SentenceReplacement?) -> Result {
        var run = ScenarioRun(
            Scenario(seed: seed, level: level),
            channel: DirectChannel(),
            isTraced: true,
            rewording: rewording
        )
        let outcome = run.finish()
        let counts = [outcome.shoots, outcome.exposures, outcome.kills]
        return Result(trace: outcome.trace, counts: counts, simulated: outcome.simulated, rule: outcome.violation?.name)
    }

    private struct Result: Equatable {
        var trace: ExternalTrace?
        var counts: [Int]
        var simulated: Duration
        var rule: Invariant?
    }

    @Test(arguments: 1...25 as ClosedRange<UInt64>)
    func `other sentences change nothing that the daemon does`(seed: UInt64) {
        let level = Scenario.Level.swarm
        let told = Self.outcome(seed, level, nil)
        #expect(Self.outcome(seed, level, SentenceReplacement { _ in "Other words." }) == told)
        #expect(Self.outcome(seed, level, SentenceReplacement { "\($0.count) \($0.reversed())" }) == told)
    }
}
