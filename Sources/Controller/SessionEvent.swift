import Cameras

/// An event of a session's TCP connections or of its HTTP requests.
enum SessionEvent {
    case link(LinkEvent)
    case http(HTTPRequestID, HTTPEvent)

    /// Whether the event shows that a server answers over the present network.
    var showsServer: Bool {
        switch self {
        case .link(.opened), .http(_, .reply), .http(_, .head): true
        default: false
        }
    }
}

// Calls of the driver with the time of the input. Each function returns the driver's actions.
extension DriverSet {
    mutating func receive(_ event: SessionEvent, in turn: inout Turn) -> [CameraAction] {
        var actions: [CameraAction] = []
        switch event {
        case .link(let event):
            receive(event, at: turn.now, into: &actions)
            turn.record(takeRecordableParts())
        case .http(let id, let event): receive(event, of: id, at: turn.now, into: &actions)
        }
        return actions
    }

    mutating func perform(_ command: CameraCommand, _ ticket: Ticket, in turn: Turn) -> [CameraAction] {
        var actions: [CameraAction] = []
        perform(command, ticket: ticket, at: turn.now, into: &actions)
        return actions
    }

    /// Lets the driver act on its timers that have expired.
    mutating func advance(in turn: Turn) -> [CameraAction] {
        var actions: [CameraAction] = []
        if let due = nextDeadline, due <= turn.now { advance(to: turn.now, into: &actions) }
        return actions
    }
}
