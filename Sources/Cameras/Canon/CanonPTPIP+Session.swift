import NIOCore
import PTP

/// The beginning and the end of a session, and its transactions.
extension CanonPTPIP {
    /// Prepares the steps that undo the changes on the body: release the button, restore values, events off, remote
    /// mode off. Each step is tried once, so the time for closing is enough.
    package mutating func close() {
        activity = .idle
        leaving.removeAll()
        if body.isRemote || !has(.canonSetRemoteMode) {
            leaving += known.pressed.reversed().map { CanonTask.release($0) }
            // A third value is the user's choice. The body may not have reported the written value yet.
            let changes = known.changes.filter { change in
                [change.before, change.written].contains(body.store.number(change.code))
                    || body.liveView != nil && change.code == .canonLiveViewOutput
            }
            leaving += changes.map { CanonTask.write(CanonPropertyWrite($0.code, [$0.before])) }
        }
        if body.liveView != nil, has(.canonTerminateViewFinder) { leaving.append(.terminateLiveView) }
        if body.hasEventMode { leaving += [.list, .eventMode(0)] }
        if body.isRemote { leaving.append(.remoteMode(0)) }
    }

    package mutating func forgetSession() {
        setUp = CanonSetUp()
        activity = .idle
        body = CanonBody()
        buttons = CanonButtons()
        leaving.removeAll()
        task = nil
        statusQuestions.removeAll()
        savingReports = SavingReports()
        files.forgetSession()
    }

    /// Notes a transaction during which the session was lost.
    package mutating func noteLoss(in turn: inout DriverTurn) {
        switch task {
        case .fileList?: known.listsFiles = false
        case .part?, .object?: files.updateFirst { $0.failures += 1 }
        default: break
        }
    }

    // MARK: Transactions

    /// Prepares the state for a new transaction.
    mutating func prepare(_ task: CanonTask, at now: Duration) {
        switch task {
        case .list: body.hasEvent = false
        case .keepOn:
            body.keptOnAt = now
            body.isShutdownNear = false
        case .press(let stages, _):
            body.focus = nil
            body.hasSearchedFocus = false
            body.button = nil
            known.pressed.removeAll { $0 == stages }
            known.pressed.append(stages)
            buttons.isGivenUp = false
            buttons.werePressed = true
        default: break
        }
        if task.isShutter { releaseShutter(at: now) }
    }

    func operation(for task: CanonTask, at now: Duration) -> Operation {
        let exposureEnd = lastFrame.isInWork ? lastFrame.frame?.latestEnd : nil
        let timeout = common.timing.timeout(exposureEnd: exposureEnd, at: now)
        let parameters = task.parameters
        switch task {
        case .list:
            let dataIn = Operation.DataIn.collect(atMost: CanonLimits.eventListMax)
            return Operation(task.code, dataIn: dataIn, timeout: timeout, hasRecordableData: true)
        case .press:
            // The body answers when focusing is over.
            let silence = max(timeout.silence, timing.focusAnswer)
            return Operation(task.code, parameters, timeout: Operation.Timeout(silence))
        case .fileList:
            let silence = max(timeout.silence, timing.fileList)
            let dataIn = Operation.DataIn.collect(atMost: CanonLimits.fileListMax)
            return Operation(task.code, parameters, dataIn: dataIn, timeout: Operation.Timeout(silence))
        case .write(let write), .liveViewSwitch(let write):
            return Operation(task.code, dataOut: write.encoded, timeout: timeout)
        case .liveViewPicture:
            let dataIn = Operation.DataIn.collect(atMost: LiveViewLimits.byteCountMax)
            return Operation(task.code, parameters, dataIn: dataIn, timeout: timeout)
        case .part(let handle, let offset, let count):
            return .stream(handle, from: offset, count: count, common.timing)
        case .object(let handle): return .stream(handle, common.timing)
        default: return Operation(task.code, parameters, timeout: timeout)
        }
    }

    package mutating func finish(_ result: OperationResult, in turn: inout DriverTurn) {
        guard let task else { preconditionFailure("a transaction is always for something") }
        self.task = nil
        if case .settingUp = common.stage { return finishSetUp(task, result, in: &turn) }
        switch task {
        case .list: finishList(result, in: &turn)
        case .write(let write): finishWrite(write, result, in: &turn)
        case .press(let stages, _): finishPress(stages, result, in: &turn)
        case .releaseShutter: finishPress(.both, result, in: &turn)
        case .release(let stages): finishRelease(stages, result, at: turn.now)
        case .capacity: body.capacityDueAt = result.code.isCanonBusy ? turn.now + timing.writeAgain : nil
        case .remoteMode: body.isRemoteLost = false
        case .request(let code):
            body.doubtful.removeAll { $0 == code }
            body.awaitsReports = true
        case .objectInfo(let handle): finishObjectInfo(handle, result, in: &turn)
        case .part(let handle, _, _), .object(let handle): finishPart(handle, result, in: &turn)
        case .transferComplete(let handle): finishTransferComplete(handle, result, at: turn.now)
        case .liveViewSwitch(let write): finishLiveViewSwitch(write, result, at: turn.now)
        case .liveViewPicture: finishLiveViewPicture(result, at: turn.now)
        case .terminateLiveView: break
        case .eventMode, .storageIDs, .displayInfo, .keepOn, .fileList: break
        }
    }
}
