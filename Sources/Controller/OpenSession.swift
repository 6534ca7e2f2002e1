import Cameras

/// A session that a candidate opened, or one that continues as a candidate. Parts hand it over as a whole.
struct OpenSession: Sendable, Equatable {
    /// The generation of its connections.
    let generation: LinkGeneration
    let driver: DriverSet
    let address: CameraAddress
    /// nil: its handshake is not complete.
    let meeting: Meeting?
    /// The camera's reports of its settings so far.
    let properties: [CameraEvent]

    init(_ generation: LinkGeneration, _ driver: DriverSet, at address: CameraAddress) {
        self.init(generation, driver, at: address, meeting: nil, properties: [])
    }

    init(_ generation: LinkGeneration, _ driver: DriverSet, _ meeting: Meeting, _ properties: [CameraEvent]) {
        self.init(generation, driver, at: meeting.address, meeting: meeting, properties: properties)
    }

    private init(
        _ generation: LinkGeneration,
        _ driver: DriverSet,
        at address: CameraAddress,
        meeting: Meeting?,
        properties: [CameraEvent]
    ) {
        self.generation = generation
        self.driver = driver
        self.address = address
        self.meeting = meeting
        self.properties = properties
    }

    /// The generation alone identifies the session.
    static func == (left: Self, right: Self) -> Bool { left.generation == right.generation }
}
