import NIOCore
import PTP

/// One picture of the live view (libgphoto2 library.c): StartLiveView, DeviceReady until the body is ready, the
/// picture, EndLiveView. libgphoto2 first sets the recording media to the memory. The driver does not, because a
/// picture that the user then takes would exist only in the memory.
extension NikonPTPIP {
    mutating func decide(_ taking: TakingLiveView, in turn: inout DriverTurn) -> NikonNextAction {
        // Live view is off again here.
        if let outcome = taking.outcome { return end(outcome, taking.ticket, in: &turn) }
        if turn.now >= taking.end { return answer(taking, taking.late) }
        if turn.now < taking.notBefore { return .wait(until: min(taking.notBefore, taking.end)) }
        guard let code = liveViewCode, has(.nikonStartLiveView), has(.nikonEndLiveView) else {
            return answer(taking, .failed(.other(LiveViewSentences.unsupported)))
        }
        guard taking.until != nil else { return beginLiveView(taking, in: &turn) }
        if let move = decideBusy(at: turn.now) { return move }
        return .perform(body.modes.hasLiveView || body.liveViewEnd == nil ? .liveViewPicture(code) : .startLiveView)
    }

    private var liveViewCode: OperationCode? {
        [.nikonGetLiveViewPicture, .nikonGetLiveViewPictureEx].first { has($0) }
    }

    /// Waits until the body is idle, reads why live view cannot start, and starts it if it is off.
    private mutating func beginLiveView(_ taking: TakingLiveView, in turn: inout DriverTurn) -> NikonNextAction {
        if let move = readinessMove(since: taking.since, at: turn.now) { return move }
        guard isBodyIdle(at: turn.now) else { return .wait(until: taking.gateUntil) }
        for code in [PropertyCode.nikonLiveViewStatus, .nikonLiveViewProhibition] {
            if let entry = body.store[code], entry.reportedAt < taking.since { return .perform(.read(code)) }
        }
        let isOn = body.store.isLiveViewOn == true
        if !isOn, let prohibition = body.store.liveViewProhibition, !prohibition.isFree {
            let reason = NikonValueSentences.liveViewProhibited(prohibition)
            return answer(taking, .failed(.other(LiveViewSentences.notStarted(reason))))
        }
        var next = taking
        next.begin(at: turn.now)
        activity = .takingLiveView(next)
        // Live view that the user or a frame switched on stays on.
        if isOn || body.modes.hasLiveView { return .again }
        body.liveViewEnd = LiveViewEnd()
        return .perform(.startLiveView)
    }

    private mutating func answer(_ taking: TakingLiveView, _ outcome: CameraEvent) -> NikonNextAction {
        var next = taking
        next.outcome = outcome
        activity = .takingLiveView(next)
        return .again
    }

    /// Ends the command, if the body did not start live view.
    mutating func failLiveView(_ result: OperationResult) {
        guard case .takingLiveView(let taking) = activity else { return }
        body.liveViewEnd = nil
        noteLeft(.startLiveView)
        _ = answer(taking, .failed(.other(LiveViewSentences.notStarted(result.code.nikonName))))
    }

    mutating func finishLiveViewPicture(_ result: OperationResult, at now: Duration) {
        guard case .takingLiveView(var taking) = activity else { return }
        taking.notBefore = now + LiveViewLimits.again
        activity = .takingLiveView(taking)
        switch result.code {
        case .ok where result.isComplete:
            _ = answer(taking, .liveView(LiveViewAnswer(of: result.data, by: NikonLiveView.jpeg)))
        case .ok, .deviceBusy, .nikonInvalidStatus: break
        // The body has ended live view by itself. It starts again if the driver had started it.
        case .nikonNotInLiveView: body.modes.hasLiveView = false
        default: _ = answer(taking, .failed(NikonFailures.failure(result.code, of: .nikonGetLiveViewPicture)))
        }
    }

    // MARK: The end

    /// Switches off the live view that no command needs; nil: it is off. A body can answer OK and show it still.
    mutating func endLiveView(in turn: inout DriverTurn) -> NikonNextAction? {
        guard let ending = body.liveViewEnd else { return nil }
        if case .takingLiveView(let taking) = activity, taking.outcome == nil { return nil }
        if let acceptedAt = ending.acceptedAt {
            guard let entry = body.store[.nikonLiveViewStatus] else { return liveViewEnded() }
            guard entry.reportedAt >= acceptedAt else { return .perform(.read(.nikonLiveViewStatus)) }
            guard body.store.isLiveViewOn == true else { return liveViewEnded() }
        }
        guard ending.tries < LiveViewLimits.endsMax else {
            turn.note(LiveViewSentences.notEnded)
            return liveViewEnded()
        }
        if turn.now < ending.notBefore { return .wait(until: ending.notBefore) }
        body.liveViewEnd?.tryAgain(notBefore: turn.now + timing.busyPause)
        return .perform(.endLiveView)
    }

    private mutating func liveViewEnded() -> NikonNextAction? {
        body.liveViewEnd = nil
        return nil
    }

    mutating func finishLiveViewEnd(_ result: OperationResult, at now: Duration) {
        guard result.code == .ok || result.code == .nikonNotInLiveView else { return }
        noteLeft(.endLiveView)
        body.modes.hasLiveView = false
        body.liveViewEnd?.acceptedAt = now
    }
}

/// The data of GetLiveViewImg: a header of a size that depends on the body, then the JPEG. A D5300 and a P1100 have
/// 384 bytes, big-endian (libgphoto2 library.c, SnapBridge).
package enum NikonLiveView {
    /// The longest header. The longest known one has 1024 bytes.
    static let headerMax = 4096

    /// Finds the JPEG by its first three bytes, as libgphoto2 does.
    package static func jpeg(_ data: ByteBuffer) throws(LiveViewError) -> LiveViewJPEG {
        let head = data.readableBytesView.prefix(headerMax)
        let start = head.indices.first { index in
            index + 2 < head.endIndex && head[index] == 0xFF && head[index + 1] == 0xD8 && head[index + 2] == 0xFF
        }
        guard let start, let rest = data.getSlice(at: start, length: data.writerIndex - start) else { throw .noJPEG }
        return try LiveViewJPEG(parsing: rest)
    }
}
