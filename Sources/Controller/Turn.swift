/// The time and the effects of one input. Each part that handles the input receives it.
struct Turn: Sendable {
    /// The daemon's monotonic clock.
    let now: Duration
    /// What is to be done, in this order.
    var effects = Effects()

    init(at now: Duration) {
        self.now = now
    }

    mutating func append(_ effect: Effect) {
        effects.append(effect)
    }
}
