/// A row of a table of bodies: what `camerasim` shows of a model, and what differs between bodies of the same model.
package protocol BodyIdentity: Sendable {
    /// The name on the command line.
    var shortName: String { get }
    /// The name that the body reports.
    var name: String { get }
    /// The special features of the model, in one line.
    var summary: String { get }
    /// The quirks of the model, one sentence each.
    var quirks: [String] { get }
    /// The time from the end of the exposure until the file is ready, as on real bodies of the model.
    var fileDelay: Duration { get }
    var serialNumber: String { get set }
    var macAddress: [UInt8] { get set }
    /// The same body with hostile names. Its file names are paths that lead out of the folder.
    var withHostileNames: Self { get }
}

extension BodyIdentity {
    /// Another body of the same model with this serial number. The number decides the last three bytes of the MAC
    /// address, so everything that depends on the address differs too.
    ///
    /// - Returns: nil when the text is not a valid serial number; see ``BodyOptions/isSerial(_:)``.
    package func identified(as serial: String) -> Self? {
        guard BodyOptions.isSerial(serial) else { return nil }
        var model = self
        model.serialNumber = serial
        model.macAddress = BodyOptions.macAddress(macAddress, of: serial)
        return model
    }

    /// The model in the table of its maker, with the function that makes a body.
    func bodyModel<Body: PTPBody>(
        version: Int = 1,
        _ make: @escaping @Sendable (Self, BodyOptions) -> Body
    ) -> BodyModel {
        var row = BodyModel(shortName: shortName, name: name, version: version, summary: summary) { options in
            PTPIPBody(make(changed(by: options), options), options: options)
        }
        row.quirks = quirks
        row.fileDelay = fileDelay
        return row
    }

    /// The body with the serial number and the names of these options.
    func changed(by options: BodyOptions) -> Self {
        let model = options.serial.flatMap(identified) ?? self
        return options.hasHostileNames ? model.withHostileNames : model
    }
}
