import PTP

/// Emptying the body's buffer: while anything waits in it, settings and shutter are ignored, and a forgotten file comes
/// back as the next picture.
extension SonyPTPIP {
    /// A file whose count did not go down is looked at again this long before it is fetched a second time.
    private static let settleAfterFetch: Duration = .seconds(1)
    private static let retryPause: Duration = .milliseconds(150)
    private static let slowRetryPause: Duration = .seconds(2)

    /// What to fetch now.
    mutating func drainErrand(at now: Duration) -> SonyErrand? {
        if let info = drain.next { return .object(info) }
        guard let reading = body.reading, case .ready(let count) = reading.fileInfo else {
            drain.fetchedAt = body.reading?.fileInfo == .empty ? nil : drain.fetchedAt
            return nil
        }
        if now < drain.retryAt { return nil }
        if let fetchedAt = drain.fetchedAt {
            // The count may lag: the same file is not fetched twice for that.
            if reading.requestedAt < fetchedAt { return nil }
            let mayLag = count >= drain.readyBeforeFetch && !drain.isRemovalTold
            if mayLag, now < fetchedAt + Self.settleAfterFetch { return nil }
        }
        return .objectInfo
    }

    /// When `drainErrand` may have something to do without a new reading.
    func drainRetryAt(_ now: Duration) -> Duration? {
        guard let reading = body.reading, case .ready = reading.fileInfo else { return nil }
        let settled = drain.fetchedAt.map { $0 + Self.settleAfterFetch }
        let times = [settled, Optional(drain.retryAt)].compactMap { $0 }.filter { $0 > now }
        return times.min()
    }

    mutating func finishObjectInfo(_ result: OperationResult, at now: Duration, into actions: inout [CameraAction]) {
        guard result.isSuccess else { return noteFailedFetch(result, at: now, into: &actions) }
        let info: ObjectInfo
        do throws(DatasetError) {
            info = try ObjectInfo(decoding: result.data)
        } catch {
            // The file can be fetched without its description.
            actions.append(.note("the description of a file cannot be read: \(error)"))
            info = ObjectInfo()
        }
        drain.next = info
        // RAW may follow JPEG so late that the next frame is under way.
        if lastFrame.frame?.isCaptured == false, drain.belongsToLastPicture(info) {
            actions.append(.note("\(info.filename) belongs to the picture before"))
        } else {
            noteFile(at: now)
        }
    }

    mutating func finishObject(
        _ info: ObjectInfo,
        _ result: OperationResult,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        drain.next = nil
        guard result.isSuccess else { return noteFailedFetch(result, at: now, into: &actions) }
        if case .ready(let count)? = body.reading?.fileInfo { drain.readyBeforeFetch = count }
        drain.fetchedAt = now
        drain.failures = 0
        drain.note(fetched: info)
        body.deliversFiles = true
        // The count goes down now; the reading says how far.
        body.news = .file
        extendGate(at: now)
        reportSaving(at: now, into: &actions)
    }

    /// The file may not be ready after all, or be gone: the next reading tells.
    private mutating func noteFailedFetch(
        _ result: OperationResult,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        drain.failures += 1
        let isHopeless = drain.failures > SonyLimits.failedFetchesMax
        drain.retryAt = now + (isHopeless ? Self.slowRetryPause : Self.retryPause)
        body.news = max(body.news, .property)
        if drain.failures == 1 {
            actions.append(.note("a file in the buffer cannot be fetched: \(result.code.sonyName)"))
        }
        // It counts as the frame's all the same: the body says that a file is ready.
        if drain.failures == Self.failuresBelieved { noteFile(at: now) }
    }

    private static let failuresBelieved = 3

    /// A buffer that is getting empty is not a busy body.
    private mutating func extendGate(at now: Duration) {
        switch activity {
        case .settingSpeed(var setting):
            setting.gateUntil = now + timing.gate
            activity = .settingSpeed(setting)
        case .capturing(var capture):
            capture.gateUntil = now + timing.gate
            activity = .capturing(capture)
        case .idle, .readingSpeed, .awaitingIdle, .resolving:
            break
        }
    }

    /// Bytes of a picture came: says so now and then, for who waits for the end has a clock running.
    mutating func reportTransferProgress(at now: Duration, into actions: inout [CameraAction]) {
        guard case .object? = errand, phase.isConnected else { return }
        reportSaving(at: now, into: &actions)
    }

    private mutating func reportSaving(at now: Duration, into actions: inout [CameraAction]) {
        guard let ticket = savingTicket, now >= (savingReportedAt ?? .zero) + timing.savingReport else { return }
        savingReportedAt = now
        actions.append(.report(.saving, ticket: ticket))
    }

    /// Who waits for the body to become idle.
    private var savingTicket: Ticket? {
        switch activity {
        case .awaitingIdle(let wait): wait.ticket
        case .capturing(let capture):
            if case .finishing = capture.step { capture.ticket } else { nil }
        case .idle, .settingSpeed, .readingSpeed, .resolving: nil
        }
    }
}
