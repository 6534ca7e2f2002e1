import Cameras

/// The UPnP description of a Sony body: two files of XML.
///
/// Both files of a body with PTP/IP are in Sony's Camera Control PTP 3 Reference, p. 40 to 42. The file of an HTTP body
/// is a shortened file of an HX400V (sony_camera_api).
package struct SonyDescription: Sendable {
    /// The path of the file that SSDP announces.
    package static let path = "/dd.xml"
    /// The path of the file that the service DigitalImaging refers to.
    package static let imagingPath = "/DigitalImagingDesc.xml"

    private let model: SonyModel
    private let kind: SonyAnnouncement.Kind
    /// The body's address in the files.
    private let host: IPAddress
    private let needsPairing: Bool

    /// - Parameter host: The body's true address, even if a fault announces another address.
    package init(_ model: SonyModel, _ kind: SonyAnnouncement.Kind, host: IPAddress, needsPairing: Bool = false) {
        self.model = model
        self.kind = kind
        self.host = host
        self.needsPairing = needsPairing
    }

    package var files: ServedFiles {
        let second = kind == .ptp ? [(path: Self.imagingPath, text: imaging)] : []
        return ServedFiles([(path: Self.path, text: document)] + second)
    }

    /// The text of `dd.xml`.
    package var document: String {
        Self.declaration
            + """
            <root xmlns="urn:schemas-upnp-org:device-1-0">
              <specVersion><major>1</major><minor>0</minor></specVersion>
              <device>
                <deviceType>\(kind.deviceType)</deviceType>
                <friendlyName>\(model.name)</friendlyName>
                <manufacturer>Sony Corporation</manufacturer>
                <manufacturerURL>http://www.sony.net/</manufacturerURL>
                <modelDescription>\(modelDescription)</modelDescription>
                <modelName>SonyImagingDevice</modelName>
                <UDN>\(model.udn(kind))</UDN>
                <serviceList>
            \(kind.services.map(service).joined())\
                </serviceList>
            \(deviceInfo)\
              </device>
            </root>

            """
    }

    /// The text of `DigitalImagingDesc.xml`. The notation of the MAC address is UNSURE.
    package var imaging: String {
        Self.declaration
            + """
            <X_DigitalImagingDesc xmlns="urn:schemas-sony-com:av">
              <X_DigitalImagingDeviceInfo>
                <X_DeviceInfo>
                  <X_ModelName>\(model.name)</X_ModelName>
                  <X_FirmwareVersion>\(model.firmware)</X_FirmwareVersion>
                  <X_MacAddress>\(model.macText)</X_MacAddress>
                  <X_SerialVersion>\(model.serialNumber)</X_SerialVersion>
                </X_DeviceInfo>
                <X_ServerInfo>
                  <X_ServerType>Control with Smartphone</X_ServerType>
                  <X_ServerVersion>3.00</X_ServerVersion>
                </X_ServerInfo>
                <X_PTP_Information>
                  <X_PTP_Versions>\(model.versionNumber).00</X_PTP_Versions>
                  <X_PTP_PairingNecessity>\(needsPairing ? "Necessary" : "Unnecessary")</X_PTP_PairingNecessity>
                  <X_PTP_MediaServerSupport>Enable</X_PTP_MediaServerSupport>
                  <X_PTP_RemoteControlSupport>Enable</X_PTP_RemoteControlSupport>
                  <X_PTP_ContentsTransferSupport>Enable</X_PTP_ContentsTransferSupport>
                </X_PTP_Information>
              </X_DigitalImagingDeviceInfo>
              <X_ConnectionInfo>
                <X_SSH_Support>Disable</X_SSH_Support>
              </X_ConnectionInfo>
            </X_DigitalImagingDesc>

            """
    }

    private static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

    private var modelDescription: String {
        switch kind {
        case .ptp: "SonyRemoteCamera"
        case .http, .transfer: "SonyDigitalMediaServer"
        }
    }

    /// The XML element of a service. A type `…:service:DigitalImaging:1` has the id `…:serviceId:DigitalImaging`.
    private func service(_ type: String) -> String {
        let identifier = type.replacing(":service:", with: ":serviceId:").dropLast(2)
        let name = identifier.split(separator: ":").last ?? ""
        let isScalar = type == SonyAnnouncement.scalarWebAPI
        return """
                  <service>
                    <serviceType>\(type)</serviceType>
                    <serviceId>\(identifier)</serviceId>
                    <SCPDURL>\(isScalar ? "" : "/\(name)Desc.xml")</SCPDURL>
                    <controlURL>\(isScalar ? "" : "/upnp/control/\(name)")</controlURL>
                    <eventSubURL>\(isScalar ? "" : "/upnp/event/\(name)")</eventSubURL>
                  </service>

            """
    }

    private var deviceInfo: String {
        switch kind {
        case .ptp:
            """
                <av:X_ScalarWebAPI_DeviceInfo xmlns:av="urn:schemas-sony-com:av">
                  <av:X_ScalarWebAPI_ImagingDevice>
                    <av:X_ScalarWebAPI_LiveView_URL>http://\(host):60152/liveviewstream</av:X_ScalarWebAPI_LiveView_URL>
                    <av:X_ScalarWebAPI_DefaultFunction>RemoteShooting</av:X_ScalarWebAPI_DefaultFunction>
                  </av:X_ScalarWebAPI_ImagingDevice>
                </av:X_ScalarWebAPI_DeviceInfo>

            """
        case .http:
            """
                <av:X_ScalarWebAPI_DeviceInfo xmlns:av="urn:schemas-sony-com:av">
                  <av:X_ScalarWebAPI_Version>1.0</av:X_ScalarWebAPI_Version>
                  <av:X_ScalarWebAPI_ServiceList>
            \(["guide", "accessControl", "camera"].map(webService).joined())\
                  </av:X_ScalarWebAPI_ServiceList>
                </av:X_ScalarWebAPI_DeviceInfo>

            """
        case .transfer: ""
        }
    }

    private func webService(_ name: String) -> String {
        """
                <av:X_ScalarWebAPI_Service>
                  <av:X_ScalarWebAPI_ServiceType>\(name)</av:X_ScalarWebAPI_ServiceType>
                  <av:X_ScalarWebAPI_ActionList_URL>http://\(host):8080/sony</av:X_ScalarWebAPI_ActionList_URL>
                  <av:X_ScalarWebAPI_AccessType></av:X_ScalarWebAPI_AccessType>
                </av:X_ScalarWebAPI_Service>

        """
    }
}
