import Cameras
import Exposure

/// The texts of the journal, the status and the replies about a shoot.
enum ShootSentences {
    // MARK: Begin and end

    /// - Parameter dropped: the last shoot, whose missing frames are dropped; nil: nothing is dropped.
    /// - Parameter searchMax: The largest number of exposures of a bracket that finds its own range; nil: it has one.
    static func begins(_ id: Int, exposures: Int, searchMax: Int? = nil, dropped: UnfinishedShoot?) -> String {
        let count = searchMax.map { "at most \($0)" } ?? "\(exposures)"
        let begin = "Shoot \(id) begins: \(count) exposures."
        guard let dropped else { return begin }
        let lack = "The missing exposures of shoot \(dropped.id) are dropped: \(dropped.missing) of \(dropped.total)."
        return "\(begin) \(lack)"
    }

    static func continues(_ id: Int, missing: Int, of total: Int) -> String {
        "Shoot \(id) continues: \(missing) of \(total) exposures are missing."
    }

    static func continuesForWantedFrame(_ id: Int) -> String { "Shoot \(id) continues: a frame is fired again." }

    static func continuesForSuspects(_ id: Int) -> String { "Shoot \(id) continues: suspect frames are fired again." }

    static func continuesSearch(_ id: Int) -> String { "Shoot \(id) continues: it finds the range of the scene." }

    static func continuesWithEveryFrame(_ id: Int) -> String { "Shoot \(id) continues: no exposure is missing." }

    static func interrupted(_ end: Progress) -> String { "Shoot \(end.shoot): \(end.sentence) \(end.cause ?? "")" }

    static let stopDropsFrames = "The daemon stopped. The missing frames are dropped."
    static let stopKeepsFrames =
        "The daemon stopped. To fire the missing frames after the next start: bracketctl resume."

    static func leftCancelled(_ shoot: Shoot) -> String {
        "Cancelled. \(shoot.fullSentence) To fire the missing frames: bracketctl retry."
    }

    static func leftPartial(_ shoot: Shoot) -> String {
        "\(shoot.fullSentence) To fire the missing frames: bracketctl retry."
    }

    static func leftInterrupted(_ shoot: Shoot) -> String {
        "Interrupted. \(shoot.fullSentence) To fire the missing frames: bracketctl resume."
    }

    // MARK: A frame, from its speed to the idle camera

    static func nextFrame(_ speed: ShutterSpeed) -> String { "The next frame is at \(speed)." }

    static let firedAgainByRequest = "The frame is fired again by request."
    static let suspectFiredAgain = "The frame is suspect and is fired again."
    static let redoPlanned = "The last frame will be fired again."
    static let shutterAccepted = "The camera accepted the shutter command."
    static let pictureReported = "The camera reports that it took the picture."
    static let cameraSaves = "The camera is saving the picture."

    static func busy(askingIn delay: Duration) -> String {
        "The camera is busy. The daemon asks again in \(TimeText.text(delay))."
    }

    static func busyTooOften(_ times: Int) -> String { "The camera was busy \(times) times in a row." }

    /// - Parameter reading: the speed that the camera shows; nil: the camera reports no speed.
    static func wrongSpeed(_ speed: ShutterSpeed, shown reading: SpeedReading?) -> String {
        guard let reading else { return "The camera does not confirm the speed \(speed.label)." }
        return "The camera shows \(reading), but \(speed.label) was set."
    }

    static func speedSetAgain(_ wrongSpeed: String, attempt: Int, of attemptsMax: Int) -> String {
        "\(wrongSpeed) The speed is set again, attempt \(attempt) of \(attemptsMax)."
    }

    static func speedNotKept(_ wrongSpeed: String, times: Int) -> String {
        "\(wrongSpeed) The speed was set \(times) times. Nothing was fired at a wrong speed."
    }

    static let speedNotAnswered = "The camera did not answer when the speed was set."

    static func noPicture(within limit: Duration) -> String {
        "The camera reported no picture within \(TimeText.text(limit)) of the shutter command."
    }

    static func notIdle(within limit: Duration) -> String {
        "The camera took the picture, but was not idle again within \(TimeText.text(limit))."
    }

    // MARK: A frame whose shutter may have fired

    static func inDoubt(_ interruption: String?) -> String {
        "\(interruption ?? "") The shutter may have fired. The daemon asks the camera when it is connected again."
    }

    static let reportUnclear =
        "The shutter may have fired. The camera's report may belong to the previous frame. The daemon asks the camera."

    static func plannedAgain(_ finding: DoubtFinding) -> String {
        finding == .notFired
            ? "\(finding.clause): the frame is planned again." : "\(finding.clause): the frame is fired again."
    }

    static func staysSuspect(_ finding: DoubtFinding) -> String { "\(finding.clause): the frame stays suspect." }

    static let cancelledBeforeAsking = "The shoot was cancelled before the camera could be asked."
    static let cancelledBeforeStored =
        "The shoot was cancelled before it was certain that the picture was stored."

    // MARK: Pauses

    static let pausedByCommand = "Paused by command."
    static let pausedByStop = "Paused because the daemon is stopping."

    static func pausedByLoss(_ interruption: String?) -> String {
        "Paused: \(interruption ?? "") The shoot continues when the camera is connected again."
    }

    static func pausedByNetwork(_ interruption: String?) -> String { "Paused: \(interruption ?? "")" }

    static func pausedByCamera(_ interruption: String?) -> String {
        "Paused: \(interruption ?? "") The shoot continues when the camera is ready."
    }

    static func pausedByDisk(_ refusal: String?) -> String {
        "Paused: \(refusal ?? "") The shoot continues when the disk can be written."
    }

    static let continuedByCommand = "Continued by command."
    static let ledgerWritable = "The ledger can be written again. The shoot continues."
    static let cameraConnected = "The camera is connected again. The shoot continues."
    static let cameraReady = "The camera is ready. The shoot continues."

    // MARK: Progress

    static let notRunning = "No shoot is running."

    static func captured(_ count: Int, of total: Int) -> String { "\(count) of \(total) exposures captured." }

    static func paused(_ reason: Incident.Reason, _ sentence: String?, _ captured: String) -> String {
        "Paused (\(reason.rawValue)): \(sentence ?? "") \(captured)"
    }

    /// - Parameter reason: why the camera rejects the connection; nil: it does not reject the connection.
    static func rejected(_ sentence: String, _ reason: String?) -> String {
        reason.map { "\(sentence) \($0)" } ?? sentence
    }

    static let choosesFrame = "Reading the pictures to choose the next frame."
    static let awaitsPictures = "Waiting for the last pictures of the set."

    /// - Parameter state: one of the next texts, from `preparing` on.
    static func frame(_ frame: PlannedFrame?, _ state: String, _ captured: String) -> String {
        "\(frame?.place ?? "The shoot"): \(state) \(captured)"
    }

    static let preparing = "preparing."
    static let aboutToExpose = "about to expose."
    static let awaitsDisk = "the daemon is waiting for the ledger's disk."
    static let settingSpeed = "the daemon is setting the speed."
    static let awaitsSpeed = "the daemon is waiting until the camera confirms the speed."
    static let exposing = "the camera is exposing."
    static let saving = "the camera is saving the picture."
    static let storing = "the daemon is waiting until the picture is on the disk."
    static let waitsWhileBusy = "the camera is busy."
    static let mayHaveFired = "the shutter may have fired."
    static let notStoredYet = "its picture is not stored yet."
    static let cameraAsked = "The daemon asks the camera."
    static let pausesAfterFrame = "The shoot pauses after this frame."
    static let stopsAfterFrame = "The shoot stops after this frame."

    // MARK: Refused requests

    static let alreadyStops = "The shoot already stops after this frame."
    static let alreadyPaused = "The shoot is already paused."
    static let pausedWithoutReason = "The shoot is paused."
    static let notPaused = "The shoot is not paused."
    static let alreadyRunning = "A shoot is running. Wait until it ends, or cancel it."
    static let over = "The shoot is over. To fire the missing frames: bracketctl retry."
    static let lastHasEveryFrame =
        "The last shoot has no missing frames. For an older one: bracketctl retry NUMBER."

    static func hasEveryFrame(_ id: Int) -> String { "Shoot \(id) has no missing frames." }

    static let nothingToExtend = "There is no shoot to extend."

    static func extensionCount(_ count: Int, max: Int) -> String {
        "An extension of this shoot can have 1 to \(max) frames, not \(count)."
    }

    static func notOffered(_ speed: ShutterSpeed, nearest: ShutterSpeed?) -> String {
        let advice = nearest.map { " The nearest speed is \($0)." } ?? ""
        return "The camera does not have \(speed) now.\(advice)"
    }

    static let nothingToRedo = "There is no frame to fire again."
    static let nothingToRedoNow = "There is no frame to fire again, or the frame is already planned."

    static func redoForgotten(_ id: Int) -> String {
        "There is no frame of shoot \(id) to fire again: the shoot was dismissed, or ended before the daemon started."
    }

    static let nothingToDrop = "No shoot has missing frames to drop."

    static func nothingDropped(of shoot: Shoot?) -> String {
        let name = shoot.map { "Shoot \($0.id)" } ?? "The shoot"
        return "\(name) is complete: no frame was dropped and nothing was changed."
    }

    static func requestInProgress(_ order: PropertyRequest.Order) -> String {
        switch order {
        case .set(let property, let value):
            "The camera's \(property.rawValue) is being set to \(value). Try again in a moment."
        case .files: "Files on the camera's card are being listed or transferred. Try again after that."
        case .liveView: "A picture of the live view is being fetched. Try again after that."
        }
    }

    /// - Parameters:
    ///   - missing: the sentence for the missing frames of an earlier shoot.
    ///   - advice: the sentences that say how to fire or drop these frames.
    static func wouldDrop(_ missing: String, _ advice: String) -> String { "Nothing was fired: \(missing) \(advice)" }

    /// - Parameter count: the number of exposures that the camera's counter shows but the ledger does not have.
    static func unrecorded(_ count: Int, of id: Int) -> String {
        let exposures = count == 1 ? "1 more exposure" : "\(count) more exposures"
        return "Nothing was fired. The ledger lost its last changes, and the camera's counter shows \(exposures) than "
            + "the ledger. Frames of shoot \(id) may be fired twice. Check the camera's card. Then start the "
            + "plan again with bracketctl shoot, or drop the missing frames with bracketctl dismiss."
    }

    static func notResumedAfterLoss(_ id: Int) -> String {
        "Shoot \(id) is not resumed. The ledger lost its last changes, so it may not have all captured frames. "
            + "Check the camera's card, then: bracketctl resume."
    }

    static func notResumed(_ id: Int, _ obstacle: String) -> String {
        "Shoot \(id) is not resumed: \(obstacle) Then resume the shoot: bracketctl resume."
    }
}

extension DoubtFinding {
    /// The first clause of a sentence. The second clause says what happens to the frame.
    fileprivate var clause: String {
        switch self {
        case .pictureGone: "The camera no longer has the picture"
        case .pictureNotReceived: "The shutter fired, but the picture was not received"
        case .noSign: "Nothing shows that the shutter fired"
        case .notFired: "The shutter did not fire"
        case .cancelled: "The shoot was cancelled"
        }
    }
}
