import Bodies
import Cameras
import Controller
import Exposure

/// A shoot, and what really came of its frames.
struct ShootTrack: Sendable {
    let id: Int
    /// By the world's clock, in milliseconds: numbers of shoots without a record are given again.
    let began: Int64
    let camera: String
    var frames: [FrameTrack]
    /// The frame whose shutter was released last, or was to be; after the end of a process the last captured one.
    var lastReleased: Int?
    /// The frames that the user wants once more.
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

    /// One that was fired before the watcher came: what is recorded of it is believed.
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

/// A planned frame, and what really came of it.
struct FrameTrack: Sendable {
    let planned: ShutterSpeed
    /// Exposures at the planned speed.
    var right = 0
    /// Exposures at another speed, which the body showed only later, or of an unrecorded shoot that the counter tells
    /// of.
    var excused = 0
    /// Any other exposures for it.
    var wrong = 0
    /// The exposures that count.
    var pictures: [CardFrame] = []
    /// Whether the daemon waits for its picture, or said that it is lost: it may be fired once more for that.
    var isOwed = false
    /// How often it was unknown whether it was exposed.
    var doubts = 0
    /// Whether it is unknown now.
    var isUnknown = false
    /// Whether it was being fired when a process ended.
    var wasLeftInDoubt = false
    /// How often it may be fired again beside that.
    var permits = 0
    /// Whether the daemon knows that it is captured.
    var isCaptured = false
    /// Whether it is being fired again, as was asked for.
    var isAgain = false
    /// Whether the record of a frame that is not captured asks for it to be fired again. A shoot that could not be
    /// recorded may have done so before.
    var isAgainRecorded = false
    var isSuspect = false
    /// Whether it was fired again for its picture's sake.
    var wasSuspectFired = false

    /// How often the shutter went for it, at a speed that can count.
    var exposures: Int { right + excused }

    init(planned: ShutterSpeed) { self.planned = planned }

    mutating func died(_ row: FrameRow?, isRecordRequired: Bool) {
        guard let row, row.outcome.isCaptured else {
            isCaptured = false
            isAgain = false
            // What the next process makes of it is the same doubt.
            isUnknown = row?.outcome == .attempting || row?.outcome == .unknown
            isOwed = row?.outcome == .exposed || row?.outcome == .lost
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
