import Cameras

/// What only the body itself knows for certain: nothing of it goes to the initiator. A judge compares it with what the
/// daemon believes.
package enum BodyFact: Equatable, Sendable {
    /// A full press arrived.
    case pressed(BodyPress)
    /// The shutter has opened at this speed, by the last press that was taken.
    case opened(BodySpeed)
    /// A reading shows this speed, while the shutter is about to open or open.
    case shown(BodySpeed)
    /// The speed is this one, or is about to be, by no command of the initiator: a person turned the dial, or a fault
    /// did.
    case moved(BodySpeed)
    /// The initiator has gone: after it closed its session, or without that.
    case left(isOrderly: Bool)
    /// The battery is gone, and with it the exposure in work.
    case lostPower
}

/// A full press as the body sees it.
package struct BodyPress: Hashable, Sendable {
    /// The command that caused it.
    package var command: CommandID
    /// The speed that the body showed last in this session; nil: it was not asked.
    package var shown: BodySpeed?
    /// The speed that it has.
    package var actual: BodySpeed
    /// Whether the body obeys: the shutter goes at once, or when there is focus.
    package var isTaken: Bool

    package init(command: CommandID, shown: BodySpeed?, actual: BodySpeed, isTaken: Bool) {
        self.command = command
        self.shown = shown
        self.actual = actual
        self.isTaken = isTaken
    }
}

/// One command of an initiator, unique in its session. What the number is, only the maker's folder knows.
package struct CommandID: Hashable, Sendable {
    package var rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// What bytes of a driver ask of a body, as far as a judge has to know it before they arrive.
package enum DriverSignal: Hashable, Sendable {
    /// They release the shutter.
    case press(CommandID)
    /// They close the session: the body hangs up then.
    case goodbye
}
