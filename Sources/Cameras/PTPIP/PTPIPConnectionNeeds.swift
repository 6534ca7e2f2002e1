/// What the connections to a maker's bodies need besides the standard, as quirks of the maker.
package struct PTPIPConnectionNeeds: Hashable, Sendable {
    /// Whether the event connection is probed before the first operation.
    package var isProbed = false
    /// The interval of later probes; nil: the driver sends none.
    package var probeInterval: Duration?
    /// The shortest time from OpenSession to CloseSession.
    package var sessionMin: Duration = .zero
    /// The shortest time from the end of a session to the next connection.
    package var reconnectPause: Duration = .zero

    /// Bodies without special needs.
    package init() {}

    /// A body of an unknown maker can be a Nikon body, which may hang without a probe or the pauses. DC5 requires every
    /// body to answer a probe.
    static let unknownMaker = {
        var needs = nikon
        needs.probeInterval = nil
        return needs
    }()

    /// Some bodies hang at the next operation without a probe after Init_Event_Ack (airnef mtpwifi.py). Nikon's app
    /// sends a probe every 9 s (skyshutter, SnapBridge 2.13.3). If CloseSession follows OpenSession in less than 1 s,
    /// the next Init stays unanswered (airnef). A ZR needs 1.2 s before a new connection (OpenZCine).
    static let nikon = {
        var needs = PTPIPConnectionNeeds()
        needs.isProbed = true
        needs.probeInterval = .seconds(9)
        // The values of every body.
        let quirks = NikonQuirks(model: "")
        needs.sessionMin = quirks.sessionMin
        needs.reconnectPause = quirks.reconnectPause
        return needs
    }()
}

/// The last probe of the event connection in this session.
enum PTPIPProbe: Hashable, Sendable {
    case unsent
    /// The body tolerates no probe, so the driver only waits.
    case omitted(until: Duration)
    case awaited(until: Duration)
    case answered(at: Duration)
    /// No answer came in time. The body is not probed again in this session.
    case unanswered

    /// The earliest time of the first operation; nil: at once.
    var operationsFrom: Duration? {
        switch self {
        case .omitted(let until), .awaited(let until): until
        case .unsent, .answered, .unanswered: nil
        }
    }
}

/// The end of a driver's last session.
struct PTPIPSessionEnd: Hashable, Sendable {
    let address: CameraAddress
    /// The earliest time of the next connection.
    var nextAt: Duration
    /// How the session was dropped; nil: it was not, or the body has accepted a connection since.
    var drop: PTPIPDrop?
}
