import NIOCore
import Testing

@testable import Cameras

/// A device's description, and the kind of body that follows from it.
struct DeviceDescriptionTests {
    private static let url = DescriptionURL(host: IPAddress(bytes: [192, 168, 122, 1]), port: 64321, path: "/dd.xml")

    private static let ptpip = DeviceFitness.fit([
        CameraOffer(.ptpip, CameraAddress(host: "192.168.122.1"), name: "ILCE-1")
    ])

    private func read(_ text: String) throws -> SonyDeviceDescription {
        SonyDeviceDescription(try DeviceDescription.read(ByteBuffer(string: text)))
    }

    private func isUnfit(_ description: SonyDeviceDescription) -> Bool {
        if case .unfit? = description.fitness(at: Self.url) { true } else { false }
    }

    private func offers(_ description: SonyDeviceDescription) -> [CameraOffer] {
        if case .fit(let offers)? = description.fitness(at: Self.url) { offers } else { [] }
    }

    private func scalar(_ old: String, _ new: String) throws -> SonyDeviceDescription {
        try #require(DescriptionSamples.scalar.contains(old))
        return try read(DescriptionSamples.scalar.replacing(old, with: new))
    }

    @Test func `a body with the HTTP API names the address of its camera service`() throws {
        let vector = SonyVectors.object("dd_xml_scalar_hx400v")
        let description = try read(DescriptionSamples.scalar)
        #expect(description.device.friendlyName == vector["friendlyName"] as? String)
        #expect(description.device.manufacturer == "Sony Corporation")
        #expect(description.device.modelName == "SonyImagingDevice")
        #expect(description.device.modelDescription == "SonyDigitalMediaServer")
        #expect(description.device.deviceType == "urn:schemas-upnp-org:device:Basic:1")
        let pattern = try #require(vector["UDN_pattern"] as? String)
        let udn = try #require(description.device.udn)
        #expect(pattern.replacing("<12 hex digits>", with: "0123456789ab") == udn.description)
        #expect(description.device.services == [.init(type: SSDPTarget.scalarWebAPI.rawValue)])
        let services = try #require(vector["services"] as? [[String]])
        #expect(description.scalarServices.map { [$0.type, $0.actionListURL] } == services)
        let endpoint = try DescriptionURL.parse("http://192.168.122.1:8080/sony/camera")
        #expect(vector["endpoint_rule"] as? String == "ActionList_URL + \"/\" + ServiceType")
        #expect(description.cameraEndpoint(at: Self.url) == endpoint)
        let address = CameraAddress(host: "192.168.122.1", port: 8080)
        var offer = CameraOffer(.sonyHTTP, address, path: "/sony/camera", name: "DSC-HX400V")
        offer.id = "sony:000000001000-1010-8000-0123456789ab"
        offer.maker = "sony"
        #expect(description.fitness(at: Self.url) == .fit([offer]))
    }

    @Test func `an old body's camera service has no folder`() throws {
        let description = try scalar("http://192.168.122.1:8080/sony", "http://192.168.122.1:10000")
        let endpoint = try DescriptionURL.parse("http://192.168.122.1:10000/camera")
        #expect(description.cameraEndpoint(at: Self.url) == endpoint)
    }

    @Test func `a body with PTP/IP names its live view and has no list of services`() throws {
        let description = try read(DescriptionSamples.ptp)
        #expect(description.device.friendlyName == "ILCE-1")
        #expect(description.device.udn?.rawValue.hasSuffix("-020000000001") == true)
        #expect(description.scalarServices.isEmpty)
        #expect(description.liveViewURL == "http://192.168.122.1:60152/liveviewstream")
        #expect(description.defaultFunction == "RemoteShooting")
        #expect(description.fitness(at: Self.url) == Self.ptpip)
    }

    @Test func `either sign of PTP/IP is enough`() throws {
        var description = try read(DescriptionSamples.ptp)
        description.liveViewURL = nil
        #expect(description.fitness(at: Self.url) == Self.ptpip)
        description.device.services = []
        #expect(description.fitness(at: Self.url) == nil)
        description.liveViewURL = "http://192.168.122.1:60152/liveviewstream"
        #expect(description.fitness(at: Self.url) == Self.ptpip)
    }

    @Test func `a camera service comes before a live view, and a service on another machine does not count`() throws {
        var description = try read(DescriptionSamples.scalar)
        description.liveViewURL = "http://192.168.122.1:60152/liveviewstream"
        let offers = offers(description)
        #expect(offers.map(\.protocol) == [.sonyHTTP])
        description.liveViewURL = nil
        for url in ["http://10.0.0.1:8080/sony", "https://192.168.122.1/sony", "", "http://camera/sony"] {
            description.scalarServices = [.init(type: "camera", actionListURL: url)]
            #expect(description.fitness(at: Self.url) == nil)
        }
        description.scalarServices = [.init(type: "guide", actionListURL: "http://192.168.122.1:8080/sony")]
        #expect(description.fitness(at: Self.url) == nil)
    }

    @Test func `a Sony that serves only media is in the wrong mode, and another maker's server is no camera`() throws {
        var description = SonyDeviceDescription(DeviceDescription())
        description.device.manufacturer = "Sony Corporation"
        description.device.services = [.init(type: "urn:schemas-upnp-org:service:ContentDirectory:1")]
        #expect(isUnfit(description))
        description.device.services = [.init(type: "urn:schemas-sony-com:service:XPushList:1")]
        #expect(isUnfit(description))
        description.device.services = []
        description.device.deviceType = "urn:schemas-upnp-org:device:MediaServer:1"
        #expect(isUnfit(description))
        description.device.manufacturer = "NAS Inc."
        #expect(description.fitness(at: Self.url) == nil)
    }

    @Test func `a body with both protocols offers both, PTP/IP first`() throws {
        var description = try read(DescriptionSamples.scalar)
        description.device.services.append(.init(type: SSDPTarget.digitalImaging.rawValue))
        let offers = offers(description)
        #expect(offers.map(\.protocol) == [.ptpip, .sonyHTTP])
        #expect(offers.map(\.address.port) == [15740, 8080])
        #expect(DiscoveryTable.standard.fitness(of: description.device, at: Self.url) != nil)
    }

    @Test func `services of devices inside the device count`() throws {
        let inner =
            "<deviceList><device><serviceList><service><serviceType>\(SSDPTarget.digitalImaging)</serviceType>"
            + "</service></serviceList></device></deviceList>"
        let description = try read("<root><device><friendlyName>ILCE-1</friendlyName>\(inner)</device></root>")
        #expect(description.fitness(at: Self.url) == Self.ptpip)
    }

    @Test func `a device's name cannot move a terminal's cursor and is not long`() throws {
        #expect(try scalar("DSC-HX400V", "A&#10;B\u{9B}C\u{202E}D").device.friendlyName == "A B C D")
        #expect(try scalar("DSC-HX400V", String(repeating: "x", count: 200)).device.friendlyName.count == 128)
    }

    @Test func `a document without a device is refused`() {
        let fault = DescriptionFault(line: 1, reason: "this does not describe a device")
        #expect(throws: fault) { try read("<root/>") }
        #expect(throws: fault) { try read("<html><device/></html>") }
        #expect(throws: DescriptionFault.self) { try read("<root>") }
    }
}
