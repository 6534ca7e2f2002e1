import Exposure

// The parts of commands that are the same for several makers.

/// The next step of a maker's part when the command connection is free. `Task` is the purpose of a transaction.
enum MakerNextAction<Task: Sendable>: Sendable {
    case perform(Task)
    /// Wait until this time or until the next input; nil: until the next input.
    case wait(until: Duration?)
    /// The decision needed no transaction. Call `decide` again.
    case again
    /// End the session.
    case close
}

/// A running `.resolveCapture`.
struct ResolvingCapture: Sendable {
    let ticket: Ticket
    let since: Duration
    let shotsLeftBefore: Int?
}

/// The value that a running `.setSpeed` or `.setProperty` sets.
enum SettingTarget: Sendable {
    case speed(ShutterSpeed)
    case property(CameraProperty, String)

    var property: CameraProperty {
        switch self {
        case .speed: .shutterSpeed
        case .property(let property, _): property
        }
    }

    var text: String {
        switch self {
        case .speed(let speed): speed.label
        case .property(_, let text): text
        }
    }

    /// The event that reports the value as not offered now.
    func notOffered(choices: [String]) -> CameraEvent {
        switch self {
        case .speed(let speed): .failed(.speedNotOffered(speed))
        case .property(let property, let text): .failed(.propertyNotOffered(property, text, choices: choices))
        }
    }

    /// The event that reports the property as read-only now.
    var notWritable: CameraEvent {
        switch self {
        case .speed: .failed(.speedNotWritable)
        case .property(let property, _): .failed(.propertyNotWritable(property))
        }
    }
}

/// The `.saving` reports of one command. They come at intervals, because the waiting command has a timeout.
struct SavingReports: Sendable {
    /// The time of the last report; nil: not reported yet.
    private var reportedAt: Duration?

    mutating func report(_ ticket: Ticket, every interval: Duration, in turn: inout DriverTurn) {
        if let reportedAt, turn.now < reportedAt + interval { return }
        reportedAt = turn.now
        turn.report(.saving, ticket)
    }
}
