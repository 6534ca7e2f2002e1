import NIOCore
import PTP

/// The version of Sony's PTP extension on a body. The first number of the 0x9202 dataset decides, never the model
/// (libgphoto2 library.c, libgphoto2#937).
package enum SonyExtensionVersion: Hashable, Sendable {
    /// 2.xx: enumerations have one list, and the shutter speed changes only in steps.
    case version2
    /// 3.xx: enumerations have two lists, and the shutter speed is set as a value.
    case version3

    /// - Returns: nil for a number below 2.00. Later versions follow the rules of version 3.
    package init?(rawValue: UInt16) {
        switch rawValue {
        case 200..<300: self = .version2
        case 300...: self = .version3
        default: return nil
        }
    }

    /// The version number × 100, in requests and in the answers of bodies.
    package var rawValue: UInt16 {
        switch self {
        case .version2: 0x00C8
        case .version3: 0x012C
        }
    }
}

/// The dataset of 0x9202 (PTP 3 p.117).
package struct SonyExtDeviceInfo: Hashable, Sendable {
    /// The version number × 100.
    package var version: UInt16
    /// The properties that 0x9209 can list.
    package var properties: [PropertyCode]
    /// The controls of 0x9207.
    package var controls: [SonyControl]

    package init(version: UInt16, properties: [PropertyCode], controls: [SonyControl]) {
        self.version = version
        self.properties = properties
        self.controls = controls
    }

    /// The version whose rules hold for this body; nil: an unknown version.
    package var extensionVersion: SonyExtensionVersion? { SonyExtensionVersion(rawValue: version) }

    /// - Throws: `DatasetError` if the dataset is incomplete. A missing list of controls is no error.
    package init(decoding buffer: ByteBuffer) throws(DatasetError) {
        var reader = DatasetReader(buffer)
        version = try reader.integer("ExtensionVersion")
        properties = try reader.array("Properties", of: UInt16.self).map(PropertyCode.init(rawValue:))
        controls =
            reader.bytesLeft == 0
            ? [] : try reader.array("Controls", of: UInt16.self).map(SonyControl.init(rawValue:))
    }

    package func encoded() -> ByteBuffer {
        var writer = DatasetWriter()
        writer.integer(version)
        writer.array(properties.map(\.rawValue))
        writer.array(controls.map(\.rawValue))
        return writer.buffer
    }
}
