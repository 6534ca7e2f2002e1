import Cameras

/// The network on which a camera was last connected. The network chart compares each snapshot with this network.
package struct CameraNetwork: Equatable, Sendable {
    /// The name of the network; nil: a cable, or not known.
    package var ssid: String?
    /// The camera's address; nil: the camera has a host name that is not resolved yet.
    package var address: IPAddress?
    /// The interface of the connection; nil: not known.
    package var interface: UInt32?
    package var interfaceName: String?
    /// The address of this computer in the connection; nil: not known, or its loss was already reported.
    package var source: IPAddress?
    /// Whether the camera was on the interface's own network, without a router between them.
    package var wasNear: Bool
    /// The other interfaces that were already on the same network. A route through them does not count.
    package var rivals: Set<UInt32> = []
    /// Whether the interface is a guess, because the kernel has not reported the route to the camera yet.
    package var isGuess: Bool

    /// Describes the network from a snapshot while the camera is connected at this address.
    package init(_ snapshot: NetworkSnapshot, address: IPAddress?) {
        var route: CameraRoute?
        if case .found(let found) = snapshot.route, address == nil || found.to == address { route = found }
        isGuess = route == nil
        self.address = address ?? route?.to
        let near = self.address.map { address in snapshot.interfaces.filter { $0.isNear(address) } } ?? []
        let reached = route.flatMap { snapshot.interface($0.interface) } ?? near.first { $0.isUp }
        ssid = reached?.ssid
        source = route?.source.flatMap { snapshot.has($0) ? $0 : nil }
        interface = reached?.index
        interfaceName = reached?.name
        wasNear = near.contains { $0.index == reached?.index }
        rivals = Set(near.map(\.index)).subtracting([reached?.index].compactMap(\.self))
        if reached == nil, address == nil { ssid = snapshot.usable(by: nil).compactMap(\.ssid).first }
    }

    /// Whether a network with this name may be the camera's network.
    func isNetwork(_ ssid: String?) -> Bool { self.ssid == nil || ssid == nil || self.ssid == ssid }

    /// Whether a link over this network may still exist: its interface is up, on the same network and with the address
    /// of the connection. If the interface is not certain, the link may exist.
    func stands(in snapshot: NetworkSnapshot) -> Bool {
        guard let interface, !isGuess || rivals.isEmpty else { return true }
        guard let own = snapshot.interface(interface), own.isUp, isNetwork(own.ssid) else { return false }
        let isNear = address.map(own.isNear) ?? true
        return (isNear || !wasNear) && (source.map(snapshot.has) ?? true)
    }

    /// Whether these facts are more complete than the other facts.
    func isBetter(than other: CameraNetwork) -> Bool {
        guard let interface else { return false }
        return other.interface == nil || other.ssid == nil && (interface == other.interface || wasNear)
    }
}

extension NetworkReport {
    /// Compares a snapshot with the camera's network.
    ///
    /// - Parameters:
    ///   - camera: the network on which the camera was connected; nil: no camera was connected.
    ///   - isSearched: whether the search is on. During a search, a known address needs no route.
    ///   - interface: the only interface to use; nil: all interfaces except the loopback.
    package init(
        _ snapshot: NetworkSnapshot,
        camera: CameraNetwork?,
        isSearched: Bool,
        interface: String? = nil
    ) {
        guard let camera, camera.interface != nil || camera.ssid != nil else {
            self = Self.firstAssessment(snapshot, isSearched: isSearched, interface: interface)
            return
        }
        self = Self.initialState(snapshot, camera, isSearched: isSearched)
        if case .joined(let ssid) = self, camera.isNetwork(ssid), let source = camera.source, !snapshot.has(source) {
            self = .moved(ssid: ssid)
        }
    }

    private static func initialState(_ snapshot: NetworkSnapshot, _ camera: CameraNetwork, isSearched: Bool) -> Self {
        if let ssid = camera.ssid {
            let stations = snapshot.interfaces.filter { $0.ssid == ssid }
            guard stations.isEmpty else {
                let leads = stations.contains { $0.leads(to: camera, snapshot, isSearched: isSearched) }
                return leads ? .joined(ssid: ssid) : .noRoute
            }
            let own = snapshot.own(of: camera)
            // Another radio's network counts only if the radio of the camera's network no longer exists.
            if let other = own == nil ? snapshot.interfaces.compactMap(\.ssid).first : own?.ssid {
                return .joined(ssid: other)
            }
            // Here the radio left its network or was unplugged. An interface without a known radio counts as a cable.
            if own == nil || own?.radio != nil {
                return .down
            }
        }
        return byCable(snapshot, camera, isSearched: isSearched)
    }

    private static func firstAssessment(_ snapshot: NetworkSnapshot, isSearched: Bool, interface: String?) -> Self {
        let nothing: Self = snapshot.isDark ? .down : .noRoute
        let usable = snapshot.usable(by: interface)
        let joined: Self = .joined(ssid: usable.compactMap(\.ssid).first)
        switch snapshot.route {
        case .found(let route):
            guard let interface = snapshot.interface(route.interface) else { return .joined(ssid: nil) }
            if interface.isUp || interface.isLoopback || route.isLocal { return .joined(ssid: interface.ssid) }
        case .unknown: return joined
        // Without a camera's address there is no route to check.
        case .unwatched where !isSearched: return joined
        case .none, .unwatched: break
        }
        return isSearched && !usable.isEmpty ? joined : nothing
    }

    private static func byCable(_ snapshot: NetworkSnapshot, _ camera: CameraNetwork, isSearched: Bool) -> Self {
        if let own = snapshot.own(of: camera), own.isUp {
            let leads = own.leads(to: camera, snapshot, isSearched: isSearched)
            return leads ? .joined(ssid: own.ssid) : .noRoute
        }
        // If another interface now has a route to the same network, the user moved the cable to another socket.
        if case .found(let route) = snapshot.route, route.to == camera.address, route.gateway == nil,
            let other = snapshot.interface(route.interface), other.isUp, other.isNear(route.to),
            !camera.rivals.contains(other.index)
        {
            return .joined(ssid: other.ssid)
        }
        return snapshot.isDark ? .down : .noRoute
    }
}

extension NetworkSnapshot {
    func interface(_ index: UInt32) -> NetworkInterface? { interfaces.first { $0.index == index } }

    fileprivate func has(_ address: IPAddress) -> Bool {
        interfaces.contains { $0.addresses.contains { $0.address == address } }
    }

    var isDark: Bool { !interfaces.contains { $0.isUp && !$0.isLoopback } }

    /// The interfaces that are up and have an address that is not link-local.
    ///
    /// - Parameter name: the only interface to use; nil: all interfaces except the loopback.
    func usable(by name: String?) -> [NetworkInterface] {
        interfaces.filter { interface in
            interface.isUp && !interface.isBare && (name.map { $0 == interface.name } ?? !interface.isLoopback)
        }
    }

    /// The interface of the camera's connection. Its name or its index may have changed since the camera was connected.
    fileprivate func own(of camera: CameraNetwork) -> NetworkInterface? {
        interfaces.first { $0.index == camera.interface } ?? interfaces.first { $0.name == camera.interfaceName }
    }
}

extension NetworkInterface {
    /// Whether the interface has no address, or only link-local addresses.
    var isBare: Bool { addresses.allSatisfy(\.address.isLinkLocal) }

    func isNear(_ other: IPAddress) -> Bool { addresses.contains { $0.isNear(other) } }

    /// Whether the route to the camera uses or may use this interface.
    ///
    /// If the network now has new addresses, the camera may have a new address on the same interface.
    fileprivate func leads(to camera: CameraNetwork, _ snapshot: NetworkSnapshot, isSearched: Bool) -> Bool {
        guard isUp else { return false }
        guard let address = camera.address else { return !isBare }
        // On a cable without a router, both the camera and this computer have link-local addresses.
        guard !isBare || isNear(address) else { return false }
        let hasMoved = isSearched && camera.wasNear && !isNear(address)
        switch snapshot.route {
        // A route to another address does not show whether the camera can be reached.
        case .found(let route): return route.interface == index || route.to != address || hasMoved
        case .none: return hasMoved
        case .unknown, .unwatched: return true
        }
    }
}
