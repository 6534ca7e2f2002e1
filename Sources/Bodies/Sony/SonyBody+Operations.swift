import Cameras
import NIOCore
import PTP

/// The operations of a Sony body.
extension SonyBody {
    /// The operations in DeviceInfo.
    package static let operations: [OperationCode] = [
        .getDeviceInfo, .openSession, .closeSession, .getStorageIDs, .getStorageInfo, .getNumObjects,
        .getObjectHandles, .getObjectInfo, .getObject, .sendObject, .getPartialObject, .sdioConnect,
        .sdioGetExtDeviceInfo,
        .sdioSetExtDevicePropValue, .sdioControlDevice, .sdioGetAllExtDevicePropInfo, .sdioUndocumented920D,
    ]
    /// The operations of this body. Faults can remove some of them.
    package var operations: [OperationCode] {
        Self.operations.filter { code in
            faults.first { fault in
                switch fault {
                case .partialOnly where code == .getObject, .wholeOnly where code == .getPartialObject: true
                default: nil
                }
            } == nil
        }
    }

    /// The operations whose data goes to the body.
    package static let dataOutOperations: [OperationCode] = [
        .sendObject, .sdioSetExtDevicePropValue, .sdioControlDevice,
    ]

    /// Performs an operation.
    ///
    /// - Returns: nil when a fault of the link prevents the answer.
    package mutating func perform(_ request: ResponderRequest, at now: Duration) -> ResponderAnswer? {
        if faults.takeBusy(during: currentFrame, { $0.contains(request) }) {
            outputs.append(.log("fault: \(request.code.sonyName) answered busy"))
            return ResponderAnswer(.deviceBusy)
        }
        let answer = answer(to: request, at: now)
        refresh(at: now)
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
        case .getStorageIDs: return .ok(array(storages))
        case .getStorageInfo:
            return storages.contains(parameter) ? .ok(storageInfo.encoded()) : ResponderAnswer(.invalidStorageID)
        // SendObject needs an announced object, but no body in the dumps lists SendObjectInfo.
        case .sendObject: return ResponderAnswer(.noValidObjectInfo)
        case .getNumObjects: return ResponderAnswer(.ok, parameters: [0])
        case .getObjectHandles:
            // Bodies before 2020 hang on this parameter (libgphoto2#1240). Later bodies reject it (PTP 3 p.111).
            return parameter == .max ? ResponderAnswer(.operationNotSupported) : .ok(array([]))
        case .sdioConnect: return connect(phase: parameter, at: now)
        case .sdioUndocumented920D: return .ok
        case .sdioGetExtDeviceInfo:
            version = sessionVersion(asked: request.parameters.first)
            return extDeviceInfo()
        default:
            guard case .authenticated = session else { return ResponderAnswer(.accessDenied) }
            return settledAnswer(to: request, at: now)
        }
    }

    /// The answer to an operation that needs an authenticated initiator.
    private mutating func settledAnswer(to request: ResponderRequest, at now: Duration) -> ResponderAnswer? {
        let parameter = request.parameters.first ?? 0
        switch request.code {
        case .sdioGetAllExtDevicePropInfo: return readAll(onlyChanges: parameter == 1, at: now)
        case .sdioSetExtDevicePropValue:
            return set(PropertyCode(rawValue: UInt16(truncatingIfNeeded: parameter)), request.data, at: now)
        case .sdioControlDevice:
            let code = SonyControl(rawValue: UInt16(truncatingIfNeeded: parameter))
            return control(code, request.data, in: request.transaction, at: now)
        case .getObjectInfo: return objectInfo(parameter, at: now)
        case .getObject: return object(parameter, in: request.transaction, at: now)
        case .getPartialObject: return partialObject(request.parameters, in: request.transaction)
        default: return ResponderAnswer(.operationNotSupported)
        }
    }

    // MARK: Opening a session

    private mutating func open(at now: Duration) -> ResponderAnswer {
        session = .open(since: now)
        // Each fault `modeAfter` turns the dial only once, in the first session.
        while let turn = faults.take({ if case .modeAfter(let delay, let mode) = $0 { (delay, mode) } else { nil } }) {
            schedule.plan(.dialTurns(turn.1), at: now + turn.0)
        }
        return .ok
    }

    private mutating func connect(phase: UInt32, at now: Duration) -> ResponderAnswer {
        if faults.take({ if case .authFailed = $0 { true } else { nil } }) != nil {
            outputs.append(.log("fault: authentication failed"))
            return ResponderAnswer(.sonyAuthenticationFailed)
        }
        guard (1...3).contains(phase) else { return ResponderAnswer(.invalidParameter) }
        if phase == 3, case .open(let since) = session { session = .authenticated(since: since) }
        return .ok(ByteBuffer(repeating: 0, count: 8))
    }

    private mutating func extDeviceInfo() -> ResponderAnswer {
        let number = UInt32(version.rawValue)
        if faults.take({ if case .emptyExtInfo = $0 { true } else { nil } }) != nil {
            outputs.append(.log("fault: empty extended device info"))
            return .ok(ByteBuffer(), parameters: [number])
        }
        let info = SonyExtDeviceInfo(
            version: version.rawValue,
            properties: sessionRecords.map(\.code).filter { !Self.isControl($0) },
            controls: Self.controls + (model.stepping?.scales.map { SonyControl(rawValue: $0.property.rawValue) } ?? [])
        )
        return .ok(info.encoded(), parameters: [number])
    }

    /// Whether the code is a control. Bodies of version 2 list controls among the properties of 0x9209.
    private static func isControl(_ code: PropertyCode) -> Bool {
        controls.contains { $0.rawValue == code.rawValue }
    }

    // MARK: Datasets

    /// The storage id of the only card.
    static let storage: UInt32 = 0x0001_0001

    /// The storage ids. In remote mode a body lists no storage (LGD sony-a7m4, -zv-e10, -rx100m7).
    private var storages: [UInt32] {
        if case .authenticated = session { [] } else { [Self.storage] }
    }

    private func array(_ values: [UInt32]) -> ByteBuffer {
        var writer = DatasetWriter()
        writer.array(values)
        return writer.buffer
    }

    private var deviceInfo: DeviceInfo {
        var info = DeviceInfo()
        info.vendorExtensionID = 0x11
        info.vendorExtensionVersion = 100
        info.vendorExtensionDescription = "Sony PTP Extensions"
        info.operations = operations
        info.events = (0xC201...0xC20C).map { EventCode(rawValue: $0) }
        info.imageFormats = model.imageFormats
        info.manufacturer = model.maker
        info.model = model.name
        info.deviceVersion = model.firmware
        info.serialNumber = model.serialNumber
        return info
    }

    private var storageInfo: StorageInfo {
        var info = StorageInfo()
        info.storageType = 4
        info.filesystemType = 3
        info.maxCapacity = 64_000_000_000
        info.freeSpace = UInt64(shotsLeft) * 25_000_000
        info.freeSpaceInImages = UInt32(shotsLeft)
        info.description = "Storage Media"
        return info
    }
}

extension Fault.CommandKind {
    fileprivate func contains(_ request: ResponderRequest) -> Bool {
        switch self {
        case .any: return request.code != .openSession && request.code != .closeSession
        case .change: return request.code == .sdioSetExtDevicePropValue || request.code == .sdioControlDevice
        case .open: return request.code == .openSession
        case .set: return request.code == .sdioSetExtDevicePropValue
        case .control: return request.code == .sdioControlDevice
        case .shutter:
            var data = request.data
            return request.code == .sdioControlDevice
                && request.parameters.first == UInt32(SonyControl.fullPress.rawValue)
                && data.readInteger(endianness: .little) == SonyButton.pressed.rawValue
        case .read: return request.code == .sdioGetAllExtDevicePropInfo
        case .object:
            return [.getObjectInfo, .getObject, .getPartialObject].contains(request.code)
        case .operation(let code): return request.code.rawValue == code
        }
    }
}
