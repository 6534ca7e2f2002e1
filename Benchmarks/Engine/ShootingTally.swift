import Cameras
import Statecharts

struct ShootOrder: Equatable, Sendable {
    var request: UInt64
    var streams: Bool
}

struct RetryOrder: Equatable, Sendable {
    var request: UInt64
    var streams: Bool
}

enum Absence: Equatable, Sendable {
    case lost(String)
}

enum NetworkDeparture: Equatable, Sendable {
    case elsewhere(from: String?, to: String?)
    case down
    case noRoute
}

struct PictureUpdate: Equatable, Sendable {
    enum Content: Equatable, Sendable {
        case coming(byteCount: UInt64?)
        case gone
        case checked(Bool)
    }

    var picture: UInt32
    var shoot: Int
    var frame: Int
    var shot: UInt32
    var content: Content
}

struct ChosenFrame: Equatable, Sendable {}

struct FoundRange: Equatable, Sendable {}

/// Requests to record have numbers from 1.
enum RecordUpdate: Equatable, Sendable {
    case kept(upTo: Int)
    case refused(upTo: Int)
}

struct Recovery: Equatable, Sendable {
    var hasUnfinishedShoot: Bool
}

/// The minimal behavior of the shooting chart. It counts every action, returns commands to the camera as effects, and
/// its plan never ends. Requests to record have numbers, as in the daemon. So the benchmark measures the engine.
struct ShootingTally {
    enum Effect: Equatable, Sendable {
        case setSpeed(Int)
        case readSpeed
        case capture(Int)
        case awaitIdle
        case resolveCapture
    }

    var frame = 0
    var actions: UInt64 = 0
    /// The number of the last request to record, and the results of such requests.
    private(set) var order = 0
    private var orderOfShoot = 0
    private var kept = 0
    private var refused = 0
    private var wantsAgain = false

    private mutating func count() { actions &+= 1 }

    private mutating func command(_ effect: Effect, _ effects: inout [Effect]) {
        actions &+= 1
        effects.append(effect)
    }

    private mutating func beginShoot() {
        order += 1
        orderOfShoot = order
    }
}

extension ShootingTally: ShootingBehavior {
    func isPlanDone() -> Bool { false }
    func hasEveryFrame() -> Bool { false }
    func isNextInDoubt() -> Bool { false }
    func areMissingFramesLost() -> Bool { false }
    func hasEveryPicture() -> Bool { false }
    func isChoiceAwaited() -> Bool { false }
    func isPictureExpected() -> Bool { false }
    func isPictureStored() -> Bool { false }
    func isPictureLost() -> Bool { false }
    func isVerdictAwaited() -> Bool { false }
    func isRedoWanted() -> Bool { wantsAgain }
    func hasUnfinishedShoot(_ recovery: Recovery) -> Bool { recovery.hasUnfinishedShoot }
    func isShootUnrecorded() -> Bool { orderOfShoot > kept }
    func isRecorded() -> Bool { order <= kept }
    func isRecordRefused() -> Bool { !isRecorded() && order <= refused }
    func isAway() -> Bool { false }
    func isExposureLonger(_ status: CameraStatus) -> Bool { false }
    func mayAskAgain() -> Bool { true }
    func mayRetry(_ order: RetryOrder) -> Bool { true }
    func mayRedo() -> Bool { true }
    func maySetAgain() -> Bool { true }
    func speedMatches(_ reading: SpeedReading) -> Bool { reading == .speed(ShutterSpeed(index: frame)) }
    func mayRelease(_ reading: SpeedReading) -> Bool { speedMatches(reading) && isRecorded() }
    func speedChangedAndMaySetAgain(_ failure: CameraFailure) -> Bool { false }
    func didFire(_ resolution: CaptureResolution) -> Bool { resolution == .fired }
    func didNotFire(_ resolution: CaptureResolution) -> Bool { resolution == .notFired }

    func speedDeadline() -> Duration { .seconds(30) }
    func confirmDeadline() -> Duration { .seconds(3) }
    func captureDeadline() -> Duration { .seconds(15) }
    func idleLimit() -> Duration { .seconds(10) }
    func doubtDeadline() -> Duration { .seconds(20) }
    func verdictDeadline() -> Duration { .seconds(60) }
    func busyDelay() -> Duration { .milliseconds(250) }
    func recordDeadline() -> Duration { .seconds(1) }

    mutating func selectNextFrame(_ effects: inout [Effect]) {
        count()
        frame = (frame + 1) % 55
    }
    mutating func requestSpeed(_ effects: inout [Effect]) {
        order += 1
        command(.setSpeed(frame), &effects)
    }
    mutating func requestReading(_ effects: inout [Effect]) { command(.readSpeed, &effects) }
    mutating func releaseShutter(_ effects: inout [Effect]) { command(.capture(frame), &effects) }
    mutating func requestIdle(_ effects: inout [Effect]) { command(.awaitIdle, &effects) }
    mutating func askWhetherFired(_ effects: inout [Effect]) { command(.resolveCapture, &effects) }

    mutating func adoptPlan(_ order: ShootOrder, _ effects: inout [Effect]) {
        count()
        beginShoot()
    }
    mutating func adoptMissingFrames(_ order: RetryOrder, _ effects: inout [Effect]) {
        count()
        beginShoot()
    }
    mutating func refuseStart(_ order: ShootOrder, _ effects: inout [Effect]) { count() }
    mutating func adoptRecovery(_ recovery: Recovery, _ effects: inout [Effect]) { count() }
    mutating func forgetShoot(_ effects: inout [Effect]) { count() }
    mutating func noteReading(_ reading: SpeedReading, _ effects: inout [Effect]) { count() }
    mutating func noteRelease(_ effects: inout [Effect]) { count() }
    mutating func recordCaptured(_ effects: inout [Effect]) { count() }
    mutating func noteSaving(_ effects: inout [Effect]) { count() }
    mutating func finishFrame(_ effects: inout [Effect]) { count() }
    mutating func countBusy(_ effects: inout [Effect]) { count() }
    mutating func countSetting(_ effects: inout [Effect]) { count() }
    mutating func selectInDoubt(_ effects: inout [Effect]) { count() }
    mutating func requestRedo(_ effects: inout [Effect]) {
        count()
        wantsAgain = true
    }
    mutating func requestChoice(_ effects: inout [Effect]) { count() }
    mutating func addFrame(_ frame: ChosenFrame, _ effects: inout [Effect]) { count() }
    mutating func noteRange(_ range: FoundRange, _ effects: inout [Effect]) { count() }
    mutating func recordUnknownRange(_ reason: String, _ effects: inout [Effect]) { count() }
    mutating func selectRedo(_ effects: inout [Effect]) {
        count()
        wantsAgain = false
    }
    mutating func noteRecord(_ news: RecordUpdate, _ effects: inout [Effect]) {
        count()
        switch news {
        case .kept(let number): kept = max(kept, number)
        case .refused(let number): refused = max(refused, number)
        }
    }
    mutating func requestRecord(_ effects: inout [Effect]) { count() }
    mutating func notePicture(_ news: PictureUpdate, _ effects: inout [Effect]) { count() }
    mutating func continueWithoutVerdict(_ effects: inout [Effect]) { count() }
    mutating func withdraw(_ effects: inout [Effect]) { command(.awaitIdle, &effects) }
    mutating func requestCamera(_ effects: inout [Effect]) { count() }
    mutating func recordDoubt(_ effects: inout [Effect]) { count() }
    mutating func recordBusy(_ effects: inout [Effect]) { count() }
    mutating func recordWrongSpeed(_ effects: inout [Effect]) { count() }
    mutating func recordFailure(_ failure: CameraFailure, _ effects: inout [Effect]) { count() }
    mutating func recordTimeout(_ effects: inout [Effect]) { count() }
    mutating func noteLoss(_ absence: Absence, _ effects: inout [Effect]) { count() }
    mutating func noteDeparture(_ departure: NetworkDeparture, _ effects: inout [Effect]) { count() }
    mutating func noteUnclear(_ resolution: CaptureResolution, _ effects: inout [Effect]) { count() }
    mutating func reportDoubt(_ effects: inout [Effect]) { count() }
    mutating func settlePicture(_ news: PictureUpdate, _ effects: inout [Effect]) { count() }
    mutating func recordStored(_ effects: inout [Effect]) { count() }
    mutating func recordLost(_ effects: inout [Effect]) { count() }
    mutating func recordLate(_ effects: inout [Effect]) { count() }
    mutating func fireAgain(_ effects: inout [Effect]) { count() }
    mutating func replacePicture(_ resolution: CaptureResolution, _ effects: inout [Effect]) { count() }
    mutating func noteNotFired(_ resolution: CaptureResolution, _ effects: inout [Effect]) { count() }
    mutating func recordUnresolved(_ effects: inout [Effect]) { count() }
    mutating func reportPausedByCommand(_ effects: inout [Effect]) { count() }
    mutating func reportPausedByLoss(_ effects: inout [Effect]) { count() }
    mutating func reportPausedByNetwork(_ effects: inout [Effect]) { count() }
    mutating func reportPausedByCamera(_ effects: inout [Effect]) { count() }
    mutating func reportPausedByDisk(_ effects: inout [Effect]) { count() }
    mutating func reportRecorded(_ effects: inout [Effect]) { count() }
    mutating func reportResumed(_ effects: inout [Effect]) { count() }
    mutating func noteReturn(_ status: CameraStatus, _ effects: inout [Effect]) { count() }
    mutating func noteReady(_ status: CameraStatus, _ effects: inout [Effect]) { count() }
    mutating func noteNotReady(_ sentence: String, _ effects: inout [Effect]) { count() }
    mutating func adoptReadiness(_ status: CameraStatus, _ effects: inout [Effect]) { count() }
    mutating func adoptStatus(_ status: CameraStatus, _ effects: inout [Effect]) { count() }
    mutating func reportCompleted(_ effects: inout [Effect]) { count() }
    mutating func reportPartial(_ effects: inout [Effect]) { count() }
    mutating func reportInterrupted(_ effects: inout [Effect]) { count() }
    mutating func reportCancelled(_ effects: inout [Effect]) { count() }
}
