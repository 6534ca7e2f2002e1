import Cameras
import Exposure

/// The texts of the status about the daemon and its camera, and of the journal about stops and transitions.
enum StatusSentences {
    // MARK: The stop of the daemon

    static let stopping = "Stopping."

    /// - Parameter shoot: the state of the shoot.
    static func stoppingAfterFrame(_ shoot: String) -> String { "Stopping after this frame. \(shoot)" }

    static func stopWaits(_ limit: Duration) -> String {
        "Stopping after the current frame, in \(TimeText.text(limit)) at most. "
            + "After a second stop request, the daemon does not wait for this frame."
    }

    static let secondStop = "A second stop request: the daemon does not wait for the current frame."

    static func frameTooLate(_ limit: Duration) -> String {
        "The frame did not end within \(TimeText.text(limit)), and the daemon stops waiting. "
            + "When the shoot is resumed, the daemon asks the camera whether it took the picture."
    }

    // MARK: The camera. Each `reason` says why it is not connected; nil: nothing to report.

    static func searchingForTheCamera(after reason: String?) -> String { join(reason, "Searching for the camera.") }

    /// - Parameter unfit: the sentence about a camera that cannot be used now; nil: there is no such camera.
    static func searchingForAnyCamera(after reason: String?, _ unfit: String?) -> String {
        join(reason, "Searching for a camera.", unfit)
    }

    static func nextSearch(in time: Duration) -> String { "The next search begins in \(TimeText.text(time))." }

    static func unfitCamera(_ name: String, _ remark: String) -> String { "\(name) is on the network. \(remark)" }

    /// - Parameter mayAsk: whether the camera may wait until its user confirms this computer.
    static func connecting(to address: CameraAddress?, after reason: String?, mayAsk: Bool = false) -> String {
        let place = address?.description ?? "the camera"
        return join(reason, "Connecting to \(place).", mayAsk ? confirmationAdvice : nil)
    }

    private static let confirmationAdvice = "If the camera asks, confirm bracketd there."

    static let checkingMode = "Checking the camera's mode."
    static let justConnected = "The camera connected just now. Try again."

    static func tryingAgain(after reason: String?) -> String { join(reason, "The daemon tries again.") }

    static func tryingAgainNow(after reason: String?) -> String {
        join(reason, "The daemon tries again now. Repeat the command in a moment.")
    }

    static func refused(_ reason: String?) -> String {
        join(reason, "The daemon tries again at the next shoot or connect command.")
    }

    static func disconnecting(after reason: String?) -> String { join(reason, "Disconnecting from the camera.") }

    static let disconnectedByCommand = "Disconnected by command."
    static let disconnected = "\(disconnectedByCommand) \(CheckSentences.disconnectedAdvice)"
    static let searchOffByCommand = "Searching is off after disconnect."
    static let searchOff = "\(searchOffByCommand) To connect: bracketctl connect ADDRESS."

    private static func join(_ sentences: String?...) -> String {
        sentences.compactMap(\.self).joined(separator: " ")
    }

    // MARK: Transitions

    /// The text for a transition: `shooting: settingSpeed → capturing (set 1, frame 2, 1/60)`.
    static func transition(_ chart: String, from: [String], to: [String], of frame: PlannedFrame?) -> String {
        let left = from.isEmpty ? "" : from.joined(separator: ", ") + " "
        let place = frame.map { " (set \($0.position.set), frame \($0.position.frame), \($0.speed.label))" } ?? ""
        return "\(chart): \(left)→ \(to.joined(separator: ", "))\(place)"
    }

    /// The text for a transition of a chart that belongs to an address.
    static func transition(_ message: String, at address: CameraAddress) -> String { "\(message) (\(address))" }
}
