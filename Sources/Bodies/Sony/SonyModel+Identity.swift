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
        model.macAddress = BodyOptions.macAddress(macAddress, of: serial)
        return model
    }

    /// The same body with hostile names. Its file names are paths that lead out of the folder.
    package var withHostileNames: SonyModel {
        var model = self
        model.name += BodyOptions.hostileText
        model.firmware += BodyOptions.hostileText
        model.serialNumber += BodyOptions.hostileText
        model.maker += BodyOptions.hostileText
        model.filePrefix = "../../../.DSC"
        model.fileSuffix = BodyOptions.hostileText
        return model
    }

    /// The MAC address as 12 hexadecimal digits.
    var macDigits: String { macAddress.map(\.twoDigits).joined() }

    /// The MAC address with colons.
    var macText: String { macAddress.map(\.twoDigits).joined(separator: ":") }
}
