import Cameras
import Exposure
import Statecharts

// Clients' requests about a shoot. Each request gets one answer. A stream gets several answers and one end.

/// The client that waits for an answer, and the facts about other parts that the answer needs.
struct Asker {
    let id: RequestID
    let facts: ShootFacts
}

extension ShootControl {
    mutating func receive(_ request: Request, _ id: RequestID, _ facts: ShootFacts, in turn: inout Turn) {
        let asker = Asker(id: id, facts: facts)
        switch request {
        case .plan(let input): showPlan(input, asker, in: &turn)
        case .preflight(let input): checkPlan(input, asker, in: &turn)
        case .arm(let input): armPlan(input, asker, in: &turn)
        case .shoot(let input, let streams, let drops):
            shoot(input, streams: streams, drops: drops, asker, in: &turn)
        case .retry, .redo, .resume, .retryShoot, .resumeShoot, .extend:
            resume(request, asker, in: &turn)
        case .follow(let streams): follow(streams: streams, asker, in: &turn)
        case .pause(let withRedo): pause(withRedo: withRedo, asker, in: &turn)
        case .cancel: order(.cancel, .cancel, asker, in: &turn)
        case .dismiss: order(.dismiss, .dismiss, asker, in: &turn)
        default: break
        }
    }

    private mutating func shoot(_ input: PlanInput, streams: Bool, drops: Bool, _ asker: Asker, in turn: inout Turn) {
        guard mayStream(streams, asker, in: &turn), mayFire(.shoot, asker, in: &turn) else { return }
        guard chart.isActive(.inactive) else { return refuseNow(.shoot, asker.id, in: &turn) }
        switch draft(input, asker.facts) {
        case .success(let draft):
            // If no camera is connected, the chart itself refuses the order and requests the search for a camera.
            if !chart.isActive(.absent), !passes(draft.preflight, drops: drops, asker.id, in: &turn) { return }
            let order = ShootOrder(
                plan: draft.plan,
                camera: asker.facts.camera.identity ?? .unknown,
                began: .clock(turn.now),
                request: asker.id,
                streams: streams,
                isAnnounced: isAnnounced(draft.plan, by: asker.id, asker.facts)
            )
            guard deliver(.start(order), asker.facts, in: &turn) else { return refuseNow(.shoot, asker.id, in: &turn) }
        case .failure(let error):
            turn.append(.fail(asker.id, error))
        }
    }

    // MARK: Resuming

    /// Continues a shoot that is paused or over.
    private mutating func resume(_ request: Request, _ asker: Asker, in turn: inout Turn) {
        switch request {
        case .retryShoot(let number, let streams, _) where number == shoot?.id:
            resume(.retry(streams: streams), asker, in: &turn)
        case .resumeShoot(let number, _) where number == shoot?.id:
            let isOver = chart.isActive(.ended) && outcome != .interrupted
            guard isOver else { return resume(.resume, asker, in: &turn) }
            restart(.resume, RetryOrder(request: nil, streams: false), asker, in: &turn)
        case .retryShoot(let number, _, _), .resumeShoot(let number, _):
            read(number, request, asker, in: &turn)
        case .extend(let input, let streams): extend(input, streams: streams, asker, in: &turn)
        case .retry(let streams):
            guard mayStream(streams, asker, in: &turn) else { return }
            restart(.retry, RetryOrder(request: asker.id, streams: streams), asker, in: &turn)
        case .redo where chart.isActive(.ended):
            restart(.redo, RetryOrder(request: nil, streams: false, withRedo: true), asker, in: &turn)
        case .redo: order(.redo, .redo, asker, in: &turn)
        case .resume: resume(asker, in: &turn)
        default: break
        }
    }

    private mutating func resume(_ asker: Asker, in turn: inout Turn) {
        if chart.isActive(.interrupted), outcome == .interrupted {
            return restart(.resume, RetryOrder(request: nil, streams: false), asker, in: &turn)
        }
        if chart.isActive(.wifiSwitched), !asker.facts.camera.isOffNetwork {
            // On the camera's network again, the daemon tries even a camera that has refused before.
            turn.append(.enqueue(.cameraNeeded))
            return turn.answer(asker.id, .done)
        }
        let goesOn = chart.isActive(.byCommand) && chart.isActive(.present)
        let retry = RetryOrder(request: nil, streams: false)
        if goesOn, !mayContinue(retry, .resume, asker, in: &turn) { return }
        order(.resume, .resume, asker, in: &turn)
    }

    /// Continues a shoot that is over.
    ///
    /// - Parameter kept: the shoot from the ledger; nil: the last shoot.
    mutating func restart(
        _ command: ShootCommand,
        _ order: RetryOrder,
        kept: LedgerContents.Unfinished? = nil,
        _ asker: Asker,
        in turn: inout Turn
    ) {
        guard mayFire(command, asker, in: &turn) else { return }
        guard chart.isActive(.inactive), chart.machine.behavior.mayRetry(order) else {
            return refuseNow(command, asker.id, in: &turn)
        }
        // If a connected camera has a wrong setting, the failed check says which setting to change.
        if chart.isActive(.notReady), !mayContinue(order, command, asker, in: &turn) { return }
        guard chart.isActive(.present) else {
            turn.append(.fail(asker.id, .notConnected(sentence: asker.facts.camera.refusal)))
            return turn.append(.enqueue(.cameraNeeded))
        }
        guard mayContinue(order, command, asker, in: &turn) else { return }
        if let kept { turn.send(.shootRestored(kept)) }
        deliver(.retry(order), asker.facts, in: &turn)
        if order.request == nil { turn.answer(asker.id, .done) }
    }

    /// Reads an earlier shoot from the ledger, to continue that shoot.
    func read(_ number: Int, _ request: Request, _ asker: Asker, in turn: inout Turn) {
        guard let (command, order) = request.restoreFromLedger(asker.id), mayStream(order.streams, asker, in: &turn),
            mayFire(command, asker, in: &turn)
        else { return }
        guard chart.isActive(.inactive) else { return refuseNow(command, as: .shoot, asker.id, in: &turn) }
        turn.send(.ledgerWanted(.shoot(number), request, asker.id))
    }

    /// Continues a shoot that was read from the ledger.
    mutating func resume(_ kept: LedgerContents.Unfinished, for request: Request, _ asker: Asker, in turn: inout Turn) {
        guard let (command, restoreFromLedger) = request.restoreFromLedger(asker.id) else { return }
        guard asker.facts.service.isServing else { return turn.append(.fail(asker.id, .stopping)) }
        guard chart.isActive(.inactive) else { return refuseNow(command, as: .shoot, asker.id, in: &turn) }
        guard mayStream(restoreFromLedger.streams, asker, in: &turn), mayFire(command, asker, in: &turn) else { return }
        var order = restoreFromLedger
        order.shoot = Shoot(kept).withoutDoubts
        guard let added = addedSpeeds(of: request, to: order.shoot, asker, in: &turn) else { return }
        order.added = added
        guard chart.machine.behavior.mayRetry(order) else {
            return refuse(command, ShootSentences.hasEveryFrame(kept.shoot.id), asker.id, in: &turn)
        }
        restart(command, order, kept: kept, asker, in: &turn)
    }

    // MARK: Orders

    private mutating func pause(withRedo: Bool, _ asker: Asker, in turn: inout Turn) {
        guard withRedo else { return order(.pause, .pause, asker, in: &turn) }
        guard chart.isActive(.active), chart.machine.behavior.mayRedo() else {
            return refuseNow(.redo, asker.id, in: &turn)
        }
        let isPaused = chart.isActive(.byCommand) || chart.isActive(.pauseWanted)
        guard isPaused || deliver(.pause, asker.facts, in: &turn) else { return refuseNow(.pause, asker.id, in: &turn) }
        order(.redo, .redo, asker, in: &turn)
    }

    private mutating func order(_ input: Shooting.Input, _ command: ShootCommand, _ asker: Asker, in turn: inout Turn) {
        guard deliver(input, asker.facts, in: &turn) else { return refuseNow(command, asker.id, in: &turn) }
        // The user's request must be in the ledger even if the daemon crashes.
        if input == .pause || input == .cancel { turn.send(.commit(mark: nil, isDurable: true)) }
        turn.answer(asker.id, .done)
    }

    private func follow(streams: Bool, _ asker: Asker, in turn: inout Turn) {
        guard let progress = streams ? followedProgress(asker.facts) : progress(asker.facts) else {
            return refuseNow(.follow, asker.id, in: &turn)
        }
        let goesOn = streams && progress.outcome == nil
        guard mayStream(goesOn, asker, in: &turn) else { return }
        let answer = Effect.reply(asker.id, .progress(timed(progress, asker.facts, at: turn.now)), continues: goesOn)
        guard goesOn else { return turn.append(answer) }
        turn.send(.subscribe(Subscription(asker.id, to: .shoot, effects: [answer])))
    }

    // MARK: Refusals

    func mayStream(_ streams: Bool, _ asker: Asker, in turn: inout Turn) -> Bool {
        guard streams, asker.facts.streamCount >= Subscriptions.clientsMax else { return true }
        turn.append(.fail(asker.id, .tooManyClients(limit: Subscriptions.clientsMax)))
        return false
    }

    /// Refuses an order that the chart has ignored, because the order has no effect in the present state.
    ///
    /// - Parameter other: another command, whose reason for a refusal applies here; nil: the command's own reason.
    private func refuseNow(
        _ command: ShootCommand,
        as other: ShootCommand? = nil,
        _ id: RequestID,
        in turn: inout Turn
    ) {
        refuse(command, reasonAgainst(other ?? command), id, in: &turn)
    }

    func refuse(_ command: ShootCommand, _ sentence: String, _ id: RequestID, in turn: inout Turn) {
        turn.append(.fail(id, .notNow(command: command.rawValue, state: chart.state, sentence: sentence)))
    }

    private func reasonAgainst(_ command: ShootCommand) -> String {
        guard chart.isActive(.active) else { return reasonNotIdle(command) }
        switch command {
        case .pause where chart.isActive(.cancelWanted): return ShootSentences.alreadyStops
        case .pause: return ShootSentences.alreadyPaused
        case .redo: return ShootSentences.nothingToRedoNow
        case .resume where chart.isActive(.wifiSwitched) || chart.isActive(.cameraNotFit):
            return chart.machine.behavior.interruptionSentence ?? ShootSentences.pausedWithoutReason
        case .resume: return ShootSentences.notPaused
        case .cancel: return ShootSentences.alreadyStops
        default: return ShootSentences.alreadyRunning
        }
    }

    private func reasonNotIdle(_ command: ShootCommand) -> String {
        let model = chart.machine.behavior
        switch command {
        case .extend: return ShootSentences.nothingToExtend
        case .retry: return ShootSentences.lastHasEveryFrame
        case .redo where model.shoot == nil && model.lastShootID > 0:
            return ShootSentences.redoForgotten(model.lastShootID)
        case .redo: return ShootSentences.nothingToRedo
        case .dismiss where chart.isActive(.completed): return ShootSentences.nothingDropped(of: shoot)
        case .dismiss: return ShootSentences.nothingToDrop
        case .resume where chart.isActive(.ended) && model.shoot?.isDone == false:
            return ShootSentences.over
        default: return ShootSentences.notRunning
        }
    }
}

extension Request {
    /// The command and the order of a request that continues a shoot from the ledger; nil: the request is another one.
    fileprivate func restoreFromLedger(_ id: RequestID) -> (command: ShootCommand, order: RetryOrder)? {
        switch self {
        case .retryShoot(_, let streams, let drops):
            (.retry, RetryOrder(request: id, streams: streams, drops: drops))
        case .extend(let input, let streams):
            (.extend, RetryOrder(request: id, streams: streams, drops: input.drops))
        case .resumeShoot(_, let drops): (.resume, RetryOrder(request: nil, streams: false, drops: drops))
        default: nil
        }
    }
}

/// The method of `io.bracketd` that a refusal names.
enum ShootCommand: String {
    case shoot = "Shoot"
    case retry = "Retry"
    case extend = "Extend"
    case resume = "Resume"
    case redo = "Redo"
    case pause = "Pause"
    case cancel = "Cancel"
    case dismiss = "Dismiss"
    case follow = "Follow"
}
