import Cameras
import Statecharts

// The messages that the parts of the core exchange while the core handles one input.

extension Core {
    /// Delivers each message to its receivers in order. If a receiver sends messages, the core delivers these before it
    /// continues with the next receiver.
    ///
    /// - Parameter depth: the number of nested deliveries. A great depth means that the messages form a cycle.
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
        case .shooting: shooting.receive(message, shootFacts, in: &turn)
        case .settings: shooting.settingsReceive(message, shootFacts, in: &turn)
        case .pictures: pictures.receive(message, pictureFacts, in: &turn)
        case .metering: metering.receive(message, meteringOrder, in: &turn)
        case .records: records.receive(message, pictures.recent, in: &turn)
        case .button: button.receiveStopping(in: &turn)
        case .service: if case .stop(let order) = message { turn.perform(service.handle(.stop(order), at: turn.now)) }
        case .subscriptions: subscriptionsReceive(message, in: &turn)
        case .publisher: publisherReceives(message, in: &turn)
        }
    }

    /// Delivers a message to the connection.
    ///
    /// The connection receives a waiting shoot's demands first, because it compares the camera's report with these
    /// demands.
    private mutating func connectionReceives(_ message: TurnMessage, in turn: inout Turn) {
        switch message {
        case .cameraShows(.status, _), .sessionAdopted: passRequirements(isStatusNext: true, in: &turn)
        case .cameraShows: passRequirements(in: &turn)
        default: break
        }
        connection.receive(message, in: &turn)
    }

    /// Delivers a message to the subscriptions. Some answers need the state of several parts.
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
        default: subscriptions.receive(message, progress: awaitedProgress(message, turn.now), in: &turn)
        }
    }

    /// The progress that a message sends to waiting clients; nil: the message sends no progress.
    private func awaitedProgress(_ message: TurnMessage, _ now: Duration) -> Progress? {
        switch message {
        case .shootRecorded where subscriptions.contains(.shootRecord):
            let facts = shootFacts
            return shooting.progress(facts).map { shooting.timed($0, facts, at: now) }
        case .stopping: return shooting.stoppedProgress(shootFacts)
        default: return nil
        }
    }

    private mutating func publisherReceives(_ message: TurnMessage, in turn: inout Turn) {
        guard message == .progressChanged || message == .connectionMoved else {
            let hasNewStreams = subscriptions.contains(.streamedShootRecord)
            return publisher.receive(message, hasNewStreams: hasNewStreams, in: &turn)
        }
        let facts = shootFacts
        let step = Publisher.Step(progress: shooting.followedProgress(facts), end: shooting.endedProgress(facts))
        guard publisher.isNews(step, in: &turn), let progress = step.progress else { return }
        publisher.publish(shooting.timed(progress, facts, at: turn.now), in: &turn)
    }

    /// Gives the demands of a waiting shoot to the connection's chart, while the chart reads them.
    ///
    /// The core sends no message for this, because a message could contain an outdated plan, configuration or property.
    ///
    /// - Parameter isStatusNext: whether the chart receives the camera's status next.
    mutating func passRequirements(isStatusNext: Bool = false, in turn: inout Turn) {
        guard connection.readsRequirements else { return }
        let requirements = shooting.requirements(drive: session.properties[.drive]?.driveMode)
        connection.adopt(requirements, isStatusNext: isStatusNext, in: &turn)
    }
}
