import Exposure
import PTP

/// A frame whose shutter was released, and the signs of its picture.
///
/// The object is the strongest sign. The status (busy, then idle) and the shot counter prove a picture only if the
/// stronger signs do not come: bodies exist that omit each of them.
struct CanonFrame: StagedFrame {
    /// The ticket of the `.capture` command.
    let ticket: Ticket
    let pressedAt: Duration
    /// The id of the body that received the command.
    let bodyID: String?
    let exposure: Duration
    /// The picture of this frame brings the shot counter below this value; nil: the body reports no counter.
    let shotsLeftBefore: Int?
    /// Whether a decrease of the counter can belong to the previous frame, so that it proves nothing alone.
    let isCountUnclear: Bool
    let hasAutofocus: Bool
    /// The longest exposure whose speed the body reported after the press. The speed can change at the release.
    var longestReported: Duration = .zero
    /// The time of the answer to the press, which comes after focusing; nil: not answered yet.
    var acceptedAt: Duration?
    var stage = FrameStage.exposing
    /// The result in the answer to the press; nil: the body reported success.
    var result: CanonReleaseResult?
    /// Whether the body reported that it works on the picture.
    var wasBusy = false
    /// The time at which the body reported that it no longer works on the picture.
    var readyAt: Duration?
    /// The time at which the counter showed a decrease.
    var countedAt: Duration?
    /// The common handle of the frame's files.
    var group: UInt32?
    /// Whether a list was damaged after the press, so that signs may be lost.
    var mayLackSigns = false

    /// The earliest end of the exposure. A quarter of the exposure is margin.
    var earliestEnd: Duration { pressedAt + exposure * 3 / 4 }
    var expectedEnd: Duration { pressedAt + longest }
    /// The latest end of the frame.
    var latestEnd: Duration { (acceptedAt ?? pressedAt) + Self.withDarkFrame(longest) }

    /// The longest time of a frame. The body does not report whether it takes a dark frame after a long exposure.
    static func withDarkFrame(_ exposure: Duration) -> Duration {
        exposure >= .seconds(1) ? exposure * 2 : exposure
    }

    private var longest: Duration { max(exposure, longestReported) }

    func deadline(_ timing: CanonTiming) -> Duration { latestEnd + timing.noPicture }

    var hasObject: Bool { group != nil }

    /// Notes a report of the status at this time.
    mutating func note(isBusy: Bool, at now: Duration) {
        if isBusy {
            wasBusy = true
            readyAt = nil
        } else if wasBusy, now >= earliestEnd {
            readyAt = readyAt ?? now
        }
    }

    /// Notes the shot counter of a list that was requested after the press.
    mutating func note(shotsLeft: Int?, at now: Duration) {
        guard countedAt == nil, let before = shotsLeftBefore, let left = shotsLeft, left < before else { return }
        countedAt = now
    }

    /// Whether no sign of an exposure has come.
    var isWithoutSigns: Bool { !wasBusy && !hasObject && countedAt == nil }

    /// The time at which the status or the counter prove the picture without its object; nil: they do not.
    ///
    /// - Parameters:
    ///   - grace: how long the object can still follow.
    ///   - isStatusEnough: whether the status alone proves the picture.
    func provenAt(grace: Duration, isStatusEnough: Bool, _ timing: CanonTiming) -> Duration? {
        let byStatus = isStatusEnough || countedAt != nil ? readyAt.map { $0 + grace } : nil
        guard !isCountUnclear, let countedAt else { return byStatus }
        // The counter decreases when the exposure begins, and a dark frame may follow. A busy body first gets time to
        // report that it is ready.
        let end = wasBusy ? latestEnd + timing.doubt : latestEnd
        return byStatus.earlier(max(countedAt, end) + grace)
    }
}

/// The result in parameter 1 of the answer to a release (libgphoto2 library.c). libgphoto2 reads it after 0x910F only;
/// other bodies may send it after 0x9128 too.
enum CanonReleaseResult: Hashable, Sendable {
    case focusFailed
    case mirrorUp
    case cardFull
    case cardWriteProtected
    /// A response code of PTP.
    case code(ResponseCode)

    init?(_ parameter: UInt32?) {
        switch parameter {
        case 1?: self = .focusFailed
        case 3?: self = .mirrorUp
        case 7?: self = .cardFull
        case 8?: self = .cardWriteProtected
        case let number? where number & 0x7000 == 0x2000 && number != UInt32(ResponseCode.ok.rawValue):
            self = .code(ResponseCode(rawValue: UInt16(truncatingIfNeeded: number)))
        default: return nil
        }
    }

    var failure: CameraFailure {
        switch self {
        case .focusFailed: .focusFailed
        case .mirrorUp: .other(CanonCaptureSentences.mirrorUp)
        case .cardFull: .storageFull
        case .cardWriteProtected: .other(CanonCaptureSentences.cardWriteProtected)
        case .code(let code):
            .refused(operation: OperationCode.canonPress.canonName, code: code.rawValue, name: code.canonName)
        }
    }
}
