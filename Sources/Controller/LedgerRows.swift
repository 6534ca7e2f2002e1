import Exposure

/// When something happened: by this daemon's clock, or, read from the ledger, by the calendar.
package enum Moment: Codable, Hashable, Sendable {
    /// Since the daemon's clock origin. Who writes it down knows what time it was then.
    case clock(Duration)
    /// Milliseconds since 1970-01-01 00:00 UTC.
    case wall(milliseconds: Int64)
}

/// What is known of a frame, in the ledger's words.
package enum FrameState: String, Codable, CaseIterable, Hashable, Sendable {
    case planned
    /// About to be fired, or being fired.
    case attempting
    /// The camera reported the picture, which is kept here alone; not every file of it is durable yet.
    case exposed
    /// The camera reported the picture, and its only copy is gone.
    case lost
    /// The picture is where it is meant to be kept.
    case captured
    /// Captured, and its picture is what was planned.
    case verified
    /// Captured, and its picture is not what was planned.
    case suspect
    /// The shutter may have fired.
    case unknown
    /// It came to nothing, and nothing was exposed.
    case failed
}

/// How a shoot ended.
package enum ShootOutcome: String, Codable, CaseIterable, Hashable, Sendable {
    case completed, partial, cancelled
    /// The daemon ended before the shoot did.
    case interrupted
}

/// Who began a shoot.
package enum ShootTrigger: Codable, Hashable, Sendable {
    case client, button
}

/// What dropped the frames that a shoot lacks.
package enum Dismissal: Codable, Hashable, Sendable {
    /// A client's request to drop them.
    case request
    /// The begin of another shoot, which has this number: a later one, or an older one that is retried or resumed.
    case shoot(Int, by: ShootTrigger)
    /// The version of bracketd that dropped them did not record it.
    case unrecorded
}

/// A shoot that lacks frames.
package struct UnfinishedShoot: Hashable, Sendable {
    package var id: Int
    /// How many of its exposures were not captured.
    package var missing: Int
    package var total: Int
}

/// Something out of the ordinary in a shoot, as it is kept.
package struct Incident: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, CaseIterable, Hashable, Sendable {
        /// The shoot waited.
        case paused
        /// The daemon ended before the shoot did.
        case interrupted
        /// The shutter of a frame may have been released.
        case inDoubt = "in-doubt"
        /// A frame was released once more.
        case firedAgain = "fired-again"
    }

    /// Why it happened.
    package enum Reason: String, Codable, CaseIterable, Hashable, Sendable {
        /// A client or the button asked for it.
        case command
        case linkLost = "link-lost"
        case wifiSwitched = "wifi-switched"
        case cameraNotFit = "camera-not-fit"
        case notRecorded = "not-recorded"
        /// The daemon ended.
        case interrupted
        /// The camera took the shutter command and reported no picture.
        case noPicture = "no-picture"
        /// The camera did not report whether the frame was fired.
        case inDoubt = "in-doubt"
        /// The picture of the frame is not what was planned.
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
    /// The frame in work, an index into the plan's frames; nil: before the first.
    package var frame: Int?
    /// Of a doubt; nil: it is not resolved.
    package var outcome: Outcome?
    /// Nil: not known, or not recorded yet.
    package var began: Moment?
    /// Nil: it is not over, or it took no time.
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

/// What the user had ordered of a shoot that was then interrupted. Such a shoot does not go on by itself.
package enum RequestedStop: String, Codable, CaseIterable, Hashable, Sendable {
    /// It was paused, or was to pause.
    case pause
    /// It was to end when its frame was over.
    case cancel

    /// Why the shoot ended, for people.
    package var sentence: String {
        switch self {
        case .pause: "The user paused it."
        case .cancel: "The user ordered it to end after the frame."
        }
    }
}

/// A shoot, as it is kept.
package struct ShootRow: Codable, Hashable, Sendable {
    package var id: Int
    /// What was asked for.
    package var request: PlanRequest
    /// The plan in the words of the command line.
    package var headline: String
    /// Which body; see ``Cameras/CameraIdentity/id``.
    package var cameraID: String
    /// The body as people call it.
    package var cameraName: String
    package var began: Moment
    /// Nil: it goes on, or did when the daemon ended.
    package var ended: Moment?
    package var outcome: ShootOutcome?
    /// Why it ended early.
    package var cause: String?
    /// What the user had ordered when it was interrupted; nil: nothing.
    package var requestedStop: RequestedStop?
    /// What dropped the frames that it lacks; nil: they can still be fired.
    package var dismissal: Dismissal?
    /// What was out of the ordinary, in the order in which it began; a list of shoots leaves it out.
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

/// A planned frame, as it is kept.
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
    /// When the picture was where it is meant to be kept: when the camera reported it, or when its files were durable
    /// here, where the camera keeps none.
    package var captured: Moment?
    /// How many shots the camera had left before it was fired; nil: not known for certain.
    package var shotsLeft: Int?
    /// Its pictures' files that are here, below the configured folder.
    package var files: [String]
    /// When the newest of these pictures was taken, by the camera's clock, in seconds since 1970; nil: not known.
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

    /// Whether there is something to fire for it: it was not captured, or its second firing was not.
    package var isWanted: Bool { !outcome.isCaptured || again.map { !$0.isCaptured } ?? (outcome == .suspect) }
}

/// A setting of a camera that a shoot changes, and how it stood before.
package struct SettingRow: Codable, Hashable, Sendable {
    package var cameraID: String
    package var cameraName: String
    /// See ``Cameras/CameraProperty``: `shutter-speed`.
    package var property: String
    /// What is to be put back.
    package var original: String
    /// What shoots were to set it to since: another value is a person's. Empty: nobody wrote it down.
    package var values: [String]

    package init(cameraID: String, cameraName: String, property: String, original: String, values: [String] = []) {
        self.cameraID = cameraID
        self.cameraName = cameraName
        self.property = property
        self.original = original
        self.values = values
    }
}

/// A camera that was met.
package struct CameraRow: Codable, Hashable, Sendable {
    /// See ``Cameras/CameraIdentity/id``.
    package var id: String
    package var maker: String
    package var model: String
    package var firmware: String
    /// `HOST:PORT`.
    package var address: String
    /// The network's name; nil: not known.
    package var network: String?

    package init(id: String, maker: String, model: String, firmware: String, address: String, network: String? = nil) {
        self.id = id
        self.maker = maker
        self.model = model
        self.firmware = firmware
        self.address = address
        self.network = network
    }
}

/// How long something took with a body, over one link.
package struct TimingRow: Codable, Hashable, Sendable {
    package enum Step: String, Codable, CaseIterable, Hashable, Sendable {
        /// From the command to set a speed to the body's taking it.
        case set
        /// From there to the body's showing it.
        case confirm
        /// From the body's taking the shutter command until it was idle, less the exposure.
        case release
        /// A whole frame, from the command to set its speed until the body was idle, less the exposure.
        case frame
    }

    package var cameraID: String
    /// By what the body was reached: its address without the port.
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

/// What names a frame in the ledger.
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

/// What names a setting in the ledger.
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

/// Rows to be written: each whole, and by its key, so that of several states of one thing only the last is written.
package struct LedgerRows: Equatable, Sendable {
    package var shoots: [Int: ShootRow] = [:]
    package var frames: [FrameKey: FrameRow] = [:]
    /// `nil` as the value: it was put back, and is to be forgotten.
    package var settings: [SettingKey: SettingRow?] = [:]
    package var cameras: [String: CameraRow] = [:]
    /// Only ever added.
    package var timings: [TimingRow] = []

    package init() {}

    package var isEmpty: Bool {
        shoots.isEmpty && frames.isEmpty && settings.isEmpty && cameras.isEmpty && timings.isEmpty
    }

    /// Takes newer rows in.
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
    /// Whether it has to survive a power cut once it is answered, and all before it too. Else it survives the end of
    /// the process only.
    package var isDurable: Bool

    package init(rows: LedgerRows, isDurable: Bool) {
        self.rows = rows
        self.isDurable = isDurable
    }
}

/// What the host is to do with the ledger, in this order and away from the loop. Each is answered once, as
/// ``Input/ledger(_:)``.
package enum LedgerEffect: Equatable, Sendable {
    /// Answered by `.opened` or `.unavailable`.
    case open
    /// Answered by `.committed` or `.failed`.
    case commit(LedgerCommit)
    /// Answered by `.read`.
    case read(RequestID, LedgerQuery)
}

/// What a client asks of the ledger.
package enum LedgerQuery: Codable, Hashable, Sendable {
    /// The newest shoots, the newest first: at most so many, and only those before a shoot.
    case shoots(limit: Int, before: Int?)
    case shoot(Int)
}

package enum LedgerAnswer: Codable, Equatable, Sendable {
    case shoots([ShootSummary])
    /// Nil: there is none of this number. Frames in the plan's order.
    case shoot(ShootRow, [FrameRow])
    case noShoot(Int)
    /// It cannot be read; the sentence says why.
    case failed(String)
}

/// A shoot in a list.
package struct ShootSummary: Codable, Equatable, Sendable {
    package var shoot: ShootRow
    /// How many frames the camera reported pictures of, and how many were planned.
    package var captured: Int
    package var total: Int

    package init(shoot: ShootRow, captured: Int, total: Int) {
        self.shoot = shoot
        self.captured = captured
        self.total = total
    }
}

/// What the ledger has to say.
package enum LedgerNews: Codable, Equatable, Sendable {
    /// It is open, and this is what an earlier run left in it.
    case opened(LedgerContents)
    /// It cannot be used; the sentence says what, where and what to do.
    case unavailable(String)
    case committed
    /// Nothing of the commit is written; the sentence says why.
    case failed(String)
    case read(RequestID, LedgerAnswer)
    /// What its disk has room for has changed.
    case room(freeBytes: Int64)
}

/// What the core takes from the ledger when it is opened.
package struct LedgerContents: Codable, Equatable, Sendable {
    /// The greatest number of a shoot; 0: none.
    package var lastShoot = 0
    /// The newest shoot that was interrupted or has frames to fire, and was not dropped, with its frames.
    package var unfinished: Unfinished?
    package var settings: [SettingRow] = []
    /// The one that was connected last comes last.
    package var cameras: [CameraRow] = []
    /// The last of each camera, link and step, oldest first: ``timingsMax`` at most.
    package var timings: [TimingRow] = []
    /// What a person should know: that a damaged file was moved aside.
    package var notice: String?

    package struct Unfinished: Codable, Equatable, Sendable {
        package var shoot: ShootRow
        package var frames: [FrameRow]
        /// Whether the last changes of the ledger are known to be lost: frames may have been fired that it has as
        /// planned.
        package var isRecordIncomplete: Bool

        package init(shoot: ShootRow, frames: [FrameRow], isRecordIncomplete: Bool = false) {
            self.shoot = shoot
            self.frames = frames
            self.isRecordIncomplete = isRecordIncomplete
        }
    }

    /// Why a shoot that an earlier run left open ended, where the ledger does not know better.
    package static let interruptedSentence = "The daemon ended before the shoot ended."
    /// How many timings of one camera, link and step are kept.
    package static let timingsMax = 200

    package init() {}
}
