import Cameras

/// The SSDP announcement and the UPnP description of a Canon body. A body announces itself only while its menu waits
/// for a connection (julianschroden.com).
package enum CanonAnnouncement {
    /// The connection for which the menu waits.
    package enum Kind: String, CaseIterable, Sendable {
        /// EOS Utility, the maker's program for computers.
        case utility
        /// The maker's app for phones.
        case smartphone
    }
}

extension CanonAnnouncement.Kind {
    /// The service that the body announces.
    var service: String {
        switch self {
        case .utility: SSDPTarget.canonUtility.rawValue
        case .smartphone: SSDPTarget.canonSmartphone.rawValue
        }
    }
}

extension SSDPAnnouncement {
    package static func canon(_ model: CanonModel, at location: DescriptionURL) -> Self {
        SSDPAnnouncement(
            udn: model.udn,
            location: location,
            targets: ["upnp:rootdevice", model.udn, CanonDescription.deviceType, model.discoveryKind.service],
            server: "Camera OS/1.0 UPnP/1.0 Canon Device Discovery/1.0"
        )
    }
}

extension CanonModel {
    /// The name of the device: fixed digits and the MAC address.
    var udn: String { "uuid:00000000-0000-0000-0001-\(macAddress.map(\.twoDigits).joined())" }
}

/// The UPnP description of a Canon body: one file of XML. No source has a whole file, so only the types of the services
/// are those of a real body.
package struct CanonDescription: Sendable {
    /// The path of the file (julianschroden.com, EOS 70D).
    package static let path = "/upnp/CameraDevDesc.xml"
    static let deviceType = "urn:schemas-upnp-org:device:Basic:1"

    private let model: CanonModel

    package init(_ model: CanonModel) { self.model = model }

    package var files: ServedFiles { ServedFiles([(path: Self.path, text: document)]) }

    /// The text of the file.
    package var document: String {
        let service = model.discoveryKind.service
        let identifier = service.replacing(":service:", with: ":serviceId:").dropLast(2)
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <root xmlns="urn:schemas-upnp-org:device-1-0">
              <specVersion><major>1</major><minor>0</minor></specVersion>
              <device>
                <deviceType>\(Self.deviceType)</deviceType>
                <friendlyName>\(model.name)</friendlyName>
                <manufacturer>Canon Inc.</manufacturer>
                <modelDescription>Canon Digital Camera</modelDescription>
                <modelName>\(model.name)</modelName>
                <UDN>\(model.udn)</UDN>
                <serviceList>
                  <service>
                    <serviceType>\(service)</serviceType>
                    <serviceId>\(identifier)</serviceId>
                    <SCPDURL>/upnp/CameraSvcDesc.xml</SCPDURL>
                    <controlURL>/upnp/control</controlURL>
                    <eventSubURL></eventSubURL>
                  </service>
                </serviceList>
              </device>
            </root>

            """
    }
}
