import Cameras
import Exposure

/// When something happened: by this daemon's clock, or, when read from the ledger, by the calendar.
package enum Moment: Codable, Hashable, Sendable {
    /// Since the origin of the daemon's clock. The host converts it when it writes it.
    case clock(Duration)
    /// Milliseconds since 1970-01-01 00:00 UTC.
    case wall(milliseconds: Int64)
}

/// What is known of a frame, in the ledger's terms.
package enum FrameState: String, Codable, CaseIterable, Hashable, Sendable {
    case planned
    /// About to be fired, or being fired.
    case attempting
    /// The camera reported the picture. Its only copy is meant for this computer, and not every file of it is durable
    /// yet.
    case exposed
    /// The camera reported the picture, and its only copy is gone.
    case lost
    /// The picture is where it is to be kept.
    case captured
    /// Captured, and the picture matches the plan.
    case verified
    /// Captured, and the picture does not match the plan.
    case suspect
    /// The shutter may have fired.
    case unknown
    /// It failed, and nothing was exposed.
    case failed
}

/// How a shoot ended.
package enum ShootOutcome: String, Codable, CaseIterable, Hashable, Sendable {
    case completed, partial, cancelled
    /// The daemon ended before the shoot ended.
    case interrupted
}

/// Who started a shoot.
package enum ShootTrigger: Codable, Hashable, Sendable {
    case client, button
}

/// What dropped the missing frames of a shoot.
package enum Dismissal: Codable, Hashable, Sendable {
    /// A client's request to drop them.
    case request
    /// The start of another shoot with this number: a later one, or an older one that is retried or resumed.
    case shoot(Int, by: ShootTrigger)
    /// A version of bracketd that did not record the reason.
    case unrecorded
}

/// A shoot with missing frames.
package struct UnfinishedShoot: Hashable, Sendable {
    package var id: Int
    /// The number of exposures that were not captured.
    package var missing: Int
    package var total: Int
}

/// Something unusual in a shoot, as recorded.
package struct Incident: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, CaseIterable, Hashable, Sendable {
        /// The shoot was paused.
        case paused
        /// The daemon ended before the shoot ended.
        case interrupted
        /// The shutter of a frame may have been released.
        case inDoubt = "in-doubt"
        /// A frame was fired once more.
        case firedAgain = "fired-again"
    }

    /// Why it happened.
    package enum Reason: String, Codable, CaseIterable, Hashable, Sendable {
        /// A client or the button requested it.
        case command
        case linkLost = "link-lost"
        case wifiSwitched = "wifi-switched"
        case cameraNotFit = "camera-not-fit"
        case notRecorded = "not-recorded"
        /// The daemon ended.
        case interrupted
        /// The camera accepted the shutter command and reported no picture.
        case noPicture = "no-picture"
        /// The camera did not report whether the frame was fired.
        case inDoubt = "in-doubt"
        /// The picture of the frame does not match the plan.
        case suspect
    }

    /// The outcome of a doubt.
    package enum Outcome: String, Codable, CaseIterable, Hashable, Sendable {
        case fired
        case notFired = "not-fired"
        /// The camera did not report it.
        case unknown
    }

    package var kind: Kind
    package var reason: Reason
    /// The current frame, an index into the plan's frames; nil: before the first.
    package var frame: Int?
    /// Of a doubt; nil: it is not resolved.
    package var outcome: Outcome?
    /// Nil: not known, or not recorded yet.
    package var began: Moment?
    /// Nil: it has not ended, or it took no time.
    package var ended: Moment?

    package init(
        _ kind: Kind,
        _ reason: Reason,
        frame: Int?,
        outcome: Outcome? = nil,
        began: Moment? = nil,
        ended: Moment? = nil
    ) {
        self.kind = kind
        self.reason = reason
        self.frame = frame
        self.outcome = outcome
        self.began = began
        self.ended = ended
    }
}

/// The user's order for a shoot that was then interrupted. Such a shoot does not resume without a request.
package enum RequestedStop: String, Codable, CaseIterable, Hashable, Sendable {
    /// It was paused, or was to pause.
    case pause
    /// It was to end after the current frame.
    case cancel

    /// Why the shoot ended, for users.
    package var sentence: String {
        switch self {
        case .pause: "The user paused it."
        case .cancel: "The user ordered it to end after the frame."
        }
    }
}

/// A shoot, as recorded.
package struct ShootRow: Codable, Hashable, Sendable {
    package var id: Int
    /// The requested plan.
    package var request: PlanRequest
    /// The plan in the words of the command line.
    package var headline: String
    /// The body; see ``Cameras/CameraIdentity/id``.
    package var cameraID: String
    /// The body's name for users.
    package var cameraName: String
    package var began: Moment
    /// Nil: it runs, or did when the daemon ended.
    package var ended: Moment?
    package var outcome: ShootOutcome?
    /// Why it ended early.
    package var cause: String?
    /// The user's order when it was interrupted; nil: none.
    package var requestedStop: RequestedStop?
    /// What dropped the missing frames; nil: they can still be fired.
    package var dismissal: Dismissal?
    /// What was unusual, in the order of its beginning; a list of shoots leaves it out.
    package var incidents: [Incident]

    package init(
        id: Int,
        request: PlanRequest,
        headline: String,
        cameraID: String,
        cameraName: String,
        began: Moment,
        ended: Moment? = nil,
        outcome: ShootOutcome? = nil,
        cause: String? = nil,
        requestedStop: RequestedStop? = nil,
        dismissal: Dismissal? = nil,
        incidents: [Incident] = []
    ) {
        self.id = id
        self.request = request
        self.headline = headline
        self.cameraID = cameraID
        self.cameraName = cameraName
        self.began = began
        self.ended = ended
        self.outcome = outcome
        self.cause = cause
        self.requestedStop = requestedStop
        self.dismissal = dismissal
        self.incidents = incidents
    }

    package var isDismissed: Bool { dismissal != nil }
}

/// A planned frame, as recorded.
package struct FrameRow: Codable, Hashable, Sendable {
    package var shoot: Int
    /// An index into the plan's frames.
    package var index: Int
    package var planned: PlannedFrame
    package var outcome: FrameState
    /// What is known of its second firing; nil: there is none.
    package var again: FrameState?
    /// Why it is suspect or lost, in a sentence.
    package var doubt: String?
    /// When it was about to be fired last.
    package var attempted: Moment?
    /// When the picture was where it is to be kept: when the camera reported it, or, if the camera keeps none, when its
    /// files were durable here.
    package var captured: Moment?
    /// The shot counter before the frame; nil: not certain.
    package var shotsLeft: Int?
    /// The files of its pictures on this computer, below the configured folder.
    package var files: [String]
    /// The time of the newest of these pictures by the camera's clock, in seconds since 1970; nil: not known.
    package var taken: Int?

    package init(
        shoot: Int,
        index: Int,
        planned: PlannedFrame,
        outcome: FrameState = .planned,
        again: FrameState? = nil,
        doubt: String? = nil,
        attempted: Moment? = nil,
        captured: Moment? = nil,
        shotsLeft: Int? = nil,
        files: [String] = [],
        taken: Int? = nil
    ) {
        self.shoot = shoot
        self.index = index
        self.planned = planned
        self.outcome = outcome
        self.again = again
        self.doubt = doubt
        self.attempted = attempted
        self.captured = captured
        self.shotsLeft = shotsLeft
        self.files = files
        self.taken = taken
    }

    /// Whether the frame is to be fired: it was not captured, or its second firing was not.
    package var isWanted: Bool { !outcome.isCaptured || again.map { !$0.isCaptured } ?? (outcome == .suspect) }
}

/// A setting of a camera that a shoot changes, and its value before.
package struct SettingRow: Codable, Hashable, Sendable {
    package var cameraID: String
    package var cameraName: String
    /// See ``Cameras/CameraProperty``: `shutter-speed`.
    package var property: String
    /// The value to restore.
    package var original: String
    /// The values that shoots were to set since: another value is the user's. Empty: they were not recorded.
    package var values: [String]

    package init(cameraID: String, cameraName: String, property: String, original: String, values: [String] = []) {
        self.cameraID = cameraID
        self.cameraName = cameraName
        self.property = property
        self.original = original
        self.values = values
    }
}

/// A camera that was connected.
package struct CameraRow: Codable, Hashable, Sendable {
    /// See ``Cameras/CameraIdentity/id``.
    package var id: String
    package var maker: String
    package var model: String
    package var firmware: String
    /// `HOST:PORT`.
    package var address: String
    /// By which it was called there; nil: not known, as the port is used.
    package var `protocol`: CameraProtocol?
    /// See ``Cameras/CameraOffer/path``; nil: not known.
    package var path: String?
    /// The network's name; nil: not known.
    package var network: String?

    package init(
        id: String,
        maker: String,
        model: String,
        firmware: String,
        address: String,
        protocol: CameraProtocol? = nil,
        path: String? = nil,
        network: String? = nil
    ) {
        self.id = id
        self.maker = maker
        self.model = model
        self.firmware = firmware
        self.address = address
        self.protocol = `protocol`
        self.path = path
        self.network = network
    }
}

/// The time of one step on a body, over one link.
package struct TimingRow: Codable, Hashable, Sendable {
    package enum Step: String, Codable, CaseIterable, Hashable, Sendable {
        /// From the command to set a speed until the body accepts it.
        case set
        /// From there until the body shows it.
        case confirm
        /// From the accepted shutter command until the body was idle, less the exposure.
        case release
        /// A whole frame, from the command to set its speed until the body was idle, less the exposure.
        case frame
    }

    package var cameraID: String
    /// The link to the body: its address without the port.
    package var link: String
    package var step: Step
    package var milliseconds: Int
    package var at: Moment

    package init(cameraID: String, link: String, step: Step, milliseconds: Int, at: Moment) {
        self.cameraID = cameraID
        self.link = link
        self.step = step
        self.milliseconds = milliseconds
        self.at = at
    }
}

/// The key of a frame in the ledger.
package struct FrameKey: Hashable, Comparable, Sendable {
    package var shoot: Int
    package var index: Int

    package init(shoot: Int, index: Int) {
        self.shoot = shoot
        self.index = index
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.shoot, left.index) < (right.shoot, right.index)
    }
}

/// The key of a setting in the ledger.
package struct SettingKey: Hashable, Comparable, Sendable {
    package var cameraID: String
    package var property: String

    package init(cameraID: String, property: String) {
        self.cameraID = cameraID
        self.property = property
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.cameraID, left.property) < (right.cameraID, right.property)
    }
}

/// Rows to write, each complete and by its key. Of several states of one thing only the last is written.
package struct LedgerRows: Equatable, Sendable {
    package var shoots: [Int: ShootRow] = [:]
    package var frames: [FrameKey: FrameRow] = [:]
    /// `nil` as the value: it was restored, and its row is deleted.
    package var settings: [SettingKey: SettingRow?] = [:]
    package var cameras: [String: CameraRow] = [:]
    /// Rows are only added.
    package var timings: [TimingRow] = []

    package init() {}

    package var isEmpty: Bool {
        shoots.isEmpty && frames.isEmpty && settings.isEmpty && cameras.isEmpty && timings.isEmpty
    }

    /// Adopts newer rows.
    package mutating func merge(_ newer: LedgerRows) {
        shoots.merge(newer.shoots) { $1 }
        frames.merge(newer.frames) { $1 }
        settings.merge(newer.settings) { $1 }
        cameras.merge(newer.cameras) { $1 }
        timings += newer.timings
    }
}

/// Rows that are written all or none.
package struct LedgerCommit: Equatable, Sendable {
    package var rows: LedgerRows
    /// Whether this commit and all before it must survive a power cut once it is answered. Otherwise they survive only
    /// the end of the process.
    package var isDurable: Bool

    package init(rows: LedgerRows, isDurable: Bool) {
        self.rows = rows
        self.isDurable = isDurable
    }
}

/// An action of the host for the ledger, in this order and away from the loop. Each is answered once, as
/// ``Input/ledger(_:)``.
package enum LedgerEffect: Equatable, Sendable {
    /// Answered by `.opened` or `.unavailable`.
    case open
    /// Answered by `.committed` or `.failed`.
    case commit(LedgerCommit)
    /// Answered by `.read`.
    case read(RequestID, LedgerQuery)
}

/// A client's query of the ledger.
package enum LedgerQuery: Codable, Hashable, Sendable {
    /// The newest shoots, the newest first: at most `limit`, and only those before a shoot.
    case shoots(limit: Int, before: Int?)
    case shoot(Int)
}

package enum LedgerAnswer: Codable, Equatable, Sendable {
    case shoots([ShootSummary])
    /// Nil: no shoot has this number. Frames in the plan's order.
    case shoot(ShootRow, [FrameRow])
    case noShoot(Int)
    /// It cannot be read; the sentence says why.
    case failed(String)
}

/// A shoot in a list.
package struct ShootSummary: Codable, Equatable, Sendable {
    package var shoot: ShootRow
    /// The number of frames whose pictures the camera reported, and the number of planned frames.
    package var captured: Int
    package var total: Int

    package init(shoot: ShootRow, captured: Int, total: Int) {
        self.shoot = shoot
        self.captured = captured
        self.total = total
    }
}

/// A report of the ledger.
package enum LedgerNews: Codable, Equatable, Sendable {
    /// It is open, and this is what an earlier run left in it.
    case opened(LedgerContents)
    /// It cannot be used; the sentence says what, where and what to do.
    case unavailable(String)
    case committed
    /// Nothing of the commit is written; the sentence says why.
    case failed(String)
    case read(RequestID, LedgerAnswer)
    /// The free space on its disk has changed.
    case room(freeBytes: Int64)
}

/// What the core reads from the ledger when it opens.
package struct LedgerContents: Codable, Equatable, Sendable {
    /// The greatest number of a shoot; 0: none.
    package var lastShoot = 0
    /// The newest shoot, with its frames, that was interrupted or has frames to fire, and was not dropped.
    package var unfinished: Unfinished?
    package var settings: [SettingRow] = []
    /// The camera that was connected last is the last one.
    package var cameras: [CameraRow] = []
    /// The last of each camera, link and step, oldest first: ``timingsMax`` at most.
    package var timings: [TimingRow] = []
    /// A report for the user, such as that a damaged file was moved aside.
    package var notice: String?

    package struct Unfinished: Codable, Equatable, Sendable {
        package var shoot: ShootRow
        package var frames: [FrameRow]
        /// Whether the last changes of the ledger are known to be lost: it may show fired frames as planned.
        package var isRecordIncomplete: Bool

        package init(shoot: ShootRow, frames: [FrameRow], isRecordIncomplete: Bool = false) {
            self.shoot = shoot
            self.frames = frames
            self.isRecordIncomplete = isRecordIncomplete
        }
    }

    /// The cause of a shoot that an earlier run left open, if the ledger has no other.
    package static let interruptedSentence = "The daemon ended before the shoot ended."
    /// The limit of stored timings for each camera, link and step.
    package static let timingsMax = 200

    package init() {}
}
