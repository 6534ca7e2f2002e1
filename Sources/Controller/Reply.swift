import Cameras
import Exposure

/// An answer to a client: the results of the methods of `io.bracketd`.
package enum Reply: Equatable, Sendable {
    case status(StatusReport)
    case plan(PlanReport)
    case progress(Progress)
    case transition(TransitionReport)
    case camera(CameraReport)
    /// The property was set, and the camera shows it.
    case property(PropertyState)
    case photos(PhotosReport)
    /// A new picture, or a new result for one.
    case photo(PhotoReport)
    case ledger(LedgerAnswer)
    case preflight(PreflightReport)
    /// In the order in which a user would repair.
    case checks([Check])
    /// Sorted: the connected camera, the announced ones, the known ones.
    case cameras([CameraEntry])
    /// Pause, Resume, Cancel, Dismiss, Redo: accepted.
    case done
    /// The camera is disconnected. The sentence has its settings that are still to be restored; nil: none.
    case disconnected(settings: String?)
}

/// Why a request was refused; the errors of `io.bracketd`. Nothing was changed.
package enum RequestError: Error, Equatable, Sendable {
    case notConnected(sentence: String)
    case invalidPlan(parameter: String, value: String, sentence: String)
    case planNotExact(warnings: [String], sentence: String)
    /// The plan of this hash is not known any more, or has changed.
    case planChanged(was: String, now: String?, sentence: String)
    case preflightFailed(checks: [Check], sentence: String)
    case notNow(command: String, state: String, sentence: String)
    /// A new shoot would drop frames, and the client did not request that.
    case framesMissing(UnfinishedShoot, sentence: String)
    /// The property cannot be set, or does not exist.
    case propertyRefused(property: String, value: String, sentence: String)
    /// The ledger has no shoot of this number.
    case noSuchShoot(id: Int, sentence: String)
    /// The ledger cannot be read, or is off.
    case ledgerUnavailable(sentence: String)
    /// The text matches no camera of the list, or more than one.
    case noSuchCamera(text: String, known: [String], sentence: String)
    /// The plan is armed only until the daemon ends.
    case planNotKept(sentence: String)
    case needsMore(method: String)
    case tooManyClients(limit: Int)
    case stopping
}

extension RequestError {
    /// The sentence for the user; nil: the error needs none.
    package var sentence: String? {
        switch self {
        case .notConnected(let sentence), .invalidPlan(_, _, let sentence), .planNotExact(_, let sentence),
            .planChanged(_, _, let sentence), .preflightFailed(_, let sentence), .notNow(_, _, let sentence),
            .propertyRefused(_, _, let sentence), .noSuchShoot(_, let sentence), .ledgerUnavailable(let sentence),
            .noSuchCamera(_, _, let sentence), .planNotKept(let sentence), .framesMissing(_, let sentence):
            sentence
        case .needsMore, .tooManyClients, .stopping: nil
        }
    }
}

/// A chart's present state. `state` is its main leaf, and `configuration` has all active leaves, by their names in the
/// chart.
package struct ChartState: Equatable, Sendable {
    package var name: String
    package var state: String
    package var configuration: [String]
    /// The SHA-256 of the chart's file, in hexadecimal digits.
    package var digest: String
}

package struct StatusReport: Equatable, Sendable {
    package var sentence: String
    package var charts: [ChartState]
    package var camera: String?
    package var shoot: Progress?
    /// What a press of the button fires, in words: the armed plan, or a shoot's missing frames. Nil: there is no
    /// button.
    package var armed: String?
}

/// Where a shoot is now. Sets and frames are counted from 1.
package struct Progress: Equatable, Sendable {
    package var shoot: Int
    package var captured: Int
    package var total: Int
    package var set: Int?
    package var frame: Int?
    package var speed: String?
    /// The shooting chart's main leaf.
    package var phase: String
    package var sentence: String
    /// How the shoot ended; nil while it runs.
    package var outcome: ShootOutcome?
    package var cause: String?
    /// The remaining time of the shoot; nil: it is over, or the time was not requested.
    package var remaining: Duration?
    /// The remaining time of the exposure; nil: the shutter is closed, or not open for long.
    package var exposureLeft: Duration?
    /// The result of restoring the camera's settings, in a sentence; nil: nothing was changed, or the shoot runs.
    package var settings: String?
}

package struct PlanReport: Equatable, Sendable {
    package var rangeEV: Double
    package var sets: [[String]]
    package var totalExposures: Int
    package var notes: [String]
    package var warnings: [String]
    package var estimateMilliseconds: Int
    package var estimateBasis: String
    /// The camera whose list of speeds was used to check the plan.
    package var checkedAgainst: String?
    /// The learned times of that camera; nil: none yet.
    package var timing: TimingReport?
    /// The name of this plan on this camera, see ``PlanIdentity/hash``.
    package var hash: String?
    /// The requested plan, with every default.
    package var input = PlanInput()
    /// In firing order.
    package var exposures: [PlannedFrame] = []
    /// The planned speeds that the camera lacks; nil without a camera.
    package var substitutes: [Substitute]?
    /// Other choices for the same range; nil: not requested.
    package var comparison: Comparison?
}

/// One transition of one chart, for clients that watch and for the journal.
package struct TransitionReport: Equatable, Sendable {
    /// Milliseconds of the daemon's clock.
    package var at: Int64
    package var chart: String
    package var event: String
    /// Leaves left and entered.
    package var from: [String]
    package var to: [String]
    package var shoot: Int?
    package var set: Int?
    package var frame: Int?
    package var speed: String?
    package var message: String
}

/// The connected camera, as reported to clients.
package struct CameraReport: Equatable, Sendable {
    package var identity: CameraIdentity
    package var address: CameraAddress
    package var status: CameraStatus
    /// The body's properties, in the order of ``Cameras/CameraProperty``.
    package var properties: [PropertyState] = []
    /// The learned times of the camera; nil: none yet.
    package var timing: TimingReport?
}

/// A known or announced camera in the list.
package struct CameraEntry: Hashable, Sendable {
    package enum State: String, CaseIterable, Sendable {
        case connected
        /// The session is being opened.
        case connecting
        /// It announces itself.
        case there
        /// It was connected once.
        case known
        /// It is on the network, but no driver supports it; ``CameraEntry/remark`` says why.
        case unfit
    }

    package var state: State
    /// The name for users.
    package var name: String
    /// See ``Cameras/CameraIdentity/id``; nil: it was not connected yet.
    package var id: String?
    /// `HOST:PORT`.
    package var address: String?
    /// Its present network, or the network of its last connection.
    package var network: String?
    /// The camera that was connected last.
    package var isLast = false
    package var remark: String?
}

/// The received pictures, and the state of the transfer.
package struct PhotosReport: Equatable, Sendable {
    /// `none`, `jpeg` or `both`.
    package var policy: String
    package var sentence: String
    /// In the order of their arrival; the oldest are dropped first.
    package var photos: [PhotoReport]

    package init(policy: String, sentence: String, photos: [PhotoReport]) {
        self.policy = policy
        self.sentence = sentence
        self.photos = photos
    }
}

/// A picture, as reported to clients.
package struct PhotoReport: Equatable, Sendable {
    package enum State: String, Sendable {
        /// It is in transfer.
        case receiving
        /// On disk, without data to compare with a plan, or without a frame.
        case stored
        /// On disk, and its exposure is the planned one.
        case verified
        /// On disk, and its exposure is not the planned one.
        case suspect
        /// Not transferred: RAW if only JPEG is wanted, or the disk has no free space.
        case skipped
        /// It could not be stored.
        case failed
    }

    /// Unique while the daemon runs.
    package var id: Int
    package var state: State
    /// The camera's name of the file.
    package var name: String
    /// Below the configured folder; nil: not on disk.
    package var path: String?
    package var byteCount: UInt64?
    package var shoot: Int?
    package var set: Int?
    package var frame: Int?
    package var speed: String?
    /// Why it is suspect, was skipped or failed.
    package var reason: String?
}
