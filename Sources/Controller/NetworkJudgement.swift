import Cameras

/// Where the camera was when it was connected last: what leaving its network is measured by.
package struct CameraNetwork: Equatable, Sendable {
    /// nil: a cable, or not known.
    package var ssid: String?
    /// nil: it has a name, and nothing is known of that yet.
    package var address: IPAddress?
    /// The interface that it was reached by; nil: not known.
    package var interface: UInt32?
    package var interfaceName: String?
    /// The address of ours that it was reached from; nil: not known, or gone and told so.
    package var source: IPAddress?
    /// Whether it was in the network of that interface, with no router between.
    package var wasNear: Bool
    /// Other interfaces that had its network already: a way by them is no other way to the camera.
    package var rivals: Set<UInt32> = []
    /// Whether the interface is only the likeliest one: the kernel has not said yet which way leads to that address.
    package var isGuess: Bool

    /// From what is seen now, while the camera is connected at this address.
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

    /// Whether a network of this name may be it.
    func isNetwork(_ ssid: String?) -> Bool { self.ssid == nil || ssid == nil || self.ssid == ssid }

    /// Whether this is more than was known of it before.
    func isBetter(than other: CameraNetwork) -> Bool {
        guard let interface else { return false }
        return other.interface == nil || other.ssid == nil && (interface == other.interface || wasNear)
    }
}

extension NetworkReport {
    /// What a snapshot comes to.
    ///
    /// - Parameters:
    ///   - camera: where the camera was connected; nil: it was not yet.
    ///   - isSearched: whether cameras are looked for, so that there need be no way to a known address.
    ///   - interface: the only interface by which; nil: every one but the loopback.
    package init(
        _ snapshot: NetworkSnapshot,
        camera: CameraNetwork?,
        isSearched: Bool,
        interface: String? = nil
    ) {
        guard let camera, camera.interface != nil || camera.ssid != nil else {
            self = Self.firstLook(snapshot, isSearched: isSearched, interface: interface)
            return
        }
        self = Self.standing(snapshot, camera, isSearched: isSearched)
        if case .joined(let ssid) = self, camera.isNetwork(ssid), let source = camera.source, !snapshot.has(source) {
            self = .moved(ssid: ssid)
        }
    }

    private static func standing(_ snapshot: NetworkSnapshot, _ camera: CameraNetwork, isSearched: Bool) -> Self {
        if let ssid = camera.ssid {
            let stations = snapshot.interfaces.filter { $0.ssid == ssid }
            guard stations.isEmpty else {
                let leads = stations.contains { $0.leads(to: camera, snapshot, isSearched: isSearched) }
                return leads ? .joined(ssid: ssid) : .noRoute
            }
            let own = snapshot.own(of: camera)
            // Where another radio is joined to says nothing of the one that lost the camera's network.
            if let other = own == nil ? snapshot.interfaces.compactMap(\.ssid).first : own?.ssid {
                return .joined(ssid: other)
            }
            // The radio is apart, or was unplugged. One of which nothing is known any more is judged as a cable is.
            if own == nil || own?.radio != nil {
                return .down
            }
        }
        return byCable(snapshot, camera, isSearched: isSearched)
    }

    private static func firstLook(_ snapshot: NetworkSnapshot, isSearched: Bool, interface: String?) -> Self {
        let nothing: Self = snapshot.isDark ? .down : .noRoute
        let usable = snapshot.usable(by: interface)
        let joined: Self = .joined(ssid: usable.compactMap(\.ssid).first)
        switch snapshot.route {
        case .found(let route):
            guard let interface = snapshot.interface(route.interface) else { return .joined(ssid: nil) }
            if interface.isUp || interface.isLoopback || route.isLocal { return .joined(ssid: interface.ssid) }
        case .unknown: return joined
        // There is no camera that the way could be asked for.
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
        // Another way to the same network: a cable that was plugged into the other socket.
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

    /// Whether nothing leads anywhere.
    var isDark: Bool { !interfaces.contains { $0.isUp && !$0.isLoopback } }

    /// Interfaces that lead anywhere, and have an address for it: this one, or every one but the loopback.
    func usable(by name: String?) -> [NetworkInterface] {
        interfaces.filter { interface in
            interface.isUp && !interface.isBare && (name.map { $0 == interface.name } ?? !interface.isLoopback)
        }
    }

    /// The interface that the camera was reached by: it may have another name by now, or another number.
    fileprivate func own(of camera: CameraNetwork) -> NetworkInterface? {
        interfaces.first { $0.index == camera.interface } ?? interfaces.first { $0.name == camera.interfaceName }
    }
}

extension NetworkInterface {
    /// Whether it has no address but those that it gave itself.
    var isBare: Bool { addresses.allSatisfy(\.address.isLinkLocal) }

    func isNear(_ other: IPAddress) -> Bool { addresses.contains { $0.isNear(other) } }

    /// Whether the way to the camera is by this interface, or may be: a camera whose network has other addresses now is
    /// looked for in it.
    fileprivate func leads(to camera: CameraNetwork, _ snapshot: NetworkSnapshot, isSearched: Bool) -> Bool {
        guard isUp else { return false }
        guard let address = camera.address else { return !isBare }
        // A camera at a cable without a router has an address of this kind as well.
        guard !isBare || isNear(address) else { return false }
        let hasMoved = isSearched && camera.wasNear && !isNear(address)
        switch snapshot.route {
        // The way to where another one is tried says nothing.
        case .found(let route): return route.interface == index || route.to != address || hasMoved
        case .none: return hasMoved
        case .unknown, .unwatched: return true
        }
    }
}
