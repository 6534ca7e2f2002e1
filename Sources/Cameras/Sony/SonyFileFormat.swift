import PTP

/// Property 0xD253: which files a picture becomes (PTP 3 p.482).
package struct SonyFileFormat: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The number on the wire.
    package var rawValue: UInt8

    /// Any number that the wire may bring.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The sensor's data.
    package static let raw = Self(rawValue: 1)
    /// Both, with one number.
    package static let rawAndJPEG = Self(rawValue: 2)
    /// A JPEG alone.
    package static let jpeg = Self(rawValue: 3)
    /// Both, with one number.
    package static let rawAndHEIF = Self(rawValue: 4)
    /// A HEIF alone.
    package static let heif = Self(rawValue: 5)

    /// Every value of the document.
    package static let all = [raw, rawAndJPEG, jpeg, rawAndHEIF, heif]

    /// Whether the JPEG quality 0xD252 matters.
    package var hasJPEG: Bool { self == .rawAndJPEG || self == .jpeg }

    /// For people, in a few words.
    package var description: String {
        switch self {
        case .raw: "RAW"
        case .rawAndJPEG: "RAW+JPEG"
        case .jpeg: "JPEG"
        case .rawAndHEIF: "RAW+HEIF"
        case .heif: "HEIF"
        default: rawValue.hexadecimal
        }
    }
}

/// Property 0xD252: how strongly a JPEG is compressed (PTP 3 p.481).
package struct SonyJPEGQuality: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The number on the wire.
    package var rawValue: UInt8

    /// Any number that the wire may bring.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The largest files.
    package static let extraFine = Self(rawValue: 1)
    /// The usual choice.
    package static let fine = Self(rawValue: 2)
    /// Smaller.
    package static let standard = Self(rawValue: 3)
    /// The smallest files.
    package static let light = Self(rawValue: 4)

    /// Every value of the document.
    package static let all = [extraFine, fine, standard, light]

    /// For people, in a few words.
    package var description: String {
        switch self {
        case .extraFine: "extra fine"
        case .fine: "fine"
        case .standard: "standard"
        case .light: "light"
        default: rawValue.hexadecimal
        }
    }
}
