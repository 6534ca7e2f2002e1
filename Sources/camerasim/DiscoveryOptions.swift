import ArgumentParser
import Bodies
import PTP

/// The options of discovery.
struct DiscoveryOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Answer SSDP, announce the body, and serve its description. Neither contains the PTP/IP port, so only a "
                + "body on port \(PTPIPPacket.port) can be found."
        )
    )
    var ssdp = false

    @Option(
        help: ArgumentHelp(
            "The interface for SSDP; default: the one with the address of --listen.",
            valueName: "name"
        )
    )
    var ssdpInterface: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Delay of an answer to a search, if the search allows it; default 100ms.",
            valueName: "duration"
        ),
        transform: DurationText.parse
    )
    var ssdpDelay: Duration?

    @Option(
        help: ArgumentHelp(
            "Port of the description, at the address of --listen; 0 means any free port; default 64321.",
            valueName: "port"
        )
    )
    var descriptionPort: UInt16?

    /// Rejects options that would have no effect.
    ///
    /// - Parameter port: The port to which clients connect after discovery.
    /// - Throws: `ValidationError`.
    func check(port: UInt16, listen: ListenAddress, addresses: [NetworkPlace], faults: [Fault]) throws {
        try check(listen.port, of: "--listen \(listen)", is: port)
        for place in addresses { try check(place.port, of: "--addresses \(place)", is: port) }
        for case .leave(let frame, _, let departure) in faults {
            guard let place = departure.place else { continue }
            try check(place.port, of: "--fault leave@\(frame) to \(place)", is: port)
        }
    }

    /// Throws a `ValidationError` if an option or a fault needs discovery.
    func checkThatNoneIsGiven(faults: [Fault]) throws {
        if ssdpInterface != nil { throw ValidationError(OptionSentences.needsDiscovery("--ssdp-interface")) }
        if ssdpDelay != nil { throw ValidationError(OptionSentences.needsDiscovery("--ssdp-delay")) }
        if descriptionPort != nil { throw ValidationError(OptionSentences.needsDiscovery("--description-port")) }
        if faults.contains(where: \.isOfDiscovery) {
            throw ValidationError(OptionSentences.faultNeedsDiscovery)
        }
    }

    /// - Parameter port: nil or 0: the body uses any free port. The simulator then only warns at the start, because
    ///   clients that know the port can still connect.
    private func check(_ port: (some BinaryInteger)?, of option: String, is called: UInt16) throws {
        guard let port, port != 0, port != called else { return }
        throw ValidationError(OptionSentences.portIsNotAnnounced(option, called: called))
    }

    /// The settings of discovery; nil without `--ssdp`.
    func settings(of camera: SimulatedCamera, faults: [Fault]) -> DiscoveryServer.Settings? {
        guard ssdp else { return nil }
        var settings = DiscoveryServer.Settings(body: camera.body, interface: ssdpInterface, faults: faults)
        if let ssdpDelay { settings.delay = ssdpDelay }
        if let descriptionPort { settings.descriptionPort = Int(descriptionPort) }
        return settings
    }
}

extension Fault {
    /// Whether the fault has an effect only with discovery.
    fileprivate var isOfDiscovery: Bool {
        switch self {
        case .ssdpSilent, .ssdpFirst, .ssdpWrongLocation, .description: true
        default: false
        }
    }
}
