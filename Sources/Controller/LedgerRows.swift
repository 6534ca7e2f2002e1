import Cameras
import Exposure

/// The time of an event: by the daemon's clock for a new event, by the calendar for an event from the ledger.
package enum Moment: Codable, Hashable, Sendable {
    /// The time since the origin of the daemon's clock. The host converts this time when it writes the row.
    case clock(Duration)
    /// Milliseconds since 1970-01-01 00:00 UTC.
    case wall(milliseconds: Int64)
}

/// The state of a frame, as the ledger records it.
package enum FrameState: String, Codable, CaseIterable, Hashable, Sendable {
    case planned
    /// The frame is being fired, or will be fired at once.
    case attempting
    /// The camera reported the picture and keeps no copy, and not every file is durable on this computer yet.
    case exposed
    /// The camera reported the picture, and no copy exists.
    case lost
    /// The picture is stored at its final place: in the camera, or on this computer.
    case captured
    /// The picture is captured, and its EXIF data match the plan.
    case verified
    /// The picture is captured, and its EXIF data do not match the plan.
    case suspect
    /// The shutter may have opened.
    case unknown
    /// The frame failed, and the camera made no exposure.
    case failed
}

/// How a shoot ended.
package enum ShootOutcome: String, Codable, CaseIterable, Hashable, Sendable {
    case completed, partial, cancelled
    /// The daemon ended before the shoot ended.
    case interrupted
}

/// The part that requested a shoot.
package enum ShootTrigger: Codable, Hashable, Sendable {
    case client, button
}

/// The reason why the missing frames of a shoot were dropped.
package enum Dismissal: Codable, Hashable, Sendable {
    /// A client requested to drop the frames.
    case request
    /// Another shoot with this number started: a new shoot, or an older one that was retried or resumed.
    case shoot(Int, by: ShootTrigger)
    /// An early version of bracketd dropped the frames, and did not record the reason.
    case unrecorded
}

/// A shoot with missing frames.
package struct UnfinishedShoot: Hashable, Sendable {
    package var id: Int
    /// The number of exposures that were not captured.
    package var missing: Int
    package var total: Int
}

/// A shoot, as the ledger records it.
package struct ShootRow: Codable, Hashable, Sendable {
    package var id: Int
    /// The requested plan.
    package var request: PlanRequest
    /// The plan as text, in the form of the command line.
    package var headline: String
    /// The id of the body; see ``Cameras/CameraIdentity/id``.
    package var cameraID: String
    /// The body's name for users.
    package var cameraName: String
    package var began: Moment
    /// When the shoot ended; nil: it is running, or it was running when the daemon ended.
    package var ended: Moment?
    package var outcome: ShootOutcome?
    /// Why the shoot ended before its last frame; nil: the shoot did not end early.
    package var cause: String?
    /// The user's request to pause or cancel before the interruption; nil: there was none.
    package var requestedStop: RequestedStop?
    /// Why the missing frames were dropped; nil: they can still be fired.
    package var dismissal: Dismissal?
    /// The incidents, in the order of their beginnings. In a list of shoots this is empty.
    package var incidents: [Incident] = []

    package var isDismissed: Bool { dismissal != nil }
}

extension ShootRow {
    /// Creates the row of a shoot that has not ended.
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

/// A planned frame, as the ledger records it.
package struct FrameRow: Codable, Hashable, Sendable {
    package var shoot: Int
    /// The index of the frame in the plan.
    package var index: Int
    package var planned: PlannedFrame
    package var outcome = FrameState.planned
    /// The state of the second exposure of this frame; nil: there is no second exposure.
    package var again: FrameState?
    /// The sentence that says why the picture is suspect or lost; nil: it is neither.
    package var doubt: String?
    /// The time immediately before the frame was last fired.
    package var attempted: Moment?
    /// The time at which the camera reported the picture. If the camera keeps no copy, this is the time at which the
    /// files became durable on this computer.
    package var captured: Moment?
    /// The shot counter before the frame; nil: not known for certain.
    package var shotsLeft: Int?
    /// The paths of the frame's files on this computer, relative to the configured folder.
    package var files: [String] = []
    /// When the newest of these files was captured, in seconds since 1970 by the camera's clock; nil: not known.
    package var taken: Int?

    /// Whether the frame must be fired: it is not captured, is suspect and not fired again, or was fired again without
    /// a captured picture.
    package var isWanted: Bool { !outcome.isCaptured || again.map { !$0.isCaptured } ?? (outcome == .suspect) }
}

extension FrameRow {
    package init(shoot: Int, index: Int, planned: PlannedFrame, outcome: FrameState) {
        (self.shoot, self.index, self.planned, self.outcome) = (shoot, index, planned, outcome)
    }
}

/// A setting of a camera that a shoot changes, and the value from before the shoot.
package struct SettingRow: Codable, Hashable, Sendable {
    package var cameraID: String
    package var cameraName: String
    /// The name of the property, such as `shutter-speed`; see ``Cameras/CameraProperty``.
    package var property: String
    /// The value to restore.
    package var original: String
    /// The values that shoots may have set since then; empty: not recorded. Only the user can have set another value.
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
    /// The id of the camera; see ``Cameras/CameraIdentity/id``.
    package var id: String
    package var maker: String
    package var model: String
    package var firmware: String
    /// The address in the form `HOST:PORT`.
    package var address: String
    /// The protocol of the session at this address; nil: not known, so the port decides.
    package var `protocol`: CameraProtocol?
    /// The path of the camera's service; nil: not known. See ``Cameras/CameraOffer/path``.
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

/// The measured time of one step, on one body over one link.
package struct TimingRow: Codable, Hashable, Sendable {
    package enum Step: String, Codable, CaseIterable, Hashable, Sendable {
        /// The time from the command to set a speed until the body accepts the speed.
        case set
        /// The time from the accepted speed until the body reports this speed.
        case confirm
        /// The time from the accepted shutter command until the body is idle, without the exposure.
        case release
        /// The time from the command to set a frame's speed until the body is idle, without the exposure.
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

/// Rows to write, by their keys. Each row is complete, and replaces an older row with the same key.
package struct LedgerRows: Equatable, Sendable {
    package var shoots: [Int: ShootRow] = [:]
    package var frames: [FrameKey: FrameRow] = [:]
    /// The settings to restore. The value nil deletes the row of a setting.
    package var settings: [SettingKey: SettingRow?] = [:]
    package var cameras: [String: CameraRow] = [:]
    /// The new timings. A timing never replaces an older row.
    package var timings: [TimingRow] = []

    package init() {}

    package var isEmpty: Bool {
        shoots.isEmpty && frames.isEmpty && settings.isEmpty && cameras.isEmpty && timings.isEmpty
    }

    /// Merges newer rows into these rows.
    package mutating func merge(_ newer: LedgerRows) {
        shoots.merge(newer.shoots) { $1 }
        frames.merge(newer.frames) { $1 }
        settings.merge(newer.settings) { $1 }
        cameras.merge(newer.cameras) { $1 }
        timings += newer.timings
    }
}
