/// The clients that wait for an answer, and those that receive every change. All of them are in one list, and each
/// topic has a limit.
struct Subscriptions: Sendable {
    /// The subject that a client waits for or watches. At a stop, the clients get their answers in this order.
    enum Topic: String, CaseIterable, Sendable {
        case shoot = "streams of shoots"
        /// The client waits until its new shoot is recorded. Then its answer or its stream follows.
        case shootRecord = "clients whose shoot is recorded"
        case streamedShootRecord = "streams whose shoot is recorded"
        case transitions = "watchers"
        case photos = "watchers of pictures"
        case ledger = "readers of the ledger"
        case connection = "clients that wait for a camera"
        case disconnection = "requests to disconnect the camera"
        case cameras = "watchers of cameras"
        case armedPlan = "clients that arm a plan"
        /// The client waits until the daemon can handle its request.
        case turn = "requests that wait"
        case inspection = "inspectors"
        case property = "clients that set a property or read the card"

        /// Whether the host already works for the client. The host answers even after the client has disconnected.
        fileprivate var isUnderWay: Bool { [.ledger, .armedPlan, .inspection].contains(self) }
    }

    /// The clients, in the order of their subscription.
    private(set) var clients: [Subscription] = []

    /// The limit of clients for each topic.
    static let clientsMax = 64

    // MARK: Coming and going

    /// Whether the topic accepts one more client. If not, refuses the request.
    func hasRoom(for topic: Topic, _ id: RequestID, in turn: inout Turn) -> Bool {
        guard count(of: topic) >= Self.clientsMax else { return true }
        turn.append(.fail(id, .tooManyClients(limit: Self.clientsMax)))
        return false
    }

    mutating func add(_ id: RequestID, to topic: Topic, for request: Request? = nil) {
        clients.append(Subscription(id, to: topic, for: request))
    }

    /// Removes a client that has disconnected. A client for which the host works counts until the host answers.
    mutating func cancel(_ id: RequestID, in turn: inout Turn) {
        let wereCamerasWatched = contains(.cameras)
        clients.removeAll { $0.id == id && !$0.topic.isUnderWay }
        for index in clients.indices where clients[index].id == id { clients[index].isListening = false }
        if wereCamerasWatched, !contains(.cameras) { turn.send(.camerasWatched(false)) }
    }

    /// Removes a client from a topic and returns it; nil: the client does not wait for this topic.
    mutating func remove(_ id: RequestID, from topic: Topic) -> Subscription? {
        clients.firstIndex { $0.id == id && $0.topic == topic }.map { clients.remove(at: $0) }
    }

    /// Removes every client of a topic, and returns the clients that are still connected.
    mutating func removeAll(from topic: Topic) -> [RequestID] {
        defer { clients.removeAll { $0.topic == topic } }
        return clients.filter { $0.topic == topic && $0.isListening }.map(\.id)
    }

    // MARK: Asking

    func count(of topic: Topic) -> Int { clients.count { $0.topic == topic } }

    func contains(_ topic: Topic) -> Bool { clients.contains { $0.topic == topic } }

    /// The first topic with too many clients; nil: none.
    var overflow: Overflow? {
        Topic.allCases.lazy.compactMap { Overflow($0.rawValue, count(of: $0), Self.clientsMax) }.first
    }

    // MARK: Messages

    /// - Parameter progress: the progress of the shoot; nil: there is no shoot.
    mutating func receive(_ message: TurnMessage, progress: Progress?, in turn: inout Turn) {
        switch message {
        case .subscribe(let subscription): admit(subscription, in: &turn)
        case .publish(let reply, let topic): send(reply, to: topic, in: &turn)
        case .wait(let id, let topic): add(id, to: topic)
        case .answer(let topic, let reply): answer(topic, reply, in: &turn)
        case .fail(let topic, let error): fail(topic, error, in: &turn)
        case .shootRecorded: answerAskers(progress, in: &turn)
        case .ledgerRead(let id, let answer): answerReader(id, answer, in: &turn)
        case .stopping: end(progress, in: &turn)
        default: break
        }
    }

    /// Adds a client that requests the checks. The host checks once for all clients that wait at the same time.
    mutating func addInspector(_ id: RequestID, in turn: inout Turn) {
        admit(Subscription(id, to: .inspection, effects: contains(.inspection) ? [] : [.inspect]), in: &turn)
    }

    /// Adds a client, unless the topic is at its limit.
    mutating func admit(_ subscription: Subscription, in turn: inout Turn) {
        guard hasRoom(for: subscription.topic, subscription.id, in: &turn) else { return }
        var client = subscription
        for effect in client.effects { turn.append(effect) }
        client.effects = []
        clients.append(client)
        if subscription.topic == .cameras, count(of: .cameras) == 1 { turn.send(.camerasWatched(true)) }
    }

    /// Answers the clients that started the shoot, when it is on disk or the ledger cannot record it soon. The progress
    /// in the answer shows the client whether its shoot survives the end of the daemon.
    private mutating func answerAskers(_ progress: Progress?, in turn: inout Turn) {
        for id in removeAll(from: .streamedShootRecord) { add(id, to: .shoot) }
        if let progress { answer(.shootRecord, .progress(progress), in: &turn) }
    }

    private mutating func answerReader(_ id: RequestID, _ answer: LedgerAnswer, in turn: inout Turn) {
        guard let reader = remove(id, from: .ledger), reader.isListening else { return }
        switch answer {
        case .shoots: turn.answer(id, .ledger(answer))
        case .shoot(let shoot, let frames):
            guard let request = reader.request else { return turn.answer(id, .ledger(answer)) }
            turn.send(.shootRead(LedgerContents.Unfinished(shoot: shoot, frames: frames), request, id))
        case .noShoot(let shoot):
            turn.append(.fail(id, .noSuchShoot(id: shoot, sentence: RequestSentences.noShoot(shoot))))
        case .failed(let sentence): turn.append(.fail(id, .ledgerUnavailable(sentence: sentence)))
        }
    }

    /// Answers the client that armed a plan, when the host has tried to store the plan on disk.
    mutating func answerArmer(_ id: RequestID, _ failure: String?, in turn: inout Turn) {
        guard remove(id, from: .armedPlan)?.isListening == true else { return }
        turn.append(failure.map { .fail(id, .planNotKept(sentence: $0)) } ?? .reply(id, .done, continues: false))
    }

    // MARK: Answers

    /// Sends a reply to the clients that watch a topic. More replies may follow.
    func send(_ reply: Reply, to topic: Topic, in turn: inout Turn) {
        for client in clients where client.topic == topic {
            turn.append(.reply(client.id, reply, continues: true))
        }
    }

    /// Sends the only answer to the clients that wait for a topic, and removes them.
    mutating func answer(_ topic: Topic, _ reply: Reply, in turn: inout Turn) {
        for id in removeAll(from: topic) { turn.answer(id, reply) }
    }

    mutating func fail(_ topic: Topic, _ error: RequestError, in turn: inout Turn) {
        for id in removeAll(from: topic) { turn.append(.fail(id, error)) }
    }

    /// Ends all waits and streams, because the daemon stops.
    ///
    /// - Parameter progress: the last progress of the shoot; nil: there is no shoot.
    private mutating func end(_ progress: Progress?, in turn: inout Turn) {
        if let progress {
            for topic in [Topic.shoot, .shootRecord, .streamedShootRecord] {
                answer(topic, .progress(progress), in: &turn)
            }
        }
        let wereCamerasWatched = contains(.cameras)
        for topic in Topic.allCases { fail(topic, .stopping, in: &turn) }
        // This message is sent last, when no client is left to receive its replies.
        if wereCamerasWatched { turn.send(.camerasWatched(false)) }
    }
}

/// A client that waits or watches from now on.
struct Subscription: Equatable, Sendable {
    var id: RequestID
    var topic: Subscriptions.Topic
    /// The request to handle when the wait is over; nil: the end of the wait answers the client.
    var request: Request?
    /// The effects for the host if the client is accepted.
    var effects: [Effect]
    /// Whether the client is still connected.
    fileprivate(set) var isListening = true

    init(_ id: RequestID, to topic: Subscriptions.Topic, for request: Request? = nil, effects: [Effect] = []) {
        (self.id, self.topic, self.request, self.effects) = (id, topic, request, effects)
    }
}
