import Cameras

/// The texts of the journal and the replies about the connection to a camera, and about its settings.
enum CameraSentences {
    // MARK: The connection

    /// - Parameter name: the name of the camera; nil: not known. The same holds for the next functions.
    static func connected(_ name: String?) -> String { "\(subject(name)) is connected." }

    static func ready(_ name: String?) -> String { "\(subject(name)) is ready." }

    private static func subject(_ name: String?) -> String { name ?? "The camera" }

    /// The sentence when the camera is connected and its mode is right.
    static func connected(_ name: String?, at address: CameraAddress?, _ status: CameraStatus) -> String {
        let object = name ?? "the camera"
        var sentence = "Connected to \(object)"
        if let address { sentence += " at \(address)" }
        sentence += ", mode \(status.modeLabel)"
        if let battery = status.batteryPercent { sentence += ", battery \(battery) %" }
        if let shots = status.shotsLeft { sentence += ", \(shots) shots left" }
        return sentence + "."
    }

    static let connectingUnfinished = "The camera did not finish connecting."

    static func stillAway(after attempts: Int, _ reason: String?) -> String {
        let reason = reason.map { " \($0)" } ?? ""
        return "No connection after \(attempts) attempts.\(reason) The daemon keeps trying."
    }

    static func answerIgnored(_ event: String) -> String { "Ignored an answer to an older question: \(event)." }

    // MARK: Settings

    /// - Parameter state: the property that the camera shows; nil: another request.
    static func done(_ order: PropertyRequest.Order, showing state: PropertyState?) -> String {
        switch order {
        case .set(let property, let value): "The camera's \(property.rawValue) was set to \(state?.value ?? value)."
        case .files(.list), .files(.listSelected): "The files on the camera's card were listed."
        case .files(.get), .files(.getSelected): "Files on the camera's card were transferred."
        case .liveView: "A picture of the live view was sent."
        }
    }

    static func notDone(_ order: PropertyRequest.Order) -> String {
        switch order {
        case .set(let property, let value): "The camera's \(property.rawValue) was not set to \(value)."
        case .files: "The files on the camera's card were not listed or transferred."
        case .liveView: "No picture of the live view was sent."
        }
    }
}

extension PropertyRefusal {
    /// The sentence that says why the request failed; empty: another sentence gives the reason.
    var sentence: String {
        switch self {
        case .busy: "The camera is busy. Try again in a moment."
        case .failed(let failure): failure.sentence
        case .superseded: "Another command reached the camera before the camera showed the value."
        case .silent: "The camera did not report the result."
        case .lost(let reason): reason.sentence
        case .absent, .stopping: ""
        }
    }
}

extension WantedCamera {
    /// The sentence that says why a camera that answered is not accepted.
    func sentence(about other: CameraIdentity, at address: CameraAddress) -> String {
        let own = other.name == name ? "another \(name)" : "a \(other.name)"
        return "The camera at \(address) is \(own) (\(other.id)). The daemon waits for \(name) (\(id))."
    }
}
