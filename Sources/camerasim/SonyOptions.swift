import ArgumentParser
import Bodies

/// `camerasim sony`: the options of Sony's bodies.
struct SonyOptions: MakerOptions {
    static let maker = BodyMaker.sony
    static let abstract = "Simulate a Sony body that speaks PTP/IP."

    @Option(
        help: ArgumentHelp(
            "Where jumps of several notches end on bodies of version 2: exact, short:N (N notches short) or cap:N (at "
                + "most N notches).",
            valueName: "accuracy"
        ),
        transform: parseStepAccuracy
    )
    var stepAccuracy: SonyStepping.Accuracy?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Duration of a change by notches on bodies of version 2.", valueName: "duration"),
        transform: DurationText.parse
    )
    var stepTime: Duration?

    @Option(
        help: ArgumentHelp(
            "The kind of description: ptp, http (a body with the Camera Remote API) or transfer (a body in the menu "
                + "\"Send to Smartphone\"); the last two do not listen for PTP/IP.",
            valueName: "kind"
        ),
        transform: parseKind
    )
    var ssdpKind = SonyAnnouncement.Kind.ptp

    var isListening: Bool { ssdpKind == .ptp }

    func applied(to model: BodyModel) -> BodyModel {
        guard var own = SonyModel.named(model.shortName) else { return model }
        own.stepAccuracy = stepAccuracy
        own.stepTime = stepTime
        own.discoveryKind = ssdpKind
        return own.row
    }

    func check(isFound: Bool) throws {
        guard !isFound, ssdpKind != .ptp else { return }
        throw ValidationError(OptionSentences.needsDiscovery("--ssdp-kind \(ssdpKind.rawValue)"))
    }
}

@Sendable
private func parseStepAccuracy(_ text: String) throws -> SonyStepping.Accuracy {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    if text == "exact" { return .exact }
    guard parts.count == 2, let notches = Int(parts[1]), (1...127).contains(notches) else {
        throw ArgumentError(description: OptionSentences.notAnAccuracy)
    }
    switch parts[0] {
    case "short": return .short(by: notches)
    case "cap": return .capped(at: notches)
    default: throw ArgumentError(description: OptionSentences.notAnAccuracy)
    }
}

@Sendable
private func parseKind(_ name: String) throws -> SonyAnnouncement.Kind {
    guard let kind = SonyAnnouncement.Kind(rawValue: name) else {
        throw ArgumentError(
            description: OptionSentences.notAKind(name, known: SonyAnnouncement.Kind.allCases.map(\.rawValue))
        )
    }
    return kind
}
