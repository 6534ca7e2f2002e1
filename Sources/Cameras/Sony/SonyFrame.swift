import Exposure
import PTP

/// A frame whose shutter button was pressed, and what is known of its picture.
struct SonyFrame: Sendable {
    /// The proof that the picture exists.
    enum Evidence: Sendable {
        /// Its file is in the buffer.
        case file
        /// 0xC206, or the shot counter: a file may still follow.
        case report
    }

    enum Stage: Sendable {
        case exposing
        case captured(by: Evidence, at: Duration)
        /// The body has completed it, or nothing more is expected.
        case over(wasCaptured: Bool)
    }

    /// The `.capture` command of the press.
    let ticket: Ticket
    let pressedAt: Duration
    /// The body that was ordered to fire.
    let bodyID: String?
    let exposure: Duration
    /// The counter in the last reading before the press.
    let shotsLeftShown: Int?
    /// The picture must bring the counter below this value.
    var shotsLeftBefore: Int?
    let focusFailed: Bool
    let noiseReduction: NoiseReduction
    /// Whether the speed was writable before the press: afterwards it must be so again.
    let wasSpeedWritable: Bool
    let mode: ExposureMode
    /// Whether its file alone is no proof. The body announced or counted the previous picture, so a file without both
    /// may be a late one of that frame. It may also be this frame's own (events before 2019 are not reliable, PTP 3
    /// p.37; counters lag).
    let needsReport: Bool
    /// Whether it is the first frame on this body: the body may still have to count an earlier picture.
    let isFirst: Bool
    /// Whether a decrease of the counter by one is no proof. It may belong to the previous frame, which failed, or
    /// whose link broke before the count. A body that writes slowly counts it later; a body that lost its battery never
    /// does.
    var isCountUnclear: Bool
    /// How many 0xC206 of earlier frames may still arrive: events have their own connection, and may be late.
    var pendingAnnouncements: Int
    /// The longest possible exposure: the planned speed, or a longer one that the body shows after the press. The speed
    /// of some bodies jumps when the shutter opens.
    var exposureMax: Duration
    var stage = Stage.exposing
    /// 0xC206 arrived when it could be this frame's.
    var wasAnnounced = false
    /// A 0xC206 arrived then that belongs to this frame or an earlier one.
    var wasPerhapsAnnounced = false
    /// The counter decreased for this frame.
    var wasCounted = false
    /// The counter was unchanged after the time in which a first picture is counted.
    var isCountLate = false
    /// One of its files was fetched: a file of another name is not its own.
    var hasFile = false

    /// The earliest end of the exposure. Bodies use the power of two: 32 s for 30″ (VIEW); a quarter is margin.
    var earliestEnd: Duration { pressedAt + exposure * 3 / 4 }
    var expectedEnd: Duration { pressedAt + exposureMax }
    /// Includes the dark frame.
    var latestEnd: Duration { pressedAt + (mayReduceNoise ? exposureMax * 2 : exposureMax) }
    /// Whether the body may take a dark frame as long as the exposure.
    private var mayReduceNoise: Bool { noiseReduction != .off && exposureMax >= .seconds(1) }

    /// Its picture brings the counter below this value. A body that accepted the press has completed the previous
    /// picture.
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

    /// An announcement before the earliest end of the exposure belongs to another picture.
    fileprivate mutating func noteAnnouncement(at now: Duration) {
        if pendingAnnouncements > 0 {
            pendingAnnouncements -= 1
            wasPerhapsAnnounced = now >= earliestEnd
        } else if now >= earliestEnd {
            wasAnnounced = true
        }
    }

    /// What a reading shows of the counter. The first picture is written at once: a counter that is unchanged after
    /// that may still decrease for a picture from before the daemon's start.
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

    /// A reading that was requested after the press shows a speed.
    mutating func note(shown speed: SpeedReading?) {
        guard case .exposing = stage, case .speed(let speed)? = speed else { return }
        exposureMax = max(exposureMax, speed.exposureTime)
    }

    /// When the driver stops waiting for the picture.
    func deadline(_ timing: SonyTiming) -> Duration {
        latestEnd + (focusFailed ? timing.noPictureAfterFocusFailure : timing.noPicture)
    }
}

/// What the driver knows of its last frame. Outlives the session, so that a doubt can be resolved after a reconnect.
enum SonyLastFrame: Sendable {
    /// A new driver: earlier frames are not known.
    case unknown
    /// A frame was ordered, and its shutter was not pressed.
    case notPressed(previous: SonyFrame?)
    case pressed(SonyFrame, previous: SonyFrame?)

    /// The frame of the last press, while no other frame is ordered.
    var frame: SonyFrame? {
        if case .pressed(let frame, _) = self { frame } else { nil }
    }

    /// The frame before the present one, or the last one when none is in progress.
    var previous: SonyFrame? {
        switch self {
        case .unknown: nil
        case .notPressed(let previous): previous
        case .pressed(let frame, let previous): frame.isOver || frame.isCaptured ? frame : previous
        }
    }

    /// The frame of the last press, also after another one was ordered.
    var lastPressed: SonyFrame? {
        switch self {
        case .unknown: nil
        case .notPressed(let previous): previous
        case .pressed(let frame, _): frame
        }
    }

    /// The frame of the press before the last one.
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

    /// 0xC206 belongs to the first frame that lacks one.
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

/// The two stages of the shutter button, as far as the driver moved them.
struct SonyButtons: Sendable {
    /// Pressed, or possibly pressed: a press was sent.
    var isHalfDown = false
    var isFullDown = false
    var releaseAt: Duration = .zero
    var giveUpAt: Duration?

    var areUp: Bool { !isHalfDown && !isFullDown }
}
