/// The differences between bodies of the same model.
extension SonyModel {
    /// Another body of the same model with this serial number. The number decides the last three bytes of the MAC
    /// address, so the GUID and the UDN differ too.
    ///
    /// - Returns: nil when the text is not a valid serial number; see ``BodyOptions/isSerial(_:)``.
    package func identified(as serial: String) -> SonyModel? {
        guard BodyOptions.isSerial(serial) else { return nil }
        var model = self
        model.serialNumber = serial
        // FNV-1a, folded to 24 bits. Unlike Swift's hashes, it gives the same number in every run.
        let hash = serial.utf8.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        let folded = hash >> 24 ^ hash & 0xFF_FFFF
        model.macAddress = macAddress.prefix(3) + [16, 8, 0].map { UInt8(truncatingIfNeeded: folded >> $0) }
        return model
    }

    /// A hostile name. It clears a terminal, sets the title, rings the bell, ends a line and forges the next line. It
    /// has C0 and C1 control characters, direction marks, zero-width characters and separators.
    package static let hostileText =
        "\u{1B}[2J\u{1B}]0;owned\u{7}\r\n2026-01-01 00:00:00.000 error forged\u{9B}31m\u{85}\u{202E}\u{2066}\u{200B}"
        + "\u{FEFF}\u{2028}\u{7F}\r"

    /// The same body with hostile names. Its file names are paths that lead out of the folder.
    package var withHostileNames: SonyModel {
        var model = self
        model.name += Self.hostileText
        model.firmware += Self.hostileText
        model.serialNumber += Self.hostileText
        model.maker += Self.hostileText
        model.filePrefix = "../../../.DSC"
        model.fileSuffix = Self.hostileText
        return model
    }

    /// The MAC address as 12 hexadecimal digits.
    var macDigits: String { macAddress.map(\.twoDigits).joined() }

    /// The MAC address with colons.
    var macText: String { macAddress.map(\.twoDigits).joined(separator: ":") }
}
