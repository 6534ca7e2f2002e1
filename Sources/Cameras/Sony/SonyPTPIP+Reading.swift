import PTP

/// Readings and events: the reports of the body.
extension SonyPTPIP {
    /// Prepares the state for a new transaction.
    mutating func prepare(_ task: SonyTask, at now: Duration) {
        switch task {
        case .reading:
            body.news = .none
        case .object:
            drain.wasRemovalReported = false
        case .speed(let speed, _):
            body.speedMove = (speed.reading, now + timing.speedMove)
        case .button(.halfPress, .pressed):
            buttons.isHalfDown = true
        case .button(.fullPress, .pressed):
            buttons.isFullDown = true
            pressShutter(at: now)
        default:
            break
        }
    }

    /// Notes an event. Events never start a transaction by themselves. The driver keeps them until the command
    /// connection is free, and requests one reading for several events.
    package mutating func receive(_ event: PTPEvent, at now: Duration) {
        body.sendsEvents = true
        switch event.code {
        case .sonyObjectAdded:
            body.news = .file
        case .sonyObjectRemoved:
            body.news = .file
            drain.wasRemovalReported = true
        case .sonyCaptured:
            body.news = .file
            lastFrame.noteAnnouncement(at: now)
        default:
            body.news = max(body.news, .property)
        }
    }

    mutating func finishReading(_ result: OperationResult, in turn: inout DriverTurn) {
        guard let reading = adoptReading(result, in: &turn) else {
            return noteFailedReading(result, in: &turn)
        }
        updateFrame(reading)
        guard common.isConnected else { return }
        reportStatus(reading, in: &turn)
        if case .readingSpeed(let ticket, let since) = activity, reading.requestedAt >= since,
            let speed = reading.status.speed
        {
            turn.report(.speedRead(speed), ticket)
        }
    }

    /// Decodes a dataset and makes it the present reading; nil: the answer contained no dataset.
    mutating func adoptReading(_ result: OperationResult, in turn: inout DriverTurn) -> SonyReading? {
        guard result.isSuccess, let version = body.version else { return nil }
        let dataset = body.decoder.decode(result.data, version: version)
        report(dataset.remarks, in: &turn)
        guard !dataset.records.isEmpty else { return nil }
        body.readingsFailSince = nil
        let setter = body.speedSetter(dataset, at: turn.now)
        let since = common.transactionSince
        let reading = SonyReading(dataset, setter, after: body.reading, requestedAt: since, receivedAt: turn.now)
        body.reading = reading
        body.readings += 1
        body.properties.update(dataset, version: version)
        return reading
    }

    /// Reports each remark once per session, because a body repeats its errors in every reading.
    private mutating func report(_ remarks: [SonyPropertyDataset.Remark], in turn: inout DriverTurn) {
        for remark in remarks where body.reportedRemarks.count < SonyLimits.remarksMax {
            guard body.reportedRemarks.insert(remark).inserted else { continue }
            turn.note(SonySessionSentences.remark("\(remark)"))
        }
    }

    /// Handles a reading that failed, because the body was busy or the data were incomplete. The driver requests
    /// another reading after a pause, until the end of a possible exposure plus a margin.
    private mutating func noteFailedReading(_ result: OperationResult, in turn: inout DriverTurn) {
        guard common.isConnected else { return }
        body.news = max(body.news, .property)
        body.retryReadingAt = turn.now + timing.bufferPoll
        guard let since = body.readingsFailSince else {
            body.readingsFailSince = turn.now
            let isComplete = result.isComplete
            return turn.note(SonySessionSentences.propertiesUnreadable(result.code, isComplete: isComplete))
        }
        let timeout = max(since, lastFrame.frame?.latestEnd ?? .zero) + timing.failingReadings
        if turn.now >= timeout {
            common.ending = .lose(.protocolError(SonySessionSentences.propertiesNotReported(result.code)))
        }
    }

    private mutating func reportStatus(_ reading: SonyReading, in turn: inout DriverTurn) {
        let status = reportable(reading)
        statusQuestions.answer(status, after: body.reported, requestedAt: reading.requestedAt, in: &turn)
        body.reported = status
    }

    /// The status to report. During a frame a body may hide its lists and its mode for a moment; the driver reports
    /// them when the body is idle again. The driver reports the shot counter with the picture, because the record of
    /// the next frame needs the counter before the speed is set.
    private func reportable(_ reading: SonyReading) -> CameraStatus {
        var status = reading.status
        guard let reported = body.reported else { return status }
        if case .idle = activity { return status }
        if !reading.isModeReliable { status.mode = reported.mode }
        let isFrameInWork = lastFrame.frame.map { !$0.isOver } ?? false
        if lastFrame.isOpen { status.shotsLeft = reported.shotsLeft }
        if isFrameInWork || reading.fileInfo != .empty || !reading.isSpeedReliable {
            status.speeds = reported.speeds
            status.speedIsWritable = reported.speedIsWritable
            status.speed = reading.isSpeedReliable ? status.speed : reported.speed
        }
        return status
    }

    mutating func finishPositionKey(_ result: OperationResult, in turn: inout DriverTurn) {
        if common.isConnected {
            noteTakenPriority(result, in: &turn)
            body.news = max(body.news, .property)
        } else if result.code == .ok {
            known.positionKeyToRestore = nil
        }
    }
}
