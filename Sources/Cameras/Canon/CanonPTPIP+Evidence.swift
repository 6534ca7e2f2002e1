import PTP

/// The proofs that a frame's picture exists, and the end of the wait for them.
extension CanonPTPIP {
    /// The time at which the status or the counter prove a picture without its object; nil: they do not.
    ///
    /// A body that announces no objects gets no time for one. The status alone is enough only if the body did not give
    /// both stronger signs before.
    func provenAt(_ frame: CanonFrame) -> Duration? {
        let grace = known.announcesObjects == false ? .zero : timing.weakProof
        let isStatusEnough = known.announcesObjects != true || known.countsShots != true
        return frame.provenAt(grace: grace, isStatusEnough: isStatusEnough, timing)
    }

    /// The place of a new file, and how the driver learned of it.
    enum FileOrigin: Equatable {
        /// An event list announced the file on a card.
        case announced
        /// The file is in the body's buffer and waits for its transfer.
        case inBuffer
        /// The file was added to a card while the link was down. It can be a frame's file only if the body did not add
        /// more pictures than the driver's frames lack.
        case listed(mayBeOwned: Bool)
    }

    /// Notes a new file. Some bodies announce a file twice.
    mutating func noteObject(_ object: CanonObject, _ origin: FileOrigin, at now: Duration) {
        let isInBuffer = origin == .inBuffer
        guard object.isFile, files.noteHandle(of: object, isInBuffer: isInBuffer) else { return }
        let capture = owner(of: object, origin, at: now)
        if let capture {
            if case .listed = origin {} else { known.announcesObjects = true }
            lastFrame.update(of: capture) { $0.group = object.groupHandle }
            lastFrame.update { frame in
                if frame.ticket == capture, case .exposing = frame.stage { frame.stage = .captured(at: now) }
            }
        }
        guard isInBuffer || common.pictures.request.policy != .none else { return }
        let isOnCard = !isInBuffer || body.store.saveTarget?.isCard == true
        files.add(CanonFile(object: object, isInBuffer: isInBuffer, isOnCard: isOnCard, capture: capture))
    }

    /// The ticket of the frame to which a file belongs; nil: to no known frame, for example after a press on the body.
    ///
    /// RAW and JPEG of a picture have a common group. A file before the earliest end of an exposure does not belong to
    /// that frame. If the status or the counter alone proved the older frame, the next file belongs to it. Exception:
    /// the body announced no files until now, and the newer frame has ended.
    ///
    /// The time of a file that was added while the link was down is not known. So it belongs to the first frame without
    /// a file, if the body announces files at all.
    private func owner(of object: CanonObject, _ origin: FileOrigin, at now: Duration) -> Ticket? {
        let candidates = lastFrame.candidates
        if let known = candidates.first(where: { $0.group == object.groupHandle }) { return known.ticket }
        if case .listed(let mayBeOwned) = origin { return mayBeOwned ? framesWithoutFile(at: now).first?.ticket : nil }
        guard let newest = candidates.last else { return nil }
        let hasNewestEnded = known.announcesObjects == false && now >= newest.latestEnd
        let mayBeLate = candidates.first?.isCaptured == true && !hasNewestEnded
        if candidates.count > 1, let older = candidates.first, mayBeLate || now < newest.earliestEnd,
            known.announcesObjects != nil, !older.mayLackSigns, isOfThisSession(older), mayOwn(older, at: now)
        {
            return older.ticket
        }
        return mayOwn(newest, at: now) ? newest.ticket : nil
    }

    private func mayOwn(_ frame: CanonFrame, isListed: Bool = false, at now: Duration) -> Bool {
        frame.bodyID == common.identity?.id && !frame.hasObject && now >= frame.earliestEnd
            && (isListed || now < frame.latestEnd + timing.writing)
    }

    /// The frames to which a file can belong that was added while the link was down.
    private func framesWithoutFile(at now: Duration) -> [CanonFrame] {
        guard known.announcesObjects != false else { return [] }
        return lastFrame.candidates.filter { mayOwn($0, isListed: true, at: now) && (!$0.isOver || $0.isCaptured) }
    }

    /// Notes the files that were added to a folder while the link was down. A body may refuse the list.
    mutating func adoptFileList(_ result: OperationResult, of folder: UInt32, at now: Duration) {
        var reader = DatasetReader(result.data)
        guard result.isSuccess, let handles = try? reader.array("Handles", of: UInt32.self) else { return }
        let added = files.newHandles(in: handles, folder: folder).map { CanonObject(handle: $0) }
        let mayBeOwned = Set(added.map(\.groupHandle)).count <= framesWithoutFile(at: now).count
        for object in added { noteObject(object, .listed(mayBeOwned: mayBeOwned), at: now) }
    }

    /// Captures the frame if the status or the shot counter prove it and its object did not come.
    mutating func proveFrame(at now: Duration) {
        guard let frame = lastFrame.frame, case .exposing = frame.stage, isOfThisSession(frame),
            let at = provenAt(frame), let list = body.list, list.requestedAt >= at,
            body.hasReportedAll
        else { return }
        if known.announcesObjects == nil { known.announcesObjects = false }
        lastFrame.update { $0.stage = .captured(at: now) }
    }

    /// Completes a frame if the driver expects no more signs of its picture.
    mutating func expireFrame(in turn: inout DriverTurn) {
        guard let frame = lastFrame.frame, !frame.isOver else { return }
        switch frame.stage {
        case .exposing where hasNotFired(frame) || turn.now >= frame.deadline(timing):
            lastFrame.update { $0.stage = .over(wasCaptured: false) }
            turn.note(CanonCaptureSentences.noPictureExpected)
        case .captured where isBodyIdle(since: .zero, at: turn.now):
            if frame.shotsLeftBefore != nil { known.countsShots = frame.countedAt != nil }
            lastFrame.update { $0.stage = .over(wasCaptured: true) }
        case .captured where body.isBusy == true && !isBusy(at: turn.now):
            body.isBusy = nil
            turn.note(CanonCaptureSentences.statusUnfinished)
        default: break
        }
    }

    /// Whether the body accepted the press and exposed nothing, for example without focus. A list from after the usual
    /// beginning of an exposure shows no sign, on a body that reported its status before or rejected the release.
    private func hasNotFired(_ frame: CanonFrame) -> Bool {
        guard frame.isWithoutSigns, !frame.mayLackSigns, isOfThisSession(frame), areButtonsUp else { return false }
        let drive = body.store.number(.canonDriveMode).map(CanonDriveMode.init(rawValue:))
        guard drive?.kind != .selfTimer, body.reportsStatus || frame.result != nil, let list = body.list else {
            return false
        }
        // An M50 at rest shows the same result as after a failed press. So without a status the exposure may run.
        let isResultWeak = !body.reportsStatus && body.release == .bothStages
        let begin = (frame.acceptedAt ?? frame.pressedAt) + timing.exposureBegin
        return list.isEmpty && list.requestedAt >= (isResultWeak ? frame.latestEnd + timing.doubt : begin)
    }
}

/// Decides whether a frame was fired if the answer to its command was lost.
extension CanonPTPIP {
    mutating func decide(_ resolving: ResolvingCapture, in turn: inout DriverTurn) -> CanonNextAction {
        // A frame was certainly not fired if the link broke before the press was sent.
        if case .notPressed = lastFrame { return end(.captureResolved(.notFired), resolving.ticket, in: &turn) }
        guard let list = body.list, list.requestedAt >= resolving.since else { return .wait(until: nil) }
        // A file that waits for space does not delay the answer.
        let hasFetchedAll = files.waiting.isEmpty || files.isHeld
        let isQuiet = body.hasReportedAll && areButtonsUp && !isBusy(at: turn.now) && hasFetchedAll
        if isProvenFired(resolving) {
            let end = hasFile ? Duration.zero : exposureEnd(resolving)
            guard isQuiet, list.requestedAt >= end else { return .wait(until: end > turn.now ? end : nil) }
            return resolve(.fired, resolving, in: &turn)
        }
        let conclusiveAt = conclusiveAt(resolving)
        guard isQuiet, list.requestedAt >= conclusiveAt else {
            return .wait(until: conclusiveAt > turn.now ? conclusiveAt : nil)
        }
        return resolve(resolution(resolving), resolving, in: &turn)
    }

    /// Whether a file of the frame was announced, or the counter is exactly one less. Any other difference means
    /// another card, another format or another body.
    private func isProvenFired(_ resolving: ResolvingCapture) -> Bool {
        if hasFile { return true }
        guard let before = shotsLeftBefore(resolving), lastFrame.frame?.isCountUnclear != true else { return false }
        return body.store.shotsLeft == before - 1
    }

    private var hasFile: Bool { lastFrame.frame.map { $0.isCaptured || $0.hasObject } ?? false }

    /// The end of the exposure and of its dark frame. The counter decreases at the beginning. A new driver does not
    /// know the frame, but the body still shows its speed. The speed can also have changed at the release.
    private func exposureEnd(_ resolving: ResolvingCapture) -> Duration {
        let shown = body.store.speed?.exposureTime ?? .zero
        guard let frame = lastFrame.frame, shown <= frame.exposure else {
            return resolving.since + CanonFrame.withDarkFrame(shown)
        }
        // The shutter opens some time after the press.
        return frame.latestEnd + timing.weakProof
    }

    private func shotsLeftBefore(_ resolving: ResolvingCapture) -> Int? {
        lastFrame.shotsLeftBefore(recorded: resolving.shotsLeftBefore, bodyID: common.identity?.id)
    }

    /// The time at which missing signs become a proof. A new driver does not know the frame, but the body still shows
    /// its speed. The exposure and its dark frame may still run.
    private func conclusiveAt(_ resolving: ResolvingCapture) -> Duration {
        if let frame = lastFrame.frame { return max(frame.latestEnd, resolving.since) + timing.doubt }
        return resolving.since + CanonFrame.withDarkFrame(body.store.speed?.exposureTime ?? .zero) + timing.doubt
    }

    private func resolution(_ resolving: ResolvingCapture) -> CaptureResolution {
        guard known.countsShots == true, let before = shotsLeftBefore(resolving),
            lastFrame.frame?.isCountUnclear != true
        else { return .unknown }
        return body.store.shotsLeft == before ? .notFired : .unknown
    }

    private mutating func resolve(
        _ resolution: CaptureResolution,
        _ resolving: ResolvingCapture,
        in turn: inout DriverTurn
    ) -> CanonNextAction {
        lastFrame.resolve(resolution)
        return end(.captureResolved(resolution), resolving.ticket, in: &turn)
    }
}
