import PTP

/// Property 0x5013: the release mode (libgphoto2 config.c; from 0x8019 on OpenZCine).
package struct NikonReleaseMode: NamedByTable {
    package var rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// One picture per release.
    package static let single = Self(rawValue: 1)

    package var kind: DriveKind { Self.rows.first { $0.mode == self }?.kind ?? .other }

    package static let names: [(value: Self, name: String)] = rows.map { ($0.mode, $0.name) }

    /// In the remote modes the body waits for a remote control. In "quick" the dial of the body chooses the mode.
    private static let rows: [(mode: Self, name: String, kind: DriveKind)] = [
        (single, "single", .single),
        (Self(rawValue: 2), "continuous hi", .continuous),
        (Self(rawValue: 0x8010), "continuous lo", .continuous),
        (Self(rawValue: 0x8011), "self-timer", .selfTimer),
        (Self(rawValue: 0x8012), "mirror-up", .mirrorUp),
        (Self(rawValue: 0x8013), "remote", .other),
        (Self(rawValue: 0x8014), "quick-response remote", .other),
        (Self(rawValue: 0x8015), "delayed remote", .other),
        (Self(rawValue: 0x8016), "quiet", .single),
        (Self(rawValue: 0x8018), "continuous quiet", .continuous),
        (Self(rawValue: 0x8019), "continuous hi+", .continuous),
        (Self(rawValue: 0x8100), "quick", .other),
        (Self(rawValue: 0x810F), "continuous C15", .continuous),
        (Self(rawValue: 0x811E), "continuous C30", .continuous),
        (Self(rawValue: 0x813C), "continuous C60", .continuous),
        (Self(rawValue: 0x8178), "continuous C120", .continuous),
    ]
}

/// Property 0x500A. All known bodies report it as read-only.
package struct NikonFocusMode: NamedByTable {
    package var rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let manual = Self(rawValue: 1)

    package static let names: [(value: Self, name: String)] = [
        (manual, "MF"),
        (Self(rawValue: 0x8010), "AF-S"),
        (Self(rawValue: 0x8011), "AF-C"),
        (Self(rawValue: 0x8012), "AF-A"),
        // UNSURE: bodies with AF-F list it, and a J5 without AF-F does not.
        (Self(rawValue: 0x8013), "AF-F"),
    ]
}

/// Property 0xD161: the focus mode of D-SLR bodies (libgphoto2 config.c; 5 by the dump of a D780).
package struct NikonAutofocusMode: NamedByTable {
    package var rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The lens or the body is switched to manual focus. This value cannot be set.
    package static let fixedManual = Self(rawValue: 3)
    package static let manual = Self(rawValue: 4)

    /// Whether the focus is manual. The numbers are the same in both properties.
    package var isManual: Bool { self == .fixedManual || self == .manual }

    package static let names: [(value: Self, name: String)] = [
        (Self(rawValue: 0), "AF-S"), (Self(rawValue: 1), "AF-C"), (Self(rawValue: 2), "AF-A"),
        (fixedManual, "MF"), (manual, "MF"), (Self(rawValue: 5), "AF-A"),
    ]
}

/// Property 0xD061: the focus mode of Z bodies, and of D-SLR bodies in live view. Only 2 differs from
/// ``NikonAutofocusMode`` (libgphoto2 config.c).
package struct NikonLiveViewFocusMode: NamedByTable {
    package var rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    private static let continuous = Self(rawValue: 2)

    package static let names: [(value: Self, name: String)] = NikonAutofocusMode.names.map { mode, name in
        let mode = Self(rawValue: mode.rawValue)
        return (mode, mode == continuous ? "AF-F" : name)
    }
}

/// Property 0x5005 (libgphoto2 config.c).
package struct NikonWhiteBalance: NamedByTable {
    package var rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let names: [(value: Self, name: String)] = [
        (Self(rawValue: 0x0001), "manual"),
        (Self(rawValue: 0x0002), "auto"),
        (Self(rawValue: 0x0003), "one-push auto"),
        (Self(rawValue: 0x0004), "daylight"),
        (Self(rawValue: 0x0005), "fluorescent"),
        (Self(rawValue: 0x0006), "tungsten"),
        (Self(rawValue: 0x0007), "flash"),
        (Self(rawValue: 0x8010), "cloudy"),
        (Self(rawValue: 0x8011), "shade"),
        (Self(rawValue: 0x8012), "colour temperature"),
        (Self(rawValue: 0x8013), "preset"),
        (Self(rawValue: 0x8016), "natural light auto"),
    ]
}

/// Property 0xD10B: where the body stores pictures (libgphoto2 config.c; 2 by SnapBridge).
package struct NikonRecordingMedia: NamedByTable {
    package var rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let card = Self(rawValue: 0)
    /// The memory of the body, from which this computer reads the picture. The picture is on no card.
    package static let host = Self(rawValue: 1)
    package static let hostAndCard = Self(rawValue: 2)

    package var isHost: Bool { self == .host || self == .hostAndCard }
    package var isCard: Bool { self == .card || self == .hostAndCard }

    package static let names: [(value: Self, name: String)] = [
        (card, "card"), (host, "host"), (hostAndCard, "host and card"),
    ]
}
