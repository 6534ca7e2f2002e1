import Exposure
import JSON

/// The steps of one frame.
///
/// `actTakePicture` answers with the URL of the picture. During a long exposure it answers 40403 first, and then
/// `awaitTakePicture` follows. Bodies that want a half press before the call answer 40400. Bulb is not used.
extension SonyHTTP {
    mutating func decide(_ capture: SonyHTTPCapture, in turn: inout DriverTurn) -> SonyHTTPNextAction {
        if turn.now < capture.notBefore { return .wait(until: capture.notBefore) }
        switch capture.step {
        case .checking: return check(capture, in: &turn)
        case .focusing(let asked, let since): return focus(capture, asked: asked, since: since, in: &turn)
        case .pressing: return fail(capture, .captureResolved(.unknown))
        case .exposing: return awaitPicture(capture, in: &turn)
        case .judging(let error, let since): return judge(capture, error, since: since, in: &turn)
        }
    }

    mutating func change(
        _ capture: SonyHTTPCapture,
        _ change: (inout SonyHTTPCapture) -> Void
    ) -> SonyHTTPNextAction {
        var next = capture
        change(&next)
        activity = .capturing(next)
        return .again
    }

    /// Continues with a step, but not before this time.
    mutating func again(
        _ capture: SonyHTTPCapture,
        _ step: SonyHTTPCapture.Step,
        at time: Duration
    ) -> SonyHTTPNextAction {
        change(capture) {
            $0.step = step
            $0.notBefore = time
        }
    }

    mutating func fail(_ capture: SonyHTTPCapture, _ event: CameraEvent) -> SonyHTTPNextAction {
        change(capture) { $0.outcome = event }
    }

    // MARK: Before the press

    private mutating func check(_ capture: SonyHTTPCapture, in turn: inout DriverTurn) -> SonyHTTPNextAction {
        guard state.status == .idle, state.has(.actTakePicture) else {
            if let failure = otherShutter(capture) { return fail(capture, .failed(failure)) }
            guard turn.now < capture.gateUntil else { return fail(capture, .busy) }
            return readStateRarely(in: &turn)
        }
        if let event = wrongSpeed(capture) { return fail(capture, event) }
        if let move = readSpeed(capture, in: &turn) { return move }
        let mayNeedHalfPress = capture.wantsHalfPress || known[identity?.id ?? ""].needsHalfPress
        if let id = identity?.id, mayNeedHalfPress, state.has(.actHalfPressShutter), !isHalfPressed {
            // The link can break before the answer, and the button is pressed then.
            known.update(id) { $0.isHalfPressed = true }
            return .perform(.halfPress)
        }
        return press(capture, at: turn.now)
    }

    /// Reads the speed right before the press; nil: a reading shows it.
    ///
    /// Some bodies fall back to the previous speed right after the report that confirmed the new one. If the answer
    /// came late, the speed is read once more, because a body can restart in that time. On a slow link the second
    /// reading counts.
    mutating func readSpeed(_ capture: SonyHTTPCapture, in turn: inout DriverTurn) -> SonyHTTPNextAction? {
        let since = min(max(capture.since, turn.now - timing.readingAge), capture.since + timing.readingAge)
        if let askedAt = state.askedAt(.shutterSpeed), askedAt >= since { return nil }
        guard turn.now < capture.gateUntil else { return fail(capture, .busy) }
        return read(SonyHTTPPropertyRow.shutterSpeed, notBefore: since, in: &turn)
    }

    /// The failure if the shutter of a body at rest has another call. A continuous drive mode and BULB have their own.
    private func otherShutter(_ capture: SonyHTTPCapture) -> CameraFailure? {
        guard state.isReadyToShoot, !state.has(.actTakePicture) else { return nil }
        if state.has(.startContShooting) { return .other(SonyHTTPSentences.continuousDrive) }
        return .speedChanged(found: shownSpeed ?? .other(SonyHTTPShutterSpeed.bulb.rawValue))
    }

    /// The failure if the body shows another speed or chooses the speed itself; nil: the speed is right.
    func wrongSpeed(_ capture: SonyHTTPCapture) -> CameraEvent? {
        let isManual = status.mode == .manual || status.mode == .shutterPriority
        if isManual, shownSpeed == .speed(capture.speed), writes[.shutterSpeed] != .sent { return nil }
        return .failed(.speedChanged(found: shownSpeed ?? .other("--")))
    }

    // MARK: The press

    /// Notes the frame before the call is sent. From here on the shutter may have fired.
    mutating func press(_ capture: SonyHTTPCapture, at now: Duration) -> SonyHTTPNextAction {
        let previous = lastFrame.previous
        let frame = SonyHTTPFrame(
            ticket: capture.ticket,
            pressedAt: now,
            bodyID: identity?.id,
            exposure: capture.speed.exposureTime,
            shotsLeftBefore: shotsLeft(after: previous),
            isCountUnclear: previous?.mayBeCounted(on: identity?.id, storing: timing.writing, at: now) ?? false,
            isProvenByURL: !state.has(.awaitTakePicture)
                || previous.map { isOfThisSession($0) && $0.bodyID == identity?.id && !$0.urls.isEmpty } ?? false,
            isWatched: requests.poll != nil
        )
        noteCounting(previous)
        lastFrame = .pressed(frame, previous: previous)
        _ = change(capture) {
            $0.presses += 1
            $0.step = .pressing
        }
        return .perform(.take)
    }

    /// The value below which the next picture brings the number of remaining pictures.
    private func shotsLeft(after previous: SonyHTTPFrame?) -> Int? {
        guard let left = state.shotsLeft else { return nil }
        guard let previous, isOfThisSession(previous) else { return left }
        return previous.shotsLeftForNext(shown: left)
    }

    /// A body whose number did not follow the previous picture by now does not count, or counts late.
    private mutating func noteCounting(_ previous: SonyHTTPFrame?) {
        guard let previous, previous.isCaptured, previous.countedAt == nil, previous.shotsLeftBefore != nil,
            isOfThisSession(previous), let id = identity?.id
        else { return }
        known.update(id) { $0.countsShots = false }
    }

    mutating func finishPicture(
        _ task: SonyHTTPTask,
        _ answer: SonyHTTPAnswer,
        since: Duration,
        in turn: inout DriverTurn
    ) {
        if case .resolving(let resolving) = activity { return finishURL(resolving, answer, since: since, in: &turn) }
        if case .result(let result) = answer {
            let urls = Self.urls(in: result)
            guard urls.isEmpty, case .capturing(let capture) = activity else { return finishURLs(urls, in: &turn) }
            // The answer proves nothing without a URL.
            _ = change(capture) { $0.step = .judging(.illegalResponse, since: turn.now) }
            return
        }
        guard case .error(let error) = answer, case .capturing(let capture) = activity else { return }
        switch error {
        case .stillCapturing:
            // So far the call is a success, so the shutter is open.
            lastFrame.update { $0.wasBusy = true }
            reportRelease(in: &turn)
            // A body that does not hold the call must not be asked at network speed.
            _ = again(capture, .exposing, at: since + timing.read)
        case .alreadyPolling:
            _ = again(capture, .exposing, at: turn.now + timing.read)
        case _ where task == .take && error.meansUncalled:
            withdrawFrame()
            _ = fail(capture, .failed(Self.refusal(of: task.name, error)))
        // Any other error proves nothing, least of all during an exposure.
        default: _ = change(capture) { $0.step = .judging(error, since: turn.now) }
        }
    }

    /// The URLs of `[[url, …]]`.
    static func urls(in result: [JSONValue]) -> [String] {
        (result.first?.arrayValue ?? []).prefix(SonyHTTPLimits.namesMax).compactMap(\.shownURL)
    }

    /// The frame was certainly not fired.
    mutating func withdrawFrame() { lastFrame = .notPressed(previous: lastFrame.beforeLast) }

    mutating func reportRelease(in turn: inout DriverTurn) {
        guard let frame = lastFrame.frame, !frame.isReleaseReported, case .capturing(let capture) = activity,
            capture.ticket == frame.ticket
        else { return }
        lastFrame.update { $0.isReleaseReported = true }
        turn.report(.shutterReleased, capture.ticket)
    }
}
