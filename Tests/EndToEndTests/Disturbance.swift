/// Faults between a computer and its camera.
enum Disturbance: String, CaseIterable {
    /// The computer's interface is switched off.
    case linkDown
    /// The other end of the cable is switched off, so the computer's interface loses its carrier.
    case carrierLost
    case addressRemoved
    /// The route to the camera leads to another interface, from which the camera cannot be reached.
    case routeStolen
    /// The camera disappears silently and returns at another address.
    case cameraMoved
    /// Packets are dropped: all packets, those to the camera, or those from the camera.
    case silence
    case commandsLost
    case answersLost
    /// The camera resets its connections, or closes them in order.
    case reset
    case closed

    /// Whether the computer has left the camera's network.
    var isOfNetwork: Bool {
        switch self {
        case .linkDown, .carrierLost, .addressRemoved, .routeStolen: true
        default: false
        }
    }

    /// Whether packets are dropped without any report.
    var isSilent: Bool { [.silence, .commandsLost, .answersLost].contains(self) }

    /// Whether the simulated body causes the disturbance, by an option at its start.
    var isFault: Bool { [.reset, .closed].contains(self) }

    var reason: String { isOfNetwork ? "wifi-switched" : "link-lost" }

    /// Parts of sentences for the user. One of them must appear.
    func sentences(at place: Field.Place) -> [String] {
        switch self {
        case .linkDown, .carrierLost:
            place == .near
                ? ["This computer is on no network. Rejoin the camera's network to continue."]
                : ["This computer has no route to the camera. Rejoin the camera's network to continue."]
        case .addressRemoved, .routeStolen:
            ["This computer has no route to the camera. Rejoin the camera's network to continue."]
        case .silence, .commandsLost, .answersLost: ["The camera did not answer for "]
        // The kernel reports a reset once. If a write receives the report, a read returns the end, as after a close.
        case .cameraMoved, .reset: ["The connection to the camera was lost: ", Disturbance.closedSentence]
        case .closed: [Disturbance.closedSentence]
        }
    }

    private static let closedSentence = "The camera closed the connection."
}

/// A moment of a shoot, according to the shoot's chart.
enum Moment: Equatable, CustomStringConvertible {
    /// One of the steps of a frame. Frames are counted from 1.
    case step(Step, frame: Int)
    case pause
    /// The daemon connects to the camera again.
    case reconnecting

    enum Step: String, CaseIterable {
        case settingSpeed
        case confirmingSpeed
        case capturing
        case waitingForIdle
        case betweenFrames

        /// The simulated body's phases at that moment.
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
