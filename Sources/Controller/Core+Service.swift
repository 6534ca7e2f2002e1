import Statecharts

// How the daemon ends: the service chart says when, and here stands what of.

extension Core {
    /// Told to stop. In a shoot that is a pause first, so that no exposure is cut.
    mutating func stop(in turn: inout Turn) {
        // The order before this one is at its end: what is still being put back is left for the next start.
        if shooting.isStopping { return stopSettings(in: &turn) }
        let requestedStop = requestedStop
        if service.isActive(.serving), shooting.chart.isActive(.running) {
            shooting.chart.inform { $0.pauseCommander = .stop }
            deliver(Shooting.Input.pause, in: &turn)
        }
        let frameLimit = isFrameUnderWay ? shooting.chart.machine.behavior.captureDeadline() : nil
        let order = StopOrder(frameLimit: frameLimit, requestedStop: requestedStop)
        finish(service.handle(.stop(order), at: turn.now), in: &turn)
    }

    /// Whether a frame is being taken that a pause waits for.
    private var isFrameUnderWay: Bool {
        shooting.chart.isActive(.running) && !shooting.chart.isActive(.awaitingCamera)
    }

    /// The service chart hears when what it waits for is over.
    func tellService(in turn: inout Turn) {
        guard service.isActive(.finishingFrame), !isFrameUnderWay else { return }
        turn.append(.enqueue(.frameOver))
    }

    mutating func finish(_ outcome: ChartRun<ServiceModel>.Outcome, in turn: inout Turn) {
        turn.publish(outcome.steps)
        for effect in outcome.effects {
            switch effect {
            case .waitsForFrame(let limit): turn.append(.stopping(waiting: limit))
            case .leave: leave(in: &turn)
            case .report(let entry): turn.append(.journal(entry))
            }
        }
    }

    /// The ordered stop: everyone who waits is answered, and the charts that have a camera let go of it.
    private mutating func leave(in turn: inout Turn) {
        turn.append(.stopping(waiting: nil))
        turn.send(.stopping)
        deliverMessages(in: &turn)
        if button.isActive(.undone) {
            let message = "The button was pressed, and the daemon stops before that was done: it does nothing."
            turn.append(.journal(JournalEntry(level: .notice, kind: .button, message: message)))
        }
        let end = stoppedProgress
        if let end {
            let message = "Shoot \(end.shoot): \(end.sentence) \(end.cause ?? "")"
            turn.append(.journal(JournalEntry(level: .warning, kind: .stopping, message: message)))
            if var shoot = shooting.shoot {
                shoot.interrupt()
                let stop = requestedStop
                noteShoot(shoot, outcome: .interrupted, cause: stop?.sentence ?? end.cause, stop: stop, at: turn.now)
                records.notes.want(isDurable: true)
            }
        }
        endWaitingStreams(in: &turn)
        let wereCamerasWatched = subscriptions.contains(.cameras)
        subscriptions.end(end, in: &turn)
        // Last: its results are sent to no client.
        if wereCamerasWatched { turn.send(.camerasWatched(false)) }
        deliverMessages(in: &turn)
        stopSettings(in: &turn)
    }
}
