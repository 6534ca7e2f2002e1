import Cameras
import NIOCore
import PTP

/// The operations of a Nikon body.
extension NikonBody {
    /// The operations of this body. Faults can remove some of them.
    package var operations: [OperationCode] {
        model.operations.filter { code in
            faults.first { fault -> Bool? in
                switch fault {
                case .partialOnly where code == .getObject, .wholeOnly where Self.partialReads.contains(code): true
                default: nil
                }
            } == nil
        }
    }

    private static let partialReads: [OperationCode] = [.getPartialObject, .nikonGetPartialObjectEx]

    /// The operations whose data goes to the body.
    package static let dataOutOperations: [OperationCode] = [.setDevicePropValue, .nikonSetPropertyEx, .sendObject]

    /// Performs an operation.
    ///
    /// - Returns: nil when a fault of the link prevents the answer.
    package mutating func perform(_ request: ResponderRequest, at now: Duration) -> ResponderAnswer? {
        if faults.takeBusy(during: currentFrame, { $0.contains(request) }) {
            outputs.append(.log("fault: \(request.code.nikonName) answered busy"))
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
        case .closeSession: return close(at: now)
        case .getStorageIDs: return storageIDs(isReal: false)
        case .nikonGetVendorStorageIDs: return storageIDs(isReal: true)
        case .getStorageInfo: return storageInfo(parameter)
        case .getNumObjects, .getObjectHandles: return objects(request)
        case .getObjectInfo: return objectInfo(parameter, at: now)
        case .getObject: return object(parameter, in: request.transaction)
        case .getPartialObject: return partialObject(request.parameters, in: request.transaction)
        case .nikonGetPartialObjectEx: return partialObjectEx(request.parameters, in: request.transaction)
        case .nikonGetObjectSize: return objectSize(parameter)
        case .deleteObject, .nikonDeleteFromMemory: return delete(parameter)
        case .getDevicePropDesc: return read(parameter, describes: true, at: now)
        case .getDevicePropValue: return read(parameter, describes: false, at: now)
        case .nikonGetVendorPropCodes, .nikonGetVendorCodes: return vendorList(request)
        case .nikonGetEvent: return eventList()
        case .nikonGetEventEx: return eventListEx()
        case .nikonDescribePropertyEx, .nikonGetPropertyEx, .nikonSetPropertyEx: return longProperty(request)
        default: return remoteAnswer(to: request, at: now)
        }
    }

    /// The answer to an operation of remote control.
    private mutating func remoteAnswer(to request: ResponderRequest, at now: Duration) -> ResponderAnswer? {
        let parameter = request.parameters.first ?? 0
        switch request.code {
        case .nikonDeviceReady:
            return ResponderAnswer(isBusyLate() ? .deviceBusy : readiness())
        case .setDevicePropValue:
            return isBusyLate() ? ResponderAnswer(.deviceBusy) : set(parameter, request.data, at: now)
        case .nikonCapture, .nikonCaptureToMemory, .nikonFocusAndCaptureToMemory, .initiateCapture:
            return capture(request, at: now)
        case .nikonAutofocus: return driveFocus(at: now)
        case .nikonTerminateCapture: return terminate(at: now)
        case .nikonChangeApplicationMode: return changeApplicationMode(parameter)
        case .nikonChangeCameraMode: return changeCameraMode(parameter)
        case .nikonGetPairingInfo: return pairingInfo(at: now)
        case .nikonConfirmPairing: return confirmPairing(parameter, at: now)
        case .nikonStartLiveView: return startLiveView()
        case .nikonEndLiveView: return endLiveView()
        case .nikonGetLiveViewPicture, .nikonGetLiveViewPictureEx: return liveViewPicture(at: now)
        default: return ResponderAnswer(.operationNotSupported)
        }
    }

    // MARK: Datasets

    /// Answers 0x90CA with two bytes per code, and 0x9439 with four.
    private func vendorList(_ request: ResponderRequest) -> ResponderAnswer {
        let codes = sheet.rows.map(\.code.rawValue).filter { $0 >= 0xD000 && !Self.isStandard($0) }
        var writer = DatasetWriter()
        if request.code == .nikonGetVendorCodes {
            guard request.parameters.first == 0x0D else { return ResponderAnswer(.invalidParameter) }
            writer.array(codes.map(UInt32.init) + model.longCodes)
        } else {
            writer.array(codes)
        }
        return .ok(writer.buffer)
    }

    /// Whether a property is in DeviceInfo: those of PTP, and those of MTP.
    private static func isStandard(_ code: UInt16) -> Bool { code < 0xD000 || 0xD300...0xD4FF ~= code }

    /// Handles 0x943A, 0x943B and 0x943C, which are for codes with four bytes only. Those properties of the body have
    /// no meaning here: each is a byte that cannot be set.
    private mutating func longProperty(_ request: ResponderRequest) -> ResponderAnswer? {
        let number = request.parameters.first ?? 0
        guard number > UInt32(UInt16.max) else {
            if request.code == .nikonSetPropertyEx, model.closesOnLongWrite {
                outputs.append(.link(.closed(back: nil)))
                return nil
            }
            return ResponderAnswer(.generalError)
        }
        guard model.longCodes.contains(number) else { return ResponderAnswer(.devicePropNotSupported) }
        var writer = DatasetWriter()
        switch request.code {
        case .nikonSetPropertyEx: return ResponderAnswer(model.refusal)
        case .nikonDescribePropertyEx:
            writer.integer(number)
            writer.integer(PTPDataType.uint8.rawValue)
            for byte: UInt8 in [0, 0, 0, 0] { writer.integer(byte) }
        default: writer.integer(UInt8(0))
        }
        return .ok(writer.buffer)
    }

    private var deviceInfo: DeviceInfo {
        var info = DeviceInfo()
        info.vendorExtensionID = model.vendorExtensionID
        info.vendorExtensionVersion = 100
        info.vendorExtensionDescription = model.vendorExtensionDescription
        info.operations = operations
        info.events = model.events
        info.properties = sheet.rows.map(\.code).filter { Self.isStandard($0.rawValue) }
        info.captureFormats = [0x3801, 0x3000]
        info.imageFormats = [0x3801, 0x3000, 0x3001, 0x380D, 0x3002, 0x300D, 0xB982]
        info.manufacturer = model.maker
        info.model = model.name
        info.deviceVersion = model.firmware
        info.serialNumber = model.serialNumber
        return info
    }
}

extension Fault.CommandKind {
    fileprivate func contains(_ request: ResponderRequest) -> Bool {
        let releases: [OperationCode] = [
            .nikonCapture, .nikonCaptureToMemory, .nikonFocusAndCaptureToMemory, .initiateCapture,
        ]
        let sets: [OperationCode] = [.setDevicePropValue, .nikonSetPropertyEx]
        let controls = releases + [.nikonAutofocus, .nikonTerminateCapture]
        switch self {
        case .any: return request.code != .openSession && request.code != .closeSession
        case .change: return (sets + controls).contains(request.code)
        case .open: return request.code == .openSession
        case .set: return sets.contains(request.code)
        case .control: return controls.contains(request.code)
        case .shutter: return releases.contains(request.code)
        case .read: return [.getDevicePropDesc, .getDevicePropValue].contains(request.code)
        case .object:
            let own: [OperationCode] = [.nikonGetPartialObjectEx, .nikonGetObjectSize]
            return ([.getObjectInfo, .getObject, .getPartialObject] + own).contains(request.code)
        case .operation(let code): return request.code.rawValue == code
        }
    }
}

/// Operations that the driver does not use.
extension OperationCode {
    /// A release to memory. Parameter 1: 0xFFFFFFFF without autofocus.
    static let nikonCaptureToMemory = Self(rawValue: 0x90C0)
    /// Deletes the picture in memory. Parameter 1: the handle.
    static let nikonDeleteFromMemory = Self(rawValue: 0x90C3)
    /// Autofocus, and a release to memory.
    static let nikonFocusAndCaptureToMemory = Self(rawValue: 0x90CB)
    /// Parameter 1: a code with four bytes. Data-in: its description.
    static let nikonDescribePropertyEx = Self(rawValue: 0x943A)
    static let nikonGetPropertyEx = Self(rawValue: 0x943B)
    static let nikonSetPropertyEx = Self(rawValue: 0x943C)
}
