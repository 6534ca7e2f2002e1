import Cameras
import Exposure
import Statecharts

// The checks before a shoot begins, and before it resumes without a request.

extension ShootControl {
    /// The conditions with which plans are checked.
    func conditions(_ facts: ShootFacts) -> Preflight.Conditions {
        Preflight.Conditions(
            camera: checkedCamera(facts.camera),
            absence: facts.camera.refusal,
            ledger: facts.ledger,
            rules: preflightRules,
            unfinished: chart.isActive(.ended) ? shoot?.unfinished : nil
        )
    }

    /// The rules of the checks. The skipped checks can change while the daemon runs. The policy for pictures cannot.
    var preflightRules: Preflight.Rules {
        Preflight.Rules(skipped: rules.skippedChecks, policy: chart.machine.behavior.policy)
    }

    func checkedCamera(_ camera: CameraView) -> Preflight.Camera? {
        // A camera in the mode check already answers. Only values that it does not report in this mode stay unchecked.
        guard camera.isOnline, let identity = camera.identity, let status = camera.status else { return nil }
        return Preflight.Camera(identity: identity, status: status, drive: camera.drive, timing: timingReport(camera))
    }

    /// The learned times of the connected body over its link; nil: no times or no camera.
    func timingReport(_ camera: CameraView) -> TimingReport? { camera.route.flatMap { timings.report(on: $0) } }

    /// Whether a shoot can begin; if not, sends the reason. No shoot begins while a client sets a property, because the
    /// first frame could have the old value.
    func mayFire(_ command: ShootCommand, _ asker: Asker, in turn: inout Turn) -> Bool {
        if let sentence = asker.facts.ledgerFailure {
            refuse(command, sentence, asker.id, in: &turn)
            turn.append(.enqueue(.recordWanted))
            return false
        }
        guard let order = asker.facts.propertyOrder else { return true }
        refuse(command, ShootSentences.requestInProgress(order), asker.id, in: &turn)
        return false
    }

    /// Whether a client's request can continue a shoot; if not, sends the reason. A shoot that is read from the ledger
    /// replaces the last shoot, and the missing frames of the last shoot are dropped.
    func mayContinue(_ order: RetryOrder, _ command: ShootCommand, _ asker: Asker, in turn: inout Turn) -> Bool {
        guard var shoot = order.shoot ?? shoot else { return true }
        for speed in order.added { shoot.addFrame(speed) }
        var firing = shoot.firing(withRedo: order.withRedo)
        if order.shoot != nil { firing.drops = conditions(asker.facts).unfinished }
        let consent = "\(command.rawValue.lowercased()) \(shoot.id) --drop"
        let report = Preflight.report(firing, under: conditions(asker.facts))
        guard passes(report, drops: order.drops, consent: consent, asker.id, in: &turn) else {
            return false
        }
        guard order.shoot == nil, let sentence = recordContradiction(asker.facts.camera) else { return true }
        refuse(command, sentence, asker.id, in: &turn)
        return false
    }

    /// The sentence that refuses to continue the last shoot, because the ledger lost exposures and frames could be
    /// fired twice; nil: nothing contradicts the ledger.
    func recordContradiction(_ camera: CameraView) -> String? {
        guard let shoot else { return nil }
        let count = shoot.unrecordedExposures(shotsLeft: camera.status?.shotsLeft)
        return count > 0 ? ShootSentences.unrecorded(count, of: shoot.id) : nil
    }

    /// - Parameters:
    ///   - drops: whether the client wants to drop the missing frames of an earlier shoot.
    ///   - consent: the command of bracketctl that drops the frames.
    func passes(
        _ report: PreflightReport,
        drops: Bool,
        consent: String = Preflight.shootConsent,
        _ id: RequestID,
        in turn: inout Turn
    ) -> Bool {
        if let obstacle = report.failureSentence {
            turn.append(.fail(id, .preflightFailed(checks: report.failing, sentence: obstacle)))
            return false
        }
        guard !drops, let shoot = report.drops else { return true }
        let sentence = ShootSentences.wouldDrop(Preflight.missing(of: shoot), Preflight.dropAdvice(consent))
        turn.append(.fail(id, .framesMissing(shoot, sentence: sentence)))
        return false
    }

    // MARK: Continuing without a request

    /// Resumes a shoot of an earlier run of the daemon, if the configuration says so.
    mutating func resumeByItself(_ facts: ShootFacts, in turn: inout Turn) {
        let order = RetryOrder(request: nil, streams: false)
        guard rules.resumesByItself, chart.isActive(.interrupted), outcome == .interrupted,
            chart.isActive(.present), facts.propertyOrder == nil,
            let shoot,
            chart.machine.behavior.mayRetry(order)
        else { return }
        // If a user stopped the shoot, only a user may resume it.
        guard shoot.requestedStop == nil else { return }
        guard !shoot.isRecordIncomplete else {
            return turn.journal(.warning, .note, ShootSentences.notResumedAfterLoss(shoot.id))
        }
        if let obstacle = Preflight.report(shoot.firing(), under: conditions(facts)).failureSentence {
            return turn.journal(.warning, .note, ShootSentences.notResumed(shoot.id, obstacle))
        }
        deliver(.retry(order), facts, in: &turn)
    }
}
