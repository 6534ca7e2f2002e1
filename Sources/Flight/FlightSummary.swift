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

extension FlightDifference {
    /// What was recorded and what the replay did instead.
    package var sentence: String {
        switch kind {
        case .transitions(let came): "The recording has \(Self.list(recorded)); the replay has \(Self.list(came))."
        case .noMessage: "The recording has a message inside the core here, and the replay has none."
        case .omitted: "An input here was too large to be recorded. What follows cannot be replayed."
        }
    }

    private static func list(_ transitions: [FlightTransition]) -> String {
        transitions.isEmpty ? "no transition" : transitions.map(\.words).joined(separator: ", ")
    }
}
