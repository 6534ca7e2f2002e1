/// What was learned of bodies, by their ids. Outlives the sessions; bounded.
package struct PTPIPKnowledge: Sendable {
    private struct Body: Sendable {
        let id: String
        /// Where it let us in last: it will not ask its owner again.
        var address: CameraAddress?
        var idleLimit = PTPIPIdleLimit()
        /// What the maker's part learned.
        var ofMaker: (any Sendable)?
    }

    /// The one that was met last comes last.
    private var bodies: [Body] = []

    var count: Int { bodies.count }

    /// Whether a body has let us in at this address.
    func isKnown(_ address: CameraAddress) -> Bool { bodies.contains { $0.address == address } }

    /// A body let us in.
    mutating func note(_ address: CameraAddress, of id: String) {
        for index in bodies.indices where bodies[index].address == address { bodies[index].address = nil }
        update(id) { $0.address = address }
    }

    func ofMaker(_ id: String) -> (any Sendable)? { body(id)?.ofMaker }

    mutating func keep(_ knowledge: (any Sendable)?, of id: String) { update(id) { $0.ofMaker = knowledge } }

    // MARK: Idle limits

    /// How long a pause this body bears; nil: none was too long yet.
    func idleLimit(of id: String) -> Duration? { body(id)?.idleLimit.limit }

    /// A body answered after a pause.
    mutating func noteAnswer(of id: String, after pause: Duration) {
        guard pause > PTPIPIdleLimit.pauseMin else { return }
        update(id) { $0.idleLimit.noteAnswer(after: pause) }
    }

    /// A body left in a pause.
    ///
    /// - Returns: Whether that is taken for its limit.
    mutating func noteEnd(of id: String, after pause: Duration, isInOrder: Bool) -> Bool {
        guard pause > PTPIPIdleLimit.pauseMin else { return false }
        return update(id) { $0.idleLimit.noteEnd(after: pause, isInOrder: isInOrder) }
    }

    private func body(_ id: String) -> Body? { bodies.first { $0.id == id } }

    private mutating func update<Value>(_ id: String, _ change: (inout Body) -> Value) -> Value {
        let index = bodies.firstIndex { $0.id == id }
        var body = index.map { bodies.remove(at: $0) } ?? Body(id: id)
        if bodies.count >= PTPIPLimits.bodiesMax { bodies.removeFirst() }
        let value = change(&body)
        bodies.append(body)
        return value
    }
}

/// How long a body bears a client that asks nothing, as far as it was seen.
///
/// A body that leaves in such a pause is asked more often from then on. Not every end is of that kind, though: the user
/// may have switched the body off. One that has borne a longer pause before is not believed to bear less now unless it
/// leaves twice after the same time, and neither is one whose connection broke instead of being closed in order.
struct PTPIPIdleLimit: Sendable {
    /// Ends after a shorter pause tell nothing of pauses: the last question may have been the reason.
    static let pauseMin: Duration = .seconds(3)

    /// The pause in which it left.
    private(set) var limit: Duration?
    /// The longest pause after which it still answered.
    private var borne: Duration = .zero
    /// The pause in which it left last, perhaps for another reason.
    private var doubted: Duration?

    mutating func noteAnswer(after pause: Duration) { borne = max(borne, pause) }

    /// See ``PTPIPKnowledge/noteEnd(of:after:isInOrder:)``.
    mutating func noteEnd(after pause: Duration, isInOrder: Bool) -> Bool {
        let isRepeated = doubted.map { max($0, pause) - min($0, pause) <= pause / 10 } ?? false
        guard isRepeated || isInOrder && pause > borne else {
            doubted = pause
            return false
        }
        limit = pause
        doubted = nil
        // The longest pause of before counts no more.
        borne = .zero
        return true
    }
}
