import JSON

/// Decides by the signs of the body whether the shutter fired, if the answer to a shutter call does not show it.
extension SonyHTTP {
    /// Decides by the signs of the body whether the shutter fired, after an answer that does not show it. The number
    /// 40400 also stands for a picture without a URL (Smart Remote 4).
    mutating func judge(
        _ capture: SonyHTTPCapture,
        _ error: SonyHTTPError,
        since: Duration,
        in turn: inout DriverTurn
    ) -> SonyHTTPNextAction {
        guard let frame = lastFrame.frame, frame.ticket == capture.ticket else {
            preconditionFailure("the press was noted")
        }
        guard !frame.isCaptured else {
            finishCaptured(in: &turn)
            return .again
        }
        guard !frame.isOver else { return fail(capture, .captureResolved(.unknown)) }
        guard let wholeAt = state.wholeAt, wholeAt >= since, state.status == .idle else {
            if turn.now < max(frame.latestEnd, since) + timing.gate { return readStateRarely(in: &turn) }
            return fail(capture, .captureResolved(.unknown))
        }
        let evidence = evidence(of: frame, error)
        if evidence != .fired, turn.now < since + timing.doubt, mayShowLater(frame, evidence, error) {
            return readStateRarely(in: &turn)
        }
        switch evidence {
        case .fired:
            turn.note(SonyHTTPSentences.pictureWithoutURL)
            finishCaptured(in: &turn)
            return .again
        case .unknown: return fail(capture, .captureResolved(.unknown))
        case .notFired: return pressAgain(capture, error, at: turn.now)
        }
    }

    private func evidence(of frame: SonyHTTPFrame, _ error: SonyHTTPError) -> CaptureResolution {
        if let resolution = countedResolution(from: frame.shotsLeftBefore) { return resolution }
        // Without an open poll the body can have worked unseen.
        let isUnseen = !frame.isWatched && !error.isPassing
        return frame.wasBusy || isUnseen || frame.countedAt != nil ? .unknown : .notFired
    }

    /// Whether a sign of the picture can still come. A body may count its pictures late. Only a body that showed no
    /// work under an open poll is called again at once.
    private func mayShowLater(_ frame: SonyHTTPFrame, _ evidence: CaptureResolution, _ error: SonyHTTPError) -> Bool {
        evidence == .unknown || frame.wasBusy || !frame.isWatched && !error.isPassing
    }

    /// What the number of remaining pictures shows; nil: nothing. Exactly one picture less proves the frame. The same
    /// number means that nothing was exposed, on a body that counts.
    func countedResolution(from before: Int?) -> CaptureResolution? {
        guard let before, let left = state.shotsLeft, lastFrame.frame?.isCountUnclear != true else { return nil }
        if left == before - 1 { return .fired }
        let counts = identity.flatMap { known[$0.id].countsShots } == true
        return left == before && counts ? .notFired : nil
    }

    /// Half presses and calls again, on a body that did not fire.
    private mutating func pressAgain(
        _ capture: SonyHTTPCapture,
        _ error: SonyHTTPError,
        at now: Duration
    ) -> SonyHTTPNextAction {
        withdrawFrame()
        if error == .illegalResponse { return fail(capture, .failed(.other(SonyHTTPSentences.noPictureTaken))) }
        guard error == .shootingFailed else {
            guard error.isPassing else {
                return fail(capture, .failed(Self.refusal(of: SonyHTTPTask.take.name, error)))
            }
            guard now < capture.gateUntil else { return fail(capture, .busy) }
            return again(capture, .checking, at: now + timing.again)
        }
        guard state.has(.actHalfPressShutter), capture.presses < SonyHTTPLimits.pressesMax else {
            return fail(capture, .failed(shootingFailure))
        }
        var next = capture
        next.wantsHalfPress = true
        return again(next, .checking, at: now + timing.focus)
    }

    private var shootingFailure: CameraFailure {
        if state.shotsLeft == 0 { return .storageFull }
        return status.isManualFocus == true ? .other(SonyHTTPSentences.noPictureTaken) : .focusFailed
    }
}
