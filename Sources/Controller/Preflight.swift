import Cameras
import Exposure

/// All checks before a shoot.
package struct PreflightReport: Equatable, Sendable {
    /// In the order of ``Preflight/names``.
    package var checks: [Check]
    /// The shoot whose missing frames a new shoot drops; nil: none.
    package var drops: UnfinishedShoot?

    package init(checks: [Check], drops: UnfinishedShoot? = nil) {
        self.checks = checks
        self.drops = drops
    }

    package var failing: [Check] { checks.filter { $0.result == .fail } }
    package var warnings: [Check] { checks.filter { $0.result == .warn } }

    /// What is wrong and what to do about it, of every check that fails; nil: none does.
    package var obstacle: String? {
        failing.isEmpty ? nil : failing.map(\.text).joined(separator: " ")
    }

    /// One sentence about all of it.
    package var sentence: String {
        if let obstacle { return "Not ready to shoot: \(obstacle)" }
        switch warnings.count {
        case 0: return "Ready to shoot."
        case 1: return "Ready to shoot, with 1 warning."
        default: return "Ready to shoot, with \(warnings.count) warnings."
        }
    }
}

extension Preflight {
    /// A connected camera, as far as the checks look at it.
    package struct Camera: Equatable, Sendable {
        package var identity: CameraIdentity
        package var status: CameraStatus
        /// The body's own word; nil: it does not say.
        package var drive: String?
        /// What was learned of how long it takes.
        package var timing: TimingReport?

        package init(
            identity: CameraIdentity,
            status: CameraStatus,
            drive: String? = nil,
            timing: TimingReport? = nil
        ) {
            self.identity = identity
            self.status = status
            self.drive = drive
            self.timing = timing
        }
    }

    /// What is to be fired.
    package struct Firing: Equatable, Sendable {
        /// The body that a shoot which goes on began on; nil: it begins.
        package var camera: CameraIdentity?
        /// Of every frame, in the plan's order.
        package var speeds: [ShutterSpeed]
        /// Frames that may have been fired already: the last of `speeds`. They take no room for certain.
        package var doubtful: Int
        /// What the camera changes about a plan that begins.
        package var changes: [String]
        /// The shoot whose missing frames are dropped; nil: none.
        package var drops: UnfinishedShoot?

        package init(
            camera: CameraIdentity? = nil,
            speeds: [ShutterSpeed],
            doubtful: Int = 0,
            changes: [String] = [],
            drops: UnfinishedShoot? = nil
        ) {
            precondition(0...speeds.count ~= doubtful, "doubtful frames are frames")
            self.camera = camera
            self.speeds = speeds
            self.doubtful = doubtful
            self.changes = changes
            self.drops = drops
        }

        var certain: Int { speeds.count - doubtful }
    }

    /// How it stands with the ledger.
    package struct Ledger: Equatable, Sendable {
        package var mode: LedgerMode
        /// What keeps shoots from being recorded; nil: nothing.
        package var trouble: String?
        /// What its disk has room for; nil: not known.
        package var freeBytes: Int64?

        package init(mode: LedgerMode, trouble: String? = nil, freeBytes: Int64? = nil) {
            self.mode = mode
            self.trouble = trouble
            self.freeBytes = freeBytes
        }
    }

    /// What the configuration says of the checks.
    package struct Rules: Equatable, Sendable {
        package var skipped: Set<String>
        /// Whether the pictures that the camera hands over are stored here.
        package var keepsPictures: Bool

        package init(skipped: Set<String> = [], keepsPictures: Bool = false) {
            self.skipped = skipped
            self.keepsPictures = keepsPictures
        }
    }

    /// Every check.
    ///
    /// - Parameters:
    ///   - camera: nil: none is connected.
    ///   - absence: why there is no camera, in a sentence.
    package static func report(
        _ firing: Firing,
        on camera: Camera?,
        absence: String,
        ledger: Ledger,
        rules: Rules
    ) -> PreflightReport {
        var checks = [link(camera, absence)]
        if let camera {
            checks += ofCamera(firing, on: camera, rules: rules)
        } else {
            checks += names.dropFirst().prefix { $0 != "ledger-space" }.map {
                Check($0, .skipped, "Not checked: no camera is connected.")
            }
        }
        checks += [space(ledger), self.ledger(ledger), lastShoot(firing)]
        let drops = rules.skipped.contains("last-shoot") ? nil : firing.drops
        return PreflightReport(checks: checks.map { leavingOut($0, rules, ledger.mode) }, drops: drops)
    }

    /// The failing checks that keep a shoot from continuing on a camera that came back.
    package static func hindrances(_ firing: Firing, on camera: Camera, rules: Rules) -> [Check] {
        let checks = ofCamera(firing, on: camera, rules: rules).map { leavingOut($0, rules, .bestEffort) }
        return PreflightReport(checks: checks).failing
    }

    /// The failing checks that keep a camera in the connection's mode check, whatever is to be fired.
    static func unfitness(_ status: CameraStatus) -> [Check] {
        [mode(status), offer(status)].compactMap(\.self).filter { $0.result == .fail }
    }

    /// Nothing is fired without a ledger that is required, nor with a camera that the mode check holds, whatever is
    /// left out.
    private static func leavingOut(_ check: Check, _ rules: Rules, _ mode: LedgerMode) -> Check {
        guard rules.skipped.contains(check.name), check.name != "ledger" || mode != .required,
            check.name != "mode" || check.result != .fail
        else { return check }
        return Check(check.name, .skipped, "Left out by the configuration.")
    }

    private static func ofCamera(_ firing: Firing, on camera: Camera, rules: Rules) -> [Check] {
        let status = camera.status
        return [
            body(firing, camera.identity), mode(status), speeds(firing, status), iso(status), drive(camera.drive),
            focus(status), saveTarget(status, rules), battery(status), shotsLeft(firing, status),
            noiseReduction(firing, status),
        ]
    }
}

// MARK: The camera

extension Preflight {
    /// Below this a battery is worth a warning.
    package static let batteryPercentLow = 15
    /// At this and below a body turns itself off in the middle of a set.
    package static let batteryPercentEmpty = 5

    private static func link(_ camera: Camera?, _ absence: String) -> Check {
        guard let camera else { return Check("link", .fail, absence) }
        return Check("link", .pass, "\(camera.identity.name) is connected.")
    }

    private static func body(_ firing: Firing, _ identity: CameraIdentity) -> Check {
        guard let began = firing.camera, !began.id.isEmpty, began.id != identity.id else {
            return Check("camera", .pass, "It is \(identity.name).")
        }
        return Check(
            "camera",
            .fail,
            "The shoot began on \(began.name) (\(began.id)), and \(identity.name) (\(identity.id)) is "
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
                "The mode dial is on S: the camera answers a new speed with another aperture, so all frames may come "
                + "out equally bright."
            return Check("mode", .warn, sentence, advice: advice)
        case .aperturePriority, .program, .other:
            return Check("mode", .fail, "The mode dial is on \(status.mode).", advice: advice)
        }
    }

    /// nil: the camera offers speeds.
    private static func offer(_ status: CameraStatus) -> Check? {
        guard status.speeds.isEmpty else { return nil }
        guard mode(status).result != .fail else {
            return Check("speeds", .skipped, "Not checked: the camera offers no shutter speeds in this mode.")
        }
        let advice = "Leave its menus and picture review."
        return Check("speeds", .fail, "The camera offers no shutter speeds now.", advice: advice)
    }

    private static func speeds(_ firing: Firing, _ status: CameraStatus) -> Check {
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
                advice: "To refuse such a plan: --strict."
            )
        }
        return Check("speeds", .pass, "The camera offers every speed of the plan.")
    }

    private static func iso(_ status: CameraStatus) -> Check {
        guard status.isISOAuto == true else {
            let sentence = status.iso.map { "ISO is \($0)." } ?? "The camera does not say its ISO."
            return Check("iso-auto", .pass, sentence)
        }
        return Check(
            "iso-auto",
            .warn,
            "ISO is on auto: the camera may answer a new speed with another ISO.",
            advice: "Set a fixed one."
        )
    }

    /// Drive modes in which a press fires more than one frame, later, or with another exposure, by their first word.
    private static let drivesUnfit = [
        "continuous", "bracket", "self-timer", "self-portrait", "time-lapse", "spot", "mirror",
    ]

    private static func drive(_ drive: String?) -> Check {
        guard let drive else {
            return Check("drive", .pass, "The camera does not say its drive mode.")
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

    private static func focus(_ status: CameraStatus) -> Check {
        guard status.isManualFocus == false else {
            let sentence =
                status.isManualFocus == true ? "Focus is on manual." : "The camera does not say how it focuses."
            return Check("focus", .pass, sentence)
        }
        return Check(
            "focus",
            .warn,
            "Focus is not on manual: each frame is focused again and may fail.",
            advice: "Set MF."
        )
    }

    private static func saveTarget(_ status: CameraStatus, _ rules: Rules) -> Check {
        guard status.savesToHostAlone, !rules.keepsPictures else {
            let sentence = status.saveTarget.map { "Pictures go to: \($0)." } ?? "The camera does not say where to."
            return Check("save-target", .pass, sentence)
        }
        // An RX100 VII on a phone's WiFi shows this and stores on its card all the same: its owner skips the check.
        return Check(
            "save-target",
            .fail,
            "The camera saves to this computer alone, and no pictures are kept here: every picture would be lost.",
            advice: "Set its save target to the card, or [transfer] policy to jpeg. For a body that uses its card "
                + "all the same: [preflight] skip = [\"save-target\"]."
        )
    }

    private static func battery(_ status: CameraStatus) -> Check {
        guard let percent = status.batteryPercent else {
            return Check("battery", .pass, "The camera does not say its charge.")
        }
        let sentence = "The battery is at \(percent) %."
        if percent <= batteryPercentEmpty {
            return Check("battery", .fail, sentence, advice: "Change it.")
        }
        guard percent < batteryPercentLow else {
            return Check("battery", .pass, sentence)
        }
        return Check("battery", .warn, sentence, advice: "Have another at hand.")
    }

    /// A card that takes fewer frames than are planned leaves a bracket that ends in the middle of a set: that is
    /// refused, for nothing is lost yet. Who knows the body's count to be too low leaves the check out.
    private static func shotsLeft(_ firing: Firing, _ status: CameraStatus) -> Check {
        guard let shots = status.shotsLeft else {
            return Check("shots-left", .pass, "The camera does not say its room.")
        }
        let planned = "\(firing.certain) \(firing.certain == 1 ? "is" : "are") planned"
        let room = shots == 0 ? "no more shots" : shots == 1 ? "1 shot" : "\(shots) shots"
        let sentence = "The card has room for \(room), and \(planned)."
        guard shots < firing.certain else {
            return Check("shots-left", .pass, sentence)
        }
        return Check(
            "shots-left",
            .fail,
            sentence,
            advice: "Change the card, free room on it, or plan fewer frames."
        )
    }

    private static func noiseReduction(_ firing: Firing, _ status: CameraStatus) -> Check {
        let times = firing.speeds.map(\.exposureTime).filter { $0 >= Estimate.noiseReductionFrom }
        switch status.noiseReduction {
        case .off:
            return Check("noise-reduction", .pass, "It is off.")
        case .on where !times.isEmpty:
            return Check(
                "noise-reduction",
                .warn,
                "Long-exposure noise reduction is on: dark frames add up to "
                    + "\(TimeText.text(times.reduce(.zero, +))).",
                advice: "Turn it off in the camera's menu if nothing may move meanwhile."
            )
        case .on:
            return Check(
                "noise-reduction",
                .pass,
                "It is on, and no exposure is long enough for it."
            )
        case .unknown:
            return Check("noise-reduction", .pass, "The camera does not say.")
        }
    }
}

// MARK: The last shoot

extension Preflight {
    /// The command of bracketctl that begins a shoot and drops the frames that the last one lacks.
    package static let shootConsent = "shoot --drop"

    /// What to do about frames that another shoot would drop.
    ///
    /// - Parameter consent: the command of bracketctl that drops them.
    package static func dropAdvice(_ consent: String) -> String {
        "To fire them: bracketctl retry. To drop them: bracketctl \(consent), or bracketctl dismiss."
    }

    /// How many frames a shoot lacks.
    package static func missing(of shoot: UnfinishedShoot) -> String {
        "Shoot \(shoot.id) lacks \(shoot.missing) of \(shoot.total) exposures."
    }

    /// Only a warning: the user may want them dropped.
    private static func lastShoot(_ firing: Firing) -> Check {
        guard let shoot = firing.drops else { return Check("last-shoot", .pass, "No missing frames are dropped.") }
        return Check(
            "last-shoot",
            .warn,
            "\(missing(of: shoot)) A new shoot drops them.",
            advice: dropAdvice(shootConsent)
        )
    }
}

// MARK: The ledger

extension Preflight {
    /// Below this much room for the ledger is worth a warning: about two thousand shoots.
    package static let freeBytesLow: Int64 = 16_000_000
    /// Below this a commit may not fit.
    package static let freeBytesEmpty: Int64 = 1_000_000

    private static func space(_ ledger: Ledger) -> Check {
        guard ledger.mode != .off else {
            return Check("ledger-space", .pass, "No ledger is kept.")
        }
        guard let free = ledger.freeBytes else {
            return Check("ledger-space", .pass, "The room on its disk is not known.")
        }
        let sentence = "The ledger's disk has \(ByteText.text(UInt64(clamping: free))) left."
        guard free < freeBytesLow else {
            return Check("ledger-space", .pass, sentence)
        }
        return Check(
            "ledger-space",
            .warn,
            sentence,
            advice: "Make room there before a long shoot."
        )
    }

    private static func ledger(_ ledger: Ledger) -> Check {
        if ledger.mode == .off {
            return Check(
                "ledger",
                .warn,
                "No ledger is kept: nothing of a shoot survives a crash.",
                advice: "Set mode = \"required\" under [ledger]."
            )
        }
        guard let trouble = ledger.trouble else {
            return Check("ledger", .pass, "The ledger is open.")
        }
        return Check(
            "ledger",
            ledger.mode == .required ? .fail : .warn,
            trouble,
            advice: ledger.mode == .required
                ? "Put it right, or set mode = \"best-effort\" under [ledger] to fire without." : "Put it right."
        )
    }
}
