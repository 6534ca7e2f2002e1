import Controller
import Testing
import Worlds

/// Sentences are for people: in other words nothing goes another way.
@Suite struct SentenceTests {
    /// What a run comes to beside its sentences.
    private static func outcome(_ seed: UInt64, _ level: Scenario.Level, _ rewording: Rewording?) -> Result {
        var run = ScenarioRun(
            Scenario(seed: seed, level: level),
            door: OpenDoor(),
            isTraced: true,
            rewording: rewording
        )
        let outcome = run.finish()
        let counts = [outcome.shoots, outcome.exposures, outcome.kills]
        return Result(trace: outcome.trace, counts: counts, simulated: outcome.simulated, rule: outcome.violation?.name)
    }

    private struct Result: Equatable {
        var trace: OutsideTrace?
        var counts: [Int]
        var simulated: Duration
        var rule: Invariant?
    }

    @Test(arguments: 1...25 as ClosedRange<UInt64>)
    func `every sentence in other words changes nothing that the daemon does`(seed: UInt64) {
        let level = Scenario.Level.swarm
        let told = Self.outcome(seed, level, nil)
        #expect(Self.outcome(seed, level, Rewording { _ in "Other words." }) == told)
        #expect(Self.outcome(seed, level, Rewording { "\($0.count) \($0.reversed())" }) == told)
    }
}
