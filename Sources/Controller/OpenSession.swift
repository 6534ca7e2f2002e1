import Cameras

/// A session that a candidate opened, or one that continues as a candidate. Parts hand it over as a whole.
struct OpenSession: Sendable, Equatable {
    /// The generation of its connections.
    let generation: LinkGeneration
    let driver: DriverSet
    let address: CameraAddress
    /// nil: its handshake is not complete.
    var meeting: OpenedCamera?
    /// The camera's reports of its settings so far.
    var properties: [CameraEvent] = []

    /// The generation alone identifies the session.
    static func == (left: Self, right: Self) -> Bool { left.generation == right.generation }
}
