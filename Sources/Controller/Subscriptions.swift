/// The clients that wait for an answer and those that receive every change: one list, with one bound for each topic,
/// one way to cancel and one end.
struct Subscriptions: Sendable {
    /// What a client waits for or watches, in the order in which the daemon's stop answers.
    enum Topic: String, CaseIterable, Sendable {
        case shoot = "streams of shoots"
        /// The record of the shoot that the client asked for, before the answer or the stream.
        case shootRecord = "clients whose shoot is recorded"
        case streamedShootRecord = "streams whose shoot is recorded"
        case transitions = "watchers"
        case photos = "watchers of pictures"
        case ledger = "readers of the ledger"
        case connection = "clients that wait for a camera"
        case disconnection = "requests to disconnect the camera"
        case cameras = "watchers of cameras"
        case armedPlan = "clients that arm a plan"
        /// The end of what keeps the daemon from handling a request.
        case turn = "requests that wait"
        case inspection = "inspectors"
        case property = "clients that set a property"

        /// Whether the host has been asked already, so that its answer comes even when the client is gone.
        fileprivate var isUnderWay: Bool {
            switch self {
            case .ledger, .armedPlan, .inspection: true
            case .shoot, .shootRecord, .streamedShootRecord, .transitions, .photos, .connection, .disconnection,
                .cameras, .turn, .property:
                false
            }
        }
    }

    struct Client: Sendable {
        let id: RequestID
        let topic: Topic
        /// What is done for the client when its wait is over; nil: it is answered.
        let request: Request?
        fileprivate(set) var isListening = true

        fileprivate init(_ subscription: Subscription) {
            (id, topic, request) = (subscription.id, subscription.topic, subscription.request)
        }
    }

    /// The longest wait first.
    private(set) var clients: [Client] = []

    /// How many clients may have the same topic at once.
    static let clientsMax = 64

    // MARK: Coming and going

    /// Whether one more client may have this topic; refuses it where there are too many.
    func hasRoom(for topic: Topic, _ id: RequestID, in turn: inout Turn) -> Bool {
        guard count(of: topic) >= Self.clientsMax else { return true }
        turn.append(.fail(id, .tooManyClients(limit: Self.clientsMax)))
        return false
    }

    mutating func add(_ id: RequestID, to topic: Topic, for request: Request? = nil) {
        clients.append(Client(Subscription(id, to: topic, for: request)))
    }

    /// The client went away. What the host already works on for it counts until the host answers.
    mutating func cancel(_ id: RequestID, in turn: inout Turn) {
        let wereCamerasWatched = contains(.cameras)
        clients.removeAll { $0.id == id && !$0.topic.isUnderWay }
        for index in clients.indices where clients[index].id == id { clients[index].isListening = false }
        if wereCamerasWatched, !contains(.cameras) { turn.send(.camerasWatched(false)) }
    }

    /// Removes a client; nil: it does not wait for that.
    mutating func remove(_ id: RequestID, from topic: Topic) -> Client? {
        clients.firstIndex { $0.id == id && $0.topic == topic }.map { clients.remove(at: $0) }
    }

    /// Removes every client of a topic; returns those that still listen.
    mutating func removeAll(from topic: Topic) -> [RequestID] {
        defer { clients.removeAll { $0.topic == topic } }
        return clients.filter { $0.topic == topic && $0.isListening }.map(\.id)
    }

    // MARK: Asking

    func count(of topic: Topic) -> Int { clients.count { $0.topic == topic } }

    func contains(_ topic: Topic) -> Bool { clients.contains { $0.topic == topic } }

    /// The first topic that has more clients than it may have; nil: none has.
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

    mutating func receive(_ request: Request, _ id: RequestID, in turn: inout Turn) {
        switch request {
        case .watch: admit(Subscription(id, to: .transitions), in: &turn)
        // The host looks once; who asks meanwhile gets the same answer.
        case .inspect:
            let effects: [Effect] = contains(.inspection) ? [] : [.inspect]
            admit(Subscription(id, to: .inspection, effects: effects), in: &turn)
        default: break
        }
    }

    /// One more client waits or watches, unless there are too many.
    private mutating func admit(_ subscription: Subscription, in turn: inout Turn) {
        guard hasRoom(for: subscription.topic, subscription.id, in: &turn) else { return }
        clients.append(Client(subscription))
        for effect in subscription.effects { turn.append(effect) }
        if subscription.topic == .cameras, count(of: .cameras) == 1 { turn.send(.camerasWatched(true)) }
    }

    /// Answers the client that asked for the shoot once the shoot is on disk, or cannot be soon: then the answer says
    /// so. A shoot that was answered is not forgotten with the daemon.
    private mutating func answerAskers(_ progress: Progress?, in turn: inout Turn) {
        for id in removeAll(from: .streamedShootRecord) { add(id, to: .shoot) }
        if let progress { answer(.shootRecord, .progress(progress), in: &turn) }
    }

    private mutating func answerReader(_ id: RequestID, _ answer: LedgerAnswer, in turn: inout Turn) {
        guard let reader = remove(id, from: .ledger), reader.isListening else { return }
        switch answer {
        case .shoots: turn.append(.reply(id, .ledger(answer), continues: false))
        case .shoot(let shoot, let frames):
            guard let request = reader.request else {
                return turn.append(.reply(id, .ledger(answer), continues: false))
            }
            turn.send(.shootRead(LedgerContents.Unfinished(shoot: shoot, frames: frames), request, id))
        case .noShoot(let shoot):
            turn.append(.fail(id, .noSuchShoot(id: shoot, sentence: "The ledger has no shoot \(shoot).")))
        case .failed(let sentence): turn.append(.fail(id, .ledgerUnavailable(sentence: sentence)))
        }
    }

    /// What was armed is on disk, or is not: then the next run of the daemon does not know of it.
    mutating func answerArmer(_ id: RequestID, _ trouble: String?, in turn: inout Turn) {
        guard remove(id, from: .armedPlan)?.isListening == true else { return }
        turn.append(trouble.map { .fail(id, .planNotKept(sentence: $0)) } ?? .reply(id, .done, continues: false))
    }

    // MARK: Answers

    /// Sends something to those who watch a topic; more follows.
    func send(_ reply: Reply, to topic: Topic, in turn: inout Turn) {
        for client in clients where client.topic == topic {
            turn.append(.reply(client.id, reply, continues: true))
        }
    }

    /// Answers those who wait for a topic, and ends their wait.
    mutating func answer(_ topic: Topic, _ reply: Reply, in turn: inout Turn) {
        for id in removeAll(from: topic) { turn.append(.reply(id, reply, continues: false)) }
    }

    mutating func fail(_ topic: Topic, _ error: RequestError, in turn: inout Turn) {
        for id in removeAll(from: topic) { turn.append(.fail(id, error)) }
    }

    /// The daemon stops.
    ///
    /// - Parameter progress: what becomes of the shoot; nil: there is none.
    private mutating func end(_ progress: Progress?, in turn: inout Turn) {
        if let progress {
            for topic in [Topic.shoot, .shootRecord, .streamedShootRecord] {
                answer(topic, .progress(progress), in: &turn)
            }
        }
        let wereCamerasWatched = contains(.cameras)
        for topic in Topic.allCases { fail(topic, .stopping, in: &turn) }
        // Last: its results are sent to no client.
        if wereCamerasWatched { turn.send(.camerasWatched(false)) }
    }
}

/// A client that waits or watches from now on.
struct Subscription: Equatable, Sendable {
    var id: RequestID
    var topic: Subscriptions.Topic
    /// What is done for the client when its wait is over; nil: it is answered.
    var request: Request?
    /// What follows if the client is admitted.
    var effects: [Effect]

    init(_ id: RequestID, to topic: Subscriptions.Topic, for request: Request? = nil, effects: [Effect] = []) {
        (self.id, self.topic, self.request, self.effects) = (id, topic, request, effects)
    }
}
