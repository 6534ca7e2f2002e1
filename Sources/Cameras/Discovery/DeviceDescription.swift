import Exposure
import NIOCore
import PrintableText

/// What a device says of itself by UPnP (Device Architecture 1.1, 2.3), as far as it concerns cameras. What people are
/// to see is free of control characters and not long.
package struct DeviceDescription: Equatable, Sendable {
    /// What Sony's bodies are called: `ILCE-1`. Empty: not told.
    package var friendlyName = ""
    package var manufacturer = ""
    /// The same on all of Sony's bodies, `SonyImagingDevice`, and not the model.
    package var modelName = ""
    package var modelDescription = ""
    /// `urn:schemas-upnp-org:device:Basic:1`.
    package var deviceType = ""
    /// nil: not told, or in no form we know.
    package var udn: UDN?
    /// Of the device and of those in it.
    package var services: [Service] = []
    /// Sony's own list, of bodies with the HTTP API.
    package var scalarServices: [ScalarService] = []
    /// Where pictures of the finder come from; nil: not told.
    package var liveViewURL: String?
    /// `RemoteShooting`; nil: not told.
    package var defaultFunction: String?

    /// A service of UPnP.
    package struct Service: Equatable, Sendable {
        /// `urn:schemas-sony-com:service:DigitalImaging:1`.
        package var type: String
        /// What describes it, relative to the description; empty on bodies with the HTTP API.
        package var descriptionURL: String

        package init(type: String, descriptionURL: String = "") {
            self.type = type
            self.descriptionURL = descriptionURL
        }
    }

    /// A service of the HTTP API.
    package struct ScalarService: Equatable, Sendable {
        /// `camera`, `system`, `avContent`, `guide`, `accessControl`.
        package var type: String
        /// `http://192.168.122.1:8080/sony`, to which the type is appended.
        package var actionListURL: String

        package init(type: String, actionListURL: String) {
            self.type = type
            self.actionListURL = actionListURL
        }
    }

    package init() {}

    /// The most bytes that a description has.
    package static let byteCountMax = DescriptionReader.byteCountMax
}

extension DeviceDescription {
    /// Reads a description.
    package static func read(_ document: ByteBuffer) throws(DescriptionFault) -> DeviceDescription {
        let root = try DescriptionReader.read(document)
        guard root.name == "root", let device = root["device"] else {
            throw DescriptionFault(line: 1, reason: "this describes no device")
        }
        var description = DeviceDescription()
        description.friendlyName = shown(device["friendlyName"])
        description.manufacturer = shown(device["manufacturer"])
        description.modelName = shown(device["modelName"])
        description.modelDescription = shown(device["modelDescription"])
        description.deviceType = device["deviceType"]?.text ?? ""
        description.udn = device["UDN"].flatMap { UDN($0.text) }
        // Wherever they stand: a device may hold others, and which of them has Sony's services is not told.
        description.services = device.descendants(named: "service").compactMap { service in
            guard let type = service["serviceType"]?.text, !type.isEmpty else { return nil }
            return Service(type: type, descriptionURL: service["SCPDURL"]?.text ?? "")
        }
        if let sony = device.descendants(named: "X_ScalarWebAPI_DeviceInfo").first {
            description.readScalar(sony)
        }
        return description
    }

    private mutating func readScalar(_ element: DescriptionElement) {
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

    static func shown(_ element: DescriptionElement?) -> String {
        let lengthMax = 128
        return PrintableText.clean(element?.text ?? "", lengthMax: lengthMax, replacement: " ")
    }
}

// MARK: - Which kind of body

extension DeviceDescription {
    /// How a body is to be spoken to.
    package enum Kind: Equatable, Sendable {
        /// By PTP/IP, on its port 15740.
        case ptp
        /// By the HTTP API: where its camera service takes calls.
        case http(endpoint: DescriptionURL)
        /// It is a Sony in "Send to smartphone": nothing can be controlled until somebody changes that on the body.
        case transferOnly
        /// No camera that we know of.
        case unknown
    }

    /// Decides by what the description has, never by the model. The HTTP API comes first, for its bodies may tell of a
    /// live view too. A camera service at no URL, or at another machine's, is none.
    /// - Parameter url: where the description was found.
    package func kind(at url: DescriptionURL) -> Kind {
        if let endpoint = cameraEndpoint(at: url) { return .http(endpoint: endpoint) }
        if liveViewURL != nil || imagingService != nil { return .ptp }
        // Other makers' media servers have these too, and would give a hint that helps nobody.
        if manufacturer.hasPrefix("Sony"), isMediaServer { return .transferOnly }
        return .unknown
    }

    /// Where the second description of a body with PTP/IP is; nil: it has none.
    package func imagingURL(at url: DescriptionURL) -> DescriptionURL? {
        guard let reference = imagingService?.descriptionURL, !reference.isEmpty else { return nil }
        return try? url.resolving(reference)
    }

    private var imagingService: Service? {
        services.first { $0.type == SSDPTarget.digitalImaging.rawValue }
    }

    private func cameraEndpoint(at url: DescriptionURL) -> DescriptionURL? {
        guard let camera = scalarServices.first(where: { $0.type == "camera" }),
            let base = try? DescriptionURL.parse(camera.actionListURL), base.host == url.host
        else { return nil }
        let slash = base.path.hasSuffix("/") ? "" : "/"
        return DescriptionURL(host: base.host, port: base.port, path: "\(base.path)\(slash)\(camera.type)")
    }

    private var isMediaServer: Bool {
        // Which makers stand in the names differs (`schemas-upnp-org`, `schemas-sony-com`).
        let types = services.map(\.type) + [deviceType]
        return types.contains { type in
            ["ContentDirectory:1", "XPushList:1", "MediaServer:1"].contains { type.hasSuffix(":\($0)") }
        }
    }
}
