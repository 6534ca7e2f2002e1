import Cameras

/// The SSDP announcement of a Sony body.
///
/// A NOTIFY of an ILCE-1 is in Sony's Camera Control PTP 3 Reference, p. 39 and 40. The rest follows the UPnP Device
/// Architecture (1.2, 1.3). Clients search for all bodies with `ScalarWebAPI:1` (rocc, alpha-fairy, sony_camera_api),
/// and for bodies with PTP/IP also with `DigitalImaging:1` (p. 39).
package enum SonyAnnouncement {
    /// The service that the body offers.
    package enum Kind: String, CaseIterable, Sendable {
        /// Remote control by PTP/IP.
        case ptp
        /// Remote control by HTTP: the Camera Remote API.
        case http
        /// The menu "Send to Smartphone": the body sends pictures and cannot be controlled.
        case transfer
    }

    static let scalarWebAPI = "urn:schemas-sony-com:service:ScalarWebAPI:1"
    static let digitalImaging = "urn:schemas-sony-com:service:DigitalImaging:1"
    static let contentDirectory = "urn:schemas-upnp-org:service:ContentDirectory:1"
    static let pushList = "urn:schemas-sony-com:service:XPushList:1"
}

extension SSDPAnnouncement {
    package static func sony(_ model: SonyModel, _ kind: SonyAnnouncement.Kind, at location: DescriptionURL) -> Self {
        let udn = model.udn(kind)
        return SSDPAnnouncement(
            udn: udn,
            location: location,
            targets: ["upnp:rootdevice", udn, kind.deviceType] + kind.services,
            // A body answers searches for this target even if its description names another service.
            aliases: [SonyAnnouncement.scalarWebAPI],
            server: "UPnP/1.0 SonyImagingDevice/1.0"
        )
    }
}

extension SonyAnnouncement.Kind {
    /// The device type, from the description of an HX400V, or of an A6400 for `transfer` (ImagingEdge4Linux#10).
    var deviceType: String {
        switch self {
        case .ptp, .http: "urn:schemas-upnp-org:device:Basic:1"
        case .transfer: "urn:schemas-upnp-org:device:MediaServer:1"
        }
    }

    /// The services that the description names.
    var services: [String] {
        switch self {
        case .ptp: [SonyAnnouncement.digitalImaging]
        case .http: [SonyAnnouncement.scalarWebAPI]
        case .transfer: [SonyAnnouncement.contentDirectory, SonyAnnouncement.pushList]
        }
    }
}

extension SonyModel {
    /// The name of the device: fixed digits and the MAC address. The digits of an HTTP body are from the description of
    /// an HX400V (sony_camera_api).
    func udn(_ kind: SonyAnnouncement.Kind) -> String {
        switch kind {
        case .http: "uuid:000000001000-1010-8000-\(macDigits)"
        case .ptp, .transfer: "uuid:00000000-0000-0010-8000-\(macDigits)"
        }
    }
}
