import Cameras
import Exposure
import Statecharts

// What is kept: how the shoot stands goes to the ledger, and what the ledger says to the charts.

extension Core {
    // MARK: To the ledger

    /// Notes how the shoot stands; what of it must be told at once the shooting chart says by its effects.
    mutating func noteShoot(at now: Duration) {
        // The stop has noted the shoot's end.
        guard connection.machine.isActive(.running), !isStopping else { return }
        guard let shoot = shooting.machine.behavior.shoot else { return ledgerNotes.noteDismissed() }
        let kept = keptOutcome(of: shoot)
        let cause = kept == .partial ? shoot.cause ?? shoot.lossSentence : shoot.cause
        let stop = outcome == nil ? requestedStop : shoot.requestedStop
        noteShoot(shoot, outcome: kept, cause: outcome == nil ? stop?.sentence : cause, stop: stop, at: now)
    }

    /// A shoot that has every frame is complete, though its last frame was wanted once more.
    private func keptOutcome(of shoot: Shoot) -> ShootWord? {
        switch outcome {
        case .cancelled, .interrupted: shoot.isDone ? .completed : outcome
        case .completed, .partial, nil: outcome
        }
    }

    /// What a person ordered of the shoot that goes on: it is kept, for the case that the daemon ends before the shoot.
    var requestedStop: RequestedStop? {
        guard service.machine.isActive(.serving) else { return service.machine.behavior.requestedStop }
        if shooting.machine.isActive(.cancelWanted) { return .cancel }
        let isPaused = shooting.machine.isActive(.byCommand) || shooting.machine.isActive(.pauseWanted)
        return isPaused ? .pause : nil
    }

    mutating func noteShoot(
        _ shoot: Shoot,
        outcome: ShootWord?,
        cause: String?,
        stop: RequestedStop?,
        at now: Duration
    ) {
        ledgerNotes.note(
            shoot,
            outcome: outcome,
            cause: cause,
            requestedStop: stop,
            isPaused: shooting.machine.isActive(.paused),
            files: { pictures.files(of: shoot.id, $0).map(\.path) },
            taken: { pictures.taken(of: shoot.id, $0) },
            at: now
        )
    }

    /// The camera that is connected: its way is tried first the next time.
    mutating func noteCamera() {
        let model = connection.machine.behavior
        guard let identity = model.identity, let address = model.address, !identity.id.isEmpty else { return }
        let row = CameraRow(
            id: identity.id,
            maker: identity.maker,
            model: identity.model,
            firmware: identity.firmware,
            address: address.description,
            network: network.machine.behavior.camera?.ssid ?? network.machine.behavior.ssid
        )
        book.note(row)
        ledgerNotes.note(row)
    }

    /// Tells the ledger what has to be told now. In the middle of a shoot the rest waits for the next frame, so that
    /// there are two commits for each frame and no more.
    mutating func tellLedger(at now: Duration, into effects: inout Effects) {
        guard let order = ledgerNotes.take(mayWait: shooting.machine.isActive(.running)) else { return }
        deliver(Recording.Input.wanted(order), at: now, into: &effects)
    }

    @discardableResult
    mutating func deliver(_ input: Recording.Input, at now: Duration, into effects: inout Effects) -> Bool {
        finish(recording.handle(input, at: now), at: now, into: &effects)
    }

    @discardableResult
    mutating func finish(
        _ outcome: ChartRun<RecordingModel>.Outcome,
        at now: Duration,
        into effects: inout Effects
    ) -> Bool {
        tellQuietly(outcome.steps, into: &effects)
        for effect in outcome.effects {
            switch effect {
            case .ledger(let effect): effects.append(.ledger(effect))
            case .announce(let news): effects.append(.enqueue(.record(news)))
            case .report(let entry): effects.append(.journal(entry))
            }
        }
        return outcome.wasTaken
    }

    // MARK: From the ledger

    mutating func handle(_ news: LedgerNews, at now: Duration, into effects: inout Effects) {
        switch news {
        case .opened(let contents): open(contents, at: now, into: &effects)
        case .unavailable(let sentence): deliver(Recording.Input.unavailable(sentence), at: now, into: &effects)
        case .committed: deliver(Recording.Input.committed, at: now, into: &effects)
        case .failed(let sentence): deliver(Recording.Input.failed(sentence), at: now, into: &effects)
        case .read(let id, let answer):
            answerLedgerReader(id, answer, at: now, into: &effects)
        case .room(let freeBytes): ledgerFreeBytes = freeBytes
        }
    }

    var listeningReaders: [RequestID] {
        ledgerReaders.filter { $0.value != .gone }.keys.sorted { $0.rawValue < $1.rawValue }
    }

    private mutating func answerLedgerReader(
        _ id: RequestID,
        _ answer: LedgerAnswer,
        at now: Duration,
        into effects: inout Effects
    ) {
        guard let reader = ledgerReaders.removeValue(forKey: id), reader != .gone else { return }
        switch answer {
        case .shoots: effects.append(.reply(id, .ledger(answer), continues: false))
        case .shoot(let shoot, let frames):
            guard case .goingOn(let command, let order) = reader else {
                return effects.append(.reply(id, .ledger(answer), continues: false))
            }
            goOn(with: .init(shoot: shoot, frames: frames), command, order, id, at: now, into: &effects)
        case .noShoot(let shoot):
            let sentence = "The ledger has no shoot \(shoot)."
            effects.append(.fail(id, .noSuchShoot(id: shoot, sentence: sentence)))
        case .failed(let sentence): effects.append(.fail(id, .ledgerUnavailable(sentence: sentence)))
        }
    }

    private mutating func open(_ contents: LedgerContents, at now: Duration, into effects: inout Effects) {
        if let notice = contents.notice {
            effects.append(.journal(JournalEntry(level: .error, kind: .ledger, message: notice)))
        }
        timings.begin(with: contents.timings)
        book.begin(with: contents.cameras)
        if let left = contents.unfinished { pictures.restore(left) }
        let recovery = Recovery(lastShoot: contents.lastShoot, shoot: contents.unfinished.map(Shoot.init))
        let model = shooting.machine.behavior
        ledgerNotes.begin(with: contents, lastShoot: model.lastShootID, isMissing: model.isAnythingMissing(recovery))
        if model.lastShootID > 0 {
            let shoots = model.lastShootID == 1 ? "The shoot" : "The \(model.lastShootID) shoots"
            let message = "\(shoots) begun before the ledger was open will not be in it."
            effects.append(.journal(JournalEntry(level: .warning, kind: .ledger, message: message)))
        }
        recoverSettings(contents, at: now, into: &effects)
        deliver(Shooting.Input.recovered(recovery), at: now, into: &effects)
        deliver(Recording.Input.opened, at: now, into: &effects)
        callMet(at: now, into: &effects)
        resumeByItself(at: now, into: &effects)
    }

    /// Why no shoot may begin for the ledger's sake; nil: one may. Before it is open nobody knows a number for it.
    var ledgerObjection: String? {
        switch recording.machine.mainState {
        case .opening: "The ledger is being opened: ask again in a moment."
        case .checking where configuration.ledger == .required: recording.machine.behavior.trouble
        case .unavailable where configuration.ledger == .required: recording.machine.behavior.trouble
        default: nil
        }
    }

    /// What keeps shoots from being recorded; nil: nothing.
    var ledgerSentence: String? {
        switch recording.machine.mainState {
        case .unavailable, .failing, .silent, .retrying: recording.machine.behavior.trouble
        case .opening: "The ledger is being opened."
        case .checking: recording.machine.behavior.trouble
        default: nil
        }
    }

    // MARK: Clients

    mutating func readLedger(
        _ query: LedgerQuery,
        for reader: LedgerReader = .client,
        _ id: RequestID,
        into effects: inout Effects
    ) {
        let isUpToDate = recording.machine.isActive(.ready) || recording.machine.isActive(.writing)
        // The history may be old while nothing can be written; a shoot that goes on may not.
        guard recording.machine.isActive(.kept), isUpToDate || reader == .client else {
            let sentence = configuration.ledger == .off ? Self.offLedgerSentence : ledgerSentence ?? ""
            return effects.append(.fail(id, .ledgerUnavailable(sentence: sentence)))
        }
        guard ledgerReaders.count < Self.streamsMax else {
            return effects.append(.fail(id, .tooManyClients(limit: Self.streamsMax)))
        }
        ledgerReaders[id] = reader
        effects.append(.ledger(.read(id, query)))
    }

    private static let offLedgerSentence =
        "No ledger is kept: set mode = \"required\" or \"best-effort\" under [ledger] to have a history."
}

/// Who waits for what the ledger answers.
enum LedgerReader: Equatable {
    /// A client that reads the history.
    case client
    /// A client that wants the shoot to go on, by this command.
    case goingOn(String, RetryOrder)
    /// A client that does not listen any more.
    case gone
}
