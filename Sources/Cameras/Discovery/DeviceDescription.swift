import Exposure
import NIOCore
import PrintableText

/// What a device says of itself by UPnP (Device Architecture 1.1, 2.3), as far as it concerns cameras. What people are
/// to see is free of control characters and not long.
package struct DeviceDescription: Equatable, Sendable {
    /// What people are to call it. Empty: not told.
    package var friendlyName = ""
    package var manufacturer = ""
    /// Some makers have the same on all bodies.
    package var modelName = ""
    package var modelDescription = ""
    /// `urn:schemas-upnp-org:device:Basic:1`.
    package var deviceType = ""
    /// nil: not told, or in no form we know.
    package var udn: UDN?
    /// Of the device and of those in it.
    package var services: [Service] = []
    /// All that it has, for what is a maker's own.
    var content = DescriptionElement(name: "device", text: "", elements: [])

    /// A service of UPnP.
    package struct Service: Equatable, Sendable {
        /// `urn:schemas-sony-com:service:DigitalImaging:1`.
        package var type: String
        /// What describes it, relative to the description; may be empty.
        package var descriptionURL: String

        package init(type: String, descriptionURL: String = "") {
            self.type = type
            self.descriptionURL = descriptionURL
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
            throw DescriptionFault(line: 1, reason: "this does not describe a device")
        }
        var description = DeviceDescription()
        description.friendlyName = shown(device["friendlyName"])
        description.manufacturer = shown(device["manufacturer"])
        description.modelName = shown(device["modelName"])
        description.modelDescription = shown(device["modelDescription"])
        description.deviceType = device["deviceType"]?.text ?? ""
        description.udn = device["UDN"].flatMap { UDN($0.text) }
        // Wherever they stand: a device may hold others, and which of them has a maker's services is not told.
        description.services = device.descendants(named: "service").compactMap { service in
            guard let type = service["serviceType"]?.text, !type.isEmpty else { return nil }
            return Service(type: type, descriptionURL: service["SCPDURL"]?.text ?? "")
        }
        description.content = device
        return description
    }

    static func shown(_ element: DescriptionElement?) -> String {
        let lengthMax = 128
        return PrintableText.clean(element?.text ?? "", lengthMax: lengthMax, replacement: " ")
    }
}
