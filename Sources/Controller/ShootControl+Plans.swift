import Cameras
import Exposure

// Plans: they are shown, checked and armed, and fired as they were shown.

extension ShootControl {
    /// The plan that an input means, held against the conditions, and whether it is the one whose hash it gives.
    func draft(_ input: PlanInput, _ facts: ShootFacts) -> Result<Draft, RequestError> {
        let conditions = conditions(facts)
        guard let hash = input.hash?.lowercased() else { return Draft.make(input, under: conditions) }
        let known = plans[hash]
        var meant = input
        if input.isBare {
            guard let known else {
                let sentence =
                    "Plan \(Quoted.text(hash)) is not among the last \(RecentPlans.entriesMax) plans since the daemon "
                    + "started. Request it again with bracketctl plan."
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
                "The plan is now \(identity.hash), not \(Quoted.text(hash))\(change). Nothing was fired."
            return .failure(.planChanged(was: hash, now: identity.hash, sentence: sentence))
        }
        return meant.strict == true ? Draft.make(meant, under: conditions) : draft
    }

    /// Shows a plan, and remembers it by its hash.
    mutating func showPlan(_ input: PlanInput, _ id: RequestID, _ facts: ShootFacts, in turn: inout Turn) {
        switch draft(input, facts) {
        case .success(let draft):
            // As it was meant, with its defaults: those of another daemon may be others.
            if let identity = draft.identity { remember(draft.report.input, identity) }
            turn.append(.reply(id, .plan(draft.comparedReport), continues: false))
        case .failure(let error):
            turn.append(.fail(id, error))
        }
    }

    func checkPlan(_ input: PlanInput, _ id: RequestID, _ facts: ShootFacts, in turn: inout Turn) {
        switch draft(input, facts) {
        case .success(let draft): turn.append(.reply(id, .preflight(draft.preflight), continues: false))
        case .failure(let error): turn.append(.fail(id, error))
        }
    }

    /// The plan is judged when it is fired; what could never be fired is refused now.
    mutating func armPlan(_ input: PlanInput?, _ id: RequestID, _ facts: ShootFacts, in turn: inout Turn) {
        if let input, case .failure(let error) = draft(input, facts) { return turn.append(.fail(id, error)) }
        guard facts.armerCount < Subscriptions.clientsMax else {
            return turn.append(.fail(id, .tooManyClients(limit: Subscriptions.clientsMax)))
        }
        var kept = input
        if let hash = input?.hash, input?.isBare == true { kept = plans[hash.lowercased()]?.input ?? input }
        // The camera that a plan was shown for is not the one that it will be fired with.
        kept?.hash = nil
        arm(kept)
        turn.send(.subscribe(Subscription(id, to: .armedPlan, effects: [.keepPlan(kept, for: id)])))
    }
}
