/// What the driver learned about bodies, by their ids. Outlives the sessions; limited.
package struct PTPIPBodyData: Sendable {
    private struct Body: Sendable {
        let id: String
        /// The address where it last accepted this computer: it will not ask its user again.
        var address: CameraAddress?
        var idleLimit = PTPIPIdleLimit()
        /// What the maker's part learned.
        var ofMaker: (any Sendable)?
    }

    /// The last connected body is at the end.
    private var bodies: [Body] = []

    var count: Int { bodies.count }

    /// Whether a body has accepted this computer at this address.
    func isKnown(_ address: CameraAddress) -> Bool { bodies.contains { $0.address == address } }

    /// A body accepted this computer.
    mutating func note(_ address: CameraAddress, of id: String) {
        for index in bodies.indices where bodies[index].address == address { bodies[index].address = nil }
        update(id) { $0.address = address }
    }

    func ofMaker(_ id: String) -> (any Sendable)? { body(id)?.ofMaker }

    mutating func keep(_ knowledge: (any Sendable)?, of id: String) { update(id) { $0.ofMaker = knowledge } }

    // MARK: Idle limits

    /// The longest pause that this body tolerates; nil: no limit seen yet.
    func idleLimit(of id: String) -> Duration? { body(id)?.idleLimit.limit }

    mutating func noteAnswer(of id: String, after pause: Duration) {
        guard pause > PTPIPIdleLimit.pauseMin else { return }
        update(id) { $0.idleLimit.noteAnswer(after: pause) }
    }

    /// A body disconnected in a pause.
    ///
    /// - Returns: Whether the pause counts as its limit.
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

/// How long a body tolerates an idle client, as far as it was observed.
///
/// A body that disconnects in such a pause is polled more often from then on. But not every end has that cause: the
/// user may have switched the body off. So a body that tolerated a longer pause must disconnect twice after the same
/// time. The same holds if its connection broke instead of being closed in order.
struct PTPIPIdleLimit: Sendable {
    /// Ends after a shorter pause say nothing about pauses: the last request may have been the reason.
    static let pauseMin: Duration = .seconds(3)

    /// The pause in which it disconnected.
    private(set) var limit: Duration?
    /// The longest pause after which it still answered.
    private var longestAnsweredPause: Duration = .zero
    /// The pause of the last disconnection, which may have had another reason.
    private var doubted: Duration?

    mutating func noteAnswer(after pause: Duration) { longestAnsweredPause = max(longestAnsweredPause, pause) }

    /// See ``PTPIPBodyData/noteEnd(of:after:isInOrder:)``.
    mutating func noteEnd(after pause: Duration, isInOrder: Bool) -> Bool {
        let isRepeated = doubted.map { max($0, pause) - min($0, pause) <= pause / 10 } ?? false
        guard isRepeated || isInOrder && pause > longestAnsweredPause else {
            doubted = pause
            return false
        }
        limit = pause
        doubted = nil
        // The earlier longest pause no longer counts.
        longestAnsweredPause = .zero
        return true
    }
}
