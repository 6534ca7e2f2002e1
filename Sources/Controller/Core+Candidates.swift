import Cameras
import Statecharts

// What goes on at each address: a candidate's chart goes with it. Whose handshake is complete first becomes the camera.

extension Core {
    /// How long an address that is only guessed may take to open a connection, and one that is known.
    package static let scanTimeout = Duration.seconds(1)
    package static let callTimeout = Duration.milliseconds(2500)
    /// The driver's word about its settings comes once or twice before it is taken.
    private static let propertyNewsMax = 8

    // MARK: The chart

    mutating func append(_ candidate: CandidateRun, in turn: inout Turn) {
        finder.candidates.append(candidate)
        let index = finder.candidates.count - 1
        finish(finder.candidates[index].run.start(at: turn.now), candidate.generation, in: &turn)
    }

    mutating func deliver(_ input: Candidate.Input, to generation: LinkGeneration, in turn: inout Turn) {
        guard let index = finder.index(of: generation) else { return }
        finish(finder.candidates[index].run.handle(input, at: turn.now), generation, in: &turn)
    }

    private mutating func finish(
        _ outcome: ChartRun<CandidateModel>.Outcome,
        _ generation: LinkGeneration,
        in turn: inout Turn
    ) {
        guard let index = finder.index(of: generation) else { return }
        let address = finder.candidates[index].address
        turn.publish(outcome.steps, of: address)
        for effect in outcome.effects {
            switch effect {
            case .camera(let command): perform(command, by: generation, in: &turn)
            case .met(let meeting): turn.append(.enqueue(.candidateMet(generation, meeting)))
            case .refused(let refusal):
                finder.note(refusal, of: address)
                turn.append(.enqueue(.candidateRefused(refusal)))
            case .rest(let time): finder.rest(address, for: time, at: turn.now)
            case .report(let entry): turn.append(.journal(entry))
            }
        }
        if !finder.candidates[index].run.machine.isRunning { remove(at: index, in: &turn) }
    }

    @discardableResult
    private mutating func remove(at index: Int, in turn: inout Turn) -> CandidateRun {
        defer { if !connection.machine.isRunning { finishIfAlone(in: &turn) } }
        return finder.remove(at: index, in: &turn)
    }

    /// The stop is over once nobody is left who takes leave.
    func finishIfAlone(in turn: inout Turn) {
        if finder.candidates.isEmpty { turn.append(.finished) }
    }

    // MARK: The driver

    private mutating func perform(_ command: CameraCommand, by generation: LinkGeneration, in turn: inout Turn) {
        guard let index = finder.index(of: generation) else { return }
        let ticket = session.nextTicket()
        finder.candidates[index].driver?.perform(command, ticket: ticket, at: turn.now, into: &session.actions)
        performActions(of: generation, in: &turn)
    }

    /// Something happened on a connection of a candidate; whether there is one.
    mutating func receive(_ event: LinkEvent, of generation: LinkGeneration, in turn: inout Turn) -> Bool {
        guard finder.index(of: generation) != nil else { return false }
        switch event {
        case .opened: deliver(.linkOpened, to: generation, in: &turn)
        case .openFailed(_, _, let cause): deliver(.linkFailed(cause), to: generation, in: &turn)
        default: break
        }
        guard let index = finder.index(of: generation) else { return true }
        finder.candidates[index].driver?.receive(event, at: turn.now, into: &session.actions)
        performActions(of: generation, in: &turn)
        return true
    }

    private mutating func performActions(of generation: LinkGeneration, in turn: inout Turn) {
        let candidate = finder.index(of: generation).map { finder.candidates[$0] }
        let openMax = candidate?.isOfWave ?? false ? Self.scanTimeout : Self.callTimeout
        // Further connections are opened to a camera that has answered already.
        let isCalling = candidate?.run.isActive(.calling) ?? false
        for var action in session.actions {
            if isCalling, case .open(let link, let target, let timeout) = action {
                action = .open(link, target, timeout: min(timeout, openMax))
            }
            // It has no picture: those of the last session are the camera's.
            if let effect = action.effect(of: generation, report: { event, _ in .candidate(generation, event) }) {
                turn.append(effect)
            }
        }
        session.actions.removeAll(keepingCapacity: true)
    }

    mutating func routeCandidate(_ event: CameraEvent, of generation: LinkGeneration, in turn: inout Turn) {
        // What was taken meanwhile is the camera, and is heard as such.
        if generation == session.generation {
            return turn.append(.enqueue(.camera(event, ticket: nil, generation)))
        }
        guard let index = finder.index(of: generation) else { return }
        if case .properties = event {
            if finder.candidates[index].properties.count >= Self.propertyNewsMax {
                finder.candidates[index].properties.removeFirst()
            }
            finder.candidates[index].properties.append(event)
        }
        let wanted = wantedCamera
        finder.candidates[index].run.inform { $0.wanted = wanted }
        guard let input = Candidate.Input(event) else { return }
        deliver(input, to: generation, in: &turn)
        giveTurns(in: &turn)
    }

    // MARK: Meeting

    /// Takes the camera that was met, unless there is one.
    mutating func meet(_ meeting: Meeting, of generation: LinkGeneration, in turn: inout Turn) {
        guard let index = finder.index(of: generation), finder.candidates[index].run.isActive(.met) else {
            return
        }
        // Whoever is wanted may be another one by now.
        let isWanted = wantedCamera.map { $0.id == meeting.identity.id } ?? true
        let isThere = onlyAddress.map { $0 == meeting.address } ?? true
        guard isWanted, isThere, connection.isActive(.seeking), let driver = finder.candidates[index].driver
        else {
            return deliver(.outdone, to: generation, in: &turn)
        }
        let met = remove(at: index, in: &turn)
        let isGreeting = connection.isActive(.connecting) || connection.isActive(.dismissing)
        if isGreeting { dismissCamera(in: &turn) }
        session.adopt(driver, generation)
        finder.forgetRefusal(of: meeting.address)
        pictures.recent.verification.forgetClock()
        if let wish = session.pictureRequest { _ = perform(.keepPictures(wish), in: &turn) }
        for news in met.properties { routeCamera(news, nil, in: &turn) }
        session.noteSpeed(.status(meeting.status))
        informOfDemands()
        deliver(Connection.Input.cameraMet(meeting), in: &turn)
    }

    /// The camera that is just being greeted is left to itself, which ends its session in order.
    private mutating func dismissCamera(in turn: inout Turn) {
        guard let address = connection.machine.behavior.address else { return }
        let run = ChartRun(CandidateModel(address, wanted: nil))
        let generation = session.generation
        append(CandidateRun(generation: generation, isOfWave: false, run: run, driver: session.driver), in: &turn)
        deliver(.outdone, to: generation, in: &turn)
    }

    // MARK: Time

    mutating func advanceCandidates(in turn: inout Turn) {
        let due = finder.candidatesDue(by: turn.now)
        guard !due.isEmpty else { return }
        for generation in due {
            guard let index = finder.index(of: generation) else { continue }
            if let due = finder.candidates[index].driver?.nextDeadline, due <= turn.now {
                finder.candidates[index].driver?.advance(to: turn.now, into: &session.actions)
                performActions(of: generation, in: &turn)
            }
            if let due = finder.candidates[index].run.machine.nextDeadline, due <= turn.now {
                finish(finder.candidates[index].run.advance(to: turn.now), generation, in: &turn)
            }
        }
        giveTurns(in: &turn)
    }
}

extension Candidate.Input {
    /// What a candidate's chart hears of its camera.
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
