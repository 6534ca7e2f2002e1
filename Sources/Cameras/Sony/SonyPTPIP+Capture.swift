import Exposure
import PTP

/// One frame: PTP 3 p.48 has the order half press, full press, full release, half release; others are undefined.
///
/// The half press is kept in manual focus, where it focuses nothing and nothing is waited for: every known client sends
/// it, and a body that ignores a full press alone looks the same as one that fired and reports nothing, so that to
/// press again could take a frame twice.
extension SonyPTPIP {
    mutating func decide(
        _ capture: SonyCapture,
        at now: Duration,
        into actions: inout [CameraAction]
    ) -> SonyMove {
        switch capture.step {
        case .checking:
            return check(capture, at: now)
        case .focusing(let since):
            return focus(capture, since: since, at: now)
        case .pressing:
            return press(capture, at: now)
        case .holding(let until):
            return .wait(until: until)
        case .exposing:
            return awaitPicture(capture, at: now, into: &actions)
        case .finishing:
            guard isBodyIdle(since: .zero, at: now) else {
                return stillSaving(capture.ticket, at: now, into: &actions)
            }
            return end(.idle, capture.ticket, into: &actions)
        }
    }

    // MARK: Before the press

    /// Nothing waits in the buffer and the body shows the speed, in a reading right before the press. The one that
    /// confirmed the speed does not do: an A7R IV has been seen to fall back to another speed later (gphoto2#392).
    private mutating func check(_ capture: SonyCapture, at now: Duration) -> SonyMove {
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
        guard speed == .speed(capture.speed), !isTurnedAway(reading) else {
            let found = speed ?? .other(SonyShutterSpeed.nothing.description)
            return fail(capture, .failed(.speedChanged(found: found)))
        }
        return .perform(.button(.halfPress, .pressed))
    }

    /// Whether the body chooses its speed itself: what it shows may be the planned one by chance.
    private func isTurnedAway(_ reading: SonyReading) -> Bool {
        guard reading.isModeReliable else { return false }
        return reading.status.mode != .manual && reading.status.mode != .shutterPriority
    }

    /// What the body's peculiarities ask for.
    var mayShootAt: Duration {
        max(
            common.connectedAt + body.quirks.settleBeforeFirstShot,
            lastFrame.previous.map { $0.expectedEnd + body.quirks.shotInterval } ?? .zero
        )
    }

    /// The last thing that the body said, and no file came since. Property events alone do not count: a storm of them
    /// must not keep the shutter from ever being released.
    private func isFreshForShutter(_ reading: SonyReading, at now: Duration) -> Bool {
        reading.receivedAt == common.lastTransactionAt && now <= reading.receivedAt + timing.freshness
            && body.news != .file
    }

    private mutating func fail(_ capture: SonyCapture, _ event: CameraEvent) -> SonyMove {
        var failed = capture
        failed.outcome = event
        activity = .capturing(failed)
        return .again
    }

    // MARK: Focus

    /// With autofocus: until the body says how the search ended, at most a second. The full press follows in any case:
    /// a body set to release priority fires without focus, and no other one does.
    private mutating func focus(_ capture: SonyCapture, since: Duration, at now: Duration) -> SonyMove {
        let focus = body.reading.flatMap { $0.requestedAt >= since ? $0.focus : nil }
        let isSettled = focus?.isSettled ?? false
        if !isSettled, now < since + timing.focus {
            let readAt = body.reading.map { max($0.receivedAt, since) + timing.focusPoll } ?? now
            if readAt <= now || body.reading.map({ $0.requestedAt < since }) ?? true { return .perform(.reading) }
            return .wait(until: min(since + timing.focus, readAt))
        }
        let hasFailed = focus == .singleFailed || focus == .continuousFailed
        var next = capture
        next.step = .pressing(focusFailed: hasFailed && !body.quirks.focusFailureIsUnreliable, since: since)
        activity = .capturing(next)
        return .again
    }

    // MARK: The press

    /// The half press took its time, and the body may have used it to change the speed: its last report has to be young
    /// still, and the next one is awaited if the body told meanwhile that something changed.
    private mutating func press(_ capture: SonyCapture, at now: Duration) -> SonyMove {
        guard case .pressing(_, let since) = capture.step, let reading = body.reading else { return .perform(.reading) }
        let isOld = now > reading.receivedAt + timing.pressFreshness
        if isOld || reading.requestedAt < since && body.news != .none {
            return now < capture.gateUntil ? .perform(.reading) : fail(capture, .busy)
        }
        if reading.isSpeedReliable, let speed = reading.status.speed,
            speed != .speed(capture.speed) || isTurnedAway(reading)
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
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        switch position {
        case .released: finishRelease(control, result, at: now)
        case .pressed: finishPress(control, result, at: now, into: &actions)
        }
    }

    private mutating func finishRelease(_ control: SonyControl, _ result: OperationResult, at now: Duration) {
        guard result.code == .ok || common.isLeaving else {
            buttons.releaseAt = now + timing.releasePause
            return
        }
        if control == .fullPress { buttons.isFullDown = false } else { buttons.isHalfDown = false }
    }

    private mutating func finishPress(
        _ control: SonyControl,
        _ result: OperationResult,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        if control == .fullPress, result.code != .ok {
            lastFrame = .notPressed(previous: lastFrame.previous)
        }
        // Another command came in between: the buttons are let go, and that is all.
        guard case .capturing(var capture) = activity else { return }
        guard result.code == .ok else {
            capture.outcome = refusal(of: .sdioControlDevice, result)
            return activity = .capturing(capture)
        }
        if control == .fullPress {
            actions.append(.report(.shutterReleased, ticket: capture.ticket))
            capture.step = .holding(until: now + timing.hold)
        } else {
            let isManual = body.reading?.status.isManualFocus ?? false
            capture.step = isManual ? .pressing(focusFailed: false, since: now) : .focusing(since: now)
        }
        activity = .capturing(capture)
    }

    /// From here on the shutter may have fired.
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
            isCountUnclear: previous.map { isPerhapsOwed($0, at: now) } ?? false,
            announcementsOwed: announcementsOwed(after: previous, at: now),
            exposureMax: capture.speed.exposureTime
        )
        lastFrame = .pressed(frame, previous: previous)
    }

    /// The counter that the next picture must bring below. It may lag while the body writes: a drop that is owed to the
    /// frame before, and to those that it was owed to in turn, is not this one's. A counter that went up is another
    /// card's, or counts in another format.
    private func shotsLeft(after previous: SonyFrame?, at now: Duration) -> Int? {
        guard let left = body.reading?.status.shotsLeft else { return nil }
        guard let previous, let shown = previous.shotsLeftShown, let before = previous.countBefore, left <= shown,
            isOwed(previous, at: now) || isPerhapsOwed(previous, at: now)
        else { return left }
        return min(left, before - 1)
    }

    /// Whether the body reported the captured picture before. A frame in doubt asks no report of its repetition, or a
    /// body whose reports are always late would have every repetition in doubt.
    private func isReported(_ previous: SonyFrame) -> Bool {
        previous.isCaptured && (previous.wasAnnounced || previous.wasCounted) && isOfThisSession(previous)
    }

    /// How many 0xC206 of pictures that were found otherwise may still come, in this session: those of frames that are
    /// each less than a deadline old.
    private func announcementsOwed(after previous: SonyFrame?, at now: Duration) -> Int {
        guard let previous, isOfThisSession(previous), now < previous.deadline(timing) else { return 0 }
        let hasPicture = previous.isCaptured || previous.hasFile
        let isOwed = hasPicture && !previous.wasAnnounced && !previous.wasPerhapsAnnounced
        return previous.announcementsOwed + (isOwed ? 1 : 0)
    }

    /// Whether the counter may yet go down for a frame. An announced picture may be written as late as a whole buffer.
    private func isOwed(_ frame: SonyFrame, at now: Duration) -> Bool {
        guard frame.isCaptured, !frame.wasCounted, frame.bodyID == common.identity?.id else { return false }
        let isToBeWritten = frame.wasAnnounced && !frame.hasFile
        return now < max(frame.deadline(timing), isToBeWritten ? frame.latestEnd + timing.written : .zero)
    }

    /// Whether that cannot be known: after the link broke, or of a frame of which nothing was ever seen. Not twice in a
    /// row, or a body that never counts them would never get on.
    private func isPerhapsOwed(_ frame: SonyFrame, at now: Duration) -> Bool {
        if isOwed(frame, at: now) { return !isOfThisSession(frame) }
        return frame.isOver && !frame.isCaptured && !frame.wasCounted && !frame.isCountUnclear
            && !frame.focusFailed && frame.bodyID == common.identity?.id && now < frame.latestEnd + timing.written
    }

    // MARK: After the press

    private mutating func awaitPicture(
        _ capture: SonyCapture,
        at now: Duration,
        into actions: inout [CameraAction]
    ) -> SonyMove {
        guard let frame = lastFrame.frame else {
            preconditionFailure("the shutter command was accepted")
        }
        if frame.isCaptured {
            var next = capture
            next.step = .finishing
            activity = .capturing(next)
            actions.append(.report(.captured, ticket: capture.ticket))
            return .again
        }
        guard frame.isOver else { return .wait(until: frame.deadline(timing)) }
        if isUnclear(frame) { return end(.captureResolved(.unknown), capture.ticket, into: &actions) }
        guard wasIgnored(frame) else { return end(.failed(failure(of: frame)), capture.ticket, into: &actions) }
        lastFrame = .notPressed(previous: lastFrame.beforeLast)
        actions.append(.note("the camera ignored the shutter command: no frame was taken"))
        return end(.busy, capture.ticket, into: &actions)
    }

    private func failure(of frame: SonyFrame) -> CameraFailure {
        if frame.focusFailed { return .focusFailed }
        if body.reading?.fileInfo == .inPreparation {
            return .other("The camera does not finish the file of its picture. Switch it off and on again.")
        }
        return .other("The camera accepted the shutter command, but reported no picture.")
    }
}
