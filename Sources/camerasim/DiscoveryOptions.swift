import ArgumentParser
import Simulation

/// The options that let a body be found.
struct DiscoveryOptions: ParsableArguments {
    @Flag(help: "Answer SSDP, announce the body, and serve its description.")
    var ssdp = false

    @Option(
        help: ArgumentHelp(
            "The interface that SSDP is spoken on; left out, the one that has the address of --listen.",
            valueName: "name"
        )
    )
    var ssdpInterface: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How long an answer to a search takes, as far as the search is that patient.",
            valueName: "duration"
        ),
        transform: DurationText.parse
    )
    var ssdpDelay = Duration.milliseconds(100)

    @Option(
        help: ArgumentHelp(
            "What the description says: ptp, http (a body of the Camera Remote API) or transfer (one in the menu "
                + "\"Send to Smartphone\"); of the last two nobody listens for PTP/IP.",
            valueName: "kind"
        ),
        transform: parseKind
    )
    var ssdpKind = SonyAnnouncement.Kind.ptp

    @Option(
        help: ArgumentHelp(
            "Where the description is served, at the address of --listen; 0 takes any free port.",
            valueName: "port"
        )
    )
    var descriptionPort: UInt16 = 64321

    /// What would be without effect is refused: a person would believe in it.
    ///
    /// - Throws: `ValidationError`.
    func check(_ faults: [Fault]) throws {
        guard !ssdp else { return }
        if ssdpKind != .ptp { throw ValidationError("--ssdp-kind \(ssdpKind.rawValue) needs --ssdp.") }
        if ssdpInterface != nil { throw ValidationError("--ssdp-interface needs --ssdp.") }
        if faults.contains(where: \.isOfDiscovery) {
            throw ValidationError("A fault of SSDP or of the description needs --ssdp.")
        }
    }

    /// nil without `--ssdp`.
    func settings(of model: SonyModel, faults: [Fault]) -> DiscoveryServer.Settings? {
        guard ssdp else { return nil }
        return DiscoveryServer.Settings(
            model: model,
            kind: ssdpKind,
            interface: ssdpInterface,
            delay: ssdpDelay,
            descriptionPort: Int(descriptionPort),
            faults: faults
        )
    }
}

extension Fault {
    /// Whether it shows only where a body lets itself be found.
    fileprivate var isOfDiscovery: Bool {
        switch self {
        case .ssdpSilent, .ssdpFirst, .ssdpWrongLocation, .description: true
        default: false
        }
    }
}

@Sendable
private func parseKind(_ name: String) throws -> SonyAnnouncement.Kind {
    guard let kind = SonyAnnouncement.Kind(rawValue: name) else {
        let names = SonyAnnouncement.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw ArgumentError(description: "'\(name)' is no kind of description, which is one of \(names)")
    }
    return kind
}
