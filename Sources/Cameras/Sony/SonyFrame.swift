import Exposure
import PTP

/// A frame whose shutter button was pressed, and the signs of its picture.
struct SonyFrame: ReleasedFrame {
    /// The proof that the picture exists.
    enum Evidence: Sendable {
        /// The file of the picture is in the buffer.
        case file
        /// The body sent 0xC206 or counted the picture. A file can still follow.
        case report
    }

    enum Stage: Sendable {
        case exposing
        case captured(by: Evidence, at: Duration)
        /// The body has completed the frame, or the driver expects no more signs of the picture.
        case over(wasCaptured: Bool)
    }

    /// The ticket of the `.capture` command.
    let ticket: Ticket
    let pressedAt: Duration
    /// The id of the body that received the capture command.
    let bodyID: String?
    let exposure: Duration
    /// The shot counter in the last reading before the press.
    let shotsLeftShown: Int?
    /// The picture of this frame must bring the shot counter below this value.
    var shotsLeftBefore: Int?
    let focusFailed: Bool
    let noiseReduction: NoiseReduction
    /// Whether the speed was writable before the press. After the frame it must be writable again.
    let wasSpeedWritable: Bool
    let mode: ExposureMode
    /// Whether a file alone is too weak a proof of this frame. The body announced or counted the previous picture, so a
    /// file with neither sign can be a late file of that picture. The file can also belong to this frame: events of
    /// bodies before 2019 are not reliable (PTP 3 p.37), and counters lag.
    let needsReport: Bool
    /// Whether this is the first frame on this body. The body can still have an earlier picture to count.
    let isFirst: Bool
    /// Whether a decrease of the counter by one proves nothing. The decrease may belong to the previous frame if that
    /// frame failed or its link broke before the count. A slow body counts that picture later. A body that lost its
    /// battery never counts it.
    var isCountUnclear: Bool
    /// How many 0xC206 events of earlier frames can still arrive. They have their own connection and can be late.
    var pendingAnnouncements: Int
    /// The longest possible exposure: the planned speed, or a longer speed that the body shows after the press. On some
    /// bodies the speed jumps when the shutter opens.
    var exposureMax: Duration
    var stage = Stage.exposing
    /// Whether 0xC206 arrived at a time that fits this frame.
    var wasAnnounced = false
    /// Whether a 0xC206 event arrived that may belong to this frame or to an earlier one.
    var wasPerhapsAnnounced = false
    /// Whether the counter decreased for this frame.
    var wasCounted = false
    /// Whether the counter was still unchanged when the body must have counted a first picture.
    var isCountLate = false
    /// Whether a file of this frame was fetched. After that, a file with another name does not belong to the frame.
    var hasFile = false

    /// The earliest end of the exposure. Bodies expose for powers of two, for example 32 s for 30″ (VIEW). A quarter of
    /// the exposure is margin.
    var earliestEnd: Duration { pressedAt + exposure * 3 / 4 }
    var expectedEnd: Duration { pressedAt + exposureMax }
    /// The latest end of the frame, after a possible dark frame.
    var latestEnd: Duration { pressedAt + (mayReduceNoise ? exposureMax * 2 : exposureMax) }
    /// Whether the body may take a dark frame as long as the exposure.
    private var mayReduceNoise: Bool { noiseReduction != .off && exposureMax >= .seconds(1) }

    /// The value below which this frame's picture must bring the counter. A body that accepted the press has completed
    /// the previous picture.
    var countBefore: Int? { isCountUnclear && isCaptured ? shotsLeftShown : shotsLeftBefore }

    /// Whether a file of this frame would prove that the frame was fired.
    var mayProveByFile: Bool { !needsReport || wasAnnounced || wasCounted }

    var isCaptured: Bool {
        switch stage {
        case .exposing: false
        case .captured: true
        case .over(let wasCaptured): wasCaptured
        }
    }

    var isOver: Bool {
        if case .over = stage { true } else { false }
    }

    /// Notes a 0xC206 event. An event before the earliest end of the exposure belongs to another picture.
    fileprivate mutating func noteAnnouncement(at now: Duration) {
        if pendingAnnouncements > 0 {
            pendingAnnouncements -= 1
            wasPerhapsAnnounced = now >= earliestEnd
        } else if now >= earliestEnd {
            wasAnnounced = true
        }
    }

    /// Notes the counter of a reading. The body counts its first picture at once. If the counter is unchanged after
    /// that, it can still decrease for a picture from before the daemon's start.
    mutating func noteCount(_ reading: SonyReading, _ timing: SonyTiming) {
        guard let before = countBefore, let left = reading.status.shotsLeft else { return }
        if left >= before {
            if isFirst, reading.requestedAt >= latestEnd + timing.doubt { isCountLate = true }
        } else if isCountLate, !isCaptured, left == before - 1 {
            isCountUnclear = true
            shotsLeftBefore = left
        } else if reading.receivedAt >= earliestEnd {
            wasCounted = true
        }
    }

    /// Notes the speed in a reading that was requested after the press.
    mutating func note(shown speed: SpeedReading?) {
        guard case .exposing = stage, case .speed(let speed)? = speed else { return }
        exposureMax = max(exposureMax, speed.exposureTime)
    }

    /// The time at which the driver stops waiting for the picture.
    func deadline(_ timing: SonyTiming) -> Duration {
        latestEnd + (focusFailed ? timing.noPictureAfterFocusFailure : timing.noPicture)
    }
}

extension LastFrame<SonyFrame> {
    /// Notes a 0xC206 event. The event belongs to the first frame that has none yet.
    mutating func noteAnnouncement(at now: Duration) {
        guard let ticket = lastPressed?.ticket else { return }
        update(of: ticket) { $0.noteAnnouncement(at: now) }
    }
}

/// The positions to which the driver moved the shutter button.
struct SonyButtons: Sendable {
    /// Whether the driver sent a half press, so that the button is or may be down.
    var isHalfDown = false
    var isFullDown = false
    var releaseAt: Duration = .zero
    var giveUpAt: Duration?

    var areUp: Bool { !isHalfDown && !isFullDown }
}
