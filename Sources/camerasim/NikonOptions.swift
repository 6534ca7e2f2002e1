import ArgumentParser
import Bodies

/// `camerasim nikon`: the options of Nikon's bodies.
struct NikonOptions: MakerOptions {
    static let maker = BodyMaker.nikon
    static let abstract = "Simulate a Nikon body that speaks PTP/IP."

    @Option(help: "The steps of the exposure, as set in the menu: third or half.")
    var steps = Steps.third

    /// The value of `--steps`.
    enum Steps: String, ExpressibleByArgument, CaseIterable {
        case third, half
    }

    var isListening: Bool { true }

    func applied(to model: BodyModel) -> BodyModel {
        guard var own = NikonModel.named(model.shortName) else { return model }
        own.hasHalfSteps = steps == .half
        return own.row
    }

    func check(isFound: Bool) throws {
        if isFound { throw ValidationError(OptionSentences.notDiscoverable) }
    }
}
