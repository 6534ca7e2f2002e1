import Cameras

/// What only the body knows for certain: the initiator receives none of it. A rule compares it with the daemon's
/// knowledge.
package enum BodyFact: Equatable, Sendable {
    /// A full press arrived.
    case pressed(BodyPress)
    /// The shutter has opened at this speed, because of the last press that had an effect.
    case opened(BodySpeed)
    /// A reading shows this speed, while the shutter is open or about to open.
    case shown(BodySpeed)
    /// The speed is or will be this one without a command of the initiator: the user turned the dial, or a fault
    /// changed it.
    case moved(BodySpeed)
    /// The initiator has disconnected: after it closed its session, or without that.
    case left(isOrderly: Bool)
    /// The battery was removed, which ended the running exposure.
    case lostPower
}

package struct BodyPress: Hashable, Sendable {
    /// The command that caused it.
    package var command: CommandID
    /// The last speed that the body showed in this session; nil: it was not asked.
    package var shown: BodySpeed?
    /// The true speed.
    package var actual: BodySpeed
    /// Whether the press has an effect: the shutter opens at once, or when focus is found.
    package var isTaken: Bool

    package init(command: CommandID, shown: BodySpeed?, actual: BodySpeed, isTaken: Bool) {
        self.command = command
        self.shown = shown
        self.actual = actual
        self.isTaken = isTaken
    }
}

/// One command of an initiator, unique in its session. Only the maker's folder knows the meaning of the number.
package struct CommandID: Hashable, Sendable {
    package var rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// The meaning of a driver's bytes, as far as a rule must know it before they arrive.
package enum DriverSignal: Hashable, Sendable {
    /// They release the shutter.
    case press(CommandID)
    /// They close the session: the body then closes the connections.
    case sessionClosing
}
