import JSON

/// The half press of the shutter button, and the wait for the focus.
extension SonyHTTP {
    /// Waits for the focus. Bodies with an old version of events do not report it and get a fixed time.
    mutating func focus(
        _ capture: SonyHTTPCapture,
        asked: Duration,
        since: Duration,
        in turn: inout DriverTurn
    ) -> SonyHTTPNextAction {
        let focus = state.focusSince >= asked ? state.focus : nil
        let until = since + (focus == "Focusing" ? timing.focusSearch : timing.focus)
        let isFocused = focus?.hasPrefix("Focused") ?? false
        if focus == "Failed", turn.now >= until { return fail(capture, .failed(.focusFailed)) }
        guard isFocused || turn.now >= until else { return .wait(until: until) }
        // The body may have changed the speed during the half press.
        if let event = wrongSpeed(capture) { return fail(capture, event) }
        if let move = readSpeed(capture, in: &turn) { return move }
        return press(capture, at: turn.now)
    }

    mutating func finishHalfPress(_ answer: SonyHTTPAnswer, since: Duration, in turn: inout DriverTurn) {
        guard let id = identity?.id else { return }
        guard case .capturing(let capture) = activity else { return }
        switch answer {
        case .result: _ = change(capture) { $0.step = .focusing(asked: since, since: turn.now) }
        case .error(let error):
            known.update(id) { $0.isHalfPressed = false }
            let event: CameraEvent =
                error.isPassing ? .busy : .failed(Self.refusal(of: SonyHTTPTask.halfPress.name, error))
            _ = fail(capture, event)
        }
    }

    var isHalfPressed: Bool { identity.map { known[$0.id].isHalfPressed } ?? false }

    /// Ends the half press when no capture needs it, and reports the result of a failed capture afterwards.
    mutating func endHalfPress(in turn: inout DriverTurn) -> SonyHTTPNextAction? {
        if case .capturing(let capture) = activity, capture.outcome == nil { return nil }
        if isHalfPressed, let move = releaseHalfPress(in: &turn) { return move }
        release = SonyHTTPRelease()
        guard case .capturing(let capture) = activity, let outcome = capture.outcome else { return nil }
        return end(outcome, capture.ticket, in: &turn)
    }

    /// The next step to end the half press; nil: the driver gave up. A body that works on a picture may not offer the
    /// method.
    private mutating func releaseHalfPress(in turn: inout DriverTurn) -> SonyHTTPNextAction? {
        let until = release.until ?? max(turn.now, lastFrame.frame?.latestEnd ?? .zero) + timing.gate
        release.until = until
        guard turn.now < until, release.tries < SonyHTTPLimits.releasesMax else {
            turn.note(SonyHTTPSentences.halfPressUnconfirmed)
            if let id = identity?.id { known.update(id) { $0.isHalfPressed = false } }
            return nil
        }
        if turn.now < release.notBefore { return .wait(until: release.notBefore) }
        guard state.has(.cancelHalfPressShutter) || state.status == .idle else { return readStateRarely(in: &turn) }
        release.tries += 1
        release.notBefore = turn.now + timing.again
        return .perform(.cancelHalfPress)
    }

    mutating func finishCancelHalfPress(_ answer: SonyHTTPAnswer, in turn: inout DriverTurn) {
        guard let id = identity?.id, case .result = answer else { return }
        known.update(id) { $0.isHalfPressed = false }
    }
}
