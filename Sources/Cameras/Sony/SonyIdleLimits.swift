/// How long bodies bear a client that asks nothing, as far as it was seen. Outlives the sessions.
///
/// A body that leaves in such a pause is asked more often from then on. Not every end is of that kind, though: somebody
/// may have switched the body off. One that has borne a longer pause before is not believed to bear less now unless it
/// leaves twice after the same time, and neither is one whose connection broke instead of being closed in order.
struct SonyIdleLimits: Sendable {
    /// Ends after a shorter pause tell nothing of pauses: the last question may have been the reason.
    static let pauseMin: Duration = .seconds(3)
    /// Bodies that are remembered; the one that was not seen for the longest time goes first.
    private static let bodiesMax = 8

    private struct Body {
        let id: String
        /// The longest pause after which it still answered.
        var borne: Duration = .zero
        /// The pause in which it left.
        var limit: Duration?
        /// The pause in which it left last, perhaps for another reason.
        var doubted: Duration?
    }

    /// The one that was seen last comes last.
    private var bodies: [Body] = []

    /// How long a pause this body bears; nil: none was too long yet.
    func limit(of id: String) -> Duration? {
        bodies.first { $0.id == id }?.limit
    }

    /// A body answered after a pause.
    mutating func noteAnswer(of id: String, after pause: Duration) {
        guard pause > Self.pauseMin else { return }
        update(id) { $0.borne = max($0.borne, pause) }
    }

    /// A body left in a pause.
    ///
    /// - Returns: Whether that is taken for its limit.
    mutating func noteEnd(of id: String, after pause: Duration, isInOrder: Bool) -> Bool {
        guard pause > Self.pauseMin else { return false }
        return update(id) { body in
            let isRepeated = body.doubted.map { max($0, pause) - min($0, pause) <= pause / 10 } ?? false
            guard isRepeated || isInOrder && pause > body.borne else {
                body.doubted = pause
                return false
            }
            body.limit = pause
            body.doubted = nil
            // What it bore before it bears no more.
            body.borne = .zero
            return true
        }
    }

    private mutating func update<Value>(_ id: String, _ change: (inout Body) -> Value) -> Value {
        let index = bodies.firstIndex { $0.id == id }
        var body = index.map { bodies.remove(at: $0) } ?? Body(id: id)
        if bodies.count >= Self.bodiesMax { bodies.removeFirst() }
        let value = change(&body)
        bodies.append(body)
        return value
    }
}
