import ArgumentParser
import Bodies

/// `camerasim canon`: the options of Canon's bodies.
struct CanonOptions: MakerOptions {
    static let maker = BodyMaker.canon
    static let abstract = "Simulate a Canon EOS body that speaks PTP/IP."

    @Flag(
        help: ArgumentHelp(
            "Keep every setting of the captured list, also the dial. An EOS M50 is then in its automatic mode and "
                + "cannot be used for a shoot."
        )
    )
    var asCaptured = false

    @Option(
        help: ArgumentHelp(
            "The connection for which the menu waits: utility (EOS Utility) or smartphone; the body announces it.",
            valueName: "kind"
        ),
        transform: parseKind
    )
    var ssdpKind = CanonAnnouncement.Kind.utility

    func applied(to model: BodyModel) -> BodyModel {
        guard var own = CanonModel.named(model.shortName) else { return model }
        own.isAsCaptured = asCaptured
        own.discoveryKind = ssdpKind
        return own.row
    }

    func check(isFound: Bool) throws {
        guard !isFound, ssdpKind != .utility else { return }
        throw ValidationError(OptionSentences.needsDiscovery("--ssdp-kind \(ssdpKind.rawValue)"))
    }
}

@Sendable
private func parseKind(_ name: String) throws -> CanonAnnouncement.Kind {
    guard let kind = CanonAnnouncement.Kind(rawValue: name) else {
        throw ArgumentError(
            description: OptionSentences.notAKind(name, known: CanonAnnouncement.Kind.allCases.map(\.rawValue))
        )
    }
    return kind
}
