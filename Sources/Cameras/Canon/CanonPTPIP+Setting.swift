import Exposure
import PTP

/// Sets the shutter speed or another property: write, wait for the body's report, write again, fail.
///
/// Only a report of the body confirms a value. An OK proves nothing: older bodies answer OK and change nothing.
extension CanonPTPIP {
    mutating func decide(_ setting: CanonSetting, in turn: inout DriverTurn) -> CanonNextAction {
        if turn.now < setting.notBefore { return .wait(until: setting.notBefore) }
        switch setting.step {
        case .choosing: return choose(setting, in: &turn)
        case .awaiting(let words, let at): return confirm(words, writtenAt: at, setting, in: &turn)
        }
    }

    private mutating func choose(_ setting: CanonSetting, in turn: inout DriverTurn) -> CanonNextAction {
        // During a capture or a card write the body rejects each value as busy.
        guard !isBusy(at: turn.now), areButtonsUp, !lastFrame.isOpen else {
            if turn.now < setting.gateUntil { return .wait(until: setting.gateUntil) }
            return end(.busy, setting.ticket, in: &turn)
        }
        guard let list = body.list, isRecent(list, since: setting.since, at: turn.now) else { return .perform(.list) }
        let row = setting.row
        guard let state = row.state(in: body.store) else {
            return end(.failed(.propertyUnknown(setting.property)), setting.ticket, in: &turn)
        }
        guard state.isWritable else { return awaitWritable(setting, in: &turn) }
        guard let words = setting.value(in: body.store) else {
            return end(notOffered(setting), setting.ticket, in: &turn)
        }
        // The body reports changes only, so a value that it already shows needs no write. If a report may be lost, the
        // driver has requested the properties again. An earlier write may still change the value.
        if body.store[row.code].words == words, !body.isInDoubt, isSettled(row.code, in: list) {
            return succeed(setting, in: &turn)
        }
        return write(words, setting)
    }

    /// Whether the list shows the effect of every earlier write of the property. A command can end before its value is
    /// reported.
    private func isSettled(_ code: PropertyCode, in list: CanonListTimes) -> Bool {
        body.writtenAt[code].map { list.requestedAt >= $0 + timing.writeAgain } ?? true
    }

    /// The lists of a body are empty for a moment after its dial was turned.
    private mutating func awaitWritable(_ setting: CanonSetting, in turn: inout DriverTurn) -> CanonNextAction {
        let lockedUntil = setting.since + timing.lockedSpeed
        if turn.now < lockedUntil { return .wait(until: lockedUntil) }
        return end(setting.target.notWritable, setting.ticket, in: &turn)
    }

    private func notOffered(_ setting: CanonSetting) -> CameraEvent {
        setting.target.notOffered(choices: setting.row.state(in: body.store)?.choices ?? [])
    }

    private mutating func write(_ words: [UInt32], _ setting: CanonSetting) -> CanonNextAction {
        var next = setting
        next.step = .awaiting(words, at: .zero)
        activity = .setting(next)
        return .perform(.write(CanonPropertyWrite(setting.row.code, words)))
    }

    private mutating func succeed(_ setting: CanonSetting, in turn: inout DriverTurn) -> CanonNextAction {
        guard case .property = setting.target, let state = setting.row.state(in: body.store) else {
            return end(.speedAccepted, setting.ticket, in: &turn)
        }
        noteReported(state)
        return end(.propertySet(state), setting.ticket, in: &turn)
    }

    /// Waits for a report of the value. The report must be from a list that was requested after the write.
    private mutating func confirm(
        _ words: [UInt32],
        writtenAt: Duration,
        _ setting: CanonSetting,
        in turn: inout DriverTurn
    ) -> CanonNextAction {
        let entry = body.store[setting.row.code]
        if entry.words == words, let reportedAt = entry.reportedAt, reportedAt >= writtenAt {
            body.writtenAt[setting.row.code] = nil
            return succeed(setting, in: &turn)
        }
        let againAt = writtenAt + timing.writeAgain
        if turn.now < againAt { return .wait(until: againAt) }
        guard let list = body.list, list.requestedAt >= againAt else { return .perform(.list) }
        // A body that showed the value before may not report it again.
        if entry.words == words, !body.isInDoubt { return succeed(setting, in: &turn) }
        if setting.writes < CanonLimits.writesMax { return chooseAgain(setting) }
        let found = setting.row.state(in: body.store)?.value
        let failure = CameraFailure.propertyNotKept(setting.property, setting.text, found: found)
        return end(.failed(failure), setting.ticket, in: &turn)
    }

    /// Finds the value in the body's list again before it is written again. The list may have changed.
    private mutating func chooseAgain(_ setting: CanonSetting) -> CanonNextAction {
        var next = setting
        next.step = .choosing
        activity = .setting(next)
        return .again
    }

    // MARK: Answers

    mutating func finishWrite(_ write: CanonPropertyWrite, _ result: OperationResult, in turn: inout DriverTurn) {
        if common.isLeaving { return finishRestoring(write, result, in: &turn) }
        let code = write.code
        if result.code == .ok {
            body.writtenAt[code] = turn.now
            // From here on the value is the user's choice.
            known.changes.removeAll { $0.code == code }
        }
        // Ignores the answer if another command has replaced the setting.
        guard case .setting(var setting) = activity, case .awaiting(let words, _) = setting.step else { return }
        restartPolling()
        switch result.code {
        case .ok:
            setting.writes += 1
            setting.step = .awaiting(words, at: turn.now)
            activity = .setting(setting)
        case let code where code.isCanonBusy: retryBusy(setting, in: &turn)
        case .invalidDevicePropValue: _ = end(notOffered(setting), setting.ticket, in: &turn)
        case let code where code.mayMeanRemoteModeLost && !setting.isRemoteRenewed && has(.canonSetRemoteMode):
            setting.isRemoteRenewed = true
            setting.step = .choosing
            activity = .setting(setting)
            body.isRemoteLost = true
        default: refuseWrite(setting, result, in: &turn)
        }
    }

    private mutating func finishRestoring(
        _ write: CanonPropertyWrite,
        _ result: OperationResult,
        in turn: inout DriverTurn
    ) {
        let index = known.changes.firstIndex { $0.code == write.code && [$0.before] == write.words }
        guard let index else { return }
        if result.code == .ok {
            known.changes.remove(at: index)
        } else {
            turn.note(CanonSessionSentences.notRestored(write.code, result.code))
        }
    }

    /// Writes a busy body's value again after a pause. A 60D answers "busy" also to a value outside its list, so the
    /// list is checked again.
    private mutating func retryBusy(_ setting: CanonSetting, in turn: inout DriverTurn) {
        guard turn.now < setting.gateUntil else {
            _ = end(.busy, setting.ticket, in: &turn)
            return
        }
        var next = setting
        next.step = .choosing
        next.notBefore = turn.now + timing.busyWrite
        activity = .setting(next)
    }

    private mutating func refuseWrite(_ setting: CanonSetting, _ result: OperationResult, in turn: inout DriverTurn) {
        _ = end(refusal(of: .canonSetProperty, result), setting.ticket, in: &turn)
    }

    /// The event for a response other than OK.
    func refusal(of operation: OperationCode, _ result: OperationResult) -> CameraEvent {
        switch result.code {
        case let code where code.isCanonBusy: .busy
        case .storeFull: .failed(.storageFull)
        default:
            .failed(.refused(operation: operation.canonName, code: result.code.rawValue, name: result.code.canonName))
        }
    }
}

extension CanonSetting {
    /// The value of the body's list; nil: the list does not contain it.
    fileprivate func value(in store: CanonPropertyStore) -> [UInt32]? {
        switch target {
        case .speed(let speed): store.settableSpeeds.first { $0.shutterSpeed == speed }.map { [$0.rawValue] }
        case .property(_, let text): row.value(for: text, in: store)
        }
    }

    /// A list that was requested before this time cannot confirm the setting.
    var listSince: Duration {
        switch step {
        case .choosing: since
        case .awaiting(_, let at): at
        }
    }
}
