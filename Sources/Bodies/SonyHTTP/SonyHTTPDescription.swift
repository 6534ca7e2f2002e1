import Cameras

/// The UPnP description of a body with Sony's HTTP API: the file of an HX400V (sony_camera_api) with the services of
/// Sony's development guide.
///
/// Foreign clients want at least two UPnP services and the element of the imaging device. The type of a service comes
/// directly before its URL.
package struct SonyHTTPDescription: Sendable {
    package static let path = "/dd.xml"

    private let model: SonyHTTPModel
    /// The body's true address, even if a fault announces another one.
    private let host: IPAddress
    private let service: UInt16
    /// Whether the body is in the menu "Send to Smartphone".
    private let isPushing: Bool

    package init(_ model: SonyHTTPModel, host: IPAddress, service: UInt16, isPushing: Bool = false) {
        self.model = model
        self.host = host
        self.service = service
        self.isPushing = isPushing
    }

    package var files: ServedFiles { ServedFiles([(path: Self.path, text: document)]) }

    private var base: String { "http://\(CameraAddress(host: host.description, port: service))" }

    package var document: String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <root xmlns="urn:schemas-upnp-org:device-1-0">
          <specVersion><major>1</major><minor>0</minor></specVersion>
          <device>
            <deviceType>\(SonyAnnouncement.Kind(isPushing: isPushing).deviceType)</deviceType>
            <friendlyName>\(model.name)</friendlyName>
            <manufacturer>Sony Corporation</manufacturer>
            <manufacturerURL>http://www.sony.net/</manufacturerURL>
            <modelDescription>SonyDigitalMediaServer</modelDescription>
            <modelName>SonyImagingDevice</modelName>
            <UDN>\(model.udn)</UDN>
            <serviceList>
        \(services)\
            </serviceList>
        \(isPushing ? "" : deviceInfo)\
          </device>
        </root>

        """
    }

    private var services: String {
        isPushing
            ? SonyAnnouncement.Kind.transfer.services.map { upnpService($0, path: "/upnp/control/") }.joined()
            : [SonyAnnouncement.scalarWebAPI, SonyAnnouncement.contentDirectory].map { upnpService($0, path: nil) }
                .joined()
    }

    /// The element of a UPnP service. The URLs are empty in the description of an HX400V.
    private func upnpService(_ type: String, path: String?) -> String {
        let identifier = type.replacing(":service:", with: ":serviceId:").dropLast(2)
        let name = identifier.split(separator: ":").last ?? ""
        return """
                  <service>
                    <serviceType>\(type)</serviceType>
                    <serviceId>\(identifier)</serviceId>
                    <SCPDURL></SCPDURL>
                    <controlURL>\(path.map { $0 + name } ?? "")</controlURL>
                    <eventSubURL></eventSubURL>
                  </service>

            """
    }

    private var deviceInfo: String {
        """
            <av:X_ScalarWebAPI_DeviceInfo xmlns:av="urn:schemas-sony-com:av">
              <av:X_ScalarWebAPI_Version>1.0</av:X_ScalarWebAPI_Version>
              <av:X_ScalarWebAPI_ServiceList>
        \(model.services.map(webService).joined())\
              </av:X_ScalarWebAPI_ServiceList>
              <av:X_ScalarWebAPI_ImagingDevice>
                <av:X_ScalarWebAPI_LiveView_URL>\(base)\(SonyHTTPBody.liveViewPath)</av:X_ScalarWebAPI_LiveView_URL>
                <av:X_ScalarWebAPI_DefaultFunction>RemoteShooting</av:X_ScalarWebAPI_DefaultFunction>
              </av:X_ScalarWebAPI_ImagingDevice>
            </av:X_ScalarWebAPI_DeviceInfo>

        """
    }

    private func webService(_ name: String) -> String {
        """
                <av:X_ScalarWebAPI_Service>
                  <av:X_ScalarWebAPI_ServiceType>\(name)</av:X_ScalarWebAPI_ServiceType>
                  <av:X_ScalarWebAPI_ActionList_URL>\(base)\(SonyHTTPBody.root)</av:X_ScalarWebAPI_ActionList_URL>
                  <av:X_ScalarWebAPI_AccessType></av:X_ScalarWebAPI_AccessType>
                </av:X_ScalarWebAPI_Service>

        """
    }
}

extension SonyAnnouncement.Kind {
    fileprivate init(isPushing: Bool) { self = isPushing ? .transfer : .http }
}

extension SSDPAnnouncement {
    /// The announcement of a body with Sony's HTTP API.
    package static func sonyHTTP(_ model: SonyHTTPModel, isPushing: Bool, at location: DescriptionURL) -> Self {
        let kind = SonyAnnouncement.Kind(isPushing: isPushing)
        return SSDPAnnouncement(
            udn: model.udn,
            location: location,
            targets: ["upnp:rootdevice", model.udn, kind.deviceType] + kind.services,
            aliases: [SonyAnnouncement.scalarWebAPI],
            server: "UPnP/1.0 SonyImagingDevice/1.0"
        )
    }
}

extension SonyHTTPModel {
    /// The services of the API, in the order of the description.
    package var services: [String] { ["guide", "camera", "system"] + (hasContents ? ["avContent"] : []) }
}
