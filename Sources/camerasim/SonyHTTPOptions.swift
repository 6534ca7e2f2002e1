import ArgumentParser
import Bodies

/// `camerasim sony-http`: the options of Sony's bodies with the Camera Remote API.
struct SonyHTTPOptions: MakerOptions {
    static let maker = BodyMaker.sonyHTTP
    static let abstract = "Simulate a Sony body that speaks JSON over HTTP."
    static let announcesPort = true
    static let isPTPIP = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The body is in its menu \"Send to Smartphone\" with this number of selected pictures, 1 to "
                + "\(SonyHTTPOptions.selectedMax), and cannot be controlled.",
            valueName: "count"
        )
    )
    var selectedPictures: Int?

    /// The maximum number of selected pictures.
    private static let selectedMax = 1_000

    /// In the menu, the services are at the port of the description.
    var port: UInt16? { selectedPictures.map { _ in SonyHTTPBody.descriptionPort } }

    func applied(to model: BodyModel) -> BodyModel { model }

    func apply(to options: inout BodyOptions) { options.selectedPictures = selectedPictures }

    func check(isFound: Bool) throws {
        guard let selectedPictures, !(1...Self.selectedMax).contains(selectedPictures) else { return }
        throw ValidationError(OptionSentences.notASelection(selectedPictures, max: Self.selectedMax))
    }
}
