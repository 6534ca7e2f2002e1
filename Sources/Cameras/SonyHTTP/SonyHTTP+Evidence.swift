import Exposure
import JSON

/// Decides whether a frame was fired if the answer to its command was lost.
extension SonyHTTP {
    /// Completes a frame when the body is ready again, or when the driver expects no more signs of its picture.
    mutating func expireFrame(in turn: inout DriverTurn) {
        guard let frame = lastFrame.frame, !frame.isOver else { return }
        switch frame.stage {
        case .exposing where turn.now >= frame.deadline(timing):
            lastFrame.update { $0.stage = .over(wasCaptured: false) }
            turn.note(SonyHTTPSentences.noPictureExpected)
        case .captured(let at) where state.isReadyToShoot && hasReported(frame, since: at):
            lastFrame.update { $0.stage = .over(wasCaptured: true) }
        default: break
        }
    }

    /// Whether the body reported its state after the frame.
    private func hasReported(_ frame: SonyHTTPFrame, since: Duration) -> Bool {
        if state.wholeAt.map({ $0 >= since }) ?? false { return true }
        return frame.wasBusy && state.statusSince > frame.pressedAt
    }

    mutating func decide(_ resolving: SonyHTTPResolving, in turn: inout DriverTurn) -> SonyHTTPNextAction {
        // A frame was certainly not fired if the link broke before the call was sent.
        if case .notPressed = lastFrame { return end(.captureResolved(.notFired), resolving.ticket, in: &turn) }
        guard let wholeAt = state.wholeAt, wholeAt >= resolving.since else { return readStateRarely(in: &turn) }
        if lastFrame.frame?.isCaptured == true {
            guard state.isReadyToShoot else { return readStateRarely(in: &turn) }
            return resolve(.fired, resolving, in: &turn)
        }
        if mayAskURL(resolving) {
            if turn.now < resolving.urlNotBefore ?? .zero { return .wait(until: resolving.urlNotBefore) }
            var next = resolving
            next.urlNotBefore = nil
            activity = .resolving(next)
            return .perform(.awaitPicture)
        }
        if let resolution = resolution(resolving, at: turn.now), state.isReadyToShoot {
            return resolve(resolution, resolving, in: &turn)
        }
        let conclusiveAt = conclusiveAt(resolving)
        guard turn.now >= conclusiveAt, state.isReadyToShoot || turn.now >= conclusiveAt + timing.gate else {
            return readStateRarely(in: &turn)
        }
        return resolve(.unknown, resolving, in: &turn)
    }

    /// The method is offered only while a picture of a call is in work or complete.
    private func mayAskURL(_ resolving: SonyHTTPResolving) -> Bool {
        guard resolving.urlNotBefore != nil, let frame = lastFrame.frame else { return false }
        return state.has(.awaitTakePicture) && frame.isProvenByURL && frame.bodyID == identity?.id
    }

    /// Handles the URL of the last picture of the body. It proves the frame if it is not that of an earlier picture.
    mutating func finishURL(
        _ resolving: SonyHTTPResolving,
        _ answer: SonyHTTPAnswer,
        since: Duration,
        in turn: inout DriverTurn
    ) {
        guard let frame = lastFrame.frame, let id = identity?.id else { return }
        switch answer {
        case .result(let result):
            let last = known[id].lastURLs
            // The URL of this frame can have come by event.
            let urls = Self.urls(in: result).filter { !last.contains($0) || frame.urls.contains($0) }
            if !urls.isEmpty { noteURLs(urls, of: frame, in: &turn) }
        // The exposure still runs. The driver asks again.
        case .error(.stillCapturing):
            guard turn.now < frame.deadline(timing) else { return }
            var next = resolving
            next.urlNotBefore = since + timing.read
            activity = .resolving(next)
        case .error: break
        }
    }

    /// The proof by the number of remaining pictures; nil: none yet. The same number is a proof when the frame must be
    /// over.
    private func resolution(_ resolving: SonyHTTPResolving, at now: Duration) -> CaptureResolution? {
        let before = lastFrame.shotsLeftBefore(recorded: resolving.shotsLeftBefore, bodyID: identity?.id)
        let resolution = countedResolution(from: before)
        return resolution == .notFired && now < conclusiveAt(resolving) ? nil : resolution
    }

    /// The time at which missing signs become a proof. A new driver does not know the frame, but the body still shows
    /// its speed. The exposure and its dark frame may still run.
    private func conclusiveAt(_ resolving: SonyHTTPResolving) -> Duration {
        if let frame = lastFrame.frame { return max(frame.latestEnd, resolving.since) + timing.doubt }
        guard case .speed(let speed)? = shownSpeed else { return resolving.since + timing.doubt }
        let exposure = speed.exposureTime
        return resolving.since + (exposure >= .seconds(1) ? exposure * 2 : exposure) + timing.doubt
    }

    private mutating func resolve(
        _ resolution: CaptureResolution,
        _ resolving: SonyHTTPResolving,
        in turn: inout DriverTurn
    ) -> SonyHTTPNextAction {
        lastFrame.resolve(resolution)
        return end(.captureResolved(resolution), resolving.ticket, in: &turn)
    }
}
