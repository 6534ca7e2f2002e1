import Exposure

/// The user's actions on a camera, and the end of its faults.
extension SimulatedCamera {
    /// Ends all faults and their effects, as if the user had switched the body off and on and turned its dial. The link
    /// answers, a busy body becomes idle, files that were stuck in the buffer come, and the battery is as before.
    package mutating func clearFaults(mode: DialMode = .manual, at now: Duration, into actions: inout [BodyAction]) {
        advance(to: now, into: &actions)
        actions.append(.log("healed"))
        var outputs: [BodyOutput] = []
        let breaks = body.clearFaults(mode: mode, at: now, into: &outputs)
        for output in outputs { apply(output, at: now, into: &actions) }
        faults = ActiveFaults([])
        // An answer that broke off ends with its connections: it cannot be continued.
        if breaks || link != .up { body.disconnect(at: now) }
        let wasPaced = pace != nil
        pace = nil
        busyUntil.removeAll()
        link = .up
        // Paced bytes are sent first.
        if wasPaced {
            while let (_, action) = outbox.takeNext() { actions.append(action) }
        }
        run(at: now, into: &actions)
    }

    /// The battery is removed. The card and the settings remain; an exposure, unwritten pictures, the buffer and the
    /// session are lost. Nothing is sent. It accepts connections again at once.
    package mutating func powerOff(at now: Duration, into actions: inout [BodyAction]) {
        advance(to: now, into: &actions)
        actions.append(.fact(.lostPower))
        actions.append(.log("the battery is removed"))
        body.losePower(at: now)
        link = .up
        outbox = Schedule()
        busyUntil.removeAll()
    }

    /// The user turns the mode dial.
    package mutating func turnDial(to mode: DialMode, at now: Duration) { body.turnDial(to: mode, at: now) }

    /// The user turns the dial of the shutter speed.
    package mutating func turnSpeed(to speed: ShutterSpeed, at now: Duration) { body.turnSpeed(to: speed, at: now) }

    /// The charge of the battery in percent; below zero: not known.
    package mutating func setBattery(percent: Int, at now: Duration) { body.setBattery(percent: percent, at: now) }
}
