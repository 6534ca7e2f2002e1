import Cameras
import Statecharts

package struct ShootOrder: Equatable, Sendable {
    var request: UInt64
    var streams: Bool
}

package struct RetryOrder: Equatable, Sendable {
    var request: UInt64
    var streams: Bool
}

package enum Absence: Equatable, Sendable {
    case lost(String)
    case unfit(String)
}

package enum NetworkDeparture: Equatable, Sendable {
    case elsewhere(from: String?, to: String?)
    case down
    case noRoute
}

/// The least that can stand behind the shooting chart: every action counts, those that command the camera have an
/// effect, and the plan never ends. What is measured with it is the engine.
package struct ShootingTally {
    package enum Effect: Equatable, Sendable {
        case setSpeed(Int)
        case readSpeed
        case capture(Int)
        case awaitIdle
        case resolveCapture
    }

    var frame = 0
    var actions: UInt64 = 0

    private mutating func count() { actions &+= 1 }

    private mutating func command(_ effect: Effect, _ effects: inout [Effect]) {
        actions &+= 1
        effects.append(effect)
    }
}

extension ShootingTally: ShootingBehavior {
    package func isPlanDone() -> Bool { false }
    package func isNextInDoubt() -> Bool { false }
    package func isAway() -> Bool { false }
    package func mayAskAgain() -> Bool { true }
    package func maySetAgain() -> Bool { true }
    package func speedMatches(_ reading: SpeedReading) -> Bool { reading == .speed(ShutterSpeed(index: frame)) }
    package func speedChangedAndMaySetAgain(_ failure: CameraFailure) -> Bool { false }
    package func didFire(_ resolution: CaptureResolution) -> Bool { resolution == .fired }

    package func speedDeadline() -> Duration { .seconds(30) }
    package func confirmDeadline() -> Duration { .seconds(3) }
    package func captureDeadline() -> Duration { .seconds(15) }
    package func idleDeadline() -> Duration { .seconds(10) }
    package func doubtDeadline() -> Duration { .seconds(20) }
    package func busyDelay() -> Duration { .milliseconds(250) }

    package mutating func takeNextFrame(_ effects: inout [Effect]) {
        count()
        frame = (frame + 1) % 55
    }
    package mutating func requestSpeed(_ effects: inout [Effect]) { command(.setSpeed(frame), &effects) }
    package mutating func requestReading(_ effects: inout [Effect]) { command(.readSpeed, &effects) }
    package mutating func releaseShutter(_ effects: inout [Effect]) { command(.capture(frame), &effects) }
    package mutating func requestIdle(_ effects: inout [Effect]) { command(.awaitIdle, &effects) }
    package mutating func askWhetherFired(_ effects: inout [Effect]) { command(.resolveCapture, &effects) }

    package mutating func adoptPlan(_ order: ShootOrder, _ effects: inout [Effect]) { count() }
    package mutating func adoptRest(_ order: RetryOrder, _ effects: inout [Effect]) { count() }
    package mutating func refuseStart(_ order: ShootOrder, _ effects: inout [Effect]) { count() }
    package mutating func refuseRetry(_ order: RetryOrder, _ effects: inout [Effect]) { count() }
    package mutating func forgetShoot(_ effects: inout [Effect]) { count() }
    package mutating func noteReading(_ reading: SpeedReading, _ effects: inout [Effect]) { count() }
    package mutating func noteRelease(_ effects: inout [Effect]) { count() }
    package mutating func recordCaptured(_ effects: inout [Effect]) { count() }
    package mutating func noteSaving(_ effects: inout [Effect]) { count() }
    package mutating func finishFrame(_ effects: inout [Effect]) { count() }
    package mutating func countBusy(_ effects: inout [Effect]) { count() }
    package mutating func countSetting(_ effects: inout [Effect]) { count() }
    package mutating func takeDoubtfulFrame(_ effects: inout [Effect]) { count() }
    package mutating func withdraw(_ effects: inout [Effect]) { command(.awaitIdle, &effects) }
    package mutating func wantCamera(_ effects: inout [Effect]) { count() }
    package mutating func recordDoubt(_ effects: inout [Effect]) { count() }
    package mutating func recordBusy(_ effects: inout [Effect]) { count() }
    package mutating func recordWrongSpeed(_ effects: inout [Effect]) { count() }
    package mutating func recordFailure(_ failure: CameraFailure, _ effects: inout [Effect]) { count() }
    package mutating func recordTimeout(_ effects: inout [Effect]) { count() }
    package mutating func noteLoss(_ absence: Absence, _ effects: inout [Effect]) { count() }
    package mutating func noteDeparture(_ departure: NetworkDeparture, _ effects: inout [Effect]) { count() }
    package mutating func reportDoubt(_ effects: inout [Effect]) { count() }
    package mutating func fireAgain(_ effects: inout [Effect]) { count() }
    package mutating func reportPausedByCommand(_ effects: inout [Effect]) { count() }
    package mutating func reportPausedByLoss(_ effects: inout [Effect]) { count() }
    package mutating func reportPausedByNetwork(_ effects: inout [Effect]) { count() }
    package mutating func reportResumed(_ effects: inout [Effect]) { count() }
    package mutating func noteReturn(_ status: CameraStatus, _ effects: inout [Effect]) { count() }
    package mutating func adoptReadiness(_ status: CameraStatus, _ effects: inout [Effect]) { count() }
    package mutating func adoptStatus(_ status: CameraStatus, _ effects: inout [Effect]) { count() }
    package mutating func reportCompleted(_ effects: inout [Effect]) { count() }
    package mutating func reportPartial(_ effects: inout [Effect]) { count() }
    package mutating func reportCancelled(_ effects: inout [Effect]) { count() }
}
