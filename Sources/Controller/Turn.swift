/// The time and the effects of one input, which every part of the core is given that handles it.
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
