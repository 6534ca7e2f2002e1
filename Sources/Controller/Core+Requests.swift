import Cameras
import Statecharts

// Requests of clients: each goes to the part that handles it, at once or after its wait.

extension Request {
    /// What a request waits for before it is handled.
    enum Wait: Sendable {
        /// The camera's settings from before the shoot are restored: a new command would end that. A shoot does not
        /// wait: it adopts the settings that are still to be restored.
        case settingsRestored
        /// One setting is restored. Between two tries the camera is free, and the user's value has priority.
        case settingPutBack
        /// What was recorded is on disk, so that the answer has it.
        case recordsWritten
        /// The ledger is open: it has the number of the last shoot, and its missing frames.
        case ledgerOpened
    }

    /// What the request waits for. Each wait ends by a timer of its chart.
    var waits: [Wait] {
        switch self {
        case .connect, .disconnect: [.settingsRestored]
        case .setProperty: [.settingPutBack]
        case .readLedger: [.recordsWritten]
        case .retryShoot, .resumeShoot: [.recordsWritten, .ledgerOpened]
        case .shoot, .retry, .resume: [.ledgerOpened]
        default: []
        }
    }

    var receiver: Receiver {
        switch self {
        case .getStatus: .publisher
        case .plan, .preflight, .arm, .shoot, .retry, .resume, .redo, .retryShoot, .resumeShoot, .follow, .pause,
            .cancel, .dismiss:
            .shooting
        case .readLedger: .records
        case .getPhotos, .watchPhotos: .pictures
        case .watch, .inspect: .subscriptions
        case .getCameras, .watchCameras: .finder
        case .connect, .disconnect: .requests
        case .getCamera, .setProperty: .session
        }
    }
}

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

    private func mustWait(_ request: Request?) -> Bool {
        guard let request else { return false }
        return request.waits.contains { wait in
            switch wait {
            case .settingsRestored: shooting.isRestoring
            case .settingPutBack: shooting.settings.isActive(.puttingBack)
            case .recordsWritten: records.chart.isActive(.writing)
            case .ledgerOpened: isLedgerAwaited
            }
        }
    }

    /// Whether nothing can begin before the ledger is open.
    package var isLedgerAwaited: Bool {
        records.chart.isActive(.opening) && shooting.chart.isActive(.resting) && service.view.isServing
    }

    private mutating func handle(_ request: Request, _ id: RequestID, in turn: inout Turn) {
        let service = service.view
        // While the stop waits for a frame, only the status can be requested.
        guard service.isServing || request == .getStatus && !service.isLeaving else {
            return turn.append(.fail(id, .stopping))
        }
        switch request.receiver {
        case .publisher: turn.append(.reply(id, .status(timedStatusReport(at: turn.now)), continues: false))
        case .shooting: shooting.receive(request, id, shootFacts, in: &turn)
        case .records: if case .readLedger(let query) = request { turn.send(.ledgerWanted(query, nil, id)) }
        case .pictures: pictures.receive(request, id, pictureFacts, in: &turn)
        case .subscriptions: subscriptions.receive(request, id, in: &turn)
        case .finder, .requests, .session: handleForCamera(request, id, in: &turn)
        case .connection, .network, .settings, .button, .service: break
        }
    }

    private mutating func handleForCamera(_ request: Request, _ id: RequestID, in turn: inout Turn) {
        switch request {
        case .getCameras:
            finder.forgetSilent(at: turn.now)
            turn.append(.reply(id, .cameras(cameraEntries), continues: false))
        case .watchCameras:
            let entries = cameraEntries
            publisher.publish(entries, in: &turn)
            let answer = Effect.reply(id, .cameras(entries), continues: true)
            turn.send(.subscribe(Subscription(id, to: .cameras, effects: [answer])))
        case .connect(let target):
            // A name from the list that a user has just read is valid.
            finder.forgetSilent(at: turn.now)
            requests.connect(target, id, among: cameraEntries, requestFacts, in: &turn)
        case .disconnect: requests.disconnect(id, requestFacts, in: &turn)
        case .getCamera:
            switch cameraAnswer {
            case .success(let reply): turn.append(.reply(id, reply, continues: false))
            case .failure(let error): turn.append(.fail(id, error))
            }
        case .setProperty(let name, let value): session.setProperty(name, value, id, sessionFacts, in: &turn)
        default: break
        }
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
