import Exposure
import NIOCore
import PrintableText

/// The parts of a device's UPnP description that concern cameras (Device Architecture 1.1, 2.3). Texts for users are
/// short and have no control characters.
package struct DeviceDescription: Equatable, Sendable {
    /// The name for users; empty: not given.
    package var friendlyName = ""
    package var manufacturer = ""
    /// The model. Some makers use the same value for all bodies.
    package var modelName = ""
    package var modelDescription = ""
    /// `urn:schemas-upnp-org:device:Basic:1`.
    package var deviceType = ""
    /// The unique device name; nil: not given, or in an unknown form.
    package var udn: UDN?
    /// The services of the device and of its inner devices.
    package var services: [Service] = []
    /// The whole content of the description, for elements of a maker.
    var content = DescriptionElement(name: "device", text: "", elements: [])

    /// A UPnP service.
    package struct Service: Equatable, Sendable {
        /// `urn:schemas-sony-com:service:DigitalImaging:1`.
        package var type: String

        package init(type: String) { self.type = type }
    }

    package init() {}

    /// The greatest number of bytes of a description.
    package static let byteCountMax = DescriptionReader.byteCountMax
}

extension DeviceDescription {
    package static func read(_ document: ByteBuffer) throws(DescriptionFault) -> DeviceDescription {
        let root = try DescriptionReader.read(document)
        guard root.name == "root", let device = root["device"] else {
            throw DescriptionFault(line: 1, reason: "this does not describe a device")
        }
        var description = DeviceDescription()
        description.friendlyName = shown(device["friendlyName"])
        description.manufacturer = shown(device["manufacturer"])
        description.modelName = shown(device["modelName"])
        description.modelDescription = shown(device["modelDescription"])
        description.deviceType = device["deviceType"]?.text ?? ""
        description.udn = device["UDN"].flatMap { UDN($0.text) }
        // Services can be at any depth: a device can contain other devices, and each can have the maker's services.
        description.services = device.descendants(named: "service").compactMap { service in
            guard let type = service["serviceType"]?.text, !type.isEmpty else { return nil }
            return Service(type: type)
        }
        description.content = device
        return description
    }

    static func shown(_ element: DescriptionElement?) -> String {
        let lengthMax = 128
        return PrintableText.clean(element?.text ?? "", lengthMax: lengthMax, replacement: " ")
    }
}
