import Cameras
import Exposure

package struct PreflightReport: Equatable, Sendable {
    /// The checks in the order of ``Preflight/names``.
    package var checks: [Check]
    /// The shoot whose missing frames a new shoot drops; nil: a new shoot drops no frames.
    package var drops: UnfinishedShoot?

    package var failing: [Check] { checks.filter { $0.result == .fail } }
    package var warnings: [Check] { checks.filter { $0.result == .warn } }

    /// The sentence and the advice of every failing check; nil: no check fails.
    package var failureSentence: String? {
        failing.isEmpty ? nil : failing.map(\.text).joined(separator: " ")
    }
}

/// The checks before a shoot.
package enum Preflight {
    private static let cameraNames = [
        "camera", "mode", "speeds", "iso-auto", "drive", "focus", "save-target", "battery", "shots-left",
        "noise-reduction",
    ]
    /// The names of the checks, in the order of the report.
    package static let names = ["link"] + cameraNames + ["ledger-space", "ledger", "last-shoot"]
    /// The name of the check of a bracket that finds its own range. The configuration cannot skip it.
    private static let meteringName = "metering"

    /// The data of a connected camera that the checks need.
    package struct Camera: Equatable, Sendable {
        package var identity: CameraIdentity
        package var status: CameraStatus
        /// The drive mode that the body reports; nil: the body reports none.
        package var drive: DriveMode?
        /// The learned times of this camera; nil: there are none.
        package var timing: TimingReport?
    }

    /// The frames to fire.
    package struct Firing: Equatable, Sendable {
        /// The camera on which a continued shoot began; nil: the shoot is new.
        package var camera: CameraIdentity?
        /// The speed of every frame, in the plan's order.
        package var speeds: [ShutterSpeed]
        /// The number of frames at the end of `speeds` that may have been fired already. They may need no more space on
        /// the card.
        package var doubtful = 0
        /// The sentences about the speeds that the camera changes in a new plan.
        package var changes: [String] = []
        /// Whether the bracket finds its own range. Only such a shoot has the check `metering`.
        package var findsRange = false
        /// The shoot whose missing frames are dropped; nil: no frames are dropped.
        package var drops: UnfinishedShoot?

        var certain: Int { speeds.count - doubtful }
    }

    package struct Ledger: Equatable, Sendable {
        package var mode: LedgerMode
        /// Why shoots are not recorded; nil: shoots are recorded.
        package var failureSentence: String?
        /// The free space on the ledger's disk; nil: not known.
        package var freeBytes: Int64?
    }

    package struct Rules: Equatable, Sendable {
        package var skipped: Set<String> = []
        /// The pictures that this computer keeps.
        package var policy = TransferPolicy.none
    }

    /// The conditions for the checks of a plan.
    struct Conditions {
        /// The connected camera; nil: no camera is connected.
        var camera: Camera?
        /// The sentence that says why no camera is connected.
        var absence: String
        var ledger: Ledger
        var rules: Rules
        /// The last shoot, if it has missing frames; nil: it has none.
        var unfinished: UnfinishedShoot?
    }

    /// The result of a check, with advice for the user.
    struct Finding: Sendable {
        let result: Check.Result
        let sentence: String
        var advice: String?

        static func pass(_ sentence: String) -> Self { Self(result: .pass, sentence: sentence) }
        static func skipped(_ sentence: String) -> Self { Self(result: .skipped, sentence: sentence) }
        static func warn(_ sentence: String, _ advice: String) -> Self {
            Self(result: .warn, sentence: sentence, advice: advice)
        }
        static func fail(_ sentence: String, _ advice: String? = nil) -> Self {
            Self(result: .fail, sentence: sentence, advice: advice)
        }
    }

    /// Makes all checks.
    static func report(_ firing: Firing, under conditions: Conditions) -> PreflightReport {
        let (rules, ledger) = (conditions.rules, conditions.ledger)
        let ofCamera =
            conditions.camera.map { findings(firing, on: $0, rules: rules) }
            ?? Array(repeating: CheckSentences.noCamera, count: cameraNames.count)
        let all =
            [link(conditions.camera, conditions.absence)] + ofCamera
            + [space(ledger), self.ledger(ledger), lastShoot(firing)]
            + (firing.findsRange ? [metering(conditions.camera?.status, rules)] : [])
        let drops = rules.skipped.contains("last-shoot") ? nil : firing.drops
        let checks = checks(names + [meteringName], all, rules, ledger.mode)
        return PreflightReport(checks: checks, drops: drops)
    }

    /// The failing checks that prevent a shoot from continuing after its camera is connected again.
    static func failedChecks(_ firing: Firing, on camera: Camera, rules: Rules) -> [Check] {
        let checks = checks(cameraNames, findings(firing, on: camera, rules: rules), rules, .bestEffort)
        return PreflightReport(checks: checks).failing
    }

    /// The failing checks that keep a camera in the connection's mode check. They do not depend on a plan.
    static func failedModeChecks(_ status: CameraStatus) -> [Check] {
        let findings = [("mode", mode(status)), ("speeds", offer(status))]
        return findings.compactMap { name, finding in finding.map { Check(name, $0) } }.filter { $0.result == .fail }
    }

    /// Makes the checks from the findings. The configuration cannot skip a failing mode check or a required ledger.
    private static func checks(
        _ names: some Sequence<String>,
        _ findings: [Finding],
        _ rules: Rules,
        _ ledger: LedgerMode
    ) -> [Check] {
        zip(names, findings).map { name, finding in
            let mayLeaveOut = (name != "ledger" || ledger != .required) && (name != "mode" || finding.result != .fail)
            let isLeftOut = rules.skipped.contains(name) && mayLeaveOut
            return Check(name, isLeftOut ? CheckSentences.skipped : finding)
        }
    }

    /// The results of the camera's checks, in the order of `cameraNames`.
    private static func findings(_ firing: Firing, on camera: Camera, rules: Rules) -> [Finding] {
        let status = camera.status
        return [
            body(firing, camera.identity), mode(status), speeds(firing, status), iso(status), drive(camera.drive),
            focus(status), saveTarget(status, rules), battery(status), shotsLeft(firing, status),
            noiseReduction(firing, status),
        ]
    }
}

extension Check {
    init(_ name: String, _ finding: Preflight.Finding) {
        self.init(name, finding.result, finding.sentence, advice: finding.advice)
    }
}
