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
    /// The snapshot of the network when the camera last opened a link; nil: none is known.
    var linkSnapshot: NetworkSnapshot?

    /// Compares only the generations, because they identify the sessions.
    static func == (left: Self, right: Self) -> Bool { left.generation == right.generation }
}
