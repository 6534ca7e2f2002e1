import CLinux
import CSystemd
import Cameras
import Controller
import Glibc

struct InterfaceAddress: Equatable {
    var interface: String
    var address: IPAddress
    /// The number of bits that name the network.
    var prefixLength: Int
    var isLoopback: Bool

    func isNear(_ other: IPAddress) -> Bool { address.sharesBits(prefixLength, with: other) }
}

extension IPAddress {
    init?(_ address: UnsafePointer<sockaddr>) {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = Int(clinux_address_bytes(address, &bytes))
        guard count > 0 else { return nil }
        self.init(bytes: Array(bytes.prefix(count)))
    }
}

enum NetworkReachability {
    /// The addresses of the interfaces that are up.
    static func present() -> [InterfaceAddress] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var addresses: [InterfaceAddress] = []
        var next = first
        while let entry = next?.pointee {
            next = entry.ifa_next
            let isUp = entry.ifa_flags & UInt32(IFF_UP) != 0
            let runs = entry.ifa_flags & UInt32(IFF_RUNNING) != 0
            guard isUp, runs, let pointer = entry.ifa_addr, let address = IPAddress(pointer) else { continue }
            let mask = entry.ifa_netmask.flatMap { IPAddress($0) }
            addresses.append(
                InterfaceAddress(
                    interface: String(cString: entry.ifa_name),
                    address: address,
                    prefixLength: mask?.bytes.reduce(0) { $0 + $1.nonzeroBitCount } ?? address.bytes.count * 8,
                    isLoopback: entry.ifa_flags & UInt32(IFF_LOOPBACK) != 0
                )
            )
        }
        return addresses
    }
}

enum CameraRoute: Equatable {
    case nowhere
    /// The host's name does not resolve; `reason` is the system's reason.
    case unresolved(host: String, reason: String)
    case none(to: String, reason: String)
    /// `from` is this machine's address.
    case open(to: IPAddress, from: IPAddress)

    /// Queries the system for the route. Sends no packets, unless a name must be resolved.
    static func to(_ camera: CameraAddress?) -> CameraRoute {
        guard let camera else { return .nowhere }
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_DGRAM.rawValue)
        var results: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(camera.host, String(camera.port), &hints, &results)
        guard code == 0, let result = results?.pointee, let address = result.ai_addr else {
            return .unresolved(host: camera.host, reason: String(cString: gai_strerror(code)))
        }
        defer { freeaddrinfo(results) }
        do {
            let kind = CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
            let probe = try check { socket(result.ai_family, kind, 0) }
            defer { close(probe) }
            // Connecting a datagram socket only chooses a route and sends nothing (udp(7)).
            try check { connect(probe, address, result.ai_addrlen) }
            var own = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let ours = try withUnsafeMutablePointer(to: &own) { pointer throws(SystemError) in
                try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer throws(SystemError) in
                    try check { getsockname(probe, pointer, &length) }
                    return IPAddress(pointer)
                }
            }
            guard let theirs = IPAddress(address), let ours else { throw SystemError(code: EAFNOSUPPORT) }
            return .open(to: theirs, from: ours)
        } catch {
            return .none(to: camera.host, reason: "\(error)")
        }
    }
}

func networkCheck(_ addresses: [InterfaceAddress], _ route: CameraRoute) -> Check {
    let usable = addresses.filter { !$0.isLoopback && !$0.address.isLinkLocal }
    switch route {
    case .nowhere:
        guard usable.isEmpty else {
            return Check("network", .pass, NetworkCheckSentences.interfaces(usable))
        }
        return Check("network", .warn, NetworkCheckSentences.noAddress)
    case .unresolved(let host, let reason):
        return Check("network", .fail, NetworkCheckSentences.nameUnresolved(host, reason: reason, usable))
    case .none(let host, let reason):
        return Check("network", .fail, NetworkCheckSentences.noRoute(to: host, reason: reason, usable))
    case .open(let camera, let ours):
        let own = addresses.first { $0.address == ours }
        guard own?.isLoopback == true || own?.isNear(camera) == true else {
            let finding = NetworkCheckSentences.behindRouter(camera, own: ours, interface: own?.interface)
            return Check("network", .warn, finding)
        }
        let sentence = NetworkCheckSentences.reachable(camera, own: ours, interface: own?.interface)
        return Check("network", .pass, sentence)
    }
}
