import Exposure
import PTP

/// Sets the shutter speed.
extension SonyPTPIP {
    mutating func decide(_ setting: SonySetting, in turn: inout DriverTurn) -> SonyNextAction {
        if let takenAt = setting.takenAt { return confirm(setting, takenAt: takenAt, in: &turn) }
        let limit = setting.limit(timing, body.quirks)
        if turn.now >= limit { return endLate(setting, in: &turn) }
        guard let reading = body.reading, body.news != .file else { return .perform(.reading) }
        // While files wait in the buffer, the body ignores settings (alpha-fairy).
        guard reading.fileInfo == .empty, buttons.areUp, !lastFrame.isOpen else { return .wait(until: limit) }
        if reading.status.speedIsWritable, let value = reading.settableValue(of: setting.speed) {
            switch reading.speedWay {
            case .absolute(let property): return .perform(.speed(value, by: property))
            case .notches: return step(setting, reading, in: &turn)
            }
        }
        // Only a reading that was requested after the command proves that the speed cannot be set.
        if reading.requestedAt < setting.since { return .perform(.reading) }
        if reading.positionKeyToTake != nil, body.priorityTakenAt == nil { return .perform(.positionKey(1)) }
        // The speed becomes writable by itself on a body that is busy, or shortly after the driver took priority.
        let lockedUntil = max(setting.since, body.priorityTakenAt ?? .zero) + timing.lockedSpeed
        if !reading.isSpeedReliable || !reading.status.speedIsWritable && turn.now < lockedUntil {
            return .wait(until: min(lockedUntil > turn.now ? lockedUntil : limit, limit))
        }
        let failure: CameraFailure =
            reading.status.speedIsWritable ? .speedNotOffered(setting.speed) : .speedNotWritable
        return end(.failed(failure), setting.ticket, in: &turn)
    }

    mutating func finishSetting(by property: PropertyCode, _ result: OperationResult, in turn: inout DriverTurn) {
        body.speedMove?.until = turn.now + timing.speedMove
        if property == .sonyShutterSpeedVersion2, fallsBackToSteps(result, in: &turn) { return }
        guard case .settingSpeed(var setting) = activity else { return }
        if setting.isProperty, result.code == .ok {
            setting.takenAt = turn.now
            return activity = .settingSpeed(setting)
        }
        let event: CameraEvent =
            switch result.code {
            case .ok: .speedAccepted
            case .invalidDevicePropValue: .failed(.speedNotOffered(setting.speed))
            default: refusal(of: .sdioSetExtDevicePropValue, result)
            }
        _ = end(event, setting.ticket, in: &turn)
    }

    /// Waits until a reading shows the new value; an OK proves nothing.
    private mutating func confirm(
        _ setting: SonySetting,
        takenAt: Duration,
        in turn: inout DriverTurn
    ) -> SonyNextAction {
        guard let reading = body.reading, reading.requestedAt >= takenAt else { return .perform(.reading) }
        if reading.status.speed == .speed(setting.speed) { return end(.speedAccepted, setting.ticket, in: &turn) }
        let giveUpAt = takenAt + timing.propertyGiveUp
        if turn.now < giveUpAt { return .wait(until: giveUpAt) }
        let found = reading.status.speed?.description
        let failure = CameraFailure.propertyNotKept(.shutterSpeed, setting.speed.label, found: found)
        return end(.failed(failure), setting.ticket, in: &turn)
    }

    /// Changes to notches if a version 2 body lists the absolute property but rejects writes to it.
    private mutating func fallsBackToSteps(_ result: OperationResult, in turn: inout DriverTurn) -> Bool {
        switch result.code {
        case .operationNotSupported, .parameterNotSupported, .devicePropNotSupported, .accessDenied: break
        default: return false
        }
        turn.note(SonySpeedSentences.absoluteRejected(result.code))
        body.steps.isAbsoluteRefused = true
        // The old reading contains the old way to set the speed.
        body.reading = nil
        return true
    }

    /// Ends the activity and reports its result.
    mutating func end(_ event: CameraEvent, _ ticket: Ticket, in turn: inout DriverTurn) -> SonyNextAction {
        let answer = propertyEvent(event)
        activity = .idle
        turn.report(answer, ticket)
        return .again
    }

    /// The event for a response other than OK.
    func refusal(of operation: OperationCode, _ result: OperationResult) -> CameraEvent {
        switch result.code {
        case .deviceBusy, .sonyTemporaryStorageFull: .busy
        case .storeFull: .failed(.storageFull)
        default:
            .failed(.refused(operation: operation.sonyName, code: result.code.rawValue, name: result.code.sonyName))
        }
    }
}
