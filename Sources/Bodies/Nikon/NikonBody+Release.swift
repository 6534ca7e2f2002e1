import Cameras
import PTP

/// Releases as an initiator requests them, and the answers to DeviceReady.
extension NikonBody {
    /// A release as an initiator requests it.
    private struct Release {
        let target: Target
        let hasAutofocus: Bool
    }

    // MARK: Operations

    /// Handles 0x9207, 0x90C0, 0x90CB and InitiateCapture.
    mutating func capture(_ request: ResponderRequest, at now: Duration) -> ResponderAnswer? {
        switch release(request) {
        case .success(let release): return begin(release, request.transaction, at: now)
        case .failure(let refusal): return refuse(request.transaction, refusal.code)
        }
    }

    private struct Refused: Error {
        let code: ResponseCode
    }

    /// The meaning of a release. Parameters of 0x9207: 0xFFFFFFFF without or 0xFFFFFFFE with autofocus; 0 card,
    /// 1 memory, 2 both.
    private func release(_ request: ResponderRequest) -> Result<Release, Refused> {
        let focus = request.parameters.first
        switch request.code {
        case .nikonCaptureToMemory: return .success(Release(target: .memory, hasAutofocus: focus != .max))
        case .nikonFocusAndCaptureToMemory: return .success(Release(target: .memory, hasAutofocus: true))
        case .nikonCapture:
            let isLimited = faults.first { $0 == .oneParameter ? true : nil } ?? false
            if isLimited, request.parameters.count > 1 { return .failure(Refused(code: .parameterNotSupported)) }
            guard let focus, focus >= .max - 1 else { return .failure(Refused(code: .invalidParameter)) }
            let media = request.parameters.count > 1 ? Int64(request.parameters[1]) : 0
            guard let target = Self.target(media) else { return .failure(Refused(code: .invalidParameter)) }
            return .success(Release(target: target, hasAutofocus: focus != .max))
        default:
            let target = Self.target(sheet.number(.nikonRecordingMedia) ?? 0) ?? .card
            return .success(Release(target: target, hasAutofocus: true))
        }
    }

    /// The target of this recording medium.
    private static func target(_ media: Int64) -> Target? { [0: .card, 1: .memory, 2: .both][media] }

    private mutating func begin(_ release: Release, _ transaction: UInt32, at now: Duration) -> ResponderAnswer? {
        if modeRefusal != nil { return refuse(transaction, .nikonInvalidStatus) }
        // In live view a body releases without autofocus only.
        if session?.isLiveView == true, release.hasAutofocus { return refuse(transaction, .nikonInvalidStatus) }
        // A picture in memory blocks the next one.
        guard shutter == .ready, inMemory == nil, !isBusyLate() else { return refuse(transaction, model.notReady) }
        let frame = currentFrame
        var press = bodyPress(transaction)
        defer { outputs.append(.fact(.pressed(press))) }
        if faults.take({ if case .fail(frame, _) = $0 { true } else { nil } }) != nil {
            outputs.append(.log("fault: the release of frame \(frame) fails"))
            return ResponderAnswer(.generalError)
        }
        guard !release.target.isCard || shotsLeft > 0 else { return ResponderAnswer(.storeFull) }
        failure = nil
        let linkFault = takeLinkFault(in: .press)
        if faults.take({ if case .noPicture(frame, _) = $0 { true } else { nil } }) != nil {
            outputs.append(.log("fault: the release of frame \(frame) takes no picture"))
        } else {
            press.isTaken = start(release, at: now)
        }
        guard let linkFault else { return .ok }
        outputs.append(.link(linkFault))
        return nil
    }

    /// Starts to focus, or releases.
    ///
    /// - Returns: whether the shutter opens.
    private mutating func start(_ release: Release, at now: Duration) -> Bool {
        guard release.hasAutofocus, !isManualFocus else {
            startRelease(release.target, at: now)
            return true
        }
        let frame = currentFrame
        let finds = faults.take { if case .noFocus(frame, _) = $0 { true } else { nil } } == nil
        shutter = .focusing(release.target, finds: finds)
        schedule.plan(.focusSettles, at: now + model.focusTime)
        return finds
    }

    /// Rejects a release. A rejected release is still a press for the rules.
    private mutating func refuse(_ transaction: UInt32, _ code: ResponseCode) -> ResponderAnswer {
        outputs.append(.fact(.pressed(bodyPress(transaction))))
        return ResponderAnswer(code)
    }

    private func bodyPress(_ transaction: UInt32) -> BodyPress {
        BodyPress(
            command: CommandID(rawValue: UInt64(transaction)),
            shown: (session?.readSpeed).map { ofBody($0) },
            actual: ofBody(speed),
            isTaken: false
        )
    }

    private var isManualFocus: Bool { sheet.number(.focusMode) == 1 }

    /// Handles AfDrive, which has its result in the next DeviceReady.
    mutating func driveFocus(at now: Duration) -> ResponderAnswer? {
        if fails(in: .focus) { return nil }
        guard shutter == .ready else { return ResponderAnswer(.deviceBusy) }
        let frame = currentFrame
        if !isManualFocus, faults.take({ if case .noFocus(frame, _) = $0 { true } else { nil } }) != nil {
            failure = .nikonOutOfFocus
        }
        return .ok
    }

    /// Handles TerminateCapture.
    mutating func terminate(at now: Duration) -> ResponderAnswer {
        guard case .open(let exposure) = shutter, exposure.ends == nil else {
            return ResponderAnswer(.nikonInvalidStatus)
        }
        endBulb(at: now)
        return .ok
    }

    mutating func endBulb(at now: Duration) {
        if case .open(let exposure) = shutter, exposure.ends == nil { schedule.plan(.shutterCloses, at: now) }
    }

    // MARK: DeviceReady

    /// The response to DeviceReady.
    mutating func readiness() -> ResponseCode {
        if let failure {
            self.failure = nil
            return failure
        }
        let isSilentBusy = faults.first { $0 == .silentReleaseBusy ? true : nil } ?? false
        if isSilentBusy, shutter != .ready || !card.isEmpty { return .nikonSilentReleaseBusy }
        switch shutter {
        case .open(let exposure) where exposure.ends == nil: return .nikonBulbBusy
        case .focusing, .releasing, .open, .darkFrame, .saving, .stuck: return .deviceBusy
        case .ready: break
        }
        if case .armed(let times) = lateBusy { lateBusy = .busy(times: times) }
        return .ok
    }

    /// Whether the body is busy once more after it was ready, because of a fault.
    mutating func isBusyLate() -> Bool {
        guard case .busy(let times) = lateBusy else { return false }
        lateBusy = times > 1 ? .busy(times: times - 1) : .none
        return true
    }
}
