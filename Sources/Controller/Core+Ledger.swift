import Cameras
import Exposure
import Statecharts

// What is kept: how the shoot stands goes to the ledger, and what the ledger says to the charts.

extension Core {
    // MARK: To the ledger

    /// Notes how the shoot stands; what of it must be told at once the shooting chart says by its effects.
    mutating func noteShoot(at now: Duration) {
        // The stop has noted the shoot's end.
        guard connection.isActive(.running), !shooting.isStopping else { return }
        guard let shoot = shooting.shoot else { return records.notes.noteDismissed() }
        let kept = shooting.keptOutcome(of: shoot)
        let cause = kept == .partial ? shoot.cause ?? shoot.lossSentence : shoot.cause
        let stop = outcome == nil ? requestedStop : shoot.requestedStop
        noteShoot(shoot, outcome: kept, cause: outcome == nil ? stop?.sentence : cause, stop: stop, at: now)
    }

    /// What the user ordered of the shoot that goes on: it is kept, for the case that the daemon ends before the shoot.
    var requestedStop: RequestedStop? {
        guard service.isActive(.serving) else { return service.machine.behavior.requestedStop }
        if shooting.chart.isActive(.cancelWanted) { return .cancel }
        let isPaused = shooting.chart.isActive(.byCommand) || shooting.chart.isActive(.pauseWanted)
        return isPaused ? .pause : nil
    }

    mutating func noteShoot(
        _ shoot: Shoot,
        outcome: ShootOutcome?,
        cause: String?,
        stop: RequestedStop?,
        at now: Duration
    ) {
        records.notes.note(
            shoot,
            outcome: outcome,
            cause: cause,
            requestedStop: stop,
            isPaused: shooting.chart.isActive(.paused),
            files: { pictures.recent.files(of: shoot.id, $0).map(\.path) },
            taken: { pictures.recent.taken(of: shoot.id, $0) },
            at: now
        )
    }

    /// Tells the ledger what has to be told now. In the middle of a shoot the rest waits for the next frame, so that
    /// there are two commits for each frame and no more.
    mutating func tellLedger(in turn: inout Turn) {
        guard let order = records.notes.take(mayWait: shooting.chart.isActive(.running)) else { return }
        deliver(Recording.Input.wanted(order), in: &turn)
    }

    mutating func deliver(_ input: Recording.Input, in turn: inout Turn) {
        finish(records.chart.handle(input, at: turn.now), in: &turn)
    }

    mutating func finish(_ outcome: ChartRun<RecordingModel>.Outcome, in turn: inout Turn) {
        turn.publish(outcome.steps, level: .debug)
        for effect in outcome.effects {
            switch effect {
            case .ledger(let effect): turn.append(.ledger(effect))
            case .announce(let news): turn.append(.enqueue(.record(news)))
            case .report(let entry): turn.append(.journal(entry))
            }
        }
    }

    // MARK: From the ledger

    mutating func handle(_ news: LedgerNews, in turn: inout Turn) {
        switch news {
        case .opened(let contents): open(contents, in: &turn)
        case .unavailable(let sentence): deliver(Recording.Input.unavailable(sentence), in: &turn)
        case .committed: deliver(Recording.Input.committed, in: &turn)
        case .failed(let sentence): deliver(Recording.Input.failed(sentence), in: &turn)
        case .read(let id, let answer):
            answerLedgerReader(id, answer, in: &turn)
        case .room(let freeBytes): records.freeBytes = freeBytes
        }
    }

    private mutating func answerLedgerReader(_ id: RequestID, _ answer: LedgerAnswer, in turn: inout Turn) {
        guard let reader = subscriptions.remove(id, from: .ledger), reader.isListening else { return }
        switch answer {
        case .shoots: turn.append(.reply(id, .ledger(answer), continues: false))
        case .shoot(let shoot, let frames):
            guard let request = reader.request else {
                return turn.append(.reply(id, .ledger(answer), continues: false))
            }
            goOn(with: .init(shoot: shoot, frames: frames), request, id, in: &turn)
        case .noShoot(let shoot):
            let sentence = "The ledger has no shoot \(shoot)."
            turn.append(.fail(id, .noSuchShoot(id: shoot, sentence: sentence)))
        case .failed(let sentence): turn.append(.fail(id, .ledgerUnavailable(sentence: sentence)))
        }
    }

    private mutating func open(_ contents: LedgerContents, in turn: inout Turn) {
        if let notice = contents.notice {
            turn.append(.journal(JournalEntry(level: .error, kind: .ledger, message: notice)))
        }
        shooting.timings.begin(with: contents.timings)
        if let left = contents.unfinished { pictures.recent.restore(left) }
        let recovery = Recovery(lastShoot: contents.lastShoot, shoot: contents.unfinished.map(Shoot.init))
        let model = shooting.chart.machine.behavior
        records.notes.begin(with: contents, lastShoot: model.lastShootID, isMissing: model.isAnythingMissing(recovery))
        if model.lastShootID > 0 {
            let shoots = model.lastShootID == 1 ? "The shoot" : "The \(model.lastShootID) shoots"
            let message = "\(shoots) begun before the ledger was open will not be in it."
            turn.append(.journal(JournalEntry(level: .warning, kind: .ledger, message: message)))
        }
        recoverSettings(contents, in: &turn)
        deliver(Shooting.Input.recovered(recovery), in: &turn)
        deliver(Recording.Input.opened, in: &turn)
        turn.send(.camerasRecalled(contents.cameras))
        deliverMessages(in: &turn)
        resumeByItself(in: &turn)
    }

    // MARK: Clients

    /// - Parameter request: what the client asked for beside the answer; nil: nothing.
    mutating func readLedger(_ query: LedgerQuery, for request: Request? = nil, _ id: RequestID, in turn: inout Turn) {
        if let sentence = records.readingObjection(isRecent: request != nil) {
            return turn.append(.fail(id, .ledgerUnavailable(sentence: sentence)))
        }
        guard subscriptions.hasRoom(for: .ledger, id, in: &turn) else { return }
        subscriptions.add(id, to: .ledger, for: request)
        turn.append(.ledger(.read(id, query)))
    }
}
