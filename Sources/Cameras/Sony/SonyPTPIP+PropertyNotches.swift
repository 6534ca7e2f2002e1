import Exposure
import PTP

/// The properties that version 2 bodies move by notches.
extension SonyPTPIP {
    mutating func walkOn(
        _ option: SonyPropertyOffer.Option,
        _ walk: SonyNotchSequence,
        _ setting: SonyPropertySetting,
        _ offer: SonyPropertyOffer,
        sentAt: Duration,
        in turn: inout DriverTurn
    ) -> SonyNextAction {
        guard let write = offer.next(of: option.writes) else { return succeed(setting, offer, in: &turn) }
        let giveUpAt = sentAt + timing.propertyGiveUp
        var walk = walk
        let position = offer.number.map(offer.source.words.position)
        if let position, position != walk.start {
            return send(walk.notch(from: position), option, walk, setting, write.code, in: &turn)
        }
        if turn.now < giveUpAt { return .wait(until: giveUpAt) }
        return send(walk.notchAfterNoChange(), option, walk, setting, write.code, in: &turn)
    }

    mutating func send(
        _ notch: Int8?,
        _ option: SonyPropertyOffer.Option,
        _ walk: SonyNotchSequence,
        _ setting: SonyPropertySetting,
        _ code: PropertyCode,
        in turn: inout DriverTurn
    ) -> SonyNextAction {
        guard let notch else { return giveUp(setting, in: &turn) }
        _ = go(to: .stepping(option, walk, sentAt: turn.now), setting)
        return .perform(.property(.notch(code, notch)))
    }

    /// Sets the shutter speed by the stepping of `.setSpeed`, which is faster than single notches.
    mutating func stepSpeed(
        to option: SonyPropertyOffer.Option,
        _ setting: SonyPropertySetting,
        _ offer: SonyPropertyOffer,
        in turn: inout DriverTurn
    ) -> SonyNextAction {
        let raw = option.writes.first?.value.integer.flatMap(UInt32.init(exactly:))
        guard let speed = raw.flatMap({ SonyShutterSpeed(rawValue: $0).shutterSpeed }) else {
            return end(notOffered(setting, offer), setting.ticket, in: &turn)
        }
        if offer.next(of: option.writes) == nil { return succeed(setting, offer, in: &turn) }
        let gateUntil = turn.now + timing.gate
        activity = .settingSpeed(
            SonySetting(ticket: setting.ticket, isProperty: true, speed: speed, since: turn.now, gateUntil: gateUntil)
        )
        return .again
    }

    /// Translates the result of a speed setting for a `.setProperty` command. A reading has confirmed the speed.
    mutating func propertyEvent(_ event: CameraEvent) -> CameraEvent {
        guard case .settingSpeed(let setting) = activity, setting.isProperty else { return event }
        let state = body.properties[.shutterSpeed]?.state
        switch event {
        case .speedAccepted:
            guard let state else { return .failed(.propertyUnknown(.shutterSpeed)) }
            body.properties.noteReported(state)
            return .propertySet(state)
        case .failed(.speedNotWritable):
            return .failed(.propertyNotWritable(.shutterSpeed))
        case .failed(.speedNotOffered(let speed)):
            return .failed(.propertyNotOffered(.shutterSpeed, speed.label, choices: state?.choices ?? []))
        default:
            return event
        }
    }
}
