import Cameras
import Exposure
import Statecharts

// Reports of a shoot to clients.

extension ShootControl {
    /// Where the shoot is now; nil: there is none.
    func progress(_ facts: ShootFacts) -> Progress? {
        guard let shoot else { return nil }
        let position = shoot.frame?.position
        var progress = Progress(
            shoot: shoot.id,
            captured: shoot.captured,
            total: shoot.total,
            set: position?.set,
            frame: position?.frame,
            speed: shoot.frame?.speed.label,
            phase: chart.state,
            sentence: sentence(facts)
        )
        progress.exposureLeft = countedExposure
        progress.outcome = outcome
        if progress.outcome != nil { progress.cause = shoot.remark }
        return progress
    }

    /// The progress for clients that follow the shoot. For them it ends when the camera's settings are restored.
    func followedProgress(_ facts: ShootFacts) -> Progress? {
        guard isRestoring, var progress = progress(facts), progress.outcome != nil else {
            return endedProgress(facts) ?? progress(facts)
        }
        progress.outcome = nil
        progress.cause = nil
        let sentences = [shoot?.fullSentence, settings.machine.behavior.progressSentence]
        progress.sentence = sentences.compactMap(\.self).joined(separator: " ")
        return progress
    }

    /// The outcome of the shoot, and of restoring the settings; nil: the shoot runs.
    func endedProgress(_ facts: ShootFacts) -> Progress? {
        guard outcome != nil, var progress = progress(facts), let shoot else { return nil }
        progress.settings = settings.machine.behavior.endSentence(of: shoot.camera.id)
        return progress
    }

    /// The last progress of a shoot that the daemon's stop interrupts.
    func stoppedProgress(_ facts: ShootFacts) -> Progress? {
        guard chart.isActive(.active), var progress = progress(facts), var shoot else { return nil }
        shoot.interrupt()
        progress.exposureLeft = nil
        progress.outcome = .interrupted
        progress.sentence = shoot.sentence
        let isOff = facts.ledger.mode == .off
        progress.cause = isOff ? ShootSentences.stopDropsFrames : ShootSentences.stopKeepsFrames
        return progress
    }

    // MARK: Time

    /// Shorter exposures end before a user could read a countdown.
    static let countedExposureMin = Duration.seconds(2)

    /// The exposure of the current frame, while the shutter is open long enough for a countdown.
    private var countedExposure: Duration? {
        guard let shoot, shoot.attempt == .exposing,
            let exposure = shoot.frame?.speed.exposureTime, exposure >= Self.countedExposureMin
        else { return nil }
        return exposure
    }

    /// The progress with the present remaining times.
    func timed(_ progress: Progress, _ facts: ShootFacts, at now: Duration) -> Progress {
        guard chart.isActive(.active), let shoot else { return progress }
        var progress = progress
        let open = min(now - lastRelease, countedExposure ?? .zero)
        progress.exposureLeft = countedExposure.map { $0 - open }
        let camera = checkedCamera(facts.camera)
        let estimate = Estimate(
            speeds: shoot.speedsLeft,
            learned: camera?.timing?.learned,
            noiseReduction: chart.machine.behavior.camera?.noiseReduction == .on ? .possible : .off,
            stepping: camera?.stepping
        )
        progress.remaining = max(.zero, estimate.longest - open)
        return progress
    }

    // MARK: Sentences

    /// Called at each input; so the facts are gathered only when they are read.
    func sentence(_ facts: @autoclosure () -> ShootFacts) -> String {
        guard let shoot else { return ShootSentences.notRunning }
        let count = ShootSentences.captured(shoot.captured, of: shoot.total)
        switch chart.machine.mainState {
        case .idle, .betweenFrames: return count
        case .completed, .partial, .cancelled: return shoot.sentence
        case .interrupted: return leftSentence(shoot)
        case .unrecorded: return ShootSentences.paused(.notRecorded, chart.machine.behavior.refusalSentence, count)
        case .verifying: return "\(ShootSentences.awaitsPictures) \(count)"
        case .byCommand: return "\(ShootSentences.pausedByCommand) \(count)"
        case .linkLost: return ShootSentences.paused(.linkLost, waitSentence(facts()), count)
        case .wifiSwitched: return ShootSentences.paused(.wifiSwitched, waitSentence(facts()), count)
        case .cameraNotFit: return ShootSentences.paused(.cameraNotFit, waitSentence(facts()), count)
        default: return frameSentence(shoot, facts()).map { ShootSentences.frame(shoot.frame, $0, count) } ?? count
        }
    }

    /// The state of the current frame; nil: none.
    private func frameSentence(_ shoot: Shoot, _ facts: @autoclosure () -> ShootFacts) -> String? {
        switch chart.machine.mainState {
        case .recordingShoot: return ShootSentences.preparing
        case .recordingFrame: return ShootSentences.aboutToExpose
        case .shootDelayed, .frameDelayed: return ShootSentences.awaitsDisk
        case .settingSpeed: return ShootSentences.settingSpeed
        case .confirmingSpeed: return ShootSentences.awaitsSpeed
        case .capturing: return ShootSentences.exposing + orderSentence
        case .waitingForIdle: return ShootSentences.saving + orderSentence
        case .storing: return ShootSentences.storing + orderSentence
        case .waitingWhileBusy: return ShootSentences.waitsWhileBusy
        case .awaitingCamera: return "\(ShootSentences.mayHaveFired) \(waitSentence(facts()) ?? "")"
        case .resolvingDoubt:
            // A shoot that is continued after its end was not interrupted.
            let wait = waitSentence(facts())
            let doubt = shoot.isPictureExpected ? ShootSentences.notStoredYet : ShootSentences.mayHaveFired
            return "\(doubt) \(wait ?? ShootSentences.cameraAsked)"
        default: return nil
        }
    }

    /// The user's order for the frame's end, to follow a sentence.
    private var orderSentence: String {
        if chart.isActive(.pauseWanted) { return " \(ShootSentences.pausesAfterFrame)" }
        if chart.isActive(.cancelWanted) { return " \(ShootSentences.stopsAfterFrame)" }
        return ""
    }

    /// Why the shoot waits for the camera: the interruption, or the wrong setting of a camera that is connected again.
    private func waitSentence(_ facts: ShootFacts) -> String? {
        let camera = facts.camera
        let absenceReason = camera.isInModeCheck ? camera.absenceReason : nil
        // Back on its network, only the camera is missing.
        let wasAway = chart.isActive(.wifiSwitched) || chart.machine.behavior.isAway()
        if wasAway, facts.isJoined, absenceReason == nil, !camera.isConnected { return camera.absence }
        return absenceReason ?? chart.machine.behavior.interruptionSentence
    }

    /// The sentence for a shoot that an earlier run of the daemon left.
    func leftSentence(_ shoot: Shoot) -> String {
        switch shoot.left {
        case .cancelled: ShootSentences.leftCancelled(shoot)
        case .partial: ShootSentences.leftPartial(shoot)
        default: ShootSentences.leftInterrupted(shoot)
        }
    }

    /// The settings that are not restored yet; nil: none, or a shoot runs.
    var settingsSentence: String? {
        guard settings.isActive(.betweenShoots) else { return nil }
        return settings.machine.behavior.sentence(isWaiting: settings.isActive(.waiting))
    }

    // MARK: The lamp

    var sign: LampSignal {
        switch chart.machine.mainState {
        // While the camera is asked whether it fired, it may still expose.
        case .capturing, .resolvingDoubt: .exposing
        case .byCommand, .linkLost, .wifiSwitched, .cameraNotFit, .unrecorded, .awaitingCamera: .actionNeeded
        default: .betweenFrames
        }
    }

    var hasDoubts: Bool {
        shoot?.outcomes.contains { outcome in
            switch outcome {
            case .suspect, .unknown: true
            case .planned, .preparing, .attempting, .exposing, .exposed, .lost, .captured, .verified, .failed: false
            }
        } ?? false
    }
}
