import NIOCore
import PTP

/// The set-up of a session.
extension NikonPTPIP {
    package mutating func identify(in turn: inout DriverTurn) {
        let info = common.deviceInfo
        setUp = NikonSetUp()
        body = NikonBody()
        body.quirks = NikonQuirks(model: info.model)
        body.abilities = NikonAbilities(operations: info.operations, quirks: body.quirks)
        for row in NikonQuirks.rows(of: info.model) where !row.models.isEmpty {
            turn.note(NikonValueSentences.quirk(row, of: info.model))
        }
        files.begin(bodyID: common.identity?.id)
        abandonStrangePicture(in: &turn)
        guard body.abilities.events != nil, body.abilities.release != nil, has(.setDevicePropValue) else {
            let sentence = NikonSessionSentences.remoteControlMissing(info.model)
            return common.ending = .close(.refused(.unsupported(sentence)))
        }
        setUp.go(to: firstPairing)
    }

    mutating func decideSetUp(in turn: inout DriverTurn) -> NikonNextAction {
        if turn.now < setUp.notBefore { return .wait(until: setUp.notBefore) }
        if let step = body.dueStep {
            body.dueStep = nil
            return .perform(step)
        }
        switch setUp.step {
        case .pairing(.first), .pairing(.polling): return .perform(.pairingInfo)
        case .pairing(.mode): return .perform(.applicationMode(isOn: true))
        case .pairing(.confirming): return .perform(.confirmPairing)
        case .vendorList: return setUpTask(body.abilities.vendorList.map { .vendorList($0) }, next: .applicationMode)
        case .applicationMode: return setUpTask(applicationModeTask, next: .cameraMode)
        case .cameraMode: return setUpTask(cameraModeTask, next: .properties)
        case .properties: return setUpTask(body.unread.first.map { .describe($0) }, next: .recordingMedia)
        case .recordingMedia: return body.unread.first.map { .perform(.describe($0)) } ?? chooseCard(in: &turn)
        case .files: return setUpTask(mayListFiles ? .fileList : nil, next: .done)
        case .done:
            establish(in: &turn)
            return .again
        }
    }

    /// Performs a task, or continues with the next step if the body does not need it.
    private mutating func setUpTask(_ task: NikonTask?, next: NikonSetUp.Step) -> NikonNextAction {
        if let task { return .perform(task) }
        go(to: next)
        return .again
    }

    /// Begins a step.
    mutating func go(to step: NikonSetUp.Step) {
        setUp.go(to: step)
        guard step == .properties else { return }
        // Without a list of the body, the driver tries all properties.
        let codes = setUp.vendorCodes.map { $0 + common.deviceInfo.properties } ?? NikonPropertyStore.used
        body.properties = NikonPropertyStore.used.filter(codes.contains)
        body.unread = body.properties
    }

    // MARK: Modes

    private var applicationModeTask: NikonTask? {
        guard !body.modes.isApplication else { return nil }
        let properties = (setUp.vendorCodes ?? []) + common.deviceInfo.properties
        switch body.abilities.applicationMode(properties: properties) {
        case .operation: return .applicationMode(isOn: true)
        case .property: return .write(Self.applicationProperty(isOn: true))
        case .none: return nil
        }
    }

    /// D-SLR bodies need the mode for writes and releases. Other bodies get it only if they reject one of them.
    private var cameraModeTask: NikonTask? {
        body.abilities.generation == .dslr && body.abilities.hasCameraMode ? .cameraMode(isOn: true) : nil
    }

    // MARK: Recording media

    /// Pictures in the memory of the body are lost with the connection, so they go to the card. Only a reading confirms
    /// the new value.
    private mutating func chooseCard(in turn: inout DriverTurn) -> NikonNextAction {
        guard let media = body.store.recordingMedia, media.isHost, let entry = body.store[.nikonRecordingMedia],
            entry.isWritable, let before = PTPValue(entry.value, as: entry.type),
            let card = PTPValue(Int64(NikonRecordingMedia.card.rawValue), as: entry.type)
        else {
            go(to: .files)
            return .again
        }
        if turn.now < setUp.confirmUntil {
            body.markUnread([.nikonRecordingMedia])
            setUp.notBefore = turn.now + timing.confirmPoll
            return .again
        }
        guard setUp.writes < NikonLimits.writesMax else {
            turn.note(NikonSessionSentences.mediaKept(media))
            known.mediaBefore = nil
            go(to: .files)
            return .again
        }
        if setUp.writes == 0 { turn.note(NikonSessionSentences.mediaChanged(media)) }
        setUp.writes += 1
        known.mediaBefore = known.mediaBefore ?? NikonPropertyWrite(.nikonRecordingMedia, before)
        return .perform(.write(NikonPropertyWrite(.nikonRecordingMedia, card)))
    }

    private mutating func finishMediaWrite(_ result: OperationResult, at now: Duration) {
        body.markUnread([.nikonRecordingMedia])
        switch NikonWriteAnswer(result.code) {
        case .accepted: setUp.confirmUntil = now + timing.confirm
        case .modeRefused where mayEnterCameraMode(setUp.isModeTried):
            setUp.isModeTried = true
            body.dueStep = .cameraMode(isOn: true)
        default: break
        }
    }

    // MARK: Files

    /// Whether the files are listed now: as the state before the next frame, to find pictures of the time without a
    /// link, or to resolve a frame in doubt.
    var mayListFiles: Bool {
        guard has(.getObjectHandles) else { return false }
        let hasDoubt = lastFrame.frame.map { !$0.isOver && $0.bodyID == common.identity?.id } ?? false
        switch known.fileList {
        case .always: return true
        case .inDoubt: return hasDoubt
        case .never: return false
        }
    }

    // MARK: Answers

    mutating func finishSetUp(_ task: NikonTask, _ result: OperationResult, in turn: inout DriverTurn) {
        if case .pairing(let pairing) = setUp.step { return finishPairing(pairing, result, in: &turn) }
        if result.code == .deviceBusy { return tryAgain(task, result, at: turn.now) }
        switch task {
        case .vendorList(let list): finishVendorList(list, result, in: &turn)
        // A body without the mode works as far as it can. If it rejects a command, the driver reports that.
        case .applicationMode:
            body.modes.isApplication = result.code == .ok
            if result.code != .ok { noteLeft(task) }
            go(to: .cameraMode)
        case .write(let write) where write.code == .nikonApplicationMode:
            if result.code != .ok { noteLeft(task) }
            go(to: .cameraMode)
        case .cameraMode:
            finishCameraMode(result)
            // The mode can also be the condition for the save target.
            if setUp.step == .cameraMode { go(to: .properties) }
        case .describe(let code):
            setUp.attempts = 0
            adoptReading(task, of: code, result, in: &turn)
        case .write: finishMediaWrite(result, at: turn.now)
        case .fileList, .storageList, .storageFiles:
            finishFileList(task, result, at: turn.now)
            if body.dueStep == nil { go(to: .done) }
        default: break
        }
    }

    /// Tries a task again later. A body that still exposes the last frame is busy until the end of that frame.
    mutating func tryAgain(_ task: NikonTask, _ result: OperationResult, at now: Duration) {
        let frame = lastFrame.isOpen ? lastFrame.frame : nil
        let frameEnd = frame.flatMap { $0.bodyID == common.identity?.id ? $0.deadline(isBusy: true, timing) : nil }
        guard setUp.attempts + 1 < common.timing.setUpAttemptMax || now < frameEnd ?? .zero else {
            let model = common.deviceInfo.model
            let refusal = Refusal(of: task.name, result, by: model, codeName: result.code.nikonName)
            return common.ending = .close(.refused(refusal))
        }
        setUp.attempts += 1
        setUp.notBefore = now + common.timing.setUpPause
    }

    private mutating func finishVendorList(
        _ list: NikonVendorList,
        _ result: OperationResult,
        in turn: inout DriverTurn
    ) {
        do throws(NikonValueError) {
            if result.isSuccess { setUp.vendorCodes = try NikonVendorCodes(decoding: result.data, list).properties }
        } catch {
            note(error, in: &turn)
        }
        if setUp.vendorCodes == nil { turn.note(NikonSessionSentences.vendorListMissing(result.code)) }
        go(to: .applicationMode)
    }

    /// Ends the set-up of the session.
    private mutating func establish(in turn: inout DriverTurn) {
        guard let identity = common.identity else { preconditionFailure("DeviceInfo comes first") }
        let ticket = common.connectTicket
        common.establish(at: turn.now)
        let status = self.status
        body.reported = status
        body.checkedRevision = body.store.revision
        body.refreshAt = turn.now + timing.refresh
        if let list = body.store.speedList, !list.substitutions.isEmpty {
            turn.note(NikonValueSentences.substitutions(list.substitutions))
        }
        turn.report(.prepared(identity), ticket)
        // The core needs all properties before the status. The status lets the core continue.
        reportProperties(in: &turn)
        turn.report(.status(status), ticket)
    }
}
