import Cameras
import Statecharts

// Requests of clients: each goes to the part that handles it, at once or after its wait.

extension Core {
    /// Handles a request, at once or after its wait.
    mutating func take(_ request: Request, _ id: RequestID, in turn: inout Turn) {
        guard mustWait(request) else { return handle(request, id, in: &turn) }
        turn.send(.subscribe(Subscription(id, to: .turn, for: request)))
    }

    /// Handles the requests that waited, in their order.
    mutating func takeWaiting(in turn: inout Turn) {
        while let next = subscriptions.clients.first(where: { $0.topic == .turn && !mustWait($0.request) }) {
            _ = subscriptions.remove(next.id, from: .turn)
            if let request = next.request { handle(request, next.id, in: &turn) }
            deliverMessages(in: &turn)
        }
    }

    /// Whether a request waits for something before it is handled. Each wait ends by a timer of its chart.
    private func mustWait(_ request: Request?) -> Bool {
        switch request {
        // A new command would end the restoring of the camera's settings from before the shoot. A shoot does not wait:
        // it adopts the settings that are still to be restored.
        case .connect, .disconnect: shooting.isRestoring
        // Between two tries the camera is free, and the user's value has priority.
        case .setProperty: shooting.settings.isActive(.puttingBack)
        // What was recorded is on disk first, so that the answer has it.
        case .readLedger: records.chart.isActive(.writing)
        case .retryShoot, .resumeShoot: records.chart.isActive(.writing) || isLedgerAwaited
        // The ledger has the number of the last shoot, and its missing frames.
        case .shoot, .retry, .resume: isLedgerAwaited
        default: false
        }
    }

    /// Whether nothing can begin before the ledger is open.
    package var isLedgerAwaited: Bool {
        records.chart.isActive(.opening) && shooting.chart.isActive(.inactive) && service.view.isServing
    }

    private mutating func handle(_ request: Request, _ id: RequestID, in turn: inout Turn) {
        let service = service.view
        // While the stop waits for a frame, only the status can be requested.
        guard service.isServing || request == .getStatus && !service.isLeaving else {
            return turn.append(.fail(id, .stopping))
        }
        switch request {
        case .getStatus: turn.answer(id, .status(timedStatusReport(at: turn.now)))
        case .plan, .preflight, .arm, .shoot, .retry, .resume, .redo, .retryShoot, .resumeShoot, .follow, .pause,
            .cancel, .dismiss:
            shooting.receive(request, id, shootFacts, in: &turn)
        case .readLedger(let query): turn.send(.ledgerWanted(query, nil, id))
        case .getPhotos, .watchPhotos: pictures.receive(request, id, pictureFacts, in: &turn)
        case .watch: turn.send(.subscribe(Subscription(id, to: .transitions)))
        case .inspect: subscriptions.addInspector(id, in: &turn)
        case .getCameras, .watchCameras: showCameras(id, isWatched: request == .watchCameras, in: &turn)
        case .connect(let target):
            // A name from the list that a user has just read is valid.
            finder.forgetSilent(at: turn.now)
            requests.connect(target, id, among: cameraEntries, requestFacts, in: &turn)
        case .disconnect: requests.disconnect(id, requestFacts, in: &turn)
        case .getCamera: turn.answer(id, cameraAnswer)
        case .setProperty(let name, let value): session.setProperty(name, value, id, sessionFacts, in: &turn)
        }
    }

    private mutating func showCameras(_ id: RequestID, isWatched: Bool, in turn: inout Turn) {
        if !isWatched { finder.forgetSilent(at: turn.now) }
        let entries = cameraEntries
        guard isWatched else { return turn.answer(id, .cameras(entries)) }
        publisher.publish(entries, in: &turn)
        let answer = Effect.reply(id, .cameras(entries), continues: true)
        turn.send(.subscribe(Subscription(id, to: .cameras, effects: [answer])))
    }

    /// The report of the connected camera, or the error that none is connected.
    var cameraAnswer: Result<Reply, RequestError> {
        let model = connection.machine.behavior
        guard connection.isActive(.online), let identity = model.identity, let status = model.status,
            let address = model.address
        else { return .failure(.notConnected(sentence: absenceSentence)) }
        let properties = session.properties.list
        var report = CameraReport(identity: identity, address: address, status: status, properties: properties)
        report.timing = shooting.timingReport(cameraView)
        return .success(.camera(report))
    }
}
