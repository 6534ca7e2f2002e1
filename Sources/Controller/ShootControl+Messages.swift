import Cameras
import Exposure
import Statecharts

// The messages that concern the shoot.

extension ShootControl {
    /// Receives a message of the queue.
    mutating func receive(_ message: Message, _ facts: ShootFacts, in turn: inout Turn) {
        switch message {
        case .cameraReady(let status):
            deliver(.cameraReady(status), facts, in: &turn)
            resumeByItself(facts, in: &turn)
        case .cameraGone(let absence): deliver(.cameraLost(absence), facts, in: &turn)
        case .cameraNotReady(let sentence): deliver(.cameraNotReady(sentence), facts, in: &turn)
        case .networkLeft(let departure): deliver(.networkLeft(departure), facts, in: &turn)
        case .picture(let news): deliver(.picture(news), facts, in: &turn)
        case .record(let news): deliver(.record(news), facts, in: &turn)
        case .range(let update): receive(update, facts, in: &turn)
        case .buttonPressed(let meaning): handlePress(meaning, facts, in: &turn)
        case .buttonHeld: handleHold(facts, in: &turn)
        default: break
        }
    }

    /// Receives a message that is delivered within the same input.
    mutating func receive(_ message: TurnMessage, _ facts: ShootFacts, in turn: inout Turn) {
        switch message {
        case .ledgerOpened(let contents): recover(contents, facts, in: &turn)
        case .recovered: resumeByItself(facts, in: &turn)
        case .shootRead(let kept, let request, let id):
            resume(kept, for: request, Asker(id: id, facts: facts), in: &turn)
        case .stopRequested: stop(facts, in: &turn)
        case .pressBegan(let meaning): announceShoot(of: meaning, facts, in: &turn)
        case .shootAnswered(let event): time(event, on: facts.camera.route, in: &turn)
        case .cameraReported(let event, let readers) where readers.shooting:
            if let input = Shooting.Input(event) { deliver(input, facts, in: &turn) }
        case .stopping: interrupt(facts, in: &turn)
        default: break
        }
    }

    /// Receives the choice of the next frame. A choice for fewer frames is from before a pause.
    private mutating func receive(_ update: RangeUpdate, _ facts: ShootFacts, in turn: inout Turn) {
        guard let shoot, shoot.id == update.shoot, shoot.total == update.frameCount else { return }
        switch update.content {
        case .frame(let speed): deliver(.frameChosen(ChosenFrame(speed: speed)), facts, in: &turn)
        case .found(let range): deliver(.rangeFound(range), facts, in: &turn)
        case .unknown(let reason): deliver(.rangeUnknown(reason), facts, in: &turn)
        }
    }

    // MARK: The camera

    /// What the connection must check on a camera for the active shoot; nil: no shoot is active.
    func requirements(drive: DriveMode?) -> CameraRequirements? {
        guard chart.isActive(.active), let shoot else { return nil }
        return CameraRequirements(firing: shoot.firing(), drive: drive, rules: preflightRules)
    }

    // MARK: The ledger

    /// Sends the present state of the shoot to the ledger.
    func keepShoot(_ facts: ShootFacts, in turn: inout Turn) {
        // During a stop of the daemon, the end of the shoot is already recorded.
        guard !facts.service.isLeaving else { return }
        guard let shoot else { return turn.send(.keep(.noShoot)) }
        let kept = keptOutcome(of: shoot)
        let cause = kept == .partial ? shoot.cause ?? shoot.lossSentence : shoot.cause
        let stop = outcome == nil ? requestedStop(facts.service) : shoot.requestedStop
        let state = ShootState(
            shoot: shoot,
            outcome: kept,
            cause: outcome == nil ? stop?.sentence : cause,
            requestedStop: stop,
            isPaused: chart.isActive(.paused)
        )
        turn.send(.keep(.shoot(state)))
    }

    /// The outcome for the ledger. A shoot with every frame is completed, even if the user wanted its last frame again.
    private func keptOutcome(of shoot: Shoot) -> ShootOutcome? {
        switch outcome {
        case .cancelled, .interrupted: shoot.isDone ? .completed : outcome
        case .completed, .partial, nil: outcome
        }
    }

    /// Adopts the shoot, the settings and the timings that an earlier run of the daemon left in the ledger.
    private mutating func recover(_ contents: LedgerContents, _ facts: ShootFacts, in turn: inout Turn) {
        beginTiming(with: contents.timings)
        let model = chart.machine.behavior
        let recovery = Recovery(contents)
        let isMissing = model.isAnythingMissing(recovery)
        turn.send(.recordsFound(contents, lastShoot: model.lastShootID, isMissing: isMissing))
        recoverSettings(contents, facts, in: &turn)
        deliver(.recovered(recovery), facts, in: &turn)
        turn.send(.recovered(contents))
    }

    // MARK: The stop

    /// Handles a stop request. A running shoot is paused first, so that no exposure is interrupted.
    private mutating func stop(_ facts: ShootFacts, in turn: inout Turn) {
        // A second stop request ends the wait for the settings. The next start of the daemon restores them.
        if facts.service.isLeaving { return stopSettings(facts, in: &turn) }
        let requestedStop = requestedStop(facts.service)
        if facts.service.isServing, chart.isActive(.running) {
            chart.inform { $0.pauseCommander = .stop }
            deliver(.pause, facts, in: &turn)
        }
        let frameLimit = isFrameUnderWay ? chart.machine.behavior.captureDeadline() : nil
        turn.send(.stop(StopOrder(frameLimit: frameLimit, requestedStop: requestedStop)))
    }

    /// Records the current shoot as interrupted, because the daemon begins to stop.
    private func interrupt(_ facts: ShootFacts, in turn: inout Turn) {
        guard let end = stoppedProgress(facts), var shoot else { return }
        turn.journal(.warning, .stopping, ShootSentences.interrupted(end))
        shoot.interrupt()
        let stop = requestedStop(facts.service)
        let state = ShootState(
            shoot: shoot,
            outcome: .interrupted,
            cause: stop?.sentence ?? end.cause,
            requestedStop: stop,
            isPaused: chart.isActive(.paused)
        )
        turn.send(.keep(.shoot(state)))
        turn.send(.commit(mark: nil, isDurable: true))
    }
}

/// The state of a shoot, for the ledger.
struct ShootState: Equatable, Sendable {
    var shoot: Shoot
    var outcome: ShootOutcome?
    /// The sentence that says why the shoot ended early.
    var cause: String?
    /// The user's request to pause or cancel the shoot.
    var requestedStop: RequestedStop?
    /// Whether the shoot is still in its last pause.
    var isPaused: Bool
}

extension Recovery {
    init(_ contents: LedgerContents) {
        self.init(lastShoot: contents.lastShoot, shoot: contents.unfinished.map(Shoot.init))
    }
}

extension Shooting.Input {
    /// The chart's input for an event of the camera. The loss of the camera comes from the connection chart.
    fileprivate init?(_ event: CameraEvent) {
        switch event {
        case .status(let status): self = .cameraStatus(status)
        case .speedAccepted: self = .cameraSpeedAccepted
        case .speedRead(let reading): self = .cameraSpeedRead(reading)
        case .shutterReleased: self = .cameraShutterReleased
        case .captured: self = .cameraCaptured
        case .saving: self = .cameraSaving
        case .idle: self = .cameraIdle
        case .captureResolved(let resolution): self = .cameraResolved(resolution)
        case .busy: self = .cameraBusy
        case .failed(let failure): self = .cameraFailed(failure)
        case .confirmationAwaited, .prepared, .refused, .lost, .disconnected, .properties, .propertySet, .files,
            .liveView:
            return nil
        }
    }
}
