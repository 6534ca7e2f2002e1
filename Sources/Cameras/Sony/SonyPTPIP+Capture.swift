import Exposure
import PTP

/// The steps of one frame. PTP 3 p.48 defines only the order half press, full press, full release, half release.
///
/// The driver also sends the half press in manual focus, where it has no effect, because every known client sends it. A
/// body that ignored a full press shows the same readings as a body that fired without a report. So a second press
/// could take the frame twice.
extension SonyPTPIP {
    mutating func decide(_ capture: SonyCapture, in turn: inout DriverTurn) -> SonyNextAction {
        switch capture.step {
        case .checking:
            return check(capture, at: turn.now)
        case .focusing(let since):
            return focus(capture, since: since, at: turn.now)
        case .pressing:
            return press(capture, at: turn.now)
        case .holding(let until):
            return .wait(until: until)
        case .exposing:
            return awaitPicture(capture, in: &turn)
        case .finishing:
            guard isBodyIdle(since: .zero, at: turn.now) else {
                return stillSaving(capture.ticket, in: &turn)
            }
            return end(.idle, capture.ticket, in: &turn)
        }
    }

    // MARK: Before the press

    /// Checks in a reading immediately before the press that the buffer is empty and the body shows the speed. The
    /// reading that confirmed the speed is not enough: an A7R IV later returned to another speed (gphoto2#392).
    private mutating func check(_ capture: SonyCapture, at now: Duration) -> SonyNextAction {
        if now < mayShootAt {
            var waiting = capture
            waiting.gateUntil = max(capture.gateUntil, mayShootAt + timing.gate)
            activity = .capturing(waiting)
            return .wait(until: mayShootAt)
        }
        guard let reading = body.reading, body.readings > capture.readingsBefore, reading.requestedAt >= capture.since
        else { return .perform(.reading) }
        let isReady = reading.fileInfo == .empty && buttons.areUp
        if now >= capture.gateUntil, !isReady { return fail(capture, .busy) }
        guard isReady, reading.isSpeedReliable || now >= capture.gateUntil else {
            return .wait(until: capture.gateUntil)
        }
        guard isFreshForShutter(reading, at: now) else {
            return now < capture.gateUntil ? .perform(.reading) : fail(capture, .busy)
        }
        let speed = reading.isSpeedReliable ? reading.status.speed : nil
        guard speed == .speed(capture.speed), !choosesSpeedItself(reading) else {
            let found = speed ?? .other(SonyShutterSpeed.nothing.description)
            return fail(capture, .failed(.speedChanged(found: found)))
        }
        return .perform(.button(.halfPress, .pressed))
    }

    /// Whether the body chooses its speed itself. If so, the shown speed can equal the planned one by chance.
    private func choosesSpeedItself(_ reading: SonyReading) -> Bool {
        guard reading.isModeReliable else { return false }
        return reading.status.mode != .manual && reading.status.mode != .shutterPriority
    }

    /// The earliest time of the next press that the body's quirks allow.
    var mayShootAt: Duration {
        max(
            common.connectedAt + body.quirks.settleBeforeFirstShot,
            lastFrame.previous.map { $0.expectedEnd + body.quirks.shotInterval } ?? .zero
        )
    }

    /// Whether this reading is recent and the body's last report, and no file has arrived since. Property events are
    /// ignored, because frequent events would block the shutter permanently.
    private func isFreshForShutter(_ reading: SonyReading, at now: Duration) -> Bool {
        reading.receivedAt == common.lastTransactionAt && now <= reading.receivedAt + timing.freshness
            && body.news != .file
    }

    private mutating func fail(_ capture: SonyCapture, _ event: CameraEvent) -> SonyNextAction {
        change(capture) { $0.outcome = event }
    }

    private mutating func change(_ capture: SonyCapture, _ change: (inout SonyCapture) -> Void) -> SonyNextAction {
        var next = capture
        change(&next)
        activity = .capturing(next)
        return .again
    }

    // MARK: Focus

    /// With autofocus, waits at most 1 s until the body reports the result. The full press follows in any case. A body
    /// without focus fires only if its setting is release priority.
    private mutating func focus(_ capture: SonyCapture, since: Duration, at now: Duration) -> SonyNextAction {
        let focus = body.reading.flatMap { $0.requestedAt >= since ? $0.focus : nil }
        let isSettled = focus?.isSettled ?? false
        if !isSettled, now < since + timing.focus {
            let readAt = body.reading.map { max($0.receivedAt, since) + timing.focusPoll } ?? now
            if readAt <= now || body.reading.map({ $0.requestedAt < since }) ?? true { return .perform(.reading) }
            return .wait(until: min(since + timing.focus, readAt))
        }
        let hasFailed = focus == .singleFailed || focus == .continuousFailed
        let isFailure = hasFailed && !body.quirks.focusFailureIsUnreliable
        return change(capture) { $0.step = .pressing(focusFailed: isFailure, since: since) }
    }

    // MARK: The press

    /// Sends the full press. The body may have changed the speed during the half press, so its last report must still
    /// be recent. If the body reported a change, the driver first requests a new reading.
    private mutating func press(_ capture: SonyCapture, at now: Duration) -> SonyNextAction {
        guard case .pressing(_, let since) = capture.step, let reading = body.reading else { return .perform(.reading) }
        let isOld = now > reading.receivedAt + timing.pressFreshness
        if isOld || reading.requestedAt < since && body.news != .none {
            return now < capture.gateUntil ? .perform(.reading) : fail(capture, .busy)
        }
        if reading.isSpeedReliable, let speed = reading.status.speed,
            speed != .speed(capture.speed) || choosesSpeedItself(reading)
        {
            return fail(capture, .failed(.speedChanged(found: speed)))
        }
        return .perform(.button(.fullPress, .pressed))
    }

    // MARK: The buttons

    mutating func finishButton(
        _ control: SonyControl,
        _ position: SonyButton,
        _ result: OperationResult,
        in turn: inout DriverTurn
    ) {
        switch position {
        case .released: finishRelease(control, result, at: turn.now)
        case .pressed: finishPress(control, result, in: &turn)
        }
    }

    private mutating func finishRelease(_ control: SonyControl, _ result: OperationResult, at now: Duration) {
        guard result.code == .ok || common.isLeaving else {
            buttons.releaseAt = now + timing.releasePause
            return
        }
        if control == .fullPress { buttons.isFullDown = false } else { buttons.isHalfDown = false }
    }

    private mutating func finishPress(_ control: SonyControl, _ result: OperationResult, in turn: inout DriverTurn) {
        if control == .fullPress, result.code != .ok {
            lastFrame = .notPressed(previous: lastFrame.previous)
        }
        // Only releases the buttons if another command has replaced the capture.
        guard case .capturing(var capture) = activity else { return }
        guard result.code == .ok else {
            capture.outcome = refusal(of: .sdioControlDevice, result)
            return activity = .capturing(capture)
        }
        if control == .fullPress {
            turn.report(.shutterReleased, capture.ticket)
            capture.step = .holding(until: turn.now + timing.hold)
        } else {
            let isManual = body.reading?.status.isManualFocus ?? false
            capture.step = isManual ? .pressing(focusFailed: false, since: turn.now) : .focusing(since: turn.now)
        }
        activity = .capturing(capture)
    }

    /// Notes the frame before the press is sent. From here on the shutter may have fired.
    mutating func pressShutter(at now: Duration) {
        guard case .capturing(let capture) = activity, case .pressing(let focusFailed, _) = capture.step else { return }
        let previous = lastFrame.previous
        let frame = SonyFrame(
            ticket: capture.ticket,
            pressedAt: now,
            bodyID: common.identity?.id,
            exposure: capture.speed.exposureTime,
            shotsLeftShown: body.reading?.status.shotsLeft,
            shotsLeftBefore: shotsLeft(after: previous, at: now),
            focusFailed: focusFailed,
            noiseReduction: body.reading?.status.noiseReduction ?? .unknown,
            wasSpeedWritable: body.reading?.status.speedIsWritable ?? false,
            mode: body.reading?.status.mode ?? .manual,
            needsReport: previous.map(isReported) ?? false,
            isFirst: previous?.bodyID != common.identity?.id,
            isCountUnclear: previous.map { mayBeExpected($0, at: now) } ?? false,
            pendingAnnouncements: pendingAnnouncements(after: previous, at: now),
            exposureMax: capture.speed.exposureTime
        )
        lastFrame = .pressed(frame, previous: previous)
    }

    /// The value below which the next picture must bring the counter. The counter may lag while the body writes, so a
    /// decrease may belong to earlier frames. An increased counter belongs to another card or to another file format.
    private func shotsLeft(after previous: SonyFrame?, at now: Duration) -> Int? {
        guard let left = body.reading?.status.shotsLeft else { return nil }
        guard let previous, let shown = previous.shotsLeftShown, let before = previous.countBefore, left <= shown,
            isExpected(previous, at: now) || mayBeExpected(previous, at: now)
        else { return left }
        return min(left, before - 1)
    }

    /// Whether the body reported the last captured picture. The repetition of a frame in doubt needs no report.
    /// Otherwise a body with late reports would put every repetition in doubt.
    private func isReported(_ previous: SonyFrame) -> Bool {
        previous.isCaptured && (previous.wasAnnounced || previous.wasCounted) && isOfThisSession(previous)
    }

    /// How many 0xC206 events can still arrive in this session for pictures that were proven in another way. Only
    /// frames whose deadline has not passed are counted.
    private func pendingAnnouncements(after previous: SonyFrame?, at now: Duration) -> Int {
        guard let previous, isOfThisSession(previous), now < previous.deadline(timing) else { return 0 }
        let hasPicture = previous.isCaptured || previous.hasFile
        let isExpected = hasPicture && !previous.wasAnnounced && !previous.wasPerhapsAnnounced
        return previous.pendingAnnouncements + (isExpected ? 1 : 0)
    }

    /// Whether the counter can still decrease for a frame. A body may write an announced picture only after a whole
    /// buffer of other pictures.
    private func isExpected(_ frame: SonyFrame, at now: Duration) -> Bool {
        guard frame.isCaptured, !frame.wasCounted, frame.bodyID == common.identity?.id else { return false }
        let isToBeWritten = frame.wasAnnounced && !frame.hasFile
        return now < max(frame.deadline(timing), isToBeWritten ? frame.latestEnd + timing.written : .zero)
    }

    /// Whether the counter may or may not decrease for a frame: after a broken link, or without any sign of a picture.
    /// Never true for two frames in a row, so that a body that counts no pictures can continue.
    private func mayBeExpected(_ frame: SonyFrame, at now: Duration) -> Bool {
        if isExpected(frame, at: now) { return !isOfThisSession(frame) }
        return frame.isOver && !frame.isCaptured && !frame.wasCounted && !frame.isCountUnclear
            && !frame.focusFailed && frame.bodyID == common.identity?.id && now < frame.latestEnd + timing.written
    }

    // MARK: After the press

    private mutating func awaitPicture(_ capture: SonyCapture, in turn: inout DriverTurn) -> SonyNextAction {
        guard let frame = lastFrame.frame else {
            preconditionFailure("the shutter command was accepted")
        }
        if frame.isCaptured {
            turn.report(.captured, capture.ticket)
            return change(capture) { $0.step = .finishing }
        }
        guard frame.isOver else { return .wait(until: frame.deadline(timing)) }
        if isUnclear(frame) { return end(.captureResolved(.unknown), capture.ticket, in: &turn) }
        guard wasIgnored(frame) else { return end(.failed(failure(of: frame)), capture.ticket, in: &turn) }
        lastFrame = .notPressed(previous: lastFrame.beforeLast)
        turn.note(SonyCaptureSentences.commandIgnored)
        return end(.busy, capture.ticket, in: &turn)
    }

    private func failure(of frame: SonyFrame) -> CameraFailure {
        if frame.focusFailed { return .focusFailed }
        let isFileUnfinished = body.reading?.fileInfo == .inPreparation
        return .other(isFileUnfinished ? SonyCaptureSentences.fileUnfinished : SonyCaptureSentences.noPictureReported)
    }
}
