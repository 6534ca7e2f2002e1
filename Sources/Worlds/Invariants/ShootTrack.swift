import Bodies
import Cameras
import Controller
import Exposure

/// A shoot with the true result of each frame.
struct ShootTrack: Sendable {
    let id: Int
    /// The start time by the world's clock, in milliseconds. It distinguishes shoots, because a shoot without a record
    /// leaves its number free.
    let began: Int64
    let camera: String
    var frames: [FrameTrack]
    /// The frame of the last attempt to release the shutter. After the end of a process: the last captured frame.
    var lastReleased: Int?
    /// The frames that the user requested again.
    var redone: [Int] = []
    var isCancelAsked = false
    /// Whether a process ended without a record of this shoot in the ledger.
    var isForgotten = false

    init(_ shoot: Shoot) {
        id = shoot.id
        began = shoot.began.milliseconds
        camera = shoot.camera.id
        frames = shoot.plan.frames.map { FrameTrack(planned: $0.speed) }
    }

    /// Adopts the frames that a bracket that finds its own range added.
    mutating func adoptNewFrames(of shoot: Shoot) {
        frames += shoot.plan.frames.dropFirst(frames.count).map { FrameTrack(planned: $0.speed) }
    }

    /// A shoot from before the start of the watcher, which trusts the shoot's record.
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

/// A planned frame with its true result.
struct FrameTrack: Sendable {
    let planned: ShutterSpeed
    /// The number of exposures at the planned speed.
    var right = 0
    /// The number of exposures at another speed, which the body showed only later. Exposures of an unrecorded shoot
    /// also count here if the camera's counter includes them.
    var excusedCount = 0
    /// The number of all other exposures for the frame.
    var wrong = 0
    /// The pictures of the exposures in `right` and `excusedCount`.
    var pictures: [CardFrame] = []
    /// Whether the daemon waits for the picture, or reported it as lost. One more exposure is then allowed.
    var isExpected = false
    /// The number of times that the frame's exposure was in doubt.
    var doubts = 0
    /// Whether the frame's exposure is in doubt now.
    var isUnknown = false
    /// Whether the frame's exposure was in doubt when a process ended.
    var wasLeftInDoubt = false
    /// The number of additional exposures that are allowed for reasons other than `doubts`.
    var permits = 0
    /// Whether the daemon counts the frame as captured.
    var isCaptured = false
    /// Whether the daemon fires the frame again on request.
    var isAgain = false
    /// Whether the record of an uncaptured frame shows a request to fire it again. An unrecorded shoot can have fired
    /// it again already.
    var isAgainRecorded = false
    var isSuspect = false
    /// Whether the frame was fired again because its picture was suspect.
    var wasSuspectFired = false

    /// The number of exposures that can count as the frame.
    var exposures: Int { right + excusedCount }

    init(planned: ShutterSpeed) { self.planned = planned }

    mutating func died(_ row: FrameRow?, isRecordRequired: Bool) {
        guard let row, row.outcome.isCaptured else {
            isCaptured = false
            isAgain = false
            // The next process has the same doubt about the exposure.
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
