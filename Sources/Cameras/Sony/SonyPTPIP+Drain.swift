import PTP

/// Empties the body's buffer. While the buffer contains a file, the body ignores settings and the shutter. A file that
/// is not fetched would appear as the next picture.
extension SonyPTPIP {
    /// If the number of files did not decrease after a fetch, the driver waits for this time before it fetches again.
    private static let settleAfterFetch: Duration = .seconds(1)
    private static let retryPause: Duration = .milliseconds(150)
    private static let slowRetryPause: Duration = .seconds(2)

    /// The next file to fetch.
    mutating func drainTask(at now: Duration) -> SonyTask? {
        if let fetch = drain.next { return .object(fetch) }
        guard let reading = body.reading, case .ready(let count) = reading.fileInfo else {
            if body.reading?.fileInfo == .empty {
                drain.wasEmpty = true
                drain.fetchedAt = nil
                drain.held = nil
                drain.first = nil
                drain.repeats = 0
            }
            return nil
        }
        if drain.held != nil || now < drain.retryAt { return nil }
        if let fetchedAt = drain.fetchedAt {
            // A reading from before the fetch can still count the fetched file. The driver would fetch that file twice.
            if reading.requestedAt < fetchedAt { return nil }
            let mayLag = count >= drain.readyBeforeFetch && !drain.wasRemovalReported
            if mayLag, now < fetchedAt + Self.settleAfterFetch { return nil }
        }
        return .objectInfo
    }

    /// The time at which `drainTask` can return a task without a new reading.
    func drainRetryAt(_ now: Duration) -> Duration? {
        guard let reading = body.reading, case .ready = reading.fileInfo else { return nil }
        let settled = drain.fetchedAt.map { $0 + Self.settleAfterFetch }
        let times = [settled, Optional(drain.retryAt)].compactMap { $0 }.filter { $0 > now }
        return times.min()
    }

    mutating func finishObjectInfo(_ result: OperationResult, in turn: inout DriverTurn) {
        guard result.isSuccess else { return noteFailedFetch(result, of: nil, in: &turn) }
        let info: ObjectInfo
        do throws(DatasetError) {
            info = try ObjectInfo(decoding: result.data)
        } catch {
            // The driver can fetch the file without its description.
            turn.note(SonyPictureSentences.descriptionUnreadable(error))
            info = ObjectInfo()
        }
        drain.identify(bodyID: common.identity?.id)
        let origin = origin(of: info, at: turn.now)
        drain.first = (info, origin)
        // The driver assumed after the reconnect that this file belongs to the frame. The origin can disprove that.
        if !isEvidence(origin) { body.hadFilesAtConnect = false }
        switch origin {
        case .frame(let ticket) where ticket == lastFrame.frame?.ticket:
            noteFile(at: turn.now)
        case .frame:
            turn.note(SonyPictureSentences.ofPreviousFrame(info.filename))
        case .lastPicture(let ticket) where ticket == lastFrame.frame?.ticket:
            noteFile(at: turn.now)
        case .lastPicture:
            // The RAW file may arrive after the JPEG and after the beginning of the next frame.
            turn.note(SonyPictureSentences.ofPreviousPicture(info.filename))
        case .repeated:
            turn.note(SonyPictureSentences.alreadyTransferred(info.filename))
        case .stranger:
            turn.note(SonyPictureSentences.ofUnknownFrame(info.filename))
        }
        plan(info, origin, in: &turn)
    }

    mutating func finishObject(_ fetch: SonyFetch, _ result: OperationResult, in turn: inout DriverTurn) {
        drain.next = nil
        // Keeps the received part of a picture if the driver cancelled the transfer to close the session.
        if result.code == .transactionCanceled, common.isLeaving { return }
        switch fetch.purpose {
        case .drop(let skip):
            guard result.isSuccess, result.byteCount > 0 else {
                return noteFailedFetch(result, of: fetch.origin, in: &turn)
            }
            reportSkip(fetch, skip, in: &turn)
        case .keep:
            guard finishPicture(fetch, result, in: &turn) else { return }
        }
        if case .ready(let count)? = body.reading?.fileInfo { drain.readyBeforeFetch = count }
        drain.fetchedAt = turn.now
        noteFetched(fetch)
        body.deliversFiles = true
        body.framesWithoutFile = 0
        // The next reading shows the smaller number of files.
        body.news = .file
        // A body that delivers the same file again makes no progress.
        if fetch.origin == .repeated { return drain.noteRepeat(of: fetch.file, at: turn.now) }
        extendGate(at: turn.now)
        reportSaving(in: &turn)
    }

    /// Notes that a file was not transferred. The file may be deleted or not ready yet, and the next reading shows
    /// which. `origin` nil: the body does not describe the file.
    mutating func noteFailedFetch(_ result: OperationResult, of origin: SonyFileOrigin?, in turn: inout DriverTurn) {
        drain.failures += 1
        let isUnrecoverable = drain.failures > SonyLimits.failedFetchesMax
        drain.retryAt = turn.now + (isUnrecoverable ? Self.slowRetryPause : Self.retryPause)
        body.news = max(body.news, .property)
        if drain.failures == 1 { turn.note(SonyPictureSentences.transferRejected(result.code)) }
        // A file without a description counts as the frame's, because the body reports that a file is ready.
        if drain.failures >= Self.failuresMin, origin == nil { noteFile(at: turn.now) }
    }

    private static let failuresMin = 3

    /// Extends the time limit of the running command. A body whose buffer empties does not count as busy.
    private mutating func extendGate(at now: Duration) {
        switch activity {
        case .settingSpeed(var setting):
            setting.gateUntil = now + timing.gate
            activity = .settingSpeed(setting)
        case .settingProperty(var setting):
            setting.gateUntil = now + timing.gate
            activity = .settingProperty(setting)
        case .capturing(var capture):
            capture.gateUntil = now + timing.gate
            activity = .capturing(capture)
        case .idle, .readingSpeed, .awaitingIdle, .resolving, .takingLiveView:
            break
        }
    }

    /// Reports the progress of a transfer at intervals, because a waiting command has a timeout.
    package mutating func reportProgress(in turn: inout DriverTurn) {
        guard case .object(let fetch)? = task, fetch.origin != .repeated, common.isConnected else { return }
        reportSaving(in: &turn)
    }

    private mutating func reportSaving(in turn: inout DriverTurn) {
        guard let ticket = savingTicket, turn.now >= (savingReportedAt ?? .zero) + timing.savingReport else { return }
        savingReportedAt = turn.now
        turn.report(.saving, ticket)
    }

    /// The ticket of the command that waits, with a timeout, for an empty buffer.
    private var savingTicket: Ticket? {
        switch activity {
        case .awaitingIdle(let ticket, _): ticket
        case .settingSpeed(let setting): setting.isProperty ? nil : setting.ticket
        case .readingSpeed(let ticket, _): ticket
        case .capturing(let capture):
            switch capture.step {
            case .checking, .finishing: capture.ticket
            case .focusing, .pressing, .holding, .exposing: nil
            }
        case .idle, .settingProperty, .resolving, .takingLiveView: nil
        }
    }
}
