import PTP

/// Property 0xD215: the content of the body's buffer.
package enum SonyShootingFileInfo: Hashable, Sendable {
    /// Empty: the body is ready for the next picture.
    case empty
    /// A file is in preparation. The driver must not fetch it, because that has crashed firmware (libgphoto2).
    case inPreparation
    /// The number of files that can be fetched.
    case ready(Int)

    /// The top bit means "ready". The other bits are the count.
    package init(rawValue: UInt16) {
        switch rawValue {
        case 0: self = .empty
        case 1..<0x8000: self = .inPreparation
        default: self = .ready(Int(rawValue & 0x7FFF))
        }
    }

    /// The number on the wire.
    package var rawValue: UInt16 {
        switch self {
        case .empty: 0
        case .inPreparation: 1
        case .ready(let count): 0x8000 | UInt16(truncatingIfNeeded: count) & 0x7FFF
        }
    }
}

/// Property 0xD213 (PTP 3 p.450).
package enum SonyFocusIndication: UInt8, Sendable {
    /// Not focused.
    case unlocked = 1
    /// AF-S has focused and keeps the focus.
    case singleFocused = 2
    /// AF-S could not focus. An RX0 reports this although it has focused (libgphoto2).
    case singleFailed = 3
    /// AF-C is focusing.
    case continuousTracking = 5
    /// AF-C has focused.
    case continuousFocused = 6
    /// AF-C could not focus.
    case continuousFailed = 7

    /// Whether focusing is over.
    package var isSettled: Bool {
        switch self {
        case .singleFocused, .singleFailed, .continuousFocused, .continuousFailed: true
        case .unlocked, .continuousTracking: false
        }
    }
}

/// Property 0x500A (PTP 3 p.175).
package struct SonyFocusMode: NamedByTable {
    /// The number on the wire.
    package var rawValue: UInt16

    /// Accepts any number that a body may send.
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The user focuses with the ring.
    package static let manual = Self(rawValue: 0x0001)
    /// The body focuses once at each half press.
    package static let autoSingle = Self(rawValue: 0x0002)
    /// The body focuses once, at close range.
    package static let autoMacro = Self(rawValue: 0x0003)
    /// The body focuses continuously during a half press.
    package static let autoContinuous = Self(rawValue: 0x8004)
    /// The body chooses between single and continuous autofocus.
    package static let autoAutomatic = Self(rawValue: 0x8005)
    /// The body focuses once at a half press, then the user can focus with the ring.
    package static let directManual = Self(rawValue: 0x8006)
    /// The user focuses with the ring.
    package static let manualReverse = Self(rawValue: 0x8007)
    /// The body focuses with a depth map.
    package static let autoD = Self(rawValue: 0x8008)
    /// The body focuses at a stored distance.
    package static let preset = Self(rawValue: 0x8009)

    package static let names: [(value: Self, name: String)] = [
        (manual, "MF"), (autoSingle, "AF-S"), (autoMacro, "AF Macro"), (autoContinuous, "AF-C"),
        (autoAutomatic, "AF-A"), (directManual, "DMF"), (manualReverse, "MF-R"), (autoD, "AF-D"), (preset, "PF"),
    ]

    /// Whether a half press leaves the focus unchanged.
    package var isManual: Bool { self == .manual || self == .manualReverse || self == .preset }
}

/// Property 0xD222 (PTP 3 p.462 and libgphoto2). Another client uses other numbers, and an RX100 VII on phone WiFi
/// shows 1 but stores on its card. So this value is for display, never for a decision.
package struct SonySaveTarget: NamedByTable {
    /// The number on the wire.
    package var rawValue: UInt16

    /// Accepts any number that a body may send.
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Only to this computer.
    package static let host = Self(rawValue: 0x01)
    /// Only to the card.
    package static let card = Self(rawValue: 0x10)
    /// To both.
    package static let both = Self(rawValue: 0x11)

    package static let names: [(value: Self, name: String)] = [(host, "host"), (card, "card"), (both, "host and card")]
}

/// Property 0xD21E. The low 24 bits are the ISO. The top byte marks multi-frame noise reduction (1, 2) or the extended
/// range (0x10).
package struct SonyISO: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The number on the wire.
    package var rawValue: UInt32

    /// Accepts any number that a body may send.
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The body chooses the ISO.
    package static let auto = Self(rawValue: 0x00FF_FFFF)

    /// Whether the body chooses the ISO, also with multi-frame noise reduction.
    package var isAuto: Bool { rawValue & 0x00FF_FFFF == 0x00FF_FFFF }

    /// A short text for messages.
    package var description: String { isAuto ? "Auto" : String(rawValue & 0x00FF_FFFF) }
}

/// Property 0x5007, f-number × 100.
package struct SonyAperture: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The number on the wire.
    package var rawValue: UInt16

    /// Accepts any number that a body may send.
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// `f/2.8`, or `--` if the lens reports no aperture (0xFFFE, 0xFFFF, 0).
    package var description: String {
        guard rawValue != 0, rawValue < 0xFFFE else { return "--" }
        let (whole, rest) = (rawValue / 100, rawValue % 100)
        if rest == 0 { return "f/\(whole)" }
        return rest % 10 == 0 ? "f/\(whole).\(rest / 10)" : "f/\(whole)." + (rest < 10 ? "0" : "") + "\(rest)"
    }
}

/// Property 0xD15B (PTP 3 p.354).
package enum SonyLongExposureNoiseReduction: UInt8, Sendable {
    /// The body takes no dark frame.
    case off = 1
    /// The body takes a dark frame after long exposures.
    case on = 2
}
