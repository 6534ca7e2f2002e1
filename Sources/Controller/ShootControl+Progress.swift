import Cameras
import Exposure
import Statecharts

// The reports of a shoot for clients.

extension ShootControl {
    /// The progress of the current or the last shoot; nil: there is no shoot.
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
        progress.range = RangeReport(shoot)
        if progress.outcome != nil { progress.cause = shoot.remark }
        return progress
    }

    /// The progress for clients that follow the shoot. For them the shoot ends when the camera's settings are restored.
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

    /// The final progress of a shoot, with the result of restoring the settings; nil: the shoot still runs.
    func endedProgress(_ facts: ShootFacts) -> Progress? {
        guard outcome != nil, var progress = progress(facts), let shoot else { return nil }
        progress.settings = settings.machine.behavior.endSentence(of: shoot.camera.id)
        return progress
    }

    /// The final progress of a shoot that the daemon interrupts because it stops.
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

    /// The shortest exposure with a countdown. Shorter exposures end before a user could read the countdown.
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

    /// The sentence for the state of the shoot. Every input calls this, so the facts are collected only if needed.
    func sentence(_ facts: @autoclosure () -> ShootFacts) -> String {
        guard let shoot else { return ShootSentences.notRunning }
        let count = ShootSentences.captured(shoot.captured, of: shoot.total)
        switch chart.machine.mainState {
        case .idle, .betweenFrames: return count
        case .completed, .partial, .cancelled: return shoot.sentence
        case .interrupted: return leftSentence(shoot)
        case .unrecorded: return ShootSentences.paused(.notRecorded, chart.machine.behavior.refusalSentence, count)
        case .verifying: return "\(ShootSentences.awaitsPictures) \(count)"
        case .choosingFrame: return "\(ShootSentences.choosesFrame) \(count)"
        case .byCommand: return "\(ShootSentences.pausedByCommand) \(count)"
        case .linkLost, .wifiSwitched, .cameraNotFit, .awaitingCamera: return waitingSentence(shoot, count, facts())
        default: return frameSentence(shoot, facts()).map { ShootSentences.frame(shoot.frame, $0, count) } ?? count
        }
    }

    /// The sentence for a shoot that waits for its camera. If the camera rejects the connection, its reason comes last.
    private func waitingSentence(_ shoot: Shoot, _ count: String, _ facts: ShootFacts) -> String {
        let wait = waitSentence(facts)
        let sentence =
            switch chart.machine.mainState {
            case .wifiSwitched: ShootSentences.paused(.wifiSwitched, wait, count)
            case .cameraNotFit: ShootSentences.paused(.cameraNotFit, wait, count)
            case .awaitingCamera:
                ShootSentences.frame(shoot.frame, "\(ShootSentences.mayHaveFired) \(wait ?? "")", count)
            default: ShootSentences.paused(.linkLost, wait, count)
            }
        // The sentence for a missing camera already has this reason.
        return isOnlyCameraMissing(facts) ? sentence : ShootSentences.rejected(sentence, facts.camera.rejection)
    }

    /// The sentence for the state of the current frame; nil: no frame is being fired.
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
        case .resolvingDoubt:
            // A shoot that continues after its end has no interruption, so the sentence for the wait can be nil here.
            let wait = waitSentence(facts())
            let doubt = shoot.isPictureExpected ? ShootSentences.notStoredYet : ShootSentences.mayHaveFired
            return "\(doubt) \(wait ?? ShootSentences.cameraAsked)"
        default: return nil
        }
    }

    /// The text about a requested pause or cancellation at the end of the frame. It follows another sentence.
    private var orderSentence: String {
        if chart.isActive(.pauseWanted) { return " \(ShootSentences.pausesAfterFrame)" }
        if chart.isActive(.cancelWanted) { return " \(ShootSentences.stopsAfterFrame)" }
        return ""
    }

    /// Why the shoot waits for the camera: the interruption, or a wrong setting of the camera that is connected again.
    private func waitSentence(_ facts: ShootFacts) -> String? {
        let camera = facts.camera
        let absenceReason = camera.isInModeCheck ? camera.absenceReason : nil
        if isOnlyCameraMissing(facts) { return camera.absence }
        return absenceReason ?? chart.machine.behavior.interruptionSentence
    }

    /// Whether this computer was away and is on the camera's network again, and the camera is not ready.
    private func isOnlyCameraMissing(_ facts: ShootFacts) -> Bool {
        let camera = facts.camera
        let wasAway = chart.isActive(.wifiSwitched) || chart.machine.behavior.isAway()
        let isExplained = camera.isInModeCheck && camera.absenceReason != nil
        return wasAway && facts.isJoined && !isExplained && !camera.isConnected
    }

    /// The sentence for a shoot that an earlier run of the daemon left.
    func leftSentence(_ shoot: Shoot) -> String {
        switch shoot.left {
        case .cancelled: ShootSentences.leftCancelled(shoot)
        case .partial: ShootSentences.leftPartial(shoot)
        default: ShootSentences.leftInterrupted(shoot)
        }
    }

    /// The sentence for the settings that are not restored yet; nil: there are none, or a shoot runs.
    var settingsSentence: String? {
        guard settings.isActive(.betweenShoots) else { return nil }
        return settings.machine.behavior.sentence(isWaiting: settings.isActive(.waiting))
    }

    // MARK: The lamp

    var sign: LampSignal {
        switch chart.machine.mainState {
        // While the driver asks the camera whether the shutter fired, the exposure may still run.
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
