import PTP

/// The proofs that a frame's picture exists, and the end of the wait for them.
extension SonyPTPIP {
    /// Whether the frame was pressed in this session.
    func isOfThisSession(_ frame: SonyFrame) -> Bool { frame.pressedAt >= common.connectedAt }

    /// Notes the signs of the frame in a reading. An announcement counts after the next reading. The shot counter
    /// counts only without a file, because a file is the better proof.
    mutating func updateFrame(_ reading: SonyReading) {
        lastFrame.update { [timing] frame in
            guard reading.requestedAt >= frame.pressedAt else { return }
            frame.note(shown: reading.status.speed)
            frame.noteCount(reading, timing)
            guard case .exposing = frame.stage else { return }
            let isCounted = frame.wasCounted && reading.fileInfo == .empty
            if frame.wasAnnounced || isCounted {
                frame.stage = .captured(by: frame.hasFile ? .file : .report, at: reading.requestedAt)
            }
        }
    }

    /// Notes that the frame's file is in the buffer. A file that appears before the earliest end of the exposure
    /// belongs to another frame.
    mutating func noteFile(at now: Duration) {
        lastFrame.update { frame in
            if !frame.isOver, now >= frame.earliestEnd, frame.mayProveByFile {
                frame.stage = .captured(by: .file, at: now)
            }
        }
    }

    /// Whether a completed frame has signs of a picture that may belong to the previous frame.
    func isUnclear(_ frame: SonyFrame) -> Bool {
        if frame.hasFile { return true }
        guard frame.isCountUnclear, let shown = frame.shotsLeftShown, let left = body.reading?.status.shotsLeft else {
            return false
        }
        return left < shown
    }

    /// Whether the body ignored the press of a completed frame, as bodies do while they write to their card. The proof
    /// is that the announcement, the file and the change of the shot counter are missing. This is a proof only if the
    /// body announced the previous frame in this session.
    func wasIgnored(_ frame: SonyFrame) -> Bool {
        guard let reading = body.reading, reading.requestedAt >= frame.latestEnd + timing.doubt, !frame.focusFailed,
            let before = lastFrame.beforeLast, before.wasAnnounced, isOfThisSession(before),
            before.bodyID == common.identity?.id
        else { return false }
        let isSilent = !frame.wasPerhapsAnnounced && !frame.hasFile && reading.fileInfo == .empty && body.news != .file
        let isOpen = reading.status.speedIsWritable || !frame.wasSpeedWritable
        return isSilent && isOpen && frame.shotsLeftBefore != nil && reading.status.shotsLeft == frame.shotsLeftBefore
    }

    /// Completes a frame if the driver expects no more signs of its picture.
    mutating func expireFrame(in turn: inout DriverTurn) {
        guard let frame = lastFrame.frame, !frame.isOver else { return }
        switch frame.stage {
        case .exposing where turn.now >= frame.deadline(timing):
            lastFrame.update { $0.stage = .over(wasCaptured: false) }
            turn.note(SonyCaptureSentences.noPictureExpected)
        case .captured(by: let evidence, _) where isBodyIdle(since: .zero, at: turn.now):
            if case .report = evidence { noteMissingFile(in: &turn) }
            lastFrame.update { $0.stage = .over(wasCaptured: true) }
        default:
            break
        }
    }

    /// Notes that no file arrived for a frame. A body that delivered files before is allowed several such frames.
    private mutating func noteMissingFile(in turn: inout DriverTurn) {
        guard body.deliversFiles != false else { return }
        body.framesWithoutFile += 1
        guard body.deliversFiles == nil || body.framesWithoutFile >= SonyLimits.framesWithoutFileMax else { return }
        body.deliversFiles = false
        turn.note(SonyPictureSentences.onCardOnly)
    }
}
