import PTP

/// Property 0x5005 (PTP 3 p.174).
package struct SonyWhiteBalance: NamedByTable {
    package var rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let names: [(value: Self, name: String)] = [
        (Self(rawValue: 0x0001), "manual"),
        (Self(rawValue: 0x0002), "auto"),
        (Self(rawValue: 0x0003), "one-push auto"),
        (Self(rawValue: 0x0004), "daylight"),
        (Self(rawValue: 0x0005), "fluorescent"),
        (Self(rawValue: 0x0006), "incandescent"),
        (Self(rawValue: 0x0007), "flash"),
        (Self(rawValue: 0x8001), "fluorescent -1"),
        (Self(rawValue: 0x8002), "fluorescent 0"),
        (Self(rawValue: 0x8003), "fluorescent +1"),
        (Self(rawValue: 0x8004), "fluorescent +2"),
        (Self(rawValue: 0x8010), "cloudy"),
        (Self(rawValue: 0x8011), "shade"),
        (Self(rawValue: 0x8012), "colour temperature"),
        (Self(rawValue: 0x8020), "custom 1"),
        (Self(rawValue: 0x8021), "custom 2"),
        (Self(rawValue: 0x8022), "custom 3"),
        (Self(rawValue: 0x8023), "custom"),
        (Self(rawValue: 0x8030), "underwater"),
    ]
}
