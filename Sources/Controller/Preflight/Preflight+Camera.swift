import Cameras
import Exposure

// Checks of the camera.

extension Preflight {
    /// Below this charge the check warns.
    package static let batteryPercentLow = 15
    /// At this charge and below, a body turns itself off during a set.
    package static let batteryPercentEmpty = 5

    static func link(_ camera: Camera?, _ absence: String) -> Check {
        guard let camera else { return Check("link", .fail, absence) }
        return Check("link", .pass, "\(camera.identity.name) is connected.")
    }

    static func body(_ firing: Firing, _ identity: CameraIdentity) -> Check {
        guard let began = firing.camera, !began.id.isEmpty, began.id != identity.id else {
            return Check("camera", .pass, "It is \(identity.name).")
        }
        return Check(
            "camera",
            .fail,
            "The shoot began on \(began.name) (\(began.id)), but \(identity.name) (\(identity.id)) is "
                + "connected.",
            advice: "Connect that camera, or drop the shoot: bracketctl cancel or dismiss."
        )
    }

    static func mode(_ status: CameraStatus) -> Check {
        let advice = "Turn it to M."
        switch status.mode {
        case .manual:
            return Check("mode", .pass, "The mode dial is on M.")
        case .shutterPriority:
            let sentence =
                "The mode dial is on S. The camera changes the aperture with the speed, so all frames may have the same "
                + "brightness."
            return Check("mode", .warn, sentence, advice: advice)
        case .aperturePriority, .program, .other:
            return Check("mode", .fail, "The mode dial is on \(status.mode).", advice: advice)
        }
    }

    /// nil: the camera offers speeds.
    static func offer(_ status: CameraStatus) -> Check? {
        guard status.speeds.isEmpty else { return nil }
        guard mode(status).result != .fail else {
            return Check("speeds", .skipped, "Not checked: the camera offers no shutter speeds in this mode.")
        }
        let advice = "Close its menu and picture review."
        return Check("speeds", .fail, "The camera offers no shutter speeds now.", advice: advice)
    }

    static func speeds(_ firing: Firing, _ status: CameraStatus) -> Check {
        if let offer = offer(status) { return offer }
        if firing.camera != nil {
            var missing: [String] = []
            for speed in firing.speeds where !status.speeds.contains(speed) && !missing.contains(speed.label) {
                missing.append(speed.label)
            }
            if !missing.isEmpty {
                return Check(
                    "speeds",
                    .fail,
                    "The camera no longer offers \(missing.joined(separator: ", ")), which the shoot needs.",
                    advice: "Set the camera's shutter type and step as they were when the shoot began."
                )
            }
        }
        if !firing.changes.isEmpty {
            return Check(
                "speeds",
                .warn,
                "\(firing.changes.joined(separator: "; ")).",
                advice: "To reject such a plan: --strict."
            )
        }
        return Check("speeds", .pass, "The camera offers every speed of the plan.")
    }

    static func iso(_ status: CameraStatus) -> Check {
        guard status.isISOAuto == true else {
            let sentence = status.iso.map { "ISO is \($0)." } ?? "The camera does not report its ISO."
            return Check("iso-auto", .pass, sentence)
        }
        return Check(
            "iso-auto",
            .warn,
            "ISO is on auto. The camera may change the ISO with the speed.",
            advice: "Set a fixed ISO."
        )
    }

    /// Drive modes in which a press fires several frames, fires late, or changes the exposure; by their first word.
    private static let drivesUnfit = [
        "continuous", "bracket", "self-timer", "self-portrait", "time-lapse", "spot", "mirror",
    ]

    static func drive(_ drive: String?) -> Check {
        guard let drive else {
            return Check("drive", .pass, "The camera does not report its drive mode.")
        }
        if drive == "single" {
            return Check("drive", .pass, "The drive mode is single.")
        }
        let advice = "Set it to single: bracketctl set drive single."
        if drivesUnfit.contains(where: { $0 == drive.prefix { $0 != " " } }) {
            return Check(
                "drive",
                .fail,
                "The drive mode is \(drive): the camera does not fire one frame for each command.",
                advice: advice
            )
        }
        return Check(
            "drive",
            .warn,
            "The drive mode is \(drive), which may fire more than one frame for each command.",
            advice: advice
        )
    }

    static func focus(_ status: CameraStatus) -> Check {
        guard status.isManualFocus == false else {
            let sentence =
                status.isManualFocus == true ? "Focus is on manual." : "The camera does not report its focus mode."
            return Check("focus", .pass, sentence)
        }
        return Check(
            "focus",
            .warn,
            "Focus is not manual. The camera focuses before each frame, and that may fail.",
            advice: "Set the focus to MF."
        )
    }

    static func saveTarget(_ status: CameraStatus, _ rules: Rules) -> Check {
        guard status.savesToHostAlone, !rules.keepsPictures else {
            let sentence =
                status.saveTarget.map { "Pictures are saved to: \($0)." }
                ?? "The camera does not report where it saves pictures."
            return Check("save-target", .pass, sentence)
        }
        // An RX100 VII on a phone's WiFi reports this and still stores on its card: its user skips the check.
        return Check(
            "save-target",
            .fail,
            "The camera saves pictures only to this computer, which does not keep them. Every picture would be lost.",
            advice: "Set its save target to the card, or set [transfer] policy to jpeg. If the camera also uses its "
                + "card: [preflight] skip = [\"save-target\"]."
        )
    }

    static func battery(_ status: CameraStatus) -> Check {
        guard let percent = status.batteryPercent else {
            return Check("battery", .pass, "The camera does not report its battery level.")
        }
        let sentence = "The battery is at \(percent) %."
        if percent <= batteryPercentEmpty {
            return Check("battery", .fail, sentence, advice: "Change the battery.")
        }
        guard percent < batteryPercentLow else {
            return Check("battery", .pass, sentence)
        }
        return Check("battery", .warn, sentence, advice: "Have a charged battery ready.")
    }

    /// A card with too little space would end a bracket during a set. The shoot is rejected, because nothing is lost
    /// yet. A user of a body that counts too low skips the check.
    static func shotsLeft(_ firing: Firing, _ status: CameraStatus) -> Check {
        guard let shots = status.shotsLeft else {
            return Check("shots-left", .pass, "The camera does not report the free space on its card.")
        }
        let planned = "\(firing.certain) \(firing.certain == 1 ? "is" : "are") planned"
        let room = shots == 0 ? "no more shots" : shots == 1 ? "1 shot" : "\(shots) shots"
        let sentence = "The card has space for \(room), and \(planned)."
        guard shots < firing.certain else {
            return Check("shots-left", .pass, sentence)
        }
        return Check(
            "shots-left",
            .fail,
            sentence,
            advice: "Change the card, delete pictures on it, or plan fewer frames."
        )
    }

    static func noiseReduction(_ firing: Firing, _ status: CameraStatus) -> Check {
        let times = firing.speeds.map(\.exposureTime).filter { $0 >= Estimate.noiseReductionFrom }
        switch status.noiseReduction {
        case .off:
            return Check("noise-reduction", .pass, "Long-exposure noise reduction is off.")
        case .on where !times.isEmpty:
            return Check(
                "noise-reduction",
                .warn,
                "Long-exposure noise reduction is on: dark frames add up to "
                    + "\(TimeText.text(times.reduce(.zero, +))).",
                advice: "If nothing may move between frames, turn it off in the camera's menu."
            )
        case .on:
            return Check(
                "noise-reduction",
                .pass,
                "Long-exposure noise reduction is on, but no exposure is long enough for it."
            )
        case .unknown:
            return Check("noise-reduction", .pass, "The camera does not report its long-exposure noise reduction.")
        }
    }
}
