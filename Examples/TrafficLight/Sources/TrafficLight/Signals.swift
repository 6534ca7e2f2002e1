/// The signal for drivers.
public enum CarSignal: String, Equatable, Sendable {
    case green, yellow, red
    case redYellow = "red and yellow"
    case blinkingYellow = "blinking yellow"
}

/// The signal for pedestrians.
public enum PedestrianSignal: String, Equatable, Sendable {
    case wait, walk, hurry, dark
}

/// A side of the street. Each side has a button.
public enum Side: String, CaseIterable, Sendable {
    case north, south
}
