import Cameras

/// A session that a candidate opened, or one that goes on as a candidate: it is handed from part to part as a whole.
struct OpenSession: Sendable, Equatable {
    /// Of its connections.
    let generation: LinkGeneration
    let driver: DriverSet
    let address: CameraAddress
    /// nil: its handshake is not complete.
    let meeting: Meeting?
    /// What the camera reported of its settings so far.
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

    /// The generation alone says which session it is.
    static func == (left: Self, right: Self) -> Bool { left.generation == right.generation }
}
