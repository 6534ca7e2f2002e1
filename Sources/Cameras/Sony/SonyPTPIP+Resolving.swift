import Exposure
import PTP

/// Decides whether a frame was fired if the answer to its command was lost.
extension SonyPTPIP {
    mutating func decide(_ resolving: ResolvingCapture, in turn: inout DriverTurn) -> SonyNextAction {
        // A frame was certainly not fired if the link broke before the press was sent.
        if case .notPressed = lastFrame { return end(.captureResolved(.notFired), resolving.ticket, in: &turn) }
        guard let reading = body.reading, reading.requestedAt >= resolving.since else { return .wait(until: nil) }
        // A file that waits for space does not delay the answer.
        let isQuiet =
            drain.held != nil
            || reading.fileInfo == .empty && buttons.areUp && body.news != .file
                && reading.requestedAt >= drain.fetchedAt ?? .zero
        if isProvenFired(resolving, reading) {
            guard isQuiet else { return .wait(until: nil) }
            return resolve(.fired, resolving, in: &turn)
        }
        let conclusiveAt = conclusiveAt(resolving, reading)
        guard isQuiet, turn.now >= conclusiveAt, reading.requestedAt >= conclusiveAt else {
            if turn.now >= conclusiveAt, reading.requestedAt < conclusiveAt { return .perform(.reading) }
            return .wait(until: conclusiveAt > turn.now ? conclusiveAt : nil)
        }
        return resolve(resolution(resolving, reading), resolving, in: &turn)
    }

    /// Whether a file of the frame was in the buffer, or the counter decreased. Every frame begins with an empty
    /// buffer, so a file after a reconnect belongs to the frame in doubt. A new driver does not know whether the frame
    /// was pressed. For a new driver, the file can be a late file of the previous frame.
    private func isProvenFired(_ resolving: ResolvingCapture, _ reading: SonyReading) -> Bool {
        if lastFrame.frame?.isCaptured == true { return true }
        // The counter must be exactly one less. Any other difference means another card, format or body.
        if let before = shotsLeftBefore(resolving), reading.status.shotsLeft == before - 1 { return true }
        guard let frame = lastFrame.frame, frame.mayProveByFile else { return false }
        if hasFilesOfBefore || reading.fileInfo != .empty { return true }
        guard body.deliversFiles == true, drain.wasEvidence, let fetchedAt = drain.fetchedAt else { return false }
        return fetchedAt >= frame.pressedAt
    }

    /// Whether files that were present after the reconnect may belong to the frame in doubt. A frame that was pressed
    /// after the reconnect began with an empty buffer, so these files do not belong to it.
    private var hasFilesOfBefore: Bool {
        body.hadFilesAtConnect && lastFrame.frame.map { !isOfThisSession($0) } ?? true
    }

    private func shotsLeftBefore(_ resolving: ResolvingCapture) -> Int? {
        lastFrame.shotsLeftBefore(recorded: resolving.shotsLeftBefore, bodyID: common.identity?.id)
    }

    /// The time at which missing signs become a proof. Before that, the exposure and its dark frame may still run.
    private func conclusiveAt(_ resolving: ResolvingCapture, _ reading: SonyReading) -> Duration {
        if let frame = lastFrame.frame {
            return max(frame.latestEnd, resolving.since) + timing.doubt
        }
        // A new driver does not know the frame, but the body still shows the speed of the frame.
        guard case .speed(let speed)? = reading.status.speed else { return resolving.since + timing.doubt }
        let isNoiseReduced = reading.status.noiseReduction != .off && speed.exposureTime >= .seconds(1)
        return resolving.since + speed.exposureTime * (isNoiseReduced ? 2 : 1) + timing.doubt
    }

    private func resolution(_ resolving: ResolvingCapture, _ reading: SonyReading) -> CaptureResolution {
        guard let before = shotsLeftBefore(resolving), let left = reading.status.shotsLeft else { return .unknown }
        // An increased counter means another card and proves nothing. If a file may belong to the frame, an unchanged
        // counter proves nothing either. The counter may lag, or ignore files that do not go to the card.
        let mayHaveFile = hasFilesOfBefore || lastFrame.frame.map(\.hasFile) ?? (body.deliversFiles == true)
        let isCountUnclear = lastFrame.frame?.isCountUnclear ?? false
        return left == before && !mayHaveFile && !isCountUnclear ? .notFired : .unknown
    }

    private mutating func resolve(
        _ resolution: CaptureResolution,
        _ resolving: ResolvingCapture,
        in turn: inout DriverTurn
    ) -> SonyNextAction {
        lastFrame.update { $0.stage = .over(wasCaptured: resolution == .fired) }
        if resolution == .notFired, lastFrame.frame != nil { lastFrame = .notPressed(previous: lastFrame.beforeLast) }
        body.hadFilesAtConnect = false
        return end(.captureResolved(resolution), resolving.ticket, in: &turn)
    }
}
