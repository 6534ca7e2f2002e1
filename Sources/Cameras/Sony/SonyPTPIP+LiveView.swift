import PTP

/// One picture of the live view. A body over PTP/IP shows it without being asked to, so the driver switches nothing on.
extension SonyPTPIP {
    mutating func decide(
        _ taking: TakingLiveView,
        isDescribed: Bool,
        in turn: inout DriverTurn
    ) -> SonyNextAction {
        if let outcome = taking.outcome { return end(outcome, taking.ticket, in: &turn) }
        if turn.now >= taking.end { return end(taking.late, taking.ticket, in: &turn) }
        if turn.now < taking.notBefore { return .wait(until: min(taking.notBefore, taking.end)) }
        guard taking.until == nil else { return .perform(isDescribed ? .liveViewPicture : .liveViewInfo) }
        guard isBodyIdle(since: taking.since, at: turn.now) else { return .wait(until: taking.gateUntil) }
        guard body.reading?.supportsLiveView ?? true else {
            return end(.failed(.other(LiveViewSentences.unsupported)), taking.ticket, in: &turn)
        }
        var next = taking
        next.begin(at: turn.now)
        activity = .takingLiveView(next, isDescribed: false)
        return .again
    }

    /// Whether no frame is ready now. Right after its start live view can be off for a second (libgphoto2, a ZV-1).
    private static func isNotReady(_ code: ResponseCode) -> Bool {
        [.accessDenied, .invalidObjectHandle, .deviceBusy].contains(code)
    }

    /// Only a body that is not ready is asked again: the description itself is not needed.
    mutating func finishLiveViewInfo(_ result: OperationResult, at now: Duration) {
        guard case .takingLiveView(var taking, _) = activity else { return }
        let isReady = !Self.isNotReady(result.code)
        if !isReady { taking.notBefore = now + LiveViewLimits.again }
        activity = .takingLiveView(taking, isDescribed: isReady)
    }

    mutating func finishLiveViewPicture(_ result: OperationResult, at now: Duration) {
        guard case .takingLiveView(var taking, let isDescribed) = activity else { return }
        taking.notBefore = now + LiveViewLimits.again
        let code = result.code
        if result.isSuccess, result.byteCount > 0 {
            let exposure = body.reading?.liveViewExposure ?? .unknown
            taking.outcome = .liveView(LiveViewAnswer(of: result.data, exposure: exposure, by: SonyLiveViewFrame.jpeg))
        } else if code != .ok, !Self.isNotReady(code) {
            let name = OperationCode.getObject.sonyName
            taking.outcome = .failed(.refused(operation: name, code: code.rawValue, name: code.sonyName))
        }
        activity = .takingLiveView(taking, isDescribed: isDescribed)
    }
}
