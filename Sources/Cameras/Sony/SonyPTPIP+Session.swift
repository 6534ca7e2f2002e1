import NIOCore
import PTP

/// The beginning and the end of a session, and its transactions.
extension SonyPTPIP {
    package mutating func close() {
        activity = .idle
        leaving = SonyClosing()
    }

    mutating func decideClosing() -> SonyNextAction {
        if !leaving.buttonsTried {
            if buttons.isFullDown { return .perform(.button(.fullPress, .released)) }
            leaving.buttonsTried = true
            if buttons.isHalfDown { return .perform(.button(.halfPress, .released)) }
        }
        if !leaving.priorityTried, let restore = known.positionKeyToRestore {
            leaving.priorityTried = true
            return .perform(.positionKey(restore))
        }
        return .close
    }

    package mutating func forgetSession() {
        activity = .idle
        body = SonyBody()
        buttons = SonyButtons()
        drain.forgetSession()
        task = nil
        statusQuestions.removeAll()
        savingReportedAt = nil
        // Events that have not arrived are lost with their connection.
        lastFrame.update { $0.pendingAnnouncements = 0 }
    }

    // MARK: Transactions

    func operation(for task: SonyTask, at now: Duration) -> Operation {
        let timeout = timeout(at: now)
        switch task {
        case .connect(let phase):
            return Operation(.sdioConnect, [phase, 0, 0], timeout: timeout, hasRecordableData: true)
        case .getExtDeviceInfo:
            let version = UInt32(SonyExtensionVersion.version3.rawValue)
            return Operation(.sdioGetExtDeviceInfo, [version], timeout: timeout, hasRecordableData: true)
        case .property(let task):
            return task.operation(timeout)
        case .reading:
            let dataIn = Operation.DataIn.collect(atMost: SonyLimits.datasetMax)
            return Operation(
                .sdioGetAllExtDevicePropInfo,
                [0],
                dataIn: dataIn,
                timeout: timeout,
                hasRecordableData: true
            )
        case .positionKey(let value): return .set(.sonyPositionKey, .uint8(value), timeout)
        case .speed(let speed, let property): return .set(property, speed.value, timeout)
        case .step(let notches, _): return .control(SonyControl.shutterSpeed.rawValue, .int8(notches), timeout)
        case .button(let control, let position): return .control(control.rawValue, position.value, timeout)
        case .objectInfo:
            return Operation(.getObjectInfo, [SonyObjectHandle.shotImage], timeout: timeout)
        case .object(let fetch):
            return fetch.operation(common.timing)
        case .liveViewInfo:
            return Operation(.getObjectInfo, [SonyObjectHandle.liveView], timeout: timeout)
        case .liveViewPicture:
            let dataIn = Operation.DataIn.collect(atMost: SonyLiveViewFrame.sizeMax)
            return Operation(.getObject, [SonyObjectHandle.liveView], dataIn: dataIn, timeout: timeout)
        }
    }

    package mutating func finish(_ result: OperationResult, in turn: inout DriverTurn) {
        guard let task else { preconditionFailure("a transaction is always for something") }
        self.task = nil
        if case .settingUp = common.stage { return finishHandshake(task, result, in: &turn) }
        switch task {
        case .reading: finishReading(result, in: &turn)
        case .positionKey: finishPositionKey(result, in: &turn)
        case .speed(_, let property): finishSetting(by: property, result, in: &turn)
        case .step(let notches, let from): finishStep(notches, from: from, result, in: &turn)
        case .property: finishProperty(result, in: &turn)
        case .button(let control, let position): finishButton(control, position, result, in: &turn)
        case .objectInfo: finishObjectInfo(result, in: &turn)
        case .object(let fetch): finishObject(fetch, result, in: &turn)
        case .liveViewInfo: finishLiveViewInfo(result, at: turn.now)
        case .liveViewPicture: finishLiveViewPicture(result, at: turn.now)
        case .connect, .getExtDeviceInfo: break
        }
    }
}

extension Operation {
    /// Sets the value of a property.
    static func set(_ property: PropertyCode, _ value: PTPValue, _ timeout: Timeout) -> Operation {
        let parameters = [UInt32(property.rawValue)]
        return Operation(.sdioSetExtDevicePropValue, parameters, dataOut: value.encoded(), timeout: timeout)
    }

    /// Moves a button, or sets a property by notches.
    static func control(_ control: UInt16, _ value: PTPValue, _ timeout: Timeout) -> Operation {
        Operation(.sdioControlDevice, [UInt32(control)], dataOut: value.encoded(), timeout: timeout)
    }
}
