import Cameras
import Exposure
import Statecharts

// The begin and the end of a shoot.

// This extension has only the functions that the chart names. A test compares it with the chart.
extension ShootingModel {
    package mutating func adoptPlan(_ order: ShootOrder, _ effects: inout [ShootingEffect]) {
        let dropped = shoot?.unfinished
        lastShootID += 1
        let trigger: ShootTrigger = order.request == .button ? .button : .client
        let next = Shoot(id: lastShootID, plan: order.plan, camera: order.camera, began: order.began, trigger: trigger)
        begin(next)
        effects.append(.accepted(order.request, streams: order.streams))
        // If the settings were recorded before, the sync of the first frame's row is enough: only that frame depends on
        // the row of the shoot.
        record(isDurable: !order.isAnnounced, &effects)
        if !order.isAnnounced { marks.holdShoot() }
        let message = ShootSentences.begins(
            lastShootID,
            exposures: order.plan.frames.count,
            searchMax: order.plan.request.goal?.framesMax,
            dropped: dropped
        )
        effects.append(entry(.notice, .shootStarted, message))
    }

    package mutating func adoptMissingFrames(_ order: RetryOrder, _ effects: inout [ShootingEffect]) {
        guard var shoot = order.shoot ?? shoot else { preconditionFailure("an unfinished shoot is kept") }
        shoot.cause = nil
        shoot.requestedStop = nil
        shoot.adoptByThisRun()
        shoot.planLost()
        for speed in order.added { shoot.addFrame(speed) }
        if order.withRedo { shoot.requestRedo() }
        begin(shoot)
        if let request = order.request { effects.append(.accepted(request, streams: order.streams)) }
        record(isDurable: true, &effects)
        marks.holdShoot()
        let missing = shoot.total - shoot.captured
        let message =
            if missing > 0 {
                ShootSentences.continues(shoot.id, missing: missing, of: shoot.total)
            } else if shoot.isWantedAgain {
                ShootSentences.continuesForWantedFrame(shoot.id)
            } else if isRedoWanted() {
                ShootSentences.continuesForSuspects(shoot.id)
            } else if shoot.isRangeOpen {
                ShootSentences.continuesSearch(shoot.id)
            } else {
                ShootSentences.continuesWithEveryFrame(shoot.id)
            }
        effects.append(entry(.notice, .shootStarted, message))
    }

    package mutating func refuseStart(_ order: ShootOrder, _ effects: inout [ShootingEffect]) {
        effects.append(.refusedWithoutCamera(order.request))
    }

    package mutating func forgetShoot(_ effects: inout [ShootingEffect]) {
        shoot = nil
        pictures.forgetAll()
    }

    package mutating func adoptRecovery(_ recovery: Recovery, _ effects: inout [ShootingEffect]) {
        let isAdopted = hasUnfinishedShoot(recovery)
        lastShootID = max(lastShootID, recovery.lastShoot)
        guard isAdopted, let shoot = recovery.shoot else { return }
        pictures.forgetAll()
        self.shoot = shoot
        shots.adopt(before: shoot.isRecordIncomplete ? nil : shoot.shotsLeftBefore)
    }

    package mutating func requestRedo(_ effects: inout [ShootingEffect]) {
        shoot?.requestRedo()
        record(isDurable: true, &effects)
        effects.append(entry(.notice, .note, ShootSentences.redoPlanned))
    }

    package mutating func reportInterrupted(_ effects: inout [ShootingEffect]) {
        effects.append(end(shoot?.left == .interrupted ? .warning : .notice, .shootInterrupted))
    }

    package mutating func reportCompleted(_ effects: inout [ShootingEffect]) {
        shoot?.adoptByThisRun()
        record(isDurable: true, &effects)
        effects.append(end(.notice, .shootCompleted))
    }

    package mutating func reportPartial(_ effects: inout [ShootingEffect]) {
        record(isDurable: true, &effects)
        effects.append(end(.warning, .shootPartial))
    }

    package mutating func reportCancelled(_ effects: inout [ShootingEffect]) {
        record(isDurable: true, &effects)
        effects.append(end(.notice, .shootCancelled))
    }

    /// Withdraws a command that the camera has not begun. A command that the camera has begun runs to its end.
    package mutating func withdraw(_ effects: inout [ShootingEffect]) {
        shoot?.disarm()
        effects.append(.camera(.awaitIdle))
    }

    package mutating func requestRecord(_ effects: inout [ShootingEffect]) {
        effects.append(.requestRecord)
    }

    package mutating func requestCamera(_ effects: inout [ShootingEffect]) {
        effects.append(.requestCamera)
    }

    package mutating func noteRecord(_ news: RecordUpdate, _ effects: inout [ShootingEffect]) {
        marks.note(news)
    }
}
