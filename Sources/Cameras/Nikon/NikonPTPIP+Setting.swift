import Exposure
import PTP

/// Sets the shutter speed or another property: write, read back, write again, fail.
///
/// Only a reading after the write confirms a value. An OK proves nothing.
extension NikonPTPIP {
    mutating func decide(_ setting: NikonSetting, in turn: inout DriverTurn) -> NikonNextAction {
        if turn.now >= setting.gateUntil, body.busySince != nil || !setting.isConfirming {
            return end(.busy, setting.ticket, in: &turn)
        }
        if let move = decideBusy(at: turn.now) { return move }
        if turn.now < setting.notBefore { return .wait(until: setting.notBefore) }
        switch setting.step {
        case .choosing, .writing: return choose(setting, in: &turn)
        case .confirming(let write, let since): return confirm(write, since: since, setting, in: &turn)
        }
    }

    /// Whether no frame is exposed or stored, during which a body rejects each value.
    private var isGateOpen: Bool { !lastFrame.isOpen }

    private mutating func choose(_ setting: NikonSetting, in turn: inout DriverTurn) -> NikonNextAction {
        guard isGateOpen else { return .wait(until: setting.gateUntil) }
        if let code = setting.firstUnread(body) { return .perform(.describe(code)) }
        guard let state = setting.row.state(in: body.store), let code = setting.row.code(in: body.store) else {
            return end(.failed(.propertyUnknown(setting.target.property)), setting.ticket, in: &turn)
        }
        switch setting.step(in: body.store) {
        case .shown:
            // An earlier write can still change the value. A command can end before its value shows.
            let settledAt = body.unshown(code).map { $0.at + timing.confirm } ?? .zero
            if turn.now < settledAt { return .wait(until: settledAt) }
            guard let entry = body.store[code], entry.reportedAt >= settledAt,
                isRecent(entry.reportedAt, since: setting.since, at: turn.now)
            else { return .perform(.read(code)) }
            return succeed(setting, in: &turn)
        case .write(let write) where state.isWritable:
            activity = .setting(setting.changed { $0.step = .writing(write) })
            return .perform(.write(write))
        case .write: return renewList(setting, else: setting.target.notWritable, in: &turn)
        case .notOffered:
            let target = setting.target
            let event = state.isWritable ? target.notOffered(choices: state.choices) : target.notWritable
            return renewList(setting, else: event, in: &turn)
        }
    }

    /// Reads the list of the body again before the command fails: the user may have turned the dial.
    private mutating func renewList(
        _ setting: NikonSetting,
        else event: CameraEvent,
        in turn: inout DriverTurn
    ) -> NikonNextAction {
        guard !setting.isListRenewed else { return end(event, setting.ticket, in: &turn) }
        activity = .setting(
            setting.changed {
                $0.isListRenewed = true
                $0.step = .choosing
            }
        )
        let code = setting.row.code(in: body.store)
        body.markUnread([.exposureProgramMode] + [code].compactMap { $0 })
        return .again
    }

    private mutating func succeed(_ setting: NikonSetting, in turn: inout DriverTurn) -> NikonNextAction {
        guard case .property = setting.target, let state = setting.row.state(in: body.store) else {
            return end(.speedAccepted, setting.ticket, in: &turn)
        }
        noteReported(state)
        return end(.propertySet(state), setting.ticket, in: &turn)
    }

    /// Reads the value until it shows, or until the time is over.
    private mutating func confirm(
        _ write: NikonPropertyWrite,
        since: Duration,
        _ setting: NikonSetting,
        in turn: inout DriverTurn
    ) -> NikonNextAction {
        let entry = body.store[write.code]
        if let entry, entry.reportedAt >= since, entry.value == write.value.integer {
            // The lists of other properties can depend on this one.
            body.markUnread(NikonPropertyStore.affected(by: write.code).filter { $0 != write.code })
            if setting.step(in: body.store) == .shown { return succeed(setting, in: &turn) }
            // The property needs another write, for example the ISO after automatic ISO.
            return setting.writes < NikonLimits.writesMax ? chooseAgain(setting) : notKept(setting, in: &turn)
        }
        if turn.now < since + timing.confirm {
            let due = max(since, entry?.reportedAt ?? .zero) + timing.confirmPoll
            let isFirst = (entry?.reportedAt ?? .zero) < since
            return isFirst || turn.now >= due ? .perform(.read(write.code)) : .wait(until: due)
        }
        return setting.writes < NikonLimits.writesMax ? chooseAgain(setting) : notKept(setting, in: &turn)
    }

    private mutating func notKept(_ setting: NikonSetting, in turn: inout DriverTurn) -> NikonNextAction {
        let found = setting.row.state(in: body.store)?.value
        let failure = CameraFailure.propertyNotKept(setting.target.property, setting.target.text, found: found)
        return end(.failed(failure), setting.ticket, in: &turn)
    }

    private mutating func chooseAgain(_ setting: NikonSetting) -> NikonNextAction {
        activity = .setting(setting.changed { $0.step = .choosing })
        return .again
    }

    // MARK: Answers

    mutating func finishWrite(_ write: NikonPropertyWrite, _ result: OperationResult, in turn: inout DriverTurn) {
        if write.code == .nikonRecordingMedia, result.code == .ok { known.mediaBefore = nil }
        if result.code == .ok { body.noteAccepted(write, at: turn.now) }
        // Ignores the answer if another command has replaced the setting.
        guard case .setting(var setting) = activity, setting.step == .writing(write) else {
            return body.markUnread([write.code])
        }
        setting.step = .choosing
        activity = .setting(setting)
        switch NikonWriteAnswer(result.code) {
        case .accepted:
            setting.writes += 1
            setting.step = .confirming(write, since: turn.now)
            activity = .setting(setting)
        case .busy: noteBusy(at: turn.now)
        case .modeRefused where mayEnterCameraMode(setting.isModeRenewed):
            setting.isModeRenewed = true
            activity = .setting(setting)
            body.dueStep = .cameraMode(isOn: true)
        case .notOffered:
            let choices = setting.row.state(in: body.store)?.choices ?? []
            _ = renewList(setting, else: setting.target.notOffered(choices: choices), in: &turn)
        case .notWritable, .modeRefused: _ = renewList(setting, else: setting.target.notWritable, in: &turn)
        case .failed(let failure): _ = end(.failed(failure), setting.ticket, in: &turn)
        }
    }

    mutating func finishCameraMode(_ result: OperationResult) {
        body.modes.isCamera = result.code == .ok
        // A body that does not know the mode has not entered it (libgphoto2 library.c).
        if result.code != .ok, result.code != .deviceBusy { noteLeft(.cameraMode(isOn: true)) }
    }

    /// Whether the mode in which the body's controls are locked may help.
    func mayEnterCameraMode(_ isTried: Bool) -> Bool {
        !isTried && !body.modes.isCamera && has(.nikonChangeCameraMode)
    }
}

extension NikonSetting {
    fileprivate var isConfirming: Bool { if case .confirming = step { true } else { false } }

    fileprivate func changed(_ change: (inout NikonSetting) -> Void) -> NikonSetting {
        var next = self
        change(&next)
        return next
    }

    /// The property that decides about the value and must be read first; nil: the readings are valid.
    fileprivate func firstUnread(_ body: NikonBody) -> PropertyCode? {
        let codes = [.exposureProgramMode, row.code(in: body.store)].compactMap { $0 }
        return body.unread.first { codes.contains($0) }
    }
}
