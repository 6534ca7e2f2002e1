import PTP

// The numbers are those of libgphoto2's ptp.h, if a comment names no other source.

/// Canon's operations.
extension OperationCode {
    /// A complete release in one operation, on bodies without 0x9128. The answer's parameter 1 is the result.
    package static let canonRemoteRelease = Self(rawValue: 0x910F)
    /// Data-out: size, property, value; see `CanonPropertyWrite`.
    package static let canonSetProperty = Self(rawValue: 0x9110)
    /// Parameter 1: 0 off; other values depend on the kind of body.
    package static let canonSetRemoteMode = Self(rawValue: 0x9114)
    /// Parameter 1: 0 off, 1 on, 2 on for the EOS M family.
    package static let canonSetEventMode = Self(rawValue: 0x9115)
    /// Data-in: `CanonEventList`.
    package static let canonGetEvent = Self(rawValue: 0x9116)
    /// Parameter 1: the handle of an object in the body's buffer that was transferred.
    package static let canonTransferComplete = Self(rawValue: 0x9117)
    /// Parameters: the free space of this computer in clusters, the size of a cluster, 1.
    package static let canonPCHDDCapacity = Self(rawValue: 0x911A)
    /// Delays the automatic power-off.
    package static let canonKeepDeviceOn = Self(rawValue: 0x911D)
    /// Parameter 1: a property. The body then reports the property's value in its event list.
    package static let canonRequestProperty = Self(rawValue: 0x9127)
    /// Parameters: 1 half, 2 full, 3 both; 0 with autofocus, 1 without.
    package static let canonPress = Self(rawValue: 0x9128)
    /// Parameter 1: 1 half, 2 full, 3 both.
    package static let canonRelease = Self(rawValue: 0x9129)
    /// Parameter 1: the groups of display data that the body reports, see `CanonDisplayInfo`.
    package static let canonRequestDisplayInfo = Self(rawValue: 0x913D)

    /// Ends live view, after its output is off.
    package static let canonTerminateViewFinder = Self(rawValue: 0x9152)
    /// Data-in: `CanonLiveView`.
    package static let canonGetViewFinderData = Self(rawValue: 0x9153)

    /// The name of a Canon or a standard operation; the code for any other operation.
    package var canonName: String { Self.canonNames[rawValue] ?? name ?? rawValue.hexadecimal }

    private static let canonNames: [UInt16: String] = [
        0x910F: "RemoteRelease", 0x9110: "SetDevicePropValueEx", 0x9114: "SetRemoteMode", 0x9115: "SetEventMode",
        0x9116: "GetEvent", 0x9117: "TransferComplete", 0x911A: "PCHDDCapacity", 0x911D: "KeepDeviceOn",
        0x9127: "RequestDevicePropValue", 0x9128: "RemoteReleaseOn", 0x9129: "RemoteReleaseOff",
        0x913D: "SetRequestOLCInfoGroup", 0x9152: "TerminateViewfinder", 0x9153: "GetViewFinderData",
    ]
}

/// Canon's responses.
extension ResponseCode {
    /// The body's state does not allow the operation.
    package static let canonOperationRefused = Self(rawValue: 0xA005)
    /// The body is already in the requested mode. This counts as success.
    package static let canonAlreadyInMode = Self(rawValue: 0xA009)
    /// The battery is too low.
    package static let canonBatteryLow = Self(rawValue: 0xA101)
    /// The object cannot be read yet. A later retry may succeed.
    package static let canonObjectNotReady = Self(rawValue: 0xA102)

    /// The name of a Canon or a standard response; the code for any other response.
    package var canonName: String { Self.canonNames[rawValue] ?? plainName }

    /// Whether a later retry may succeed.
    var isCanonBusy: Bool { self == .deviceBusy || self == .canonObjectNotReady }

    /// Whether the body may have left the remote mode. No source says how a body answers then.
    var mayMeanRemoteModeLost: Bool {
        self == .accessDenied || self == .generalError || self == .canonOperationRefused
    }

    private static let canonNames: [UInt16: String] = [
        0xA001: "UnknownCommand", 0xA005: "OperationRefused", 0xA006: "LensCoverClosed", 0xA009: "AlreadyInMode",
        0xA101: "BatteryLow", 0xA102: "ObjectNotReady", 0xA104: "CannotMakeObject", 0xA106: "MemoryStatusNotReady",
    ]
}

/// Canon's properties that bracketd reads or writes. All of them are u32 in the event list.
extension PropertyCode {
    /// See `CanonAperture`.
    package static let canonAperture = Self(rawValue: 0xD101)
    /// See `CanonShutterSpeed`.
    package static let canonShutterSpeed = Self(rawValue: 0xD102)
    /// See `CanonISO`.
    package static let canonISO = Self(rawValue: 0xD103)
    /// See `CanonExposureCompensation`.
    package static let canonExposureCompensation = Self(rawValue: 0xD104)
    /// See `CanonExposureMode`.
    package static let canonExposureMode = Self(rawValue: 0xD105)
    /// See `CanonDriveMode`.
    package static let canonDriveMode = Self(rawValue: 0xD106)
    /// See `CanonFocusMode`.
    package static let canonFocusMode = Self(rawValue: 0xD108)
    /// See `CanonWhiteBalance`.
    package static let canonWhiteBalance = Self(rawValue: 0xD109)
    /// See `CanonBattery`.
    package static let canonBattery = Self(rawValue: 0xD111)
    /// The number of pictures that still fit on the card.
    package static let canonShotsLeft = Self(rawValue: 0xD11B)
    /// See `CanonSaveTarget`.
    package static let canonSaveTarget = Self(rawValue: 0xD11C)
    /// A structure, see `CanonImageFormat`.
    package static let canonImageFormat = Self(rawValue: 0xD120)
    /// The storage that the body uses.
    package static let canonStorage = Self(rawValue: 0xD11E)
    /// The handle of the folder for the next pictures. Without a folder it is the handle of DCIM.
    package static let canonFolder = Self(rawValue: 0xD11F)
    /// The version of the display data, see `CanonDisplayInfo`.
    package static let canonDisplayInfoVersion = Self(rawValue: 0xD199)
    /// The outputs of the live picture: 1 the camera, 2 this computer; 8 moves out the lens of the EOS M family.
    package static let canonLiveViewOutput = Self(rawValue: 0xD1B0)
    /// 1: live view can be switched on.
    package static let canonLiveViewMode = Self(rawValue: 0xD1B1)
}

/// The types of the records in an event list.
package struct CanonRecordType: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The end of the list.
    package static let end = Self(rawValue: 0)
    package static let objectAdded = Self(rawValue: 0xC181)
    package static let objectRemoved = Self(rawValue: 0xC182)
    package static let transferRequested = Self(rawValue: 0xC186)
    package static let propertyValue = Self(rawValue: 0xC189)
    package static let propertyChoices = Self(rawValue: 0xC18A)
    package static let status = Self(rawValue: 0xC18B)
    /// The body soon turns itself off.
    package static let shutdownSoon = Self(rawValue: 0xC18D)
    package static let storeAdded = Self(rawValue: 0xC192)
    package static let storeRemoved = Self(rawValue: 0xC193)
    package static let displayInfo = Self(rawValue: 0xC1A5)
    /// As `objectAdded`, with a 64-bit size.
    package static let objectAdded64 = Self(rawValue: 0xC1A7)
    /// As `transferRequested`, with a 64-bit size.
    package static let transferRequested64 = Self(rawValue: 0xC1A9)
    /// As `objectAdded64`, with a long file name. No source describes its layout.
    package static let objectAddedLongName = Self(rawValue: 0xC1B6)
    /// As `transferRequested64`, with a long file name.
    package static let transferRequestedLongName = Self(rawValue: 0xC1B8)
}
