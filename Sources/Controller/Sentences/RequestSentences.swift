import Cameras
import Exposure

/// The reasons for which a client's request about cameras, settings or the history is refused.
enum RequestSentences {
    private static func choose(_ names: [String]) -> String { "Choose one of \(names.joined(separator: ", "))." }

    // MARK: Connecting

    static let noCameraBefore = "No camera was connected before. Give an address: bracketctl connect ADDRESS."

    static func noCamera(matches text: String) -> String {
        "No camera matches \"\(text)\". To list the cameras: bracketctl cameras. You can also give an address."
    }

    /// - Parameter names: an unambiguous name of each camera.
    static func severalCameras(match text: String, _ names: [String]) -> String {
        "\(names.count) cameras match \"\(text)\". \(choose(names))"
    }

    static func unfitCamera(_ name: String, _ remark: String) -> String { "\(name): \(remark)" }

    static let shootNeedsCamera =
        "A shoot is active and needs its camera. To end the shoot after the current frame: bracketctl cancel."
    static let otherCameraRequested = "Another client requested another camera."
    static let disconnectedByOtherClient = "Another client disconnected the camera."
    static let shootCameraConnected = "The camera of the shoot is connected again."

    /// - Parameter reason: a sentence; nil: the camera did not answer.
    static func noLongerTried(_ camera: String, _ reason: String?) -> String {
        let reason = reason ?? "There was no answer."
        return "\(reason) The daemon no longer tries \(camera)."
    }

    // MARK: Setting a property

    static func noProperty(_ name: String) -> String {
        let names = CameraProperty.allCases.map(\.rawValue)
        return "The camera has no property \(Quoted.text(name)). \(choose(names))"
    }

    /// - Parameter choices: the possible values; empty: not known.
    static func emptyValue(for property: CameraProperty, _ choices: [String]) -> String {
        let sentence = "The value for \(property.rawValue) is empty."
        return choices.isEmpty ? sentence : "\(sentence) \(choose(choices))"
    }

    static let settingsLockedByPausedShoot =
        "A shoot is paused. The camera's settings cannot change until the shoot ends."
    static let settingsLockedByShoot = "A shoot is running. The camera's settings cannot change until the shoot ends."

    static let filesLockedByShoot =
        "A shoot is running or paused. The files on the camera's card are not available until the shoot ends."
    static let liveViewLockedByShoot =
        "A shoot is running or paused. The live view is not available until the shoot ends."
    static let liveViewInTransfer = "A picture of the live view is being fetched. Try again after that."
    static let filesInTransfer = "Files on the camera's card are being listed or transferred. Try again after that."

    static func beingSet(_ property: CameraProperty) -> String {
        "The camera's \(property.rawValue) is being set. Try again when that is done."
    }

    // MARK: Reading the history

    static func noShoot(_ id: Int) -> String { "The ledger has no shoot \(id)." }
}
