import Exposure

/// What a person does to a camera, and the end of its faults.
extension SimulatedCamera {
    /// From now on no fault happens any more, and those that have begun are over, as if a person had switched the body
    /// off and on and turned its dial: the link is up and answers, a body that never got idle is, files that stuck
    /// in the buffer come, and the battery is as it was.
    package mutating func heal(mode: DialMode = .manual, at now: Duration, into actions: inout [BodyAction]) {
        advance(to: now, into: &actions)
        actions.append(.log("healed"))
        var outputs: [BodyOutput] = []
        let breaks = body.heal(mode: mode, at: now, into: &outputs)
        for output in outputs { apply(output, at: now, into: &actions) }
        faults = ActiveFaults([])
        // An answer that broke off ends with its connections: nobody can go on with it.
        if breaks || link != .up { body.disconnect(at: now) }
        let wasPaced = pace != nil
        pace = nil
        busyUntil.removeAll()
        link = .up
        // What waited for its turn goes first.
        if wasPaced {
            while let (_, action) = outbox.takeNext() { actions.append(action) }
        }
        run(at: now, into: &actions)
    }

    /// The battery is pulled. What is on the card stays, and so do the settings; an exposure, pictures on their way to
    /// the card, the buffer and the session are lost. Nothing is sent. It may be connected to again at once.
    package mutating func powerOff(at now: Duration, into actions: inout [BodyAction]) {
        advance(to: now, into: &actions)
        actions.append(.fact(.lostPower))
        actions.append(.log("the battery is removed"))
        body.losePower(at: now)
        link = .up
        outbox = Agenda()
        busyUntil.removeAll()
    }

    /// A person turns the mode dial.
    package mutating func turnDial(to mode: DialMode, at now: Duration) { body.turnDial(to: mode, at: now) }

    /// A person turns the dial of the shutter speed.
    package mutating func turnSpeed(to speed: ShutterSpeed, at now: Duration) { body.turnSpeed(to: speed, at: now) }

    /// What is left of the battery, in per cent; below zero: not known.
    package mutating func setBattery(percent: Int, at now: Duration) { body.setBattery(percent: percent, at: now) }
}
