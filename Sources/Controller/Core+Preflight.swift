import Cameras
import Exposure
import Statecharts

// What is looked at before anything is fired, and before a shoot goes on by itself.

extension Core {
    /// What plans are held against.
    var conditions: Draft.Conditions {
        Draft.Conditions(
            camera: checkedCamera,
            absence: refusalSentence,
            ledger: Preflight.Ledger(
                mode: configuration.ledger,
                trouble: records.sentence,
                freeBytes: records.freeBytes
            ),
            rules: preflightRules,
            unfinished: shooting.chart.isActive(.ended) ? shooting.shoot?.unfinished : nil
        )
    }

    private var preflightRules: Preflight.Rules {
        Preflight.Rules(skipped: configuration.skippedChecks, keepsPictures: configuration.transfer.policy != .none)
    }

    var checkedCamera: Preflight.Camera? {
        let model = connection.machine.behavior
        // One that the mode check holds answers: only what it cannot tell as it is set is not checked.
        guard connection.isActive(.online), let identity = model.identity, let status = model.status else {
            return nil
        }
        return Preflight.Camera(
            identity: identity,
            status: status,
            drive: session.properties[.drive]?.value,
            timing: timingReport
        )
    }

    func preflight(_ firing: Preflight.Firing) -> PreflightReport {
        let conditions = conditions
        return Preflight.report(
            firing,
            on: conditions.camera,
            absence: conditions.absence,
            ledger: conditions.ledger,
            rules: conditions.rules
        )
    }

    /// Whether a shoot may go on by a client's order; says why not. A shoot of the ledger takes the place of the last
    /// one, whose missing frames it drops.
    func mayGoOn(_ order: RetryOrder, _ command: String, _ id: RequestID, in turn: inout Turn) -> Bool {
        guard let shoot = order.shoot ?? shooting.shoot else { return true }
        var firing = shoot.firing(withRedo: order.withRedo)
        if order.shoot != nil { firing.drops = conditions.unfinished }
        let consent = "\(command.lowercased()) \(shoot.id) --drop"
        guard passes(preflight(firing), drops: order.drops, consent: consent, id, in: &turn) else { return false }
        guard order.shoot == nil, let sentence = recordContradiction else { return true }
        turn.append(.fail(id, .notNow(command: command, state: shooting.chart.state, sentence: sentence)))
        return false
    }

    /// Why the last shoot does not go on though the ledger has frames of it that are missing: the camera took exposures
    /// that the ledger lost, and they may be fired again. Nil: nothing contradicts the ledger.
    package var recordContradiction: String? {
        guard let shoot = shooting.shoot else { return nil }
        let count = shoot.unrecordedExposures(shotsLeft: connection.machine.behavior.status?.shotsLeft)
        guard count > 0 else { return nil }
        let exposures = count == 1 ? "1 more exposure" : "\(count) more exposures"
        return "Nothing was fired: the ledger lost its last changes, and the camera's counter shows \(exposures) than "
            + "the ledger has. Frames of shoot \(shoot.id) may be fired twice. Check the camera's card, then fire the "
            + "plan anew with bracketctl shoot, or drop the rest with bracketctl dismiss."
    }

    /// - Parameters:
    ///   - drops: whether the client wants the frames dropped that an earlier shoot lacks.
    ///   - consent: the command of bracketctl that says so.
    func passes(
        _ report: PreflightReport,
        drops: Bool,
        consent: String = Preflight.shootConsent,
        _ id: RequestID,
        in turn: inout Turn
    ) -> Bool {
        if let obstacle = report.obstacle {
            turn.append(.fail(id, .preflightFailed(checks: report.failing, sentence: obstacle)))
            return false
        }
        guard !drops, let shoot = report.drops else { return true }
        let sentence = "Nothing was fired: \(Preflight.missing(of: shoot)) \(Preflight.dropAdvice(consent))"
        turn.append(.fail(id, .framesMissing(shoot, sentence: sentence)))
        return false
    }

    // MARK: Going on by itself

    /// Goes on with what an earlier run of the daemon left, where the configuration says so.
    mutating func resumeByItself(in turn: inout Turn) {
        let order = RetryOrder(request: nil, streams: false)
        guard configuration.resumesByItself, shooting.chart.isActive(.interrupted), outcome == .interrupted,
            shooting.chart.isActive(.present), session.propertyRequest == nil,
            let shoot = shooting.shoot,
            shooting.chart.machine.behavior.mayRetry(order)
        else { return }
        // What a person stopped a person lets go on.
        guard shoot.requestedStop == nil else { return }
        guard !shoot.isRecordIncomplete else {
            let message =
                "Shoot \(shoot.id) does not go on by itself: the ledger lost its last changes, and frames may have "
                + "been captured that it does not show. Check the camera's card, then: bracketctl resume."
            return turn.append(.journal(JournalEntry(level: .warning, kind: .note, message: message)))
        }
        if let obstacle = preflight(shoot.firing()).obstacle {
            let message = "Shoot \(shoot.id) does not go on by itself: \(obstacle) Then: bracketctl resume."
            return turn.append(.journal(JournalEntry(level: .warning, kind: .note, message: message)))
        }
        deliver(Shooting.Input.retry(order), in: &turn)
    }

    /// Gives the connection's chart what a shoot that waits for the camera asks of it, while the chart reads it.
    ///
    /// Not a message: what is asked follows from plan, configuration and properties, and the chart judges by it as it
    /// is now.
    ///
    /// - Parameter isStatusNext: whether the chart receives the camera's status next.
    mutating func passDemands(isStatusNext: Bool = false, in turn: inout Turn) {
        guard connection.readsDemands else { return }
        connection.adopt(demands, isStatusNext: isStatusNext, in: &turn)
    }

    private var demands: Demands? {
        guard shooting.chart.isActive(.active), let shoot = shooting.shoot else { return nil }
        return Demands(firing: shoot.firing(), drive: session.properties[.drive]?.value, rules: preflightRules)
    }

    // MARK: Plans that were shown

    /// The plan that an input means, held against the conditions, and whether it is the one whose hash it gives.
    func draft(_ input: PlanInput) -> Result<Draft, RequestError> {
        guard let hash = input.hash?.lowercased() else { return Draft.make(input, under: conditions) }
        let known = shooting.plans[hash]
        var meant = input
        if input.isBare {
            guard let known else {
                let sentence =
                    "No plan \(Quoted.text(hash)) was shown since the daemon started, or \(RecentPlans.entriesMax) others "
                    + "were since: ask for it again with bracketctl plan."
                return .failure(.planChanged(was: hash, now: nil, sentence: sentence))
            }
            meant = known.input
            meant.strict = input.strict ?? known.input.strict
        }
        // That it is another plan says more than that the camera would change it.
        var lenient = meant
        lenient.strict = nil
        let draft = Draft.make(lenient, under: conditions)
        if case .success(let made) = draft, let identity = made.identity, identity.hash != hash {
            let change = known.map { ": \(identity.changeSentence(from: $0.identity))" } ?? ""
            let sentence =
                "This is plan \(identity.hash) by now and not \(Quoted.text(hash))\(change). Nothing was fired."
            return .failure(.planChanged(was: hash, now: identity.hash, sentence: sentence))
        }
        return meant.strict == true ? Draft.make(meant, under: conditions) : draft
    }
}
