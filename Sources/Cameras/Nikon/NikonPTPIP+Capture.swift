import Exposure
import PTP

/// The steps of one frame. The body releases to its card without autofocus. Bulb is not used.
extension NikonPTPIP {
    mutating func decide(_ capture: NikonCapture, in turn: inout DriverTurn) -> NikonNextAction {
        switch capture.step {
        case .checking: return check(capture, in: &turn)
        case .pressing(let at): return pressAgain(capture, notBefore: at, in: &turn)
        case .exposing: return awaitPicture(capture, in: &turn)
        case .finishing(let since): return finish(capture, since: since, in: &turn)
        }
    }

    // MARK: Before the press

    /// Reads what the press depends on: the events so far, the mode and the speed.
    private mutating func check(_ capture: NikonCapture, in turn: inout DriverTurn) -> NikonNextAction {
        if turn.now >= capture.gateUntil { return end(.busy, capture.ticket, in: &turn) }
        if let move = decideBusy(at: turn.now) { return move }
        // An event from before the press would prove a picture that does not exist.
        guard let last = body.poll, last.requestedAt >= capture.since,
            last.isEmpty || body.listsOfCommand >= NikonLimits.drainMax
        else { return poll }
        // The speed comes last: the user can turn the dial after the reading that confirmed it.
        for (code, age) in [(.exposureProgramMode, timing.modeFreshness), (body.store.speedCode, .zero)] {
            guard let code, let entry = body.store[code] else { continue }
            if body.unread.contains(code) { return .perform(.describe(code)) }
            guard isFresh(entry.reportedAt, capture, age, at: turn.now) else { return .perform(.read(code)) }
        }
        if let event = wrongSpeed(capture) { return end(event, capture.ticket, in: &turn) }
        if needsLiveView(capture) {
            activity = .capturing(capture.changed { $0.isLiveViewTried = true })
            return .perform(.startLiveView)
        }
        return press(capture)
    }

    private func isFresh(_ at: Duration, _ capture: NikonCapture, _ age: Duration, at now: Duration) -> Bool {
        at >= capture.since || now < at + age
    }

    /// The failure if the body shows another speed or chooses the speed itself; nil: the speed is right.
    private func wrongSpeed(_ capture: NikonCapture) -> CameraEvent? {
        let mode = body.store.mode?.exposureMode
        let isManual = mode == .manual || mode == .shutterPriority
        if isManual, body.store.speed == .speed(capture.speed) { return nil }
        return .failed(.speedChanged(found: body.store.speed ?? .other(NikonCaptureSentences.noSpeed)))
    }

    private func needsLiveView(_ capture: NikonCapture) -> Bool {
        body.quirks.needsLiveView && body.store.isLiveViewOn == false && !body.modes.hasLiveView
            && !capture.isLiveViewTried && has(.nikonStartLiveView)
    }

    mutating func finishLiveView(_ result: OperationResult, in turn: inout DriverTurn) {
        // A busy body starts live view too (libgphoto2 library.c).
        guard result.code == .ok || result.code == .deviceBusy else {
            if let prohibition = body.store.liveViewProhibition, !prohibition.isFree {
                turn.note(NikonValueSentences.liveViewProhibited(prohibition))
            }
            return failLiveView(result)
        }
        body.modes.hasLiveView = true
        noteBusy(at: turn.now)
    }

    // MARK: The press

    /// Presses again. After some time the user may have turned the dial, so everything is read again.
    private mutating func pressAgain(
        _ capture: NikonCapture,
        notBefore at: Duration,
        in turn: inout DriverTurn
    ) -> NikonNextAction {
        if turn.now >= capture.gateUntil { return end(.busy, capture.ticket, in: &turn) }
        if let move = decideBusy(at: turn.now) { return move }
        if turn.now < at { return .wait(until: at) }
        guard turn.now > capture.since + timing.freshness else { return press(capture) }
        activity = .capturing(
            capture.changed {
                $0.step = .checking
                $0.since = turn.now
            }
        )
        return .again
    }

    private func press(_ capture: NikonCapture) -> NikonNextAction {
        let focusing: NikonFocusing = known.needsAutofocus ? .first : capture.focusing
        return .perform(.capture(NikonShutterCommand(form: shutterForm, focusing: focusing)))
    }

    var shutterForm: NikonShutterCommand.Form {
        if let form = known.shutterForm { return form }
        guard body.abilities.release == .toMedia else { return .standard }
        return body.quirks.captureParameters == 1 ? .oneParameter : .toMedia
    }

    /// Notes the frame before the press is sent. From here on the shutter may have fired.
    mutating func noteRelease(at now: Duration) {
        guard case .capturing(let capture) = activity else { return }
        let previous = lastFrame.previous
        let bodyID = common.identity?.id
        let exposure = body.store.exposureTime ?? capture.speed.exposureTime
        let exposureMax = max(body.store.exposureTimeMax ?? exposure, exposure)
        let frame = NikonFrame(
            ticket: capture.ticket,
            pressedAt: now,
            bodyID: bodyID,
            exposure: exposure,
            exposureMax: exposureMax,
            hasDarkFrame: body.store.noiseReduction != .off && exposure >= NikonFrame.darkFrameMin,
            shotsLeftBefore: shotsLeft(after: previous),
            isCountUnclear: previous?.mayBeCounted(on: bodyID, storing: timing.writing, at: now) ?? false,
            fileCount: body.store.quality?.kinds?.count
        )
        lastFrame = .pressed(frame, previous: previous)
    }

    /// The value below which the next picture brings the counter.
    private func shotsLeft(after previous: NikonFrame?) -> Int? {
        guard let left = body.store.shotsLeft else { return nil }
        guard let previous, isOfThisSession(previous) else { return left }
        return previous.shotsLeftForNext(shown: left)
    }

    mutating func finishCapture(
        _ command: NikonShutterCommand,
        _ result: OperationResult,
        in turn: inout DriverTurn
    ) {
        let answer = NikonCaptureAnswer(result.code, of: command.code)
        if answer != .accepted { lastFrame = .notPressed(previous: lastFrame.beforeLast) }
        // Another command has replaced the capture.
        guard case .capturing(let capture) = activity else { return }
        let firstAt = capture.firstPressAt ?? common.transactionSince
        var next = capture.changed { $0.firstPressAt = firstAt }
        switch answer {
        case .accepted: return accept(next, command, in: &turn)
        case .oneParameter where command.form == .toMedia: known.shutterForm = .oneParameter
        case .oneParameter where command.form == .oneParameter && has(.initiateCapture):
            known.shutterForm = .standard
        case .failed where result.code == .operationNotSupported && command.form != .standard && has(.initiateCapture):
            known.shutterForm = .standard
        case .failed where result.code == .nikonNotInLiveView && !capture.isLiveViewTried && has(.nikonStartLiveView):
            next.isLiveViewTried = true
            body.dueStep = .startLiveView
        case .modeRefused where mayEnterCameraMode(capture.isModeRenewed),
            .retry where result.code == .nikonInvalidStatus && mayEnterCameraMode(capture.isModeRenewed):
            next.isModeRenewed = true
            body.dueStep = .cameraMode(isOn: true)
        case .retry, .secondRelease:
            guard turn.now < firstAt + timing.release else {
                _ = end(retryFailure(answer, result), capture.ticket, in: &turn)
                return
            }
            // A Nikon 1 rejects the press without autofocus, and accepts it with autofocus (libgphoto2 library.c).
            if body.quirks.needsAutofocus, result.code == .nikonInvalidStatus { next.focusing = .first }
        case .oneParameter, .modeRefused, .failed:
            _ = end(failure(answer, command, result), capture.ticket, in: &turn)
            return
        }
        next.step = .pressing(at: turn.now + timing.releasePause)
        activity = .capturing(next)
    }

    private mutating func accept(
        _ capture: NikonCapture,
        _ command: NikonShutterCommand,
        in turn: inout DriverTurn
    ) {
        body.pauses = 0
        if command.focusing == .first { known.needsAutofocus = true }
        activity = .capturing(capture.changed { $0.step = .exposing })
        turn.report(.shutterReleased, capture.ticket)
    }

    /// The event after a release that the body rejected for some time. Nothing was released.
    private func retryFailure(_ answer: NikonCaptureAnswer, _ result: OperationResult) -> CameraEvent {
        if result.code == .deviceBusy { return .busy }
        if answer == .secondRelease { return .failed(.other(NikonCaptureSentences.mirrorUp)) }
        return .failed(NikonFailures.failure(result.code, of: .nikonCapture))
    }

    private func failure(
        _ answer: NikonCaptureAnswer,
        _ command: NikonShutterCommand,
        _ result: OperationResult
    ) -> CameraEvent {
        if case .failed(let failure) = answer { return .failed(failure) }
        return .failed(NikonFailures.failure(result.code, of: command.code))
    }

    // MARK: After the press

    private mutating func awaitPicture(_ capture: NikonCapture, in turn: inout DriverTurn) -> NikonNextAction {
        guard let frame = lastFrame.frame else { preconditionFailure("the press was accepted") }
        if frame.isCaptured {
            turn.report(.captured, capture.ticket)
            activity = .capturing(capture.changed { $0.step = .finishing(since: turn.now) })
            return .again
        }
        if frame.isOver { return end(outcome(of: frame), capture.ticket, in: &turn) }
        if has(.nikonDeviceReady), frame.readyAt == nil {
            let due = readyDue(for: frame, at: turn.now)
            return turn.now < due ? .wait(until: due) : .perform(.ready)
        }
        return decideEvidence(frame, at: turn.now)
    }

    /// The event for a frame without a proof of its picture. A decrease of the counter may belong to the previous
    /// frame, and signs in a damaged list are lost.
    private func outcome(of frame: NikonFrame) -> CameraEvent {
        if let failure = frame.failure, frame.isWithoutSigns { return .failed(failure) }
        if frame.mayLackSigns || !frame.isWithoutSigns { return .captureResolved(.unknown) }
        return .failed(.other(NikonCaptureSentences.noPictureReported))
    }

    /// Waits until the body is ready for the next frame. The record of the next frame needs the counter after this one.
    private mutating func finish(
        _ capture: NikonCapture,
        since: Duration,
        in turn: inout DriverTurn
    ) -> NikonNextAction {
        if body.countRequestedAt < since, body.store[.nikonShotsLeft] != nil {
            return .perform(.read(.nikonShotsLeft))
        }
        if let move = readyMove(since: since, at: turn.now) { return stillSaving(capture.ticket, move, in: &turn) }
        guard isBodyIdle(at: turn.now) else { return stillSaving(capture.ticket, .wait(until: nil), in: &turn) }
        return end(.idle, capture.ticket, in: &turn)
    }
}

extension NikonCapture {
    func changed(_ change: (inout NikonCapture) -> Void) -> NikonCapture {
        var next = self
        change(&next)
        return next
    }
}
