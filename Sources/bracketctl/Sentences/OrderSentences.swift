/// The effects of orders that the daemon accepted.
enum OrderSentences {
    // MARK: The shoot

    static func pauses(redo: Bool) -> String {
        "The shoot pauses at the end of the frame, or at once if no exposure is in progress."
            + (redo ? " When the shoot resumes, the last frame is fired again." : "")
    }

    static let cancels = "The shoot stops at the end of the frame, or at once if no exposure is in progress."
    static let dropsMissingFrames = "The missing frames of the last shoot are dropped."
    static let firesLastFrameAgain = "The last frame is fired once more."

    // MARK: The camera

    static let disconnects = "The camera is disconnected. To connect again: bracketctl connect --last."

    /// - Parameters:
    ///   - camera: The maker and the model.
    ///   - batteryPercent: The charge; nil: the camera does not report it.
    static func connected(_ camera: String, at address: String, mode: String, batteryPercent: Int?) -> String {
        let battery = batteryPercent.map { ", battery \($0) %" } ?? ""
        return "Connected to \(camera) at \(address), mode \(mode)\(battery)."
    }

    static func notConnected(_ reason: String) -> String { "Not connected. \(reason)" }

    /// - Parameter host: an address without a port, so that the daemon tried PTP/IP.
    static func portAdvice(_ host: String) -> String {
        "An older Sony camera needs its port: bracketctl connect \(host):8080, or \(host):10000."
    }

    static let waitingForCamera = "Waiting for the camera. The daemon gives up after one minute."

    static func unknownCamera(_ sentence: String, known: [String]) -> String {
        "\(sentence) Known cameras: \(PlainList.text(known))."
    }

    // MARK: The button

    static let buttonFiresThis = "The button fires this plan."
    static let buttonFiresConfigured = "The button fires the plan of the configuration."

    /// - Parameters:
    ///   - usual: Whether the user armed the plan of the configuration.
    ///   - doctor: The command that checks the button.
    static func noButton(usual: Bool, doctor: String) -> String {
        let plan = usual ? "the plan of the configuration yet." : "this plan yet. The plan is kept."
        return "No button is available, so nothing fires \(plan) If a button is configured, `\(doctor)` says what is "
            + "wrong. Otherwise set `line` under `[button]`, see bracketd.toml(5)."
    }
}
