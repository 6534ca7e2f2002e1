/// A PTP operation code: a standard code, or a vendor's code from 0x9000 up.
package struct OperationCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package var rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Data-in: the `DeviceInfo` dataset.
    package static let getDeviceInfo = Self(rawValue: 0x1001)
    /// Parameter 1: the session id, not 0.
    package static let openSession = Self(rawValue: 0x1002)
    /// No parameters.
    package static let closeSession = Self(rawValue: 0x1003)
    /// Data-in: an array of u32.
    package static let getStorageIDs = Self(rawValue: 0x1004)
    /// Parameter 1: the storage. Data-in: the `StorageInfo` dataset.
    package static let getStorageInfo = Self(rawValue: 0x1005)
    /// Parameters: storage, format, parent. The answer's parameter 1 is the number of objects.
    package static let getNumObjects = Self(rawValue: 0x1006)
    /// Parameters: storage, format, parent. Data-in: an array of u32.
    package static let getObjectHandles = Self(rawValue: 0x1007)
    /// Parameter 1: the handle. Data-in: the `ObjectInfo` dataset.
    package static let getObjectInfo = Self(rawValue: 0x1008)
    /// Parameter 1: the handle. Data-in: the object.
    package static let getObject = Self(rawValue: 0x1009)
    /// Parameter 1: the handle. Data-in: the thumbnail.
    package static let getThumb = Self(rawValue: 0x100A)
    /// Parameter 1: the property. Data-in: the `DevicePropDesc` dataset.
    package static let getDevicePropDesc = Self(rawValue: 0x1014)
    /// Parameter 1: the property. Data-in: the value.
    package static let getDevicePropValue = Self(rawValue: 0x1015)
    /// Parameter 1: the property. Data-out: the value.
    package static let setDevicePropValue = Self(rawValue: 0x1016)
    /// Parameters: handle, format 0.
    package static let deleteObject = Self(rawValue: 0x100B)
    /// Data-out: the object that SendObjectInfo announced.
    package static let sendObject = Self(rawValue: 0x100D)
    /// Parameters: handle, offset, maximum byte count. Data-in: the bytes. The answer's parameter 1 is the byte count.
    package static let getPartialObject = Self(rawValue: 0x101B)

    /// The name of a standard operation (libgphoto2 ptp.h); nil for a vendor's operation or an unknown operation.
    package var name: String? { Self.names[rawValue] }

    /// The name and the code, or the code alone.
    package var description: String { name.map { "\($0) (\(rawValue.hexadecimal))" } ?? rawValue.hexadecimal }

    private static let names: [UInt16: String] = [
        0x1001: "GetDeviceInfo", 0x1002: "OpenSession", 0x1003: "CloseSession", 0x1004: "GetStorageIDs",
        0x1005: "GetStorageInfo", 0x1006: "GetNumObjects", 0x1007: "GetObjectHandles", 0x1008: "GetObjectInfo",
        0x1009: "GetObject", 0x100A: "GetThumb", 0x100B: "DeleteObject", 0x100E: "InitiateCapture",
        0x1010: "ResetDevice", 0x1012: "SetObjectProtection", 0x1013: "PowerDown", 0x1014: "GetDevicePropDesc",
        0x1015: "GetDevicePropValue", 0x1016: "SetDevicePropValue", 0x1017: "ResetDevicePropValue",
        0x1018: "TerminateOpenCapture", 0x101B: "GetPartialObject", 0x101C: "InitiateOpenCapture",
    ]
}
