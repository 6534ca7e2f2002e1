import Exposure
import JSON

/// Sets the shutter speed or another property: write, wait until the body shows the value, write again, fail.
///
/// Only an event or a read confirms a value: "even if successful, may not be finished" (API Reference,
/// setShutterSpeed).
extension SonyHTTP {
    mutating func decide(_ setting: SonyHTTPSetting, in turn: inout DriverTurn) -> SonyHTTPNextAction {
        if turn.now < setting.notBefore { return .wait(until: setting.notBefore) }
        guard let row = SonyHTTPPropertyRow.row(of: property(setting)) else {
            return end(.failed(.propertyUnknown(setting.property)), setting.ticket, in: &turn)
        }
        switch setting.step {
        case .choosing: return choose(setting, row, in: &turn)
        case .awaiting(let value, let sent, let at):
            return confirm(value, sentAt: sent, answeredAt: at, setting, row, in: &turn)
        }
    }

    /// The property that the present step writes. The self-timer counts as a drive mode for users. It is switched off
    /// before another drive mode is set.
    private func property(_ setting: SonyHTTPSetting) -> CameraProperty {
        if case .awaiting = setting.step, let written = setting.written { return written }
        let endsSelfTimer = setting.property == .drive && selfTimer != nil && state.has(.setSelfTimer)
        return endsSelfTimer ? .selfTimer : setting.property
    }

    // MARK: Before the write

    private mutating func choose(
        _ setting: SonyHTTPSetting,
        _ row: SonyHTTPPropertyRow,
        in turn: inout DriverTurn
    ) -> SonyHTTPNextAction {
        guard state.status == .idle, !isHalfPressed, !lastFrame.isOpen else {
            if turn.now < setting.gateUntil { return readStateRarely(in: &turn) }
            return end(.busy, setting.ticket, in: &turn)
        }
        guard let present = state[row.property] else {
            if setting.property == .drive, let state = driveState, isShown(setting, by: state) {
                return end(.propertySet(state), setting.ticket, in: &turn)
            }
            return end(.failed(.propertyUnknown(setting.property)), setting.ticket, in: &turn)
        }
        guard state.has(row.setter) else { return awaitWritable(setting, row, present, in: &turn) }
        guard let value = value(for: setting, row, in: present) else {
            return end(notOffered(setting, row, present), setting.ticket, in: &turn)
        }
        if present.current == value, writes[row.property] == .shown { return succeed(setting, row, in: &turn) }
        writes[row.property] = .sent
        var next = setting
        next.written = row.property
        activity = .setting(next)
        return .perform(.write(row.property, value, row.parameters(value, in: present)))
    }

    private var driveState: PropertyState? {
        SonyHTTPPropertyRow.row(of: .drive).flatMap { propertyState($0) }
    }

    private func isShown(_ setting: SonyHTTPSetting, by state: PropertyState) -> Bool {
        state.value.map { PropertyNotation.key($0) == PropertyNotation.key(setting.text) } ?? false
    }

    private func value(
        for setting: SonyHTTPSetting,
        _ row: SonyHTTPPropertyRow,
        in present: SonyHTTPPropertyValue
    ) -> JSONValue? {
        switch setting.target {
        case .speed(let speed):
            row.settable(in: present).first { value in
                value.stringValue.map { SonyHTTPShutterSpeed(rawValue: $0).shutterSpeed == speed } ?? false
            }
        case .property where row.property != setting.property: 0
        case .property(_, let text): row.value(for: text, in: present)
        }
    }

    /// The setters of a body disappear for a moment after its dial was turned.
    private mutating func awaitWritable(
        _ setting: SonyHTTPSetting,
        _ row: SonyHTTPPropertyRow,
        _ present: SonyHTTPPropertyValue,
        in turn: inout DriverTurn
    ) -> SonyHTTPNextAction {
        if turn.now < setting.since + timing.locked { return readStateRarely(in: &turn) }
        let failure: CameraFailure =
            switch setting.target {
            case .speed: .speedNotWritable
            case .property(let property, _): .propertyNotWritable(property)
            }
        return end(.failed(failure), setting.ticket, in: &turn)
    }

    private func notOffered(
        _ setting: SonyHTTPSetting,
        _ row: SonyHTTPPropertyRow,
        _ present: SonyHTTPPropertyValue
    ) -> CameraEvent {
        switch setting.target {
        case .speed(let speed): return .failed(.speedNotOffered(speed))
        case .property(let property, let text):
            let choices = row.state(present, hasSetter: true).choices
            return .failed(.propertyNotOffered(property, text, choices: choices))
        }
    }

    // MARK: After the write

    private mutating func confirm(
        _ value: JSONValue,
        sentAt: Duration,
        answeredAt: Duration,
        _ setting: SonyHTTPSetting,
        _ row: SonyHTTPPropertyRow,
        in turn: inout DriverTurn
    ) -> SonyHTTPNextAction {
        let isShown = state[row.property]?.current == value
        let hasChanged = state.since(row.property).map { $0 > sentAt } ?? false
        let isRead = state.askedAt(row.property).map { $0 >= answeredAt } ?? false
        if isShown, hasChanged || isRead {
            writes[row.property] = .shown
            return succeed(setting, row, in: &turn)
        }
        // The poll brings the change at the same time as the answer, or shortly after it.
        if turn.now < answeredAt + timing.confirm { return .wait(until: answeredAt + timing.confirm) }
        let againAt = answeredAt + timing.writeAgain
        let isReadLate = state.askedAt(row.property).map { $0 >= againAt } ?? false
        // A body may reject every read.
        let hasWaited = isReadLate || turn.now >= againAt + timing.writeAgain
        guard hasWaited else { return read(row, notBefore: answeredAt + timing.confirm, in: &turn) }
        guard setting.writes >= SonyHTTPLimits.writesMax else { return chooseAgain(setting) }
        let found = propertyState(row)?.value
        let failure = CameraFailure.propertyNotKept(setting.property, setting.text, found: found)
        return end(.failed(failure), setting.ticket, in: &turn)
    }

    private mutating func chooseAgain(_ setting: SonyHTTPSetting) -> SonyHTTPNextAction {
        var next = setting
        next.step = .choosing
        activity = .setting(next)
        return .again
    }

    private mutating func succeed(
        _ setting: SonyHTTPSetting,
        _ row: SonyHTTPPropertyRow,
        in turn: inout DriverTurn
    ) -> SonyHTTPNextAction {
        // The self-timer is off, and the drive mode follows.
        if row.property != setting.property { return chooseAgain(setting) }
        settleState()
        guard case .property = setting.target, let state = propertyState(row) else {
            return end(.speedAccepted, setting.ticket, in: &turn)
        }
        reportedStates[state.property] = state
        return end(.propertySet(state), setting.ticket, in: &turn)
    }

    // MARK: Answers

    mutating func finishWrite(
        _ property: CameraProperty,
        _ value: JSONValue,
        _ answer: SonyHTTPAnswer,
        since: Duration,
        in turn: inout DriverTurn
    ) {
        // Ignores the answer if another command has replaced the setting.
        guard case .setting(var setting) = activity, setting.written == property else { return }
        switch answer {
        case .result:
            // From here on the size is the user's choice.
            if property == .postviewSize, let id = identity?.id {
                known.update(id) { $0.postviewBefore = nil }
                postview = .settled
            }
            setting.writes += 1
            setting.step = .awaiting(value, sent: since, at: turn.now)
            activity = .setting(setting)
        case .error(let error) where !error.isPassing && state[property]?.current == value:
            // Some bodies reject their present value (rocc, for the shoot mode).
            guard let row = SonyHTTPPropertyRow.row(of: property) else { return }
            writes[property] = .shown
            _ = succeed(setting, row, in: &turn)
        case .error(let error): finishRefusedWrite(setting, property, error, in: &turn)
        }
    }

    private mutating func finishRefusedWrite(
        _ setting: SonyHTTPSetting,
        _ property: CameraProperty,
        _ error: SonyHTTPError,
        in turn: inout DriverTurn
    ) {
        switch error {
        case _ where error.isPassing && turn.now < setting.gateUntil:
            var next = setting
            next.notBefore = turn.now + timing.again
            // The list of methods may have changed.
            requests.isStateNeeded = true
            activity = .setting(next)
        case _ where error.isPassing: _ = end(.busy, setting.ticket, in: &turn)
        case .illegalArgument, .internalServerError:
            guard let row = SonyHTTPPropertyRow.row(of: property), let present = state[property] else { return }
            _ = end(notOffered(setting, row, present), setting.ticket, in: &turn)
        default:
            let method = SonyHTTPPropertyRow.row(of: property)?.setter.rawValue ?? ""
            _ = end(.failed(Self.refusal(of: method, error)), setting.ticket, in: &turn)
        }
    }

    static func refusal(of method: String, _ error: SonyHTTPError) -> CameraFailure {
        .refused(operation: method, code: UInt16(clamping: error.rawValue), name: "error \(error)")
    }
}
