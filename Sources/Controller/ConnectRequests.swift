import Cameras

/// Which camera the user named, and the request to connect to it that goes on.
struct ConnectRequests: Sendable {
    /// nil: the user named none.
    var choice: CameraChoice?
    var order: ConnectOrder?

    func isChoice(_ identity: CameraIdentity?, at address: CameraAddress?) -> Bool {
        guard let choice else { return true }
        return choice.wanted.map { $0.id == identity?.id } ?? (choice.address.map { $0 == address } ?? true)
    }

    /// What the user named by its address is this camera from now on, where it may be found at another one.
    mutating func keepChoice(_ identity: CameraIdentity?, at present: CameraAddress?) {
        guard let identity, !identity.id.isEmpty, choice?.wanted == nil, let address = choice?.address,
            address == present
        else { return }
        choice = CameraChoice(wanted: WantedCamera(id: identity.id, name: identity.name), address: address)
    }
}

/// The camera that the user named.
struct CameraChoice: Equatable, Sendable {
    /// nil: whatever answers at the address.
    var wanted: WantedCamera?
    /// nil: wherever it is found.
    var address: CameraAddress?

    /// As people call it.
    var name: String { wanted?.name ?? address?.description ?? "The camera" }
}

/// A client that waits for a camera.
struct ConnectOrder: Equatable, Sendable {
    var deadline: Duration
    /// The request before this one. The daemon returns to it where this one fails.
    var before: CameraGoal
}

/// Which camera the user wants.
enum CameraGoal: Equatable, Sendable {
    /// Whichever the configuration names, or is found.
    case any
    case this(CameraChoice)
    case none
}
