/// The differences between bodies of the same model.
extension SonyModel: BodyIdentity {
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
