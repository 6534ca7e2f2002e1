import Cameras
import Statecharts

// The requests of clients, and the parts that handle them.

extension Core {
    /// Handles a request, or lets it wait if it cannot be handled yet.
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

    /// Whether a request must wait before it is handled. A timer of a chart ends each wait.
    private func mustWait(_ request: Request?) -> Bool {
        switch request {
        // A new command would stop the restoring of the camera's settings. A shoot does not wait, because it adopts the
        // settings that are not restored yet.
        case .connect, .disconnect: shooting.isRestoring
        // Waits only during an attempt to restore a setting. Between two attempts the user's value has priority.
        case .setProperty, .files, .snapshot: shooting.settings.isActive(.puttingBack)
        // The recorded rows are written first, so that the answer includes them.
        case .readLedger: records.chart.isActive(.writing)
        case .retryShoot, .resumeShoot, .extend: records.chart.isActive(.writing) || isLedgerAwaited
        // These requests need the number of the last shoot and its missing frames from the ledger, and so do the checks
        // before a shoot.
        case .preflight, .shoot, .retry, .resume: isLedgerAwaited
        default: false
        }
    }

    /// Whether a shoot, and the checks before it, must wait until the ledger is open.
    package var isLedgerAwaited: Bool {
        records.chart.isActive(.opening) && shooting.chart.isActive(.inactive) && service.view.isServing
    }

    private mutating func handle(_ request: Request, _ id: RequestID, in turn: inout Turn) {
        let service = service.view
        // While the daemon waits for a frame before it stops, clients can request only the status.
        guard service.isServing || request == .getStatus && !service.isLeaving else {
            return turn.append(.fail(id, .stopping))
        }
        switch request {
        case .getStatus: turn.answer(id, .status(timedStatusReport(at: turn.now)))
        case .plan, .preflight, .arm, .shoot, .retry, .resume, .redo, .retryShoot, .resumeShoot, .follow, .pause,
            .cancel, .dismiss, .extend:
            shooting.receive(request, id, shootFacts, in: &turn)
        case .readLedger(let query): turn.send(.ledgerWanted(query, nil, id))
        case .getPhotos, .watchPhotos: pictures.receive(request, id, pictureFacts, in: &turn)
        case .watch: turn.send(.subscribe(Subscription(id, to: .transitions)))
        case .inspect: subscriptions.addInspector(id, in: &turn)
        case .getCameras, .watchCameras: showCameras(id, isWatched: request == .watchCameras, in: &turn)
        case .connect(let target):
            // Cameras that are gone are removed first, as in the list that clients read.
            finder.forgetSilent(at: turn.now)
            requests.connect(target, id, among: cameraEntries, requestFacts, in: &turn)
        case .disconnect: requests.disconnect(id, requestFacts, in: &turn)
        case .getCamera: turn.answer(id, cameraAnswer)
        case .files(let request): session.handleFiles(request, id, sessionFacts, in: &turn)
        case .snapshot(let size): session.showLiveView(size, id, sessionFacts, in: &turn)
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

    /// The description of the connected camera, or the error that no camera is connected.
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
