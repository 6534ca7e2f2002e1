import Cameras
import Exposure
import Statecharts

// Clients' requests for a shoot. Each is answered once; a stream gets its answers and one end.

extension ShootControl {
    mutating func receive(_ request: Request, _ id: RequestID, _ facts: ShootFacts, in turn: inout Turn) {
        switch request {
        case .plan(let input): showPlan(input, id, facts, in: &turn)
        case .preflight(let input): checkPlan(input, id, facts, in: &turn)
        case .arm(let input): armPlan(input, id, facts, in: &turn)
        case .shoot(let input, let streams, let drops):
            shoot(input, streams: streams, drops: drops, id, facts, in: &turn)
        case .retry, .redo, .resume, .retryShoot, .resumeShoot:
            resume(request, id, facts, in: &turn)
        case .follow(let streams): follow(streams: streams, id, facts, in: &turn)
        case .pause(let withRedo): pause(withRedo: withRedo, id, facts, in: &turn)
        case .cancel: order(.cancel, "Cancel", id, facts, in: &turn)
        case .dismiss: order(.dismiss, "Dismiss", id, facts, in: &turn)
        default: break
        }
    }

    private mutating func shoot(
        _ input: PlanInput,
        streams: Bool,
        drops: Bool,
        _ id: RequestID,
        _ facts: ShootFacts,
        in turn: inout Turn
    ) {
        guard mayStream(streams, id, facts, in: &turn), mayFire("Shoot", id, facts, in: &turn) else { return }
        guard chart.isActive(.resting) else { return refuseNow("Shoot", id, in: &turn) }
        switch draft(input, facts) {
        case .success(let draft):
            // Without a camera the chart refuses, and requests the search.
            if !chart.isActive(.absent), !passes(draft.preflight, drops: drops, id, in: &turn) { return }
            let order = ShootOrder(
                plan: draft.plan,
                camera: facts.camera.identity ?? .unknown,
                began: .clock(turn.now),
                request: id,
                streams: streams
            )
            guard deliver(.start(order), facts, in: &turn) else { return refuseNow("Shoot", id, in: &turn) }
        case .failure(let error):
            turn.append(.fail(id, error))
        }
    }

    // MARK: Resuming

    /// Continues a shoot that is paused or over.
    private mutating func resume(_ request: Request, _ id: RequestID, _ facts: ShootFacts, in turn: inout Turn) {
        switch request {
        case .retryShoot(let number, let streams, _) where number == shoot?.id:
            resume(.retry(streams: streams), id, facts, in: &turn)
        case .resumeShoot(let number, _) where number == shoot?.id:
            let isOver = chart.isActive(.ended) && outcome != .interrupted
            guard isOver else { return resume(.resume, id, facts, in: &turn) }
            restart("Resume", RetryOrder(request: nil, streams: false), id, facts, in: &turn)
        case .retryShoot(let number, _, _), .resumeShoot(let number, _):
            read(number, request, id, facts, in: &turn)
        case .retry(let streams):
            guard mayStream(streams, id, facts, in: &turn) else { return }
            restart("Retry", RetryOrder(request: id, streams: streams), id, facts, in: &turn)
        case .redo where chart.isActive(.ended):
            restart("Redo", RetryOrder(request: nil, streams: false, withRedo: true), id, facts, in: &turn)
        case .redo: order(.redo, "Redo", id, facts, in: &turn)
        case .resume: resume(id, facts, in: &turn)
        default: break
        }
    }

    private mutating func resume(_ id: RequestID, _ facts: ShootFacts, in turn: inout Turn) {
        if chart.isActive(.interrupted), outcome == .interrupted {
            return restart("Resume", RetryOrder(request: nil, streams: false), id, facts, in: &turn)
        }
        if chart.isActive(.wifiSwitched), !facts.camera.isOffNetwork {
            // Back on its network, only the camera is missing: one that refused is tried again.
            turn.append(.enqueue(.cameraWanted))
            return turn.append(.reply(id, .done, continues: false))
        }
        let goesOn = chart.isActive(.byCommand) && chart.isActive(.present)
        let retry = RetryOrder(request: nil, streams: false)
        if goesOn, !mayContinue(retry, "Resume", id, facts, in: &turn) { return }
        order(.resume, "Resume", id, facts, in: &turn)
    }

    private mutating func restart(
        _ command: String,
        _ order: RetryOrder,
        _ id: RequestID,
        _ facts: ShootFacts,
        in turn: inout Turn
    ) {
        guard mayFire(command, id, facts, in: &turn) else { return }
        restart(command, order, kept: nil, id, facts, in: &turn)
    }

    /// Continues a shoot that is over.
    ///
    /// - Parameter kept: the shoot from the ledger; nil: the last shoot.
    private mutating func restart(
        _ command: String,
        _ order: RetryOrder,
        kept: LedgerContents.Unfinished?,
        _ id: RequestID,
        _ facts: ShootFacts,
        in turn: inout Turn
    ) {
        guard chart.isActive(.resting), chart.machine.behavior.mayRetry(order) else {
            return refuseNow(command, id, in: &turn)
        }
        // A camera with a wrong setting is connected, and a check says what to change.
        if chart.isActive(.unfit), !mayContinue(order, command, id, facts, in: &turn) { return }
        guard chart.isActive(.present) else {
            turn.append(.fail(id, .notConnected(sentence: facts.camera.refusal)))
            return turn.append(.enqueue(.cameraWanted))
        }
        guard mayContinue(order, command, id, facts, in: &turn) else { return }
        if let kept { turn.send(.shootRecalled(kept)) }
        deliver(.retry(order), facts, in: &turn)
        if order.request == nil { turn.append(.reply(id, .done, continues: false)) }
    }

    /// Reads from the ledger a shoot that is not the last one, to continue it.
    private func read(
        _ number: Int,
        _ request: Request,
        _ id: RequestID,
        _ facts: ShootFacts,
        in turn: inout Turn
    ) {
        guard let (command, order) = request.recall(id), mayStream(order.streams, id, facts, in: &turn),
            mayFire(command, id, facts, in: &turn)
        else { return }
        guard chart.isActive(.resting) else { return refuseNow(command, as: "Shoot", id, in: &turn) }
        turn.send(.ledgerWanted(.shoot(number), request, id))
    }

    /// Continues a shoot that was read from the ledger.
    mutating func resume(
        _ kept: LedgerContents.Unfinished,
        for request: Request,
        _ id: RequestID,
        _ facts: ShootFacts,
        in turn: inout Turn
    ) {
        guard let (command, recall) = request.recall(id) else { return }
        guard facts.service.isServing else { return turn.append(.fail(id, .stopping)) }
        guard chart.isActive(.resting) else { return refuseNow(command, as: "Shoot", id, in: &turn) }
        guard mayStream(recall.streams, id, facts, in: &turn), mayFire(command, id, facts, in: &turn) else { return }
        var order = recall
        order.shoot = Shoot(kept).withoutDoubts
        guard chart.machine.behavior.mayRetry(order) else {
            let sentence = "Shoot \(kept.shoot.id) has no missing frames."
            return turn.append(.fail(id, .notNow(command: command, state: chart.state, sentence: sentence)))
        }
        restart(command, order, kept: kept, id, facts, in: &turn)
    }

    // MARK: Orders

    private mutating func pause(withRedo: Bool, _ id: RequestID, _ facts: ShootFacts, in turn: inout Turn) {
        guard withRedo else { return order(.pause, "Pause", id, facts, in: &turn) }
        guard chart.isActive(.active), chart.machine.behavior.mayRedo() else {
            return refuseNow("Redo", id, in: &turn)
        }
        let isPaused = chart.isActive(.byCommand) || chart.isActive(.pauseWanted)
        guard isPaused || deliver(.pause, facts, in: &turn) else { return refuseNow("Pause", id, in: &turn) }
        order(.redo, "Redo", id, facts, in: &turn)
    }

    private mutating func order(
        _ input: Shooting.Input,
        _ command: String,
        _ id: RequestID,
        _ facts: ShootFacts,
        in turn: inout Turn
    ) {
        guard deliver(input, facts, in: &turn) else { return refuseNow(command, id, in: &turn) }
        // The order must survive the end of the daemon.
        if input == .pause || input == .cancel { turn.send(.commit(mark: nil, isDurable: true)) }
        turn.append(.reply(id, .done, continues: false))
    }

    private func follow(streams: Bool, _ id: RequestID, _ facts: ShootFacts, in turn: inout Turn) {
        guard let progress = streams ? followedProgress(facts) : progress(facts) else {
            return refuseNow("Follow", id, in: &turn)
        }
        let goesOn = streams && progress.outcome == nil
        guard mayStream(goesOn, id, facts, in: &turn) else { return }
        let answer = Effect.reply(id, .progress(timed(progress, facts, at: turn.now)), continues: goesOn)
        guard goesOn else { return turn.append(answer) }
        turn.send(.subscribe(Subscription(id, to: .shoot, effects: [answer])))
    }

    // MARK: Refusals

    private func mayStream(_ streams: Bool, _ id: RequestID, _ facts: ShootFacts, in turn: inout Turn) -> Bool {
        guard streams, facts.streamCount >= Subscriptions.clientsMax else { return true }
        turn.append(.fail(id, .tooManyClients(limit: Subscriptions.clientsMax)))
        return false
    }

    /// Refuses an order that the chart dropped, because it has no effect in this state.
    ///
    /// - Parameter other: the command whose reason applies; nil: its own.
    private func refuseNow(_ command: String, as other: String? = nil, _ id: RequestID, in turn: inout Turn) {
        let sentence = whyNot(other ?? command)
        turn.append(.fail(id, .notNow(command: command, state: chart.state, sentence: sentence)))
    }

    private func whyNot(_ command: String) -> String {
        guard chart.isActive(.active) else { return whyNotAtRest(command) }
        switch command {
        case "Pause" where chart.isActive(.cancelWanted): return "The shoot already stops after this frame."
        case "Pause": return "The shoot is already paused."
        case "Redo": return "There is no frame to fire again, or it is already planned."
        case "Resume" where chart.isActive(.wifiSwitched) || chart.isActive(.cameraNotFit):
            return chart.machine.behavior.interruptionSentence ?? "The shoot is paused."
        case "Resume": return "The shoot is not paused."
        case "Cancel": return "The shoot already stops after this frame."
        default: return "A shoot is running. Wait until it ends, or cancel it."
        }
    }

    private func whyNotAtRest(_ command: String) -> String {
        let model = chart.machine.behavior
        switch command {
        case "Retry": return "No earlier shoot has missing frames."
        case "Redo" where model.shoot == nil && model.lastShootID > 0:
            return "There is no frame of shoot \(model.lastShootID) to fire again: it was dismissed, or it was over "
                + "before the daemon started."
        case "Redo": return "There is no frame to fire again."
        case "Dismiss" where chart.isActive(.completed):
            let name = shoot.map { "Shoot \($0.id)" } ?? "The shoot"
            return "\(name) is complete: no frame was dropped and nothing was changed."
        case "Dismiss": return "There is no earlier shoot."
        case "Resume" where chart.isActive(.ended) && model.shoot?.isDone == false:
            return "The shoot is over. To fire the missing frames: bracketctl retry."
        default: return "No shoot is running."
        }
    }
}

extension Request {
    /// The command and the order of a request for a shoot of the ledger; nil: another request.
    fileprivate func recall(_ id: RequestID) -> (command: String, order: RetryOrder)? {
        switch self {
        case .retryShoot(_, let streams, let drops):
            ("Retry", RetryOrder(request: id, streams: streams, drops: drops))
        case .resumeShoot(_, let drops): ("Resume", RetryOrder(request: nil, streams: false, drops: drops))
        default: nil
        }
    }
}
