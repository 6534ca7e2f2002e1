import Cameras
import Statecharts

// The one table that says what of one chart, or of the camera, another chart hears. Every hop passes the queue.

extension Core {
    /// Gives a hop to the charts that it is for.
    mutating func route(_ hop: Hop, at now: Duration, into effects: inout Effects) {
        switch hop {
        case .camera(let event, let ticket, let generation):
            guard generation == self.generation else { break }
            restRefusing(event, ticket, at: now)
            routeCamera(event, ticket, at: now, into: &effects)
        case .cameraReady(let status):
            // The network may have been left in the same instant.
            guard connection.machine.isActive(.connected) else { break }
            let address = connection.machine.behavior.address
            network.inform { $0.cameraAddress = address }
            deliver(Network.Input.cameraConnected, at: now, into: &effects)
            // One that was called by a person may be in what was elsewhere until now.
            if !network.machine.isActive(.joined) { judgeNetwork(at: now, into: &effects) }
            noteCamera()
            keepChoice()
            lastLook = nil
            tellSettingsReady(at: now, into: &effects)
            deliver(Shooting.Input.cameraReady(status), at: now, into: &effects)
            resumeByItself(at: now, into: &effects)
        case .cameraGone(let absence):
            deliver(Shooting.Input.cameraLost(absence), at: now, into: &effects)
            deliver(Settings.Input.cameraGone, at: now, into: &effects)
        case .cameraUnfit(let sentence):
            // The link may have been lost, or the network left, in the same instant.
            guard connection.machine.isActive(.online) else { break }
            deliver(Shooting.Input.cameraUnfit(sentence), at: now, into: &effects)
            deliver(Settings.Input.cameraGone, at: now, into: &effects)
        case .networkLeft(let departure):
            deliver(Shooting.Input.networkLeft(departure), at: now, into: &effects)
            deliver(Connection.Input.networkLeft(departure), at: now, into: &effects)
            deliver(Settings.Input.cameraGone, at: now, into: &effects)
        case .networkBack:
            forgetRefusals()
            deliver(Connection.Input.networkBack, at: now, into: &effects)
        case .cameraFound(let address):
            named = nil
            guard !isCalled(address) else { break }
            deliver(Connection.Input.cameraFound(address), at: now, into: &effects)
        case .cameraWanted:
            forgetRefusals()
            deliver(Search.Input.wanted, at: now, into: &effects)
            deliver(Connection.Input.cameraWanted, at: now, into: &effects)
        case .candidate(let generation, let event):
            routeCandidate(event, of: generation, at: now, into: &effects)
        case .candidateMet(let generation, let meeting):
            meet(meeting, of: generation, at: now, into: &effects)
        case .candidateRefused(let refusal):
            // One of several says nothing about the others.
            guard connection.machine.isActive(.discovering), refusal.isFinal, wantedCamera == nil, callList.count <= 1
            else { break }
            deliver(Connection.Input.cameraRefused(refusal), at: now, into: &effects)
        case .waveOver:
            if !candidates.contains(where: \.isOfWave) { deliver(Search.Input.waveOver, at: now, into: &effects) }
        case .searchWanted(let isWanted):
            deliver(isWanted ? Search.Input.begin : .end, at: now, into: &effects)
        case .cameraCalled:
            forgetRefusals()
            deliver(Search.Input.wanted, at: now, into: &effects)
            deliver(Network.Input.cameraCalled, at: now, into: &effects)
            judgeNetwork(at: now, into: &effects)
            deliver(Connection.Input.cameraCalled, at: now, into: &effects)
            if let departure = network.machine.behavior.standing(network.machine.mainState) {
                effects.append(.enqueue(.networkLeft(departure)))
            }
        case .othersLeft:
            deliver(Connection.Input.cameraWanted, at: now, into: &effects)
        case .cameraReleased:
            deliver(Connection.Input.cameraReleased, at: now, into: &effects)
            answerConnectOrders(into: &effects)
        case .picture(let news):
            route(news, at: now, into: &effects)
        case .record(let news):
            deliver(Shooting.Input.record(news), at: now, into: &effects)
        case .recordWanted:
            deliver(Recording.Input.retry, at: now, into: &effects)
        case .buttonPressed(let meaning):
            takePress(meaning, at: now, into: &effects)
        case .buttonHeld:
            takeHold(at: now, into: &effects)
        case .frameOver:
            hearFrameOver(at: now, into: &effects)
        case .personalSetting(let setting):
            deliver(Settings.Input.personDone(setting), at: now, into: &effects)
        }
    }

    /// What is known of the network, told to its chart.
    mutating func deliver(_ snapshot: NetworkSnapshot, at now: Duration, into effects: inout Effects) {
        let before = network.machine.behavior.snapshot.map { configuration.search.interfaces(of: $0) }
        var report = NetworkReport.down
        let rules = configuration.search
        network.inform { $0.look(snapshot, by: rules, &report) }
        switch report {
        case .down: deliver(Network.Input.networkDown, at: now, into: &effects)
        case .joined(let ssid): deliver(Network.Input.networkJoined(NetworkName(ssid: ssid)), at: now, into: &effects)
        case .moved(let ssid): deliver(Network.Input.networkMoved(NetworkName(ssid: ssid)), at: now, into: &effects)
        case .noRoute: deliver(Network.Input.networkNoRoute, at: now, into: &effects)
        }
        if configuration.search.interfaces(of: snapshot).map(\.place) != before?.map(\.place) {
            deliver(Search.Input.networkChanged, at: now, into: &effects)
        }
    }

    /// What was known of the network, held against another camera.
    private mutating func judgeNetwork(at now: Duration, into effects: inout Effects) {
        guard let snapshot = network.machine.behavior.snapshot else { return }
        deliver(snapshot, at: now, into: &effects)
    }

    /// An answer goes to the chart that asked, if it asked nothing else since; news goes to those whom it concerns.
    mutating func routeCamera(
        _ event: CameraEvent,
        _ ticket: Ticket?,
        at now: Duration,
        into effects: inout Effects
    ) {
        noteShownSpeed(event)
        if routeSettings(event, ticket, at: now, into: &effects) { return }
        if notePropertyEvent(event, ticket, into: &effects) { return }
        if case .status = event { informOfDemands() } else { tellDemands(at: now, into: &effects) }
        if event == .shutterReleased, let ticket { pictures.noteRelease(of: ticket, at: now) }
        let isForConnection = ticket.map { $0 == connectionTicket } ?? true
        let isForShooting = ticket.map { $0 == shootingTicket } ?? true
        let isForSettings = ticket == settingsTicket && settings.machine.isActive(.asking)
        guard isForConnection || isForShooting || isForSettings else {
            effects.append(.journal(.debug("An answer to an older question, ignored: \(event.name).")))
            return
        }
        if isForShooting { time(event, at: now) }
        if isForConnection || event.isNews, let input = Connection.Input(event) {
            deliver(input, at: now, into: &effects)
        }
        if event.isReading { tellSettingsReading(at: now, into: &effects) }
        if isForShooting || event.isNews, let input = Shooting.Input(event) { deliver(input, at: now, into: &effects) }
    }

    // MARK: From effects of charts to effects of the core

    @discardableResult
    mutating func deliver(_ input: Connection.Input, at now: Duration, into effects: inout Effects) -> Bool {
        finish(connection.handle(input, at: now), at: now, into: &effects)
    }

    @discardableResult
    mutating func deliver(_ input: Shooting.Input, at now: Duration, into effects: inout Effects) -> Bool {
        guard !isStopping else { return false }
        return finish(shooting.handle(input, at: now), at: now, into: &effects)
    }

    @discardableResult
    mutating func deliver(_ input: Network.Input, at now: Duration, into effects: inout Effects) -> Bool {
        finish(network.handle(input, at: now), at: now, into: &effects)
    }

    @discardableResult
    mutating func finish(
        _ outcome: ChartRun<ConnectionModel>.Outcome,
        at now: Duration,
        into effects: inout Effects
    ) -> Bool {
        tell(outcome.steps, level: connection.machine.behavior.isRepeating ? .debug : .info, into: &effects)
        for effect in outcome.effects {
            switch effect {
            case .camera(let command):
                connectionTicket = perform(command, at: now, into: &effects)
            case .lookForCamera:
                look(at: now, into: &effects)
            case .beginSearch:
                if isSearched { effects.append(.enqueue(.searchWanted(true))) }
            case .endSearch:
                if isSearched { effects.append(.enqueue(.searchWanted(false))) }
            case .announceReady(let status):
                effects.append(.enqueue(.cameraReady(status)))
            case .announceGone(let absence):
                effects.append(.enqueue(.cameraGone(absence)))
            case .announceUnfit(let sentence):
                effects.append(.enqueue(.cameraUnfit(sentence: sentence)))
            case .report(let entry):
                effects.append(.journal(entry))
            case .stopped:
                tellLedger(at: now, into: &effects)
                deliver(Recording.Input.stop, at: now, into: &effects)
                finishIfAlone(into: &effects)
            }
        }
        // What a shoot waits for may be another thing now.
        if !outcome.steps.isEmpty {
            tellProgress(at: now, into: &effects)
            answerConnectOrders(into: &effects)
        }
        return outcome.wasTaken
    }

    @discardableResult
    mutating func finish(
        _ outcome: ChartRun<ShootingModel>.Outcome,
        at now: Duration,
        into effects: inout Effects
    ) -> Bool {
        tell(outcome.steps, into: &effects)
        tellSettingsOfBeginning(at: now, into: &effects)
        for effect in outcome.effects {
            switch effect {
            case .camera(let command):
                tellSettings(of: command, at: now, into: &effects)
                shootingTicket = perform(command, at: now, into: &effects)
                note(command, shootingTicket, at: now)
                time(command, at: now)
            case .accepted(let id, let streams):
                // The button's lamp shows the shoot; no answer is due.
                if id != .button { shootOrderer = ShootOrderer(request: id, streams: streams) }
            case .refusedWithoutCamera(let id):
                effects.append(.fail(id, .notConnected(sentence: refusalSentence)))
                effects.append(.enqueue(.cameraWanted))
            case .wantCamera:
                effects.append(.enqueue(.cameraWanted))
            case .record(let mark, let isDurable):
                ledgerNotes.want(mark: mark, isDurable: isDurable)
            case .wantRecord:
                effects.append(.enqueue(.recordWanted))
            case .report(let entry):
                effects.append(.journal(entry))
            }
        }
        tellSettingsOfRest(at: now, into: &effects)
        if !outcome.steps.isEmpty {
            noteShoot(at: now)
            tellService(into: &effects)
        }
        answerShootOrderer(at: now, into: &effects)
        tellProgress(at: now, into: &effects)
        if !outcome.steps.isEmpty, progress?.outcome != nil { tellManifest(into: &effects) }
        return outcome.wasTaken
    }

    @discardableResult
    mutating func finish(
        _ outcome: ChartRun<NetworkModel>.Outcome,
        at now: Duration,
        into effects: inout Effects
    ) -> Bool {
        tell(outcome.steps, into: &effects)
        for effect in outcome.effects {
            switch effect {
            case .left(let departure): effects.append(.enqueue(.networkLeft(departure)))
            case .back: effects.append(.enqueue(.networkBack))
            case .report(let entry): effects.append(.journal(entry))
            }
        }
        return outcome.wasTaken
    }

    // MARK: The camera

    /// Gives the driver a command and returns its ticket.
    mutating func perform(_ command: CameraCommand, at now: Duration, into effects: inout Effects) -> Ticket {
        endPropertyOrder(before: command, into: &effects)
        lastTicket.rawValue &+= 1
        let last = generation
        if case .connect = command {
            generation = nextGeneration()
            pictures.verification.forgetClock()
        }
        if case .keepPictures(let wish) = command { pictureWish = wish }
        camera.perform(command, ticket: lastTicket, at: now, into: &cameraActions)
        if generation != last { closeLinks(of: last, into: &effects) }
        performCameraActions(into: &effects)
        return lastTicket
    }

    /// What a driver closes before it opens anything is of the session before.
    private mutating func closeLinks(of generation: LinkGeneration, into effects: inout Effects) {
        let opening = cameraActions.firstIndex { if case .open = $0 { true } else { false } } ?? cameraActions.endIndex
        for case .close(let channel) in cameraActions[..<opening] {
            effects.append(.closeLink(generation, channel))
        }
        cameraActions = cameraActions.enumerated().compactMap { index, action in
            if index < opening, case .close = action { nil } else { action }
        }
    }

    mutating func performCameraActions(into effects: inout Effects) {
        for action in cameraActions {
            switch action {
            case .open(let channel, let address, let timeout):
                effects.append(.openLink(generation, channel, address, timeout: timeout))
            case .send(let channel, let bytes):
                effects.append(.send(generation, channel, bytes))
            case .close(let channel):
                effects.append(.closeLink(generation, channel))
            case .report(let event, let ticket):
                effects.append(.enqueue(.camera(event, ticket: ticket, generation)))
            case .picture(let id, let action):
                handle(action, of: id, into: &effects)
            case .note(let line):
                effects.append(.journal(.debug(line)))
            }
        }
        cameraActions.removeAll(keepingCapacity: true)
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
