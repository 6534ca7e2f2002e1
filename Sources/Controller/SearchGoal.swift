import Cameras
import Statecharts

/// The cameras that are wanted and the places where they may be. The core assembles it from the requests of the user
/// and the shoot, the configuration and the network. A receiver reads it and keeps nothing of it.
struct SearchGoal: Sendable {
    let rules: SearchRules
    let configuredAddress: CameraAddress?
    /// The camera that the user named; nil: none.
    var choice: CameraChoice?
    /// The camera of the shoot that goes on; nil: there is none, or its camera is not known.
    let shootCamera: WantedCamera?
    let network: NetworkModel

    /// Whether cameras are searched for at all, beside the configured address.
    var isSearched: Bool { !rules.ways.isEmpty }

    /// The camera that every other one is turned away for; nil: any will do.
    var wantedCamera: WantedCamera? { shootCamera ?? choice?.wanted }

    /// The address that the user named, where no other address is called. A shoot's camera is called wherever it may
    /// be, whatever was named meanwhile.
    var onlyAddress: CameraAddress? { wantedCamera == nil ? choice?.address : nil }

    /// The interfaces that cameras are searched for by.
    var interfaces: [NetworkInterface] { network.snapshot.map { rules.interfaces(of: $0) } ?? [] }

    /// Where cameras may be, the likeliest first, each once.
    func addresses(of cameras: KnownCameras) -> [CameraAddress] {
        if let onlyAddress { return [onlyAddress] }
        let joined = network.joinedNetworks
        var list = [choice?.address].compactMap(\.self)
        if let named = choice?.wanted { list += cameras.addresses(wanted: named, joined: joined) }
        if let address = configuredAddress { list.append(address) }
        if isSearched || choice != nil {
            if let address = network.cameraAddress { list.append(address) }
            if rules.ways.contains(.known) || choice != nil {
                list += cameras.addresses(wanted: wantedCamera, joined: joined)
            }
            list += cameras.offers.map(\.address)
        }
        var seen: Set<CameraAddress> = []
        return Array(list.filter { seen.insert($0).inserted }.prefix(CameraFinder.callsMax))
    }
}

/// What other parts may know of the connection. Read and never kept.
struct ConnectionFacts: Sendable {
    let address: CameraAddress?
    let identity: CameraIdentity?
    /// Why there is no camera, in a sentence for the user; nothing decides by it.
    let obstacle: String?
    /// Whether the daemon's stop has closed the session.
    let hasStopped: Bool
    let isSeeking: Bool
    let isDiscovering: Bool
    let isConnecting: Bool
    let isDismissing: Bool
    let isOnline: Bool
    let isRefused: Bool
    let isBackingOff: Bool
    let isOffNetwork: Bool
    let isReleased: Bool
    /// The address that the connection itself calls, or leaves alone for the time that a body needs after a session.
    let occupiedAddress: CameraAddress?
}

extension ChartRun where B == ConnectionModel {
    /// Reads each field in place: a copy of the chart costs more than all of this.
    var facts: ConnectionFacts {
        let isFree =
            isActive(.discovering) || isActive(.refused) || isActive(.offNetwork) || isActive(.released)
        let isOccupied = !isFree && (isActive(.backingOff) ? machine.behavior.isInUse : isActive(.running))
        return ConnectionFacts(
            address: machine.behavior.address,
            identity: machine.behavior.identity,
            obstacle: machine.behavior.trouble,
            hasStopped: !machine.isRunning,
            isSeeking: isActive(.seeking),
            isDiscovering: isActive(.discovering),
            isConnecting: isActive(.connecting),
            isDismissing: isActive(.dismissing),
            isOnline: isActive(.online),
            isRefused: isActive(.refused),
            isBackingOff: isActive(.backingOff),
            isOffNetwork: isActive(.offNetwork),
            isReleased: isActive(.released),
            occupiedAddress: isOccupied ? machine.behavior.address : nil
        )
    }
}
