import PTP

// The values of aperture, ISO and exposure compensation. All of them count 8 per stop, like `CanonShutterSpeed`.

/// Property 0xD101 (libgphoto2 config.c). The f-number is the square root of 2 to the power of (value − 8) / 8.
package struct CanonAperture: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// `f/2.8`; nil: the body chooses the aperture, or the lens reports none (0, 0xB0, 0xFF, 0xFFFF).
    package var text: String? {
        if Self.without.contains(rawValue) { return nil }
        return Self.labels.first { $0.raw == rawValue }.map { "f/\($0.label)" } ?? rawValue.hexadecimal
    }

    private static let without: [UInt32] = [0x00, 0xB0, 0xFF, 0xFFFF]

    /// Each value and its number. Some halves have the number of a third.
    package static let labels: [(raw: UInt32, label: String)] = [
        (0x08, "1"), (0x0B, "1.1"), (0x0C, "1.2"), (0x0D, "1.2"), (0x10, "1.4"), (0x13, "1.6"), (0x14, "1.8"),
        (0x15, "1.8"), (0x18, "2"), (0x1B, "2.2"), (0x1C, "2.5"), (0x1D, "2.5"), (0x20, "2.8"), (0x23, "3.2"),
        (0x24, "3.5"), (0x25, "3.5"), (0x28, "4"), (0x2B, "4.5"), (0x2C, "4.5"), (0x2D, "5"), (0x30, "5.6"),
        (0x33, "6.3"), (0x34, "6.7"), (0x35, "7.1"), (0x38, "8"), (0x3B, "9"), (0x3C, "9.5"), (0x3D, "10"),
        (0x40, "11"), (0x43, "13"), (0x44, "13"), (0x45, "14"), (0x48, "16"), (0x4B, "18"), (0x4C, "19"),
        (0x4D, "20"), (0x50, "22"), (0x53, "25"), (0x54, "27"), (0x55, "29"), (0x58, "32"), (0x5B, "36"),
        (0x5C, "38"), (0x5D, "40"), (0x60, "45"), (0x63, "51"), (0x64, "54"), (0x65, "57"), (0x68, "64"),
        (0x6B, "72"), (0x6C, "76"), (0x6D, "81"), (0x70, "91"),
    ]
}

/// Property 0xD103 (libgphoto2 config.c). 0x48 is ISO 100.
package struct CanonISO: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Whether the body chooses the ISO. The EOS M family uses 1.
    package var isAuto: Bool { rawValue <= 1 }

    /// `Auto`, `100`. A value without a number is in hexadecimal.
    package var text: String {
        if isAuto { return "Auto" }
        return Self.labels.first { $0.raw == rawValue }.map { "\($0.number)" } ?? rawValue.hexadecimal
    }

    /// Each value and its number.
    package static let labels: [(raw: UInt32, number: Int)] = [
        (0x28, 6), (0x30, 12), (0x38, 25), (0x40, 50), (0x43, 64), (0x45, 80), (0x48, 100), (0x4B, 125), (0x4D, 160),
        (0x50, 200), (0x53, 250), (0x55, 320), (0x58, 400), (0x5B, 500), (0x5D, 640), (0x60, 800), (0x63, 1000),
        (0x65, 1250), (0x68, 1600), (0x6B, 2000), (0x6D, 2500), (0x70, 3200), (0x73, 4000), (0x75, 5000),
        (0x78, 6400), (0x7B, 8000), (0x7D, 10000), (0x80, 12800), (0x83, 16000), (0x85, 20000), (0x88, 25600),
        (0x8B, 32000), (0x8D, 40000), (0x90, 51200), (0x93, 64000), (0x95, 80000), (0x98, 102_400), (0xA0, 204_800),
        (0xA8, 409_600), (0xB0, 819_200),
    ]
}

/// Property 0xD104: a signed byte in eighths of a stop. 3 and 5 are the thirds, 4 is the half.
package struct CanonExposureCompensation: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// `+0.3`, `0`, `-1.7`. The event list extends the byte with zeros; a body may extend it with its sign.
    package var text: String {
        let eighths = Int(Int8(truncatingIfNeeded: rawValue))
        guard let tenths = Self.tenths[eighths.magnitude % 8] else { return rawValue.hexadecimal }
        return eighths == 0 ? "0" : "\(eighths < 0 ? "-" : "+")\(eighths.magnitude / 8).\(tenths)"
    }

    /// The first decimal of each number of eighths.
    private static let tenths: [UInt: Int] = [0: 0, 3: 3, 4: 5, 5: 7]
}
