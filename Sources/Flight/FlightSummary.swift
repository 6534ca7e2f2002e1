import Controller

extension FlightReplay.Step {
    package var cause: String { input.words }

    /// The effects as text, except transitions and messages to itself.
    package var effectSummaries: [String] { effects.compactMap(\.words) }
}

extension FlightTransition {
    /// `connection: idle → connecting (found)`
    package var words: String {
        let change = "\(chart): \(from.isEmpty ? "–" : from) → \(to.isEmpty ? "–" : to)"
        return event.isEmpty ? change : "\(change) (\(event))"
    }
}
