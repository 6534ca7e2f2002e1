/// What a person does to a camera, and the end of its faults.
extension SimulatedCamera {
    /// From now on no fault happens any more, and those that have begun are over, as if a person had switched the body
    /// off and on and turned its dial: the link is up and answers, a body that never got idle is, files that stuck
    /// in the buffer come.
    package mutating func heal(mode: DialMode = .manual, at now: Duration, into actions: inout [BodyAction]) {}

    /// The battery is pulled. What is on the card stays, and so do the settings; an exposure, pictures on their way to
    /// the card, the buffer and the session are lost. Nobody is told.
    package mutating func powerOff(at now: Duration) {}

    /// Switched on again.
    package mutating func powerOn(at now: Duration) {}

    /// Somebody turns the mode dial.
    package mutating func turnDial(to mode: DialMode, at now: Duration) {}

    /// What is left of the battery, in per cent; below zero: not known.
    package mutating func setBattery(percent: Int, at now: Duration) {}
}
