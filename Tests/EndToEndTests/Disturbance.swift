/// What happens between a computer and its camera.
enum Disturbance: String, CaseIterable {
    /// The computer's interface is switched off.
    case linkDown
    /// The other end of the cable is: the carrier is gone.
    case carrierLost
    /// The computer has no address any more.
    case addressRemoved
    /// The way to the camera leads by another interface, where it is not.
    case routeStolen
    /// The camera leaves without a word and comes back at another address.
    case cameraMoved
    /// Packets vanish: all of them, those to the camera, those from it.
    case silence
    case commandsLost
    case answersLost
    /// The camera breaks its connections, or closes them in order.
    case reset
    case closed

    /// Whether it is the computer that has left the camera's network.
    var isOfNetwork: Bool {
        switch self {
        case .linkDown, .carrierLost, .addressRemoved, .routeStolen: true
        default: false
        }
    }

    /// Whether packets vanish, and nothing else tells of it.
    var isSilent: Bool { [.silence, .commandsLost, .answersLost].contains(self) }

    /// Whether the simulated body does it, having been told before.
    var isFault: Bool { [.reset, .closed].contains(self) }

    /// As the pause is called.
    var reason: String { isOfNetwork ? "wifi-switched" : "link-lost" }

    /// Parts of what people are told: one of them.
    func sentences(at place: Field.Place) -> [String] {
        switch self {
        case .linkDown, .carrierLost:
            place == .near
                ? ["The computer is on no network. Rejoin the camera's to go on."]
                : ["The computer has no route to the camera. Rejoin its network to go on."]
        case .addressRemoved, .routeStolen: ["The computer has no route to the camera. Rejoin its network to go on."]
        case .silence, .commandsLost, .answersLost: ["The camera did not answer for "]
        // The system tells of a reset once. Where writing hears of it first, reading comes to an end as after a close.
        case .cameraMoved, .reset: ["The connection to the camera broke: ", Disturbance.closedSentence]
        case .closed: [Disturbance.closedSentence]
        }
    }

    private static let closedSentence = "The camera closed the connection."
}

/// A moment of a shoot, as its chart shows it.
enum Moment: Equatable, CustomStringConvertible {
    /// One of the steps of a frame, counted from 1.
    case step(Step, frame: Int)
    /// The shoot waits for the camera.
    case pause
    /// The camera is called again.
    case reconnecting

    enum Step: String, CaseIterable {
        case settingSpeed
        case confirmingSpeed
        case capturing
        case waitingForIdle
        case betweenFrames

        /// A phase of the simulated body that falls into it.
        var phases: [String] {
            switch self {
            case .settingSpeed: ["set"]
            case .confirmingSpeed: ["confirm"]
            case .capturing: ["press", "expose"]
            case .waitingForIdle, .betweenFrames: ["save"]
            }
        }
    }

    var description: String {
        switch self {
        case .step(let step, let frame): "\(step.rawValue) of frame \(frame)"
        case .pause: "the pause"
        case .reconnecting: "reconnecting"
        }
    }

    func isMet(by line: JournalLine) -> Bool {
        switch self {
        case .step(let step, let frame):
            line["CHART"] == "shooting" && line["FRAME"] == String(frame) && line.states.contains(step.rawValue)
        case .pause:
            line["CHART"] == "shooting"
                && line.states.contains { ["linkLost", "wifiSwitched", "awaitingCamera"].contains($0) }
        case .reconnecting: line["CHART"] == "connection" && line.states == ["connecting"]
        }
    }
}
