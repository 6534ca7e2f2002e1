import Statecharts

// How the daemon ends: the service chart says when, and here stands what of.

extension Core {
    /// Told to stop. In a shoot that is a pause first, so that no exposure is cut.
    mutating func stop(at now: Duration, into effects: inout Effects) {
        // The order before this one is at its end: what is still being put back is left for the next start.
        if isStopping { return stopSettings(at: now, into: &effects) }
        let requestedStop = requestedStop
        if service.machine.isActive(.serving), shooting.machine.isActive(.running) {
            shooting.inform { $0.pauseCommander = .stop }
            deliver(Shooting.Input.pause, at: now, into: &effects)
        }
        let frameLimit = isFrameUnderWay ? shooting.machine.behavior.captureDeadline() : nil
        let order = StopOrder(frameLimit: frameLimit, requestedStop: requestedStop)
        finish(service.handle(.stop(order), at: now), at: now, into: &effects)
    }

    private var listeningArmers: [RequestID] {
        armers.filter(\.value).keys.sorted { $0.rawValue < $1.rawValue }
    }

    /// Whether a frame is being taken that a pause waits for.
    private var isFrameUnderWay: Bool {
        shooting.machine.isActive(.running) && !shooting.machine.isActive(.awaitingCamera)
    }

    /// The service chart hears when what it waits for is over.
    func tellService(into effects: inout Effects) {
        guard service.machine.isActive(.finishingFrame), !isFrameUnderWay else { return }
        effects.append(.enqueue(.frameOver))
    }

    mutating func hearFrameOver(at now: Duration, into effects: inout Effects) {
        finish(service.handle(.frameOver, at: now), at: now, into: &effects)
    }

    mutating func finish(
        _ outcome: ChartRun<ServiceModel>.Outcome,
        at now: Duration,
        into effects: inout Effects
    ) {
        tell(outcome.steps, into: &effects)
        for effect in outcome.effects {
            switch effect {
            case .waitsForFrame(let limit): effects.append(.stopping(waiting: limit))
            case .leave: leave(at: now, into: &effects)
            case .report(let entry): effects.append(.journal(entry))
            }
        }
    }

    /// The ordered stop: everyone who waits is answered, and the charts that have a camera let go of it.
    private mutating func leave(at now: Duration, into effects: inout Effects) {
        effects.append(.stopping(waiting: nil))
        endPropertyOrder(.stopping, into: &effects)
        if button.machine.isActive(.undone) {
            let message = "The button was pressed, and the daemon stops before that was done: it does nothing."
            effects.append(.journal(JournalEntry(level: .notice, kind: .button, message: message)))
        }
        let end = stoppedProgress
        if let end {
            let message = "Shoot \(end.shoot): \(end.sentence) \(end.cause ?? "")"
            effects.append(.journal(JournalEntry(level: .warning, kind: .stopping, message: message)))
            if var shoot = shooting.machine.behavior.shoot {
                shoot.interrupt()
                let stop = requestedStop
                noteShoot(shoot, outcome: .interrupted, cause: stop?.sentence ?? end.cause, stop: stop, at: now)
                ledgerNotes.want(isDurable: true)
            }
        }
        endWaitingStreams(into: &effects)
        for stream in shootStreams + [shootOrderer?.request].compactMap(\.self) {
            effects.append(end.map { .reply(stream, .progress($0), continues: false) } ?? .fail(stream, .stopping))
        }
        let waiting = [connectOrder?.request].compactMap(\.self) + releaseOrders + cameraWatchers + listeningArmers
        for watcher in watchers + photoWatchers + listeningReaders + waiting + waitingRequests.map(\.id) {
            effects.append(.fail(watcher, .stopping))
        }
        for inspector in inspectors ?? [] { effects.append(.fail(inspector, .stopping)) }
        let wereCamerasWatched = !cameraWatchers.isEmpty
        connectOrder = nil
        releaseOrders.removeAll()
        waitingRequests.removeAll()
        armers.removeAll()
        cameraWatchers.removeAll()
        inspectors = nil
        ledgerReaders.removeAll()
        shootOrderer = nil
        shootStreams.removeAll()
        watchers.removeAll()
        photoWatchers.removeAll()
        // Last: nobody is told any more what follows from it.
        if wereCamerasWatched { deliver(Search.Input.unwatched, at: now, into: &effects) }
        stopSettings(at: now, into: &effects)
    }
}
