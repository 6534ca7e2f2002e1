/// A PTP device property code: a standard code, or a vendor's code from 0xD000 up.
package struct PropertyCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package var rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Type: u8.
    package static let compressionSetting = Self(rawValue: 0x5004)
    /// Type: u16.
    package static let whiteBalance = Self(rawValue: 0x5005)
    /// Type: u16. The f-number × 100.
    package static let fNumber = Self(rawValue: 0x5007)
    /// Type: u16.
    package static let focusMode = Self(rawValue: 0x500A)
    /// Type: u32. In tenths of a millisecond.
    package static let exposureTime = Self(rawValue: 0x500D)
    /// Type: u16 (u32 on Sony's version 3 bodies). 1 is manual.
    package static let exposureProgramMode = Self(rawValue: 0x500E)
    /// Type: i16. EV × 1000.
    package static let exposureBiasCompensation = Self(rawValue: 0x5010)
    /// Type: string.
    package static let dateTime = Self(rawValue: 0x5011)
    /// Type: u16 (u32 on Sony's version 3 bodies). 1 is single shooting.
    package static let stillCaptureMode = Self(rawValue: 0x5013)

    /// The name of a standard property (libgphoto2 ptp.h); nil for a vendor's property or an unknown property.
    package var name: String? { Self.names[rawValue] }

    /// The name and the code, or the code alone.
    package var description: String { name.map { "\($0) (\(rawValue.hexadecimal))" } ?? rawValue.hexadecimal }

    private static let names: [UInt16: String] = [
        0x5001: "BatteryLevel", 0x5003: "ImageSize", 0x5004: "CompressionSetting", 0x5005: "WhiteBalance",
        0x5007: "FNumber", 0x5008: "FocalLength", 0x500A: "FocusMode", 0x500B: "ExposureMeteringMode",
        0x500C: "FlashMode", 0x500D: "ExposureTime", 0x500E: "ExposureProgramMode", 0x500F: "ExposureIndex",
        0x5010: "ExposureBiasCompensation", 0x5011: "DateTime", 0x5013: "StillCaptureMode", 0x5018: "BurstNumber",
    ]
}
