import PTP

/// Decides whether a frame was fired if the answer to its command was lost.
extension NikonPTPIP {
    mutating func decide(_ resolving: ResolvingCapture, in turn: inout DriverTurn) -> NikonNextAction {
        // A frame was certainly not fired if the link broke before the press was sent.
        if case .notPressed = lastFrame { return end(.captureResolved(.notFired), resolving.ticket, in: &turn) }
        // A body that still exposes answers "busy". The events of the time without a link may still wait.
        if let move = readinessMove(since: resolving.since, at: turn.now) { return move }
        if body.store[.nikonShotsLeft] != nil, body.countRequestedAt < resolving.since {
            return .perform(.read(.nikonShotsLeft))
        }
        if let frame = lastFrame.frame, let move = describeObject(of: frame, at: turn.now) { return move }
        // The descriptions of new files can prove the frame. Their transfers do not delay the answer.
        let hasProofs = !files.waiting.contains(where: \.isProof)
        if isProvenFired(resolving) { return resolve(.fired, resolving, in: &turn) }
        let conclusiveAt = conclusiveAt(resolving)
        guard let last = body.poll, last.requestedAt >= conclusiveAt, hasProofs else {
            if turn.now >= conclusiveAt, hasProofs { return poll }
            return .wait(until: conclusiveAt > turn.now ? conclusiveAt : nil)
        }
        if body.store[.nikonShotsLeft] != nil, body.countRequestedAt < conclusiveAt {
            return .perform(.read(.nikonShotsLeft))
        }
        return resolve(resolution(resolving), resolving, in: &turn)
    }

    /// Whether a file of the frame was announced or listed, or the counter is exactly one less. Any other difference
    /// means another card, another format or another body.
    private func isProvenFired(_ resolving: ResolvingCapture) -> Bool {
        if let frame = lastFrame.frame, frame.isCaptured || frame.hasProof { return true }
        guard let before = shotsLeftBefore(resolving), lastFrame.frame?.isCountUnclear != true else { return false }
        return body.store.shotsLeft == before - 1
    }

    private func shotsLeftBefore(_ resolving: ResolvingCapture) -> Int? {
        lastFrame.shotsLeftBefore(recorded: resolving.shotsLeftBefore, bodyID: common.identity?.id)
    }

    /// The time at which missing signs become a proof. A new driver does not know the frame, but the body still shows
    /// its speed. The exposure and its dark frame may still run.
    private func conclusiveAt(_ resolving: ResolvingCapture) -> Duration {
        if let frame = lastFrame.frame { return max(frame.latestEnd, resolving.since) + timing.doubt }
        let exposure = body.store.exposureTimeMax ?? .zero
        return resolving.since + (exposure >= NikonFrame.darkFrameMin ? exposure * 2 : exposure) + timing.doubt
    }

    private func resolution(_ resolving: ResolvingCapture) -> CaptureResolution {
        guard known.countsShots == true, let before = shotsLeftBefore(resolving),
            lastFrame.frame?.isCountUnclear != true, lastFrame.frame?.hasObject != true,
            // The counter is an estimate, so a body that lists its files must show no new one.
            body.hasListedFiles || !mayListFiles
        else { return .unknown }
        return body.store.shotsLeft == before ? .notFired : .unknown
    }

    private mutating func resolve(
        _ resolution: CaptureResolution,
        _ resolving: ResolvingCapture,
        in turn: inout DriverTurn
    ) -> NikonNextAction {
        lastFrame.resolve(resolution)
        return end(.captureResolved(resolution), resolving.ticket, in: &turn)
    }
}
