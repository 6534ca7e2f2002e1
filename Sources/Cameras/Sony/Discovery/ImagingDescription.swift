import NIOCore

/// The second description of a Sony body with PTP/IP, `DigitalImagingDesc.xml` (Camera Control PTP 3, p.41).
package struct ImagingDescription: Equatable, Sendable {
    /// `ILCE-1`. Empty: not given.
    package var model = ""
    /// Empty: not given.
    package var firmware = ""
    /// The address of the body's radio, `01:23:45:67:89:ab`; nil: not given.
    package var mac: String?
    /// Whether a computer must be paired with the body before it may connect; nil: not given.
    package var needsPairing: Bool?
    /// Whether the body accepts only a tunnel of SSH, which bracketd does not support.
    package var needsSSH = false
    /// Whether it supports PTP/IP; nil: not given.
    package var supportsPTP: Bool?
    /// Whether it allows remote control; nil: not given.
    package var supportsRemoteControl: Bool?

    package init() {}

    package static func read(_ document: ByteBuffer) throws(DescriptionFault) -> ImagingDescription {
        let root = try DescriptionReader.read(document)
        let name = "X_DigitalImagingDeviceInfo"
        // Sony's document shows neither the outer elements, nor whether they contain X_ConnectionInfo: each is searched
        // by its own name.
        guard root.name == name || !root.descendants(named: name).isEmpty else {
            throw DescriptionFault(line: 1, reason: "this does not describe a camera, <\(name)> is missing")
        }
        func first(_ name: String) -> DescriptionElement? { root.descendants(named: name).first }
        func text(_ name: String) -> String? { first(name)?.text }

        var description = ImagingDescription()
        description.model = DeviceDescription.shown(first("X_ModelName"))
        description.firmware = DeviceDescription.shown(first("X_FirmwareVersion"))
        description.mac = text("X_MacAddress").flatMap(UDN.mac)
        // Sony's document spells the opposite in two ways (Necessary, Enable), so any other value counts as needed.
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

    /// PTP/IP came with version 3.00 of the server (rocc). Bodies that list its versions support it in any case.
    private static func supportsPTP(serverVersion: String?, versions: String?) -> Bool? {
        if let versions, !versions.isEmpty { return true }
        guard let major = serverVersion?.prefix(while: { $0 != "." }), let number = UInt16(major) else { return nil }
        return number >= 3
    }
}
