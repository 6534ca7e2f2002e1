import NIOCore
import PTP

extension SonyPTPIP {
    func decide(_ handshake: SonyHandshake, at now: Duration) -> SonyNextAction {
        if now < handshake.notBefore { return .wait(until: handshake.notBefore) }
        return switch handshake.step {
        case .connect(let phase): .perform(.connect(phase: phase))
        case .getExtDeviceInfo: .perform(.getExtDeviceInfo)
        case .firstReading, .readingAfterPriority: .perform(.reading)
        case .takePriority: .perform(.positionKey(1))
        }
    }

    mutating func finishHandshake(_ task: SonyTask, _ result: OperationResult, in turn: inout DriverTurn) {
        if result.code == .deviceBusy {
            return tryAgain(common.timing.setUpPause, common.timing.setUpAttemptMax, task, result, at: turn.now)
        }
        switch task {
        case .connect(let phase):
            guard result.code == .ok else { return refuse(task, result) }
            handshake.go(to: phase == 1 ? .connect(phase: 2) : phase == 2 ? .getExtDeviceInfo : .firstReading)
        case .getExtDeviceInfo:
            finishExtDeviceInfo(result, in: &turn)
        case .reading:
            finishHandshakeReading(result, in: &turn)
        case .positionKey:
            noteTakenPriority(result, in: &turn)
            handshake.go(to: .readingAfterPriority)
        case .speed, .step, .property, .button, .objectInfo, .object, .liveViewInfo, .liveViewPicture:
            preconditionFailure("not before the session stands")
        }
    }

    private mutating func tryAgain(
        _ pause: Duration,
        _ attemptMax: Int,
        _ task: SonyTask,
        _ result: OperationResult,
        at now: Duration
    ) {
        guard handshake.attempts + 1 < attemptMax else { return refuse(task, result) }
        handshake.attempts += 1
        handshake.notBefore = now + pause
    }

    package mutating func identify(in turn: inout DriverTurn) {
        handshake = SonyHandshake()
        let model = common.deviceInfo.model
        body.quirks = SonyQuirks(model: model)
        for row in SonyQuirks.table where row.models.contains(model) {
            turn.note(SonySessionSentences.quirk(row, of: model))
        }
    }

    private mutating func finishExtDeviceInfo(_ result: OperationResult, in turn: inout DriverTurn) {
        // While the body is not ready, the data are empty (libgphoto2 asks 20 times, pysonycam 60 times every 50 ms).
        guard result.isSuccess, result.data.readableBytes > 0 else {
            if result.code != .ok { return refuse(.getExtDeviceInfo, result) }
            let (pause, attemptMax) = (timing.extDeviceInfoPause, timing.extDeviceInfoAttemptMax)
            return tryAgain(pause, attemptMax, .getExtDeviceInfo, result, at: turn.now)
        }
        let info: SonyExtDeviceInfo
        do throws(DatasetError) {
            info = try SonyExtDeviceInfo(decoding: result.data)
        } catch {
            let refusal = Refusal.protocolError(SonySessionSentences.propertyListUnreadable(error))
            return common.ending = .close(.refused(refusal))
        }
        guard let version = info.extensionVersion else {
            let sentence = SonySessionSentences.versionUnsupported(info, of: common.deviceInfo.model)
            return common.ending = .close(.refused(.unsupported(sentence)))
        }
        body.version = version
        body.listed = info
        if version == .version2 { turn.note(info.noteOnSteps) }
        handshake.go(to: .connect(phase: 3))
    }

    private mutating func finishHandshakeReading(_ result: OperationResult, in turn: inout DriverTurn) {
        guard let reading = adoptReading(result, in: &turn) else {
            return tryAgain(timing.bufferPoll, common.timing.setUpAttemptMax, .reading, result, at: turn.now)
        }
        if reading.positionKeyToTake != nil, body.priorityTakenAt == nil { return handshake.go(to: .takePriority) }
        let mayStillOpen = handshake.step == .readingAfterPriority && !reading.status.speedIsWritable
        if mayStillOpen, handshake.attempts + 1 < common.timing.setUpAttemptMax {
            handshake.attempts += 1
            return handshake.notBefore = turn.now + timing.speedPoll
        }
        establish(reading, in: &turn)
    }

    /// Ends the set-up of the session.
    private mutating func establish(_ reading: SonyReading, in turn: inout DriverTurn) {
        guard let identity = common.identity else { preconditionFailure("DeviceInfo comes first") }
        let ticket = common.connectTicket
        common.establish(at: turn.now)
        body.hadFilesAtConnect = reading.fileInfo != .empty
        // The driver does not know yet whether the body delivers files. Two documents disagree about the numbers of
        // 0xD222, so the first frame decides. On a body that keeps its files this takes `fileGrace`, once.
        body.deliversFiles = nil
        body.reported = reading.status
        turn.report(.prepared(identity), ticket)
        // The core needs all properties before the status. The status lets the core continue.
        reportProperties(in: &turn)
        turn.report(.status(reading.status), ticket)
    }

    private mutating func refuse(_ task: SonyTask, _ result: OperationResult) {
        let refusal = Refusal(
            of: task.name,
            result,
            by: common.deviceInfo.model,
            codeName: result.code.sonyName,
            isInUse: result.code == .sonyAuthenticationFailed
        )
        common.ending = .close(.refused(refusal))
    }

    mutating func noteTakenPriority(_ result: OperationResult, in turn: inout DriverTurn) {
        body.priorityTakenAt = turn.now
        guard result.code == .ok else {
            turn.note(SonySessionSentences.priorityKept(result.code))
            return
        }
        turn.note(SonySessionSentences.priorityTaken)
        if known.positionKeyToRestore == nil { known.positionKeyToRestore = 0 }
    }
}
