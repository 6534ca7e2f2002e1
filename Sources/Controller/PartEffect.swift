import Statecharts

/// An effect of a chart that the core passes on unchanged: a message to other parts, or an effect for the host.
enum PartEffect: Equatable, Sendable {
    case send(TurnMessage)
    case append(Effect)

    static func enqueue(_ message: Message) -> Self { .append(.enqueue(message)) }
    static func journal(_ entry: JournalEntry) -> Self { .append(.journal(entry)) }
}

extension Turn {
    /// Reports the steps of a chart, and passes on the chart's effects.
    mutating func perform<B>(_ outcome: ChartRun<B>.Outcome, level: JournalEntry.Level = .info)
    where B.Effect == PartEffect {
        publish(outcome.steps, level: level)
        for effect in outcome.effects {
            switch effect {
            case .send(let message): send(message)
            case .append(let effect): append(effect)
            }
        }
    }
}
