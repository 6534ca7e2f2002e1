import Exposure
import PTP

/// The steps of one frame.
///
/// In manual focus the driver presses both stages at once without autofocus (libgphoto2's "Press Full MF"). Otherwise
/// it presses half, waits for the focus, and presses full. Bulb is not used.
extension CanonPTPIP {
    mutating func decide(_ capture: CanonCapture, in turn: inout DriverTurn) -> CanonNextAction {
        switch capture.step {
        case .checking: return check(capture, at: turn.now)
        case .focusing(let since): return focus(capture, since: since, at: turn.now)
        case .pressing: return pressFull(capture, at: turn.now)
        case .awaitingButton(let since): return awaitButton(capture, since: since, in: &turn)
        case .holding(let until):
            if turn.now < until { return .wait(until: until) }
            return change(capture) { $0.step = .exposing }
        case .exposing: return awaitPicture(capture, in: &turn)
        case .finishing:
            guard isBodyIdle(since: .zero, at: turn.now) else { return stillSaving(capture.ticket, in: &turn) }
            return end(.idle, capture.ticket, in: &turn)
        }
    }

    private mutating func change(_ capture: CanonCapture, _ change: (inout CanonCapture) -> Void) -> CanonNextAction {
        var next = capture
        change(&next)
        activity = .capturing(next)
        return .again
    }

    private mutating func fail(_ capture: CanonCapture, _ event: CameraEvent) -> CanonNextAction {
        change(capture) { $0.outcome = event }
    }

    // MARK: Before the press

    /// Reads all reports before the press, because a body with waiting reports rejects the press as busy (libgphoto2).
    /// The last reports must show the speed.
    private mutating func check(_ capture: CanonCapture, at now: Duration) -> CanonNextAction {
        guard let list = body.list, list.requestedAt >= capture.since, body.hasReportedAll else {
            return now < capture.gateUntil ? .perform(.list) : fail(capture, .busy)
        }
        guard !isBusy(at: now), areButtonsUp, !body.isInDoubt else {
            return now < capture.gateUntil ? .wait(until: capture.gateUntil) : fail(capture, .busy)
        }
        if let event = wrongSpeed(capture) { return fail(capture, event) }
        return firstPress
    }

    /// The failure if the body shows another speed or chooses the speed itself; nil: the speed is right.
    private func wrongSpeed(_ capture: CanonCapture) -> CameraEvent? {
        let isManual = body.store.mode == .manual || body.store.mode == .timeValue
        if isManual, body.store.speed?.shutterSpeed == capture.speed { return nil }
        let found = body.store.speed?.reading ?? .other(CanonShutterSpeed.absent.description)
        return .failed(.speedChanged(found: found))
    }

    private var isManualFocus: Bool {
        body.store.number(.canonFocusMode) == CanonFocusMode.manual.rawValue
    }

    private var firstPress: CanonNextAction {
        switch body.release {
        case .single: .perform(.releaseShutter)
        case .bothStages: .perform(.press(.both, autofocus: !isManualFocus))
        case .stages: .perform(isManualFocus ? .press(.both, autofocus: false) : .press(.half, autofocus: true))
        }
    }

    // MARK: Focus

    /// Waits for the result of the half press. Without a result the full press follows: not every body reports one.
    private mutating func focus(_ capture: CanonCapture, since: Duration, at now: Duration) -> CanonNextAction {
        let isLate = now >= since + timing.focus
        switch body.focus {
        case .focused?: return change(capture) { $0.step = .pressing }
        case .failed?: return fail(capture, .failed(.focusFailed))
        // An R8 reports a failure only by the end of its search.
        case .inactive? where body.hasSearchedFocus: return fail(capture, .failed(.focusFailed))
        case .inactive?, .searching?, nil:
            if isLate { return change(capture) { $0.step = .pressing } }
            return .wait(until: since + timing.focus)
        }
    }

    /// The body may have changed the speed during the half press, so the last reports are checked again.
    private mutating func pressFull(_ capture: CanonCapture, at now: Duration) -> CanonNextAction {
        if let event = wrongSpeed(capture) { return fail(capture, event) }
        return .perform(.press(.full, autofocus: true))
    }

    /// Waits for the result of the press on a body of the EOS M family. Without a result the signs of the picture
    /// decide.
    private mutating func awaitButton(
        _ capture: CanonCapture,
        since: Duration,
        in turn: inout DriverTurn
    ) -> CanonNextAction {
        switch body.button {
        case .halfPressFailed?, .fullPressFailed?:
            // An M50 also shows the first number at rest. So the signs of the picture decide.
            lastFrame.update { $0.result = .focusFailed }
            return hold(capture, in: &turn)
        case .fullPressed?: return hold(capture, in: &turn)
        case .halfPressed?, .selfTimer?, nil:
            let until = since + timing.button
            return turn.now < until ? .wait(until: until) : hold(capture, in: &turn)
        }
    }

    private mutating func hold(_ capture: CanonCapture, in turn: inout DriverTurn) -> CanonNextAction {
        let until = turn.now + timing.hold
        return change(capture) { $0.step = .holding(until: until) }
    }

    // MARK: The press

    /// Notes the frame before the press is sent. From here on the shutter may have fired.
    mutating func releaseShutter(at now: Duration) {
        guard case .capturing(let capture) = activity else { return }
        let previous = lastFrame.previous
        let bodyID = common.identity?.id
        let frame = CanonFrame(
            ticket: capture.ticket,
            pressedAt: now,
            bodyID: bodyID,
            exposure: capture.speed.exposureTime,
            shotsLeftBefore: shotsLeft(after: previous),
            isCountUnclear: previous?.mayBeCounted(on: bodyID, storing: timing.writing, at: now) ?? false,
            hasAutofocus: !isManualFocus
        )
        lastFrame = .pressed(frame, previous: previous)
    }

    /// The value below which the next picture brings the counter.
    private func shotsLeft(after previous: CanonFrame?) -> Int? {
        guard let left = body.store.shotsLeft else { return nil }
        guard let previous, isOfThisSession(previous) else { return left }
        return previous.shotsLeftForNext(shown: left)
    }

    mutating func finishPress(_ stages: CanonStages, _ result: OperationResult, in turn: inout DriverTurn) {
        restartPolling()
        let released = CanonReleaseResult(result.parameters.first)
        var code = result.code
        if result.code == .ok, case .code(let other)? = released { code = other }
        if code != .ok, stages != .half { lastFrame = .notPressed(previous: lastFrame.beforeLast) }
        // Only releases the button if another command has replaced the capture.
        guard case .capturing(let capture) = activity else { return }
        guard code == .ok else { return finishRefusedPress(capture, code, result, in: &turn) }
        var next = capture
        switch (stages, body.release) {
        case (.half, _):
            if released == .focusFailed { next.outcome = .failed(.focusFailed) }
            next.step = .focusing(since: turn.now)
            next.since = turn.now
            return activity = .capturing(next)
        case (_, .bothStages): next.step = .awaitingButton(since: turn.now)
        case (_, .single): next.step = .exposing
        case (_, .stages): next.step = .holding(until: turn.now + timing.hold)
        }
        next.since = turn.now
        lastFrame.update { $0.acceptedAt = turn.now }
        lastFrame.update { $0.result = released }
        activity = .capturing(next)
        turn.report(.shutterReleased, capture.ticket)
    }

    /// Handles a rejected press: releases the button, reads the reports, and then tries again or fails.
    private mutating func finishRefusedPress(
        _ capture: CanonCapture,
        _ code: ResponseCode,
        _ result: OperationResult,
        in turn: inout DriverTurn
    ) {
        var next = capture
        switch code {
        case _ where code.isCanonBusy && turn.now < capture.gateUntil:
            next.step = .checking
            next.since = turn.now
            body.list = nil
            body.retryListAt = turn.now + timing.busyWrite
        case _ where code.mayMeanRemoteModeLost && !capture.isRemoteRenewed && has(.canonSetRemoteMode):
            next.isRemoteRenewed = true
            next.step = .checking
            next.since = turn.now
            body.isRemoteLost = true
        default:
            var answer = result
            answer.code = code
            next.outcome = refusal(of: body.release == .single ? .canonRemoteRelease : .canonPress, answer)
        }
        activity = .capturing(next)
    }

    // MARK: The button

    /// Releases the button when no capture needs it, and reports the result of a failed capture afterwards.
    mutating func decideButtons(in turn: inout DriverTurn) -> CanonNextAction? {
        if case .capturing(let capture) = activity, capture.isPressing { return nil }
        guard !areButtonsUp, let stages = known.pressed.last else {
            buttons.giveUpAt = nil
            if case .capturing(let capture) = activity, let outcome = capture.outcome {
                return end(outcome, capture.ticket, in: &turn)
            }
            return nil
        }
        // A body may answer "busy" until the end of the exposure.
        let giveUpAt = buttons.giveUpAt ?? max(turn.now + timing.gate, lastFrame.frame?.deadline(timing) ?? .zero)
        buttons.giveUpAt = giveUpAt
        if turn.now >= giveUpAt {
            buttons.isGivenUp = true
            turn.note(CanonCaptureSentences.releaseUnconfirmed)
            return .again
        }
        guard turn.now >= buttons.releaseAt else { return nil }
        // libgphoto2 reads a list between the two releases.
        if let releasedAt = buttons.fullReleasedAt, body.list.map({ $0.requestedAt < releasedAt }) ?? true,
            turn.now >= body.retryListAt
        {
            return .perform(.list)
        }
        return .perform(.release(stages))
    }

    mutating func finishRelease(_ stages: CanonStages, _ result: OperationResult, at now: Duration) {
        // A body may have released its button when the last session broke, and reject another release.
        guard result.code == .ok || !buttons.werePressed && !result.code.isCanonBusy else {
            buttons.releaseAt = now + timing.releasePause
            return
        }
        known.pressed.removeAll { $0 == stages }
        buttons.fullReleasedAt = stages == .full && !areButtonsUp ? now : nil
    }

    // MARK: After the press

    private mutating func awaitPicture(_ capture: CanonCapture, in turn: inout DriverTurn) -> CanonNextAction {
        guard let frame = lastFrame.frame else { preconditionFailure("the press was accepted") }
        guard !frame.isCaptured else {
            turn.report(.captured, capture.ticket)
            return change(capture) { $0.step = .finishing }
        }
        guard frame.isOver else {
            return .wait(until: provenAt(frame) ?? frame.deadline(timing))
        }
        // A decrease of the counter may belong to this frame or to the previous one. Signs in a damaged list are lost.
        if frame.mayLackSigns || frame.isCountUnclear && frame.countedAt != nil {
            return end(.captureResolved(.unknown), capture.ticket, in: &turn)
        }
        return end(.failed(failure(of: frame)), capture.ticket, in: &turn)
    }

    private func failure(of frame: CanonFrame) -> CameraFailure {
        if let result = frame.result { return result.failure }
        // Without focus the body accepts the press and reports nothing.
        let isUnfocused = frame.hasAutofocus && frame.isWithoutSigns
        return isUnfocused ? .focusFailed : .other(CanonCaptureSentences.noPictureReported)
    }
}
