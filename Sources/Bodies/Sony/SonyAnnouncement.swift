import Cameras

/// What a Sony body says of itself by SSDP: the texts of its messages.
///
/// A NOTIFY of an ILCE-1 is in Sony's Camera Control PTP 3 Reference, p. 39 and 40; what it leaves open is as the UPnP
/// Device Architecture has it (1.2, 1.3). All bodies are searched for by `ScalarWebAPI:1` (rocc, alpha-fairy,
/// sony_camera_api), those with PTP/IP by `DigitalImaging:1` too (p. 39).
package struct SonyAnnouncement: Equatable, Sendable {
    /// What the body can be asked for at present.
    package enum Kind: String, CaseIterable, Sendable {
        /// Remote control by PTP/IP.
        case ptp
        /// Remote control by HTTP: the Camera Remote API.
        case http
        /// The menu "Send to Smartphone": pictures are pushed, and nothing can be controlled.
        case transfer
    }

    package var kind: Kind
    /// The body's own name: `uuid:` and 32 hexadecimal digits.
    package var udn: String
    /// Where the description is.
    package var location: DescriptionURL

    package init(_ model: SonyModel, kind: Kind, location: DescriptionURL) {
        self.kind = kind
        udn = model.udn(kind)
        self.location = location
    }

    static let scalarWebAPI = "urn:schemas-sony-com:service:ScalarWebAPI:1"
    static let digitalImaging = "urn:schemas-sony-com:service:DigitalImaging:1"
    static let contentDirectory = "urn:schemas-upnp-org:service:ContentDirectory:1"
    static let pushList = "urn:schemas-sony-com:service:XPushList:1"

    /// What it announces, in order: the root, itself, its type, its services.
    private var targets: [String] { ["upnp:rootdevice", udn, kind.deviceType] + kind.services }

    // MARK: Messages

    /// The answers to a search, in order; empty when it is not meant.
    package func answers(to search: SSDPSearch) -> [String] {
        let isMeant = { (target: String) in search.target == "ssdp:all" || search.target == target }
        // Asked for by it, a body answers by it, even where its description names another service.
        let isScalar = search.target == Self.scalarWebAPI
        return (isScalar ? [Self.scalarWebAPI] : targets.filter(isMeant)).map { target in
            Self.message(
                "HTTP/1.1 200 OK",
                [
                    "CACHE-CONTROL: max-age=1800", "EXT:", "LOCATION: \(location)", Self.server, "ST: \(target)",
                    "USN: \(name(target))",
                ]
            )
        }
    }

    /// The body is there. To be said of each target; all are said three times, for datagrams get lost (1.2.2).
    package var alive: [String] {
        targets.map { target in
            Self.notify([
                "CACHE-CONTROL: max-age=1800", "LOCATION: \(location)", "NT: \(target)", "NTS: ssdp:alive",
                Self.server, "USN: \(name(target))",
            ])
        }
    }

    /// The body leaves.
    package var byebye: [String] {
        targets.map { Self.notify(["NT: \($0)", "NTS: ssdp:byebye", "USN: \(name($0))"]) }
    }

    private static let server = "SERVER: UPnP/1.0 SonyImagingDevice/1.0"

    private func name(_ target: String) -> String { target == udn ? udn : "\(udn)::\(target)" }

    private static func notify(_ fields: [String]) -> String {
        message("NOTIFY * HTTP/1.1", ["HOST: 239.255.255.250:1900"] + fields)
    }

    private static func message(_ first: String, _ fields: [String]) -> String {
        ([first] + fields + ["", ""]).joined(separator: "\r\n")
    }
}

extension SonyAnnouncement.Kind {
    /// HX400V's description for the first two, an A6400's (ImagingEdge4Linux#10) for the last.
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
    /// The name of the device: the MAC address behind digits that all have. Those of an HTTP body are from the
    /// description of an HX400V (sony_camera_api).
    func udn(_ kind: SonyAnnouncement.Kind) -> String {
        switch kind {
        case .http: "uuid:000000001000-1010-8000-\(macDigits)"
        case .ptp, .transfer: "uuid:00000000-0000-0010-8000-\(macDigits)"
        }
    }
}
