import Bodies
import Cameras
import Controller
import Exposure

/// A shoot, and the true result of its frames.
struct ShootTrack: Sendable {
    let id: Int
    /// By the world's clock, in milliseconds: numbers of shoots without a record are used again.
    let began: Int64
    let camera: String
    var frames: [FrameTrack]
    /// The frame of the last release, or of the next one; after the end of a process the last captured one.
    var lastReleased: Int?
    /// The frames that the user requested again.
    var redone: [Int] = []
    var isCancelAsked = false
    /// Whether a process ended and left no record of it.
    var isForgotten = false

    init(_ shoot: Shoot) {
        id = shoot.id
        began = shoot.began.milliseconds
        camera = shoot.camera.id
        frames = shoot.plan.frames.map { FrameTrack(planned: $0.speed) }
    }

    /// A shoot from before the watcher: its record is trusted.
    init(_ row: ShootRow, _ rows: [FrameRow]) {
        id = row.id
        began = row.began.milliseconds
        camera = row.cameraID
        isCancelAsked = row.outcome == .cancelled
        frames = rows.map { row in
            var frame = FrameTrack(planned: row.planned.speed)
            if row.outcome.isCaptured { frame.right = row.again?.isCaptured ?? false ? 2 : 1 }
            frame.died(row, isRecordRequired: true)
            return frame
        }
        lastReleased = frames.lastIndex { $0.isCaptured }
    }
}

/// A planned frame, and its true result.
struct FrameTrack: Sendable {
    let planned: ShutterSpeed
    /// Exposures at the planned speed.
    var right = 0
    /// Exposures at another speed, which the body showed only later. Also exposures of an unrecorded shoot that the
    /// counter includes.
    var excusedCount = 0
    /// Any other exposures for it.
    var wrong = 0
    /// The exposures that count.
    var pictures: [CardFrame] = []
    /// Whether the daemon waits for its picture, or reported it as lost: it may be fired once more for that.
    var isExpected = false
    /// How often its exposure was in doubt.
    var doubts = 0
    /// Whether it is in doubt now.
    var isUnknown = false
    /// Whether it was being fired when a process ended.
    var wasLeftInDoubt = false
    /// How often it may be fired again besides that.
    var permits = 0
    /// Whether the daemon counts it as captured.
    var isCaptured = false
    /// Whether it is being fired again on request.
    var isAgain = false
    /// Whether the record of an uncaptured frame allows it to be fired again. A shoot that could not be recorded may
    /// have done so before.
    var isAgainRecorded = false
    var isSuspect = false
    /// Whether it was fired again because of its picture.
    var wasSuspectFired = false

    /// How often it was exposed at a speed that can count.
    var exposures: Int { right + excusedCount }

    init(planned: ShutterSpeed) { self.planned = planned }

    mutating func died(_ row: FrameRow?, isRecordRequired: Bool) {
        guard let row, row.outcome.isCaptured else {
            isCaptured = false
            isAgain = false
            // The next process has the same doubt.
            isUnknown = row?.outcome == .attempting || row?.outcome == .unknown
            isExpected = row?.outcome == .exposed || row?.outcome == .lost
            wasLeftInDoubt = isUnknown
            if isUnknown || !isRecordRequired { permits += 1 }
            isAgainRecorded = row?.again != nil
            return
        }
        isCaptured = true
        if row.outcome == .suspect { isSuspect = true }
        switch row.again {
        case .planned, .failed, .attempting, .exposed, .lost, .unknown:
            if !isAgain { permits += 1 }
            isAgain = true
            if row.again == .attempting || row.again == .unknown { permits += 1 }
        case nil where isAgain && !isRecordRequired:
            permits += 1
        case nil, .captured, .verified, .suspect:
            break
        }
    }
}
