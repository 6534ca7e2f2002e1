import NIOCore

/// How cameras of all makers are found: the search targets, and the meaning of the answers.
package struct DiscoveryTable: Sendable {
    /// A protocol of cameras, the best first where a body offers several.
    package struct ProtocolRow: Sendable {
        package var `protocol`: CameraProtocol
        /// The name for users.
        package var name: String
        /// The port of the bodies.
        package var port: UInt16
        /// Whether a search probes this port on every address of the network.
        package var isScanned: Bool

        package init(_ protocol: CameraProtocol, name: String, port: UInt16, isScanned: Bool) {
            self.protocol = `protocol`
            self.name = name
            self.port = port
            self.isScanned = isScanned
        }
    }

    /// A search target of SSDP.
    package struct SSDPRow: Sendable {
        package var target: SSDPTarget
        /// The protocol of every body with this target; nil: only its description decides.
        package var means: CameraProtocol?
    }

    /// A service type of multicast DNS. bracketd does not send or read its messages yet.
    package struct ServiceRow: Sendable {
        /// `_ptp._tcp`.
        package var type: String
        package var means: CameraProtocol
    }

    /// Reads a description found at this URL; nil: not a camera of this maker.
    package typealias Reading = @Sendable (DeviceDescription, DescriptionURL) -> DeviceFitness?

    package var protocols: [ProtocolRow]
    package var targets: [SSDPRow]
    package var services: [ServiceRow]
    package var readings: [Reading]

    /// All rows of bracketd. Tests add others.
    package static let standard = DiscoveryTable(
        protocols: [
            ProtocolRow(.ptpip, name: "PTP/IP", port: CameraAddress.defaultPort, isScanned: true),
            ProtocolRow(.sonyHTTP, name: "Sony's HTTP remote control", port: 8080, isScanned: false),
        ],
        targets: SonyDiscovery.targets,
        // Registered for PTP/IP with IANA.
        services: [ServiceRow(type: "_ptp._tcp", means: .ptpip)],
        readings: [SonyDiscovery.fitness]
    )
}

extension DiscoveryTable {
    package func row(of protocol: CameraProtocol) -> ProtocolRow? {
        protocols.first { $0.protocol == `protocol` }
    }

    /// The protocol of a camera at this address, decided by its port; PTP/IP otherwise.
    package func `protocol`(of address: CameraAddress) -> CameraProtocol {
        protocols.first { $0.port == address.port }?.protocol ?? .ptpip
    }

    // MARK: SSDP

    /// The searches to send.
    package var searches: [ByteBuffer] { targets.map { SSDPMessage.search(for: $0.target) } }

    /// Whether the target of a message can be a camera's. An answer without a target may be.
    package func mayNameCamera(_ message: SSDPMessage) -> Bool {
        message.target.map { target in targets.contains { $0.target == target } } ?? true
    }

    /// Whether a datagram is such a message.
    package func mayNameCamera(_ datagram: ByteBuffer) -> Bool {
        (try? SSDPMessage.parse(datagram)).map(mayNameCamera) ?? false
    }

    /// The offer of a message without its description; nil: none.
    package func offer(of message: SSDPMessage) -> CameraOffer? {
        guard let location = message.location, let row = targets.first(where: { $0.target == message.target }),
            let means = row.means.flatMap({ self.row(of: $0) })
        else { return nil }
        return CameraOffer(means.protocol, CameraAddress(host: location.host.description, port: means.port))
    }

    // MARK: Descriptions

    /// The meaning of a description; nil: it describes no known camera.
    package func fitness(of description: DeviceDescription, at url: DescriptionURL) -> DeviceFitness? {
        for read in readings {
            guard let fitness = read(description, url) else { continue }
            guard case .fit(let offers) = fitness else { return fitness }
            return .fit(protocols.flatMap { row in offers.filter { $0.protocol == row.protocol } })
        }
        return nil
    }
}
