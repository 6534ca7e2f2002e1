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
        case .networkBack, .cameraWanted: [.finder, .connection]
        case .cameraFound, .candidate, .candidateMet, .candidateRefused, .waveOver, .searchWanted: [.finder]
        case .othersLeft: [.connection]
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
            deliver(message, to: receiver, in: &turn)
            deliverMessages(in: &turn)
        }
    }

    private mutating func deliver(_ message: Message, to receiver: Receiver, in turn: inout Turn) {
        switch receiver {
        case .session: session.receive(message, sessionFacts, in: &turn)
        case .finder: finder.receive(message, finderFacts, in: &turn)
        case .requests: requests.receive(message, requestFacts, in: &turn)
        case .connection: connection.receive(message, in: &turn)
        case .network:
            let address = connection.machine.behavior.address
            network.receive(message, cameraAddress: address, by: configuration.search, in: &turn)
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

    /// The network may have been left, or the link lost, in the instant in which the message was sent.
    private func isCurrent(_ message: Message) -> Bool {
        switch message {
        case .camera(_, _, let generation): generation == session.generation
        case .cameraReady: connection.isActive(.connected)
        case .cameraUnfit: connection.isActive(.online)
        default: true
        }
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

    // MARK: From effects of charts to effects of the core

    @discardableResult
    mutating func deliver(_ input: Shooting.Input, in turn: inout Turn) -> Bool {
        guard !shooting.isStopping else { return false }
        let outcome = shooting.chart.handle(input, at: turn.now)
        finish(outcome, in: &turn)
        return outcome.wasTaken
    }

    mutating func finish(_ outcome: ChartRun<ShootingModel>.Outcome, in turn: inout Turn) {
        shooting.publish(outcome.steps, in: &turn)
        tellSettingsOfBeginning(in: &turn)
        for effect in outcome.effects {
            switch effect {
            case .camera(let command):
                tellSettings(of: command, in: &turn)
                turn.send(.command(command, from: .shooting))
                deliverMessages(in: &turn)
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
}

extension Shooting.Input {
    /// What the shooting chart receives of the camera. That it is lost it receives from the connection chart.
    init?(_ event: CameraEvent) {
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

extension JournalEntry {
    /// A line for those who look closely.
    static func debug(_ message: String) -> JournalEntry {
        JournalEntry(level: .debug, kind: .note, message: message)
    }
}
