import Cameras
import Exposure

/// The properties that the body reports. The table has at most one state for each property, so its size is limited.
struct PropertyTable: Equatable, Sendable {
    private var states: [CameraProperty: PropertyState] = [:]

    subscript(_ property: CameraProperty) -> PropertyState? { states[property] }

    /// The body's properties, in the order of ``Cameras/CameraProperty``.
    var list: [PropertyState] { CameraProperty.allCases.compactMap { states[$0] } }

    /// Adopts the reported states. The other states stay unchanged.
    mutating func merge(_ news: [PropertyState]) {
        for state in news { states[state.property] = state }
    }

    mutating func forget() {
        states.removeAll()
    }
}

extension CameraProperty {
    /// The choice for a short form: `5.6` for `f/5.6`, `auto` for `Auto`, `2s` for `2"`. Other text stays as it
    /// is, and the driver decides whether it is valid.
    func value(meantBy text: String, among choices: [String]) -> String {
        if choices.contains(text) { return text }
        if let choice = choices.first(where: { $0.lowercased() == text.lowercased() }) { return choice }
        let readings: [String]
        switch self {
        case .shutterSpeed:
            return (try? ShutterSpeed(parsing: text))?.label ?? text
        case .aperture:
            let number = text.drop { "fF/".contains($0) }
            readings = ["f/\(number)", "f/\(number).0"]
        case .exposureCompensation:
            let number = text.hasPrefix("+") ? text.dropFirst() : text[...]
            readings = ["+\(number)", "\(number)", "+\(number).0", "\(number).0"]
        case .iso, .whiteBalance, .drive, .focusMode, .quality, .saveTarget, .exposureMode, .flash, .selfTimer,
            .postviewSize, .zoomSetting:
            readings = []
        }
        return readings.first(where: choices.contains) ?? text
    }
}
