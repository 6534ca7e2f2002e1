import Foundation
import Testing

/// Fires fifty shoots. Each disturbance occurs once in each step of a frame; the seed draws everything else.
/// `BRACKETD_SEEDS=7,12` runs only these seeds.
@Suite(.serialized, .enabled(if: Namespace.arePossible, Comment(rawValue: Namespace.needs)))
struct NetworkSeedTests {
    private static let seeds: [UInt64] = {
        let chosen = ProcessInfo.processInfo.environment["BRACKETD_SEEDS"] ?? ""
        let list = chosen.split(separator: ",").compactMap { UInt64($0) }
        return list.isEmpty ? Array(1...50) : list
    }()
    private static let worldsMax = 8

    /// The parameters of a seed.
    private struct Draw: Sendable, CustomStringConvertible {
        let seed: UInt64
        /// The interrupted step and the disturbance.
        let step: Moment.Step
        let first: Disturbance
        let place: Field.Place
        let search: Field.Search
        let blows: [Field.CableFault]

        init(seed: UInt64) {
            self.seed = seed
            var numbers = SeededNumbers(seed: seed)
            // The step and the disturbance are not drawn: fifty draws would leave out most pairs.
            let (steps, disturbances) = (Moment.Step.allCases, Disturbance.allCases)
            let turn = Int(seed % UInt64(steps.count * disturbances.count))
            let step = steps[turn % steps.count]
            let first = disturbances[turn / steps.count]
            (self.step, self.first) = (step, first)
            // A stolen route needs a router. A search does not work through a router.
            place = first == .routeStolen || first.isOfNetwork && numbers.below(4) == 0 ? .behindRouter : .near
            search = first == .cameraMoved || place == .near && numbers.below(2) == 0 ? .everything : .address
            let frame = 1 + numbers.below(Field.speeds.count - (step == .betweenFrames ? 1 : 0))
            var blows = [
                Field.CableFault(
                    moment: .step(step, frame: frame),
                    disturbance: first,
                    lasts: Self.length(of: first, &numbers),
                    phase: numbers.pick(step.phases)
                )
            ]
            if numbers.below(2) == 0 {
                let second = numbers.pick(Self.disturbances(after: first, at: place, search))
                let steps: [Moment] = [.step(.settingSpeed, frame: frame), .step(.capturing, frame: frame)]
                // If the body causes the first disturbance, the test cannot wait for a later step after it.
                let moment = numbers.pick([.pause, .reconnecting] + (first.isFault ? [] : steps))
                let lasts = Self.length(of: second, &numbers)
                blows.append(Field.CableFault(moment: moment, disturbance: second, lasts: lasts))
            }
            self.blows = blows
        }

        /// The duration of a disturbance. The daemon tolerates a silence for a while. So a silence is short and may
        /// have no effect, or it lasts until the daemon detects it. The kernel reports a carrier only once per second
        /// (linkwatch).
        private static func length(of disturbance: Disturbance, _ numbers: inout SeededNumbers) -> Double? {
            if disturbance.isSilent, numbers.below(3) > 0 { return nil }
            return seconds(&numbers) + (disturbance == .carrierLost ? 1.2 : 0)
        }

        private static func seconds(_ numbers: inout SeededNumbers) -> Double {
            Double(1000 + numbers.below(2000)) / 1000
        }

        /// The possible second disturbances. They differ from the first, and the body does not cause them.
        private static func disturbances(
            after first: Disturbance,
            at place: Field.Place,
            _ search: Field.Search
        ) -> [Disturbance] {
            Disturbance.allCases.filter { second in
                switch second {
                case .routeStolen: place == .behindRouter && first != second
                case .cameraMoved: search == .everything && first != second
                case .silence, .commandsLost, .answersLost: !first.isSilent
                case .reset, .closed: false
                default: first != second
                }
            }
        }

        var description: String {
            let list = blows.map { blow in
                let time = blow.lasts.map { "for \($0) s" } ?? "until the pause"
                return "\(blow.disturbance.rawValue) \(time) at \(blow.moment)"
            }
            return "seed \(seed): \(place), \(search.rawValue): \(list.joined(separator: ", then "))"
        }
    }

    private struct Outcome: Sendable {
        var wrongs: [String]
        var steps: [String] = []
    }

    private static func run(_ draw: Draw) -> Outcome {
        do {
            let field = try Field(draw.place, draw.search, blows: draw.blows)
            let wrongs = try field.fire(through: draw.blows) + field.unnoticed(draw.blows)
            guard !wrongs.isEmpty else { return Outcome(wrongs: [], steps: field.interrupted) }
            return Outcome(wrongs: ["\(draw): \(wrongs.joined(separator: "; "))\n\(field.log)"])
        } catch {
            return Outcome(wrongs: ["\(draw): \(error)"])
        }
    }

    @Test func `fifty shoots with fifty seeds capture every frame, and each pause has the right reason`() {
        let draws = Self.seeds.map(Draw.init)
        if Self.seeds.count == 50 {
            let pairs = Set(draws.map { "\($0.first.rawValue) at \($0.step.rawValue)" })
            #expect(pairs.count == Moment.Step.allCases.count * Disturbance.allCases.count)
        }
        let outcomes = Worlds.atOnce(draws, max: Self.worldsMax, body: Self.run)
        #expect(outcomes.count == Self.seeds.count)
        for wrong in outcomes.flatMap(\.wrongs) { Issue.record("\(wrong)") }
        guard Self.seeds.count == 50 else { return }
        // A step may end before its disturbance begins. So the test checks that each step in which the shoot waits was
        // interrupted, not only the longest step. Between two frames the shoot does not wait, so the disturbance
        // affects the next step.
        let met = outcomes.flatMap(\.steps).joined(separator: " ")
        for step in Moment.Step.allCases where step != .betweenFrames {
            #expect(met.contains(step.rawValue), "no shoot was thrown out of \(step.rawValue)")
        }
    }
}
