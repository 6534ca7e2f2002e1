/// The `.readStatus` commands that wait for a report of the body.
struct StatusQuestions: Sendable {
    private var waiting: [(ticket: Ticket, since: Duration)] = []

    /// How many commands can wait. A further one is answered with `.busy`.
    static let countMax = 16

    var count: Int { waiting.count }
    var isEmpty: Bool { waiting.isEmpty }

    /// The time of the last command; nil: no command waits.
    var lastAskedAt: Duration? { waiting.map(\.since).max() }

    mutating func ask(_ ticket: Ticket, in turn: inout DriverTurn) {
        guard waiting.count < Self.countMax else { return turn.report(.busy, ticket) }
        waiting.append((ticket, turn.now))
    }

    /// Answers the commands that came before a report was requested. Reports a changed status without a ticket if no
    /// command waits for it.
    ///
    /// - Parameter last: the last status that was reported.
    mutating func answer(
        _ status: CameraStatus,
        after last: CameraStatus?,
        requestedAt: Duration,
        in turn: inout DriverTurn
    ) {
        let answered = waiting.filter { $0.since <= requestedAt }
        waiting.removeAll { $0.since <= requestedAt }
        for question in answered { turn.report(.status(status), question.ticket) }
        if status != last, answered.isEmpty { turn.report(.status(status), nil) }
    }

    mutating func removeAll() { waiting.removeAll() }
}
