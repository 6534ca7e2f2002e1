/// The handling of one input by a driver, with the time of the input and the resulting actions.
package struct DriverTurn: Sendable {
    package let now: Duration
    package private(set) var actions: [CameraAction]

    /// Takes the buffer from the caller until `give` returns it. So the buffer is never copied.
    init(at now: Duration, _ actions: inout [CameraAction]) {
        self.now = now
        self.actions = []
        swap(&self.actions, &actions)
    }

    mutating func give(to caller: inout [CameraAction]) { swap(&actions, &caller) }

    package mutating func append(_ action: CameraAction) { actions.append(action) }

    package mutating func report(_ event: CameraEvent, _ ticket: Ticket?) {
        actions.append(.report(event, ticket: ticket))
    }

    package mutating func note(_ line: String) { actions.append(.note(line)) }
}
