import PTP

/// Property 0xD106.
package struct CanonDriveMode: NamedByTable {
    package var rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// One picture per press.
    package static let single = Self(rawValue: 0x00)

    package var kind: DriveKind { Self.kinds[rawValue] ?? .other }

    private static let kinds: [UInt32: DriveKind] = [
        0x00: .single,
        0x01: .continuous,
        0x04: .continuous,
        0x05: .continuous,
        0x06: .single,
        0x07: .selfTimer,
        0x10: .selfTimer,
        0x11: .selfTimer,
        0x12: .continuous,
        0x13: .single,
        0x14: .continuous,
        0x15: .continuous,
        0x16: .continuous,
    ]

    package static let names: [(value: Self, name: String)] = [
        (single, "single"),
        (Self(rawValue: 0x01), "continuous"),
        (Self(rawValue: 0x02), "video"),
        (Self(rawValue: 0x04), "continuous hi"),
        (Self(rawValue: 0x05), "continuous lo"),
        (Self(rawValue: 0x06), "single silent shooting"),
        (Self(rawValue: 0x07), "self-timer continuous"),
        (Self(rawValue: 0x10), "self-timer 10 s"),
        (Self(rawValue: 0x11), "self-timer 2 s"),
        (Self(rawValue: 0x12), "continuous hi+"),
        (Self(rawValue: 0x13), "single silent"),
        (Self(rawValue: 0x14), "continuous silent"),
        (Self(rawValue: 0x15), "continuous silent hi"),
        (Self(rawValue: 0x16), "continuous silent lo"),
    ]
}

/// Property 0xD108. A 60D lists 0, 2, 1 and gphoto2 names them in this order (LGD canon-eos60d).
package struct CanonFocusMode: NamedByTable {
    package var rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The body focuses once at each half press.
    package static let oneShot = Self(rawValue: 0)
    /// The body focuses continuously during a half press.
    package static let servo = Self(rawValue: 1)
    /// The user focuses with the ring. Bodies show this also if the lens is switched to MF.
    package static let manual = Self(rawValue: 3)

    package static let names: [(value: Self, name: String)] = [
        (oneShot, "One Shot"), (servo, "AI Servo"), (Self(rawValue: 2), "AI Focus"), (manual, "MF"),
    ]
}

/// Property 0xD109 (libgphoto2 config.c). The numbers of the custom settings 2 to 5 are from the order of a list that
/// gphoto2 shows (LGD canon-eos-r1).
package struct CanonWhiteBalance: NamedByTable {
    package var rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let names: [(value: Self, name: String)] = [
        (Self(rawValue: 0x00), "auto"),
        (Self(rawValue: 0x01), "daylight"),
        (Self(rawValue: 0x02), "cloudy"),
        (Self(rawValue: 0x03), "tungsten"),
        (Self(rawValue: 0x04), "fluorescent"),
        (Self(rawValue: 0x05), "flash"),
        (Self(rawValue: 0x06), "custom"),
        (Self(rawValue: 0x08), "shade"),
        (Self(rawValue: 0x09), "colour temperature"),
        (Self(rawValue: 0x0F), "custom 2"),
        (Self(rawValue: 0x10), "custom 3"),
        (Self(rawValue: 0x12), "custom 4"),
        (Self(rawValue: 0x13), "custom 5"),
        (Self(rawValue: 0x17), "auto white priority"),
    ]
}

/// Property 0xD11C: a mask of the places where the body stores pictures. 1 and 2 are the card slots, and 4 is this
/// computer.
package struct CanonSaveTarget: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    private static let cards: UInt32 = 0b011
    private static let host: UInt32 = 0b100

    package var isCard: Bool { rawValue & Self.cards != 0 }
    package var isHost: Bool { rawValue & Self.host != 0 }

    /// The text for users. The slot is part of the text only if the body offers both slots.
    ///
    /// - Parameter list: the body's present choices.
    package func text(among list: [Self]) -> String {
        let slots = Set(list.map { $0.rawValue & Self.cards }).subtracting([0])
        let slot = slots.count > 1 && isCard ? " \(rawValue & Self.cards)" : ""
        switch (isCard, isHost) {
        case (true, true): return "host and card\(slot)"
        case (true, false): return "card\(slot)"
        case (false, true): return "host"
        case (false, false): return rawValue.hexadecimal
        }
    }

    /// The target that keeps pictures on a card alone: the present target if possible, or the first one that the body
    /// offers. nil: the body offers none.
    package func onCardAlone(among list: [Self]) -> Self? {
        if isCard, !isHost { return self }
        return list.first { $0.isCard && !$0.isHost && $0.rawValue & rawValue != 0 }
            ?? list.first { $0.isCard && !$0.isHost }
    }
}

/// Property 0xD111 (libgphoto2 config.c). The body reports only steps.
package enum CanonBattery: UInt32, Sendable {
    case low = 0
    case half = 1
    case full = 2
    case threeQuarters = 4
    case quarter = 5

    /// The charge in percent. "Low" has no percentage in any source. This value is below the limit of the warning.
    package var percent: Int {
        switch self {
        case .low: 10
        case .quarter: 25
        case .half: 50
        case .threeQuarters: 75
        case .full: 100
        }
    }
}
