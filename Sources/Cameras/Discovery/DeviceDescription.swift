import Exposure
import NIOCore
import PrintableText

/// A device's UPnP description (Device Architecture 1.1, 2.3), as far as it concerns cameras. Texts for users are short
/// and free of control characters.
package struct DeviceDescription: Equatable, Sendable {
    /// The name for users. Empty: not given.
    package var friendlyName = ""
    package var manufacturer = ""
    /// Some makers use one value for all bodies.
    package var modelName = ""
    package var modelDescription = ""
    /// `urn:schemas-upnp-org:device:Basic:1`.
    package var deviceType = ""
    /// nil: not given, or in an unknown form.
    package var udn: UDN?
    /// The services of the device and of its inner devices.
    package var services: [Service] = []
    /// The whole content, for a maker's own elements.
    var content = DescriptionElement(name: "device", text: "", elements: [])

    /// A service of UPnP.
    package struct Service: Equatable, Sendable {
        /// `urn:schemas-sony-com:service:DigitalImaging:1`.
        package var type: String

        package init(type: String) { self.type = type }
    }

    package init() {}

    /// The most bytes that a description has.
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
        // At any depth: a device may contain others, and any of them may have the maker's services.
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
