import PTP

/// A running `.setProperty`.
struct SonyPropertySetting: Sendable {
    let ticket: Ticket
    let property: CameraProperty
    let text: String
    let since: Duration
    /// The time limit for a body that stays busy before anything was sent.
    var gateUntil: Duration
    /// When the body was first ready for it.
    var begunAt: Duration?
    var step = Step.choosing

    enum Step: Sendable {
        /// Checks that the body has the property and accepts the value.
        case choosing
        /// One write after the other; none is sent at the moment.
        case writing(SonyPropertyOffer.Option, since: Duration)
        /// Sent, and not shown yet.
        case awaiting(SonyPropertyOffer.Option, Sent)
        /// A notch was sent, and the next value is awaited.
        case stepping(SonyPropertyOffer.Option, SonyNotchSequence, sentAt: Duration)
    }

    struct Sent: Sendable {
        let write: SonyPropertyOffer.Write
        /// When it was sent for the first time.
        let since: Duration
        /// When it was last sent, or later when that was answered.
        var lastAt: Duration
        /// The body only answered that it is busy.
        var isRefused = false
    }

    /// The time limit in all cases.
    func deadline(_ timing: SonyTiming) -> Duration {
        if case .choosing = step { gateUntil } else { (begunAt ?? since) + timing.propertySteppingLimit }
    }

    /// A reading counts only if it was requested after this time.
    var readingSince: Duration {
        switch step {
        case .choosing: since
        case .writing(_, let since): since
        case .awaiting(_, let sent): sent.lastAt
        case .stepping(_, _, let sentAt): sentAt
        }
    }
}

/// A transaction for a property.
enum SonyPropertyTask: Hashable, Sendable {
    case write(SonyPropertyOffer.Write)
    /// The number of notches for a version 2 body's control; its code is the property's.
    case notch(PropertyCode, Int8)

    var code: OperationCode {
        switch self {
        case .write: .sdioSetExtDevicePropValue
        case .notch: .sdioControlDevice
        }
    }

    func operation(_ timeout: Operation.Timeout) -> Operation {
        switch self {
        case .write(let write): .set(write.code, write.value, timeout)
        // One byte, also where the property itself is wider (PTP 2 p.80).
        case .notch(let property, let notches): .control(property.rawValue, .int8(notches), timeout)
        }
    }
}
