import Cameras
import Statecharts

// Messages within one input: the core gives each to its receivers.

extension Core {
    /// Delivers what the parts have sent: each message to its receivers in order, and what a receiver sends before the
    /// next one has its turn.
    ///
    /// - Parameter depth: how many messages are being delivered; more than a few are a circle.
    mutating func deliverMessages(in turn: inout Turn, depth: Int = 0) {
        precondition(depth < 64, "the parts of the core send messages in a circle")
        guard turn.hasMessages else { return }
        for message in turn.takeMessages() {
            for receiver in message.receivers {
                deliver(message, to: receiver, in: &turn)
                deliverMessages(in: &turn, depth: depth + 1)
            }
        }
    }

    private mutating func deliver(_ message: TurnMessage, to receiver: Receiver, in turn: inout Turn) {
        switch receiver {
        case .session: session.receive(message, sessionFacts, in: &turn)
        case .finder: finder.receive(message, finderFacts, in: &turn)
        case .requests: requests.receive(message, requestFacts, in: &turn)
        case .connection: connectionReceives(message, in: &turn)
        case .network: network.receive(message, in: &turn)
        case .subscriptions: subscriptionsReceive(message, in: &turn)
        case .publisher: tellProgress(in: &turn)
        case .records: recordsReceive(message, in: &turn)
        case .pictures: picturesReceive(message, in: &turn)
        case .settings: settingsReceive(message, in: &turn)
        case .shooting: shootingReceives(message, in: &turn)
        case .button, .service: break
        }
    }

    /// A camera that reports may be judged by what a waiting shoot asks of it: that goes first.
    private mutating func connectionReceives(_ message: TurnMessage, in turn: inout Turn) {
        switch message {
        case .cameraShows(.status, _), .sessionMet: passDemands(isStatusNext: true, in: &turn)
        case .cameraShows: passDemands(in: &turn)
        default: break
        }
        connection.receive(message, in: &turn)
    }

    /// What the parts cannot say, because it is made of the state of several, is said here.
    private mutating func subscriptionsReceive(_ message: TurnMessage, in turn: inout Turn) {
        switch message {
        case .failWithoutCamera(let topic):
            subscriptions.fail(topic, .notConnected(sentence: absenceSentence), in: &turn)
        case .refuseWithoutCamera(let id): turn.append(.fail(id, .notConnected(sentence: absenceSentence)))
        case .describeCamera(let topic):
            switch cameraAnswer {
            case .success(let reply): subscriptions.answer(topic, reply, in: &turn)
            case .failure(let error): subscriptions.fail(topic, error, in: &turn)
            }
        case .answerReleases:
            let camera = connection.machine.behavior.identity?.id ?? ""
            let settings = shooting.settings.machine.behavior.pendingSentence(of: camera)
            subscriptions.answer(.disconnection, .disconnected(settings: settings), in: &turn)
        default: subscriptions.receive(message, in: &turn)
        }
    }

    private mutating func recordsReceive(_ message: TurnMessage, in turn: inout Turn) {
        switch message {
        case .cameraNoted(let row): records.notes.note(row)
        case .connectionStopped:
            tellLedger(in: &turn)
            deliver(Recording.Input.stop, in: &turn)
        default: break
        }
    }

    private mutating func picturesReceive(_ message: TurnMessage, in turn: inout Turn) {
        switch message {
        case .pictureAction(let action, let id): handle(action, of: id, in: &turn)
        case .sessionBegins: pictures.recent.verification.forgetClock()
        case .commandGiven(let command, let ticket, .shooting):
            pictures.note(command, ticket, of: shooting.chart.machine.behavior, at: turn.now)
        case .cameraShows(.shutterReleased, let ticket?): pictures.recent.noteRelease(of: ticket, at: turn.now)
        default: break
        }
    }

    private mutating func settingsReceive(_ message: TurnMessage, in turn: inout Turn) {
        switch message {
        case .settingsAnswered(let event): settingsReceive(answer: event, in: &turn)
        case .cameraReported(_, let readers) where readers.settings:
            if let reading = settingsReading { deliver(Settings.Input.cameraReading(reading), in: &turn) }
        case .propertyRequested: deliver(Settings.Input.personSets, in: &turn)
        default: break
        }
    }

    private mutating func shootingReceives(_ message: TurnMessage, in turn: inout Turn) {
        switch message {
        case .commandGiven(let command, _, .shooting): shooting.time(command, at: turn.now)
        case .shootAnswered(let event):
            for row in shooting.time(event, on: timedRoute, at: turn.now) { records.notes.note(row) }
        case .cameraReported(let event, let readers) where readers.shooting:
            if let input = Shooting.Input(event) { deliver(input, in: &turn) }
        default: break
        }
    }
}
