import Cameras
import Statecharts

// Each address is probed by its own run of the candidate chart. The first complete handshake decides which camera is
// connected.

extension CameraFinder {
    /// The timeouts for opening a connection to a scanned address and to a known address.
    private static let scanTimeout = Duration.seconds(1)
    private static let connectTimeout = Duration.milliseconds(2500)
    /// The maximum number of stored setting reports. A driver sends one or two before its session is accepted.
    private static let propertyEventsMax = 8

    // MARK: The chart

    mutating func append(_ candidate: CandidateRun, _ facts: FinderFacts, in turn: inout Turn) {
        candidates.append(candidate)
        let index = candidates.count - 1
        perform(candidates[index].run.start(at: turn.now), of: candidate.generation, facts, in: &turn)
    }

    mutating func deliver(
        _ input: Candidate.Input,
        to generation: LinkGeneration,
        _ facts: FinderFacts,
        in turn: inout Turn
    ) {
        guard let index = index(of: generation) else { return }
        perform(candidates[index].run.handle(input, at: turn.now), of: generation, facts, in: &turn)
    }

    private mutating func perform(
        _ outcome: ChartRun<CandidateModel>.Outcome,
        of generation: LinkGeneration,
        _ facts: FinderFacts,
        in turn: inout Turn
    ) {
        guard let index = index(of: generation) else { return }
        let address = candidates[index].address
        turn.publish(outcome.steps, of: address)
        for effect in outcome.effects {
            switch effect {
            case .camera(let command): perform(command, of: generation, in: &turn)
            case .opened(let meeting): turn.append(.enqueue(.candidateOpened(generation, meeting)))
            case .refused(let refusal):
                note(refusal, of: address)
                turn.append(.enqueue(.candidateRefused(refusal)))
            case .pause(let time): pause(address, for: time, at: turn.now)
            case .report(let entry): turn.append(.journal(entry))
            }
        }
        if !candidates[index].run.machine.isRunning { remove(at: index, facts, in: &turn) }
    }

    /// Removes a candidate. This can end a wave, or a stop that waits for the last candidate.
    @discardableResult
    private mutating func remove(at index: Int, _ facts: FinderFacts, in turn: inout Turn) -> CandidateRun {
        let candidate = candidates.remove(at: index)
        if candidate.isOfWave { reportWaveOver(in: &turn) }
        if facts.connection.hasStopped { finishIfAlone(in: &turn) }
        return candidate
    }

    /// Reports the end of the stop, if every session is closed.
    func finishIfAlone(in turn: inout Turn) {
        if candidates.isEmpty { turn.append(.finished) }
    }

    // MARK: The driver

    private mutating func perform(_ command: CameraCommand, of generation: LinkGeneration, in turn: inout Turn) {
        guard let index = index(of: generation) else { return }
        let ticket = turn.nextTicket()
        let actions = candidates[index].driver?.perform(command, ticket, in: turn) ?? []
        perform(actions, of: generation, in: &turn)
    }

    /// Handles an event of a candidate's session.
    mutating func receive(
        _ event: SessionEvent,
        of generation: LinkGeneration,
        _ facts: FinderFacts,
        in turn: inout Turn
    ) {
        if let input = Candidate.Input(event) { deliver(input, to: generation, facts, in: &turn) }
        guard let index = index(of: generation) else { return }
        candidates[index].link.noteAnswer(event, over: facts.goal.network.snapshot)
        let actions = candidates[index].driver?.receive(event, in: &turn) ?? []
        perform(actions, of: generation, in: &turn)
    }

    private func perform(_ actions: [CameraAction], of generation: LinkGeneration, in turn: inout Turn) {
        let index = index(of: generation)
        let openMax = index.map { candidates[$0].isOfWave } ?? false ? Self.scanTimeout : Self.connectTimeout
        // After the first connection the camera has answered, so later connections keep the driver's timeout.
        let isCalling = index.map { candidates[$0].run.isActive(.connecting) } ?? false
        for var action in actions {
            if isCalling, case .open(let link, let target, let timeout) = action {
                action = .open(link, target, timeout: min(timeout, openMax))
            }
            // Picture actions are ignored, because only the connected camera transfers pictures.
            if let effect = action.effect(of: generation, report: { event, _ in .candidate(generation, event) }) {
                turn.append(effect)
            }
        }
    }

    mutating func receive(
        _ event: CameraEvent,
        of generation: LinkGeneration,
        _ facts: FinderFacts,
        in turn: inout Turn
    ) {
        // If the connection has adopted this session in the meantime, the event belongs to the connected camera.
        if generation == facts.sessionGeneration {
            return turn.append(.enqueue(.camera(event, ticket: nil, generation)))
        }
        guard let index = index(of: generation) else { return }
        if event == .confirmationAwaited { candidates[index].isConfirmationAwaited = true }
        if case .properties = event {
            if candidates[index].properties.count >= Self.propertyEventsMax {
                candidates[index].properties.removeFirst()
            }
            candidates[index].properties.append(event)
        }
        let wanted = facts.goal.wantedCamera
        candidates[index].run.inform { $0.wanted = wanted }
        guard let input = Candidate.Input(event) else { return }
        deliver(input, to: generation, facts, in: &turn)
        startQueuedProbes(facts, in: &turn)
    }

    // MARK: Sessions that the connection adopts or releases

    /// Passes a session with a complete handshake to the connection, unless a camera is connected.
    mutating func handOver(
        _ meeting: OpenedCamera,
        of generation: LinkGeneration,
        _ facts: FinderFacts,
        in turn: inout Turn
    ) {
        guard let index = index(of: generation), candidates[index].run.isActive(.handshakeDone) else { return }
        // The user may have requested another camera since the probe began.
        let isWanted = facts.goal.wantedCamera.map { $0.id == meeting.identity.id } ?? true
        let isThere = facts.goal.onlyAddress.map { $0 == meeting.address } ?? true
        guard isWanted, isThere, facts.connection.isSeeking, let driver = candidates[index].driver else {
            return deliver(.superseded, to: generation, facts, in: &turn)
        }
        let met = remove(at: index, facts, in: &turn)
        if facts.connection.isConnecting || facts.connection.isDismissing, let address = facts.connection.address {
            turn.send(.sessionReleased(at: address))
        }
        forgetRefusal(of: meeting.address)
        var session = OpenSession(generation: generation, driver: driver, address: meeting.address)
        (session.meeting, session.properties, session.link) = (meeting, met.properties, met.link)
        turn.send(.sessionAdopted(session))
    }

    /// Closes the session that the connection was opening. A new candidate owns this session until it is closed.
    mutating func close(_ session: OpenSession, _ facts: FinderFacts, in turn: inout Turn) {
        let run = ChartRun(CandidateModel(offer(at: session.address), wanted: nil))
        let candidate = CandidateRun(
            generation: session.generation,
            isOfWave: false,
            run: run,
            driver: session.driver
        )
        append(candidate, facts, in: &turn)
        deliver(.superseded, to: session.generation, facts, in: &turn)
    }

    // MARK: Time

    mutating func advanceCandidates(_ facts: FinderFacts, in turn: inout Turn) {
        for generation in candidatesDue(by: turn.now) {
            guard let index = index(of: generation) else { continue }
            let actions = candidates[index].driver?.advance(in: turn) ?? []
            perform(actions, of: generation, in: &turn)
            if let due = candidates[index].run.machine.nextDeadline, due <= turn.now {
                perform(candidates[index].run.advance(to: turn.now), of: generation, facts, in: &turn)
            }
        }
        startQueuedProbes(facts, in: &turn)
    }

    /// The first fault of the candidates' charts; nil: no candidate has a fault.
    var candidateFault: ChartFault? {
        for index in candidates.indices {
            if let fault = candidates[index].run.fault { return fault }
        }
        return nil
    }
}

extension Candidate.Input {
    /// The chart's input for an event of a session; nil: the event does not show whether a server answers.
    fileprivate init?(_ event: SessionEvent) {
        switch event {
        case _ where event.showsServer: self = .linkOpened
        case .link(.openFailed(_, _, let cause)), .http(_, .failed(.notConnected(let cause, _))):
            self = .linkFailed(cause)
        case .http(_, .failed(.timedOut)): self = .linkFailed(.timedOut)
        default: return nil
        }
    }

    /// The chart's input for an event of the camera; nil: the chart has no input for this event.
    fileprivate init?(_ event: CameraEvent) {
        switch event {
        case .prepared(let identity): self = .cameraPrepared(identity)
        case .status(let status): self = .cameraStatus(status)
        case .refused(let refusal): self = .cameraRefused(refusal)
        case .lost(let reason): self = .cameraLost(reason)
        case .disconnected: self = .cameraDisconnected
        default: return nil
        }
    }
}
