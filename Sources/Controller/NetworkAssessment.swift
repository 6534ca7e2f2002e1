import Cameras

/// The network in which the camera was connected last. The network chart compares snapshots with it.
package struct CameraNetwork: Equatable, Sendable {
    /// nil: a cable, or not known.
    package var ssid: String?
    /// nil: the camera has a host name that is not resolved yet.
    package var address: IPAddress?
    /// The interface of the connection; nil: not known.
    package var interface: UInt32?
    package var interfaceName: String?
    /// This computer's address in the connection; nil: not known, or gone and reported.
    package var source: IPAddress?
    /// Whether the camera was in the network of that interface, without a router between.
    package var wasNear: Bool
    /// Other interfaces that already had the same network: a route by them is no other way to the camera.
    package var rivals: Set<UInt32> = []
    /// Whether the interface is only likely: the kernel has not reported the route to that address yet.
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

    /// Whether a network of this name may be the camera's.
    func isNetwork(_ ssid: String?) -> Bool { self.ssid == nil || ssid == nil || self.ssid == ssid }

    /// Whether this contains more than was known before.
    func isBetter(than other: CameraNetwork) -> Bool {
        guard let interface else { return false }
        return other.interface == nil || other.ssid == nil && (interface == other.interface || wasNear)
    }
}

extension NetworkReport {
    /// Compares a snapshot with the camera's network.
    ///
    /// - Parameters:
    ///   - camera: where the camera was connected; nil: not yet.
    ///   - isSearched: whether the search is on, so that a known address needs no route.
    ///   - interface: the only interface to use; nil: all but the loopback.
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
            // The network of another radio says nothing about the radio that lost the camera's network.
            if let other = own == nil ? snapshot.interfaces.compactMap(\.ssid).first : own?.ssid {
                return .joined(ssid: other)
            }
            // The radio left its network, or was unplugged. If nothing is known of it any more, it counts as a cable.
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
        // There is no camera to ask for the route to.
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
        // Another route to the same network: the cable was moved to another socket.
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

    /// The interfaces that are up and have an address: the named one, or all but the loopback.
    func usable(by name: String?) -> [NetworkInterface] {
        interfaces.filter { interface in
            interface.isUp && !interface.isBare && (name.map { $0 == interface.name } ?? !interface.isLoopback)
        }
    }

    /// The interface of the camera's connection. Its name or its number may have changed since.
    fileprivate func own(of camera: CameraNetwork) -> NetworkInterface? {
        interfaces.first { $0.index == camera.interface } ?? interfaces.first { $0.name == camera.interfaceName }
    }
}

extension NetworkInterface {
    /// Whether it has only link-local addresses.
    var isBare: Bool { addresses.allSatisfy(\.address.isLinkLocal) }

    func isNear(_ other: IPAddress) -> Bool { addresses.contains { $0.isNear(other) } }

    /// Whether the route to the camera uses this interface, or may use it. A camera in a network with new addresses is
    /// searched for in that network.
    fileprivate func leads(to camera: CameraNetwork, _ snapshot: NetworkSnapshot, isSearched: Bool) -> Bool {
        guard isUp else { return false }
        guard let address = camera.address else { return !isBare }
        // A camera on a cable without a router also has a link-local address.
        guard !isBare || isNear(address) else { return false }
        let hasMoved = isSearched && camera.wasNear && !isNear(address)
        switch snapshot.route {
        // The route to another address that is tried says nothing.
        case .found(let route): return route.interface == index || route.to != address || hasMoved
        case .none: return hasMoved
        case .unknown, .unwatched: return true
        }
    }
}
