import Exposure
import PTP

/// A frame whose shutter button was pressed: what is known of its picture.
struct SonyFrame: Sendable {
    /// What said that the picture exists.
    enum Evidence: Sendable {
        /// Its file stands in the buffer.
        case file
        /// 0xC206, or the shot counter: a file may still follow.
        case report
    }

    enum Stage: Sendable {
        case exposing
        case captured(by: Evidence, at: Duration)
        /// The body is done with it, or nothing more is expected.
        case over(wasCaptured: Bool)
    }

    /// The `.capture` command that it was pressed for.
    let ticket: Ticket
    let pressedAt: Duration
    /// The body that was told to fire.
    let bodyID: String?
    let exposure: Duration
    /// The counter as it was shown right before the press.
    let shotsLeftShown: Int?
    /// The counter that the picture must bring below.
    var shotsLeftBefore: Int?
    let focusFailed: Bool
    let noiseReduction: NoiseReduction
    /// How the body stood before the press: afterwards it has to stand so again.
    let wasSpeedWritable: Bool
    let mode: ExposureMode
    /// Whether its file alone is no proof. The body announced the picture before or counted it, so a file that comes
    /// with neither may be a late one of that frame. It may also be the frame's own (events before 2019 are not
    /// reliable, PTP 3 p. 37; counters lag).
    let needsReport: Bool
    /// Whether it is the first frame on this body: whether the body still counts an earlier one is not known.
    let isFirst: Bool
    /// Whether a counter that goes down by one is no proof: it may be for the frame before, which failed, or whose link
    /// broke before it was counted. A body that writes for long counts it yet; one whose battery was pulled never does.
    var isCountUnclear: Bool
    /// So many 0xC206 are yet to come of the frames before: events have a connection of their own, and may be late.
    var announcementsOwed: Int
    /// The longest that the exposure may be: the planned speed, or a longer one that the body shows after the press.
    /// The speed of some bodies jumps as the shutter goes.
    var exposureMax: Duration
    var stage = Stage.exposing
    /// 0xC206 came when it could be this frame's.
    var wasAnnounced = false
    /// One came then that was owed to a frame before, or was this one's.
    var wasPerhapsAnnounced = false
    /// The counter went down for this frame.
    var wasCounted = false
    /// The counter was unchanged after the time in which a first picture is counted.
    var isCountLate = false
    /// A file of it was fetched: one more of another name is not its.
    var hasFile = false

    /// The exposure cannot have ended before. Bodies keep to the power of two: 32 s for 30″ (VIEW); a quarter is room.
    var earliestEnd: Duration { pressedAt + exposure * 3 / 4 }
    var expectedEnd: Duration { pressedAt + exposureMax }
    /// With the dark frame.
    var latestEnd: Duration { pressedAt + (mayReduceNoise ? exposureMax * 2 : exposureMax) }
    /// Whether the body may take a dark frame as long as the exposure.
    private var mayReduceNoise: Bool { noiseReduction != .off && exposureMax >= .seconds(1) }

    /// The counter that its picture brings it below. A body that took the press is done with the picture before.
    var countBefore: Int? { isCountUnclear && isCaptured ? shotsLeftShown : shotsLeftBefore }

    /// Whether its file would prove that it was fired.
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

    /// One that comes before the exposure can have ended belongs to something else.
    fileprivate mutating func noteAnnouncement(at now: Duration) {
        if announcementsOwed > 0 {
            announcementsOwed -= 1
            wasPerhapsAnnounced = now >= earliestEnd
        } else if now >= earliestEnd {
            wasAnnounced = true
        }
    }

    /// What a reading shows of the counter. The first picture is written at once: a counter that is unchanged after
    /// that may still go down for a picture from before the daemon started.
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

    /// A reading that was asked for after the press shows a speed.
    mutating func note(shown speed: SpeedReading?) {
        guard case .exposing = stage, case .speed(let speed)? = speed else { return }
        exposureMax = max(exposureMax, speed.exposureTime)
    }

    /// When the picture is given up.
    func deadline(_ timing: SonyTiming) -> Duration {
        latestEnd + (focusFailed ? timing.noPictureAfterFocusFailure : timing.noPicture)
    }
}

/// What the driver knows of its last frame. Outlives the session, so that a doubt can be resolved after a reconnect.
enum SonyLastFrame: Sendable {
    /// A fresh driver: whatever was before is not known.
    case unknown
    /// A frame was ordered, and its shutter was not touched.
    case notPressed(previous: SonyFrame?)
    case pressed(SonyFrame, previous: SonyFrame?)

    /// The frame whose shutter was pressed last, while no other one was ordered.
    var frame: SonyFrame? {
        if case .pressed(let frame, _) = self { frame } else { nil }
    }

    /// The frame before the one that is in work, or the last one when none is.
    var previous: SonyFrame? {
        switch self {
        case .unknown: nil
        case .notPressed(let previous): previous
        case .pressed(let frame, let previous): frame.isOver || frame.isCaptured ? frame : previous
        }
    }

    /// The frame whose shutter was pressed last, also after another one was ordered.
    var lastPressed: SonyFrame? {
        switch self {
        case .unknown: nil
        case .notPressed(let previous): previous
        case .pressed(let frame, _): frame
        }
    }

    /// The frame whose shutter was pressed before that of the last one.
    var beforeLast: SonyFrame? {
        if case .pressed(_, let previous) = self { previous } else { nil }
    }

    /// A file of a frame was fetched.
    mutating func noteFile(of ticket: Ticket) {
        switch self {
        case .notPressed(var frame?) where frame.ticket == ticket:
            frame.hasFile = true
            self = .notPressed(previous: frame)
        case .pressed(var frame, let previous) where frame.ticket == ticket:
            frame.hasFile = true
            self = .pressed(frame, previous: previous)
        case .pressed(let frame, var previous?) where previous.ticket == ticket:
            previous.hasFile = true
            self = .pressed(frame, previous: previous)
        case .unknown, .notPressed, .pressed:
            break
        }
    }

    /// 0xC206: of the frame that it is due for first.
    mutating func noteAnnouncement(at now: Duration) {
        switch self {
        case .unknown, .notPressed(nil):
            break
        case .notPressed(var frame?):
            frame.noteAnnouncement(at: now)
            self = .notPressed(previous: frame)
        case .pressed(var frame, let previous):
            frame.noteAnnouncement(at: now)
            self = .pressed(frame, previous: previous)
        }
    }

    mutating func update(_ change: (inout SonyFrame) -> Void) {
        guard case .pressed(var frame, let previous) = self else { return }
        change(&frame)
        self = .pressed(frame, previous: previous)
    }
}

/// The two stages of the shutter button, as far as we moved them.
struct SonyButtons: Sendable {
    /// Pressed, or perhaps so: a press was sent.
    var isHalfDown = false
    var isFullDown = false
    var releaseAt: Duration = .zero
    var giveUpAt: Duration?

    var areUp: Bool { !isHalfDown && !isFullDown }
}
