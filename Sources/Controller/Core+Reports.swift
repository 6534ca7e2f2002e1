import Cameras
import Exposure
import Statecharts

// What people are told: progress, and the one sentence about everything.

extension Core {
    /// What is reported once for each input.
    var report: Publisher.Report {
        // That other addresses are tried in the meantime does not change which way counts.
        Publisher.Report(
            route: network.machine.behavior.watchedAddress ?? requests.choice?.address ?? configuration.cameraAddress
                ?? connection.machine.behavior.address,
            cameras: subscriptions.contains(.cameras) ? cameraEntries : nil,
            status: statusSentence,
            lamp: lampSign
        )
    }

    // MARK: Progress

    /// Where the shoot stands; nil when there is none.
    var progress: Progress? {
        let model = shooting.chart.machine.behavior
        guard let shoot = model.shoot else { return nil }
        let position = shoot.frame?.position
        var progress = Progress(
            shoot: shoot.id,
            captured: shoot.captured,
            total: shoot.total,
            set: position?.set,
            frame: position?.frame,
            speed: shoot.frame?.speed.label,
            phase: shooting.chart.state,
            sentence: shootSentence
        )
        progress.exposureLeft = shooting.countedExposure
        progress.outcome = outcome
        if progress.outcome != nil { progress.cause = shoot.remark }
        return progress
    }

    /// The last word to those who follow a shoot that the daemon's stop cuts off.
    var stoppedProgress: Progress? {
        guard shooting.chart.isActive(.active), var progress, var shoot = shooting.shoot else {
            return nil
        }
        shoot.interrupt()
        progress.exposureLeft = nil
        progress.outcome = .interrupted
        progress.sentence = shoot.sentence
        let rest =
            configuration.ledger == .off
            ? "What is missing is forgotten." : "What is missing can be fired when it runs again: bracketctl resume."
        progress.cause = "The daemon was stopped. \(rest)"
        return progress
    }

    /// Whether a camera is connected, nothing is being fired and nothing waits for the disk.
    package var isAtRest: Bool {
        connection.isActive(.connected) && shooting.chart.isActive(.resting)
            && records.chart.isActive(.ready)
    }

    package var outcome: ShootOutcome? { shooting.outcome }

    /// One sentence about the shoot.
    private var shootSentence: String {
        let model = shooting.chart.machine.behavior
        guard let shoot = model.shoot else { return "No shoot." }
        let place = shoot.frame?.place ?? "The shoot"
        let count = "\(shoot.captured) of \(shoot.total) exposures captured."
        switch shooting.chart.machine.mainState {
        case .idle, .betweenFrames: return count
        case .completed, .partial, .cancelled: return shoot.sentence
        case .interrupted: return leftSentence(shoot)
        case .recordingShoot: return "\(place): preparing. \(count)"
        case .recordingFrame: return "\(place): about to expose. \(count)"
        case .shootDelayed, .frameDelayed: return "\(place): waiting for the ledger's disk. \(count)"
        case .unrecorded: return "Paused (not-recorded): \(model.refusalSentence) \(count)"
        case .settingSpeed: return "\(place): setting the speed. \(count)"
        case .confirmingSpeed: return "\(place): waiting for the camera to confirm the speed. \(count)"
        case .capturing: return "\(place): exposing.\(shooting.wishSentence) \(count)"
        case .waitingForIdle: return "\(place): the camera is saving.\(shooting.wishSentence) \(count)"
        case .storing: return "\(place): waiting until its picture is on the disk.\(shooting.wishSentence) \(count)"
        case .verifying: return "Waiting for the last pictures of the set. \(count)"
        case .holdingOff: return "\(place): the camera is busy. \(count)"
        case .byCommand: return "Paused by command. \(count)"
        case .linkLost: return "Paused (link-lost): \(waitSentence) \(count)"
        case .wifiSwitched: return "Paused (wifi-switched): \(waitSentence) \(count)"
        case .cameraNotFit: return "Paused (camera-not-fit): \(waitSentence) \(count)"
        case .awaitingCamera: return "\(place): the shutter may have fired. \(waitSentence) \(count)"
        case .resolvingDoubt:
            // A shoot that is gone on with after its end was not interrupted by anything.
            let wait = waitSentence.isEmpty ? "The camera is asked." : waitSentence
            let doubt = shoot.isPictureOwed ? "its picture is not stored yet" : "the shutter may have fired"
            return "\(place): \(doubt). \(wait) \(count)"
        default: return count
        }
    }

    /// Why the shoot waits for the camera: what stopped it, or what a camera that is back lacks.
    private var waitSentence: String {
        let trouble = connection.isActive(.modeCheck) ? connection.machine.behavior.trouble : nil
        // Back on its network, what is missing is the camera.
        let wasAway = shooting.chart.isActive(.wifiSwitched) || shooting.chart.machine.behavior.isAway()
        if wasAway, network.isActive(.joined), trouble == nil, !connection.isActive(.connected) {
            return absenceSentence
        }
        return trouble ?? shooting.chart.machine.behavior.interruptionSentence
    }

    // MARK: Time

    /// What was learned of the connected body over its link; nil: nothing, or there is none.
    var timingReport: TimingReport? { timedRoute.flatMap { shooting.timings.report(on: $0) } }

    var timedRoute: RecentTimings.Route? {
        let model = connection.machine.behavior
        guard connection.isActive(.online), let identity = model.identity, let address = model.address else {
            return nil
        }
        return RecentTimings.Route(cameraID: identity.id, link: address.host)
    }

    /// Shorter exposures are over before a person could count them.
    package static let countedExposureMin = Duration.seconds(2)

    /// The progress with the times that are left now.
    func timed(_ progress: Progress, at now: Duration) -> Progress {
        let model = shooting.chart.machine.behavior
        guard shooting.chart.isActive(.active), let shoot = model.shoot else { return progress }
        var progress = progress
        let open = min(now - shooting.lastRelease, shooting.countedExposure ?? .zero)
        progress.exposureLeft = shooting.countedExposure.map { $0 - open }
        let camera = checkedCamera
        let estimate = Estimate(
            speeds: shoot.speedsLeft,
            learned: camera?.timing?.learned,
            noiseReduction: model.camera?.noiseReduction == .on ? .possible : .off,
            stepping: camera?.stepping
        )
        progress.remaining = max(.zero, estimate.longest - open)
        return progress
    }

    // MARK: Status

    package var statusReport: StatusReport {
        StatusReport(
            sentence: statusSentence,
            charts: ChartEntry.charts.compactMap { $0.report(self) },
            camera: connection.isActive(.online) ? connection.machine.behavior.name : nil,
            shoot: progress,
            armed: button.isActive(.present) ? armedSentence : nil
        )
    }

    /// One sentence about everything: the shoot while there is one, else the camera.
    var statusSentence: String {
        let sentences =
            connection.isActive(.running)
            ? [mainSentence, recordSentence, shooting.settingsSentence, transferSentence] : [mainSentence]
        return sentences.compactMap(\.self).joined(separator: " ")
    }

    /// What a person should know of the ledger, where nothing else says it.
    private var recordSentence: String? {
        shooting.chart.isActive(.unrecorded) || records.chart.isActive(.opening) ? nil : records.sentence
    }

    private var mainSentence: String {
        if shooting.isStopping || !connection.machine.isRunning || connection.isActive(.disconnecting) {
            return "Stopping."
        }
        if service.isActive(.finishingFrame) { return "Stopping when this frame is over. \(shootSentence)" }
        if shooting.chart.isActive(.active) { return shootSentence }
        guard connection.isActive(.connected) else { return absenceSentence }
        let ready = "\(connection.machine.behavior.name ?? "The camera") is ready."
        guard let shoot = shooting.shoot, outcome != nil else { return ready }
        return "\(shooting.chart.isActive(.interrupted) ? leftSentence(shoot) : shoot.fullSentence) \(ready)"
    }

    /// What an earlier run of the daemon left.
    private func leftSentence(_ shoot: Shoot) -> String {
        switch shoot.left {
        case .cancelled: "Cancelled. \(shoot.fullSentence) bracketctl retry goes on with what is missing."
        case .partial: "\(shoot.fullSentence) bracketctl retry goes on with what is missing."
        default: "Interrupted. \(shoot.fullSentence) bracketctl resume goes on with what is missing."
        }
    }

    /// Why somebody who wants to shoot now cannot.
    var refusalSentence: String {
        switch connection.machine.mainState {
        case .connected: "The camera has just been connected: ask again."
        case .refused: "\(connection.machine.behavior.trouble ?? "") Trying again now: ask once more in a moment."
        default: absenceSentence
        }
    }

    /// Why there is no camera to shoot with, and what is being done about it.
    var absenceSentence: String {
        let model = connection.machine.behavior
        let trouble = model.trouble.map { "\($0) " } ?? ""
        switch connection.machine.mainState {
        case .discovering:
            if isAimless { return SearchGoal.aimlessSentence }
            let isNamed = configuration.cameraAddress != nil || requests.choice != nil || goal.wantedCamera != nil
            let reason = missingInterface.map { "\($0) " } ?? trouble
            return isNamed ? "\(reason)Looking for the camera." : "\(reason)Looking for a camera.\(unfitSentence ?? "")"
        case .connecting:
            return "\(trouble)Connecting to \(model.address?.description ?? "the camera")."
        case .modeCheck: return model.trouble ?? "Checking the camera's mode."
        case .connected: return "The camera is connected."
        case .reconnecting, .backingOff: return "\(trouble)Trying again by itself."
        case .dismissing, .releasing, .changing: return "\(trouble)Letting go of the camera."
        case .released:
            return hasCameraToReturnTo
                ? "The camera was let go: bracketctl connect --last connects to it again."
                : "No camera is looked for by order: bracketctl connect ADDRESS names one."
        case .refused: return "\(trouble)It is tried again when somebody wants to shoot."
        case .offNetwork: return missingInterface ?? model.trouble ?? "The computer left the camera's network."
        default: return "Stopping."
        }
    }

    /// Whether `connect --last` has a camera to connect to.
    package var hasCameraToReturnTo: Bool { !finder.cameras.known.isEmpty || configuration.cameraAddress != nil }

    /// How the shoot ended that an earlier run of the daemon left; nil: there is none.
    package var leftOutcome: ShootOutcome? {
        shooting.chart.isActive(.interrupted) ? shooting.shoot?.left : nil
    }

    /// Whether there is no camera to be connected to, whatever happens.
    var isAimless: Bool { !goal.isSearched && goal.addresses(of: finder.cameras).isEmpty }

    /// Whoever is there and cannot be driven.
    private var unfitSentence: String? {
        let unfit = cameraEntries.first { $0.state == .unfit }
        return unfit.flatMap { camera in camera.remark.map { " \(camera.name) is there. \($0)" } }
    }

    /// The search keeps to an interface that this computer does not have.
    private var missingInterface: String? {
        guard let name = configuration.search.interface, let snapshot = network.machine.behavior.snapshot,
            !snapshot.interfaces.contains(where: { $0.name == name })
        else { return nil }
        return "This computer has no interface \"\(name)\", which interface under [camera] names."
    }
}
