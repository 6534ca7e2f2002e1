import PTP

/// Property 0x5013: u32 on version 3 bodies. Version 2 bodies have only the low half (PTP 3 p.181–186).
///
/// The high half is the group of the mode, and the low half identifies the mode. The low half of a bracket is `8nsk` in
/// hexadecimal: n pictures, with s and k together as the step. A bracket of two pictures is `C2sk`, with 8 added to k
/// if the second picture is the darker one.
package struct SonyDriveMode: NamedNumber {
    package var rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// One picture per press.
    package static let single = Self(rawValue: 0x0000_0001)

    /// A short text for messages; a number if the value is not documented.
    package var description: String {
        known?.name ?? (rawValue > 0xFFFF ? rawValue.hexadecimal : UInt16(rawValue).hexadecimal)
    }

    package var kind: DriveKind { known?.kind ?? .other }

    /// Every mode of the document, in the form of version 3 bodies.
    package static let all: [SonyDriveMode] =
        names.map { SonyDriveMode(rawValue: $0.raw) } + brackets.map { SonyDriveMode(rawValue: $0.raw) }

    /// The documented mode; nil: the value is not documented.
    private var known: Named? {
        guard let mode = Self.modesByLowHalf[UInt16(truncatingIfNeeded: rawValue)],
            rawValue <= 0xFFFF || rawValue == mode.raw
        else { return nil }
        return mode
    }

    private typealias Named = (raw: UInt32, name: String, kind: DriveKind)

    private static let modesByLowHalf = Dictionary(
        (names + brackets).map { (UInt16(truncatingIfNeeded: $0.raw), $0) },
        uniquingKeysWith: { first, _ in first }
    )

    private static let names: [Named] = [
        (0x0000_0001, "single", .single),
        (0x0001_0002, "continuous hi", .continuous),
        (0x0001_8010, "continuous hi+", .continuous),
        (0x0001_8011, "continuous hi-live", .continuous),
        (0x0001_8012, "continuous lo", .continuous),
        (0x0001_8013, "continuous", .continuous),
        (0x0001_8014, "continuous speed priority", .continuous),
        (0x0001_8015, "continuous mid", .continuous),
        (0x0001_8016, "continuous mid-live", .continuous),
        (0x0001_8017, "continuous lo-live", .continuous),
        (0x0002_0003, "time-lapse", .timeLapse),
        (0x0003_8003, "self-timer 5 s", .selfTimer),
        (0x0003_8004, "self-timer 10 s", .selfTimer),
        (0x0003_8005, "self-timer 2 s", .selfTimer),
        (0x0006_8018, "bracket white balance lo", .bracket),
        (0x0006_8028, "bracket white balance hi", .bracket),
        (0x0007_8019, "bracket DRO lo", .bracket),
        (0x0007_8029, "bracket DRO hi", .bracket),
        (0x0007_801A, "bracket LPF", .bracket),
        (0x0007_800A, "remote commander", .other),
        (0x0007_800B, "mirror up", .mirrorUp),
        (0x0007_8006, "self-portrait 1 person", .selfTimer),
        (0x0007_8007, "self-portrait 2 people", .selfTimer),
        (0x0008_8008, "self-timer 3 pictures", .selfTimer),
        (0x0008_8009, "self-timer 5 pictures", .selfTimer),
        (0x0008_800C, "self-timer 5 s 3 pictures", .selfTimer),
        (0x0008_800D, "self-timer 5 s 5 pictures", .selfTimer),
        (0x0008_800E, "self-timer 2 s 3 pictures", .selfTimer),
        (0x0008_800F, "self-timer 2 s 5 pictures", .selfTimer),
        (0x0009_8030, "spot burst lo", .continuous),
        (0x0009_8031, "spot burst mid", .continuous),
        (0x0009_8032, "spot burst hi", .continuous),
        (0x000A_8040, "bracket focus", .bracket),
    ]

    /// A step of a bracket: its name, its s, and its part of the digit k.
    private static let steps: [(name: String, s: UInt32, k: UInt32)] = [
        ("0.3", 3, 6), ("0.5", 5, 6), ("0.7", 7, 6), ("1.0", 1, 0), ("1.3", 4, 0), ("1.5", 6, 0), ("1.7", 8, 0),
        ("2.0", 2, 0), ("2.3", 5, 0), ("2.5", 7, 0), ("2.7", 9, 0), ("3.0", 3, 0),
    ]

    /// A number of pictures in a bracket: its part of the low half, and its name.
    private static let counts: [(part: UInt32, name: String)] = [
        (0xC200, "2+"), (0xC208, "2-"), (0x8300, "3"), (0x8500, "5"), (0x8700, "7"), (0x8900, "9"),
    ]

    private static let brackets: [Named] = [("continuous", 0x0004_0001), ("single", 0x0005_0000)]
        .flatMap { (kind: String, group: UInt32) in
            steps.flatMap { step in
                let base = group | step.s << 4 | step.k
                let name = "bracket \(kind) \(step.name) EV"
                return counts.map { count in
                    (raw: base | count.part, name: "\(name) \(count.name)", kind: DriveKind.bracket)
                }
            }
        }
}
