/// A PTP event code: a standard code, or a vendor's code from 0xC000 up.
package struct EventCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package var rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The storage is full. Parameter 1: the storage id.
    package static let storeFull = Self(rawValue: 0x400A)

    /// The name of a standard event (libgphoto2 ptp.h); nil for a vendor's event or an unknown event.
    package var name: String? { Self.names[rawValue] }

    /// The name and the code, or the code alone.
    package var description: String { name.map { "\($0) (\(rawValue.hexadecimal))" } ?? rawValue.hexadecimal }

    private static let names: [UInt16: String] = [
        0x4001: "CancelTransaction", 0x4002: "ObjectAdded", 0x4003: "ObjectRemoved", 0x4004: "StoreAdded",
        0x4005: "StoreRemoved", 0x4006: "DevicePropChanged", 0x4007: "ObjectInfoChanged",
        0x4008: "DeviceInfoChanged", 0x4009: "RequestObjectTransfer", 0x400A: "StoreFull", 0x400B: "DeviceReset",
        0x400C: "StorageInfoChanged", 0x400D: "CaptureComplete", 0x400E: "UnreportedStatus",
    ]
}
