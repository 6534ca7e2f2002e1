import PTP

/// Sony's operations (Sony Camera Control PTP 3 Reference; SDIO operations).
extension OperationCode {
    /// Parameters: the phase (1, 2 or 3) and two zeros. Data-in: 8 bytes without meaning.
    package static let sdioConnect = Self(rawValue: 0x9201)
    /// Parameter 1: the requested extension version. Data-in: `SonyExtDeviceInfo`.
    package static let sdioGetExtDeviceInfo = Self(rawValue: 0x9202)
    /// Parameter 1: the property. Data-out: the value, in the property's type.
    package static let sdioSetExtDevicePropValue = Self(rawValue: 0x9205)
    /// Parameter 1: the control. Data-out: its value, mostly u16.
    package static let sdioControlDevice = Self(rawValue: 0x9207)
    /// Parameter 1: 0 for all properties. Data-in: `SonyPropertyDataset`.
    package static let sdioGetAllExtDevicePropInfo = Self(rawValue: 0x9209)
    /// No parameters. The body answers OK without data. Only the rocc client sends it, and its effect is not known.
    package static let sdioUndocumented920D = Self(rawValue: 0x920D)

    /// The name of a Sony or a standard operation; the code for any other operation.
    package var sonyName: String { Self.sonyNames[rawValue] ?? name ?? rawValue.hexadecimal }

    private static let sonyNames: [UInt16: String] = [
        0x9201: "SDIO_Connect", 0x9202: "SDIO_GetExtDeviceInfo", 0x9205: "SDIO_SetExtDevicePropValue",
        0x9207: "SDIO_ControlDevice", 0x9209: "SDIO_GetAllExtDevicePropInfo",
    ]
}

/// Sony's events (PTP 3 Reference; section "Events").
extension EventCode {
    /// A file is ready. Parameter 1: the handle, always 0xFFFFC001. For RAW+JPEG a body may send the event only once.
    package static let sonyObjectAdded = Self(rawValue: 0xC201)
    /// A file was transferred. The driver must not fetch it.
    package static let sonyObjectRemoved = Self(rawValue: 0xC202)
    /// A property changed: read 0x9209 again. Documents and captures differ about the parameter.
    package static let sonyDevicePropChanged = Self(rawValue: 0xC203)
    /// The body took a picture. No parameters.
    package static let sonyCaptured = Self(rawValue: 0xC206)
}

/// Sony's responses (PTP 3 Reference).
extension ResponseCode {
    /// The sources differ: another host uses the camera, or the extension version is too low (PTP 3 p.118, rocc).
    package static let sonyAuthenticationFailed = Self(rawValue: 0xA101)
    /// The body's buffer is full.
    package static let sonyTemporaryStorageFull = Self(rawValue: 0xA105)

    /// The name of a Sony or a standard response; the code for any other response.
    package var sonyName: String { Self.sonyNames[rawValue] ?? plainName }

    private static let sonyNames: [UInt16: String] = [
        0xA101: "Authentication_Failed", 0xA102: "Password_Length_Over_Max",
        0xA103: "Password_Includes_Invalid_Character", 0xA104: "Feature_Version_Invalid",
        0xA105: "Temporary_Storage_Full", 0xA106: "Camera_Status_Error",
    ]
}

/// Sony's properties that bracketd reads or writes (PTP 3 Reference).
extension PropertyCode {
    /// u32 numerator and denominator, see `SonyShutterSpeed`.
    package static let sonyShutterSpeed = Self(rawValue: 0xD20D)
    /// u8: 0 live view is off, 1 on, 2 not supported (PTP 3 p.461).
    package static let sonyLiveViewStatus = Self(rawValue: 0xD221)
    /// u8: 1 live view shows the exposure, 2 it does not (PTP 3 p.465).
    package static let sonyLiveViewEffect = Self(rawValue: 0xD231)
    /// u8, see PTP 3 p.447.
    package static let sonyBatteryIndicator = Self(rawValue: 0xD20E)
    /// u8, see `SonyFocusIndication`.
    package static let sonyFocusIndication = Self(rawValue: 0xD213)
    /// u16, see `SonyShootingFileInfo`.
    package static let sonyShootingFileInfo = Self(rawValue: 0xD215)
    /// i8: −1 means unknown, other values are percent. Correct even when IsEnabled is 0 (capture of an RX100 VII).
    package static let sonyBatteryPercent = Self(rawValue: 0xD218)
    /// u32: the ISO in the low 24 bits. If all 24 bits are 1, the value means auto.
    package static let sonyISO = Self(rawValue: 0xD21E)
    /// u16, see `SonySaveTarget`.
    package static let sonySaveTarget = Self(rawValue: 0xD222)
    /// u8: 1 OK, 2 no card, 3 error, 4 to 9 see PTP 3 p.477.
    package static let sonySlot1Status = Self(rawValue: 0xD248)
    /// u32. The value can be old while the body writes (PTP 3).
    package static let sonySlot1ShotsLeft = Self(rawValue: 0xD249)
    /// The values of `sonySlot1Status`, for slot 2.
    package static let sonySlot2Status = Self(rawValue: 0xD256)
    /// The values of `sonySlot1ShotsLeft`, for slot 2.
    package static let sonySlot2ShotsLeft = Self(rawValue: 0xD257)
    /// u8, see `SonyJPEGQuality`.
    package static let sonyJPEGQuality = Self(rawValue: 0xD252)
    /// u8: 1 RAW, 2 RAW+JPEG, 3 JPEG, 4 RAW+HEIF, 5 HEIF.
    package static let sonyFileFormat = Self(rawValue: 0xD253)
    /// u8, the files that go to the host: 1 RAW and JPEG, 2 JPEG, 3 RAW. Read-only on an RX100 VII.
    package static let sonyRawAndJPEGTransfer = Self(rawValue: 0xD269)
    /// u8: 0 the camera's dials have priority, 1 the remote control has priority (PTP 3 p.486).
    package static let sonyPositionKey = Self(rawValue: 0xD25A)
    /// u8: 1 off, 2 on. Only the newest bodies have it (PTP 3 p.354).
    package static let sonyLongExposureNoiseReduction = Self(rawValue: 0xD15B)
    /// i16: by how much the exposure differs from the meter's, in thousandths of an EV, -8000 to 8000 (PTP 3 p.402).
    package static let sonyMeter = Self(rawValue: 0xD1B5)
    /// u8: 0x01 off, from 0x02 on levels of DRO, from 0x20 on in-camera HDR (PTP 3 p.438, libgphoto2 config.c).
    package static let sonyDRO = Self(rawValue: 0xD201)
    /// u32 on version 2 bodies that list it: the speed as a value. Version 3 bodies use this number for another
    /// property, so the driver writes it only on version 2 bodies.
    package static let sonyShutterSpeedVersion2 = Self(rawValue: 0xD229)
}

/// The controls of 0x9207 (PTP 3 p.653).
package struct SonyControl: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The shutter speed of version 2 bodies, i8: the number of notches of a third of a stop, positive for faster
    /// speeds (PTP 2 p.80). The property `sonyShutterSpeed` has the same number.
    package static let shutterSpeed = Self(rawValue: 0xD20D)
    /// The half press of the shutter button.
    package static let halfPress = Self(rawValue: 0xD2C1)
    /// The full press of the shutter button.
    package static let fullPress = Self(rawValue: 0xD2C2)
    /// The AE lock button.
    package static let autoExposureLock = Self(rawValue: 0xD2C3)
    /// The AF lock button.
    package static let autoFocusLock = Self(rawValue: 0xD2C4)
    /// One picture without the buttons. It works only in the drive mode "single" (PTP 3 p.48).
    package static let oneShot = Self(rawValue: 0xD2C7)
    /// The movie button.
    package static let movieRecord = Self(rawValue: 0xD2C8)
    /// Both stages of the shutter button at once.
    package static let halfAndFullPress = Self(rawValue: 0xD2E6)
}

/// The two positions of a button, u16 (PTP 3 p.653). Another document has the two values swapped.
package enum SonyButton: UInt16, Sendable {
    case released = 1
    case pressed = 2

    /// The value for 0x9207.
    package var value: PTPValue { .uint16(rawValue) }
}

/// Handles with a special meaning.
package enum SonyObjectHandle {
    /// The first file in the body's buffer.
    package static let shotImage: UInt32 = 0xFFFF_C001
    /// The current live view picture.
    package static let liveView: UInt32 = 0xFFFF_C002
}
