/// What a photographer has to know about a metered range or a bracket that found its own range.
package enum MeteringWarning: Hashable, Sendable {
    case automaticISO
    /// The speed changed by this many thirds of a stop, and the brightness did not.
    case noResponse(thirds: Int)
    case liveViewIsNotExposure
    /// This share of the picture is white at the fastest speed, 0 to 1.
    case highlightsAtLimit(ShutterSpeed, share: Double)
    /// This share of the picture is too dark at the slowest speed, 0 to 1.
    case shadowsAtLimit(ShutterSpeed, share: Double)
    /// The light changed by this many EV between the frames at these positions, from 0; negative is darker.
    case lightChanged(ev: Double, from: Int, to: Int)
    /// Two frames at one speed differ by this many EV.
    case flicker(ev: Double)
    /// The tone setting with this name adapts to the scene.
    case adaptiveTone(String)
    /// The picture could not be read, for this reason.
    case previewUnreadable(String)
    case noPreview
    /// The search ended after this many frames.
    case frameLimit(Int)

    /// The codes of warnings that name a part of the scene outside the range.
    package static let limitCodes: Set = ["highlights-at-limit", "shadows-at-limit", "frame-limit"]

    /// The code in `--json` output.
    package var code: String {
        switch self {
        case .automaticISO: "iso-auto"
        case .noResponse: "no-response"
        case .liveViewIsNotExposure: "live-view-not-exposure"
        case .highlightsAtLimit: "highlights-at-limit"
        case .shadowsAtLimit: "shadows-at-limit"
        case .lightChanged: "light-changed"
        case .flicker: "flicker"
        case .adaptiveTone: "adaptive-tone"
        case .previewUnreadable: "preview-unreadable"
        case .noPreview: "no-preview"
        case .frameLimit: "frame-limit"
        }
    }

    /// What frames show of the light and of the camera, in the order fired.
    package static func findings(_ frames: [(speed: ShutterSpeed, map: PictureMap)]) -> [Self] {
        let speeds = frames.map(\.speed)
        return LightCheck.findings(frames).map { Self($0, speeds: speeds) }
    }

    private init(_ finding: LightCheck.Finding, speeds: [ShutterSpeed]) {
        self =
            switch finding {
            case .changed(let ev, let from, let to): .lightChanged(ev: ev, from: from, to: to)
            case .flicker(let ev, _, _): .flicker(ev: ev)
            case .noResponse(let from, let to): .noResponse(thirds: speeds[from].thirds(to: speeds[to]))
            }
    }

    package init(_ limit: AutoBracket.Limit) {
        self =
            switch limit {
            case .highlights(let speed, let share): .highlightsAtLimit(speed, share: share)
            case .shadows(let speed, let share): .shadowsAtLimit(speed, share: share)
            case .frames(let count): .frameLimit(count)
            }
    }
}
