import Cameras
import JSON

/// The shutter, and the steps of a frame from the call to the card.
extension SonyHTTPBody {
    // MARK: Calls

    /// Notes a press for the rules.
    mutating func notePress(_ call: SonyHTTPRequest, isTaken: Bool) {
        let press = BodyPress(
            command: CommandID(rawValue: UInt64(call.id)),
            shown: readings.latest(before: call.id)?.ofBody,
            actual: speed.ofBody,
            isTaken: isTaken
        )
        outputs.append(.fact(.pressed(press)))
    }

    mutating func takePicture(_ waiter: Waiter, at now: Duration) {
        let frame = currentFrame
        if let failure = pressFailure() { return reject(waiter, failure, at: now) }
        let linkFault = takeLinkFault(in: .press)
        if faults.take({ if case .noPicture(frame, _) = $0 { true } else { nil } }) != nil {
            outputs.append(.log("fault: the call for frame \(frame) takes no picture"))
            notePress(waiter.call, isTaken: false)
            if let linkFault { return outputs.append(.link(linkFault)) }
            return reply([[]], to: waiter, at: now)
        }
        begin(.single, waiter, at: now)
        if let linkFault {
            running = nil
            outputs.append(.link(linkFault))
        }
    }

    /// Why a press opens no shutter; nil: it opens it.
    private mutating func pressFailure() -> SonyHTTPFailure? {
        let frame = currentFrame
        if faults.take({ if case .fail(frame, _) = $0 { true } else { nil } }) != nil {
            outputs.append(.log("fault: the call for frame \(frame) fails"))
            return .shootingFailed
        }
        if has(.needsFocus), !isHalfPressed {
            outputs.append(.log("the body wants a half press first"))
            return SonyHTTPFailure(40_400, "")
        }
        return shotsLeft > 0 ? nil : .shootingFailed
    }

    private mutating func begin(_ series: Series, _ waiter: Waiter, at now: Duration) {
        let frame = currentFrame
        self.series = series
        running = Waiter(id: waiter.id, call: waiter.call, until: now + Self.callLimit)
        capture = .running
        // A body with the small size keeps only the postview of the last picture.
        if values["PostviewImageSize"] != "Original" { postviews.removeAll() }
        let hasFocus = values["FocusMode"] == "MF" || isHalfPressed && focusStatus == "Focused"
        let finds = faults.take { if case .noFocus(frame, _) = $0 { true } else { nil } } == nil
        notePress(waiter.call, isTaken: hasFocus || finds)
        if hasFocus {
            startRelease(at: now)
        } else {
            shutter = .focusing(finds: finds)
            schedule.plan(.focusSettles, at: now + (isHalfPressed ? .zero : model.focusTime))
        }
        noteWork()
    }

    /// Notes the change of the status and of the methods.
    private mutating func noteWork() {
        note("cameraStatus")
        note("availableApiList")
    }

    mutating func focusSettles(at now: Duration) {
        guard case .focusing(let finds) = shutter else { return }
        guard finds else {
            outputs.append(.log("fault: no focus"))
            shutter = .ready
            noteWork()
            return fail(.shootingFailed, at: now)
        }
        startRelease(at: now)
    }

    /// The picture was not taken, or has no URL.
    private mutating func fail(_ failure: SonyHTTPFailure, at now: Duration) {
        capture = .failed(failure)
        if let waiter = awaiting {
            awaiting = nil
            reply(failure, to: waiter, at: now)
        }
        if let running { reply(failure, to: running, at: now) }
        endRunning(at: now)
    }

    /// Waits for the picture of an earlier call. A second wait displaces the first one (SR).
    mutating func awaitPicture(_ waiter: Waiter, at now: Duration) {
        switch capture {
        // Without a picture, the method is not in the API list (SR 4.x).
        case .none: reply(.notAvailable, to: waiter, at: now)
        case .finished(let urls): reply([.strings(urls)], to: waiter, at: now)
        case .failed: reply(.stillShootingNotCalled, to: waiter, at: now)
        case .running:
            if let awaiting { reply(.doublePolling, to: awaiting, at: now) }
            awaiting = waiter
        }
    }

    // MARK: The half press

    mutating func pressHalf(_ waiter: Waiter, at now: Duration) {
        let frame = currentFrame
        if let fault = takeLinkFault(in: .focus) { return outputs.append(.link(fault)) }
        isHalfPressed = true
        let isManual = values["FocusMode"] == "MF"
        let fails = !isManual && faults.take { if case .noFocus(frame, _) = $0 { true } else { nil } } != nil
        setFocus("Focusing")
        schedule.plan(.halfPressFocuses(finds: !fails), at: now + (isManual ? .zero : model.focusTime))
        reply([], to: waiter, at: now)
    }

    mutating func releaseHalfPress() {
        guard isHalfPressed else { return }
        isHalfPressed = false
        schedule.cancel { if case .halfPressFocuses = $0 { true } else { false } }
        setFocus("Not Focusing")
    }

    mutating func setFocus(_ status: String) {
        focusStatus = status
        note("focusStatus")
    }

    // MARK: BULB and series

    mutating func startBulb(_ waiter: Waiter, at now: Duration) {
        if let failure = pressFailure() { return reject(waiter, failure, at: now) }
        begin(.bulb, waiter, at: now)
    }

    mutating func stopBulb(_ waiter: Waiter, at now: Duration) {
        if case .open(_, _, _, ends: nil) = shutter { schedule.plan(.shutterCloses, at: now) }
        reply([], to: waiter, at: now)
    }

    mutating func startSeries(_ waiter: Waiter, at now: Duration) {
        if let failure = pressFailure() { return reject(waiter, failure, at: now) }
        begin(.continuous(isEnding: false), waiter, at: now)
        replyToRunning([], at: now)
    }

    mutating func stopSeries(_ waiter: Waiter, at now: Duration) {
        if case .continuous = series { series = .continuous(isEnding: true) }
        reply([], to: waiter, at: now)
    }

    // MARK: The frame

    private mutating func startRelease(at now: Duration) {
        let frame = currentFrame
        let jump = faults.take { fault -> SonyHTTPShutterSpeed? in
            guard case .jumpAtShutter(frame, let other) = fault else { return nil }
            return other.map { SonyHTTPShutterSpeed($0) } ?? .bulb
        }
        if let other = jump {
            outputs.append(.log("fault: the speed changes from \(speed.rawValue) to \(other.rawValue) at the release"))
            showSpeed(other)
            outputs.append(.fact(.moved(other.ofBody)))
        }
        shutter = .releasing
        let timer = Duration.seconds(values["SelfTimer"]?.intValue ?? 0)
        schedule.plan(.shutterOpens, at: now + model.releaseLag + timer)
    }

    mutating func shutterOpens(at now: Duration) {
        // The shutter uses the body's present speed, even if a new speed is planned. Without a call for BULB, a BULB
        // exposure ends at once.
        let ends = speed.exposureTime.map { now + $0 } ?? (series == .bulb ? nil : now)
        shutter = .open(speed, frameSettings(at: speed), since: now, ends: ends)
        outputs.append(.fact(.opened(speed.ofBody)))
        outputs.append(.log("frame \(currentFrame): shutter opens at \(speed.ofBody.label)"))
        if let ends { schedule.plan(.shutterCloses, at: ends) }
        if let late = counterDelay { schedule.plan(.counterShows, at: now + late) }
        if let exposure = speed.exposureTime, let fault = takeLinkFault(in: .expose) {
            schedule.plan(.linkFails(fault), at: now + exposure / 2)
        }
        if series == .bulb { replyToRunning([], at: now) }
    }

    mutating func shutterCloses(at now: Duration) {
        guard case .open(let speed, let settings, let since, _) = shutter else { return }
        var frame = CardFrame(
            number: currentFrame,
            speed: speed.ofBody,
            at: since,
            exposure: now - since,
            settings: settings
        )
        frame.fileKinds = fileKinds
        card.append(frame)
        outputs.append(.exposed(frame))
        outputs.append(.log("frame \(frame.number): shutter closed"))
        let number = frame.number
        if let heals = faults.take({ fault -> (Duration?, Void)? in
            if case .neverIdle(number, let heals) = fault { (heals, ()) } else { nil }
        }) {
            shutter = .stuck
            outputs.append(.log("fault: the body stays busy"))
            if let heals = heals.0 { schedule.plan(.bodyRecovers, at: now + heals) }
        } else if options.noiseReduction, frame.exposure >= .seconds(1) {
            shutter = .darkFrame
            schedule.plan(.darkFrameEnds, at: now + frame.exposure)
        } else {
            save(at: now)
        }
    }

    mutating func save(at now: Duration) {
        shutter = .saving
        noteWork()
        let saveTime = options.saveTime ?? model.saveTime
        if let fault = takeLinkFault(in: .save, of: card.count) {
            schedule.plan(.linkFails(fault), at: now + saveTime / 2)
        }
        schedule.plan(.pictureSaved, at: now + saveTime)
    }

    mutating func pictureSaved(at now: Duration) {
        guard let frame = card.last, frame.written == nil else { return }
        card[card.count - 1].written = now
        shotsLeft = max(0, shotsLeft - 1)
        postviews.append(frame.number)
        outputs.append(.log("frame \(frame.number): saved"))
        if counterDelay == nil { showCounter(shotsLeft) }
        if series == .continuous(isEnding: false), shotsLeft > 0 {
            continuousURLs.append(url(of: frame))
            shutter = .releasing
            return schedule.plan(.shutterOpens, at: now + model.releaseLag)
        }
        report(frame, at: now)
        let gap = faults.first { if case .notReadyGap(let gap) = $0 { gap } else { nil } }
        shutter = .settling(isUnready: gap != nil)
        schedule.plan(.becomesReady, at: now + (gap ?? model.idleLag))
        noteWork()
    }

    /// The delay of the counter by a fault; nil: the counter changes with the picture.
    private var counterDelay: Duration? {
        faults.first { if case .lateCounter(let delay) = $0 { delay } else { nil } }
    }

    mutating func showCounter(_ count: Int) {
        shotsShown = max(0, count)
        note("storageInformation")
    }

    /// Reports the picture of a frame to the calls that wait for it, and in the next event.
    private mutating func report(_ frame: CardFrame, at now: Duration) {
        let number = frame.number
        let hasNone = faults.take { if case .withoutURL(number) = $0 { true } else { nil } } != nil
        guard !hasNone else {
            outputs.append(.log("fault: frame \(number) has no URL"))
            return fail(.noURL, at: now)
        }
        let urls = [url(of: frame)]
        switch series {
        case .single:
            if faults.take({ if case .stale(number, _) = $0 { true } else { nil } }) != nil, number > 1 {
                outputs.append(.log("fault: the picture of frame \(number - 1) is reported again"))
                newURLs.append([url(of: card[card.count - 2])])
                postviews.append(number - 1)
            }
            newURLs.append(urls)
            note("takePicture")
        case .bulb:
            bulbURLs = urls
            note("bulbShooting")
        case .continuous:
            continuousURLs += urls
            note("contShooting")
        }
        capture = .finished(urls: urls)
        if let waiter = awaiting {
            awaiting = nil
            reply([.strings(urls)], to: waiter, at: now)
        }
        if running?.call.method == "actTakePicture" { replyToRunning([.strings(urls)], at: now) }
    }

    mutating func becomesReady() {
        guard case .settling = shutter else { return }
        shutter = .ready
        series = .single
        outputs.append(.log("ready"))
        noteWork()
        // The setters come back with the status.
        note("shutterSpeed")
    }
}
