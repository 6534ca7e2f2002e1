import Cameras
import Exposure
import Statecharts

// Reports to users: progress, and the one sentence of the status.

extension Core {
    /// The reports of one input.
    var report: Publisher.Report {
        // The host watches one route, even while the connection tries other addresses.
        Publisher.Report(
            route: network.machine.behavior.watchedAddress ?? requests.choice?.address ?? cameraAddress
                ?? connection.machine.behavior.address,
            cameras: subscriptions.contains(.cameras) ? cameraEntries : nil,
            status: statusSentence,
            lamp: lampSignal
        )
    }

    /// Whether a camera is connected, no shoot runs, and the ledger has nothing to write.
    package var isAtRest: Bool {
        connection.isActive(.connected) && shooting.chart.isActive(.inactive)
            && records.chart.isActive(.ready)
    }

    /// The sentence about exposures that the ledger lost; nil: it lost none. After a loss the shoot does not continue.
    package var recordContradiction: String? { shooting.recordContradiction(cameraView) }

    // MARK: Status

    package var statusReport: StatusReport {
        let facts = shootFacts
        return StatusReport(
            sentence: statusSentence,
            charts: ChartEntry.charts.compactMap { $0.report(self) },
            camera: connection.isActive(.online) ? connection.machine.behavior.name : nil,
            shoot: shooting.progress(facts),
            armed: button.chart.isActive(.present) ? shooting.armedSentence(facts) : nil
        )
    }

    /// The report with the remaining times of the shoot, and the time until the next wave of the search.
    ///
    /// The published status has no times, because it would change without an input.
    func timedStatusReport(at now: Duration) -> StatusReport {
        var report = statusReport
        report.shoot = report.shoot.map { shooting.timed($0, shootFacts, at: now) }
        // A particular camera is also tried between the waves.
        if connection.machine.behavior.isGoalOpen, let next = finder.nextWave {
            report.nextSearch = next - now
            report.sentence += " " + StatusSentences.nextSearch(in: next - now)
        }
        return report
    }

    /// The text of the status. It starts with the active shoot, or else with the camera.
    var statusSentence: String {
        guard connection.isActive(.running) else { return mainSentence }
        let pictureSentence = pictures.sentence(pictureFacts)
        let sentences = [mainSentence, recordSentence, shooting.settingsSentence, pictureSentence]
        return sentences.compactMap(\.self).joined(separator: " ")
    }

    /// The state of the ledger; nil: the ledger works, or another sentence already reports its state.
    private var recordSentence: String? {
        shooting.chart.isActive(.unrecorded) || records.chart.isActive(.opening) ? nil : records.sentence
    }

    private var mainSentence: String {
        let service = service.view
        if service.isLeaving { return StatusSentences.stopping }
        if service.state == .finishingFrame {
            return StatusSentences.stoppingAfterFrame(shooting.sentence(shootFacts))
        }
        if shooting.chart.isActive(.active) { return shooting.sentence(shootFacts) }
        guard connection.isActive(.connected) else { return absenceSentence }
        let ready = CameraSentences.ready(connection.machine.behavior.name)
        guard let shoot = shooting.shoot, shooting.outcome != nil else { return ready }
        let isLeft = shooting.chart.isActive(.interrupted)
        return "\(isLeft ? shooting.leftSentence(shoot) : shoot.fullSentence) \(ready)"
    }

    /// Why a new shoot is refused now.
    var refusalSentence: String {
        switch connection.machine.mainState {
        case .connected: StatusSentences.justConnected
        case .refused: StatusSentences.tryingAgainNow(after: connection.machine.behavior.absenceReason)
        default: absenceSentence
        }
    }

    /// Why no camera is connected, and what the daemon does about it.
    var absenceSentence: String {
        let model = connection.machine.behavior
        let reason = model.absenceReason
        return switch connection.machine.mainState {
        case .discovering: searchSentence
        case .connecting:
            StatusSentences.connecting(to: model.address, after: reason, mayAsk: session.isConfirmationAwaited)
        case .modeCheck: reason ?? StatusSentences.checkingMode
        case .connected: CameraSentences.connected(nil)
        case .reconnecting, .backingOff: StatusSentences.tryingAgain(after: reason)
        case .dismissing, .releasing, .changing: StatusSentences.disconnecting(after: reason)
        case .released: hasCameraToReturnTo ? StatusSentences.disconnected : StatusSentences.searchOff
        case .refused: StatusSentences.refused(reason)
        case .offNetwork: missingInterface ?? reason ?? NetworkDeparture.elsewhere(from: nil, to: nil).sentence
        default: StatusSentences.stopping
        }
    }

    private var searchSentence: String {
        if hasNoTarget { return SearchSentences.noTarget }
        let isNamed = cameraAddress != nil || requests.choice != nil || goal.wantedCamera != nil
        let reason = missingInterface ?? connection.machine.behavior.absenceReason
        if let address = finder.addressToConfirm {
            return StatusSentences.connecting(to: address, after: reason, mayAsk: true)
        }
        return isNamed
            ? StatusSentences.searchingForTheCamera(after: reason)
            : StatusSentences.searchingForAnyCamera(after: reason, unfitSentence)
    }

    /// Whether `connect --last` has a camera to connect to.
    package var hasCameraToReturnTo: Bool { !finder.cameras.known.isEmpty || cameraAddress != nil }

    /// The outcome of a shoot that an earlier run of the daemon did not finish; nil: there is no such shoot.
    package var leftOutcome: ShootOutcome? {
        shooting.chart.isActive(.interrupted) ? shooting.shoot?.left : nil
    }

    /// Whether the search is off, and no address to connect to is known.
    var hasNoTarget: Bool { !goal.isSearched && goal.addresses(of: finder.cameras).isEmpty }

    /// The sentence about a camera on the network that cannot be used now; nil: there is no such camera.
    private var unfitSentence: String? {
        let unfit = cameraEntries.first { $0.state == .unfit }
        return unfit.flatMap { camera in camera.remark.map { StatusSentences.unfitCamera(camera.name, $0) } }
    }

    /// The sentence about the only interface for the search, if this computer does not have it; nil otherwise.
    private var missingInterface: String? {
        guard let name = searchRules.interface, let snapshot = network.machine.behavior.snapshot,
            !snapshot.interfaces.contains(where: { $0.name == name })
        else { return nil }
        return NetworkSentences.missingInterface(name)
    }

    // MARK: Checks

    /// The checks of the daemon, the machine and the network.
    func checks(_ findings: HostFindings) -> [Check] {
        findings.machine + [records.check] + findings.network + cameraChecks
    }

    /// The checks of the connection, and of the camera settings that a paused shoot needs.
    ///
    /// Preflight checks the other settings of the camera.
    private var cameraChecks: [Check] {
        let model = connection.machine.behavior
        guard connection.isActive(.online), let status = model.status else {
            // After `disconnect` a missing camera is intended, so it is not a failure.
            let isIntended = connection.isActive(.released)
            let sentence = isIntended ? releaseReason : absenceSentence
            return [Check("camera", isIntended ? .warn : .fail, sentence, advice: cameraAdvice)]
        }
        let isConnected = Check("camera", .pass, CameraSentences.connected(model.name))
        guard shooting.chart.isActive(.cameraNotFit), Preflight.failedModeChecks(status).isEmpty else {
            return [isConnected]
        }
        return [isConnected]
            + model.failedChecks.map {
                Check("shoot", .fail, CheckSentences.shootCannotContinue($0.sentence), advice: $0.advice)
            }
    }

    /// Why no camera is connected after `disconnect`, without the advice that the status adds.
    private var releaseReason: String {
        hasCameraToReturnTo ? StatusSentences.disconnectedByCommand : StatusSentences.searchOffByCommand
    }

    /// The advice about a camera that is not connected; nil: the sentence of the status already says what to do.
    private var cameraAdvice: String? {
        switch connection.machine.mainState {
        case .discovering where hasNoTarget: CheckSentences.noTargetAdvice
        case .discovering where finder.addressToConfirm != nil: nil
        case .connecting where session.isConfirmationAwaited: nil
        case .released where !hasCameraToReturnTo: CheckSentences.searchOffAdvice
        case .released: CheckSentences.disconnectedAdvice
        case .offNetwork: CheckSentences.offNetworkAdvice
        case .refused: CheckSentences.refusedAdvice
        default: CheckSentences.advice(after: connection.machine.behavior.refusal)
        }
    }
}
