import NIOCore

/// The discovery of cameras of all makers: the search targets, and the meaning of the answers.
package struct DiscoveryTable: Sendable {
    /// A protocol of cameras. The rows are in order of preference.
    package struct ProtocolRow: Sendable {
        package var `protocol`: CameraProtocol
        /// The name for users.
        package var name: String
        /// The port on which the bodies listen.
        package var port: UInt16
        /// The ports of some bodies.
        package var otherPorts: [UInt16] = []
        /// Whether a search probes this port on every address of the network.
        package var isScanned: Bool

        package init(
            _ protocol: CameraProtocol,
            name: String,
            port: UInt16,
            otherPorts: [UInt16] = [],
            isScanned: Bool
        ) {
            self.protocol = `protocol`
            self.name = name
            self.port = port
            self.otherPorts = otherPorts
            self.isScanned = isScanned
        }
    }

    /// A search target of SSDP.
    package struct SSDPRow: Hashable, Sendable {
        package var target: SSDPTarget
        /// The protocol of every body with this target; nil: the body's description decides.
        package var means: CameraProtocol?
        /// The prefix of the ids of bodies with this target; nil: the body's description decides.
        package var maker: String?
        /// The program for which every body with this target waits; nil: the target does not name one.
        package var awaited: AwaitedProgram?
    }

    /// A service type of multicast DNS. bracketd does not use multicast DNS yet.
    package struct ServiceRow: Sendable {
        /// `_ptp._tcp`.
        package var type: String
        package var means: CameraProtocol
    }

    /// A function that reads the description at a URL. It returns nil if the device is no camera of this maker.
    package typealias Reading = @Sendable (DeviceDescription, DescriptionURL) -> DeviceFitness?

    package var protocols: [ProtocolRow]
    package var targets: [SSDPRow]
    package var services: [ServiceRow]
    package var readings: [Reading]

    /// The table of bracketd. Tests add other rows.
    package static let standard = DiscoveryTable(
        protocols: [
            ProtocolRow(.ptpip, name: "PTP/IP", port: CameraAddress.defaultPort, isScanned: true),
            ProtocolRow(
                .sonyHTTP,
                name: "Sony's HTTP remote control",
                port: 8080,
                // Action cameras and some compact cameras (timelapse-sony, devices.xml).
                otherPorts: [10000],
                isScanned: false
            ),
            // Only a user's address leads to this protocol, because such a body cannot shoot.
            ProtocolRow(.sonyPush, name: "Sony's transfer of selected pictures", port: 64321, isScanned: false),
        ],
        targets: SonyDiscovery.targets + CanonDiscovery.targets,
        // IANA has registered this type for PTP/IP.
        services: [ServiceRow(type: "_ptp._tcp", means: .ptpip)],
        readings: [SonyDiscovery.fitness, CanonDiscovery.fitness]
    )
}

extension DiscoveryTable {
    package func row(of protocol: CameraProtocol) -> ProtocolRow? {
        protocols.first { $0.protocol == `protocol` }
    }

    /// Whether a search probes this port on every address.
    package func isScanned(_ port: UInt16) -> Bool { protocols.contains { $0.isScanned && $0.port == port } }

    /// The protocol of a camera at this address. The port decides; the default is PTP/IP.
    package func `protocol`(of address: CameraAddress) -> CameraProtocol {
        protocols.first { $0.port == address.port || $0.otherPorts.contains(address.port) }?.protocol ?? .ptpip
    }

    // MARK: SSDP

    /// The search requests to send.
    package var searches: [ByteBuffer] { targets.map { SSDPMessage.search(for: $0.target) } }

    /// Whether the message can come from a camera. An answer without a target is accepted too.
    package func mayNameCamera(_ message: SSDPMessage) -> Bool {
        message.target.map { target in targets.contains { $0.target == target } } ?? true
    }

    /// Whether the datagram is a message that can come from a camera.
    package func mayNameCamera(_ datagram: ByteBuffer) -> Bool {
        (try? SSDPMessage.parse(datagram)).map(mayNameCamera) ?? false
    }

    /// The row of the message's target; nil: the message has no target, or it is not in the table.
    package func row(of message: SSDPMessage) -> SSDPRow? { targets.first { $0.target == message.target } }

    /// The offer from a message alone, before its description is read; nil: no offer.
    package func offer(of message: SSDPMessage) -> CameraOffer? {
        guard let location = message.location, let row = self.row(of: message),
            let means = row.means.flatMap({ self.row(of: $0) })
        else { return nil }
        let address = CameraAddress(host: location.host.description, port: means.port)
        return CameraOffer(means.protocol, address, maker: row.maker)
    }

    // MARK: Descriptions

    /// The result of reading a description; nil: it describes no known camera.
    package func fitness(of description: DeviceDescription, at url: DescriptionURL) -> DeviceFitness? {
        for read in readings {
            guard let fitness = read(description, url) else { continue }
            guard case .fit(let offers) = fitness else { return fitness }
            return .fit(protocols.flatMap { row in offers.filter { $0.protocol == row.protocol } })
        }
        return nil
    }
}
