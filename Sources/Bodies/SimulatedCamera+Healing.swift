import PTP

/// What a person does to a camera, and the end of its faults.
extension SimulatedCamera {
    /// From now on no fault happens any more, and those that have begun are over, as if a person had switched the body
    /// off and on and turned its dial: the link is up and answers, a body that never got idle is, files that stuck
    /// in the buffer come, and the battery is as it was.
    package mutating func heal(mode: DialMode = .manual, at now: Duration, into actions: inout [BodyAction]) {
        advance(to: now, into: &actions)
        actions.append(.log("healed"))
        var outputs: [SonyBody.Output] = []
        let breaks = body.heal(mode: mode, at: now, into: &outputs)
        apply(outputs, at: now, into: &actions)
        faults = ActiveFaults([])
        healResponder(at: now)
        // An answer that broke off ends with its connections: nobody can go on with it.
        if breaks || link != .up { responder.disconnect(at: now) }
        let wasPaced = pace != nil
        pace = nil
        busyUntil.removeAll()
        link = .up
        // What waited for its turn goes first.
        if wasPaced {
            while let (_, action) = outbox.takeNext(dueBy: .seconds(1 << 40)) { actions.append(action) }
        }
        run(at: now, into: &actions)
    }

    private mutating func healResponder(at now: Duration) {
        responder.options.operations = body.operations
        responder.options.slotHold = body.options.slotHold ?? model.slotHold
        responder.options.idleLimit = model.idleLimit
        responder.options.probeInterval = nil
        if creditsItself { responder.options.sendWindow = nil }
        while let (_, id) = pairings.takeNext(dueBy: .seconds(1 << 40)) { responder.admit(id, at: now) }
    }

    /// The battery is pulled. What is on the card stays, and so do the settings; an exposure, pictures on their way to
    /// the card, the buffer and the session are lost. Nobody is told. It may be called again at once.
    package mutating func powerOff(at now: Duration, into actions: inout [BodyAction]) {
        advance(to: now, into: &actions)
        actions.append(.fact(.lostPower))
        actions.append(.log("the battery is pulled"))
        body.losePower(at: now)
        responder = ResponderSession(options: responder.options)
        link = .up
        pairings = Agenda()
        outbox = Agenda()
        busyUntil.removeAll()
    }

    /// Somebody turns the mode dial.
    package mutating func turnDial(to mode: DialMode, at now: Duration) { body.turnDial(to: mode, at: now) }

    /// What is left of the battery, in per cent; below zero: not known.
    package mutating func setBattery(percent: Int, at now: Duration) { body.setBattery(percent: percent, at: now) }
}
