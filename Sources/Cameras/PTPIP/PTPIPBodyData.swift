/// What the driver learned about each body, by the body's id. The data outlive the sessions. The number of bodies is
/// limited.
package struct PTPIPBodyData: Sendable {
    private struct Body: Sendable {
        let id: String
        /// The address where the body last accepted this computer. There the body does not ask its user again.
        var address: CameraAddress?
        var idleLimit = PTPIPIdleLimit()
        var isProbeAnswered = true
        /// The data that the maker's part learned.
        var ofMaker: (any Sendable)?
    }

    /// The bodies in the order of their last connection, the latest at the end.
    private var bodies: [Body] = []
    /// The addresses at which an unknown body closed the connection after a probe, the latest at the end.
    private var unprobed: [CameraAddress] = []

    var count: Int { bodies.count }

    /// Whether a body has accepted this computer at this address.
    func isKnown(_ address: CameraAddress) -> Bool { bodies.contains { $0.address == address } }

    /// The id of the body that last accepted this computer at this address; nil: no such body is known.
    func id(at address: CameraAddress) -> String? { bodies.first { $0.address == address }?.id }

    /// Notes that a body accepted this computer at this address. A note about probes at this address then belongs to
    /// the body alone: on access points of cameras every body has the same address.
    mutating func note(_ address: CameraAddress, of id: String) {
        for index in bodies.indices where bodies[index].address == address { bodies[index].address = nil }
        let closesOnProbe = unprobed.contains(address)
        unprobed.removeAll { $0 == address }
        update(id) { body in
            body.address = address
            if closesOnProbe { body.isProbeAnswered = false }
        }
    }

    // MARK: Probes

    /// Whether the body at this address may be probed. Most bodies answer.
    func mayProbe(_ address: CameraAddress) -> Bool {
        !unprobed.contains(address) && bodies.first { $0.address == address }?.isProbeAnswered != false
    }

    /// Notes that a body closed the connection after a probe.
    mutating func noteProbeClosed(_ address: CameraAddress) {
        if unprobed.count >= PTPIPLimits.bodiesMax { unprobed.removeFirst() }
        unprobed.append(address)
    }

    mutating func noteProbeUnanswered(_ id: String) { update(id) { $0.isProbeAnswered = false } }

    // MARK: Data of the maker's part

    func ofMaker(_ id: String) -> (any Sendable)? { body(id)?.ofMaker }

    mutating func keep(_ knowledge: (any Sendable)?, of id: String) { update(id) { $0.ofMaker = knowledge } }

    // MARK: Idle limits

    /// The longest pause that this body tolerates; nil: no limit is known.
    func idleLimit(of id: String) -> Duration? { body(id)?.idleLimit.limit }

    mutating func noteAnswer(of id: String, after pause: Duration) {
        guard pause > PTPIPIdleLimit.pauseMin else { return }
        update(id) { $0.idleLimit.noteAnswer(after: pause) }
    }

    /// Notes that a body disconnected during a pause.
    ///
    /// - Returns: Whether the pause counts as the body's idle limit.
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

/// How long a body tolerates a pause without requests, as the driver observed it.
///
/// After a disconnection in such a pause, the driver polls the body more often. But the user may have switched the body
/// off instead. So if the body tolerated a longer pause before, only a second disconnection after the same time counts.
/// The same holds for a connection that broke and was not closed in order.
struct PTPIPIdleLimit: Sendable {
    /// The shortest pause that counts. After a shorter one, the last request may have ended the session.
    static let pauseMin: Duration = .seconds(3)

    /// The pause after which the body disconnected.
    private(set) var limit: Duration?
    /// The longest pause after which the body still answered.
    private var longestAnsweredPause: Duration = .zero
    /// The pause before the last disconnection, if the disconnection may have had another cause.
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
        // Pauses from before this limit no longer count.
        longestAnsweredPause = .zero
        return true
    }
}
