import PTP

/// The purpose of a transaction.
enum NikonTask: Hashable, Sendable {
    case pairingInfo
    case confirmPairing
    case applicationMode(isOn: Bool)
    case cameraMode(isOn: Bool)
    case vendorList(NikonVendorList)
    /// Reads the type, the value and the list of a property.
    case describe(PropertyCode)
    /// Reads the value of a property.
    case read(PropertyCode)
    case write(NikonPropertyWrite)
    /// Requests a list of events.
    case events(NikonEventForm)
    case ready
    case startLiveView
    case endLiveView
    /// Fetches a picture of the live view.
    case liveViewPicture(OperationCode)
    case capture(NikonShutterCommand)
    /// Requests the handles of all files.
    case fileList
    /// Requests the cards, apart from the slots without a card.
    case storageList
    /// Requests the handles of all files of a card.
    case storageFiles(UInt32)
    case objectInfo(UInt32)
    /// Requests the size of a file as 64 bits.
    case objectSize(UInt32)
    /// Fetches the first bytes of a file that the body does not describe.
    case head(UInt32)
    /// Fetches `count` bytes of a file.
    case part(UInt32, from: UInt64, count: UInt32, by: OperationCode)
    /// Fetches a whole file.
    case object(UInt32)
    /// Deletes a picture in the memory of the body.
    case delete(UInt32, by: OperationCode)

    var code: OperationCode {
        switch self {
        case .pairingInfo: .nikonGetPairingInfo
        case .confirmPairing: .nikonConfirmPairing
        case .applicationMode: .nikonChangeApplicationMode
        case .cameraMode: .nikonChangeCameraMode
        case .vendorList(let list): list.operation
        case .describe: .getDevicePropDesc
        case .read: .getDevicePropValue
        case .write: .setDevicePropValue
        case .events(let form): form.operation
        case .ready: .nikonDeviceReady
        case .startLiveView: .nikonStartLiveView
        case .endLiveView: .nikonEndLiveView
        case .liveViewPicture(let code): code
        case .capture(let command): command.code
        case .fileList, .storageFiles: .getObjectHandles
        case .storageList: .nikonGetVendorStorageIDs
        case .objectInfo: .getObjectInfo
        case .objectSize: .nikonGetObjectSize
        case .head: .nikonGetPartialObjectEx
        case .part(_, _, _, let code), .delete(_, let code): code
        case .object: .getObject
        }
    }

    var name: String { code.nikonName }

    /// Whether the transaction fetches a file.
    var isTransfer: Bool {
        switch self {
        case .part, .object: true
        default: false
        }
    }

    /// Whether the task undoes a change on the body, if it is performed at the end of a session.
    var isUndoing: Bool {
        switch self {
        case .applicationMode(isOn: false), .cameraMode(isOn: false), .endLiveView, .write: true
        default: false
        }
    }

    var parameters: [UInt32] {
        switch self {
        case .confirmPairing: [0x2001]
        case .applicationMode(let isOn), .cameraMode(let isOn): [isOn ? 1 : 0]
        case .vendorList(let list): list.parameters
        case .describe(let code), .read(let code): [UInt32(code.rawValue)]
        case .write(let write): [UInt32(write.code.rawValue)]
        case .capture(let command): command.parameters
        // All files and folders of all cards.
        case .fileList: [.max, 0, 0]
        case .storageFiles(let card): [card, 0, 0]
        case .objectInfo(let handle), .objectSize(let handle), .object(let handle): [handle]
        case .head(let handle): Self.extended(handle, from: 0, count: NikonLimits.headSize)
        case .part(let handle, let offset, let count, .nikonGetPartialObjectEx):
            Self.extended(handle, from: offset, count: count)
        case .part(let handle, let offset, let count, _): [handle, UInt32(truncatingIfNeeded: offset), count]
        case .delete(let handle, .deleteObject): [handle, 0]
        case .delete(let handle, _): [handle]
        case .pairingInfo, .storageList, .events, .ready, .startLiveView, .endLiveView, .liveViewPicture: []
        }
    }

    /// The parameters of GetPartialObjectEx: each number has a low and a high half.
    private static func extended(_ handle: UInt32, from offset: UInt64, count: UInt32) -> [UInt32] {
        [handle, UInt32(truncatingIfNeeded: offset), UInt32(truncatingIfNeeded: offset >> 32), count, 0]
    }
}

/// A release of the shutter to the card.
struct NikonShutterCommand: Hashable, Sendable {
    enum Form: Hashable, Sendable {
        /// 0x9207 with both parameters.
        case toMedia
        /// 0x9207 without a target, for a D3X.
        case oneParameter
        /// 0x100E.
        case standard
    }

    var form: Form
    var focusing = NikonFocusing.none

    var code: OperationCode {
        switch form {
        case .toMedia, .oneParameter: .nikonCapture
        case .standard: .initiateCapture
        }
    }

    var parameters: [UInt32] {
        switch form {
        case .toMedia: [focusing.rawValue, Self.card]
        case .oneParameter: [focusing.rawValue]
        case .standard: [0, 0]
        }
    }

    private static let card: UInt32 = 0
}
