import Cameras
import Exposure
import Statecharts

// This extension has only the functions that the chart names. A test compares it with the chart.
extension ShootingModel: ShootingBehavior {
    package typealias Effect = ShootingEffect

    // MARK: Guards

    package func isPlanDone() -> Bool {
        guard let shoot else { preconditionFailure("no shoot") }
        return shoot.isDone && !isRedoWanted() && !isVerdictAwaited()
    }

    /// Whether every frame is captured. The comparison of the last pictures may still run.
    package func hasEveryFrame() -> Bool {
        guard let shoot else { preconditionFailure("no shoot") }
        return shoot.isDone && !isRedoWanted()
    }

    /// Whether the shoot waits for the pictures of a set, or for those of suspect frames that were fired again.
    package func isVerdictAwaited() -> Bool {
        guard firesSuspectsAgain, let shoot, shoot.isAtSetEnd else { return false }
        return pictures.frames.contains { !shoot.wasFiredAgain($0) } || !shoot.isSuspectLeft && pictures.count > 0
    }

    package func isRedoWanted() -> Bool {
        shoot.map { isRedoWanted(of: $0) } ?? false
    }

    package func hasUnfinishedShoot(_ recovery: Recovery) -> Bool {
        // If this run began a shoot before the ledger was open, that shoot has priority over an earlier run's shoot.
        lastShootID == 0 && isAnythingMissing(recovery)
    }

    package func mayRetry(_ order: RetryOrder) -> Bool {
        guard let shoot = order.shoot ?? shoot else { return false }
        // A retry also completes a shoot that ended early although every frame is captured.
        return !shoot.isDone || !order.added.isEmpty || shoot.cause != nil || isRedoWanted(of: shoot)
            || order.withRedo && shoot.mayWantAgain
    }

    package func mayRedo() -> Bool { shoot?.mayWantAgain ?? false }

    package func isShootUnrecorded() -> Bool { !marks.isShootRecorded }

    package func isRecorded() -> Bool { marks.isRecorded }

    package func isRecordRefused() -> Bool { marks.isRefused }

    package func isNextInDoubt() -> Bool { shoot?.isNextInDoubt ?? false }

    package func areMissingFramesLost() -> Bool {
        guard let shoot else { preconditionFailure("no shoot") }
        return shoot.areMissingFramesLost && !isRedoWanted() && !isVerdictAwaited()
    }

    package func isChoiceAwaited() -> Bool { shoot?.isChoiceAwaited ?? false }

    package func isPictureExpected() -> Bool { shoot?.isPictureExpected ?? false }

    package func isPictureStored() -> Bool { filesState == .stored }

    package func isPictureLost() -> Bool { if case .missing = filesState { true } else { false } }

    /// Whether the shoot ended early only because pictures were missing, and the last of these pictures is stored now.
    package func hasEveryPicture() -> Bool { shoot?.cause == nil && hasEveryFrame() }

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

    /// Whether the shutter fired. If this computer is to have the only copy, the camera has transferred all files of
    /// the frame by now. In this case the received picture is the proof.
    package func didFire(_ resolution: CaptureResolution) -> Bool {
        guard isOnlyCopyHere || isPictureExpected() else { return resolution == .fired }
        return !isPictureLost()
    }

    package func didNotFire(_ resolution: CaptureResolution) -> Bool {
        resolution == .notFired && !didFire(resolution) && !isPictureExpected()
    }

    // MARK: Delays

    /// The limit for setting a speed. The driver answers earlier, so this limit matters only if the driver has a fault.
    /// Only the driver knows whether the body is silent (5 s), or busy while no file leaves its buffer (10 s).
    ///
    /// The limit must be longer than the transfer of a full buffer, because a body accepts no speed before the transfer
    /// ends. 200 MB over slow WiFi take a minute. A body that steps may need three rounds, because some skip notches
    /// (libgphoto2#775, #854). Other bodies accept only single notches (0.7 s each on the slowest known body, SLT-A58).
    package func speedDeadline() -> Duration {
        guard case .stepwise(let perNotch) = camera?.speedSetting else { return .seconds(120) }
        return .seconds(120) + max(perNotch * 3, .milliseconds(750)) * tries.notchesMax(to: speed, shown: camera?.speed)
    }

    /// Bodies show a new speed within 0.1 to 0.8 s (Alpha Fairy's measurements). The remaining time is for the link.
    package func confirmDeadline() -> Duration { .seconds(3) }

    /// The limit includes the exposure with its dark frame. The driver states the other time that a capture can need.
    package func captureDeadline() -> Duration {
        occupied + (camera?.captureTimeMax ?? CameraStatus.usualCaptureTimeMax)
    }

    /// This limit is longer than the driver's limit for a silent transfer (10 s, reported every 2 s). So a dead link
    /// counts as a lost link, and not as a failed frame.
    package func idleLimit() -> Duration { occupied + .seconds(15) }

    /// The exposure may have begun right before the link broke, and may still run after the camera is connected again.
    package func doubtDeadline() -> Duration { occupied + .seconds(20) }

    /// The time that the pictures in transfer need over poor WiFi, with the time to sync and read each one. After this
    /// time the shoot no longer waits for a picture; the picture is not lost.
    package func verdictDeadline() -> Duration { pictures.deadline }

    package func busyDelay() -> Duration { .milliseconds(250 << (tries.busyCount - 1)) }

    /// A disk needs milliseconds. Only a longer wait is worth a report to the user.
    package func recordDeadline() -> Duration { .seconds(1) }
}
