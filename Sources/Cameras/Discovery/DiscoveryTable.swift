import NIOCore

/// How cameras are found, of all makers: what is searched for, and what an answer means.
package struct DiscoveryTable: Sendable {
    /// A protocol that cameras are driven by, the best first where a body offers several.
    package struct ProtocolRow: Sendable {
        package var `protocol`: CameraProtocol
        /// For people.
        package var name: String
        /// Where bodies listen.
        package var port: UInt16
        /// Whether a search calls this port of every address of the network.
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
        /// The protocol of every body that has this target; nil: only its description says.
        package var means: CameraProtocol?

        package init(_ target: SSDPTarget, means: CameraProtocol? = nil) {
            self.target = target
            self.means = means
        }
    }

    /// A service type of multicast DNS. Its messages are not sent or read yet.
    package struct ServiceRow: Sendable {
        /// `_ptp._tcp`.
        package var type: String
        package var means: CameraProtocol

        package init(_ type: String, means: CameraProtocol) {
            self.type = type
            self.means = means
        }
    }

    /// What a maker reads in a description found at this URL; nil: no camera of this maker.
    package typealias Reading = @Sendable (DeviceDescription, DescriptionURL) -> DeviceFitness?

    package var protocols: [ProtocolRow]
    package var targets: [SSDPRow]
    package var services: [ServiceRow]
    package var readings: [Reading]

    package init(protocols: [ProtocolRow], targets: [SSDPRow], services: [ServiceRow] = [], readings: [Reading]) {
        self.protocols = protocols
        self.targets = targets
        self.services = services
        self.readings = readings
    }

    /// All that bracketd can find. Tests add rows.
    package static let standard = DiscoveryTable(
        protocols: [
            ProtocolRow(.ptpip, name: "PTP/IP", port: CameraAddress.defaultPort, isScanned: true),
            ProtocolRow(.sonyHTTP, name: "Sony's HTTP remote control", port: 8080, isScanned: false),
        ],
        targets: SonyDiscovery.targets,
        // Registered for PTP/IP with IANA.
        services: [ServiceRow("_ptp._tcp", means: .ptpip)],
        readings: [SonyDiscovery.fitness]
    )
}

extension DiscoveryTable {
    package func row(of protocol: CameraProtocol) -> ProtocolRow? {
        protocols.first { $0.protocol == `protocol` }
    }

    /// The protocol that a camera at this address speaks, as far as its port says; else PTP/IP.
    package func `protocol`(of address: CameraAddress) -> CameraProtocol {
        protocols.first { $0.port == address.port }?.protocol ?? .ptpip
    }

    // MARK: SSDP

    /// The searches to send.
    package var searches: [ByteBuffer] { targets.map { SSDPMessage.search(for: $0.target) } }

    /// Whether a message is about a camera, as far as its target says. An answer without one may be.
    package func mayNameCamera(_ message: SSDPMessage) -> Bool {
        message.target.map { target in targets.contains { $0.target == target } } ?? true
    }

    /// Whether a datagram is a message that may name a camera.
    package func mayNameCamera(_ datagram: ByteBuffer) -> Bool {
        (try? SSDPMessage.parse(datagram)).map(mayNameCamera) ?? false
    }

    /// What a message offers without its description.
    package func offer(of message: SSDPMessage) -> CameraOffer? {
        guard let location = message.location, let row = targets.first(where: { $0.target == message.target }),
            let means = row.means.flatMap({ self.row(of: $0) })
        else { return nil }
        return CameraOffer(means.protocol, CameraAddress(host: location.host.description, port: means.port))
    }

    // MARK: Descriptions

    /// What a description means; nil: it describes no camera that we know.
    package func fitness(of description: DeviceDescription, at url: DescriptionURL) -> DeviceFitness? {
        for read in readings {
            guard let fitness = read(description, url) else { continue }
            guard case .fit(let offers) = fitness else { return fitness }
            return .fit(protocols.flatMap { row in offers.filter { $0.protocol == row.protocol } })
        }
        return nil
    }
}
