import Cameras
import Statecharts

/// A part of the core that receives messages.
package enum Receiver: Sendable {
    case session, finder, requests, connection, network, shooting, settings, pictures, records, button, service
    case subscriptions, publisher
}

extension Message {
    /// Who receives a message, in order: the one table. Every message passes the queue.
    package var receivers: [Receiver] {
        switch self {
        case .camera: [.session]
        case .cameraReady: [.network, .finder, .requests, .settings, .shooting]
        case .cameraGone, .cameraUnfit: [.shooting, .settings]
        case .networkLeft: [.shooting, .connection, .settings]
        case .networkBack, .cameraFound, .cameraWanted: [.finder, .connection]
        case .candidate, .candidateMet, .waveOver, .searchWanted: [.finder]
        case .candidateRefused, .othersLeft: [.connection]
        case .cameraCalled: [.finder, .network, .connection]
        case .cameraReleased: [.connection, .requests]
        case .picture: [.shooting, .pictures]
        case .record: [.shooting]
        case .recordWanted: [.records]
        case .buttonPressed, .buttonHeld: [.button]
        case .frameOver: [.service]
        case .personalSetting: [.settings]
        }
    }
}

extension Core {
    /// Gives a message to its receivers.
    mutating func route(_ message: Message, in turn: inout Turn) {
        guard isCurrent(message) else { return }
        for receiver in message.receivers {
            switch receiver {
            case .session: sessionReceives(message, in: &turn)
            case .finder: finderReceives(message, in: &turn)
            case .requests: requestsReceive(message, in: &turn)
            case .connection: connectionReceives(message, in: &turn)
            case .network: networkReceives(message, in: &turn)
            case .shooting: shootingReceives(message, in: &turn)
            case .settings: settingsReceive(message, in: &turn)
            case .pictures: if case .picture(let news) = message { noteVerdict(news, in: &turn) }
            case .records: deliver(Recording.Input.retry, in: &turn)
            case .button: buttonReceives(message, in: &turn)
            case .service: finish(service.handle(.frameOver, at: turn.now), in: &turn)
            // They receive messages of the same input only.
            case .subscriptions, .publisher: break
            }
        }
    }

    /// The network may have been left, or the link lost, in the instant in which the message was sent.
    private func isCurrent(_ message: Message) -> Bool {
        switch message {
        case .camera(_, _, let generation): generation == session.generation
        case .cameraReady: connection.isActive(.connected)
        case .cameraUnfit: connection.isActive(.online)
        default: true
        }
    }

    private mutating func sessionReceives(_ message: Message, in turn: inout Turn) {
        guard case .camera(let event, let ticket, _) = message else { return }
        restRefusing(event, ticket, at: turn.now)
        routeCamera(event, ticket, in: &turn)
    }

    private mutating func finderReceives(_ message: Message, in turn: inout Turn) {
        switch message {
        case .cameraReady:
            noteCamera()
            finder.lastPick = nil
        case .networkBack: finder.forgetRefusals()
        case .cameraFound: finder.offer = nil
        case .cameraWanted, .cameraCalled:
            finder.forgetRefusals()
            deliver(Search.Input.wanted, in: &turn)
        case .candidate(let generation, let event): routeCandidate(event, of: generation, in: &turn)
        case .candidateMet(let generation, let meeting): meet(meeting, of: generation, in: &turn)
        case .waveOver:
            if !finder.candidates.contains(where: \.isOfWave) { deliver(Search.Input.waveOver, in: &turn) }
        case .searchWanted(let isWanted): deliver(isWanted ? Search.Input.begin : .end, in: &turn)
        default: break
        }
    }

    private mutating func requestsReceive(_ message: Message, in turn: inout Turn) {
        if case .cameraReleased = message { return answerConnectOrders(in: &turn) }
        guard isSearched else { return }
        requests.keepChoice(connection.machine.behavior.identity, at: connection.machine.behavior.address)
    }

    private mutating func connectionReceives(_ message: Message, in turn: inout Turn) {
        switch message {
        case .networkLeft(let departure): deliver(Connection.Input.networkLeft(departure), in: &turn)
        case .networkBack: deliver(Connection.Input.networkBack, in: &turn)
        case .cameraFound(let address):
            if !isCalled(address) { deliver(Connection.Input.cameraFound(address), in: &turn) }
        case .cameraWanted, .othersLeft: deliver(Connection.Input.cameraWanted, in: &turn)
        case .candidateRefused(let refusal):
            // One of several says nothing about the others.
            guard connection.isActive(.discovering), refusal.isFinal, wantedCamera == nil, callList.count <= 1
            else { break }
            deliver(Connection.Input.cameraRefused(refusal), in: &turn)
        case .cameraCalled:
            deliver(Connection.Input.cameraCalled, in: &turn)
            if let departure = network.machine.behavior.standing(network.machine.mainState) {
                turn.append(.enqueue(.networkLeft(departure)))
            }
        case .cameraReleased: deliver(Connection.Input.cameraReleased, in: &turn)
        default: break
        }
    }

    private mutating func networkReceives(_ message: Message, in turn: inout Turn) {
        if case .cameraCalled = message {
            deliver(Network.Input.cameraCalled, in: &turn)
        } else {
            let address = connection.machine.behavior.address
            network.inform { $0.cameraAddress = address }
            deliver(Network.Input.cameraConnected, in: &turn)
            // One that was called by a person may be in what was elsewhere until now.
            if network.isActive(.joined) { return }
        }
        // What was known of the network is compared with another camera.
        if let snapshot = network.machine.behavior.snapshot { deliver(snapshot, in: &turn) }
    }

    private mutating func shootingReceives(_ message: Message, in turn: inout Turn) {
        switch message {
        case .cameraReady(let status):
            deliver(Shooting.Input.cameraReady(status), in: &turn)
            resumeByItself(in: &turn)
        case .cameraGone(let absence): deliver(Shooting.Input.cameraLost(absence), in: &turn)
        case .cameraUnfit(let sentence): deliver(Shooting.Input.cameraUnfit(sentence), in: &turn)
        case .networkLeft(let departure): deliver(Shooting.Input.networkLeft(departure), in: &turn)
        case .picture(let news): deliver(Shooting.Input.picture(news), in: &turn)
        case .record(let news): deliver(Shooting.Input.record(news), in: &turn)
        default: break
        }
    }

    private mutating func settingsReceive(_ message: Message, in turn: inout Turn) {
        switch message {
        case .cameraReady:
            if let reading = settingsReading { deliver(Settings.Input.cameraReady(reading), in: &turn) }
        case .personalSetting(let setting): deliver(Settings.Input.personDone(setting), in: &turn)
        default: deliver(Settings.Input.cameraGone, in: &turn)
        }
    }

    private mutating func buttonReceives(_ message: Message, in turn: inout Turn) {
        if case .buttonPressed(let meaning) = message { takePress(meaning, in: &turn) } else { takeHold(in: &turn) }
    }

    /// What is known of the network, told to its chart.
    mutating func deliver(_ snapshot: NetworkSnapshot, in turn: inout Turn) {
        let before = network.machine.behavior.snapshot.map { configuration.search.interfaces(of: $0) }
        var report = NetworkReport.down
        let rules = configuration.search
        network.inform { $0.look(snapshot, by: rules, &report) }
        switch report {
        case .down: deliver(Network.Input.networkDown, in: &turn)
        case .joined(let ssid): deliver(Network.Input.networkJoined(NetworkName(ssid: ssid)), in: &turn)
        case .moved(let ssid): deliver(Network.Input.networkMoved(NetworkName(ssid: ssid)), in: &turn)
        case .noRoute: deliver(Network.Input.networkNoRoute, in: &turn)
        }
        if configuration.search.interfaces(of: snapshot).map(\.place) != before?.map(\.place) {
            deliver(Search.Input.networkChanged, in: &turn)
        }
    }

    /// An answer goes to the chart that asked, if it asked nothing else since; news goes to those whom it concerns.
    mutating func routeCamera(_ event: CameraEvent, _ ticket: Ticket?, in turn: inout Turn) {
        session.noteSpeed(event)
        if routeSettings(event, ticket, in: &turn) { return }
        if notePropertyEvent(event, ticket, in: &turn) { return }
        if case .status = event { informOfDemands() } else { tellDemands(in: &turn) }
        if event == .shutterReleased, let ticket { pictures.recent.noteRelease(of: ticket, at: turn.now) }
        let isForConnection = ticket.map { $0 == session.connectionTicket } ?? true
        let isForShooting = ticket.map { $0 == session.shootingTicket } ?? true
        let isForSettings = ticket == session.settingsTicket && shooting.settings.isActive(.asking)
        guard isForConnection || isForShooting || isForSettings else {
            turn.append(.journal(.debug("An answer to an older question, ignored: \(event.name).")))
            return
        }
        if isForShooting {
            for row in shooting.time(event, on: timedRoute, at: turn.now) { records.notes.note(row) }
        }
        if isForConnection || event.isNews, let input = Connection.Input(event) {
            deliver(input, in: &turn)
        }
        if event.isReading, let reading = settingsReading { deliver(Settings.Input.cameraReading(reading), in: &turn) }
        if isForShooting || event.isNews, let input = Shooting.Input(event) { deliver(input, in: &turn) }
    }

    // MARK: From effects of charts to effects of the core

    mutating func deliver(_ input: Connection.Input, in turn: inout Turn) {
        finish(connection.handle(input, at: turn.now), in: &turn)
    }

    @discardableResult
    mutating func deliver(_ input: Shooting.Input, in turn: inout Turn) -> Bool {
        guard !shooting.isStopping else { return false }
        let outcome = shooting.chart.handle(input, at: turn.now)
        finish(outcome, in: &turn)
        return outcome.wasTaken
    }

    mutating func deliver(_ input: Network.Input, in turn: inout Turn) {
        finish(network.handle(input, at: turn.now), in: &turn)
    }

    mutating func finish(_ outcome: ChartRun<ConnectionModel>.Outcome, in turn: inout Turn) {
        let level: JournalEntry.Level = connection.machine.behavior.isRepeating ? .debug : .info
        turn.publish(outcome.steps, level: level)
        for effect in outcome.effects {
            switch effect {
            case .camera(let command):
                session.connectionTicket = perform(command, in: &turn)
            case .lookForCamera:
                look(in: &turn)
            case .beginSearch:
                if isSearched { turn.append(.enqueue(.searchWanted(true))) }
            case .endSearch:
                if isSearched { turn.append(.enqueue(.searchWanted(false))) }
            case .announceReady(let status):
                turn.append(.enqueue(.cameraReady(status)))
            case .announceGone(let absence):
                turn.append(.enqueue(.cameraGone(absence)))
            case .announceUnfit(let sentence):
                turn.append(.enqueue(.cameraUnfit(sentence: sentence)))
            case .report(let entry):
                turn.append(.journal(entry))
            case .stopped:
                tellLedger(in: &turn)
                deliver(Recording.Input.stop, in: &turn)
                finishIfAlone(in: &turn)
            }
        }
        // What a shoot waits for may be another thing now.
        if !outcome.steps.isEmpty {
            tellProgress(in: &turn)
            answerConnectOrders(in: &turn)
        }
    }

    mutating func finish(_ outcome: ChartRun<ShootingModel>.Outcome, in turn: inout Turn) {
        shooting.publish(outcome.steps, in: &turn)
        tellSettingsOfBeginning(in: &turn)
        for effect in outcome.effects {
            switch effect {
            case .camera(let command):
                tellSettings(of: command, in: &turn)
                session.shootingTicket = perform(command, in: &turn)
                pictures.note(command, session.shootingTicket, of: shooting.chart.machine.behavior, at: turn.now)
                shooting.time(command, at: turn.now)
            case .accepted(let id, let streams):
                // The button's lamp shows the shoot; no answer is due.
                if id != .button { subscriptions.add(id, to: streams ? .streamedShootRecord : .shootRecord) }
            case .refusedWithoutCamera(let id):
                turn.append(.fail(id, .notConnected(sentence: refusalSentence)))
                turn.append(.enqueue(.cameraWanted))
            case .wantCamera:
                turn.append(.enqueue(.cameraWanted))
            case .record(let mark, let isDurable):
                records.notes.want(mark: mark, isDurable: isDurable)
            case .wantRecord:
                turn.append(.enqueue(.recordWanted))
            case .report(let entry):
                turn.append(.journal(entry))
            }
        }
        tellSettingsOfRest(in: &turn)
        if !outcome.steps.isEmpty {
            noteShoot(at: turn.now)
            tellService(in: &turn)
        }
        answerShootRecord(in: &turn)
        tellProgress(in: &turn)
        if !outcome.steps.isEmpty, progress?.outcome != nil { writeManifest(in: &turn) }
    }

    mutating func finish(_ outcome: ChartRun<NetworkModel>.Outcome, in turn: inout Turn) {
        turn.publish(outcome.steps)
        for effect in outcome.effects {
            switch effect {
            case .left(let departure): turn.append(.enqueue(.networkLeft(departure)))
            case .back: turn.append(.enqueue(.networkBack))
            case .report(let entry): turn.append(.journal(entry))
            }
        }
    }

    // MARK: The camera

    /// Gives the driver a command and returns its ticket.
    mutating func perform(_ command: CameraCommand, in turn: inout Turn) -> Ticket {
        endPropertyOrder(before: command, in: &turn)
        var next: LinkGeneration?
        if case .connect = command {
            next = finder.nextGeneration()
            pictures.recent.verification.forgetClock()
        }
        defer { performCameraActions(in: &turn) }
        return session.perform(command, opening: next, in: &turn)
    }

    mutating func performCameraActions(in turn: inout Turn) {
        let generation = session.generation
        for action in session.actions {
            if case .picture(let id, let action) = action { handle(action, of: id, in: &turn) }
            let effect = action.effect(of: generation) { .camera($0, ticket: $1, generation) }
            if let effect { turn.append(effect) }
        }
        session.actions.removeAll(keepingCapacity: true)
    }
}

extension Connection.Input {
    /// What the connection chart hears of the camera.
    fileprivate init?(_ event: CameraEvent) {
        switch event {
        case .prepared(let identity): self = .cameraPrepared(identity)
        case .status(let status): self = .cameraStatus(status)
        case .refused(let refusal): self = .cameraRefused(refusal)
        case .lost(let reason): self = .cameraLost(reason)
        case .disconnected: self = .cameraDisconnected
        case .speedAccepted, .speedRead, .shutterReleased, .captured, .saving, .idle, .captureResolved, .busy, .failed,
            .properties, .propertySet:
            return nil
        }
    }
}

extension Shooting.Input {
    /// What the shooting chart hears of the camera. That it is lost it hears from the connection chart.
    fileprivate init?(_ event: CameraEvent) {
        switch event {
        case .status(let status): self = .cameraStatus(status)
        case .speedAccepted: self = .cameraSpeedAccepted
        case .speedRead(let reading): self = .cameraSpeedRead(reading)
        case .shutterReleased: self = .cameraShutterReleased
        case .captured: self = .cameraCaptured
        case .saving: self = .cameraSaving
        case .idle: self = .cameraIdle
        case .captureResolved(let resolution): self = .cameraResolved(resolution)
        case .busy: self = .cameraBusy
        case .failed(let failure): self = .cameraFailed(failure)
        case .prepared, .refused, .lost, .disconnected, .properties, .propertySet: return nil
        }
    }
}

extension CameraEvent {
    /// Whether it concerns every chart, whoever asked.
    fileprivate var isNews: Bool {
        if case .status = self { true } else { false }
    }

    /// Whether the body shows in it where its settings stand.
    fileprivate var isReading: Bool {
        switch self {
        case .status, .speedRead, .properties: true
        default: false
        }
    }

    /// The event without its data, for the journal.
    fileprivate var name: String {
        String(describing: self).prefix { $0 != "(" }.description
    }
}

extension JournalEntry {
    /// A line for those who look closely.
    static func debug(_ message: String) -> JournalEntry {
        JournalEntry(level: .debug, kind: .note, message: message)
    }
}
