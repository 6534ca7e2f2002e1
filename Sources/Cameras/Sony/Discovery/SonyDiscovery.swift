import NIOCore

extension CameraProtocol {
    /// Sony's Camera Remote API: JSON over HTTP.
    package static let sonyHTTP = CameraProtocol(rawValue: "sony-http")
    /// The mode "Send to Smartphone": a media server that delivers the pictures which its user selected.
    package static let sonyPush = CameraProtocol(rawValue: "sony-push")
}

extension SSDPTarget {
    /// The target that all Sony bodies answer, with any protocol.
    package static let scalarWebAPI = SSDPTarget(rawValue: "urn:schemas-sony-com:service:ScalarWebAPI:1")
    /// The target in Sony's document for bodies with PTP/IP (Camera Control PTP 3, p.39).
    package static let digitalImaging = SSDPTarget(rawValue: "urn:schemas-sony-com:service:DigitalImaging:1")
}

/// The discovery of Sony bodies.
enum SonyDiscovery {
    /// A body with the second target has PTP/IP (Camera Control PTP 3, p.39). Any other body's description decides.
    static let targets: [DiscoveryTable.SSDPRow] = [
        .init(target: .scalarWebAPI), .init(target: .digitalImaging, means: .ptpip),
    ]

    /// The prefix of the ids of Sony bodies.
    static let idPrefix = "sony"

    /// The id of a body with the HTTP API, which reports no serial number.
    static func id(_ udn: UDN) -> String { "\(idPrefix):\(udn.rawValue)" }

    @Sendable static func fitness(of description: DeviceDescription, at url: DescriptionURL) -> DeviceFitness? {
        SonyDeviceDescription(description).fitness(at: url)
    }
}

/// The content of a Sony body's description.
package struct SonyDeviceDescription: Equatable, Sendable {
    package var device: DeviceDescription
    /// The services of bodies with the HTTP API.
    package var scalarServices: [ScalarService] = []
    /// The URL of the live view pictures; nil: not given.
    package var liveViewURL: String?
    /// `RemoteShooting`; nil: not given.
    package var defaultFunction: String?

    /// A service of the HTTP API.
    package struct ScalarService: Equatable, Sendable {
        /// `camera`, `system`, `avContent`, `guide`, `accessControl`.
        package var type: String
        /// The URL of the API, `http://192.168.122.1:8080/sony`. The type is appended to it.
        package var actionListURL: String
    }

    package init(_ device: DeviceDescription) {
        self.device = device
        guard let element = device.content.descendants(named: "X_ScalarWebAPI_DeviceInfo").first else { return }
        scalarServices = (element["X_ScalarWebAPI_ServiceList"]?.elements ?? []).compactMap { service in
            guard service.name == "X_ScalarWebAPI_Service",
                let type = service["X_ScalarWebAPI_ServiceType"]?.text, !type.isEmpty
            else { return nil }
            let url = service["X_ScalarWebAPI_ActionList_URL"]?.text ?? ""
            return ScalarService(type: type, actionListURL: url)
        }
        let imaging = element["X_ScalarWebAPI_ImagingDevice"]
        liveViewURL = imaging?["X_ScalarWebAPI_LiveView_URL"].flatMap { $0.text.isEmpty ? nil : $0.text }
        defaultFunction = imaging?["X_ScalarWebAPI_DefaultFunction"].flatMap { $0.text.isEmpty ? nil : $0.text }
    }

    // MARK: The kind of body

    /// Decides by the content of the description, never by the model. A live view without a camera service indicates
    /// PTP/IP. Bodies with the HTTP API can have a live view too. A camera service without a URL or on another host is
    /// ignored.
    ///
    /// - Parameter url: the URL of the description.
    /// - Returns: nil: not a Sony camera.
    package func fitness(at url: DescriptionURL) -> DeviceFitness? {
        var offers: [CameraOffer] = []
        let endpoint = cameraEndpoint(at: url)
        if hasImagingService || liveViewURL != nil && endpoint == nil {
            offers.append(offer(.ptpip, at: CameraAddress(host: url.host.description)))
        }
        if let endpoint {
            let address = CameraAddress(host: endpoint.host.description, port: endpoint.port)
            var http = offer(.sonyHTTP, at: address, path: endpoint.path)
            http.id = device.udn.map(SonyDiscovery.id)
            http.maker = SonyDiscovery.idPrefix
            offers.append(http)
        }
        if !offers.isEmpty { return .fit(offers) }
        // Media servers of other makers have these services too, but the remark holds only for Sony bodies.
        guard device.manufacturer.hasPrefix("Sony"), isMediaServer else { return nil }
        return .unfit(remark: SonySessionSentences.remoteModeOff)
    }

    private func offer(_ protocol: CameraProtocol, at address: CameraAddress, path: String = "") -> CameraOffer {
        CameraOffer(`protocol`, address, path: path, name: device.friendlyName.isEmpty ? nil : device.friendlyName)
    }

    private var hasImagingService: Bool {
        device.services.contains { $0.type == SSDPTarget.digitalImaging.rawValue }
    }

    /// The URL of the camera service of the HTTP API; nil: the body has no such service.
    package func cameraEndpoint(at url: DescriptionURL) -> DescriptionURL? {
        guard let camera = scalarServices.first(where: { $0.type == "camera" }),
            let base = try? DescriptionURL.parse(camera.actionListURL), base.host == url.host
        else { return nil }
        let slash = base.path.hasSuffix("/") ? "" : "/"
        return DescriptionURL(host: base.host, port: base.port, path: "\(base.path)\(slash)\(camera.type)")
    }

    private var isMediaServer: Bool {
        // The prefixes of the types differ (`schemas-upnp-org`, `schemas-sony-com`).
        let types = device.services.map(\.type) + [device.deviceType]
        return types.contains { type in
            ["ContentDirectory:1", "XPushList:1", "MediaServer:1"].contains { type.hasSuffix(":\($0)") }
        }
    }
}
