import Cameras
import Statecharts

/// The camera that the user named, and the active request to connect to it.
struct ConnectRequests: Sendable {
    /// The camera that the user named; nil: the user named none.
    private(set) var choice: CameraChoice?
    var chart = ChartRun(ConnectModel())

    /// The facts that the requests read about other parts. The requests never store these facts.
    struct Facts: Sendable {
        let goal: SearchGoal
        let connection: ConnectionFacts
        /// Whether this computer is on the camera's network.
        let isOnCamerasNetwork: Bool
        let cameras: KnownCameras
        /// Whether the finder has selected an address since the user's goal last changed.
        let wasAddressPicked: Bool
        /// The number of clients that wait for the end of the session.
        let releasesWaiting: Int
        /// The active shoot; nil: no shoot is active.
        let shoot: ShootFacts?
    }

    struct ShootFacts: Sendable {
        let state: String
        /// The id of the shoot's camera; nil: the camera is not known.
        let cameraID: String?
    }

    // MARK: Messages

    mutating func receive(_ message: Message, _ facts: Facts, in turn: inout Turn) {
        switch message {
        case .cameraReady:
            if facts.goal.isSearched { keepChoice(facts.connection.identity, at: facts.connection.address) }
        case .cameraReleased: answer(facts, in: &turn)
        default: break
        }
    }

    mutating func receive(_ message: TurnMessage, _ facts: Facts, in turn: inout Turn) {
        switch message {
        case .connectionMoved: answer(facts, in: &turn)
        // The subscriptions answer the waiting clients.
        case .stopping: deliver(.over, facts, in: &turn)
        default: break
        }
    }

    /// Changes the choice from a named address to the camera that was found there.
    ///
    /// From then on, the choice stays with this camera, even if the camera's address changes.
    private mutating func keepChoice(_ identity: CameraIdentity?, at present: CameraAddress?) {
        guard let identity, !identity.id.isEmpty, choice?.wanted == nil, let address = choice?.address,
            address == present
        else { return }
        choice = CameraChoice(wanted: WantedCamera(id: identity.id, name: identity.name), address: address)
    }

    // MARK: Requests

    /// Handles a client's request to connect.
    ///
    /// - Parameter entries: the list of cameras.
    mutating func connect(
        _ target: ConnectTarget,
        _ id: RequestID,
        among entries: [CameraEntry],
        _ facts: Facts,
        in turn: inout Turn
    ) {
        let chosen: CameraChoice
        switch CameraChoice.named(by: target, among: entries, last: facts.cameras.known.last, facts.goal) {
        case .success(let choice): chosen = choice
        case .failure(let error): return turn.append(.fail(id, error))
        }
        // If an earlier request still waits, the daemon returns to the goal before that request.
        let order = ConnectOrder(before: chart.machine.behavior.order?.before ?? present(facts))
        let connection = facts.connection
        // A session that is being opened continues, because the camera may already ask its user to confirm.
        let isUnderWay = connection.isConnecting && chosen.address == connection.address
        let isThere = connection.isOnline && chosen.isMet(by: connection.identity, at: connection.address)
        if let shoot = facts.shoot, !isUnderWay, !isThere {
            let isOfShoot = chosen.wanted.map { $0.id == shoot.cameraID } ?? true
            guard !connection.isOnline, isOfShoot else { return refuse("Connect", id, shoot, in: &turn) }
        }
        turn.send(.fail(.connection, .notConnected(sentence: RequestSentences.otherCameraRequested)))
        choice = chosen
        turn.send(.wait(id, for: .connection))
        if isThere {
            deliver(.over, facts, in: &turn)
            return turn.send(.describeCamera(to: .connection))
        }
        deliver(.request(order), facts, in: &turn)
        if isUnderWay { return }
        // Clients that wait for a disconnection are answered, because the daemon connects again now.
        turn.send(.answerReleases)
        turn.send(.goalChanged)
        turn.append(.enqueue(.cameraChosen))
    }

    mutating func disconnect(_ id: RequestID, _ facts: Facts, in turn: inout Turn) {
        if let shoot = facts.shoot { return refuse("Disconnect", id, shoot, in: &turn) }
        choice = nil
        deliver(.over, facts, in: &turn)
        turn.send(.fail(.connection, .notConnected(sentence: RequestSentences.disconnectedByOtherClient)))
        guard facts.releasesWaiting < Subscriptions.clientsMax else {
            return turn.append(.fail(id, .tooManyClients(limit: Subscriptions.clientsMax)))
        }
        turn.send(.wait(id, for: .disconnection))
        turn.append(.enqueue(.cameraReleased))
    }

    /// The present goal of the user.
    private func present(_ facts: Facts) -> CameraGoal {
        if facts.connection.isReleased || facts.releasesWaiting > 0 { return .none }
        return choice.map { .this($0) } ?? .any
    }

    private func refuse(_ command: String, _ id: RequestID, _ shoot: ShootFacts, in turn: inout Turn) {
        let sentence = RequestSentences.shootNeedsCamera
        turn.append(.fail(id, .notNow(command: command, state: shoot.state, sentence: sentence)))
    }

    // MARK: Answers

    /// Answers the waiting clients after a change of the connection's state.
    private mutating func answer(_ facts: Facts, in turn: inout Turn) {
        if let order = chart.machine.behavior.order {
            let connection = facts.connection
            let isMet = choice?.isMet(by: connection.identity, at: connection.address) ?? true
            if connection.isOnline, isMet {
                deliver(.over, facts, in: &turn)
                turn.send(.describeCamera(to: .connection))
            } else if connection.isOnline, facts.shoot != nil {
                giveUp(order, RequestSentences.shootCameraConnected, facts, in: &turn)
            } else if isUnreachable(facts) {
                giveUp(order, connection.obstacle, facts, in: &turn)
            }
        }
        if facts.connection.isReleased { turn.send(.answerReleases) }
    }

    /// Whether the daemon cannot connect to the named camera.
    private func isUnreachable(_ facts: Facts) -> Bool {
        if facts.connection.isOffNetwork { return !facts.isOnCamerasNetwork }
        // A search can still find the camera. Without a search, the only address must have failed first.
        let wasOnlyOne =
            !facts.goal.isSearched && facts.goal.addresses(of: facts.cameras).count <= 1 && facts.wasAddressPicked
        return facts.connection.isRefused || facts.connection.isBackingOff && wasOnlyOne
    }

    /// Gives up the named camera, and returns to the previous goal.
    ///
    /// Keeps the choice if the previous goal has no address to connect to.
    private mutating func giveUp(_ order: ConnectOrder, _ reason: String?, _ facts: Facts, in turn: inout Turn) {
        deliver(.over, facts, in: &turn)
        guard let last = choice else { return turn.send(.failWithoutCamera(.connection)) }
        var goal = facts.goal
        goal.choice = if case .this(let before) = order.before { before } else { nil }
        let list = goal.addresses(of: facts.cameras)
        guard order.before == .none || goal.isSearched || !list.isEmpty else {
            return turn.send(.failWithoutCamera(.connection))
        }
        choice = goal.choice
        turn.send(.goalChanged)
        let isStillWanted = order.before != .none && last.address.map(list.contains) ?? false
        if isStillWanted {
            turn.send(.failWithoutCamera(.connection))
        } else {
            let sentence = RequestSentences.noLongerTried(last.name, reason)
            turn.send(.fail(.connection, .notConnected(sentence: sentence)))
        }
        if order.before == .none {
            turn.append(.enqueue(.cameraReleased))
        } else if facts.connection.isRefused, list.contains(where: { $0 != last.address }) {
            turn.append(.enqueue(.othersAvailable))
        }
    }

    // MARK: The chart

    private mutating func deliver(_ input: Connect.Input, _ facts: Facts, in turn: inout Turn) {
        perform(chart.handle(input, at: turn.now), facts, in: &turn)
    }

    mutating func perform(_ outcome: ChartRun<ConnectModel>.Outcome, _ facts: Facts, in turn: inout Turn) {
        turn.publish(outcome.steps, level: .debug)
        for case .expired(let order) in outcome.effects {
            giveUp(order, facts.connection.obstacle, facts, in: &turn)
        }
    }
}
