import Cameras
import NIOCore
import PTP

/// The operations of a Canon body.
extension CanonBody {
    /// The operations of this body. Faults can remove some of them.
    package var operations: [OperationCode] {
        model.operations.filter { code in
            faults.first { fault -> Bool? in
                switch fault {
                case .partialOnly where code == .getObject, .wholeOnly where code == .getPartialObject: true
                default: nil
                }
            } == nil
        }
    }

    /// The operations whose data goes to the body.
    package static let dataOutOperations: [OperationCode] = [.canonSetProperty, .setDevicePropValue, .sendObject]

    /// Performs an operation.
    ///
    /// - Returns: nil when a fault of the link prevents the answer.
    package mutating func perform(_ request: ResponderRequest, at now: Duration) -> ResponderAnswer? {
        if faults.takeBusy(during: currentFrame, { $0.contains(request) }) {
            outputs.append(.log("fault: \(request.code.canonName) answered busy"))
            return ResponderAnswer(.deviceBusy)
        }
        let answer = answer(to: request, at: now)
        turnDialForFrame(at: now)
        return answer
    }

    private mutating func answer(to request: ResponderRequest, at now: Duration) -> ResponderAnswer? {
        let parameter = request.parameters.first ?? 0
        switch request.code {
        case .getDeviceInfo: return .ok(deviceInfo.encoded())
        case .openSession: return open(at: now)
        case .closeSession:
            initiatorDisconnected(at: now)
            return .ok
        case .getStorageIDs, .canonGetStorageIDs: return .ok(array([storage]))
        case .getStorageInfo, .canonGetStorageInfo:
            return parameter == storage ? .ok(storageInfo.encoded()) : ResponderAnswer(.invalidStorageID)
        case .getDevicePropDesc: return propertyDescription(parameter)
        case .canonGetDeviceInfoEx: return .ok(extendedInfo)
        case .getNumObjects, .getObjectHandles: return objects(request)
        case .getObjectInfo: return objectInfo(parameter, at: now)
        case .canonGetObjectInfoEx: return objectList(request.parameters)
        case .getObject, .canonGetObject: return object(parameter, in: request.transaction)
        case .getPartialObject, .canonGetPartialObject, .canonGetPartialObjectEx:
            return partialObject(request.parameters, in: request.transaction)
        case .deleteObject: return delete(parameter)
        case .canonTransferComplete:
            buffered.removeAll { $0 == parameter }
            return .ok
        default: return remoteAnswer(to: request, at: now)
        }
    }

    /// The answer to an operation of remote control.
    private mutating func remoteAnswer(to request: ResponderRequest, at now: Duration) -> ResponderAnswer? {
        let parameter = request.parameters.first ?? 0
        switch request.code {
        case .canonSetRemoteMode: session.isRemote = parameter != 0
        case .canonSetEventMode:
            session.events = parameter == 0 ? .off : .first
            session.queue.removeAll()
        case .canonGetEvent: return readEvents(at: now)
        case .canonRequestDisplayInfo: session.displayGroups = parameter
        case .canonKeepDeviceOn: delayPowerOff(at: now)
        case .canonPCHDDCapacity:
            session.hasCapacity = true
            showCounter()
        case .canonRequestProperty: requestProperty(PropertyCode(rawValue: UInt16(truncatingIfNeeded: parameter)))
        case .canonSetProperty: return set(request.data, at: now)
        case .canonPress: return press(request, at: now)
        case .canonRelease: return release(stages: parameter, at: now)
        case .canonRemoteRelease: return releaseShutter(request.transaction, at: now)
        case .canonGetViewFinderData: return liveViewPicture(at: now)
        case _ where Self.withoutEffect.contains(request.code.rawValue): break
        default: return ResponderAnswer(.operationNotSupported)
        }
        return .ok
    }

    /// The operations that the body accepts and that change nothing here: the names of the initiator, the lock of the
    /// controls, the end of live view and of autofocus, the dial, keep-alives.
    private static let withoutEffect: [UInt16] = [
        0x1016, 0x911B, 0x911C, 0x9152, 0x9160, 0x9088, 0x902F, 0x9033, 0x9130,
    ]

    private mutating func open(at now: Duration) -> ResponderAnswer {
        session = Session()
        planTurnsOfSession(at: now)
        delayPowerOff(at: now)
        return .ok
    }

    /// Reports a property in the next list. The texts of the owner are not in the first list of an older body.
    private mutating func requestProperty(_ code: PropertyCode) {
        if sheet.value(of: code) != nil { return reportValue(of: code) }
        guard let length = Self.textLengths[code] else { return }
        let text = code == .canonSerialText ? Array(model.serialNumber.utf8.prefix(9)) : []
        report(.value(code, [], tail: text + [UInt8](repeating: 0, count: max(0, length - text.count))))
    }

    /// The texts of owner, artist, copyright and serial number, and their lengths on a 60D.
    private static let textLengths: [PropertyCode: Int] = [
        PropertyCode(rawValue: 0xD115): 1, PropertyCode(rawValue: 0xD1D0): 64, PropertyCode(rawValue: 0xD1D1): 64,
        .canonSerialText: 10,
    ]

    // MARK: Datasets

    /// The storage id of the only card.
    var storage: UInt32 { sheet.number(.canonStorage) ?? 0x0002_0001 }

    func array(_ values: [UInt32]) -> ByteBuffer {
        var writer = DatasetWriter()
        writer.array(values)
        return writer.buffer
    }

    private var deviceInfo: DeviceInfo {
        var info = DeviceInfo()
        // Some bodies have Canon's own id 0x0B. A 60D over USB has 6.
        info.vendorExtensionID = 6
        info.vendorExtensionVersion = model.vendorExtensionVersion
        info.operations = operations
        info.events = model.events
        info.properties = model.properties
        info.captureFormats = [0x3801]
        info.imageFormats = Self.imageFormats + (model.rawFormat == 0xB108 ? [model.rawFormat] : [])
        info.manufacturer = model.maker
        info.model = model.name
        info.deviceVersion = model.firmware
        info.serialNumber = model.serialNumber
        return info
    }

    /// The formats of a 60D: folder, script, DPOF, movies, JPEG, RAW and others.
    private static let imageFormats: [UInt16] = [
        0x3001, 0x3002, 0x3006, 0x300A, 0x3008, 0x3801, 0xB101, 0xB103, 0xBF02, 0x3800, 0xB104, 0xB105,
    ]

    private var storageInfo: StorageInfo {
        var info = StorageInfo()
        info.storageType = 4
        info.filesystemType = 3
        info.maxCapacity = 63_831_015_424
        info.freeSpace = UInt64(shotsLeft) * 25_000_000
        info.freeSpaceInImages = .max
        info.description = "SD"
        return info
    }

    /// The dataset of GetDeviceInfoEx: its size, the types of records, the properties, and a list of unknown
    /// meaning, which a 60D fills with these numbers.
    private var extendedInfo: ByteBuffer {
        let types = [UInt32](0xC181...0xC18B) + [0xC18D, 0xC18E, 0xC18F, 0xC190, 0xC191, 0xC1A0, 0xC1A1]
        var codes: [UInt32] = []
        for code in sheet.records.compactMap(\.code) where !codes.contains(UInt32(code.rawValue)) {
            codes.append(UInt32(code.rawValue))
        }
        var writer = DatasetWriter()
        let last: [UInt32] = [0, 1, 2, 4]
        writer.integer(UInt32(16 + (types.count + codes.count + last.count) * 4))
        writer.array(types)
        writer.array(codes)
        writer.array(last)
        return writer.buffer
    }

    /// The descriptions of the standard properties, as a 60D has them.
    private func propertyDescription(_ number: UInt32) -> ResponderAnswer {
        var writer = DatasetWriter()
        func head(_ type: UInt16, isWritable: Bool = false) {
            writer.integer(UInt16(truncatingIfNeeded: number))
            writer.integer(type)
            writer.integer(UInt8(isWritable ? 1 : 0))
        }
        switch number {
        case 0x5001:
            head(2)
            for byte: UInt8 in [50, 50, 2, 5, 0, 100, 0, 75, 0, 50, 0, 25, 0, 0, 0] { writer.integer(byte) }
        case 0xD303:
            head(2)
            for byte: UInt8 in [1, 1, 0] { writer.integer(byte) }
        case 0xD407:
            head(6)
            for field: UInt32 in [1, 1] { writer.integer(field) }
            writer.integer(UInt8(0))
        case 0xD402, 0xD406:
            head(0xFFFF, isWritable: number == 0xD406)
            let text = number == 0xD402 ? model.name : "Unknown Initiator"
            for text in [text, text] { writer.string(text) }
            writer.integer(UInt8(0))
        default: return ResponderAnswer(.devicePropNotSupported)
        }
        return .ok(writer.buffer)
    }
}

extension Fault.CommandKind {
    fileprivate func contains(_ request: ResponderRequest) -> Bool {
        let buttons: [OperationCode] = [.canonPress, .canonRelease, .canonRemoteRelease]
        switch self {
        case .any: return request.code != .openSession && request.code != .closeSession
        case .change: return request.code == .canonSetProperty || buttons.contains(request.code)
        case .open: return request.code == .openSession
        case .set: return request.code == .canonSetProperty
        case .control: return buttons.contains(request.code)
        case .shutter:
            let stages = request.parameters.first ?? 0
            return request.code == .canonRemoteRelease || request.code == .canonPress && stages & 2 != 0
        case .read: return request.code == .canonGetEvent
        case .object:
            let own: [OperationCode] = [.canonGetObject, .canonGetPartialObject, .canonGetPartialObjectEx]
            return ([.getObjectInfo, .getObject, .getPartialObject] + own).contains(request.code)
        case .operation(let code): return request.code.rawValue == code
        }
    }
}

/// Operations that the driver does not use.
extension OperationCode {
    static let canonGetStorageIDs = Self(rawValue: 0x9101)
    static let canonGetStorageInfo = Self(rawValue: 0x9102)
    static let canonGetObject = Self(rawValue: 0x9104)
    static let canonGetPartialObject = Self(rawValue: 0x9107)
    static let canonGetDeviceInfoEx = Self(rawValue: 0x9108)
    /// Parameters: storage, folder, depth.
    static let canonGetObjectInfoEx = Self(rawValue: 0x9109)
    static let canonGetPartialObjectEx = Self(rawValue: 0x912C)
}

extension PropertyCode {
    /// The second dial position, on bodies that report it.
    static let canonModeDial = Self(rawValue: 0xD138)
    /// The serial number as text.
    static let canonSerialText = Self(rawValue: 0xD1AF)
}
