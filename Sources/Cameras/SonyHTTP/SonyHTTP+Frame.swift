import JSON

/// The picture of a frame: its URLs and the other signs in the reports of the body.
extension SonyHTTP {
    mutating func awaitPicture(
        _ capture: SonyHTTPCapture,
        in turn: inout DriverTurn
    ) -> SonyHTTPNextAction {
        guard let frame = lastFrame.frame, frame.isCaptured || !frame.isOver, turn.now < frame.deadline(timing) else {
            return fail(capture, .captureResolved(.unknown))
        }
        // The URL came by event.
        guard !frame.isCaptured else {
            finishCaptured(in: &turn)
            return .again
        }
        return .perform(.awaitPicture)
    }

    /// The picture exists.
    mutating func finishURLs(_ urls: [String], in turn: inout DriverTurn) {
        guard let frame = lastFrame.frame, frame.isCaptured || !frame.isOver, !urls.isEmpty else { return }
        noteURLs(urls, of: frame, in: &turn)
        finishCaptured(in: &turn)
    }

    mutating func finishCaptured(in turn: inout DriverTurn) {
        guard let frame = lastFrame.frame, frame.isCaptured || !frame.isOver else { return }
        reportRelease(in: &turn)
        if !frame.isCaptured { lastFrame.update { $0.stage = .captured(at: turn.now) } }
        guard case .capturing(let capture) = activity, capture.ticket == frame.ticket else { return }
        // The half press helped, so the next frame begins with it.
        if capture.wantsHalfPress, isHalfPressed, let id = identity?.id {
            known.update(id) { $0.needsHalfPress = true }
        }
        turn.report(.captured, capture.ticket)
        activity = .awaitingIdle(capture.ticket, since: turn.now)
    }

    mutating func noteURLs(_ urls: [String], of frame: SonyHTTPFrame, in turn: inout DriverTurn) {
        let now = turn.now
        for url in urls where !frame.urls.contains(url) { addPicture(url, capture: frame.ticket, in: &turn) }
        lastFrame.update {
            $0.urls = Array(Set($0.urls + urls)).sorted()
            // The picture exists. The answer to the shutter call may still come.
            if !$0.isCaptured { $0.stage = .captured(at: now) }
        }
        if let id = identity?.id { known.update(id) { $0.note(urls: urls) } }
    }

    /// Notes the signs of the frame in an event: the work on it, and the URL of its picture. The URL can come before
    /// the answer to the shutter call. After a lost link it can come in the next session.
    mutating func noteFrame(in turn: inout DriverTurn) {
        guard let id = identity?.id else { return }
        let last = known[id].lastURLs
        // An event can repeat the URL of the last picture.
        let urls = state.takeURLs().filter { !last.contains($0) }
        noteCount(of: id, at: turn.now)
        guard let frame = lastFrame.frame, !frame.isOver, frame.bodyID == id else {
            // Without a frame the user pressed the button of the body. Pictures from before the session are not
            // fetched. A later report of the same URL is no sign of a later frame.
            if !urls.isEmpty { known.update(id) { $0.note(urls: urls) } }
            if isConnected { for url in urls { addPicture(url, capture: nil, in: &turn) } }
            return
        }
        if isOfThisSession(frame), state.status?.isStillWork == true, state.statusSince >= frame.pressedAt {
            lastFrame.update { $0.wasBusy = true }
            // With autofocus the body may still focus, and then reject the call.
            if status.isManualFocus != false { reportRelease(in: &turn) }
        }
        guard !urls.isEmpty else { return }
        noteURLs(urls, of: frame, in: &turn)
        // The answer to the shutter call comes too, and then the driver reports the picture.
        if !isShutterCalled { finishCaptured(in: &turn) }
    }

    /// Whether a shutter call or the wait for its picture runs.
    var isShutterCalled: Bool { requests.command?.task == .take || requests.command?.task == .awaitPicture }

    /// Notes the number of remaining pictures for the last frame. The number can follow a picture when the next
    /// capture has begun.
    private mutating func noteCount(of id: String, at now: Duration) {
        guard let last = lastFrame.lastPressed, last.bodyID == id, isOfThisSession(last), last.countedAt == nil else {
            return
        }
        let left = state.shotsLeft
        lastFrame.update(of: last.ticket) { $0.note(shotsLeft: left, at: now) }
        if lastFrame.lastPressed?.countedAt != nil { known.update(id) { $0.countsShots = true } }
    }

    /// Whether the frame was released in this session.
    func isOfThisSession(_ frame: SonyHTTPFrame) -> Bool { isConnected && frame.pressedAt >= connectedAt }
}

extension JSONValue {
    /// A URL; nil: another kind of value, or a text that is longer than any URL.
    var shownURL: String? {
        guard let text = stringValue, !text.isEmpty, text.utf8.count <= SonyHTTPLimits.urlLengthMax else { return nil }
        return text
    }
}
