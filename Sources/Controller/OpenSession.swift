import Cameras

/// A session that passes from a candidate to the connection, or from the connection to a candidate.
struct OpenSession: Sendable, Equatable {
    /// The generation of the session's connections.
    let generation: LinkGeneration
    let driver: DriverSet
    let address: CameraAddress
    /// The camera of the session; nil: the handshake is not complete.
    var meeting: OpenedCamera?
    /// The camera's reports of its settings so far.
    var properties: [CameraEvent] = []
    var link = LinkNetwork()

    /// Compares only the generations, because they identify the sessions.
    static func == (left: Self, right: Self) -> Bool { left.generation == right.generation }
}

/// The network over which the camera of a session answers.
struct LinkNetwork: Sendable {
    /// The snapshot of this network; nil: none is known.
    private(set) var snapshot: NetworkSnapshot?
    private var last: NetworkSnapshot?

    /// Notes the present network when the camera answers. Right after a change of the network, the reply to a request
    /// can come over the network before or after the change. So a change counts when two replies in a row show the same
    /// network. A TCP connection that stays open counts at once.
    mutating func noteAnswer(_ event: SessionEvent, over network: NetworkSnapshot?) {
        guard event.showsServer else { return }
        if case .link = event { snapshot = network }
        if snapshot == nil || network == last { snapshot = network }
        last = network
    }
}
