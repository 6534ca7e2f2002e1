/// The texts of the journal and the status about the button.
enum ButtonSentences {
    // MARK: Its line

    /// - Parameter time: the kernel's time of the edge.
    static func edge(isPressed: Bool, at time: Duration) -> String {
        "The button was \(isPressed ? "pressed" : "released") (\(time.milliseconds) ms)."
    }

    static func tooShort(_ length: Duration) -> String {
        "Button press of \(length.milliseconds) ms ignored: it is shorter than min-press."
    }

    static let heldAgain = "Button press ignored: the button was held again before the first press took effect."
    static let lineLost = "Button press ignored: the GPIO line was lost or opened again before the press took effect."
    static let daemonStops = "Button press ignored: the daemon is stopping."

    // MARK: Its actions

    static let pressDoesNothing = "Button press ignored: a shoot is running."
    static let holdDoesNothing = "Button hold ignored: no shoot is running."

    static func shootChanged(since meant: PressMeaning.Action) -> String {
        "Button press ignored: it was to \(meant.words), but another shoot began or ended after the press."
    }

    static func meaningChanged(from meant: PressMeaning.Action, to meaning: PressMeaning.Action) -> String {
        "Button press ignored: it was to \(meant.words). A new press would \(meaning.words)."
    }

    /// - Parameter reason: why the button's request was refused; nil: the daemon is stopping.
    static func hasNoEffect(isHold: Bool, _ reason: String?) -> String {
        "The button was \(isHold ? "held" : "pressed"), but that has no effect: \(reason ?? "The daemon is stopping.")"
    }

    /// The text of the status about the frames that a press fires.
    static func firesMissingFrames(of shoot: Shoot) -> String {
        "the missing frames of shoot \(shoot.id), \(shoot.total - shoot.captured) of \(shoot.total) exposures"
    }
}

extension PressMeaning.Action {
    /// The text for the action after the word "to".
    fileprivate var words: String {
        switch self {
        case .fire: "fire the plan"
        case .resume, .retry: "fire the missing frames of the shoot"
        case .pause: "pause the shoot"
        case .goOn: "continue the shoot"
        case .nothing: "do nothing"
        }
    }
}
