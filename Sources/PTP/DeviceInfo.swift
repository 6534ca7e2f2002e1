import NIOCore

/// The dataset of GetDeviceInfo (libgphoto2 ptp-pack.c `ptp_unpack_DI`).
///
/// `manufacturer` identifies the vendor, because the vendor extension id is not reliable over WiFi.
package struct DeviceInfo: Hashable, Sendable {
    /// 100 is version 1.00.
    package var standardVersion: UInt16 = 100
    /// 0x11 is Sony. Several makers send 6 or 0xFFFFFFFF.
    package var vendorExtensionID: UInt32 = 0
    /// The version × 100.
    package var vendorExtensionVersion: UInt16 = 0
    /// Free text by the maker.
    package var vendorExtensionDescription = ""
    /// The mode of the camera; 0 is the standard mode.
    package var functionalMode: UInt16 = 0
    package var operations: [OperationCode] = []
    package var events: [EventCode] = []
    /// The supported properties. Empty on Sony bodies, which list their properties in operation 0x9202.
    package var properties: [PropertyCode] = []
    /// The formats that the camera records.
    package var captureFormats: [UInt16] = []
    /// The formats of the pictures that the camera stores.
    package var imageFormats: [UInt16] = []
    /// For example `Sony Corporation`.
    package var manufacturer = ""
    /// For example `ILCE-9`.
    package var model = ""
    /// The firmware version.
    package var deviceVersion = ""
    /// May be empty.
    package var serialNumber = ""

    package init() {}

    /// - Throws: `DatasetError` when a count or a field exceeds the data. The strings at the end may be missing.
    package init(decoding buffer: ByteBuffer) throws(DatasetError) {
        var reader = DatasetReader(buffer)
        standardVersion = try reader.integer("StandardVersion")
        vendorExtensionID = try reader.integer("VendorExtensionID")
        vendorExtensionVersion = try reader.integer("VendorExtensionVersion")
        vendorExtensionDescription = try reader.string("VendorExtensionDesc")
        functionalMode = try reader.integer("FunctionalMode")
        operations = try reader.array("OperationsSupported", of: UInt16.self).map(OperationCode.init(rawValue:))
        events = try reader.array("EventsSupported", of: UInt16.self).map(EventCode.init(rawValue:))
        properties = try reader.array("DevicePropertiesSupported", of: UInt16.self).map(PropertyCode.init(rawValue:))
        captureFormats = try reader.array("CaptureFormats")
        imageFormats = try reader.array("ImageFormats")
        manufacturer = try reader.trailingString("Manufacturer")
        model = try reader.trailingString("Model")
        deviceVersion = try reader.trailingString("DeviceVersion")
        serialNumber = try reader.trailingString("SerialNumber")
    }

    package func encoded() -> ByteBuffer {
        var writer = DatasetWriter()
        writer.integer(standardVersion)
        writer.integer(vendorExtensionID)
        writer.integer(vendorExtensionVersion)
        writer.string(vendorExtensionDescription)
        writer.integer(functionalMode)
        writer.array(operations.map(\.rawValue))
        writer.array(events.map(\.rawValue))
        writer.array(properties.map(\.rawValue))
        writer.array(captureFormats)
        writer.array(imageFormats)
        writer.string(manufacturer)
        writer.string(model)
        writer.string(deviceVersion)
        writer.string(serialNumber)
        return writer.buffer
    }
}
