import Cameras

/// A fact that only the body knows for certain and does not send. A rule compares the fact with the daemon's knowledge.
package enum BodyFact: Equatable, Sendable {
    /// A full press of the shutter button arrived.
    case pressed(BodyPress)
    /// The shutter opened at this speed because of the latest press that had an effect.
    case opened(BodySpeed)
    /// The initiator read this speed while the shutter was open or about to open.
    case shown(BodySpeed)
    /// The user or a fault changed the speed to this one. The change can take effect later.
    case moved(BodySpeed)
    /// The initiator has disconnected. `isOrderly`: the initiator closed the session first.
    case left(isOrderly: Bool)
    /// The battery was removed. This ended the running exposure.
    case lostPower
}

package struct BodyPress: Hashable, Sendable {
    /// The command that caused the press.
    package var command: CommandID
    /// The latest speed that the body reported in this session; nil: the initiator did not read the speed.
    package var shown: BodySpeed?
    /// The true speed.
    package var actual: BodySpeed
    /// Whether the press opens the shutter, at once or when the body has found focus.
    package var isTaken: Bool

    package init(command: CommandID, shown: BodySpeed?, actual: BodySpeed, isTaken: Bool) {
        self.command = command
        self.shown = shown
        self.actual = actual
        self.isTaken = isTaken
    }
}

/// The id of a command, unique in the session. Only the maker's folder knows the meaning of the number.
package struct CommandID: Hashable, Sendable {
    package var rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// The meaning of a driver's bytes. Some rules need the meaning before the bytes arrive.
package enum DriverSignal: Hashable, Sendable {
    /// The bytes release the shutter.
    case press(CommandID)
    /// The bytes close the session. The body then closes the connections.
    case sessionClosing
}
