import Cameras
import Statecharts

/// An address that is called, and the driver that calls it.
struct CandidateRun: Sendable {
    /// Of its connections.
    let generation: LinkGeneration
    /// Whether it is one of the many that a wave goes through.
    var isOfWave: Bool
    var run: ChartRun<CandidateModel>
    /// A copy of the camera's, made when it is its turn; nil: not before.
    var driver: (any Camera)?
    /// What it told of its settings before it was taken.
    var properties: [CameraEvent] = []

    var address: CameraAddress { run.machine.behavior.address }
    var wasCalled: Bool { run.machine.behavior.wasCalled }
    /// Whether it is not its turn.
    var isWaiting: Bool { run.machine.isActive(.queued) || run.machine.isActive(.pausing) }
}

// What goes on at each address: a candidate's chart goes with it. Whose handshake is complete first becomes the camera.

extension Core {
    /// How long an address that is only guessed may take to open a connection, and one that is known.
    package static let scanTimeout = Duration.seconds(1)
    package static let callTimeout = Duration.milliseconds(2500)
    /// The driver's word about its settings comes once or twice before it is taken.
    private static let propertyNewsMax = 8

    // MARK: The chart

    mutating func append(_ candidate: CandidateRun, in turn: inout Turn) {
        candidates.append(candidate)
        let index = candidates.count - 1
        finish(candidates[index].run.start(at: turn.now), candidate.generation, in: &turn)
    }

    mutating func giveTurn(to generation: LinkGeneration, in turn: inout Turn) {
        guard let index = index(of: generation) else { return }
        // All that the camera's driver learned of bodies, and nothing of the session that it may be in.
        var driver = camera
        var ofCamera: [CameraAction] = []
        driver.perform(.abandon, ticket: lastTicket, at: turn.now, into: &ofCamera)
        candidates[index].driver = driver
        deliver(.turn, to: generation, in: &turn)
    }

    mutating func deliver(_ input: Candidate.Input, to generation: LinkGeneration, in turn: inout Turn) {
        guard let index = index(of: generation) else { return }
        finish(candidates[index].run.handle(input, at: turn.now), generation, in: &turn)
    }

    func index(of generation: LinkGeneration) -> Int? {
        for index in candidates.indices where candidates[index].generation == generation { return index }
        return nil
    }

    private mutating func finish(
        _ outcome: ChartRun<CandidateModel>.Outcome,
        _ generation: LinkGeneration,
        in turn: inout Turn
    ) {
        if let index = index(of: generation) {
            publisher.publish(outcome.steps, of: candidates[index].address, to: subscriptions, in: &turn)
        }
        for effect in outcome.effects {
            switch effect {
            case .camera(let command): perform(command, by: generation, in: &turn)
            case .met(let meeting): turn.append(.enqueue(.candidateMet(generation, meeting)))
            case .refused(let refusal):
                if let index = index(of: generation) { note(refusal, of: candidates[index].address) }
                turn.append(.enqueue(.candidateRefused(refusal)))
            case .rest(let time):
                if let index = index(of: generation) { rest(candidates[index].address, for: time, at: turn.now) }
            case .report(let entry): turn.append(.journal(entry))
            }
        }
        guard let index = index(of: generation), !candidates[index].run.machine.isRunning else { return }
        remove(at: index, in: &turn)
    }

    @discardableResult
    private mutating func remove(at index: Int, in turn: inout Turn) -> CandidateRun {
        let candidate = candidates.remove(at: index)
        if candidate.isOfWave, !candidates.contains(where: \.isOfWave) { turn.append(.enqueue(.waveOver)) }
        if !connection.machine.isRunning { finishIfAlone(in: &turn) }
        return candidate
    }

    /// The stop is over once nobody is left who takes leave.
    func finishIfAlone(in turn: inout Turn) {
        if candidates.isEmpty { turn.append(.finished) }
    }

    // MARK: The driver

    private mutating func perform(_ command: CameraCommand, by generation: LinkGeneration, in turn: inout Turn) {
        guard let index = index(of: generation) else { return }
        lastTicket.rawValue &+= 1
        candidates[index].driver?.perform(command, ticket: lastTicket, at: turn.now, into: &cameraActions)
        performActions(of: generation, in: &turn)
    }

    /// Something happened on a connection of a candidate; whether there is one.
    mutating func receive(_ event: LinkEvent, of generation: LinkGeneration, in turn: inout Turn) -> Bool {
        guard index(of: generation) != nil else { return false }
        switch event {
        case .opened(.command): deliver(.linkOpened, to: generation, in: &turn)
        case .openFailed(.command, _, let cause): deliver(.linkFailed(cause), to: generation, in: &turn)
        default: break
        }
        guard let index = index(of: generation) else { return true }
        candidates[index].driver?.receive(event, at: turn.now, into: &cameraActions)
        performActions(of: generation, in: &turn)
        return true
    }

    private mutating func performActions(of generation: LinkGeneration, in turn: inout Turn) {
        let isOfWave = index(of: generation).map { candidates[$0].isOfWave } ?? false
        let openMax = isOfWave ? Self.scanTimeout : Self.callTimeout
        for action in cameraActions {
            switch action {
            case .open(.command, let address, let timeout):
                turn.append(.openLink(generation, .command, address, timeout: min(timeout, openMax)))
            case .open(let channel, let address, let timeout):
                turn.append(.openLink(generation, channel, address, timeout: timeout))
            case .send(let channel, let bytes): turn.append(.send(generation, channel, bytes))
            case .close(let channel): turn.append(.closeLink(generation, channel))
            case .report(let event, _): turn.append(.enqueue(.candidate(generation, event)))
            // It has no picture: those of the last session are the camera's.
            case .picture: break
            case .note(let line): turn.append(.journal(.debug(line)))
            }
        }
        cameraActions.removeAll(keepingCapacity: true)
    }

    mutating func routeCandidate(_ event: CameraEvent, of generation: LinkGeneration, in turn: inout Turn) {
        // What was taken meanwhile is the camera, and is heard as such.
        if generation == self.generation {
            return turn.append(.enqueue(.camera(event, ticket: nil, generation)))
        }
        guard let index = index(of: generation) else { return }
        if case .properties = event {
            if candidates[index].properties.count >= Self.propertyNewsMax { candidates[index].properties.removeFirst() }
            candidates[index].properties.append(event)
        }
        let wanted = wantedCamera
        candidates[index].run.inform { $0.wanted = wanted }
        guard let input = Candidate.Input(event) else { return }
        deliver(input, to: generation, in: &turn)
        giveTurns(in: &turn)
    }

    // MARK: Meeting

    /// Takes the camera that was met, unless there is one.
    mutating func meet(_ meeting: Meeting, of generation: LinkGeneration, in turn: inout Turn) {
        guard let index = index(of: generation), candidates[index].run.machine.isActive(.met) else { return }
        // Whoever is wanted may be another one by now.
        let isWanted = wantedCamera.map { $0.id == meeting.identity.id } ?? true
        let isThere = onlyAddress.map { $0 == meeting.address } ?? true
        guard isWanted, isThere, connection.machine.isActive(.seeking), let driver = candidates[index].driver else {
            return deliver(.outdone, to: generation, in: &turn)
        }
        let met = remove(at: index, in: &turn)
        let isGreeting = connection.machine.isActive(.connecting) || connection.machine.isActive(.dismissing)
        if isGreeting { dismissCamera(in: &turn) }
        camera = driver
        refusals[meeting.address] = nil
        self.generation = generation
        pictures.book.verification.forgetClock()
        properties.forget()
        if let wish = pictureWish { _ = perform(.keepPictures(wish), in: &turn) }
        for news in met.properties { routeCamera(news, nil, in: &turn) }
        noteShownSpeed(.status(meeting.status))
        informOfDemands()
        deliver(Connection.Input.cameraMet(meeting), in: &turn)
    }

    /// The camera that is just being greeted is left to itself, which ends its session in order.
    private mutating func dismissCamera(in turn: inout Turn) {
        guard let address = connection.machine.behavior.address else { return }
        let run = ChartRun(CandidateModel(address, wanted: nil))
        append(CandidateRun(generation: generation, isOfWave: false, run: run, driver: camera), in: &turn)
        deliver(.outdone, to: generation, in: &turn)
    }

    // MARK: Time

    /// When a candidate wants the time next. Asked after every input, of some hundred candidates: makes no list.
    var candidatesDeadline: Duration? {
        var earliest: Duration?
        for index in candidates.indices { earliest = earliest.earlier(deadline(ofCandidateAt: index)) }
        return earliest
    }

    /// When it wants the time next, be it for its chart or for its driver. Asks both where they are: the candidate
    /// would be copied to be asked.
    private func deadline(ofCandidateAt index: Int) -> Duration? {
        candidates[index].run.machine.nextDeadline.earlier(candidates[index].driver?.nextDeadline)
    }

    private func candidatesDue(by now: Duration) -> [LinkGeneration] {
        var due: [LinkGeneration] = []
        for index in candidates.indices {
            guard let deadline = deadline(ofCandidateAt: index), deadline <= now else { continue }
            due.append(candidates[index].generation)
        }
        return due
    }

    mutating func advanceCandidates(in turn: inout Turn) {
        let due = candidatesDue(by: turn.now)
        guard !due.isEmpty else { return }
        for generation in due {
            guard let index = index(of: generation) else { continue }
            if let due = candidates[index].driver?.nextDeadline, due <= turn.now {
                candidates[index].driver?.advance(to: turn.now, into: &cameraActions)
                performActions(of: generation, in: &turn)
            }
            if let due = candidates[index].run.machine.nextDeadline, due <= turn.now {
                finish(candidates[index].run.advance(to: turn.now), generation, in: &turn)
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
