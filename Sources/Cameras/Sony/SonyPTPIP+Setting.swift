import Exposure
import PTP

/// Setting the speed.
extension SonyPTPIP {
    mutating func decide(
        _ setting: SonySetting,
        at now: Duration,
        into actions: inout [CameraAction]
    ) -> SonyMove {
        if now >= setting.gateUntil { return end(.busy, setting.ticket, into: &actions) }
        guard let reading = body.reading, body.news != .file else { return .perform(.reading) }
        // While files wait in the buffer, settings are ignored (alpha-fairy).
        guard reading.fileInfo == .empty, buttons.areUp, !isFrameOpen else { return .wait(until: setting.gateUntil) }
        if reading.status.speedIsWritable, let value = reading.settableValue(of: setting.speed) {
            return .perform(.speed(value))
        }
        // What speaks against it has to be said after the command.
        if reading.requestedAt < setting.since { return .perform(.reading) }
        if reading.positionKeyToTake != nil, body.priorityTakenAt == nil { return .perform(.positionKey(1)) }
        // A body that is still at work, or has just been given another priority, opens by itself.
        let lockedUntil = max(setting.since, body.priorityTakenAt ?? .zero) + timing.lockedSpeed
        if !reading.isSpeedReliable || !reading.status.speedIsWritable && now < lockedUntil {
            return .wait(until: min(lockedUntil > now ? lockedUntil : setting.gateUntil, setting.gateUntil))
        }
        let failure: CameraFailure =
            reading.status.speedIsWritable ? .speedNotOffered(setting.speed) : .speedNotWritable
        return end(.failed(failure), setting.ticket, into: &actions)
    }

    mutating func finishSetting(_ result: OperationResult, into actions: inout [CameraAction]) {
        guard case .settingSpeed(let setting) = activity else { return }
        let event: CameraEvent =
            switch result.code {
            case .ok: .speedAccepted
            case .invalidDevicePropValue: .failed(.speedNotOffered(setting.speed))
            default: refusal(of: .sdioSetExtDevicePropValue, result)
            }
        _ = end(event, setting.ticket, into: &actions)
    }

    /// The activity is over.
    mutating func end(_ event: CameraEvent, _ ticket: Ticket, into actions: inout [CameraAction]) -> SonyMove {
        activity = .idle
        actions.append(.report(event, ticket: ticket))
        return .again
    }

    /// What a response other than OK means for the controller.
    func refusal(of operation: OperationCode, _ result: OperationResult) -> CameraEvent {
        switch result.code {
        case .deviceBusy, .sonyTemporaryStorageFull: .busy
        case .storeFull: .failed(.storageFull)
        default:
            .failed(.refused(operation: operation.sonyName, code: result.code.rawValue, name: result.code.sonyName))
        }
    }
}
