import Cameras
import Exposure

/// What a client gets back: the results of the methods of `io.bracketd`.
package enum Reply: Equatable, Sendable {
    case status(StatusReport)
    case plan(PlanReport)
    case progress(Progress)
    case transition(TransitionReport)
    case camera(CameraReport)
    /// The property was set, and the camera shows it.
    case property(PropertyState)
    case photos(PhotosReport)
    /// One more picture, or a new verdict about one.
    case photo(PhotoReport)
    case ledger(LedgerAnswer)
    case preflight(PreflightReport)
    /// In the order in which a person would fix what is wrong.
    case checks([Check])
    /// Sorted: the connected one, those that are there, those that are known.
    case cameras([CameraEntry])
    /// Pause, Resume, Cancel, Dismiss, Redo: it was taken.
    case done
    /// The camera is disconnected; the sentence says which of its settings are still to be put back, nil: none.
    case disconnected(settings: String?)
}

/// Why a request was not carried out; the errors of `io.bracketd`. Nothing was changed.
package enum RequestError: Error, Equatable, Sendable {
    case notConnected(sentence: String)
    case invalidPlan(parameter: String, value: String, sentence: String)
    case planNotExact(warnings: [String], sentence: String)
    /// The plan of this hash is not known any more, or is another one by now.
    case planChanged(was: String, now: String?, sentence: String)
    /// Checks fail; these.
    case preflightFailed(checks: [Check], sentence: String)
    case notNow(command: String, state: String, sentence: String)
    /// A new shoot would drop frames, and the client did not ask for that.
    case framesMissing(UnfinishedShoot, sentence: String)
    /// A property cannot be set, or there is none of this name.
    case propertyRefused(property: String, value: String, sentence: String)
    /// The ledger has no shoot of this number.
    case noSuchShoot(id: Int, sentence: String)
    /// The ledger cannot be read, or none is kept.
    case ledgerUnavailable(sentence: String)
    /// No camera of the list is meant, or more than one.
    case noSuchCamera(text: String, known: [String], sentence: String)
    /// The plan is armed until the daemon ends, and no longer.
    case planNotKept(sentence: String)
    case needsMore(method: String)
    case tooManyClients(limit: Int)
    case stopping
}

extension RequestError {
    /// What a person reads; nil: this one speaks for itself.
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

/// A chart's present state. `state` is its main leaf, `configuration` are all active leaves, spelled as in the chart.
package struct ChartState: Equatable, Sendable {
    package var name: String
    package var state: String
    package var configuration: [String]
    /// The SHA-256 of the chart's file that runs here, in hexadecimal digits.
    package var digest: String
}

package struct StatusReport: Equatable, Sendable {
    /// One sentence about everything.
    package var sentence: String
    package var charts: [ChartState]
    package var camera: String?
    package var shoot: Progress?
    /// What a press of the button fires, the armed plan or what a shoot lacks, in words; nil: there is no button.
    package var armed: String?
}

/// Where a shoot stands. Sets and frames are counted from 1.
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
    /// How the shoot ended; nil while it goes on.
    package var outcome: ShootOutcome?
    package var cause: String?
    /// How long the rest of the shoot takes; nil: it is over, or it was not asked when.
    package var remaining: Duration?
    /// How much longer the shutter stays open; nil: it is closed, or is not open for long.
    package var exposureLeft: Duration?
    /// What became of the camera's settings that the shoot changed, in a sentence; nil: nothing was changed, or the
    /// shoot goes on.
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
    /// The camera whose list of speeds the plan was held against.
    package var checkedAgainst: String?
    /// What was learned of that camera; nil: nothing yet.
    package var timing: TimingReport?
    /// What names this plan on this camera, see ``PlanIdentity/hash``.
    package var hash: String?
    /// What was asked for, with every default.
    package var input = PlanInput()
    /// What is fired, in firing order.
    package var exposures: [PlannedFrame] = []
    /// The planned speeds that the camera lacks; nil without a camera.
    package var substitutes: [Substitute]?
    /// What the same range costs otherwise; nil: it was not asked for.
    package var comparison: Comparison?
}

/// One transition of one chart, for those who watch and for the journal.
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

/// The connected camera as told to people.
package struct CameraReport: Equatable, Sendable {
    package var identity: CameraIdentity
    package var address: CameraAddress
    package var status: CameraStatus
    /// In the order of ``Cameras/CameraProperty``; those that the body has.
    package var properties: [PropertyState] = []
    /// What was learned of how long it takes; nil: nothing yet.
    package var timing: TimingReport?
}

/// A camera in the list of those that are known or there.
package struct CameraEntry: Hashable, Sendable {
    package enum State: String, CaseIterable, Sendable {
        case connected
        /// A handshake goes on.
        case connecting
        /// It tells of itself.
        case there
        /// It was connected once.
        case known
        /// It is there and cannot be driven; ``CameraEntry/remark`` says why.
        case unfit
    }

    package var state: State
    /// What people call it.
    package var name: String
    /// See ``Cameras/CameraIdentity/id``; nil: it was not connected yet.
    package var id: String?
    /// `HOST:PORT`.
    package var address: String?
    /// The network that it was connected on, or on which it is.
    package var network: String?
    /// The one that was connected last.
    package var isLast = false
    package var remark: String?
}

/// The pictures that came, and how it stands with those to come.
package struct PhotosReport: Equatable, Sendable {
    /// `none`, `jpeg` or `both`.
    package var policy: String
    /// One sentence.
    package var sentence: String
    /// In the order in which they came; the oldest are forgotten first.
    package var photos: [PhotoReport]

    package init(policy: String, sentence: String, photos: [PhotoReport]) {
        self.policy = policy
        self.sentence = sentence
        self.photos = photos
    }
}

/// A picture as told to people.
package struct PhotoReport: Equatable, Sendable {
    /// What became of it.
    package enum State: String, Sendable {
        /// It is on its way.
        case receiving
        /// On disk; it says nothing that could be held against a plan, or belongs to none.
        case stored
        /// On disk, and its exposure is the planned one.
        case verified
        /// On disk, and its exposure is not the planned one.
        case suspect
        /// Not kept: RAW where only JPEG is wanted, or no room.
        case skipped
        /// It could not be stored.
        case failed
    }

    /// Unique while the daemon runs.
    package var id: Int
    package var state: State
    /// As the camera names it.
    package var name: String
    /// Below the configured folder; nil: not on disk.
    package var path: String?
    package var byteCount: UInt64?
    package var shoot: Int?
    package var set: Int?
    package var frame: Int?
    /// The planned speed.
    package var speed: String?
    /// Why it is suspect, was skipped or failed.
    package var reason: String?
}
