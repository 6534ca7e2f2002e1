import PTP

/// The set-up of a session.
extension CanonPTPIP {
    package mutating func identify(in turn: inout DriverTurn) {
        let info = common.deviceInfo
        setUp = CanonSetUp()
        body = CanonBody()
        buttons = CanonButtons()
        body.quirks = CanonQuirks(model: info.model)
        body.keptOnAt = turn.now
        if let row = CanonQuirks.table.first(where: { $0.quirks == body.quirks }) {
            turn.note(CanonSessionSentences.quirks(row, of: info.model))
        }
        files.begin(bodyID: common.identity?.id)
        abandonStrangePicture(in: &turn)
        guard info.operations.contains(.canonGetEvent), info.operations.contains(.canonSetProperty),
            let release = body.quirks.release(info.operations)
        else {
            let sentence = CanonSessionSentences.remoteControlMissing(info.model)
            return common.ending = .close(.refused(.unsupported(sentence)))
        }
        body.release = release
    }

    mutating func decideSetUp(in turn: inout DriverTurn) -> CanonNextAction {
        if turn.now < setUp.notBefore { return .wait(until: setUp.notBefore) }
        switch setUp.step {
        case .remoteMode: return setUpTask(.remoteMode(body.quirks.remoteMode), isNeeded: has(.canonSetRemoteMode))
        case .storageIDs: return setUpTask(.storageIDs, isNeeded: has(.getStorageIDs))
        case .eventMode: return setUpTask(.eventMode(body.quirks.eventMode), isNeeded: has(.canonSetEventMode))
        case .displayInfo: return setUpTask(.displayInfo, isNeeded: has(.canonRequestDisplayInfo))
        case .lists: return .perform(.list)
        case .values: return awaitValues(at: turn.now)
        case .lens: return moveLens(at: turn.now)
        case .saveTarget: return chooseCard(in: &turn)
        case .files: return listFiles()
        case .done:
            establish(in: &turn)
            return .again
        }
    }

    func has(_ operation: OperationCode) -> Bool { common.deviceInfo.operations.contains(operation) }

    /// Performs a task if the body supports it, or continues with the next step.
    private mutating func setUpTask(_ task: CanonTask, isNeeded: Bool) -> CanonNextAction {
        if isNeeded { return .perform(task) }
        setUp.go(to: setUp.step.next)
        return .again
    }

    private mutating func awaitValues(at now: Duration) -> CanonNextAction {
        let began = setUp.began ?? now
        setUp.began = began
        let hasValues = body.store.mode != nil && body.store.speed != nil
        guard hasValues || now >= began + timing.firstValues else {
            setUp.notBefore = now + timing.poll
            return .perform(.list)
        }
        setUp.go(to: setUp.step.next)
        return .again
    }

    /// No source says which bodies need this. An M3 and an M6 list only this value and 0. An M50 lists it among others,
    /// where it means another output.
    private mutating func moveLens(at now: Duration) -> CanonNextAction {
        let output = body.store[.canonLiveViewOutput]
        guard let wanted = body.quirks.lensOutput, output.choices == [[0], [wanted]], output.words != [wanted],
            setUp.writes == 0
        else {
            setUp.go(to: setUp.step.next)
            return .again
        }
        setUp.notBefore = now + timing.lens
        return change(.canonLiveViewOutput, from: output.words.first ?? 0, to: wanted)
    }

    /// Writes a value, and remembers the value of the body that the driver restores at the end.
    private mutating func change(_ code: PropertyCode, from before: UInt32, to value: UInt32) -> CanonNextAction {
        if setUp.writes == 0 {
            known.changes.removeAll { $0.code == code }
            known.changes.append(CanonChange(code: code, before: before, written: value))
        }
        setUp.writes += 1
        return .perform(.write(CanonPropertyWrite(code, [value])))
    }

    /// Writes the save target only if it differs, because the body may be busy afterwards. Only a report of the body
    /// confirms the new value. If this computer keeps pictures, a body that saves to it alone keeps its target.
    private mutating func chooseCard(in turn: inout DriverTurn) -> CanonNextAction {
        let keepsPictures = common.pictures.request.policy != .none
        guard let present = body.store.saveTarget, let wanted = present.onCardAlone(among: body.store.saveTargets),
            wanted != present, present.isCard || !keepsPictures
        else {
            setUp.go(to: setUp.step.next)
            return .again
        }
        if setUp.writes >= CanonLimits.writesMax {
            turn.note(CanonSessionSentences.saveTargetKept(present))
            known.changes.removeAll { $0.code == .canonSaveTarget }
            setUp.go(to: setUp.step.next)
            return .again
        }
        if let writtenAt = setUp.writtenAt, turn.now < writtenAt + timing.writeAgain {
            setUp.notBefore = turn.now + timing.poll
            return .perform(.list)
        }
        if setUp.writes == 0 { turn.note(CanonSessionSentences.saveTargetChanged(present, to: wanted)) }
        return change(.canonSaveTarget, from: present.rawValue, to: wanted.rawValue)
    }

    /// Lists the files in the present folder, to find those that the body added while the link was down.
    private mutating func listFiles() -> CanonNextAction {
        let hasDoubt = lastFrame.frame.map { !$0.isOver && $0.bodyID == common.identity?.id } ?? false
        guard common.pictures.request.policy != .none || hasDoubt, known.listsFiles, has(.getObjectHandles),
            let folder = body.store.number(.canonFolder)
        else {
            setUp.go(to: setUp.step.next)
            return .again
        }
        return .perform(.fileList(storage: body.store.number(.canonStorage) ?? Self.allStorages, folder: folder))
    }

    private static let allStorages = UInt32.max

    // MARK: Answers

    mutating func finishSetUp(_ task: CanonTask, _ result: OperationResult, in turn: inout DriverTurn) {
        switch task {
        case .list: return finishSetUpList(result, in: &turn)
        case .write: return finishSetUpWrite(result, at: turn.now)
        case .fileList(_, let folder): adoptFileList(result, of: folder, at: turn.now)
        default: break
        }
        let isGivenUp = task.isOptional && setUp.attempts + 1 >= common.timing.setUpAttemptMax
        if result.code.isCanonBusy, !isGivenUp { return tryAgain(task, result, at: turn.now) }
        switch (task, result.code) {
        case (.remoteMode, .ok), (.remoteMode, .canonAlreadyInMode): body.isRemote = true
        case (.eventMode, .ok), (.eventMode, .canonAlreadyInMode): body.hasEventMode = true
        case (.remoteMode, _), (.eventMode, _): return refuse(task, result)
        // The body works without these tasks.
        default: break
        }
        setUp.go(to: setUp.step.next)
    }

    private mutating func finishSetUpList(_ result: OperationResult, in turn: inout DriverTurn) {
        guard let list = adoptList(result, in: &turn) else { return tryAgain(.list, result, at: turn.now) }
        guard setUp.step == .lists else { return }
        setUp.listCount += 1
        // Chatty bodies always have a change to report.
        if list.isEmpty || setUp.listCount >= CanonLimits.setUpListsMax { setUp.go(to: setUp.step.next) }
    }

    private mutating func finishSetUpWrite(_ result: OperationResult, at now: Duration) {
        setUp.writtenAt = now
        if result.code.isCanonBusy { setUp.notBefore = now + timing.busyWrite }
    }

    private mutating func tryAgain(_ task: CanonTask, _ result: OperationResult, at now: Duration) {
        guard setUp.attempts + 1 < common.timing.setUpAttemptMax else { return refuse(task, result) }
        setUp.attempts += 1
        setUp.notBefore = now + common.timing.setUpPause
    }

    private mutating func refuse(_ task: CanonTask, _ result: OperationResult) {
        let refusal = Refusal(
            of: task.name,
            result,
            by: common.deviceInfo.model,
            codeName: result.code.canonName
        )
        common.ending = .close(.refused(refusal))
    }

    /// Ends the set-up of the session.
    private mutating func establish(in turn: inout DriverTurn) {
        guard let identity = common.identity else { preconditionFailure("DeviceInfo comes first") }
        let ticket = common.connectTicket
        common.establish(at: turn.now)
        let status = body.store.status
        body.reported = status
        turn.report(.prepared(identity), ticket)
        // The core needs all properties before the status. The status lets the core continue.
        reportProperties(in: &turn)
        turn.report(.status(status), ticket)
    }
}
