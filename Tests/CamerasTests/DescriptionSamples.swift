/// Descriptions in the form in which bodies send them.
enum DescriptionSamples {
    /// A body with the HTTP API: the structure of a real DSC-HX400V (`dd_xml_scalar_hx400v` of the vectors).
    static let scalar = """
        <?xml version="1.0"?>
        <root xmlns="urn:schemas-upnp-org:device-1-0">
          <specVersion><major>1</major><minor>0</minor></specVersion>
          <device>
            <deviceType>urn:schemas-upnp-org:device:Basic:1</deviceType>
            <friendlyName>DSC-HX400V</friendlyName>
            <manufacturer>Sony Corporation</manufacturer>
            <manufacturerURL>http://www.sony.net/</manufacturerURL>
            <modelDescription>SonyDigitalMediaServer</modelDescription>
            <modelName>SonyImagingDevice</modelName>
            <UDN>uuid:000000001000-1010-8000-0123456789AB</UDN>
            <serviceList>
              <service>
                <serviceType>urn:schemas-sony-com:service:ScalarWebAPI:1</serviceType>
                <serviceId>urn:schemas-sony-com:serviceId:ScalarWebAPI</serviceId>
                <SCPDURL></SCPDURL><controlURL></controlURL><eventSubURL></eventSubURL>
              </service>
            </serviceList>
            <av:X_ScalarWebAPI_DeviceInfo xmlns:av="urn:schemas-sony-com:av">
              <av:X_ScalarWebAPI_Version>1.0</av:X_ScalarWebAPI_Version>
              <av:X_ScalarWebAPI_ServiceList>
                \(scalarService("guide"))
                \(scalarService("accessControl"))
                \(scalarService("camera"))
              </av:X_ScalarWebAPI_ServiceList>
            </av:X_ScalarWebAPI_DeviceInfo>
          </device>
        </root>

        """

    private static func scalarService(_ type: String) -> String {
        """
        <av:X_ScalarWebAPI_Service>\
        <av:X_ScalarWebAPI_ServiceType>\(type)</av:X_ScalarWebAPI_ServiceType>\
        <av:X_ScalarWebAPI_ActionList_URL>http://192.168.122.1:8080/sony</av:X_ScalarWebAPI_ActionList_URL>\
        <av:X_ScalarWebAPI_AccessType/>\
        </av:X_ScalarWebAPI_Service>
        """
    }

    /// A body with PTP/IP: the structure of Sony's document (Camera Control PTP 3, p.40-42).
    static let ptp = """
        <?xml version="1.0" encoding="UTF-8"?>
        <root xmlns="urn:schemas-upnp-org:device-1-0">
          <specVersion><major>1</major><minor>0</minor></specVersion>
          <device>
            <deviceType>urn:schemas-upnp-org:device:Basic:1</deviceType>
            <friendlyName>ILCE-1</friendlyName>
            <manufacturer>Sony Corporation</manufacturer>
            <modelDescription>SonyRemoteCamera</modelDescription>
            <modelName>SonyImagingDevice</modelName>
            <UDN>uuid:000000001000-1010-8000-020000000001</UDN>
            <serviceList>
              <service>
                <serviceType>urn:schemas-sony-com:service:DigitalImaging:1</serviceType>
                <serviceId>urn:schemas-sony-com:serviceId:DigitalImaging</serviceId>
                <SCPDURL>/DigitalImagingDesc.xml</SCPDURL>
                <controlURL>/upnp/control/DigitalImaging</controlURL>
                <eventSubURL></eventSubURL>
              </service>
            </serviceList>
            <av:X_ScalarWebAPI_DeviceInfo xmlns:av="urn:schemas-sony-com:av">
              <av:X_ScalarWebAPI_ImagingDevice>
                <av:X_ScalarWebAPI_LiveView_URL>http://192.168.122.1:60152/liveviewstream\
                </av:X_ScalarWebAPI_LiveView_URL>
                <av:X_ScalarWebAPI_DefaultFunction>RemoteShooting</av:X_ScalarWebAPI_DefaultFunction>
              </av:X_ScalarWebAPI_ImagingDevice>
            </av:X_ScalarWebAPI_DeviceInfo>
          </device>
        </root>
        """

    /// The second description of the same body (p.41-42).
    static let imaging = """
        <?xml version="1.0"?>
        <scpd xmlns="urn:schemas-upnp-org:service-1-0" xmlns:av="urn:schemas-sony-com:av">
          <av:X_DigitalImagingDeviceInfo>
            <av:X_DeviceInfo>
              <av:X_ModelName>ILCE-1</av:X_ModelName>
              <av:X_FirmwareVersion>1.30</av:X_FirmwareVersion>
              <av:X_MacAddress>02:00:00:00:00:01</av:X_MacAddress>
              <av:X_SerialVersion>1</av:X_SerialVersion>
              <av:X_ServerType>Control with Smartphone</av:X_ServerType>
              <av:X_ServerVersion>3.00</av:X_ServerVersion>
              <av:X_PTP_Information>
                <av:X_PTP_Versions>3.00</av:X_PTP_Versions>
                <av:X_PTP_PairingNecessity>Unnecessary</av:X_PTP_PairingNecessity>
                <av:X_PTP_MediaServerSupport>Enable</av:X_PTP_MediaServerSupport>
                <av:X_PTP_RemoteControlSupport>Enable</av:X_PTP_RemoteControlSupport>
                <av:X_PTP_ContentsTransferSupport>Enable</av:X_PTP_ContentsTransferSupport>
              </av:X_PTP_Information>
            </av:X_DeviceInfo>
            <av:X_ConnectionInfo><av:X_SSH_Support>Disable</av:X_SSH_Support></av:X_ConnectionInfo>
          </av:X_DigitalImagingDeviceInfo>
        </scpd>
        """
}
