import Cameras
import PTP

/// The shutter button, and the steps of a frame from the press to the card.
extension CanonBody {
    // MARK: Operations

    /// Handles 0x9128. Parameters: 1 half, 2 full, 3 both; 0 with autofocus, 1 without.
    mutating func press(_ request: ResponderRequest, at now: Duration) -> ResponderAnswer? {
        let stages = request.parameters.first ?? 0
        let hasAutofocus = !isManualFocus && (request.parameters.count < 2 || request.parameters[1] == 0)
        guard session.isRemote else { return refuse(stages, request.transaction, .canonOperationRefused) }
        guard (1...3).contains(stages) else { return ResponderAnswer(.invalidParameter) }
        delayPowerOff(at: now)
        // A button that is still down cannot be pressed.
        let isHeld = buttons.full && stages & 2 != 0
        if isHeld || isDisturbedByEvents || shutter != .ready {
            return refuse(stages, request.transaction, .deviceBusy)
        }
        var delay = Duration.zero
        if stages & 1 != 0 {
            if fails(in: .focus) { return nil }
            delay = pressHalf(hasAutofocus: hasAutofocus, at: now)
        } else if !buttons.half {
            // A 5D Mark IV answers a full press without a half press so.
            return refuse(stages, request.transaction, .deviceBusy)
        }
        guard stages & 2 != 0 else {
            var answer: ResponderAnswer = .ok
            answer.delay = delay
            return answer
        }
        return pressFull(request.transaction, at: now)
    }

    /// Handles 0x910F: a complete press. Parameter 1 of the answer is the result.
    mutating func releaseShutter(_ transaction: UInt32, at now: Duration) -> ResponderAnswer? {
        guard session.isRemote else { return refuse(2, transaction, .canonOperationRefused) }
        if isDisturbedByEvents || shutter != .ready { return refuse(2, transaction, .deviceBusy) }
        delayPowerOff(at: now)
        _ = pressHalf(hasAutofocus: false, at: now)
        var answer = pressFull(transaction, at: now)
        releaseButtons(at: now)
        if answer?.code == .ok { answer?.parameters = [0] }
        return answer
    }

    /// Handles 0x9129. A press of the EOS family lasts until the picture is taken, even if it is released at once.
    mutating func release(stages: UInt32, at now: Duration) -> ResponderAnswer {
        if stages & 2 != 0 { releaseFull(at: now) }
        if stages & 1 != 0 { releaseHalf() }
        return .ok
    }

    /// Rejects a press. A rejected full press is still a press for the rules.
    private mutating func refuse(_ stages: UInt32, _ transaction: UInt32, _ code: ResponseCode) -> ResponderAnswer {
        if stages & 2 != 0 { outputs.append(.fact(.pressed(bodyPress(transaction)))) }
        return ResponderAnswer(code)
    }

    private func bodyPress(_ transaction: UInt32) -> BodyPress {
        BodyPress(
            command: CommandID(rawValue: UInt64(transaction)),
            shown: session.readSpeed?.ofBody,
            actual: speed.ofBody,
            isTaken: false
        )
    }

    /// Whether a fault makes the body reject a press because of unread events.
    private var isDisturbedByEvents: Bool {
        guard !session.queue.isEmpty || session.events == .first else { return false }
        return faults.first { $0 == .busyUnreadEvents ? true : nil } ?? false
    }

    var isManualFocus: Bool { sheet.number(.canonFocusMode) == CanonFocusMode.manual.rawValue }

    // MARK: The button

    /// Presses half, and returns the time until the answer: a body answers when focusing is over. A body of the EOS M
    /// family answers at once.
    private mutating func pressHalf(hasAutofocus: Bool, at now: Duration) -> Duration {
        buttons.half = true
        buttons.frame = buttons.frame ?? currentFrame
        guard hasAutofocus else {
            focus = .locked
            return .zero
        }
        let frame = currentFrame
        let fails = faults.take { if case .noFocus(frame, _) = $0 { true } else { nil } } != nil
        let late = faults.take { if case .lateFocus(frame, let late) = $0 { late } else { nil } }
        focus = .searching(finds: !fails)
        reportFocus(.searching)
        schedule.plan(.focusSettles(reportedAfter: late ?? .zero), at: now + model.focusTime)
        return model.pressesBothStages ? .zero : model.focusTime
    }

    private mutating func releaseHalf() {
        buttons.half = false
        buttons.frame = nil
        if focus != .idle { reportFocus(.idle) }
        focus = .idle
        schedule.cancel { if case .focusSettles = $0 { true } else { false } }
    }

    private mutating func releaseFull(at now: Duration) {
        guard buttons.full else { return }
        buttons.full = false
        if case .open(_, _, _, ends: nil) = shutter { schedule.plan(.shutterCloses, at: now) }
    }

    mutating func releaseButtons(at now: Duration) {
        releaseFull(at: now)
        releaseHalf()
    }

    private mutating func pressFull(_ transaction: UInt32, at now: Duration) -> ResponderAnswer? {
        let frame = currentFrame
        var press = bodyPress(transaction)
        defer { outputs.append(.fact(.pressed(press))) }
        if faults.take({ if case .fail(frame, _) = $0 { true } else { nil } }) != nil {
            outputs.append(.log("fault: the full press of frame \(frame) fails"))
            return ResponderAnswer(.generalError)
        }
        guard !saveTarget.isCard || shotsLeft > 0 else { return ResponderAnswer(.storeFull) }
        let linkFault = takeLinkFault(in: .press)
        if faults.take({ if case .noPicture(frame, _) = $0 { true } else { nil } }) != nil {
            outputs.append(.log("fault: the full press of frame \(frame) takes no picture"))
        } else {
            buttons.full = true
            switch focus {
            case .locked:
                press.isTaken = true
                startRelease(at: now)
            case .searching(let finds): press.isTaken = finds
            case .idle, .failed: outputs.append(.log("full press ignored: not in focus"))
            }
        }
        guard let linkFault else { return .ok }
        outputs.append(.link(linkFault))
        return nil
    }

    mutating func focusSettles(reportedAfter delay: Duration, at now: Duration) {
        guard case .searching(let finds) = focus else { return }
        focus = finds ? .locked : .failed
        if !finds { outputs.append(.log("fault: no focus")) }
        if delay > .zero {
            schedule.plan(.focusReported(found: finds), at: now + delay)
        } else {
            reportFocus(finds ? .found : .failed)
        }
        reportButton(finds ? .halfPressed : .halfPressFailed)
        if finds, buttons.full, shutter == .ready { startRelease(at: now) }
    }

    // MARK: The frame

    private mutating func startRelease(at now: Duration) {
        let frame = currentFrame
        let jump = faults.take { fault -> CanonShutterSpeed? in
            guard case .jumpAtShutter(frame, let other) = fault else { return nil }
            return other.map { CanonShutterSpeed($0) } ?? .bulb
        }
        if let other = jump {
            let (before, after) = (speed.ofBody.label, other.ofBody.label)
            outputs.append(.log("fault: the speed changes from \(before) to \(after) at the release"))
            showSpeed(other)
            outputs.append(.fact(.moved(other.ofBody)))
        }
        reportButton(.fullPressed)
        shutter = .releasing
        schedule.plan(.shutterOpens, at: now + model.releaseLag + timer)
    }

    /// The time of the self-timer, if the drive mode has one.
    private var timer: Duration {
        switch sheet.number(.canonDriveMode) {
        case 0x07?, 0x10?: .seconds(10)
        case 0x11?: .seconds(2)
        default: .zero
        }
    }

    mutating func shutterOpens(at now: Duration) {
        // The shutter uses the body's present speed, even if a new speed is planned.
        let frame = currentFrame
        // A Bulb exposure ends at once if no button is pressed any more.
        let ends = speed.exposureTime.map { now + $0 } ?? (buttons.full ? nil : now)
        shutter = .open(speed, frameSettings(at: speed), since: now, ends: ends)
        outputs.append(.fact(.opened(speed.ofBody)))
        outputs.append(.log("frame \(frame): shutter opens at \(speed.ofBody.label)"))
        // The order of an 80D over WiFi: status, card, counter.
        reportStatus(isBusy: true)
        reportStorage()
        refreshCounter(at: now)
        if let ends { schedule.plan(.shutterCloses, at: ends) }
        if let exposure = speed.exposureTime, let fault = takeLinkFault(in: .expose) {
            schedule.plan(.linkFails(fault), at: now + exposure / 2)
        }
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
        frame.isForCard = saveTarget.isCard
        frame.fileKinds = fileKinds
        card.append(frame)
        outputs.append(.exposed(frame))
        outputs.append(.log("frame \(frame.number): shutter closed"))
        if let heals = consumeNeverIdle(frame.number) {
            shutter = .stuck
            outputs.append(.log("fault: the body stays busy"))
            if let heals = heals.duration { schedule.plan(.bodyRecovers, at: now + heals) }
        } else if options.noiseReduction, frame.exposure >= .seconds(1) {
            shutter = .darkFrame
            schedule.plan(.darkFrameEnds, at: now + frame.exposure)
        } else {
            save(at: now)
        }
    }

    private mutating func consumeNeverIdle(_ frame: Int) -> (duration: Duration?, Void)? {
        faults.take { if case .neverIdle(frame, let heals) = $0 { (heals, ()) } else { nil } }
    }

    mutating func save(at now: Duration) {
        shutter = .saving
        let saveTime = options.saveTime ?? model.saveTime
        if let fault = takeLinkFault(in: .save, of: card.count) {
            schedule.plan(.linkFails(fault), at: now + saveTime / 2)
        }
        schedule.plan(.pictureSaved, at: now + saveTime)
    }

    mutating func pictureSaved(at now: Duration) {
        guard let frame = card.last else { return }
        if frame.isForCard {
            card[card.count - 1].written = now
            shotsLeft = max(0, shotsLeft - 1)
        } else {
            buffered += fileHandles(of: frame)
        }
        shutter = .ready
        outputs.append(.log("frame \(frame.number): saved"))
        let number = frame.number
        if let late = faults.take({ if case .objectInfoLate(number, let late) = $0 { late } else { nil } }) {
            objectInfoFrom = now + late
        }
        announce(frame, at: now)
        reportStatus(isBusy: false)
        refreshCounter(at: now)
        if model.sendsListsAgain { for record in sheet.records where record.isChoice { report(record) } }
    }

    /// Announces the files of a frame, with the faults of the announcement.
    private mutating func announce(_ frame: CardFrame, at now: Duration) {
        let number = frame.number
        let stale = faults.take { fault -> (Duration?, Void)? in
            if case .stale(number, let alone) = fault { (alone, ()) } else { nil }
        }
        var late = faults.take { if case .lateObject(number, let late) = $0 { late } else { nil } }
        if let (alone, _) = stale, let old = card.last(where: { $0.number == number - 1 }) {
            outputs.append(.log("fault: the files of frame \(old.number) are announced again"))
            announceFiles(of: old, firstOnly: true)
            late = late ?? alone
        }
        guard let late else { return filesArrive(frame) }
        schedule.plan(.filesArrive(frame), at: now + late)
    }

    mutating func filesArrive(_ frame: CardFrame) {
        let number = frame.number
        announceFiles(of: frame)
        if faults.take({ if case .doubleObject(number) = $0 { true } else { nil } }) != nil {
            outputs.append(.log("fault: the files of frame \(number) are announced twice"))
            announceFiles(of: frame)
        }
    }
}

extension CanonEventRecord {
    /// Whether the record has values that can be selected.
    fileprivate var isChoice: Bool { type == .propertyChoices && listType == 3 }
}
