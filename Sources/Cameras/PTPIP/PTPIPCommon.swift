import PTP

/// The session data that the shared part and the maker's part both use.
package struct PTPIPCommon: Sendable {
    /// The progress of the session.
    package enum Stage: Sendable {
        case disconnected
        /// The driver opens the connections and performs the Init handshake, OpenSession and GetDeviceInfo.
        case handshake(PTPIPHandshake)
        /// The maker's part sets up the session. The ticket is that of the connect command.
        case settingUp(Ticket)
        case connected
        /// The driver closes the session in order.
        case leaving(PTPIPClosing)

        var isConnected: Bool { if case .connected = self { true } else { false } }
    }

    /// The way in which the maker's part ends the session.
    package enum Ending: Sendable {
        /// In order. The driver reports the event when the sockets are closed.
        case close(CameraEvent)
        /// At once, without CloseSession. The driver reports the refusal.
        case drop(PTPIPDrop)
        /// At once, for this reason.
        case lose(LossReason)
    }

    /// The shared part sets the stage, except for the step from `settingUp` to `connected`: see ``establish(at:)``.
    package internal(set) var stage = Stage.disconnected
    package let timing: PTPIPTiming
    /// The identity of the body; nil: the body has not described itself yet.
    package internal(set) var identity: CameraIdentity?
    package internal(set) var deviceInfo = DeviceInfo()
    /// The prefix of the maker that the body probably has, until it describes itself; nil: not known.
    var expectedMaker: String?
    /// The time at which the body answered OpenSession; nil: it has not.
    package internal(set) var openedAt: Duration?
    /// The time at which the session was set up.
    package private(set) var connectedAt: Duration = .zero
    /// The time at which the last transaction ended.
    package internal(set) var lastTransactionAt: Duration = .zero
    /// The time at which the running transaction began, or the last transaction if none is running.
    package internal(set) var transactionSince: Duration = .zero
    /// The maker's part sets this to end the session. The shared part reads it after each call of the maker's part.
    package var ending: Ending?
    package var pictures = PTPIPPictures()
    var knowledge = PTPIPBodyData()

    init(_ timing: PTPIPTiming) { self.timing = timing }

    package var isConnected: Bool { stage.isConnected }

    package var isLeaving: Bool { if case .leaving = stage { true } else { false } }

    /// The ticket of the connect command, while the session is set up.
    package var connectTicket: Ticket? { if case .settingUp(let ticket) = stage { ticket } else { nil } }

    /// Notes that the maker's part has set up the session.
    package mutating func establish(at now: Duration) {
        guard case .settingUp = stage else { preconditionFailure("a session is set up once") }
        stage = .connected
        connectedAt = now
    }

    /// The longest pause that the driver makes between two transactions.
    ///
    /// - Parameter quirk: the value for this model in the maker's table.
    package func keepAlive(_ quirk: Duration?) -> Duration {
        let known = quirk ?? timing.keepAlive
        guard let id = identity?.id, let limit = knowledge.idleLimit(of: id) else { return known }
        return min(known, max(timing.keepAliveMin, limit * 7 / 10))
    }

    /// Resets the data of the session. The other data are kept.
    mutating func forgetSession() {
        stage = .disconnected
        identity = nil
        deviceInfo = DeviceInfo()
        expectedMaker = nil
        openedAt = nil
        connectedAt = .zero
        lastTransactionAt = .zero
        ending = nil
    }
}

/// The steps from open connections to the body's description.
package struct PTPIPHandshake: Sendable {
    enum Step: Hashable, Sendable {
        /// The body needs a pause after the last session.
        case pausing(until: Duration)
        case openSession(id: UInt32)
        case getDeviceInfo
    }

    let ticket: Ticket
    /// The prefix of the maker, if the connect command contains it.
    let maker: String?
    var step = Step.openSession(id: 1)
    var attempts = 0
    var notBefore: Duration = .zero

    init(_ ticket: Ticket, maker: String?) {
        self.ticket = ticket
        self.maker = maker
    }
}

/// The end of a session without CloseSession, because the user must first confirm something on the body.
package struct PTPIPDrop: Hashable, Sendable {
    let refusal: Refusal
    /// The pause before each new connection.
    let pause: Duration
    /// Until this time, a busy body can still hold the dropped session. The refusal is then reported again.
    let until: Duration
}

/// The closing of a session in order.
package struct PTPIPClosing: Sendable {
    /// The event that is reported when the sockets are closed.
    var event: CameraEvent
    var ticket: Ticket?
    let deadline: Duration
    /// The time at which a running file transfer is cancelled, to close the session; nil: already cancelled.
    var cancelAt: Duration?
}
