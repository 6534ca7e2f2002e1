import Cameras
import NIOCore
import PTP

/// The shutter button, and the steps of a frame from the press to the card.
extension SonyBody {
    /// The controls in 0x9202. The body accepts all of them, but most have no effect here.
    static let controls: [SonyControl] =
        (0xD2C1...0xD2CA).map { SonyControl(rawValue: $0) }
        + (0xD2CD...0xD2DE).map { SonyControl(rawValue: $0) } + [.halfAndFullPress]

    /// Handles a control of the initiator (0x9207).
    mutating func control(
        _ control: SonyControl,
        _ data: ByteBuffer,
        in transaction: UInt32,
        at now: Duration
    ) -> ResponderAnswer? {
        let property = PropertyCode(rawValue: control.rawValue)
        if stepScale(of: property) != nil { return step(property, data, at: now) }
        guard Self.controls.contains(control) else { return ResponderAnswer(.parameterNotSupported) }
        guard [.halfPress, .fullPress, .oneShot, .halfAndFullPress].contains(control) else { return .ok }
        var data = data
        guard let number: UInt16 = data.readInteger(endianness: .little), let button = SonyButton(rawValue: number)
        else { return ResponderAnswer(.invalidParameter) }
        switch (control, button) {
        case (.halfPress, .pressed):
            if fails(in: .focus) { return nil }
            pressHalf(at: now)
        case (.halfPress, .released):
            releaseHalf()
        case (.fullPress, .pressed):
            return pressFull(needsHalf: true, in: transaction, at: now)
        case (_, .pressed):
            pressHalf(at: now)
            return pressFull(needsHalf: false, in: transaction, at: now)
        case (.fullPress, .released):
            releaseFull(at: now)
        case (_, .released):
            release(at: now)
        }
        return .ok
    }

    // MARK: The button

    private mutating func pressHalf(at now: Duration) {
        guard !buttons.half else { return }
        buttons.half = true
        buttons.frame = buttons.frame ?? currentFrame
        guard !focusMode.isManual, isIdle, isSettled(at: now) else { return }
        let frame = currentFrame
        let fails = faults.take { if case .noFocus(frame, _) = $0 { true } else { nil } } != nil
        focus = .searching(finds: !fails)
        schedule.plan(.focusSettles, at: now + model.focusTime)
    }

    private func isSettled(at now: Duration) -> Bool {
        guard case .authenticated(let since) = session else { return false }
        return now >= since + model.settleTime
    }

    private mutating func releaseHalf() {
        buttons.half = false
        buttons.frame = nil
        focus = .idle
        schedule.cancel { $0 == .focusSettles }
    }

    /// Releases the buttons when the initiator has disconnected. An exposure continues, except BULB, which ends.
    mutating func releasePress(at now: Duration) {
        buttons = Buttons()
        focus = .idle
        schedule.cancel { $0 == .focusSettles }
        if case .open(_, _, _, ends: nil) = shutter { schedule.plan(.shutterCloses, at: now) }
    }

    private mutating func release(at now: Duration) {
        releaseFull(at: now)
        releaseHalf()
    }

    private mutating func releaseFull(at now: Duration) {
        guard buttons.full else { return }
        buttons.full = false
        switch shutter {
        case .releasing:
            schedule.cancel { $0 == .shutterOpens }
            shutter = .ready
            outputs.append(.log("the press was too short: no picture"))
        case .open(_, _, _, ends: nil):
            schedule.plan(.shutterCloses, at: now)
        case .ready, .open, .darkFrame, .saving, .stuck:
            break
        }
    }

    private mutating func pressFull(needsHalf: Bool, in transaction: UInt32, at now: Duration) -> ResponderAnswer? {
        let frame = currentFrame
        var press = BodyPress(
            command: CommandID(rawValue: UInt64(transaction)),
            shown: readSpeed?.ofBody,
            actual: speed.ofBody,
            isTaken: false
        )
        defer { outputs.append(.fact(.pressed(press))) }
        if faults.take({ if case .fail(frame, _) = $0 { true } else { nil } }) != nil {
            outputs.append(.log("fault: the full press of frame \(frame) fails"))
            return ResponderAnswer(.generalError)
        }
        let linkFault = takeLinkFault(in: .press)
        if faults.take({ if case .noPicture(frame, _) = $0 { true } else { nil } }) != nil {
            outputs.append(.log("fault: the full press of frame \(frame) takes no picture"))
        } else if let reason = reasonNotToFire(needsHalf: needsHalf) {
            outputs.append(.log("full press ignored: \(reason)"))
        } else {
            buttons.full = true
            press.isTaken = true
            if focusMode.isManual || focus == .locked { startRelease(at: now) }
        }
        guard let linkFault else { return .ok }
        outputs.append(.link(linkFault))
        return nil
    }

    /// The reason why a press has no effect, although the answer is OK; nil: the press has an effect.
    private func reasonNotToFire(needsHalf: Bool) -> String? {
        if needsHalf, !buttons.half { return "there was no half press before" }
        if !buffer.isEmpty { return "\(buffer.count) pictures wait in the buffer" }
        if shutter != .ready { return "the body is busy" }
        if storesOnCard, shotsLeft == 0 { return "the card is full" }
        if !focusMode.isManual, focus == .idle { return "the body has no focus yet" }
        if focus == .failed { return "not in focus" }
        return nil
    }

    var storesOnCard: Bool { saveTarget != .host || model.alwaysStoresOnCard }
    var storesOnHost: Bool { saveTarget != .card }

    mutating func focusSettles(at now: Duration) {
        guard case .searching(let finds) = focus else { return }
        focus = finds ? .locked : .failed
        if !finds { outputs.append(.log("fault: no focus")) }
        if finds, buttons.full, shutter == .ready { startRelease(at: now) }
    }

    // MARK: The frame

    private mutating func startRelease(at now: Duration) {
        let frame = currentFrame
        let jump = faults.take { fault -> SonyShutterSpeed? in
            guard case .jumpAtShutter(frame, let other) = fault else { return nil }
            return other.map { SonyShutterSpeed($0) } ?? .bulb
        }
        if let other = jump {
            outputs.append(.log("fault: the speed changes from \(speed.label) to \(other.label) at the release"))
            speed = offered(other)
            outputs.append(.fact(.moved(speed.ofBody)))
        }
        shutter = .releasing
        schedule.plan(.shutterOpens, at: now + model.releaseLag)
    }

    mutating func shutterOpens(at now: Duration) {
        // The shutter uses the body's present speed, even if a new speed is planned.
        let frame = currentFrame
        // A BULB exposure ends at once if the initiator has disconnected, because no button is pressed.
        let ends = speed.exposureTime.map { now + $0 } ?? (buttons.full ? nil : now)
        shutter = .open(speed, frameSettings(at: speed), since: now, ends: ends)
        outputs.append(.fact(.opened(speed.ofBody)))
        outputs.append(.log("frame \(frame): shutter opens at \(speed.label)"))
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
        frame.isForCard = storesOnCard
        frame.fileKinds = fileKinds
        card.append(frame)
        outputs.append(.exposed(frame))
        outputs.append(.log("frame \(frame.number): shutter closed"))
        report(.sonyCaptured, at: now)
        if let heals = consumeNeverIdle(frame.number) {
            shutter = .stuck(.busy)
            outputs.append(.log("fault: the body stays busy"))
            if let heals = heals.duration { schedule.plan(.bodyRecovers, at: now + heals) }
        } else if reducesNoise, frame.exposure >= .seconds(1) {
            shutter = .darkFrame
            schedule.plan(.darkFrameEnds, at: now + frame.exposure)
        } else {
            save(at: now)
        }
    }

    mutating func turnDialForFrame(at now: Duration) {
        let frame = currentFrame
        if let mode = faults.take({ if case .modeAtFrame(frame, let mode) = $0 { mode } else { nil } }) {
            schedule.plan(.dialTurns(mode), at: now)
        }
    }

    private mutating func consumeNeverIdle(_ frame: Int) -> (duration: Duration?, Void)? {
        faults.take { if case .neverIdle(frame, let heals) = $0 { (heals, ()) } else { nil } }
    }
}
