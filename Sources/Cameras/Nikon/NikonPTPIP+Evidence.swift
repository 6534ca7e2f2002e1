import PTP

/// The proofs that a frame's picture exists, and the end of the wait for them.
extension NikonPTPIP {
    /// How the driver learned of a new file.
    enum FileOrigin: Hashable, Sendable {
        /// An event announced the file, or a new folder, on a card.
        case announced
        /// The picture is in the memory of the body and is lost with the connection.
        case inMemory
        /// The file, or a folder, was added to a card while the link was down. It can be a frame's file only if the
        /// body did not add more files than the driver's frames lack.
        case listed(mayBeOwned: Bool)
    }

    /// Notes a new handle.
    mutating func noteObject(_ handle: UInt32, _ origin: FileOrigin, at now: Duration) {
        guard handle != 0, handle != .max, files.noteHandle(handle, isInMemory: origin == .inMemory) else { return }
        let capture = owner(of: origin, at: now)
        if let capture { lastFrame.update(of: capture) { $0.note(handle: handle, at: now) } }
        if let capture, origin == .inMemory {
            lastFrame.update(of: capture) { $0.hasFile = true }
            lastFrame.update(of: capture) { $0.completeAt = $0.completeAt ?? now }
        }
        let isProof = if case .listed(mayBeOwned: true) = origin { true } else { false }
        guard origin == .inMemory || isProof || common.pictures.request.policy != .none else { return }
        files.add(NikonFile(handle: handle, origin: origin, capture: capture))
    }

    /// The ticket of the frame to which a new file belongs; nil: to no known frame, for example after a press on the
    /// body.
    ///
    /// A file before the earliest end of an exposure does not belong to that frame. A frame can have several files, and
    /// its last one can come during the next frame. The owner of a listed file is known when the body has described it.
    private func owner(of origin: FileOrigin, at now: Duration) -> Ticket? {
        if case .listed = origin { return nil }
        let candidates = lastFrame.candidates
        guard let newest = candidates.last else { return nil }
        // The announcement of the older frame's file may have been in a damaged list. A later one is not about it.
        if candidates.count > 1, let older = candidates.first, older.isCaptured, isOfThisSession(older),
            mayOwn(older, at: now), older.hasObject || !older.mayLackSigns && !older.isFileUnknown,
            older.handles.count < (older.fileCount ?? 1) || now < newest.earliestEnd
        {
            return older.ticket
        }
        return mayOwn(newest, at: now) ? newest.ticket : nil
    }

    /// A frame that is over and has all its files owns no later file: that one is of a press on the body.
    private func mayOwn(_ frame: NikonFrame, at now: Duration) -> Bool {
        if frame.isOver, frame.isCaptured, let count = frame.fileCount, frame.handles.count >= count { return false }
        return frame.bodyID == common.identity?.id && now >= frame.earliestEnd && now < frame.latestEnd + timing.writing
            && frame.handles.count < NikonLimits.filesOfFrameMax
    }

    /// The frames to which a file can belong that was added while the link was down.
    private var framesWithoutFile: [NikonFrame] {
        lastFrame.candidates.filter { frame in
            frame.bodyID == common.identity?.id && !frame.hasObject && !frame.isFileUnknown
                && (!frame.isOver || frame.isCaptured)
        }
    }

    /// Notes the files that were added while the link was down, or whose event was damaged.
    mutating func adoptFileList(_ handles: [UInt32], at now: Duration) {
        body.hasListedFiles = true
        body.fileListDue = nil
        let added = files.newHandles(in: handles)
        let fileCount = max(body.store.quality?.kinds?.count ?? 1, 1)
        let frames = framesWithoutFile
        let mayBeOwned = added.count <= frames.count * fileCount
        if !mayBeOwned {
            // A later file is not of these frames: theirs are in this list.
            for frame in frames where now >= frame.earliestEnd {
                lastFrame.update(of: frame.ticket) { $0.isFileUnknown = true }
            }
        }
        for handle in added { noteObject(handle, .listed(mayBeOwned: mayBeOwned), at: now) }
    }

    /// Notes that a handle is a file or a folder.
    mutating func noteKind(of handle: UInt32, isFolder: Bool, at now: Duration) {
        let file = files.waiting.first { $0.handle == handle }
        if isFolder {
            for frame in lastFrame.candidates where frame.handles.contains(handle) {
                lastFrame.update(of: frame.ticket) { $0.remove(handle: handle) }
            }
            return files.remove(handle)
        }
        for frame in lastFrame.candidates where frame.handles.contains(handle) {
            lastFrame.update(of: frame.ticket) { $0.hasFile = true }
        }
        guard case .listed(mayBeOwned: true)? = file?.origin, file?.capture == nil,
            let ticket = listedOwner(of: handle)
        else { return }
        files.update(handle) { $0.capture = ticket }
        lastFrame.update(of: ticket) { $0.note(handle: handle, at: now) }
        lastFrame.update(of: ticket) { frame in
            frame.hasFile = true
            if case .exposing = frame.stage { frame.stage = .captured(at: now) }
        }
    }

    /// The frame of a listed file: the first one that lacks a file.
    private func listedOwner(of handle: UInt32) -> Ticket? {
        let kinds = max(body.store.quality?.kinds?.count ?? 1, 1)
        return lastFrame.candidates.first { frame in
            frame.bodyID == common.identity?.id && frame.handles.count < kinds && !frame.isFileUnknown
                && (!frame.isOver || frame.isCaptured)
        }?.ticket
    }

    /// Notes the shot counter for the last frame. It decreases with a picture.
    mutating func noteCount(at now: Duration) {
        let (requestedAt, left) = (common.transactionSince, body.store.shotsLeft)
        lastFrame.update { if requestedAt >= $0.pressedAt { $0.note(shotsLeft: left, at: now) } }
        if let frame = lastFrame.frame, frame.shotsLeftBefore != nil {
            if frame.countedAt == now, known.countsShots == nil { known.countsShots = true }
            // The picture is there and the counter has not followed, so it can decrease during a later frame.
            if frame.isCaptured, frame.countedAt == nil, isOfThisSession(frame) { known.countsShots = false }
        }
        proveFrame(at: now)
    }

    /// Captures the frame if its signs prove the picture.
    mutating func proveFrame(at now: Duration) {
        guard let frame = lastFrame.frame, case .exposing = frame.stage, isOfThisSession(frame),
            let at = frame.provenAt(countsShots: known.countsShots, timing), now >= at
        else { return }
        lastFrame.update { $0.stage = .captured(at: now) }
    }

    /// Completes a frame if the driver expects no more signs of its picture.
    mutating func expireFrame(in turn: inout DriverTurn) {
        proveFrame(at: turn.now)
        guard let frame = lastFrame.frame, !frame.isOver else { return }
        switch frame.stage {
        // A file that was added while the link was down can still prove the frame.
        case .exposing where files.waiting.contains(where: \.isProof): break
        case .exposing where hasFailed(frame) || turn.now >= deadline(of: frame, at: turn.now):
            lastFrame.update { $0.stage = .over(wasCaptured: false) }
            turn.note(NikonCaptureSentences.noPictureExpected)
        case .captured(let at) where hasEnded(frame, capturedAt: at, now: turn.now):
            if frame.shotsLeftBefore != nil, frame.countReadAt.map({ $0 >= at }) ?? false {
                // A counter that was late once can decrease for an earlier frame again.
                known.countsShots = known.countsShots != false && frame.countedAt != nil
            }
            lastFrame.update { $0.stage = .over(wasCaptured: true) }
        default: break
        }
    }

    /// Whether DeviceReady reported a failure and a later list shows no sign of a picture.
    private func hasFailed(_ frame: NikonFrame) -> Bool {
        guard let failedAt = frame.failedAt, frame.isWithoutSigns, !frame.mayLackSigns, let poll = body.poll else {
            return false
        }
        return poll.requestedAt >= failedAt
    }

    private func deadline(of frame: NikonFrame, at now: Duration) -> Duration {
        let isBusy = isOfThisSession(frame) && has(.nikonDeviceReady) && frame.readyAt == nil
        return frame.deadline(isBusy: isBusy, timing)
    }

    /// Whether a captured frame needs no more of the body: its files are fetched, and the body was ready.
    private func hasEnded(_ frame: NikonFrame, capturedAt at: Duration, now: Duration) -> Bool {
        guard files.waiting.isEmpty else { return false }
        return frame.readyAt != nil || !has(.nikonDeviceReady) || now >= frame.latestEnd + timing.busy
    }

    /// The next step toward a proof, when the body is ready after a frame.
    mutating func decideEvidence(_ frame: NikonFrame, at now: Duration) -> NikonNextAction {
        if let failedAt = frame.failedAt, let last = body.poll, last.requestedAt < failedAt { return poll }
        if let move = describeObject(of: frame, at: now) { return move }
        let readyAt = frame.readyAt ?? frame.latestEnd
        if !frame.hasObject, body.store[.nikonShotsLeft] != nil {
            let due = max(readyAt + timing.complete, body.countRequestedAt + timing.near)
            return now < due ? .wait(until: due) : .perform(.read(.nikonShotsLeft))
        }
        let proven = frame.provenAt(countsShots: known.countsShots, timing).flatMap { $0 > now ? $0 : nil }
        return .wait(until: proven.earlier(deadline(of: frame, at: now)))
    }

    /// The request for the description of a frame's object; nil: it proves nothing more. A new folder is announced like
    /// a file, so without "capture complete" the object alone proves no picture.
    func describeObject(of frame: NikonFrame, at now: Duration) -> NikonNextAction? {
        guard let objectAt = frame.objectAt, !frame.hasProof, has(.getObjectInfo), let handle = frame.handles.last,
            now < objectAt + timing.objectInfo
        else { return nil }
        let due = max(objectAt + timing.complete, files.proofAt ?? .zero)
        return now < due ? .wait(until: due) : .perform(.objectInfo(handle))
    }
}
