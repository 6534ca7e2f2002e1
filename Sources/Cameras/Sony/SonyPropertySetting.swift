import PTP

/// `.setProperty` under way.
struct SonyPropertySetting: Sendable {
    let ticket: Ticket
    let property: CameraProperty
    let text: String
    let since: Duration
    /// When a body that stays busy is given up, before anything was sent.
    var gateUntil: Duration
    /// When the body was first ready for it.
    var begunAt: Duration?
    var step = Step.choosing

    enum Step: Sendable {
        /// Does the body have it, and take it?
        case choosing
        /// One write after the other; nothing is sent at the moment.
        case writing(SonyPropertyOffer.Option, since: Duration)
        /// Sent, and not shown yet.
        case awaiting(SonyPropertyOffer.Option, Sent)
        /// A notch was sent, and the next value is waited for.
        case walking(SonyPropertyOffer.Option, SonyNotchWalk, sentAt: Duration)
    }

    struct Sent: Sendable {
        let write: SonyPropertyOffer.Write
        /// When it was sent for the first time.
        let since: Duration
        /// When it was last sent, later when that was answered.
        var lastAt: Duration
        /// The body said that it is busy, and nothing else yet.
        var isRefused = false
    }

    /// When it is given up, whatever is going on.
    func deadline(_ timing: SonyTiming) -> Duration {
        if case .choosing = step { gateUntil } else { (begunAt ?? since) + timing.propertyWalk }
    }

    /// When a reading has to be asked for, to say anything about this.
    var readingSince: Duration {
        switch step {
        case .choosing: since
        case .writing(_, let since): since
        case .awaiting(_, let sent): sent.lastAt
        case .walking(_, _, let sentAt): sentAt
        }
    }
}

/// What is sent for a property.
enum SonyPropertyErrand: Hashable, Sendable {
    case write(SonyPropertyOffer.Write)
    /// So many notches of a version 2 body's control; its code is the property's.
    case notch(PropertyCode, Int8)

    var code: OperationCode {
        switch self {
        case .write: .sdioSetExtDevicePropValue
        case .notch: .sdioControlDevice
        }
    }

    func operation(_ patience: Operation.Patience) -> Operation {
        switch self {
        case .write(let write):
            Operation(code, [UInt32(write.code.rawValue)], dataOut: write.value.encoded(), patience: patience)
        case .notch(let property, let notches):
            // One byte, also where the property itself is wider (PTP 2 p.80).
            Operation(
                code,
                [UInt32(property.rawValue)],
                dataOut: PTPValue.int8(notches).encoded(),
                patience: patience
            )
        }
    }
}
