import PTP

/// Property 0x500E: the position of the mode dial.
///
/// libgphoto2 names 0x8016 "Night Landscape" and 0x8018 "Automatic (No Flash)". The lists of real bodies show other
/// meanings: 0x8016 is listed by bodies whose dial has "flash off" (D5600, D3500), 0x8018 by those with SCENE (D5600,
/// D750), and 0x8019 by those with EFFECTS (D780, D3500).
package struct NikonExposureMode: NamedByTable {
    package var rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let manual = Self(rawValue: 1)
    package static let program = Self(rawValue: 2)
    package static let aperturePriority = Self(rawValue: 3)
    package static let shutterPriority = Self(rawValue: 4)

    /// The value for the core. A user setting (U1 to U3) can contain M, but the body does not report that.
    package var exposureMode: ExposureMode {
        switch self {
        case .manual: .manual
        case .program: .program
        case .aperturePriority: .aperturePriority
        case .shutterPriority: .shutterPriority
        default: .other(description)
        }
    }

    package static let names: [(value: Self, name: String)] = [
        (manual, "M"),
        (program, "P"),
        (aperturePriority, "A"),
        (shutterPriority, "S"),
        (Self(rawValue: 0x8010), "Auto"),
        (Self(rawValue: 0x8011), "Portrait"),
        (Self(rawValue: 0x8012), "Landscape"),
        (Self(rawValue: 0x8013), "Close-up"),
        (Self(rawValue: 0x8014), "Sports"),
        (Self(rawValue: 0x8015), "Night Portrait"),
        (Self(rawValue: 0x8016), "Flash Off"),
        (Self(rawValue: 0x8017), "Child"),
        (Self(rawValue: 0x8018), "Scene"),
        (Self(rawValue: 0x8019), "Effects"),
        (Self(rawValue: 0x8050), "U1"),
        (Self(rawValue: 0x8051), "U2"),
        (Self(rawValue: 0x8052), "U3"),
    ]
}
