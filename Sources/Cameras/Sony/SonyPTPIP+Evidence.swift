import PTP

/// The proofs that a frame's picture exists, and when nothing more is expected of it.
extension SonyPTPIP {
    /// Whether it was pressed in this session.
    func isOfThisSession(_ frame: SonyFrame) -> Bool { frame.pressedAt >= common.connectedAt }

    /// The signs of the frame in a reading. An announcement counts after the next reading, and the shot counter only
    /// while there is no file as a better proof.
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

    /// The frame's file was found in the buffer. A file before the earliest end of the exposure belongs to another
    /// frame.
    mutating func noteFile(at now: Duration) {
        lastFrame.update { frame in
            if !frame.isOver, now >= frame.earliestEnd, frame.mayProveByFile {
                frame.stage = .captured(by: .file, at: now)
            }
        }
    }

    /// Whether a completed frame has signs of a picture that may be the previous frame's.
    func isUnclear(_ frame: SonyFrame) -> Bool {
        if frame.hasFile { return true }
        guard frame.isCountUnclear, let shown = frame.shotsLeftShown, let left = body.reading?.status.shotsLeft else {
            return false
        }
        return left < shown
    }

    /// Whether the body ignored the press of a completed frame, as bodies do while they write to their card. Silence is
    /// a proof only on a body that announced the previous frame in this session: now there is no announcement, no file,
    /// and the shot counter is unchanged.
    func wasIgnored(_ frame: SonyFrame) -> Bool {
        guard let reading = body.reading, reading.requestedAt >= frame.latestEnd + timing.doubt, !frame.focusFailed,
            let before = lastFrame.beforeLast, before.wasAnnounced, isOfThisSession(before),
            before.bodyID == common.identity?.id
        else { return false }
        let isSilent = !frame.wasPerhapsAnnounced && !frame.hasFile && reading.fileInfo == .empty && body.news != .file
        let isOpen = reading.status.speedIsWritable || !frame.wasSpeedWritable
        return isSilent && isOpen && frame.shotsLeftBefore != nil && reading.status.shotsLeft == frame.shotsLeftBefore
    }

    /// Completes a frame of which nothing more is expected.
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

    /// No file came for a frame. A body that has delivered files before gets more than one chance.
    private mutating func noteMissingFile(in turn: inout DriverTurn) {
        guard body.deliversFiles != false else { return }
        body.framesWithoutFile += 1
        guard body.deliversFiles == nil || body.framesWithoutFile >= SonyLimits.framesWithoutFileMax else { return }
        body.deliversFiles = false
        turn.note(SonyPictureSentences.onCardOnly)
    }
}
