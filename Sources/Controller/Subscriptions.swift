/// The clients that wait for an answer, and those that receive every change. They have one list, one limit for each
/// topic, one way to cancel and one end.
struct Subscriptions: Sendable {
    /// What a client waits for or watches, in the order of the answers at a stop.
    enum Topic: String, CaseIterable, Sendable {
        case shoot = "streams of shoots"
        /// The record of the client's new shoot, before the answer or the stream.
        case shootRecord = "clients whose shoot is recorded"
        case streamedShootRecord = "streams whose shoot is recorded"
        case transitions = "watchers"
        case photos = "watchers of pictures"
        case ledger = "readers of the ledger"
        case connection = "clients that wait for a camera"
        case disconnection = "requests to disconnect the camera"
        case cameras = "watchers of cameras"
        case armedPlan = "clients that arm a plan"
        /// The time when the daemon can handle the request.
        case turn = "requests that wait"
        case inspection = "inspectors"
        case property = "clients that set a property"

        /// Whether the host works on it already, so that its answer comes even after the client has disconnected.
        fileprivate var isUnderWay: Bool { [.ledger, .armedPlan, .inspection].contains(self) }
    }

    /// The longest wait first.
    private(set) var clients: [Subscription] = []

    /// The limit of clients for each topic.
    static let clientsMax = 64

    // MARK: Coming and going

    /// Whether the topic accepts one more client; refuses the request if not.
    func hasRoom(for topic: Topic, _ id: RequestID, in turn: inout Turn) -> Bool {
        guard count(of: topic) >= Self.clientsMax else { return true }
        turn.append(.fail(id, .tooManyClients(limit: Self.clientsMax)))
        return false
    }

    mutating func add(_ id: RequestID, to topic: Topic, for request: Request? = nil) {
        clients.append(Subscription(id, to: topic, for: request))
    }

    /// The client disconnected. Work of the host for it counts until the host answers.
    mutating func cancel(_ id: RequestID, in turn: inout Turn) {
        let wereCamerasWatched = contains(.cameras)
        clients.removeAll { $0.id == id && !$0.topic.isUnderWay }
        for index in clients.indices where clients[index].id == id { clients[index].isListening = false }
        if wereCamerasWatched, !contains(.cameras) { turn.send(.camerasWatched(false)) }
    }

    /// Removes a client; nil: it does not wait for that.
    mutating func remove(_ id: RequestID, from topic: Topic) -> Subscription? {
        clients.firstIndex { $0.id == id && $0.topic == topic }.map { clients.remove(at: $0) }
    }

    /// Removes every client of a topic; returns those that are still connected.
    mutating func removeAll(from topic: Topic) -> [RequestID] {
        defer { clients.removeAll { $0.topic == topic } }
        return clients.filter { $0.topic == topic && $0.isListening }.map(\.id)
    }

    // MARK: Asking

    func count(of topic: Topic) -> Int { clients.count { $0.topic == topic } }

    func contains(_ topic: Topic) -> Bool { clients.contains { $0.topic == topic } }

    /// The first topic over its limit; nil: none.
    var overflow: Overflow? {
        Topic.allCases.lazy.compactMap { Overflow($0.rawValue, count(of: $0), Self.clientsMax) }.first
    }

    // MARK: Messages

    /// - Parameter progress: the shoot's; nil: there is none.
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

    /// The host checks once; clients that ask during that time get the same answer.
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

    /// Answers the clients that started the shoot, once it is on disk or cannot be soon; then the answer says so. A
    /// shoot that was answered survives the end of the daemon.
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

    /// Answers when the armed plan is on disk, or is not: then the next run of the daemon does not have it.
    mutating func answerArmer(_ id: RequestID, _ failure: String?, in turn: inout Turn) {
        guard remove(id, from: .armedPlan)?.isListening == true else { return }
        turn.append(failure.map { .fail(id, .planNotKept(sentence: $0)) } ?? .reply(id, .done, continues: false))
    }

    // MARK: Answers

    /// Sends a reply to the clients that watch a topic; more replies follow.
    func send(_ reply: Reply, to topic: Topic, in turn: inout Turn) {
        for client in clients where client.topic == topic {
            turn.append(.reply(client.id, reply, continues: true))
        }
    }

    /// Answers the clients that wait for a topic, and ends their wait.
    mutating func answer(_ topic: Topic, _ reply: Reply, in turn: inout Turn) {
        for id in removeAll(from: topic) { turn.answer(id, reply) }
    }

    mutating func fail(_ topic: Topic, _ error: RequestError, in turn: inout Turn) {
        for id in removeAll(from: topic) { turn.append(.fail(id, error)) }
    }

    /// The daemon stops.
    ///
    /// - Parameter progress: the last progress of the shoot; nil: there is none.
    private mutating func end(_ progress: Progress?, in turn: inout Turn) {
        if let progress {
            for topic in [Topic.shoot, .shootRecord, .streamedShootRecord] {
                answer(topic, .progress(progress), in: &turn)
            }
        }
        let wereCamerasWatched = contains(.cameras)
        for topic in Topic.allCases { fail(topic, .stopping, in: &turn) }
        // Last, because its results are sent to no client.
        if wereCamerasWatched { turn.send(.camerasWatched(false)) }
    }
}

/// A client that waits or watches from now on.
struct Subscription: Equatable, Sendable {
    var id: RequestID
    var topic: Subscriptions.Topic
    /// The request to handle when the wait is over; nil: the client is answered.
    var request: Request?
    /// The effects if the client is accepted.
    var effects: [Effect]
    /// Whether the client is still connected.
    fileprivate(set) var isListening = true

    init(_ id: RequestID, to topic: Subscriptions.Topic, for request: Request? = nil, effects: [Effect] = []) {
        (self.id, self.topic, self.request, self.effects) = (id, topic, request, effects)
    }
}
