import Exposure

/// The user's actions on a camera, and the end of its faults.
extension SimulatedCamera {
    /// Ends all faults and their effects, as if the user had switched the body off and on and turned its dial. The link
    /// works, a busy body becomes idle, the buffer delivers stuck files, and the battery has its first charge again.
    package mutating func clearFaults(mode: DialMode = .manual, at now: Duration, into actions: inout [BodyAction]) {
        advance(to: now, into: &actions)
        actions.append(.log("healed"))
        var outputs: [BodyOutput] = []
        let breaks = body.clearFaults(mode: mode, at: now, into: &outputs)
        for output in outputs { apply(output, at: now, into: &actions) }
        faults = ActiveFaults([])
        // An answer that broke off cannot be continued, so its connections are closed.
        if breaks || link != .up { body.disconnect(at: now) }
        let wasPaced = pace != nil
        pace = nil
        busyUntil.removeAll()
        link = .up
        // Bytes that waited because of the limited transfer rate are sent first.
        if wasPaced {
            while let (_, action) = outbox.takeNext() { actions.append(action) }
        }
        run(at: now, into: &actions)
    }

    /// Removes the battery. The body keeps its card and settings. It loses an exposure, unwritten pictures, the buffer
    /// and the session. It sends nothing, and accepts new connections at once.
    package mutating func powerOff(at now: Duration, into actions: inout [BodyAction]) {
        advance(to: now, into: &actions)
        actions.append(.fact(.lostPower))
        actions.append(.log("the battery is removed"))
        body.losePower(at: now)
        link = .up
        outbox = Schedule()
        busyUntil.removeAll()
    }

    /// Turns the mode dial.
    package mutating func turnDial(to mode: DialMode, at now: Duration) { body.turnDial(to: mode, at: now) }

    /// Turns the dial of the shutter speed.
    package mutating func turnSpeed(to speed: ShutterSpeed, at now: Duration) { body.turnSpeed(to: speed, at: now) }

    /// Changes the charge of the battery. Below zero: unknown.
    package mutating func setBattery(percent: Int, at now: Duration) { body.setBattery(percent: percent, at: now) }
}
