/// The time, the effects and the messages of one input. Each part that handles the input receives it.
struct Turn: Sendable {
    /// The daemon's monotonic clock.
    let now: Duration
    /// What is to be done, in this order.
    var effects = Effects()
    /// Whether a client watches the charts' transitions.
    var isWatched = false
    private var messages: [TurnMessage] = []

    /// More messages than these in one input are a fault of the program.
    static let messagesMax = 4096

    init(at now: Duration) {
        self.now = now
    }

    mutating func append(_ effect: Effect) {
        effects.append(effect)
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
