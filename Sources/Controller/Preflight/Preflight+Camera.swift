import Cameras
import Exposure

// Checks of the camera.

extension Preflight {
    /// Below this charge the check warns.
    package static let batteryPercentLow = 15
    /// At this charge and below, a body turns itself off during a set.
    package static let batteryPercentEmpty = 5

    static func link(_ camera: Camera?, _ absence: String) -> Finding {
        camera.map { .pass("\($0.identity.name) is connected.") } ?? .fail(absence)
    }

    static func body(_ firing: Firing, _ identity: CameraIdentity) -> Finding {
        guard let began = firing.camera, !began.id.isEmpty, began.id != identity.id else {
            return .pass("It is \(identity.name).")
        }
        return .fail(
            "The shoot began on \(began.name) (\(began.id)), but \(identity.name) (\(identity.id)) is connected.",
            "Connect that camera, or drop the shoot: bracketctl cancel or dismiss."
        )
    }

    static func mode(_ status: CameraStatus) -> Finding {
        let advice = "Turn it to M."
        switch status.mode {
        case .manual: return .pass("The mode dial is on M.")
        case .shutterPriority:
            let sentence =
                "The mode dial is on S. The camera changes the aperture with the speed, so all frames may have the "
                + "same brightness."
            return .warn(sentence, advice)
        case .aperturePriority, .program, .other: return .fail("The mode dial is on \(status.mode).", advice)
        }
    }

    /// nil: the camera offers speeds.
    static func offer(_ status: CameraStatus) -> Finding? {
        guard status.speeds.isEmpty else { return nil }
        return mode(status).result == .fail
            ? .skipped("Not checked: the camera offers no shutter speeds in this mode.")
            : .fail("The camera offers no shutter speeds now.", "Close its menu and picture review.")
    }

    static func speeds(_ firing: Firing, _ status: CameraStatus) -> Finding {
        if let offer = offer(status) { return offer }
        var missing: [String] = []
        for speed in firing.speeds where !status.speeds.contains(speed) && !missing.contains(speed.label) {
            missing.append(speed.label)
        }
        if firing.camera != nil, !missing.isEmpty {
            return .fail(
                "The camera no longer offers \(missing.joined(separator: ", ")), which the shoot needs.",
                "Set the camera's shutter type and step as they were when the shoot began."
            )
        }
        if firing.changes.isEmpty { return .pass("The camera offers every speed of the plan.") }
        return .warn("\(firing.changes.joined(separator: "; ")).", "To reject such a plan: --strict.")
    }

    static func iso(_ status: CameraStatus) -> Finding {
        guard status.isISOAuto == true else {
            return .pass(status.iso.map { "ISO is \($0)." } ?? "The camera does not report its ISO.")
        }
        return .warn("ISO is on auto. The camera may change the ISO with the speed.", "Set a fixed ISO.")
    }

    /// Drive modes in which a press fires several frames, fires late, or changes the exposure; by their first word.
    private static let drivesUnfit = [
        "continuous", "bracket", "self-timer", "self-portrait", "time-lapse", "spot", "mirror",
    ]

    static func drive(_ drive: String?) -> Finding {
        guard let drive else { return .pass("The camera does not report its drive mode.") }
        if drive == "single" { return .pass("The drive mode is single.") }
        let advice = "Set it to single: bracketctl set drive single."
        if drivesUnfit.contains(where: { $0 == drive.prefix { $0 != " " } }) {
            return .fail("The drive mode is \(drive): the camera does not fire one frame for each command.", advice)
        }
        return .warn("The drive mode is \(drive), which may fire more than one frame for each command.", advice)
    }

    static func focus(_ status: CameraStatus) -> Finding {
        switch status.isManualFocus {
        case nil: .pass("The camera does not report its focus mode.")
        case true?: .pass("Focus is on manual.")
        case false?:
            .warn(
                "Focus is not manual. The camera focuses before each frame, and that may fail.",
                "Set the focus to MF."
            )
        }
    }

    static func saveTarget(_ status: CameraStatus, _ rules: Rules) -> Finding {
        guard status.savesToHostAlone, !rules.keepsPictures else {
            let sentence = status.saveTarget.map { "Pictures are saved to: \($0)." }
            return .pass(sentence ?? "The camera does not report where it saves pictures.")
        }
        // An RX100 VII on a phone's WiFi reports this and still stores on its card: its user skips the check.
        return .fail(
            "The camera saves pictures only to this computer, which does not keep them. Every picture would be lost.",
            "Set its save target to the card, or set [transfer] policy to jpeg. If the camera also uses its card: "
                + "[preflight] skip = [\"save-target\"]."
        )
    }

    static func battery(_ status: CameraStatus) -> Finding {
        guard let percent = status.batteryPercent else { return .pass("The camera does not report its battery level.") }
        let sentence = "The battery is at \(percent) %."
        if percent <= batteryPercentEmpty { return .fail(sentence, "Change the battery.") }
        return percent < batteryPercentLow ? .warn(sentence, "Have a charged battery ready.") : .pass(sentence)
    }

    /// A card with too little space would end a bracket during a set. The shoot is rejected, because nothing is lost
    /// yet. A user of a body that counts too low skips the check.
    static func shotsLeft(_ firing: Firing, _ status: CameraStatus) -> Finding {
        guard let shots = status.shotsLeft else {
            return .pass("The camera does not report the free space on its card.")
        }
        let planned = "\(firing.certain) \(firing.certain == 1 ? "is" : "are") planned"
        let room = shots == 0 ? "no more shots" : shots == 1 ? "1 shot" : "\(shots) shots"
        let sentence = "The card has space for \(room), and \(planned)."
        if shots >= firing.certain { return .pass(sentence) }
        return .fail(sentence, "Change the card, delete pictures on it, or plan fewer frames.")
    }

    static func noiseReduction(_ firing: Firing, _ status: CameraStatus) -> Finding {
        let times = firing.speeds.map(\.exposureTime).filter { $0 >= Estimate.noiseReductionFrom }
        switch status.noiseReduction {
        case .off: return .pass("Long-exposure noise reduction is off.")
        case .unknown: return .pass("The camera does not report its long-exposure noise reduction.")
        case .on where times.isEmpty:
            return .pass("Long-exposure noise reduction is on, but no exposure is long enough for it.")
        case .on:
            let time = TimeText.text(times.reduce(.zero, +))
            return .warn(
                "Long-exposure noise reduction is on: dark frames add up to \(time).",
                "If nothing may move between frames, turn it off in the camera's menu."
            )
        }
    }
}
