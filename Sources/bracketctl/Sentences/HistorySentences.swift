/// The sentences of the history about recorded shoots.
enum HistorySentences {
    static let noShoot = "No shoot is recorded."
    static let noEarlierShoot = "No shoot is recorded before that one."

    static func written(shoot: Int, to path: String) -> String { "Wrote shoot \(shoot) to \(path)." }

    // MARK: The outcome

    static let running = "running"

    static func outcome(_ outcome: String, captured: Int, of total: Int) -> String {
        "\(outcome), \(captured) of \(total) captured"
    }

    static func firedAgain(_ outcome: String, reason: String) -> String { "\(outcome), again: \(reason)" }

    // MARK: Frames that were dropped, after the outcome

    static let restDropped = ", the rest dropped"
    static let restDroppedByDismiss = ", the rest dropped by bracketctl dismiss"

    static func restDropped(by shoot: Int) -> String { ", the rest dropped by shoot \(shoot)" }

    static func restDropped(byShootOfButton shoot: Int) -> String {
        ", the rest dropped by shoot \(shoot), which the button started"
    }

    // MARK: Incidents

    static func place(set: Int, frame: Int, speed: String?) -> String {
        let speed = speed.map { " at \($0)" } ?? ""
        return ShootReportSentences.place(set: set, frame: frame) + speed
    }

    /// - Parameter end: The end of the pause; nil: the shoot did not resume.
    static func paused(_ reason: String, until end: String?) -> String {
        let end = end.map { " until \($0)" } ?? ""
        return "paused (\(reason))\(end)"
    }

    static func interrupted(until end: String?) -> String {
        let end = end.map { "; the shoot resumed at \($0)" } ?? ""
        return "interrupted: the daemon ended\(end)"
    }

    static func inDoubt(_ reason: String, answer: String) -> String {
        "the shutter may have fired (\(reason)): \(answer)"
    }

    static let doubtFired = "fired"
    static let doubtNotFired = "not fired"
    static let doubtOpen = "not known yet"
    static let doubtNotReported = "the camera did not report it"

    static func pictureTwice(_ reason: String) -> String {
        "fired again (\(reason)): the card has two pictures of the frame"
    }

    static func pictureMaybeTwice(_ reason: String) -> String {
        "fired again (\(reason)): the card may have two pictures of the frame"
    }
}
