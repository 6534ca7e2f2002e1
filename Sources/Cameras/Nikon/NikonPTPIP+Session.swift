import NIOCore
import PTP

/// The beginning and the end of a session, and its transactions.
extension NikonPTPIP {
    /// Prepares the steps that undo the changes on the body: live view off, recording media, modes off. A mode counts
    /// as entered when its request is sent, so an answer that is lost or late does not matter.
    package mutating func close() {
        activity = .idle
        leaving.removeAll()
        if known.entered.hasLiveView { leaving.append(.endLiveView) }
        let isMediaInFlight = if case .write(let write)? = task { write.code == .nikonRecordingMedia } else { false }
        if let before = known.mediaBefore {
            // Any other value is the user's choice.
            if body.store.recordingMedia?.isHost == false || isMediaInFlight {
                leaving.append(.write(before))
            } else if body.store.recordingMedia != nil {
                known.mediaBefore = nil
            }
        }
        if known.entered.isApplication { leaving.append(.applicationMode(isOn: false)) }
        if known.entered.isApplicationProperty { leaving.append(.write(Self.applicationProperty(isOn: false))) }
        if known.entered.isCamera { leaving.append(.cameraMode(isOn: false)) }
    }

    static func applicationProperty(isOn: Bool) -> NikonPropertyWrite {
        NikonPropertyWrite(.nikonApplicationMode, .uint8(isOn ? 1 : 0))
    }

    package mutating func forgetSession() {
        setUp = NikonSetUp()
        activity = .idle
        body = NikonBody()
        leaving.removeAll()
        leaveAgainAt = .zero
        task = nil
        statusQuestions.removeAll()
        savingReports = SavingReports()
        files.forgetSession()
    }

    /// Notes a transaction during which the session was lost.
    package mutating func noteLoss(in turn: inout DriverTurn) {
        switch task {
        case .fileList?, .storageList?, .storageFiles?: known.fileList = .never
        case .part?, .object?: files.updateFirst { $0.failures += 1 }
        default: break
        }
    }

    // MARK: Transactions

    func operation(for task: NikonTask, at now: Duration) -> Operation {
        let exposureEnd = lastFrame.isInWork ? lastFrame.frame?.latestEnd : nil
        let timeout = common.timing.timeout(exposureEnd: exposureEnd, at: now)
        let parameters = task.parameters
        func reading(atMost limit: Int, _ timeout: Operation.Timeout) -> Operation {
            let dataIn = Operation.DataIn.collect(atMost: limit)
            return Operation(task.code, parameters, dataIn: dataIn, timeout: timeout, hasRecordableData: true)
        }
        switch task {
        case .events: return reading(atMost: NikonLimits.eventListMax, timeout)
        case .vendorList, .pairingInfo, .storageList, .describe, .objectSize, .head:
            return reading(atMost: NikonLimits.descriptorMax, timeout)
        case .fileList, .storageFiles:
            let silence = max(timeout.silence, timing.fileList)
            return reading(atMost: NikonLimits.fileListMax, Operation.Timeout(silence))
        case .write(let write): return Operation(task.code, parameters, dataOut: write.encoded, timeout: timeout)
        case .liveViewPicture:
            return Operation(
                task.code,
                parameters,
                dataIn: .collect(atMost: LiveViewLimits.byteCountMax),
                timeout: timeout
            )
        case .part(_, _, let count, _):
            return .stream(task.code, parameters, atMost: UInt64(count), common.timing)
        case .object(let handle): return .stream(handle, common.timing)
        default: return Operation(task.code, parameters, timeout: timeout)
        }
    }

    package mutating func finish(_ result: OperationResult, in turn: inout DriverTurn) {
        guard let task else { preconditionFailure("a transaction is always for something") }
        self.task = nil
        if case .settingUp = common.stage { return finishSetUp(task, result, in: &turn) }
        if common.isLeaving { return finishLeaving(task, result, in: &turn) }
        switch task {
        case .events(let form): finishEvents(form, result, in: &turn)
        case .ready: finishReady(result, in: &turn)
        case .describe(let code), .read(let code): finishReading(task, of: code, result, in: &turn)
        case .write(let write): finishWrite(write, result, in: &turn)
        case .cameraMode: finishCameraMode(result)
        case .startLiveView: finishLiveView(result, in: &turn)
        case .liveViewPicture: finishLiveViewPicture(result, at: turn.now)
        case .endLiveView: finishLiveViewEnd(result, at: turn.now)
        case .capture(let command): finishCapture(command, result, in: &turn)
        case .objectInfo(let handle): finishObjectInfo(handle, result, in: &turn)
        case .objectSize(let handle): finishObjectSize(handle, result, in: &turn)
        case .head(let handle): finishHead(handle, result, in: &turn)
        case .part(let handle, _, _, _), .object(let handle): finishPart(handle, task.code, result, in: &turn)
        case .delete(let handle, _): finishDelete(handle, result, at: turn.now)
        case .fileList, .storageList, .storageFiles: finishFileList(task, result, at: turn.now)
        case .pairingInfo, .confirmPairing, .applicationMode, .vendorList: break
        }
    }

    /// Notes a mode before its request is sent.
    mutating func noteEntering(_ task: NikonTask) {
        switch task {
        case .applicationMode(isOn: true): known.entered.isApplication = true
        case .cameraMode(isOn: true): known.entered.isCamera = true
        case .startLiveView: known.entered.hasLiveView = true
        case .write(Self.applicationProperty(isOn: true)): known.entered.isApplicationProperty = true
        default: break
        }
    }

    /// Notes that the body left a mode, or did not enter it. A mode that is unknown to the body is not entered.
    mutating func noteLeft(_ task: NikonTask) {
        switch task {
        case .applicationMode: known.entered.isApplication = false
        case .cameraMode: known.entered.isCamera = false
        case .startLiveView, .endLiveView: known.entered.hasLiveView = false
        case .write(let write) where write.code == .nikonApplicationMode:
            known.entered.isApplicationProperty = false
        case .write(let write) where write == known.mediaBefore: known.mediaBefore = nil
        default: break
        }
    }

    /// Notes which changes of the driver remain on the body. A busy body is asked again while the time lasts.
    private mutating func finishLeaving(_ task: NikonTask, _ result: OperationResult, in turn: inout DriverTurn) {
        guard task.isUndoing else { return }
        let isTransient = result.code == .deviceBusy || result.code == .nikonInvalidStatus
        if isTransient, case .leaving(let closing) = common.stage, turn.now + timing.leaveMargin < closing.deadline {
            leaving.insert(task, at: 0)
            leaveAgainAt = turn.now + timing.busyPause
            return
        }
        if result.code == .ok { return noteLeft(task) }
        turn.note(NikonSessionSentences.notRestored(task.name, result.code))
    }
}
