import Bodies
import Cameras
import Controller
import Exposure

// The frame and the speed of each shutter release.

extension Invariants {
    // MARK: From the daemon to the body

    /// Checks a shutter command that the daemon sends.
    mutating func left(_ command: CommandID, _ generation: LinkGeneration, _ core: Core, at now: Duration) {
        guard let shoot = core.shoot, let frame = shoot.current, let index = index(of: shoot),
            core.isCapturing || core.didShootChange(at: now) && shutters.last.wasCapturing
        else { return note(.firedOnlyWhenAsked, at: now, "The shutter is released, but no frame is being fired.") }
        verifyAgain(index, frame, at: now)
        if isLossUnanswered {
            let sentence = "\(place(index, frame)) is fired without a request after the ledger lost commits."
            note(.firedOnlyWhenAsked, at: now, sentence)
        }
        if let hold, hold.frame != FrameKey(shoot: index, index: frame) {
            note(.holdCancels, at: now, "\(place(index, frame)) is fired although the button was held before.")
        }
        let key = FrameKey(shoot: shoot.id, index: frame)
        if mode == .required, !ledger.isAttemptDurable(key) {
            let sentence = "\(place(index, frame)) is fired, but the ledger on disk does not show it as attempting."
            note(.recordedBeforeShutter, at: now, sentence)
        }
        // Nothing arrives on a connection that no camera accepted.
        guard let camera = shutters.camera(of: generation) else { return }
        shutters.note(
            ShutterLog.Press(
                command: command,
                generation: generation,
                camera: camera,
                shoot: index,
                frame: frame,
                planned: shoot.plan.frames[frame].speed
            )
        )
    }

    /// Checks whether the daemon is allowed to fire a captured frame again.
    private mutating func verifyAgain(_ shoot: Int, _ frame: Int, at now: Duration) {
        guard shutters.shoots[shoot].frames[frame].isCaptured, !shutters.shoots[shoot].frames[frame].isAgain else {
            return
        }
        if let redo = shutters.shoots[shoot].redone.firstIndex(of: frame) {
            shutters.shoots[shoot].redone.remove(at: redo)
        } else if shutters.firesSuspectsAgain, shutters.shoots[shoot].frames[frame].isSuspect,
            !shutters.shoots[shoot].frames[frame].wasSuspectFired
        {
            shutters.shoots[shoot].frames[frame].wasSuspectFired = true
        } else if shutters.shoots[shoot].frames[frame].isAgainRecorded {
            shutters.shoots[shoot].frames[frame].isAgainRecorded = false
        } else {
            return note(.capturedStaysFired, at: now, "\(place(shoot, frame)) is captured, but is fired again.")
        }
        shutters.shoots[shoot].frames[frame].isAgain = true
        shutters.shoots[shoot].frames[frame].permits += 1
    }

    /// Checks a shutter command that arrived at a camera.
    mutating func pressed(_ fact: BodyPress, _ camera: Int, at now: Duration) {
        guard var press = shutters.arrive(fact.command, camera) else {
            return note(.firedOnlyWhenAsked, at: now, "Camera \(camera) received a shutter command without a request.")
        }
        let shoot = shutters.shoots[press.shoot]
        if shutters.cameras.indices.contains(camera), !shoot.camera.isEmpty,
            shutters.cameras[camera].id != shoot.camera
        {
            let sentence = "\(place(press.shoot, press.frame)) is fired on \(shutters.cameras[camera].id)."
            note(.firedOnlyWhenAsked, at: now, sentence)
        }
        press.isConfirmed = fact.shown?.shutterSpeed == press.planned
        if !press.isConfirmed {
            let shown = fact.shown.map { "\($0) was shown last" } ?? "no speed was shown in this session"
            note(.confirmedBeforeShutter, at: now, "\(place(press.shoot, press.frame)) is fired, and \(shown).")
        }
        if fact.isTaken { shutters.begin(press, camera) }
    }

    /// Checks an exposure that ended.
    mutating func exposed(_ exposure: CardFrame, _ camera: Int, at now: Duration) {
        guard let press = shutters.closed(camera) else { return }
        if exposure.speed.shutterSpeed == press.planned {
            shutters.shoots[press.shoot].frames[press.frame].right += 1
        } else if press.isConfirmed {
            shutters.shoots[press.shoot].frames[press.frame].excusedCount += 1
        } else {
            shutters.shoots[press.shoot].frames[press.frame].wrong += 1
        }
        let isRight = exposure.speed.shutterSpeed == press.planned || press.isConfirmed
        if isRight, exposure.number < 100_000 {
            shutters.shoots[press.shoot].frames[press.frame].pictures.append(exposure)
        }
        let frame = shutters.shoots[press.shoot].frames[press.frame]
        if frame.exposures + frame.wrong > 1 + frame.doubts + frame.permits {
            let sentence =
                "\(place(press.shoot, press.frame)) is exposed \(frame.exposures + frame.wrong) times, after "
                + "\(frame.doubts + frame.permits) reasons to fire it again."
            note(.doubledOncePerDoubt, at: now, sentence)
        }
    }

    // MARK: The daemon's reports

    /// Checks the state of the shooting chart after an event.
    ///
    /// - Parameter isBusy: Whether the input was the camera's busy answer.
    mutating func noteShoot(_ core: Core, isBusy: Bool, at now: Duration) {
        var present = ShutterLog.Last()
        present.isCapturing = core.isCapturing
        present.wasCapturing = shutters.last.isCapturing
        present.isResting = core.isPausedByCommand || core.isCancelled
        defer { shutters.last = present }
        if present.isResting, !shutters.last.isResting, let camera = shutters.exposing {
            let sentence = "The shoot pauses or ends while the shutter of \(shutters.cameras[camera].id) is open."
            note(.exposureIsNeverCut, at: now, sentence)
        }
        guard let shoot = core.shoot else { return }
        let index = indexOrNew(of: shoot)
        present.shoot = index
        shutters.shoots[index].adoptNewFrames(of: shoot)
        noteAttempt(shoot, index, &present, at: now)
        noteBusy(core, &present, isBusy: isBusy, at: now)
        present.isCompleted = core.outcome == .completed
        if present.isCompleted, !shutters.last.isCompleted { checkWhole(shoot, index, at: now) }
    }

    private mutating func noteBusy(_ core: Core, _ present: inout ShutterLog.Last, isBusy: Bool, at now: Duration) {
        let before = shutters.last.busyCount
        guard core.isShootActive else {
            let endsNow = shutters.last.isActive && core.outcome == .partial
            guard isBusy, endsNow, before + 1 < Self.busyMax else { return }
            return note(.triedThriceWhenBusy, at: now, "The shoot ends after the camera was busy \(before + 1) times.")
        }
        present.isActive = true
        present.isHoldingOff = core.isHoldingOff
        // One input can both capture a frame and begin the next frame.
        if present.isCaptured || present.frame != shutters.last.frame { return }
        present.busyCount = before
        guard present.isHoldingOff, !shutters.last.isHoldingOff else { return }
        present.busyCount += 1
        guard present.busyCount >= Self.busyMax else { return }
        note(.triedThriceWhenBusy, at: now, "The camera was busy \(present.busyCount) times, but is tried again.")
    }

    private static let busyMax = 3

    private mutating func noteAttempt(
        _ shoot: Shoot,
        _ index: Int,
        _ present: inout ShutterLog.Last,
        at now: Duration
    ) {
        guard let frame = shoot.current, let attempt = shoot.attempt else { return }
        present.frame = frame
        present.isCaptured = attempt.isCaptured
        if attempt == .attempting { shutters.shoots[index].lastReleased = frame }
        let before = shutters.last
        let isSame = before.shoot == index && before.frame == frame
        let isUnknown = attempt == .unknown
        if isUnknown, !shutters.shoots[index].frames[frame].isUnknown {
            shutters.shoots[index].frames[frame].doubts += 1
        }
        shutters.shoots[index].frames[frame].isUnknown = isUnknown
        noteExpected(attempt, index, frame)
        if present.isCaptured, !(isSame && before.isCaptured) {
            let track = shutters.shoots[index].frames[frame]
            if track.exposures < (shoot.isAgain ? 2 : 1), !shutters.isTakenForAnother(index, frame) {
                noteUnexposed(index, frame, "The core counts", at: now)
            }
            if !shutters.isKept(track) { noteUnkept(index, frame, "The core counts", at: now) }
            shutters.shoots[index].frames[frame].isCaptured = true
            if shoot.isAgain { shutters.shoots[index].frames[frame].isAgain = false }
        }
    }

    private mutating func noteUnexposed(_ shoot: Int, _ frame: Int, _ who: String, at now: Duration) {
        let track = shutters.shoots[shoot].frames[frame]
        let count = "\(track.exposures) exposures that can count, \(track.wrong) at an unconfirmed speed"
        note(.capturedWasExposed, at: now, "\(who) \(place(shoot, frame)) as captured: \(count).")
    }

    private mutating func noteExpected(_ attempt: Shoot.FrameOutcome, _ shoot: Int, _ frame: Int) {
        switch attempt {
        case .exposed, .lost: shutters.shoots[shoot].frames[frame].isExpected = true
        case .planned, .preparing, .attempting, .exposing:
            if shutters.shoots[shoot].frames[frame].isExpected { shutters.shoots[shoot].frames[frame].permits += 1 }
            shutters.shoots[shoot].frames[frame].isExpected = false
        case .captured, .verified, .suspect, .failed, .unknown: break
        }
    }

    private mutating func noteUnkept(_ shoot: Int, _ frame: Int, _ who: String, at now: Duration) {
        let sentence = "\(who) \(place(shoot, frame)) as captured, but its picture is neither on a card nor stored."
        note(.capturedIsKept, at: now, sentence)
    }

    private mutating func checkWhole(_ shoot: Shoot, _ index: Int, at now: Duration) {
        for (frame, track) in shutters.shoots[index].frames.enumerated() where track.exposures == 0 {
            note(.completedIsWhole, at: now, "The shoot is completed, but \(place(index, frame)) was never exposed.")
        }
        if !shoot.isDone { note(.completedIsWhole, at: now, "The shoot is completed: \(shoot.sentence)") }
    }

    /// Checks the rows that the daemon submits to the ledger.
    mutating func check(_ commit: LedgerCommit, at now: Duration) {
        for (key, row) in commit.rows.frames.sorted(by: { $0.key < $1.key }) where row.outcome.isCaptured {
            guard let index = shutters.recordedIndex(of: key.shoot),
                shutters.shoots[index].frames.indices.contains(key.index)
            else {
                note(.capturedWasExposed, at: now, "Frame \(key.index) of shoot \(key.shoot) was never fired.")
                continue
            }
            let track = shutters.shoots[index].frames[key.index]
            if track.exposures == 0 { noteUnexposed(index, key.index, "The ledger gets", at: now) }
            if !shutters.isKept(track) { noteUnkept(index, key.index, "The ledger gets", at: now) }
            if row.outcome == .verified { checkVerified(index, key.index, at: now) }
        }
        for (_, row) in commit.rows.shoots.sorted(by: { $0.key < $1.key }) where row.outcome == .completed {
            guard let index = shutters.recordedIndex(of: row) else { continue }
            for (frame, track) in shutters.shoots[index].frames.enumerated() where track.exposures == 0 {
                let sentence = "The ledger gets the shoot as completed, but \(place(index, frame)) was never exposed."
                note(.completedIsWhole, at: now, sentence)
            }
        }
    }

    // MARK: Pictures

    mutating func take(_ news: PictureUpdate, at now: Duration) {
        guard case .checked(let verdict) = news.content,
            let index = shutters.recordedIndex(of: news.shoot),
            shutters.shoots[index].frames.indices.contains(news.frame)
        else { return }
        switch verdict {
        case .none: break
        case .verified: checkVerified(index, news.frame, at: now)
        case .suspect: shutters.shoots[index].frames[news.frame].isSuspect = true
        }
    }

    private mutating func checkVerified(_ shoot: Int, _ frame: Int, at now: Duration) {
        let track = shutters.shoots[shoot].frames[frame]
        guard track.right == 0, track.exposures + track.wrong > 0 else { return }
        // The daemon can assign to this frame a late picture of another frame that has the same speed.
        guard !shutters.shoots.contains(where: { $0.frames.contains { $0.planned == track.planned && $0.right > 0 } })
        else { return }
        note(.verifiedIsRight, at: now, "\(place(shoot, frame)) is verified, but was exposed at other speeds.")
    }

    /// Checks at the end that every captured frame has a picture on the card or on the disk.
    mutating func checkPictures(at now: Duration) {
        for (index, shoot) in shutters.shoots.enumerated() where !shoot.isForgotten {
            for (frame, track) in shoot.frames.enumerated()
            where track.isCaptured && !shutters.isKept(track, isEnd: true) {
                noteUnkept(index, frame, "In the end the core counts", at: now)
            }
        }
    }

    // MARK: Cuts

    /// Checks that the daemon closed no link during an exposure, unless the link failed. An exposure that is longer
    /// than planned is excepted until the body shows its speed, because the daemon does not know the speed earlier. See
    /// docs/simulation.md.
    mutating func checkCut(_ performed: ArraySlice<Effect>, _ core: Core, at now: Duration) {
        guard stop == .none || frameEnd != nil, core.isShootActive, let camera = shutters.exposing,
            let press = shutters.cameras[camera].press, !shutters.cameras[camera].isLongerUnseen
        else { return }
        for effect in performed {
            guard case .closeLink(press.generation, _) = effect else { continue }
            let sentence = "The link to \(shutters.cameras[camera].id) is closed while its shutter is open."
            return note(.exposureIsNeverCut, at: now, sentence)
        }
    }

    // MARK: Names

    func index(of shoot: Shoot) -> Int? {
        let began = shoot.began.milliseconds
        return shutters.shoots.lastIndex { $0.id == shoot.id && $0.began == began }
    }

    private mutating func indexOrNew(of shoot: Shoot) -> Int {
        if let index = index(of: shoot) { return index }
        shutters.shoots.append(ShootTrack(shoot))
        return shutters.shoots.count - 1
    }

    private func place(_ shoot: Int, _ frame: Int) -> String {
        let track = shutters.shoots[shoot]
        return "frame \(frame + 1) at \(track.frames[frame].planned.label) of shoot \(track.id)"
    }
}
