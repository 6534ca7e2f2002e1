import PTP

/// Property 0x5005 (PTP 3 p.174).
package struct SonyWhiteBalance: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package var rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// A short text for messages; a number for undocumented values.
    package var description: String {
        Self.names.first { $0.raw == rawValue }?.name ?? rawValue.hexadecimal
    }

    /// Every value of the document.
    package static let all: [SonyWhiteBalance] = names.map { SonyWhiteBalance(rawValue: $0.raw) }

    private static let names: [(raw: UInt16, name: String)] = [
        (0x0001, "manual"),
        (0x0002, "auto"),
        (0x0003, "one-push auto"),
        (0x0004, "daylight"),
        (0x0005, "fluorescent"),
        (0x0006, "incandescent"),
        (0x0007, "flash"),
        (0x8001, "fluorescent -1"),
        (0x8002, "fluorescent 0"),
        (0x8003, "fluorescent +1"),
        (0x8004, "fluorescent +2"),
        (0x8010, "cloudy"),
        (0x8011, "shade"),
        (0x8012, "colour temperature"),
        (0x8020, "custom 1"),
        (0x8021, "custom 2"),
        (0x8022, "custom 3"),
        (0x8023, "custom"),
        (0x8030, "underwater"),
    ]
}
