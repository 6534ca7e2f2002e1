import Cameras
import Exposure
import JSON

/// The shutter speed: a reply of 0 comes before the value, and faults change it.
extension SonyHTTPBody {
    /// Takes a new speed. The reply of 0 comes at once; the body shows the value later.
    mutating func change(to wanted: SonyHTTPShutterSpeed, _ waiter: Waiter, at now: Duration) {
        let frame = currentFrame
        if let fault = takeLinkFault(in: .set) { return outputs.append(.link(fault)) }
        guard settableSpeeds.contains(wanted) else { return reply(model.unknownValue, to: waiter, at: now) }
        lastSet = .unread(frame: frame)
        reply([0], to: waiter, at: now)
        if faults.take({ fault -> Bool? in
            if case .ignoreSets(let only, _) = fault, only ?? frame == frame { true } else { nil }
        }) != nil || SonyHTTPSetting.named("ShutterSpeed").map({ consumeIgnored($0) }) ?? false {
            return outputs.append(.log("fault: set of \(wanted.rawValue) ignored"))
        }
        var target = wanted
        if let wrong = faults.take({ if case .wrongSpeed(frame, let wrong, _) = $0 { wrong } else { nil } }) {
            target = nearestOffered(wrong)
            outputs.append(.fact(.moved(target.ofBody)))
            outputs.append(.log("fault: set of \(wanted.rawValue) settles on \(target.rawValue)"))
        } else {
            outputs.append(.log("set \(wanted.rawValue) for frame \(frame)"))
        }
        speedBefore = speed
        schedule.cancel { event in
            switch event {
            case .speedFallsBack, .speedShows: true
            default: false
            }
        }
        schedule.plan(.speedShows(target), at: now + readbackDelay)
    }

    /// The offered speed that is nearest to `speed`. A body can only have speeds that it offers.
    func nearestOffered(_ speed: ShutterSpeed) -> SonyHTTPShutterSpeed {
        let timed = speeds.compactMap(\.shutterSpeed)
        let nearest = timed.min { abs($0.thirds(to: speed)) < abs($1.thirds(to: speed)) }
        return SonyHTTPShutterSpeed(nearest ?? speed)
    }

    mutating func showSpeed(_ value: SonyHTTPShutterSpeed) {
        speed = value
        outputs.append(.log("speed is \(value.rawValue)"))
        note("shutterSpeed")
        note("availableApiList")
    }

    // MARK: Readings

    /// The initiator reads the body's present value.
    mutating func noteRead(of setting: SonyHTTPSetting) {
        if setting.stem == "ShutterSpeed" { noteReadSpeed(isPolled: false) }
    }

    /// - Parameter isPolled: Whether the speed is in the answer to a long poll.
    mutating func noteReadSpeed(isPolled: Bool) {
        readings.note(speed, isPolled: isPolled)
        switch shutter {
        case .focusing, .releasing, .open: outputs.append(.fact(.shown(speed.ofBody)))
        case .ready, .darkFrame, .saving, .stuck, .settling: break
        }
    }

    mutating func linkFaultOfRead(_ setting: SonyHTTPSetting) -> BodyLinkFault? {
        setting.stem == "ShutterSpeed" ? confirmFault(at: calledAt) : nil
    }

    /// The fault of the link at the first reading of a new speed. Plans the fault `jump`.
    mutating func confirmFault(at now: Duration) -> BodyLinkFault? {
        if case .unread(let frame) = lastSet {
            lastSet = .read(frame: frame)
            if let fault = takeLinkFault(in: .confirm) { return fault }
        }
        planFallBack(at: now)
        return nil
    }

    /// Plans the fault `jump`: after the initiator first read a frame's speed, the speed returns to the previous one.
    private mutating func planFallBack(at now: Duration) {
        let frame = currentFrame
        let isPending = schedule.last { if case .speedShows = $0 { true } else { false } } != nil
        guard lastSet == .read(frame: frame), !isPending,
            let delay = faults.first({ if case .jump(frame, _, let delay) = $0 { delay } else { nil } })
        else { return }
        // The fault happens once for each new speed.
        lastSet = .none
        schedule.plan(.speedFallsBack(frame: frame), at: now + delay)
    }

    mutating func fallBack(_ frame: Int) {
        guard shutter == .ready, frame == currentFrame,
            faults.take({ if case .jump(frame, _, _) = $0 { true } else { nil } }) != nil
        else { return }
        let back = speedBefore != speed ? speedBefore : speeds.first { $0 != speed } ?? speed
        outputs.append(.log("fault: the speed returns from \(speed.rawValue) to \(back.rawValue)"))
        outputs.append(.fact(.moved(back.ofBody)))
        showSpeed(back)
    }
}
