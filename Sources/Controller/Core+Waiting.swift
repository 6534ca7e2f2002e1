import Cameras
import Statecharts

// Requests that wait: for a camera that is being set as it was before a shoot, for the ledger that is being opened, or
// for what is being written down.

extension Core {
    /// Handles a request now, or when what it waits for is over. Each wait ends by a timer of its chart.
    mutating func take(_ request: Request, _ id: RequestID, in turn: inout Turn) {
        guard mustWait(request) else { return handle(request, id, in: &turn) }
        guard subscriptions.hasRoom(for: .turn, id, in: &turn) else { return }
        subscriptions.add(id, to: .turn, for: request)
    }

    /// Handles the requests that waited, in their order.
    mutating func takeWaiting(in turn: inout Turn) {
        while let next = subscriptions.clients.first(where: { $0.topic == .turn && !mustWait($0.request) }) {
            _ = subscriptions.remove(next.id, from: .turn)
            if let request = next.request { handle(request, next.id, in: &turn) }
            deliverMessages(in: &turn)
        }
    }

    private func mustWait(_ request: Request?) -> Bool {
        switch request {
        // A new command would end what the camera is doing. A shoot does not wait: it keeps the settings of the one
        // before as those to put back.
        case .connect, .disconnect: isRestoring
        // Between two tries the camera is free, and the user's value wins.
        case .setProperty: shooting.settings.isActive(.puttingBack)
        // The answer is to have what is known by now.
        case .readLedger: records.chart.isActive(.writing)
        case .retryShoot, .resumeShoot: records.chart.isActive(.writing) || isLedgerAwaited
        case .shoot, .retry, .resume: isLedgerAwaited
        default: false
        }
    }

    /// Whether nothing can begin before the ledger is open: it knows the number of the last shoot, and what that lacks.
    package var isLedgerAwaited: Bool {
        records.chart.isActive(.opening) && shooting.chart.isActive(.resting)
            && service.isActive(.serving)
    }

    // MARK: Streams

    /// Tells those who follow the shoot of each new step, and ends the streams with the outcome.
    mutating func tellProgress(in turn: inout Turn) {
        // The shoot was dismissed.
        guard let progress = followedProgress else { return endWaitingStreams(in: &turn) }
        guard publisher.isNews(progress, end: endedProgress) else { return }
        let timed = timed(progress, at: turn.now)
        if progress.outcome != nil {
            subscriptions.answer(.shoot, .progress(timed), in: &turn)
        } else {
            subscriptions.send(.progress(timed), to: .shoot, in: &turn)
        }
    }

    /// The streams that waited for the settings of a shoot get its outcome: something else begins.
    mutating func endWaitingStreams(in turn: inout Turn) {
        guard let end = publisher.takeEnd() else { return }
        subscriptions.answer(.shoot, .progress(end), in: &turn)
    }

    /// The progress for those who follow the shoot. For them it is over when the camera is set as it was.
    var followedProgress: Progress? {
        guard isRestoring, var progress, progress.outcome != nil else { return endedProgress ?? progress }
        progress.outcome = nil
        progress.cause = nil
        let sentences = [shooting.shoot?.fullSentence, shooting.settings.machine.behavior.progressSentence]
        progress.sentence = sentences.compactMap(\.self).joined(separator: " ")
        return progress
    }

    /// The outcome of the shoot, and what became of the camera's settings; nil: the shoot goes on.
    private var endedProgress: Progress? {
        guard var progress, progress.outcome != nil, let shoot = shooting.shoot else { return nil }
        progress.settings = shooting.settings.machine.behavior.endSentence(of: shoot.camera.id)
        return progress
    }
}
