import Cameras
import Statecharts

/// The wanted cameras and the places where they may be. The core builds this goal from the user's requests, the shoot,
/// the configuration and the network. A receiver reads the goal and never stores it.
struct SearchGoal: Sendable {
    let rules: SearchRules
    let configuredAddress: CameraAddress?
    /// The camera that the user named; nil: none.
    var choice: CameraChoice?
    /// The camera of the current shoot; nil: no shoot, or its camera is not known.
    let shootCamera: WantedCamera?
    let network: NetworkModel

    /// Whether the configuration has any search method besides the configured address.
    var isSearched: Bool { !rules.ways.isEmpty }

    /// Whether the daemon searches for any camera, and neither a user, a shoot nor the configuration names one.
    var isOpen: Bool { isSearched && choice == nil && shootCamera == nil && configuredAddress == nil }

    /// The only camera that is accepted; nil: any camera.
    var wantedCamera: WantedCamera? { shootCamera ?? choice?.wanted }

    /// The only address to probe, because the user named it; nil: none. The camera of a shoot is wanted at all its
    /// addresses, even if the user has named another camera.
    var onlyAddress: CameraAddress? { wantedCamera == nil ? choice?.address : nil }

    /// The network interfaces that the search uses.
    var interfaces: [NetworkInterface] { network.snapshot.map { rules.interfaces(of: $0) } ?? [] }

    /// The addresses where cameras may be, without repetition, the most likely ones first.
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
        return Array(list.filter { seen.insert($0).inserted }.prefix(CameraFinder.probesMax))
    }
}

/// The facts about the connection that other parts may read. They never store these facts.
struct ConnectionFacts: Sendable {
    /// The camera to which the connection connects or is connected, with its protocol and address.
    let offer: CameraOffer?
    let identity: CameraIdentity?
    /// The sentence that says why no camera is connected. It is only for the user, and no code depends on it.
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
    /// The address that the connection itself uses, or avoids for the time that a body needs after a session.
    let occupiedAddress: CameraAddress?

    var address: CameraAddress? { offer?.address }
}

extension ChartRun where B == ConnectionModel {
    /// The facts. Each is read from the chart itself, because a copy of the chart would cost more.
    var facts: ConnectionFacts {
        let isFree =
            isActive(.discovering) || isActive(.refused) || isActive(.offNetwork) || isActive(.released)
        let isOccupied = !isFree && (isActive(.backingOff) ? machine.behavior.isInUse : isActive(.running))
        return ConnectionFacts(
            offer: machine.behavior.offer,
            identity: machine.behavior.identity,
            obstacle: machine.behavior.absenceReason,
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
