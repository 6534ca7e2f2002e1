import Interface

/// The sentences of commands that start or follow a shoot. The daemon's own sentences are not among them.
enum ShootReportSentences {
    // MARK: Before the shoot

    static func running(_ status: String) -> String { "A shoot is running. \(status)" }

    static func notRunning(last: String) -> String { "No shoot is running. The last shoot: \(last.withFullStop)" }

    static let noTerminal =
        "Without a terminal, bracketctl cannot ask whether to fire the plan. Run bracketctl shoot with --yes."

    static func fireQuestion(exposures count: Int) -> String { "Fire \(exposures(count))?" }

    /// - Parameter dropped: The shoot whose missing frames the new shoot drops.
    static func fireQuestion(exposures count: Int, dropping dropped: UnfinishedShoot) -> String {
        "Drop the \(missing(dropped)), and fire \(exposures(count))?"
    }

    /// - Parameter dropped: The latest shoot, whose missing frames the retry of an older shoot drops.
    static func retryQuestion(shoot: Int, dropping dropped: UnfinishedShoot) -> String {
        "Drop the \(missing(dropped)), and fire the missing exposures of shoot \(shoot)?"
    }

    private static func exposures(_ count: Int) -> String { count == 1 ? "1 exposure" : "\(count) exposures" }

    private static func missing(_ shoot: UnfinishedShoot) -> String {
        let exposures = shoot.missing == 1 ? "exposure" : "exposures"
        return "\(shoot.missing) missing \(exposures) of shoot \(shoot.shoot)"
    }

    static let nothingFired = "Nothing was fired."

    // MARK: The progress

    static func place(set: Int, frame: Int) -> String { "set \(set), frame \(frame)" }

    static func timeLeft(_ time: String) -> String { "\(time) left" }

    /// - Parameter timeLeft: The remaining time; nil: unknown.
    static func progress(shoot: Int, captured: Int, of total: Int, timeLeft: String?) -> String {
        let left = timeLeft.map { ", about \($0) left" } ?? ""
        return "\(shoot), \(captured) of \(total) captured\(left)"
    }

    static func continues(watch: String, cancel: String) -> String {
        "The shoot continues without this client. To see its progress: \(watch). To cancel it: \(cancel)."
    }

    // MARK: Frames that are missing

    /// The frames of the smallest set that covers the range, or as much of it as was reached.
    static func kept(_ speeds: [String], coverTheScene: Bool) -> String {
        let list = speeds.joined(separator: ", ")
        let count = speeds.count == 1 ? "1 frame" : "\(speeds.count) frames"
        guard coverTheScene else { return "\(count) for the part of the scene that can be covered: \(list)" }
        return "\(count) \(speeds.count == 1 ? "covers" : "cover") the scene: \(list)"
    }

    static func cause(_ cause: String) -> String { "Reason: \(cause)" }

    static func missingFramesAdvice(retry: String) -> String { "To fire the missing frames: \(retry)" }

    static func missingFramesAdvice(retry: String, dismiss: String) -> String {
        "\(retry) fires the missing frames, \(dismiss) drops them."
    }

    // MARK: An outcome that is not known

    static func noOutcome(status: String) -> String { "The daemon reported no outcome. See \(status)." }

    static func connectionClosed(_ path: String, status: String) -> String {
        "The daemon at \(path) closed the connection during the shoot. When it runs again, see \(status)."
    }

    // MARK: Pictures in transfer

    static func waitingForPictures(_ count: Int) -> String {
        let pictures = count == 1 ? "1 picture" : "\(count) pictures"
        return "Waiting for \(pictures) from the camera. With --no-wait the command does not wait."
    }

    static func picturesInTransfer(_ count: Int, follow: String) -> String {
        let pictures = count == 1 ? "1 picture is" : "\(count) pictures are"
        return "\(pictures) still being transferred from the camera. To follow the transfer: \(follow)"
    }

    static func picturesMissing(frames: Int, photos: String) -> String {
        let frames = frames == 1 ? "1 frame" : "\(frames) frames"
        return "The pictures of \(frames) are not on this computer. To see the reasons: \(photos)"
    }

    static func endedWithPicturesInTransfer(follow: String) -> String {
        "The shoot has ended. Its pictures are still in transfer. To follow: \(follow)."
    }

    static func exportLacksPictures(_ count: Int, follow: String) -> String {
        "\(picturesInTransfer(count, follow: follow)). This export does not contain them."
    }
}
