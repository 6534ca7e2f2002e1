import Cameras

/// What only the body itself knows for certain: nothing of it goes to the initiator. Whoever judges the daemon holds
/// what it believes against this.
package enum BodyFact: Equatable, Sendable {
    /// A full press arrived.
    case pressed(BodyPress)
    /// The shutter has opened at this speed, by the last press that was taken.
    case opened(SonyShutterSpeed)
    /// A reading shows this speed, while the shutter is about to open or open.
    case told(SonyShutterSpeed)
    /// The speed is this one, or is about to be, by no doing of the initiator: a person turned the dial, or a fault
    /// did.
    case moved(SonyShutterSpeed)
    /// The initiator has gone: after CloseSession, or without it.
    case left(isOrderly: Bool)
    /// The battery is gone, and with it the exposure in work.
    case lostPower
}

/// A full press as the body sees it.
package struct BodyPress: Hashable, Sendable {
    /// Of the operation that it came by.
    package var transaction: UInt32
    /// The speed that the body told last in this session; nil: it was not asked.
    package var told: SonyShutterSpeed?
    /// The speed that it has.
    package var actual: SonyShutterSpeed
    /// Whether the body does as it is told: the shutter goes at once, or when there is focus.
    package var isTaken: Bool

    package init(transaction: UInt32, told: SonyShutterSpeed?, actual: SonyShutterSpeed, isTaken: Bool) {
        self.transaction = transaction
        self.told = told
        self.actual = actual
        self.isTaken = isTaken
    }
}
