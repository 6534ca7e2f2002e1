import JSON
import NIOCore

/// One picture of the live view: `startLiveview`, the first picture of the stream, `stopLiveview`.
extension SonyHTTP {
    mutating func decide(_ taking: TakingLiveView, in turn: inout DriverTurn) -> SonyHTTPNextAction {
        // Live view is off again here.
        if let outcome = taking.outcome { return end(outcome, taking.ticket, in: &turn) }
        if turn.now >= taking.end { return answer(taking, taking.late, in: &turn) }
        if turn.now < taking.notBefore { return .wait(until: min(taking.notBefore, taking.end)) }
        guard taking.until != nil else { return beginLiveView(taking, in: &turn) }
        guard let url = liveView.url else { return .perform(.startLiveView(taking.size)) }
        if liveView.stream == nil { openLiveViewStream(url, timeout: taking.end - turn.now, in: &turn) }
        return .wait(until: taking.end)
    }

    private mutating func beginLiveView(_ taking: TakingLiveView, in turn: inout DriverTurn) -> SonyHTTPNextAction {
        guard isBodyIdle(since: taking.since) else {
            let move = readStateRarely(in: &turn)
            guard case .wait(let until) = move else { return move }
            return .wait(until: until.earlier(taking.gateUntil))
        }
        let isOffered = state.has(taking.size == nil ? .startLiveview : .startLiveviewWithSize)
        guard isOffered else {
            let sentence = state.has(.startLiveview) ? LiveViewSentences.oneSize : LiveViewSentences.unsupported
            return answer(taking, .failed(.other(sentence)), in: &turn)
        }
        var next = taking
        next.begin(at: turn.now)
        activity = .takingLiveView(next)
        // Live view that another client uses stays on.
        liveView.ending = state.isLiveViewOn ? nil : LiveViewEnd()
        return .perform(.startLiveView(taking.size))
    }

    private mutating func answer(
        _ taking: TakingLiveView,
        _ outcome: CameraEvent,
        in turn: inout DriverTurn
    ) -> SonyHTTPNextAction {
        closeLiveViewStream(in: &turn)
        note(taking, outcome)
        return .again
    }

    private mutating func note(_ taking: TakingLiveView, _ outcome: CameraEvent) {
        var next = taking
        next.outcome = outcome
        activity = .takingLiveView(next)
    }

    mutating func finishLiveView(_ task: SonyHTTPTask, _ answer: SonyHTTPAnswer, at now: Duration) {
        if task == .stopLiveView {
            if case .result = answer { liveView.ending = nil }
            return
        }
        guard case .takingLiveView(var taking) = activity else { return }
        switch answer {
        case .result(let result):
            let text = result.first?.shownURL ?? ""
            liveView.url = SonyHTTPPictures.url(text, at: address)
            if liveView.url == nil { note(taking, .failed(.other(SonyHTTPSentences.foreignLiveView(text)))) }
        case .error(let error) where error.isPassing:
            taking.notBefore = now + timing.again
            activity = .takingLiveView(taking)
        case .error(let error): note(taking, .failed(.other(LiveViewSentences.notStarted("\(error)"))))
        }
    }

    // MARK: The stream

    /// A recording keeps the bytes of the stream, because they decide when the driver stops reading.
    private mutating func openLiveViewStream(_ url: DescriptionURL, timeout: Duration, in turn: inout DriverTurn) {
        let id = requests.next()
        liveView.stream = (id, SonyHTTPLiveViewReader())
        let request = HTTPRequest(
            .get,
            CameraAddress(host: address.host, port: url.port),
            path: url.path,
            delivery: .pieces,
            replyBytesMax: LiveViewLimits.byteCountMax,
            timeout: timeout
        )
        turn.append(.http(id, .perform(request)))
    }

    mutating func closeLiveViewStream(in turn: inout DriverTurn) {
        guard let id = liveView.stream?.id else { return }
        liveView.stream = nil
        turn.append(.http(id, .cancel))
    }

    mutating func receiveLiveView(_ event: HTTPEvent, in turn: inout DriverTurn) {
        guard case .takingLiveView(var taking) = activity, taking.outcome == nil else {
            return closeLiveViewStream(in: &turn)
        }
        switch event {
        case .head(let head) where head.status == 200: return
        case .head: closeLiveViewStream(in: &turn)
        case .body(let piece): return receiveLiveView(piece, taking, in: &turn)
        case .reply, .end, .failed: liveView.stream = nil
        }
        // A stream can end while the body changes its mode. The driver opens it again.
        taking.notBefore = turn.now + timing.again
        activity = .takingLiveView(taking)
    }

    private mutating func receiveLiveView(_ piece: ByteBuffer, _ taking: TakingLiveView, in turn: inout DriverTurn) {
        do throws(LiveViewError) {
            guard let jpeg = try liveView.stream?.reader.receive(piece) else { return }
            _ = answer(taking, .liveView(.frame(LiveViewFrame(jpeg))), in: &turn)
        } catch {
            _ = answer(taking, .liveView(.unreadable(error)), in: &turn)
        }
    }

    // MARK: The end

    /// Switches off the live view that no command needs; nil: it is off, or the driver gave up.
    mutating func endLiveView(in turn: inout DriverTurn) -> SonyHTTPNextAction? {
        if case .takingLiveView(let taking) = activity, taking.outcome == nil { return nil }
        closeLiveViewStream(in: &turn)
        liveView.url = nil
        guard let ending = liveView.ending else { return nil }
        guard ending.tries < LiveViewLimits.endsMax else {
            turn.note(LiveViewSentences.notEnded)
            liveView.ending = nil
            return nil
        }
        if turn.now < ending.notBefore { return .wait(until: ending.notBefore) }
        liveView.ending?.tryAgain(notBefore: turn.now + timing.again)
        return .perform(.stopLiveView)
    }
}
