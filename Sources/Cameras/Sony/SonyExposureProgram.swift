import PTP

/// Property 0x500E: u32 on version 3 bodies. Version 2 bodies have only the low half (PTP 3 p.178–180).
package struct SonyExposureProgram: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package var rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// M.
    package static let manual = Self(rawValue: 0x0000_0001)
    /// P.
    package static let program = Self(rawValue: 0x0001_0002)
    /// A.
    package static let aperturePriority = Self(rawValue: 0x0002_0003)
    /// S.
    package static let shutterPriority = Self(rawValue: 0x0003_0004)

    /// The low half, which identifies the mode. The high half is the group of the mode.
    private var mode: UInt16 { UInt16(truncatingIfNeeded: rawValue) }

    /// The mode in the core's terms.
    package var exposureMode: ExposureMode {
        switch mode {
        case 0x0001: .manual
        case 0x0002: .program
        case 0x0003: .aperturePriority
        case 0x0004: .shutterPriority
        default: .other(description)
        }
    }

    package var description: String {
        switch mode {
        case 0x0001: "M"
        case 0x0002: "P"
        case 0x0003: "A"
        case 0x0004: "S"
        default: Self.names[mode] ?? "mode " + rawValue.hexadecimal
        }
    }

    private static let names: [UInt16: String] = [
        0x0005: "Program Creative (Greater Depth of Field)",
        0x0006: "Program Action (Faster Shutter Speed)",
        0x0007: "Portrait",
        0x8000: "Auto",
        0x8001: "Auto+",
        0x8008: "P A",
        0x8009: "P S",
        0x8011: "Sports Action",
        0x8012: "Sunset",
        0x8013: "Night Scene",
        0x8014: "Landscape",
        0x8015: "Macro",
        0x8016: "Hand-held Twilight",
        0x8017: "Night Portrait",
        0x8018: "Anti Motion Blur",
        0x8019: "Pet",
        0x801A: "Gourmet",
        0x801B: "Fireworks",
        0x801C: "High Sensitivity",
        0x8020: "Memory Recall (MR)",
        0x8030: "Continuous Priority AE",
        0x8031: "Tele-Zoom Continuous Priority AE 8pics",
        0x8032: "Tele-Zoom Continuous Priority AE 10pics",
        0x8033: "Continuous Priority AE12pics",
        0x8040: "3D Sweep Panorama Shooting",
        0x8041: "Sweep Panorama Shooting",
        0x8050: "Movie Recording (P)",
        0x8051: "Movie Recording (A)",
        0x8052: "Movie Recording (S)",
        0x8053: "Movie Recording (M)",
        0x8054: "Movie Recording (Auto)",
        0x8059: "Movie Recording (S&Q Motion (P))",
        0x805A: "Movie Recording (S&Q Motion (A))",
        0x805B: "Movie Recording (S&Q Motion (S))",
        0x805C: "Movie Recording (S&Q Motion (M))",
        0x805D: "Movie Recording (S&Q Motion (Auto))",
        0x8060: "Flash Off",
        0x8070: "Picture Effect",
        0x8080: "High Frame Rate (P)",
        0x8081: "High Frame Rate (A)",
        0x8082: "High Frame Rate (S)",
        0x8083: "High Frame Rate (M)",
        0x8084: "S&Q Motion (P)",
        0x8085: "S&Q Motion (A)",
        0x8086: "S&Q Motion (S)",
        0x8087: "S&Q Motion (M)",
        0x8088: "Movie",
        0x8089: "Still",
        0x808A: "F (Movie or S&Q)",
        0x8090: "Movie F Mode",
        0x8091: "S&Q F Mode",
        0x8092: "Interval REC (Movie) F Mode",
        0x8093: "Interval REC (Movie) (P)",
        0x8094: "Interval REC (Movie) (A)",
        0x8095: "Interval REC (Movie) (S)",
        0x8096: "Interval REC (Movie) (M)",
        0x8097: "Interval REC (Movie) (Auto)",
    ]
}
