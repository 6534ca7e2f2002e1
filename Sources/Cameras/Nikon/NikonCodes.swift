import PTP

// The numbers are those of libgphoto2's ptp.h, if a comment names no other source.

/// Nikon's operations, and the standard operation that only Nikon's part uses.
extension OperationCode {
    /// A standard operation: a release to the card. Parameters: storage 0, format 0.
    package static let initiateCapture = Self(rawValue: 0x100E)
    /// Focuses. DeviceReady reports the result.
    package static let nikonAutofocus = Self(rawValue: 0x90C1)
    /// Parameter 1: 1 locks the controls of the body and allows remote control, 0 releases them.
    package static let nikonChangeCameraMode = Self(rawValue: 0x90C2)
    /// Parameter 1: the handle. Deletes a picture in memory.
    package static let nikonDeleteFromMemory = Self(rawValue: 0x90C3)
    /// Data-in: `NikonEventList` in the short form.
    package static let nikonGetEvent = Self(rawValue: 0x90C7)
    /// No data. The response code is the answer, see `NikonReadiness`.
    package static let nikonDeviceReady = Self(rawValue: 0x90C8)
    /// Data-in: `NikonVendorCodes` with two-byte codes.
    package static let nikonGetVendorPropCodes = Self(rawValue: 0x90CA)
    package static let nikonStartLiveView = Self(rawValue: 0x9201)
    package static let nikonEndLiveView = Self(rawValue: 0x9202)
    /// Data-in: a header of a size that depends on the body, then a JPEG.
    package static let nikonGetLiveViewPicture = Self(rawValue: 0x9203)
    /// As `nikonGetLiveViewPicture`, on newer bodies.
    package static let nikonGetLiveViewPictureEx = Self(rawValue: 0x9428)
    /// Parameters: `NikonFocusing`, then the target: 0 card, 1 memory, 2 both.
    package static let nikonCapture = Self(rawValue: 0x9207)
    /// Data-in: an array of u32, the real cards. GetStorageIDs also lists empty slots.
    package static let nikonGetVendorStorageIDs = Self(rawValue: 0x9209)
    /// Parameters: 0, 0. Ends an exposure in Bulb or Time.
    package static let nikonTerminateCapture = Self(rawValue: 0x920C)
    /// Parameter 1: 0x2001 accepts the pairing (OpenZCine).
    package static let nikonConfirmPairing = Self(rawValue: 0x935A)
    /// No parameters. Data-in: `NikonEventList` in the extended form.
    package static let nikonGetEventEx = Self(rawValue: 0x941C)
    /// Parameter 1: the handle. Data-in: u64.
    package static let nikonGetObjectSize = Self(rawValue: 0x9421)
    /// Parameters: handle, offset (low, high), maximum byte count (low, high). Data-in: the bytes.
    package static let nikonGetPartialObjectEx = Self(rawValue: 0x9431)
    /// Parameter 1: 1 begins the control by an application, 0 ends it. The body stays usable.
    package static let nikonChangeApplicationMode = Self(rawValue: 0x9435)
    /// Parameter 1: 0x0D, the properties. Data-in: `NikonVendorCodes` with four-byte codes (OpenZCine).
    package static let nikonGetVendorCodes = Self(rawValue: 0x9439)
    /// Data-in: bytes with the number that the body shows, see `NikonPairingPIN` (OpenZCine).
    package static let nikonGetPairingInfo = Self(rawValue: 0x952B)

    /// The name of a Nikon or a standard operation; the code for any other operation.
    package var nikonName: String { Self.nikonNames[rawValue] ?? name ?? rawValue.hexadecimal }

    private static let nikonNames: [UInt16: String] = [
        0x90C0: "InitiateCaptureRecInSdram", 0x90C1: "AfDrive", 0x90C2: "ChangeCameraMode", 0x90C3: "DelImageSDRAM",
        0x90C7: "GetEvent", 0x90C8: "DeviceReady", 0x90CA: "GetVendorPropCodes", 0x90CB: "AfCaptureSDRAM",
        0x9201: "StartLiveView", 0x9202: "EndLiveView", 0x9203: "GetLiveViewImg", 0x9207: "InitiateCaptureRecInMedia",
        0x9209: "GetVendorStorageIDs", 0x920C: "TerminateCapture", 0x935A: "ConfirmPairing", 0x941C: "GetEventEx",
        0x9421: "GetObjectSize", 0x9428: "GetLiveViewImgEx", 0x9431: "GetPartialObjectEx",
        0x9435: "ChangeApplicationMode",
        0x9439: "GetVendorCodes", 0x952B: "GetPairingInfo",
    ]
}

/// Nikon's responses, and the standard response that only Nikon's part uses.
extension ResponseCode {
    /// A standard response: no card, or a card that cannot be used.
    package static let storeNotAvailable = Self(rawValue: 0x2013)
    package static let nikonHardwareError = Self(rawValue: 0xA001)
    package static let nikonOutOfFocus = Self(rawValue: 0xA002)
    /// The answer of ChangeCameraMode on a body that needs no such mode. It is harmless (libgphoto2 library.c).
    package static let nikonChangeCameraModeFailed = Self(rawValue: 0xA003)
    /// The state of the body does not allow the operation. During captures the state is temporary.
    package static let nikonInvalidStatus = Self(rawValue: 0xA004)
    /// The property cannot be set in this mode.
    package static let nikonSetPropertyNotSupported = Self(rawValue: 0xA005)
    package static let nikonShutterIsBulb = Self(rawValue: 0xA008)
    package static let nikonMirrorUpSequence = Self(rawValue: 0xA009)
    /// The aperture ring of the lens is not at its greatest f-number.
    package static let nikonApertureNotAtMinimum = Self(rawValue: 0xA00A)
    package static let nikonNotInLiveView = Self(rawValue: 0xA00B)
    package static let nikonStoreError = Self(rawValue: 0xA021)
    package static let nikonStoreUnformatted = Self(rawValue: 0xA022)
    package static let nikonBulbBusy = Self(rawValue: 0xA200)
    package static let nikonSilentReleaseBusy = Self(rawValue: 0xA201)
    package static let nikonMovieBusy = Self(rawValue: 0xA202)
    package static let nikonShutterIsTime = Self(rawValue: 0xA204)
    /// The body waits for a second release, or it is not ready for this one (D850).
    package static let nikonSecondRelease = Self(rawValue: 0xA207)
    package static let nikonMirrorUpStarted = Self(rawValue: 0xA208)

    /// The name of a Nikon or a standard response; the code for any other response.
    package var nikonName: String { Self.nikonNames[rawValue] ?? plainName }

    private static let nikonNames: [UInt16: String] = [
        0xA001: "HardwareError", 0xA002: "OutOfFocus", 0xA003: "ChangeCameraModeFailed", 0xA004: "InvalidStatus",
        0xA005: "SetPropertyNotSupported", 0xA006: "WbResetError", 0xA007: "DustReferenceError",
        0xA008: "ShutterSpeedBulb", 0xA009: "MirrorUpSequence", 0xA00A: "CameraModeNotAdjustFNumber",
        0xA00B: "NotLiveView", 0xA00C: "MfDriveStepEnd", 0xA00E: "MfDriveStepInsufficiency",
        0xA00F: "NoFullHDPresent", 0xA021: "StoreError", 0xA022: "StoreUnformatted", 0xA200: "BulbReleaseBusy",
        0xA201: "SilentReleaseBusy", 0xA202: "MovieFrameReleaseBusy", 0xA204: "ShutterSpeedTime",
        0xA207: "WaitingFor2ndRelease", 0xA208: "MirrorUpCaptureAlreadyStart", 0xA209: "InvalidSBAttributeValue",
    ]
}

/// Nikon's properties that bracketd reads or writes, and the standard properties that only Nikon's part uses.
extension PropertyCode {
    /// Type: u8. In percent.
    package static let batteryLevel = Self(rawValue: 0x5001)
    /// Type: u16. The ISO.
    package static let exposureIndex = Self(rawValue: 0x500F)
    /// Type: u8. 1: the body chooses the ISO.
    package static let nikonAutoISO = Self(rawValue: 0xD054)
    /// Type: u8. The step of speeds and apertures. The lists of values show the step itself.
    package static let nikonStep = Self(rawValue: 0xD056)
    /// Type: u8. See `NikonLiveViewFocusMode`. Bodies without 0xD161 have one focus mode, and it is this one.
    package static let nikonLiveViewFocusMode = Self(rawValue: 0xD061)
    /// Type: u8. 1: the body takes a dark frame after a long exposure.
    package static let nikonNoiseReduction = Self(rawValue: 0xD06B)
    /// Type: u32. The ISO with the values beyond u16, on bodies since 2015.
    package static let nikonISO = Self(rawValue: 0xD0B4)
    /// Type: u32. See `NikonShutterSpeed`.
    package static let nikonShutterSpeed = Self(rawValue: 0xD100)
    /// Type: u8. See `NikonRecordingMedia`.
    package static let nikonRecordingMedia = Self(rawValue: 0xD10B)
    /// Type: u8. See `NikonAutofocusMode`.
    package static let nikonFocusMode = Self(rawValue: 0xD161)
    /// Type: u8. 0: live view is off.
    package static let nikonLiveViewStatus = Self(rawValue: 0xD1A2)
    /// Type: u32. See `NikonLiveViewProhibition`.
    package static let nikonLiveViewProhibition = Self(rawValue: 0xD1A4)
    /// Type: u8. 1: an application controls the body, see `NikonApplicationMode`.
    package static let nikonApplicationMode = Self(rawValue: 0xD1F0)
    /// Type: u16 or u32. The number of pictures that still fit on the card.
    package static let nikonShotsLeft = Self(rawValue: 0xD1F1)

    /// The name of a Nikon or a standard property; the code for any other property.
    package var nikonName: String { Self.nikonNames[rawValue] ?? name ?? rawValue.hexadecimal }

    private static let nikonNames: [UInt16: String] = [
        0xD054: "ISOAuto", 0xD056: "EVStep", 0xD061: "LiveViewAFMode", 0xD06B: "LongExposureNoiseReduction",
        0xD0B4: "ISOEx", 0xD100: "ExposureTime", 0xD10B: "RecordingMedia", 0xD161: "AutofocusMode",
        0xD1A2: "LiveViewStatus", 0xD1A4: "LiveViewProhibitCondition", 0xD1F0: "ApplicationMode",
        0xD1F1: "ExposureRemaining",
    ]
}

/// The events that Nikon bodies report, in lists and in packets.
extension EventCode {
    /// Parameter 1: the handle.
    package static let objectAdded = Self(rawValue: 0x4002)
    /// Parameter 1: the handle.
    package static let objectRemoved = Self(rawValue: 0x4003)
    package static let storeAdded = Self(rawValue: 0x4004)
    package static let storeRemoved = Self(rawValue: 0x4005)
    /// Parameter 1: the property.
    package static let propertyChanged = Self(rawValue: 0x4006)
    package static let captureComplete = Self(rawValue: 0x400D)
    /// Parameter 1: the handle of a picture in the memory of the body.
    package static let nikonObjectInMemory = Self(rawValue: 0xC101)
    package static let nikonCaptureCompleteInMemory = Self(rawValue: 0xC102)
}

/// Whether a release focuses first: parameter 1 of 0x9207 (libgphoto2 library.c, SnapBridge).
package enum NikonFocusing: UInt32, Hashable, Sendable {
    case none = 0xFFFF_FFFF
    case first = 0xFFFF_FFFE
}
