import Controller

extension FlightReplay.Step {
    package var cause: String { input.words }

    /// The effects as text, except transitions and the core's messages to itself.
    package var effectSummaries: [String] { effects.compactMap(\.words) }
}

extension FlightTransition {
    /// The transition as text: `connection: idle → connecting (found)`.
    package var words: String {
        let change = "\(chart): \(from.isEmpty ? "–" : from) → \(to.isEmpty ? "–" : to)"
        return event.isEmpty ? change : "\(change) (\(event))"
    }
}
