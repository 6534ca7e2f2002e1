import Bodies
import Foundation
import ProgramOutput
import Worlds

final class Campaign: Sendable {
    struct Totals {
        var seeds = 0
        var failures: [String] = []
        var shoots = 0
        var exposures = 0
        var kills = 0
        var simulated = Duration.zero
        /// The processor time of all threads together.
        var spent = Duration.zero
        var kinds: [FaultKind: Int] = [:]

        mutating func add(_ result: SeedResult, runs: Int) {
            seeds += 1
            shoots += result.outcome.shoots * runs
            exposures += result.outcome.exposures * runs
            kills += result.outcome.kills * runs
            simulated += result.outcome.simulated * runs
            for kind in result.scenario.kinds { kinds[kind, default: 0] += 1 }
            if result.violation != nil { failures.append(result.sentence) }
        }

        mutating func add(_ other: Totals) {
            seeds += other.seeds
            failures += other.failures
            shoots += other.shoots
            exposures += other.exposures
            kills += other.kills
            simulated += other.simulated
            spent += other.spent
            kinds.merge(other.kinds) { $0 + $1 }
        }

        func summary(isRepeated: Bool) -> String {
            let seconds = max(spent / .seconds(1), 1e-9)
            let hours = simulated / .seconds(3600)
            func rate(_ value: Double) -> String { String(format: "%.1f", value / seconds) }
            let list = FaultKind.allCases.compactMap { kind in kinds[kind].map { "\(kind.rawValue) \($0)" } }
            return """
                \(seeds) seeds, each run \(isRepeated ? "twice" : "once"); \
                in \(failures.count) of them a rule was broken.
                \(shoots) shoots, \(exposures) exposures, \(kills) ends of the daemon in \(Int(hours)) simulated hours.
                For each second of one core: \(rate(Double(seeds))) seeds, \(rate(Double(shoots))) shoots, \
                \(rate(hours)) simulated hours.
                Seeds with each kind of fault: \(list.isEmpty ? "none" : list.joined(separator: ", ")).
                """
        }
    }

    private let seeds: SeedRange
    private let level: Scenario.Level
    private let makers: [BodyMaker]
    private let jobs: Int
    private let isRepeated: Bool
    private let isTraced: Bool
    private let end: ContinuousClock.Instant?

    init(
        seeds: SeedRange,
        minutes: Double?,
        level: Scenario.Level,
        makers: [BodyMaker],
        jobs: Int,
        isRepeated: Bool,
        isTraced: Bool
    ) {
        self.seeds = seeds
        self.level = level
        self.makers = makers
        self.jobs = jobs
        self.isRepeated = isRepeated
        self.isTraced = isTraced
        end = minutes.map { ContinuousClock.now + .seconds($0 * 60) }
    }

    func run() async throws -> Totals {
        try await withThrowingTaskGroup(of: Totals.self) { group in
            for job in 0..<jobs { group.addTask { try self.run(job: job) } }
            var whole = Totals()
            for try await part in group { whole.add(part) }
            return whole
        }
    }

    /// Runs every `jobs`-th seed, so that each job has other seeds.
    private func run(job: Int) throws -> Totals {
        var tally = Totals()
        let begin = Self.processorTime
        var seed = seeds.first &+ UInt64(job)
        while seed <= seeds.last, end.map({ ContinuousClock.now < $0 }) ?? true {
            let scenario = Scenario(seed: seed, level: level, makers: makers)
            let result = try SeedResult(of: scenario, isRepeated: isRepeated, isTraced: isTraced)
            if let trace = result.outcome.trace {
                try StandardStream.output.write("seed \(seed): trace \(String(trace.digest, radix: 16))\n")
            }
            tally.add(result, runs: isRepeated ? 2 : 1)
            if result.violation != nil { try StandardStream.output.write(result.sentence + "\n") }
            let (next, isOver) = seed.addingReportingOverflow(UInt64(jobs))
            if isOver { break }
            seed = next
        }
        tally.spent = Self.processorTime - begin
        return tally
    }

    /// The processor time of this thread. The time of other programs does not count.
    private static var processorTime: Duration {
        var time = timespec()
        guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return .zero }
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
