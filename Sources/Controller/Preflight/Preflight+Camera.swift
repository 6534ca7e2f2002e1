import Cameras
import Exposure

// The checks of the camera.

extension Preflight {
    /// The charge in percent below which the check warns.
    package static let batteryPercentLow = 15
    /// The charge in percent at which, and below which, the check fails. A body can turn itself off during a set.
    package static let batteryPercentEmpty = 5

    static func link(_ camera: Camera?, _ absence: String) -> Finding {
        camera.map { .pass(CameraSentences.connected($0.identity.name)) } ?? .fail(absence)
    }

    static func body(_ firing: Firing, _ identity: CameraIdentity) -> Finding {
        guard let began = firing.camera, !began.id.isEmpty, began.id != identity.id else {
            return CheckSentences.sameCamera(identity)
        }
        return CheckSentences.otherCamera(identity, shootBeganOn: began)
    }

    static func mode(_ status: CameraStatus) -> Finding {
        switch status.mode {
        case .manual: CheckSentences.manualMode(status.modeControl)
        case .shutterPriority: CheckSentences.shutterPriority(status.modeLabel, status.modeControl)
        case .aperturePriority, .program, .other: CheckSentences.unfitMode(status.modeLabel, status.modeControl)
        }
    }

    /// The failure if the camera offers no speeds; nil: the camera offers speeds.
    static func offer(_ status: CameraStatus) -> Finding? {
        guard status.speeds.isEmpty else { return nil }
        return mode(status).result == .fail ? CheckSentences.noSpeedsInMode : CheckSentences.noSpeeds
    }

    static func speeds(_ firing: Firing, _ status: CameraStatus) -> Finding {
        if let offer = offer(status) { return offer }
        var missing: [String] = []
        for speed in firing.speeds where !status.speeds.contains(speed) && !missing.contains(speed.label) {
            missing.append(speed.label)
        }
        if firing.camera != nil, !missing.isEmpty { return CheckSentences.shootLacksSpeeds(missing) }
        return firing.changes.isEmpty ? CheckSentences.everySpeed : CheckSentences.changedSpeeds(firing.changes)
    }

    /// A bracket that finds its own range reads each picture, and only the speed may change between two of them.
    static func metering(_ status: CameraStatus?, _ rules: Rules) -> Finding {
        guard let status else { return CheckSentences.noCamera }
        guard rules.policy != .none else { return CheckSentences.noTransfer }
        if let kinds = status.fileKinds, !kinds.contains(.jpeg) { return CheckSentences.noJPEG }
        if status.isISOAuto == true { return CheckSentences.autoISOWhileMetering }
        guard status.mode == .manual else { return CheckSentences.unfitModeToMeter(status.modeControl) }
        return status.adaptiveTone.map(CheckSentences.adaptiveTone) ?? CheckSentences.mayMeter
    }

    static func iso(_ status: CameraStatus) -> Finding {
        if status.isISOAuto == true { return CheckSentences.autoISO }
        return status.iso.map(CheckSentences.fixedISO) ?? CheckSentences.unknownISO
    }

    /// In all known modes but single, a shutter command fires several frames, fires late, or changes the exposure.
    static func drive(_ drive: DriveMode?) -> Finding {
        guard let drive else { return CheckSentences.unknownDrive }
        switch drive.kind {
        case .single: return CheckSentences.singleDrive
        case .continuous, .bracket, .selfTimer, .timeLapse, .mirrorUp: return CheckSentences.unfitDrive(drive.name)
        case .other: return CheckSentences.doubtfulDrive(drive.name)
        }
    }

    static func focus(_ status: CameraStatus) -> Finding {
        switch status.isManualFocus {
        case nil: CheckSentences.unknownFocus
        case true?: CheckSentences.manualFocus
        case false?: status.focusesForFrames ? CheckSentences.autoFocus : CheckSentences.unusedAutofocus
        }
    }

    static func saveTarget(_ status: CameraStatus, _ rules: Rules) -> Finding {
        // An RX100 VII on a phone's WiFi reports this value and still stores on its card. Its user can skip the check.
        if status.savesToHostAlone, rules.policy == .none { return CheckSentences.picturesLost }
        // A RAW file without a copy on the card is kept by every policy but none.
        if rules.policy == .jpeg, status.fileKinds == [.raw], !status.savesToHostAlone {
            return CheckSentences.onlyRawFiles
        }
        return status.saveTarget.map(CheckSentences.saveTarget) ?? CheckSentences.unknownSaveTarget
    }

    static func battery(_ status: CameraStatus) -> Finding {
        guard let percent = status.batteryPercent else { return CheckSentences.unknownBattery }
        if percent <= batteryPercentEmpty { return CheckSentences.batteryEmpty(percent) }
        return percent < batteryPercentLow ? CheckSentences.batteryLow(percent) : CheckSentences.battery(percent)
    }

    /// The check fails if the card has too little space, because a full card would end the shoot during a set.
    ///
    /// If a body reports too few shots, its user can skip the check.
    static func shotsLeft(_ firing: Firing, _ status: CameraStatus) -> Finding {
        guard let shots = status.shotsLeft else { return CheckSentences.unknownShotsLeft }
        return shots >= firing.certain
            ? CheckSentences.spaceOnCard(shots, planned: firing.certain)
            : CheckSentences.cardTooFull(shots, planned: firing.certain)
    }

    static func noiseReduction(_ firing: Firing, _ status: CameraStatus) -> Finding {
        let times = firing.speeds.map(\.exposureTime).filter { $0 >= Estimate.noiseReductionFrom }
        switch status.noiseReduction {
        case .off: return CheckSentences.noiseReductionOff
        case .unknown where times.isEmpty: return CheckSentences.unknownNoiseReduction
        case .unknown: return CheckSentences.possibleDarkFrames(times.reduce(.zero, +))
        case .on where times.isEmpty: return CheckSentences.noiseReductionUnused
        case .on: return CheckSentences.darkFrames(times.reduce(.zero, +))
        }
    }
}
