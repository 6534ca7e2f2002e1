import Statecharts

/// An effect of a chart that is only passed on: a message to other parts, or an effect of the core.
enum PartEffect: Equatable, Sendable {
    case send(TurnMessage)
    case append(Effect)

    static func enqueue(_ message: Message) -> Self { .append(.enqueue(message)) }
    static func journal(_ entry: JournalEntry) -> Self { .append(.journal(entry)) }
}

extension Turn {
    /// Reports the steps of a chart, and passes on its effects.
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
