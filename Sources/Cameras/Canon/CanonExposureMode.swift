import PTP

/// Property 0xD105: the position of the mode dial (libgphoto2 config.c).
package struct CanonExposureMode: NamedByTable {
    package var rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let program = Self(rawValue: 0x00)
    /// Canon's Tv: shutter priority.
    package static let timeValue = Self(rawValue: 0x01)
    /// Canon's Av: aperture priority.
    package static let apertureValue = Self(rawValue: 0x02)
    package static let manual = Self(rawValue: 0x03)

    /// The value for the core. A custom mode (C1 to C3) can contain M, but the body does not report that.
    package var exposureMode: ExposureMode {
        switch self {
        case .manual: .manual
        case .program: .program
        case .apertureValue: .aperturePriority
        case .timeValue: .shutterPriority
        default: .other(description)
        }
    }

    package static let names: [(value: Self, name: String)] = [
        (program, "P"),
        (timeValue, "Tv"),
        (apertureValue, "Av"),
        (manual, "M"),
        (Self(rawValue: 0x04), "Bulb"),
        (Self(rawValue: 0x05), "A-DEP"),
        (Self(rawValue: 0x06), "DEP"),
        (Self(rawValue: 0x07), "C1"),
        (Self(rawValue: 0x08), "Lock"),
        (Self(rawValue: 0x09), "Green"),
        (Self(rawValue: 0x0A), "Night Portrait"),
        (Self(rawValue: 0x0B), "Sports"),
        (Self(rawValue: 0x0C), "Portrait"),
        (Self(rawValue: 0x0D), "Landscape"),
        (Self(rawValue: 0x0E), "Close-up"),
        (Self(rawValue: 0x0F), "Flash Off"),
        (Self(rawValue: 0x10), "C2"),
        (Self(rawValue: 0x11), "C3"),
        (Self(rawValue: 0x13), "Creative Auto"),
        (Self(rawValue: 0x14), "Movie"),
        (Self(rawValue: 0x16), "Auto"),
        (Self(rawValue: 0x17), "Handheld Night Scene"),
        (Self(rawValue: 0x18), "HDR Backlight Control"),
        (Self(rawValue: 0x19), "SCN"),
        (Self(rawValue: 0x1B), "Food"),
        (Self(rawValue: 0x1E), "Grainy B/W"),
        (Self(rawValue: 0x1F), "Soft focus"),
        (Self(rawValue: 0x20), "Toy camera effect"),
        (Self(rawValue: 0x21), "Fish-eye effect"),
        (Self(rawValue: 0x22), "Water painting effect"),
        (Self(rawValue: 0x23), "Miniature effect"),
        (Self(rawValue: 0x24), "HDR art standard"),
        (Self(rawValue: 0x25), "HDR art vivid"),
        (Self(rawValue: 0x26), "HDR art bold"),
        (Self(rawValue: 0x27), "HDR art embossed"),
        (Self(rawValue: 0x2D), "Panning"),
        (Self(rawValue: 0x31), "HDR"),
        (Self(rawValue: 0x32), "Self Portrait"),
        (Self(rawValue: 0x33), "Hybrid Auto"),
        (Self(rawValue: 0x34), "Smooth skin"),
        (Self(rawValue: 0x37), "Fv"),
    ]
}
