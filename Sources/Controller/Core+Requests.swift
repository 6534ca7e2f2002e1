import Cameras
import Exposure
import Statecharts

// What clients ask for. Each request is answered once; a stream gets its answers and one end.

extension Core {
    mutating func handle(_ request: Request, _ id: RequestID, at now: Duration, into effects: inout Effects) {
        guard !isStopping, !connection.machine.isActive(.disconnecting), connection.machine.isRunning else {
            effects.append(.fail(id, .stopping))
            return
        }
        // While a frame is waited for it can be asked what for, and nothing new begins.
        guard service.machine.isActive(.serving) || request == .getStatus else {
            return effects.append(.fail(id, .stopping))
        }
        switch request {
        case .getStatus:
            var report = statusReport
            report.shoot = report.shoot.map { timed($0, at: now) }
            effects.append(.reply(id, .status(report), continues: false))
        case .plan(let input):
            plan(input, id, into: &effects)
        case .shoot(let input, let streams, let drops):
            shoot(input, streams: streams, drops: drops, id, at: now, into: &effects)
        case .retryShoot(let shoot, let streams, _) where shoot == shooting.machine.behavior.shoot?.id:
            handle(.retry(streams: streams), id, at: now, into: &effects)
        case .retryShoot(let shoot, let streams, let drops):
            recall(shoot, "Retry", RetryOrder(request: id, streams: streams, drops: drops), id, into: &effects)
        case .resumeShoot(let shoot, _) where shoot == shooting.machine.behavior.shoot?.id:
            let isOver = shooting.machine.isActive(.ended) && outcome != .interrupted
            guard isOver else { return handle(.resume, id, at: now, into: &effects) }
            guard mayFire("Resume", id, into: &effects) else { break }
            goOn("Resume", RetryOrder(request: nil, streams: false), id, at: now, into: &effects)
        case .resumeShoot(let shoot, let drops):
            recall(shoot, "Resume", RetryOrder(request: nil, streams: false, drops: drops), id, into: &effects)
        case .retry(let streams):
            guard mayStream(streams, id, into: &effects), mayFire("Retry", id, into: &effects) else { break }
            goOn("Retry", RetryOrder(request: id, streams: streams), id, at: now, into: &effects)
        case .follow(let streams):
            follow(streams: streams, id, at: now, into: &effects)
        case .pause(let withRedo):
            pause(withRedo: withRedo, id, at: now, into: &effects)
        case .resume where shooting.machine.isActive(.interrupted) && outcome == .interrupted:
            guard mayFire("Resume", id, into: &effects) else { break }
            goOn("Resume", RetryOrder(request: nil, streams: false), id, at: now, into: &effects)
        case .resume where shooting.machine.isActive(.wifiSwitched) && !connection.machine.isActive(.offNetwork):
            // Back on its network, the camera is what is missing: one that refused us is to be asked again.
            effects.append(.enqueue(.cameraWanted))
            effects.append(.reply(id, .done, continues: false))
        case .resume:
            let goesOn = shooting.machine.isActive(.byCommand) && shooting.machine.isActive(.present)
            if goesOn, !mayGoOn(RetryOrder(request: nil, streams: false), "Resume", id, into: &effects) { break }
            order(.resume, "Resume", id, at: now, into: &effects)
        case .redo where shooting.machine.isActive(.ended):
            guard mayFire("Redo", id, into: &effects) else { break }
            goOn("Redo", RetryOrder(request: nil, streams: false, withRedo: true), id, at: now, into: &effects)
        case .redo:
            order(.redo, "Redo", id, at: now, into: &effects)
        case .readLedger(let query):
            readLedger(query, id, into: &effects)
        case .preflight(let input):
            checkPlan(input, id, into: &effects)
        case .arm(let input):
            arm(input, id, into: &effects)
        case .inspect:
            inspect(id, into: &effects)
        case .getCameras:
            book.forgetSilent(at: now)
            effects.append(.reply(id, .cameras(cameraEntries), continues: false))
        case .watchCameras:
            watchCameras(id, at: now, into: &effects)
        case .connect(let target):
            connect(target, id, at: now, into: &effects)
        case .disconnect:
            disconnect(id, into: &effects)
        case .cancel:
            order(.cancel, "Cancel", id, at: now, into: &effects)
        case .dismiss:
            order(.dismiss, "Dismiss", id, at: now, into: &effects)
        case .watch:
            guard watchers.count < Self.streamsMax else {
                return effects.append(.fail(id, .tooManyClients(limit: Self.streamsMax)))
            }
            watchers.append(id)
        case .getCamera:
            getCamera(id, into: &effects)
        case .setProperty(let name, let value):
            setProperty(name, value, id, at: now, into: &effects)
        case .getPhotos:
            getPhotos(id, into: &effects)
        case .watchPhotos:
            watchPhotos(id, into: &effects)
        }
    }

    /// Goes on with a shoot that is over.
    private mutating func goOn(
        _ command: String,
        _ order: RetryOrder,
        kept: LedgerContents.Unfinished? = nil,
        _ id: RequestID,
        at now: Duration,
        into effects: inout Effects
    ) {
        guard shooting.machine.isActive(.resting), shooting.machine.behavior.mayRetry(order) else {
            return refuseNow(command, id, into: &effects)
        }
        // One that is set wrong is connected, and a check says what to change.
        if shooting.machine.isActive(.unfit), !mayGoOn(order, command, id, into: &effects) { return }
        guard shooting.machine.isActive(.present) else {
            effects.append(.fail(id, .notConnected(sentence: refusalSentence)))
            return effects.append(.enqueue(.cameraWanted))
        }
        guard mayGoOn(order, command, id, into: &effects) else { return }
        if let kept {
            ledgerNotes.recall(kept)
            pictures.restore(kept)
        }
        deliver(Shooting.Input.retry(order), at: now, into: &effects)
        if order.request == nil { effects.append(.reply(id, .done, continues: false)) }
    }

    /// Goes on with a shoot that is not the last one: the ledger is asked for it.
    private mutating func recall(
        _ shoot: Int,
        _ command: String,
        _ order: RetryOrder,
        _ id: RequestID,
        into effects: inout Effects
    ) {
        guard mayStream(order.streams, id, into: &effects), mayFire(command, id, into: &effects) else { return }
        guard shooting.machine.isActive(.resting) else { return refuseNow(command, as: "Shoot", id, into: &effects) }
        readLedger(.shoot(shoot), for: .goingOn(command, order), id, into: &effects)
    }

    /// Goes on with a shoot that the ledger answered.
    mutating func goOn(
        with kept: LedgerContents.Unfinished,
        _ command: String,
        _ order: RetryOrder,
        _ id: RequestID,
        at now: Duration,
        into effects: inout Effects
    ) {
        guard !isStopping, service.machine.isActive(.serving) else { return effects.append(.fail(id, .stopping)) }
        guard shooting.machine.isActive(.resting) else { return refuseNow(command, as: "Shoot", id, into: &effects) }
        guard mayStream(order.streams, id, into: &effects), mayFire(command, id, into: &effects) else { return }
        var order = order
        order.shoot = Shoot(kept).withoutDoubts
        guard shooting.machine.behavior.mayRetry(order) else {
            let sentence = "Shoot \(kept.shoot.id) lacks no frames."
            return effects.append(.fail(id, .notNow(command: command, state: shooting.state, sentence: sentence)))
        }
        goOn(command, order, kept: kept, id, at: now, into: &effects)
    }

    private mutating func pause(withRedo: Bool, _ id: RequestID, at now: Duration, into effects: inout Effects) {
        guard withRedo else { return order(.pause, "Pause", id, at: now, into: &effects) }
        guard shooting.machine.isActive(.active), shooting.machine.behavior.mayRedo() else {
            return refuseNow("Redo", id, into: &effects)
        }
        let isPaused = shooting.machine.isActive(.byCommand) || shooting.machine.isActive(.pauseWanted)
        guard isPaused || deliver(Shooting.Input.pause, at: now, into: &effects) else {
            return refuseNow("Pause", id, into: &effects)
        }
        order(.redo, "Redo", id, at: now, into: &effects)
    }

    private mutating func order(
        _ input: Shooting.Input,
        _ command: String,
        _ id: RequestID,
        at now: Duration,
        into effects: inout Effects
    ) {
        if deliver(input, at: now, into: &effects) {
            // Not to be forgotten with the daemon.
            if input == .pause || input == .cancel { ledgerNotes.want(isDurable: true) }
            effects.append(.reply(id, .done, continues: false))
        } else {
            refuseNow(command, id, into: &effects)
        }
    }

    /// The chart dropped the order: it means nothing in this state.
    ///
    /// - Parameter other: the command whose reason it is; nil: its own.
    private func refuseNow(
        _ command: String,
        as other: String? = nil,
        _ id: RequestID,
        into effects: inout Effects
    ) {
        let sentence = whyNot(other ?? command)
        let error = RequestError.notNow(command: command, state: shooting.state, sentence: sentence)
        effects.append(.fail(id, error))
    }

    private func whyNot(_ command: String) -> String {
        let chart = shooting.machine
        guard chart.isActive(.active) else {
            switch command {
            case "Retry": return "No frame of an earlier shoot is missing."
            case "Redo" where chart.behavior.shoot == nil && chart.behavior.lastShootID > 0:
                let shoot = chart.behavior.lastShootID
                return "Shoot \(shoot) cannot be fired again: it was dismissed, or it was over when the daemon started."
            case "Redo": return "No frame was fired that could be fired again."
            case "Dismiss" where chart.isActive(.completed): return completeSentence
            case "Dismiss": return "No earlier shoot is kept."
            case "Resume" where chart.isActive(.ended) && chart.behavior.shoot?.isDone == false:
                return "The shoot is over: bracketctl retry fires what is missing."
            default: return "Nothing is being fired."
            }
        }
        switch command {
        case "Pause" where chart.isActive(.cancelWanted): return "The shoot stops after this frame already."
        case "Pause": return "The shoot is paused already."
        case "Redo": return "No frame was fired that could be fired again, or it is to be already."
        case "Resume" where chart.isActive(.wifiSwitched) || chart.isActive(.cameraNotFit):
            return chart.behavior.interruptionSentence
        case "Resume": return "The shoot is not paused."
        case "Cancel": return "The shoot stops after this frame already."
        default: return "A shoot is being fired: wait for its end, or cancel it."
        }
    }

    private var completeSentence: String {
        let name = shooting.machine.behavior.shoot.map { "Shoot \($0.id)" } ?? "The shoot"
        return "\(name) is complete: there are no frames to drop, and nothing was changed."
    }

    private func mayStream(_ streams: Bool, _ id: RequestID, into effects: inout Effects) -> Bool {
        let count = shootStreams.count + (shootOrderer?.streams == true ? 1 : 0)
        guard streams, count >= Self.streamsMax else { return true }
        effects.append(.fail(id, .tooManyClients(limit: Self.streamsMax)))
        return false
    }

    func getCamera(_ id: RequestID, into effects: inout Effects) {
        let model = connection.machine.behavior
        guard connection.machine.isActive(.online), let identity = model.identity, let status = model.status,
            let address = model.address
        else {
            return effects.append(.fail(id, .notConnected(sentence: absenceSentence)))
        }
        var report = CameraReport(identity: identity, address: address, status: status, properties: properties.list)
        report.timing = timingReport
        effects.append(.reply(id, .camera(report), continues: false))
    }

    // MARK: Plans

    private mutating func plan(_ input: PlanInput, _ id: RequestID, into effects: inout Effects) {
        switch draft(input) {
        case .success(let draft):
            // As it was meant, with its defaults: those of another daemon may be others.
            if let identity = draft.identity { planBook.note(draft.report.input, identity) }
            effects.append(.reply(id, .plan(draft.comparedReport), continues: false))
        case .failure(let error):
            effects.append(.fail(id, error))
        }
    }

    private func checkPlan(_ input: PlanInput, _ id: RequestID, into effects: inout Effects) {
        switch draft(input) {
        case .success(let draft): effects.append(.reply(id, .preflight(draft.preflight), continues: false))
        case .failure(let error): effects.append(.fail(id, error))
        }
    }

    /// The plan is judged when it is fired; what could never be fired is refused now.
    private mutating func arm(_ input: PlanInput?, _ id: RequestID, into effects: inout Effects) {
        if let input, case .failure(let error) = draft(input) { return effects.append(.fail(id, error)) }
        guard armers.count < Self.streamsMax else {
            return effects.append(.fail(id, .tooManyClients(limit: Self.streamsMax)))
        }
        var kept = input
        if let hash = input?.hash, input?.isBare == true { kept = planBook[hash.lowercased()]?.input ?? input }
        // The camera that a plan was shown for is not the one that it will be fired with.
        kept?.hash = nil
        armedPlan = kept
        armers[id] = true
        effects.append(.keepPlan(kept, for: id))
    }

    /// What was armed is on disk, or is not: then the next run of the daemon does not know of it.
    mutating func answerArmer(_ id: RequestID, _ trouble: String?, into effects: inout Effects) {
        guard armers.removeValue(forKey: id) == true else { return }
        effects.append(trouble.map { .fail(id, .planNotKept(sentence: $0)) } ?? .reply(id, .done, continues: false))
    }

    private mutating func shoot(
        _ input: PlanInput,
        streams: Bool,
        drops: Bool,
        _ id: RequestID,
        at now: Duration,
        into effects: inout Effects
    ) {
        guard mayStream(streams, id, into: &effects), mayFire("Shoot", id, into: &effects) else { return }
        guard shooting.machine.isActive(.resting) else { return refuseNow("Shoot", id, into: &effects) }
        switch draft(input) {
        case .success(let draft):
            // Without a camera the chart refuses, and has it looked for.
            if !shooting.machine.isActive(.absent), !passes(draft.preflight, drops: drops, id, into: &effects) {
                return
            }
            let order = ShootOrder(
                plan: draft.plan,
                camera: connection.machine.behavior.identity ?? .unknown,
                began: .clock(now),
                request: id,
                streams: streams
            )
            guard deliver(Shooting.Input.start(order), at: now, into: &effects) else {
                return refuseNow("Shoot", id, into: &effects)
            }
        case .failure(let error):
            effects.append(.fail(id, error))
        }
    }

    // MARK: Streams

    /// Answers the client that asked for the shoot once the shoot is on disk, or cannot be soon: then the answer says
    /// so. A shoot that was answered is not forgotten with the daemon.
    mutating func answerShootOrderer(at now: Duration, into effects: inout Effects) {
        guard let orderer = shootOrderer, !shooting.machine.isActive(.recordingShoot) else { return }
        shootOrderer = nil
        if orderer.streams {
            shootStreams.append(orderer.request)
            // The client hears the present step at once, even when it is the one that another client heard last.
            lastProgress = nil
        } else if let progress {
            effects.append(.reply(orderer.request, .progress(timed(progress, at: now)), continues: false))
        }
    }

    private mutating func follow(streams: Bool, _ id: RequestID, at now: Duration, into effects: inout Effects) {
        guard let progress = streams ? followedProgress : self.progress else {
            return refuseNow("Follow", id, into: &effects)
        }
        let goesOn = streams && progress.outcome == nil
        guard mayStream(goesOn, id, into: &effects) else { return }
        if goesOn { shootStreams.append(id) }
        effects.append(.reply(id, .progress(timed(progress, at: now)), continues: goesOn))
    }
}
