import Cameras

/// What a client gets back: the results of the methods of `io.bracketd`.
package enum Reply: Equatable, Sendable {
    case status(StatusReport)
    case plan(PlanReport)
    case progress(Progress)
    case transition(TransitionReport)
    case camera(CameraReport)
    /// Pause, Resume, Cancel, Dismiss: it was taken.
    case done
}

/// Why a request was not carried out; the errors of `io.bracketd`. Nothing was changed.
package enum RequestError: Error, Equatable, Sendable {
    case notConnected(sentence: String)
    case invalidPlan(parameter: String, value: String, sentence: String)
    case planNotExact(warnings: [String], sentence: String)
    case notNow(command: String, state: String, sentence: String)
    case needsMore(method: String)
    case tooManyClients(limit: Int)
    case stopping
}

/// A chart's present state. `state` is its main leaf, `configuration` are all active leaves, spelled as in the chart.
package struct ChartState: Equatable, Sendable {
    package var name: String
    package var state: String
    package var configuration: [String]
    /// The SHA-256 of the chart's file that runs here, in hexadecimal digits.
    package var digest: String

    package init(name: String, state: String, configuration: [String], digest: String) {
        self.name = name
        self.state = state
        self.configuration = configuration
        self.digest = digest
    }
}

package struct StatusReport: Equatable, Sendable {
    /// One sentence about everything.
    package var sentence: String
    package var charts: [ChartState]
    package var camera: String?
    package var shoot: Progress?

    package init(sentence: String, charts: [ChartState], camera: String?, shoot: Progress?) {
        self.sentence = sentence
        self.charts = charts
        self.camera = camera
        self.shoot = shoot
    }
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
    package var outcome: Outcome?
    package var cause: String?

    package enum Outcome: String, Sendable {
        case completed, partial, cancelled
    }

    package init(
        shoot: Int,
        captured: Int,
        total: Int,
        set: Int? = nil,
        frame: Int? = nil,
        speed: String? = nil,
        phase: String,
        sentence: String,
        outcome: Outcome? = nil,
        cause: String? = nil
    ) {
        self.shoot = shoot
        self.captured = captured
        self.total = total
        self.set = set
        self.frame = frame
        self.speed = speed
        self.phase = phase
        self.sentence = sentence
        self.outcome = outcome
        self.cause = cause
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
    /// The camera whose list of speeds the plan was held against.
    package var checkedAgainst: String?

    package init(
        rangeEV: Double,
        sets: [[String]],
        totalExposures: Int,
        notes: [String],
        warnings: [String],
        estimateMilliseconds: Int,
        estimateBasis: String,
        checkedAgainst: String?
    ) {
        self.rangeEV = rangeEV
        self.sets = sets
        self.totalExposures = totalExposures
        self.notes = notes
        self.warnings = warnings
        self.estimateMilliseconds = estimateMilliseconds
        self.estimateBasis = estimateBasis
        self.checkedAgainst = checkedAgainst
    }
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

    package init(
        at: Int64,
        chart: String,
        event: String,
        from: [String],
        to: [String],
        shoot: Int? = nil,
        set: Int? = nil,
        frame: Int? = nil,
        speed: String? = nil,
        message: String
    ) {
        self.at = at
        self.chart = chart
        self.event = event
        self.from = from
        self.to = to
        self.shoot = shoot
        self.set = set
        self.frame = frame
        self.speed = speed
        self.message = message
    }
}

/// The connected camera as told to people.
package struct CameraReport: Equatable, Sendable {
    package var identity: CameraIdentity
    package var address: CameraAddress
    package var status: CameraStatus

    package init(identity: CameraIdentity, address: CameraAddress, status: CameraStatus) {
        self.identity = identity
        self.address = address
        self.status = status
    }
}
