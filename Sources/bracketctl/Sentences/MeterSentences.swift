import Exposure

/// The sentences of `meter` and of `photos --coverage`.
enum MeterSentences {
    // MARK: Speeds

    static func certainty(_ certainty: MeteredSpeed.Certainty) -> String {
        switch certainty {
        case .measured: "within 1/3 EV"
        case .estimated(let error): "estimated, at most \(tenths(error)) EV off"
        case .outside: "outside what these frames show"
        }
    }

    static func next(_ speed: ShutterSpeed) -> String { "take a picture at \(speed) to be sure" }

    /// The place of a point in a table: `at 30,75`.
    static func place(_ point: PicturePoint) -> String { "at \(tenths(point.x)),\(tenths(point.y))" }

    static func placement(_ placement: Placement, frames: Int) -> String {
        let source = frames == 1 ? "From 1 frame" : "From \(frames) frames"
        return switch placement {
        case .grey: "\(source). These speeds make the spots mid-grey."
        case .detail: "\(source). These speeds keep the detail of shadows and highlights."
        }
    }

    static func toPlan(shadow: ShutterSpeed, highlight: ShutterSpeed, _ placement: Placement) -> String {
        switch placement {
        case .grey: "To plan: bracketctl plan --metered \(argument(shadow)) \(argument(highlight))"
        case .detail: "To plan: bracketctl plan --shadow \(argument(shadow)) --highlight \(argument(highlight))"
        }
    }

    static let swapped = "The shadow point is brighter than the highlight point; swapped."

    // MARK: Refusals

    static let needsPicture = "Name a picture of the scene: --from FILE, --from test-frame or --from live."
    static let oneTestFrame = "--from test-frame fires one frame. Give it once."
    static let speedOfTestFrame = "--speed is the speed of the test frame. It needs --from test-frame."
    static let liveAlone = "--from live is a first guess, and is not combined with other pictures."
    static let liveViewIsNotExposure =
        "Live view does not show the exposure. Meter a frame instead: --from test-frame."
    static let liveViewIsUnknown =
        "It is not known whether live view shows the exposure. Check the speeds with --from test-frame."
    static let liveViewWithoutSpeed = "The camera shows no shutter speed now. Meter a frame: --from test-frame."
    static let noTestPicture = "The picture of the test frame is not on this computer. Check: bracketctl photos."
    static func tooManyPictures(_ countMax: Int) -> String { "--from is given more than \(countMax) times." }
    static func tooManyPoints(_ countMax: Int) -> String { "--at is given more than \(countMax) times." }

    static func unknownPlacement(_ text: String) -> String {
        "--placement: \(Quoted.text(text)) is unknown. Write grey or detail."
    }

    static let metersTwoSpeeds = "--metered needs two speeds: of the shadows and of the highlights."

    static func notUsed(_ path: String, _ reason: String) -> String { "\(Quoted.text(path)) is not used: \(reason)." }
    static let noExposureTime = "it has no exposure time in its EXIF data"

    static func offScale(_ time: String) -> String { "its exposure time of \(time) s is no speed of the scale" }

    static func otherSettings(_ first: String, _ second: String) -> String {
        "\(Quoted.text(first)) and \(Quoted.text(second)) differ in aperture or ISO. "
            + "Only the shutter speed may differ."
    }

    // MARK: Coverage

    static let folderNeedsCoverage = "--folder is the folder of a shoot for --coverage. Add --coverage."
    static let noCoverage =
        "The pictures of the last shoot are not checked. For the pictures of any shoot, name its folder: --folder DIR."

    static let extensionNeedsSpeed = "Name the speed of the frame to add: --speed 1/2000. Or name --folder DIR."
    static let coverageUnknown =
        "The pictures of the last shoot are not checked. Name its folder: --folder DIR. Or name the speeds: --speed S."

    static let notAManifest = "it is not the manifest of a shoot"
    static let noReadablePicture = "No picture of the shoot could be read; set not checked."

    static func frameNotChecked(_ frame: String, _ reason: String) -> String { "\(frame) is not checked: \(reason)." }
    static let noJPEG = "it has no JPEG"

    /// A speed without characters that a shell treats specially.
    private static func argument(_ speed: ShutterSpeed) -> String {
        speed.label.hasSuffix("\"") ? "\(speed.label.dropLast())s" : speed.label
    }

    private static func tenths(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
    }
}
