import PTP

/// Sets the speed of version 2 bodies by notches. The control has no value that can be read. The only answer is the
/// speed in the next readings.
extension SonyPTPIP {
    mutating func step(_ setting: SonySetting, _ reading: SonyReading, in turn: inout DriverTurn) -> SonyNextAction {
        guard let notch = reading.shownSpeed?.notch else { return awaitNotch(setting, reading, in: &turn) }
        guard var stepping = setting.stepping else {
            return beginStepping(setting, from: notch, reading, at: turn.now)
        }
        if let refusedUntil = stepping.refusedUntil, turn.now < refusedUntil { return .wait(until: refusedUntil) }
        let nextStep = stepping.decide(
            notch,
            requestedAt: reading.requestedAt,
            receivedAt: reading.receivedAt,
            settle: settleTime,
            isLast: setting.isProperty,
            timing,
            &body.steps
        )
        var next = setting
        next.stepping = stepping
        activity = .settingSpeed(next)
        switch nextStep {
        case .arrived:
            body.steps.settledAt = turn.now
            return end(.speedAccepted, setting.ticket, in: &turn)
        case .step(let notches):
            return .perform(.step(Int8(clamping: notches), from: notch))
        case .wait:
            return .wait(until: next.limit(timing, body.quirks))
        case .stuck:
            return endStuck(next, stepping, notch, reading, in: &turn)
        case .wrongDirection:
            let sentence = SonySpeedSentences.wrongDirection(to: setting.speed, shown: reading.status.speed)
            return end(.failed(.other(sentence)), setting.ticket, in: &turn)
        }
    }

    /// Begins a stepping at the body's present speed, when the earlier stepping is over.
    private mutating func beginStepping(
        _ setting: SonySetting,
        from notch: Int,
        _ reading: SonyReading,
        at now: Duration
    ) -> SonyNextAction {
        if now < body.steps.settledAt { return .wait(until: body.steps.settledAt) }
        guard isRecent(reading, since: max(setting.since, body.steps.settledAt)) else { return .perform(.reading) }
        var next = setting
        let target = SonyShutterSpeed.notch(of: setting.speed)
        next.stepping = SonyStepping(from: notch, to: target, at: now, body.steps)
        activity = .settingSpeed(next)
        return .again
    }

    /// Handles a reading without a third-stop speed. "Nothing to show" (0xFFFFFFFF) is temporary: the driver waits as
    /// for a busy body. Half stops are permanent, and their distance to speeds in thirds is no whole number of notches.
    private mutating func awaitNotch(
        _ setting: SonySetting,
        _ reading: SonyReading,
        in turn: inout DriverTurn
    ) -> SonyNextAction {
        guard let shown = reading.shownSpeed, shown != .nothing else {
            return .wait(until: setting.limit(timing, body.quirks))
        }
        return end(.failed(.other(SonySpeedSentences.notThirdStop(shown))), setting.ticket, in: &turn)
    }

    /// Handles a speed that does not move: at the end of the body's range, or on a body that does not react.
    private mutating func endStuck(
        _ setting: SonySetting,
        _ stepping: SonyStepping,
        _ notch: Int,
        _ reading: SonyReading,
        in turn: inout DriverTurn
    ) -> SonyNextAction {
        // UNSURE: a body may take steps only if the host has priority over the dials, as libgphoto2 always has.
        if reading.mayTakePriority, body.priorityTakenAt == nil {
            var next = setting
            next.stepping?.startAgain()
            activity = .settingSpeed(next)
            return .perform(.positionKey(1))
        }
        guard body.steps.hasMoved else {
            let sentence = SonySpeedSentences.notStepping(to: setting.speed, shown: reading.status.speed)
            return end(.failed(.other(sentence)), setting.ticket, in: &turn)
        }
        // The end of the range is proven only if the body moved and then stopped, or stops at a known end.
        let isFastest = stepping.target < notch
        if stepping.hasMoved || body.steps.hasMet(notch, isFastest: isFastest) {
            body.steps.forgetJumps(since: stepping.knownBefore)
            body.steps.noteEnd(notch, isFastest: isFastest, at: turn.now, timing)
            body.news = max(body.news, .property)
        }
        return end(.failed(.speedNotOffered(setting.speed)), setting.ticket, in: &turn)
    }

    /// Ends a setting whose time limit has passed, but first waits until the last notches have taken effect.
    mutating func endLate(_ setting: SonySetting, in turn: inout DriverTurn) -> SonyNextAction {
        if setting.stepping?.command != nil {
            let settledAt = body.steps.settledAt
            if turn.now < settledAt { return .wait(until: settledAt) }
            guard let reading = body.reading, reading.requestedAt >= settledAt else { return .perform(.reading) }
            if reading.shownSpeed?.notch == setting.stepping?.target {
                return end(.speedAccepted, setting.ticket, in: &turn)
            }
        }
        guard let stepping = setting.stepping, let reading = body.reading, stepping.refusedUntil == nil,
            reading.fileInfo == .empty
        else {
            if let shown = body.reading?.shownSpeed, shown == .nothing, body.reading?.fileInfo == .empty {
                return end(.failed(.other(SonySpeedSentences.nothingShown)), setting.ticket, in: &turn)
            }
            return end(.busy, setting.ticket, in: &turn)
        }
        let sentence = SonySpeedSentences.notReachedInTime(setting.speed, shown: reading.status.speed)
        return end(.failed(.other(sentence)), setting.ticket, in: &turn)
    }

    mutating func finishStep(_ notches: Int8, from notch: Int, _ result: OperationResult, in turn: inout DriverTurn) {
        // Rejected notches do not move the speed.
        if result.code == .ok {
            let move = body.quirks.perNotch * abs(Int(notches))
            body.steps.settledAt = turn.now + max(settleTime, timing.speedMove, move)
        }
        // If another command has replaced the setting, the next stepping begins when this step is over.
        guard case .settingSpeed(var setting) = activity, setting.stepping != nil else { return }
        switch result.code {
        case .ok: setting.stepping?.took(Int(notches), from: notch, at: turn.now)
        case .deviceBusy, .sonyTemporaryStorageFull: setting.stepping?.wasRefused(until: turn.now + timing.bufferPoll)
        default:
            _ = end(refusal(of: .sdioControlDevice, result), setting.ticket, in: &turn)
            return
        }
        activity = .settingSpeed(setting)
    }

    /// The time after which an unchanged speed is stable. A slow body can pause between notches as long as for a notch.
    private var settleTime: Duration { max(timing.stepSettle, body.quirks.perNotch + timing.bufferPoll) }
}

extension SonySetting {
    /// The time at which the driver stops setting the speed.
    func limit(_ timing: SonyTiming, _ quirks: SonyQuirks) -> Duration {
        stepping?.deadline(timing, perNotch: quirks.perNotch) ?? gateUntil
    }
}
