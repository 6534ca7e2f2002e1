import Cameras
import Exposure

/// Why a client's request about cameras, settings or the history is refused.
enum RequestSentences {
    private static func choose(_ names: [String]) -> String { "Choose one of \(names.joined(separator: ", "))." }

    // MARK: Connecting

    static let noCameraBefore = "No camera was connected before. Give an address: bracketctl connect ADDRESS."

    static func noCamera(matches text: String) -> String {
        "No camera matches \"\(text)\". bracketctl cameras lists the cameras; an address works too."
    }

    /// - Parameter names: an unambiguous name of each camera.
    static func severalCameras(match text: String, _ names: [String]) -> String {
        "\(names.count) cameras match \"\(text)\". \(choose(names))"
    }

    static func unfitCamera(_ name: String, _ remark: String) -> String { "\(name): \(remark)" }

    static let shootNeedsCamera =
        "A shoot is running on this camera. bracketctl cancel ends it after the current frame."
    static let otherCameraRequested = "Another client requested another camera."
    static let disconnectedByOtherClient = "Another client disconnected the camera."
    static let shootCameraConnected = "The camera of the shoot is connected again."

    /// - Parameter reason: nil: the camera did not answer.
    static func noLongerTried(_ camera: String, _ reason: String?) -> String {
        let reason = reason ?? "There was no answer."
        return "\(reason) The daemon no longer tries \(camera)."
    }

    // MARK: Setting a property

    static func noProperty(_ name: String) -> String {
        let names = CameraProperty.allCases.map(\.rawValue)
        return "The camera has no property \(Quoted.text(name)). \(choose(names))"
    }

    /// - Parameter choices: empty: not known.
    static func emptyValue(for property: CameraProperty, _ choices: [String]) -> String {
        let sentence = "The value for \(property.rawValue) is empty."
        return choices.isEmpty ? sentence : "\(sentence) \(choose(choices))"
    }

    static let settingsLockedByPausedShoot = "A shoot is paused. Its settings cannot change until it ends."
    static let settingsLockedByShoot = "A shoot is running. Its settings cannot change until it ends."

    static func beingSet(_ property: CameraProperty) -> String {
        "The camera's \(property.rawValue) is being set. Try again when that is done."
    }

    // MARK: Reading the history

    static func noShoot(_ id: Int) -> String { "The ledger has no shoot \(id)." }
}
