import Cameras

/// The shooting chart, written by hand for speed: an enum per region, a switch per event, and one deadline. One
/// deadline is enough, because no two timers of this chart run at once. Guards and actions are those of the same
/// behavior.
struct SwitchShooting {
    enum Shoot {
        case idle, completed, partial, cancelled, interrupted
        case betweenFrames, settingSpeed, confirmingSpeed, recordingFrame, frameDelayed
        case capturing, waitingForIdle
        case recordingShoot, shootDelayed, verifying, waitingWhileBusy, awaitingCamera, resolvingDoubt
        case byCommand, linkLost, wifiSwitched, cameraNotFit, unrecorded
    }
    enum Link { case absent, notReady, present }
    enum UserRequest { case proceeding, pauseWanted, cancelWanted }
    enum Timer { case speed, confirm, capture, idle, busy, doubt, verdict, record }
    struct Deadline {
        var due: Duration
        var timer: Timer
    }
    typealias Effect = ShootingTally.Effect

    private(set) var tally = ShootingTally()
    private(set) var shoot = Shoot.idle
    private(set) var link = Link.absent
    private(set) var userRequest = UserRequest.proceeding
    private(set) var deadline: Deadline?
    /// The last active substate of `running`, to which the history returns.
    private var step = Shoot.betweenFrames
    private var time = Duration.zero

    mutating func handle(_ input: Shooting.Input, at now: Duration, effects: inout [Effect]) {
        advance(to: now, effects: &effects)
        take(input, &effects)
        settle(&effects)
    }

    mutating func advance(to now: Duration, effects: inout [Effect]) {
        while let next = deadline, next.due <= now {
            deadline = nil
            time = next.due
            expire(next.timer, &effects)
            settle(&effects)
        }
        time = now
    }
}

// MARK: - Events

extension SwitchShooting {
    private mutating func take(_ input: Shooting.Input, _ effects: inout [Effect]) {
        switch input {
        case .cameraSpeedAccepted: if shoot == .settingSpeed { go(to: .confirmingSpeed, &effects) }
        case .cameraSpeedRead(let reading): takeReading(reading, &effects)
        case .cameraShutterReleased: if shoot == .capturing { tally.noteRelease(&effects) }
        case .cameraCaptured:
            guard shoot == .capturing else { break }
            tally.recordCaptured(&effects)
            go(to: .waitingForIdle, &effects)
        case .cameraSaving:
            guard shoot == .waitingForIdle else { break }
            arm(.idle, tally.idleLimit())
            tally.noteSaving(&effects)
        case .cameraIdle:
            guard shoot == .waitingForIdle else { break }
            tally.finishFrame(&effects)
            go(to: .betweenFrames, &effects)
        case .cameraReady(let status): takeReadiness(status, &effects)
        case .cameraLost(let absence): takeLoss(absence, &effects)
        case .cameraNotReady(let sentence): takeUnfitness(sentence, &effects)
        case .networkLeft(let departure): takeDeparture(departure, &effects)
        case .cameraStatus(let status): if link == .present { tally.adoptStatus(status, &effects) }
        case .cameraResolved(let resolution): takeResolution(resolution, &effects)
        case .cameraBusy: takeBusy(&effects)
        case .cameraFailed(let failure): takeFailure(failure, &effects)
        case .start(let order): takeStart(order, &effects)
        case .retry(let order): takeRetry(order, &effects)
        case .pause: takePause(&effects)
        case .resume: takeResume(&effects)
        case .cancel: takeCancel(&effects)
        case .dismiss:
            guard hasEnded else { break }
            tally.forgetShoot(&effects)
            go(to: .idle, &effects)
        case .redo: if isRunning || isPaused, tally.mayRedo() { tally.requestRedo(&effects) }
        case .picture(let news): tally.notePicture(news, &effects)
        case .record(let news): tally.noteRecord(news, &effects)
        case .recovered(let recovery):
            let isLeft = shoot == .idle && tally.hasUnfinishedShoot(recovery)
            tally.adoptRecovery(recovery, &effects)
            if isLeft { go(to: .interrupted, &effects) }
        }
    }

    private mutating func takeReading(_ reading: SpeedReading, _ effects: inout [Effect]) {
        guard shoot == .confirmingSpeed else { return }
        if tally.mayRelease(reading) {
            go(to: .capturing, &effects)
        } else if tally.speedMatches(reading) {
            go(to: .recordingFrame, &effects)
        } else {
            tally.noteReading(reading, &effects)
        }
    }

    private mutating func takeReadiness(_ status: CameraStatus, _ effects: inout [Effect]) {
        switch shoot {
        case .awaitingCamera:
            tally.noteReturn(status, &effects)
            go(to: .resolvingDoubt, &effects)
        case .linkLost, .wifiSwitched:
            tally.noteReturn(status, &effects)
            go(to: step, &effects)
        case .cameraNotFit:
            tally.noteReady(status, &effects)
            go(to: step, &effects)
        default: break
        }
        guard link != .present else { return }
        tally.adoptReadiness(status, &effects)
        link = .present
    }

    private mutating func takeLoss(_ absence: Absence, _ effects: inout [Effect]) {
        if link != .absent || !tally.isAway() { tally.noteLoss(absence, &effects) }
        link = .absent
        switch shoot {
        case .settingSpeed, .confirmingSpeed, .recordingFrame, .frameDelayed, .waitingForIdle, .recordingShoot,
            .shootDelayed, .verifying, .waitingWhileBusy, .cameraNotFit:
            go(to: .linkLost, &effects)
        case .capturing, .resolvingDoubt: go(to: .awaitingCamera, &effects)
        default: break
        }
    }

    private mutating func takeUnfitness(_ sentence: String, _ effects: inout [Effect]) {
        tally.noteNotReady(sentence, &effects)
        link = .notReady
        switch shoot {
        case .settingSpeed, .confirmingSpeed, .recordingFrame, .frameDelayed, .recordingShoot,
            .shootDelayed, .verifying, .waitingWhileBusy, .linkLost, .wifiSwitched:
            go(to: .cameraNotFit, &effects)
        default: break
        }
    }

    private mutating func takeDeparture(_ departure: NetworkDeparture, _ effects: inout [Effect]) {
        tally.noteDeparture(departure, &effects)
        link = .absent
        switch shoot {
        case .settingSpeed, .confirmingSpeed, .recordingFrame, .frameDelayed, .waitingForIdle, .recordingShoot,
            .shootDelayed, .verifying, .waitingWhileBusy, .linkLost, .cameraNotFit:
            go(to: .wifiSwitched, &effects)
        case .capturing, .resolvingDoubt: go(to: .awaitingCamera, &effects)
        default: break
        }
    }

    private mutating func takeResolution(_ resolution: CaptureResolution, _ effects: inout [Effect]) {
        if shoot == .capturing {
            tally.noteUnclear(resolution, &effects)
            return go(to: .resolvingDoubt, &effects)
        }
        guard shoot == .resolvingDoubt else { return }
        if tally.didFire(resolution) {
            tally.recordCaptured(&effects)
            go(to: .waitingForIdle, &effects)
        } else if tally.didNotFire(resolution) {
            tally.noteNotFired(resolution, &effects)
            go(to: .betweenFrames, &effects)
        } else if userRequest == .cancelWanted {
            takeNoWord(&effects)
        } else {
            tally.replacePicture(resolution, &effects)
            go(to: .betweenFrames, &effects)
        }
    }

    /// Handles an answer after which it is unknown whether the shutter was released.
    private mutating func takeNoWord(_ effects: inout [Effect]) {
        if userRequest == .cancelWanted {
            tally.recordUnresolved(&effects)
            giveUp(&effects)
        } else {
            tally.fireAgain(&effects)
            go(to: .betweenFrames, &effects)
        }
    }

    private mutating func takeBusy(_ effects: inout [Effect]) {
        switch shoot {
        case .settingSpeed, .confirmingSpeed, .recordingFrame, .frameDelayed, .capturing:
            if tally.mayAskAgain() {
                tally.countBusy(&effects)
                go(to: .waitingWhileBusy, &effects)
            } else {
                tally.recordBusy(&effects)
                go(to: .partial, &effects)
            }
        case .resolvingDoubt: takeNoWord(&effects)
        default: break
        }
    }

    private mutating func takeFailure(_ failure: CameraFailure, _ effects: inout [Effect]) {
        guard isRunning else { return }
        switch shoot {
        case .capturing where tally.speedChangedAndMaySetAgain(failure):
            tally.countSetting(&effects)
            go(to: .betweenFrames, &effects)
        case .resolvingDoubt: takeNoWord(&effects)
        case .recordingShoot, .shootDelayed, .verifying, .waitingWhileBusy: break
        default:
            tally.recordFailure(failure, &effects)
            go(to: .partial, &effects)
        }
    }

    private mutating func takeStart(_ order: ShootOrder, _ effects: inout [Effect]) {
        guard shoot == .idle || hasEnded else { return }
        if link == .present {
            tally.adoptPlan(order, &effects)
            go(to: .betweenFrames, &effects)
        } else {
            tally.refuseStart(order, &effects)
        }
    }

    private mutating func takeRetry(_ order: RetryOrder, _ effects: inout [Effect]) {
        guard hasEnded, tally.mayRetry(order) else { return }
        tally.adoptMissingFrames(order, &effects)
        go(to: .betweenFrames, &effects)
    }

    private mutating func takePause(_ effects: inout [Effect]) {
        if userRequest == .proceeding, isRunning { userRequest = .pauseWanted }
        switch shoot {
        case .settingSpeed, .confirmingSpeed, .recordingFrame, .frameDelayed, .recordingShoot,
            .shootDelayed, .verifying, .waitingWhileBusy, .linkLost, .wifiSwitched, .cameraNotFit, .unrecorded:
            go(to: .byCommand, &effects)
        default: break
        }
    }

    private mutating func takeResume(_ effects: inout [Effect]) {
        if userRequest == .pauseWanted { userRequest = .proceeding }
        switch shoot {
        case .byCommand:
            if link == .present {
                tally.reportResumed(&effects)
                go(to: step, &effects)
            } else if tally.isAway() {
                go(to: .wifiSwitched, &effects)
            } else if link == .notReady {
                go(to: .cameraNotFit, &effects)
            } else {
                tally.requestCamera(&effects)
                go(to: .linkLost, &effects)
            }
        case .linkLost, .awaitingCamera: tally.requestCamera(&effects)
        case .unrecorded: tally.requestRecord(&effects)
        default: break
        }
    }

    private mutating func takeCancel(_ effects: inout [Effect]) {
        if isRunning, userRequest == .proceeding { userRequest = .cancelWanted }
        if userRequest == .pauseWanted { userRequest = .cancelWanted }
        switch shoot {
        case .settingSpeed, .confirmingSpeed, .recordingFrame, .frameDelayed: go(to: .cancelled, &effects)
        case .recordingShoot, .shootDelayed, .verifying, .waitingWhileBusy, .byCommand, .linkLost, .wifiSwitched,
            .cameraNotFit, .unrecorded:
            giveUp(&effects)
        case .awaitingCamera:
            tally.recordDoubt(&effects)
            go(to: .cancelled, &effects)
        default: break
        }
    }

    private mutating func expire(_ timer: Timer, _ effects: inout [Effect]) {
        switch timer {
        case .confirm:
            if tally.maySetAgain() {
                tally.countSetting(&effects)
                go(to: .settingSpeed, &effects)
            } else {
                tally.recordWrongSpeed(&effects)
                go(to: .partial, &effects)
            }
        case .speed, .capture, .idle:
            tally.recordTimeout(&effects)
            go(to: .partial, &effects)
        case .busy: go(to: .betweenFrames, &effects)
        case .verdict:
            tally.continueWithoutVerdict(&effects)
            go(to: .betweenFrames, &effects)
        case .doubt: takeNoWord(&effects)
        case .record: go(to: shoot == .recordingFrame ? .frameDelayed : .shootDelayed, &effects)
        }
    }
}

// MARK: - Eventless transitions

extension SwitchShooting {
    /// Takes transitions without an event until none is enabled.
    private mutating func settle(_ effects: inout [Effect]) {
        while true {
            // Both regions evaluate their conditions before either of them changes.
            let wasFulfilled = userRequest != .proceeding && !isRunning
            let moved = goOn(&effects)
            if wasFulfilled { userRequest = .proceeding }
            guard moved || wasFulfilled else { return }
        }
    }

    private mutating func goOn(_ effects: inout [Effect]) -> Bool {
        switch shoot {
        case .betweenFrames: beginNext(&effects)
        case .recordingFrame, .frameDelayed, .recordingShoot, .shootDelayed:
            return goOnWhenRecorded(&effects)
        case .unrecorded where link == .notReady: go(to: .cameraNotFit, &effects)
        case .unrecorded where link == .absent: go(to: .linkLost, &effects)
        case .unrecorded where tally.isRecorded():
            tally.reportRecorded(&effects)
            go(to: step, &effects)
        case .verifying:
            guard !tally.isVerdictAwaited() else { return false }
            go(to: .betweenFrames, &effects)
        case .awaitingCamera:
            guard userRequest == .cancelWanted else { return false }
            tally.recordDoubt(&effects)
            go(to: .cancelled, &effects)
        case .linkLost, .wifiSwitched, .cameraNotFit, .unrecorded:
            guard userRequest != .proceeding else { return false }
            if userRequest == .cancelWanted { giveUp(&effects) } else { go(to: .byCommand, &effects) }
        default: return false
        }
        return true
    }

    private mutating func goOnWhenRecorded(_ effects: inout [Effect]) -> Bool {
        if tally.isRecorded() {
            let isOfFrame = shoot == .recordingFrame || shoot == .frameDelayed
            go(to: isOfFrame ? .capturing : .betweenFrames, &effects)
        } else if tally.isRecordRefused() {
            go(to: .unrecorded, &effects)
        } else {
            return false
        }
        return true
    }

    private mutating func beginNext(_ effects: inout [Effect]) {
        if tally.isPlanDone() {
            go(to: .completed, &effects)
        } else if userRequest == .cancelWanted {
            giveUp(&effects)
        } else if userRequest == .pauseWanted {
            go(to: .byCommand, &effects)
        } else if link == .notReady {
            go(to: .cameraNotFit, &effects)
        } else if tally.isShootUnrecorded() {
            go(to: .recordingShoot, &effects)
        } else if tally.isNextInDoubt() {
            tally.selectInDoubt(&effects)
            go(to: .resolvingDoubt, &effects)
        } else if tally.isVerdictAwaited() {
            go(to: .verifying, &effects)
        } else if tally.isRedoWanted() {
            tally.selectRedo(&effects)
            go(to: .settingSpeed, &effects)
        } else {
            tally.selectNextFrame(&effects)
            go(to: .settingSpeed, &effects)
        }
    }

    private mutating func giveUp(_ effects: inout [Effect]) {
        go(to: tally.hasEveryFrame() ? .completed : .cancelled, &effects)
    }

    /// Leaves one state and enters another, with exit and entry actions.
    private mutating func go(to target: Shoot, _ effects: inout [Effect]) {
        deadline = nil
        let from = shoot
        let wasPaused = isPaused
        shoot = target
        if Self.isRunning(from), !isRunning { step = Self.beginning(of: from) }
        switch target {
        case .idle, .betweenFrames, .frameDelayed, .shootDelayed: break
        case .recordingFrame, .recordingShoot: arm(.record, tally.recordDeadline())
        case .completed: tally.reportCompleted(&effects)
        case .partial:
            tally.withdraw(&effects)
            tally.reportPartial(&effects)
        case .cancelled:
            tally.withdraw(&effects)
            tally.reportCancelled(&effects)
        case .interrupted: tally.reportInterrupted(&effects)
        case .settingSpeed:
            tally.requestSpeed(&effects)
            arm(.speed, tally.speedDeadline())
        case .confirmingSpeed:
            tally.requestReading(&effects)
            arm(.confirm, tally.confirmDeadline())
        case .capturing:
            tally.releaseShutter(&effects)
            arm(.capture, tally.captureDeadline())
        case .waitingForIdle:
            tally.requestIdle(&effects)
            arm(.idle, tally.idleLimit())
        case .verifying: arm(.verdict, tally.verdictDeadline())
        case .waitingWhileBusy: arm(.busy, tally.busyDelay())
        case .awaitingCamera:
            tally.withdraw(&effects)
            tally.reportDoubt(&effects)
        case .resolvingDoubt:
            tally.askWhetherFired(&effects)
            arm(.doubt, tally.doubtDeadline())
        case .byCommand:
            if !wasPaused { tally.withdraw(&effects) }
            tally.reportPausedByCommand(&effects)
        case .linkLost:
            if !wasPaused { tally.withdraw(&effects) }
            tally.reportPausedByLoss(&effects)
        case .wifiSwitched:
            if !wasPaused { tally.withdraw(&effects) }
            tally.reportPausedByNetwork(&effects)
        case .cameraNotFit:
            if !wasPaused { tally.withdraw(&effects) }
            tally.reportPausedByCamera(&effects)
        case .unrecorded:
            if !wasPaused { tally.withdraw(&effects) }
            tally.reportPausedByDisk(&effects)
        }
    }

    private mutating func arm(_ timer: Timer, _ delay: Duration) {
        deadline = Deadline(due: time + delay, timer: timer)
    }

    private var hasEnded: Bool {
        switch shoot {
        case .completed, .partial, .cancelled, .interrupted: true
        default: false
        }
    }
    private var isPaused: Bool {
        switch shoot {
        case .byCommand, .linkLost, .wifiSwitched, .cameraNotFit, .unrecorded: true
        default: false
        }
    }
    private var isRunning: Bool { Self.isRunning(shoot) }

    private static func isRunning(_ state: Shoot) -> Bool {
        switch state {
        case .betweenFrames, .settingSpeed, .confirmingSpeed, .recordingFrame, .frameDelayed: true
        case .capturing, .waitingForIdle: true
        case .recordingShoot, .shootDelayed, .verifying, .waitingWhileBusy: true
        case .awaitingCamera, .resolvingDoubt: true
        case .idle, .completed, .partial, .cancelled, .interrupted: false
        case .byCommand, .linkLost, .wifiSwitched, .cameraNotFit, .unrecorded: false
        }
    }

    /// The first substate in the child of `running` that contains a state.
    private static func beginning(of state: Shoot) -> Shoot {
        switch state {
        case .confirmingSpeed, .recordingFrame, .frameDelayed: .settingSpeed
        case .resolvingDoubt: .awaitingCamera
        case .recordingShoot, .shootDelayed, .waitingWhileBusy: .verifying
        default: state
        }
    }
}
