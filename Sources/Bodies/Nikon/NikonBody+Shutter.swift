import Cameras
import PTP

/// The steps of a frame, from the release until the picture is on the card.
extension NikonBody {

    mutating func focusSettles(at now: Duration) {
        guard case .focusing(let target, let finds) = shutter else { return }
        guard finds else {
            outputs.append(.log("fault: no focus"))
            shutter = .ready
            failure = .nikonOutOfFocus
            return
        }
        startRelease(target, at: now)
    }

    mutating func startRelease(_ target: Target, at now: Duration) {
        let frame = currentFrame
        let jump = faults.take { fault -> NikonShutterSpeed? in
            guard case .jumpAtShutter(frame, let other) = fault else { return nil }
            return other.map { NikonSpeedScale.value(of: $0) } ?? .bulb
        }
        if let other = jump {
            let (before, after) = (ofBody(speed).label, ofBody(other).label)
            outputs.append(.log("fault: the speed changes from \(before) to \(after) at the release"))
            showSpeed(other)
            outputs.append(.fact(.moved(ofBody(other))))
        }
        shutter = .releasing(target)
        // Release mode 0x8011 is the self-timer.
        let timer: Duration = sheet.number(.stillCaptureMode) == 0x8011 ? .seconds(10) : .zero
        schedule.plan(.shutterOpens, at: now + model.releaseLag + timer)
    }

    mutating func shutterOpens(at now: Duration) {
        guard case .releasing(let target) = shutter else { return }
        // The shutter uses the body's present speed, even if a new speed is planned.
        let frame = currentFrame
        // A Bulb exposure ends at once if the initiator has disconnected.
        let ends = exposureTime(of: speed).map { now + $0 } ?? (session == nil ? now : nil)
        let settings = frameSettings(at: speed)
        shutter = .open(Exposure(target: target, speed: speed, settings: settings, since: now, ends: ends))
        outputs.append(.fact(.opened(ofBody(speed))))
        outputs.append(.log("frame \(frame): shutter opens at \(ofBody(speed).label)"))
        if let late = faults.first({ if case .lateCounter(let delay) = $0 { delay } else { nil } }) {
            schedule.plan(.counterShows, at: now + late)
        }
        if let ends { schedule.plan(.shutterCloses, at: ends) }
        if let exposure = exposureTime(of: speed), let fault = takeLinkFault(in: .expose) {
            schedule.plan(.linkFails(fault), at: now + exposure / 2)
        }
    }

    mutating func shutterCloses(at now: Duration) {
        guard case .open(let exposure) = shutter else { return }
        var frame = CardFrame(
            number: currentFrame,
            speed: ofBody(exposure.speed),
            at: exposure.since,
            exposure: now - exposure.since,
            settings: exposure.settings
        )
        frame.isForCard = exposure.target.isCard
        frame.fileKinds = exposure.target.isCard ? fileKinds : [fileKinds.first ?? .jpeg]
        card.append(frame)
        outputs.append(.exposed(frame))
        outputs.append(.log("frame \(frame.number): shutter closed"))
        let number = frame.number
        let stuck = faults.take { fault -> (Duration?, Void)? in
            if case .neverIdle(number, let heals) = fault { (heals, ()) } else { nil }
        }
        if let (heals, _) = stuck {
            shutter = .stuck(exposure.target)
            outputs.append(.log("fault: the body stays busy"))
            if let heals { schedule.plan(.bodyRecovers, at: now + heals) }
        } else if sheet.number(.nikonNoiseReduction) == 1, frame.exposure >= .seconds(1) {
            shutter = .darkFrame(exposure.target)
            schedule.plan(.darkFrameEnds, at: now + frame.exposure)
        } else {
            save(exposure.target, at: now)
        }
    }

    mutating func darkFrameEnds(at now: Duration) {
        if case .darkFrame(let target) = shutter { save(target, at: now) }
    }

    private mutating func save(_ target: Target, at now: Duration) {
        shutter = .saving(target)
        let saveTime = options.saveTime ?? model.saveTime
        if let fault = takeLinkFault(in: .save, of: card.count) {
            schedule.plan(.linkFails(fault), at: now + saveTime / 2)
        }
        schedule.plan(.pictureSaved, at: now + saveTime)
    }

    mutating func pictureSaved(at now: Duration) {
        guard let target = savingTarget, let frame = card.last else { return }
        if target.isCard {
            card[card.count - 1].written = now
            shotsLeft = max(0, shotsLeft - 1)
        }
        if target.isMemory, session != nil { inMemory = card[card.count - 1] }
        shutter = .ready
        let number = frame.number
        outputs.append(.log("frame \(number): saved"))
        let late = faults.take { if case .objectInfoLate(number, let late) = $0 { late } else { nil } }
        objectInfoFrom = now + (late ?? model.objectInfoDelay)
        let times = faults.take { if case .busyAfterReady(number, let times) = $0 { times } else { nil } }
        if let times { lateBusy = .armed(times: times) }
        announce(card[card.count - 1], target, at: now)
        refreshCounter()
    }

    /// The target of the picture in work; nil: there is none.
    private var savingTarget: Target? {
        switch shutter {
        case .saving(let target), .stuck(let target): target
        case .ready, .focusing, .releasing, .open, .darkFrame: nil
        }
    }

    /// Announces the files of a frame and its end, with the faults of the announcement.
    private mutating func announce(_ frame: CardFrame, _ target: Target, at now: Duration) {
        let number = frame.number
        let stale = faults.take { fault -> (Duration?, Void)? in
            if case .stale(number, let alone) = fault { (alone, ()) } else { nil }
        }
        var late = faults.take { if case .lateObject(number, let late) = $0 { late } else { nil } }
        if let (alone, _) = stale, let old = card.last(where: { $0.number == number - 1 }), old.isForCard {
            outputs.append(.log("fault: the files of frame \(old.number) are announced again"))
            announceCardFiles(of: old, firstOnly: true)
            late = late ?? alone
        }
        if let late {
            schedule.plan(.filesArrive(frame, target), at: now + late)
        } else {
            announceFiles(of: frame, target)
        }
        guard !omits(.status) else { return }
        if target.isCard { report(.captureComplete) }
        if target.isMemory { report(.nikonCaptureCompleteInMemory) }
    }
}
