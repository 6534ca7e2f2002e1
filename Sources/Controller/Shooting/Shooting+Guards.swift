import Cameras
import Exposure
import Statecharts

// Only what the chart names stands here; a test compares the two.
extension ShootingModel: ShootingBehavior {
    package typealias Effect = ShootingEffect

    // MARK: Guards

    package func isPlanDone() -> Bool {
        guard let shoot else { preconditionFailure("no shoot") }
        return shoot.isDone && !isAgainWanted() && !isVerdictAwaited()
    }

    /// Nothing of it is left to be fired; what its last pictures show may be on its way.
    package func isWhole() -> Bool {
        guard let shoot else { preconditionFailure("no shoot") }
        return shoot.isDone && !isAgainWanted()
    }

    /// The pictures of a set are waited for, and once its suspects were fired again theirs.
    package func isVerdictAwaited() -> Bool {
        guard firesSuspectsAgain, let shoot, shoot.isAtSetEnd else { return false }
        return pictures.frames.contains { !shoot.wasFiredAgain($0) } || !shoot.isSuspectLeft && pictures.count > 0
    }

    package func isAgainWanted() -> Bool {
        shoot.map { isAgainWanted(of: $0) } ?? false
    }

    package func isShootLeft(_ recovery: Recovery) -> Bool {
        // A shoot that this run fired without a ledger stands before what an earlier one left.
        lastShootID == 0 && isAnythingMissing(recovery)
    }

    package func mayRetry(_ order: RetryOrder) -> Bool {
        guard let shoot = order.shoot ?? shoot else { return false }
        // One that has every frame and ended early all the same is completed by it.
        return !shoot.isDone || shoot.cause != nil || isAgainWanted(of: shoot) || order.withRedo && shoot.mayWantAgain
    }

    package func mayRedo() -> Bool { shoot?.mayWantAgain ?? false }

    package func isShootUnrecorded() -> Bool { !marks.isShootRecorded }

    package func isRecorded() -> Bool { marks.isRecorded }

    package func isRecordRefused() -> Bool { marks.isRefused }

    package func isNextInDoubt() -> Bool { shoot?.isNextInDoubt ?? false }

    package func isRestLost() -> Bool {
        guard let shoot else { preconditionFailure("no shoot") }
        return shoot.isRestLost && !isAgainWanted() && !isVerdictAwaited()
    }

    package func isPictureOwed() -> Bool { shoot?.isPictureOwed ?? false }

    package func isPictureStored() -> Bool { standing == .stored }

    package func isPictureLost() -> Bool { if case .missing = standing { true } else { false } }

    /// Only pictures were missing when it ended early, and the last of them is stored now.
    package func isMended() -> Bool { shoot?.cause == nil && isWhole() }

    package func isAway() -> Bool { if case .left = interruption { true } else { false } }

    package func mayAskAgain() -> Bool { tries.busyCount + 1 < Self.busyAttemptsMax }

    package func maySetAgain() -> Bool { tries.settingCount + 1 < Self.settingAttemptsMax }

    package func speedMatches(_ reading: SpeedReading) -> Bool { reading == .speed(speed) }

    package func mayRelease(_ reading: SpeedReading) -> Bool { speedMatches(reading) && isRecorded() }

    package func speedChangedAndMaySetAgain(_ failure: CameraFailure) -> Bool {
        guard case .speedChanged = failure else { return false }
        return maySetAgain()
    }

    package func isExposureLonger(_ status: CameraStatus) -> Bool {
        guard case .speed(let shown)? = status.speed else { return false }
        return shown.exposureTime > exposureMax
    }

    /// Where the only copy is to be here, the camera has handed over all that it has of the frame by now: the picture
    /// itself says whether there is one.
    package func didFire(_ resolution: CaptureResolution) -> Bool {
        guard isOnlyCopyHere || isPictureOwed() else { return resolution == .fired }
        return !isPictureLost()
    }

    package func didNotFire(_ resolution: CaptureResolution) -> Bool {
        resolution == .notFired && !didFire(resolution) && !isPictureOwed()
    }

    // MARK: Delays

    /// The driver answers long before: it is the one that knows whether the body is silent (5 s), or busy without any
    /// file leaving its buffer (10 s). This only ends a driver's fault, and must outlast the emptying of a buffer: a
    /// body takes no speed while files stand there, and 200 MB over slow WiFi take a minute. A body that steps may need
    /// three rounds, for some skip notches (libgphoto2#775, #854), or take single notches only, at the pace of the
    /// slowest body known (0.7 s on an SLT-A58).
    package func speedDeadline() -> Duration {
        guard case .stepwise(let perNotch) = camera?.speedSetting else { return .seconds(120) }
        return .seconds(120) + max(perNotch * 3, .milliseconds(750)) * tries.notchesMax(to: speed, shown: camera?.speed)
    }

    /// Bodies show a new speed within 0.1 to 0.8 s (Alpha Fairy's measurements); the rest is for the link.
    package func confirmDeadline() -> Duration { .seconds(3) }

    /// Focus up to 1 s, buttons, exposure and dark frame, and 2.5 to 4.5 s until the file is ready (VIEW), with room.
    package func captureDeadline() -> Duration { occupied + .seconds(15) }

    /// Longer than the driver bears a silent transfer (10 s, told of every 2 s): a dead link is lost, not failed.
    package func idleLimit() -> Duration { occupied + .seconds(15) }

    /// The exposure may have begun right before the link broke and still be going on.
    package func doubtDeadline() -> Duration { occupied + .seconds(20) }

    /// By what is on its way, at the rate of poor Wi-Fi; each picture also is synced and read. What does not come in
    /// this time is not waited for any more, and not lost.
    package func verdictDeadline() -> Duration { pictures.deadline }

    package func busyDelay() -> Duration { .milliseconds(250 << (tries.busyCount - 1)) }

    /// A disk takes milliseconds; only a longer wait is worth the user's attention.
    package func recordPatience() -> Duration { .seconds(1) }
}
