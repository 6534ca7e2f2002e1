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
        case .shooting: shooting.receive(message, shootFacts, in: &turn)
        case .settings: shooting.settingsReceive(message, shootFacts, in: &turn)
        case .pictures: pictures.receive(message, pictureFacts, in: &turn)
        case .records: records.receive(message, pictures.recent, in: &turn)
        case .button: button.receiveStopping(in: &turn)
        case .service: if case .stop(let order) = message { deliver(Service.Input.stop(order), in: &turn) }
        case .subscriptions: subscriptionsReceive(message, in: &turn)
        case .publisher: publisherReceives(message, in: &turn)
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
        default: subscriptions.receive(message, progress: awaitedProgress(message, turn.now), in: &turn)
        }
    }

    /// What the clients that a message is about receive of the shoot; nil: nothing.
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

    // MARK: The service

    mutating func deliver(_ input: Service.Input, in turn: inout Turn) {
        finish(service.handle(input, at: turn.now), in: &turn)
    }

    mutating func finish(_ outcome: ChartRun<ServiceModel>.Outcome, in turn: inout Turn) {
        turn.publish(outcome.steps)
        for effect in outcome.effects {
            switch effect {
            case .waitsForFrame(let limit): turn.append(.stopping(waiting: limit))
            case .leave:
                turn.append(.stopping(waiting: nil))
                turn.send(.stopping)
            case .report(let entry): turn.append(.journal(entry))
            }
        }
    }

    /// Gives the connection's chart what a shoot that waits for the camera asks of it, while the chart reads it.
    ///
    /// Not a message: what is asked follows from plan, configuration and properties, and the chart judges by it as it
    /// is now.
    ///
    /// - Parameter isStatusNext: whether the chart receives the camera's status next.
    mutating func passDemands(isStatusNext: Bool = false, in turn: inout Turn) {
        guard connection.readsDemands else { return }
        let demands = shooting.demands(drive: session.properties[.drive]?.value)
        connection.adopt(demands, isStatusNext: isStatusNext, in: &turn)
    }
}
