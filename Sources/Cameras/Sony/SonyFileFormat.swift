import PTP

/// Property 0xD253: the files of a picture (PTP 3 p.482).
package struct SonyFileFormat: NamedByTable {
    /// The number on the wire.
    package var rawValue: UInt8

    /// Accepts any number that a body may send.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Only a RAW file.
    package static let raw = Self(rawValue: 1)
    package static let rawAndJPEG = Self(rawValue: 2)
    /// Only a JPEG.
    package static let jpeg = Self(rawValue: 3)
    package static let rawAndHEIF = Self(rawValue: 4)
    /// Only a HEIF.
    package static let heif = Self(rawValue: 5)

    package static let names: [(value: Self, name: String)] = [
        (raw, "RAW"), (rawAndJPEG, "RAW+JPEG"), (jpeg, "JPEG"), (rawAndHEIF, "RAW+HEIF"), (heif, "HEIF"),
    ]

    /// The files of a picture; nil: the number is not documented.
    var kinds: Set<PictureInfo.Kind>? {
        switch self {
        case .raw: [.raw]
        case .rawAndJPEG: [.raw, .jpeg]
        case .jpeg: [.jpeg]
        case .rawAndHEIF: [.raw, .heif]
        case .heif: [.heif]
        default: nil
        }
    }

    /// Whether the JPEG quality (0xD252) applies.
    package var hasJPEG: Bool { self == .rawAndJPEG || self == .jpeg }
}

/// Property 0xD252: the compression of a JPEG (PTP 3 p.481).
package struct SonyJPEGQuality: NamedByTable {
    /// The number on the wire.
    package var rawValue: UInt8

    /// Accepts any number that a body may send.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The largest files.
    package static let extraFine = Self(rawValue: 1)
    /// The usual choice.
    package static let fine = Self(rawValue: 2)
    /// Smaller files.
    package static let standard = Self(rawValue: 3)
    /// The smallest files.
    package static let light = Self(rawValue: 4)

    package static let names: [(value: Self, name: String)] = [
        (extraFine, "extra fine"), (fine, "fine"), (standard, "standard"), (light, "light"),
    ]
}

/// Property 0x5004 of version 2 bodies: file format and JPEG quality in one number. Property dumps of an ILCE-6400, an
/// ILCE-7M4 and an ILCE-6700 contain all numbers (LGD sony-a6400, -a7m4, -a6700; names in LG `config.c`).
package struct SonyCompression: NamedNumber {
    /// The number on the wire.
    package var rawValue: UInt8

    /// Accepts any number that a body may send.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The number for a format with a quality. The quality is ignored for RAW alone. nil: HEIF has no number.
    package init?(_ format: SonyFileFormat, _ quality: SonyJPEGQuality) {
        let match = Self.all.first { $0.format == format && (!format.hasJPEG || $0.quality == quality) }
        guard let match else { return nil }
        self = match
    }

    /// Every number of the dumps, in the order of an ILCE-7M4.
    package static let all = [0x10, 0x14, 0x13, 0x12, 0x11, 4, 3, 2, 1].map(Self.init(rawValue:))

    private static let raw: UInt8 = 0x10
    /// The qualities by the low four bits. 0 means RAW without a JPEG.
    private static let qualities: [UInt8: SonyJPEGQuality] = [1: .light, 2: .standard, 3: .fine, 4: .extraFine]

    /// The files of a picture; nil: no dump contains the number.
    package var format: SonyFileFormat? {
        if rawValue == Self.raw { return .raw }
        guard quality != nil else { return nil }
        return rawValue & Self.raw == 0 ? .jpeg : .rawAndJPEG
    }

    /// The quality of the JPEG; nil: the picture has no JPEG.
    package var quality: SonyJPEGQuality? {
        guard rawValue & ~(Self.raw | 0x0F) == 0 else { return nil }
        return Self.qualities[rawValue & 0x0F]
    }

    /// A short text in the terms of version 3: `RAW+JPEG fine`.
    package var description: String {
        guard let format else { return rawValue.hexadecimal }
        return quality.map { "\(format) \($0)" } ?? format.description
    }
}
