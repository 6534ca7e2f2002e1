import PTP

/// A running `.setProperty`.
struct SonyPropertySetting: Sendable {
    let ticket: Ticket
    let property: CameraProperty
    let text: String
    let since: Duration
    /// The time limit for a body that is busy before the first write.
    var gateUntil: Duration
    /// The time at which the body was ready for the first write.
    var begunAt: Duration?
    var step = Step.choosing

    enum Step: Sendable {
        /// The driver checks that the body has the property and accepts the value.
        case choosing
        /// The driver sends one write after the other. No write is pending at the moment.
        case writing(SonyPropertyOffer.Option, since: Duration)
        /// A write was sent, and the body does not show its value yet.
        case awaiting(SonyPropertyOffer.Option, Sent)
        /// A notch was sent, and the driver waits for the next value.
        case stepping(SonyPropertyOffer.Option, SonyNotchSequence, sentAt: Duration)
    }

    struct Sent: Sendable {
        let write: SonyPropertyOffer.Write
        /// The time at which the write was sent for the first time.
        let since: Duration
        /// The time at which the write was last sent or last answered.
        var lastAt: Duration
        /// Whether the body only answered that it is busy.
        var isRefused = false
    }

    /// The time limit of the present step.
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
    /// The number of notches for a control of a version 2 body. The control has the code of the property.
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
        // The value is one byte, even if the property has a wider type (PTP 2 p.80).
        case .notch(let property, let notches): .control(property.rawValue, .int8(notches), timeout)
        }
    }
}
