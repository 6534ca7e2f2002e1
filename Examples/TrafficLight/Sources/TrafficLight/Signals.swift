/// What the drivers see.
public enum CarSignal: String, Equatable, Sendable {
    case green, yellow, red
    case redYellow = "red and yellow"
    case blinkingYellow = "blinking yellow"
}

/// What those on foot see.
public enum PedestrianSignal: String, Equatable, Sendable {
    case wait, walk, hurry, dark
}

/// Where a button is.
public enum Side: String, CaseIterable, Sendable {
    case north, south
}
