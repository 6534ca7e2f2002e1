import Cameras
import Exposure

// The plans that clients request to see, to check, to arm or to fire.

extension ShootControl {
    /// The plan of an input, checked with the present conditions. Returns an error if the hash in the input is another.
    func draft(_ input: PlanInput, _ facts: ShootFacts) -> Result<PlanDraft, RequestError> {
        let conditions = conditions(facts)
        guard let hash = input.hash?.lowercased() else { return PlanDraft.make(input, under: conditions) }
        let known = plans[hash]
        var meant = input
        if input.isBare {
            guard let known else {
                let sentence = PlanSentences.unknown(hash, limit: RecentPlans.entriesMax)
                return .failure(.planChanged(was: hash, now: nil, sentence: sentence))
            }
            meant = known.input
            meant.strict = input.strict ?? known.input.strict
        }
        // A wrong hash is reported before a deviation from a strict plan, so the hash is compared first.
        var lenient = meant
        lenient.strict = nil
        let draft = PlanDraft.make(lenient, under: conditions)
        if case .success(let made) = draft, let identity = made.identity, identity.hash != hash {
            let sentence = PlanSentences.changed(hash, to: identity, from: known?.identity)
            return .failure(.planChanged(was: hash, now: identity.hash, sentence: sentence))
        }
        return meant.strict == true ? PlanDraft.make(meant, under: conditions) : draft
    }

    /// Answers with the plan, and stores the plan by its hash.
    mutating func showPlan(_ input: PlanInput, _ asker: Asker, in turn: inout Turn) {
        let draft = draft(input, asker.facts)
        // The stored input has all defaults filled in, because the defaults of another run may differ.
        if case .success(let draft) = draft, let identity = draft.identity { remember(draft.input, identity) }
        turn.answer(asker.id, draft.map { .plan($0.comparedReport) })
    }

    func checkPlan(_ input: PlanInput, _ asker: Asker, in turn: inout Turn) {
        turn.answer(asker.id, draft(input, asker.facts).map { .preflight($0.preflight) })
    }

    /// Arms a plan. A plan that can never be fired is refused now. The camera is checked when the plan is fired.
    mutating func armPlan(_ input: PlanInput?, _ asker: Asker, in turn: inout Turn) {
        if let input, case .failure(let error) = draft(input, asker.facts) {
            return turn.append(.fail(asker.id, error))
        }
        guard asker.facts.armerCount < Subscriptions.clientsMax else {
            return turn.append(.fail(asker.id, .tooManyClients(limit: Subscriptions.clientsMax)))
        }
        var kept = input
        if let hash = input?.hash, input?.isBare == true { kept = plans[hash.lowercased()]?.input ?? input }
        // Another camera may be connected when the plan is fired.
        kept?.hash = nil
        arm(kept)
        turn.send(.subscribe(Subscription(asker.id, to: .armedPlan, effects: [.keepPlan(kept, for: asker.id)])))
    }
}
