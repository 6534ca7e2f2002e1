import Cameras
import Exposure

package struct PreflightReport: Equatable, Sendable {
    /// In the order of ``Preflight/names``.
    package var checks: [Check]
    /// The shoot whose missing frames a new shoot drops; nil: none.
    package var drops: UnfinishedShoot?

    package var failing: [Check] { checks.filter { $0.result == .fail } }
    package var warnings: [Check] { checks.filter { $0.result == .warn } }

    /// Sentence and advice of every check that fails; nil: none fails.
    package var obstacle: String? {
        failing.isEmpty ? nil : failing.map(\.text).joined(separator: " ")
    }

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
    /// A connected camera, as far as the checks need it.
    package struct Camera: Equatable, Sendable {
        package var identity: CameraIdentity
        package var status: CameraStatus
        /// The drive mode as the body reports it; nil: it reports none.
        package var drive: String?
        /// The learned times of this camera.
        package var timing: TimingReport?
    }

    /// The frames to fire.
    package struct Firing: Equatable, Sendable {
        /// The camera on which a shoot began that continues; nil: a new shoot.
        package var camera: CameraIdentity?
        /// The speed of every frame, in the plan's order.
        package var speeds: [ShutterSpeed]
        /// The number of frames that may have been fired already: the last of `speeds`. They may need no space on the
        /// card.
        package var doubtful: Int
        /// What the camera changes in a new plan.
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

    package struct Ledger: Equatable, Sendable {
        package var mode: LedgerMode
        /// The reason why shoots are not recorded; nil: they are.
        package var trouble: String?
        /// The free space on its disk; nil: not known.
        package var freeBytes: Int64?
    }

    package struct Rules: Equatable, Sendable {
        package var skipped: Set<String> = []
        /// Whether this computer stores the pictures that the camera transfers.
        package var keepsPictures = false
    }

    /// Every check.
    ///
    /// - Parameters:
    ///   - camera: nil: none is connected.
    ///   - absence: a sentence that says why there is no camera.
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

    /// The failing checks that keep a shoot from continuing on a camera that is connected again.
    package static func hindrances(_ firing: Firing, on camera: Camera, rules: Rules) -> [Check] {
        let checks = ofCamera(firing, on: camera, rules: rules).map { leavingOut($0, rules, .bestEffort) }
        return PreflightReport(checks: checks).failing
    }

    /// The failing checks that keep a camera in the connection's mode check, for every plan.
    static func unfitness(_ status: CameraStatus) -> [Check] {
        [mode(status), offer(status)].compactMap(\.self).filter { $0.result == .fail }
    }

    /// The configuration cannot skip the ledger in mode `required`, nor the checks of the connection's mode check.
    private static func leavingOut(_ check: Check, _ rules: Rules, _ mode: LedgerMode) -> Check {
        guard rules.skipped.contains(check.name), check.name != "ledger" || mode != .required,
            check.name != "mode" || check.result != .fail
        else { return check }
        return Check(check.name, .skipped, "Skipped by the configuration.")
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
