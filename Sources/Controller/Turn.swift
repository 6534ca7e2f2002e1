import Cameras

/// The time, the effects and the messages of one input. Each part of the core that handles the input receives the turn.
struct Turn: Sendable {
    /// The daemon's monotonic clock.
    let now: Duration
    /// The effects, in the order in which the host performs them.
    var effects = Effects()
    /// Whether a client watches the charts' transitions.
    var isWatched = false
    private var messages: [TurnMessage] = []
    var numbers: Numbers

    /// The limit of messages in one input. Only a fault of the program exceeds it.
    static let messagesMax = 4096

    init(at now: Duration, _ numbers: Numbers = Numbers()) {
        self.now = now
        self.numbers = numbers
    }

    /// Returns the number of the next attempt to connect. The number is unique among all sessions.
    mutating func nextGeneration() -> LinkGeneration {
        numbers.generation.rawValue &+= 1
        return numbers.generation
    }

    /// Returns the number of the next command. The number is unique among all drivers.
    mutating func nextTicket() -> Ticket {
        numbers.ticket.rawValue &+= 1
        return numbers.ticket
    }

    mutating func append(_ effect: Effect) {
        effects.append(effect)
    }

    /// Sends the final answer to a request.
    mutating func answer(_ id: RequestID, _ reply: Reply) {
        append(.reply(id, reply, continues: false))
    }

    mutating func answer(_ id: RequestID, _ result: Result<Reply, RequestError>) {
        switch result {
        case .success(let reply): answer(id, reply)
        case .failure(let error): append(.fail(id, error))
        }
    }

    mutating func journal(_ level: JournalEntry.Level, _ kind: JournalEntry.Kind, _ message: String) {
        append(.journal(JournalEntry(level: level, kind: kind, message: message)))
    }

    /// Marks the parts of the camera's bytes in this input that the flight recorder may store.
    mutating func record(_ parts: [Range<Int>]) {
        guard !parts.isEmpty else { return }
        append(.record(parts))
    }

    /// Sends a message to other parts. They receive it within this input, as soon as the sender returns.
    mutating func send(_ message: TurnMessage) {
        precondition(messages.count < Self.messagesMax, "the parts of the core send messages in a circle")
        messages.append(message)
    }

    var hasMessages: Bool { !messages.isEmpty }

    /// Returns the messages that were sent since the last call, the oldest first.
    mutating func takeMessages() -> [TurnMessage] {
        defer { messages.removeAll() }
        return messages
    }
}

/// The newest generation and the newest ticket. They are kept from one input to the next.
struct Numbers: Sendable {
    fileprivate(set) var generation = LinkGeneration(rawValue: 0)
    fileprivate(set) var ticket = Ticket(rawValue: 0)
}
