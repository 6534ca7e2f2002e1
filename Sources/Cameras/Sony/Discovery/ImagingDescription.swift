import NIOCore

/// The second description of a Sony body with PTP/IP, `DigitalImagingDesc.xml` (Camera Control PTP 3, p.41).
package struct ImagingDescription: Equatable, Sendable {
    /// `ILCE-1`. Empty: not told.
    package var model = ""
    /// Empty: not told.
    package var firmware = ""
    /// The address of the body's radio, `01:23:45:67:89:ab`; nil: not told.
    package var mac: String?
    /// Whether a computer must be paired with the body before it may connect; nil: not told.
    package var needsPairing: Bool?
    /// Whether the body is reached through a tunnel of SSH only, which we do not do.
    package var needsSSH = false
    /// Whether it speaks PTP/IP at all; nil: not told.
    package var supportsPTP: Bool?
    /// Whether it may be controlled from afar; nil: not told.
    package var supportsRemoteControl: Bool?

    package init() {}

    /// Reads a description.
    package static func read(_ document: ByteBuffer) throws(DescriptionFault) -> ImagingDescription {
        let root = try DescriptionReader.read(document)
        let name = "X_DigitalImagingDeviceInfo"
        // Sony's document shows neither what stands around it, nor whether X_ConnectionInfo is in it: each is looked
        // for by its own name.
        guard root.name == name || !root.descendants(named: name).isEmpty else {
            throw DescriptionFault(line: 1, reason: "this does not describe a camera, <\(name)> is missing")
        }
        func first(_ name: String) -> DescriptionElement? { root.descendants(named: name).first }
        func text(_ name: String) -> String? { first(name)?.text }

        var description = ImagingDescription()
        description.model = DeviceDescription.shown(first("X_ModelName"))
        description.firmware = DeviceDescription.shown(first("X_FirmwareVersion"))
        description.mac = text("X_MacAddress").flatMap(UDN.mac)
        // How its contrary is spelled differs within Sony's document (Necessary, Enable), so anything else needs it.
        description.needsPairing = text("X_PTP_PairingNecessity").map { $0.lowercased() != "unnecessary" }
        description.needsSSH = text("X_SSH_Support").map(isEnabled) ?? false
        description.supportsPTP = supportsPTP(
            serverVersion: text("X_ServerVersion"),
            versions: text("X_PTP_Versions")
        )
        description.supportsRemoteControl = text("X_PTP_RemoteControlSupport").map(isEnabled)
        return description
    }

    private static func isEnabled(_ text: String) -> Bool { text.lowercased() == "enable" }

    /// PTP/IP came with version 3.00 of the server (rocc); bodies that list its versions have it anyway.
    private static func supportsPTP(serverVersion: String?, versions: String?) -> Bool? {
        if let versions, !versions.isEmpty { return true }
        guard let major = serverVersion?.prefix(while: { $0 != "." }), let number = UInt16(major) else { return nil }
        return number >= 3
    }
}
