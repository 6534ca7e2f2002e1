import Cameras
import Exposure

/// An answer to a client: the result of a method of `io.bracketd`.
package enum Reply: Equatable, Sendable {
    case status(StatusReport)
    case plan(PlanReport)
    case progress(Progress)
    case transition(TransitionReport)
    case camera(CameraReport)
    /// The property was set, and the camera shows it.
    case property(PropertyState)
    /// The files on the camera's card were listed or transferred.
    case files(CameraFileAnswer)
    case liveView(LiveViewReport)
    case photos(PhotosReport)
    /// A new picture, or a changed one.
    case photo(PhotoReport)
    case ledger(LedgerAnswer)
    case preflight(PreflightReport)
    /// The checks, in the order in which a user would fix them.
    case checks([Check])
    /// The list of cameras: first the connected one, then those that announce themselves, then the known ones.
    case cameras([CameraEntry])
    /// The request was accepted: Pause, Resume, Cancel, Dismiss or Redo.
    case done
    /// The camera is disconnected. The sentence names its settings that are still to be restored; nil: none.
    case disconnected(settings: String?)
}

/// The reason why a request was refused: an error of `io.bracketd`. A refused request changes nothing.
package enum RequestError: Error, Equatable, Sendable {
    case notConnected(sentence: String)
    case invalidPlan(parameter: String, value: String, sentence: String)
    case planNotExact(warnings: [String], sentence: String)
    /// The plan with this hash is no longer known, or has changed.
    case planChanged(was: String, now: String?, sentence: String)
    case preflightFailed(checks: [Check], sentence: String)
    case notNow(command: String, state: String, sentence: String)
    /// A new shoot would drop frames, and the client did not request that.
    case framesMissing(UnfinishedShoot, sentence: String)
    /// The property does not exist, or cannot be set.
    case propertyRefused(property: String, value: String, sentence: String)
    /// The files on the card cannot be listed or transferred.
    case filesRefused(sentence: String)
    /// The live view cannot be shown.
    case liveViewRefused(sentence: String)
    /// The ledger has no shoot of this number.
    case noSuchShoot(id: Int, sentence: String)
    /// The ledger cannot be read, or is off.
    case ledgerUnavailable(sentence: String)
    /// The text matches no camera of the list, or more than one.
    case noSuchCamera(text: String, known: [String], sentence: String)
    /// The plan is armed but not on disk, so it is forgotten when the daemon ends.
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
            .propertyRefused(_, _, let sentence), .filesRefused(let sentence), .liveViewRefused(let sentence),
            .noSuchShoot(_, let sentence), .ledgerUnavailable(let sentence),
            .noSuchCamera(_, _, let sentence), .planNotKept(let sentence), .framesMissing(_, let sentence):
            sentence
        case .needsMore, .tooManyClients, .stopping: nil
        }
    }
}

/// The present state of a chart: its main leaf as `state`, and all active leaves as `configuration`.
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
    /// What a press of the button fires, as text: the armed plan, or missing frames. Nil: no button is configured.
    package var armed: String?
    /// The time until the next wave of the search; nil: no wave is awaited.
    package var nextSearch: Duration?
}

/// The present state of a shoot. Sets and frames are counted from 1.
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
    /// The outcome of the shoot; nil while the shoot runs.
    package var outcome: ShootOutcome?
    package var cause: String?
    /// The remaining time of the shoot; nil: the shoot is over, or the client did not request the time.
    package var remaining: Duration?
    /// The remaining time of the exposure; nil: the shutter is closed, or the exposure is short.
    package var exposureLeft: Duration?
    /// The sentence for the result of restoring the camera's settings; nil: no setting was changed, or the shoot runs.
    package var settings: String?
    /// The frames of a bracket that finds its own range; nil: the plan has the range.
    package var range: RangeReport?
}

/// The frames of a bracket that finds its own range.
package struct RangeReport: Equatable, Sendable {
    /// The speeds of the captured frames, in the order fired.
    package var shots: [String]
    /// The speeds of the smallest set that covers the range, fastest first; empty while the range is not found.
    package var kept: [String]
    package var warnings: [Warning]

    package struct Warning: Equatable, Sendable {
        package var code: String
        package var sentence: String

        package init(code: String, sentence: String) {
            self.code = code
            self.sentence = sentence
        }
    }

    package init(shots: [String], kept: [String], warnings: [Warning]) {
        self.shots = shots
        self.kept = kept
        self.warnings = warnings
    }

    /// Nil if the shoot does not find its own range.
    init?(_ shoot: Shoot) {
        guard shoot.plan.request.goal != nil else { return nil }
        let frames = shoot.plan.frames
        shots = frames.indices.filter { shoot.firings[$0].isCaptured }.map { frames[$0].speed.label }
        kept = shoot.range?.kept.map(\.label) ?? []
        warnings = shoot.range?.warnings.map { Warning(code: $0.code, sentence: $0.sentence) } ?? []
    }
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
    /// The exposures, in firing order.
    package var exposures: [PlannedFrame] = []
    /// The planned speeds that the camera does not have, and their substitutes; nil: no camera is connected.
    package var substitutes: [Substitute]?
    /// Other numbers of frames and spacings for the same range; nil: not requested.
    package var comparison: Comparison?
}

/// A transition of a chart, for the journal and for the clients that watch.
package struct TransitionReport: Equatable, Sendable {
    /// The time of the transition, in milliseconds of the daemon's clock.
    package var at: Int64
    package var chart: String
    package var event: String
    /// The leaves that the chart left (`from`) and entered (`to`).
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

/// A picture of the live view, as reported to clients.
package struct LiveViewReport: Equatable, Sendable {
    package var frame: LiveViewFrame
    /// The speed that the camera showed last; nil: none.
    package var speed: String?

    package init(_ frame: LiveViewFrame, speed: String?) {
        self.frame = frame
        self.speed = speed
    }
}

/// A known or announced camera in the list.
package struct CameraEntry: Hashable, Sendable {
    package enum State: String, CaseIterable, Sendable {
        case connected
        /// The session is being opened.
        case connecting
        /// The camera announces itself.
        case there
        /// The camera was connected once.
        case known
        /// The camera is on the network, but no driver supports it; ``CameraEntry/remark`` says why.
        case unfit
    }

    package var state: State
    /// The name for users.
    package var name: String
    /// See ``Cameras/CameraIdentity/id``; nil: the camera was never connected.
    package var id: String?
    /// `HOST:PORT`.
    package var address: String?
    /// The camera's present network, or the network of its last connection.
    package var network: String?
    /// Whether this is the most recently connected camera.
    package var isLast = false
    /// Why no driver supports the camera, or what the user must know about the program in ``waitsFor``; nil: nothing.
    package var remark: String?
    /// The program for which the camera's menu waits; nil: the camera does not announce one.
    package var waitsFor: AwaitedProgram?
}

/// The received pictures, and the state of the transfer.
package struct PhotosReport: Equatable, Sendable {
    /// `none`, `jpeg` or `both`.
    package var policy: String
    package var sentence: String
    /// The pictures, in the order of their arrival. The list drops the oldest ones first.
    package var photos: [PhotoReport]
    /// What the pictures of the last shoot cover; nil: not known.
    package var coverage: Coverage?
    /// The absolute path of the folder for pictures; nil: not known. Only the host knows it, and adds it.
    package var directory: String?

    package init(policy: String, sentence: String, photos: [PhotoReport], coverage: Coverage? = nil) {
        self.policy = policy
        self.sentence = sentence
        self.photos = photos
        self.coverage = coverage
    }
}

/// A picture, as reported to clients.
package struct PhotoReport: Equatable, Sendable {
    package enum State: String, Sendable {
        /// The picture is in transfer.
        case receiving
        /// The picture is on disk, but has no frame, or no data to compare with the plan.
        case stored
        /// The picture is on disk, and its exposure is the planned one.
        case verified
        /// The picture is on disk, and its exposure is not the planned one.
        case suspect
        /// The picture is not transferred: by the policy, without free space, or because the camera does not send it.
        case skipped
        /// The picture could not be stored.
        case failed
    }

    /// The number of the picture, unique in a run of the daemon.
    package var id: Int
    package var state: State
    /// The name of the file in the camera.
    package var name: String
    /// The path below the configured folder; nil: not on disk.
    package var path: String?
    package var byteCount: UInt64?
    package var shoot: Int?
    package var set: Int?
    package var frame: Int?
    package var speed: String?
    /// The reason why the picture is suspect, was skipped or failed.
    package var reason: String?
}
