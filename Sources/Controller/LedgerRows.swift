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
    package var incidents: [Incident] = []

    package var isDismissed: Bool { dismissal != nil }
}

extension ShootRow {
    /// A shoot that has not ended.
    package init(
        id: Int,
        request: PlanRequest,
        headline: String,
        cameraID: String,
        cameraName: String,
        began: Moment
    ) {
        (self.id, self.request, self.headline) = (id, request, headline)
        (self.cameraID, self.cameraName, self.began) = (cameraID, cameraName, began)
    }
}

/// A planned frame, as recorded.
package struct FrameRow: Codable, Hashable, Sendable {
    package var shoot: Int
    /// An index into the plan's frames.
    package var index: Int
    package var planned: PlannedFrame
    package var outcome = FrameState.planned
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
    package var files: [String] = []
    /// The time of the newest of these pictures by the camera's clock, in seconds since 1970; nil: not known.
    package var taken: Int?

    /// Whether the frame is to be fired: it was not captured, or its second firing was not.
    package var isWanted: Bool { !outcome.isCaptured || again.map { !$0.isCaptured } ?? (outcome == .suspect) }
}

extension FrameRow {
    package init(shoot: Int, index: Int, planned: PlannedFrame, outcome: FrameState) {
        (self.shoot, self.index, self.planned, self.outcome) = (shoot, index, planned, outcome)
    }
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
