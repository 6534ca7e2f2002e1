import Exposure
import PTP

/// A frame whose shutter was released, and the signs of its picture.
struct NikonFrame: StagedFrame {
    /// The ticket of the `.capture` command.
    let ticket: Ticket
    let pressedAt: Duration
    /// The id of the body that received the command.
    let bodyID: String?
    let exposure: Duration
    /// The longest time in which the shutter can be open.
    let exposureMax: Duration
    let hasDarkFrame: Bool
    /// The picture of this frame brings the shot counter below this value; nil: the body reports no counter.
    let shotsLeftBefore: Int?
    /// Whether a decrease of the counter can belong to the previous frame, so that it proves nothing alone.
    let isCountUnclear: Bool
    /// How many files the body stores for each picture; nil: not known.
    let fileCount: Int?
    var stage = FrameStage.exposing
    /// The handles that the body announced for this frame. One of them can be a new folder.
    var handles: [UInt32] = []
    /// Whether one of the handles is certainly a file.
    var hasFile = false
    /// The time of the first announced handle.
    var objectAt: Duration?
    /// The time at which the body reported the capture as complete.
    var completeAt: Duration?
    /// The time at which the body was ready after the press.
    var readyAt: Duration?
    /// The failure that DeviceReady reported.
    var failure: CameraFailure?
    /// The time at which the failure was reported.
    var failedAt: Duration?
    /// The time at which the counter showed a decrease.
    var countedAt: Duration?
    /// The time of the last reading of the counter after the end of the frame.
    var countReadAt: Duration?
    /// Whether a list of events was damaged after the press, so that signs may be lost.
    var mayLackSigns = false
    /// Whether the frame's file is one of several listed files that no frame owns.
    var isFileUnknown = false

    /// The earliest end of the exposure. A quarter of the exposure is margin.
    var earliestEnd: Duration { pressedAt + exposure * 3 / 4 }
    var expectedEnd: Duration { pressedAt + exposure }
    /// The latest end of the frame.
    var latestEnd: Duration { pressedAt + (hasDarkFrame ? exposureMax * 2 : exposureMax) }

    /// The exposures after which bodies take a dark frame of the same duration.
    static let darkFrameMin: Duration = .seconds(1)

    /// The time at which the driver stops waiting for signs of the picture.
    ///
    /// - Parameter isBusy: whether the body still works.
    func deadline(isBusy: Bool, _ timing: NikonTiming) -> Duration {
        latestEnd + (isBusy ? timing.busy : timing.noPicture)
    }

    var hasObject: Bool { !handles.isEmpty }

    /// Whether the object and its kind, or the object and "capture complete" are known.
    var hasProof: Bool { hasFile || hasObject && completeAt != nil }

    /// Whether no sign of a picture has come.
    var isWithoutSigns: Bool { !hasObject && completeAt == nil && countedAt == nil }

    /// Notes the shot counter of a reading that was requested after the press.
    mutating func note(shotsLeft: Int?, at now: Duration) {
        countReadAt = now
        guard countedAt == nil, let before = shotsLeftBefore, let left = shotsLeft, left < before else { return }
        countedAt = now
    }

    mutating func note(handle: UInt32, at now: Duration) {
        guard handles.count < NikonLimits.filesOfFrameMax else { return }
        handles.append(handle)
        objectAt = objectAt ?? now
    }

    /// Notes that a handle is a folder.
    mutating func remove(handle: UInt32) {
        handles.removeAll { $0 == handle }
        if handles.isEmpty { objectAt = nil }
    }

    /// The time from which the signs prove the picture; nil: they do not.
    ///
    /// An object and "capture complete" together prove it at once. A body can omit one of the two.
    ///
    /// - Parameter countsShots: whether the counter of this body decreases with each picture; nil: not known.
    func provenAt(countsShots: Bool?, _ timing: NikonTiming) -> Duration? {
        if let objectAt, let completeAt { return max(objectAt, completeAt) }
        if hasFile, let objectAt { return objectAt + timing.complete }
        let mayCount = shotsLeftBefore != nil && !isCountUnclear
        if let completeAt {
            let isDenied = mayCount && countsShots == true && countedAt == nil
            return isDenied ? nil : completeAt + timing.object
        }
        // A counter that did not follow the last pictures can catch up during a frame without a picture.
        guard mayCount, countsShots != false, let countedAt else { return nil }
        return max(countedAt, latestEnd) + timing.object
    }
}
