import PTP

/// The purpose of a transaction.
enum CanonTask: Hashable, Sendable {
    case remoteMode(UInt32)
    case eventMode(UInt32)
    case storageIDs
    case displayInfo
    /// Requests an event list.
    case list
    case keepOn
    /// The body is to report a property again, because a list was damaged.
    case request(PropertyCode)
    /// Announces free space on this computer. Otherwise a body that saves to this computer counts 0 pictures left.
    case capacity
    case write(CanonPropertyWrite)
    /// Presses the button in these stages.
    case press(CanonStages, autofocus: Bool)
    case release(CanonStages)
    /// Releases the shutter in one operation, on bodies without stages.
    case releaseShutter
    /// Requests the handles of the files in a folder.
    case fileList(storage: UInt32, folder: UInt32)
    case objectInfo(UInt32)
    /// Fetches `count` bytes of a file.
    case part(UInt32, from: UInt32, count: UInt32)
    /// Fetches a whole file, on bodies without 0x101B.
    case object(UInt32)
    case transferComplete(UInt32)
    /// Switches live view on or off.
    case liveViewSwitch(CanonPropertyWrite)
    case liveViewPicture
    case terminateLiveView

    var code: OperationCode {
        switch self {
        case .remoteMode: .canonSetRemoteMode
        case .eventMode: .canonSetEventMode
        case .storageIDs: .getStorageIDs
        case .displayInfo: .canonRequestDisplayInfo
        case .list: .canonGetEvent
        case .keepOn: .canonKeepDeviceOn
        case .request: .canonRequestProperty
        case .capacity: .canonPCHDDCapacity
        case .write: .canonSetProperty
        case .press: .canonPress
        case .release: .canonRelease
        case .releaseShutter: .canonRemoteRelease
        case .fileList: .getObjectHandles
        case .objectInfo: .getObjectInfo
        case .part: .getPartialObject
        case .object: .getObject
        case .transferComplete: .canonTransferComplete
        case .liveViewSwitch: .canonSetProperty
        case .liveViewPicture: .canonGetViewFinderData
        case .terminateLiveView: .canonTerminateViewFinder
        }
    }

    var name: String { code.canonName }

    /// Whether the shutter can fire during the transaction.
    var isShutter: Bool {
        switch self {
        case .press(let stages, _): stages != .half
        case .releaseShutter: true
        default: false
        }
    }

    /// Whether a session can begin if the body stays busy.
    var isOptional: Bool { if case .fileList = self { true } else { false } }

    /// Whether the transaction fetches a file.
    var isTransfer: Bool {
        switch self {
        case .part, .object: true
        default: false
        }
    }

    /// The parameters of the operation, for operations without a rule of their own.
    var parameters: [UInt32] {
        switch self {
        case .remoteMode(let mode), .eventMode(let mode): [mode]
        case .displayInfo: [CanonDisplayInfo.groups]
        case .request(let code): [UInt32(code.rawValue)]
        // The numbers of libgphoto2: 256 million clusters of 4 kB.
        case .capacity: [0x0FFF_FFFF, 0x1000, 1]
        case .press(let stages, let autofocus): [stages.rawValue, autofocus ? 0 : 1]
        case .release(let stages): [stages.rawValue]
        // Files of every format.
        case .fileList(let storage, let folder): [storage, 0, folder]
        case .objectInfo(let handle), .transferComplete(let handle): [handle]
        // The greatest size of the data, and two zeros (libgphoto2 ptp.c).
        case .liveViewPicture: [0x0020_0000, 0, 0]
        case .storageIDs, .list, .keepOn, .write, .releaseShutter, .part, .object, .liveViewSwitch, .terminateLiveView:
            []
        }
    }
}

/// The stages of the shutter button, as the parameter of 0x9128 and 0x9129.
enum CanonStages: UInt32, Sendable {
    case half = 1
    case full = 2
    case both = 3
}
