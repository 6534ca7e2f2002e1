import Cameras
import Exposure
import Statecharts

// What clients ask for. Each request is answered once; a stream gets its answers and one end.

extension Core {
    mutating func handle(_ request: Request, _ id: RequestID, in turn: inout Turn) {
        guard !shooting.isStopping, !connection.isActive(.disconnecting), connection.machine.isRunning else {
            turn.append(.fail(id, .stopping))
            return
        }
        // While a frame is waited for it can be asked what for, and nothing new begins.
        guard service.isActive(.serving) || request == .getStatus else {
            return turn.append(.fail(id, .stopping))
        }
        switch request {
        case .getStatus:
            var report = statusReport
            report.shoot = report.shoot.map { timed($0, at: turn.now) }
            turn.append(.reply(id, .status(report), continues: false))
        case .plan(let input):
            plan(input, id, in: &turn)
        case .shoot(let input, let streams, let drops):
            shoot(input, streams: streams, drops: drops, id, in: &turn)
        case .retryShoot(let shoot, let streams, _) where shoot == shooting.shoot?.id:
            handle(.retry(streams: streams), id, in: &turn)
        case .resumeShoot(let shoot, _) where shoot == shooting.shoot?.id:
            let isOver = shooting.chart.isActive(.ended) && outcome != .interrupted
            guard isOver else { return handle(.resume, id, in: &turn) }
            guard mayFire("Resume", id, in: &turn) else { break }
            goOn("Resume", RetryOrder(request: nil, streams: false), id, in: &turn)
        case .retryShoot(let shoot, _, _), .resumeShoot(let shoot, _):
            recall(shoot, request, id, in: &turn)
        case .retry(let streams):
            guard mayStream(streams, id, in: &turn), mayFire("Retry", id, in: &turn) else { break }
            goOn("Retry", RetryOrder(request: id, streams: streams), id, in: &turn)
        case .follow(let streams):
            follow(streams: streams, id, in: &turn)
        case .pause(let withRedo):
            pause(withRedo: withRedo, id, in: &turn)
        case .resume where shooting.chart.isActive(.interrupted) && outcome == .interrupted:
            guard mayFire("Resume", id, in: &turn) else { break }
            goOn("Resume", RetryOrder(request: nil, streams: false), id, in: &turn)
        case .resume where shooting.chart.isActive(.wifiSwitched) && !connection.isActive(.offNetwork):
            // Back on its network, the camera is what is missing: one that refused us is to be asked again.
            turn.append(.enqueue(.cameraWanted))
            turn.append(.reply(id, .done, continues: false))
        case .resume:
            let goesOn = shooting.chart.isActive(.byCommand) && shooting.chart.isActive(.present)
            if goesOn, !mayGoOn(RetryOrder(request: nil, streams: false), "Resume", id, in: &turn) { break }
            order(.resume, "Resume", id, in: &turn)
        case .redo where shooting.chart.isActive(.ended):
            guard mayFire("Redo", id, in: &turn) else { break }
            goOn("Redo", RetryOrder(request: nil, streams: false, withRedo: true), id, in: &turn)
        case .redo:
            order(.redo, "Redo", id, in: &turn)
        case .readLedger(let query):
            readLedger(query, id, in: &turn)
        case .preflight(let input):
            checkPlan(input, id, in: &turn)
        case .arm(let input):
            arm(input, id, in: &turn)
        case .inspect:
            inspect(id, in: &turn)
        case .getCameras:
            finder.forgetSilent(at: turn.now)
            turn.append(.reply(id, .cameras(cameraEntries), continues: false))
        case .watchCameras:
            watchCameras(id, in: &turn)
        case .connect(let target):
            // A name that a user read in the list a moment ago is good.
            finder.forgetSilent(at: turn.now)
            requests.connect(target, id, among: cameraEntries, requestFacts, in: &turn)
        case .disconnect:
            requests.disconnect(id, requestFacts, in: &turn)
        case .cancel:
            order(.cancel, "Cancel", id, in: &turn)
        case .dismiss:
            order(.dismiss, "Dismiss", id, in: &turn)
        case .watch:
            if subscriptions.hasRoom(for: .transitions, id, in: &turn) { subscriptions.add(id, to: .transitions) }
        case .getCamera:
            getCamera(id, in: &turn)
        case .setProperty(let name, let value):
            session.setProperty(name, value, id, sessionFacts, in: &turn)
        case .getPhotos:
            turn.append(.reply(id, .photos(photosReport), continues: false))
        case .watchPhotos:
            watchPhotos(id, in: &turn)
        }
    }

    /// Goes on with a shoot that is over.
    private mutating func goOn(
        _ command: String,
        _ order: RetryOrder,
        kept: LedgerContents.Unfinished? = nil,
        _ id: RequestID,
        in turn: inout Turn
    ) {
        guard shooting.chart.isActive(.resting), shooting.chart.machine.behavior.mayRetry(order) else {
            return refuseNow(command, id, in: &turn)
        }
        // One that is set wrong is connected, and a check says what to change.
        if shooting.chart.isActive(.unfit), !mayGoOn(order, command, id, in: &turn) { return }
        guard shooting.chart.isActive(.present) else {
            turn.append(.fail(id, .notConnected(sentence: refusalSentence)))
            return turn.append(.enqueue(.cameraWanted))
        }
        guard mayGoOn(order, command, id, in: &turn) else { return }
        if let kept {
            records.notes.recall(kept)
            pictures.recent.restore(kept)
        }
        deliver(Shooting.Input.retry(order), in: &turn)
        if order.request == nil { turn.append(.reply(id, .done, continues: false)) }
    }

    /// Goes on with a shoot that is not the last one: the ledger is asked for it.
    private mutating func recall(_ shoot: Int, _ request: Request, _ id: RequestID, in turn: inout Turn) {
        guard let (command, order) = request.recall(id), mayStream(order.streams, id, in: &turn),
            mayFire(command, id, in: &turn)
        else { return }
        guard shooting.chart.isActive(.resting) else { return refuseNow(command, as: "Shoot", id, in: &turn) }
        readLedger(.shoot(shoot), for: request, id, in: &turn)
    }

    /// Goes on with a shoot that the ledger answered.
    mutating func goOn(with kept: LedgerContents.Unfinished, _ request: Request, _ id: RequestID, in turn: inout Turn) {
        guard let (command, recall) = request.recall(id) else { return }
        guard !shooting.isStopping, service.isActive(.serving) else { return turn.append(.fail(id, .stopping)) }
        guard shooting.chart.isActive(.resting) else { return refuseNow(command, as: "Shoot", id, in: &turn) }
        guard mayStream(recall.streams, id, in: &turn), mayFire(command, id, in: &turn) else { return }
        var order = recall
        order.shoot = Shoot(kept).withoutDoubts
        guard shooting.chart.machine.behavior.mayRetry(order) else {
            let sentence = "Shoot \(kept.shoot.id) lacks no frames."
            return turn.append(.fail(id, .notNow(command: command, state: shooting.chart.state, sentence: sentence)))
        }
        goOn(command, order, kept: kept, id, in: &turn)
    }

    private mutating func pause(withRedo: Bool, _ id: RequestID, in turn: inout Turn) {
        guard withRedo else { return order(.pause, "Pause", id, in: &turn) }
        guard shooting.chart.isActive(.active), shooting.chart.machine.behavior.mayRedo() else {
            return refuseNow("Redo", id, in: &turn)
        }
        let isPaused = shooting.chart.isActive(.byCommand) || shooting.chart.isActive(.pauseWanted)
        guard isPaused || deliver(Shooting.Input.pause, in: &turn) else {
            return refuseNow("Pause", id, in: &turn)
        }
        order(.redo, "Redo", id, in: &turn)
    }

    private mutating func order(_ input: Shooting.Input, _ command: String, _ id: RequestID, in turn: inout Turn) {
        if deliver(input, in: &turn) {
            // Not to be forgotten with the daemon.
            if input == .pause || input == .cancel { records.notes.want(isDurable: true) }
            turn.append(.reply(id, .done, continues: false))
        } else {
            refuseNow(command, id, in: &turn)
        }
    }

    /// The chart dropped the order: it means nothing in this state.
    ///
    /// - Parameter other: the command whose reason it is; nil: its own.
    private func refuseNow(_ command: String, as other: String? = nil, _ id: RequestID, in turn: inout Turn) {
        let sentence = whyNot(other ?? command)
        let error = RequestError.notNow(command: command, state: shooting.chart.state, sentence: sentence)
        turn.append(.fail(id, error))
    }

    private func whyNot(_ command: String) -> String {
        let chart = shooting.chart.machine
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
        let name = shooting.shoot.map { "Shoot \($0.id)" } ?? "The shoot"
        return "\(name) is complete: there are no frames to drop, and nothing was changed."
    }

    private func mayStream(_ streams: Bool, _ id: RequestID, in turn: inout Turn) -> Bool {
        let count = subscriptions.count(of: .shoot) + subscriptions.count(of: .streamedShootRecord)
        guard streams, count >= Self.streamsMax else { return true }
        turn.append(.fail(id, .tooManyClients(limit: Self.streamsMax)))
        return false
    }

    func getCamera(_ id: RequestID, in turn: inout Turn) {
        switch cameraAnswer {
        case .success(let reply): turn.append(.reply(id, reply, continues: false))
        case .failure(let error): turn.append(.fail(id, error))
        }
    }

    /// The report of the connected camera, or that there is none.
    var cameraAnswer: Result<Reply, RequestError> {
        let model = connection.machine.behavior
        guard connection.isActive(.online), let identity = model.identity, let status = model.status,
            let address = model.address
        else { return .failure(.notConnected(sentence: absenceSentence)) }
        let properties = session.properties.list
        var report = CameraReport(identity: identity, address: address, status: status, properties: properties)
        report.timing = timingReport
        return .success(.camera(report))
    }

    mutating func watchCameras(_ id: RequestID, in turn: inout Turn) {
        guard subscriptions.hasRoom(for: .cameras, id, in: &turn) else { return }
        let entries = cameraEntries
        publisher.publish(entries, to: subscriptions, in: &turn)
        subscriptions.add(id, to: .cameras)
        turn.append(.reply(id, .cameras(entries), continues: true))
        if subscriptions.count(of: .cameras) == 1 { turn.send(.camerasWatched(true)) }
    }

    /// Whether a shoot may begin: not while a setting is on its way, for it is not known which frame it would come in.
    func mayFire(_ command: String, _ id: RequestID, in turn: inout Turn) -> Bool {
        if let sentence = records.objection {
            turn.append(.fail(id, .notNow(command: command, state: shooting.chart.state, sentence: sentence)))
            turn.append(.enqueue(.recordWanted))
            return false
        }
        guard let request = session.propertyRequest else { return true }
        let sentence =
            "The camera's \(request.property.rawValue) is being set to \(request.value): ask again in a moment."
        turn.append(.fail(id, .notNow(command: command, state: shooting.chart.state, sentence: sentence)))
        return false
    }

    // MARK: Plans

    private mutating func plan(_ input: PlanInput, _ id: RequestID, in turn: inout Turn) {
        switch draft(input) {
        case .success(let draft):
            // As it was meant, with its defaults: those of another daemon may be others.
            if let identity = draft.identity { shooting.plans.note(draft.report.input, identity) }
            turn.append(.reply(id, .plan(draft.comparedReport), continues: false))
        case .failure(let error):
            turn.append(.fail(id, error))
        }
    }

    private func checkPlan(_ input: PlanInput, _ id: RequestID, in turn: inout Turn) {
        switch draft(input) {
        case .success(let draft): turn.append(.reply(id, .preflight(draft.preflight), continues: false))
        case .failure(let error): turn.append(.fail(id, error))
        }
    }

    /// The plan is judged when it is fired; what could never be fired is refused now.
    private mutating func arm(_ input: PlanInput?, _ id: RequestID, in turn: inout Turn) {
        if let input, case .failure(let error) = draft(input) { return turn.append(.fail(id, error)) }
        guard subscriptions.hasRoom(for: .armedPlan, id, in: &turn) else { return }
        var kept = input
        if let hash = input?.hash, input?.isBare == true { kept = shooting.plans[hash.lowercased()]?.input ?? input }
        // The camera that a plan was shown for is not the one that it will be fired with.
        kept?.hash = nil
        shooting.armedPlan = kept
        subscriptions.add(id, to: .armedPlan)
        turn.append(.keepPlan(kept, for: id))
    }

    /// What was armed is on disk, or is not: then the next run of the daemon does not know of it.
    mutating func answerArmer(_ id: RequestID, _ trouble: String?, in turn: inout Turn) {
        guard subscriptions.remove(id, from: .armedPlan)?.isListening == true else { return }
        turn.append(trouble.map { .fail(id, .planNotKept(sentence: $0)) } ?? .reply(id, .done, continues: false))
    }

    private mutating func shoot(_ input: PlanInput, streams: Bool, drops: Bool, _ id: RequestID, in turn: inout Turn) {
        guard mayStream(streams, id, in: &turn), mayFire("Shoot", id, in: &turn) else { return }
        guard shooting.chart.isActive(.resting) else { return refuseNow("Shoot", id, in: &turn) }
        switch draft(input) {
        case .success(let draft):
            // Without a camera the chart refuses, and has it looked for.
            if !shooting.chart.isActive(.absent), !passes(draft.preflight, drops: drops, id, in: &turn) {
                return
            }
            let order = ShootOrder(
                plan: draft.plan,
                camera: connection.machine.behavior.identity ?? .unknown,
                began: .clock(turn.now),
                request: id,
                streams: streams
            )
            guard deliver(Shooting.Input.start(order), in: &turn) else {
                return refuseNow("Shoot", id, in: &turn)
            }
        case .failure(let error):
            turn.append(.fail(id, error))
        }
    }

    // MARK: Streams

    /// Answers the client that asked for the shoot once the shoot is on disk, or cannot be soon: then the answer says
    /// so. A shoot that was answered is not forgotten with the daemon.
    mutating func answerShootRecord(in turn: inout Turn) {
        guard !shooting.chart.isActive(.recordingShoot) else { return }
        for id in subscriptions.removeAll(from: .streamedShootRecord) {
            subscriptions.add(id, to: .shoot)
            // The client hears the present step at once, even when it is the one that another client heard last.
            publisher.repeatProgress()
        }
        guard subscriptions.contains(.shootRecord), let progress else { return }
        subscriptions.answer(.shootRecord, .progress(timed(progress, at: turn.now)), in: &turn)
    }

    private mutating func follow(streams: Bool, _ id: RequestID, in turn: inout Turn) {
        guard let progress = streams ? followedProgress : self.progress else {
            return refuseNow("Follow", id, in: &turn)
        }
        let goesOn = streams && progress.outcome == nil
        guard mayStream(goesOn, id, in: &turn) else { return }
        if goesOn { subscriptions.add(id, to: .shoot) }
        turn.append(.reply(id, .progress(timed(progress, at: turn.now)), continues: goesOn))
    }
}

extension Request {
    /// The command and the order of a request that goes on with a shoot of the ledger; nil: it is none.
    fileprivate func recall(_ id: RequestID) -> (command: String, order: RetryOrder)? {
        switch self {
        case .retryShoot(_, let streams, let drops):
            ("Retry", RetryOrder(request: id, streams: streams, drops: drops))
        case .resumeShoot(_, let drops): ("Resume", RetryOrder(request: nil, streams: false, drops: drops))
        default: nil
        }
    }
}
