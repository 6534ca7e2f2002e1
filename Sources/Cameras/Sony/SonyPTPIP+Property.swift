import PTP

/// The neutral properties: reports of changes, and the setting of one property.
extension SonyPTPIP {
    // MARK: Reports

    /// Reports the changes since the last report. During a frame a body hides its lists for a moment, and the driver
    /// does not report that. The first report is always complete.
    mutating func reportProperties(in turn: inout DriverTurn) {
        guard let reading = body.reading else { return }
        let isFrameInWork = lastFrame.frame.map { !$0.isOver } ?? false
        if body.properties.isReported, isFrameInWork || reading.fileInfo != .empty { return }
        // The answer to the command reports the property that the command sets.
        let changes = body.properties.takeChanges(except: activity.propertyInWork)
        if !changes.isEmpty { turn.report(.properties(changes), nil) }
    }

    // MARK: Setting

    mutating func decide(_ setting: SonyPropertySetting, in turn: inout DriverTurn) -> SonyNextAction {
        let deadline = setting.deadline(timing)
        if turn.now >= deadline {
            if case .choosing = setting.step { return end(.busy, setting.ticket, in: &turn) }
            return giveUp(setting, in: &turn)
        }
        guard let reading = body.reading, reading.requestedAt >= setting.readingSince, body.news != .file else {
            return .perform(.reading)
        }
        // While files wait in the buffer, the body ignores settings (alpha-fairy).
        guard reading.fileInfo == .empty, buttons.areUp, !lastFrame.isOpen else {
            return .wait(until: deadline)
        }
        guard let offer = body.properties[setting.property] else {
            return end(.failed(.propertyUnknown(setting.property)), setting.ticket, in: &turn)
        }
        switch setting.step {
        case .choosing:
            guard setting.property == .shutterSpeed else { return choose(setting, offer, in: &turn) }
            return chooseSpeed(setting, offer, reading, in: &turn)
        case .writing(let option, let since):
            return write(option, setting, offer, since: since, in: &turn)
        case .awaiting(let option, let sent):
            return confirm(option, sent, setting, offer, in: &turn)
        case .stepping(let option, let walk, let sentAt):
            return walkOn(option, walk, setting, offer, sentAt: sentAt, in: &turn)
        }
    }

    /// Waits until the shown speed is stable. A stepping or a command, even of an earlier session, can still change it.
    private mutating func chooseSpeed(
        _ setting: SonyPropertySetting,
        _ offer: SonyPropertyOffer,
        _ reading: SonyReading,
        in turn: inout DriverTurn
    ) -> SonyNextAction {
        let moveEnd = body.speedMove.flatMap { reading.status.speed == $0.to ? nil : $0.until }
        let restsAt = max(body.steps.settledAt, common.connectedAt + timing.speedMove, moveEnd ?? .zero)
        if turn.now < restsAt { return .wait(until: restsAt) }
        guard reading.requestedAt >= restsAt else { return .perform(.reading) }
        return choose(setting, offer, in: &turn)
    }

    private mutating func choose(
        _ setting: SonyPropertySetting,
        _ offer: SonyPropertyOffer,
        in turn: inout DriverTurn
    ) -> SonyNextAction {
        guard offer.state.isWritable else {
            // The property becomes writable by itself on a body that is busy or changes its mode.
            let mayOpen = offer.state.value == nil || lastFrame.frame.map { !$0.isOver } ?? false
            let lockedUntil = setting.since + timing.lockedSpeed
            if mayOpen, turn.now < lockedUntil { return .wait(until: lockedUntil) }
            return end(.failed(.propertyNotWritable(setting.property)), setting.ticket, in: &turn)
        }
        guard let option = offer.option(for: setting.text) else {
            return end(notOffered(setting, offer), setting.ticket, in: &turn)
        }
        if setting.property == .shutterSpeed, case .notches = offer.source.change {
            return stepSpeed(to: option, setting, offer, in: &turn)
        }
        // The body may have been busy for long, so the time limit of the writes begins only here.
        var begun = setting
        begun.begunAt = turn.now
        return go(to: .writing(option, since: body.reading?.requestedAt ?? turn.now), begun)
    }

    func notOffered(_ setting: SonyPropertySetting, _ offer: SonyPropertyOffer) -> CameraEvent {
        .failed(.propertyNotOffered(setting.property, setting.text, choices: offer.state.choices))
    }

    mutating func go(to step: SonyPropertySetting.Step, _ setting: SonyPropertySetting) -> SonyNextAction {
        var next = setting
        next.step = step
        activity = .settingProperty(next)
        return .again
    }

    /// Sends the first write whose value the body does not show yet. If the body shows all values, the property is set.
    private mutating func write(
        _ option: SonyPropertyOffer.Option,
        _ setting: SonyPropertySetting,
        _ offer: SonyPropertyOffer,
        since: Duration,
        in turn: inout DriverTurn
    ) -> SonyNextAction {
        guard let write = offer.next(of: option.writes) else { return succeed(setting, offer, in: &turn) }
        // With two properties, the second may become writable only when the first shows its value.
        guard offer.takes(write) else {
            if turn.now >= since + timing.propertyGiveUp { return giveUp(setting, in: &turn) }
            return .wait(until: since + timing.propertyGiveUp)
        }
        switch offer.source.change {
        case .value:
            let sent = SonyPropertySetting.Sent(write: write, since: turn.now, lastAt: turn.now)
            _ = go(to: .awaiting(option, sent), setting)
            return .perform(.property(.write(write)))
        case .notches:
            guard let number = offer.number, let target = write.value.integer else {
                return giveUp(setting, in: &turn)
            }
            let words = offer.source.words
            var walk = SonyNotchSequence(to: words.position(target), notchesMax: SonyLimits.notchesMax)
            let notch = walk.notch(from: words.position(number))
            return send(notch, option, walk, setting, write.code, in: &turn)
        }
    }

    mutating func succeed(
        _ setting: SonyPropertySetting,
        _ offer: SonyPropertyOffer,
        in turn: inout DriverTurn
    ) -> SonyNextAction {
        body.properties.noteReported(offer.state)
        // The new save target can change whether the body delivers files.
        if setting.property == .saveTarget { body.deliversFiles = nil }
        return end(.propertySet(offer.state), setting.ticket, in: &turn)
    }

    /// Waits until a reading shows the value. An OK proves nothing.
    private mutating func confirm(
        _ option: SonyPropertyOffer.Option,
        _ sent: SonyPropertySetting.Sent,
        _ setting: SonyPropertySetting,
        _ offer: SonyPropertyOffer,
        in turn: inout DriverTurn
    ) -> SonyNextAction {
        if offer.next(of: [sent.write]) == nil { return go(to: .writing(option, since: sent.lastAt), setting) }
        let giveUpAt = sent.since + timing.propertyGiveUp
        if turn.now >= giveUpAt {
            // `.busy` means that nothing was changed, so it is right only for the first write.
            if sent.isRefused, sent.write == option.writes.first { return end(.busy, setting.ticket, in: &turn) }
            return giveUp(setting, in: &turn)
        }
        let againAt = sent.lastAt + timing.propertyAgain
        if turn.now < againAt { return .wait(until: min(againAt, giveUpAt)) }
        var again = sent
        again.lastAt = turn.now
        _ = go(to: .awaiting(option, again), setting)
        return .perform(.property(.write(sent.write)))
    }

    mutating func giveUp(_ setting: SonyPropertySetting, in turn: inout DriverTurn) -> SonyNextAction {
        let found = body.properties[setting.property]?.state.value
        let failure = CameraFailure.propertyNotKept(setting.property, setting.text, found: found)
        return end(.failed(failure), setting.ticket, in: &turn)
    }

    // MARK: Answers

    mutating func finishProperty(_ result: OperationResult, in turn: inout DriverTurn) {
        // Ignores the answer if another command has replaced the setting.
        guard case .settingProperty(var setting) = activity else { return }
        let isBusy = result.code == .deviceBusy || result.code == .sonyTemporaryStorageFull
        switch (setting.step, result.code) {
        case (.awaiting(let option, var sent), _) where result.code == .ok || isBusy:
            sent.lastAt = turn.now
            sent.isRefused = isBusy
            setting.step = .awaiting(option, sent)
            activity = .settingProperty(setting)
        case (.stepping(let option, let walk, _), .ok):
            setting.step = .stepping(option, walk, sentAt: turn.now)
            activity = .settingProperty(setting)
        case (.stepping(let option, var walk, _), _) where isBusy:
            // Earlier notches may have moved the value. So the driver sends the same notch again after a pause.
            walk.undoNotch()
            body.retryReadingAt = turn.now + timing.bufferPoll
            setting.step = .stepping(option, walk, sentAt: turn.now)
            activity = .settingProperty(setting)
        case (.stepping, let code) where code != .invalidDevicePropValue:
            _ = end(refusal(of: .sdioControlDevice, result), setting.ticket, in: &turn)
        case (_, .invalidDevicePropValue):
            let choices = body.properties[setting.property]?.state.choices ?? []
            let failure = CameraFailure.propertyNotOffered(setting.property, setting.text, choices: choices)
            _ = end(.failed(failure), setting.ticket, in: &turn)
        default:
            _ = end(refusal(of: .sdioSetExtDevicePropValue, result), setting.ticket, in: &turn)
        }
    }

    /// The time of the next reading for a setting: at once after each step, then at intervals.
    func readingDue(_ setting: SonyPropertySetting, _ reading: SonyReading, at now: Duration) -> Duration {
        if reading.requestedAt < setting.readingSince { return now }
        if case .choosing = setting.step { return reading.receivedAt + timing.bufferPoll }
        return reading.receivedAt + timing.speedPoll
    }
}

extension SonyActivity {
    fileprivate var propertyInWork: CameraProperty? {
        switch self {
        case .settingSpeed(let setting): return setting.isProperty ? .shutterSpeed : nil
        case .settingProperty(let setting):
            if case .choosing = setting.step { return nil }
            return setting.property
        default: return nil
        }
    }
}
